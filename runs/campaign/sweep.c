/* runs/campaign/sweep.c - see runs/campaign/sweep.h. */
#include "runs/campaign/sweep.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runs/campaign/parts.h"
#include "runs/campaign/pool.h"
#include "runs/campaign/unit.h"
#include "runs/event_loop.h"
#include "runs/progress.h"
#include "scenarios/variants.h"

#define GRACE_SECONDS 5.0

struct campaign_sweep {
	const struct sweep_spec *spec;
	struct sweep_result *result;
	struct share share;
	uint32_t members; /* members of the share that are to be made */
	char shard[32];   /* "2/8"; "": not a share */
	const char *campaign_name;
	struct parts parts;
	uint8_t *done; /* [members] */
};

static struct units_extent extent(const struct campaign_sweep *s)
{
	return (struct units_extent){.shard = s->shard[0] ? s->shard : NULL, .chosen = s->spec->chosen};
}

/* ---- what exists already ---- */

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Whether a part belongs to this campaign, share and program. */
static bool belongs(const struct campaign_sweep *s, const struct merge_part *p, struct error *err)
{
	if (!same(p->tool_version, CEGSIM_VERSION))
		return error_set(err, STATUS_INPUT, "%s was made by cegsim %s, this is %s", p->file,
			p->tool_version, CEGSIM_VERSION);
	if (!same(p->name, s->campaign_name) || !same(p->text, s->spec->campaign->text))
		return error_set(err, STATUS_INPUT, "%s is of another campaign (%s%s)", p->file, p->name,
			same(p->name, s->campaign_name) ? ", with another text" : "");
	const struct variants *v = s->spec->campaign->variants;
	if (!same(p->scenario, v ? v->text : NULL))
		return error_set(err, STATUS_INPUT, "%s is of another text of the scenario (%s)", p->file,
			v ? v->name : "none");
	if (!same(p->shard, extent(s).shard))
		return error_set(err, STATUS_INPUT, "%s is of share %s, not of %s", p->file,
			p->shard ? p->shard : "0/1", s->shard[0] ? s->shard : "0/1");
	if (!same(p->chosen, s->spec->chosen))
		return error_set(err, STATUS_INPUT, "%s is of other sets (%.60s), not of these (%.60s)",
			p->file, p->chosen ? p->chosen : "all", s->spec->chosen ? s->spec->chosen : "all");
	for (size_t i = 0; i < p->stretch_count; i++)
		if (p->stretches[i].first_unit + p->stretches[i].units > s->share.units)
			return error_set(err, STATUS_INPUT,
				"%s: the recording is damaged, table stretch: its units are beyond those of "
				"the campaign",
				p->file);
	return true;
}

/* Returns a unit of the part that is not to be made now; -1: there is none. */
static int64_t note_done(struct campaign_sweep *s, const struct merge_part *p)
{
	int64_t other = -1;
	for (size_t i = 0; i < p->stretch_count; i++) {
		const struct part_stretch *stretch = &p->stretches[i];
		for (int64_t u = stretch->first_unit; u < stretch->first_unit + stretch->units; u++) {
			uint32_t member = share_member(&s->share, (uint32_t)u);
			if (member < s->members)
				s->done[member] = 1;
			else
				other = u;
		}
	}
	return other;
}

static bool find_done(struct campaign_sweep *s, struct error *err)
{
	if (!parts_read(&s->parts, err))
		return false;
	for (uint32_t i = 0; i < s->parts.count; i++) {
		if (!belongs(s, &s->parts.items[i], err))
			return false;
		int64_t other = note_done(s, &s->parts.items[i]);
		if (other >= 0)
			return error_set(err, STATUS_INPUT,
				"%s has set %" PRId64
				", which is not asked for now; go on with more sets, or "
				"begin anew with --force",
				s->parts.folder, other);
	}
	if (!merge_check(s->parts.items, s->parts.count, err))
		return false;
	for (uint32_t i = 0; i < s->members; i++)
		s->result->done_before += s->done[i];
	return true;
}

/* With --resume a finished recording may have been made by an earlier sweep before it was killed. *complete:
 * it is this recording. False: another file is in the way. */
static bool look_at_output(struct campaign_sweep *s, bool *complete, struct error *err)
{
	const struct sweep_spec *spec = s->spec;
	struct merge_part part;
	*complete = false;
	if (spec->overwrite || access(spec->output, F_OK) != 0)
		return true;
	if (!spec->resume)
		return error_set(err, STATUS_INPUT,
			"%s exists already; choose another name, or overwrite it with --force", spec->output);
	if (!part_read(spec->output, true, &part, err))
		return false;
	bool ok = belongs(s, &part, err);
	if (ok) {
		(void)note_done(s, &part);
		uint32_t done = 0;
		for (uint32_t i = 0; i < s->members; i++)
			done += s->done[i];
		*complete = done == s->members;
		if (*complete)
			s->result->done = s->result->done_before = done;
		else
			ok = error_set(err, STATUS_INPUT,
				"%s exists already, but does not hold all sets, and it cannot go on with "
				"--resume; choose another name, or overwrite it with --force",
				spec->output);
	}
	part_finish(&part);
	return ok;
}

/* ---- the end ---- */

struct merging {
	struct event_loop loop;
	struct progress progress;
	bool stop;
};

static void interrupted(void *self)
{
	struct merging *m = self;
	m->stop = true;
}

static bool goes_on(void *self, double fraction)
{
	struct merging *m = self;
	ev_run(m->loop.ev, EVRUN_NOWAIT);
	progress_update(&m->progress, ev_now(m->loop.ev), (uint64_t)(fraction * 100), 100, fraction, 0);
	return !m->stop;
}

/* Writes what no part contains: which share this is; and, for a share without any set, the campaign
 * itself. */
static bool write_head(const struct campaign_sweep *s, struct db_writer *w, struct error *err)
{
	struct unit_maker maker = {0};
	struct db_units *units = units_open(w, err);
	const struct units_extent e = extent(s);
	bool ok = units && units_extent(units, &e, err) &&
		  (s->parts.count > 0 || unit_maker_init(&maker, s->spec->campaign, s->campaign_name, w,
						 units, NULL, NULL, err));
	unit_maker_finish(&maker);
	units_close(units);
	return ok;
}

/* Whether the parts have all that was committed: SQLite takes a log that it cannot look at for none. */
static bool all_there(struct campaign_sweep *s, struct error *err)
{
	uint32_t there = 0;
	memset(s->done, 0, s->members);
	for (uint32_t i = 0; i < s->parts.count; i++)
		(void)note_done(s, &s->parts.items[i]);
	for (uint32_t i = 0; i < s->members; i++)
		there += s->done[i];
	return there == s->members || error_set(err, STATUS_IO, "%s has %" PRIu32 " of %" PRIu32 " sets",
					      s->parts.folder, there, s->members);
}

/* Merges all parts into the recording. *cut: a signal stopped it. */
static bool write_output(struct campaign_sweep *s, bool *cut, struct error *err)
{
	const struct sweep_spec *spec = s->spec;
	struct merging m = {.loop = {.self = &m, .interrupted = interrupted}};
	char limited[96] = "";
	if (spec->units)
		snprintf(limited, sizeof(limited), "only %" PRIu32 " of %" PRIu32 " sets, by number",
			s->members, s->share.units);
	else if (s->members < s->share.members)
		snprintf(limited, sizeof(limited),
			"only the first %" PRIu32 " of %" PRIu32 " sets were asked for", s->members,
			s->share.members);
	/* We have the lock, so an existing .part was left by a merge that was killed. */
	struct db_writer *w = writer_open(spec->output, true, err);
	if (!w)
		return false;
	bool ok = event_loop_open(&m.loop, err);
	if (ok)
		progress_init(&m.progress, "% merged", spec->quiet, ev_now(m.loop.ev));
	ok = ok && parts_read(&s->parts, err) && all_there(s, err) && write_head(s, w, err) &&
	     merge_parts(w, s->parts.items, s->parts.count, goes_on, &m, cut, err);
	event_loop_close(&m.loop);
	progress_clear(&m.progress);
	if (!ok || *cut) {
		writer_abandon(w, false);
		return ok;
	}
	return writer_finish(w, limited[0] ? limited : NULL, err);
}

static bool finish(struct campaign_sweep *s, struct error *err)
{
	bool cut = false;
	double began = ev_time();
	if (!write_output(s, &cut, err))
		return false;
	s->result->merge_seconds = ev_time() - began;
	if (cut) {
		s->result->end = SWEEP_INTERRUPTED;
		return true;
	}
	return parts_remove(&s->parts, err);
}

/* ---- the whole ---- */

/* A program of the user's that is late is to be given up by the worker that asked it, not with the worker. */
static double grace(const struct campaign *c)
{
	for (uint32_t i = 0; i < c->analysis_count; i++)
		if (analysis_is_own(c->analyses[i].use.analysis))
			return GRACE_SECONDS;
	return 0;
}

static bool make_units(struct campaign_sweep *s, struct error *err)
{
	const struct sweep_spec *spec = s->spec;
	struct pool_result pool;
	const struct pool_spec pool_spec = {
		.campaign = spec->campaign,
		.campaign_name = s->campaign_name,
		.folder = s->parts.folder,
		.first_recording = s->parts.next,
		.extent = extent(s),
		.share = s->share,
		.members = s->members,
		.done = s->done,
		.workers = spec->workers,
		.timeout_s = spec->timeout_s,
		.grace_s = grace(spec->campaign),
		.quiet = spec->quiet,
		.lock = s->parts.lock,
	};
	bool ok = pool_run(&pool_spec, &pool, err);
	s->result->done = pool.done;
	s->result->crashes = pool.crashes;
	s->result->events = pool.events;
	s->result->seconds = pool.seconds;
	if (ok && pool.done < s->members)
		s->result->end = SWEEP_INTERRUPTED;
	return ok;
}

static bool go_on(struct campaign_sweep *s, struct error *err)
{
	bool complete;
	const struct sweep_spec *spec = s->spec;
	if (!look_at_output(s, &complete, err))
		return false;
	if (complete && !parts_exist(spec->output)) {
		s->result->end = SWEEP_WAS_COMPLETE;
		return true;
	}
	if (!parts_open(&s->parts, spec->output, spec->resume, spec->overwrite, err))
		return false;
	if (complete) { /* it was killed after the recording had got its name */
		s->result->end = SWEEP_WAS_COMPLETE;
		return parts_remove(&s->parts, err);
	}
	if (!find_done(s, err) || !make_units(s, err))
		return false;
	return s->result->end == SWEEP_INTERRUPTED || finish(s, err);
}

bool campaign_sweep(const struct sweep_spec *spec, struct sweep_result *result, struct error *err)
{
	struct campaign_sweep s = {.spec = spec, .result = result, .parts = {.lock = -1}};
	const char *slash = strrchr(spec->campaign_file, '/');
	*result = (struct sweep_result){0};
	s.campaign_name = slash ? slash + 1 : spec->campaign_file;
	uint32_t units = unit_count(spec->campaign);
	s.share = spec->units ? share_of_list(units, spec->units, spec->unit_count)
			      : share_of(units, spec->shard, spec->shards);
	s.members = spec->limit && spec->limit < s.share.members ? spec->limit : s.share.members;
	if (spec->shards > 1)
		snprintf(s.shard, sizeof(s.shard), "%" PRIu32 "/%" PRIu32, spec->shard, spec->shards);
	result->units = s.members;
	s.done = calloc((size_t)s.members + 1, 1);
	bool ok = s.done ? go_on(&s, err) : error_memory(err, "the list of a campaign's sets");
	parts_close(&s.parts);
	free(s.done);
	return ok;
}
