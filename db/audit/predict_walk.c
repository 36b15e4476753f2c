/* db/audit/predict_walk.c - the law on predictions, for sbeet. At each instant at which sbeet decides, it
 * goes through the waiting units in the queue's order, as Algorithm 1 must (docs/policies.md, "When"). It
 * compares the rows of table `decision` with the result: which units are weighed on how many SMs, the
 * predicted ends, energies and deadlines, and what is chosen. After that it goes on with what the row chose,
 * right or wrong, so that one wrong row is found only once. */
#include <string.h>

#include "base/list.h"
#include "db/audit/predict.h"

#define TABLE "decision"

/* ---- The instant ---- */

static bool can_run(const struct predictions *p, int64_t sms)
{
	return sms >= 1 && sms <= p->machine->sms;
}

/* Adds an admitted unit, which runs as it was predicted when it was admitted. */
static void add_admitted(struct predictions *p, const struct awaited *unit, int64_t admitted, int64_t sms)
{
	const struct section *s = unit->section;
	struct running *r = &p->admitted[p->admitted_count++];
	*r = (struct running){.section = s, .sms = sms};
	r->start = latest(admitted, later_by(unit->ready, s->head));
	r->end = later_by(r->start, s->body[sms - 1]);
	p->busy[unit->task] = true;
}

static void add_to_queue(struct predictions *p, const struct sweep *s, const struct track *t)
{
	uint32_t at = p->queued++;
	for (; at > 0 && sweep_unit_before(s, t, p->queue[at - 1]); at--)
		p->queue[at] = p->queue[at - 1];
	p->queue[at] = t;
}

/* Finds who waits and who is admitted. False: it is not known which SMs an admitted unit got. */
static bool survey(struct predictions *p, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	p->now = m->time;
	p->queued = p->admitted_count = 0;
	for (uint32_t i = 0; i < s->gate.count; i++) {
		const struct track *t = &s->track[s->gate.task[i]];
		add_to_queue(p, s, t);
		predict_stands(p, t);
	}
	for (uint32_t i = 0; i < p->r->tasks; i++) {
		const struct track *t = &s->track[i];
		p->busy[i] = false;
		if (t->unit.state != UNIT_ADMITTED)
			continue;
		if (!can_run(p, t->unit.sms))
			return false;
		struct awaited unit = predict_waiting(p, t);
		add_admitted(p, &unit, t->unit.admitted, t->unit.sms);
	}
	if (!list_reserve((void **)&p->row_used, &p->row_capacity, m->decisions, sizeof(*p->row_used)))
		p->failed = true;
	else if (m->decisions)
		memset(p->row_used, 0, m->decisions * sizeof(*p->row_used));
	return !p->failed;
}

int64_t predict_free(const struct predictions *p)
{
	int64_t left = p->machine->sms;
	for (uint32_t i = 0; i < p->admitted_count; i++)
		left -= p->admitted[i].sms;
	return left;
}

/* ---- What must be weighed ---- */

/* Does x come before y, of two numbers of SMs? The greater number comes first, and wins ties. */
static bool better(
	const struct promise *p, bool any_feasible, const struct weighed *x, const struct weighed *y)
{
	if (any_feasible && x->feasible != y->feasible)
		return x->feasible;
	if (!any_feasible && !p->any_least)
		return x->kernel_end < y->kernel_end;
	return x->compared_uwns < y->compared_uwns;
}

static void choose(struct predictions *p)
{
	struct weighed *best = &p->weighed[0];
	bool any_feasible = false;
	for (uint32_t i = 0; i < p->weighed_count; i++)
		any_feasible |= p->weighed[i].feasible;
	for (uint32_t i = 1; i < p->weighed_count; i++) {
		if (better(p->r->promise, any_feasible, &p->weighed[i], best))
			best = &p->weighed[i];
	}
	best->chosen = true;
}

/* All SMs are free: weighs every number up to m_opt. One of them is chosen. */
void predict_alone(struct predictions *p)
{
	int64_t until = 0;
	for (int64_t m = p->unit.section->best_sms; m >= 1; m--) {
		p->weighed[p->weighed_count++] = (struct weighed){.sms = m};
		if (!p->r->promise->least_energy) /* over an interval that is common to all */
			until = latest(until, predict_end(p, m));
	}
	predict_look_ahead(p);
	for (uint32_t i = 0; i < p->weighed_count && !p->failed; i++)
		predict_schedule(p, &p->weighed[i], until);
	choose(p);
}

/* The instant after which it is not worth to start a unit beside others (Algorithm 1, line 18): if it waited
 * for the last of them and then had all SMs, it would end by this instant. */
static int64_t worth_waiting(const struct predictions *p)
{
	int64_t last = p->now;
	for (uint32_t i = 0; i < p->admitted_count; i++)
		last = latest(last, p->admitted[i].end);
	return later_by(last, p->unit.section->body[p->machine->sms - 1]);
}

/* Beside others: weighs the number of free SMs, at most m_opt. */
bool predict_beside(struct predictions *p)
{
	int64_t left = predict_free(p), best = p->unit.section->best_sms;
	struct weighed *w = &p->weighed[0];
	*w = (struct weighed){.sms = left < best ? left : best};
	if (predict_end(p, w->sms) > worth_waiting(p))
		return false;
	p->weighed_count = 1;
	predict_look_ahead(p);
	predict_schedule(p, w, 0);
	w->chosen = w->feasible;
	return w->feasible;
}

/* ---- The rows ---- */

int64_t predict_cut(int128 energy)
{
	return energy > INT64_MAX ? INT64_MAX : (int64_t)energy;
}

/* The first kernel of a waiting unit; kernels of length zero may have been skipped. */
static uint32_t next_kernel(const struct track *t)
{
	uint32_t k = t->segment > t->unit.first ? t->segment : t->unit.first;
	while (k < t->unit.last && t->task->segment[k].kind != KIND_KERNEL)
		k++;
	return k;
}

static void compare_row(
	struct audit *a, const struct moment *of, const struct decision *d, const struct weighed *w)
{
	long long sms = (long long)d->sms;
	if (d->sms != w->sms)
		broken(a, TABLE, of, "at %s %lld SMs are weighed, expected %lld", when(a, of->time), sms,
			(long long)w->sms);
	else if (d->kernel_end != w->kernel_end)
		broken(a, TABLE, of,
			"at %s, on %lld SMs: its kernels are predicted to end at %s, expected %s",
			when(a, of->time), sms, when(a, d->kernel_end), when(a, w->kernel_end));
	else if (d->predicted != predict_cut(w->own_uwns))
		broken(a, TABLE, of, "at %s, on %lld SMs: the predicted energy is %lld uW*ns, expected %lld",
			when(a, of->time), sms, (long long)d->predicted, (long long)predict_cut(w->own_uwns));
	else if (d->feasible != w->feasible)
		broken(a, TABLE, of, "at %s, on %lld SMs: that is %sfeasible, and is said %sto be",
			when(a, of->time), sms, w->feasible ? "" : "not ", d->feasible ? "" : "not ");
	else if (d->chosen != w->chosen)
		broken(a, TABLE, of, "at %s, on %lld SMs: that is %schosen, and must %sbe", when(a, of->time),
			sms, d->chosen ? "" : "not ", w->chosen ? "" : "not ");
	else if (d->segment != next_kernel(of->track))
		broken(a, TABLE, of,
			"at %s, on %lld SMs: it is on segment %lld, but the first kernel to come is %u",
			when(a, of->time), sms, (long long)d->segment, next_kernel(of->track));
}

/* How many rows from here on are about one unit. */
static size_t group_at(const struct moment *m, size_t at)
{
	size_t count = 1;
	const struct decision *d = &m->decision[at];
	while (at + count < m->decisions && d[count].task == d->task && d[count].seq == d->seq)
		count++;
	return count;
}

static bool waits_behind(const struct predictions *p, uint32_t task, uint32_t place)
{
	for (uint32_t i = place + 1; i < p->queued; i++) {
		if (p->queue[i]->index == task)
			return true;
	}
	return false;
}

/* The rows about the unit at this place of the queue: the first, and their number (0: none). Rows about a
 * unit behind it must not come before them. */
static size_t rows_of(struct audit *a, const struct moment *of, uint32_t place, size_t *first)
{
	struct predictions *p = a->predictions;
	const struct track *early = NULL;
	for (size_t at = 0, count; at < of->decisions; at += count) {
		const struct decision *d = &of->decision[at];
		count = group_at(of, at);
		if (p->row_used[at])
			continue;
		if (d->task != of->track->index || d->seq != of->track->job.seq) {
			if (d->task != UINT32_MAX && waits_behind(p, d->task, place))
				early = &of->sweep->track[d->task];
			continue;
		}
		if (early)
			broken(a, TABLE, of, "at %s it was looked at behind task '%s', which comes after it",
				when(a, of->time), early->task->name);
		p->row_used[at] = true;
		*first = at;
		return count;
	}
	return 0;
}

/* Compares the rows about a unit with what must be weighed. Returns the number of SMs that they chose, or
 * 0. */
static int64_t compare(struct audit *a, const struct moment *of, uint32_t place)
{
	const struct predictions *p = a->predictions;
	size_t first = 0, rows = rows_of(a, of, place, &first);
	const struct decision *d = rows ? &of->decision[first] : NULL;
	int64_t chosen = 0;
	if (rows && p->weighed_count == 0)
		broken(a, TABLE, of,
			"at %s: beside others it ends at %s, but on all SMs when they have ended by %s: it "
			"waits, and nothing is weighed",
			when(a, of->time), when(a, predict_end(p, p->weighed[0].sms)),
			when(a, worth_waiting(p)));
	else if (rows != p->weighed_count)
		broken(a, TABLE, of, "at %s %zu numbers of SMs are weighed, expected %u, from %lld down",
			when(a, of->time), rows, p->weighed_count, (long long)p->weighed[0].sms);
	for (size_t i = 0; i < rows; i++) {
		if (i < p->weighed_count)
			compare_row(a, of, &d[i], &p->weighed[i]);
		if (d[i].chosen && chosen == 0)
			chosen = d[i].sms;
	}
	return chosen;
}

/* Looks at the unit at this place of the queue. False: what was chosen for it is impossible. */
static bool look_at(struct audit *a, const struct moment *m, uint32_t place)
{
	struct predictions *p = a->predictions;
	const struct track *t = p->queue[place];
	struct moment of = *m;
	of.track = t;
	of.job = &t->job;
	p->unit = predict_waiting(p, t);
	p->weighed_count = 0;
	if (p->admitted_count == 0)
		predict_alone(p);
	else
		(void)predict_beside(p);
	if (p->failed)
		return false;
	int64_t chosen = compare(a, &of, place);
	if (chosen == 0)
		return true;
	if (!can_run(p, chosen))
		return false;
	add_admitted(p, &p->unit, p->now, chosen);
	return true;
}

/* Reports rows about units that are not to be looked at. */
static void compare_others(struct audit *a, const struct moment *m, bool due)
{
	const struct predictions *p = a->predictions;
	for (size_t at = 0, count; at < m->decisions; at += count) {
		const struct decision *d = &m->decision[at];
		struct moment of = *m;
		count = group_at(m, at);
		if (p->row_used[at])
			continue;
		of.track = d->task == UINT32_MAX ? NULL : &m->sweep->track[d->task];
		broken(a, TABLE, &of, "at %s, on job %lld and %lld SMs: %s", when(a, d->time),
			(long long)d->seq, (long long)d->sms,
			due ? "nothing of it is to be weighed" : "nothing is to be decided at this instant");
	}
}

/* Goes through the waiting units. */
static uint64_t walk(struct audit *a, const struct moment *m)
{
	struct predictions *p = a->predictions;
	const struct promise *promise = m->sweep->promise;
	bool due = m->sweep->gate_stirs && m->time < p->r->stop_ns;
	uint64_t checked = m->decisions;
	if (!survey(p, m))
		return 0;
	for (uint32_t i = 0; i < p->queued && due; i++) {
		uint32_t admitted = p->admitted_count;
		if (admitted >= promise->at_once || predict_free(p) <= 0)
			break;
		if (!sweep_is_paid_for(m->sweep, p->queue[i]))
			continue;
		if (!look_at(a, m, i))
			return checked;
		checked += p->weighed_count == 0;
		if (p->admitted_count > admitted && promise->one_start)
			break;
	}
	compare_others(a, m, due);
	return checked;
}

uint64_t predict_one_gpu(struct audit *a, const struct moment *m)
{
	struct predictions *p = a->predictions;
	uint64_t checked = 0;
	if (m->at == AT_RUN) {
		a->predictions = predictions_new(a->r, 0);
		a->failed |= !a->predictions && !error_memory(a->err, "auditing a run");
		return 0;
	}
	if (!p || !p->known)
		return 0;
	if (m->at == AT_JOB)
		predict_released(p, m->track->index, m->job->seq, m->job->release);
	else
		checked = walk(a, m);
	a->failed |= p->failed && !error_memory(a->err, "auditing a run");
	return checked;
}
