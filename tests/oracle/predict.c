/* tests/oracle/predict.c - what sbeet decides (docs/policies.md, "sbeet"; sBEET, Algorithms 1 to 3), computed
 * slowly: every schedule is made anew, and its energy is summed tick by tick. What sbeet-mg predicts on a GPU
 * is the same for whole sections: hd = dh = 0, and the copies are part of the body. */
#include "tests/oracle/predict.h"

#include <stdlib.h>

/* ---- sections ---- */

static bool beside(const struct segment *a, const struct segment *b)
{
	return a->kind != SEGMENT_CPU && b->kind != SEGMENT_CPU && a->gpu == b->gpu;
}

struct section oracle_section_at(const struct oracle *o, uint32_t task, uint32_t segment)
{
	const struct task *t = &o->named->tasks[task];
	struct section s = {.task = task, .first = segment, .behind = segment + 1};
	while (s.first > 0 && beside(&t->segments[s.first - 1], &t->segments[s.first]))
		s.first--;
	while (s.behind < t->segment_count && beside(&t->segments[s.behind - 1], &t->segments[s.behind]))
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

/* Worst-case times of the task's segments [from, to) on a GPU, kernels alone on `sms` SMs. */
static int64_t span(
	const struct oracle *o, uint32_t task, uint32_t from, uint32_t to, uint32_t gpu, uint32_t sms)
{
	int64_t sum = 0;
	for (uint32_t i = from; i < to; i++) {
		uint32_t there = gpu == GPU_NAMED ? o->named->tasks[task].segments[i].gpu : gpu;
		struct segment s = oracle_segment_on(o, task, i, there);
		sum += oracle_worst(o, &s, sms == ALL_SMS ? oracle_device(o, there)->sms : sms);
	}
	return sum;
}

static int64_t hd(const struct oracle *o, const struct section *s)
{
	return oracle_chooses(o) ? 0 : span(o, s->task, s->first, s->first_kernel, GPU_NAMED, ALL_SMS);
}

int64_t oracle_body(const struct oracle *o, const struct section *s, uint32_t gpu, uint32_t sms)
{
	if (oracle_chooses(o))
		return span(o, s->task, s->first, s->behind, gpu, sms);
	return span(o, s->task, s->first_kernel, s->last_kernel + 1, gpu, sms);
}

static int64_t dh(const struct oracle *o, const struct section *s)
{
	return oracle_chooses(o) ? 0 : span(o, s->task, s->last_kernel + 1, s->behind, GPU_NAMED, ALL_SMS);
}

static int64_t before(const struct oracle *o, const struct section *s)
{
	return span(o, s->task, 0, s->first, GPU_NAMED, ALL_SMS);
}

static int64_t after(const struct oracle *o, const struct section *s)
{
	return span(o, s->task, s->behind, o->set->tasks[s->task].segment_count, GPU_NAMED, ALL_SMS);
}

int64_t oracle_section_deadline(const struct oracle *o, uint32_t task)
{
	const struct task_state *t = &o->tasks[task];
	struct section s = oracle_section_at(o, task, t->unit_first);
	return t->jobs[t->current].deadline - after(o, &s);
}

uint32_t oracle_optimal_sms(const struct oracle *o, const struct section *s, uint32_t gpu, int128 *cost)
{
	const struct platform *p = oracle_device(o, gpu);
	uint32_t best = 0;
	for (uint32_t m = p->sms; m >= 1; m--) {
		int128 energy = 0;
		int64_t idle = p->idle_per_sm_uw * ((int64_t)p->sms - m);
		for (uint32_t i = s->first_kernel; i <= s->last_kernel; i++) {
			struct segment k = oracle_segment_on(o, s->task, i, gpu);
			if (k.kind != SEGMENT_KERNEL)
				continue;
			energy += (int128)oracle_worst(o, &k, m) * (oracle_dynamic_power(o, &k, m) + idle);
		}
		if (best == 0 || energy < *cost) {
			best = m;
			*cost = energy;
		}
	}
	return best;
}

static uint32_t optimal_sms(const struct oracle *o, const struct section *s, uint32_t gpu)
{
	int128 cost = 0;
	return oracle_optimal_sms(o, s, gpu, &cost);
}

/* ---- Q^w ---- */

struct unit oracle_waiting_unit(const struct oracle *o, uint32_t task)
{
	const struct task_state *t = &o->tasks[task];
	return (struct unit){
		.section = oracle_section_at(o, task, t->unit_first),
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
		struct section s = oracle_section_at(o, task, i);
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
		uint32_t occupied, m = optimal_sms(o, &k->section, p->gpu);
		while (busy_at(p, t, &occupied) >= o->policy->workers)
			t++;
		uint32_t left = oracle_device(o, p->gpu)->sms - occupied;
		m = left < m ? left : m;
		int64_t ready = k->r + hd(o, &k->section), start = t > ready ? t : ready;
		k->late = t >= p->f || m == 0 || start >= p->f;
		if (k->late)
			continue;
		int64_t end = start + oracle_body(o, &k->section, p->gpu, m);
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
		uint32_t all = oracle_device(o, p->gpu)->sms;
		e = start + oracle_body(o, &k->section, p->gpu, all);
		place(p, (struct placed){k->section, all, start, start, e});
		p->feasible &= in_time(o, k, e);
	}
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Is the task's unit admitted, on SMs of that GPU? */
static bool runs_there(const struct oracle *o, uint32_t task, uint32_t gpu)
{
	const struct task_state *t = &o->tasks[task];
	return t->unit == UNIT_ADMITTED && t->gpu == gpu && t->chosen.count > 0;
}

static struct placed as_admitted(const struct oracle *o, uint32_t task)
{
	const struct task_state *t = &o->tasks[task];
	return (struct placed){oracle_section_at(o, task, t->unit_first), t->chosen.count, o->now,
		t->predicted_start, later(t->predicted_end, o->now)};
}

struct prediction oracle_generate(const struct oracle *o, const struct unit *j, uint32_t gpu, uint32_t sms)
{
	int64_t s = later(o->now, j->r + hd(o, &j->section));
	struct prediction p = {.gpu = gpu, .sms = sms, .f = s + oracle_body(o, &j->section, gpu, sms)};
	for (uint32_t task = 0; task < o->set->task_count; task++) {
		const struct task_state *t = &o->tasks[task];
		if (task == j->section.task || t->home != gpu)
			continue;
		if (t->unit == UNIT_WAITING)
			add_other(&p, oracle_waiting_unit(o, task));
		if (t->unit != UNIT_ADMITTED || t->chosen.count == 0) /* copies alone are no unit here */
			expect(o, &p, task);
	}
	p.feasible = in_time(o, j, p.f);
	place(&p, (struct placed){j->section, sms, o->now, s, p.f});
	for (uint32_t task = 0; task < o->set->task_count; task++)
		if (runs_there(o, task, gpu))
			place(&p, as_admitted(o, task));
	place_others(o, &p);
	place_late(o, &p);
	return p;
}

void oracle_prediction_finish(struct prediction *p)
{
	free(p->others);
	free(p->placed);
}

/* ---- energy ---- */

/* Does a kernel of the placed unit run during [t, t + 1), and with what power? */
static bool runs(const struct oracle *o, const struct placed *u, uint32_t gpu, int64_t t, int64_t *power)
{
	int64_t at = u->start;
	uint32_t first = oracle_chooses(o) ? u->section.first : u->section.first_kernel;
	for (uint32_t i = first; i <= u->section.last_kernel; i++) {
		struct segment s = oracle_segment_on(o, u->section.task, i, gpu);
		int64_t end = at + oracle_worst(o, &s, u->sms);
		if (s.kind == SEGMENT_KERNEL && at <= t && t < end) {
			*power = oracle_dynamic_power(o, &s, u->sms);
			return true;
		}
		at = end;
	}
	return false;
}

/* The power of a GPU during [t, t + 1) with these units. */
static int128 power_at(
	const struct oracle *o, uint32_t gpu, const struct placed *placed, size_t count, int64_t t)
{
	const struct platform *p = oracle_device(o, gpu);
	int64_t sms = 0, dynamic = 0, power;
	bool any = false;
	for (size_t i = 0; i < count; i++) {
		if (!runs(o, &placed[i], gpu, t, &power))
			continue;
		any = true;
		sms += placed[i].sms;
		dynamic += power;
	}
	return p->static_uw + (any ? dynamic + p->idle_per_sm_uw * (p->sms - sms) : 0);
}

/* Other GPUs run what they have admitted. */
static int128 power_elsewhere(const struct oracle *o, uint32_t gpu, int64_t t)
{
	struct placed placed[ORACLE_TASKS];
	size_t count = 0;
	for (uint32_t task = 0; task < o->set->task_count; task++)
		if (runs_there(o, task, gpu))
			placed[count++] = as_admitted(o, task);
	return power_at(o, gpu, placed, count, t);
}

int128 oracle_prediction_energy(const struct oracle *o, const struct prediction *p, int64_t until)
{
	int128 sum = 0;
	for (int64_t t = o->now; t < until; t++) {
		for (uint32_t gpu = 0; gpu < platform_gpus(o->platform); gpu++)
			sum += gpu == p->gpu ? power_at(o, gpu, p->placed, p->placed_count, t)
					     : power_elsewhere(o, gpu, t);
	}
	return sum;
}

/* ---- decisions ---- */

/* The first remaining kernel of the task's unit; where it has only copies left, the last of these. */
static uint32_t next_kernel(const struct oracle *o, const struct section *s)
{
	uint32_t at = o->tasks[s->task].at;
	while (at + 1 < s->behind && o->set->tasks[s->task].segments[at].kind != SEGMENT_KERNEL)
		at++;
	return at;
}

void oracle_record_decision(struct oracle *o, const struct unit *j, const struct prediction *p, bool chosen)
{
	struct oracle_result *r = o->result;
	r->decisions = oracle_grow(r->decisions, r->decision_count, sizeof(*r->decisions));
	r->decisions[r->decision_count++] = (struct oracle_decision){
		.time = o->now,
		.asked = oracle_decides_slowly(o) ? o->asked : o->now,
		.task = j->section.task,
		.seq = j->job,
		.segment = next_kernel(o, &j->section),
		.gpu = p->gpu,
		.sms = p->sms,
		.kernel_end = p->f,
		.energy = (int64_t)oracle_prediction_energy(o, p, p->f),
		.feasible = p->feasible,
		.chosen = chosen,
	};
}

/* The free SMs of the GPU with the lowest indexes. */
static struct oracle_grant free_sms(const struct oracle *o, uint32_t gpu, uint32_t count)
{
	struct oracle_grant grant = {0};
	for (uint32_t sm = 0; sm < oracle_device(o, gpu)->sms && grant.count < count; sm++) {
		bool taken = false;
		for (uint32_t task = 0; task < o->set->task_count; task++) {
			const struct oracle_grant *held = &o->tasks[task].chosen;
			for (uint32_t i = 0; o->tasks[task].gpu == gpu && i < held->count; i++)
				taken |= held->sm[i] == sm;
		}
		if (!taken)
			grant.sm[grant.count++] = sm;
	}
	return grant;
}

uint32_t oracle_sms_left(const struct oracle *o, uint32_t gpu)
{
	return free_sms(o, gpu, oracle_device(o, gpu)->sms).count;
}

uint32_t oracle_units_on(const struct oracle *o, uint32_t gpu)
{
	uint32_t units = 0;
	for (uint32_t task = 0; task < o->set->task_count; task++)
		units += runs_there(o, task, gpu);
	return units;
}

void oracle_admit_on(struct oracle *o, const struct unit *j, uint32_t gpu, uint32_t sms)
{
	struct task_state *t = &o->tasks[j->section.task];
	struct oracle_grant grant = free_sms(o, gpu, sms);
	t->gpu = gpu;
	t->predicted_start = later(o->now, j->r + hd(o, &j->section));
	t->predicted_end = t->predicted_start + oracle_body(o, &j->section, gpu, sms);
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

/* Tries m' = m_opt .. 1. */
struct prediction oracle_weigh_idle(struct oracle *o, const struct unit *j, uint32_t gpu)
{
	struct prediction candidates[ORACLE_SMS];
	uint32_t count = optimal_sms(o, &j->section, gpu), best = 0;
	int64_t latest = 0;
	int128 of_best = 0;
	for (uint32_t i = 0; i < count; i++) {
		candidates[i] = oracle_generate(o, j, gpu, count - i);
		latest = later(latest, candidates[i].f);
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct prediction *c = &candidates[i];
		int128 its = oracle_prediction_energy(o, c, o->policy->common_window ? latest : c->f);
		if (i == 0 || better(o, c, &candidates[best], its, of_best)) {
			best = i;
			of_best = its;
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		if (i == best)
			continue;
		oracle_record_decision(o, j, &candidates[i], false);
		oracle_prediction_finish(&candidates[i]);
	}
	return candidates[best];
}

bool oracle_weigh_beside(struct oracle *o, const struct unit *j, uint32_t gpu, struct prediction *p)
{
	uint32_t m = optimal_sms(o, &j->section, gpu), left = oracle_sms_left(o, gpu);
	int64_t last = o->now;
	for (uint32_t task = 0; task < o->set->task_count; task++)
		if (runs_there(o, task, gpu))
			last = later(last, o->tasks[task].predicted_end);
	*p = oracle_generate(o, j, gpu, left < m ? left : m);
	bool waits = p->f > last + oracle_body(o, &j->section, gpu, oracle_device(o, gpu)->sms);
	if (!waits && p->feasible)
		return true;
	if (!waits)
		oracle_record_decision(o, j, p, false);
	oracle_prediction_finish(p);
	return false;
}

void oracle_predict(struct oracle *o)
{
	for (;;) {
		uint32_t admitted = oracle_admitted(o);
		bool room = admitted < o->policy->workers && oracle_sms_left(o, 0) > 0;
		int next = room ? oracle_next_waiting(o) : -1;
		if (next < 0)
			return;
		struct unit j = oracle_waiting_unit(o, (uint32_t)next);
		if (oracle_decides_slowly(o) && j.r > o->asked)
			continue;
		struct prediction p;
		if (admitted == 0)
			p = oracle_weigh_idle(o, &j, 0);
		else if (!oracle_weigh_beside(o, &j, 0, &p))
			continue;
		oracle_record_decision(o, &j, &p, true);
		oracle_admit_on(o, &j, 0, p.sms);
		oracle_prediction_finish(&p);
		if (o->policy->one_start)
			return;
	}
}
