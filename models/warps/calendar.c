/* models/warps/calendar.c - see models/warps/calendar.h. */
#include "models/warps/calendar.h"

bool calendar_init(struct calendar *c, struct arena *arena, uint32_t members)
{
	*c = (struct calendar){.words = (members + 63) / 64};
	c->members = arena_new(arena, uint64_t, (size_t)CALENDAR_CYCLES * c->words);
	return c->members != NULL;
}

int64_t calendar_next(const struct calendar *c, int64_t now)
{
	const uint32_t words = CALENDAR_CYCLES / 64;
	uint64_t at = (uint64_t)now & (CALENDAR_CYCLES - 1);
	uint64_t word = c->filled[at / 64] & ~UINT64_C(0) << at % 64;
	/* Goes around the wheel once, and then over the part of the first word that was left out. */
	for (uint32_t i = 0; i <= words; i++) {
		uint64_t index = (at / 64 + i) % words;
		if (i > 0)
			word = c->filled[index];
		if (word) {
			uint64_t found = index * 64 + (uint64_t)__builtin_ctzll(word);
			return now + (int64_t)((found - at) & (CALENDAR_CYCLES - 1));
		}
	}
	return INT64_MAX;
}
