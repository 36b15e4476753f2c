/* models/warps/library_qaws.c - owns the synthetic kernels with the names of QAWS, Table I. One wave: as many
 * blocks as fit half an SM, on 4 SMs. docs/warp-library.md has what each is made of and why. */
#include "models/warps/library_steps.h"

static const struct warp_library_kernel kernels[] = {
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
};

const struct warp_library_part warp_library_qaws = {kernels, sizeof(kernels) / sizeof(*kernels)};
