/* runs/campaign/unit.c - see runs/campaign/unit.h. */
#include "runs/campaign/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "models/warps/warp_set.h"
#include "runs/alone.h"
#include "runs/campaign/analyses.h"
#include "runs/campaign/brief.h"
#include "runs/run.h"
#include "runs/store.h"
#include "scenarios/variants.h"
#include "scenarios/workload/origin.h"

#define SLICE_EVENTS 1000000

/* One job: a run of a set. */
struct unit_job {
	uint32_t number;
	uint32_t policy; /* index of `use` */
	const struct policy_use *use;
	enum record_level record, detail; /* detail: the level if a job of the run misses its deadline */
	struct run_spec spec;
};

/* A set on one of the platforms. */
struct maker_subject {
	uint32_t unit;
	struct platform platform;
	struct taskset set;
	struct run_setup setup;
	int64_t taskset_id, platform_id;
	struct brief *brief; /* the set is judged, and nothing of it recorded; else NULL */
	char defect[256];
};

uint32_t unit_jobs(const struct campaign *c)
{
	uint32_t platforms = c->platform_count ? c->platform_count : 1;
	return platforms * c->policy_count * c->replications;
}

uint32_t unit_count(const struct campaign *c)
{
	return c->points * c->sets;
}

/* ---- what all units share ---- */

static bool platform_at(const struct campaign *c, const struct params *params, uint32_t index,
	struct arena *arena, struct platform *p, struct error *err)
{
	if (c->platform_count == 0)
		return c->recipe->platform(params, arena, p, err);
	*p = c->platforms[index];
	return true;
}

/* Platforms, policies and release traces of a scenario's points. */
static bool store_points(struct unit_maker *m, struct error *err)
{
	const struct campaign *c = m->campaign;
	for (uint32_t i = 0; i < c->points; i++) {
		struct scenario s;
		int64_t id;
		bool ok = campaign_scenario(c, i, NULL, &s, err) &&
			  store_platform(m->writer, &s.platform, &id, err) &&
			  store_traces(m->writer, &s.setup, &s.set, err);
		for (uint32_t k = 0; ok && k < s.policy_count; k++)
			ok = store_policy(m->writer, s.policies[k].policy, &s.policies[k].params, &id, err);
		scenario_finish(&s);
		if (!ok)
			return false;
	}
	return true;
}

static bool store_platforms(struct unit_maker *m, struct error *err)
{
	const struct campaign *c = m->campaign;
	struct params params;
	struct platform platform;
	struct error reason;
	int64_t id;
	for (uint32_t i = 0; i < c->platform_count; i++)
		if (!store_platform(m->writer, &c->platforms[i], &id, err))
			return false;
	if (c->variants)
		return store_points(m, err);
	for (uint32_t i = 0; i < c->points && c->platform_count == 0; i++) {
		struct arena arena = {0};
		campaign_point(c, i, &params);
		/* If a point has no platform, that is reported with its units. */
		bool ok = !platform_at(c, &params, 0, &arena, &platform, &reason) ||
			  store_platform(m->writer, &platform, &id, err);
		arena_finish(&arena);
		if (!ok)
			return false;
	}
	return true;
}

/* The scenario that the campaign varies, if it is a file of its own. */
static bool store_base(struct unit_maker *m, struct error *err)
{
	const struct variants *v = m->campaign->variants;
	int64_t id;
	if (!v || !v->text)
		return true;
	const struct scenario_row row = {
		.kind = "scenario", .name = v->name, .text = v->text, .tool_version = CEGSIM_VERSION};
	return writer_scenario(m->writer, &row, &id, err);
}

static bool go_to_point(struct unit_maker *m, uint32_t point, struct error *err)
{
	const struct campaign *c = m->campaign;
	if (m->point == point)
		return true;
	text_clear(&m->origin);
	if (c->variants) {
		scenario_finish(&m->scenario);
		m->point = UINT32_MAX;
		if (!campaign_scenario(c, point, NULL, &m->scenario, err))
			return false;
		campaign_scenario_origin(c, point, &m->origin);
		m->target_utilisation_ppm = DB_NULL;
	} else {
		campaign_point(c, point, &m->params);
		recipe_origin(c->recipe, &m->params, c->setup.seed, &m->origin);
		int64_t target = recipe_target_utilisation(&m->params);
		m->target_utilisation_ppm = target == INT64_MIN ? DB_NULL : target;
	}
	m->point = point;
	return text_ok(&m->origin, "describing a generated set", err);
}

/* What verdicts refer to: the points of the grid, and what is asked. */
static bool begin_brief(struct unit_maker *m, struct error *err)
{
	m->brief = brief_create(m, err);
	if (!m->brief)
		return false;
	for (uint32_t i = 0; i < m->campaign->points; i++)
		if (!go_to_point(m, i, err) || !brief_point(m->brief, m, err))
			return false;
	return brief_ask_analyses(m->brief, m->writer, err);
}

bool unit_maker_init(struct unit_maker *m, const struct campaign *c, const char *name,
	struct db_writer *writer, struct db_units *units, const struct troubles *troubles,
	struct unit_view *view, struct error *err)
{
	*m = (struct unit_maker){
		.campaign = c,
		.writer = writer,
		.units = units,
		.troubles = troubles,
		.view = view,
		.point = UINT32_MAX,
	};
	const struct scenario_row row = {
		.kind = "campaign", .name = name, .text = c->text, .tool_version = CEGSIM_VERSION};
	int64_t id;
	if (!writer_scenario(writer, &row, &m->scenario_id, err) || !store_base(m, err) ||
		!store_platforms(m, err))
		return false;
	for (uint32_t i = 0; i < c->policy_count && !c->variants; i++)
		if (!store_policy(writer, c->policies[i].policy, &c->policies[i].params, &id, err))
			return false;
	if ((c->variants || c->recipe->warps) && !(m->alone = warp_alone_cache_create()))
		return error_memory(err, "remembering the IPC of kernels alone");
	return unit_analyses_init(m, err) && (!c->verdicts || begin_brief(m, err));
}

void unit_maker_finish(struct unit_maker *m)
{
	text_finish(&m->origin);
	scenario_finish(&m->scenario);
	warp_alone_cache_destroy(m->alone);
	brief_destroy(m->brief);
	free(m->analyses);
}

/* ---- sets ---- */

static void note_defect(void *self, uint32_t task, uint32_t segment, const char *text)
{
	struct maker_subject *s = self;
	if (s->defect[0])
		return;
	if (segment == UINT32_MAX)
		snprintf(s->defect, sizeof(s->defect), "task %" PRIu32 ": %s", task, text);
	else
		snprintf(s->defect, sizeof(s->defect), "task %" PRIu32 ", segment %" PRIu32 ": %s", task,
			segment, text);
}

static void note_warp_defect(void *self, uint32_t kernel, const char *text)
{
	struct maker_subject *s = self;
	if (s->defect[0])
		return;
	if (kernel == UINT32_MAX)
		snprintf(s->defect, sizeof(s->defect), "%s", text);
	else
		snprintf(s->defect, sizeof(s->defect), "kernel %" PRIu32 ": %s", kernel, text);
}

static size_t check_set(struct maker_subject *s)
{
	return s->set.warps ? warp_set_check(s->set.warps, &s->platform, note_warp_defect, s)
			    : taskset_check(&s->set, &s->platform, note_defect, s);
}

/* False, STATUS_INPUT: the set cannot be made, or does not fit the platform. */
static bool make_set(struct unit_maker *m, struct maker_subject *s, struct error *err)
{
	const struct campaign *c = m->campaign;
	if (!c->recipe->generate(&m->params, &s->platform, c->setup.seed, s->unit, &s->set, err))
		return false;
	if (check_set(s) > 0)
		return error_set(err, STATUS_INPUT, "%s", s->defect);
	if (!campaign_setup(c, &s->set, &s->setup, err))
		return false;
	s->setup.set = s->unit;
	return true;
}

static bool store_set(struct unit_maker *m, struct maker_subject *s, struct error *err)
{
	const struct set_origin origin = {
		.recipe = text_data(&m->origin),
		.index = s->unit,
		.target_utilisation_ppm = m->target_utilisation_ppm,
	};
	return store_platform(m->writer, &s->platform, &s->platform_id, err) &&
	       store_taskset(m->writer, &s->set, &origin, &s->taskset_id, err);
}

/* ---- jobs ---- */

uint64_t unit_seed(const struct campaign *c, uint32_t replication)
{
	uint64_t seed = c->setup.seed;
	/* A number that no set has */
	const struct random_key key = {
		.seed = seed, .set = UINT32_MAX, .task = replication, .purpose = RANDOM_GENERATOR};
	return replication == 0 ? seed : random_bits(&key, 0) & INT64_MAX;
}

static uint64_t misses(const struct run *r)
{
	const struct statistics *s = run_statistics(r);
	uint64_t sum = 0;
	for (uint32_t i = 0; i < s->task_count; i++)
		sum += s->tasks[i].misses;
	return sum;
}

/* Simulates. *run has ended, or is NULL (an error, or the recording has it already). Without a writer nothing
 * is recorded. */
static bool simulate(struct unit_maker *m, const struct run_spec *spec, struct db_writer *writer,
	struct run **run, struct error *err)
{
	bool exists;
	enum run_state state;
	if (!run_begin(spec, writer, run, &exists, err))
		return false;
	if (exists)
		return true;
	while ((state = run_step(*run, SLICE_EVENTS, err)) == RUN_GOES_ON)
		;
	m->view->events += run_events(*run);
	if (state == RUN_OVER)
		return true;
	run_destroy(*run);
	*run = NULL;
	return false;
}

/* Makes a run; if a job has missed, takes it back and makes it again with more detail. */
static bool run_job(struct unit_maker *m, const struct unit_job *job, struct error *err)
{
	struct run_spec spec = job->spec;
	struct run_result result;
	struct run *run;
	if (!simulate(m, &spec, m->writer, &run, err))
		return false;
	if (run && job->detail > job->record && misses(run) > 0) {
		run_destroy(run);
		spec.record = job->detail;
		if (!simulate(m, &spec, m->writer, &run, err))
			return false;
	}
	bool ok = !run || run_finish(run, &result, err);
	run_destroy(run);
	return ok;
}

/* Makes a run for its verdict alone. */
static bool judge_job(
	struct unit_maker *m, struct brief *brief, const struct unit_job *job, struct error *err)
{
	struct run_result result;
	struct run *run;
	if (!simulate(m, &job->spec, NULL, &run, err))
		return false;
	bool ok = run_finish(run, &result, err) && run_had_memory(run, &result, err) &&
		  brief_run(brief, job->policy, job->spec.replication, run_statistics(run), &result, err);
	run_destroy(run);
	return ok;
}

/* Records a run that was given up. */
static bool record_error(
	struct unit_maker *m, const struct unit_job *job, const char *reason, struct error *err)
{
	const struct run_spec *spec = &job->spec;
	struct run_row row = {
		.scenario_id = spec->scenario_id,
		.taskset_id = spec->taskset_id,
		.platform_id = spec->platform_id,
		.replication = spec->replication,
		.record = record_level_name(job->record),
	};
	bool exists;
	if (!store_policy(m->writer, spec->policy, spec->params, &row.policy_id, err) ||
		!store_setup(m->writer, spec->setup, &row, err) ||
		!writer_begin_run(m->writer, &row, &exists, err))
		return false;
	row.status = run_status_name(RUN_ERROR);
	row.reason = reason;
	row.failing_task = row.wall_us = DB_NULL;
	store_no_figures(&row);
	return exists || writer_end_run(m->writer, &row, err);
}

static bool do_job(
	struct unit_maker *m, const struct maker_subject *s, struct unit_job *job, struct error *err)
{
	const char *given_up = troubles_verdict(m->troubles, s->unit, job->number);
	atomic_store(&m->view->run, job->number);
	m->view->beat++;
	if (s->brief && given_up)
		brief_keep(s->brief);
	else if (s->brief)
		return judge_job(m, s->brief, job, err);
	else
		return given_up ? record_error(m, job, given_up, err) : run_job(m, job, err);
	return true;
}

/* The level for the runs of a set, and that for those of them in which a job misses. */
static void levels(
	const struct campaign *c, uint32_t set_index, enum record_level *record, enum record_level *detail)
{
	*record = c->record;
	*detail = c->detail_on_miss ? c->detail : c->record;
	for (uint32_t i = 0; i < c->detail_set_count; i++)
		if (c->detail_sets[i] == set_index)
			*record = *detail = c->detail;
}

static bool run_jobs(struct unit_maker *m, struct maker_subject *s, uint32_t platform, struct error *err)
{
	const struct campaign *c = m->campaign;
	struct unit_job job = {.number = platform * c->policy_count * c->replications};
	uint32_t first = c->variants ? s->unit % c->sets : 0;
	levels(c, s->unit % c->sets, &job.record, &job.detail);
	for (uint32_t i = 0; i < c->policy_count; i++) {
		job.policy = i;
		job.use = c->variants ? &m->scenario.policies[i] : &c->policies[i];
		for (uint32_t k = first; k < first + c->replications; k++, job.number++) {
			if (s->brief && brief_keeps(s->brief))
				return true;
			s->setup.seed = unit_seed(c, k);
			job.spec = (struct run_spec){
				.platform = &s->platform,
				.set = &s->set,
				.setup = &s->setup,
				.policy = job.use->policy,
				.params = &job.use->params,
				.record = job.record,
				.replication = k,
				.alone = m->alone,
				.scenario_id = m->scenario_id,
				.taskset_id = s->taskset_id,
				.platform_id = s->platform_id,
			};
			if (!do_job(m, s, &job, err))
				return false;
		}
	}
	return true;
}

/* ---- analyses ---- */

static bool analyse(struct unit_maker *m, struct maker_subject *s, uint32_t platform, struct error *err)
{
	const struct campaign *c = m->campaign;
	enum record_level record, detail;
	if (s->brief ? brief_compare_known(s->brief) : c->variants && s->unit % c->sets > 0)
		return true;
	levels(c, s->unit % c->sets, &record, &detail);
	s->setup.seed = c->setup.seed;
	const struct unit_subject subject = {
		.spec = {.platform = &s->platform, .set = &s->set, .setup = &s->setup},
		.taskset_id = s->taskset_id,
		.platform_id = s->platform_id,
		.unit = s->unit,
		.first_job = unit_jobs(c) + platform * c->analysis_count,
		.bounds = c->bounds || record >= RECORD_JOBS,
		.brief = s->brief,
	};
	return unit_analyse(m, &subject, err);
}

/* ---- units ---- */

/* Judges the set; nothing but its platform is recorded. */
static bool judge_set(struct unit_maker *m, struct maker_subject *s, uint32_t platform, struct error *err)
{
	s->brief = m->brief;
	if (!store_platform(m->writer, &s->platform, &s->platform_id, err))
		return false;
	const struct brief_set set = {.unit = s->unit,
		.point = m->point,
		.platform_id = s->platform_id,
		.policies = m->campaign->variants ? m->scenario.policies : m->campaign->policies,
		.set = &s->set,
		.setup = &s->setup};
	return brief_begin_set(m->brief, &set, err) && run_jobs(m, s, platform, err) &&
	       analyse(m, s, platform, err);
}

static bool record_set(struct unit_maker *m, struct maker_subject *s, uint32_t platform, struct error *err)
{
	return store_set(m, s, err) && run_jobs(m, s, platform, err) && analyse(m, s, platform, err);
}

typedef bool make_subject(struct unit_maker *, struct maker_subject *, uint32_t platform, struct error *);

/* The unit of a scenario. */
static bool make_variant(struct unit_maker *m, uint32_t unit, make_subject *make, struct error *err)
{
	struct maker_subject s = {
		.unit = unit,
		.platform = m->scenario.platform,
		.set = m->scenario.set,
		.setup = m->scenario.setup,
	};
	return make(m, &s, 0, err);
}

/* *failed: the unit's set could not be made on this platform. */
static bool make_on(struct unit_maker *m, uint32_t unit, uint32_t platform, make_subject *make,
	struct error *failed, struct error *err)
{
	struct maker_subject s = {.unit = unit};
	struct error reason = {0};
	atomic_store(&m->view->run, TROUBLE_UNIT);
	if (m->campaign->variants)
		return make_variant(m, unit, make, err);
	taskset_init(&s.set);
	bool ok = platform_at(m->campaign, &m->params, platform, &s.set.arena, &s.platform, &reason) &&
		  make_set(m, &s, &reason);
	if (ok) {
		ok = make(m, &s, platform, err);
	} else if (reason.status != STATUS_INPUT) {
		*err = reason;
	} else {
		ok = true;
		if (failed->status == STATUS_OK)
			*failed = reason;
	}
	taskset_finish(&s.set);
	return ok;
}

static uint32_t platforms_of(const struct campaign *c)
{
	return c->platform_count ? c->platform_count : 1;
}

/* *brief: its verdicts were recorded, and this is all. */
static bool judge_unit(struct unit_maker *m, uint32_t unit, bool *brief, struct error *err)
{
	const struct campaign *c = m->campaign;
	struct error failed = {0};
	brief_begin_unit(m->brief);
	for (uint32_t i = 0; i < c->detail_set_count; i++)
		if (c->detail_sets[i] == unit % c->sets)
			brief_keep(m->brief);
	for (uint32_t i = 0; i < platforms_of(c) && !brief_keeps(m->brief); i++) {
		if (!make_on(m, unit, i, judge_set, &failed, err))
			return false;
		if (failed.status != STATUS_OK)
			brief_keep(m->brief);
	}
	*brief = !brief_keeps(m->brief);
	return !*brief || brief_store(m->brief, m->writer, err);
}

static bool make_unit(struct unit_maker *m, uint32_t unit, struct error *err)
{
	const char *given_up = troubles_verdict(m->troubles, unit, TROUBLE_UNIT);
	struct error failed = {0};
	bool brief = false;
	if (given_up)
		return units_fail(m->units, unit, given_up, err);
	if (!go_to_point(m, unit / m->campaign->sets, err))
		return false;
	if (m->brief && !judge_unit(m, unit, &brief, err))
		return false;
	for (uint32_t i = 0; i < platforms_of(m->campaign) && !brief; i++)
		if (!make_on(m, unit, i, record_set, &failed, err))
			return false;
	return failed.status == STATUS_OK || units_fail(m->units, unit, failed.text, err);
}

bool unit_make(struct unit_maker *m, uint32_t unit, struct error *err)
{
	atomic_store(&m->view->run, TROUBLE_UNIT);
	atomic_store(&m->view->unit, unit);
	m->view->beat++;
	if (!make_unit(m, unit, err))
		return false;
	atomic_store(&m->view->unit, UNIT_NONE);
	m->view->beat++;
	m->view->units++;
	return true;
}

bool unit_set_make(
	struct unit_maker *m, uint32_t unit, uint32_t platform, struct unit_set *out, struct error *err)
{
	struct maker_subject s = {.unit = unit};
	taskset_init(&s.set);
	bool ok = go_to_point(m, unit / m->campaign->sets, err) &&
		  platform_at(m->campaign, &m->params, platform, &s.set.arena, &s.platform, err) &&
		  make_set(m, &s, err);
	if (!ok)
		taskset_finish(&s.set);
	else
		*out = (struct unit_set){
			.platform = s.platform,
			.set = s.set,
			.setup = s.setup,
			.recipe = text_data(&m->origin),
			.target_utilisation_ppm = m->target_utilisation_ppm,
		};
	return ok;
}
