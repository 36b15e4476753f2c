/* models/warps/sub_core.c - see models/warps/sub_core.h. */
#include "models/warps/sub_core.h"

static void forget(struct sub_core *sc, uint64_t gone)
{
	sc->present &= ~gone;
	sc->operand &= ~gone;
	sc->waiting &= ~gone;
	sc->on_memory &= ~gone;
	sc->ending &= ~gone;
	sc->barrier &= ~gone;
	sc->opened &= ~gone;
	sc->absent &= ~gone;
	for (uint32_t k = 0; k < WARP_KERNELS_MAX; k++)
		sc->of_kernel[k] &= ~gone;
	for (uint32_t u = 0; u <= WARP_UNITS; u++)
		sc->wants[u] &= ~gone;
	if (sc->last >= 0 && gone & bit((uint32_t)sc->last))
		sc->last = -1;
	uint8_t kept = 0;
	for (uint8_t i = 0; i < sc->queued; i++)
		if (!(gone & bit(sc->queue[i])))
			sc->queue[kept++] = sc->queue[i];
	sc->queued = kept;
	sc->active &= ~gone;
}

/* Warps of a set of waiting warps whose cycle has come. *next: the first cycle of the others. */
static uint64_t due_of(const struct sub_core *sc, uint64_t set, int64_t cycle, int64_t *next)
{
	uint64_t due = 0;
	*next = NEVER;
	for (; set; set &= set - 1) {
		uint32_t p = (uint32_t)__builtin_ctzll(set);
		if (sc->wake[p] <= cycle)
			due |= bit(p);
		else if (sc->wake[p] < *next)
			*next = sc->wake[p];
	}
	return due;
}

void sub_core_settle(struct sub_core *sc, int64_t cycle)
{
	int64_t next;
	uint64_t due = due_of(sc, sc->waiting & ~sc->on_memory, cycle, &next);
	if (sc->next_memory <= cycle)
		due |= due_of(sc, sc->on_memory, cycle, &sc->next_memory);
	sc->next_wake = sc->next_memory < next ? sc->next_memory : next;
	if (due & sc->ending)
		forget(sc, due & sc->ending);
	due &= sc->waiting;
	sc->waiting &= ~due;
	sc->on_memory &= ~due;
	sc->operand |= due;
}

/* The set, with its warps at their new positions. */
static uint64_t moved(uint64_t set, const uint8_t *to)
{
	uint64_t result = 0;
	for (; set; set &= set - 1)
		result |= bit(to[__builtin_ctzll(set)]);
	return result;
}

/* All positions have been used: moves the warps together, in the same order, and so frees positions at the
 * end. */
static void close_ranks(struct sub_core *sc)
{
	uint8_t to[WARPS_PER_SM_MAX] = {0}, next = 0;
	int8_t around = -1;
	for (uint8_t p = 0; p < WARPS_PER_SM_MAX; p++) {
		if (!(sc->present & bit(p)))
			continue;
		if (p <= sc->around)
			around = (int8_t)next;
		to[p] = next;
		sc->warp[next] = sc->warp[p];
		sc->warp[next]->position = next;
		sc->wake[next] = sc->wake[p];
		next++;
	}
	uint64_t *const sets[] = {&sc->operand, &sc->waiting, &sc->on_memory, &sc->ending, &sc->barrier,
		&sc->opened, &sc->absent, &sc->active};
	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
		*sets[i] = moved(*sets[i], to);
	for (uint32_t k = 0; k < WARP_KERNELS_MAX; k++)
		sc->of_kernel[k] = moved(sc->of_kernel[k], to);
	for (uint32_t u = 0; u <= WARP_UNITS; u++)
		sc->wants[u] = moved(sc->wants[u], to);
	sc->present = moved(sc->present, to);
	for (uint8_t i = 0; i < sc->queued; i++)
		sc->queue[i] = to[sc->queue[i]];
	if (sc->last >= 0)
		sc->last = (int8_t)to[sc->last];
	sc->around = around;
	sc->next_position = next;
}

void sub_core_add(struct sub_core *sc, struct warp *v, uint32_t kernel, uint32_t unit, int64_t cycle)
{
	sub_core_settle(sc, cycle);
	if (sc->next_position == WARPS_PER_SM_MAX)
		close_ranks(sc);
	uint8_t p = sc->next_position++;
	v->position = p;
	sc->warp[p] = v;
	sc->present |= bit(p);
	sc->of_kernel[kernel] |= bit(p);
	sc->wants[unit] |= bit(p);
	sc->queue[sc->queued++] = p;
}

void sub_core_remove(struct sub_core *sc, uint32_t position)
{
	forget(sc, bit(position));
}
