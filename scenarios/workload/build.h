/* scenarios/workload/build.h - code that all recipes use: memory and defaults of generated tasks, segments,
 * interleave ratios, periods from a utilisation. */
#ifndef CEGSIM_SCENARIOS_WORKLOAD_BUILD_H
#define CEGSIM_SCENARIOS_WORKLOAD_BUILD_H

#include "models/params.h"
#include "models/platform.h"
#include "models/taskset.h"
#include "scenarios/workload/draws.h"
#include "scenarios/workload/simplex.h"

#define PPM INT64_C(1000000)
#define GENERATOR_TRIES 10000u /* how many times a rejected value is drawn again */
#define TASKS_MAX 1000
#define SEGMENTS_MAX 1000 /* of one kind, in a task: below DRAW_ITEMS_MAX */

/* Limits of options. */
#define LENGTH_MAX INT64_C(3600000000000)       /* 1 h */
#define PERIOD_MAX INT64_C(2000000000000000000) /* 63 years, as in scenarios */
#define UTILISATION_MAX (INT64_C(1000) * PPM)

/* Tasks "t1" .. "tn" without segments, and the set's name, RECIPE-INDEX. False: out of memory. */
MUST_CHECK bool build_tasks(
	struct taskset *set, const char *recipe, uint32_t index, uint32_t count, struct error *err);
/* Room for `count` segments in a task that has none; task->segment_count stays 0. */
MUST_CHECK bool build_segments(struct taskset *set, struct task *task, size_t count, struct error *err);

/* Appends a segment to a task with room, on the task's own stream. A kernel has form KERNEL_GRID until the
 * caller changes it. */
struct segment *build_segment(struct task *task, enum segment_kind kind, int64_t best_ns, int64_t worst_ns);

/* T = D = length / utilisation rounded down, at least 1 ns; utilisation >= 1 ppm. False: longer than
 * PERIOD_MAX. */
MUST_CHECK bool build_period(
	struct task *task, int64_t length_ns, int64_t utilisation_ppm, struct error *err);

/* floor(value * ratio_ppm / 10^6), at most INT64_MAX for ratio_ppm <= 10^9 and value <= PERIOD_MAX. */
int64_t scaled_down(int64_t value, int64_t ratio_ppm);

/* A range of ratios or durations from an option, read once for a set; and a uniform draw from it. */
struct build_range {
	int64_t low, high;
};
struct build_range range_of(const struct params *params, const char *option);
int64_t draw_range(
	const struct draws *d, enum draw_what what, uint32_t task, uint32_t item, struct build_range range);

/* Gives the tasks cores 0 .. cores - 1, the one of greatest utilisation first, each the core that has the
 * least so far (worst fit decreasing); ties go to the lower index. Nothing with one core, or where any core
 * serves any task. False: the platform has fewer. */
MUST_CHECK bool build_cores(struct taskset *set, const struct platform *platform, uint32_t cores,
	const int64_t *utilisation_ppm, struct error *err);

/* Gives the tasks' copies and kernels GPUs 0 .. gpus - 1, which are alike, in the same way: by what these
 * segments take of the period, a kernel at its length on one SM. Called when the tasks have their segments.
 * False: the platform has fewer. */
MUST_CHECK bool build_gpus(
	struct taskset *set, const struct platform *platform, uint32_t gpus, struct error *err);

/* Interleave ratios of a kernel whose alpha for two virtual SMs per SM is alpha_ppm. The ratio for other
 * numbers V of virtual SMs is not measured: each doubling multiplies it by alpha again, alpha(V) =
 * alpha^(log2 V), rounded up to ppm; if `same`, it is alpha for every V. The numbers V are the platform's
 * V_SM, or, if it has none, 2, 4, 8, ... until V on every SM are enough for `tasks` tasks. NULL, *err: out of
 * memory. */
struct interleave *build_interleave(struct taskset *set, const struct platform *platform, uint32_t tasks,
	int64_t alpha_ppm, bool same, uint32_t *count, struct error *err);

#endif
