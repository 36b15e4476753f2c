/* models/warps/parts.c - see models/warps/parts.h. The engine reads what a kernel's blocks are and do in one
 * place, the copy of the part that the kernel is at. When that changes, no block of the kernel is anywhere.
 */
#include "models/warps/parts.h"

#include "models/warps/adjusting.h"
#include "models/warps/blocks.h"
#include "models/warps/launches.h"
#include "models/warps/program.h"

bool parts_make(struct warp_simulation *w, struct engine_kernel *k)
{
	uint32_t count = warp_parts(k->spec), steps = 0;
	k->parts = arena_new(&w->arena, struct engine_part, count);
	if (!k->parts)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		struct engine_part *part = &k->parts[i];
		part->spec = warp_part(k->spec, i);
		if (!program_decode(part, w->machine, &w->arena))
			return false;
		part->footprint = block_footprint(part->spec);
		part->warps_per_block = part->footprint.warps;
		part->first_step = steps;
		steps += part->steps;
		w->reuse |= part->reuses;
	}
	return true;
}

void parts_go_on(struct warp_simulation *w)
{
	uint32_t over = w->parts_over;
	w->parts_over = 0;
	for (; over; over &= over - 1) {
		uint32_t kernel = (uint32_t)__builtin_ctz(over);
		struct engine_kernel *k = &w->kernels[kernel];
		struct footprint before = k->part.footprint;
		k->at = k->active ? k->at + 1 : 0;
		k->part = k->parts[k->at];
		if (k->active)
			launches_part_begins(w, kernel);
		adjusting_part(w, kernel, &before);
	}
}
