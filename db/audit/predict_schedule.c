/* db/audit/predict_schedule.c - the predicted schedule of a unit on a number of SMs, gen(J, m') in
 * docs/policies.md (sBEET, Algorithms 2 and 3): which of the expected sections run beside it and which only
 * after it, whether all of them meet their deadlines, and the energy. */
#include <stdlib.h>

#include "base/list.h"
#include "db/audit/predict.h"

/* ---- Power ---- */

/* Bursts are sorted by start. Units are placed nearly in that order. */
static void add_burst(struct predictions *p, const struct burst *added)
{
	if (!list_reserve((void **)&p->burst, &p->burst_capacity, p->bursts + 1, sizeof(*p->burst))) {
		p->failed = true;
		return;
	}
	size_t at = p->bursts++;
	for (; at > 0 && added->start < p->burst[at - 1].start; at--)
		p->burst[at] = p->burst[at - 1];
	p->burst[at] = *added;
}

/* Adds the kernels of a unit, as far as they are in [now, until). */
static void add_kernels(struct predictions *p, const struct running *unit, int64_t until)
{
	const struct section *s = unit->section;
	const struct predict_stretch *kernel = &s->kernel[(size_t)(unit->sms - 1) * s->kernels];
	for (uint32_t i = 0; i < s->kernels && !p->failed; i++) {
		int64_t start = later_by(unit->start, kernel[i].from);
		struct burst b = {start, later_by(start, kernel[i].length), kernel[i].added_uw};
		if (b.start < until && b.end > p->now && b.start < b.end)
			add_burst(p, &b);
	}
}

/* Static power all the time; and while kernels run, their power and the idle power of all SMs (added_uw is
 * less by that of the SMs in use). */
static int128 integrate(const struct predictions *p, int64_t until)
{
	const struct audit_machine *m = p->machine;
	int128 energy = (int128)m->static_uw * (until - p->now);
	int64_t reached = p->now, active = 0;
	for (size_t i = 0; i < p->bursts && p->burst[i].start < until; i++) {
		const struct burst *b = &p->burst[i];
		int64_t start = latest(b->start, p->now), end = b->end < until ? b->end : until;
		energy += (int128)b->added_uw * (end - start);
		if (end <= reached)
			continue;
		active += end - latest(start, reached);
		reached = end;
	}
	return energy + (int128)m->idle_uw * m->sms * active;
}

/* ---- Who occupies SMs ---- */

static void occupy(struct predictions *p, const struct running *unit)
{
	p->occupying[p->occupied_by++] = *unit;
	p->occupied += unit->sms;
}

/* The least instant, at `time` or later, at which fewer units than workers hold SMs. Units that end by then
 * are removed. No unit begins to hold SMs later than `time`. */
static int64_t free_worker(struct predictions *p, int64_t time)
{
	for (;;) {
		uint32_t kept = 0;
		int64_t soonest = INT64_MAX;
		for (uint32_t i = 0; i < p->occupied_by; i++) {
			const struct running unit = p->occupying[i];
			if (unit.end <= time) {
				p->occupied -= unit.sms;
				continue;
			}
			p->occupying[kept++] = unit;
			soonest = unit.end < soonest ? unit.end : soonest;
		}
		p->occupied_by = kept;
		if (kept < p->r->promise->at_once || soonest == INT64_MAX)
			return kept < p->r->promise->at_once ? time : INT64_MAX;
		time = soonest;
	}
}

/* ---- The schedule ---- */

static int64_t body(const struct section *s, int64_t sms)
{
	return s->body[sms - 1];
}

static bool meets(const struct awaited *k, int64_t end)
{
	return later_by(end, k->section->tail) <= k->deadline;
}

int64_t predict_end(const struct predictions *p, int64_t sms)
{
	const struct awaited *j = &p->unit;
	return later_by(latest(p->now, later_by(j->ready, j->section->head)), body(j->section, sms));
}

static void add_late(struct predictions *p, const struct awaited *k)
{
	if (list_reserve((void **)&p->late, &p->late_capacity, p->lates + 1, sizeof(*p->late)))
		p->late[p->lates++] = *k;
	else
		p->failed = true;
}

/* A schedule while it is made. */
struct schedule_making {
	int64_t end, until;   /* J's end; the end of the interval whose energy is wanted */
	int64_t time, placed; /* the earliest start of the next unit; the latest end of all placed ones */
	bool feasible;
};

static void place(struct predictions *p, struct schedule_making *to, const struct running *unit)
{
	add_kernels(p, unit, to->until);
	to->placed = latest(to->placed, unit->end);
}

/* Places the unit beside J, if there is room before J ends. False: it is late. */
static bool place_beside(struct predictions *p, struct schedule_making *to, const struct awaited *k)
{
	to->time = free_worker(p, to->time);
	if (to->time >= to->end)
		return false;
	int64_t left = (int64_t)p->machine->sms - p->occupied;
	int64_t sms = left < k->section->best_sms ? left : k->section->best_sms;
	if (sms <= 0)
		return false;
	struct running unit = {.section = k->section, .sms = sms};
	unit.start = latest(to->time, later_by(k->ready, k->section->head));
	if (unit.start >= to->end)
		return false;
	unit.end = later_by(unit.start, body(k->section, sms));
	occupy(p, &unit);
	place(p, to, &unit);
	to->feasible &= meets(k, unit.end);
	return true;
}

/* Whether it would miss its deadline even as the first after J, alone on all SMs. */
static bool hopeless(const struct predictions *p, const struct schedule_making *to, const struct awaited *k)
{
	int64_t start = latest(to->end, later_by(k->ready, k->section->head));
	return !meets(k, later_by(start, body(k->section, p->machine->sms)));
}

static void place_all_beside(struct predictions *p, struct schedule_making *to)
{
	const struct awaited *k;
	bool to_its_end = to->until == to->end;
	for (size_t at = 0; (k = predict_awaited(p, at, to->end)) && !p->failed; at++) {
		if (place_beside(p, to, k))
			continue;
		to->feasible &= !hopeless(p, to, k);
		/* All that follow are late, and change nothing any more. */
		if (!to->feasible && to_its_end && to->time >= to->end)
			return;
		add_late(p, k);
	}
}

static int compare_late(const void *a, const void *b)
{
	const struct awaited *x = a, *y = b;
	return predict_more_urgent(x, y) ? -1 : predict_more_urgent(y, x);
}

/* Places the late units one after the other after all others, alone on all SMs. */
static void place_late(struct predictions *p, struct schedule_making *to)
{
	int64_t sms = p->machine->sms;
	if (!to->feasible && to->until == to->end)
		return;
	if (p->lates > 1)
		qsort(p->late, p->lates, sizeof(*p->late), compare_late);
	for (size_t i = 0; i < p->lates && !p->failed; i++) {
		const struct awaited *k = &p->late[i];
		struct running unit = {.section = k->section, .sms = sms};
		unit.start = latest(to->placed, later_by(k->ready, k->section->head));
		unit.end = later_by(unit.start, body(k->section, sms));
		place(p, to, &unit);
		to->feasible &= meets(k, unit.end);
	}
}

/* The energy of the GPUs beside this one over [now, until): they run what they have admitted. */
static int128 others_energy(const struct predictions *p, int64_t until)
{
	int128 sum = 0;
	for (struct predictions *other = p->fleet; other; other = other->next) {
		if (other == p)
			continue;
		other->bursts = 0;
		for (uint32_t i = 0; i < other->admitted_count; i++)
			add_kernels(other, &other->admitted[i], until);
		sum += integrate(other, until);
	}
	return sum;
}

void predict_schedule(struct predictions *p, struct weighed *w, int64_t until)
{
	const struct awaited *j = &p->unit;
	struct schedule_making to = {.time = p->now, .end = predict_end(p, w->sms)};
	struct running unit = {.section = j->section, .sms = w->sms, .end = to.end};
	unit.start = latest(p->now, later_by(j->ready, j->section->head));
	to.until = latest(until, to.end);
	to.feasible = meets(j, to.end);
	p->occupied_by = 0;
	p->occupied = 0;
	p->bursts = p->lates = 0;
	occupy(p, &unit);
	place(p, &to, &unit);
	for (uint32_t i = 0; i < p->admitted_count; i++) {
		struct running other = p->admitted[i];
		other.end = latest(other.end, p->now);
		occupy(p, &other);
		place(p, &to, &other);
	}
	place_all_beside(p, &to);
	place_late(p, &to);
	w->kernel_end = to.end;
	w->feasible = to.feasible;
	w->own_uwns = integrate(p, to.end) + others_energy(p, to.end);
	w->compared_uwns =
		to.until == to.end ? w->own_uwns : integrate(p, to.until) + others_energy(p, to.until);
}
