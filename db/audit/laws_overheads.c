/* db/audit/laws_overheads.c - owns the laws on overheads (docs/model.md, "Overheads"). What `sync` delays is
 * with the laws on segments. */
#include "db/audit/law.h"
#include "db/audit/sweep.h"

#define TABLE "segment_interval"

uint64_t law_launches(struct audit *a, const struct moment *m)
{
	const struct audit_operation *op = &m->track->op;
	struct moment of = *m;
	if (computes(op) || op->parts == 0)
		return 0;
	of.job = &m->track->job;
	of.interval = &op->part[0];
	if (op->launched == op->called)
		broken(a, TABLE, &of, "it was not launched, which takes %s",
			when(a, a->r->machine.takes.launch_ns));
	return 1;
}

uint64_t law_distances(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	const struct track *t = m->track;
	const struct promise *p = s->promise;
	/* It was not issued before it was launched. */
	bool known = p && p->admits != ADMITS_UNSEEN && t->op.place == PLACE_STREAM;
	int64_t issued = known ? t->op.entered : t->op.launched, from = sweep_eligible_from(s, t, issued);
	if (m->interval->start < issued + a->r->machine.takes.latency_ns)
		broken(a, TABLE, m,
			"it starts at %s, but it was issued at %s and is not eligible for another %s",
			when(a, m->interval->start), when(a, issued),
			when(a, a->r->machine.takes.latency_ns));
	else if (m->interval->start < from)
		broken(a, TABLE, m,
			"it starts at %s, but behind the one in front of it, and a gap of %s, at %s",
			when(a, m->interval->start), when(a, a->r->machine.takes.gap_ns), when(a, from));
	return 1;
}

/* What is wrong with a switch that begins; NULL: nothing. */
static const char *wrong_switch(const struct recording *r, const struct track *t, const struct interval *row)
{
	bool needs = t->active && t->op.active && computes(&t->op);
	if (row->code > 191 || !core_fits(r, t, row->unit) || row->part < 0)
		return "its code means nothing, or it is on another core";
	if (!t->active || t->job.seq != row->seq || row->segment != (needs ? t->op.segment : t->section))
		return "its job does not need the core for this segment then";
	if (row->end <= row->start || row->end > r->stop_ns)
		return "it does not end after it starts, by S";
	return NULL;
}

static void check_switch(struct audit *a, const struct moment *m, const struct audit_core *c)
{
	struct moment of = *m;
	of.track = c->had;
	if (c->switch_excess > 0)
		broken(a, TABLE, &of, "at %s it has paid %s more for the switch than it had to",
			when(a, m->time), when(a, c->switch_excess));
	if (!c->had || c->holder != c->had || c->interrupted)
		return;
	if (c->had->switching && c->switch_left == 0)
		broken(a, TABLE, &of, "at %s the core is switched to it, though nothing is left to pay",
			when(a, m->time));
	else if (!c->had->switching && c->switch_left > 0)
		broken(a, TABLE, &of, "at %s it goes on, but of the switch to it %s is left",
			when(a, m->time), when(a, c->switch_left));
}

uint64_t law_switches(struct audit *a, const struct moment *m)
{
	if (m->at == AT_SPIN) {
		if (m->interval->occupancy != OCCUPY_SWITCH)
			return 0;
		const char *what = wrong_switch(a->r, m->track, m->interval);
		if (what)
			broken(a, TABLE, m, "%s", what);
		return 1;
	}
	uint64_t checked = 0;
	for (uint32_t i = 0; i < a->r->machine.cores; i++) {
		const struct audit_core *c = &m->sweep->core[i];
		check_switch(a, m, c);
		checked += c->holder && !c->interrupted;
	}
	return checked;
}

/* What is wrong with an interrupt that begins; NULL: nothing. */
static const char *wrong_interrupt(const struct sweep *s, const struct track *t, const struct interval *row)
{
	const struct track *next = sweep_next_interrupt(s, t->task->core);
	bool stopped = row->ended == ENDED_STOPPED;
	if (row->code > 191 || row->unit != t->task->core || row->segment != 0 || row->part != 0 ||
		row->ready != row->start)
		return "its numbers mean nothing";
	if (s->core[t->task->core].interrupted)
		return "it begins while another interrupt goes on";
	if (!next)
		return "no release needs an interrupt then";
	if (next != t || row->seq != t->interrupts)
		return "the interrupt of another release comes first";
	if (stopped ? row->end != s->r->stop_ns : row->end - row->start != s->r->machine.takes.release_ns)
		return "it does not last as long as the interrupt of a release";
	return NULL;
}

uint64_t law_interrupts(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	struct moment of = *m;
	if (m->at == AT_INTERRUPT && m->interval->occupancy == OCCUPY_DECISION)
		return 0;
	if (m->at == AT_INTERRUPT) {
		const char *what = wrong_interrupt(s, m->track, m->interval);
		if (what)
			broken(a, TABLE, m, "%s", what);
		return 1;
	}
	uint64_t checked = 0;
	for (uint32_t i = 0; i < a->r->machine.cores; i++) {
		of.track = sweep_next_interrupt(s, i);
		if (!of.track || s->core[i].interrupted)
			continue;
		broken(a, TABLE, &of, "at %s the release of its job %lld does not interrupt the core",
			when(a, m->time), (long long)of.track->interrupts);
		checked++;
	}
	return checked;
}
