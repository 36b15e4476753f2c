/* runs/run_blocks.c - runs of sets whose kernels are blocks (models/simulation.h): the policy's plan, and
 * power. */
#include <stdio.h>

#include "runs/run_private.h"

static bool observe(struct run *r, struct error *err)
{
	const struct run_spec *spec = &r->spec;
	struct trace *trace = simulation_trace(r->simulation);
	trace_observe(trace, STATISTICS_WANTS, statistics_observe, &r->statistics);
	if (r->recorder && recorder_wants(r->recorder))
		trace_observe(trace, recorder_wants(r->recorder), recorder_observe, r->recorder);
	if (!chains_create(spec->set, &r->arena, &r->chains))
		return error_memory(err, "the chains");
	if (r->chains)
		trace_observe(trace, chains_want(r->chains), chains_observe, r->chains);
	if (!power_init(&r->power, &r->arena, spec->platform, spec->set, r->recorder ? recorder_power : NULL,
		    r->recorder))
		return error_memory(err, "the power");
	/* Without power the number of active SMs is recorded all the same. */
	bool shown = r->recorder && spec->record >= RECORD_SEGMENTS && spec->platform->sms > 0;
	r->powered = power_given(spec->platform, spec->set);
	r->power_followed = shown || r->powered;
	if (r->power_followed)
		trace_observe(trace, POWER_WANTS, power_observe, &r->power);
	return true;
}

static bool create(struct run *r, bool *made, struct error *reason, struct error *err)
{
	const struct run_spec *spec = &r->spec;
	if (!spec->policy->plan) {
		*made = error_set(reason, STATUS_INPUT,
			"policy '%s' schedules warps, and the kernels of this set are no "
			"programs of warps (key `warp` of a scenario)",
			spec->policy->name);
		return true;
	}
	*made = simulation_create(
		spec->platform, spec->set, spec->setup, spec->policy, spec->params, &r->simulation, reason);
	return !*made || observe(r, err);
}

static void destroy(struct run *r)
{
	simulation_destroy(r->simulation);
	r->simulation = NULL;
	r->power_followed = r->powered = false;
	r->chains = NULL;
}

static enum simulation_state step(struct run *r, uint64_t max_events)
{
	return simulation_step(r->simulation, max_events);
}

static const struct error *failure(const struct run *r)
{
	return simulation_error(r->simulation);
}

static double progress(const struct run *r)
{
	return simulation_progress(r->simulation);
}

static uint64_t events(const struct run *r)
{
	return simulation_events(r->simulation);
}

static bool end(struct run *r)
{
	return simulation_plan(r->simulation)->refused ||
	       ((!r->chains || chains_end(r->chains)) &&
		       power_end(&r->power, simulation_outcome(r->simulation).energy_end_ns));
}

static void judge(const struct run *r, struct run_result *result)
{
	const struct plan *plan = simulation_plan(r->simulation);
	result->outcome = simulation_outcome(r->simulation);
	result->powered = r->powered;
	result->energy_uwns = r->power.energy_uwns;
	/* The reason of the policy's test, also if the set is run in spite of it. */
	result->failing_task = plan->failing_task;
	const char *test = plan->reason;
	if (plan->refused)
		result->status = RUN_REFUSED;
	if (plan->refused || !result->outcome.truncated) {
		snprintf(result->reason, sizeof(result->reason), "%s", test);
	} else {
		result->status = RUN_TRUNCATED;
		snprintf(result->reason, sizeof(result->reason),
			"jobs were unfinished at the limit of the clock%s%s",
			test[0] ? "; the policy's test: " : "", test);
	}
}

/* Sums beyond 64 bits are cut. */
static void fill_run(const struct run *r, struct run_row *row)
{
	const struct power *p = &r->power;
	row->virtual_sms_per_sm = simulation_plan(r->simulation)->virtual_sms;
	if (!r->power_followed)
		return;
	row->gpu_active_ns = p->active_ns;
	row->sm_active_ns = p->sm_active_ns > INT64_MAX ? INT64_MAX : (int64_t)p->sm_active_ns;
}

static const char *sm_set(const struct grant *grant, struct text *text)
{
	text_clear(text);
	for (uint32_t i = 0; i < grant->count; i++)
		text_printf(text, "%s%u", i ? "," : "[", grant->sm[i]);
	text_add(text, "]");
	return text_data(text);
}

static void fill_task(const struct run *r, uint32_t task, struct run_task_row *row, struct text *text)
{
	const struct plan *plan = simulation_plan(r->simulation);
	const struct grant *grant = plan->grants && plan->grants[task].count ? &plan->grants[task] : NULL;
	row->rank = plan->rank[task];
	if (grant) {
		row->sms = grant->count;
		row->sm_set = sm_set(grant, text);
		if (grant->slots)
			row->virtual_sms = grant->virtual_sms;
	}
	if (r->powered)
		energy_split(power_task_energy(&r->power, task), &row->energy_uj, &row->energy_rest_uwns);
}

static bool flush(struct run *r, struct error *err)
{
	return recorder_flush(r->recorder, err);
}

static bool write_rows(struct run *r, struct error *err)
{
	bool ok = true;
	for (uint32_t i = 0; ok && r->chains && i < r->spec.set->chain_count; i++) {
		const struct chain_result *result = &chains_results(r->chains)[i];
		const struct chain_figure *a = &result->age, *e = &result->reaction;
		const struct chain_run_row row = {
			.chain_idx = i,
			.ages = (int64_t)a->count,
			.min_age_ns = a->count ? a->min_ns : DB_NULL,
			.mean_age_ns = a->count ? chain_mean_ns(a) : DB_NULL,
			.max_age_ns = a->count ? a->max_ns : DB_NULL,
			.age_first_seq = a->count ? a->first_job : DB_NULL,
			.age_last_seq = a->count ? a->last_job : DB_NULL,
			.reactions = (int64_t)e->count,
			.min_reaction_ns = e->count ? e->min_ns : DB_NULL,
			.mean_reaction_ns = e->count ? chain_mean_ns(e) : DB_NULL,
			.max_reaction_ns = e->count ? e->max_ns : DB_NULL,
			.reaction_first_seq = e->count ? e->first_job : DB_NULL,
			.reaction_last_seq = e->count ? e->last_job : DB_NULL,
		};
		ok = writer_chain_runs(r->writer, &row, 1, err);
	}
	return ok;
}

const struct run_kind run_of_blocks = {
	create, destroy, step, failure, progress, events, end, judge, fill_run, fill_task, flush, write_rows};
