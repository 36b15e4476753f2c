/* models/warps/schedulers.c - the table of warp schedulers, and the simple ones: loose round-robin and
 * greedy-then-oldest (QAWS section II), and oldest first. */
#include "models/warps/schedulers.h"

const struct warp_scheduler warp_schedulers[WARP_SCHEDULERS] = {
	[SCHEDULE_LRR] = {pick_lrr, false},
	[SCHEDULE_GTO] = {pick_gto, false},
	[SCHEDULE_OLDEST] = {pick_oldest, false},
	[SCHEDULE_TWO_LEVEL] = {pick_two_level, true},
	[SCHEDULE_QAWS] = {pick_qaws, true},
};

int pick_lrr(struct warp_simulation *w, struct sub_core *sc, uint64_t ready, int64_t cycle)
{
	bool goes_on = !w->options.rotate_cycle && sc->last >= 0 && sc->last_cycle == cycle - 1;
	if (goes_on && ready & bit((uint32_t)sc->last))
		return sc->last;
	return next_of(ready, sc->around);
}

int pick_gto(struct warp_simulation *w, struct sub_core *sc, uint64_t ready, int64_t cycle)
{
	(void)w;
	(void)cycle;
	if (sc->last >= 0 && ready & bit((uint32_t)sc->last))
		return sc->last;
	return oldest_of(ready);
}

int pick_oldest(struct warp_simulation *w, struct sub_core *sc, uint64_t ready, int64_t cycle)
{
	(void)w;
	(void)sc;
	(void)cycle;
	return oldest_of(ready);
}
