/* db/audit/gpu_in_time.c - the GPU over time: what is on each SM, which kernels may place blocks (R1), and
 * the power that follows (docs/model.md, "GPU", "Power and energy"; R1 and R2 are Yang and Anderson's, the
 * power is sBEET's, eq. 1-5). */
#include <string.h>

#include "db/audit/law.h"
#include "db/audit/sweep.h"

#define GONE UINT32_MAX

/* Calls the laws. They only look at the state and do not change it. */
static void tell(struct sweep *s, enum station at, const struct track *t, const struct block *b,
	const struct track *other)
{
	if (audit_hears(s->audit, at))
		audit_tell(s->audit, &(struct moment){
					     .at = at,
					     .time = s->now,
					     .sweep = s,
					     .track = t,
					     .block = b,
					     .other = other,
				     });
}

/* ---- Divisions of an SM's memory ---- */

/* The first block on an SM divides its memory. */
static void divide(const struct sweep *s, struct sm *sm, int64_t division)
{
	if (sm->blocks == 0) {
		sm->divided_ns = s->now;
		sm->division_least = sm->division_most = division;
	} else if (!s->promise && sm->divided_ns == s->now) {
		sm->division_least = division < sm->division_least ? division : sm->division_least;
		sm->division_most = division > sm->division_most ? division : sm->division_most;
	}
}

/* Until the last block has left, the division stays. With contexts it may be that of a block which left
 * before others were frozen: on an SM with blocks it is not known. */
int64_t sweep_gpu_memory(const struct sweep *s, const struct sm *sm, const struct audit_shape *shape)
{
	if (s->r->machine.divisions == 0 || (s->r->contexts && sm->blocks > 0))
		return s->r->machine.shared_memory;
	bool first = sm->blocks == 0 || (!s->promise && sm->divided_ns == s->now);
	if (!first)
		return sm->division_most;
	return sm->blocks == 0 || shape->division > sm->division_most ? shape->division : sm->division_most;
}

/* ---- Room on an SM ---- */

/* Does one more block fit, if there are already `more` others of its kind? */
static bool fits(const struct sweep *s, const struct sm *sm, const struct audit_shape *shape, uint32_t more,
	int64_t memory)
{
	const struct audit_machine *m = &s->r->machine;
	int64_t all = (int64_t)more + 1;
	if (m->pooled)
		return sm->threads + all * shape->threads <= m->threads;
	return (m->threads == INT64_MAX || sm->threads + all * shape->threads <= m->threads) &&
	       sm->blocks + all <= m->blocks && sm->warps + all * shape->warps <= m->warps &&
	       (m->registers == INT64_MAX || sm->registers + all * shape->registers <= m->registers) &&
	       (memory == INT64_MAX || sm->shared_memory + all * shape->shared_memory <= memory) &&
	       sm->virtual_sms + all * shape->virtual_sms <= m->virtual_sms;
}

bool sweep_gpu_fits(const struct sweep *s, uint32_t at, const struct audit_shape *shape)
{
	return fits(s, &s->sm[at], shape, 0, sweep_gpu_memory(s, &s->sm[at], shape));
}

bool sweep_gpu_surely_fits(const struct sweep *s, uint32_t at, const struct audit_shape *shape)
{
	const struct sm *sm = &s->sm[at];
	bool divided = s->r->machine.divisions > 0 && sm->blocks > 0;
	int64_t least = s->r->contexts ? sm->shared_memory : sm->division_least;
	return fits(s, sm, shape, 0, divided ? least : sweep_gpu_memory(s, sm, shape));
}

/* The order of SMs that are equal: with two SMs per TPC even ones come first. */
static uint32_t in_tie_order(const struct sweep *s, uint32_t i)
{
	uint32_t even = (s->pools + 1) / 2;
	if (s->r->machine.sms_per_tpc != 2)
		return i;
	return i < even ? 2 * i : 2 * (i - even) + 1;
}

uint32_t sweep_gpu_choice(const struct sweep *s, const struct audit_shape *shape)
{
	uint32_t best = GONE;
	int64_t best_used = INT64_MAX;
	for (uint32_t i = 0; i < s->pools; i++) {
		uint32_t at = in_tie_order(s, i);
		const struct sm *sm = &s->sm[at];
		int64_t used = sm->threads + s->predicted[at] * shape->threads;
		if (used < best_used && mask_has(shape->mask, at) &&
			fits(s, sm, shape, s->predicted[at], sweep_gpu_memory(s, sm, shape))) {
			best = at;
			best_used = used;
		}
	}
	return best;
}

/* ---- Blocks ---- */

static bool slot_bit(struct sweep *s, struct sm *sm, int64_t slot, uint64_t **word, uint64_t *bit)
{
	if (slot < 0 || slot > 1 << 26)
		return false;
	size_t at = (size_t)slot / 64, old = sm->slot_words;
	if (!sweep_grow(s, (void **)&sm->slot, &sm->slot_words, at + 1, sizeof(*sm->slot)))
		return false;
	memset(sm->slot + old, 0, (sm->slot_words - old) * sizeof(*sm->slot));
	*word = &sm->slot[at];
	*bit = (uint64_t)1 << (slot % 64);
	return true;
}

static struct audit_share *share_of(struct sweep *s, struct sm *sm, uint32_t task, int64_t sm_uw)
{
	for (uint32_t i = 0; i < sm->shares; i++)
		if (sm->share[i].task == task && sm->share[i].sm_uw == sm_uw)
			return &sm->share[i];
	size_t capacity = sm->share_capacity;
	if (!sweep_grow(s, (void **)&sm->share, &capacity, sm->shares + 1u, sizeof(*sm->share)))
		return NULL;
	sm->share_capacity = (uint32_t)capacity;
	sm->share[sm->shares] = (struct audit_share){.task = task, .sm_uw = sm_uw};
	return &sm->share[sm->shares++];
}

static void occupy(struct sm *sm, const struct audit_shape *shape, int sign)
{
	sm->threads += sign * shape->threads;
	sm->warps += sign * shape->warps;
	sm->registers += sign * shape->registers;
	sm->shared_memory += sign * shape->shared_memory;
	sm->blocks += (uint32_t)sign;
	sm->virtual_sms += (uint32_t)sign * shape->virtual_sms;
	sm->touched = true;
}

static uint32_t new_resident(struct sweep *s)
{
	if (s->free_resident != GONE) {
		uint32_t free_one = s->free_resident;
		s->free_resident = s->resident[free_one].next_free;
		return free_one;
	}
	if (!sweep_grow(
		    s, (void **)&s->resident, &s->resident_capacity, s->residents + 1, sizeof(*s->resident)))
		return GONE;
	return (uint32_t)s->residents++;
}

/* Does this block belong to the current operation of its task? */
bool sweep_gpu_is_current(const struct track *t, const struct block *b)
{
	return t->active && t->op.active && t->job.seq == b->seq && t->op.segment == b->segment &&
	       t->op.info->kind == KIND_KERNEL && !computes(&t->op);
}

const struct audit_shape *sweep_gpu_shape(const struct track *t, const struct block *b)
{
	if (sweep_gpu_is_current(t, b))
		return &t->op.shape;
	if (b->segment < 0 || b->segment >= t->task->segments ||
		t->task->segment[b->segment].kind != KIND_KERNEL)
		return NULL;
	return &t->task->segment[b->segment].shape;
}

uint32_t sweep_gpu_blocks_of(const struct sm *sm, uint32_t task)
{
	uint32_t blocks = 0;
	for (uint32_t i = 0; i < sm->shares; i++)
		blocks += sm->share[i].task == task ? sm->share[i].blocks : 0;
	return blocks;
}

/* Where a policy grants SMs, or parts of them: a part that was used once counts as granted. */
static void claim(const struct sweep *s, struct track *t, const struct block *b, struct sm *sm, uint32_t at)
{
	uint32_t blocks;
	bool seen_there = s->promise ? t->unit.state == UNIT_ADMITTED && t->unit.held == t->chosen
				     : sweep_gpu_is_current(t, b);
	if (seen_there)
		t->chosen[at / 64] |= (uint64_t)1 << (at % 64);
	if (!t->most)
		return;
	blocks = sweep_gpu_blocks_of(sm, t->index);
	if (blocks > t->most[at]) {
		sm->claimed += blocks - t->most[at];
		t->most[at] = blocks;
	}
}

/* With contexts: has the block run before, and kept what it has run? */
static bool has_begun(const struct track *t, const struct block *b)
{
	return t->op.frozen && b->index >= 0 && b->index < t->op.shape.blocks &&
	       t->op.frozen[b->index].ran > 0;
}

/* With contexts: whether the block will be placed again, in part or all of it. */
static bool freeze(const struct sweep *s, struct track *t, const struct block *b)
{
	bool reset = b->ended == ENDED_RESET;
	if (s->r->contexts && !reset && b->ended != ENDED_PREEMPTED)
		t->op.begun += !has_begun(t, b);
	if (!s->r->contexts || (!reset && b->ended != ENDED_PREEMPTED) || b->index < 0 ||
		(size_t)b->index >= t->op.shape.blocks)
		return false;
	struct frozen *f = &t->op.frozen[b->index];
	t->op.begun += f->ran == 0;
	*f = (struct frozen){.ran = reset ? 0 : f->ran + b->end - b->start, .sm = b->sm};
	return true;
}

/* Counts a block and puts it on its SM. */
static void place(struct sweep *s, const struct block *b)
{
	struct track *t = b->task == GONE ? NULL : &s->track[b->task];
	const struct audit_shape *shape = t ? sweep_gpu_shape(t, b) : NULL;
	uint32_t at = s->r->machine.pooled ? 0 : b->sm >= 0 && b->sm < s->pools ? (uint32_t)b->sm : GONE;
	tell(s, AT_BLOCK, t, b, NULL);
	if (!shape || at == GONE)
		return;
	struct sm *sm = &s->sm[at];
	uint32_t index = new_resident(s);
	struct audit_share *share = share_of(s, sm, t->index, shape->sm_uw);
	uint64_t *word, bit;
	if (index == GONE || !share)
		return;
	if (slot_bit(s, sm, b->slot, &word, &bit))
		*word |= bit;
	s->resident[index] = (struct audit_resident){
		.task = t->index,
		.gpu = s->shown,
		.sm = at,
		.slot = b->slot,
		.seq = b->seq,
		.segment = b->segment,
		.lost = b->ended == ENDED_RESET,
		.shape = *shape,
	};
	share->blocks++;
	share->threads += shape->threads;
	divide(s, sm, shape->division);
	occupy(sm, shape, 1);
	claim(s, t, b, sm, at);
	if (sweep_gpu_is_current(t, b)) {
		sweep_hands_place(s, t, sm);
		bool comes_back = freeze(s, t, b);
		t->op.placed += !comes_back;
		t->op.resident++;
		t->op.first_block = b->start < t->op.first_block ? b->start : t->op.first_block;
		t->op.last_block = b->end > t->op.last_block ? b->end : t->op.last_block;
		if (!comes_back && b->index >= 0 && (uint64_t)b->index < t->op.shape.blocks)
			t->op.seen[b->index / 64] |= (uint64_t)1 << (b->index % 64);
	}
	s->gpu_changed = true;
	sweep_push(s, b->end, EVENT_BLOCK_ENDS, index, 0);
}

void sweep_gpu_block_ends(struct sweep *s, uint32_t index)
{
	struct audit_resident *b = &s->resident[index];
	(void)sweep_show(s, b->gpu);
	struct sm *sm = &s->sm[b->sm];
	struct track *t = &s->track[b->task];
	uint64_t *word, bit;
	for (uint32_t i = 0; i < sm->shares; i++) {
		struct audit_share *share = &sm->share[i];
		if (share->task != b->task || share->sm_uw != b->shape.sm_uw)
			continue;
		share->threads -= b->shape.threads;
		if (--share->blocks == 0)
			*share = sm->share[--sm->shares];
		break;
	}
	if (slot_bit(s, sm, b->slot, &word, &bit))
		*word &= ~bit;
	occupy(sm, &b->shape, -1);
	if (t->op.active && t->job.seq == b->seq && t->op.segment == b->segment && t->op.resident) {
		sweep_hands_end(s, t, sm);
		t->op.resident--;
		t->op.begun -= b->lost && t->op.begun > 0;
	}
	b->next_free = s->free_resident;
	s->free_resident = index;
	s->gpu_changed = true;
}

/* ---- The primary queue ---- */

/* Whether a is before b in the primary queue. High streams have a queue of their own, before the other. The
 * first kernel may change at any instant, so `ties: lower-first` does not matter here: it is for resources
 * that are taken once and held. */
bool sweep_gpu_in_front(const struct sweep *s, const struct track *a, const struct track *b)
{
	if (a->op.info->high_stream != b->op.info->high_stream)
		return a->op.info->high_stream;
	enum order order = s->promise->kernel_order;
	return order == BY_PRIORITY || order == BY_DEADLINE ? sweep_outranks(s, order, a, b)
							    : sweep_before(s, order, a, b);
}

static struct track *queue_head(const struct sweep *s)
{
	struct track *head = NULL;
	for (uint32_t i = 0; i < s->r->tasks; i++) {
		struct track *t = &s->track[i];
		if (in_primary_queue(&t->op) && on_shown(s, &t->op) &&
			(!head || sweep_gpu_in_front(s, t, head)))
			head = t;
	}
	return head;
}

/* `fresh` is sorted by task: notes for each track where its blocks are. */
static void index_fresh(struct sweep *s)
{
	for (size_t i = 0; i < s->fresh_count; i++) {
		const struct block *b = &s->fresh[i];
		if (b->task == GONE || !sweep_gpu_is_current(&s->track[b->task], b))
			continue;
		struct track *t = &s->track[b->task];
		if (t->fresh_count++ == 0)
			t->fresh_from = i;
		t->fresh_thawed += s->r->contexts && has_begun(t, b);
	}
}

static void place_all(struct sweep *s, struct track *t)
{
	for (size_t i = 0; i < t->fresh_count; i++) {
		struct block *b = &s->fresh[t->fresh_from + i];
		place(s, b);
		b->task = GONE; /* placed */
	}
	t->fresh_count = 0;
}

/* R1: serves one head after the other, as long as each places all blocks it has left. Returns the first that
 * does not. */
static struct track *serve_queue(struct sweep *s)
{
	for (;;) {
		struct track *head = queue_head(s);
		if (!head)
			return NULL;
		if (head->fresh_count) {
			tell(s, AT_PLACING, head, &s->fresh[head->fresh_from], NULL);
			place_all(s, head);
		}
		if (in_primary_queue(&head->op)) {
			if (s->now < s->r->stop_ns)
				tell(s, AT_HEAD_WAITS, head, NULL, NULL);
			return head;
		}
	}
}

/* M3: serves those that have an entry of the task table, in its order, but for those held up. */
static void serve_table(struct sweep *s)
{
	sweep_table_settle(s);
	for (uint32_t i = 0; i < s->walkers; i++) {
		struct track *t = s->walk[i];
		if (sweep_table_held_by(s, t))
			continue;
		if (t->fresh_count) {
			tell(s, AT_PLACING, t, &s->fresh[t->fresh_from], NULL);
			place_all(s, t);
		}
		if (in_primary_queue(&t->op) && s->now < s->r->stop_ns)
			tell(s, AT_HEAD_WAITS, t, NULL, NULL);
	}
}

/* Places blocks in the order that the policy promises: the queue; then kernels that are not at its head but
 * placed blocks all the same; then kernels on SMs of their own, by task. */
static void place_in_order(struct sweep *s)
{
	bool queued = s->promise->grants == GRANTS_NONE, tabled = queued && s->r->tabled;
	const struct track *head = queued && !tabled ? serve_queue(s) : NULL;
	if (tabled)
		serve_table(s);
	for (size_t i = 0; i < s->fresh_count && !s->failed; i++) {
		const struct block *b = &s->fresh[i];
		struct track *t = b->task == GONE ? NULL : &s->track[b->task];
		if (t && queued && t->op.place != PLACE_GRANTED)
			tell(s, AT_OVERTAKING, t, b, tabled ? sweep_table_held_by(s, t) : head);
		if (t)
			place(s, b);
	}
}

/* ---- If it is not known in which order kernels place blocks ---- */

static bool on_own(const struct track *t)
{
	return t->task->figures.sms > 0 || (t->op.parts && t->op.part[0].granted > 0);
}

/* Has a kernel of the primary queue placed some of its blocks, but not all? Then it is at the queue's
 * head. */
static bool stands_in_queue(const struct track *t)
{
	const struct audit_operation *op = &t->op;
	return op->active && op->info->kind == KIND_KERNEL && !on_own(t) && !op->withdrawn &&
	       unplaced(op) < op->shape.blocks && unplaced(op) > 0;
}

/* Has it placed blocks at this instant that had not begun before? */
static bool places(const struct track *t)
{
	return t->fresh_count > t->fresh_thawed;
}

static void place_those(struct sweep *s, bool own)
{
	for (size_t i = 0; i < s->fresh_count && !s->failed; i++) {
		const struct block *b = &s->fresh[i];
		if (b->task != GONE && on_own(&s->track[b->task]) == own)
			place(s, b);
	}
}

/* Of the kernels that placed blocks at one instant, all but the last must have none left; and no low kernel
 * may place blocks while a high one is at the head of its queue. With masks: those whose masks meet. (A high
 * one that has placed some of its blocks has an entry of the task table.) */
static void tell_overtaking(struct sweep *s, const struct track *t)
{
	const struct track *other = NULL;
	bool low = !t->op.info->high_stream;
	for (uint32_t i = 0; i < s->r->tasks && !other && (low || i < t->index); i++) {
		const struct track *o = &s->track[i];
		bool placed_too = i < t->index && places(o) && stands_in_queue(t);
		if (o != t && (placed_too || (low && o->op.active && o->op.info->high_stream)) &&
			stands_in_queue(o) && on_shown(s, &o->op) && same_context(s->r, o, t) &&
			masks_meet(s->r, o->op.info->mask, t->op.info->mask))
			other = o;
	}
	if (other)
		tell(s, AT_OVERTAKING, t, &s->fresh[t->fresh_from], other);
}

/* R1 without knowing the queue's order: each kernel that places blocks must place all that fit. If only one
 * does so at an instant, it is known what was on the SMs when it chose them. */
static void place_unordered(struct sweep *s)
{
	const struct track *only = NULL;
	uint32_t placers = 0;
	for (uint32_t i = 0; i < s->r->tasks; i++) {
		struct track *t = &s->track[i];
		if (t->fresh_count && t->op.either)
			sweep_job_settle_shape(s, t, &s->fresh[t->fresh_from]);
		if (!places(t) || on_own(t))
			continue;
		only = t;
		placers++;
	}
	if (placers == 1)
		tell(s, AT_PLACING, only, &s->fresh[only->fresh_from], NULL);
	place_those(s, false);
	for (uint32_t i = 0; i < s->r->tasks && placers > 0; i++) {
		const struct track *t = &s->track[i];
		if (!places(t) || on_own(t))
			continue;
		tell_overtaking(s, t);
		if (!stands_in_queue(t))
			continue;
		if (s->now < s->r->stop_ns)
			tell(s, AT_HEAD_WAITS, t, NULL, NULL);
	}
	place_those(s, true);
}

void sweep_gpu_dispatch(struct sweep *s)
{
	if (!s->gpu_changed && s->fresh_count == 0) {
		if (s->r->tabled && s->promise)
			sweep_table_settle(s);
		return;
	}
	s->gpu_changed = true;
	index_fresh(s);
	if (s->promise)
		place_in_order(s);
	else
		place_unordered(s);
	if (s->fresh_count)
		tell(s, AT_PLACED, NULL, NULL, NULL);
	for (size_t i = 0; i < s->fresh_count; i++)
		if (s->fresh[i].task != GONE)
			s->track[s->fresh[i].task].fresh_count = s->track[s->fresh[i].task].fresh_thawed = 0;
}

/* ---- Power ---- */

/* The mean of the per-SM powers of the kernels on an SM, weighted by threads, or by blocks if none has
 * threads. */
static int64_t shared_power(const struct sm *sm)
{
	int128 sum = 0;
	int64_t weights = 0;
	bool by_threads = sm->threads > 0;
	for (uint32_t i = 0; i < sm->shares; i++) {
		int64_t weight = by_threads ? sm->share[i].threads : sm->share[i].blocks;
		sum += (int128)weight * sm->share[i].sm_uw;
		weights += weight;
	}
	return weights ? round_half_even(sum, weights) : 0;
}

/* A profile that has its SMs to itself takes its measured power, not m times a rounded share of it. */
static int64_t alone_correction(const struct sweep *s, const struct track *t)
{
	const struct audit_operation *op = &t->op;
	uint32_t sms = 0;
	if (!op->active || op->resident == 0 || op->shape.all_uw == NOT_GIVEN || s->r->machine.pooled ||
		!on_shown(s, op))
		return 0;
	for (uint32_t i = 0; i < s->pools; i++) {
		const struct sm *sm = &s->sm[i];
		for (uint32_t k = 0; k < sm->shares; k++) {
			if (sm->share[k].task != t->index)
				continue;
			if (sm->shares > 1)
				return 0;
			sms++;
		}
	}
	return sms == op->shape.spread ? op->shape.all_uw - op->shape.sm_uw * (int64_t)sms : 0;
}

static int64_t power_now(struct sweep *s, uint32_t *active)
{
	const struct audit_machine *m = &s->r->machine;
	int64_t dynamic = 0;
	*active = 0;
	for (uint32_t i = 0; i < s->pools; i++) {
		struct sm *sm = &s->sm[i];
		if (sm->touched)
			sm->dynamic_uw = shared_power(sm);
		sm->touched = false;
		if (sm->blocks == 0)
			continue;
		++*active;
		dynamic += sm->dynamic_uw;
	}
	if (m->pooled && *active) {
		int64_t each = m->threads_per_sm;
		*active = each ? (uint32_t)((s->sm[0].threads + each - 1) / each) : 1;
		dynamic = s->sm[0].dynamic_uw * (int64_t)*active;
	}
	if (*active == 0)
		return m->static_uw;
	for (uint32_t i = 0; i < s->r->tasks; i++)
		dynamic += alone_correction(s, &s->track[i]);
	return m->static_uw + m->idle_uw * ((int64_t)m->sms - (int64_t)*active) + dynamic;
}

void sweep_gpu_settle_power(struct sweep *s, int64_t until, bool over)
{
	struct audit_power *p = &s->power;
	uint32_t active = p->active;
	int64_t uw = p->uw;
	if (s->gpu_changed)
		uw = power_now(s, &active);
	s->gpu_changed = false;
	if (!over && uw == p->uw && active == p->active)
		return;
	if (until > s->r->window_ns)
		until = s->r->window_ns;
	if (until > p->since) {
		if (audit_hears(s->audit, AT_POWER))
			audit_tell(s->audit, &(struct moment){
						     .at = AT_POWER,
						     .time = s->now,
						     .sweep = s,
						     .since = p->since,
						     .until = until,
						     .power_uw = p->uw,
						     .active = p->active,
					     });
		p->energy_uwns += (int128)p->uw * (until - p->since);
		p->since = until;
	}
	p->uw = uw;
	p->active = active;
}
