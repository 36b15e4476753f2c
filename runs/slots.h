/* runs/slots.h - places of resident blocks in pictures of an SM: a block takes the lowest place that no other
 * block of its SM has, and gives it back when it leaves. Blocks may leave in any order, and come again. */
#ifndef CEGSIM_RUNS_SLOTS_H
#define CEGSIM_RUNS_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct slot_bits;
struct resident;

struct block_slots {
	struct slot_bits *sms; /* places of each SM, a bit each */
	uint32_t sm_count;
	struct resident *residents; /* by (task, block); linear probing */
	uint32_t capacity, used;
};

/* False: out of memory; block_slots_finish() is needed all the same. */
MUST_CHECK bool block_slots_init(struct block_slots *s, uint32_t sms);
void block_slots_finish(struct block_slots *s); /* accepts a zeroed one */

/* A block (of the one job of its task that has blocks) comes to an SM. False: out of memory. */
MUST_CHECK bool block_slots_take(struct block_slots *s, uint32_t sm, uint32_t task, uint32_t block);
/* It leaves; where it was. */
uint32_t block_slots_give(struct block_slots *s, uint32_t sm, uint32_t task, uint32_t block);

#endif
