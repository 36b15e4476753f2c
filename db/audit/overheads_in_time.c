/* db/audit/overheads_in_time.c - the overheads over time: interrupts of releases, switches of the core, and
 * the distances that operations keep in their streams (docs/model.md, "Overheads"). */
#include <string.h>

#include "db/audit/law.h"
#include "db/audit/sweep.h"

/* ---- Interrupts; the policy's decisions take the core as they do ---- */

void sweep_add_interrupt(struct sweep *s, const struct interval *row)
{
	uint32_t core = row->occupancy == OCCUPY_DECISION ? 0 : s->track[row->task].task->core;
	struct audit_core *c = &s->core[core];
	if (!sweep_grow(s, (void **)&c->interrupt, &c->interrupt_capacity, c->interrupts + 1,
		    sizeof(*c->interrupt)))
		return;
	if (row->occupancy == OCCUPY_DECISION && row->end > s->decided_until)
		s->decided_until = row->end;
	size_t at = c->interrupts++;
	for (; at > 0 && row->start < c->interrupt[at - 1].start; at--)
		c->interrupt[at] = c->interrupt[at - 1];
	c->interrupt[at] = *row;
	sweep_push(s, row->start, EVENT_INTERRUPT_STARTS, core, 0);
	sweep_push(s, row->end, EVENT_INTERRUPT_ENDS, core, 0);
}

void sweep_interrupt(struct sweep *s, uint32_t core, bool begins)
{
	struct audit_core *c = &s->core[core];
	if (begins && c->interrupts) {
		struct track *t = &s->track[c->interrupt[0].task];
		if (audit_hears(s->audit, AT_INTERRUPT))
			audit_tell(s->audit, &(struct moment){
						     .at = AT_INTERRUPT,
						     .time = s->now,
						     .sweep = s,
						     .track = t,
						     .interval = &c->interrupt[0],
					     });
		t->interrupts += c->interrupt[0].occupancy == OCCUPY_INTERRUPT;
	} else if (c->interrupts && --c->interrupts) {
		memmove(c->interrupt, c->interrupt + 1, c->interrupts * sizeof(*c->interrupt));
	}
	if (c->interrupted != begins)
		s->interrupted += begins ? 1 : UINT32_MAX;
	c->interrupted = begins;
}

const struct track *sweep_next_interrupt(const struct sweep *s, uint32_t core)
{
	for (uint32_t i = 0; s->r->machine.takes.release_ns > 0 && i < s->r->tasks; i++) {
		const struct track *t = &s->track[i];
		if (t->task->core == core && t->interrupts < t->record.count)
			return t;
	}
	return NULL;
}

/* ---- Switches ---- */

static void find_holders(struct sweep *s)
{
	for (uint32_t i = 0; i < s->r->machine.cores; i++)
		s->core[i].holder = NULL;
	for (uint32_t i = 0, found = 0; found < s->on_core && i < s->r->tasks; i++) {
		struct track *t = &s->track[i];
		if (!t->on_core)
			continue;
		found++;
		if (!s->core[t->core].holder)
			s->core[t->core].holder = t;
	}
}

static void settle_switch(const struct sweep *s, struct audit_core *c)
{
	const struct track *holder = c->holder;
	if (c->switching_since != NOT_GIVEN)
		c->switch_left -= s->now - c->switching_since;
	c->switching_since = NOT_GIVEN;
	c->switch_excess = c->switch_left < 0 ? -c->switch_left : 0;
	c->switch_left = c->switch_left < 0 ? 0 : c->switch_left;
	if (!holder || c->interrupted)
		return;
	if (holder != c->had || holder->job.seq != c->had_seq)
		c->switch_left = s->r->machine.takes.switch_ns;
	c->had = holder;
	c->had_seq = holder->job.seq;
	if (holder->switching)
		c->switching_since = s->now;
}

void sweep_switch(struct sweep *s)
{
	find_holders(s);
	for (uint32_t i = 0; i < s->r->machine.cores; i++)
		settle_switch(s, &s->core[i]);
}

/* ---- Streams ---- */

static int64_t *free_of(const struct sweep *s, const struct track *t)
{
	return &s->queue_free[t->op.info->null_stream ? s->r->machine.work_queues : t->op.info->queue];
}

void sweep_note_end(struct sweep *s, const struct track *t)
{
	if (t->op.running)
		*free_of(s, t) = s->now + s->r->machine.takes.gap_ns;
}

int64_t sweep_eligible_from(const struct sweep *s, const struct track *t, int64_t issued)
{
	int64_t behind = *free_of(s, t), from = issued + s->r->machine.takes.latency_ns;
	return behind > from ? behind : from;
}
