/* scenarios/calibration/measurement.c - see scenarios/calibration/measurement.h. */
#include "scenarios/calibration/measurement.h"

#include <stdlib.h>

#include "models/setup.h"
#include "models/warps/simulation.h"
#include "sim/trace.h"

/* The longest clock, which no measurement reaches. A launch at a cycle beyond it never comes. */
#define CYCLES_MAX INT64_C(10000000000000)
#define NEVER_LAUNCHED (2 * CYCLES_MAX)
#define MEASURED 0u /* the index of the kernel that is measured */

struct measurement {
	struct platform platform;
	struct taskset set;
	struct warp_set warps;
	struct warp_kernel kernels[2];
	struct run_setup setup;
	struct warp_options options;
	struct warp_simulation *simulation;
	const char *name;
	struct measured result;
	bool ended;
};

/* ---- observing ---- */

/* Without a manager no block is swapped out, so each ends once. */
static bool observe(void *self, const struct trace_record *records, size_t count)
{
	struct measurement *m = self;
	for (size_t i = 0; i < count && !m->ended; i++) {
		const struct trace_record *r = &records[i];
		if (r->task != MEASURED)
			continue;
		if (r->kind == TRACE_BLOCKS_END)
			spread_add(&m->result.blocks, r->time - r->start);
		if (r->kind == TRACE_JOB_END && r->how == JOB_FINISHED) {
			m->result.time_ns = r->time - r->start;
			m->ended = true;
		}
	}
	return true;
}

/* ---- making ---- */

/* The kernel, launched once in cycle 0, on a stream of its own, without a goal. */
static struct warp_kernel launched_once(const struct warp_kernel *k)
{
	struct warp_kernel once = *k;
	once.launch = once.period = 0;
	once.repeat = once.stream_high = false;
	once.stream = STREAM_OWN;
	once.goal = (struct warp_goal){.kind = GOAL_NONE};
	return once;
}

static void make_kernels(struct measurement *m, const struct measurement_spec *spec)
{
	const struct warp_set *all = spec->set->warps;
	uint32_t partner = spec->company == COMPANY_BESIDE ? spec->partner : spec->kernel;
	m->kernels[0] = launched_once(&all->kernels[spec->kernel]);
	m->kernels[0].launch = spec->company == COMPANY_BESIDE ? spec->delay : 0;
	m->kernels[1] = launched_once(&all->kernels[partner]);
	m->options.budget[0] = spec->options->budget[spec->kernel];
	m->options.budget[1] = spec->options->budget[partner];
	m->kernels[1].repeat = true;
	if (spec->company == COMPANY_EMPTY)
		m->kernels[1].launch = NEVER_LAUNCHED;
	m->warps.machine = all->machine;
	m->warps.kernels = m->kernels;
	m->warps.kernel_count = spec->company == COMPANY_NONE ? 1 : 2;
}

static bool make_set(struct measurement *m, struct error *err)
{
	struct taskset *set = &m->set;
	set->warps = &m->warps;
	set->task_count = m->warps.kernel_count;
	set->tasks = arena_new(&set->arena, struct task, set->task_count);
	return (set->tasks && warp_set_tasks(set)) || error_memory(err, "a measurement");
}

/* The run may last as long as the engine can count. The partner is launched again until the measured kernel
 * has ended. */
static void make_setup(struct measurement *m, uint64_t seed)
{
	int64_t most = INT64_MAX / 8 / m->warps.machine.bandwidth;
	most = warp_ns(&m->warps.machine, most < CYCLES_MAX ? most : CYCLES_MAX);
	m->setup =
		(struct run_setup){.horizon_ns = most, .limit_ns = most, .stop = STOP_DRAINED, .seed = seed};
}

bool measurement_create(
	const struct measurement_spec *spec, struct measurement **measurement, struct error *err)
{
	struct measurement *m = calloc(1, sizeof(*m));
	*measurement = NULL;
	if (!m)
		return error_memory(err, "a measurement");
	taskset_init(&m->set);
	m->platform = *spec->platform;
	m->platform.sms = spec->sms;
	m->options = *spec->options;
	m->name = spec->set->tasks[spec->kernel].name;
	make_kernels(m, spec);
	make_setup(m, spec->seed);
	if (!make_set(m, err) || !warp_simulation_create(&m->platform, &m->set, &m->setup, &m->options, NULL,
					 &m->simulation, err)) {
		measurement_destroy(m);
		return false;
	}
	trace_observe(warp_simulation_trace(m->simulation),
		TRACE_BIT(TRACE_BLOCKS_END) | TRACE_BIT(TRACE_JOB_END), observe, m);
	*measurement = m;
	return true;
}

void measurement_destroy(struct measurement *m)
{
	if (!m)
		return;
	warp_simulation_destroy(m->simulation);
	taskset_finish(&m->set);
	free(m);
}

/* ---- running ---- */

enum measurement_state measurement_step(struct measurement *m, uint64_t events, struct error *err)
{
	enum simulation_state state = warp_simulation_step(m->simulation, events);
	trace_flush(warp_simulation_trace(m->simulation));
	if (m->ended)
		return MEASUREMENT_OVER;
	if (state == SIMULATION_RUNNING)
		return MEASUREMENT_GOES_ON;
	error_set(err, STATUS_INPUT, "a launch of kernel '%s' does not end within %lld cycles", m->name,
		(long long)warp_simulation_cycles(m->simulation));
	return MEASUREMENT_FAILED;
}

const struct measured *measurement_result(const struct measurement *m)
{
	return &m->result;
}

uint64_t measurement_events(const struct measurement *m)
{
	return warp_simulation_events(m->simulation);
}

/* ---- kernels ---- */

static uint32_t halve(uint32_t blocks, int64_t limit, int64_t need)
{
	if (limit == 0 || need == 0)
		return blocks;
	int64_t fit = limit / 2 / need;
	return fit < blocks ? (uint32_t)fit : blocks;
}

uint32_t measurement_half_blocks(const struct platform *platform, const struct warp_kernel *kernel)
{
	int64_t warps = warp_block_warps(kernel), threads = warps * WARP_THREADS;
	uint32_t blocks = halve(UINT32_MAX, WARPS_PER_SM_MAX, warps);
	blocks = halve(blocks, platform->warps_per_sm, warps);
	blocks = halve(blocks, platform->threads_per_sm, threads);
	blocks = halve(blocks, platform->blocks_per_sm, 1);
	blocks = halve(blocks, platform->registers_per_sm, kernel->registers * threads);
	return halve(blocks, platform->shared_memory_per_sm, kernel->shared_memory);
}

bool measurement_is_random(const struct warp_kernel *kernel)
{
	for (uint32_t i = 0; i < kernel->step_count; i++) {
		const struct warp_step *s = &kernel->steps[i];
		bool global = s->kind == STEP_LOAD || s->kind == STEP_STORE;
		bool l1 = s->l1_hit_ppm > 0 && s->l1_hit_ppm < 1000000;
		bool l2 = s->l1_hit_ppm < 1000000 && s->l2_hit_ppm > 0 && s->l2_hit_ppm < 1000000;
		if (global && (l1 || l2))
			return true;
	}
	return false;
}
