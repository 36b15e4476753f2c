/* policies/sbeet/offline.c - `offline: true`: makes sBEET's schedule before the run (section IV.B: "offline
 * schedule ... for one hyperperiod"; with offsets it takes the largest offset and two hyperperiods). The
 * choices are those of the run time, but in a timetable: jobs are released at offset + k * period, everything
 * takes its worst case, and tasks compete for nothing but SMs. See policies/sbeet/sbeet.h.
 *
 * Jobs of a task run one after the other. A section is ready when everything before it in its job is over. */
#include "base/checked.h"
#include "models/releases.h"
#include "policies/sbeet/sbeet.h"

/* What a task does at the current instant of the timetable. */
struct sbeet_progress {
	enum { COMING, WAITING, RUNNING, DONE } state;
	uint32_t job, index;
	int64_t at; /* coming: when it becomes ready; running: the next end of a kernel, or of the unit */
	int64_t ready;
	struct sbeet_placed placed;
	uint32_t kernel; /* the first kernel whose end has not passed */
};

/* The schedule while it is made. */
struct offline {
	struct sbeet *b;
	struct sbeet_plan *p;
	const struct taskset *set;
	const uint32_t *rank;
	struct sbeet_progress *progress; /* [tasks] */
	uint64_t *sm;                    /* memory for the SM sets of the units still to be planned */
	int64_t now;
};

/* ---- the progress of a task ---- */

/* Sets `at` to the end of the next kernel that has a length, or, behind the last one, to the end of the
 * unit. */
static void next_end(struct sbeet_progress *c)
{
	const struct sbeet_section *s = c->placed.section;
	const struct sbeet_kernel *kernel = s->kernel + (size_t)(c->placed.sms - 1) * s->kernels;
	while (c->kernel < s->kernels && kernel[c->kernel].length == 0)
		c->kernel++;
	c->at = c->kernel < s->kernels
			? later(c->placed.start, kernel[c->kernel].offset + kernel[c->kernel].length)
			: c->placed.end;
}

/* The unit's kernels are over: goes on to the next section of the job, or to the next job. */
static void end_unit(struct offline *o, uint32_t id, struct sbeet_progress *c)
{
	const struct sbeet_model *m = &o->b->model;
	const struct sbeet_section *s = c->placed.section;
	int64_t done = later(c->placed.end, s->dh);
	sbeet_over(o->b, id);
	c->state = COMING;
	if (++c->index < sbeet_sections_of(m, id)) {
		int64_t behind = later(s->before, s->hd + sbeet_body(s, m->sms) + s->dh);
		int64_t between = sbeet_section(m, id, c->index)->before - behind;
		c->at = later(done, latest(between, 0));
		return;
	}
	c->index = 0;
	if (++c->job == o->p->task[id].jobs) {
		c->state = DONE;
		return;
	}
	c->at = later(
		latest(sbeet_release(m, id, c->job), later(done, s->after)), sbeet_section(m, id, 0)->before);
}

/* Handles all that happens to the task up to now. */
static void advance(struct offline *o, uint32_t id)
{
	struct sbeet_progress *c = &o->progress[id];
	while (c->state == RUNNING && c->at <= o->now) {
		if (c->kernel < c->placed.section->kernels)
			c->kernel++;
		next_end(c);
		if (c->kernel == c->placed.section->kernels && c->at <= o->now)
			end_unit(o, id, c);
	}
	if (c->state == COMING && c->at <= o->now) {
		c->state = WAITING;
		c->ready = c->at;
	}
}

/* ---- choices ---- */

static int64_t key(const struct offline *o, const struct sbeet_unit *unit)
{
	switch (o->b->options.queue) {
	case SBEET_BY_DEADLINE:
		return unit->deadline;
	case SBEET_BY_ARRIVAL:
		return unit->ready;
	case SBEET_BY_PRIORITY:
		break;
	}
	return o->rank[unit->section->task];
}

/* Fills in the waiting units, in the order of the queue. Returns their number. */
static uint32_t fill_queue(struct offline *o)
{
	struct sbeet_unit *waiting = o->b->waiting;
	uint32_t count = 0;
	for (uint32_t id = 0; id < o->set->task_count; id++) {
		const struct sbeet_progress *c = &o->progress[id];
		if (c->state != WAITING)
			continue;
		const struct sbeet_section *section = sbeet_section(&o->b->model, id, c->index);
		struct sbeet_unit unit = {
			.section = section,
			.job = c->job,
			.ready = c->ready,
			.deadline = sbeet_release(&o->b->model, id, c->job) + o->set->tasks[id].deadline_ns -
				    section->after,
		};
		sbeet_timetable_ready(&o->b->timetable, &unit);
		uint32_t at = count++;
		for (; at > 0 && key(o, &unit) < key(o, &waiting[at - 1]); at--)
			waiting[at] = waiting[at - 1];
		waiting[at] = unit;
	}
	return count;
}

static void weigh(void *self, const struct sbeet_unit *unit, const struct sbeet_candidate *c, bool chosen)
{
	(void)self;
	(void)unit;
	(void)c;
	(void)chosen;
}

static void admit(void *self, const struct sbeet_unit *unit, const struct sbeet_placed *placed, uint32_t *sm)
{
	struct offline *o = self;
	uint32_t id = unit->section->task;
	struct sbeet_progress *c = &o->progress[id];
	c->state = RUNNING;
	c->placed = *placed;
	c->kernel = 0;
	next_end(c);
	for (uint32_t i = 0; i < placed->sms; i++)
		o->sm[sm[i] / 64] |= UINT64_C(1) << sm[i] % 64;
	o->p->task[id].unit[unit->job * sbeet_sections_of(&o->b->model, id) + unit->section->index] =
		(struct sbeet_planned){.at = o->now, .sm = o->sm};
	o->sm += o->p->words;
}

/* The next instant at which something happens; INT64_MAX: everything is planned. */
static int64_t next_instant(const struct offline *o)
{
	int64_t next = INT64_MAX;
	for (uint32_t id = 0; id < o->set->task_count; id++) {
		const struct sbeet_progress *c = &o->progress[id];
		if ((c->state == COMING || c->state == RUNNING) && c->at < next)
			next = c->at;
	}
	return next;
}

static void make_schedule(struct offline *o)
{
	const struct sbeet_actions actions = {.self = o, .weigh = weigh, .admit = admit};
	for (uint32_t id = 0; id < o->set->task_count; id++) {
		struct sbeet_progress *c = &o->progress[id];
		c->state = sbeet_sections_of(&o->b->model, id) && o->p->task[id].jobs ? COMING : DONE;
		if (c->state == COMING)
			c->at = later(
				o->set->tasks[id].offset_ns, sbeet_section(&o->b->model, id, 0)->before);
	}
	for (int64_t at; (at = next_instant(o)) < INT64_MAX;) {
		o->now = at;
		for (uint32_t id = 0; id < o->set->task_count; id++)
			advance(o, id);
		sbeet_choose(o->b, o->now, fill_queue(o), &actions);
	}
}

/* ---- the plan ---- */

static bool refuse_releases(struct plan *plan)
{
	for (uint32_t i = 0; i < plan->set->task_count; i++) {
		const struct task *task = &plan->set->tasks[i];
		if (release_rule_of(plan->setup, task)->kind == RELEASE_PERIODIC)
			continue;
		sbeet_refuse(plan, i,
			"task '%.100s' is not periodic: a schedule made beforehand would guarantee nothing",
			task->name);
		return true;
	}
	return false;
}

static bool refuse_length(struct plan *plan)
{
	sbeet_refuse(plan, SBEET_NOBODY, "two hyperperiods are too long for a schedule made beforehand");
	return true;
}

/* The hyperperiod, and the instant before which the planned jobs are released. */
static bool refuse_span(struct plan *plan, int64_t *period, int64_t *until)
{
	int64_t offset = 0;
	for (uint32_t i = 0; i < plan->set->task_count; i++)
		offset = latest(offset, plan->set->tasks[i].offset_ns);
	if (taskset_hyperperiod(plan->set, period) && checked_mul(2, *period, until) &&
		checked_add(*until, offset, until) && *until <= SBEET_LONGEST)
		return false;
	return refuse_length(plan);
}

/* Counts jobs and units, and allocates memory for them. */
static bool make_room(struct sbeet_plan *p, const struct sbeet_model *model, struct plan *plan, int64_t until,
	uint64_t **sm, struct error *err)
{
	const struct taskset *set = plan->set;
	int128 units = 0;
	for (uint32_t i = 0; i < set->task_count; i++)
		units += (int128)ceil_div(until - set->tasks[i].offset_ns, set->tasks[i].period_ns) *
			 sbeet_sections_of(model, i);
	p->words = (model->sms + 63) / 64;
	if (units > SBEET_PLAN_UNITS || units * p->words * (int128)sizeof(**sm) > SBEET_MEMORY) {
		sbeet_refuse(plan, SBEET_NOBODY,
			"a schedule of %lld GPU sections, for two hyperperiods, is too long to be made "
			"beforehand",
			(long long)units);
		return true;
	}
	p->task = arena_new(plan->arena, struct sbeet_jobs, set->task_count);
	*sm = arena_new(plan->arena, uint64_t, (size_t)units * p->words);
	if (!p->task || !*sm)
		return error_memory(err, "planning sbeet");
	for (uint32_t i = 0; i < set->task_count; i++) {
		struct sbeet_jobs *jobs = &p->task[i];
		if (sbeet_sections_of(model, i) == 0)
			continue;
		jobs->jobs = (uint32_t)ceil_div(until - set->tasks[i].offset_ns, set->tasks[i].period_ns);
		jobs->per_period = (uint32_t)(p->period / set->tasks[i].period_ns);
		jobs->unit = arena_new(
			plan->arena, struct sbeet_planned, (size_t)jobs->jobs * sbeet_sections_of(model, i));
		if (!jobs->unit)
			return error_memory(err, "planning sbeet");
	}
	return true;
}

bool sbeet_plan_make(struct sbeet_plan *p, struct sbeet *b, struct plan *plan, struct error *err)
{
	struct offline o = {.b = b, .p = p, .set = plan->set, .rank = plan->rank, .now = -1};
	int64_t until;
	*p = (struct sbeet_plan){.model = &b->model};
	if (refuse_releases(plan) || refuse_span(plan, &p->period, &until))
		return true;
	if (!make_room(p, &b->model, plan, until, &o.sm, err))
		return false;
	if (plan->refused)
		return true;
	o.progress = arena_new(plan->arena, struct sbeet_progress, plan->set->task_count);
	if (!o.progress)
		return error_memory(err, "planning sbeet");
	make_schedule(&o);
	sbeet_timetable_forget(&b->timetable);
	for (uint32_t i = 0; i < plan->set->task_count && !plan->refused; i++)
		if (o.progress[i].state != DONE)
			refuse_length(plan);
	return true;
}

struct sbeet_planned sbeet_plan_unit(const struct sbeet_plan *p, uint32_t task, uint32_t job, uint32_t index)
{
	const struct sbeet_jobs *jobs = &p->task[task];
	int64_t periods = 0, shift;
	if (job >= jobs->jobs)
		periods = (job - jobs->jobs) / jobs->per_period + 1;
	job -= (uint32_t)periods * jobs->per_period;
	struct sbeet_planned planned = jobs->unit[job * sbeet_sections_of(p->model, task) + index];
	planned.at = checked_mul(periods, p->period, &shift) ? later(planned.at, shift) : INT64_MAX;
	return planned;
}
