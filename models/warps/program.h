/* models/warps/program.h - decoded programs, and how a warp steps through one. */
#ifndef CEGSIM_MODELS_WARPS_PROGRAM_H
#define CEGSIM_MODELS_WARPS_PROGRAM_H

#include "models/warps/engine.h"

/* Decodes part->spec into part->program. */
MUST_CHECK bool program_decode(
	struct engine_part *part, const struct warp_machine *machine, struct arena *arena);

/* How many instructions the warp has left at least, whatever rounds it is still given. Only if it has not
 * issued its last one. */
uint32_t program_left(const struct engine_part *part, const struct warp *v);

/* Whether warps of a block wait for each other. */
bool program_meets(const struct engine_part *part);

/* Puts the warp before the first instruction. */
void program_enter(const struct engine_part *part, struct warp *v);

/* The current step is done: goes to the next one, and may take a round from the launch's pool. False: that
 * was the last. */
bool program_next_step(struct engine_part *part, struct warp *v);

/* The cycle in which the operand of the warp's next instruction is there. *memory: it is the result of a
 * global load. */
static inline int64_t program_operand(const struct decoded *step, const struct warp *v, bool *memory)
{
	uint32_t distance = v->begun ? step->distance : step->first;
	*memory = false;
	if (distance == 0 || distance > v->number)
		return 0;
	uint32_t slot = (v->number - distance) % WARP_RING;
	*memory = v->from_memory >> slot & 1;
	return v->result[slot];
}

#endif
