/* runs/run_blocks.c - runs of sets whose kernels are blocks (models/simulation.h): the policy's plan, and
 * power. */
#include <stdio.h>

#include "runs/run_private.h"

static uint32_t gpus_of(const struct run *r)
{
	return platform_gpus(r->spec.platform);
}

static bool observe_powers(void *run, const struct trace_record *records, size_t count)
{
	struct run *r = run;
	bool ok = true;
	for (uint32_t g = 0; ok && g < gpus_of(r); g++)
		ok = power_observe(&r->powers[g], records, count);
	return ok;
}

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
	for (uint32_t g = 0; g < gpus_of(r); g++)
		if (!power_init(&r->powers[g], &r->arena, platform_gpu(spec->platform, g), spec->set,
			    r->recorder ? recorder_power : NULL,
			    r->recorder ? recorder_gpu(r->recorder, g) : NULL))
			return error_memory(err, "the power");
	/* Without power the number of active SMs is recorded all the same. */
	bool shown = r->recorder && spec->record >= RECORD_SEGMENTS && spec->platform->sms > 0;
	r->powered = power_given(spec->platform, spec->set);
	r->power_followed = shown || r->powered;
	if (r->power_followed)
		trace_observe(trace, POWER_WANTS, observe_powers, r);
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

static bool too_long(const struct run *r)
{
	return events(r) > r->spec.events_most;
}

static bool end(struct run *r)
{
	if (simulation_plan(r->simulation)->refused)
		return true;
	bool ok = !r->chains || chains_end(r->chains);
	for (uint32_t g = 0; ok && g < gpus_of(r); g++)
		ok = power_end(&r->powers[g], simulation_outcome(r->simulation).energy_end_ns);
	return ok;
}

static int128 energy(const struct run *r)
{
	int128 sum = 0;
	for (uint32_t g = 0; g < gpus_of(r); g++)
		sum += r->powers[g].energy_uwns;
	return sum;
}

static void judge(const struct run *r, struct run_result *result)
{
	const struct plan *plan = simulation_plan(r->simulation);
	result->outcome = simulation_outcome(r->simulation);
	result->powered = r->powered;
	result->energy_uwns = energy(r);
	/* The reason of the policy's test, also if the set is run in spite of it. */
	result->failing_task = plan->failing_task;
	const char *test = plan->reason;
	if (plan->refused)
		result->status = RUN_REFUSED;
	if (plan->refused || !result->outcome.truncated) {
		snprintf(result->reason, sizeof(result->reason), "%s", test);
	} else {
		result->status = RUN_TRUNCATED;
		snprintf(result->reason, sizeof(result->reason), "%s%s%s",
			r->spec.setup->limit_ns < r->spec.setup->horizon_ns
				? "it may have no more jobs (run.jobs)"
				: "jobs were unfinished at the limit of the clock",
			test[0] ? "; the policy's test: " : "", test);
	}
}

/* Sums beyond 64 bits are cut. */
static int64_t at_most(int128 sum)
{
	return sum > INT64_MAX ? INT64_MAX : (int64_t)sum;
}

static void fill_run(const struct run *r, struct run_row *row)
{
	int64_t active = 0;
	int128 sm_active = 0;
	row->virtual_sms_per_sm = simulation_plan(r->simulation)->virtual_sms;
	if (!r->power_followed)
		return;
	for (uint32_t g = 0; g < gpus_of(r); g++) {
		active += r->powers[g].active_ns;
		sm_active += r->powers[g].sm_active_ns;
	}
	row->gpu_active_ns = active;
	row->sm_active_ns = at_most(sm_active);
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
	int128 dynamic = 0;
	for (uint32_t g = 0; g < gpus_of(r); g++)
		dynamic += power_task_energy(&r->powers[g], task);
	if (r->powered)
		energy_split(dynamic, &row->energy_uj, &row->energy_rest_uwns);
}

static bool flush(struct run *r, struct error *err)
{
	return recorder_flush(r->recorder, err);
}

static bool write_gpus(struct run *r, struct error *err)
{
	bool ok = true;
	bool made = !simulation_plan(r->simulation)->refused;
	for (uint32_t g = 0; ok && made && gpus_of(r) > 1 && g < gpus_of(r); g++) {
		const struct power *p = &r->powers[g];
		struct run_gpu_row row = {.gpu = g,
			.energy_uj = DB_NULL,
			.energy_rest_uwns = DB_NULL,
			.gpu_active_ns = r->power_followed ? p->active_ns : DB_NULL,
			.sm_active_ns = r->power_followed ? at_most(p->sm_active_ns) : DB_NULL};
		if (r->powered)
			energy_split(p->energy_uwns, &row.energy_uj, &row.energy_rest_uwns);
		ok = writer_run_gpus(r->writer, &row, 1, err);
	}
	return ok;
}

static bool write_rows(struct run *r, struct error *err)
{
	bool ok = write_gpus(r, err);
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

const struct run_kind run_of_blocks = {create, destroy, step, failure, progress, events, too_long, end, judge,
	fill_run, fill_task, flush, write_rows};
