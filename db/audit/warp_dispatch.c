/* db/audit/warp_dispatch.c - which blocks must be placed where, and how many blocks of a kernel an SM may
 * have at first (docs/warps.md, "Dispatch", "Targets"). */
#include "db/audit/warp_walk.h"

#define TABLE "block_interval"

/* ---- Targets ---- */

/* Blocks of a kernel that fit into the m-th part of an SM. */
static int64_t fitting(const struct audit_need *room, const struct audit_need *need, int64_t m)
{
	const int64_t limits[][2] = {{room->threads, need->threads}, {room->blocks, need->blocks},
		{room->warps, need->warps}, {room->registers, need->registers},
		{room->shared_memory, need->shared_memory}};
	int64_t most = NEVER;
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		int64_t of_this = limits[i][1] > 0 ? limits[i][0] / m / limits[i][1] : NEVER;
		most = of_this < most ? of_this : most;
	}
	return most;
}

int64_t walk_whole_target(const struct walk *w, uint32_t kernel)
{
	int64_t target = fitting(&w->d->room, &walk_part(w, kernel)->need, 1);
	return target > 1 ? target : 1;
}

/* Is this SM one of those of the i-th of n kernels that divide all SMs among them? */
static bool in_share(uint32_t sm, uint32_t i, uint32_t n, uint32_t sms)
{
	uint32_t from = (uint32_t)((uint64_t)i * sms / n), to = (uint32_t)((uint64_t)(i + 1) * sms / n);
	return from < to ? sm >= from && sm < to : sm == i % sms;
}

static bool may_use(const struct warp_description *d, uint32_t kernel, uint32_t sm)
{
	uint32_t goals = 0, place = 0;
	bool has_goal = d->kernel[kernel].goal_kind != NO_GOAL;
	for (uint32_t i = 0; i < d->kernels; i++) {
		bool goal = d->kernel[i].goal_kind != NO_GOAL;
		goals += goal;
		place += !goal && i < kernel;
	}
	if (d->manager == WITH_SPART)
		return in_share(sm, kernel, d->kernels, d->sms);
	return has_goal || goals == 0 || in_share(sm, place, d->kernels - goals, d->sms);
}

/* For the blocks that the kernel has now. */
static void first_target(struct walk *w, uint32_t sm, uint32_t kernel)
{
	const struct warp_description *d = w->d;
	int64_t sharers = 0;
	for (uint32_t i = 0; i < d->kernels; i++)
		sharers += may_use(d, i, sm);
	int64_t target = fitting(&d->room, &walk_part(w, kernel)->need, sharers > 0 ? sharers : 1);
	w->sm[sm].kernel[kernel].target = !may_use(d, kernel, sm) ? 0 : target > 1 ? target : 1;
	if (d->fill && d->manager != WITH_SPART)
		w->sm[sm].kernel[kernel].target = NEVER;
}

void walk_first_targets(struct walk *w)
{
	for (uint32_t sm = 0; sm < w->d->sms; sm++)
		for (uint32_t i = 0; i < w->d->kernels; i++)
			first_target(w, sm, i);
}

void walk_part_targets(struct walk *w, uint32_t kernel, const struct audit_need *before)
{
	const struct audit_need *now = &walk_part(w, kernel)->need;
	if (now->warps == before->warps && now->registers == before->registers &&
		now->shared_memory == before->shared_memory)
		return; /* a block is a block */
	for (uint32_t sm = 0; sm < w->d->sms; sm++) {
		struct on_sm *on = &w->sm[sm].kernel[kernel];
		if (w->d->manager != WITH_SPART)
			first_target(w, sm, kernel);
		else if (on->target > 0)
			on->target = walk_whole_target(w, kernel);
	}
}

/* ---- Dispatch ---- */

static struct resident_block *first_away(const struct kernel_walk *k)
{
	struct resident_block *b = k->away;
	while (b && (b->saving || b->seq != k->job.seq))
		b = b->next_away;
	return b;
}

bool walk_blocks_left(const struct walk *w, uint32_t kernel)
{
	const struct kernel_walk *k = &w->kernel[kernel];
	return k->active && (k->next_new < walk_part(w, kernel)->blocks || first_away(k));
}

/* Lists the active jobs with blocks to place, in the order in which they are served. */
static uint32_t line_up(const struct walk *w, uint32_t line[WARP_KERNELS])
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		if (!walk_blocks_left(w, i))
			continue;
		uint32_t at = count++;
		for (; at > 0; at--) {
			uint32_t before = line[at - 1];
			bool high = w->d->kernel[i].high, other_high = w->d->kernel[before].high;
			if (high == other_high ? w->kernel[i].release >= w->kernel[before].release
					       : other_high)
				break;
			line[at] = before;
		}
		line[at] = i;
	}
	return count;
}

static int64_t choose_sm(const struct walk *w, uint32_t kernel)
{
	int64_t best = -1;
	uint32_t fewest = UINT32_MAX;
	for (uint32_t i = 0; i < w->d->sms; i++) {
		const struct on_sm *on = &w->sm[i].kernel[kernel];
		if (on->blocks < fewest && on->blocks < on->target &&
			walk_fits(&w->sm[i].used, &walk_part(w, kernel)->need, &w->d->room)) {
			best = i;
			fewest = on->blocks;
		}
	}
	return best;
}

static struct audit_stay *row_of(struct walk *w, uint32_t kernel, int64_t block)
{
	for (size_t i = 0; i < w->fresh_count; i++) {
		struct audit_stay *s = &w->fresh[i];
		if (!s->placed && s->kernel == kernel && s->block == block &&
			s->seq == w->kernel[kernel].job.seq && s->part == w->kernel[kernel].at)
			return s;
	}
	return NULL;
}

/* Places blocks of a job as long as they find an SM. False: the recording does not place the next block
 * although it should; or that block found no place. */
static void serve(struct walk *w, uint32_t kernel)
{
	while (walk_blocks_left(w, kernel) && !w->failed) {
		struct kernel_walk *k = &w->kernel[kernel];
		const struct resident_block *b = first_away(k);
		int64_t block = b ? b->block : k->next_new, sm = choose_sm(w, kernel);
		if (sm < 0)
			return;
		law_held(w, LAW_DISPATCH, 1);
		struct audit_stay *row = row_of(w, kernel, block);
		if (!row) {
			law_wrong(w, LAW_DISPATCH, TABLE,
				"%s: it had to be placed on SM %lld at %s (cycle %lld), and was not",
				walk_name_block(w, kernel, k->job.seq, block), (long long)sm,
				when(w->audit, warps_ns(w->d, w->now)), (long long)w->now);
			return;
		}
		if (row->sm != sm)
			law_wrong(w, LAW_DISPATCH, TABLE,
				"%s: it was placed on SM %lld in cycle %lld, expected SM %lld",
				walk_name_block(w, kernel, k->job.seq, block), (long long)row->sm,
				(long long)w->now, (long long)sm);
		walk_place(w, row);
		if (k->next_new == block) /* its row could not be followed */
			k->next_new++;
	}
}

void walk_dispatch(struct walk *w)
{
	uint32_t line[WARP_KERNELS], count;
	walk_read_stays(w);
	count = w->unsure ? 0 : line_up(w, line);
	for (uint32_t i = 0; i < count && !w->failed; i++) {
		serve(w, line[i]);
		if (w->d->fill && walk_blocks_left(w, line[i]))
			break;
	}
	if (warps_ns(w->d, w->now + 1) == warps_ns(w->d, w->now))
		return;
	for (size_t i = 0; i < w->fresh_count && !w->failed; i++) {
		struct audit_stay *s = &w->fresh[i];
		if (s->placed)
			continue;
		if (!w->unsure)
			law_wrong(w, LAW_DISPATCH, TABLE,
				"%s: it was placed on SM %lld at %s (cycle %lld), which it should not be",
				walk_name_block(w, s->kernel, s->seq, s->block), (long long)s->sm,
				when(w->audit, s->start), (long long)w->now);
		walk_place(w, s);
	}
}
