/* tests/oracle/warp_engine.c - collects what the engine of warps reports: its trace (sim/trace.h), its
 * observer (models/warps/records.h) and its results. It also checks that the trace is complete. */
#include "tests/oracle/warp_engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "models/warps/simulation.h"
#include "tests/oracle/warp_plain_internal.h"

struct gathering {
	struct plain_result *r;
	size_t released, started;
	int64_t now;
	const char *defect; /* of the trace itself; NULL: none */
};

static void give_up(const char *what)
{
	fprintf(stderr, "the engine: %s\n", what);
	abort();
}

/* ---- the trace ---- */

static void gather_blocks(struct gathering *g, const struct trace_record *t)
{
	static const enum plain_how how[] = {
		[SPAN_DONE] = PLAIN_DONE, [SPAN_PREEMPTED] = PLAIN_SWAPPED, [SPAN_STOPPED] = PLAIN_STOPPED};
	if (t->resource != RESOURCE_SM || t->how == SPAN_ABORTED) {
		g->defect = "blocks are not on an SM, or aborted";
		return;
	}
	for (uint32_t i = 0; i < t->count; i++) {
		PLAIN_ADD(g->r->stays, (struct plain_stay){t->task, t->job, t->segment, t->block + i,
					       t->index, t->start, t->time, how[t->how]});
	}
}

static void gather_span(struct gathering *g, const struct trace_record *t)
{
	if (t->resource != RESOURCE_GPU || t->span != SPAN_RUN ||
		(t->how != SPAN_DONE && t->how != SPAN_STOPPED))
		g->defect = "a span is none of a kernel on the GPU";
	PLAIN_ADD(g->r->spans, (struct plain_span){t->task, t->job, t->segment, t->ready, t->start, t->time,
				       t->value, t->how == SPAN_DONE});
}

static void gather(struct gathering *g, const struct trace_record *t)
{
	if (t->time < g->now)
		g->defect = "the trace goes back in time";
	g->now = t->time;
	if (t->kind == TRACE_JOB_RELEASE)
		g->released++;
	if (t->kind == TRACE_BLOCKS_START)
		g->started += t->count;
	if (t->kind == TRACE_BLOCKS_END)
		gather_blocks(g, t);
	if (t->kind == TRACE_SPAN)
		gather_span(g, t);
	if (t->kind != TRACE_JOB_END)
		return;
	if (t->how != JOB_FINISHED && t->how != JOB_UNFINISHED)
		g->defect = "a job neither finished nor was left";
	PLAIN_ADD(g->r->jobs,
		(struct plain_job_end){t->task, t->job, t->start, t->time, t->ready, t->how == JOB_FINISHED});
}

static bool observe_trace(void *self, const struct trace_record *records, size_t count)
{
	for (size_t i = 0; i < count; i++)
		gather(self, &records[i]);
	return true;
}

/* ---- rows ---- */

#define OBSERVER(list, type)                                                                                 \
	static bool observe_##list(void *self, const struct type *rows, size_t count)                        \
	{                                                                                                    \
		struct gathering *g = self;                                                                  \
		for (size_t i = 0; i < count; i++)                                                           \
			PLAIN_ADD(g->r->list, rows[i]);                                                      \
		return true;                                                                                 \
	}
OBSERVER(issues, warp_issue)
OBSERVER(epochs, warp_epoch)
OBSERVER(sms, warp_epoch_sm)
OBSERVER(quotas, warp_epoch_quota)

/* ---- a run ---- */

static void make_taskset(const struct plain_input *in, struct warp_set *warps, struct taskset *set)
{
	static char names[WARP_KERNELS_MAX][4] = {"k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"};
	taskset_init(set);
	*warps = *in->set;
	set->warps = warps;
	set->name = names[0];
	set->task_count = warps->kernel_count;
	set->tasks = arena_new(&set->arena, struct task, warps->kernel_count);
	if (!set->tasks)
		give_up("out of memory");
	for (uint32_t k = 0; k < warps->kernel_count; k++)
		set->tasks[k] = (struct task){.name = names[k]};
	if (!warp_set_tasks(set))
		give_up("out of memory");
}

static void gather_results(
	const struct warp_simulation *w, const struct plain_input *in, struct plain_result *r)
{
	const struct warp_machine *m = &in->set->machine;
	size_t next = 0;
	r->cycles = warp_simulation_cycles(w);
	r->truncated = warp_simulation_outcome(w).truncated;
	r->energy_fj = warp_simulation_energy(w);
	r->digest = warp_simulation_outcome(w).digest;
	for (uint32_t k = 0; k < in->set->kernel_count; k++)
		r->kernel[k] = *warp_simulation_kernel(w, k);
	r->slots = plain_room(NULL, (size_t)in->platform->sms * m->sub_cores * WARP_SLOTS, sizeof(int64_t));
	for (uint32_t sm = 0; sm < in->platform->sms; sm++) {
		for (uint32_t s = 0; s < m->sub_cores; s++) {
			const int64_t *slots = warp_simulation_slots(w, sm, s);
			for (int i = 0; i < WARP_SLOTS; i++)
				r->slots[next++] = slots[i];
		}
	}
}

/* At the end of a run every job and every block that began must have ended. */
static void check_whole(
	const struct gathering *g, const struct warp_simulation *w, const struct plain_input *in)
{
	struct simulation_outcome outcome = warp_simulation_outcome(w);
	if (g->defect)
		give_up(g->defect);
	if (g->released != g->r->jobs.count || outcome.jobs != g->r->jobs.count)
		give_up("a released job has no end in the trace");
	if (g->started != g->r->stays.count)
		give_up("a block that started has no end in the trace");
	if (outcome.end_ns != plain_ns(&in->set->machine, g->r->cycles))
		give_up("the end in ns is not the last cycle");
}

static void observe_rows(struct warp_simulation *w, struct gathering *g, bool issues)
{
	struct error err = {.text = "?"};
	const struct warp_observer observer = {
		.self = g,
		.wants_issues = issues,
		.wants_epochs = true,
		.wants_sms = true,
		.issues = observe_issues,
		.epochs = observe_epochs,
		.sms = observe_sms,
		.quotas = observe_quotas,
	};
	if (!warp_simulation_observe(w, &observer, &err))
		give_up(err.text);
}

/* Runs in steps of 1, 10 or 100 instructions, or in one step. */
static void step_through(struct warp_simulation *w, const struct plain_input *in, struct gathering *g)
{
	static const uint64_t sizes[] = {1, 10, 100, UINT64_MAX};
	const uint64_t size = sizes[in->setup->seed % 4];
	enum simulation_state state = SIMULATION_RUNNING;
	trace_observe(warp_simulation_trace(w),
		TRACE_BIT(TRACE_JOB_RELEASE) | TRACE_BIT(TRACE_JOB_END) | TRACE_BIT(TRACE_BLOCKS_START) |
			TRACE_BIT(TRACE_BLOCKS_END) | TRACE_BIT(TRACE_SPAN),
		observe_trace, g);
	while (state == SIMULATION_RUNNING)
		state = warp_simulation_step(w, size);
	if (state != SIMULATION_ENDED)
		give_up("the run failed");
}

static struct plain_result *run(const struct plain_input *in, bool rows, bool issues)
{
	struct taskset set;
	struct warp_set warps;
	struct warp_simulation *w = NULL;
	struct error err = {.text = "?"};
	struct gathering g = {.r = plain_room(NULL, 1, sizeof(*g.r))};
	*g.r = (struct plain_result){0};
	make_taskset(in, &warps, &set);
	if (!warp_simulation_create(in->platform, &set, in->setup, in->options, in->alone, &w, &err))
		give_up(err.text);
	if (rows)
		observe_rows(w, &g, issues);
	step_through(w, in, &g);
	gather_results(w, in, g.r);
	check_whole(&g, w, in);
	if (issues && warp_simulation_events(w) != g.r->issues.count)
		give_up("as many events as instructions?");
	warp_simulation_destroy(w);
	taskset_finish(&set);
	return g.r;
}

struct plain_result *warp_engine_run(const struct plain_input *in)
{
	return run(in, true, true);
}

struct plain_result *warp_engine_run_rows(const struct plain_input *in)
{
	return run(in, true, false);
}

struct plain_result *warp_engine_run_unseen(const struct plain_input *in)
{
	return run(in, false, false);
}

int64_t warp_engine_ipc_alone(const struct plain_input *in, uint32_t kernel)
{
	struct taskset set;
	struct warp_set warps;
	struct error err = {.text = "?"};
	int64_t ipc = -1;
	make_taskset(in, &warps, &set);
	if (!warp_ipc_alone(in->platform, &set, in->setup, in->options, kernel, &ipc, &err))
		give_up(err.text);
	taskset_finish(&set);
	return ipc;
}
