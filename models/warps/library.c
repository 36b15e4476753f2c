/* models/warps/library.c - owns the synthetic kernels; see models/warps/library.h and docs/warp-library.md.
 * Their names are those of the benchmarks of QAWS, Table I, of the Parboil benchmarks of QoS, section 4.1,
 * and of the kernels of RTGPU, section 4.1 and Table 2. Their instructions are not theirs: each kernel is a
 * short loop whose mix, dependences and hit rates put it into the class that its namesake has in the papers.
 */
#include "models/warps/library.h"

#include <string.h>

/* ---- macros to write programs ---- */

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

static const struct warp_library_kernel library[] = {
	/* ---- QAWS, Table I. Blocks: as many as fit half an SM, on 4 SMs. ---- */
	{
		.name = "qaws-pc",
		.bound = "compute",
		.summary = "synthetic: arithmetic in registers between one load and one store",
		.kernel = {.blocks = 16,
			.block_threads = 256,
			.registers = 32,
			LAUNCH,
			PROGRAM(INT(4, 1), LOAD(1, 0, 50), LOOP(80, 2), FP(16, 2), INT(12, 2), STORE(1, 50))},
	},
	{
		.name = "qaws-pf",
		.bound = "compute",
		.summary =
			"synthetic: integers and shared memory, a barrier for every row, some warps diverge",
		.kernel = {.blocks = 16,
			.block_threads = 256,
			.registers = 24,
			.shared_memory = 2048,
			LAUNCH,
			PROGRAM(INT(6, 1), LOOP(60, 6), LOAD(1, 30, 95), SHARED_LOAD(3), INT(24, 2),
				INT_OF(26, 8, 1), SHARED_STORE_OF(30, 1), BARRIER, STORE(1, 80))},
	},
	{
		.name = "qaws-2dc",
		.bound = "compute",
		.summary = "synthetic: nine neighbours that mostly hit in L1, then multiplications and "
			   "additions",
		.kernel = {.blocks = 16,
			.block_threads = 256,
			.registers = 28,
			LAUNCH,
			PROGRAM(INT(6, 1), LOOP(35, 4), INT(12, 2), LOAD(9, 92, 90), FP(36, 3),
				STORE(1, 90))},
	},
	{
		.name = "qaws-dxtc",
		.bound = "compute",
		.summary =
			"synthetic: floating point with some special functions; many registers, small blocks",
		.kernel = {.blocks = 20,
			.block_threads = 64,
			.registers = 88,
			.shared_memory = 2048,
			LAUNCH,
			PROGRAM(LOAD(1, 0, 80), LOOP(90, 5), FP(40, 4), SFU(1, 1), INT(16, 3), SHARED_LOAD(2),
				BARRIER, STORE(1, 50))},
	},
	{
		.name = "qaws-bin",
		.bound = "compute",
		.summary = "synthetic: a tree of options in shared memory, two barriers a step",
		.kernel = {.blocks = 24,
			.block_threads = 128,
			.registers = 40,
			.shared_memory = 4096,
			LAUNCH,
			PROGRAM(LOAD(2, 0, 80), LOOP(75, 6), SHARED_LOAD(2), FP(24, 3), BARRIER, INT(8, 2),
				SHARED_STORE(1), BARRIER, STORE(1, 50))},
	},
	{
		.name = "qaws-vec",
		.bound = "memory",
		.summary = "synthetic: two loads, an addition and a store, unrolled four times",
		.kernel = {.blocks = 16,
			.block_threads = 256,
			.registers = 20,
			LAUNCH,
			PROGRAM(INT(4, 1), LOOP(60, 4), INT(3, 1), LOAD(8, 0, 96), FP(4, 4), STORE(4, 97))},
	},
	{
		.name = "qaws-mm",
		.bound = "memory",
		.summary =
			"synthetic: tiles loaded, and read from shared memory twice for every multiplication",
		.kernel = {.blocks = 12,
			.block_threads = 256,
			.registers = 40,
			.shared_memory = 4096,
			LAUNCH,
			PROGRAM(INT(6, 1), LOOP(18, 8), INT(4, 1), LOAD(2, 20, 90), SHARED_STORE(2), BARRIER,
				LOOP(8, 2), SHARED_LOAD(4), FP(2, 1), BARRIER, STORE(1, 50))},
	},
	{
		.name = "qaws-his",
		.bound = "latency",
		.summary =
			"synthetic: a load from DRAM, then a counter in shared memory, one after the other",
		.kernel = {.blocks = 12,
			.block_threads = 192,
			.registers = 24,
			.shared_memory = 16384,
			LAUNCH,
			PROGRAM(INT(2, 1), LOOP(90, 5), LOAD(1, 0, 70), INT(3, 1), SHARED_LOAD_OF(24, 1),
				INT(1, 1), SHARED_STORE_OF(24, 1))},
	},
	{
		.name = "qaws-atax",
		.bound = "latency",
		.summary = "synthetic: few threads, each of which waits for one load after the other",
		.kernel = {.blocks = 8,
			.block_threads = 256,
			.registers = 24,
			LAUNCH,
			PROGRAM(INT(2, 1), LOOP(120, 3), LOAD(1, 30, 70), FP(2, 1), INT(1, 1), STORE(1, 50))},
	},
	/* ---- QoS, section 4.1: Parboil without bfs. ---- */
	{
		.name = "qos-cutcp",
		.bound = "compute",
		.summary = "synthetic: distances to atoms in shared memory, a reciprocal root each",
		.kernel = {.blocks = 720,
			.block_threads = 128,
			.registers = 32,
			.shared_memory = 4096,
			LAUNCH,
			PROGRAM(LOAD(2, 30, 80), BARRIER, LOOP(8, 4), SHARED_LOAD(1), FP(10, 3), SFU(1, 1),
				FP(8, 3), STORE(1, 80))},
	},
	{
		.name = "qos-histo",
		.bound = "memory",
		.summary = "synthetic: short launches; scattered loads and counters in shared memory",
		.kernel = {.blocks = 64,
			.block_threads = 256,
			.registers = 20,
			.shared_memory = 6144,
			LAUNCH,
			PROGRAM(INT(4, 1), SCATTERED_LOAD(1, 0, 60, 70), INT(4, 1), SHARED_LOAD_OF(20, 1),
				SHARED_STORE_OF(20, 1), BARRIER, STORE(1, 60))},
	},
	{
		.name = "qos-lbm",
		.bound = "memory",
		.summary =
			"synthetic: streams ten values in and out, a little coalescing lost, many registers",
		.kernel = {.blocks = 384,
			.block_threads = 128,
			.registers = 64,
			LAUNCH,
			PROGRAM(INT(6, 2), LOOP(5, 3), LOAD(2, 0, 60), FP(12, 2),
				ACCESS(STEP_STORE, 2, 0, 60, 80, 4))},
	},
	{
		.name = "qos-mri-gridding",
		.bound = "compute",
		.summary = "synthetic: samples weighted with polynomials; warps diverge",
		.kernel = {.blocks = 640,
			.block_threads = 128,
			.registers = 40,
			.shared_memory = 1536,
			LAUNCH,
			PROGRAM(INT(6, 1), LOOP(6, 5), LOAD(1, 70, 85), INT(8, 2), FP(14, 2),
				INT_OF(18, 6, 2), SFU(1, 1), STORE(2, 70))},
	},
	{
		.name = "qos-mri-q",
		.bound = "compute",
		.summary = "synthetic: sines and cosines of all samples, almost no memory",
		.kernel = {.blocks = 320,
			.block_threads = 256,
			.registers = 24,
			LAUNCH,
			PROGRAM(LOAD(2, 30, 90), LOOP(8, 3), FP(10, 2), SFU(2, 2), FP(6, 2), STORE(1, 70))},
	},
	{
		.name = "qos-sad",
		.bound = "memory",
		.summary = "synthetic: absolute differences of pixels that mostly hit in caches, many "
			   "results stored",
		.kernel = {.blocks = 1536,
			.block_threads = 64,
			.registers = 36,
			.shared_memory = 2048,
			LAUNCH,
			PROGRAM(INT(6, 1), LOOP(3, 4), LOAD(2, 40, 50), INT(10, 3), SHARED_LOAD(1),
				STORE(1, 20))},
	},
	{
		.name = "qos-sgemm",
		.bound = "compute",
		.summary =
			"synthetic: products of tiles, one operand in shared memory, long independent runs",
		.kernel = {.blocks = 384,
			.block_threads = 128,
			.registers = 48,
			.shared_memory = 1024,
			LAUNCH,
			PROGRAM(INT(6, 1), LOOP(4, 6), LOAD(2, 20, 90), SHARED_STORE(1), BARRIER,
				SHARED_LOAD(4), FP(64, 8), BARRIER, STORE(2, 80))},
	},
	{
		.name = "qos-spmv",
		.bound = "memory",
		.summary = "synthetic: rows of a sparse matrix, the vector is loaded from everywhere",
		.kernel = {.blocks = 512,
			.block_threads = 192,
			.registers = 24,
			LAUNCH,
			PROGRAM(INT(4, 1), LOOP(2, 4), LOAD(1, 10, 30), SCATTERED_LOAD(1, 30, 60, 60),
				FP(2, 1), INT(3, 1), STORE(1, 60))},
	},
	{
		.name = "qos-stencil",
		.bound = "memory",
		.summary = "synthetic: seven neighbours, of which planes come from DRAM",
		.kernel = {.blocks = 512,
			.block_threads = 256,
			.registers = 28,
			LAUNCH,
			PROGRAM(INT(6, 1), LOOP(2, 4), LOAD(3, 50, 60), INT(4, 2), FP(8, 2), STORE(1, 50))},
	},
	{
		.name = "qos-tpacf",
		.bound = "compute",
		.summary = "synthetic: angles sorted into bins by searching shared memory; warps diverge",
		.kernel = {.blocks = 256,
			.block_threads = 256,
			.registers = 30,
			.shared_memory = 13312,
			LAUNCH,
			PROGRAM(LOAD(2, 20, 80), LOOP(6, 6), SHARED_LOAD(1), FP(12, 2), INT(10, 2),
				SHARED_LOAD_OF(26, 1), INT_OF(26, 6, 1), SHARED_STORE_OF(20, 1),
				STORE(1, 50))},
	},
	/* ---- RTGPU, section 4.1: 1000 operations on each of 2^15 numbers, which L2 holds. Each needs the
	 * one before. One block of the most threads on each virtual SM at a time. ---- */
	{
		.name = "rtgpu-computation",
		.bound = "compute",
		.summary = "synthetic: 1000 dependent operations in registers on a number",
		.kernel = {.blocks = 32,
			.block_threads = 1024,
			.registers = 32,
			LAUNCH,
			PROGRAM(INT(4, 1), LOAD(1, 0, 100), LOOP(50, 2), FP(20, 1), INT(2, 1),
				STORE(1, 100))},
	},
	{
		.name = "rtgpu-branch",
		.bound = "compute",
		.summary = "synthetic: the same 1000, half of them in branches that half of the threads take",
		.kernel = {.blocks = 32,
			.block_threads = 1024,
			.registers = 32,
			LAUNCH,
			PROGRAM(INT(4, 1), LOAD(1, 0, 100), LOOP(125, 4), INT(3, 1), FP_OF(16, 4, 1),
				FP_OF(16, 4, 1), FP(4, 1), STORE(1, 100))},
	},
	{
		.name = "rtgpu-memory",
		.bound = "compute",
		.summary = "synthetic: the same 1000, a load and a store around every eight",
		.kernel = {.blocks = 32,
			.block_threads = 1024,
			.registers = 32,
			LAUNCH,
			PROGRAM(INT(4, 1), LOOP(125, 3), LOAD(1, 0, 100), FP(8, 1), STORE(1, 100))},
	},
	{
		.name = "rtgpu-special",
		.bound = "compute",
		.summary = "synthetic: the same 1000, every fourth a sine or cosine",
		.kernel = {.blocks = 32,
			.block_threads = 1024,
			.registers = 32,
			LAUNCH,
			PROGRAM(INT(4, 1), LOAD(1, 0, 100), LOOP(250, 3), FP(1, 1), SFU(1, 1), FP(2, 1),
				STORE(1, 100))},
	},
	{
		.name = "rtgpu-comprehensive",
		.bound = "compute",
		.summary = "synthetic: the same 1000, of all four kinds in turn",
		.kernel = {.blocks = 32,
			.block_threads = 1024,
			.registers = 32,
			LAUNCH,
			PROGRAM(INT(4, 1), LOAD(1, 0, 100), LOOP(50, 9), FP(6, 1), INT(3, 1), FP_OF(16, 4, 1),
				FP_OF(16, 4, 1), LOAD(1, 0, 100), FP(5, 1), SFU(1, 1), FP(4, 1),
				STORE(1, 100))},
	},
	/* ---- RTGPU, Table 2; Dxtc and Vectoradd are qaws-dxtc and qaws-vec. ---- */
	{
		.name = "rtgpu-bfs",
		.bound = "memory",
		.summary = "synthetic: neighbours of nodes from everywhere, few threads with work",
		.kernel = {.blocks = 128,
			.block_threads = 512,
			.registers = 16,
			LAUNCH,
			PROGRAM(INT(6, 1), LOAD(1, 0, 70), SCATTERED_LOAD(1, 0, 70, 50), LOOP(6, 5),
				INT_OF(16, 3, 1), SCATTERED_LOAD(1, 20, 60, 30), INT_OF(16, 2, 1),
				SCATTERED_LOAD(1, 10, 60, 10), INT_OF(8, 3, 1), STORE(1, 60))},
	},
	{
		.name = "rtgpu-particle-filter",
		.bound = "compute",
		.summary = "synthetic: a likelihood, then a search through a list that all threads share",
		.kernel = {.blocks = 256,
			.block_threads = 128,
			.registers = 24,
			LAUNCH,
			PROGRAM(INT(6, 1), LOAD(2, 0, 60), FP(8, 1), SFU(1, 1), FP(4, 1), LOOP(40, 3),
				LOAD(1, 60, 100), INT(3, 1), INT_OF(24, 2, 1), STORE(1, 60))},
	},
	{
		.name = "rtgpu-quasirand",
		.bound = "compute",
		.summary = "synthetic: a number of 31 bits, a look into a table for each",
		.kernel = {.blocks = 128,
			.block_threads = 384,
			.registers = 40,
			LAUNCH,
			PROGRAM(INT(6, 1), LOOP(4, 6), INT(4, 1), LOOP(31, 3), INT(2, 1), LOAD(1, 100, 100),
				INT(1, 1), STORE(1, 20))},
	},
};

static const uint32_t library_count = sizeof(library) / sizeof(*library);

const struct warp_library_kernel *warp_library_all(uint32_t *count)
{
	*count = library_count;
	return library;
}

const struct warp_library_kernel *warp_library_find(const char *name)
{
	for (uint32_t i = 0; i < library_count; i++)
		if (strcmp(library[i].name, name) == 0)
			return &library[i];
	return NULL;
}

bool warp_library_copy(
	const struct warp_library_kernel *entry, struct arena *arena, struct warp_kernel *kernel)
{
	*kernel = entry->kernel;
	kernel->steps = arena_new(arena, struct warp_step, kernel->step_count);
	if (!kernel->steps)
		return false;
	memcpy(kernel->steps, entry->kernel.steps, kernel->step_count * sizeof(*kernel->steps));
	return true;
}
