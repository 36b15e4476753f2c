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
	sc->far &= ~gone;
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

/* The warps in near[] whose cycle has come. */
static uint64_t near_due(struct sub_core *sc, int64_t cycle)
{
	uint64_t due = 0, over = ~UINT64_C(0);
	uint32_t from = (uint32_t)sc->near_from % NEAR_CYCLES;
	if (cycle - sc->near_from < NEAR_CYCLES - 1) {
		over = (UINT64_C(2) << (cycle - sc->near_from)) - 1;
		over = over << from | over >> 1 >> (NEAR_CYCLES - 1 - from);
	}
	for (uint64_t slots = sc->near_filled & over; slots; slots &= slots - 1)
		due |= sc->near[__builtin_ctzll(slots)];
	sc->near_filled &= ~over;
	sc->near_from = cycle;
	return due;
}

/* Those of the others whose cycle has come; who wakes soon goes to near[]. */
static uint64_t far_due(struct sub_core *sc, int64_t cycle)
{
	uint64_t due = 0;
	sc->far &= sc->waiting;
	sc->next_far = NEVER;
	for (uint64_t set = sc->far; set; set &= set - 1) {
		uint32_t p = (uint32_t)__builtin_ctzll(set);
		int64_t wake = sc->wake[p];
		if (wake - cycle >= NEAR_CYCLES) {
			sc->next_far = wake < sc->next_far ? wake : sc->next_far;
			continue;
		}
		sc->far &= ~bit(p);
		if (wake <= cycle)
			due |= bit(p);
		else
			sub_core_wait_near(sc, p, wake);
	}
	return due;
}

/* The first cycle from near_from on that is in near[]; NEVER: there is none. */
static int64_t first_near(const struct sub_core *sc)
{
	uint32_t from = (uint32_t)sc->near_from % NEAR_CYCLES;
	uint64_t turned = sc->near_filled >> from | sc->near_filled << 1 << (NEAR_CYCLES - 1 - from);
	return turned ? sc->near_from + __builtin_ctzll(turned) : NEVER;
}

void sub_core_settle(struct sub_core *sc, int64_t cycle)
{
	uint64_t due = near_due(sc, cycle);
	/* Half of what is near: those of far are not looked at in every cycle in which one comes near. */
	if (sc->next_far - cycle < NEAR_CYCLES / 2)
		due |= far_due(sc, cycle);
	int64_t next = first_near(sc);
	sc->next_wake = next < sc->next_far ? next : sc->next_far;
	due &= sc->waiting;
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
	for (uint64_t slots = sc->near_filled; slots; slots &= slots - 1)
		sc->near[__builtin_ctzll(slots)] &= sc->waiting;
	sc->far &= sc->waiting;
	for (uint8_t p = 0; p < WARPS_PER_SM_MAX; p++) {
		if (!(sc->present & bit(p)))
			continue;
		if (p <= sc->around)
			around = (int8_t)next;
		to[p] = next;
		sc->warp[next] = sc->warp[p];
		sc->warp[next]->position = next;
		sc->key[next] = sc->key[p];
		sc->wake[next] = sc->wake[p];
		next++;
	}
	uint64_t *const sets[] = {&sc->operand, &sc->waiting, &sc->on_memory, &sc->ending, &sc->barrier,
		&sc->opened, &sc->absent, &sc->active, &sc->far};
	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
		*sets[i] = moved(*sets[i], to);
	for (uint32_t k = 0; k < WARP_KERNELS_MAX; k++)
		sc->of_kernel[k] = moved(sc->of_kernel[k], to);
	for (uint32_t u = 0; u <= WARP_UNITS; u++)
		sc->wants[u] = moved(sc->wants[u], to);
	for (uint64_t slots = sc->near_filled; slots; slots &= slots - 1) {
		uint32_t at = (uint32_t)__builtin_ctzll(slots);
		sc->near[at] = moved(sc->near[at], to);
	}
	sc->present = moved(sc->present, to);
	for (uint8_t i = 0; i < sc->queued; i++)
		sc->queue[i] = to[sc->queue[i]];
	if (sc->last >= 0)
		sc->last = (int8_t)to[sc->last];
	sc->around = around;
	sc->next_position = next;
}

void sub_core_add(
	struct sub_core *sc, struct warp *v, uint32_t kernel, uint32_t unit, uint64_t key, int64_t cycle)
{
	sub_core_settle(sc, cycle);
	if (sc->next_position == WARPS_PER_SM_MAX)
		close_ranks(sc);
	uint8_t p = sc->next_position++;
	v->position = p;
	sc->warp[p] = v;
	sc->key[p] = key;
	sc->present |= bit(p);
	sc->of_kernel[kernel] |= bit(p);
	sc->wants[unit] |= bit(p);
	sc->queue[sc->queued++] = p;
}

void sub_core_remove(struct sub_core *sc, uint32_t position)
{
	forget(sc, bit(position));
}
