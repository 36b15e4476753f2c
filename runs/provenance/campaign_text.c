/* runs/provenance/campaign_text.c - reads the stored text of a campaign again: generates its sets again from
 * recipe and index, or reads its scenario with the values of each point, and compares them with the rows;
 * compares its platforms and the setups of its runs, too. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runs/campaign/unit.h"
#include "runs/load.h"
#include "runs/provenance/checking.h"
#include "runs/store.h"

struct campaign_text_reading {
	struct checking *k;
	int64_t scenario_id;
	struct campaign *campaign;
	struct unit_maker maker;
};

/* The cursor: run_id, policy, params, replication, platform_id, version. */
static bool check_run(struct campaign_text_reading *r, const struct unit_set *made, const struct db_cursor *c)
{
	struct checking *k = r->k;
	struct run_setup setup = made->setup;
	int64_t run = cursor_integer(c, 0), replication = cursor_integer(c, 3);
	bool same;
	k->scenario->checked++;
	if (replication < 0 || replication >= r->campaign->replications)
		return finding(k, k->scenario, "%srun %" PRId64 ": there is no replication %" PRId64,
			k->subject, run, replication);
	if (!is_used(
		    r->campaign->policies, r->campaign->policy_count, needed_text(c, 1), needed_text(c, 2)) &&
		!not_asked_for(k, run, needed_text(c, 1), needed_text(c, 2)))
		return false;
	setup.seed = unit_seed(r->campaign, (uint32_t)replication);
	/* If there are several platforms, the set may be on any of them (check_platforms() checks these). */
	return check_version(k, run, needed_text(c, 1), cursor_integer(c, 5)) &&
	       compare_setup(k, run, &setup, &same) &&
	       (r->campaign->platform_count > 1 ||
		       compare_platform(k, cursor_integer(c, 4), &made->platform, false, &same));
}

#define RUNS_SQL                                                                                             \
	"SELECT run_id, p.name, p.params, replication, platform_id, p.version FROM run JOIN policy p USING"  \
	" (policy_id) WHERE scenario_id = ?1 AND taskset_id = ?2 AND (?3 < 0 OR run_id = ?3)"

static bool check_runs(struct campaign_text_reading *r, const struct unit_set *made, int64_t taskset_id)
{
	struct checking *k = r->k;
	struct rows q = rows_open(k->reader, RUNS_SQL, k->err);
	rows_bind(&q, 1, r->scenario_id);
	rows_bind(&q, 2, taskset_id);
	rows_bind(&q, 3, k->run_id);
	while (rows_next(&q))
		q.ok = check_run(r, made, q.c);
	return rows_close(&q);
}

static bool compare_made(struct campaign_text_reading *r, const struct unit_set *made, int64_t taskset_id,
	int64_t index, bool quiet, bool *same)
{
	const struct set_origin origin = {
		.recipe = made->recipe,
		.index = index,
		.target_utilisation_ppm = made->target_utilisation_ppm,
	};
	return compare_set(r->k, taskset_id, &made->set, &origin, quiet, same);
}

static bool check_variant(struct campaign_text_reading *r, int64_t taskset_id, int64_t index);

/* One of the platforms must give this set. If none does, the difference for the last one is reported. */
static bool check_set(struct campaign_text_reading *r, int64_t taskset_id, int64_t index)
{
	struct checking *k = r->k;
	uint32_t platforms = r->campaign->platform_count ? r->campaign->platform_count : 1;
	bool same = false, ok = true;
	k->scenario->checked++;
	if (index < 0 || index >= unit_count(r->campaign))
		return finding(k, k->scenario,
			"%sset %" PRId64 ": it says that it is the campaign's number %" PRId64 " of %" PRIu32,
			k->subject, taskset_id, index, unit_count(r->campaign));
	if (r->campaign->variants)
		return check_variant(r, taskset_id, index);
	for (uint32_t i = 0; ok && !same && i < platforms; i++) {
		struct unit_set made;
		struct error reason;
		bool last = i + 1 == platforms;
		if (unit_set_make(&r->maker, (uint32_t)index, i, &made, &reason)) {
			ok = compare_made(r, &made, taskset_id, index, !last, &same) &&
			     (!same || check_runs(r, &made, taskset_id));
			taskset_finish(&made.set);
		} else if (reason.status != STATUS_INPUT) {
			*k->err = reason;
			ok = false;
		} else if (last) {
			ok = finding(k, k->scenario,
				"%sset %" PRId64 ": the campaign has no set %" PRId64 ": %s", k->subject,
				taskset_id, index, reason.text);
		}
	}
	return ok;
}

#define SETS_SQL                                                                                             \
	"SELECT taskset_id, coalesce(recipe_index, -1) FROM taskset WHERE ?2 < 0 OR"                         \
	" taskset_id IN (SELECT taskset_id FROM run WHERE run_id = ?2 AND scenario_id = ?1)"

static bool check_sets(struct campaign_text_reading *r)
{
	struct checking *k = r->k;
	struct rows q = rows_open(k->reader, SETS_SQL, k->err);
	rows_bind(&q, 1, r->scenario_id);
	rows_bind(&q, 2, k->run_id);
	while (rows_next(&q))
		q.ok = check_set(r, cursor_integer(q.c, 0), cursor_integer(q.c, 1));
	return rows_close(&q);
}

/* ---- a scenario and its values ---- */

/* The cursor: run_id, policy, params, replication, platform_id, version. */
static bool check_variant_run(struct campaign_text_reading *r, const struct scenario *s, uint32_t replication,
	const struct db_cursor *c)
{
	struct checking *k = r->k;
	struct run_setup setup = s->setup;
	int64_t run = cursor_integer(c, 0);
	bool same;
	k->scenario->checked++;
	if (cursor_integer(c, 3) != replication)
		return finding(k, k->scenario,
			"%srun %" PRId64 ": it is replication %" PRId64 ", and its set is of %" PRIu32,
			k->subject, run, cursor_integer(c, 3), replication);
	if (!is_used(s->policies, s->policy_count, needed_text(c, 1), needed_text(c, 2)) &&
		!not_asked_for(k, run, needed_text(c, 1), needed_text(c, 2)))
		return false;
	setup.seed = unit_seed(r->campaign, replication);
	return check_version(k, run, needed_text(c, 1), cursor_integer(c, 5)) &&
	       compare_setup(k, run, &setup, &same) &&
	       compare_platform(k, cursor_integer(c, 4), &s->platform, false, &same);
}

static bool check_variant_rows(
	struct campaign_text_reading *r, const struct scenario *s, int64_t taskset_id, uint32_t unit)
{
	struct checking *k = r->k;
	struct text json = {0};
	bool same;
	campaign_scenario_origin(r->campaign, unit / r->campaign->sets, &json);
	const struct set_origin origin = {
		.recipe = text_data(&json), .index = unit, .target_utilisation_ppm = DB_NULL};
	bool ok = text_ok(&json, "checking a set", k->err) &&
		  compare_set(k, taskset_id, &s->set, &origin, false, &same);
	text_finish(&json);
	if (!ok)
		return false;
	struct rows q = rows_open(k->reader, RUNS_SQL, k->err);
	rows_bind(&q, 1, r->scenario_id);
	rows_bind(&q, 2, taskset_id);
	rows_bind(&q, 3, k->run_id);
	while (rows_next(&q))
		q.ok = check_variant_run(r, s, unit % r->campaign->sets, q.c);
	return rows_close(&q);
}

/* A platform on which the set was run or analysed; -1: there is none. */
static bool platform_of(struct checking *k, int64_t taskset_id, int64_t *platform)
{
	struct rows q = rows_open(k->reader,
		"SELECT platform_id FROM run WHERE taskset_id = ?1 UNION SELECT platform_id FROM"
		" analysis_run WHERE taskset_id = ?1 LIMIT 1",
		k->err);
	rows_bind(&q, 1, taskset_id);
	*platform = -1;
	while (rows_next(&q))
		*platform = cursor_integer(q.c, 0);
	return rows_close(&q);
}

/* Release traces and samples are those that the recording has of this set. */
static bool check_variant(struct campaign_text_reading *r, int64_t taskset_id, int64_t index)
{
	struct checking *k = r->k;
	struct loaded_run loaded = {0};
	struct scenario s;
	struct error reason;
	int64_t platform;
	if (!platform_of(k, taskset_id, &platform))
		return false;
	if (platform >= 0 && !load_subject(k->reader, taskset_id, platform, 0, &loaded, &reason)) {
		if (reason.status != STATUS_IO)
			return finding(k, k->scenario,
				"%sset %" PRId64 " on platform %" PRId64 " is none: %s", k->subject,
				taskset_id, platform, reason.text);
		*k->err = reason;
		return false;
	}
	const struct stored_files stored = {.set = platform >= 0 ? &loaded.set : NULL};
	bool ok = campaign_scenario(r->campaign, (uint32_t)index / r->campaign->sets, &stored, &s, k->err);
	if (ok) {
		ok = check_variant_rows(r, &s, taskset_id, (uint32_t)index);
		scenario_finish(&s);
	}
	loaded_run_finish(&loaded);
	return ok;
}

/* ---- the whole ---- */

/* Platforms that the text lists: it must list all platforms of the recording. */
static bool check_platforms(struct campaign_text_reading *r)
{
	struct checking *k = r->k;
	const struct campaign *campaign = r->campaign;
	if (campaign->platform_count == 0)
		return true;
	struct rows q = rows_open(k->reader, "SELECT platform_id FROM platform", k->err);
	while (rows_next(&q)) {
		bool same = false;
		for (uint32_t i = 0; q.ok && !same && i < campaign->platform_count; i++)
			q.ok = compare_platform(k, cursor_integer(q.c, 0), &campaign->platforms[i],
				i + 1 < campaign->platform_count, &same);
	}
	return rows_close(&q);
}

/* The scenario that the campaign varies, in *text (free() it); NULL if there is none. */
static bool find_base(struct checking *k, char **text)
{
	struct rows q = rows_open(k->reader, "SELECT text FROM scenario WHERE kind = 'scenario'", k->err);
	*text = NULL;
	while (rows_next(&q)) {
		free(*text);
		*text = strdup(needed_text(q.c, 0));
		q.ok = *text || error_memory(k->err, "reading a campaign again");
	}
	return rows_close(&q);
}

bool check_campaign(struct checking *k, int64_t scenario_id, const char *name, const char *text)
{
	struct campaign campaign;
	struct diagnostics d;
	char *base;
	if (!find_base(k, &base)) {
		free(base);
		return false;
	}
	diagnostics_init(&d, name);
	bool ok = campaign_read_stored(name, text, strlen(text), base, &campaign, &d);
	free(base);
	if (ok) {
		struct campaign_text_reading r = {
			.k = k,
			.scenario_id = scenario_id,
			.campaign = &campaign,
			.maker = {.campaign = &campaign, .point = UINT32_MAX},
		};
		ok = check_platforms(&r) && check_sets(&r);
		text_finish(&r.maker.origin);
	} else if (campaign.status == STATUS_IO) {
		error_memory(k->err, "reading a campaign again");
	} else {
		ok = unreadable(k, &d);
	}
	campaign_finish(&campaign);
	diagnostics_finish(&d);
	return ok;
}
