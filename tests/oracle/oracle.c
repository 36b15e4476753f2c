/* tests/oracle/oracle.c - the oracle's clock: it goes tick by tick, with five phases at each (docs/model.md,
 * "Time and order", "Horizon and end"). */
#include <stdio.h>
#include <stdlib.h>

#include "tests/oracle/oracle_internal.h"

void *oracle_grow(void *array, size_t count, size_t size)
{
	/* The array grows at 0, 1, 2, 4, ... elements: its room is a power of two. */
	if (count & (count - 1))
		return array;
	void *larger = realloc(array, (count ? 2 * count : 1) * size);
	if (!larger) {
		fputs("oracle: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	return larger;
}

static bool all_ended(const struct oracle *o)
{
	for (uint32_t task = 0; task < o->set->task_count; task++) {
		const struct task_state *t = &o->tasks[task];
		if (t->next_release != INT64_MAX || t->begun || t->current < t->count)
			return false;
	}
	return true;
}

/* Phases 1 to 3 of the instant; false if the clock stops at it. */
static bool arrive(struct oracle *o, int64_t stop)
{
	oracle_complete(o);
	oracle_settle(o);
	oracle_check_deadlines(o);
	oracle_settle(o);
	if (o->now == stop)
		return false;
	return o->setup->stop == STOP_HORIZON || !all_ended(o) || oracle_interrupts_wait(o) ||
	       (oracle_is_deciding(o) && !o->policy->decision_by_server) || oracle_switches(o);
}

/* Phases 4 and 5, and the tick that follows. */
static void depart(struct oracle *o)
{
	if (o->contexts.count > 0)
		oracle_enter_streams(o); /* the policy sees what is active */
	oracle_decide(o);
	if (oracle_has_calls(o))
		oracle_run_cpu_tick(o); /* calls that begin go before the policy */
	oracle_dispatch(o);
	if (!oracle_has_calls(o))
		oracle_run_cpu_tick(o);
	oracle_pass_contexts(o);
	o->result->energy += oracle_power(o);
	o->now++;
}

static void collect_jobs(struct oracle *o)
{
	struct oracle_result *r = o->result;
	for (uint32_t task = 0; task < o->set->task_count; task++) {
		struct task_state *t = &o->tasks[task];
		for (uint32_t i = 0; i < t->count; i++) {
			struct oracle_job *job = &t->jobs[i];
			if (job->finish < 0)
				job->missed = job->deadline <= o->now;
			r->misses += job->missed;
			r->jobs = oracle_grow(r->jobs, r->job_count, sizeof(*r->jobs));
			r->jobs[r->job_count++] = *job;
		}
	}
}

/* Computes S, and cuts at S what is unfinished. */
static void finish(struct oracle *o)
{
	struct oracle_result *r = o->result;
	collect_jobs(o);
	r->end = o->now;
	r->truncated = o->setup->stop == STOP_DRAINED && !all_ended(o);
	for (size_t i = 0; i < r->block_count; i++)
		r->blocks[i].end = r->blocks[i].end < r->end ? r->blocks[i].end : r->end;
	for (size_t i = 0; i < r->interval_count; i++)
		r->intervals[i].end = r->intervals[i].end < r->end ? r->intervals[i].end : r->end;
	for (size_t i = 0; i < r->turn_count; i++)
		r->turns[i].end = r->turns[i].end < r->end ? r->turns[i].end : r->end;
	/* Nothing runs after S. */
	int64_t window = o->setup->horizon_ns > o->now ? o->setup->horizon_ns : o->now;
	for (uint32_t gpu = 0; gpu < platform_gpus(o->platform); gpu++)
		r->energy += (int128)oracle_device(o, gpu)->static_uw * (window - o->now);
}

/* A place for each segment of each task, and one for the end of its jobs. */
static void make_places(struct oracle *o)
{
	for (uint32_t task = 0; task < o->set->task_count; task++) {
		o->tasks[task].first_op = o->op_count;
		for (uint32_t segment = 0; segment <= o->set->tasks[task].segment_count; segment++) {
			o->ops = oracle_grow(o->ops, o->op_count, sizeof(*o->ops));
			o->ops[o->op_count++] = (struct operation_state){
				.task = task, .segment = segment, .place = NOWHERE, .ended_at = -1};
		}
	}
}

void oracle_run_through(struct oracle *o)
{
	const struct run_setup *setup = o->setup;
	o->tasks = calloc(o->set->task_count + 1u, sizeof(*o->tasks));
	if (!o->tasks) {
		fputs("oracle: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	make_places(o);
	oracle_make_cores(o);
	oracle_ranks(o);
	oracle_make_choosing(o);
	oracle_make_contexts(o);
	for (uint32_t task = 0; task < o->set->task_count; task++)
		o->tasks[task].next_release = oracle_release(o, task, 0, 0);

	int64_t stop = setup->stop == STOP_HORIZON ? setup->horizon_ns : setup->limit_ns;
	while (arrive(o, stop))
		depart(o);
	finish(o);

	oracle_end_choosing(o);
	for (uint32_t task = 0; task < o->set->task_count; task++)
		free(o->tasks[task].jobs);
	free(o->tasks);
	free(o->ops);
	free(o->cores);
	free(o->live);
	free(o->ended);
}

struct oracle_result *oracle_run(const struct taskset *set, const struct platform *platform,
	const struct run_setup *setup, const struct oracle_policy *policy,
	const struct oracle_allocation *allocation)
{
	struct oracle o = {.set = set,
		.named = set,
		.platform = platform,
		.setup = setup,
		.policy = policy,
		.allocation = allocation};
	if (policy->admits == ORACLE_AS_PLANNED)
		oracle_make_plan(&o);
	o.result = oracle_grow(NULL, 0, sizeof(*o.result));
	*o.result = (struct oracle_result){0};
	oracle_run_through(&o);
	oracle_follow_chains(set, o.result);
	free(o.plan);
	return o.result;
}

void oracle_result_clear(struct oracle_result *result)
{
	free(result->jobs);
	free(result->blocks);
	free(result->intervals);
	free(result->decisions);
	free(result->turns);
	free(result->chains);
	*result = (struct oracle_result){0};
}

void oracle_result_free(struct oracle_result *result)
{
	if (!result)
		return;
	oracle_result_clear(result);
	free(result);
}
