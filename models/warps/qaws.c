/* models/warps/qaws.c - QoS-aware warp scheduling: greedy-then-oldest within a group of kernels of equal
 * budget, for as many switches between warps as the budget says, then the next group (QAWS Algorithm 1;
 * docs/warps.md for any number of groups). */
#include "models/warps/schedulers.h"

void qaws_init(struct warp_simulation *w)
{
	w->group_count = 0;
	for (int64_t limit = INT64_MAX;;) {
		int64_t next = 0;
		for (uint32_t k = 0; k < w->kernel_count; k++)
			if (w->options.budget[k] < limit && w->options.budget[k] > next)
				next = w->options.budget[k];
		if (next == 0)
			return;
		for (uint32_t k = 0; k < w->kernel_count; k++)
			if (w->options.budget[k] == next)
				w->group_of[k] = (int8_t)w->group_count;
		w->group_budget[w->group_count++] = next;
		limit = next;
	}
}

/* The warps of each group; returns the number of groups that have some. */
static uint32_t groups(const struct warp_simulation *w, const struct sub_core *sc, uint64_t warps[])
{
	uint32_t present = 0;
	for (uint32_t g = 0; g < w->group_count; g++)
		warps[g] = 0;
	for (uint32_t k = 0; k < w->kernel_count; k++)
		warps[w->group_of[k]] |= sc->of_kernel[k];
	for (uint32_t g = 0; g < w->group_count; g++)
		present += warps[g] != 0;
	return present;
}

/* The next group behind g that has warps; after the last group comes the first. */
static int8_t next_group(const struct warp_simulation *w, const uint64_t warps[], int g)
{
	do
		g = g + 1 == (int)w->group_count ? 0 : g + 1;
	while (!warps[g]);
	return (int8_t)g;
}

static void prefer(struct sub_core *sc, int8_t group)
{
	sc->group = group;
	sc->switches = 0;
	sc->group_waits = true;
}

/* The preferred group waits for its turn: picks its oldest ready warp. If it has none, other groups may
 * issue. */
static int take_turn(struct sub_core *sc, const uint64_t warps[], uint64_t ready)
{
	int own = oldest_of(ready & warps[sc->group]);
	if (own < 0)
		return oldest_of(ready);
	sc->group_waits = false;
	return own;
}

/* The last warp was of the preferred group and has stalled. */
static int after_stall(struct warp_simulation *w, struct sub_core *sc, const uint64_t warps[], uint64_t ready)
{
	if (sc->switches >= w->group_budget[sc->group]) {
		prefer(sc, next_group(w, warps, sc->group));
		return take_turn(sc, warps, ready);
	}
	int own = oldest_of(ready & warps[sc->group]);
	if (own < 0)
		return oldest_of(ready);
	sc->switches++;
	return own;
}

int pick_qaws(struct warp_simulation *w, struct sub_core *sc, uint64_t ready, int64_t cycle)
{
	uint64_t warps[WARP_KERNELS_MAX];
	uint32_t present = groups(w, sc, warps);
	if (present == 0)
		return -1;
	if (present == 1) {
		sc->group = next_group(w, warps, sc->group);
		sc->switches = 0;
		sc->group_waits = false;
		return pick_gto(w, sc, ready, cycle);
	}
	if (sc->group < 0 || !warps[sc->group])
		prefer(sc, next_group(w, warps, sc->group));
	bool of_group = !sc->group_waits && sc->last_kernel >= 0 && w->group_of[sc->last_kernel] == sc->group;
	if (!of_group)
		return take_turn(sc, warps, ready);
	if (sc->last >= 0 && ready & bit((uint32_t)sc->last))
		return sc->last;
	return after_stall(w, sc, warps, ready);
}
