/* runs/run.c - see runs/run.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/checked.h"
#include "base/text.h"
#include "models/power.h"
#include "runs/recorder.h"
#include "runs/run.h"
#include "runs/store.h"

struct run {
	struct run_spec spec;
	struct db_writer *writer;
	struct run_row row;
	struct arena arena;
	struct simulation *simulation;     /* NULL: the policy erred, in its plan or at run time */
	struct recorder *recorder;         /* NULL: nothing is recorded */
	struct statistics statistics;
	struct power power;
	bool power_followed;      /* which SMs are active is known */
	bool open;                /* begun in the recording, not ended */
	struct error policy_error;         /* without a simulation: why */
	int64_t started_us;
};

const char *run_status_name(enum run_status status)
{
	static const char *const names[] = {
		[RUN_OK] = "ok", [RUN_TRUNCATED] = "truncated", [RUN_REFUSED] = "refused", [RUN_ERROR] = "error",
	};
	return names[status];
}

static int64_t now_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

void run_destroy(struct run *r)
{
	struct error ignored;
	if (!r)
		return;
	/* A run that cannot be taken back now is taken back when the recording is finished: it has no end. */
	bool gone = !r->open || writer_discard_run(r->writer, &ignored);
	(void)gone;
	simulation_destroy(r->simulation);
	recorder_destroy(r->recorder);
	arena_finish(&r->arena);
	free(r);
}

static bool begin_recording(struct run *r, bool *exists, struct error *err)
{
	static const char *const levels[] = { [RECORD_SUMMARY] = "summary", [RECORD_JOBS] = "jobs",
		[RECORD_SEGMENTS] = "segments", [RECORD_BLOCKS] = "blocks" };
	const struct run_spec *spec = &r->spec;
	r->row = (struct run_row){ .scenario_id = spec->scenario_id, .taskset_id = spec->taskset_id,
		.platform_id = spec->platform_id, .replication = spec->replication, .record = levels[spec->record] };
	return store_policy(r->writer, spec->policy, spec->params, &r->row.policy_id, err) &&
		store_setup(r->writer, spec->setup, &r->row, err) &&
		writer_begin_run(r->writer, &r->row, exists, err);
}

static bool observe(struct run *r, struct error *err)
{
	const struct run_spec *spec = &r->spec;
	struct trace *trace = simulation_trace(r->simulation);
	if (!statistics_init(&r->statistics, &r->arena, spec->set->task_count))
		return error_memory(err, "the statistics");
	trace_observe(trace, STATISTICS_WANTS, statistics_observe, &r->statistics);
	if (r->writer) {
		r->recorder = recorder_create(spec->record, r->writer, spec->platform, spec->set->task_count, err);
		if (!r->recorder)
			return false;
		if (recorder_wants(r->recorder))
			trace_observe(trace, recorder_wants(r->recorder), recorder_observe, r->recorder);
	}
	if (!power_init(&r->power, &r->arena, spec->platform, spec->set, r->recorder ? recorder_power : NULL,
		    r->recorder))
		return error_memory(err, "the power");
	/* Without power there is still the number of active SMs to record. */
	bool shown = r->recorder && spec->record >= RECORD_SEGMENTS && spec->platform->sms > 0;
	r->power_followed = shown || power_given(spec->platform, spec->set);
	if (r->power_followed)
		trace_observe(trace, POWER_WANTS, power_observe, &r->power);
	return true;
}

bool run_begin(const struct run_spec *spec, struct db_writer *writer, struct run **run, bool *exists,
	struct error *err)
{
	*run = NULL;
	*exists = false;
	struct run *r = calloc(1, sizeof *r);
	if (!r)
		return error_memory(err, "a run");
	r->spec = *spec;
	r->started_us = now_us();
	r->writer = writer;
	if (writer && (!begin_recording(r, exists, err) || *exists)) {
		run_destroy(r);
		return *exists;
	}
	r->open = writer != NULL;
	if (simulation_create(spec->platform, spec->set, spec->setup, spec->policy, spec->params, &r->simulation,
		    &r->policy_error) && !observe(r, err)) {
		run_destroy(r);
		return false;
	}
	*run = r;
	return true;
}

/* The policy did at run time what it must not. The run is from now on as one whose plan failed: nothing of it is
 * kept but the reason. */
static bool end_in_error(struct run *r, struct error *err)
{
	bool exists;
	r->policy_error = *simulation_error(r->simulation);
	simulation_destroy(r->simulation);
	recorder_destroy(r->recorder);
	r->simulation = NULL;
	r->recorder = NULL;
	r->statistics = (struct statistics){0};
	r->power_followed = false;
	if (!r->open)
		return true;
	r->open = false;
	if (!writer_discard_run(r->writer, err) || !writer_begin_run(r->writer, &r->row, &exists, err))
		return false;
	r->open = true;
	return true;
}

enum run_state run_step(struct run *r, uint64_t max_events, struct error *err)
{
	if (!r->simulation)
		return RUN_OVER;
	switch (simulation_step(r->simulation, max_events)) {
	case SIMULATION_RUNNING:
		return RUN_GOES_ON;
	case SIMULATION_ENDED:
		return RUN_OVER;
	case SIMULATION_FAILED:
		break;
	}
	if (simulation_error(r->simulation))
		return end_in_error(r, err) ? RUN_OVER : RUN_FAILED;
	/* It was the recorder that said stop; the flush tells why. */
	if (recorder_flush(r->recorder, err))
		error_set(err, STATUS_IO, "the recorder stopped the run");
	return RUN_FAILED;
}

double run_progress(const struct run *r)
{
	return r->simulation ? simulation_progress(r->simulation) : 1;
}

uint64_t run_events(const struct run *r)
{
	return r->simulation ? simulation_events(r->simulation) : 0;
}

const struct statistics *run_statistics(const struct run *r)
{
	return &r->statistics;
}

/* ---- the end ---- */

static void judge(const struct run *r, struct run_result *result)
{
	*result = (struct run_result){ .failing_task = UINT32_MAX, .wall_us = now_us() - r->started_us };
	if (!r->simulation) {
		result->status = RUN_ERROR;
		result->failure = r->policy_error.status;
		snprintf(result->reason, sizeof result->reason, "%.500s", r->policy_error.text);
		return;
	}
	const struct plan *plan = simulation_plan(r->simulation);
	result->outcome = simulation_outcome(r->simulation);
	result->energy_uwns = r->power.energy_uwns;
	/* The word of the policy's test, also where the set is run against it. */
	result->failing_task = plan->failing_task;
	const char *test = plan->reason;
	if (plan->refused)
		result->status = RUN_REFUSED;
	if (plan->refused || !result->outcome.truncated) {
		snprintf(result->reason, sizeof result->reason, "%s", test);
	} else {
		result->status = RUN_TRUNCATED;
		snprintf(result->reason, sizeof result->reason, "%s%s%s", result->outcome.stalled
			? "the policy let jobs wait for ever" : "jobs were unfinished at the limit of the clock",
			test[0] ? "; the policy's test: " : "", test);
	}
	result->schedulable = result->status == RUN_OK && result->outcome.misses == 0;
}

static const char *sm_set(const struct grant *grant, struct text *text)
{
	text_clear(text);
	for (uint32_t i = 0; i < grant->count; i++)
		text_printf(text, "%s%u", i ? "," : "[", grant->sm[i]);
	text_add(text, "]");
	return text_data(text);
}

static bool write_tasks(struct run *r, struct error *err)
{
	const struct plan *plan = simulation_plan(r->simulation);
	struct text text = {0};
	bool ok = true;
	for (uint32_t i = 0; ok && i < r->statistics.task_count; i++) {
		const struct task_statistics *t = &r->statistics.tasks[i];
		const struct grant *grant = plan->grants && plan->grants[i].count ? &plan->grants[i] : NULL;
		struct run_task_row row = {
			.task = i, .rank = plan->rank[i], .sms = grant ? grant->count : DB_NULL,
			.virtual_sms = grant && grant->slots ? grant->virtual_sms : DB_NULL,
			.sm_set = grant ? sm_set(grant, &text) : NULL,
			.jobs = (int64_t)t->jobs, .misses = (int64_t)t->misses, .responses = (int64_t)t->responses,
			.min_response_ns = t->responses ? t->min_response_ns : DB_NULL,
			.mean_response_ns = t->responses ? div_half_even(t->response_sum_ns, (int64_t)t->responses) : DB_NULL,
			.max_response_ns = t->responses ? t->max_response_ns : DB_NULL,
			.worst_lower_bound_ns = t->worst_lower_bound_ns >= 0 ? t->worst_lower_bound_ns : DB_NULL,
		};
		energy_split(power_task_energy(&r->power, i), &row.energy_uj, &row.energy_rest_uwns);
		ok = writer_run_tasks(r->writer, &row, 1, err);
	}
	text_finish(&text);
	return ok;
}

static bool write_histograms(struct run *r, struct error *err)
{
	struct hist_row rows[RESPONSE_BUCKETS];
	for (uint32_t i = 0; i < r->statistics.task_count; i++) {
		size_t count = 0;
		for (uint32_t b = 0; b < RESPONSE_BUCKETS; b++)
			if (r->statistics.tasks[i].histogram[b])
				rows[count++] = (struct hist_row){ .task = i, .bucket = b,
					.jobs = (int64_t)r->statistics.tasks[i].histogram[b] };
		if (count && !writer_hist(r->writer, rows, count, err))
			return false;
	}
	return true;
}

/* Which SMs were active, as the recording has it: sums beyond 64 bits end there. */
static void activity(const struct power *p, struct run_row *row)
{
	row->gpu_active_ns = p->active_ns;
	row->sm_active_ns = p->sm_active_ns > INT64_MAX ? INT64_MAX : (int64_t)p->sm_active_ns;
}

static bool write_run(struct run *r, const struct run_result *result, struct error *err)
{
	char digest[17];
	bool simulated = result->status == RUN_OK || result->status == RUN_TRUNCATED;
	struct run_row *row = &r->row;
	row->status = run_status_name(result->status);
	row->reason = result->reason[0] ? result->reason : NULL;
	row->failing_task = result->failing_task == UINT32_MAX ? DB_NULL : result->failing_task;
	row->wall_us = result->wall_us;
	row->stop_ns = row->window_ns = row->events = row->jobs = row->misses = DB_NULL;
	row->energy_uj = row->energy_rest_uwns = row->gpu_active_ns = row->sm_active_ns = DB_NULL;
	row->virtual_sms_per_sm = DB_NULL;
	if (simulated) {
		const struct simulation_outcome *o = &result->outcome;
		snprintf(digest, sizeof digest, "%016" PRIx64, o->digest);
		row->digest = digest;
		row->stop_ns = o->end_ns;
		row->window_ns = o->energy_end_ns;
		row->events = (int64_t)o->events;
		row->jobs = (int64_t)o->jobs;
		row->misses = (int64_t)o->misses;
		row->virtual_sms_per_sm = simulation_plan(r->simulation)->virtual_sms;
		energy_split(result->energy_uwns, &row->energy_uj, &row->energy_rest_uwns);
		if (r->power_followed)
			activity(&r->power, row);
		if (!recorder_flush(r->recorder, err) || !write_tasks(r, err) || !write_histograms(r, err))
			return false;
	}
	return writer_end_run(r->writer, row, err);
}

bool run_finish(struct run *r, struct run_result *result, struct error *err)
{
	bool simulated = r->simulation && !simulation_plan(r->simulation)->refused;
	if (simulated && !power_end(&r->power, simulation_outcome(r->simulation).energy_end_ns)) {
		/* Only the recorder says stop; the flush tells why. */
		if (recorder_flush(r->recorder, err))
			error_set(err, STATUS_IO, "the recorder stopped the run");
		return false;
	}
	judge(r, result);
	if (!r->writer)
		return true;
	if (!write_run(r, result, err))
		return false;
	r->open = false;
	return true;
}
