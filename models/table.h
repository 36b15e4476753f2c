/* models/table.h - masks of SMs, and the task table (docs/model.md, "SM masks"). For models/machine.h. */
#ifndef CEGSIM_MODELS_TABLE_H
#define CEGSIM_MODELS_TABLE_H

#include "models/policy.h"
#include "models/queue.h"

struct gpu;
struct launch;
struct machine;

/* The SMs to which a kernel is confined. */
struct sm_mask {
	struct grant on; /* whole SMs */
	uint64_t *bits;  /* the same: bit sm % 64 of bits[sm / 64] */
};

struct task_table {
	bool used; /* some kernel has a mask, or may find the table full; else nothing below */
	uint32_t entries, taken;
	struct queue waiting[2]; /* kernels without an entry; 0: of high streams, 1: of low ones */
	struct queue low;        /* those of low streams with an entry */
	uint64_t *held_up;       /* [words] of a walk: SMs of kernels that cannot place their next block */
	uint32_t words;
};

MUST_CHECK bool table_init(struct machine *m, struct task_table *table);
MUST_CHECK bool table_init_part(
	struct machine *m, struct task_table *table, uint32_t tasks); /* a context's */
/* Makes the mask, on this GPU, of a kernel that has one; NULL: out of memory. */
const struct sm_mask *table_mask(
	struct machine *m, const struct platform *platform, const struct segment *segment);

/* The task's kernel enters the primary queue. */
__attribute__((noinline)) void table_enter(struct machine *m, struct gpu *gpu, uint32_t task);
/* It is over, or is removed before it has placed a block. */
__attribute__((noinline)) void table_leave(struct gpu *gpu, struct launch *launch, uint32_t task);
/* All its blocks were placed, and a reset took some of them. */
__attribute__((noinline)) void table_return(struct gpu *gpu, uint32_t task);
/* Gives entries (M2), and places blocks (M3). */
__attribute__((noinline)) void table_dispatch(struct machine *m);

#endif
