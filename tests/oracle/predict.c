/* tests/oracle/predict.c - what sbeet decides (docs/policies.md, "sbeet"; sBEET, Algorithms 1 to 3), computed
 * slowly: every schedule is made anew, and its energy is summed tick by tick. */
#include <stdlib.h>

#include "tests/oracle/oracle_internal.h"

/* A GPU section of a task as the scenario writes it: segments [first, behind). */
struct section {
	uint32_t task, first, behind, first_kernel, last_kernel;
	bool kernels; /* it has kernels */
};

/* A unit in a prediction. */
struct unit {
	struct section section;
	int64_t r, d; /* ready, deadline of the section */
	uint32_t job;
	bool late;
};

/* A unit that has its place: it occupies `sms` SMs during [occupies, end), its kernels run during [start,
 * end). */
struct placed {
	struct section section;
	uint32_t sms;
	int64_t occupies, start, end;
};

struct prediction {
	struct unit *others; /* Q^w */
	size_t other_count;
	struct placed *placed;
	size_t placed_count;
	uint32_t sms; /* m' */
	int64_t f;
	bool feasible;
};

/* ---- sections ---- */

static struct section section_at(const struct oracle *o, uint32_t task, uint32_t segment)
{
	const struct task *t = &o->set->tasks[task];
	struct section s = {.task = task, .first = segment, .behind = segment};
	while (s.first > 0 && t->segments[s.first - 1].kind != SEGMENT_CPU)
		s.first--;
	while (s.behind < t->segment_count && t->segments[s.behind].kind != SEGMENT_CPU)
		s.behind++;
	for (uint32_t i = s.first; i < s.behind; i++) {
		if (t->segments[i].kind != SEGMENT_KERNEL)
			continue;
		s.first_kernel = s.kernels ? s.first_kernel : i;
		s.last_kernel = i;
		s.kernels = true;
	}
	return s;
}

/* Worst-case times of the task's segments [from, to), kernels alone on `sms` SMs. */
static int64_t span(const struct oracle *o, uint32_t task, uint32_t from, uint32_t to, uint32_t sms)
{
	int64_t sum = 0;
	for (uint32_t i = from; i < to; i++)
		sum += oracle_worst(o, &o->set->tasks[task].segments[i], sms);
	return sum;
}

static int64_t hd(const struct oracle *o, const struct section *s)
{
	return span(o, s->task, s->first, s->first_kernel, o->platform->sms);
}

static int64_t body(const struct oracle *o, const struct section *s, uint32_t sms)
{
	return span(o, s->task, s->first_kernel, s->last_kernel + 1, sms);
}

static int64_t dh(const struct oracle *o, const struct section *s)
{
	return span(o, s->task, s->last_kernel + 1, s->behind, o->platform->sms);
}

static int64_t before(const struct oracle *o, const struct section *s)
{
	return span(o, s->task, 0, s->first, o->platform->sms);
}

static int64_t after(const struct oracle *o, const struct section *s)
{
	return span(o, s->task, s->behind, o->set->tasks[s->task].segment_count, o->platform->sms);
}

int64_t oracle_section_deadline(const struct oracle *o, uint32_t task)
{
	const struct task_state *t = &o->tasks[task];
	struct section s = section_at(o, task, t->unit_first);
	return t->jobs[t->current].deadline - after(o, &s);
}

static uint32_t optimal_sms(const struct oracle *o, const struct section *s)
{
	uint32_t best = 0;
	int128 least = 0;
	for (uint32_t m = o->platform->sms; m >= 1; m--) {
		int128 energy = 0;
		int64_t idle = o->platform->idle_per_sm_uw * ((int64_t)o->platform->sms - m);
		for (uint32_t i = s->first_kernel; i <= s->last_kernel; i++) {
			const struct segment *k = &o->set->tasks[s->task].segments[i];
			if (k->kind != SEGMENT_KERNEL)
				continue;
			energy += (int128)oracle_worst(o, k, m) * (oracle_dynamic_power(o, k, m) + idle);
		}
		if (best == 0 || energy < least) {
			best = m;
			least = energy;
		}
	}
	return best;
}

/* ---- Q^w ---- */

static struct unit waiting_unit(const struct oracle *o, uint32_t task)
{
	const struct task_state *t = &o->tasks[task];
	return (struct unit){
		.section = section_at(o, task, t->unit_first),
		.r = t->unit_since,
		.d = oracle_section_deadline(o, task),
		.job = t->jobs[t->current].seq,
	};
}

/* Has the section of that job, or a later section of the task, waited at the gate already? */
static bool has_been(const struct oracle *o, uint32_t task, int64_t job, uint32_t segment)
{
	const struct task_state *t = &o->tasks[task];
	if (!t->seen || job > t->seen_job)
		return false;
	return job < t->seen_job || segment <= t->seen_segment;
}

static void add_other(struct prediction *p, struct unit unit)
{
	p->others = oracle_grow(p->others, p->other_count, sizeof(*p->others));
	p->others[p->other_count++] = unit;
}

/* Adds the sections in (now, f) of a job that was, or will be, released at `release`. */
static void expect_job(
	const struct oracle *o, struct prediction *p, uint32_t task, int64_t job, int64_t release)
{
	const struct task *t = &o->set->tasks[task];
	for (uint32_t i = 0; i < t->segment_count; i++) {
		struct section s = section_at(o, task, i);
		int64_t r = release + before(o, &s);
		if (t->segments[i].kind == SEGMENT_CPU || s.first != i || !s.kernels)
			continue;
		if (r <= o->now || r >= p->f || has_been(o, task, job, i))
			continue;
		add_other(p, (struct unit){
				     .section = s,
				     .r = r,
				     .job = (uint32_t)job,
				     .d = release + t->deadline_ns - after(o, &s),
			     });
	}
}

/* Adds the jobs that exist, and those that are still to come. A schedule made beforehand follows the
 * timetable, which has no end. */
static void expect(const struct oracle *o, struct prediction *p, uint32_t task)
{
	const struct task *type = &o->set->tasks[task];
	const struct task_state *t = &o->tasks[task];
	int64_t next = type->offset_ns, job = 0;
	for (; !o->planning && job < t->count; job++) {
		expect_job(o, p, task, job, t->jobs[job].release);
		next = t->jobs[job].release + type->period_ns;
	}
	for (; next < p->f; next += type->period_ns, job++)
		expect_job(o, p, task, job, next);
}

static int64_t sign(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_ready(const void *a, const void *b)
{
	const struct unit *x = a, *y = b;
	int64_t order[] = {sign(x->r, y->r), sign(x->d, y->d), sign(x->section.task, y->section.task),
		sign(x->job, y->job), sign(x->section.first, y->section.first)};
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (order[i])
			return (int)order[i];
	}
	return 0;
}

static int by_deadline(const void *a, const void *b)
{
	const struct unit *x = a, *y = b;
	return x->d != y->d ? (int)sign(x->d, y->d) : by_ready(a, b);
}

static void sort(struct prediction *p, int (*order)(const void *, const void *))
{
	if (p->other_count > 1)
		qsort(p->others, p->other_count, sizeof(*p->others), order);
}

/* ---- the schedule ---- */

static void place(struct prediction *p, struct placed unit)
{
	p->placed = oracle_grow(p->placed, p->placed_count, sizeof(*p->placed));
	p->placed[p->placed_count++] = unit;
}

/* Counts the units that occupy SMs at `t`, and their SMs. */
static uint32_t busy_at(const struct prediction *p, int64_t t, uint32_t *sms)
{
	uint32_t units = 0;
	*sms = 0;
	for (size_t i = 0; i < p->placed_count; i++) {
		if (p->placed[i].occupies <= t && t < p->placed[i].end) {
			units++;
			*sms += p->placed[i].sms;
		}
	}
	return units;
}

static bool in_time(const struct oracle *o, const struct unit *u, int64_t end)
{
	return end + dh(o, &u->section) <= u->d;
}

/* Places the units of Q^w beside J; a unit that finds no place is late. */
static void place_others(const struct oracle *o, struct prediction *p)
{
	int64_t t = o->now;
	sort(p, by_ready);
	for (size_t i = 0; i < p->other_count; i++) {
		struct unit *k = &p->others[i];
		uint32_t occupied, m = optimal_sms(o, &k->section);
		while (busy_at(p, t, &occupied) >= o->policy->workers)
			t++;
		uint32_t left = o->platform->sms - occupied;
		m = left < m ? left : m;
		int64_t ready = k->r + hd(o, &k->section), start = t > ready ? t : ready;
		k->late = t >= p->f || m == 0 || start >= p->f;
		if (k->late)
			continue;
		int64_t end = start + body(o, &k->section, m);
		place(p, (struct placed){k->section, m, t, start, end});
		p->feasible &= in_time(o, k, end);
	}
}

/* Places the late units after everything else, each alone on all SMs. */
static void place_late(const struct oracle *o, struct prediction *p)
{
	int64_t e = INT64_MIN;
	for (size_t i = 0; i < p->placed_count; i++)
		e = p->placed[i].end > e ? p->placed[i].end : e;
	sort(p, by_deadline);
	for (size_t i = 0; i < p->other_count; i++) {
		const struct unit *k = &p->others[i];
		if (!k->late)
			continue;
		int64_t ready = k->r + hd(o, &k->section), start = e > ready ? e : ready;
		e = start + body(o, &k->section, o->platform->sms);
		place(p, (struct placed){k->section, o->platform->sms, start, start, e});
		p->feasible &= in_time(o, k, e);
	}
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* gen(J, m'). */
static struct prediction generate(const struct oracle *o, const struct unit *j, uint32_t sms)
{
	int64_t s = later(o->now, j->r + hd(o, &j->section));
	struct prediction p = {.sms = sms, .f = s + body(o, &j->section, sms)};
	for (uint32_t task = 0; task < o->set->task_count; task++) {
		const struct task_state *t = &o->tasks[task];
		if (task == j->section.task)
			continue;
		if (t->unit == UNIT_WAITING)
			add_other(&p, waiting_unit(o, task));
		if (t->unit != UNIT_ADMITTED)
			expect(o, &p, task);
	}
	p.feasible = in_time(o, j, p.f);
	place(&p, (struct placed){j->section, sms, o->now, s, p.f});
	for (uint32_t task = 0; task < o->set->task_count; task++) {
		const struct task_state *t = &o->tasks[task];
		if (t->unit == UNIT_ADMITTED)
			place(&p, (struct placed){section_at(o, task, t->unit_first), t->chosen.count, o->now,
					  t->predicted_start, later(t->predicted_end, o->now)});
	}
	place_others(o, &p);
	place_late(o, &p);
	return p;
}

static void prediction_finish(struct prediction *p)
{
	free(p->others);
	free(p->placed);
}

/* ---- energy ---- */

/* Does a kernel of the placed unit run during [t, t + 1), and with what power? */
static bool runs(const struct oracle *o, const struct placed *u, int64_t t, int64_t *power)
{
	int64_t at = u->start;
	for (uint32_t i = u->section.first_kernel; i <= u->section.last_kernel; i++) {
		const struct segment *s = &o->set->tasks[u->section.task].segments[i];
		int64_t end = at + oracle_worst(o, s, u->sms);
		if (s->kind == SEGMENT_KERNEL && at <= t && t < end) {
			*power = oracle_dynamic_power(o, s, u->sms);
			return true;
		}
		at = end;
	}
	return false;
}

static int128 energy(const struct oracle *o, const struct prediction *p, int64_t until)
{
	int128 sum = 0;
	for (int64_t t = o->now; t < until; t++) {
		int64_t sms = 0, dynamic = 0, power;
		bool any = false;
		for (size_t i = 0; i < p->placed_count; i++) {
			if (!runs(o, &p->placed[i], t, &power))
				continue;
			any = true;
			sms += p->placed[i].sms;
			dynamic += power;
		}
		sum += o->platform->static_uw;
		if (any)
			sum += dynamic + o->platform->idle_per_sm_uw * (o->platform->sms - sms);
	}
	return sum;
}

/* ---- decisions ---- */

/* The first remaining kernel of the task's unit. */
static uint32_t first_kernel(const struct oracle *o, uint32_t task)
{
	uint32_t segment = o->tasks[task].at;
	while (o->set->tasks[task].segments[segment].kind != SEGMENT_KERNEL)
		segment++;
	return segment;
}

static void record(struct oracle *o, const struct unit *j, const struct prediction *p, bool chosen)
{
	struct oracle_result *r = o->result;
	r->decisions = oracle_grow(r->decisions, r->decision_count, sizeof(*r->decisions));
	r->decisions[r->decision_count++] = (struct oracle_decision){
		.time = o->now,
		.task = j->section.task,
		.seq = j->job,
		.segment = first_kernel(o, j->section.task),
		.sms = p->sms,
		.kernel_end = p->f,
		.energy = (int64_t)energy(o, p, p->f),
		.feasible = p->feasible,
		.chosen = chosen,
	};
}

/* The free SMs with the lowest indexes. */
static struct oracle_grant free_sms(const struct oracle *o, uint32_t count)
{
	struct oracle_grant grant = {0};
	for (uint32_t sm = 0; sm < o->platform->sms && grant.count < count; sm++) {
		bool taken = false;
		for (uint32_t task = 0; task < o->set->task_count; task++) {
			const struct oracle_grant *held = &o->tasks[task].chosen;
			for (uint32_t i = 0; i < held->count; i++)
				taken |= held->sm[i] == sm;
		}
		if (!taken)
			grant.sm[grant.count++] = sm;
	}
	return grant;
}

static void admit(struct oracle *o, const struct unit *j, uint32_t sms)
{
	struct task_state *t = &o->tasks[j->section.task];
	struct oracle_grant grant = free_sms(o, sms);
	t->predicted_start = later(o->now, j->r + hd(o, &j->section));
	t->predicted_end = t->predicted_start + body(o, &j->section, sms);
	oracle_admit(o, j->section.task, &grant);
}

/* Is candidate `a` better than `b`, which has more SMs? */
static bool better(const struct oracle *o, const struct prediction *a, const struct prediction *b,
	const int128 of_a, const int128 of_b)
{
	if (a->feasible != b->feasible)
		return a->feasible;
	if (!a->feasible && o->policy->fastest)
		return a->f < b->f;
	return of_a < of_b;
}

/* The GPU is idle: tries m' = m_opt .. 1. */
static void decide_idle(struct oracle *o, const struct unit *j)
{
	struct prediction candidates[ORACLE_SMS];
	uint32_t count = optimal_sms(o, &j->section), best = 0;
	int64_t latest = 0;
	int128 of_best = 0;
	for (uint32_t i = 0; i < count; i++) {
		candidates[i] = generate(o, j, count - i);
		latest = later(latest, candidates[i].f);
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct prediction *c = &candidates[i];
		int128 its = energy(o, c, o->policy->common_window ? latest : c->f);
		if (i == 0 || better(o, c, &candidates[best], its, of_best)) {
			best = i;
			of_best = its;
		}
	}
	for (uint32_t i = 0; i < count; i++)
		record(o, j, &candidates[i], i == best);
	admit(o, j, count - best);
	for (uint32_t i = 0; i < count; i++)
		prediction_finish(&candidates[i]);
}

static void decide_beside(struct oracle *o, const struct unit *j, uint32_t left)
{
	uint32_t m = optimal_sms(o, &j->section);
	int64_t last = o->now;
	for (uint32_t task = 0; task < o->set->task_count; task++) {
		if (o->tasks[task].unit == UNIT_ADMITTED)
			last = later(last, o->tasks[task].predicted_end);
	}
	struct prediction p = generate(o, j, left < m ? left : m);
	bool waits = p.f > last + body(o, &j->section, o->platform->sms);
	if (!waits)
		record(o, j, &p, p.feasible);
	if (!waits && p.feasible)
		admit(o, j, p.sms);
	prediction_finish(&p);
}

void oracle_predict(struct oracle *o)
{
	for (;;) {
		uint32_t admitted = oracle_admitted(o), left = free_sms(o, o->platform->sms).count;
		int next = admitted < o->policy->workers && left > 0 ? oracle_next_waiting(o) : -1;
		if (next < 0)
			return;
		struct unit j = waiting_unit(o, (uint32_t)next);
		if (admitted == 0)
			decide_idle(o, &j);
		else
			decide_beside(o, &j, left);
		if (o->policy->one_start && oracle_admitted(o) > admitted)
			return;
	}
}
