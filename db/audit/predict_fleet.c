/* db/audit/predict_fleet.c - the law on the predictions of sbeet-mg (docs/policies.md, "sbeet-mg", "At run
 * time"). At each instant at which it decides, this goes through the units that wait, for each finds which
 * GPUs and numbers of SMs must be weighed and what is chosen, and compares the rows of table `decision`. As
 * with sbeet it goes on with what the rows chose, right or wrong.
 *
 * The rows say when a section was admitted, and where: the sweep knows it only from the first start on. */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "db/audit/predict.h"

#define TABLE "decision"

/* A number of SMs of a GPU that must be weighed. */
struct expected {
	uint32_t gpu;
	struct weighed w;
};

/* An admitted section; `section` is NULL: the task has none. */
struct resident {
	int64_t seq;
	uint32_t gpu;
	struct running run;
};

struct predict_fleet {
	struct arena arena;
	const struct recording *r;
	struct predictions **on; /* [gpus] */
	bool known, failed;
	uint32_t *home, *ranking;  /* [tasks]; [tasks * gpus] */
	struct resident *resident; /* [tasks] */
	const struct track **queue;
	uint32_t queued;
	bool *row_used;
	size_t row_capacity;
	struct expected *expected; /* [expects] of one unit; room for all SMs */
	uint32_t expects;
	uint32_t *open; /* [gpus] 1 + the index in `expected` of what the unit may choose there; 0: nothing */
};

/* ---- The fleet ---- */

void predict_fleet_free(struct predict_fleet *f)
{
	if (!f)
		return;
	for (uint32_t g = 0; f->on && g < f->r->gpus; g++)
		predictions_free(f->on[g]);
	free(f->row_used);
	arena_finish(&f->arena);
	free(f);
}

static bool describe_gpus(struct predict_fleet *f, struct recording *shown)
{
	f->known = true;
	for (uint32_t g = f->r->gpus; g-- > 0;) {
		recording_show(shown, g);
		f->on[g] = predictions_new(f->r, g);
		recording_show(shown, 0);
		if (!f->on[g])
			return false;
		f->known &= f->on[g]->known;
		f->on[g]->next = g + 1 < f->r->gpus ? f->on[g + 1] : NULL;
	}
	for (uint32_t g = 0; g < f->r->gpus; g++)
		f->on[g]->fleet = f->on[0];
	return true;
}

static struct predict_fleet *fleet_new(const struct recording *r, struct recording *shown)
{
	struct predict_fleet *f = calloc(1, sizeof(*f));
	size_t sms = 2 * (size_t)r->gpus;
	if (!f)
		return NULL;
	for (uint32_t g = 0; g < r->gpus; g++)
		sms += machine_of(r, g)->sms;
	f->r = r;
	f->on = arena_new(&f->arena, struct predictions *, r->gpus);
	f->resident = arena_new(&f->arena, struct resident, r->tasks);
	f->queue = (const struct track **)arena_alloc(&f->arena, r->tasks, sizeof(*f->queue));
	f->expected = arena_new(&f->arena, struct expected, sms);
	f->open = arena_new(&f->arena, uint32_t, r->gpus);
	bool ok = f->on && f->resident && f->queue && f->expected && f->open && describe_gpus(f, shown);
	if (ok && f->known)
		ok = predict_homes(r, f->on[0], &f->arena, &f->home, &f->ranking);
	for (uint32_t g = 0; ok && g < r->gpus; g++)
		f->on[g]->home = f->home;
	if (ok)
		return f;
	predict_fleet_free(f);
	return NULL;
}

/* ---- The instant ---- */

static const struct section *section_of(const struct predict_fleet *f, const struct track *t)
{
	return predict_section(f->on[0], t->index, t->segment);
}

static void admit(struct predict_fleet *f, uint32_t task, const struct resident *r)
{
	struct predictions *p = f->on[r->gpu];
	p->admitted[p->admitted_count++] = r->run;
	f->resident[task] = *r;
	for (uint32_t g = 0; g < f->r->gpus; g++)
		f->on[g]->busy[task] = true;
}

/* Is the section that was admitted still there? */
static bool stays(const struct predict_fleet *f, const struct track *t)
{
	const struct resident *r = &f->resident[t->index];
	return r->run.section && (t->unit.state == UNIT_WAITS || t->unit.state == UNIT_ADMITTED) &&
	       t->job.seq == r->seq && predict_section(f->on[r->gpu], t->index, t->segment) == r->run.section;
}

static void add_to_queue(struct predict_fleet *f, const struct sweep *s, const struct track *t)
{
	uint32_t at = f->queued++;
	for (; at > 0 && sweep_unit_before(s, t, f->queue[at - 1]); at--)
		f->queue[at] = f->queue[at - 1];
	f->queue[at] = t;
}

static void survey_task(struct predict_fleet *f, const struct sweep *s, const struct track *t)
{
	struct resident was = f->resident[t->index];
	f->resident[t->index].run.section = NULL;
	for (uint32_t g = 0; g < f->r->gpus; g++)
		f->on[g]->busy[t->index] = false;
	if (was.run.section) {
		admit(f, t->index, &was);
		return;
	}
	if (t->unit.state != UNIT_WAITS || !section_of(f, t))
		return;
	add_to_queue(f, s, t);
	for (uint32_t g = 0; g < f->r->gpus; g++)
		predict_stands(f->on[g], t);
}

/* Finds who waits and who is admitted. */
static void survey(struct predict_fleet *f, const struct moment *m)
{
	const struct sweep *s = m->sweep;
	f->queued = 0;
	for (uint32_t g = 0; g < f->r->gpus; g++) {
		f->on[g]->now = m->time;
		f->on[g]->admitted_count = 0;
	}
	for (uint32_t i = 0; i < f->r->tasks; i++) {
		if (!stays(f, &s->track[i]))
			f->resident[i].run.section = NULL;
		survey_task(f, s, &s->track[i]);
	}
	for (uint32_t g = 0; g < f->r->gpus; g++) {
		f->on[g]->queue = f->queue;
		f->on[g]->queued = f->queued;
	}
	if (!list_reserve((void **)&f->row_used, &f->row_capacity, m->decisions, sizeof(*f->row_used)))
		f->failed = true;
	else if (m->decisions)
		memset(f->row_used, 0, m->decisions * sizeof(*f->row_used));
}

static bool is_idle(const struct predictions *p)
{
	return p->admitted_count == 0;
}

static bool is_full(const struct predictions *p)
{
	return p->admitted_count >= p->r->promise->at_once || predict_free(p) <= 0;
}

static bool all_full(const struct predict_fleet *f)
{
	bool full = true;
	for (uint32_t g = 0; g < f->r->gpus; g++)
		full &= is_full(f->on[g]);
	return full;
}

/* ---- What must be weighed ---- */

/* Adds what was weighed on one GPU; what was chosen there may be chosen of all, if `opens`. */
static void expect_weighed(struct predict_fleet *f, const struct predictions *p, bool opens)
{
	for (uint32_t i = 0; i < p->weighed_count; i++) {
		struct expected *e = &f->expected[f->expects++];
		*e = (struct expected){p->gpu, p->weighed[i]};
		if (e->w.chosen && opens)
			f->open[p->gpu] = f->expects;
		e->w.chosen = false;
	}
}

/* On this number of SMs of an idle GPU. */
static bool weigh_on(struct predict_fleet *f, struct predictions *p, int64_t sms)
{
	struct weighed *w = &p->weighed[0];
	*w = (struct weighed){.sms = sms, .chosen = true};
	p->weighed_count = 1;
	predict_look_ahead(p);
	predict_schedule(p, w, 0);
	expect_weighed(f, p, true);
	return w->feasible;
}

static void weigh_beside(struct predict_fleet *f, struct predictions *p)
{
	bool admitted;
	p->weighed_count = 0;
	admitted = predict_beside(p);
	expect_weighed(f, p, admitted);
}

/* sBEET on one idle GPU. `choosy`: infeasible choices are none. */
static void weigh_alone(struct predict_fleet *f, struct predictions *p, bool choosy)
{
	bool feasible = false;
	p->weighed_count = 0;
	predict_alone(p);
	for (uint32_t i = 0; i < p->weighed_count; i++)
		feasible |= p->weighed[i].feasible;
	expect_weighed(f, p, feasible || !choosy);
}

static void stay(struct predict_fleet *f, struct predictions *home)
{
	if (is_full(home))
		return;
	if (is_idle(home))
		weigh_alone(f, home, false);
	else
		weigh_beside(f, home);
}

/* 1: m_opt SMs of the home, if that is feasible, else all of them; or beside others elsewhere. */
static void start_at_home(struct predict_fleet *f, struct predictions *home)
{
	int64_t best = home->unit.section->best_sms;
	if (!weigh_on(f, home, best) && best < home->machine->sms)
		(void)weigh_on(f, home, home->machine->sms);
	for (uint32_t g = 0; g < f->r->gpus; g++)
		if (f->on[g] != home && !is_idle(f->on[g]) && !is_full(f->on[g]))
			weigh_beside(f, f->on[g]);
}

/* 3: whether it meets its deadline if it waits for m_opt SMs of its home and a worker. Some unit that is
 * admitted there ends first: the home is full. */
static bool waits_in_time(const struct predictions *home)
{
	int64_t best = home->unit.section->best_sms, from = INT64_MAX;
	for (uint32_t i = 0; i < home->admitted_count; i++) {
		int64_t end = latest(home->admitted[i].end, home->now), sms = predict_free(home);
		for (uint32_t k = 0; k < home->admitted_count; k++)
			sms += home->admitted[k].end <= end ? home->admitted[k].sms : 0;
		if (sms >= best && end < from)
			from = end;
	}
	return later_by(from, home->unit.section->body[best - 1]) <= home->unit.deadline;
}

static void flee(struct predict_fleet *f, const struct predictions *home)
{
	for (uint32_t g = 0; g < f->r->gpus; g++) {
		if (f->on[g] == home || is_full(f->on[g]))
			continue;
		if (is_idle(f->on[g]))
			weigh_alone(f, f->on[g], true);
		else
			weigh_beside(f, f->on[g]);
	}
}

/* Energies of the choices over one interval, which ends when the last of them does. */
static void compare_over_one(struct predict_fleet *f)
{
	int64_t until = 0;
	for (uint32_t g = 0; g < f->r->gpus; g++)
		if (f->open[g])
			until = latest(until, f->expected[f->open[g] - 1].w.kernel_end);
	for (uint32_t g = 0; g < f->r->gpus; g++)
		if (f->open[g])
			predict_schedule(f->on[g], &f->expected[f->open[g] - 1].w, until);
}

/* Of the choices that of least energy, ties to the home, then by cost. */
static void choose(struct predict_fleet *f, uint32_t task)
{
	uint32_t best = f->open[f->home[task]];
	if (!f->r->promise->least_energy)
		compare_over_one(f);
	for (uint32_t i = 0; i < f->r->gpus; i++) {
		uint32_t other = f->open[f->ranking[(size_t)task * f->r->gpus + i]];
		if (other && (best == 0 || f->expected[other - 1].w.compared_uwns <
						   f->expected[best - 1].w.compared_uwns))
			best = other;
	}
	if (best)
		f->expected[best - 1].w.chosen = true;
}

static void weigh(struct predict_fleet *f, const struct track *t)
{
	struct predictions *home = f->on[f->home[t->index]];
	enum moves moves = f->r->promise->moves;
	f->expects = 0;
	memset(f->open, 0, f->r->gpus * sizeof(*f->open));
	for (uint32_t g = 0; g < f->r->gpus; g++)
		f->on[g]->unit = predict_waiting(f->on[g], t);
	if (moves == MOVES_UNSAID)
		return;
	if (moves == MOVES_NEVER || (!is_idle(home) && !is_full(home)))
		stay(f, home);
	else if (is_idle(home))
		start_at_home(f, home);
	else if (!waits_in_time(home))
		flee(f, home);
	choose(f, t->index);
}

/* ---- The rows ---- */

/* The first kernel of the section to come; where all have passed with length zero, its last copy. */
static uint32_t next_kernel(const struct track *t, const struct section *section)
{
	for (uint32_t k = t->segment; k < section->to; k++)
		if (t->task->segment[k].kind == KIND_KERNEL)
			return k;
	return section->to - 1;
}

static void compare_row(struct audit *a, const struct moment *of, const struct decision *d,
	const struct weighed *w, const struct section *section)
{
	long long sms = (long long)d->sms, gpu = (long long)d->gpu;
	uint32_t kernel = next_kernel(of->track, section);
	if (d->kernel_end != w->kernel_end)
		broken(a, TABLE, of,
			"at %s, on %lld SMs of GPU %lld: it is predicted to end at %s, expected %s",
			when(a, of->time), sms, gpu, when(a, d->kernel_end), when(a, w->kernel_end));
	else if (d->predicted != predict_cut(w->own_uwns))
		broken(a, TABLE, of,
			"at %s, on %lld SMs of GPU %lld: the predicted energy is %lld uW*ns, expected %lld",
			when(a, of->time), sms, gpu, (long long)d->predicted,
			(long long)predict_cut(w->own_uwns));
	else if (d->feasible != w->feasible)
		broken(a, TABLE, of,
			"at %s, on %lld SMs of GPU %lld: that is %sfeasible, and is said %sto be",
			when(a, of->time), sms, gpu, w->feasible ? "" : "not ", d->feasible ? "" : "not ");
	else if (d->chosen != w->chosen)
		broken(a, TABLE, of, "at %s, on %lld SMs of GPU %lld: that is %schosen, and must %sbe",
			when(a, of->time), sms, gpu, d->chosen ? "" : "not ", w->chosen ? "" : "not ");
	else if (d->segment != kernel)
		broken(a, TABLE, of,
			"at %s, on %lld SMs of GPU %lld: it is on segment %lld, but the first kernel to come "
			"is %u",
			when(a, of->time), sms, gpu, (long long)d->segment, kernel);
}

/* The row about this unit and number of SMs; NULL: there is none. */
static const struct decision *row_of(
	struct predict_fleet *f, const struct moment *of, const struct expected *e)
{
	for (size_t i = 0; i < of->decisions; i++) {
		const struct decision *d = &of->decision[i];
		if (f->row_used[i] || d->task != of->track->index || d->seq != of->job->seq ||
			d->gpu != (int64_t)e->gpu || d->sms != e->w.sms)
			continue;
		f->row_used[i] = true;
		return d;
	}
	return NULL;
}

/* What a row chose, if it is possible. */
static void follow(struct predict_fleet *f, const struct moment *of, const struct decision *d)
{
	struct predictions *p = f->on[d->gpu];
	if (f->resident[d->task].run.section || is_full(p) || d->sms > predict_free(p))
		return;
	const struct section *section = p->unit.section;
	struct resident r = {.seq = d->seq, .gpu = p->gpu};
	r.run = (struct running){section, of->time, later_by(of->time, section->body[d->sms - 1]), d->sms};
	admit(f, d->task, &r);
}

/* Looks at one unit: what must be weighed, and whether the rows say so. Returns what was checked beside rows.
 */
static uint64_t look_at(struct audit *a, const struct moment *m, const struct track *t)
{
	struct predict_fleet *f = a->fleet;
	const struct decision *chosen = NULL;
	struct moment of = *m;
	of.track = t;
	of.job = &t->job;
	weigh(f, t);
	for (uint32_t i = 0; i < f->expects && !f->failed; i++) {
		const struct expected *e = &f->expected[i];
		const struct decision *d = row_of(f, &of, e);
		if (d)
			compare_row(a, &of, d, &e->w, f->on[e->gpu]->unit.section);
		else
			broken(a, TABLE, &of, "at %s %lld SMs of GPU %u must be weighed, and are not",
				when(a, of.time), (long long)e->w.sms, e->gpu);
		if (d && d->chosen)
			chosen = d;
	}
	if (chosen)
		follow(f, &of, chosen);
	return f->expects == 0;
}

static void compare_others(struct audit *a, const struct moment *m, bool due)
{
	for (size_t at = 0; at < m->decisions; at++) {
		const struct decision *d = &m->decision[at];
		struct moment of = *m;
		if (a->fleet->row_used[at])
			continue;
		of.track = d->task == UINT32_MAX ? NULL : &m->sweep->track[d->task];
		broken(a, TABLE, &of, "at %s, on job %lld and %lld SMs of GPU %lld: %s", when(a, d->time),
			(long long)d->seq, (long long)d->sms, (long long)d->gpu,
			due ? "nothing of it is to be weighed" : "nothing is to be decided at this instant");
	}
}

static uint64_t walk(struct audit *a, const struct moment *m)
{
	struct predict_fleet *f = a->fleet;
	bool due = m->sweep->gate_stirs && m->time < f->r->stop_ns;
	uint64_t checked = m->decisions;
	survey(f, m);
	for (uint32_t i = 0; i < f->queued && due && !f->failed && !all_full(f); i++)
		checked += look_at(a, m, f->queue[i]);
	if (!f->failed)
		compare_others(a, m, due);
	return checked;
}

static uint64_t on_gpus(struct audit *a, const struct moment *m)
{
	struct predict_fleet *f = a->fleet;
	uint64_t checked = 0;
	if (m->at == AT_RUN) {
		a->fleet = fleet_new(a->r, m->sweep->mine);
		a->failed |= !a->fleet && !error_memory(a->err, "auditing a run");
		return 0;
	}
	if (!f || !f->known)
		return 0;
	if (m->at == AT_DECIDING)
		checked = walk(a, m);
	for (uint32_t g = 0; g < f->r->gpus; g++) {
		if (m->at == AT_JOB)
			predict_released(f->on[g], m->track->index, m->job->seq, m->job->release);
		f->failed |= f->on[g]->failed;
	}
	a->failed |= f->failed && !error_memory(a->err, "auditing a run");
	return checked;
}

uint64_t law_predictions(struct audit *a, const struct moment *m)
{
	return a->r->promise->places ? on_gpus(a, m) : predict_one_gpu(a, m);
}
