/* tests/oracle/engine_side.c - collects the engine's trace (sim/trace.h) into a result of the oracle's type.
 * It also checks that the trace is complete: every released job ends, every block that starts ends. */
#include "tests/oracle/engine_side.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "models/power.h"
#include "models/simulation.h"
#include "policies/registry.h"
#include "runs/chains.h"

struct gathering {
	struct oracle_result *result;
	const struct platform *platform;
	size_t released, blocks_started;
	const char *defect; /* of the trace itself; NULL: none */
};

static void gather_job(struct gathering *g, const struct trace_record *t)
{
	static const enum oracle_state states[] = {
		[JOB_FINISHED] = ORACLE_FINISHED,
		[JOB_DROPPED] = ORACLE_DROPPED,
		[JOB_ABORTED] = ORACLE_ABORTED,
		[JOB_UNFINISHED] = ORACLE_UNFINISHED,
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
	static const enum oracle_activity on_core[] = {
		[SPAN_RUN] = ORACLE_RUN,
		[SPAN_SPIN] = ORACLE_SPIN,
		[SPAN_BOOST] = ORACLE_BOOST,
		[SPAN_LAUNCH] = ORACLE_LAUNCH,
		[SPAN_SWITCH] = ORACLE_SWITCH,
		[SPAN_CALL] = ORACLE_CALL,
		[SPAN_RELEASE] = ORACLE_INTERRUPT,
		[SPAN_DECISION] = ORACLE_DECISION,
	};
	r->intervals = oracle_grow(r->intervals, r->interval_count, sizeof(*r->intervals));
	r->intervals[r->interval_count++] = (struct oracle_interval){
		.task = t->task,
		.seq = t->job,
		.segment = t->segment,
		.activity = copy ? ORACLE_COPY : on_core[t->span],
		.gpu = t->gpu,
		.engine = copy && platform_gpu(g->platform, t->gpu)->engines ? t->index : -1,
		.core = copy ? -1 : t->index,
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
			.gpu = t->gpu,
			.sm = t->resource == RESOURCE_SM ? (int32_t)t->index : -1,
			.start = t->start,
			.end = t->time,
		};
	}
}

static void gather_decision(struct gathering *g, const struct trace_record *t)
{
	struct oracle_result *r = g->result;
	r->decisions = oracle_grow(r->decisions, r->decision_count, sizeof(*r->decisions));
	r->decisions[r->decision_count++] = (struct oracle_decision){
		.time = t->time,
		.asked = t->ready,
		.task = t->task,
		.seq = t->job,
		.segment = t->segment,
		.gpu = t->gpu,
		.sms = t->m,
		.kernel_end = t->start,
		.energy = t->value,
		.feasible = t->how & 1,
		.chosen = t->how & 2,
	};
}

/* Turns that touch are one. */
static void gather_turn(struct gathering *g, const struct trace_record *t)
{
	struct oracle_result *r = g->result;
	struct oracle_turn now = {t->task, t->span == SPAN_SWITCH, t->start, t->time};
	struct oracle_turn *last = r->turn_count ? &r->turns[r->turn_count - 1] : NULL;
	if (last && last->task == now.task && last->switches == now.switches && last->end == now.start) {
		last->end = now.end;
		return;
	}
	r->turns = oracle_grow(r->turns, r->turn_count, sizeof(*r->turns));
	r->turns[r->turn_count++] = now;
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
		else if (t->kind == TRACE_CONTEXT)
			gather_turn(g, t);
		else if (t->kind == TRACE_DECISION)
			gather_decision(g, t);
	}
	g->result->end = last;
	return true;
}

/* Steps to the end; adds what only the outcome knows. */
static const char *run(struct simulation *s, struct gathering *g, struct power *powers, struct chains *chains)
{
	uint32_t gpus = platform_gpus(g->platform);
	trace_observe(simulation_trace(s),
		TRACE_BIT(TRACE_JOB_RELEASE) | TRACE_BIT(TRACE_JOB_END) | TRACE_BIT(TRACE_SPAN) |
			TRACE_BIT(TRACE_BLOCKS_START) | TRACE_BIT(TRACE_BLOCKS_END) |
			TRACE_BIT(TRACE_DECISION) | TRACE_BIT(TRACE_CONTEXT),
		observe, g);
	for (uint32_t gpu = 0; gpu < gpus; gpu++)
		trace_observe(simulation_trace(s), POWER_WANTS, power_observe, &powers[gpu]);
	if (chains)
		trace_observe(simulation_trace(s), chains_want(chains), chains_observe, chains);
	enum simulation_state state = SIMULATION_RUNNING;
	while (state == SIMULATION_RUNNING)
		state = simulation_step(s, 1000);
	if (state == SIMULATION_FAILED)
		return simulation_error(s) ? simulation_error(s)->text : "the simulation failed";
	struct simulation_outcome outcome = simulation_outcome(s);
	for (uint32_t gpu = 0; gpu < gpus; gpu++) {
		if (!power_end(&powers[gpu], outcome.energy_end_ns))
			return "the power could not be ended";
		g->result->energy += powers[gpu].energy_uwns;
	}
	if (chains && !chains_end(chains))
		return "the chains could not be ended";
	struct oracle_result *r = g->result;
	r->end = outcome.end_ns;
	r->truncated = outcome.truncated;
	r->misses = outcome.misses;
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

/* What the plan decided for the run, in the oracle's own type. */
static void copy_plan(const struct plan *plan, struct oracle_allocation *a)
{
	*a = (struct oracle_allocation){.virtual_sms = plan->virtual_sms, .any = plan->grants != NULL};
	for (uint32_t task = 0; plan->grants && task < plan->set->task_count; task++) {
		const struct grant *from = &plan->grants[task];
		struct oracle_grant *to = &a->grants[task];
		assert(task < ORACLE_TASKS && from->count <= ORACLE_SMS);
		to->count = from->count;
		to->virtual_sms = from->slots ? from->virtual_sms : 0;
		for (uint32_t i = 0; i < from->count; i++) {
			to->sm[i] = from->sm[i];
			to->slots[i] = from->slots ? from->slots[i] : 0;
		}
	}
}

static const struct policy *engine_policy(const struct oracle_policy *policy)
{
	return policy->of_tests ? context_policy(policy->name) : policy_find(policy->name);
}

bool engine_params(
	const struct oracle_policy *policy, const char *list, struct params *params, struct error *err)
{
	params_default(params, engine_policy(policy)->options);
	if (policy->option && !params_set(params, policy->option, policy->value, err))
		return false;
	for (size_t i = 0; i < sizeof(policy->more) / sizeof(policy->more[0]); i++) {
		const struct oracle_option *o = &policy->more[i];
		if (o->name && !params_set(params, o->name, o->value, err))
			return false;
	}
	return !list || params_set(params, "allocation", list, err);
}

static struct oracle_figure figure_of(const struct chain_figure *f)
{
	return (struct oracle_figure){
		.count = f->count,
		.least = f->min_ns,
		.greatest = f->max_ns,
		.sum = f->sum_ns,
		.first_job = f->first_job,
		.last_job = f->last_job,
	};
}

/* The result of a simulation whose plan did not refuse; NULL and *defect: the trace is wrong. */
static struct oracle_result *run_gathered(
	struct simulation *s, const struct random_case *c, const char **defect)
{
	struct arena arena = {0};
	struct power powers[PLATFORM_MAX_GPUS];
	struct chains *chains;
	struct gathering g = {.platform = &c->platform};
	g.result = oracle_grow(NULL, 0, sizeof(*g.result));
	*g.result = (struct oracle_result){0};
	bool powered = true;
	for (uint32_t gpu = 0; gpu < platform_gpus(&c->platform); gpu++)
		powered &= power_init(
			&powers[gpu], &arena, platform_gpu(&c->platform, gpu), &c->set, NULL, NULL);
	if (powered && chains_create(&c->set, &arena, &chains))
		*defect = run(s, &g, powers, chains);
	else
		*defect = "out of memory";
	for (uint32_t i = 0; !*defect && i < c->set.chain_count; i++) {
		const struct chain_result *figures = &chains_results(chains)[i];
		g.result->chains = oracle_grow(g.result->chains, i, sizeof(*g.result->chains));
		g.result->chains[i] = (struct oracle_chain){
			.age = figure_of(&figures->age), .reaction = figure_of(&figures->reaction)};
		g.result->chain_count++;
	}
	arena_finish(&arena);
	if (!*defect)
		return g.result;
	oracle_result_free(g.result);
	return NULL;
}

enum engine_answer engine_run(const struct random_case *c, const struct oracle_policy *policy,
	struct engine_run *run, char *text, size_t size)
{
	const struct policy *found = engine_policy(policy);
	struct error err = {.text = "no such policy"};
	struct params params;
	struct simulation *s = NULL;
	const char *defect = NULL, *list = NULL;
	char space[RANDOM_ALLOCATION_MAX];
	*run = (struct engine_run){0};
	if (policy->allocation) {
		list = random_case_allocation(c, policy, space);
		if (!list) {
			snprintf(text, size, "there are too few SMs for an allocation");
			return ENGINE_REFUSED;
		}
	}
	if (!found || !engine_params(policy, list, &params, &err) ||
		!simulation_create(&c->platform, &c->set, &c->setup, found, &params, &s, &err)) {
		snprintf(text, size, "the engine: %s", err.text);
		return ENGINE_FAILED;
	}
	const struct plan *plan = simulation_plan(s);
	enum engine_answer answer = plan->refused ? ENGINE_REFUSED : ENGINE_RAN;
	copy_plan(plan, &run->allocation);
	if (plan->refused)
		snprintf(text, size, "refused: %s", plan->reason);
	else
		run->result = run_gathered(s, c, &defect);
	if (defect) {
		snprintf(text, size, "the engine: %s", defect);
		answer = ENGINE_FAILED;
	}
	simulation_destroy(s);
	return answer;
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
