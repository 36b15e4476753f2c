/* db/audit/shapes_in_time.c - the shape of a kernel whose task may be given SMs at run time: its blocks and
 * length on those, which the recording gives as a number (docs/model.md, "Kernels"). */
#include <string.h>

#include "db/audit/law.h"
#include "db/audit/sweep.h"

/* The length of the operation on the SMs that were chosen for it. */
static int64_t length_on(const struct sweep *s, const struct track *t, const struct audit_shape *shape)
{
	int64_t length = segment_length(s->r, t->index, t->op.segment, t->job.seq, shape);
	return length > 0 ? length : 1; /* it takes time on all SMs, so it is not 0 on these */
}

/* The shape if the same number means virtual SMs, on as few SMs as possible. */
static bool shape_on_slots(const struct sweep *s, const struct track *t, struct audit_shape *shape)
{
	int64_t granted = t->op.part[0].granted, v_sm = s->r->machine.virtual_sms,
		sms = (granted + v_sm - 1) / v_sm;
	return sms <= s->r->machine.sms &&
	       shape_granted(s->r, t->op.info, (struct audit_given){(uint32_t)sms, (uint32_t)granted}, shape);
}

/* Is the block one of a kernel of this shape and length? */
static bool is_of(const struct block *b, const struct audit_shape *shape, int64_t length)
{
	bool whole = b->ended == ENDED_DONE || b->ended == ENDED_ABORTED;
	return b->threads == shape->threads &&
	       (whole ? b->end - b->start == length : b->end - b->start < length);
}

void sweep_job_settle_shape(struct sweep *s, struct track *t, const struct block *first)
{
	struct audit_operation *op = &t->op;
	struct audit_shape whole, slots;
	bool has_slots = shape_on_slots(s, t, &slots);
	bool has_whole = shape_granted(s->r, op->info, given_to(s->r, t->index, op->part[0].granted), &whole);
	op->either = false;
	if (!has_slots && !has_whole)
		return; /* there are not so many SMs, which another law reports */
	bool is_slots = has_slots && is_of(first, &slots, length_on(s, t, &slots));
	bool is_whole = has_whole && is_of(first, &whole, length_on(s, t, &whole));
	/* If both readings fit, the operation may be either. */
	bool take_slots = is_slots && (!is_whole || op->info->form == FORM_PROFILE);
	if (is_slots && is_whole && whole.blocks != slots.blocks)
		op->other_blocks = slots.blocks;
	op->shape = take_slots || !has_whole ? slots : whole;
	op->length = length_on(s, t, &op->shape);
	s->power_unseen |= take_slots && slots.all_uw != NOT_GIVEN;
}

void sweep_job_choose_shape(struct sweep *s, struct track *t)
{
	struct audit_operation *op = &t->op;
	struct audit_given given = given_to(s->r, t->index, op->parts ? op->part[0].granted : 0);
	bool chosen = given.sms > 0 && t->task->figures.sms <= 0;
	struct audit_shape shape;
	op->shape = op->info->shape;
	if ((given.slots > 0 || chosen) && shape_granted(s->r, op->info, given, &shape))
		op->shape = shape;
	op->begun = 0;
	op->length = chosen ? length_on(s, t, &op->shape)
			    : segment_length(s->r, t->index, op->segment, t->job.seq, &op->shape);
	/* A policy that is not known may have chosen virtual SMs: the recording only says how many SMs of
	 * either kind. */
	op->either = chosen && !s->promise;
	uint32_t blocks = op->shape.blocks;
	if (op->either && shape_on_slots(s, t, &shape)) {
		int64_t length = length_on(s, t, &shape);
		op->length = length < op->length ? length : op->length;
		blocks = shape.blocks > blocks ? shape.blocks : blocks;
	}
	size_t words = (blocks + 63u) / 64;
	if (s->with_blocks && sweep_grow(s, (void **)&op->seen, &op->seen_words, words, sizeof(*op->seen)))
		memset(op->seen, 0, words * sizeof(*op->seen));
	if (s->with_blocks && s->r->contexts &&
		sweep_grow(s, (void **)&op->frozen, &op->frozen_count, blocks, sizeof(*op->frozen)))
		memset(op->frozen, 0, blocks * sizeof(*op->frozen));
}
