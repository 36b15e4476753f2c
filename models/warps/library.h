/* models/warps/library.h - synthetic kernels: programs of warps that represent the benchmarks of three
 * papers. They have the class of these benchmarks, not their code (docs/warp-library.md says what each is
 * made of and why).
 *
 *     qaws-*  the nine of QAWS, Table I: one wave, as many blocks as fit the half of 4 SMs
 *             (persistent threads)
 *     qos-*   the ten of QoS, section 4.1: several waves; meant to be launched again and again
 *     qos1-*  the same ten as they were before, set by class alone
 *     rtgpu-* the five of RTGPU, section 4.1, and three of its Table 2: several waves on half of each SM */
#ifndef CEGSIM_MODELS_WARPS_LIBRARY_H
#define CEGSIM_MODELS_WARPS_LIBRARY_H

#include "base/arena.h"
#include "models/warps/warp_set.h"

/* The numbers of blocks below are for this many SMs. */
#define WARP_LIBRARY_SMS 4u

struct warp_library_kernel {
	const char *name;          /* "qaws-pc" */
	const char *summary;       /* one line; says that it is synthetic */
	const char *bound;         /* what limits it: "compute", "memory" or "latency" */
	struct warp_kernel kernel; /* launched once, in cycle 0, on its own stream, without a goal */
};

/* By name; NULL: there is none. */
const struct warp_library_kernel *warp_library_find(const char *name);

/* All of them, in the order of the papers' tables: how many there are, and number `index`, from 0. */
uint32_t warp_library_count(void);
const struct warp_library_kernel *warp_library_at(uint32_t index);

/* Copies the kernel and its program. False: out of memory. */
MUST_CHECK bool warp_library_copy(
	const struct warp_library_kernel *entry, struct arena *arena, struct warp_kernel *kernel);

#endif
