/* runs/search/evaluate.c - see runs/search/evaluate.h. All genomes with the same rule for ties are runs of
 * one simulation, which begins again as if it were a new one (simulation_again): a policy cannot carry
 * anything over from one to the next. */
#include "runs/search/evaluate.h"

#include <stdlib.h>

#include "base/list.h"
#include "models/simulation.h"

#define SLICE_EVENTS 1000000u

static bool allocate(struct evaluator *e)
{
	const struct genome_space *s = e->space;
	struct task *tasks = arena_new(&e->arena, struct task, s->tasks);
	e->rules = arena_new(&e->arena, struct release_rule, s->tasks);
	e->longest = arena_new(&e->arena, int64_t, s->tasks);
	e->longest_job = arena_new(&e->arena, uint32_t, s->tasks);
	e->seen_jobs = arena_new(&e->arena, struct bound_seen, s->tasks);
	if (!tasks || !e->rules || !e->longest || !e->longest_job || !e->seen_jobs)
		return false;
	for (uint32_t i = 0; i < s->tasks; i++) {
		size_t lengths = s->first_length[i + 1] - s->first_length[i];
		tasks[i] = e->what.set->tasks[i];
		tasks[i].release = &e->rules[i];
		e->rules[i] = (struct release_rule){.kind = RELEASE_TRACE};
		e->rules[i].trace_ns = arena_new(&e->arena, int64_t, s->jobs[i]);
		e->rules[i].durations = arena_new(&e->arena, struct trace_duration, lengths);
		if (!e->rules[i].trace_ns || !e->rules[i].durations)
			return false;
	}
	e->set = *e->what.set;
	e->set.tasks = tasks;
	return true;
}

bool evaluator_init(struct evaluator *e, const struct search_case *what, const struct genome_space *space,
	struct error *err)
{
	*e = (struct evaluator){.what = *what, .space = space};
	if (allocate(e))
		return true;
	evaluator_finish(e);
	return error_memory(err, "a search");
}

void evaluator_finish(struct evaluator *e)
{
	for (uint32_t i = 0; i < EVALUATOR_TIES; i++) {
		simulation_destroy(e->kept[i]);
		e->kept[i] = NULL;
	}
	arena_finish(&e->arena);
	free(e->seen);
	e->seen = NULL;
}

/* Lengths that equal the worst case are left out: the run's rule gives them. */
static int64_t load_task(struct evaluator *e, const struct genome *g, uint32_t task)
{
	const struct genome_space *s = e->space;
	const int64_t *worst = &s->worst[s->first_segment[task]], *length = &g->length[s->first_length[task]];
	const int64_t *extra = &g->extra[s->first_job[task]];
	struct release_rule *rule = &e->rules[task];
	int64_t release = g->offset[task];
	rule->trace_count = rule->duration_count = 0;
	for (uint32_t j = 0; j < g->jobs[task]; j++) {
		if (j > 0)
			release += s->set->tasks[task].period_ns + extra[j];
		rule->trace_ns[rule->trace_count++] = release;
		for (uint32_t k = 0; k < s->segments[task]; k++, length++)
			if (*length != worst[k])
				rule->durations[rule->duration_count++] =
					(struct trace_duration){j, k, *length};
	}
	return rule->trace_count ? release : 0;
}

void evaluator_load(struct evaluator *e, const struct genome *g)
{
	int64_t last = 0;
	for (uint32_t i = 0; i < e->space->tasks; i++) {
		int64_t release = load_task(e, g, i);
		last = release > last ? release : last;
	}
	e->setup = (struct run_setup){
		.horizon_ns = last + 1,
		.stop = STOP_DRAINED,
		.limit_ns = last + 1 + e->space->backlog,
		.seed = 1,
		.release.kind = RELEASE_PERIODIC,
		.execution = EXECUTION_WORST,
		.on_miss = MISS_CONTINUE,
		.ties = (enum ties) * g->ties,
	};
}

/* ---- observing ---- */

static void note_job(struct evaluator *e, const struct trace_record *r)
{
	int64_t response = r->time - r->start;
	struct bound_seen *seen = &e->seen_jobs[r->task];
	int64_t *longest = r->how == JOB_FINISHED ? &seen->longest_ns : &seen->unfinished_ns;
	seen->jobs++;
	seen->responses += r->how == JOB_FINISHED;
	*longest = response > *longest ? response : *longest;
	if (response > e->longest[r->task]) {
		e->longest[r->task] = response;
		e->longest_job[r->task] = r->job;
	}
}

static void note_seen(struct evaluator *e, const struct trace_record *r)
{
	if (!list_reserve(&e->seen, &e->seen_capacity, e->seen_count + 1, sizeof(*e->seen))) {
		e->no_memory = true;
		return;
	}
	e->seen[e->seen_count++] = (struct seen_segment){r->task, r->job, r->segment, r->ready, r->time};
}

/* The end of a whole segment, not of a part of it, nor of spinning. */
static void note_span(struct evaluator *e, const struct trace_record *r)
{
	if (r->span != SPAN_RUN || r->how == SPAN_PREEMPTED)
		return;
	if (e->see)
		note_seen(e, r);
	if (r->task == e->target.task && r->segment == e->target.segment &&
		r->time - r->ready > e->longest_segment) {
		e->longest_segment = r->time - r->ready;
		e->longest_segment_job = r->job;
	}
}

static bool note(void *self, const struct trace_record *records, size_t count)
{
	struct evaluator *e = self;
	for (size_t i = 0; i < count; i++) {
		if (records[i].kind == TRACE_JOB_END)
			note_job(e, &records[i]);
		else if (records[i].kind == TRACE_SPAN)
			note_span(e, &records[i]);
	}
	return !e->no_memory;
}

/* ---- running ---- */

static bool run(struct evaluator *e, struct simulation *s, struct error *err)
{
	enum simulation_state state;
	while ((state = simulation_step(s, SLICE_EVENTS)) == SIMULATION_RUNNING)
		;
	if (e->no_memory)
		return error_memory(err, "a search");
	if (state == SIMULATION_FAILED) {
		*err = *simulation_error(s);
		return false;
	}
	e->digest = simulation_outcome(s).digest;
	for (uint32_t i = 0; i < e->space->tasks; i++)
		e->seen_jobs[i].truncated = simulation_outcome(s).truncated;
	return true;
}

/* The simulation for the setup, ready to run. NULL: *err. */
static struct simulation *ready(struct evaluator *e, struct error *err)
{
	struct simulation **s = &e->kept[e->setup.ties];
	bool ok = *s ? simulation_again(*s, err)
		     : simulation_create(e->what.platform, &e->set, &e->setup, e->what.policy, e->what.params,
			       s, err) &&
				  simulation_keep(*s, err);
	if (ok)
		return *s;
	simulation_destroy(*s);
	*s = NULL;
	return NULL;
}

void evaluate_known(struct evaluator *e)
{
	if (e->counter)
		atomic_fetch_add(e->counter, 1);
}

static bool simulate(struct evaluator *e, const struct genome *g, struct error *err)
{
	uint32_t wanted = TRACE_BIT(TRACE_JOB_END);
	evaluate_known(e);
	evaluator_load(e, g);
	for (uint32_t i = 0; i < e->space->tasks; i++) {
		e->longest[i] = e->longest_job[i] = 0;
		e->seen_jobs[i] = (struct bound_seen){.jobs = 0};
	}
	e->longest_segment = e->longest_segment_job = 0;
	if (e->see)
		e->seen_count = 0;
	struct simulation *s = ready(e, err);
	if (!s)
		return false;
	if (e->see || e->target.segment != WHOLE_JOB)
		wanted |= TRACE_BIT(TRACE_SPAN);
	trace_observe(simulation_trace(s), wanted, note, e);
	return run(e, s, err);
}

int64_t evaluate(
	struct evaluator *e, const struct genome *g, const struct search_target *target, struct error *err)
{
	e->target = *target;
	if (!simulate(e, g, err))
		return -1;
	return target->segment == WHOLE_JOB ? e->longest[target->task] : e->longest_segment;
}

int64_t evaluate_and_see(
	struct evaluator *e, const struct genome *g, const struct search_target *target, struct error *err)
{
	e->see = true;
	int64_t response = evaluate(e, g, target, err);
	e->see = false;
	return response;
}

/* A genome's releases and lengths agree with the tasks' declarations, and no job is removed. */
struct bound_seen evaluated_seen(const struct evaluator *e, const struct search_target *target)
{
	return e->seen_jobs[target->task];
}

uint32_t evaluated_job(const struct evaluator *e, const struct search_target *target)
{
	return target->segment == WHOLE_JOB ? e->longest_job[target->task] : e->longest_segment_job;
}
