/* tests/support/warp_runs.c - see tests/support/warp_runs.h. */
#include "tests/support/warp_runs.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"

/* ---- scenes ---- */

void warp_scene_init(struct warp_scene *s, uint32_t kernels)
{
	memset(s, 0, sizeof(*s));
	s->platform = platform_default();
	s->platform.sms = 1;
	s->warps = (struct warp_set){
		.machine = {.clock_hz = 1000000000,
			.sub_cores = 1,
			.shared_latency = 1,
			.l1_latency = 1,
			.l2_latency = 1,
			.dram_latency = 1,
			.bandwidth = 1000},
		.kernel_count = kernels,
	};
	for (int unit = 0; unit < WARP_UNITS; unit++)
		s->warps.machine.latency[unit] = s->warps.machine.interval[unit] = 1;
	for (uint32_t k = 0; k < kernels; k++)
		s->kernel[k] = (struct warp_kernel){.blocks = 1, .block_threads = 32, .stream = STREAM_OWN};
	s->setup =
		(struct run_setup){.horizon_ns = 1000, .limit_ns = 100000, .stop = STOP_DRAINED, .seed = 1};
	s->options = (struct warp_options){
		.scheduler = SCHEDULE_GTO,
		.active = 8,
		.epoch = 10000,
		.samples = 100,
		.history = true,
		.adjust = true,
	};
	for (uint32_t k = 0; k < WARP_KERNELS_MAX; k++)
		s->options.budget[k] = 1;
}

struct warp_step *warp_scene_step(
	struct warp_scene *s, uint32_t kernel, enum warp_step_kind kind, uint32_t count)
{
	struct warp_kernel *k = &s->kernel[kernel];
	assert_true(k->step_count < SCENE_STEPS);
	struct warp_step *step = &s->step[kernel][k->step_count++];
	*step = warp_step_default(kind);
	step->count = count;
	return step;
}

struct warp_step *warp_scene_compute(struct warp_scene *s, uint32_t kernel, uint32_t count, int64_t latency,
	uint32_t first, uint32_t distance)
{
	struct warp_step *step = warp_scene_step(s, kernel, STEP_COMPUTE, count);
	step->latency = latency;
	step->first = first;
	step->distance = distance;
	return step;
}

void warp_scene_then(struct warp_scene *s, uint32_t kernel, uint32_t last)
{
	struct warp_kernel *k = &s->kernel[kernel];
	assert_true(k->then_count < SCENE_THEN);
	k->then = s->then[kernel];
	k->then[k->then_count] = s->kernel[last];
	k->then[k->then_count++].steps = s->step[last];
	s->kernel[last].step_count = 0;
}

void warp_scene_finish(struct warp_scene *s)
{
	taskset_finish(&s->set);
}

static void report(void *self, uint32_t kernel, const char *text)
{
	(void)self;
	fail_msg("kernel %d of the scene: %s", (int)kernel, text);
}

void warp_scene_ready(struct warp_scene *s)
{
	static char names[WARP_KERNELS_MAX][4] = {"k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"};
	taskset_finish(&s->set);
	taskset_init(&s->set);
	s->warps.kernels = s->kernel;
	for (uint32_t k = 0; k < s->warps.kernel_count; k++)
		s->kernel[k].steps = s->step[k];
	s->set.name = names[0];
	s->set.warps = &s->warps;
	s->set.task_count = s->warps.kernel_count;
	s->set.tasks = arena_new(&s->set.arena, struct task, s->set.task_count);
	assert_non_null(s->set.tasks);
	for (uint32_t k = 0; k < s->set.task_count; k++)
		s->set.tasks[k] = (struct task){.name = names[k]};
	assert_true(warp_set_tasks(&s->set));
	for (uint32_t k = 0; k < s->set.task_count; k++)
		s->set.tasks[k].deadline_ns = s->deadline_ns[k];
	warp_set_check(&s->warps, &s->platform, report, NULL);
}

/* ---- observers ---- */

static void *grown(void *rows, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return rows;
	*room = *room ? 2 * *room : 256;
	rows = realloc(rows, *room * size);
	assert_non_null(rows);
	return rows;
}

#define OBSERVER(name, type)                                                                                 \
	static bool observe_##name(void *self, const struct type *rows, size_t count)                        \
	{                                                                                                    \
		struct warp_run *r = self;                                                                   \
		for (size_t i = 0; i < count; i++) {                                                         \
			r->name = grown(r->name, r->name##_count, &r->name##_room, sizeof(*rows));           \
			r->name[r->name##_count++] = rows[i];                                                \
		}                                                                                            \
		return true;                                                                                 \
	}
OBSERVER(issues, warp_issue)
OBSERVER(epochs, warp_epoch)
OBSERVER(sms, warp_epoch_sm)
OBSERVER(quotas, warp_epoch_quota)
OBSERVER(records, trace_record)

/* ---- runs ---- */

static bool wants_alone(const struct warp_scene *s)
{
	for (uint32_t k = 0; k < s->warps.kernel_count; k++)
		if (s->kernel[k].goal.kind == GOAL_SHARE)
			return true;
	return false;
}

static void measure_alone(struct warp_scene *s)
{
	struct error err = {.text = ""};
	for (uint32_t k = 0; k < s->warps.kernel_count; k++)
		if (!warp_ipc_alone(&s->platform, &s->set, &s->setup, &s->options, k, &s->alone[k], &err))
			fail_msg("%s", err.text);
}

static void gather_results(const struct warp_simulation *w, struct warp_run *r)
{
	const struct warp_scene *s = r->scene;
	uint32_t cores = s->warps.machine.sub_cores;
	r->outcome = warp_simulation_outcome(w);
	r->cycles = warp_simulation_cycles(w);
	r->events = warp_simulation_events(w);
	r->energy = warp_simulation_energy(w);
	for (uint32_t k = 0; k < s->warps.kernel_count; k++)
		r->kernel[k] = *warp_simulation_kernel(w, k);
	r->slots = calloc((size_t)s->platform.sms * cores * WARP_SLOTS, sizeof(int64_t));
	assert_non_null(r->slots);
	for (uint32_t i = 0; i < s->platform.sms * cores; i++)
		memcpy(r->slots + i * WARP_SLOTS, warp_simulation_slots(w, i / cores, i % cores),
			WARP_SLOTS * sizeof(int64_t));
}

struct warp_run *warp_run_in_steps(struct warp_scene *s, uint64_t events)
{
	struct warp_simulation *w;
	struct error err = {.text = ""};
	struct warp_run *r = calloc(1, sizeof(*r));
	assert_non_null(r);
	r->scene = s;
	warp_scene_ready(s);
	if (wants_alone(s))
		measure_alone(s);
	if (!warp_simulation_create(&s->platform, &s->set, &s->setup, &s->options,
		    wants_alone(s) ? s->alone : NULL, &w, &err))
		fail_msg("%s", err.text);
	const struct warp_observer observer = {
		.self = r,
		.wants_issues = true,
		.wants_epochs = true,
		.wants_sms = true,
		.issues = observe_issues,
		.epochs = observe_epochs,
		.sms = observe_sms,
		.quotas = observe_quotas,
	};
	trace_observe(warp_simulation_trace(w), UINT32_MAX, observe_records, r);
	assert_true(warp_simulation_observe(w, &observer, &err));
	enum simulation_state state;
	while ((state = warp_simulation_step(w, events)) == SIMULATION_RUNNING)
		;
	assert_int_equal(state, SIMULATION_ENDED);
	gather_results(w, r);
	warp_simulation_destroy(w);
	return r;
}

struct warp_run *warp_run(struct warp_scene *s)
{
	return warp_run_in_steps(s, UINT64_MAX / 2);
}

void warp_run_free(struct warp_run *r)
{
	free(r->issues);
	free(r->epochs);
	free(r->sms);
	free(r->quotas);
	free(r->records);
	free(r->slots);
	free(r);
}

const struct trace_record *warp_run_job_end(const struct warp_run *r, uint32_t kernel, uint32_t job)
{
	for (size_t i = 0; i < r->records_count; i++)
		if (r->records[i].kind == TRACE_JOB_END && r->records[i].task == kernel &&
			r->records[i].job == job)
			return &r->records[i];
	return NULL;
}
