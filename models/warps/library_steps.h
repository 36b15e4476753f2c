/* models/warps/library_steps.h - how the library's programs are written (models/warps/library.h), and the
 * parts that the library is made of: one for each paper, a file each. */
#ifndef CEGSIM_MODELS_WARPS_LIBRARY_STEPS_H
#define CEGSIM_MODELS_WARPS_LIBRARY_STEPS_H

#include "models/warps/library.h"

struct warp_library_part {
	const struct warp_library_kernel *kernels;
	uint32_t count;
};

extern const struct warp_library_part warp_library_qaws, warp_library_qos, warp_library_rtgpu,
	warp_library_qos1;

#define PROGRAM(...)                                                                                         \
	.steps = (struct warp_step[]){__VA_ARGS__},                                                          \
	.step_count = sizeof((struct warp_step[]){__VA_ARGS__}) / sizeof(struct warp_step)
#define LAUNCH .stream = STREAM_OWN

#define PERCENT(x) ((x)*INT64_C(10000))

/* n instructions, each of which needs the result of the one `d` before it. */
#define RUN(what, n, d)                                                                                      \
	{                                                                                                    \
		.kind = STEP_COMPUTE, .unit = (what), .count = (n), .threads = 32, .distance = (d),          \
		.first = (d), .coalescing_ppm = PERCENT(100), .bytes = 4                                     \
	}
#define INT(n, d) RUN(WARP_INT, n, d)
#define FP(n, d) RUN(WARP_FP, n, d)
#define SFU(n, d) RUN(WARP_SFU, n, d)
/* The same with t active threads. */
#define RUN_OF(what, t, n, d)                                                                                \
	{                                                                                                    \
		.kind = STEP_COMPUTE, .unit = (what), .count = (n), .threads = (t), .distance = (d),         \
		.first = (d), .coalescing_ppm = PERCENT(100), .bytes = 4                                     \
	}
#define INT_OF(t, n, d) RUN_OF(WARP_INT, t, n, d)
#define FP_OF(t, n, d) RUN_OF(WARP_FP, t, n, d)

/* The first needs the result of the one f before it, f of 0: of none. */
#define RUN_AFTER(what, n, d, f)                                                                             \
	{                                                                                                    \
		.kind = STEP_COMPUTE, .unit = (what), .count = (n), .threads = 32, .distance = (d),          \
		.first = (f), .coalescing_ppm = PERCENT(100), .bytes = 4                                     \
	}

/* n accesses; hit rates in percent; the addresses come from the instruction before the first access. */
#define ACCESS(what, n, l1, l2, together, size)                                                              \
	{                                                                                                    \
		.kind = (what), .unit = WARP_INT, .count = (n), .threads = 32, .first = 1,                   \
		.l1_hit_ppm = PERCENT(l1), .l2_hit_ppm = PERCENT(l2), .coalescing_ppm = PERCENT(together),   \
		.bytes = (size)                                                                              \
	}
#define LOAD(n, l1, l2) ACCESS(STEP_LOAD, n, l1, l2, 100, 4)
#define STORE(n, l2) ACCESS(STEP_STORE, n, 0, l2, 100, 4)
#define SCATTERED_LOAD(n, l1, l2, together) ACCESS(STEP_LOAD, n, l1, l2, together, 4)
/* Of t threads. */
#define LOAD_OF(t, n, l1, l2)                                                                                \
	{                                                                                                    \
		.kind = STEP_LOAD, .unit = WARP_INT, .count = (n), .threads = (t), .first = 1,               \
		.l1_hit_ppm = PERCENT(l1), .l2_hit_ppm = PERCENT(l2), .coalescing_ppm = PERCENT(100),        \
		.bytes = 4                                                                                   \
	}
#define SHARED(what, t, n)                                                                                   \
	{                                                                                                    \
		.kind = (what), .unit = WARP_INT, .count = (n), .threads = (t), .first = 1,                  \
		.coalescing_ppm = PERCENT(100), .bytes = 4                                                   \
	}
#define SHARED_LOAD(n) SHARED(STEP_SHARED_LOAD, 32, n)
#define SHARED_STORE(n) SHARED(STEP_SHARED_STORE, 32, n)
#define SHARED_LOAD_OF(t, n) SHARED(STEP_SHARED_LOAD, t, n)
#define SHARED_STORE_OF(t, n) SHARED(STEP_SHARED_STORE, t, n)
#define BARRIER                                                                                              \
	{                                                                                                    \
		.kind = STEP_BARRIER, .unit = WARP_INT, .count = 1, .threads = 32,                           \
		.coalescing_ppm = PERCENT(100), .bytes = 4                                                   \
	}
/* The next `size` steps, `times` times. */
#define LOOP(times, size)                                                                                    \
	{                                                                                                    \
		.kind = STEP_LOOP, .unit = WARP_INT, .count = (times), .body = (size), .threads = 32,        \
		.coalescing_ppm = PERCENT(100), .bytes = 4                                                   \
	}

#endif
