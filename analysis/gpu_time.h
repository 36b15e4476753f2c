/* analysis/gpu_time.h - bounds of the time of a kernel on virtual SMs or SMs of its own.
 *
 * RTGPU's Lemma 5.1 for divisible work; kernels of blocks take the ceiling over their real blocks, profiles
 * their measured time. models/kernel.h computes the times; this file gives bounds that hold for every choice
 * of virtual SMs. */
#ifndef CEGSIM_ANALYSIS_GPU_TIME_H
#define CEGSIM_ANALYSIS_GPU_TIME_H

#include "analysis/chain.h"

/* On what kernels run: whole SMs, or single virtual SMs, virtual_sms per SM. With single ones, other tasks'
 * kernels run on the same SM, and the worst interleave ratio of the set counts for all. */
struct gpu_slots {
	const struct platform *platform;
	const struct taskset *set;
	uint32_t virtual_sms;
	bool single;
	struct interleave worst; /* single: the largest of the set */
};

/* For the tasks whose kernels are on the GPU that `platform` is: with several, platform_gpu(). False, with
 * the reason and the task: a kernel that has no interleave ratio for so many virtual SMs per SM, or whose
 * blocks do not fit. */
MUST_CHECK bool gpu_slots_check(const struct platform *platform, const struct taskset *set,
	const struct chains *chains, uint32_t virtual_sms, bool single, struct gpu_slots *slots,
	struct verdict *v);

/* [*shortest, *longest] of the kernel on `count` >= 1 virtual SMs, with whole SMs a multiple of V_SM. The
 * lower bound is rounded down, never grows with count, and holds for fewer virtual SMs, too. NO_BOUND as
 * longest where the kernel has no time (a profile that is too short, a time beyond int64). */
void gpu_slots_time(const struct gpu_slots *slots, const struct segment *kernel, uint32_t count,
	int64_t *shortest, int64_t *longest);

/* Whether the longest time never grows with the count. It may grow if there is more overhead than interleaved
 * work; with a profile that is not known. */
bool gpu_slots_monotone(const struct gpu_slots *slots, const struct segment *kernel);

/* Longest time of the kernel on `sms` whole SMs of V_SM virtual SMs each, or NO_BOUND. */
int64_t gpu_sms_time(const struct platform *platform, const struct taskset *set, const struct segment *kernel,
	uint32_t virtual_sms, uint32_t sms);

#endif
