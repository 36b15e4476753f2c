/* models/kernel.h - the time of a kernel on SMs, and what its blocks need.
 *
 * One place for the three ways in which a kernel is described (docs/model.md, "Time of a
 * kernel"): blocks of a grid, persistent blocks of divisible work (RTGPU, Lemma 5.1), and
 * measured profiles (sBEET, section III). */
#ifndef CEGSIM_MODELS_KERNEL_H
#define CEGSIM_MODELS_KERNEL_H

#include "models/platform.h"
#include "models/taskset.h"

struct grant;

/* What one block takes of an SM. */
struct block_demand {
	uint32_t threads; /* rounded up to warps in pool sm */
	uint32_t warps;
	uint32_t virtual_sms; /* 0 for blocks of a grid */
	int64_t registers, shared_memory;
	/* The division that an empty SM takes for it; 0 on platforms without divisions, too. */
	int64_t division;
};

/* A kernel on given SMs: a number of blocks, which all need the same of an SM. */
struct kernel_shape {
	uint32_t blocks;
	int64_t best_ns, worst_ns;       /* of one block; of the longest where they are not alike */
	const struct block_times *times; /* NULL: all blocks take the same time */
	struct block_demand demand;
	uint32_t sms; /* SMs it was started on: the grant's, else those of its mask, else all */
};

/* grant NULL: the kernel has no SMs of its own; it is on those of its mask. virtual_sms: V_SM in force.
 * False, with the reason: the kernel has no time there, as there is no alpha for V_SM, the profile is too
 * short, a time is beyond int64, or it is a program of warps. */
CEGSIM_API MUST_CHECK bool kernel_shape(const struct platform *platform, const struct taskset *set,
	const struct segment *segment, uint32_t virtual_sms, const struct grant *grant,
	struct kernel_shape *shape, struct error *err);

/* The same of any kernel, also of a program of warps, whose blocks have no time: 0. For who places blocks. */
MUST_CHECK bool kernel_blocks(const struct platform *platform, const struct taskset *set,
	const struct segment *segment, uint32_t virtual_sms, const struct grant *grant,
	struct kernel_shape *shape, struct error *err);

/* Blocks of this demand resident on one empty SM (pool sm) or on the whole GPU (pool gpu); UINT32_MAX: no
 * limit applies. */
CEGSIM_API uint32_t kernel_resident(
	const struct platform *platform, uint32_t virtual_sms, const struct block_demand *demand);

/* Worst-case time from start to end of the kernel alone on its SMs, saturated at INT64_MAX. For very many
 * blocks of different times it is an upper bound (models/blocks.h). */
CEGSIM_API int64_t kernel_time(const struct platform *platform, uint32_t virtual_sms,
	const struct kernel_shape *shape, const struct grant *grant);

/* Dynamic power P_d(m) of the kernel on m SMs, uW (sBEET eq. 2-4): power * m, or from the
 * profile's total power, total - static - idle * (M - m). May be negative for odd profiles. */
CEGSIM_API int64_t kernel_dynamic_power(const struct platform *platform, const struct taskset *set,
	const struct segment *segment, uint32_t sms);

/* The profile of a kernel that has one, on the GPU that the platform is. */
CEGSIM_API const struct profile *kernel_profile(
	const struct platform *platform, const struct taskset *set, const struct segment *segment);

/* alpha for V_SM virtual SMs per SM; false: the kernel does not state it. */
CEGSIM_API MUST_CHECK bool kernel_interleave(
	const struct segment *segment, uint32_t virtual_sms, int64_t *numerator, int64_t *denominator);

#endif
