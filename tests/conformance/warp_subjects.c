/* tests/conformance/warp_subjects.c - every scheduler with every manager, with their options; and small sets
 * of kernels, which differ in what limits them, how many there are, on how many SMs they run, and which goals
 * they have. */
#include "tests/conformance/warp_subjects.h"

#include <stdio.h>
#include <string.h>

/* ---- schedulers and managers ---- */

struct scheduling {
	const char *name;
	struct warp_options options;
};

static const struct scheduling schedulers[] = {
	{"lrr", {.scheduler = SCHEDULE_LRR}},
	{"lrr by cycle", {.scheduler = SCHEDULE_LRR, .rotate_cycle = true}},
	{"gto", {.scheduler = SCHEDULE_GTO}},
	{"oldest", {.scheduler = SCHEDULE_OLDEST}},
	{"two-level of 1", {.scheduler = SCHEDULE_TWO_LEVEL, .active = 1}},
	{"two-level of 3", {.scheduler = SCHEDULE_TWO_LEVEL, .active = 3}},
	{"two-level of 3, greedy", {.scheduler = SCHEDULE_TWO_LEVEL, .active = 3, .inner_gto = true}},
	{"qaws 2 2", {.scheduler = SCHEDULE_QAWS, .budget = {2, 2, 2, 2}}},
	{"qaws 1 4", {.scheduler = SCHEDULE_QAWS, .budget = {1, 4, 4, 1}}},
	{"qaws 3 1 2", {.scheduler = SCHEDULE_QAWS, .budget = {3, 1, 2, 1}}},
};

static const struct scheduling managers[] = {
	{"smk", {.manager = MANAGER_SMK, .history = true, .adjust = true}},
	{"smk, fill", {.manager = MANAGER_SMK, .history = true, .adjust = true, .blocks = BLOCKS_FILL}},
	{"naive", {.manager = MANAGER_NAIVE, .history = true, .adjust = true}},
	{"history", {.manager = MANAGER_HISTORY, .history = true, .adjust = true}},
	{"elastic", {.manager = MANAGER_ELASTIC, .history = true, .adjust = true}},
	{"elastic, fill",
		{.manager = MANAGER_ELASTIC, .history = true, .adjust = true, .blocks = BLOCKS_FILL}},
	{"rollover", {.manager = MANAGER_ROLLOVER, .history = true, .adjust = true}},
	{"rollover, free swaps",
		{.manager = MANAGER_ROLLOVER, .history = true, .adjust = true, .free_swaps = true}},
	{"rollover, epochs that cost",
		{.manager = MANAGER_ROLLOVER, .history = true, .adjust = true, .epoch_cost = 17}},
	{"rollover, adjusted late",
		{.manager = MANAGER_ROLLOVER, .history = true, .adjust = true, .adjust_margin = 150000}},
	{"rollover, not adjusted", {.manager = MANAGER_ROLLOVER, .history = true}},
	{"rollover without history", {.manager = MANAGER_ROLLOVER, .adjust = true}},
	{"rollover-time", {.manager = MANAGER_ROLLOVER_TIME, .history = true, .adjust = true}},
	{"spart", {.manager = MANAGER_SPART, .history = true, .adjust = true}},
	{"spart, free swaps",
		{.manager = MANAGER_SPART, .history = true, .adjust = true, .free_swaps = true}},
};

size_t warp_subjects_all(struct warp_subject subjects[WARP_SUBJECTS_MAX])
{
	size_t count = 0;
	for (size_t i = 0; i < sizeof(schedulers) / sizeof(schedulers[0]); i++) {
		for (size_t j = 0; j < sizeof(managers) / sizeof(managers[0]); j++) {
			struct warp_subject *subject = &subjects[count++];
			const struct warp_options *of = &managers[j].options;
			*subject = (struct warp_subject){.options = schedulers[i].options};
			subject->options.manager = of->manager;
			subject->options.blocks = of->blocks;
			subject->options.history = of->history;
			subject->options.adjust = of->adjust;
			subject->options.free_swaps = of->free_swaps;
			subject->options.adjust_margin = of->adjust_margin;
			subject->options.epoch_cost = of->epoch_cost;
			for (uint32_t k = 0; k < WARP_KERNELS_MAX; k++)
				if (!subject->options.budget[k])
					subject->options.budget[k] = 1;
			snprintf(subject->name, sizeof(subject->name), "%s, %s", schedulers[i].name,
				managers[j].name);
		}
	}
	return count;
}

/* ---- steps ---- */

static void units(struct warp_scene *s, uint32_t k, enum warp_unit unit, uint32_t count, uint32_t distance)
{
	struct warp_step *step = warp_scene_step(s, k, STEP_COMPUTE, count);
	step->unit = unit;
	step->first = step->distance = distance;
}

static struct warp_step *access(
	struct warp_scene *s, uint32_t k, enum warp_step_kind kind, uint32_t l1, uint32_t l2)
{
	struct warp_step *step = warp_scene_step(s, k, kind, 1);
	step->l1_hit_ppm = l1;
	step->l2_hit_ppm = l2;
	step->first = 1;
	return step;
}

static void loop(struct warp_scene *s, uint32_t k, uint32_t times, uint32_t body)
{
	warp_scene_step(s, k, STEP_LOOP, times)->body = body;
}

static void barrier(struct warp_scene *s, uint32_t k)
{
	warp_scene_step(s, k, STEP_BARRIER, 1);
}

/* ---- programs, of some 40 to 120 instructions ---- */

static void compute(struct warp_scene *s, uint32_t k, uint32_t times)
{
	units(s, k, WARP_INT, 2, 1);
	loop(s, k, times, 2);
	units(s, k, WARP_FP, 6, 2);
	units(s, k, WARP_SFU, 1, 1);
}

static void memory(struct warp_scene *s, uint32_t k, uint32_t times)
{
	loop(s, k, times, 4);
	access(s, k, STEP_LOAD, 100000, 300000);
	access(s, k, STEP_LOAD, 0, 500000)->coalescing_ppm = 700000;
	units(s, k, WARP_INT, 2, 1);
	access(s, k, STEP_STORE, 0, 200000);
}

static void latency(struct warp_scene *s, uint32_t k, uint32_t times)
{
	loop(s, k, times, 2);
	access(s, k, STEP_LOAD, 300000, 900000);
	units(s, k, WARP_INT, 1, 1);
}

static void meeting(struct warp_scene *s, uint32_t k, uint32_t times)
{
	loop(s, k, times, 5);
	access(s, k, STEP_SHARED_STORE, 0, 0);
	barrier(s, k);
	access(s, k, STEP_SHARED_LOAD, 0, 0)->first = 0;
	units(s, k, WARP_FP, 2, 1);
	barrier(s, k);
}

static void diverging(struct warp_scene *s, uint32_t k, uint32_t times)
{
	loop(s, k, times, 5);
	units(s, k, WARP_INT, 3, 1);
	loop(s, k, 2, 2);
	warp_scene_compute(s, k, 2, 0, 1, 3)->threads = 5;
	access(s, k, STEP_LOAD, 500000, 500000)->threads = 17;
	units(s, k, WARP_TENSOR, 1, 2);
	barrier(s, k);
}

/* ---- sets ---- */

static void shape(struct warp_scene *s, uint32_t k, uint32_t blocks, uint32_t threads, int64_t registers,
	int64_t shared)
{
	s->kernel[k].blocks = blocks;
	s->kernel[k].block_threads = threads;
	s->kernel[k].registers = registers;
	s->kernel[k].shared_memory = shared;
}

static void goal(struct warp_scene *s, uint32_t k, double ipc)
{
	s->kernel[k].goal = (struct warp_goal){.kind = GOAL_IPC, .ipc = (int64_t)(ipc * 1e6)};
}

static void sms(struct warp_scene *s, uint32_t count, uint32_t cores, uint32_t threads)
{
	s->platform.sms = count;
	s->platform.threads_per_sm = threads;
	s->warps.machine.sub_cores = cores;
}

static void compute_bound(struct warp_scene *s)
{
	sms(s, 2, 2, 512);
	compute(s, 0, 5);
	compute(s, 1, 5);
	shape(s, 0, 12, 96, 8, 0);
	shape(s, 1, 12, 64, 2, 256);
	goal(s, 0, 25);
}

static void memory_bound(struct warp_scene *s)
{
	sms(s, 2, 2, 384);
	s->warps.machine.bandwidth = 40000;
	memory(s, 0, 6);
	memory(s, 1, 8);
	shape(s, 0, 10, 64, 1, 0);
	shape(s, 1, 8, 128, 1, 64);
	goal(s, 0, 6);
}

static void latency_bound(struct warp_scene *s)
{
	sms(s, 1, 4, 512);
	latency(s, 0, 8);
	compute(s, 1, 4);
	shape(s, 0, 6, 64, 4, 0);
	shape(s, 1, 16, 32, 4, 0);
	goal(s, 0, 4);
}

static void barriers(struct warp_scene *s)
{
	sms(s, 2, 3, 512);
	s->platform.shared_memory_per_sm = 2000;
	meeting(s, 0, 5);
	meeting(s, 1, 4);
	shape(s, 0, 8, 160, 2, 700);
	shape(s, 1, 8, 64, 0, 300);
	goal(s, 1, 12);
}

static void divergence(struct warp_scene *s)
{
	sms(s, 3, 1, 512);
	s->platform.registers_per_sm = 1000;
	diverging(s, 0, 4);
	compute(s, 1, 4);
	shape(s, 0, 9, 40, 3, 0);
	shape(s, 1, 9, 33, 3, 0);
	goal(s, 0, 30);
}

/* A goal that no kernel can reach: blocks of few bytes are swapped out for it. */
static void out_of_reach(struct warp_scene *s)
{
	sms(s, 2, 2, 640);
	latency(s, 0, 8);
	diverging(s, 1, 4);
	shape(s, 0, 60, 64, 1, 0);
	shape(s, 1, 20, 64, 1, 32);
	goal(s, 0, 300);
	s->warps.machine.bandwidth = 12000;
}

/* The same, and the kernel that loses blocks has a goal, too, which it exceeds. */
static void of_the_rich(struct warp_scene *s)
{
	sms(s, 4, 1, 512);
	latency(s, 0, 7);
	meeting(s, 1, 6);
	shape(s, 0, 60, 64, 1, 0);
	shape(s, 1, 40, 64, 0, 48);
	goal(s, 0, 200);
	goal(s, 1, 0.3);
	s->warps.machine.bandwidth = 16000;
}

static void within_reach(struct warp_scene *s)
{
	sms(s, 4, 1, 192);
	compute(s, 0, 6);
	memory(s, 1, 4);
	shape(s, 0, 14, 64, 2, 0);
	shape(s, 1, 14, 64, 2, 0);
	goal(s, 0, 1);
}

static void trio(struct warp_scene *s)
{
	sms(s, 4, 2, 384);
	s->platform.warps_per_sm = 10;
	compute(s, 0, 4);
	latency(s, 1, 5);
	memory(s, 2, 3);
	shape(s, 0, 14, 64, 2, 0);
	shape(s, 1, 14, 64, 2, 100);
	shape(s, 2, 12, 96, 2, 0);
	goal(s, 0, 60);
	goal(s, 1, 8);
	s->warps.machine.bandwidth = 60000;
}

static void four_on_one(struct warp_scene *s)
{
	sms(s, 1, 1, 1024);
	compute(s, 0, 3);
	diverging(s, 1, 2);
	latency(s, 2, 3);
	meeting(s, 3, 3);
	shape(s, 0, 6, 32, 1, 0);
	shape(s, 1, 5, 64, 1, 0);
	shape(s, 2, 8, 32, 1, 0);
	shape(s, 3, 4, 96, 1, 0);
	goal(s, 2, 3);
	goal(s, 3, 10);
}

/* Streams, periods, repeats, and a kernel that is launched late. */
static void streams(struct warp_scene *s)
{
	sms(s, 2, 2, 256);
	compute(s, 0, 2);
	meeting(s, 1, 2);
	latency(s, 2, 2);
	compute(s, 3, 1);
	shape(s, 0, 3, 64, 2, 0);
	shape(s, 1, 4, 96, 2, 0);
	shape(s, 2, 2, 40, 2, 0);
	shape(s, 3, 6, 64, 2, 0);
	s->kernel[0].stream = s->kernel[2].stream = 7;
	s->kernel[0].period = 170;
	s->kernel[1].launch = 33;
	s->kernel[1].repeat = true;
	s->kernel[2].launch = 5;
	s->kernel[2].period = 300;
	s->kernel[3].launch = 450;
	s->kernel[3].stream_high = true;
	goal(s, 1, 18);
	s->setup.stop = STOP_HORIZON;
}

/* Kernels that repeat; one has a goal in time, one a goal that is a share. */
static void again(struct warp_scene *s)
{
	sms(s, 2, 2, 256);
	compute(s, 0, 3);
	memory(s, 1, 2);
	shape(s, 0, 7, 64, 1, 0);
	shape(s, 1, 5, 64, 1, 0);
	s->kernel[0].repeat = s->kernel[1].repeat = true;
	s->kernel[0].goal = (struct warp_goal){.kind = GOAL_TIME, .kernel_ns = 250};
	s->kernel[1].goal = (struct warp_goal){.kind = GOAL_SHARE, .share_ppm = 700000};
	s->setup.stop = STOP_HORIZON;
}

/* Many warps pass one after the other through all positions of a sub-core. */
static void many_small(struct warp_scene *s)
{
	sms(s, 1, 1, 0);
	s->platform.blocks_per_sm = 12;
	units(s, 0, WARP_INT, 3, 1);
	access(s, 0, STEP_LOAD, 500000, 0);
	units(s, 1, WARP_FP, 9, 1);
	shape(s, 0, 90, 32, 1, 0);
	shape(s, 1, 40, 20, 1, 0);
	goal(s, 0, 15);
}

/* Kernel 0 has two warps, which issue in every cycle: more SMs do not make it faster. */
static void nothing_helps(struct warp_scene *s)
{
	sms(s, 8, 1, 256);
	units(s, 0, WARP_INT, 1500, 0);
	compute(s, 1, 5);
	shape(s, 0, 2, 32, 1, 0);
	shape(s, 1, 60, 96, 1, 0);
	goal(s, 0, 100);
}

/* Shares the loop that was added so many steps ago. */
static void share(struct warp_scene *s, uint32_t k, uint32_t back, enum warp_rounds rounds)
{
	s->step[k][s->kernel[k].step_count - back].rounds = rounds;
}

/* Warps of one kernel take rounds one by one, blocks of the other all together. */
static void pools(struct warp_scene *s)
{
	sms(s, 2, 2, 512);
	units(s, 0, WARP_INT, 2, 1);
	memory(s, 0, 6);
	share(s, 0, 5, ROUNDS_WARPS);
	access(s, 0, STEP_STORE, 0, 500000);
	meeting(s, 1, 5);
	share(s, 1, 6, ROUNDS_BLOCKS);
	shape(s, 0, 6, 96, 2, 0);
	shape(s, 1, 7, 80, 2, 100);
	goal(s, 0, 12);
}

/* The pools are filled again by each launch. */
static void pools_again(struct warp_scene *s)
{
	sms(s, 3, 1, 256);
	compute(s, 0, 4);
	share(s, 0, 3, ROUNDS_WARPS);
	diverging(s, 1, 3);
	share(s, 1, 7, ROUNDS_BLOCKS);
	shape(s, 0, 5, 64, 1, 0);
	shape(s, 1, 12, 64, 1, 0);
	s->kernel[0].repeat = true;
	s->kernel[1].period = 200;
	goal(s, 0, 20);
	s->setup.stop = STOP_HORIZON;
}

/* Loads of lines that may have been pushed out of L1 meanwhile, by scattered ones of the other kernel. */
static void reuse(struct warp_scene *s)
{
	sms(s, 2, 2, 384);
	s->warps.machine.l1_bytes = 30 * WARP_LINE_BYTES;
	s->warps.machine.l2_latency = 14;
	loop(s, 0, 6, 4);
	access(s, 0, STEP_LOAD, 0, 700000)->count = 2;
	units(s, 0, WARP_INT, 2, 1);
	access(s, 0, STEP_LOAD, 0, 400000)->reuse = 3;
	access(s, 0, STEP_STORE, 0, 500000);
	memory(s, 1, 4);
	shape(s, 0, 12, 64, 1, 0);
	shape(s, 1, 5, 96, 1, 0);
	goal(s, 0, 20);
}

/* The same of lines that L1 has no longer, but L2. */
static void reuse_in_l2(struct warp_scene *s)
{
	reuse(s);
	s->warps.machine.l1_bytes = 4 * WARP_LINE_BYTES;
	s->warps.machine.l2_bytes = 25 * WARP_LINE_BYTES;
	s->step[0][2].l2_hit_ppm = 300000;
}

/* Loads that an SM does not take, as it waits for others; also where a sub-core has other work, or loads
 * alone. */
static void full(struct warp_scene *s)
{
	sms(s, 2, 2, 384);
	s->warps.machine.requests = 6;
	s->warps.machine.l2_latency = 14;
	loop(s, 0, 5, 3);
	access(s, 0, STEP_LOAD, 100000, 700000)->count = 3;
	access(s, 0, STEP_LOAD, 0, 500000)->coalescing_ppm = 900000;
	access(s, 0, STEP_STORE, 0, 500000);
	compute(s, 1, 6);
	units(s, 1, WARP_INT, 2, 1);
	access(s, 1, STEP_LOAD, 0, 900000);
	shape(s, 0, 10, 64, 1, 0);
	shape(s, 1, 6, 96, 1, 0);
	goal(s, 1, 20);
}

/* Applications: jobs of several kernels, whose blocks need more or less than those before. One has a part of
 * blocks that are as before. */
static void applications(struct warp_scene *s)
{
	sms(s, 3, 2, 384);
	s->platform.registers_per_sm = 3000;
	compute(s, 0, 3);
	memory(s, 4, 2);
	share(s, 4, 5, ROUNDS_WARPS);
	latency(s, 5, 4);
	meeting(s, 1, 3);
	latency(s, 6, 3);
	shape(s, 0, 14, 64, 3, 0);
	shape(s, 4, 8, 96, 8, 64);
	shape(s, 5, 9, 96, 8, 64);
	shape(s, 1, 5, 96, 1, 0);
	shape(s, 6, 12, 32, 2, 0);
	warp_scene_then(s, 0, 4);
	warp_scene_then(s, 0, 5);
	warp_scene_then(s, 1, 6);
	s->kernel[0].repeat = s->kernel[1].repeat = true;
	goal(s, 0, 40);
	s->setup.stop = STOP_HORIZON;
}

/* The same with a goal of time, and drained; a job waits for the stream. */
static void applications_end(struct warp_scene *s)
{
	sms(s, 2, 2, 256);
	latency(s, 0, 3);
	diverging(s, 4, 2);
	compute(s, 1, 2);
	memory(s, 5, 2);
	compute(s, 2, 3);
	shape(s, 0, 20, 32, 1, 0);
	shape(s, 4, 3, 128, 4, 0);
	shape(s, 1, 4, 64, 2, 0);
	shape(s, 5, 1, 64, 2, 0);
	shape(s, 2, 9, 64, 2, 32);
	warp_scene_then(s, 0, 4);
	warp_scene_then(s, 1, 5);
	s->kernel[0].period = 400;
	s->kernel[0].stream = s->kernel[1].stream = 3;
	s->kernel[1].period = 300;
	s->kernel[0].goal = (struct warp_goal){.kind = GOAL_TIME, .kernel_ns = 300};
}

static const struct {
	const char *name;
	void (*make)(struct warp_scene *s);
} sets[] = {
	{"compute-bound", compute_bound},
	{"memory-bound", memory_bound},
	{"latency-bound", latency_bound},
	{"barriers", barriers},
	{"divergence", divergence},
	{"out of reach", out_of_reach},
	{"of the rich", of_the_rich},
	{"within reach", within_reach},
	{"trio", trio},
	{"four on one", four_on_one},
	{"streams", streams},
	{"again", again},
	{"many small", many_small},
	{"nothing helps", nothing_helps},
	{"pools", pools},
	{"pools again", pools_again},
	{"reuse", reuse},
	{"reuse in L2", reuse_in_l2},
	{"full", full},
	{"applications", applications},
	{"applications that end", applications_end},
};

const size_t warp_sets = sizeof(sets) / sizeof(sets[0]);

const char *warp_set_name(size_t index)
{
	return sets[index].name;
}

void warp_set_scene(size_t index, const struct warp_subject *subject, struct warp_scene *s)
{
	warp_scene_init(s, 4);
	s->warps.machine = warp_machine_default();
	s->warps.machine.dram_latency = 90;
	s->warps.machine.l2_latency = 40;
	s->warps.machine.l1_latency = 12;
	s->platform.static_uw = 1000;
	s->setup.horizon_ns = 1000;
	s->setup.limit_ns = 2500;
	sets[index].make(s);
	s->warps.kernel_count = 0;
	while (s->warps.kernel_count < 4 && s->kernel[s->warps.kernel_count].step_count > 0)
		s->warps.kernel_count++;
	s->options = subject->options;
	s->options.epoch = 110;
	s->options.samples = 10;
	/* One SM for each kernel. */
	if (s->options.manager == MANAGER_SPART && s->platform.sms < s->warps.kernel_count)
		s->platform.sms = s->warps.kernel_count;
}
