/* models/warps/two_level.c - two-level warp scheduling: round-robin among a few active warps; one that waits
 * for the memory makes room for another (Narasiman, Shebanow, Lee, Miftakhutdinov, Mutlu, Patt, "Improving
 * GPU Performance via Large Warps and Two-Level Warp Scheduling", MICRO 2011). Among the active ones the
 * order may be greedy-then-oldest, too (QAWS, section III). */

#include "models/warps/schedulers.h"
#include "models/warps/sub_core.h"

static void leave(struct sub_core *sc, int64_t cycle)
{
	uint64_t waits = sc->active & (sc->on_memory | sub_core_at_barrier(sc, cycle));
	sc->active &= ~waits;
	for (; waits; waits &= waits - 1)
		sc->queue[sc->queued++] = (uint8_t)__builtin_ctzll(waits);
}

static void enter(struct sub_core *sc, uint32_t most)
{
	uint32_t room = most - (uint32_t)__builtin_popcountll(sc->active);
	uint8_t kept = 0;
	for (uint8_t i = 0; i < sc->queued; i++) {
		if (room > 0 && sc->operand & bit(sc->queue[i])) {
			sc->active |= bit(sc->queue[i]);
			room--;
		} else {
			sc->queue[kept++] = sc->queue[i];
		}
	}
	sc->queued = kept;
}

int pick_two_level(struct warp_simulation *w, struct sub_core *sc, uint64_t ready, int64_t cycle)
{
	leave(sc, cycle);
	enter(sc, w->options.active);
	uint64_t candidates = ready & sc->active;
	return w->options.inner_gto ? pick_gto(w, sc, candidates, cycle) : next_of(candidates, sc->around);
}
