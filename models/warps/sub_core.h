/* models/warps/sub_core.h - the warps of a sub-core as sets of positions: which are present, what each waits
 * for, and what the cycles were used for. */
#ifndef CEGSIM_MODELS_WARPS_SUB_CORE_H
#define CEGSIM_MODELS_WARPS_SUB_CORE_H

#include "models/warps/engine.h"

/* A waiting warp wakes in cycle `until`, near_from <= until < near_from + NEAR_CYCLES. */
static inline void sub_core_wait_near(struct sub_core *sc, uint32_t position, int64_t until)
{
	uint32_t at = (uint32_t)until % NEAR_CYCLES;
	uint64_t others = sc->near_filled >> at & 1 ? sc->near[at] : 0;
	sc->near[at] = others | bit(position);
	sc->near_filled |= bit(at);
}

/* The same, however far away. */
static inline void sub_core_wait_far(struct sub_core *sc, uint32_t position, int64_t until)
{
	sc->far |= bit(position);
	sc->wake[position] = until;
	if (until < sc->next_far)
		sc->next_far = until;
}

/* The warp waits from now on until cycle `until`: for a global load, or for something else. NEVER: it is said
 * later (sub_core_known()). */
static inline void sub_core_wait(struct sub_core *sc, uint32_t position, int64_t until, bool memory)
{
	sc->operand &= ~bit(position);
	sc->waiting |= bit(position);
	if (memory)
		sc->on_memory |= bit(position);
	if (until - sc->near_from < NEAR_CYCLES)
		sub_core_wait_near(sc, position, until);
	else
		sub_core_wait_far(sc, position, until);
	if (until < sc->next_wake)
		sc->next_wake = until;
}

/* The cycle in which a waiting warp wakes is known now. */
static inline void sub_core_known(struct sub_core *sc, uint32_t position, int64_t until)
{
	sub_core_wait_far(sc, position, until);
	if (until < sc->next_wake)
		sc->next_wake = until;
}

/* The warps at a barrier in this cycle. */
static inline uint64_t sub_core_at_barrier(const struct sub_core *sc, int64_t cycle)
{
	return sc->barrier | (sc->opened_in == cycle ? sc->opened : 0);
}

/* Warps whose wait is over in this cycle may be issued; warps that have ended are removed. */
void sub_core_settle(struct sub_core *sc, int64_t cycle);

/* Accounts for all cycles before this one. */
static inline void sub_core_account(struct sub_core *sc, int64_t cycle)
{
	if (sc->idle_since < cycle) {
		sc->slots[sc->idle_slot] += cycle - sc->idle_since;
		sc->idle_since = cycle;
	}
}

/* Adds a warp as the youngest. It gets into `present`, the set of its kernel and that of its unit; the caller
 * then puts it into one of the sets of states. key: what its instructions add to the digest. */
void sub_core_add(
	struct sub_core *sc, struct warp *v, uint32_t kernel, uint32_t unit, uint64_t key, int64_t cycle);
/* Removes the warp, whatever its state. */
void sub_core_remove(struct sub_core *sc, uint32_t position);

/* The warps whose unit accepts nothing in this cycle. */
static inline uint64_t sub_core_unit_waits(struct sub_core *sc, int64_t cycle)
{
	uint64_t waits = 0;
	for (uint32_t units = sc->busy; units; units &= units - 1) {
		uint32_t u = (uint32_t)__builtin_ctz(units);
		if (sc->unit_free[u] <= cycle)
			sc->busy &= ~(UINT32_C(1) << u);
		else
			waits |= sc->wants[u];
	}
	return waits;
}

/* The warps of a set of kernels, as positions. */
static inline uint64_t sub_core_of_kernels(const struct sub_core *sc, uint32_t kernels, uint32_t count)
{
	uint64_t set = 0;
	for (uint32_t k = 0; k < count; k++)
		if (kernels >> k & 1)
			set |= sc->of_kernel[k];
	return set;
}

#endif
