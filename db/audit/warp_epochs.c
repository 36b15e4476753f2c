/* db/audit/warp_epochs.c - epochs: when they begin, what the manager derives from the last one, quotas, and
 * what is added to them during an epoch (docs/warps.md, "Epochs", "Quotas"; QoS = Wang et al., ISCA 2017,
 * sections 3.2 to 3.5). */
#include <stdio.h>

#include "db/audit/warp_walk.h"

static int64_t capped(int128 ipc)
{
	return ipc > WARP_GOAL_BOUND ? WARP_GOAL_BOUND : (int64_t)ipc;
}

int64_t walk_history_ipc(const struct walk *w, uint32_t kernel)
{
	const struct kernel_walk *k = &w->kernel[kernel];
	if (k->first_active == NEVER || k->first_active >= w->now)
		return -1;
	return (int64_t)((int128)k->history_threads * WARP_MILLION / (w->now - k->first_active));
}

const char *const walk_slot_names[WARP_SLOTS] = {
	"issued", "empty", "quota", "unit", "scheduler", "memory", "dependence", "barrier", "swap", "ending"};

/* ---- Goals ---- */

static int64_t last_ipc(const struct kernel_walk *k)
{
	int64_t cycles = k->last.end - k->last.start;
	return k->last.present && cycles > 0 && k->last.thread_instructions >= 0
		       ? (int64_t)((int128)k->last.thread_instructions * WARP_MILLION / cycles)
		       : 0;
}

/* goal * alpha */
static int64_t with_alpha(const struct walk *w, uint32_t kernel)
{
	const struct kernel_walk *k = &w->kernel[kernel];
	int64_t goal = capped(w->d->kernel[kernel].goal), history = walk_history_ipc(w, kernel);
	if (w->d->manager == WITH_NAIVE || !w->d->history || history < 0 || k->history_threads <= 0 ||
		history >= goal)
		return goal;
	int128 share = (int128)goal * goal * (w->now - k->first_active);
	return capped(share / ((int128)k->history_threads * WARP_MILLION));
}

/* Does it have an active job, and had it one in every cycle of the last epoch? */
static bool active_throughout(const struct walk *w, uint32_t kernel)
{
	const struct kernel_walk *k = &w->kernel[kernel];
	return k->active && k->last.present && k->active_since <= k->last.start;
}

static int64_t adjusted_goal(const struct walk *w, uint32_t kernel)
{
	if (has_goal(w, kernel))
		return with_alpha(w, kernel);
	int64_t last = last_ipc(&w->kernel[kernel]);
	int64_t goal = capped(last > WARP_MILLION ? last : WARP_MILLION);
	for (uint32_t i = 0; i < w->d->kernels && w->epoch > 0; i++) {
		if (has_goal(w, i) && active_throughout(w, i))
			goal = capped((int128)goal * last_ipc(&w->kernel[i]) / with_alpha(w, i));
	}
	return goal;
}

static void check_goals(struct walk *w)
{
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		int64_t derived = has_quotas(w->d) ? adjusted_goal(w, i) : NOT_GIVEN;
		if (w->kernel[i].row.present && w->d->manager != WITH_UNKNOWN)
			law_equal(w, LAW_ADJUSTED, "epoch", kernel_name(w, i), "adjusted goal (millionths)",
				w->kernel[i].row.adjusted, derived);
	}
}

/* ---- Quotas ---- */

static int64_t share_of_quota(const struct walk *w, uint32_t kernel, int64_t blocks, int64_t all)
{
	int64_t goal = capped(w->kernel[kernel].row.adjusted);
	if (all <= 0 || blocks < 0 || goal < 0)
		return 1;
	int128 quota = (int128)goal * w->d->epoch / WARP_MILLION * blocks / all;
	return quota > COLUMN_BOUND ? COLUMN_BOUND : quota > 1 ? (int64_t)quota : 1;
}

static bool rolls_over(const struct walk *w, uint32_t kernel)
{
	return has_goal(w, kernel) && (w->d->manager == WITH_ROLLOVER || w->d->manager == WITH_ROLLOVER_TIME);
}

static void check_quota(struct walk *w, uint32_t kernel, uint32_t sm, int64_t all)
{
	struct on_sm *on = &w->sm[sm].kernel[kernel];
	const struct quota_row *row = &on->row;
	char who[160];
	snprintf(who, sizeof(who), "epoch %lld, SM %u, kernel '%.100s'", (long long)w->epoch, sm,
		kernel_name(w, kernel));
	if (!row->present) {
		law_wrong(w, LAW_EPOCHS, "epoch_quota", "%s: the row is missing", who);
		return;
	}
	if (w->with_blocks && !w->unsure)
		law_equal(w, LAW_QUOTAS, "epoch_quota", who, "blocks", row->blocks, on->blocks);
	int64_t quota = has_quotas(w->d) ? share_of_quota(w, kernel, row->blocks, all) : NOT_GIVEN;
	law_equal(w, LAW_QUOTAS, "epoch_quota", who, "quota", row->quota, quota);
	if (!has_quotas(w->d))
		return;
	int64_t left = w->with_issues ? on->counter : on->last.present ? on->last.counter_end : 0;
	int64_t start = quota + (rolls_over(w, kernel) && left > 0 ? left : 0);
	law_equal(w, LAW_COUNTERS, "epoch_quota", who, "counter_start", row->counter_start, start);
	on->counter = row->counter_start;
}

static void check_quotas(struct walk *w)
{
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		int64_t all = 0;
		for (uint32_t sm = 0; sm < w->d->sms; sm++) {
			all += w->sm[sm].kernel[i].row.blocks;
			w->sm[sm].kernel[i].added = 0;
			w->sm[sm].kernel[i].warp_instructions = w->sm[sm].kernel[i].thread_instructions = 0;
			w->sm[sm].kernel[i].idle_sum = 0;
		}
		for (uint32_t sm = 0; sm < w->d->sms; sm++)
			check_quota(w, i, sm, all);
		if (w->kernel[i].row.present)
			law_equal(w, LAW_EPOCH_SUMS, "epoch", kernel_name(w, i), "blocks",
				w->kernel[i].row.blocks, all);
	}
}

static bool is_here(const struct warp_sm *sm, uint32_t kernel)
{
	return sm->kernel[kernel].blocks > 0;
}

bool walk_allowed(const struct walk *w, const struct warp_sm *sm, uint32_t kernel)
{
	if (!has_quotas(w->d))
		return true;
	if (w->now - w->epoch_start < w->d->epoch_cost || sm->kernel[kernel].counter <= 0)
		return false;
	for (uint32_t i = 0; i < w->d->kernels && w->d->manager == WITH_ROLLOVER_TIME && !has_goal(w, kernel);
		i++) {
		if (has_goal(w, i) && is_here(sm, i) && sm->kernel[i].counter > 0)
			return false;
	}
	return true;
}

/* How many times its quota must be added until C is above 0. */
static int64_t rounds_needed(const struct on_sm *on)
{
	int64_t quota = on->row.quota > 0 ? on->row.quota : 1;
	return on->counter > 0 ? 0 : -on->counter / quota + 1;
}

static void add(struct on_sm *on, int64_t rounds)
{
	int64_t quota = on->row.quota > 0 ? on->row.quota : 1;
	on->counter += rounds * quota;
	on->added += rounds * quota;
}

static void top_up_elastic(struct walk *w, struct warp_sm *sm)
{
	int64_t rounds = NEVER;
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		int64_t needed = is_here(sm, i) ? rounds_needed(&sm->kernel[i]) : NEVER;
		rounds = needed < rounds ? needed : rounds;
	}
	for (uint32_t i = 0; i < w->d->kernels && rounds != NEVER; i++) {
		if (is_here(sm, i))
			add(&sm->kernel[i], rounds);
	}
}

void walk_top_up(struct walk *w, uint32_t index)
{
	struct warp_sm *sm = &w->sm[index];
	if (!has_quotas(w->d))
		return;
	if (w->d->manager == WITH_ELASTIC) {
		top_up_elastic(w, sm);
		return;
	}
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		if (has_goal(w, i) && is_here(sm, i) && sm->kernel[i].counter > 0)
			return;
	}
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		if (!has_goal(w, i) && is_here(sm, i))
			add(&sm->kernel[i], rounds_needed(&sm->kernel[i]));
	}
}

/* ---- The end of an epoch ---- */

static int64_t samples_taken(const struct walk *w, int64_t cycles)
{
	int64_t step = w->d->epoch / w->d->samples > 1 ? w->d->epoch / w->d->samples : 1;
	int64_t taken = (cycles + step - 1) / step;
	return taken < w->d->samples ? taken : w->d->samples;
}

static void end_on_sm(struct walk *w, uint32_t kernel, uint32_t sm, int64_t *warps, int64_t *threads)
{
	struct on_sm *on = &w->sm[sm].kernel[kernel];
	const struct quota_row *row = &on->row;
	char who[160];
	if (!row->present)
		return;
	snprintf(who, sizeof(who), "epoch %lld, SM %u, kernel '%.100s'", (long long)w->epoch, sm,
		kernel_name(w, kernel));
	*warps += row->warp_instructions;
	*threads += row->thread_instructions;
	law_equal(w, LAW_IDLE, "epoch_quota", who, "samples", row->samples,
		samples_taken(w, w->now - w->epoch_start));
	if (has_quotas(w->d))
		law_equal(w, LAW_COUNTERS, "epoch_quota", who, "counter_end", row->counter_end,
			row->counter_start + row->added - row->thread_instructions);
	if (!w->with_issues)
		return;
	if (has_quotas(w->d)) {
		law_equal(w, LAW_LEAVE, "epoch_quota", who, "added", row->added, on->added);
		law_equal(w, LAW_LEAVE, "epoch_quota", who, "counter_end", row->counter_end, on->counter);
	}
	law_equal(w, LAW_SUMS, "epoch_quota", who, "warp instructions", row->warp_instructions,
		on->warp_instructions);
	law_equal(w, LAW_SUMS, "epoch_quota", who, "thread instructions", row->thread_instructions,
		on->thread_instructions);
	law_equal(w, LAW_IDLE, "epoch_quota", who, "idle_sum", row->idle_sum, on->idle_sum);
}

static void end_of_kernel(struct walk *w, uint32_t kernel)
{
	struct kernel_walk *k = &w->kernel[kernel];
	struct audit_epoch_row *row = &k->row;
	int64_t warps = 0, threads = 0, ipc;
	char who[160];
	snprintf(
		who, sizeof(who), "epoch %lld, kernel '%.100s'", (long long)w->epoch, kernel_name(w, kernel));
	if (!row->present)
		return;
	law_equal(w, LAW_EPOCHS, "epoch", who, "end", row->end, w->now);
	for (uint32_t sm = 0; sm < w->d->sms && w->with_spans; sm++)
		end_on_sm(w, kernel, sm, &warps, &threads);
	if (w->with_spans) {
		law_equal(
			w, LAW_EPOCH_SUMS, "epoch", who, "warp instructions", row->warp_instructions, warps);
		law_equal(w, LAW_EPOCH_SUMS, "epoch", who, "thread instructions", row->thread_instructions,
			threads);
	}
	if (w->with_issues) {
		law_equal(w, LAW_SUMS, "epoch", who, "warp instructions", row->warp_instructions,
			k->warps_of_epoch);
		law_equal(w, LAW_SUMS, "epoch", who, "thread instructions", row->thread_instructions,
			k->threads_of_epoch);
	}
	if (w->with_blocks && !w->unsure)
		law_equal(w, LAW_EPOCH_SUMS, "epoch", who, "swaps", row->swaps, k->swaps_of_epoch);
	k->history_threads += w->with_issues ? k->threads_of_epoch : row->thread_instructions;
	k->history_warps += w->with_issues ? k->warps_of_epoch : row->warp_instructions;
	ipc = walk_history_ipc(w, kernel);
	law_equal(w, LAW_HISTORY, "epoch", who, "history IPC (millionths)", row->history,
		ipc < 0 ? NOT_GIVEN : ipc);
	k->warps_of_epoch = k->threads_of_epoch = k->swaps_of_epoch = 0;
	row->end = w->now;
}

/* The slots of an SM in the epoch: each of its sub-cores has as many as the epoch has cycles. */
static void end_of_sms(struct walk *w)
{
	const struct db_cursor *q = w->sm_rows;
	int64_t rows = 0;
	while (w->more_sms && w->next_sm_epoch <= w->epoch && !w->failed) {
		int64_t index = column_bounded(q, 1), sum = 0;
		bool known = w->next_sm_epoch == w->epoch && index >= 0 && index < w->d->sms;
		char who[64];
		snprintf(who, sizeof(who), "epoch %lld, SM %lld", (long long)w->next_sm_epoch,
			(long long)index);
		for (int i = 0; i < WARP_SLOTS && known; i++) {
			struct warp_sm *sm = &w->sm[index];
			int64_t cycles = column_bounded(q, 2 + i), derived = 0;
			sum += cycles;
			sm->row_slots[i] += cycles;
			for (uint32_t c = 0; c < w->d->sub_cores; c++)
				derived += sm->sub_core[c].slots_of_epoch[i];
			if (w->with_issues)
				law_equal(w, LAW_SLOT_REASONS, "epoch_sm", who, walk_slot_names[i], cycles,
					derived);
		}
		if (known)
			law_equal(w, LAW_EPOCH_SUMS, "epoch_sm", who, "cycles", sum,
				(w->now - w->epoch_start) * w->d->sub_cores);
		rows += known;
		walk_next_sm_row(w);
	}
	law_equal(w, LAW_EPOCHS, "epoch_sm", "the epoch", "rows", rows, w->d->sms);
	for (uint32_t i = 0; i < w->d->sms; i++) {
		for (uint32_t c = 0; c < w->d->sub_cores; c++) {
			for (int s = 0; s < WARP_SLOTS; s++)
				w->sm[i].sub_core[c].slots_of_epoch[s] = 0;
		}
	}
}

void walk_end_epoch(struct walk *w)
{
	if (w->epoch < 0)
		return;
	for (uint32_t i = 0; i < w->d->kernels; i++)
		end_of_kernel(w, i);
	if (w->with_spans)
		end_of_sms(w);
}

/* ---- Its beginning ---- */

void walk_epoch(struct walk *w)
{
	bool due = w->epoch < 0 || w->epoch_now || w->now - w->epoch_start >= w->d->epoch;
	w->epoch_now = false;
	if (!due)
		return;
	walk_end_epoch(w);
	w->epoch++;
	w->epoch_start = w->now;
	walk_read_epoch(w);
	for (uint32_t i = 0; i < w->d->kernels; i++) {
		const struct audit_epoch_row *row = &w->kernel[i].row;
		law_held(w, LAW_EPOCHS, 1);
		if (!row->present)
			law_wrong(w, LAW_EPOCHS, "epoch",
				"epoch %lld, from cycle %lld on: kernel '%s' has no row", (long long)w->epoch,
				(long long)w->now, kernel_name(w, i));
		else
			law_equal(w, LAW_EPOCHS, "epoch", kernel_name(w, i), "start", row->start, w->now);
	}
	/* There are no rows left. A damaged recording may claim a run of any length, so the walk stops. */
	w->stop = !w->more_epochs && !w->kernel[0].row.present;
	check_goals(w);
	if (w->with_spans) {
		check_quotas(w);
		walk_targets(w);
	}
}
