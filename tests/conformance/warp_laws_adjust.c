/* tests/conformance/warp_laws_adjust.c - laws of what an epoch moves: targets and their victims (QoS 3.6),
 * the blocks that are swapped out, and SMs that change hands (spart), each from the rows of the
 * epoch before. */
#include <inttypes.h>
#include <string.h>

#include "tests/conformance/warp_laws.h"

#define MILLION 1000000
#define NOBODY UINT32_MAX

/* ---- what is known when an epoch begins ---- */

static int64_t goal_of(const struct warp_seen *s, uint32_t kernel)
{
	return s->run->kernel[kernel].goal;
}

static int64_t history(const struct warp_seen *s, uint32_t kernel, uint32_t epoch)
{
	return warp_seen_epoch(s, epoch - 1, kernel)->history_ipc;
}

static bool is_short(const struct warp_seen *s, uint32_t kernel, uint32_t epoch)
{
	return goal_of(s, kernel) >= 0 && history(s, kernel, epoch) >= 0 &&
	       history(s, kernel, epoch) < goal_of(s, kernel);
}

/* Is a context on its way, on this SM (NOBODY: on any)? */
static bool contexts_move(const struct warp_seen *s, uint32_t sm, int64_t now)
{
	for (size_t i = 0; i < s->stay_count; i++) {
		const struct warp_stay *stay = &s->stays[i];
		bool saved = stay->leave < now && stay->end > now;
		bool loaded = stay->again && stay->start <= now && stay->there > now;
		if ((saved || loaded) && (sm == NOBODY || stay->sm == sm))
			return true;
	}
	return false;
}

static size_t stays_begun(const struct warp_seen *s, int64_t now)
{
	size_t count = 0;
	while (count < s->stay_count && s->stays[count].start <= now)
		count++;
	return count;
}

/* Blocks of a kernel on all SMs, without those that lower SMs have just swapped out. */
static int64_t all_blocks(const struct warp_seen *s, uint32_t kernel, uint32_t sm, int64_t now)
{
	int64_t count = 0;
	for (size_t i = 0; i < s->stay_count; i++) {
		const struct warp_stay *stay = &s->stays[i];
		bool there =
			stay->kernel == kernel && stay->start <= now && stay->end > now && stay->leave >= now;
		count += there && !(stay->leave == now && stay->sm < sm);
	}
	return count;
}

/* ---- targets ---- */

static int64_t idle_blocks(const struct warp_seen *s, uint32_t epoch, uint32_t sm, uint32_t kernel)
{
	const struct warp_epoch_quota *row = warp_seen_quota(s, epoch - 1, sm, kernel);
	int64_t warps = (int64_t)row->samples * s->warps[kernel];
	return warps ? row->idle_sum / warps : 0;
}

static bool room(
	const struct warp_seen *s, const uint32_t targets[], uint32_t more, uint32_t victim, uint32_t less)
{
	struct warp_need sum = {0};
	for (uint32_t k = 0; k < s->scene->warps.kernel_count; k++)
		warp_need_add(s, k, (int64_t)targets[k] + (k == more) - (k == victim ? less : 0), &sum);
	return warp_need_fits(s, &sum);
}

static bool may_give(
	const struct warp_seen *s, uint32_t epoch, uint32_t sm, uint32_t kernel, int64_t less, int kind)
{
	int64_t now = s->epoch_starts[epoch], blocks = all_blocks(s, kernel, sm, now),
		goal = goal_of(s, kernel);
	if (kind == 0)
		return goal < 0;
	if (kind == 1)
		return idle_blocks(s, epoch, sm, kernel) >= less + 1;
	return goal >= 0 && history(s, kernel, epoch) >= 0 && blocks >= less && blocks > 0 &&
	       (int64_t)((int128)history(s, kernel, epoch) * (blocks - less) / blocks) > goal;
}

static void take_from_victim(
	const struct warp_seen *s, uint32_t epoch, uint32_t sm, uint32_t taker, uint32_t targets[])
{
	for (int kind = 0; kind < 3; kind++) {
		for (uint32_t k = 0; k < s->scene->warps.kernel_count; k++) {
			uint32_t less = 1;
			while (less < targets[k] && !room(s, targets, taker, k, less))
				less++;
			if (k == taker || less >= targets[k] || !may_give(s, epoch, sm, k, less, kind))
				continue;
			targets[k] -= less;
			targets[taker]++;
			return;
		}
	}
}

/* What the targets of an SM become. */
static void adjust(const struct warp_seen *s, uint32_t epoch, uint32_t sm, uint32_t targets[])
{
	int64_t now = s->epoch_starts[epoch];
	size_t begun = stays_begun(s, now);
	if (contexts_move(s, sm, now))
		return;
	for (uint32_t k = 0; k < s->scene->warps.kernel_count; k++) {
		if (targets[k] == 0 || targets[k] == UINT32_MAX || !is_short(s, k, epoch) ||
			idle_blocks(s, epoch, sm, k) > 1 || !warp_seen_waiting(s, k, now, begun))
			continue;
		if (room(s, targets, k, NOBODY, 0))
			targets[k]++;
		else
			take_from_victim(s, epoch, sm, k, targets);
		return;
	}
}

void warp_adjusting(const struct warp_seen *s, struct warp_breach *v)
{
	uint32_t kernels = s->scene->warps.kernel_count;
	if (!warp_seen_has_quotas(s) || !s->scene->options.adjust)
		return;
	for (uint32_t e = 1; e < s->epochs && s->epoch_starts[e] < s->cut; e++) {
		for (uint32_t sm = 0; sm < s->scene->platform.sms; sm++) {
			uint32_t targets[WARP_KERNELS_MAX];
			for (uint32_t k = 0; k < kernels; k++)
				targets[k] = warp_seen_quota(s, e - 1, sm, k)->target;
			adjust(s, e, sm, targets);
			for (uint32_t k = 0; k < kernels; k++)
				if (warp_seen_quota(s, e, sm, k)->target != targets[k])
					warp_broken(v,
						"epoch %u, SM %u: the target of kernel %u becomes %u, not %u",
						e, sm, k, warp_seen_quota(s, e, sm, k)->target, targets[k]);
		}
	}
}

/* ---- blocks that are swapped out ---- */

/* Before this cycle all its warps have issued their last instruction: it ends by itself. */
static bool only_ends(const struct warp_seen *s, const struct warp_stay *stay, int64_t now)
{
	for (uint32_t w = 0; w < s->warps[stay->kernel]; w++) {
		const struct warp_life *life = warp_seen_life(s, stay->kernel, stay->job, stay->block, w);
		uint32_t length = s->length[stay->kernel];
		if (life->count < length || life->rows[length - 1]->cycle >= now)
			return false;
	}
	return true;
}

/* The youngest beyond a target that has fallen with this epoch, and nobody else. */
static void check_swapped(
	const struct warp_seen *s, uint32_t epoch, uint32_t sm, uint32_t kernel, struct warp_breach *v)
{
	int64_t now = s->epoch_starts[epoch];
	uint32_t target = warp_seen_quota(s, epoch, sm, kernel)->target, older = 0;
	bool fell = epoch > 0 && target < warp_seen_quota(s, epoch - 1, sm, kernel)->target;
	for (size_t i = 0; i < s->stay_count; i++) {
		const struct warp_stay *stay = &s->stays[i];
		if (stay->kernel != kernel || stay->sm != sm || stay->start > now || stay->end <= now ||
			stay->leave < now)
			continue;
		bool goes = fell && older++ >= target && !only_ends(s, stay, now);
		if (goes != (stay->leave == now))
			warp_broken(v, "epoch %u, SM %u: block %u of kernel %u is %sswapped out", epoch, sm,
				stay->block, kernel, goes ? "not " : "");
	}
}

void warp_swapped(const struct warp_seen *s, struct warp_breach *v)
{
	for (uint32_t e = 0; e < s->epochs && s->epoch_starts[e] < s->cut; e++)
		for (uint32_t sm = 0; sm < s->scene->platform.sms; sm++)
			for (uint32_t k = 0; k < s->scene->warps.kernel_count; k++)
				check_swapped(s, e, sm, k, v);
}

/* ---- spart ---- */

struct climb {
	bool was_short[WARP_KERNELS_MAX], stopped;
	int64_t least; /* -1: none yet */
	uint32_t fruitless;
};

static int64_t gap(const struct warp_seen *s, uint32_t kernel, uint32_t epoch)
{
	int64_t a = goal_of(s, kernel), b = history(s, kernel, epoch);
	return (int64_t)((int128)(a > b ? a - b : b - a) * MILLION / a);
}

static uint32_t owned(const struct warp_seen *s, uint32_t kernel, uint32_t epoch)
{
	uint32_t count = 0;
	for (uint32_t sm = 0; sm < s->scene->platform.sms; sm++)
		count += warp_seen_quota(s, epoch, sm, kernel)->target > 0;
	return count;
}

static void count_epoch(const struct warp_seen *s, uint32_t epoch, struct climb *c)
{
	int64_t sum = 0;
	bool any = false, anew = false;
	for (uint32_t k = 0; k < s->scene->warps.kernel_count; k++) {
		bool now = is_short(s, k, epoch);
		anew = anew || (now && !c->was_short[k]);
		any = any || now;
		sum += now ? gap(s, k, epoch) : 0;
		c->was_short[k] = now;
	}
	if (anew) {
		c->stopped = false;
		c->least = -1;
		c->fruitless = 0;
	}
	if (any && c->least >= 0 && sum >= c->least)
		c->fruitless++;
	else
		c->fruitless = 0;
	if (any && (c->least < 0 || sum < c->least))
		c->least = sum;
	c->stopped = c->stopped || c->fruitless >= 3;
}

/* The kernel of the greatest value; ties: the first; values below 0 do not count. */
static uint32_t greatest(const int64_t values[], uint32_t count)
{
	uint32_t best = NOBODY;
	for (uint32_t k = 0; k < count; k++)
		if (values[k] >= 0 && (best == NOBODY || values[k] > values[best]))
			best = k;
	return best;
}

/* Who gives an SM to whom. */
static bool partners(const struct warp_seen *s, uint32_t e, uint32_t *from, uint32_t *to)
{
	int64_t shortage[WARP_KERNELS_MAX], many[WARP_KERNELS_MAX], rich[WARP_KERNELS_MAX],
		few[WARP_KERNELS_MAX];
	uint32_t kernels = s->scene->warps.kernel_count, wealthy = NOBODY;
	for (uint32_t k = 0; k < kernels; k++) {
		int64_t sms = owned(s, k, e - 1), goal = goal_of(s, k), ipc = history(s, k, e);
		bool known = goal >= 0 && ipc >= 0;
		shortage[k] = is_short(s, k, e) ? gap(s, k, e) : -1;
		many[k] = goal < 0 && sms >= 2 ? sms : -1;
		rich[k] = known && ipc >= goal && sms >= 2 ? gap(s, k, e) : -1;
		few[k] = goal < 0 ? PLATFORM_MAX_SMS - sms : -1;
		if (wealthy == NOBODY && known && sms >= 2 && (int64_t)((int128)ipc * (sms - 1) / sms) > goal)
			wealthy = k;
	}
	*to = greatest(shortage, kernels);
	*from = greatest(many, kernels);
	if (*to != NOBODY && *from == NOBODY)
		*from = greatest(rich, kernels);
	if (*to == NOBODY) {
		*from = wealthy;
		*to = greatest(few, kernels);
	}
	return *from != NOBODY && *to != NOBODY;
}

void warp_exchange(const struct warp_seen *s, struct warp_breach *v)
{
	struct climb climb = {.least = -1};
	if (s->scene->options.manager != MANAGER_SPART)
		return;
	for (uint32_t e = 1; e < s->epochs && s->epoch_starts[e] < s->cut; e++) {
		uint32_t from = NOBODY, to = NOBODY, given = NOBODY;
		count_epoch(s, e, &climb);
		if (climb.stopped || contexts_move(s, NOBODY, s->epoch_starts[e]) ||
			!partners(s, e, &from, &to))
			from = to = NOBODY;
		for (uint32_t sm = 0; sm < s->scene->platform.sms && from != NOBODY; sm++)
			given = warp_seen_quota(s, e - 1, sm, from)->target > 0 ? sm : given;
		for (uint32_t sm = 0; sm < s->scene->platform.sms; sm++) {
			for (uint32_t k = 0; k < s->scene->warps.kernel_count; k++) {
				bool had = warp_seen_quota(s, e - 1, sm, k)->target > 0;
				bool has = warp_seen_quota(s, e, sm, k)->target > 0;
				if (has != (sm == given ? k == to : had))
					warp_broken(v,
						"epoch %u: SM %u %s kernel %u; SM %d goes from %d to %d", e,
						sm, has ? "belongs to" : "does not belong to", k, (int)given,
						(int)from, (int)to);
			}
		}
	}
}
