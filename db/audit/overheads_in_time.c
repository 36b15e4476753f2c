/* db/audit/overheads_in_time.c - the overheads over time: interrupts of releases, switches of the core, and
 * the distances that operations keep in their streams (docs/model.md, "Overheads"). */
#include <string.h>

#include "db/audit/law.h"
#include "db/audit/sweep.h"

/* ---- Interrupts ---- */

void sweep_add_interrupt(struct sweep *s, const struct interval *row)
{
	if (!sweep_grow(s, (void **)&s->interrupt, &s->interrupt_capacity, s->interrupts + 1,
		    sizeof(*s->interrupt)))
		return;
	size_t at = s->interrupts++;
	for (; at > 0 && row->start < s->interrupt[at - 1].start; at--)
		s->interrupt[at] = s->interrupt[at - 1];
	s->interrupt[at] = *row;
	sweep_push(s, row->start, EVENT_INTERRUPT_STARTS, 0, 0);
	sweep_push(s, row->end, EVENT_INTERRUPT_ENDS, 0, 0);
}

void sweep_interrupt(struct sweep *s, bool begins)
{
	if (begins && s->interrupts) {
		struct track *t = &s->track[s->interrupt[0].task];
		if (audit_hears(s->audit, AT_INTERRUPT))
			audit_tell(s->audit, &(struct moment){
						     .at = AT_INTERRUPT,
						     .time = s->now,
						     .sweep = s,
						     .track = t,
						     .interval = &s->interrupt[0],
					     });
		t->interrupts++;
	} else if (s->interrupts && --s->interrupts) {
		memmove(s->interrupt, s->interrupt + 1, s->interrupts * sizeof(*s->interrupt));
	}
	s->interrupted = begins;
}

const struct track *sweep_next_interrupt(const struct sweep *s)
{
	for (uint32_t i = 0; s->r->machine.takes.release_ns > 0 && i < s->r->tasks; i++) {
		if (s->track[i].interrupts < s->track[i].record.count)
			return &s->track[i];
	}
	return NULL;
}

/* ---- Switches ---- */

void sweep_switch(struct sweep *s)
{
	const struct track *holder = NULL;
	for (uint32_t i = 0; s->on_core > 0 && i < s->r->tasks && !holder; i++)
		holder = s->track[i].on_core ? &s->track[i] : NULL;
	if (s->switching_since != NOT_GIVEN)
		s->switch_left -= s->now - s->switching_since;
	s->switching_since = NOT_GIVEN;
	s->switch_excess = s->switch_left < 0 ? -s->switch_left : 0;
	s->switch_left = s->switch_left < 0 ? 0 : s->switch_left;
	if (!holder || s->interrupted)
		return;
	if (holder != s->had || holder->job.seq != s->had_seq)
		s->switch_left = s->r->machine.takes.switch_ns;
	s->had = holder;
	s->had_seq = holder->job.seq;
	if (holder->switching)
		s->switching_since = s->now;
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
