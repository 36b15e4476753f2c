/* tests/unit/warp_run_sets.h - a set of kernels of warps made in code, for the tests of runs/.
 *
 * Two SMs. "loads" reads memory in a loop with barriers, is repeated and has a goal; "computes" has a period
 * and a deadline that it misses, "once" is launched once. A run of 20000 cycles, at 1 GHz, to the horizon. */
#ifndef CEGSIM_TESTS_WARP_RUN_SETS_H
#define CEGSIM_TESTS_WARP_RUN_SETS_H

#include <stdlib.h>
#include <string.h>

#include "models/setup.h"
#include "models/warps/warp_set.h"

#define WARP_RUN_KERNELS 3

struct warp_subject {
	struct platform platform;
	struct taskset set;
	struct run_setup setup;
	struct warp_set warps;
	struct warp_kernel kernels[WARP_RUN_KERNELS];
	struct warp_step steps[7];
};

static inline struct warp_step warp_subject_step(enum warp_step_kind kind, uint32_t count)
{
	struct warp_step s = warp_step_default(kind);
	s.count = count;
	return s;
}

static inline void warp_subject_steps(struct warp_subject *s)
{
	s->steps[0] = warp_subject_step(STEP_LOOP, 6);
	s->steps[0].body = 3;
	s->steps[1] = warp_subject_step(STEP_LOAD, 2);
	s->steps[1].l1_hit_ppm = 500000;
	s->steps[1].l2_hit_ppm = 250000;
	s->steps[2] = warp_subject_step(STEP_COMPUTE, 3);
	s->steps[2].unit = WARP_FP;
	s->steps[2].distance = s->steps[2].first = 1;
	s->steps[3] = warp_subject_step(STEP_BARRIER, 1);
	s->steps[4] = warp_subject_step(STEP_COMPUTE, 40);
	s->steps[4].unit = WARP_TENSOR;
	s->steps[4].latency = 9;
	s->steps[5] = warp_subject_step(STEP_STORE, 2);
	s->steps[5].bytes = 8;
	s->steps[5].threads = 16;
	s->steps[6] = warp_subject_step(STEP_SHARED_LOAD, 5);
}

static inline bool warp_subject_init(struct warp_subject *s)
{
	*s = (struct warp_subject){.platform = platform_default()};
	strcpy(s->platform.name, "two-sms");
	s->platform.sms = 2;
	s->platform.threads_per_sm = 512;
	s->platform.warps_per_sm = 16;
	s->platform.blocks_per_sm = 8;
	s->platform.registers_per_sm = 32768;
	s->platform.shared_memory_per_sm = 16384;
	s->platform.static_uw = 3000000;
	s->setup = (struct run_setup){
		.horizon_ns = 20000,
		.limit_ns = 20000,
		.stop = STOP_HORIZON,
		.seed = 7,
		.release = {.kind = RELEASE_PERIODIC},
	};
	warp_subject_steps(s);
	s->kernels[0] = (struct warp_kernel){
		.blocks = 12,
		.block_threads = 96,
		.registers = 32,
		.steps = s->steps,
		.step_count = 4,
		.stream = STREAM_OWN,
		.repeat = true,
		.goal = {.kind = GOAL_IPC, .ipc = 10000000},
	};
	s->kernels[1] = (struct warp_kernel){
		.blocks = 8,
		.block_threads = 64,
		.shared_memory = 1024,
		.steps = s->steps + 4,
		.step_count = 2,
		.stream = 2,
		.stream_high = true,
		.launch = 10,
		.period = 9000,
	};
	s->kernels[2] = (struct warp_kernel){
		.blocks = 2,
		.block_threads = 33,
		.steps = s->steps + 5,
		.step_count = 2,
		.stream = 2,
		.launch = 300,
		.goal = {.kind = GOAL_TIME, .kernel_ns = 900},
	};
	s->warps = (struct warp_set){warp_machine_default(), s->kernels, WARP_RUN_KERNELS};
	taskset_init(&s->set);
	s->set.warps = &s->warps;
	s->set.name = arena_strdup(&s->set.arena, "programs");
	s->set.tasks = arena_new(&s->set.arena, struct task, WARP_RUN_KERNELS);
	s->set.task_count = WARP_RUN_KERNELS;
	static const char *const names[] = {"loads", "computes", "once"};
	for (int i = 0; s->set.tasks && i < WARP_RUN_KERNELS; i++)
		s->set.tasks[i].name = arena_strdup(&s->set.arena, names[i]);
	if (!s->set.name || !s->set.tasks || !warp_set_tasks(&s->set))
		return false;
	s->set.tasks[1].deadline_ns = 5;
	return true;
}

static inline void warp_subject_finish(struct warp_subject *s)
{
	taskset_finish(&s->set);
}

#endif
