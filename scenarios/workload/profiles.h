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

const struct measured_gpu *measured_gpus(size_t *count);
/* NULL: no such GPU. */
const struct measured_gpu *measured_gpu_find(const char *name);

/* The kernel on 1 .. platform.sms SMs: best = least, worst = greatest time, and the GPU's total power. False:
 * out of memory. */
MUST_CHECK bool measured_profile(
	const struct measured_gpu *gpu, uint32_t kernel, struct arena *arena, struct profile *profile);

/* Replaces the measured powers by those of sBEET's equations 2 and 3: static + m * dynamic +
 * (M - m) * idle. */
void measured_linear_power(const struct measured_gpu *gpu, uint32_t kernel, struct profile *profile);

/* G(m) of sBEET, worst case: copy to the GPU, kernel on m SMs, copy back. And the copies alone. */
int64_t measured_section_ns(const struct measured_kernel *kernel, uint32_t sms);
int64_t measured_copies_ns(const struct measured_kernel *kernel);

#endif
