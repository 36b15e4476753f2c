/* models/warps/calendar.h - which sub-cores must be simulated in which cycle: a wheel of cycles, each with a
 * set of sub-cores.
 *
 * A sub-core may be entered for many cycles. In a cycle that is no longer needed it finds nothing to do. A
 * cycle that is too far ahead for the wheel is entered as the last cycle of the wheel; there the sub-core
 * finds nothing to do and is entered again. */
#ifndef CEGSIM_MODELS_WARPS_CALENDAR_H
#define CEGSIM_MODELS_WARPS_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

#define CALENDAR_CYCLES 1024u /* a power of two, and a multiple of 64 */

struct calendar {
	uint64_t filled[CALENDAR_CYCLES / 64];
	uint64_t *members; /* [CALENDAR_CYCLES][words] */
	uint32_t words;
};

MUST_CHECK bool calendar_init(struct calendar *c, struct arena *arena, uint32_t members);

/* The set of sub-cores of a cycle. */
static inline uint64_t *calendar_of(const struct calendar *c, int64_t cycle)
{
	return c->members + ((uint64_t)cycle & (CALENDAR_CYCLES - 1)) * c->words;
}

/* Whether a sub-core is entered for the cycle. */
static inline bool calendar_has(const struct calendar *c, int64_t cycle)
{
	uint64_t at = (uint64_t)cycle & (CALENDAR_CYCLES - 1);
	return c->filled[at / 64] >> at % 64 & 1;
}

/* now <= cycle. */
static inline void calendar_enter(struct calendar *c, int64_t now, int64_t cycle, uint32_t member)
{
	if (cycle - now >= CALENDAR_CYCLES)
		cycle = now + CALENDAR_CYCLES - 1;
	uint64_t at = (uint64_t)cycle & (CALENDAR_CYCLES - 1);
	c->filled[at / 64] |= UINT64_C(1) << at % 64;
	c->members[at * c->words + member / 64] |= UINT64_C(1) << member % 64;
}

/* The first cycle >= now for which a sub-core is entered; INT64_MAX: there is none. */
int64_t calendar_next(const struct calendar *c, int64_t now);

/* After a cycle: empties its set. */
static inline void calendar_done(struct calendar *c, int64_t cycle)
{
	uint64_t at = (uint64_t)cycle & (CALENDAR_CYCLES - 1);
	c->filled[at / 64] &= ~(UINT64_C(1) << at % 64);
}

#endif
