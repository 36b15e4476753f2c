/* models/jobs.c - the life of a job: release, begin, segment after segment, end; and what happens
 * at a deadline (docs/model.md, "Time and order", "Misses").
 *
 * A task has one current job. Jobs that are released behind it are only counted: their releases can be
 * computed again (models/releases.h). */
#include <assert.h>

#include "models/execution.h"
#include "models/machine.h"
#include "models/releases.h"
#include "sim/digest.h"

static int64_t deadline_of(const struct task_run *t, uint32_t number, int64_t release)
{
	return release_deadline(t->rule, t->task, number, release);
}

bool jobs_init(struct machine *m, struct error *err)
{
	for (uint32_t i = 0; i < m->task_count; i++) {
		struct task_run *t = &m->tasks[i];
		t->task = &m->set->tasks[i];
		t->rule = release_rule_of(m->setup, t->task);
		t->rank = m->plan.rank[i];
		t->first_start = -1;
	}
	return triggers_init(m) || error_memory(err, "releases after others");
}

bool jobs_begin(struct machine *m, struct error *err)
{
	for (uint32_t i = 0; i < m->task_count; i++) {
		const struct task_run *t = &m->tasks[i];
		int64_t first = release_first(m->setup, t->rule, t->task, i);
		if (first < 0)
			return error_set(
				err, STATUS_INPUT, "task '%s' has a release before 0", t->task->name);
		sim_arm(&m->sim, m->slot_release + i, first < m->setup->horizon_ns ? first : SIM_NEVER);
	}
	return true;
}

struct operation jobs_operation(const struct machine *m, uint32_t task)
{
	const struct task_run *t = &m->tasks[task];
	return (struct operation){
		.task = machine_task(m, task),
		.job = t->number,
		.segment = t->segment,
		.rank = t->rank,
		.stream_high = t->step->stream_high,
		.now = m->sim.now,
		.release = t->release,
		.deadline = t->deadline,
		.section_deadline = t->deadline - t->step->behind,
	};
}

/* Whether the order is by instants alone, so that operations of one instant tie. */
static bool first_come(order_fn *order)
{
	return order == order_by_arrival || order == order_by_release || order == order_by_stream_priority;
}

bool jobs_line_init(struct machine *m, struct line *line, order_fn *order)
{
	bool lower_first = m->setup->ties == TIES_LOWER_FIRST;
	line->order = order;
	line->kind = order == order_by_priority  ? LINE_BY_RANK
		     : order == order_by_arrival ? LINE_BY_ARRIVAL
						 : LINE_BY_CALL;
	line->flip = lower_first && first_come(order) ? (uint64_t)UINT32_MAX << 32 : 0;
	line->lower_first = lower_first && !first_come(order);
	line->who = m->flights.who;
	return queue_init(&line->queue, &m->arena, m->run_count);
}

bool jobs_line_init_part(struct machine *m, struct line *line, uint32_t tasks, const struct line *all)
{
	*line = *all;
	return queue_init_part(&line->queue, &m->arena, tasks, &all->queue);
}

/* The number of the record's job and its task are those of the current job. */
SELDOM static void emit_start(struct machine *m, const struct task_run *t)
{
	struct trace_record *r = trace_emit(&m->trace);
	r->kind = TRACE_JOB_START;
	r->time = m->sim.now;
	r->task = (uint32_t)(t - m->tasks);
	r->job = t->number;
	r->start = t->release;
}

/* A job of the task, released and due then. */
static void job_ended(struct machine *m, uint32_t task, uint32_t number, int64_t release, int64_t deadline,
	int64_t first_start, enum job_end how)
{
	int64_t now = m->sim.now;
	m->jobs++;
	bool missed = how == JOB_FINISHED ? now > deadline : how == JOB_UNFINISHED ? deadline <= now : true;
	m->misses += missed;
	const struct digested_job digested = {task, number, release, deadline, first_start,
		how == JOB_UNFINISHED ? -1 : now, (uint32_t)how + (missed ? 4 : 0)};
	m->jobs_digest += digest_of_job(&digested);
	if (how != JOB_UNFINISHED)
		m->last_end = now;
	if (!trace_wants(&m->trace, TRACE_JOB_END))
		return;
	struct trace_record *r = trace_emit(&m->trace);
	r->kind = TRACE_JOB_END;
	r->time = now;
	r->task = task;
	r->job = number;
	r->how = (uint8_t)how;
	r->start = release;
	r->ready = first_start;
	r->value = deadline;
}

/* Takes the first waiting job off the count, and computes the release of the next one. */
static int64_t take_waiting(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	int64_t release = t->next_release;
	t->waiting--;
	t->next++;
	if (t->waiting > 0)
		t->next_release = t->rule->kind == RELEASE_AFTER
					  ? triggers_waiting(m, task)
					  : release_next(m->setup, t->rule, t->task, task, t->next, release);
	return release;
}

static void current_ended(struct machine *m, uint32_t task, enum job_end how)
{
	const struct task_run *t = &m->tasks[task];
	job_ended(m, task, t->number, t->release, t->deadline, t->first_start, how);
}

/* The first of those that wait. */
static void waiting_ended(struct machine *m, uint32_t task, enum job_end how)
{
	const struct task_run *t = &m->tasks[task];
	uint32_t number = t->next;
	int64_t release = take_waiting(m, task);
	job_ended(m, task, number, release, deadline_of(t, number, release), -1, how);
}

int64_t jobs_length(const struct machine *m, uint32_t task, int64_t best, int64_t worst)
{
	const struct task_run *t = &m->tasks[task];
	return execution_length(
		m->setup, t->rule, &t->task->segments[t->segment], task, t->number, t->segment, best, worst);
}

/* The task's job `number`, released at `release`, becomes its current one. */
static void begin(struct task_run *t, uint32_t number, int64_t release)
{
	t->active = true;
	t->aborted = false;
	t->number = number;
	t->release = release;
	t->deadline = deadline_of(t, number, release);
	t->first_start = -1;
	t->segment = 0;
	t->step = t->steps;
	t->launched = false;
}

static bool begin_waiting(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	if (t->waiting == 0)
		return false;
	uint32_t number = t->next;
	begin(t, number, take_waiting(m, task));
	return true;
}

/* The current job has no segment left. Returns true if the task's next job has begun. */
SELDOM static bool finish_job(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	if (t->spinning)
		cpu_leave(m, task, SPAN_DONE);
	current_ended(m, task, t->aborted ? JOB_ABORTED : JOB_FINISHED);
	if (m->triggers.used && !t->aborted)
		triggers_finished(m, task);
	t->active = false;
	t->place = PLACE_NONE;
	return begin_waiting(m, task);
}

SELDOM static int64_t draw(const struct machine *m, uint32_t task, const struct step *step)
{
	const struct task_run *t = &m->tasks[task];
	return execution_draw(m->setup, task, t->number, t->segment, step->best, step->worst);
}

static int64_t length_here(const struct machine *m, uint32_t task, const struct step *step)
{
	if (step->fixed >= 0)
		return step->fixed;
	return step->drawn ? draw(m, task, step) : jobs_length(m, task, step->best, step->worst);
}

/* Where the policy chooses GPUs: what is of length zero on the GPU that it names passes, and nothing else,
 * whatever it takes where the section is (docs/model.md, N4). */
RARE static int64_t length_placed(const struct machine *m, uint32_t task, const struct step *step)
{
	const struct step *home = devices_steps(m, task, m->devices.count) + m->tasks[task].segment;
	if (length_here(m, task, home) == 0)
		return 0;
	int64_t length = length_here(m, task, step);
	return length > 0 ? length : 1;
}

/* Of the task's current segment, which is `step`. */
static int64_t length_of(const struct machine *m, uint32_t task, const struct step *step)
{
	if (__builtin_expect(m->devices.chosen, 0))
		return length_placed(m, task, step);
	return length_here(m, task, step);
}

/* Makes the current segment ready, or skips it if its length is zero. Begins the task's next job when this
 * one is over. */
static void proceed(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	do {
		for (; t->segment < t->step_count; t->segment++, t->step++) {
			t->left = t->step->plain;
			if (t->left == 0) {
				t->left = length_of(m, task, t->step);
				if (__builtin_expect(t->step->flies, 0)) {
					if (!flights_reached(m, task))
						return;
					continue;
				}
				if (t->left == 0) {
					jobs_started(m, t);
					continue;
				}
			}
			t->ready = m->sim.now;
			t->place = PLACE_READY;
			list_add(&m->ready, task);
			return;
		}
	} while (finish_job(m, task));
}

/* Behind an operation: whether the section is over. Then what it still has, of length zero, is passed. */
RARE static bool section_ends(struct machine *m, uint32_t task, const struct step *was)
{
	struct task_run *t = &m->tasks[task];
	for (; t->segment < t->step_count && t->step->section == was->section &&
		t->step->kind != SEGMENT_CPU && t->step->kind != SEGMENT_WAIT;
		t->segment++, t->step++)
		if (length_of(m, task, t->step) > 0)
			return false;
	return true;
}

/* The same: whether what follows has to wait from now on. */
RARE static bool sync_begins(struct machine *m, uint32_t task, const struct step *was)
{
	if (m->tasks[task].aborted || !section_ends(m, task, was))
		return false;
	jobs_sync(m, task, m->sim.now + m->platform->overheads.sync_ns);
	return true;
}

void jobs_sync(struct machine *m, uint32_t task, int64_t until)
{
	m->tasks[task].place = PLACE_SYNC;
	sim_arm(&m->sim, m->slot_delay + task, until);
}

static void sync_ends(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	sim_disarm(&m->sim, m->slot_delay + task);
	sim_mix(&m->sim, task);
	t->place = PLACE_NONE;
	if (m->calls.of && m->calls.of[task].stage == CALL_IN)
		calls_leave(m, task);
	else
		proceed(m, task);
}

void jobs_delayed(struct machine *m, uint32_t task)
{
	if (m->tasks[task].place == PLACE_SYNC)
		sync_ends(m, task);
	else
		streams_due(m, task);
}

void jobs_started(struct machine *m, struct task_run *t)
{
	if (t->first_start >= 0)
		return;
	t->first_start = m->sim.now;
	uint32_t run = (uint32_t)(t - m->tasks);
	if (run >= m->task_count)
		jobs_started(m, &m->tasks[machine_task(m, run)]);
	else if (trace_wants(&m->trace, TRACE_JOB_START))
		emit_start(m, t);
}

/* What has not started of an aborted job is lost. If operations are in flight, it waits for them at its last
 * step. */
static void skip_to_end(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	bool flies = m->flights.first[task] < m->flights.first[task + 1];
	t->segment = t->step_count - flies;
	t->step = t->steps + t->segment;
}

/* To the next segment. */
static inline void step_on(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	t->segment++;
	t->step++;
	if (t->aborted)
		skip_to_end(m, task);
	t->place = PLACE_NONE;
}

/* Goes on behind an operation, where calls are around sections. */
RARE static void proceed_in_calls(struct machine *m, uint32_t task, const struct step *was)
{
	struct task_run *t = &m->tasks[task];
	m->calls.of[task].segment = t->segment;
	step_on(m, task);
	if (!section_ends(m, task, was))
		proceed(m, task);
	else if (m->platform->overheads.sync_ns == 0 || t->aborted)
		calls_leave(m, task);
	else
		jobs_sync(m, task, m->sim.now + m->platform->overheads.sync_ns);
}

/* Goes on behind an operation that is gated or syncs, or in a job with operations in flight. */
static void proceed_watched(struct machine *m, uint32_t task, const struct step *was)
{
	struct task_run *t = &m->tasks[task];
	uint32_t number = t->number;
	if (task >= m->task_count) {
		flights_over(m, task);
		return;
	}
	if (m->calls.of) {
		proceed_in_calls(m, task, was);
		return;
	}
	step_on(m, task);
	bool synced = was->syncs && sync_begins(m, task, was);

	if (!synced)
		proceed(m, task);
	if (!t->admitted && !t->waits)
		return;
	/* CPU segments of length zero, which also end a section, may have been skipped. A copy behind the
	 * last kernel is not gated and so is no part of the unit. */
	bool over = synced || !t->active || t->number != number || t->step->section != was->section ||
		    (m->plan.unit == GATE_SECTION_KERNELS && !t->step->gated);
	if (t->waits && over)
		gate_leave(m, task);
	else if (t->admitted && (over || was->kind == SEGMENT_KERNEL))
		gate_operation_ended(m, task, over);
}

void jobs_advance(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	const struct step *was = t->step;

	if (was->watched) {
		proceed_watched(m, task, was);
		return;
	}
	t->segment++;
	t->step++;
	if (t->aborted)
		t->segment = t->step_count;
	t->place = PLACE_NONE;
	proceed(m, task);
}

void jobs_proceed(struct machine *m, uint32_t task)
{
	proceed(m, task);
}

static void emit_release(struct machine *m, uint32_t task, uint32_t number)
{
	if (!trace_wants(&m->trace, TRACE_JOB_RELEASE))
		return;
	struct trace_record *r = trace_emit(&m->trace);
	r->kind = TRACE_JOB_RELEASE;
	r->time = m->sim.now;
	r->task = task;
	r->job = number;
	r->start = deadline_of(&m->tasks[task], number, m->sim.now);
}

void jobs_release(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	int64_t now = m->sim.now;
	uint32_t number = t->released++;

	int64_t next = t->rule->kind == RELEASE_AFTER
			       ? triggers_released(m, task)
			       : release_next(m->setup, t->rule, t->task, task, number + 1, now);
	sim_arm(&m->sim, m->slot_release + task, next < m->setup->horizon_ns ? next : SIM_NEVER);
	emit_release(m, task, number);
	if (m->setup->on_miss != MISS_CONTINUE && sim_armed_at(&m->sim, m->slot_deadline + task) == SIM_NEVER)
		sim_arm(&m->sim, m->slot_deadline + task, deadline_of(t, number, now));

	if (m->cpu.interrupts)
		cpu_interrupt(m, task);
	if (t->waiting++ == 0) {
		t->next = number;
		t->next_release = now;
	} else if (t->rule->kind == RELEASE_AFTER) {
		triggers_wait(m, task);
	}
	if (t->active)
		return;
	t->next++;
	t->waiting--;
	begin(t, number, now);
	proceed(m, task);
}

void jobs_withdraw(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	if (m->calls.of)
		calls_withdraw(m, task);
	switch ((enum place)t->place) {
	case PLACE_READY:
		list_remove(&m->ready, task);
		break;
	case PLACE_CPU:
		cpu_leave(m, task, SPAN_ABORTED);
		break;
	case PLACE_QUEUED:
		if (t->step->kind == SEGMENT_COPY)
			copies_remove(m, task);
		else
			gpu_cut(m, task);
		streams_leave(m, task);
		break;
	case PLACE_STREAM:
		streams_leave(m, task);
		break;
	case PLACE_SYNC:
		sim_disarm(&m->sim, m->slot_delay + task);
		break;
	case PLACE_GATE:
	case PLACE_NONE:
	case PLACE_RUNNING:
	case PLACE_WAIT:
	case PLACE_LOCK:
		break;
	}
	t->place = PLACE_NONE;
	if (t->waits)
		gate_leave(m, task);
}

/* Ends the current job without its remaining segments. */
static void remove_job(struct machine *m, uint32_t task, enum job_end how)
{
	struct task_run *t = &m->tasks[task];
	jobs_withdraw(m, task);
	if (m->flights.any)
		flights_cut(m, task);
	if (t->spinning)
		cpu_leave(m, task, SPAN_ABORTED);
	if (t->admitted)
		gate_operation_ended(m, task, true);
	current_ended(m, task, how);
	t->active = false;
	if (begin_waiting(m, task))
		proceed(m, task);
}

/* The same of a job with operations in flight. Those that run go to their ends, and only then the job ends.
 */
RARE static void abort_flying(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	bool runs = t->place == PLACE_RUNNING;
	if (!runs)
		jobs_withdraw(m, task);
	else if (t->step->kind == SEGMENT_KERNEL && gpu_cut(m, task)) {
		streams_leave(m, task);
		runs = false;
	}
	flights_cut(m, task);
	if (runs)
		return;
	skip_to_end(m, task);
	t->place = PLACE_NONE;
	proceed(m, task);
}

static void abort_job(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	t->aborted = true;
	if (m->calls.of && calls_abort(m, task))
		return;
	if (m->flights.first[task] < m->flights.first[task + 1]) {
		abort_flying(m, task);
		return;
	}
	if (t->place == PLACE_RUNNING && t->waits)
		gate_leave(m, task);
	if (t->place != PLACE_RUNNING) {
		remove_job(m, task, JOB_ABORTED);
	} else if (t->step->kind == SEGMENT_KERNEL && gpu_cut(m, task)) {
		streams_leave(m, task);
		t->place = PLACE_NONE;
		remove_job(m, task, JOB_ABORTED);
	}
}

/* A deadline of the task is now. Completions of this instant have been delivered before. Waiting jobs are
 * removed first, so that none of them begins when the current job is removed. */
void jobs_deadline(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	bool drop = m->setup->on_miss == MISS_DROP;
	int64_t now = m->sim.now;

	while (t->waiting > 0 && deadline_of(t, t->next, t->next_release) <= now)
		waiting_ended(m, task, drop ? JOB_DROPPED : JOB_ABORTED);
	if (t->active && t->deadline == now) {
		if (!drop && !t->aborted)
			abort_job(m, task);
		else if (drop && t->first_start < 0)
			remove_job(m, task, JOB_DROPPED);
	}
	int64_t next = SIM_NEVER;
	if (t->active && t->deadline > now)
		next = t->deadline;
	else if (t->waiting > 0)
		next = deadline_of(t, t->next, t->next_release);
	sim_arm(&m->sim, m->slot_deadline + task, next);
}

void jobs_stop(struct machine *m, int64_t at)
{
	m->sim.now = at;
	for (uint32_t i = 0; i < m->task_count; i++) {
		struct task_run *t = &m->tasks[i];
		if (t->active)
			current_ended(m, i, JOB_UNFINISHED);
		while (t->waiting > 0)
			waiting_ended(m, i, JOB_UNFINISHED);
		t->active = false;
	}
}

struct trace_record *machine_emit_span(struct machine *m, uint32_t task, enum trace_resource resource,
	uint32_t index, int64_t start, enum span_end how)
{
	const struct task_run *t = &m->tasks[task];
	struct trace_record *r = trace_emit(&m->trace);
	r->kind = TRACE_SPAN;
	r->time = m->sim.now;
	r->start = start;
	r->ready = t->ready;
	r->task = machine_task(m, task);
	r->job = t->number;
	r->segment = (uint16_t)t->segment;
	r->how = (uint8_t)how;
	r->resource = resource & TRACE_RESOURCE;
	r->gpu = (resource == RESOURCE_CPU ? 0 : m->devices.shown) & TRACE_GPU;
	r->index = (uint16_t)index;
	return r;
}
