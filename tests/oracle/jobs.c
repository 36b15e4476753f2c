/* tests/oracle/jobs.c - jobs of the oracle: phases 1 to 3 of an instant (docs/model.md, "Time
 * and order", "Misses"). */
#include "tests/oracle/oracle_internal.h"

static struct oracle_job *current_job(struct task_state *t)
{
	return t->current < t->count ? &t->jobs[t->current] : NULL;
}

void oracle_mark_started(struct oracle *o, uint32_t task)
{
	struct oracle_job *job = current_job(&o->tasks[task]);
	if (job->first_start < 0)
		job->first_start = o->now;
}

static void end_job(struct oracle *o, struct oracle_job *job, enum oracle_state state)
{
	job->state = state;
	job->finish = o->now;
	job->missed = state != ORACLE_FINISHED || job->finish > job->deadline;
}

/* The task's running job ends and takes what it holds with it. */
static void end_current(struct oracle *o, uint32_t task, enum oracle_state state)
{
	struct task_state *t = &o->tasks[task];
	end_job(o, current_job(t), state);
	t->op = (struct operation_state){.place = NOWHERE};
	t->begun = false;
	t->cut = false;
	t->section = false;
}

/* Is there an operation of some length in what is left of the GPU section, from `segment` on? */
static bool section_goes_on(const struct oracle *o, uint32_t task, uint32_t job, uint32_t segment)
{
	const struct task *t = &o->set->tasks[task];
	for (; segment < t->segment_count && t->segments[segment].kind != SEGMENT_CPU; segment++) {
		if (oracle_length(o, task, job, segment) > 0)
			return true;
	}
	return false;
}

static enum place first_place(const struct oracle *o, uint32_t task, const struct segment *s)
{
	if (s->kind == SEGMENT_CPU)
		return ON_CPU;
	if (o->policy->unit == ORACLE_SECTIONS && !o->tasks[task].section)
		return AT_GATE;
	if (o->policy->unit == ORACLE_KERNELS && s->kind == SEGMENT_KERNEL)
		return AT_GATE;
	return TO_ISSUE;
}

/* The running job goes on to `segment`, or to the first of some length behind it, or ends. */
static void go_on(struct oracle *o, uint32_t task, uint32_t segment)
{
	struct task_state *t = &o->tasks[task];
	const struct task *type = &o->set->tasks[task];
	struct oracle_job *job = current_job(t);
	int64_t length = 0;
	t->op = (struct operation_state){.place = NOWHERE};
	if (!section_goes_on(o, task, job->seq, segment))
		t->section = false;
	for (; segment < type->segment_count; segment++) {
		length = oracle_length(o, task, job->seq, segment);
		if (length > 0)
			break;
		oracle_mark_started(o, task);
	}
	if (segment == type->segment_count) {
		end_current(o, task, ORACLE_FINISHED);
		return;
	}
	const struct segment *s = &type->segments[segment];
	t->op = (struct operation_state){
		.place = first_place(o, task, s), .segment = segment, .length = length, .remaining = length,
		.ready = o->now,
	};
	if (s->kind == SEGMENT_KERNEL) {
		t->op.blocks = oracle_block_count(o, s);
		t->op.need = oracle_need(o, s);
	}
}

/* Phase 1. */
void oracle_complete(struct oracle *o)
{
	oracle_end_blocks(o);
	for (uint32_t task = 0; task < o->set->task_count; task++) {
		struct operation_state *op = &o->tasks[task].op;
		if (op->place == ON_CPU && op->remaining == 0)
			op->done = true;
		if (op->copying && op->copy_end == o->now)
			op->done = true;
		if (op->place == IN_STREAM && op->blocks > 0 && op->placed == op->blocks &&
			op->in_flight == 0)
			op->done = true;
	}
}

/* Phase 2 for one task; true if anything changed. */
static bool succeed(struct oracle *o, uint32_t task)
{
	struct task_state *t = &o->tasks[task];
	if (t->begun && t->op.done) {
		if (t->cut)
			end_current(o, task, ORACLE_ABORTED);
		else
			go_on(o, task, t->op.segment + 1);
		return true;
	}
	if (t->begun)
		return false;
	bool changed = false;
	while (t->current < t->count && t->jobs[t->current].finish >= 0) {
		t->current++;
		changed = true;
	}
	if (t->current < t->count) {
		t->begun = true;
		go_on(o, task, 0);
		changed = true;
	}
	return changed;
}

/* Phase 3 for one task. */
static bool release(struct oracle *o, uint32_t task)
{
	struct task_state *t = &o->tasks[task];
	if (t->next_release != o->now)
		return false;
	t->jobs = oracle_grow(t->jobs, t->count, sizeof(*t->jobs));
	t->jobs[t->count] = (struct oracle_job){
		.task = task, .seq = t->count, .release = o->now,
		.deadline = o->now + o->set->tasks[task].deadline_ns, .first_start = -1, .finish = -1,
		.state = ORACLE_UNFINISHED,
	};
	t->count++;
	t->next_release = oracle_release(o, task, t->count, o->now);
	return true;
}

void oracle_settle(struct oracle *o)
{
	bool changed = true;
	while (changed) {
		changed = false;
		for (uint32_t task = 0; task < o->set->task_count; task++) {
			while (succeed(o, task))
				changed = true;
		}
		for (uint32_t task = 0; task < o->set->task_count; task++)
			changed |= release(o, task);
	}
}

/* The running job is aborted: a copy or blocks that run go to their end, all else is lost. */
static void abort_current(struct oracle *o, uint32_t task)
{
	struct task_state *t = &o->tasks[task];
	if (!t->op.copying && t->op.in_flight == 0) {
		end_current(o, task, ORACLE_ABORTED);
		return;
	}
	t->cut = true;
	t->op.blocks = t->op.placed;
}

void oracle_check_deadlines(struct oracle *o)
{
	for (uint32_t task = 0; o->setup->on_miss != MISS_CONTINUE && task < o->set->task_count; task++) {
		struct task_state *t = &o->tasks[task];
		for (uint32_t i = t->current; i < t->count; i++) {
			struct oracle_job *job = &t->jobs[i];
			bool running = i == t->current && t->begun;
			if (job->finish >= 0 || job->deadline != o->now)
				continue;
			if (o->setup->on_miss == MISS_ABORT && running)
				abort_current(o, task);
			else if (o->setup->on_miss == MISS_ABORT)
				end_job(o, job, ORACLE_ABORTED);
			else if (running && job->first_start < 0)
				end_current(o, task, ORACLE_DROPPED);
			else if (!running)
				end_job(o, job, ORACLE_DROPPED);
		}
	}
}
