/* db/audit/warp_blocks.c - which blocks are on which SM, what they need, how they leave, and what goes
 * through the memory server (docs/warps.md, "SMs and blocks", "Memory", "Swaps"). */
#include <stdlib.h>
#include <string.h>

#include "db/audit/warp_walk.h"

#define TABLE "block_interval"

/* ---- Room ---- */

bool walk_fits(const struct audit_need *used, const struct audit_need *need, const struct audit_need *room)
{
	return used->threads + need->threads <= room->threads &&
	       used->blocks + need->blocks <= room->blocks && used->warps + need->warps <= room->warps &&
	       used->registers + need->registers <= room->registers &&
	       used->shared_memory + need->shared_memory <= room->shared_memory;
}

static void occupy(struct audit_need *used, const struct audit_need *need, int sign)
{
	used->threads += sign * need->threads;
	used->blocks += sign * need->blocks;
	used->warps += sign * need->warps;
	used->registers += sign * need->registers;
	used->shared_memory += sign * need->shared_memory;
}

/* Reports the limit that one more block would break. */
static void check_limits(struct walk *w, const struct audit_stay *stay, const struct audit_need *used)
{
	const struct audit_need *need = &walk_part(w, stay->kernel)->need, *room = &w->d->room;
	const struct {
		const char *name;
		int64_t used, need, room;
	} limits[] = {
		{"threads", used->threads, need->threads, room->threads},
		{"blocks", used->blocks, need->blocks, room->blocks},
		{"warps", used->warps, need->warps, room->warps},
		{"registers", used->registers, need->registers, room->registers},
		{"bytes of shared memory", used->shared_memory, need->shared_memory, room->shared_memory},
	};
	law_held(w, LAW_LIMITS, 1);
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		if (limits[i].used + limits[i].need <= limits[i].room)
			continue;
		law_wrong(w, LAW_LIMITS, TABLE,
			"%s on SM %lld: %lld %s are in use and it takes %lld, but there are only %lld",
			walk_name_block(w, stay->kernel, stay->seq, stay->block), (long long)stay->sm,
			(long long)limits[i].used, limits[i].name, (long long)limits[i].need,
			(long long)limits[i].room);
		return;
	}
}

int64_t walk_transfer(struct walk *w, int64_t bytes)
{
	int128 now = (int128)w->now * w->d->bandwidth;
	w->server = (w->server > now ? w->server : now) + (int128)bytes * 1000;
	return (int64_t)((w->server + w->d->bandwidth - 1) / w->d->bandwidth);
}

struct resident_block *walk_find_block(
	struct walk *w, uint32_t sm, uint32_t kernel, int64_t seq, int64_t block)
{
	struct warp_sm *on = &w->sm[sm];
	for (uint32_t i = 0; i < on->blocks; i++) {
		struct resident_block *b = on->block[i];
		if (b->kernel == kernel && b->seq == seq && b->block == block)
			return b;
	}
	return NULL;
}

/* Do contexts of its blocks move without the memory server? */
static bool moves_freely(const struct walk *w, uint32_t kernel)
{
	return w->d->free_swaps || walk_part(w, kernel)->context_bytes == 0;
}

/* ---- Slots ---- */

static void take_slot(struct walk *w, const struct audit_stay *stay, struct warp_sm *sm)
{
	int64_t least = 0;
	while (least < 128 && (sm->slot[least / 64] >> (least % 64) & 1))
		least++;
	if (!w->unsure)
		law_equal(w, LAW_PLACES, TABLE, walk_name_block(w, stay->kernel, stay->seq, stay->block),
			"slot", stay->slot, least);
	if (stay->slot >= 0 && stay->slot < 128)
		sm->slot[stay->slot / 64] |= UINT64_C(1) << (stay->slot % 64);
}

static void give_slot(struct warp_sm *sm, const struct audit_stay *stay)
{
	if (stay->slot >= 0 && stay->slot < 128)
		sm->slot[stay->slot / 64] &= ~(UINT64_C(1) << (stay->slot % 64));
}

/* ---- Placing ---- */

static struct resident_block *take_from_away(struct kernel_walk *k, int64_t seq, int64_t block)
{
	struct resident_block **at = &k->away, *last = NULL;
	while (*at && ((*at)->block != block || (*at)->seq != seq || (*at)->saving)) {
		last = *at;
		at = &(*at)->next_away;
	}
	struct resident_block *b = *at;
	if (!b)
		return NULL;
	*at = b->next_away;
	if (k->last_away == b)
		k->last_away = last;
	return b;
}

static struct resident_block *new_block(struct walk *w, const struct audit_stay *stay)
{
	const struct audit_part *d = walk_part(w, stay->kernel);
	uint32_t warps = w->with_issues ? d->warps : 0;
	struct resident_block *b = calloc(1, sizeof(*b) + warps * sizeof(b->warp[0]));
	if (!b) {
		w->failed = !error_memory(w->err, "auditing a run");
		return NULL;
	}
	b->kernel = stay->kernel;
	b->seq = stay->seq;
	b->block = stay->block;
	b->ends = NEVER;
	b->rounds = 1;
	for (uint32_t i = 0; i < warps; i++) {
		struct audit_warp *warp = &b->warp[i];
		warp->block = b;
		warp->index = i;
		warp->end = NEVER;
		walk_program_begin(d, &warp->at);
		for (uint32_t n = 0; n < WARP_RESULTS; n++)
			warp->result[n].ready = -1;
	}
	return b;
}

/* Deals the warps to sub-cores. Every warp that the SM has ever taken counts; a warp that has issued its last
 * instruction goes to no sub-core. */
static void deal(struct walk *w, struct warp_sm *sm, struct resident_block *b)
{
	uint32_t warps = w->with_issues ? walk_part(w, b->kernel)->warps : 0;
	for (uint32_t i = 0; i < warps; i++) {
		struct audit_warp *warp = &b->warp[i];
		warp->loads = 0;
		warp->sub_core = (uint32_t)(sm->dealt++ % w->d->sub_cores);
		struct audit_sub_core *core = &sm->sub_core[warp->sub_core];
		if (warp->at.over || core->warps == sizeof(core->warp) / sizeof(core->warp[0]))
			continue;
		warp->age = sm->dealt;
		warp->in_active = false;
		warp->queued = ++core->queued;
		core->warp[core->warps++] = warp;
	}
}

/* Is it a block that its kernel's job may place? Marks it as seen. */
static const char *wrong_block(struct walk *w, const struct audit_stay *stay, bool was_away)
{
	const struct audit_part *d = walk_part(w, stay->kernel);
	struct kernel_walk *k = &w->kernel[stay->kernel];
	uint8_t *byte, bit;
	if (!k->active || k->job.seq != stay->seq)
		return "its job is not the one that its stream has taken";
	if (stay->part != k->at)
		return "its job is at another segment";
	if (stay->block < 0 || stay->block >= d->blocks)
		return "its kernel has no such block";
	byte = &k->seen[stay->block / 8];
	bit = (uint8_t)(1u << (stay->block % 8));
	if (!was_away && (*byte & bit))
		return "it has been placed before, and was not swapped out since";
	*byte |= bit;
	if (stay->threads != d->need.threads)
		return "it takes another number of threads than its kernel's blocks do";
	if (stay->code < ENDED_DONE || stay->code > ENDED_STOPPED || stay->code == ENDED_ABORTED)
		return "its end is none of done, preempted, stopped";
	if (stay->end < stay->start || stay->end > w->r->stop_ns)
		return "it ends before its start, or behind S";
	return NULL;
}

void walk_place(struct walk *w, struct audit_stay *stay)
{
	stay->placed = true;
	law_held(w, LAW_BLOCKS, 1);
	if (stay->kernel >= w->d->kernels || stay->sm < 0 || stay->sm >= w->d->sms) {
		law_wrong(w, LAW_BLOCKS, TABLE,
			"job %lld, block %lld on SM %lld: there is no such kernel or SM",
			(long long)stay->seq, (long long)stay->block, (long long)stay->sm);
		return;
	}
	struct kernel_walk *k = &w->kernel[stay->kernel];
	struct warp_sm *sm = &w->sm[stay->sm];
	if (sm->blocks == 2 * WARPS_PER_SM) {
		check_limits(w, stay, &sm->used);
		return;
	}
	struct resident_block *b = k->active && k->job.seq == stay->seq && stay->part == k->at
					   ? take_from_away(k, stay->seq, stay->block)
					   : NULL;
	bool returns = b != NULL;
	const char *what = wrong_block(w, stay, returns);
	if (what) {
		law_wrong(w, LAW_BLOCKS, TABLE, "%s on SM %lld [%s, %s): %s",
			walk_name_block(w, stay->kernel, stay->seq, stay->block), (long long)stay->sm,
			when(w->audit, stay->start), when(w->audit, stay->end), what);
		if (!k->active || k->job.seq != stay->seq || stay->part != k->at || stay->block < 0 ||
			stay->block >= walk_part(w, stay->kernel)->blocks)
			return;
	}
	check_limits(w, stay, &sm->used);
	take_slot(w, stay, sm);
	b = returns ? b : new_block(w, stay);
	if (!b)
		return;
	b->stay = *stay;
	b->sm = (uint32_t)stay->sm;
	b->saving = false;
	b->context_there = w->now;
	if (returns && w->with_issues && !moves_freely(w, b->kernel)) {
		b->context_there = walk_transfer(w, walk_part(w, b->kernel)->context_bytes);
		k->dram_bytes += walk_part(w, b->kernel)->context_bytes;
	}
	if (!w->with_issues && stay->code == ENDED_DONE)
		b->ends = warps_cycle(w->d, stay->end);
	sm->block[sm->blocks++] = b;
	sm->kernel[b->kernel].blocks++;
	occupy(&sm->used, &walk_part(w, b->kernel)->need, 1);
	deal(w, sm, b);
	w->blocks_on_sms++;
	k->next_new = !returns && stay->block >= k->next_new ? stay->block + 1 : k->next_new;
	k->first_block = k->first_block == NEVER ? w->now : k->first_block;
	k->part_first = k->part_first == NEVER ? w->now : k->part_first;
}

/* ---- Leaving ---- */

void walk_leave_sub_cores(struct walk *w, struct resident_block *b)
{
	uint32_t warps = w->with_issues ? walk_part(w, b->kernel)->warps : 0;
	for (uint32_t i = 0; i < warps; i++) {
		struct audit_warp *warp = &b->warp[i];
		struct audit_sub_core *core = &w->sm[b->sm].sub_core[warp->sub_core];
		uint32_t at = 0;
		while (at < core->warps && core->warp[at] != warp)
			at++;
		if (at == core->warps)
			continue;
		core->warps--;
		memmove(&core->warp[at], &core->warp[at + 1], (core->warps - at) * sizeof(core->warp[0]));
		warp->age = 0;
	}
}

static void leave_sm(struct walk *w, struct resident_block *b)
{
	struct warp_sm *sm = &w->sm[b->sm];
	uint32_t at = 0;
	walk_leave_sub_cores(w, b);
	while (at < sm->blocks && sm->block[at] != b)
		at++;
	sm->blocks--;
	memmove(&sm->block[at], &sm->block[at + 1], (sm->blocks - at) * sizeof(sm->block[0]));
	occupy(&sm->used, &walk_part(w, b->kernel)->need, -1);
	give_slot(sm, &b->stay);
	if (!b->saving)
		sm->kernel[b->kernel].blocks--;
	w->blocks_on_sms--;
}

static void begin_saving(struct walk *w, struct resident_block *b)
{
	struct kernel_walk *k = &w->kernel[b->kernel];
	walk_leave_sub_cores(w, b);
	w->sm[b->sm].kernel[b->kernel].blocks--;
	b->saving = true;
	b->next_away = NULL;
	if (k->away)
		k->last_away->next_away = b;
	else
		k->away = b;
	k->last_away = b;
	k->swaps++;
	k->swaps_of_epoch++;
}

/* Blocks that do not only wait for their end. Below level issues: blocks whose row says that they were
 * swapped out. */
static bool can_be_swapped(struct walk *w, const struct resident_block *b)
{
	if (w->with_issues)
		return b->warps_over < walk_part(w, b->kernel)->warps;
	w->unsure |= b->stay.code == ENDED_STOPPED;
	return b->stay.code == ENDED_PREEMPTED;
}

static void swap_out(struct walk *w, struct resident_block *b)
{
	int64_t bytes = walk_part(w, b->kernel)->context_bytes;
	begin_saving(w, b);
	if (!w->with_issues) {
		b->saved = warps_cycle(w->d, b->stay.end);
		return;
	}
	b->saved = w->now + 1;
	if (moves_freely(w, b->kernel))
		return;
	int64_t through = walk_transfer(w, bytes);
	w->kernel[b->kernel].dram_bytes += bytes;
	b->saved = through > w->now ? through : w->now + 1;
}

/* Swaps out the youngest blocks, the oldest of them first. */
void walk_swap_out(struct walk *w, uint32_t sm, uint32_t kernel, int64_t beyond)
{
	struct warp_sm *on = &w->sm[sm];
	uint32_t from = on->blocks;
	while (from > 0 && beyond > 0) {
		from--;
		beyond -= on->block[from]->kernel == kernel && !on->block[from]->saving;
	}
	for (uint32_t i = from; i < on->blocks; i++) {
		struct resident_block *b = on->block[i];
		if (b->kernel == kernel && !b->saving && can_be_swapped(w, b))
			swap_out(w, b);
	}
}

/* Its row says that it left its SM now, but nothing in the walk made it leave. */
static bool left_by_row(const struct walk *w, const struct resident_block *b)
{
	return b->stay.code != ENDED_STOPPED && b->stay.end <= warps_ns(w->d, w->now) &&
	       b->stay.end < warps_ns(w->d, w->now + 1);
}

/* Compares how and when a block leaves with its row. */
static void check_leave(struct walk *w, const struct resident_block *b, bool swapped)
{
	enum warp_law law = !w->with_issues ? LAW_BLOCKS : swapped ? LAW_SWAPS : LAW_ENDS;
	int64_t code = swapped ? ENDED_PREEMPTED : ENDED_DONE;
	const char *who = walk_name_block(w, b->kernel, b->seq, b->block);
	if (b->stay.code != code)
		law_wrong(w, law, TABLE,
			"%s on SM %u: in cycle %lld it %s, but its row gives it the end %lld at %s", who,
			b->sm, (long long)w->now, swapped ? "is swapped out" : "is done",
			(long long)b->stay.code, when(w->audit, b->stay.end));
	else
		law_equal(w, law, TABLE, who, "end (ns)", b->stay.end, warps_ns(w->d, w->now));
}

static void leave(struct walk *w, struct resident_block *b, bool swapped)
{
	check_leave(w, b, swapped);
	leave_sm(w, b);
	if (swapped) {
		b->saving = false;
		return;
	}
	w->kernel[b->kernel].ended++;
	free(b);
}

/* By its row it leaves, by the walk it does not: follows the row. */
static void follow_row(struct walk *w, struct resident_block *b)
{
	bool swapped = b->stay.code == ENDED_PREEMPTED;
	law_wrong(w,
		!w->with_issues ? LAW_BLOCKS
		: swapped       ? LAW_SWAPS
				: LAW_ENDS,
		TABLE, "%s on SM %u: it left at %s (end %lld), though %s",
		walk_name_block(w, b->kernel, b->seq, b->block), b->sm, when(w->audit, b->stay.end),
		(long long)b->stay.code,
		swapped ? "its context is not saved by then" : "its warps are not done by then");
	if (swapped && !b->saving)
		begin_saving(w, b);
	if (swapped) {
		leave_sm(w, b);
		b->saving = false;
		return;
	}
	leave_sm(w, b);
	w->kernel[b->kernel].ended++;
	free(b);
}

void walk_end_blocks(struct walk *w)
{
	for (uint32_t i = 0; i < w->d->sms; i++) {
		struct warp_sm *sm = &w->sm[i];
		for (uint32_t k = 0; k < sm->blocks && !w->failed;) {
			struct resident_block *b = sm->block[k];
			if (b->saving ? b->saved <= w->now : b->ends <= w->now)
				leave(w, b, b->saving);
			else if (left_by_row(w, b) && !(b->saving && b->stay.code != ENDED_PREEMPTED))
				follow_row(w, b);
			else
				k++;
		}
	}
}

int64_t walk_next_block_event(const struct walk *w)
{
	int64_t next =
		w->more_blocks ? warps_cycle(w->d, w->next_stay.start < 0 ? 0 : w->next_stay.start) : NEVER;
	if (w->blocks_on_sms == 0)
		return next;
	if (w->with_issues)
		return w->now + 1;
	for (uint32_t i = 0; i < w->d->sms; i++) {
		for (uint32_t k = 0; k < w->sm[i].blocks; k++) {
			int64_t end = warps_cycle(w->d, w->sm[i].block[k]->stay.end);
			next = end < next ? end : next;
		}
	}
	return next;
}

void walk_stop_blocks(struct walk *w)
{
	for (uint32_t i = 0; i < w->d->sms; i++) {
		for (uint32_t k = 0; k < w->sm[i].blocks; k++) {
			struct resident_block *b = w->sm[i].block[k];
			const char *who = walk_name_block(w, b->kernel, b->seq, b->block);
			law_held(w, LAW_BLOCKS, 1);
			if (b->stay.code != ENDED_STOPPED || b->stay.end != w->r->stop_ns)
				law_wrong(w, w->with_issues ? LAW_ENDS : LAW_BLOCKS, TABLE,
					"%s on SM %u: it is there at the end of the run, but its row gives "
					"it the end %lld at %s",
					who, i, (long long)b->stay.code, when(w->audit, b->stay.end));
		}
	}
}

void walk_free_blocks(struct walk *w)
{
	for (uint32_t i = 0; i < w->d->sms; i++) {
		for (uint32_t k = 0; k < w->sm[i].blocks; k++) {
			if (!w->sm[i].block[k]->saving)
				free(w->sm[i].block[k]);
		}
	}
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		while (w->kernel[i].away) {
			struct resident_block *b = w->kernel[i].away;
			w->kernel[i].away = b->next_away;
			free(b);
		}
	}
}
