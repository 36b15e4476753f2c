/* tests/oracle/warp_plain_blocks.c - what happens to targets and blocks at an epoch, and swaps
 * (docs/warps.md, Idle warps and blocks; Swaps). */
#include <stddef.h>

#include "tests/oracle/warp_plain_internal.h"

#define RESOURCES 5

/* What is known about an SM when the epoch begins. */
struct view_of_sm {
	uint32_t sm;
	const struct warp_epoch_quota *last; /* rows of the epoch that has ended */
	uint32_t samples;
};

/* ---- swaps ---- */

bool plain_context_moves(const struct plain *p, uint32_t sm)
{
	for (uint32_t i = 0; i < p->sm[sm].count; i++) {
		enum plain_place place = p->sm[sm].blocks[i]->place;
		if (place == PLACE_SAVING || place == PLACE_LOADING)
			return true;
	}
	return false;
}

/* All warps of the block have issued everything: it ends by itself. */
static bool has_issued_everything(const struct plain *p, const struct plain_block *b)
{
	const struct plain_part *part = plain_part_of(p, b->job);
	for (uint32_t w = 0; w < part->warps; w++) {
		if (!plain_all_issued(part, &b->warps[w]))
			return false;
	}
	return true;
}

static void swap_out(struct plain *p, struct plain_block *b)
{
	uint32_t kernel = b->job->kernel;
	if (has_issued_everything(p, b))
		return;
	int64_t through = plain_context_through(p, kernel);
	b->swap = p->swaps++;
	b->through = through > p->c ? through : p->c + 1;
	b->place = PLACE_SAVING;
	const struct plain_part *part = plain_part_of(p, b->job);
	for (uint32_t w = 0; w < part->warps; w++)
		b->warps[w].stays_away = plain_all_issued(part, &b->warps[w]);
	p->kernel[kernel].row.swaps++;
	p->out->kernel[kernel].swaps++;
	p->out->counts.swapped_out++;
}

/* Swaps out the youngest blocks; `keep` of them stay. In the order of their age. */
void plain_swap_out(struct plain *p, uint32_t sm, uint32_t kernel, int64_t keep)
{
	int64_t before = 0;
	for (uint32_t i = 0; i < p->sm[sm].count; i++) {
		struct plain_block *b = p->sm[sm].blocks[i];
		if (b->job->kernel != kernel || b->place == PLACE_SAVING)
			continue;
		if (before++ >= keep)
			swap_out(p, b);
	}
}

/* ---- targets ---- */

/* Do all kernels fit at their targets, if `more` gets one block more and `less` gets n fewer? */
static bool targets_fit(const struct plain *p, uint32_t sm, uint32_t more, uint32_t less, int64_t n)
{
	struct plain_need room = plain_capacity(p), sum = {{0}};
	for (uint32_t k = 0; k < p->kernels; k++) {
		struct plain_need need = plain_need_of(p, k);
		int64_t blocks = p->sm[sm].target[k] + (k == more) - (k == less ? n : 0);
		for (int r = 0; r < RESOURCES; r++)
			sum.amount[r] += blocks * need.amount[r];
	}
	for (int r = 0; r < RESOURCES; r++) {
		if (room.amount[r] >= 0 && sum.amount[r] > room.amount[r])
			return false;
	}
	return true;
}

static int64_t idle_blocks(const struct plain *p, const struct view_of_sm *v, uint32_t kernel)
{
	return v->last[kernel].idle_sum / ((int64_t)v->samples * plain_part_now(p, kernel)->warps);
}

/* Does the kernel have a goal, and is it below it? */
static bool is_below(const struct plain_kernel *k)
{
	return k->goal >= 0 && k->history >= 0 && k->history < k->goal;
}

static bool wants_a_block(const struct plain *p, const struct view_of_sm *v, uint32_t kernel)
{
	const struct plain_job *job = plain_active_job(p, kernel);
	const struct plain_kernel *k = &p->kernel[kernel];
	/* Docs: by more than the margin, a share of the goal; both are whole numbers of millionths. */
	bool by_more = is_below(k) &&
		       (int128)(k->goal - k->history) * MILLION > (int128)p->options->adjust_margin * k->goal;
	return by_more && p->sm[v->sm].target[kernel] > 0 && job && plain_next_block(p, job) &&
	       idle_blocks(p, v, kernel) <= 1;
}

/* ---- victims ---- */

static bool has_no_goal(const struct plain *p, const struct view_of_sm *v, uint32_t kernel, int64_t n)
{
	(void)v;
	(void)n;
	return p->kernel[kernel].goal < 0;
}

static bool has_idle_blocks(const struct plain *p, const struct view_of_sm *v, uint32_t kernel, int64_t n)
{
	return idle_blocks(p, v, kernel) >= n + 1;
}

static bool can_spare(const struct plain *p, const struct view_of_sm *v, uint32_t kernel, int64_t n)
{
	const struct plain_kernel *k = &p->kernel[kernel];
	int64_t all = 0;
	(void)v;
	for (uint32_t i = 0; i < p->sms; i++)
		all += plain_blocks_on(p, i, kernel);
	if (k->goal < 0 || k->history < 0 || all <= n)
		return false;
	return (int128)k->history * (all - n) / all > k->goal;
}

/* The least n that makes room; 0: none does. */
static int64_t least_that_makes_room(const struct plain *p, uint32_t sm, uint32_t wanting, uint32_t victim)
{
	for (int64_t n = 1; n < p->sm[sm].target[victim]; n++) {
		if (targets_fit(p, sm, wanting, victim, n))
			return n;
	}
	return 0;
}

static bool take_from_victim(struct plain *p, const struct view_of_sm *v, uint32_t wanting)
{
	static bool (*const kinds[])(const struct plain *, const struct view_of_sm *, uint32_t, int64_t) = {
		has_no_goal, has_idle_blocks, can_spare};
	struct plain_sm *sm = &p->sm[v->sm];
	for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
		for (uint32_t k = 0; k < p->kernels; k++) {
			int64_t n = k == wanting ? 0 : least_that_makes_room(p, v->sm, wanting, k);
			if (n == 0 || !kinds[kind](p, v, k, n))
				continue;
			p->out->counts.victims[kind]++;
			sm->target[k] -= n;
			plain_swap_out(p, v->sm, k, sm->target[k]);
			return true;
		}
	}
	return false;
}

static void adjust_sm(struct plain *p, const struct view_of_sm *v)
{
	struct plain_sm *sm = &p->sm[v->sm];
	uint32_t wanting = 0;
	while (wanting < p->kernels && !wants_a_block(p, v, wanting))
		wanting++;
	if (wanting == p->kernels || plain_context_moves(p, v->sm))
		return;
	if (targets_fit(p, v->sm, wanting, wanting, 0)) {
		sm->target[wanting]++;
		p->out->counts.raised++;
	} else if (take_from_victim(p, v, wanting)) {
		sm->target[wanting]++;
		p->out->counts.raised_by_victim++;
	}
}

void plain_adjust(struct plain *p, struct warp_epoch_quota last[][WARP_KERNELS_MAX], uint32_t samples)
{
	for (uint32_t i = 0; i < p->sms; i++) {
		const struct view_of_sm v = {i, last[i], samples};
		adjust_sm(p, &v);
	}
}
