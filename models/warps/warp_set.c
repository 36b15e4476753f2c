/* models/warps/warp_set.c - owns the defaults of SMs and programs (docs/warps.md), the checks of a set of
 * kernels on a platform, and the sizes that follow from a program. */
#include "models/warps/warp_set.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/int128.h"
#include "models/judge.h"

#define NS_PER_SECOND 1000000000
#define CLOCK_MIN_HZ INT64_C(1000000)
#define CLOCK_MAX_HZ INT64_C(100000000000)
#define BANDWIDTH_MAX INT64_C(1000000000) /* bytes per 1000 cycles */
#define ENERGY_MAX_FJ INT64_C(1000000000)
#define STEP_BYTES_MAX 4096u
#define CACHE_BYTES_MAX (INT64_C(1) << 40)
#define RATIO_MAX_PPM 1000000
#define SIZE_BITS 62

/* ---- defaults ---- */

/* Latencies and widths are of the order of public figures on NVIDIA's Volta: a sub-core has 8 lanes for
 * double precision, 4 for special functions, 8 for loads and stores, so that a warp occupies them for 4, 8
 * and 4 cycles. Its 16 lanes each for integers and single precision would make 2; the papers' schedulers
 * issue an instruction in every cycle, and with 1 so do these. Bandwidth: QoS Table 1 has memory at 7 GHz and
 * SMs at 1216 MHz; with the 4 x 64 bit of such boards 7e9 x 32 / 1.216e9 = 184 bytes a cycle. Energies are
 * parameters of a plausible order, not measurements. */
struct warp_machine warp_machine_default(void)
{
	return (struct warp_machine){
		.clock_hz = NS_PER_SECOND,
		.sub_cores = 4,
		.latency = {[WARP_INT] = 4,
			[WARP_FP] = 4,
			[WARP_FP64] = 8,
			[WARP_SFU] = 16,
			[WARP_TENSOR] = 16,
			[WARP_MEMORY] = 1},
		.interval = {[WARP_INT] = 1,
			[WARP_FP] = 1,
			[WARP_FP64] = 4,
			[WARP_SFU] = 8,
			[WARP_TENSOR] = 2,
			[WARP_MEMORY] = 4},
		.shared_latency = 20,
		.l1_latency = 28,
		.l2_latency = 190,
		.dram_latency = 400,
		.bandwidth = 180000,
		.unit_fj = {[WARP_INT] = 25000,
			[WARP_FP] = 30000,
			[WARP_FP64] = 60000,
			[WARP_SFU] = 60000,
			[WARP_TENSOR] = 120000},
		.shared_fj = 30000,
		.global_fj = 60000,
		.dram_byte_fj = 150000,
	};
}

struct warp_step warp_step_default(enum warp_step_kind kind)
{
	return (struct warp_step){
		.kind = kind,
		.unit = WARP_INT,
		.count = 1,
		.threads = WARP_THREADS,
		.coalescing_ppm = RATIO_MAX_PPM,
		.bytes = 4,
	};
}

/* ---- time ---- */

/* floor(a * b / c) for a >= 0; INT64_MAX where it does not fit. */
static int64_t scale(int64_t a, int64_t b, int64_t c)
{
	uint128 quotient = (uint128)(uint64_t)a * (uint64_t)b / (uint64_t)c;
	return quotient > INT64_MAX ? INT64_MAX : (int64_t)quotient;
}

int64_t warp_ns(const struct warp_machine *m, int64_t cycle)
{
	return scale(cycle, NS_PER_SECOND, m->clock_hz);
}

int64_t warp_cycles(const struct warp_machine *m, int64_t ns)
{
	return scale(ns, m->clock_hz, NS_PER_SECOND);
}

/* ---- sizes ---- */

uint32_t warp_block_warps(const struct warp_kernel *k)
{
	return k->block_threads / WARP_THREADS + (k->block_threads % WARP_THREADS != 0);
}

/* Threads of one warp of a block. */
static uint32_t warp_threads(const struct warp_kernel *k, uint32_t warp)
{
	uint32_t rest = k->block_threads - warp * WARP_THREADS;
	return rest < WARP_THREADS ? rest : WARP_THREADS;
}

uint32_t warp_active_threads(const struct warp_kernel *k, const struct warp_step *step, uint32_t warp)
{
	uint32_t has = warp_threads(k, warp);
	return step->threads < has ? step->threads : has;
}

/* What one warp issues. */
struct size {
	uint128 warps, threads;
};

static bool is_size(uint128 value)
{
	return value <= (uint128)1 << SIZE_BITS;
}

/* Adds the steps from `begin` to `end`, once through, for a warp with `has` threads. */
static bool add_steps(
	const struct warp_kernel *k, uint32_t begin, uint32_t end, uint32_t has, struct size *sum)
{
	for (uint32_t i = begin; i < end; i++) {
		const struct warp_step *s = &k->steps[i];
		struct size once = {1, s->threads < has ? s->threads : has};
		if (s->kind == STEP_LOOP) {
			once = (struct size){0};
			if (!add_steps(k, i + 1, i + 1 + s->body, has, &once))
				return false;
			i += s->body;
		}
		sum->warps += once.warps * s->count;
		sum->threads += once.threads * s->count;
		if (!is_size(sum->warps) || !is_size(sum->threads))
			return false;
	}
	return true;
}

/* Of one part. */
static bool part_size(const struct warp_kernel *k, int64_t *warp_instructions, int64_t *thread_instructions)
{
	uint32_t warps = warp_block_warps(k);
	struct size full = {0}, last = {0};
	if (!add_steps(k, 0, k->step_count, WARP_THREADS, &full) ||
		!add_steps(k, 0, k->step_count, warp_threads(k, warps - 1), &last))
		return false;
	uint128 all = full.warps * warps, threads = full.threads * (warps - 1) + last.threads;
	/* The sizes of a block first: 2^62 times a 32-bit number fits 128 bits, a product of more might
	 * not. */
	if (!is_size(all) || !is_size(threads) || !is_size(all * k->blocks) || !is_size(threads * k->blocks))
		return false;
	*warp_instructions = (int64_t)(all * k->blocks);
	*thread_instructions = (int64_t)(threads * k->blocks);
	return true;
}

bool warp_kernel_size(const struct warp_kernel *k, int64_t *warp_instructions, int64_t *thread_instructions)
{
	uint64_t warps = 0, threads = 0;
	for (uint32_t i = 0; i < warp_parts(k); i++) {
		if (!part_size(warp_part(k, i), warp_instructions, thread_instructions))
			return false;
		warps += (uint64_t)*warp_instructions;
		threads += (uint64_t)*thread_instructions;
		if (!is_size(warps) || !is_size(threads))
			return false;
	}
	*warp_instructions = (int64_t)warps;
	*thread_instructions = (int64_t)threads;
	return true;
}

/* ---- tasks ---- */

static struct segment segment_of(const struct warp_kernel *k, const struct warp_kernel *part)
{
	return (struct segment){
		.kind = SEGMENT_KERNEL,
		.form = KERNEL_WARPS,
		.bytes = -1,
		.stream = k->stream,
		.stream_high = k->stream_high,
		.grid = part->blocks,
		.block = part->block_threads,
		.registers = part->registers,
		.shared_memory = part->shared_memory,
	};
}

bool warp_set_tasks(struct taskset *set)
{
	const struct warp_set *w = set->warps;
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		const struct warp_kernel *k = &w->kernels[i];
		struct task *t = &set->tasks[i];
		t->offset_ns = warp_ns(&w->machine, k->launch);
		t->period_ns = warp_ns(&w->machine, k->period);
		t->segment_count = warp_parts(k);
		t->segments = arena_new(&set->arena, struct segment, t->segment_count);
		if (!t->segments)
			return false;
		for (uint32_t p = 0; p < t->segment_count; p++)
			t->segments[p] = segment_of(k, warp_part(k, p));
	}
	return true;
}

/* ---- checks ---- */

struct warp_set_check {
	struct defects found; /* the first member */
	const struct warp_set *set;
	const struct platform *platform;
	warp_report_fn *report;
	void *self;
	uint32_t kernel;
	uint32_t part; /* of the kernel; 0: the kernel itself */
};

static void place_defect(const struct defects *found, const char *text)
{
	const struct warp_set_check *c = (const struct warp_set_check *)found;
	char placed[512] = "";
	if (c->part > 0)
		snprintf(placed, sizeof(placed), "kernel %" PRIu32 " of 'then': ", c->part);
	snprintf(placed + strlen(placed), sizeof(placed) - strlen(placed), "%s", text);
	c->report(c->self, c->kernel, placed);
}

/* For a value of a step; `what` names it in the message. */
static bool step_in_range(
	struct warp_set_check *c, uint32_t step, const char *what, int64_t value, int64_t min, int64_t max)
{
	char text[64];
	snprintf(text, sizeof(text), "step %" PRIu32 " of the program: %s", step, what);
	return defects_in_range(&c->found, text, value, min, max);
}

static void check_units(struct warp_set_check *c)
{
	const struct warp_machine *m = &c->set->machine;
	for (int unit = 0; unit < WARP_UNITS; unit++) {
		char what[64];
		snprintf(what, sizeof(what), "the interval of unit %s", warp_unit_name((enum warp_unit)unit));
		defects_in_range(&c->found, what, m->interval[unit], 1, WARP_LATENCY_MAX);
		if (unit == WARP_MEMORY)
			continue;
		snprintf(what, sizeof(what), "the latency of unit %s", warp_unit_name((enum warp_unit)unit));
		defects_in_range(&c->found, what, m->latency[unit], 1, WARP_LATENCY_MAX);
		snprintf(what, sizeof(what), "the energy of unit %s", warp_unit_name((enum warp_unit)unit));
		defects_in_range(&c->found, what, m->unit_fj[unit], 0, ENERGY_MAX_FJ);
	}
}

static void check_machine(struct warp_set_check *c)
{
	const struct warp_machine *m = &c->set->machine;
	const struct {
		const char *what;
		int64_t value, min, max;
	} ranges[] = {
		{"the clock", m->clock_hz, CLOCK_MIN_HZ, CLOCK_MAX_HZ},
		{"the number of sub-cores", m->sub_cores, 1, WARP_SUB_CORES_MAX},
		{"the latency of shared memory", m->shared_latency, 1, WARP_LATENCY_MAX},
		{"the latency of L1", m->l1_latency, 1, WARP_LATENCY_MAX},
		{"the latency of L2", m->l2_latency, 1, WARP_LATENCY_MAX},
		{"the latency of DRAM", m->dram_latency, 1, WARP_LATENCY_MAX},
		{"the bandwidth in bytes per 1000 cycles", m->bandwidth, 1, BANDWIDTH_MAX},
		{"the size of L1", m->l1_bytes, 0, CACHE_BYTES_MAX},
		{"the size of L2", m->l2_bytes, 0, CACHE_BYTES_MAX},
		{"the limit on requests", m->requests, 0, WARP_REQUESTS_MAX},
		{"the energy of shared memory", m->shared_fj, 0, ENERGY_MAX_FJ},
		{"the energy of global memory", m->global_fj, 0, ENERGY_MAX_FJ},
		{"the energy of a DRAM byte", m->dram_byte_fj, 0, ENERGY_MAX_FJ},
	};
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		defects_in_range(&c->found, ranges[i].what, ranges[i].value, ranges[i].min, ranges[i].max);
	check_units(c);
	defects_in_range(&c->found, "the number of kernels", c->set->kernel_count, 1, WARP_KERNELS_MAX);
}

static void check_platform(struct warp_set_check *c)
{
	const struct platform *p = c->platform;
	if (p->sms == 0)
		defects_add(&c->found, "kernels of warps need a platform with SMs (sms)");
	if (p->pool != POOL_SM)
		defects_add(&c->found, "warps run on SMs: the platform's pool must be sm");
	if (p->warps_per_sm > WARPS_PER_SM_MAX)
		defects_add(&c->found,
			"an SM holds at most %u warps; the platform's warps_per_sm is %" PRIu32,
			WARPS_PER_SM_MAX, p->warps_per_sm);
	if (p->threads_per_sm > WARPS_PER_SM_MAX * WARP_THREADS)
		defects_add(&c->found,
			"an SM holds at most %u threads, %u warps; the platform's threads_per_sm is %" PRIu32,
			WARPS_PER_SM_MAX * WARP_THREADS, WARPS_PER_SM_MAX, p->threads_per_sm);
}

static void check_access(struct warp_set_check *c, uint32_t i, const struct warp_step *s)
{
	step_in_range(c, i, "l1_hit in millionths", s->l1_hit_ppm, 0, RATIO_MAX_PPM);
	step_in_range(c, i, "l2_hit in millionths", s->l2_hit_ppm, 0, RATIO_MAX_PPM);
	step_in_range(c, i, "coalescing in millionths", s->coalescing_ppm, 0, RATIO_MAX_PPM);
	step_in_range(c, i, "bytes per thread", s->bytes, 1, STEP_BYTES_MAX);
	if (!step_in_range(c, i, "reuse", s->reuse, 0, s->kind == STEP_LOAD ? WARP_REUSE_MAX : 0) ||
		!s->reuse)
		return;
	if (s->l1_hit_ppm)
		defects_add(&c->found,
			"step %" PRIu32 " of the program: a load has l1_hit or reuse, not both", i);
	if (!c->set->machine.l1_bytes)
		defects_add(&c->found,
			"step %" PRIu32 " of the program: reuse needs the size of L1 (l1_size)", i);
}

static void check_step(struct warp_set_check *c, uint32_t i, const struct warp_step *s)
{
	step_in_range(c, i, s->kind == STEP_LOOP ? "times" : "count", s->count, 1, WARP_COUNT_MAX);
	if (s->kind == STEP_LOOP)
		return;
	step_in_range(c, i, "threads", s->threads, 1, WARP_THREADS);
	step_in_range(c, i, "distance", s->distance, 0, WARP_DISTANCE_MAX);
	step_in_range(c, i, "first", s->first, 0, WARP_DISTANCE_MAX);
	if (s->kind == STEP_COMPUTE) {
		step_in_range(c, i, "latency", s->latency, 0, WARP_LATENCY_MAX);
		step_in_range(c, i, "the unit", s->unit, WARP_INT, WARP_TENSOR);
	}
	if (s->kind == STEP_LOAD || s->kind == STEP_STORE)
		check_access(c, i, s);
	if (s->kind == STEP_BARRIER && (s->count > 1 || s->distance || s->first))
		defects_add(&c->found,
			"step %" PRIu32 " of the program: a barrier is one instruction that needs no result",
			i);
}

static bool has_barrier(const struct warp_step *steps, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (steps[i].kind == STEP_BARRIER)
			return true;
	return false;
}

/* A loop, step i, whose rounds are shared, inside of `depth` loops. */
static void check_rounds(struct warp_set_check *c, const struct warp_kernel *k, uint32_t i, uint32_t depth)
{
	const struct warp_step *s = &k->steps[i];
	if (!step_in_range(c, i, "whose rounds they are", s->rounds, ROUNDS_OWN, ROUNDS_BLOCKS) ||
		s->rounds == ROUNDS_OWN)
		return;
	if (depth > 0)
		defects_add(&c->found,
			"step %" PRIu32 " of the program: only an outermost loop can be shared", i);
	for (uint32_t before = 0; before < i; before++)
		if (k->steps[before].kind == STEP_LOOP && k->steps[before].rounds != ROUNDS_OWN)
			defects_add(
				&c->found, "step %" PRIu32 " of the program: only one loop can be shared", i);
	if (s->rounds != ROUNDS_WARPS)
		return;
	if (has_barrier(&k->steps[i + 1], s->body))
		defects_add(&c->found,
			"step %" PRIu32 " of the program: a loop with a barrier is shared by blocks: its "
			"warps meet in every round",
			i);
	if (k->block_threads % WARP_THREADS)
		defects_add(&c->found,
			"step %" PRIu32 " of the program: a loop shared by warps wants whole warps: %" PRIu32
			" threads of a block are no multiple of %u",
			i, k->block_threads, WARP_THREADS);
}

/* The steps from `begin` to `end`, inside of `depth` loops. False: loops do not nest. */
static bool check_steps(
	struct warp_set_check *c, const struct warp_kernel *k, uint32_t begin, uint32_t end, uint32_t depth)
{
	for (uint32_t i = begin; i < end; i++) {
		const struct warp_step *s = &k->steps[i];
		if (!step_in_range(c, i, "its kind", s->kind, STEP_COMPUTE, STEP_LOOP))
			return false;
		check_step(c, i, s);
		if (s->kind != STEP_LOOP)
			continue;
		if (s->body == 0 || s->body > end - i - 1) {
			defects_add(&c->found,
				"step %" PRIu32 " of the program: the loop's body has %" PRIu32
				" steps, %" PRIu32 " are there",
				i, s->body, end - i - 1);
			return false;
		}
		if (depth == WARP_LOOPS_MAX) {
			defects_add(&c->found, "step %" PRIu32 " of the program: loops nest at most %u deep",
				i, WARP_LOOPS_MAX);
			return false;
		}
		check_rounds(c, k, i, depth);
		if (!check_steps(c, k, i + 1, i + 1 + s->body, depth + 1))
			return false;
		i += s->body;
	}
	return true;
}

/* The limit by which a block does not fit an empty SM, or NULL. */
static const char *binding_limit(const struct platform *p, const struct warp_kernel *k)
{
	uint32_t warps = warp_block_warps(k), threads = warps * WARP_THREADS;
	if (warps > WARPS_PER_SM_MAX)
		return "64 warps of an SM";
	if (p->threads_per_sm && threads > p->threads_per_sm)
		return "threads per SM";
	if (p->warps_per_sm && warps > p->warps_per_sm)
		return "warps per SM";
	if (p->registers_per_sm && k->registers > p->registers_per_sm / threads)
		return "registers per SM";
	if (p->shared_memory_per_sm && k->shared_memory > p->shared_memory_per_sm)
		return "shared memory per SM";
	return NULL;
}

static void check_blocks(struct warp_set_check *c, const struct warp_kernel *k)
{
	bool sound = defects_in_range(&c->found, "blocks", k->blocks, 1, INT32_MAX);
	sound = defects_in_range(&c->found, "block_threads", k->block_threads, 1, INT32_MAX) && sound;
	sound = defects_in_range(&c->found, "registers", k->registers, 0, INT32_MAX) && sound;
	sound = defects_in_range(&c->found, "shared_memory", k->shared_memory, 0, INT64_MAX) && sound;
	if (c->platform->threads_per_block && k->block_threads > c->platform->threads_per_block)
		defects_add(&c->found,
			"a block has %" PRIu32 " threads; this GPU takes at most %" PRIu32
			" (threads_per_block)",
			k->block_threads, c->platform->threads_per_block);
	const char *limit = sound ? binding_limit(c->platform, k) : NULL;
	if (limit)
		defects_add(&c->found,
			"a block of this kernel does not fit an empty SM: it exceeds the %s (%" PRIu32
			" warps of %u threads, %" PRId64 " registers a thread, %" PRId64 " bytes "
			"of shared memory)",
			limit, warp_block_warps(k), WARP_THREADS, k->registers, k->shared_memory);
}

static void check_launches(struct warp_set_check *c, const struct warp_kernel *k)
{
	defects_in_range(&c->found, "launch", k->launch, 0, WARP_CYCLES_MAX);
	defects_in_range(&c->found, "period", k->period, 0, WARP_CYCLES_MAX);
	if (k->repeat && k->period != 0)
		defects_add(&c->found, "a kernel has a period or is repeated, not both");
	if (k->stream < 0 && k->stream != STREAM_OWN)
		defects_add(&c->found, "a kernel of warps has a stream with a number, or its own");
}

/* thread_instructions: of a launch. */
static void check_time_goal(
	struct warp_set_check *c, const struct warp_kernel *k, int64_t thread_instructions)
{
	if (!defects_in_range(&c->found, "the goal's kernel time in ns", k->goal.kernel_ns, 1, INT64_MAX))
		return;
	int64_t cycles = warp_cycles(&c->set->machine, k->goal.kernel_ns);
	if (cycles == 0) {
		defects_add(&c->found, "the goal's kernel time is less than a cycle");
		return;
	}
	int64_t ipc = scale(thread_instructions, 1000000, cycles);
	if (ipc < 1 || ipc > WARP_GOAL_MAX)
		defects_add(&c->found,
			"the goal, %" PRId64 " thread instructions in %" PRId64 " cycles, is %s",
			thread_instructions, cycles,
			ipc < 1 ? "less than a millionth per cycle" : "more than 2^40 millionths per cycle");
}

/* thread_instructions: -1 if it is not known. */
static void check_goal(struct warp_set_check *c, const struct warp_kernel *k, int64_t thread_instructions)
{
	if (!defects_in_range(&c->found, "the goal's kind", k->goal.kind, GOAL_NONE, GOAL_TIME))
		return;
	if (k->goal.kind == GOAL_IPC)
		defects_in_range(&c->found, "the goal's ipc in millionths", k->goal.ipc, 1, WARP_GOAL_MAX);
	if (k->goal.kind == GOAL_SHARE)
		defects_in_range(
			&c->found, "the goal's share in millionths", k->goal.share_ppm, 1, RATIO_MAX_PPM);
	if (k->goal.kind == GOAL_TIME && thread_instructions >= 0)
		check_time_goal(c, k, thread_instructions);
}

/* Adds the rounds of shared loops that one warp would issue if it got all that a launch gives. */
static void add_pool(const struct warp_kernel *k, struct size *warp)
{
	for (uint32_t i = 0; i < k->step_count; i++) {
		const struct warp_step *s = &k->steps[i];
		uint32_t warps = s->rounds == ROUNDS_WARPS ? warp_block_warps(k) : 1;
		struct size round = {0};
		if (s->kind == STEP_LOOP && s->rounds != ROUNDS_OWN &&
			add_steps(k, i + 1, i + 1 + s->body, WARP_THREADS, &round))
			warp->warps += round.warps * (s->count - 1) * ((uint64_t)warps * k->blocks - 1);
	}
}

/* A warp's instructions are numbered in 32 bits; a launch's are counted in 62. */
static int64_t check_size(struct warp_set_check *c, const struct warp_kernel *k)
{
	struct size warp = {0};
	int64_t warp_instructions, thread_instructions;
	bool fits = add_steps(k, 0, k->step_count, WARP_THREADS, &warp);
	if (fits)
		add_pool(k, &warp);
	if (!fits || warp.warps > UINT32_MAX) {
		defects_add(&c->found,
			"the program is too long: a warp issues more than %" PRIu32 " instructions",
			UINT32_MAX);
		return -1;
	}
	if (!part_size(k, &warp_instructions, &thread_instructions)) {
		defects_add(
			&c->found, "the kernel is too large: a launch issues more than 2^62 instructions");
		return -1;
	}
	return thread_instructions;
}

/* What each part is by itself. Returns its thread instructions, or -1. */
static int64_t check_part(struct warp_set_check *c, const struct warp_kernel *k)
{
	size_t before = c->found.count;
	check_blocks(c, k);
	bool whole = defects_in_range(&c->found, "the number of steps of the program", k->step_count, 1,
			     WARP_STEPS_MAX) &&
		     check_steps(c, k, 0, k->step_count, 0);
	return whole && c->found.count == before ? check_size(c, k) : -1;
}

static void check_kernel(struct warp_set_check *c, const struct warp_kernel *k)
{
	int64_t threads = 0, warps;
	if (!defects_in_range(
		    &c->found, "the number of kernels of 'then'", k->then_count, 0, WARP_PARTS_MAX - 1))
		return;
	for (c->part = 0; c->part < warp_parts(k); c->part++)
		threads = check_part(c, warp_part(k, c->part)) < 0 ? -1 : threads;
	c->part = 0;
	if (threads == 0 && !warp_kernel_size(k, &warps, &threads)) {
		defects_add(
			&c->found, "the kernel is too large: a launch issues more than 2^62 instructions");
		threads = -1;
	}
	check_launches(c, k);
	check_goal(c, k, threads);
}

size_t warp_set_check(
	const struct warp_set *set, const struct platform *platform, warp_report_fn *report, void *self)
{
	struct warp_set_check c = {.found.report = place_defect,
		.set = set,
		.platform = platform,
		.report = report,
		.self = self,
		.kernel = UINT32_MAX};
	check_machine(&c);
	check_platform(&c);
	for (c.kernel = 0; c.kernel < set->kernel_count; c.kernel++)
		check_kernel(&c, &set->kernels[c.kernel]);
	return c.found.count;
}

bool warp_span_check(const struct warp_machine *m, const struct run_setup *setup, struct error *err)
{
	int64_t horizon = warp_cycles(m, setup->horizon_ns);
	if (horizon == 0)
		return error_set(err, STATUS_INPUT, "'horizon' is less than a cycle");
	if (horizon > WARP_CYCLES_MAX)
		return error_set(
			err, STATUS_INPUT, "'horizon' is more than %" PRId64 " cycles", WARP_CYCLES_MAX);
	return warp_cycles(m, setup->limit_ns) <= 10 * WARP_CYCLES_MAX ||
	       error_set(err, STATUS_INPUT, "'limit' is more than %" PRId64 " cycles", 10 * WARP_CYCLES_MAX);
}
