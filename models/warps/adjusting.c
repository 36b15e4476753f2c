/* models/warps/adjusting.c - see models/warps/adjusting.h: the targets. spart.c has the spatial partition. */
#include "models/warps/adjusting.h"

#include "models/warps/blocks.h"
#include "models/warps/epochs.h"
#include "models/warps/spart.h"

/* ---- At the beginning ---- */

/* The SMs [*first, *last) that a kernel may use: a kernel with a goal has all. If some kernel has a goal, the
 * i-th of the n kernels without one has the i-th of n parts. */
static void range(const struct warp_simulation *w, uint32_t kernel, uint32_t *first, uint32_t *last)
{
	uint32_t without = 0, before = 0;
	*first = 0;
	*last = w->sm_count;
	if (w->goals == 0 || w->goals >> kernel & 1)
		return;
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		without += !(w->goals >> i & 1);
		before += !(w->goals >> i & 1) && i < kernel;
	}
	*first = (uint32_t)((uint64_t)before * w->sm_count / without);
	*last = (uint32_t)((uint64_t)(before + 1) * w->sm_count / without);
	if (*first == *last) {
		*first = before % w->sm_count;
		*last = *first + 1;
	}
}

/* Targets of the kernels of the set `which`, for the blocks that they have now. */
static void even_targets(struct warp_simulation *w, uint32_t which)
{
	for (uint32_t s = 0; s < w->sm_count; s++) {
		uint32_t users = 0, set = 0, first, last;
		for (uint32_t i = 0; i < w->kernel_count; i++) {
			range(w, i, &first, &last);
			if (s >= first && s < last && (w->only == ALL_KERNELS || w->only == i)) {
				users++;
				set |= UINT32_C(1) << i;
			}
		}
		for (uint32_t i = 0; i < w->kernel_count; i++) {
			const struct footprint *block = &w->kernels[i].part.footprint;
			uint32_t fit = set >> i & 1 ? blocks_fit(w->platform, block, users) : 0;
			if (which >> i & 1)
				w->sms[s].kernel[i].target = set >> i & 1 && fit == 0 ? 1 : fit;
		}
	}
}

bool adjusting_init(struct warp_simulation *w)
{
	if (w->options.manager == MANAGER_SPART)
		return spart_init(w);
	if (w->options.blocks == BLOCKS_EVEN) {
		even_targets(w, UINT32_MAX);
		return true;
	}
	for (uint32_t s = 0; s < w->sm_count; s++)
		for (uint32_t i = 0; i < w->kernel_count; i++)
			w->sms[s].kernel[i].target = NO_TARGET;
	return true;
}

/* ---- At another part ---- */

void adjusting_part(struct warp_simulation *w, uint32_t kernel, const struct footprint *before)
{
	const struct footprint *now = &w->kernels[kernel].part.footprint;
	if (now->warps == before->warps && now->registers == before->registers &&
		now->shared_memory == before->shared_memory)
		return; /* a target counts the same blocks as before */
	if (w->options.manager == MANAGER_SPART)
		spart_part(w, kernel);
	else if (w->options.blocks == BLOCKS_EVEN)
		even_targets(w, UINT32_C(1) << kernel);
}

/* ---- At an epoch ---- */

static bool part_fits(int64_t limit, int64_t need)
{
	return limit == 0 || need <= limit;
}

/* Do all kernels fit an SM at their targets, if kernel `k` has one block more and kernel `v` has `less`
 * blocks less? */
static bool targets_fit(
	const struct warp_simulation *w, const struct engine_sm *sm, uint32_t k, uint32_t v, uint32_t less)
{
	const struct platform *p = w->platform;
	int64_t warps = 0, threads = 0, blocks = 0, registers = 0, shared = 0;
	for (uint32_t i = 0; i < w->kernel_count; i++) {
		const struct footprint *f = &w->kernels[i].part.footprint;
		int64_t count = (int64_t)sm->kernel[i].target + (i == k) - (i == v ? less : 0);
		warps += count * f->warps;
		threads += count * f->threads;
		blocks += count;
		registers += count * f->registers;
		shared += count * f->shared_memory;
	}
	return warps <= WARPS_PER_SM_MAX && part_fits(p->warps_per_sm, warps) &&
	       part_fits(p->threads_per_sm, threads) && part_fits(p->blocks_per_sm, blocks) &&
	       part_fits(p->registers_per_sm, registers) && part_fits(p->shared_memory_per_sm, shared);
}

static int64_t idle_blocks(const struct warp_simulation *w, const struct engine_sm *sm, uint32_t kernel)
{
	int64_t samples = w->samples * (int64_t)w->kernels[kernel].part.warps_per_block;
	return samples ? sm->kernel[kernel].idle_sum / samples : 0;
}

static uint32_t all_blocks(const struct warp_simulation *w, uint32_t kernel)
{
	uint32_t blocks = 0;
	for (uint32_t s = 0; s < w->sm_count; s++)
		blocks += w->sms[s].kernel[kernel].blocks;
	return blocks;
}

/* Would the kernel still be above its goal with `less` blocks fewer? */
static bool has_margin(const struct warp_simulation *w, uint32_t kernel, uint32_t less)
{
	const struct engine_kernel *k = &w->kernels[kernel];
	int64_t blocks = all_blocks(w, kernel);
	if (k->goal < 0 || k->history_ipc < 0 || blocks < (int64_t)less)
		return false;
	return (int64_t)((int128)k->history_ipc * (blocks - less) / blocks) > k->goal;
}

/* Three kinds of victims, tried in this order. */
enum adjusting_victim { WITHOUT_GOAL, WITH_IDLE_BLOCKS, WITH_MARGIN, VICTIMS };

static bool is_victim(const struct warp_simulation *w, const struct engine_sm *sm, uint32_t kernel,
	uint32_t less, enum adjusting_victim kind)
{
	if (kind == WITHOUT_GOAL)
		return w->kernels[kernel].goal < 0;
	if (kind == WITH_IDLE_BLOCKS)
		return idle_blocks(w, sm, kernel) >= (int64_t)less + 1;
	return has_margin(w, kernel, less);
}

/* How many blocks v must give to make room for one block of k; 0: it would have to give all. */
static uint32_t blocks_to_give(
	const struct warp_simulation *w, const struct engine_sm *sm, uint32_t k, uint32_t v)
{
	for (uint32_t less = 1; less < sm->kernel[v].target; less++)
		if (targets_fit(w, sm, k, v, less))
			return less;
	return 0;
}

static bool find_victim(const struct warp_simulation *w, const struct engine_sm *sm, uint32_t k,
	uint32_t *victim, uint32_t *less)
{
	for (int kind = 0; kind < VICTIMS; kind++) {
		for (uint32_t v = 0; v < w->kernel_count; v++) {
			if (v == k)
				continue;
			*less = blocks_to_give(w, sm, k, v);
			*victim = v;
			if (*less && is_victim(w, sm, v, *less, (enum adjusting_victim)kind))
				return true;
		}
	}
	return false;
}

/* Below its goal, and by more than the margin, which keeps those that are close from taking blocks. */
static bool wants_blocks(const struct warp_simulation *w, const struct engine_kernel *k)
{
	return below_goal(k) &&
	       (int128)k->history_ipc * 1000000 < (int128)k->goal * (1000000 - w->options.adjust_margin);
}

static void adjust_sm(struct warp_simulation *w, struct engine_sm *sm)
{
	uint32_t k = 0, victim, less;
	for (; k < w->kernel_count; k++) {
		uint32_t target = sm->kernel[k].target;
		if (target > 0 && target != NO_TARGET && wants_blocks(w, &w->kernels[k]) &&
			idle_blocks(w, sm, k) <= 1 && blocks_left(&w->kernels[k]))
			break;
	}
	if (k == w->kernel_count)
		return;
	if (targets_fit(w, sm, k, k, 0)) {
		sm->kernel[k].target++;
		w->place = true;
	} else if (find_victim(w, sm, k, &victim, &less)) {
		sm->kernel[victim].target -= less;
		sm->kernel[k].target++;
		blocks_swap_beyond_target(w, sm, victim);
		w->place = true;
	}
}

void adjusting_blocks(struct warp_simulation *w)
{
	for (uint32_t s = 0; s < w->sm_count; s++)
		if (w->sms[s].swapping == 0)
			adjust_sm(w, &w->sms[s]);
}
