/* models/warps/spart.c - see models/warps/spart.h. */
#include "models/warps/spart.h"

#include "models/warps/adjusting.h"
#include "models/warps/blocks.h"
#include "models/warps/epochs.h"

#define NOBODY UINT32_MAX
#define FRUITLESS 3u /* epochs after which climbing stops */

static void own(struct warp_simulation *w, uint32_t sm, uint32_t kernel)
{
	w->spart.owner[sm] = kernel;
	for (uint32_t i = 0; i < w->kernel_count; i++)
		w->sms[sm].kernel[i].target =
			i == kernel ? blocks_fit(w->platform, &w->kernels[i].part.footprint, 1) : 0;
}

bool spart_init(struct warp_simulation *w)
{
	w->spart.owner = arena_new(&w->arena, uint32_t, w->sm_count);
	if (!w->spart.owner)
		return false;
	w->spart.least = -1;
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		uint32_t first = (uint32_t)((uint64_t)i * w->sm_count / w->kernel_count);
		uint32_t last = (uint32_t)((uint64_t)(i + 1) * w->sm_count / w->kernel_count);
		for (uint32_t s = first; s < last; s++)
			own(w, s, i);
	}
	return true;
}

void spart_part(struct warp_simulation *w, uint32_t kernel)
{
	for (uint32_t s = 0; s < w->sm_count; s++)
		if (w->spart.owner[s] == kernel)
			own(w, s, kernel);
}

static uint32_t sms_of(const struct warp_simulation *w, uint32_t kernel)
{
	uint32_t count = 0;
	for (uint32_t s = 0; s < w->sm_count; s++)
		count += w->spart.owner[s] == kernel;
	return count;
}

/* How far the kernel is below its goal, in millionths of the goal. */
static int64_t distance_to_goal(const struct engine_kernel *k)
{
	int64_t gap = k->history_ipc < k->goal ? k->goal - k->history_ipc : k->history_ipc - k->goal;
	return (int64_t)((int128)gap * 1000000 / k->goal);
}

/* ---- Who gives, who takes ---- */

static uint32_t shortest_kernel(const struct warp_simulation *w)
{
	uint32_t found = NOBODY;
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		const struct engine_kernel *k = &w->kernels[i];
		if (below_goal(k) &&
			(found == NOBODY || distance_to_goal(k) > distance_to_goal(&w->kernels[found])))
			found = i;
	}
	return found;
}

static uint32_t giver(const struct warp_simulation *w)
{
	uint32_t found = NOBODY;
	for (uint32_t i = 0; i < w->kernel_count; i++)
		if (w->kernels[i].goal < 0 && sms_of(w, i) >= 2 &&
			(found == NOBODY || sms_of(w, i) > sms_of(w, found)))
			found = i;
	for (uint32_t i = 0; i < w->kernel_count && (found == NOBODY || w->kernels[found].goal >= 0); i++) {
		const struct engine_kernel *k = &w->kernels[i];
		if (k->goal < 0 || k->history_ipc < 0 || below_goal(k) || sms_of(w, i) < 2)
			continue;
		if (found == NOBODY || distance_to_goal(k) > distance_to_goal(&w->kernels[found]))
			found = i;
	}
	return found;
}

/* The first kernel that would still reach its goal with one SM less. */
static uint32_t wealthy(const struct warp_simulation *w)
{
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		const struct engine_kernel *k = &w->kernels[i];
		int64_t sms = sms_of(w, i);
		if (k->goal >= 0 && k->history_ipc >= 0 && sms >= 2 &&
			(int64_t)((int128)k->history_ipc * (sms - 1) / sms) > k->goal)
			return i;
	}
	return NOBODY;
}

static uint32_t poorest(const struct warp_simulation *w)
{
	uint32_t found = NOBODY;
	for (uint32_t i = 0; i < w->kernel_count; i++)
		if (w->kernels[i].goal < 0 && (found == NOBODY || sms_of(w, i) < sms_of(w, found)))
			found = i;
	return found;
}

static void move_sm(struct warp_simulation *w, uint32_t from, uint32_t to)
{
	for (uint32_t s = w->sm_count; s-- > 0;) {
		if (w->spart.owner[s] != from)
			continue;
		own(w, s, to);
		blocks_swap_beyond_target(w, &w->sms[s], from);
		w->place = true;
		return;
	}
}

/* ---- Climbing ---- */

/* Counts the epoch. True: the climb goes on. */
static bool climbs(struct warp_simulation *w)
{
	struct spart *s = &w->spart;
	int64_t sum = 0;
	bool any = false;
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		struct engine_kernel *k = &w->kernels[i];
		bool is_short = below_goal(k);
		if (is_short && !k->was_short)
			*s = (struct spart){.owner = s->owner, .least = -1};
		k->was_short = is_short;
		any = any || is_short;
		sum += is_short ? distance_to_goal(k) : 0;
	}
	if (!any || s->least < 0 || sum < s->least) {
		s->least = any ? sum : 0;
		s->epochs = 0;
	} else if (++s->epochs >= FRUITLESS) {
		s->stopped = true;
	}
	return !s->stopped;
}

static bool contexts_move(const struct warp_simulation *w)
{
	for (uint32_t i = 0; i < w->sm_count; i++)
		if (w->sms[i].swapping)
			return true;
	return false;
}

void adjusting_spart(struct warp_simulation *w)
{
	uint32_t from, to;
	if (!climbs(w) || contexts_move(w))
		return;
	to = shortest_kernel(w);
	if (to != NOBODY) {
		from = giver(w);
	} else {
		from = wealthy(w);
		to = poorest(w);
	}
	if (from != NOBODY && to != NOBODY)
		move_sm(w, from, to);
}
