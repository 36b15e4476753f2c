/* models/ranks.c - see models/ranks.h. */
#include "models/ranks.h"

bool ranks_init(struct ranks *r, struct arena *arena, uint32_t count)
{
	*r = (struct ranks){0};
	for (uint32_t bits = count; bits > 64;) {
		bits = (bits - 1) / 64 + 1;
		assert(r->levels < RANKS_LEVELS);
		if (!(r->level[r->levels++] = arena_new(arena, uint64_t, bits)))
			return false;
	}
	return true;
}
