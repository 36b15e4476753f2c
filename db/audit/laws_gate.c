/* db/audit/laws_gate.c - the laws on the gate: units that are admitted one at a time, kernels that are
 * admitted when their SMs are free (stgm), sections for which a number of SMs was decided (sbeet).
 * docs/model.md, "Gates". */
#include "db/audit/law.h"
#include "db/audit/sweep.h"

#define TABLE "segment_interval"

/* A task other than this whose admitted unit holds an SM of the set; with NULL, any admitted unit. */
static const struct track *holder_of(const struct sweep *s, const struct track *t, const uint64_t *set)
{
	for (uint32_t i = 0; i < s->r->tasks; i++) {
		const struct track *other = &s->track[i];
		bool meets = !set || (other->unit.held && sets_meet(s->r, set, other->unit.held));
		if (other->unit.state == UNIT_ADMITTED && other->unit.gpu == s->shown &&
			(set ? other != t : true) && meets)
			return other;
	}
	return NULL;
}

static void not_admitted(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	const struct track *t = m->track, *other;
	const uint64_t *set = t->task->figures.sm_set;
	bool by_sets = s->promise->admits == ADMITS_FITTING && set;
	if (s->promise->admits == ADMITS_DECIDED) {
		broken(a, TABLE, m, "it started without a decision that gave its section SMs");
		return;
	}
	other = holder_of(s, t, by_sets ? set : NULL);
	if (other && by_sets)
		broken(a, TABLE, m, "it started while the kernel of task '%s' held SMs of its set",
			other->task->name);
	else if (other)
		broken(a, TABLE, m, "it started while task '%s' was admitted%s", other->task->name,
			other == t ? " with another operation" : "");
	else if (by_sets && (other = sweep_gate_kept_by(s, t)))
		broken(a, TABLE, m,
			"it started though SMs of its set are reserved for task '%s', which waits"
			" since %s",
			other->task->name, when(a, other->unit.since));
	else
		broken(a, TABLE, m, "it started without having been admitted");
}

/* A kernel that is ready and has not started, and is not behind another one in its stream. */
static bool stands_still(const struct track *t)
{
	const struct audit_operation *op = &t->op;
	return op->active && op->info->kind == KIND_KERNEL && !op->running && !op->withdrawn &&
	       op->length > 0 && (op->place == PLACE_GATE || op->place == PLACE_GRANTED);
}

/* Does another kernel use SMs of its set, or own them while it waits in its stream? Or does one of higher
 * priority wait for some? */
static bool has_reason_to_wait(const struct sweep *s, const struct track *t)
{
	for (uint32_t i = 0; i < s->r->tasks; i++) {
		const struct track *other = &s->track[i];
		const struct audit_operation *op = &other->op;
		const uint64_t *theirs = other->task->figures.sm_set;
		if (other == t || !op->active || !on_shown(s, op) || op->launching ||
			op->info->kind != KIND_KERNEL || !theirs ||
			!sets_meet(s->r, t->task->figures.sm_set, theirs))
			continue;
		if (op->running || op->place == PLACE_STREAM ||
			(stands_still(other) && sweep_outranks(s, BY_PRIORITY, other, t)))
			return true;
	}
	return false;
}

/* No kernel waits whose SMs are idle and wanted by no higher kernel. Checked at every instant, by the
 * recorded starts and ends: so it does not depend on the order in which units are looked at, nor on what
 * should have been admitted. */
static uint64_t check_idle_sets(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	uint64_t asked = 0;
	for (uint32_t i = 0; i < s->r->tasks; i++) {
		struct moment of = *m;
		of.track = &s->track[i];
		if (!of.track->task->figures.sm_set || !stands_still(of.track) || !on_shown(s, &of.track->op))
			continue;
		asked++;
		if (!has_reason_to_wait(s, of.track))
			broken(a, TABLE, &of,
				"at %s it waits, since %s, and its SMs are idle and wanted by no higher one",
				when(a, m->time), when(a, of.track->op.ready));
	}
	return asked;
}

uint64_t law_gate(struct audit *a, const struct moment *m)
{
	if (m->at == AT_GPU_INSTANT)
		return m->sweep->promise && m->sweep->promise->admits == ADMITS_FITTING
			       ? check_idle_sets(a, m)
			       : 0;
	if (m->sweep->promise && m->track->op.place == PLACE_GATE)
		not_admitted(a, m);
	return 1;
}

/* Kernels that the policy keeps apart: by their number, or by their SMs. This law does not look at the
 * gate. */
uint64_t law_kernels_apart(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	const struct promise *p = s->promise;
	int64_t running = 0;
	if (!p || m->track->op.info->kind != KIND_KERNEL)
		return 0;
	bool by_sets = p->grants == GRANTS_SETS || p->grants == GRANTS_APART;
	const uint64_t *mine = by_sets ? m->track->task->figures.sm_set : NULL;
	for (uint32_t i = 0; i < a->r->tasks; i++) {
		const struct track *other = &s->track[i];
		if (other == m->track || !other->op.active || !on_shown(s, &other->op) ||
			!other->op.running || other->op.info->kind != KIND_KERNEL || other->op.launching)
			continue;
		const uint64_t *theirs = other->task->figures.sm_set;
		running++;
		if (mine && theirs && sets_meet(a->r, mine, theirs)) {
			broken(a, TABLE, m, "it started on SMs on which the kernel of task '%s' was running",
				other->task->name);
			return 1;
		}
	}
	if (p->gate != GATE_NONE && p->at_once > 0 && running >= p->at_once)
		broken(a, TABLE, m,
			"it started while %lld kernels of others were running, with %lld at a time",
			(long long)running, (long long)p->at_once);
	return 1;
}

/* ---- Decisions ---- */

static const struct decision *chosen_of(const struct moment *m, size_t *count)
{
	const struct decision *chosen = NULL;
	*count = 0;
	for (size_t i = 0; i < m->decisions; i++) {
		if (!m->decision[i].chosen)
			continue;
		chosen = &m->decision[i];
		++*count;
	}
	return chosen;
}

static uint32_t free_sms(const struct sweep *s)
{
	uint32_t free_ones = 0;
	for (uint32_t sm = 0; sm < s->r->machine.sms; sm++) {
		bool held = false;
		for (uint32_t i = 0; i < s->r->tasks && !held; i++) {
			const struct unit *u = &s->track[i].unit;
			held = u->state == UNIT_ADMITTED && u->held && set_has(u->held, sm);
		}
		free_ones += !held;
	}
	return free_ones;
}

/* Whether a unit before it was admitted at this instant. */
static bool behind_a_start(const struct moment *m)
{
	for (const struct decision *d = m->sweep->decision; d < m->decision; d++) {
		if (d->chosen)
			return true;
	}
	return false;
}

/* What is wrong with a decision on a unit, whatever was chosen; NULL: nothing. */
static const char *wrong_subject(const struct moment *m)
{
	const struct sweep *s = m->sweep;
	const struct track *t = m->track;
	const struct decision *d = m->decision;
	if (!t || m->time != d->time || m->time >= s->r->stop_ns)
		return "it is on a task of another set, or was made behind the run's end";
	if (!t->active || t->job.seq != d->seq || t->unit.state != UNIT_WAITS)
		return "no section of this job with kernels waits then";
	if (d->segment < 0 || d->segment >= t->task->segments || d->segment > t->unit.last)
		return "the segment is none of the section that waits";
	if (!sweep_is_paid_for(s, t))
		return "it came when the decision was being made already";
	if (s->units_admitted >= s->promise->at_once)
		return "as many units as there are workers have been admitted already";
	if (s->promise->one_start && behind_a_start(m))
		return "another section has been admitted at this instant, which ends it";
	return NULL;
}

/* On an idle GPU: m_opt and every number below it. Else one number: the free SMs, at most m_opt. */
static const char *wrong_numbers(const struct moment *m)
{
	const struct sweep *s = m->sweep;
	const struct decision *d = m->decision;
	int64_t available = free_sms(s), best = m->track->task->segment[m->track->unit.first].best_sms;
	int64_t greatest = best && best < available ? best : available;
	if (s->units_admitted > 0 && m->decisions > 1)
		return "while a unit is admitted only one number of SMs is weighed";
	if (d[0].sms < 1 || d[0].sms > available)
		return "it weighs more SMs than are free, or none";
	if (best && d[0].sms != greatest)
		return "the greatest number weighed is not m_opt, or all that are free";
	for (size_t i = 1; i < m->decisions; i++) {
		if (d[i].sms != d[i - 1].sms - 1)
			return "numbers of SMs are not weighed in descending order, each once";
	}
	if (s->units_admitted == 0 && d[m->decisions - 1].sms != 1)
		return "on an idle GPU all numbers down to 1 are weighed";
	return NULL;
}

/* Does x come before y, of two candidates of one decision? */
static bool better(
	const struct promise *p, bool any_feasible, const struct decision *x, const struct decision *y)
{
	if (any_feasible && x->feasible != y->feasible)
		return x->feasible;
	int64_t kx = x->predicted, ky = y->predicted;
	if (!any_feasible && !p->any_least) {
		kx = x->kernel_end;
		ky = y->kernel_end;
	}
	return kx != ky ? kx < ky : x->sms > y->sms;
}

/* What is wrong with the choice; NULL: nothing. */
static const char *wrong_choice(const struct moment *m)
{
	const struct promise *p = m->sweep->promise;
	bool idle = m->sweep->units_admitted == 0, any_feasible = false;
	size_t count;
	const struct decision *chosen = chosen_of(m, &count);
	for (size_t i = 0; i < m->decisions; i++)
		any_feasible |= m->decision[i].feasible;
	if (count > 1 || (idle && count == 0))
		return count ? "more than one number of SMs was chosen"
			     : "none was chosen, though the GPU is idle";
	if (!idle)
		return count != any_feasible ? "while a unit is admitted another is, too, if that is feasible"
					     : NULL;
	if (any_feasible && !chosen->feasible)
		return "the number of SMs that was chosen is not feasible, and another is";
	/* Energies over a common interval are not recorded */
	bool known = any_feasible ? p->least_energy : p->least_energy || !p->any_least;
	for (size_t i = 0; i < m->decisions && known; i++) {
		const struct decision *d = &m->decision[i];
		bool cut = d->predicted == INT64_MAX && chosen->predicted == INT64_MAX;
		if (d != chosen && !cut && better(p, any_feasible, d, chosen))
			return "another number of SMs goes before the one that was chosen";
	}
	return NULL;
}

static bool looked_at_later(const struct moment *m, uint32_t task)
{
	const struct sweep *s = m->sweep;
	for (const struct decision *d = m->decision + m->decisions; d < s->decision + s->decisions; d++) {
		if (d->task == task)
			return true;
	}
	return false;
}

/* Units are looked at in the gate's order. Finds a waiting unit that should have been looked at before this
 * one. On an idle GPU the first is always admitted; else a unit may be skipped without a row (Algorithm 1,
 * line 18). */
static const struct track *passed_over(const struct moment *m)
{
	const struct sweep *s = m->sweep;
	for (uint32_t i = 0; i < s->gate.count; i++) {
		const struct track *t = &s->track[s->gate.task[i]];
		if (t != m->track && sweep_is_paid_for(s, t) && sweep_unit_before(s, t, m->track) &&
			(s->units_admitted == 0 || looked_at_later(m, t->index)))
			return t;
	}
	return NULL;
}

/* If no unit is admitted, one that waits always gets SMs. */
static uint64_t check_idle(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	struct moment of = *m;
	if (s->gate.count == 0 || s->units_admitted > 0 || s->deciding.until > m->time)
		return 0;
	of.track = &s->track[s->gate.task[0]];
	broken(a, "decision", &of, "at %s its section waits (since %s) for SMs, and all are free",
		when(a, m->time), when(a, of.track->unit.since));
	return 1;
}

uint64_t law_decisions(struct audit *a, const struct moment *m)
{
	if (m->at == AT_GPU_INSTANT)
		return check_idle(a, m);
	const struct track *first = NULL;
	struct moment of = *m;
	const char *what = wrong_subject(m);
	if (!what)
		what = wrong_numbers(m);
	if (!what)
		what = wrong_choice(m);
	if (!what && (first = passed_over(m)))
		what = "one that goes before it has not been looked at: task";
	of.job =
		m->track && m->track->active && m->track->job.seq == m->decision->seq ? &m->track->job : NULL;
	if (what)
		broken(a, "decision", &of, "at %s, on job %lld and %lld SMs%s: %s%s%s",
			when(a, m->decision->time), (long long)m->decision->seq, (long long)m->decision->sms,
			m->decisions > 1 ? " and less" : "", what, first ? " " : "",
			first ? first->task->name : "");
	return m->decisions;
}

/* ---- What decisions take ---- */

/* What is wrong with an interval in which core 0 made a decision; NULL: nothing. */
static const char *wrong_making(const struct sweep *s, const struct interval *row)
{
	const struct audit_deciding *d = &s->deciding;
	if (!promise_decides_slowly(s->promise) || !s->promise->decides_on_core)
		return "decisions of this policy take no core";
	if (row->code > 191 || row->unit != 0 || row->segment != 0 || row->ready != row->start)
		return "its numbers mean nothing";
	if (row->start != d->asked)
		return "no decision was asked for then, or one was being made";
	if (row->task != d->task || row->seq != d->seq)
		return "another job was the first that waited for it";
	bool over = d->until <= s->r->stop_ns;
	if (row->end != (over ? d->until : s->r->stop_ns) || (row->ended == ENDED_DONE) != over)
		return "it does not last as long as the decision";
	return NULL;
}

/* Of rows of table `decision`, at their instant. */
static const char *wrong_taking(const struct sweep *s, const struct decision *d)
{
	if (!promise_decides_slowly(s->promise))
		return d->asked != d->time ? "it was taken at once, and is said to have been asked for before"
					   : NULL;
	if (!sweep_deciding_over(s))
		return "no decision was over then";
	return d->asked != s->deciding.asked ? "it was asked for at another instant" : NULL;
}

uint64_t law_decision_time(struct audit *a, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	struct moment of = *m;
	if (m->at == AT_INTERRUPT) {
		const char *what =
			m->interval->occupancy == OCCUPY_DECISION ? wrong_making(s, m->interval) : NULL;
		if (what)
			broken(a, TABLE, m, "a decision at %s: %s", when(a, m->time), what);
		return m->interval->occupancy == OCCUPY_DECISION;
	}
	if (m->at == AT_DECISION) {
		const char *what = wrong_taking(s, m->decision);
		if (what)
			broken(a, "decision", m, "at %s: %s", when(a, m->time), what);
		return m->decisions;
	}
	if (!promise_decides_slowly(s->promise) || !s->promise->decides_on_core ||
		s->deciding.until <= m->time)
		return 0;
	of.track = &s->track[s->deciding.task];
	if (!s->core[0].interrupted)
		broken(a, TABLE, &of,
			"at %s the core does not make the decision for which its job %lld waits",
			when(a, m->time), (long long)s->deciding.seq);
	return 1;
}
