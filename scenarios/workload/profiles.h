/* scenarios/workload/profiles.h - kernels whose time and power were measured on 1 .. M SMs of a GPU: eight
 * benchmarks on a GeForce RTX 3070, on a T400, and on a board made up from measurements of two GPUs. Sources:
 * scenarios/workload/profiles.c. */
#ifndef CEGSIM_SCENARIOS_WORKLOAD_PROFILES_H
#define CEGSIM_SCENARIOS_WORKLOAD_PROFILES_H

#include "models/platform.h"
#include "models/taskset.h"

#define MEASURED_HOTSPOT 2 /* its index among the kernels of each GPU */

struct profile_measurement;

struct measured_kernel {
	const char *name;
	int32_t to_gpu_us, to_cpu_us;         /* its copies */
	bool heavy;                           /* one of sBEET's heavy tasks (section V.E.3) */
	int32_t dynamic_uw;                   /* power of one active SM, fitted by the authors */
	const struct profile_measurement *on; /* [m - 1] */
};

struct measured_gpu {
	const char *name;         /* also the name of the preset */
	struct platform platform; /* with the powers measured */
	const struct measured_kernel *kernels;
	uint32_t kernel_count;
};

/* The platforms of two of them but for name and number of SMs, as initialisers: for those with fewer SMs. */
#define MEASURED_RTX_3070                                                                                    \
	.cores = 1, .engines = 2, .sms_per_tpc = 2, .threads_per_sm = 1536, .blocks_per_sm = 16,             \
	.warps_per_sm = 48, .registers_per_sm = 65536, .shared_memory_per_sm = 102400, .work_queues = 32,    \
	.static_uw = 46000000, .idle_per_sm_uw = 445000
#define MEASURED_T400                                                                                        \
	.cores = 1, .engines = 1, .sms_per_tpc = 2, .threads_per_sm = 1024, .blocks_per_sm = 16,             \
	.warps_per_sm = 32, .registers_per_sm = 65536, .shared_memory_per_sm = 65536, .work_queues = 32,     \
	.static_uw = 8000000, .idle_per_sm_uw = 652000

const struct measured_gpu *measured_gpus(size_t *count);
/* NULL: no such GPU. */
const struct measured_gpu *measured_gpu_find(const char *name);

/* The kernel on 1 .. platform.sms SMs: best = least, worst = greatest time, and the GPU's total power. False:
 * out of memory. */
MUST_CHECK bool measured_profile(
	const struct measured_gpu *gpu, uint32_t kernel, struct arena *arena, struct profile *profile);

/* Cuts the profile to the platform's SMs, and replaces the measured powers by those of sBEET's equations 2
 * and 3: static + m * dynamic + (M - m) * idle. SMs that are not used take no power. */
void measured_linear_power(
	const struct platform *platform, const struct measured_kernel *kernel, struct profile *profile);

/* G(m) of sBEET, worst case: copy to the GPU, kernel on m SMs, copy back. And the copies alone. */
int64_t measured_section_ns(const struct measured_kernel *kernel, uint32_t sms);
int64_t measured_copies_ns(const struct measured_kernel *kernel);

#endif
