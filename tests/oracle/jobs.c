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

/* The GPU that the set names: its sections are of one each, wherever they run. */
static uint32_t gpu_of(const struct oracle *o, uint32_t task, uint32_t segment)
{
	return o->named->tasks[task].segments[segment].gpu;
}

/* The task's unit leaves the gate: it is over, or was never admitted. Both cause a decision. Exception: a
 * unit that became ready at this instant only arrives at the gate in phase 4. */
static void end_unit(struct oracle *o, uint32_t task)
{
	struct task_state *t = &o->tasks[task];
	if (t->unit == UNIT_ADMITTED || (t->unit == UNIT_WAITING && t->unit_since < o->now))
		o->decision[oracle_gate(o, gpu_of(o, task, t->unit_first))] = true;
	t->unit = UNIT_NONE;
	t->chosen.count = 0;
	oracle_go_back(o, task);
}

/* The operation is over, or the job goes on from there; or it is as if it had never been. */
static void leave(struct oracle *o, struct operation_state *op, int64_t ended_at)
{
	if (op->place == IN_STREAM)
		oracle_note_end(o, op);
	*op = (struct operation_state){
		.task = op->task, .segment = op->segment, .place = NOWHERE, .ended_at = ended_at};
}

/* The task's running job ends and takes what it holds with it. */
static void end_current(struct oracle *o, uint32_t task, enum oracle_state state)
{
	struct task_state *t = &o->tasks[task];
	end_job(o, current_job(t), state);
	end_unit(o, task);
	oracle_forget_call(o, task);
	for (uint32_t i = 0; i <= o->set->tasks[task].segment_count; i++)
		leave(o, oracle_op(o, task, i), -1);
	t->begun = false;
	t->cut = false;
	t->waits = false;
}

static bool of_cpu(const struct oracle *o, uint32_t task, uint32_t segment)
{
	return o->set->tasks[task].segments[segment].kind == SEGMENT_CPU;
}

static bool has_length(const struct oracle *o, uint32_t task, uint32_t segment)
{
	const struct task_state *t = &o->tasks[task];
	return oracle_length(o, task, t->jobs[t->current].seq, segment) > 0;
}

/* From `segment` on, does the rest of the unit's GPU section have an operation of some length? */
static bool section_goes_on(const struct oracle *o, uint32_t task, uint32_t segment)
{
	uint32_t gpu = gpu_of(o, task, o->tasks[task].unit_first);
	for (; segment < o->set->tasks[task].segment_count && !of_cpu(o, task, segment) &&
		gpu_of(o, task, segment) == gpu;
		segment++) {
		if (has_length(o, task, segment))
			return true;
	}
	return false;
}

/* Is the operation, of some length, the first such operation of its GPU section? */
static bool begins_section(const struct oracle *o, uint32_t task, uint32_t segment)
{
	while (segment-- > 0 && !of_cpu(o, task, segment)) {
		if (has_length(o, task, segment))
			return false;
	}
	return true;
}

/* Finds the section's last kernel from `segment` on, also one of length zero; false: there is none. */
static bool find_last_kernel(const struct oracle *o, uint32_t task, uint32_t segment, uint32_t *found)
{
	const struct task *type = &o->set->tasks[task];
	bool any = false;
	for (; segment < type->segment_count && !of_cpu(o, task, segment); segment++) {
		if (type->segments[segment].kind == SEGMENT_KERNEL) {
			any = true;
			*found = segment;
		}
	}
	return any;
}

/* The operation at `segment` begins a unit, or belongs to the one that began. */
static void enter_unit(struct oracle *o, uint32_t task, uint32_t segment)
{
	struct task_state *t = &o->tasks[task];
	bool kernel = o->set->tasks[task].segments[segment].kind == SEGMENT_KERNEL, begins = false;
	if (t->unit != UNIT_NONE || of_cpu(o, task, segment))
		return;
	if (o->policy->unit == ORACLE_KERNELS)
		begins = kernel;
	else if (o->policy->unit == ORACLE_SECTIONS)
		begins = true;
	else if (o->policy->unit == ORACLE_SECTION_KERNELS)
		begins = begins_section(o, task, segment) &&
			 find_last_kernel(o, task, segment, &t->unit_last_kernel);
	if (!begins)
		return;
	t->unit = UNIT_WAITING;
	t->unit_since = o->now;
	t->unit_first = segment;
}

/* Ends the unit if it is over when the job goes on from `from` to `segment`. */
static void leave_unit(struct oracle *o, uint32_t task, uint32_t from, uint32_t segment)
{
	struct task_state *t = &o->tasks[task];
	bool over = false;
	if (t->unit == UNIT_NONE)
		return;
	if (o->policy->unit == ORACLE_KERNELS)
		over = true;
	else if (o->policy->unit == ORACLE_SECTIONS)
		over = !section_goes_on(o, task, from);
	else
		over = segment > t->unit_last_kernel;
	if (over)
		end_unit(o, task);
}

static enum place first_place(const struct oracle *o, uint32_t task, uint32_t segment)
{
	const struct task_state *t = &o->tasks[task];
	if (of_cpu(o, task, segment))
		return ON_CPU;
	if (t->unit != UNIT_WAITING)
		return TO_ISSUE;
	if (o->policy->unit != ORACLE_SECTION_KERNELS)
		return AT_GATE;
	/* Copies before the first kernel do not wait. */
	for (uint32_t i = t->unit_first; i <= segment; i++) {
		if (o->set->tasks[task].segments[i].kind == SEGMENT_KERNEL)
			return AT_GATE;
	}
	return TO_ISSUE;
}

bool oracle_unit_to_come(const struct oracle *o, uint32_t task)
{
	const struct task_state *t = &o->tasks[task];
	uint32_t last;
	return t->begun && oracle_at(o, task)->place == LAUNCHING && t->unit == UNIT_NONE &&
	       begins_section(o, task, t->at) && find_last_kernel(o, task, t->at, &last);
}

/* The job waits, and does not compute, from now on: it may spin. */
static void begin_waiting(struct oracle *o, uint32_t task, uint32_t segment)
{
	struct task_state *t = &o->tasks[task];
	if (t->waits)
		return;
	t->waits = true;
	t->waits_first = segment;
	t->waits_ready = o->now;
}

/* A copy or kernel is launched, or need not be: it goes to the gate, or to its stream. */
static void leave_core(struct oracle *o, struct operation_state *op)
{
	op->done = false;
	if (!oracle_segment(o, op)->async)
		begin_waiting(o, op->task, op->segment);
	enter_unit(o, op->task, op->segment);
	op->place = first_place(o, op->task, op->segment);
	if (oracle_segment(o, op)->kind == SEGMENT_KERNEL)
		oracle_shape_kernel(o, op);
}

/* The job has come to a copy, a kernel, or a CPU segment of some length. True: it goes on at once. */
static bool begin_segment(struct oracle *o, uint32_t task, uint32_t segment, int64_t ready)
{
	struct task_state *t = &o->tasks[task];
	struct operation_state *op = oracle_op(o, task, segment);
	int64_t launch = oracle_joins(o, op) ? 0 : o->platform->overheads.launch_ns;
	bool cpu = of_cpu(o, task, segment);
	op->place = cpu ? ON_CPU : LAUNCHING;
	op->length = oracle_length(o, task, current_job(t)->seq, segment);
	op->ready = ready;
	op->remaining = cpu ? op->length : launch;
	if (cpu)
		t->waits = false;
	else if (launch == 0)
		leave_core(o, op);
	return !cpu && launch == 0 && oracle_segment(o, op)->async;
}

/* The same of a wait, or of the end of the job. */
static bool passes_wait(struct oracle *o, uint32_t task, uint32_t segment)
{
	struct operation_state *op = oracle_op(o, task, segment);
	int64_t last;
	if (oracle_wait_over(o, op, &last) && (last < 0 || last + o->platform->overheads.sync_ns <= o->now))
		return true;
	op->place = WAITING;
	op->ready = o->now;
	begin_waiting(o, task, segment);
	return false;
}

/* The job needs a core for a call: in front of this segment, or behind those before it. */
static void begin_calling(struct oracle *o, uint32_t task, uint32_t segment)
{
	struct task_state *t = &o->tasks[task];
	struct operation_state *op = oracle_op(o, task, segment);
	op->place = CALLING;
	op->ready = o->now;
	op->remaining = -1;
	op->done = false;
	t->waits = false;
	t->last_over = t->inside ? t->last_over : segment;
}

/* Calls that take no time are over at once. True: the job has to call. */
static bool calls(struct oracle *o, uint32_t task, uint32_t segment)
{
	if (!oracle_has_calls(o))
		return false;
	if (!oracle_calls_are_free(o)) {
		begin_calling(o, task, segment);
		return true;
	}
	oracle_end_call(o, task);
	return false;
}

/* `sync` comes before the segment: it is none of the section that ended. */
static bool ends_section(const struct oracle *o, uint32_t task, uint32_t segment)
{
	const struct task *type = &o->set->tasks[task];
	return segment == type->segment_count || type->segments[segment].kind == SEGMENT_CPU ||
	       type->segments[segment].kind == SEGMENT_WAIT;
}

static bool begins_call(const struct oracle *o, uint32_t task, uint32_t segment)
{
	return !o->tasks[task].inside && !of_cpu(o, task, segment) && has_length(o, task, segment);
}

/* The running job goes on to `from`, and on to where it has to stay; or it ends. `sync`: a copy or kernel
 * ended just before, for which it has waited. */
static void go_on(struct oracle *o, uint32_t task, uint32_t from, bool sync)
{
	struct task_state *t = &o->tasks[task];
	const struct task *type = &o->set->tasks[task];
	uint32_t segment = from;
	sync = sync && o->platform->overheads.sync_ns > 0 && !of_cpu(o, task, from - 1);
	uint32_t gpu = sync ? gpu_of(o, task, from - 1) : 0;
	if (from > 0 && t->unit == UNIT_ADMITTED && type->segments[from - 1].kind == SEGMENT_KERNEL)
		o->decision[oracle_gate(o, gpu_of(o, task, from - 1))] =
			true; /* a kernel of an admitted unit ended */
	for (bool passes = true; passes; segment++) {
		bool section_over = t->inside && ends_section(o, task, segment);
		t->at = segment;
		if (sync && (ends_section(o, task, segment) || gpu_of(o, task, segment) != gpu)) {
			passes = false;
			leave_unit(o, task, from, segment);
			oracle_at(o, task)->place = SYNCING;
			oracle_at(o, task)->synced_at = o->now + o->platform->overheads.sync_ns;
		} else if (section_over && calls(o, task, segment)) {
			passes = false;
		} else if (segment == type->segment_count) {
			leave_unit(o, task, from, segment);
			if (passes_wait(o, task, segment))
				end_current(o, task, ORACLE_FINISHED);
			passes = false;
		} else if (type->segments[segment].kind == SEGMENT_WAIT) {
			passes = passes_wait(o, task, segment);
			if (passes)
				oracle_mark_started(o, task);
		} else if (begins_call(o, task, segment) && calls(o, task, segment)) {
			passes = false;
		} else if (has_length(o, task, segment)) {
			leave_unit(o, task, from, segment);
			passes = begin_segment(o, task, segment, o->now);
			sync = false;
		} else {
			oracle_mark_started(o, task);
		}
	}
}

/* Phase 1. */
void oracle_complete(struct oracle *o)
{
	oracle_end_blocks(o);
	for (uint32_t i = 0; i < o->op_count; i++) {
		struct operation_state *op = &o->ops[i];
		bool computes = op->place == ON_CPU || op->place == LAUNCHING || op->place == CALLING;
		if (computes && op->remaining == 0)
			op->done = true;
		if (op->place == SYNCING && op->synced_at == o->now)
			op->done = true;
		if (op->copying && op->copy_end == o->now)
			op->done = true;
		if (op->place == IN_STREAM && op->blocks > 0 && op->placed == op->blocks && !op->lost &&
			op->in_flight == 0)
			op->done = true;
	}
}

/* Copies and kernels of the job that are over. Returns whether the job has waited for one of them. */
static bool end_operations(struct oracle *o, uint32_t task, bool *any)
{
	bool waited = false;
	for (uint32_t i = 0; i < o->set->tasks[task].segment_count; i++) {
		struct operation_state *op = oracle_op(o, task, i);
		if (op->place != IN_STREAM || !op->done)
			continue;
		waited |= i == o->tasks[task].at && !o->tasks[task].cut;
		o->tasks[task].last_over = i;
		leave(o, op, o->now);
		*any = true;
	}
	return waited;
}

/* A call of the job is over. */
static void end_calling(struct oracle *o, uint32_t task)
{
	struct task_state *t = &o->tasks[task];
	int64_t ready = oracle_at(o, task)->ready; /* as of a launch: before the call */
	oracle_end_call(o, task);
	leave(o, oracle_at(o, task), -1);
	if (t->cut && t->inside)
		begin_calling(o, task, t->at);
	else if (t->cut)
		end_current(o, task, ORACLE_ABORTED);
	else if (t->inside)
		begin_segment(o, task, t->at, ready);
	else
		go_on(o, task, t->at, false);
}

/* Nothing of the aborted job runs any more: it ends, or calls before it does. */
static void end_aborted(struct oracle *o, uint32_t task)
{
	if (o->tasks[task].inside && !oracle_calls_are_free(o))
		begin_calling(o, task, o->tasks[task].at);
	else
		end_current(o, task, ORACLE_ABORTED);
}

/* Does the running job go on? True if it did. */
static bool goes_on(struct oracle *o, uint32_t task)
{
	struct task_state *t = &o->tasks[task];
	struct operation_state *at = oracle_at(o, task);
	bool any = false;
	if (end_operations(o, task, &any)) {
		go_on(o, task, t->at + 1, true);
	} else if (at->place == CALLING) {
		if (!at->done)
			return any;
		end_calling(o, task);
	} else if (t->cut && !oracle_any_in_flight(o, task)) {
		end_aborted(o, task);
	} else if (at->place == WAITING) {
		int64_t last;
		if (!oracle_wait_over(o, at, &last) || last + o->platform->overheads.sync_ns > o->now)
			return any;
		leave(o, at, -1);
		go_on(o, task, t->at, false);
	} else if (!at->done) {
		return any;
	} else if (at->place == LAUNCHING) {
		leave_core(o, at);
		if (oracle_segment(o, at)->async)
			go_on(o, task, t->at + 1, false);
	} else {
		bool synced = at->place == SYNCING;
		leave(o, at, -1);
		go_on(o, task, synced ? t->at : t->at + 1, false);
	}
	return true;
}

/* Phase 2 for one task; true if anything changed. */
static bool succeed(struct oracle *o, uint32_t task)
{
	struct task_state *t = &o->tasks[task];
	if (t->begun)
		return goes_on(o, task);
	bool changed = false;
	while (t->current < t->count && t->jobs[t->current].finish >= 0) {
		t->current++;
		changed = true;
	}
	if (t->current < t->count) {
		t->begun = true;
		go_on(o, task, 0, false);
		changed = true;
	}
	return changed;
}

static uint32_t finished_jobs(const struct task_state *t)
{
	uint32_t finished = 0;
	for (uint32_t i = 0; i < t->count; i++)
		finished += t->jobs[i].finish >= 0 && t->jobs[i].state == ORACLE_FINISHED;
	return finished;
}

/* Is job k of the task, the next one, released by the k-th finished jobs of others? */
static bool triggered(const struct oracle *o, uint32_t task)
{
	const struct release_rule *rule = o->set->tasks[task].release;
	if (!rule || rule->kind != RELEASE_AFTER || o->now >= o->setup->horizon_ns)
		return false;
	for (uint32_t i = 0; i < rule->after_count; i++) {
		if (finished_jobs(&o->tasks[rule->after[i]]) <= o->tasks[task].count)
			return false;
	}
	return true;
}

/* Phase 3 for one task. */
static bool release(struct oracle *o, uint32_t task)
{
	struct task_state *t = &o->tasks[task];
	if (t->next_release != o->now && !triggered(o, task))
		return false;
	t->jobs = oracle_grow(t->jobs, t->count, sizeof(*t->jobs));
	t->jobs[t->count] = (struct oracle_job){
		.task = task,
		.seq = t->count,
		.release = o->now,
		.deadline = oracle_due(o, task, t->count, o->now),
		.first_start = -1,
		.finish = -1,
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

/* Aborts the running job: copies and blocks that run go to their end, everything else is lost. */
static void abort_current(struct oracle *o, uint32_t task)
{
	struct task_state *t = &o->tasks[task];
	bool calls = oracle_at(o, task)->place == CALLING;
	t->cut = oracle_has_calls(o) && (t->inside || t->call_begun);
	if (calls && t->cut)
		return;
	for (uint32_t i = 0; i <= o->set->tasks[task].segment_count; i++) {
		struct operation_state *op = oracle_op(o, task, i);
		t->cut |= op->copying || op->in_flight > 0;
		t->last_over = op->placed > 0 ? i : t->last_over;
		if (!op->copying && op->in_flight == 0)
			leave(o, op, -1);
		op->blocks = op->placed;
		op->lost = 0;
	}
	if (!t->cut) {
		end_current(o, task, ORACLE_ABORTED);
		return;
	}
	if (t->unit == UNIT_WAITING)
		end_unit(o, task); /* its kernels are lost, but a copy before them goes on */
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
