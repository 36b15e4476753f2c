/* models/warps/library_qos.c - owns the synthetic kernels with the names of Parboil without bfs, as in QoS,
 * section 4.1. Sizes of blocks, registers, shared memory, what an inner loop does and what stands around it
 * follow the namesakes' published sources; docs/warp-library.md has these numbers, and what is ours. They
 * were written before anything was measured with them, and are not changed for what comes out.
 *
 * A thread's work between two tiles is a part of the namesake's, so that a tile takes 4 to 15 epochs of a
 * thousand cycles, as the namesake's takes of the paper's ten thousand. */
#include "models/warps/library_steps.h"

/* cutcp: atoms that 32 threads look at together. Of four points of each thread `within` are near enough. */
#define ATOMS(n, within)                                                                                     \
	LOOP(n, 5), SHARED_LOAD(4), INT(4, 2), FP(17, 3), RUN_OF(WARP_SFU, 24, within, 1),                   \
		FP_OF(24, 4 * (within), 2)
#define CUTCP_TILE(within) INT(4, 1), LOAD(2, 20, 80), SHARED_STORE(2), BARRIER, ATOMS(8, within), BARRIER
#define CUTCP_TILE_STEPS 11

/* mri-gridding: samples, each of which is weighted for `within` of the four cells of a thread. */
#define SAMPLES(n, within)                                                                                   \
	LOOP(n, 8), SHARED_LOAD(6), INT(5, 2), FP(16, 2), LOOP(within, 4), RUN_OF(WARP_SFU, 16, 1, 1),       \
		FP_OF(16, 22, 2), RUN_OF(WARP_SFU, 16, 1, 1), FP_OF(16, 5, 2)
#define GRIDDING_ROW(within) INT(4, 1), BARRIER, LOAD(2, 20, 70), SHARED_STORE(6), BARRIER, SAMPLES(5, within)
#define GRIDDING_ROW_STEPS 14

static const struct warp_library_kernel kernels[] = {
	{
		.name = "qos-cutcp",
		.bound = "compute",
		.summary =
			"synthetic: bins of atoms in shared memory, a reciprocal root for each point nearby",
		.kernel = {.blocks = 128,
			.block_threads = 128,
			.registers = 21,
			.shared_memory = 4120,
			LAUNCH,
			PROGRAM(INT(12, 2), LOOP(2, CUTCP_TILE_STEPS), CUTCP_TILE(1),
				LOOP(3, CUTCP_TILE_STEPS), CUTCP_TILE(2), LOOP(2, CUTCP_TILE_STEPS),
				CUTCP_TILE(1), STORE(4, 0))},
	},
	{
		.name = "qos-histo",
		.bound = "memory",
		.summary = "synthetic: short launches; values read, mapped and counted in shared memory",
		.kernel = {.blocks = 32,
			.block_threads = 512,
			.registers = 21,
			.shared_memory = 24576,
			LAUNCH,
			PROGRAM(INT(4, 1), SHARED_STORE(1), BARRIER, LOAD(1, 0, 0), INT(8, 1),
				SHARED_LOAD_OF(20, 1), SHARED_STORE_OF(20, 1), INT(4, 1), BARRIER,
				SHARED_LOAD(1), STORE(1, 0))},
	},
	{
		.name = "qos-lbm",
		.bound = "memory",
		.summary = "synthetic: 19 values of a cell and a flag in, 19 out, nothing of it twice",
		.kernel = {.blocks = 120,
			.block_threads = 120,
			.registers = 34,
			LAUNCH,
			PROGRAM(INT(6, 2), LOAD(1, 0, 0), LOOP(19, 4), INT(2, 1), LOAD(1, 0, 0),
				RUN_AFTER(WARP_FP, 9, 2, 1), STORE(1, 0))},
	},
	{
		.name = "qos-mri-gridding",
		.bound = "compute",
		.summary =
			"synthetic: rows of samples in shared memory, polynomials for cells nearby; diverges",
		.kernel = {.blocks = 216,
			.block_threads = 64,
			.registers = 37,
			.shared_memory = 1536,
			LAUNCH,
			PROGRAM(INT(30, 2), LOOP(2, GRIDDING_ROW_STEPS), GRIDDING_ROW(1),
				LOOP(2, GRIDDING_ROW_STEPS), GRIDDING_ROW(3), LOOP(2, GRIDDING_ROW_STEPS),
				GRIDDING_ROW(1), STORE(12, 0))},
	},
	{
		.name = "qos-mri-q",
		.bound = "compute",
		.summary = "synthetic: a sine and a cosine for every value of k-space; the sfu is the limit",
		.kernel = {.blocks = 64,
			.block_threads = 256,
			.registers = 21,
			LAUNCH,
			PROGRAM(INT(4, 1), LOAD(5, 0, 50), LOOP(26, 7), INT(3, 1), FP(5, 1), SFU(2, 2),
				FP(2, 2), FP(5, 1), SFU(2, 2), FP(2, 2), STORE(2, 0))},
	},
	{
		.name = "qos-sad",
		.bound = "memory",
		.summary = "synthetic: a few differences of pixels, then sums of larger blocks",
		.kernel = {.blocks = 184,
			.block_threads = 64,
			.registers = 44,
			.shared_memory = 2304,
			LAUNCH,
			PROGRAM(INT(12, 2), LOAD(1, 0, 80), SHARED_STORE(1), BARRIER, LOOP(4, 3),
				LOAD(3, 85, 90), SHARED_LOAD(2), INT(24, 3), SHARED_STORE(1), BARRIER,
				LOOP(16, 4), SHARED_LOAD(1), LOAD(1, 0, 0), INT(4, 1), STORE(1, 0))},
	},
	{
		.name = "qos-sgemm",
		.bound = "compute",
		.summary = "synthetic: 16 products of a thread, limited by operands in shared memory",
		.kernel = {.blocks = 96,
			.block_threads = 128,
			.registers = 40,
			.shared_memory = 512,
			LAUNCH,
			PROGRAM(INT(8, 1), LOOP(4, 9), LOAD(1, 0, 90), SHARED_STORE(1), BARRIER, LOOP(8, 4),
				LOAD(1, 30, 95), RUN_AFTER(WARP_INT, 2, 0, 0), SHARED_LOAD(8),
				RUN_AFTER(WARP_FP, 16, 8, 11), BARRIER, LOAD(2, 0, 0), FP(4, 2),
				STORE(2, 0))},
	},
	{
		.name = "qos-spmv",
		.bound = "memory",
		.summary = "synthetic: an index and a value of a sparse row, then the vector's element",
		.kernel = {.blocks = 80,
			.block_threads = 192,
			.registers = 29,
			LAUNCH,
			PROGRAM(INT(6, 1), LOOP(15, 5), INT(3, 1), LOAD(2, 0, 0),
				SCATTERED_LOAD(1, 30, 85, 60), FP(1, 1), INT(1, 1), LOAD(1, 0, 0),
				STORE(1, 0))},
	},
	{
		.name = "qos-stencil",
		.bound = "memory",
		.summary = "synthetic: planes streamed once, neighbours in shared memory, barriers",
		.kernel = {.blocks = 128,
			.block_threads = 128,
			.registers = 16,
			.shared_memory = 1024,
			LAUNCH,
			PROGRAM(INT(16, 2), LOAD(4, 0, 0), SHARED_STORE(2), BARRIER, LOOP(8, 13), INT(8, 2),
				SHARED_LOAD(8), LOAD(2, 0, 0), RUN_AFTER(WARP_INT, 1, 0, 0), LOAD(1, 50, 90),
				RUN_AFTER(WARP_INT, 1, 0, 0), LOAD_OF(1, 2, 50, 90),
				RUN_AFTER(WARP_FP, 14, 2, 6), STORE(2, 0), BARRIER, SHARED_LOAD(2),
				SHARED_STORE(2), BARRIER)},
	},
	{
		.name = "qos-tpacf",
		.bound = "compute",
		.summary =
			"synthetic: products of directions, a search for the bin, a counter in shared memory",
		.kernel = {.blocks = 56,
			.block_threads = 256,
			.registers = 30,
			.shared_memory = 13312,
			LAUNCH,
			PROGRAM(INT(8, 1), SHARED_STORE(10), LOOP(2, 16), LOAD(3, 0, 80), SHARED_STORE(3),
				BARRIER, LOAD(3, 20, 80), LOOP(10, 10), SHARED_LOAD(3), FP(3, 1), LOOP(5, 3),
				INT(2, 1), SHARED_LOAD(1), INT(2, 1), INT_OF(26, 8, 2), SHARED_LOAD_OF(20, 1),
				INT_OF(20, 1, 1), SHARED_STORE_OF(20, 1), BARRIER, LOOP(7, 4), BARRIER,
				SHARED_LOAD_OF(16, 2), INT_OF(16, 1, 1), SHARED_STORE_OF(16, 1), BARRIER,
				STORE(1, 50))},
	},
};

const struct warp_library_part warp_library_qos = {kernels, sizeof(kernels) / sizeof(*kernels)};
