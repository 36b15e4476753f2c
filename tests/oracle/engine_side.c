/* tests/oracle/engine_side.c - gathers what the engine's trace says (sim/trace.h) into the oracle's
 * kind of result, and checks on the way that the trace is complete: every released job ends, every
 * block that starts ends. */
#include "tests/oracle/engine_side.h"

#include <inttypes.h>
#include <stdio.h>

#include "models/power.h"
#include "models/simulation.h"
#include "policies/registry.h"

struct gathering {
	struct oracle_result *result;
	bool unlimited;
	size_t released, blocks_started;
	const char *defect;       /* of the trace itself; NULL: none */
};

static void gather_job(struct gathering *g, const struct trace_record *t)
{
	static const enum oracle_state states[] = {
		[JOB_FINISHED] = ORACLE_FINISHED, [JOB_DROPPED] = ORACLE_DROPPED,
		[JOB_ABORTED] = ORACLE_ABORTED, [JOB_UNFINISHED] = ORACLE_UNFINISHED,
	};
	struct oracle_result *r = g->result;
	bool finished = t->how == JOB_FINISHED, over = t->how != JOB_UNFINISHED;
	r->jobs = oracle_grow(r->jobs, r->job_count, sizeof(*r->jobs));
	r->jobs[r->job_count++] = (struct oracle_job){
		.task = t->task,
		.seq = t->job,
		.release = t->start,
		.deadline = t->value,
		.first_start = t->ready,
		.finish = over ? t->time : -1,
		.state = states[t->how],
		.missed = finished ? t->time > t->value : over || t->value <= t->time,
	};
}

static void gather_span(struct gathering *g, const struct trace_record *t)
{
	struct oracle_result *r = g->result;
	if (t->resource != RESOURCE_CPU && t->resource != RESOURCE_COPY)
		return;
	bool copy = t->resource == RESOURCE_COPY;
	enum oracle_activity on_cpu = t->span == SPAN_RUN ? ORACLE_RUN : ORACLE_SPIN;
	r->intervals = oracle_grow(r->intervals, r->interval_count, sizeof(*r->intervals));
	r->intervals[r->interval_count++] = (struct oracle_interval){
		.task = t->task,
		.seq = t->job,
		.segment = t->segment,
		.activity = copy ? ORACLE_COPY : on_cpu,
		.engine = copy && !g->unlimited ? t->index : -1,
		.ready = t->ready,
		.start = t->start,
		.end = t->time,
	};
}

static void gather_blocks(struct gathering *g, const struct trace_record *t)
{
	struct oracle_result *r = g->result;
	for (uint32_t i = 0; i < t->count; i++) {
		r->blocks = oracle_grow(r->blocks, r->block_count, sizeof(*r->blocks));
		r->blocks[r->block_count++] = (struct oracle_block){
			.task = t->task,
			.seq = t->job,
			.segment = t->segment,
			.block = t->block + i,
			.sm = t->resource == RESOURCE_SM ? (int32_t)t->index : -1,
			.start = t->start,
			.end = t->time,
		};
	}
}

static bool observe(void *self, const struct trace_record *records, size_t count)
{
	struct gathering *g = self;
	int64_t last = g->result->end;
	for (size_t i = 0; i < count; i++) {
		const struct trace_record *t = &records[i];
		if (t->time < last)
			g->defect = "the trace goes back in time";
		last = t->time;
		if (t->kind == TRACE_JOB_RELEASE)
			g->released++;
		else if (t->kind == TRACE_JOB_END)
			gather_job(g, t);
		else if (t->kind == TRACE_SPAN)
			gather_span(g, t);
		else if (t->kind == TRACE_BLOCKS_START)
			g->blocks_started += t->count;
		else if (t->kind == TRACE_BLOCKS_END)
			gather_blocks(g, t);
	}
	g->result->end = last;
	return true;
}

/* Steps to the end; what the outcome adds to the trace. */
static const char *run(struct simulation *s, struct gathering *g, struct power *power)
{
	trace_observe(simulation_trace(s),
		TRACE_BIT(TRACE_JOB_RELEASE) | TRACE_BIT(TRACE_JOB_END) | TRACE_BIT(TRACE_SPAN) |
			TRACE_BIT(TRACE_BLOCKS_START) | TRACE_BIT(TRACE_BLOCKS_END),
		observe, g);
	trace_observe(simulation_trace(s), POWER_WANTS, power_observe, power);
	enum simulation_state state = SIMULATION_RUNNING;
	while (state == SIMULATION_RUNNING)
		state = simulation_step(s, 1000);
	if (state == SIMULATION_FAILED)
		return "the simulation failed";
	struct simulation_outcome outcome = simulation_outcome(s);
	if (!power_end(power, outcome.energy_end_ns))
		return "the power could not be ended";
	struct oracle_result *r = g->result;
	r->end = outcome.end_ns;
	r->truncated = outcome.truncated;
	r->misses = outcome.misses;
	r->energy = power->energy_uwns;
	size_t missed = 0;
	for (size_t i = 0; i < r->job_count; i++)
		missed += r->jobs[i].missed;
	if (g->defect)
		return g->defect;
	if (g->released != r->job_count || outcome.jobs != r->job_count)
		return "a released job has no end in the trace";
	if (g->blocks_started != r->block_count)
		return "a block that started has no end in the trace";
	return missed == r->misses ? NULL : "the outcome counts other misses than the trace shows";
}

struct oracle_result *engine_run(const struct taskset *set, const struct platform *platform,
	const struct run_setup *setup, const struct oracle_policy *policy, char *text, size_t size)
{
	const struct policy *found = policy_find(policy->name);
	struct error err = {.text = "no such policy"};
	struct params params;
	struct simulation *s = NULL;
	struct arena arena = {0};
	struct power power;
	struct gathering g = {.unlimited = platform->engines == ENGINES_UNLIMITED};
	const char *defect = NULL;
	if (found)
		params_default(&params, found->options);
	if (!found || (policy->option && !params_set(&params, policy->option, policy->value, &err)) ||
	    !simulation_create(platform, set, setup, found, &params, &s, &err)) {
		snprintf(text, size, "the engine: %s", err.text);
		return NULL;
	}
	g.result = oracle_grow(NULL, 0, sizeof(*g.result));
	*g.result = (struct oracle_result){0};
	if (simulation_plan(s)->refused)
		defect = simulation_plan(s)->reason;
	else if (!power_init(&power, &arena, platform, set, NULL, NULL))
		defect = "out of memory";
	else
		defect = run(s, &g, &power);
	if (defect) {
		snprintf(text, size, "the engine: %s", defect);
		oracle_result_free(g.result);
		g.result = NULL;
	}
	simulation_destroy(s);
	arena_finish(&arena);
	return g.result;
}

struct complaint {
	char *text;
	size_t size;
};

static void complain(void *self, uint32_t task, uint32_t segment, const char *what)
{
	const struct complaint *c = self;
	snprintf(c->text, c->size, "task %" PRIu32 ", segment %" PRIu32 ": %s", task, segment, what);
}

bool engine_check(struct taskset *set, const struct platform *platform, char *text, size_t size)
{
	struct complaint c = {text, size};
	return taskset_check(set, platform, complain, &c) == 0;
}
