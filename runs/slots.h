/* runs/slots.h - the slots of resident blocks, for pictures of an SM. A block takes the lowest slot that no
 * other block of its SM has, and frees it when it leaves. Blocks may leave in any order, and come back. */
#ifndef CEGSIM_RUNS_SLOTS_H
#define CEGSIM_RUNS_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct slot_bits;
struct resident;

struct block_slots {
	struct slot_bits *sms; /* slots of each SM, a bit each */
	uint32_t sm_count;
	struct resident *residents; /* by (task, segment, block); linear probing */
	uint32_t capacity, used;
};

/* False: out of memory; call block_slots_finish() either way. */
MUST_CHECK bool block_slots_init(struct block_slots *s, uint32_t sms);
void block_slots_finish(struct block_slots *s); /* accepts a zeroed one */

/* A block of a task's segment comes to an SM. (Only one job of a task has blocks at a time.) False: out of
 * memory. */
MUST_CHECK bool block_slots_take(
	struct block_slots *s, uint32_t sm, uint32_t task, uint32_t segment, uint32_t block);
/* The block leaves; returns its slot. */
uint32_t block_slots_give(
	struct block_slots *s, uint32_t sm, uint32_t task, uint32_t segment, uint32_t block);

#endif
