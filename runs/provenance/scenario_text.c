/* runs/provenance/scenario_text.c - reads the stored text of a scenario again and compares it with the rows.
 * Values that the command line replaced are in scenario.overrides. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "runs/load.h"
#include "runs/provenance/checking.h"
#include "runs/seeds.h"
#include "scenarios/scenario.h"

struct scenario_text_reading {
	struct checking *k;
	int64_t scenario_id;
	const char *name, *text;
	json_t *overrides;  /* NULL: none */
	struct seeds seeds; /* of --seeds */
};

/* Is the policy among those that the command line gave? */
static bool is_given(const json_t *given, const char *name, const json_t *params)
{
	const json_t *entry;
	size_t i;
	json_array_foreach(given, i, entry) {
		const char *other = json_string_value(json_object_get(entry, "name"));
		if (other && strcmp(other, name) == 0 && json_equal(json_object_get(entry, "params"), params))
			return true;
	}
	return false;
}

static bool is_listed(
	const struct scenario_text_reading *r, const struct scenario *s, const char *name, const char *json)
{
	const json_t *given = json_object_get(r->overrides, "policies");
	json_t *params = json_loads(json, 0, NULL);
	bool found =
		given ? is_given(given, name, params) : is_used(s->policies, s->policy_count, name, json);
	json_decref(params);
	return found;
}

/* The cursor: run_id, policy, params, seed, version, replication. */
static bool check_run(struct scenario_text_reading *r, struct scenario *s, const struct db_cursor *c)
{
	struct checking *k = r->k;
	bool same;
	json_t *seed = json_object_get(r->overrides, "seed");
	struct run_setup setup = s->setup;
	int64_t replication = cursor_integer(c, 5), replications = r->seeds.count ? r->seeds.count : 1;
	if (json_is_integer(seed))
		setup.seed = (uint64_t)json_integer_value(seed);
	if (r->seeds.count && replication >= 0 && replication < replications)
		setup.seed = seeds_at(&r->seeds, (uint32_t)replication);
	if (!k->with_overrides)
		setup.seed = (uint64_t)cursor_integer(c, 3);
	k->scenario->checked++;
	if (k->with_overrides && !is_listed(r, s, needed_text(c, 1), needed_text(c, 2)) &&
		!not_asked_for(k, cursor_integer(c, 0), needed_text(c, 1), needed_text(c, 2)))
		return false;
	if ((replication < 0 || replication >= replications) &&
		!finding(k, k->scenario, "%srun %" PRId64 ": there is no replication %" PRId64, k->subject,
			cursor_integer(c, 0), replication))
		return false;
	return check_version(k, cursor_integer(c, 0), needed_text(c, 1), cursor_integer(c, 4)) &&
	       compare_setup(k, cursor_integer(c, 0), &setup, &same);
}

#define RUNS_SQL                                                                                             \
	"SELECT run_id, p.name, p.params, seed, p.version, replication FROM run JOIN policy p USING"         \
	" (policy_id) WHERE scenario_id = ?1 AND taskset_id = ?2 AND platform_id = ?3 AND (?4 < 0"           \
	" OR run_id = ?4)"

static bool check_runs(struct scenario_text_reading *r, struct scenario *s, int64_t set, int64_t platform)
{
	struct checking *k = r->k;
	struct rows q = rows_open(k->reader, RUNS_SQL, k->err);
	rows_bind(&q, 1, r->scenario_id);
	rows_bind(&q, 2, set);
	rows_bind(&q, 3, platform);
	rows_bind(&q, 4, k->run_id);
	while (rows_next(&q))
		q.ok = check_run(r, s, q.c);
	return rows_close(&q);
}

/* Compares with the set and the platform that runs of the scenario have. */
static bool check_pair(struct scenario_text_reading *r, int64_t set, int64_t platform)
{
	struct checking *k = r->k;
	struct loaded_run loaded;
	struct scenario s;
	struct diagnostics d;
	struct error reason;
	bool same;
	if (!load_subject(k->reader, set, platform, 0, &loaded, &reason)) {
		if (reason.status == STATUS_IO) {
			*k->err = reason;
			return false;
		}
		return finding(k, k->scenario, "%sset %" PRId64 " on platform %" PRId64 " is none: %s",
			k->subject, set, platform, reason.text);
	}
	const struct stored_files stored = {&loaded.set};
	diagnostics_init(&d, r->name);
	bool ok = scenario_read_stored(r->name, r->text, strlen(r->text), &stored, &s, &d);
	if (!ok && s.status == STATUS_IO)
		error_memory(k->err, "reading a scenario again");
	else if (!ok)
		ok = unreadable(k, &d);
	else
		ok = compare_platform(k, platform, &s.platform, false, &same) &&
		     compare_set(k, set, &s.set, NULL, false, &same) && check_runs(r, &s, set, platform);
	scenario_finish(&s);
	diagnostics_finish(&d);
	loaded_run_finish(&loaded);
	return ok;
}

/* Also sets of analyses: a file that was only analysed has one scenario, too. */
#define PAIRS_SQL                                                                                            \
	"SELECT DISTINCT taskset_id, platform_id FROM run WHERE scenario_id = ?1 AND (?2 < 0 OR run_id ="    \
	" ?2) UNION SELECT taskset_id, platform_id FROM analysis_run WHERE ?2 < 0 AND (SELECT count(*)"      \
	" FROM scenario) = 1"

bool check_scenario(
	struct checking *k, int64_t scenario_id, const char *name, const char *text, const char *overrides)
{
	struct scenario_text_reading r = {
		.k = k,
		.scenario_id = scenario_id,
		.name = name,
		.text = text,
		.overrides = overrides ? json_loads(overrides, 0, NULL) : NULL,
	};
	const char *seeds = json_string_value(json_object_get(r.overrides, "seeds"));
	if (seeds && !seeds_parse(seeds, "seed", &r.seeds, k->err)) {
		json_decref(r.overrides);
		return false;
	}
	struct rows q = rows_open(k->reader, PAIRS_SQL, k->err);
	rows_bind(&q, 1, scenario_id);
	rows_bind(&q, 2, k->run_id);
	while (rows_next(&q))
		q.ok = check_pair(&r, cursor_integer(q.c, 0), cursor_integer(q.c, 1));
	json_decref(r.overrides);
	seeds_finish(&r.seeds);
	return rows_close(&q);
}
