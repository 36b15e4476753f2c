/* models/flights.c - operations in flight (docs/model.md): a job issues asynchronous copies and kernels and
 * goes on; segments that wait for them; operations that come after others.
 *
 * An asynchronous segment has an entry of its own in machine.tasks. When the job comes to the segment, the
 * entry gets what it must know of the job, and goes through streams, engines and the GPU like any task with
 * one operation. A task with such segments has one more step than segments: the wait at the end of each job.
 */
#include "base/name_index.h"
#include "models/machine.h"
#include "models/releases.h"

#define NEVER (INT64_MIN / 2) /* long before 0 */

/* ---- making them ---- */

bool flights_count(struct machine *m)
{
	struct flights *f = &m->flights;
	m->run_count = m->task_count;
	f->first = arena_new(&m->arena, uint32_t, (size_t)m->task_count + 1);
	f->pending = arena_new(&m->arena, uint32_t, m->task_count);
	if (!f->first || !f->pending)
		return false;
	for (uint32_t i = 0; i < m->task_count; i++) {
		const struct task *t = &m->set->tasks[i];
		f->first[i] = m->run_count;
		for (uint32_t j = 0; j < t->segment_count; j++)
			m->run_count += t->segments[j].async;
		f->any |= task_first_flight(t) < t->segment_count;
	}
	f->first[m->task_count] = m->run_count;
	f->owner = arena_new(&m->arena, uint32_t, m->run_count);
	f->who = arena_new(&m->arena, uint64_t, m->run_count);
	f->ended = arena_new(&m->arena, int64_t, m->run_count);
	return f->owner && f->who && f->ended;
}

/* What the steps of a task wait for, as it is found. */
struct awaiting {
	struct machine *m;
	uint32_t task;
	struct step *steps;
	struct name_index names; /* of its segments */
	uint32_t *flown;         /* the task's entries, in the order of its segments */
};

static bool await_named(struct awaiting *a, struct step *step, const struct segment *s)
{
	step->awaits = arena_new(&a->m->arena, uint32_t, s->await_count);
	for (uint32_t i = 0; step->awaits && i < s->await_count; i++) {
		uint32_t run = a->steps[name_index_first(&a->names, s->awaits[i])].run;
		if (run != NO_TASK)
			step->awaits[step->await_count++] = run;
	}
	return step->awaits != NULL;
}

static bool await_stream(struct awaiting *a, struct step *step, uint32_t index)
{
	const struct machine *m = a->m;
	for (uint32_t i = 0; i < index; i++)
		step->await_count += a->steps[i].run != NO_TASK && task_awaits(m->set, a->task, index, i);
	step->awaits = arena_new(&a->m->arena, uint32_t, step->await_count);
	for (uint32_t i = 0, k = 0; step->awaits && k < step->await_count; i++)
		if (a->steps[i].run != NO_TASK && task_awaits(m->set, a->task, index, i))
			step->awaits[k++] = a->steps[i].run;
	return step->awaits != NULL;
}

/* `before`: so many of the task's operations are in front of the step. The last step of a job waits for all;
 * those that wait for all in front of them share a list. */
static bool awaits_init(struct awaiting *a, uint32_t index, uint32_t before)
{
	const struct task *t = &a->m->set->tasks[a->task];
	const struct segment *s = index < t->segment_count ? &t->segments[index] : NULL;
	struct step *step = &a->steps[index];
	if (s && s->await_count > 0)
		return await_named(a, step, s);
	if (s && s->kind == SEGMENT_WAIT && s->stream != STREAM_OWN)
		return await_stream(a, step, index);
	step->awaits = a->flown;
	if (s && s->kind != SEGMENT_WAIT)
		return true;
	step->await_count = before;
	step->awaits_all = before > 0 && before == a->m->flights.first[a->task + 1] - a->flown[0];
	return true;
}

/* The entry of an asynchronous segment. */
static void entry_init(struct machine *m, uint32_t task, uint32_t segment, uint32_t run, struct step *step)
{
	const struct task_run *t = &m->tasks[task];
	step->run = run;
	m->tasks[run] = (struct task_run){
		.core = t->core,
		.segment = segment,
		.step_count = 1,
		.step = step,
		.steps = step,
		.rank = m->plan.rank[task],
		.task = &m->set->tasks[task],
		.rule = release_rule_of(m->setup, &m->set->tasks[task]),
	};
}

static bool await_all(struct machine *m, uint32_t task, struct step *steps)
{
	const struct task *t = &m->set->tasks[task];
	uint32_t flights = m->flights.first[task + 1] - m->flights.first[task], before = 0;
	struct awaiting a = {.m = m, .task = task, .steps = steps};
	if (flights == 0)
		return true;
	a.flown = arena_new(&m->arena, uint32_t, flights);
	bool ok = a.flown != NULL;
	for (uint32_t i = 0; ok && i < flights; i++)
		a.flown[i] = m->flights.first[task] + i;
	name_index_init(&a.names, &t->segments->name, sizeof(*t->segments), t->segment_count);
	for (uint32_t i = 0; ok && i < m->tasks[task].step_count; i++) {
		ok = awaits_init(&a, i, before);
		before += steps[i].run != NO_TASK;
	}
	name_index_finish(&a.names);
	return ok;
}

bool flights_init(struct machine *m, uint32_t task, struct step *steps)
{
	struct flights *f = &m->flights;
	const struct task *t = &m->set->tasks[task];
	uint32_t run = f->first[task], tie = run - m->task_count + task;
	for (uint32_t i = 0; i < t->segment_count; i++) {
		if (!t->segments[i].async)
			continue;
		entry_init(m, task, i, run, &steps[i]);
		f->owner[run] = task;
		f->ended[run] = NEVER;
		f->who[run] = (uint64_t)tie++ << 32 | run;
		run++;
	}
	f->owner[task] = task;
	f->who[task] = (uint64_t)tie << 32 | task;
	return await_all(m, task, steps);
}

/* ---- jobs ---- */

/* Whether operations for which the step waits are in flight. *last: when the last of them was over. */
static bool in_flight(const struct machine *m, const struct step *step, int64_t *last)
{
	*last = NEVER;
	if (step->awaits_all && m->flights.pending[m->flights.owner[step->awaits[0]]] > 0)
		return true;
	for (uint32_t i = 0; i < step->await_count; i++) {
		uint32_t run = step->awaits[i];
		if (m->tasks[run].active)
			return true;
		*last = m->flights.ended[run] > *last ? m->flights.ended[run] : *last;
	}
	return false;
}

bool flights_hold(const struct machine *m, uint32_t run)
{
	int64_t last;
	return in_flight(m, m->tasks[run].step, &last);
}

/* The job's current operation is issued, and in flight from now on. */
static void take_off(struct machine *m, uint32_t task)
{
	const struct task_run *t = &m->tasks[task];
	uint32_t run = t->step->run;
	struct task_run *o = &m->tasks[run];
	o->active = true;
	o->aborted = false;
	o->number = t->number;
	o->release = t->release;
	o->deadline = t->deadline;
	o->left = t->left;
	o->ready = t->ready;
	o->first_start = -1;
	o->place = PLACE_READY;
	m->flights.pending[task]++;
	list_add(&m->ready, run);
}

/* Meanwhile the job suspends or spins. At the end of a job it spins as part of its last segment. */
static void begin_wait(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	t->place = PLACE_WAIT;
	if (m->plan.wait == WAIT_SUSPEND || t->spinning)
		return;
	cpu_spin(m, task);
	if (t->section_first == t->task->segment_count)
		t->section_first--;
}

/* Nothing of that for which the job waits is in flight. True: it goes on now. */
static bool passes(struct machine *m, uint32_t task, int64_t last)
{
	struct task_run *t = &m->tasks[task];
	int64_t sync = m->platform->overheads.sync_ns;
	if (sync == 0 || t->aborted || last + sync <= m->sim.now)
		return true;
	begin_wait(m, task); /* to spin, if it does not yet */
	t->segment++;
	t->step++;
	jobs_sync(m, task, last + sync);
	return false;
}

bool flights_reached(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	int64_t last;
	if (t->step->kind == SEGMENT_WAIT) {
		if (!in_flight(m, t->step, &last) && passes(m, task, last)) {
			if (!t->aborted)
				jobs_started(m, t);
			return true;
		}
		if (t->place == PLACE_SYNC)
			return false;
		begin_wait(m, task);
		return false;
	}
	if (t->left == 0) {
		m->flights.ended[t->step->run] = NEVER; /* it was an earlier job's */
		jobs_started(m, t);
		return true;
	}
	t->ready = m->sim.now;
	if (m->cpu.launch_left && !t->step->joins) {
		t->place = PLACE_READY;
		list_add(&m->ready, task);
		return false;
	}
	take_off(m, task);
	return true;
}

void flights_launched(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	t->place = PLACE_NONE;
	take_off(m, task);
	t->segment++;
	t->step++;
	jobs_proceed(m, task);
}

/* The entry's operation is over, or gone. */
static void land(struct machine *m, uint32_t run)
{
	uint32_t task = m->flights.owner[run];
	m->tasks[run].active = false;
	m->tasks[run].place = PLACE_NONE;
	m->flights.pending[task]--;
	m->flights.ended[run] = m->sim.now;
	if (!m->streams.holds)
		return;
	for (uint32_t r = m->flights.first[task]; r < m->flights.first[task + 1]; r++)
		if (m->streams.held[r] && !flights_hold(m, r))
			streams_let_go(m, r);
	if (m->streams.held[task] && !flights_hold(m, task))
		streams_let_go(m, task);
}

void flights_over(struct machine *m, uint32_t run)
{
	uint32_t task = m->flights.owner[run];
	struct task_run *t = &m->tasks[task];
	int64_t last;
	land(m, run);
	if (t->place != PLACE_WAIT || in_flight(m, t->step, &last) || !passes(m, task, last))
		return;
	t->place = PLACE_NONE;
	t->segment++;
	t->step++;
	jobs_proceed(m, task);
}

void flights_cut(struct machine *m, uint32_t task)
{
	for (uint32_t run = m->flights.first[task]; run < m->flights.first[task + 1]; run++) {
		struct task_run *o = &m->tasks[run];
		if (!o->active)
			continue;
		if (o->place != PLACE_RUNNING) {
			jobs_withdraw(m, run);
			land(m, run);
		} else if (o->step->kind == SEGMENT_KERNEL && gpu_cut(m, run)) {
			streams_leave(m, run);
			land(m, run);
		}
	}
}
