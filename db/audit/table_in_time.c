/* db/audit/table_in_time.c - the task table over time: which kernels of the primary queue have an entry, and
 * who holds up whom (docs/model.md, "SM masks", M2 and M3). */
#include "db/audit/sweep.h"

static bool stands(const struct sweep *s, const struct audit_operation *op)
{
	return op->active && on_shown(s, op) && op->info->kind == KIND_KERNEL && op->place == PLACE_QUEUE;
}

static int64_t entries_taken(const struct sweep *s)
{
	int64_t taken = 0;
	for (uint32_t i = 0; i < s->r->tasks; i++)
		taken += stands(s, &s->track[i].op) && s->track[i].op.listed;
	return taken;
}

static struct track *first_without(const struct sweep *s)
{
	struct track *first = NULL;
	for (uint32_t i = 0; i < s->r->tasks; i++) {
		struct track *t = &s->track[i];
		if (stands(s, &t->op) && !t->op.listed && (!first || sweep_gpu_in_front(s, t, first)))
			first = t;
	}
	return first;
}

/* Of low streams, with an entry. */
static struct track *last_low(const struct sweep *s)
{
	struct track *last = NULL;
	for (uint32_t i = 0; i < s->r->tasks; i++) {
		struct track *t = &s->track[i];
		if (stands(s, &t->op) && t->op.listed && !t->op.info->high_stream &&
			(!last || sweep_gpu_in_front(s, last, t)))
			last = t;
	}
	return last;
}

void sweep_table_settle(struct sweep *s)
{
	int64_t free_ones = s->r->machine.resident_kernels - entries_taken(s);
	struct track *t;
	while ((t = first_without(s))) {
		struct track *out = free_ones > 0 || !t->op.info->high_stream ? NULL : last_low(s);
		if (free_ones <= 0 && !out)
			break;
		if (out)
			out->op.listed = false;
		else
			free_ones--;
		t->op.listed = true;
	}
	s->walkers = 0;
	for (uint32_t i = 0; i < s->r->tasks; i++) {
		t = &s->track[i];
		if (!t->op.listed || !in_primary_queue(&t->op) || !on_shown(s, &t->op))
			continue;
		uint32_t at = s->walkers++;
		for (; at > 0 && sweep_gpu_in_front(s, t, s->walk[at - 1]); at--)
			s->walk[at] = s->walk[at - 1];
		s->walk[at] = t;
	}
}

const struct track *sweep_table_held_by(const struct sweep *s, const struct track *t)
{
	for (uint32_t i = 0; i < s->walkers && s->walk[i] != t; i++)
		if (in_primary_queue(&s->walk[i]->op) &&
			masks_meet(s->r, s->walk[i]->op.info->mask, t->op.info->mask))
			return s->walk[i];
	return NULL;
}
