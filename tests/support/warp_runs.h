/* tests/support/warp_runs.h - small sets of kernels of warps, written in a test; and everything that a run of
 * one reports, collected. */
#ifndef CEGSIM_TESTS_SUPPORT_WARP_RUNS_H
#define CEGSIM_TESTS_SUPPORT_WARP_RUNS_H

#include "models/warps/simulation.h"
#include "models/warps/warp_set.h"
#include "sim/trace.h"

#define SCENE_STEPS 24
#define SCENE_THEN 4 /* parts of a kernel beside the first */

/* Points into itself: do not copy it. */
struct warp_scene {
	struct platform platform;
	struct warp_set warps;
	struct warp_kernel kernel[WARP_KERNELS_MAX];
	struct warp_step step[WARP_KERNELS_MAX][SCENE_STEPS];
	struct warp_kernel then[WARP_KERNELS_MAX][SCENE_THEN];
	int64_t deadline_ns[WARP_KERNELS_MAX];
	struct run_setup setup;
	struct warp_options options;
	int64_t alone[WARP_KERNELS_MAX]; /* measured, if a goal is a share of it */
	struct taskset set;
};

/* One SM with one sub-core, 1 GHz, latencies and intervals of 1, one byte per cycle, no energy, no limits;
 * gto without a manager, stop: drained, horizon 1000. Each kernel has one block of 32 threads and its own
 * stream, is launched in cycle 0 and has no steps yet. */
void warp_scene_init(struct warp_scene *s, uint32_t kernels);
/* Appends a step to a kernel's program, with the defaults of its kind. */
struct warp_step *warp_scene_step(
	struct warp_scene *s, uint32_t kernel, enum warp_step_kind kind, uint32_t count);
/* Appends `count` compute instructions of this latency. The first needs the instruction `first` before it,
 * the others need the one `distance` before them. */
struct warp_step *warp_scene_compute(struct warp_scene *s, uint32_t kernel, uint32_t count, int64_t latency,
	uint32_t first, uint32_t distance);
/* Jobs of the kernel run what kernel `last` is now behind all that they run already. That one has no steps
 * then, and is free for something else, but for its place of steps. */
void warp_scene_then(struct warp_scene *s, uint32_t kernel, uint32_t last);
void warp_scene_finish(struct warp_scene *s);
/* Puts the parts together and checks them; fails the test with what is wrong. */
void warp_scene_ready(struct warp_scene *s);

#define WARP_ROWS(type, name)                                                                                \
	struct type *name;                                                                                   \
	size_t name##_count, name##_room

struct warp_run {
	struct warp_scene *scene;
	WARP_ROWS(warp_issue, issues);
	WARP_ROWS(warp_epoch, epochs);
	WARP_ROWS(warp_epoch_sm, sms);
	WARP_ROWS(warp_epoch_quota, quotas);
	WARP_ROWS(trace_record, records);
	struct simulation_outcome outcome;
	int64_t cycles;
	uint64_t events;
	struct warp_kernel_result kernel[WARP_KERNELS_MAX];
	int64_t *slots; /* [(sm * sub_cores + sub_core) * WARP_SLOTS + slot] */
	int128 energy;
};

/* Runs the scene to its end, about `events` instructions at a time. Fails the test if it cannot be made. */
struct warp_run *warp_run_in_steps(struct warp_scene *s, uint64_t events);
struct warp_run *warp_run(struct warp_scene *s);
void warp_run_free(struct warp_run *r);

/* The end of a job, or NULL. */
const struct trace_record *warp_run_job_end(const struct warp_run *r, uint32_t kernel, uint32_t job);

#endif
