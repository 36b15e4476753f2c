/* db/audit/laws_gpu.c - owns the laws on blocks, SMs and the primary queue (docs/model.md, "GPU"; R1 and R2
 * are Yang and Anderson's). */
#include <stdio.h>
#include <string.h>

#include "db/audit/law.h"
#include "db/audit/sweep.h"

#define TABLE "block_interval"

/* The least slot that no block is in. */
static int64_t free_slot(const struct sm *sm)
{
	size_t word = 0;
	while (word < sm->slot_words && sm->slot[word] == UINT64_MAX)
		word++;
	return (int64_t)word * 64 + (word < sm->slot_words ? __builtin_ctzll(~sm->slot[word]) : 0);
}

/* The SM on which a block is by its row; NULL: there is no such SM. */
static const struct sm *sm_of(const struct sweep *s, const struct block *b)
{
	if (s->r->machine.pooled)
		return b->sm == NOT_GIVEN ? &s->sm[0] : NULL;
	return b->sm >= 0 && b->sm < s->pools ? &s->sm[b->sm] : NULL;
}

/* Whether the GPU of the operation has the SM that the row of a block names. */
static bool has_sm(const struct recording *r, const struct audit_operation *op, const struct block *b)
{
	const struct audit_machine *machine = machine_of(r, op->info->gpu);
	return machine->pooled ? b->sm == NOT_GIVEN : b->sm >= 0 && b->sm < machine->sms;
}

/* What is wrong with the time that a block stayed; NULL: nothing. */
static const char *wrong_time(
	const struct recording *r, const struct audit_operation *op, const struct block *b, int64_t expected)
{
	int64_t length = b->end - b->start;
	bool frozen = r->contexts && (b->ended == ENDED_PREEMPTED || b->ended == ENDED_RESET);
	bool whole = b->ended == ENDED_DONE || b->ended == ENDED_ABORTED;
	if (length <= 0)
		return "it does not end after it starts";
	if (!frozen && (b->code < 0 || b->code > 3 || b->ended == ENDED_PREEMPTED))
		return "blocks are not preempted";
	if (r->contexts)
		length += op->frozen[b->index].ran;
	if (b->end > r->stop_ns || (b->ended == ENDED_STOPPED && b->end != r->stop_ns))
		return "it ends behind S, or was stopped before";
	if (op->info->form == FORM_PROGRAM) {
		if (whole && length < expected)
			return "it took less time than its warps need to issue their instructions";
		return whole && !program_ends_at(op->info, b->end) ? "no cycle of its SM begins when it ends"
								   : NULL;
	}
	int64_t late = machine_of(r, op->info->gpu)->preemption_delay_ns; /* at most: law_preemptions() */
	if (whole ? length < expected || length > expected + late : length >= expected + late)
		return op->info->block ? "it did not take its own time"
				       : "it did not take the time of its kernel's blocks";
	return NULL;
}

/* How long this block takes; NOT_GIVEN: there is no such block. */
static int64_t expected_length(const struct sweep *s, const struct track *t, const struct block *b)
{
	if (!t || !sweep_gpu_is_current(t, b) || b->index < 0 || b->index >= t->op.shape.blocks)
		return NOT_GIVEN;
	return block_length(s->r, t->index, t->op.segment, t->job.seq, b->index, t->op.length);
}

static const char *wrong_block(
	const struct sweep *s, const struct track *t, const struct block *b, int64_t expected)
{
	if (!t || !sweep_gpu_is_current(t, b))
		return "its job is not at this kernel then";
	const struct audit_operation *op = &t->op;
	if (b->gpu != op->info->gpu)
		return "its kernel is on another GPU";
	if (!has_sm(s->r, op, b))
		return "it is on no SM of this platform";
	if (b->index < 0 || b->index >= op->shape.blocks)
		return "its kernel has no such block";
	if (op->seen[b->index / 64] >> (b->index % 64) & 1)
		return "this block has been placed before";
	if ((op->info->block || op->info->form == FORM_PROGRAM) && b->index != op->placed &&
		!s->r->contexts) /* blocks with equal times cannot be told apart */
		return "blocks are placed in the order of their numbers";
	if (b->threads != op->shape.threads)
		return "it takes another number of threads than its kernel's blocks do";
	uint32_t at = s->r->contexts ? op->at : 0; /* the part that runs */
	if (op->parts <= at || b->start < op->part[at].start || b->end > op->part[at].end)
		return "it lies outside its kernel's interval";
	if (s->r->contexts && op->frozen[b->index].ran > 0 && b->sm != op->frozen[b->index].sm)
		return "it goes on on another SM";
	return wrong_time(s->r, op, b, expected);
}

uint64_t law_blocks(struct audit *a, const struct moment *m)
{
	int64_t expected = expected_length(m->sweep, m->track, m->block);
	const char *what = wrong_block(m->sweep, m->track, m->block, expected);
	if (what)
		broken(a, TABLE, m, "%s (%s, %lld threads; expected %s, %lld threads)", what,
			when(a, m->block->end - m->block->start), (long long)m->block->threads,
			expected == NOT_GIVEN ? "none" : when(a, expected),
			m->track ? (long long)m->track->op.shape.threads : 0);
	return 1;
}

uint64_t law_preemptions(struct audit *a, const struct moment *m)
{
	const struct block *b = m->block;
	const struct sm *sm = sm_of(m->sweep, b);
	int64_t own = expected_length(m->sweep, m->track, b), stayed = b->end - b->start;
	if (!sm || own == NOT_GIVEN || a->r->machine.preemption_delay_ns == 0)
		return 0;
	int64_t late = sweep_hands_late(m->sweep, m->track, sm);
	bool whole = b->ended == ENDED_DONE || b->ended == ENDED_ABORTED;
	if (whole ? stayed != own + late : stayed >= own + late)
		broken(a, TABLE, m, "it was there for %s; its work takes %s, and begins %s later",
			when(a, stayed), when(a, own), when(a, late));
	return 1;
}

/* When a kernel ends whose last block ended then. If it was aborted while blocks waited for room, it ends at
 * the deadline. */
static int64_t kernel_end(const struct sweep *s, const struct track *t, const struct interval *row)
{
	int64_t last = t->op.last_block;
	if (row->ended == ENDED_STOPPED)
		return s->r->stop_ns;
	return row->ended == ENDED_ABORTED && last < t->job.deadline ? t->job.deadline : last;
}

uint64_t law_kernel_span(struct audit *a, const struct moment *m)
{
	const struct audit_operation *op = &m->track->op;
	const struct interval *row = m->interval;
	bool parted = a->r->contexts;
	if (parted && row->ended != ENDED_DONE)
		return 1;
	if (op->placed == 0)
		broken(a, "segment_interval", m, "none of its %u blocks was placed", op->shape.blocks);
	else if (row->ended == ENDED_DONE && op->placed != op->shape.blocks && op->placed != op->other_blocks)
		broken(a, "segment_interval", m, "%u of its %u blocks were placed", op->placed,
			op->shape.blocks);
	else if ((!parted && op->first_block != row->start) ||
		 kernel_end(m->sweep, m->track, row) != row->end)
		broken(a, "segment_interval", m, "its blocks were there from %s to %s",
			when(a, op->first_block), when(a, op->last_block));
	return 1;
}

/* Reports the limit that one more block of this shape would break. */
static void first_limit(
	const struct sweep *s, const struct sm *sm, const struct audit_shape *shape, char *text, size_t size)
{
	const struct audit_machine *m = &s->r->machine;
	const struct {
		const char *name;
		int64_t used, need, limit;
	} limits[] = {
		{"threads", sm->threads, shape->threads, m->threads},
		{"blocks", sm->blocks, 1, m->blocks},
		{"warps", sm->warps, shape->warps, m->warps},
		{"registers", sm->registers, shape->registers, m->registers},
		{"bytes of shared memory", sm->shared_memory, shape->shared_memory,
			sweep_gpu_memory(s, sm, shape)},
		{"virtual SMs", sm->virtual_sms, shape->virtual_sms, m->virtual_sms},
	};
	size_t count = m->pooled ? 1 : sizeof(limits) / sizeof(limits[0]);
	snprintf(text, size, "it does not fit");
	for (size_t i = 0; i < count; i++) {
		if (limits[i].used + limits[i].need <= limits[i].limit)
			continue;
		snprintf(text, size, "%lld %s are in use and it takes %lld, but there are only %lld",
			(long long)limits[i].used, limits[i].name, (long long)limits[i].need,
			(long long)limits[i].limit);
		return;
	}
}

uint64_t law_sm_limits(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	const struct audit_shape *shape = m->track ? sweep_gpu_shape(m->track, m->block) : NULL;
	const struct sm *sm = sm_of(s, m->block);
	char text[160];
	if (!shape || !sm)
		return 0;
	if (sweep_gpu_fits(s, (uint32_t)(sm - s->sm), shape))
		return 1;
	first_limit(s, sm, shape, text, sizeof(text));
	broken(a, TABLE, m, "%s", text);
	return 1;
}

static bool slot_taken(const struct sm *sm, int64_t slot)
{
	return (size_t)slot / 64 < sm->slot_words && (sm->slot[slot / 64] >> (slot % 64) & 1);
}

/* If the order in which kernels place blocks is known: each block takes the lowest slot that is free then. */
static void check_slot(struct audit *a, const struct moment *m, const struct sm *sm)
{
	int64_t slot = m->block->slot;
	bool in_order = m->sweep->promise != NULL;
	if (in_order && slot != free_slot(sm))
		broken(a, TABLE, m, "it is in slot %lld, but the least free one is %lld", (long long)slot,
			(long long)free_slot(sm));
	else if (!in_order && slot < 0)
		broken(a, TABLE, m, "it is in slot %lld, which is none", (long long)slot);
	else if (!in_order && slot_taken(sm, slot))
		broken(a, TABLE, m, "it is in slot %lld, in which another block is", (long long)slot);
}

/* If it is not known: the blocks placed at this instant take the lowest free slots as a set, and the blocks
 * of one kernel are in the order of their numbers. The blocks are sorted by task, segment and number. */
static void check_placed(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	for (size_t i = 0; i < s->fresh_count; i++) {
		const struct block *b = &s->fresh[i];
		const struct sm *sm = sm_of(s, b);
		struct moment of = *m;
		if (b->task == UINT32_MAX || !sm || b->slot < 0)
			continue;
		if (i == 0 || s->fresh[i - 1].task != b->task || s->fresh[i - 1].segment != b->segment)
			memset(s->predicted, 0, s->pools * sizeof(*s->predicted));
		uint32_t *next = &s->predicted[sm - s->sm];
		of.track = &s->track[b->task];
		of.block = b;
		if (b->slot > free_slot(sm))
			broken(a, TABLE, &of, "it is in slot %lld, but slot %lld stayed free",
				(long long)b->slot, (long long)free_slot(sm));
		else if (b->slot < *next)
			broken(a, TABLE, &of, "it is in slot %lld, behind slot %lld of a block before it",
				(long long)b->slot, (long long)*next - 1);
		*next = b->slot < INT32_MAX ? (uint32_t)b->slot + 1 : INT32_MAX;
	}
}

uint64_t law_slots(struct audit *a, const struct moment *m)
{
	const struct sm *sm = m->at == AT_BLOCK ? sm_of(m->sweep, m->block) : NULL;
	if (m->at == AT_PLACED && !m->sweep->promise)
		check_placed(a, m);
	if (sm)
		check_slot(a, m, sm);
	return sm != NULL;
}

/* ---- The primary queue ---- */

uint64_t law_r1_order(struct audit *a, const struct moment *m)
{
	if (m->at == AT_PLACING)
		return m->track->fresh_count;
	const struct audit_operation *op = &m->track->op;
	if (!sweep_gpu_is_current(m->track, m->block))
		return 0;
	if (!m->sweep->promise) {
		broken(a, TABLE, m, "it was placed while the kernel of task '%s' had %u blocks to place: %s",
			m->other->task->name, unplaced(&m->other->op),
			m->other->op.info->high_stream && !op->info->high_stream
				? "that one's stream is of high priority"
			: a->r->masks ? "one of the two holds up the other, as their masks meet"
				      : "one of the two cannot be at the head of the primary queue");
		return 1;
	}
	if (op->place == PLACE_GATE)
		broken(a, TABLE, m, "it was placed before its kernel was admitted");
	else if (op->place == PLACE_STREAM)
		broken(a, TABLE, m, "it was placed before its kernel became head of its stream");
	else if (m->other)
		broken(a, TABLE, m,
			"it was placed while the kernel of task '%s', in front of it in the primary queue,"
			" had %u blocks to place",
			m->other->task->name, unplaced(&m->other->op));
	else if (a->r->tabled && !op->listed)
		broken(a, TABLE, m, "it was placed while its kernel had no entry of the task table");
	else
		broken(a, TABLE, m, "it was placed though its kernel had none left to place");
	return 1;
}

/* Blocks of profiles are on SMs or on parts of them. With masks no grant says on which, where a policy is not
 * known. */
static bool on_unknown_parts(const struct sweep *s, uint32_t task)
{
	const struct audit_operation *op = &s->track[task].op;
	return !s->promise && s->r->masks && s->r->machine.virtual_sms > 1 && op->info &&
	       op->info->form == FORM_PROFILE;
}

static bool has_room(const struct sweep *s, uint32_t at, const struct audit_shape *shape)
{
	const struct sm *sm = &s->sm[at];
	for (uint32_t i = 0; i < sm->shares; i++)
		if (on_unknown_parts(s, sm->share[i].task))
			return false;
	return mask_has(shape->mask, at) && sweep_gpu_surely_fits(s, at, shape);
}

uint64_t law_r1_work(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	const struct audit_operation *op = &m->track->op;
	uint32_t sm = 0;
	if (on_unknown_parts(s, m->track->index))
		return 0;
	while (sm < s->pools && !has_room(s, sm, &op->shape))
		sm++;
	if (sm == s->pools)
		return 1;
	char where[32] = "the GPU";
	if (!a->r->machine.pooled)
		snprintf(where, sizeof(where), "SM %u", sm);
	broken(a, TABLE, m,
		"at %s it is head of the primary queue with %u of %u blocks to place, and %s has room for "
		"one",
		when(a, m->time), unplaced(op), op->shape.blocks, where);
	return 1;
}

/* Blocks of a kernel that are placed at one instant: if their times are equal, only the number on each SM can
 * be checked. */
uint64_t law_sm_choice(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	const struct track *t = m->track;
	if (a->r->machine.pooled)
		return 0;
	memset(s->predicted, 0, s->pools * sizeof(*s->predicted));
	for (size_t i = 0; i < t->fresh_count; i++) {
		uint32_t sm = sweep_gpu_choice(s, &t->op.shape);
		if (sm == UINT32_MAX)
			return 0; /* more than fit, which another law reports */
		s->predicted[sm]++;
		struct moment of = *m;
		of.block = &s->fresh[t->fresh_from + i];
		if (!t->op.info->block || sm_of(s, of.block) == &s->sm[sm])
			continue;
		broken(a, TABLE, &of, "SM %u has more threads free, or goes first", sm);
		return t->fresh_count;
	}
	for (size_t i = 0; i < t->fresh_count; i++) {
		struct moment of = *m;
		of.block = &s->fresh[t->fresh_from + i];
		const struct sm *sm = sm_of(s, of.block);
		if (sm && s->predicted[sm - s->sm]-- > 0)
			continue;
		uint32_t instead = 0;
		while (instead + 1 < s->pools &&
			(s->predicted[instead] == 0 || s->predicted[instead] > INT32_MAX))
			instead++;
		broken(a, TABLE, &of, "SM %u has more threads free, or goes first", instead);
		break;
	}
	return t->fresh_count;
}
