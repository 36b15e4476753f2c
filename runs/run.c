/* runs/run.c - see runs/run.h. The code for both kinds of runs: the place in the recording, statistics,
 * verdict, rows. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/clock.h"
#include "runs/run_private.h"
#include "runs/store.h"

void run_destroy(struct run *r)
{
	struct error ignored;
	if (!r)
		return;
	/* A run that cannot be taken back now is taken back when the recording is finished, as it has no
	 * end. */
	bool gone = !r->open || writer_discard_run(r->writer, &ignored);
	(void)gone;
	r->kind->destroy(r);
	recorder_destroy(r->recorder);
	arena_finish(&r->arena);
	free(r);
}

static bool begin_recording(struct run *r, bool *exists, struct error *err)
{
	const struct run_spec *spec = &r->spec;
	r->row = (struct run_row){
		.scenario_id = spec->scenario_id,
		.taskset_id = spec->taskset_id,
		.platform_id = spec->platform_id,
		.replication = spec->replication,
		.record = record_level_name(spec->record),
	};
	return store_policy(r->writer, spec->policy, spec->params, &r->row.policy_id, err) &&
	       store_setup(r->writer, spec->setup, &r->row, err) &&
	       writer_begin_run(r->writer, &r->row, exists, err);
}

/* Keeps nothing of the run but the reason why it cannot be made. */
static void make_error(struct run *r, const struct error *reason)
{
	r->refusal = *reason;
	r->kind->destroy(r);
	recorder_destroy(r->recorder);
	r->recorder = NULL;
	r->statistics = (struct statistics){0};
	r->made = false;
}

static bool create(struct run *r, struct error *err)
{
	const struct run_spec *spec = &r->spec;
	struct error reason;
	if (!statistics_init(&r->statistics, &r->arena, spec->set->task_count))
		return error_memory(err, "the statistics");
	for (uint32_t i = 0; i < spec->set->task_count; i++)
		if (spec->set->tasks[i].misses_in &&
			!statistics_window(&r->statistics, &r->arena, i, spec->set->tasks[i].misses_in))
			return error_memory(err, "the statistics");
	if (r->writer) {
		r->recorder =
			recorder_create(spec->record, r->writer, spec->platform, spec->set->task_count, err);
		if (!r->recorder)
			return false;
	}
	if (!r->kind->create(r, &r->made, &reason, err))
		return false;
	if (!r->made)
		make_error(r, &reason);
	return true;
}

bool run_begin(const struct run_spec *spec, struct db_writer *writer, struct run **run, bool *exists,
	struct error *err)
{
	*run = NULL;
	*exists = false;
	struct run *r = calloc(1, sizeof(*r));
	if (!r)
		return error_memory(err, "a run");
	r->spec = *spec;
	r->kind = spec->set->warps ? &run_of_warps : &run_of_blocks;
	r->started_us = clock_us();
	r->writer = writer;
	if (writer && (!begin_recording(r, exists, err) || *exists)) {
		run_destroy(r);
		return *exists;
	}
	r->open = writer != NULL;
	if (!create(r, err)) {
		run_destroy(r);
		return false;
	}
	*run = r;
	return true;
}

/* During the run it turned out that it cannot be made: from now on it is like a run whose plan failed. */
static bool end_in_error(struct run *r, const struct error *reason, struct error *err)
{
	bool exists;
	make_error(r, reason);
	if (!r->open)
		return true;
	r->open = false;
	if (!writer_discard_run(r->writer, err) || !writer_begin_run(r->writer, &r->row, &exists, err))
		return false;
	r->open = true;
	return true;
}

/* An observer returned false: the recorder, and flushing it gives the reason; or else that of chains. Always
 * returns false. */
static bool recorder_error(struct run *r, struct error *err)
{
	if (!r->recorder)
		return error_memory(err, "the chains of a run");
	return r->kind->flush(r, err) && error_memory(err, "the chains of a run");
}

static enum run_state end_too_long(struct run *r, struct error *err)
{
	struct error reason;
	error_set(&reason, STATUS_INPUT,
		"it goes on behind the %" PRIu64 " events and the %" PRId64 " ns that it may have",
		r->spec.events_most, r->spec.end_most_ns);
	return end_in_error(r, &reason, err) ? RUN_OVER : RUN_FAILED;
}

enum run_state run_step(struct run *r, uint64_t max_events, struct error *err)
{
	if (!r->made)
		return RUN_OVER;
	switch (r->kind->step(r, max_events)) {
	case SIMULATION_RUNNING:
		return r->spec.events_most > 0 && r->kind->too_long(r) ? end_too_long(r, err) : RUN_GOES_ON;
	case SIMULATION_ENDED:
		return RUN_OVER;
	case SIMULATION_FAILED:
		break;
	}
	if (r->kind->failure(r)) {
		const struct error reason = *r->kind->failure(r); /* goes with the simulation */
		return end_in_error(r, &reason, err) ? RUN_OVER : RUN_FAILED;
	}
	return recorder_error(r, err) ? RUN_OVER : RUN_FAILED;
}

double run_progress(const struct run *r)
{
	return r->made ? r->kind->progress(r) : 1;
}

uint64_t run_events(const struct run *r)
{
	return r->made ? r->kind->events(r) : 0;
}

const struct statistics *run_statistics(const struct run *r)
{
	return &r->statistics;
}

const struct chain_result *run_chains(const struct run *r)
{
	return r->made && r->chains ? chains_results(r->chains) : NULL;
}

/* ---- the end ---- */

static void judge(const struct run *r, struct run_result *result)
{
	*result = (struct run_result){.failing_task = UINT32_MAX, .wall_us = clock_us() - r->started_us};
	if (!r->made) {
		result->status = RUN_ERROR;
		result->failure = r->refusal.status;
		snprintf(result->reason, sizeof(result->reason), "%.500s", r->refusal.text);
		return;
	}
	r->kind->judge(r, result);
	result->schedulable = result->status == RUN_OK && result->outcome.misses == 0;
}

static bool write_tasks(struct run *r, struct error *err)
{
	struct text text = {0};
	bool ok = true;
	for (uint32_t i = 0; ok && i < r->statistics.task_count; i++) {
		const struct task_statistics *t = &r->statistics.tasks[i];
		struct run_task_row row = {
			.task = i,
			.rank = DB_NULL,
			.sms = DB_NULL,
			.virtual_sms = DB_NULL,
			.jobs = (int64_t)t->jobs,
			.misses = (int64_t)t->misses,
			.responses = (int64_t)t->responses,
			.min_response_ns = t->responses ? t->min_response_ns : DB_NULL,
			.mean_response_ns = t->responses
						    ? div_half_even(t->response_sum_ns, (int64_t)t->responses)
						    : DB_NULL,
			.max_response_ns = t->responses ? t->max_response_ns : DB_NULL,
			.worst_lower_bound_ns =
				t->worst_lower_bound_ns >= 0 ? t->worst_lower_bound_ns : DB_NULL,
			.window_misses = t->window.jobs ? t->window.most : DB_NULL,
			.energy_uj = DB_NULL,
			.energy_rest_uwns = DB_NULL,
		};
		r->kind->fill_task(r, i, &row, &text);
		ok = text_ok(&text, "writing a run's tasks", err) &&
		     writer_run_tasks(r->writer, &row, 1, err);
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
				rows[count++] = (struct hist_row){
					.task = i,
					.bucket = b,
					.jobs = (int64_t)r->statistics.tasks[i].histogram[b],
				};
		if (count && !writer_hist(r->writer, rows, count, err))
			return false;
	}
	return true;
}

static bool write_run(struct run *r, const struct run_result *result, struct error *err)
{
	char digest[17], events_digest[17];
	bool simulated = result->status == RUN_OK || result->status == RUN_TRUNCATED;
	struct run_row *row = &r->row;
	row->status = run_status_name(result->status);
	row->reason = result->reason[0] ? result->reason : NULL;
	row->failing_task = result->failing_task == UINT32_MAX ? DB_NULL : result->failing_task;
	row->wall_us = result->wall_us;
	store_no_figures(row);
	if (simulated) {
		const struct simulation_outcome *o = &result->outcome;
		snprintf(digest, sizeof(digest), "%016" PRIx64, o->digest);
		row->digest = digest;
		snprintf(events_digest, sizeof(events_digest), "%016" PRIx64, o->events_digest);
		row->events_digest = events_digest;
		row->stop_ns = o->end_ns;
		row->window_ns = o->energy_end_ns;
		row->events = (int64_t)o->events;
		row->jobs = (int64_t)o->jobs;
		row->misses = (int64_t)o->misses;
		if (result->powered)
			energy_split(result->energy_uwns, &row->energy_uj, &row->energy_rest_uwns);
		r->kind->fill_run(r, row);
		if (!r->kind->flush(r, err) || !r->kind->write(r, err) || !write_tasks(r, err) ||
			!write_histograms(r, err))
			return false;
	}
	return writer_end_run(r->writer, row, err);
}

bool run_had_memory(const struct run *r, const struct run_result *result, struct error *err)
{
	return result->failure != STATUS_IO ||
	       error_set(err, STATUS_IO, "a run under %s: %s", r->spec.policy->name, result->reason);
}

bool run_finish(struct run *r, struct run_result *result, struct error *err)
{
	if (r->made && !r->kind->end(r))
		return recorder_error(r, err);
	judge(r, result);
	if (result->powered && !energy_fits(result->energy_uwns)) {
		struct error reason;
		error_set(&reason, STATUS_INPUT,
			"its energy is %.3g J, and a recording can hold %.3g J: shorten the "
			"horizon or the limit",
			(double)result->energy_uwns / 1e15, (double)INT64_MAX / 1e6);
		if (!end_in_error(r, &reason, err))
			return false;
		judge(r, result);
	}
	if (!r->writer)
		return true;
	if (!run_had_memory(r, result, err) || !write_run(r, result, err))
		return false;
	r->open = false;
	return true;
}
