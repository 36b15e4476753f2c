/* captures/sass.h - traces of kernels that the tracer of Accel-Sim made: what the machine code (SASS) of
 * every warp did, instruction by instruction (docs/kernel-traces.md has the format).
 *
 * A trace is a text, gzipped or not. It is read once from its begin to its end; who reads it is called for
 * each block, warp and instruction, in the order of the file. */
#ifndef CEGSIM_CAPTURES_SASS_H
#define CEGSIM_CAPTURES_SASS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/error.h"

#define SASS_LANES 32u
#define SASS_OPERANDS_MAX 16u
#define SASS_OPCODE_MAX 64u
/* Registers by number: R0 .. R255 (the last is always zero), then UR0 ..., then predicates. */
#define SASS_REGISTERS 768u
#define SASS_ZERO 255u

/* What stands in front of the instructions. Missing numbers are 0. */
struct sass_kernel {
	const char *name;
	uint32_t grid[3], block[3];
	int64_t shared_memory; /* bytes of a block, static and dynamic */
	uint32_t registers;    /* of a thread */
	uint32_t binary;       /* version of the machine code: 70 for compute capability 7.0 */
	uint32_t tracer;       /* version of the trace's format */
	uint64_t stream;
	uint64_t shared_base, local_base; /* where generic addresses of these memories begin */
	bool has_lines;                   /* instructions begin with a line of the source */
};

uint64_t sass_blocks(const struct sass_kernel *k);
uint32_t sass_block_threads(const struct sass_kernel *k);
uint32_t sass_block_warps(const struct sass_kernel *k);

struct sass_instruction {
	uint64_t pc;
	uint32_t mask;                /* of the active threads; bit 0 is thread 0 of the warp */
	char opcode[SASS_OPCODE_MAX]; /* with its modifiers: LDG.E.64 */
	uint32_t destination_count, source_count;
	uint16_t destinations[SASS_OPERANDS_MAX], sources[SASS_OPERANDS_MAX];
	uint32_t bytes;               /* of each thread; 0: it has no addresses */
	uint64_t address[SASS_LANES]; /* of the active threads */
};

/* False with a status in *err: it failed. False without one: enough was read. */
struct sass_visitor {
	void *self;
	bool (*kernel)(void *self, const struct sass_kernel *k, struct error *err); /* the head was read */
	bool (*warp)(void *self, uint32_t warp, struct error *err);                 /* begins */
	bool (*instruction)(void *self, const struct sass_instruction *i, struct error *err);
	bool (*block_end)(void *self, struct error *err);
};

/* Reads the trace. Everything that is wrong in it is a diagnostic, and *err says STATUS_INPUT. `arena` gets
 * the kernel's name. */
MUST_CHECK bool sass_read(const char *path, struct arena *arena, const struct sass_visitor *visitor,
	struct diagnostics *diagnostics, struct error *err);

/* ---- Opcodes ---- */

enum sass_class {
	SASS_INT, /* and moves, conversions, predicates, branches, uniform registers */
	SASS_FP,  /* single and half precision */
	SASS_FP64,
	SASS_SFU,
	SASS_TENSOR,
	SASS_GLOBAL_LOAD, /* here and below: the space that the opcode names */
	SASS_GLOBAL_STORE,
	SASS_GLOBAL_ATOMIC,
	SASS_GENERIC_LOAD,
	SASS_GENERIC_STORE,
	SASS_GENERIC_ATOMIC,
	SASS_SHARED_LOAD,
	SASS_SHARED_STORE,
	SASS_SHARED_ATOMIC,
	SASS_LOCAL_LOAD,
	SASS_LOCAL_STORE,
	SASS_TEXTURE, /* reads of textures and surfaces: a trace has no addresses of them */
	SASS_BARRIER,
	SASS_BULK, /* of the tensor memory accelerator: one instruction moves a tile */
	SASS_BRANCH,
	SASS_UNKNOWN
};

/* By the word before the first point. */
enum sass_class sass_class(const char *opcode);
/* Bits that an access moves for a thread, by the opcode's modifiers (64 in LDG.E.64); 32 where none says. */
uint32_t sass_bits(const char *opcode);

/* ---- Lists of launches: kernelslist.g ---- */

struct sass_launch {
	const char *path; /* of the trace: in the folder of the list */
	unsigned line;
};

struct sass_list {
	struct arena arena;
	struct sass_launch *launches;
	uint32_t count;
	uint64_t copies, copied_bytes; /* cudaMemcpy to the GPU */
};

/* False: *err, with diagnostics where there is a place. Call sass_list_finish() either way. */
MUST_CHECK bool sass_list_read(
	struct sass_list *list, const char *path, struct diagnostics *diagnostics, struct error *err);
void sass_list_finish(struct sass_list *list);

/* ---- Which of them a file is ---- */

enum sass_form { SASS_FORM_NONE, SASS_FORM_TRACE, SASS_FORM_LIST, SASS_FORM_XZ };
/* By its begin. False: it cannot be read. */
MUST_CHECK bool sass_form(const char *path, enum sass_form *form, struct error *err);

#endif
