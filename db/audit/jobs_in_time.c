/* db/audit/jobs_in_time.c - the jobs over time: which segment of each is current, since when it has been
 * ready, and which recorded intervals belong to it (docs/model.md, "Time and order", "Misses").
 *
 * When a segment is ready is never taken from the recording. A segment is ready when the one before it has
 * ended, the first one when its job begins. A job begins at its release, or when the job before it has
 * ended. */
#include <string.h>

#include "db/audit/law.h"
#include "db/audit/sweep.h"

static void tell(struct sweep *s, enum station at, const struct track *t, const struct interval *row)
{
	if (audit_hears(s->audit, at))
		audit_tell(s->audit, &(struct moment){
					     .at = at,
					     .time = s->now,
					     .sweep = s,
					     .track = t,
					     .interval = row,
					     .job = t && t->active ? &t->job : NULL,
				     });
}

/* ---- Intervals that wait for their operation ---- */

/* On the core but not computing: meanwhile the job's GPU section runs, or the core is switched to it. */
static bool is_spin(const struct track *t, const struct interval *row)
{
	if (row->resource != ON_CPU || row->segment < 0 || row->segment >= t->task->segments ||
		row->occupancy == OCCUPY_LAUNCH || row->occupancy == OCCUPY_CALL)
		return false;
	return row->occupancy == OCCUPY_SPIN || row->occupancy == OCCUPY_SWITCH ||
	       t->task->segment[row->segment].kind != KIND_CPU;
}

static void add_spin(struct sweep *s, struct track *t, const struct interval *row)
{
	if (!sweep_grow(s, (void **)&t->spin, &t->spin_capacity, t->spins + 1, sizeof(*row)))
		return;
	size_t at = t->spins++;
	for (; at > 0 && row->start < t->spin[at - 1].start; at--)
		t->spin[at] = t->spin[at - 1];
	t->spin[at] = *row;
}

void sweep_job_add_interval(struct sweep *s, struct track *t, const struct interval *row)
{
	if (row->resource == ON_CPU &&
		(row->occupancy == OCCUPY_INTERRUPT || row->occupancy == OCCUPY_DECISION)) {
		sweep_add_interrupt(s, row);
		return;
	}
	if (is_spin(t, row)) {
		add_spin(s, t, row);
		sweep_push(s, row->start, EVENT_SPIN_STARTS, t->index, 0);
		sweep_push(s, row->end, EVENT_SPIN_ENDS, t->index, 0);
		return;
	}
	if (!sweep_grow(s, (void **)&t->pending, &t->pending_capacity, t->pending_count + 1, sizeof(*row)))
		return;
	t->pending[t->pending_count++] = *row;
}

/* Whether it is an interval of the operation, of its launch, or of a call. */
static bool is_part(const struct interval *row, bool launching, bool calling)
{
	return (row->occupancy == OCCUPY_LAUNCH) == launching && (row->occupancy == OCCUPY_CALL) == calling;
}

/* Moves the intervals of the operation that begins from `pending` to the operation, in the order of their
 * starts. */
static void take_intervals(struct sweep *s, struct track *t)
{
	struct audit_operation *op = &t->op;
	size_t kept = 0, capacity = op->capacity;
	op->parts = 0;
	for (size_t i = 0; i < t->pending_count; i++) {
		const struct interval *row = &t->pending[i];
		if (row->seq != t->job.seq || row->segment != op->segment ||
			!is_part(row, op->launching, op->calling)) {
			t->pending[kept++] = *row;
			continue;
		}
		if (!sweep_grow(s, (void **)&op->part, &capacity, op->parts + 1u, sizeof(*row)))
			return;
		uint32_t at = op->parts++;
		for (; at > 0 && row->start < op->part[at - 1].start; at--)
			op->part[at] = op->part[at - 1];
		op->part[at] = *row;
		op->capacity = (uint32_t)capacity;
	}
	t->pending_count = kept;
}

/* Intervals left over from jobs up to `seq` belong to nothing. */
static void drop_strays(struct sweep *s, struct track *t, int64_t seq)
{
	size_t kept = 0;
	for (size_t i = 0; i < t->pending_count; i++) {
		if (t->pending[i].seq > seq)
			t->pending[kept++] = t->pending[i];
		else
			tell(s, AT_STRAY, t, &t->pending[i]);
	}
	t->pending_count = kept;
}

bool sweep_job_has(const struct track *t, uint32_t segment, bool launch)
{
	for (size_t i = 0; i < t->pending_count; i++) {
		if (t->pending[i].seq == t->job.seq && t->pending[i].segment == segment &&
			is_part(&t->pending[i], launch, false))
			return true;
	}
	return false;
}

/* ---- Operations ---- */

static void leave_section(struct sweep *s, struct track *t)
{
	t->bound = false;
	if (!t->in_section)
		return;
	t->in_section = false;
	sweep_queues_leave_section(s, t);
}

/* Beside an operation itself, what a job does on the core for it or its section. */
enum work { WORK_OPERATION, WORK_LAUNCH, WORK_CALL };

/* The GPU on which the operation was; a launch in front of it was on a core. */
static int64_t gpu_of(const struct track *t)
{
	const struct audit_operation *op = &t->op;
	bool on_core = op->launching || op->calling;
	if (!on_core && op->parts)
		return op->part[0].gpu;
	for (size_t i = 0; on_core && i < t->pending_count; i++)
		if (t->pending[i].seq == t->job.seq && t->pending[i].segment == op->segment &&
			is_part(&t->pending[i], false, false))
			return t->pending[i].gpu;
	return op->info->named;
}

/* The policy chose a GPU for the section: the one that its first operation was on. */
static void place(struct sweep *s, struct track *t)
{
	struct audit_operation *op = &t->op;
	if (!t->bound)
		placed_bind(&s->mine->task[t->index], s->r->gpus, op->segment, gpu_of(t));
	t->bound = true;
	if (!op->launching && !op->calling) {
		int64_t length = segment_length(s->r, t->index, op->segment, t->job.seq, NULL);
		op->length = length > 0 ? length : 1;
	}
	(void)sweep_show(s, op->info->gpu);
}

/* The track's next operation, with its recorded intervals, or what is done for it. `ready`: when its
 * predecessor ended. */
static void set_operation(
	struct sweep *s, struct track *t, uint32_t segment, int64_t length, int64_t ready, enum work work)
{
	struct audit_operation *op = &t->op, old = *op;
	*op = (struct audit_operation){
		.active = true,
		.launching = work == WORK_LAUNCH,
		.calling = work == WORK_CALL,
		.length = length,
		.segment = segment,
		.info = &t->task->segment[segment],
		.ready = ready,
		.called = work != WORK_OPERATION || !old.launching ? s->now : old.called,
		.launched = s->now,
		.entered = s->now,
		.part = old.part,
		.capacity = old.capacity,
		.seen = old.seen,
		.seen_words = old.seen_words,
		.frozen = old.frozen,
		.frozen_count = old.frozen_count,
		.first_block = INT64_MAX,
		.last_block = INT64_MIN,
	};
	(void)sweep_show(s, op->info->gpu);
	t->operations++;
	take_intervals(s, t);
	if (t->task->on && op->info->kind != KIND_CPU)
		place(s, t);
}

/* Is the segment that it comes to the first of a section on another GPU? */
static bool changes_gpu(const struct track *t)
{
	bool changes = false;
	if (!t->in_section || !t->op.info || t->op.info->kind == KIND_CPU)
		return false;
	/* Also if what is on another GPU was of length zero, and passed. */
	for (uint32_t k = t->op.segment + 1; k <= t->segment && k < t->task->segments; k++)
		changes |= t->task->segment[k].kind != KIND_CPU &&
			   t->task->segment[k].named != t->op.info->named;
	return changes;
}

static void enter_section(struct sweep *s, struct track *t)
{
	if (!t->in_section && t->section_left != s->now) {
		t->section = t->segment;
		t->section_since = s->now;
	}
	t->in_section = true;
}

/* `ready`: when its predecessor ended. */
static void begin_operation(struct sweep *s, struct track *t, int64_t length, int64_t ready)
{
	struct audit_operation *op = &t->op;
	if (changes_gpu(t)) {
		sweep_queues_leave_section(s, t);
		t->bound = false;
	}
	set_operation(s, t, t->segment, length, ready, WORK_OPERATION);
	if (!s->promise) /* the SMs on which blocks of this kernel are seen */
		memset(t->chosen, 0, set_words(s->r) * sizeof(*t->chosen));
	if (op->info->kind == KIND_KERNEL)
		sweep_job_choose_shape(s, t);
	if (op->info->kind == KIND_CPU) {
		op->place = PLACE_CPU;
		leave_section(s, t);
	} else {
		enter_section(s, t);
		sweep_queues_arrive(s, t);
	}
	tell(s, AT_READY, t, NULL);
	if (op->parts)
		sweep_push(s, op->part[0].start, EVENT_PART_STARTS, t->index, t->operations);
}

/* What the job needs a core for, beside its CPU segments. */
static void begin_work(
	struct sweep *s, struct track *t, uint32_t segment, int64_t length, int64_t ready, enum work work)
{
	struct audit_operation *op = &t->op;
	set_operation(s, t, segment, length, ready, work);
	op->place = PLACE_CPU;
	tell(s, AT_READY, t, NULL);
	if (op->parts)
		sweep_push(s, op->part[0].start, EVENT_PART_STARTS, t->index, t->operations);
}

/* A copy or kernel begins, or its launch. Without the launch's row it goes on, which a law reports. If the
 * job spins already, it goes on with it behind the launch. */
static void begin_or_launch(struct sweep *s, struct track *t, int64_t length, int64_t ready)
{
	bool has = sweep_job_has(t, t->segment, true) || !sweep_job_has(t, t->segment, false);
	if (s->r->machine.takes.launch_ns == 0 || !has) {
		begin_operation(s, t, length, ready);
		return;
	}
	if (t->section_left == s->now)
		t->in_section = true;
	begin_work(s, t, t->segment, s->r->machine.takes.launch_ns, ready, WORK_LAUNCH);
}

static void take_from_core(struct sweep *s, struct track *t)
{
	if (!t->on_core)
		return;
	t->on_core = false;
	s->on_core--;
}

/* The operation of the track is over, whether done or not. */
static void end_operation(struct sweep *s, struct track *t)
{
	struct audit_operation *op = &t->op;
	if (!op->active)
		return;
	if (computes(op))
		take_from_core(s, t);
	else
		sweep_queues_leave(s, t);
	if (op->calling)
		sweep_call_ends(s, t);
	op->active = op->running = false;
}

/* The instant from which, by the job's row and the rule for misses, no part of the job may begin; NOT_GIVEN:
 * none before S. */
static int64_t closing_time(const struct recording *r, const struct job *job)
{
	if (job->state == STATE_ABORTED)
		return job->deadline;
	if (job->state == STATE_UNFINISHED && r->on_miss == ON_MISS_ABORT && job->deadline < r->stop_ns)
		return job->deadline;
	return job->finish; /* NOT_GIVEN for an unfinished job */
}

static bool begin_next_job(struct sweep *s, struct track *t)
{
	while (t->waiting_count) {
		t->job = t->waiting[t->waiting_from];
		t->waiting_from = (t->waiting_from + 1) % t->waiting_capacity;
		t->waiting_count--;
		bool removed = t->job.state == STATE_DROPPED || t->job.state == STATE_ABORTED;
		if (removed && t->job.deadline <= s->now && t->job.first_start == NOT_GIVEN)
			continue;
		sweep_set_active(s, t, true);
		t->closing = false;
		t->segment = 0;
		t->first_start = NOT_GIVEN;
		int64_t closes = closing_time(s->r, &t->job);
		if (closes != NOT_GIVEN)
			sweep_push(s, closes, EVENT_JOB_CLOSES, t->index, t->job.seq);
		return true;
	}
	return false;
}

static void end_job(struct sweep *s, struct track *t)
{
	tell(s, AT_JOB_END, t, NULL);
	end_operation(s, t);
	leave_section(s, t);
	drop_strays(s, t, t->job.seq);
	sweep_set_active(s, t, false);
	t->op.launching = t->op.calling = false;
	t->section_left = NOT_GIVEN;
	if (t->caller.inside)
		sweep_call_passes(s, t, false);
	t->caller.stage = CALL_NONE;
}

/* Does the job stop behind its GPU section? Its unit is over at once. */
static bool syncs(struct sweep *s, struct track *t)
{
	bool over = t->segment >= t->task->segments || t->task->segment[t->segment].kind == KIND_CPU ||
		    changes_gpu(t);
	if (s->r->machine.takes.sync_ns == 0 || !t->in_section || !over || t->closing || t->synced)
		return false;
	sweep_queues_leave_section(s, t);
	int64_t until = s->now + s->r->machine.takes.sync_ns;
	if (until <= s->r->stop_ns)
		sweep_push(s, until, EVENT_SYNC_ENDS, t->index, t->operations);
	return true;
}

/* Are there calls around sections, if only such as take no time? */
static bool wraps(const struct sweep *s)
{
	return s->r->calls || (s->r->contexts && s->r->promise && s->r->promise->owned);
}

/* An operation is ready: is the begin call of its section in front of it? */
static bool comes_by_call(struct sweep *s, struct track *t)
{
	struct caller *c = &t->caller;
	if (!wraps(s) || c->stage == CALL_IN)
		return false;
	c->segment = c->first = t->segment;
	if (!s->r->calls) {
		c->stage = CALL_IN;
		sweep_call_passes(s, t, true);
		return false;
	}
	c->stage = CALL_BEGIN;
	begin_work(s, t, t->segment, 0, s->now, WORK_CALL);
	c->parts = t->op.parts;
	return true;
}

/* Behind a section, and its `sync`: is the end call next? */
static bool leaves_by_call(struct sweep *s, struct track *t)
{
	struct caller *c = &t->caller;
	bool over = t->closing || t->segment >= t->task->segments ||
		    t->task->segment[t->segment].kind == KIND_CPU;
	if (c->stage != CALL_IN || !over)
		return false;
	if (!s->r->calls) {
		c->stage = CALL_NONE;
		sweep_call_passes(s, t, false);
		return false;
	}
	leave_section(s, t);
	c->stage = CALL_END;
	begin_work(s, t, c->segment, 0, s->now, WORK_CALL);
	return true;
}

/* The length of the next segment on the GPU that it names, wherever its section is placed: what is of length
 * zero there passes (docs/model.md, N4). */
static int64_t named_length(const struct sweep *s, const struct track *t)
{
	const struct member *task = t->task;
	if (!task->on)
		return segment_length(s->r, t->index, t->segment, t->job.seq, NULL);
	const struct part_of_task *named = &task->on[(size_t)s->r->gpus * task->segments + t->segment];
	struct audit_shape shape = {.low_ns = named->low_ns, .high_ns = named->high_ns};
	return segment_length(s->r, t->index, t->segment, t->job.seq, &shape);
}

/* Goes on to the next segment that takes time, in this job or a later one. */
static void advance(struct sweep *s, struct track *t)
{
	while ((t->active || begin_next_job(s, t)) && !s->failed) {
		if (syncs(s, t) || leaves_by_call(s, t))
			return;
		if (t->closing || t->segment >= t->task->segments) {
			end_job(s, t);
			continue;
		}
		int64_t length = named_length(s, t);
		bool cpu = t->task->segment[t->segment].kind == KIND_CPU;
		if (length > 0 || sweep_job_has(t, t->segment, false)) {
			if (cpu)
				begin_operation(s, t, length, s->now);
			else if (!comes_by_call(s, t))
				begin_or_launch(s, t, length, s->now);
			return;
		}
		if (t->first_start == NOT_GIVEN)
			t->first_start = s->now;
		if (cpu) {
			if (t->in_section)
				t->section_left = s->now;
			leave_section(s, t);
		}
		t->segment++;
		sweep_gate_passed(s, t);
	}
}

/* ---- Events ---- */

void sweep_job_release(struct sweep *s, struct track *t, const struct job *job)
{
	if (audit_hears(s->audit, AT_JOB))
		audit_tell(s->audit,
			&(struct moment){.at = AT_JOB, .time = s->now, .sweep = s, .track = t, .job = job});
	job_record_add(s, &t->record, job);
	struct audit_core *c = &s->core[t->task->core];
	if (c->interrupts_until < s->now)
		c->interrupts_until = s->now;
	c->interrupts_until += s->r->machine.takes.release_ns;
	if (!s->with_segments)
		return;
	size_t old = t->waiting_capacity, wrapped = old ? t->waiting_from : 0;
	if (!sweep_grow(s, (void **)&t->waiting, &t->waiting_capacity, t->waiting_count + 1, sizeof(*job)))
		return;
	/* The ring was full and has grown: the entries at its beginning move behind the old end. */
	if (t->waiting_capacity > old && wrapped)
		memcpy(t->waiting + old, t->waiting, wrapped * sizeof(*job));
	t->waiting[(t->waiting_from + t->waiting_count++) % t->waiting_capacity] = *job;
	if (!t->active)
		advance(s, t);
}

void sweep_job_synced(struct sweep *s, struct track *t, int64_t operation)
{
	if (!t->active || t->op.active || t->operations != operation)
		return;
	t->synced = true;
	advance(s, t);
	t->synced = false;
}

void sweep_job_part_starts(struct sweep *s, struct track *t, int64_t operation)
{
	struct audit_operation *op = &t->op;
	if (!op->active || t->operations != operation || op->at >= op->parts)
		return;
	(void)sweep_show(s, op->info->gpu);
	const struct interval *part = &op->part[op->at];
	op->running = true;
	if (t->first_start == NOT_GIVEN)
		t->first_start = s->now;
	if (computes(op)) {
		sweep_take_core(s, t, part->unit);
		t->on_core = true;
		s->on_core++;
		if (op->calling && op->at == 0)
			sweep_call_begins(s, t);
	} else {
		sweep_gate_starts(s, t); /* shows others */
		(void)sweep_show(s, op->info->gpu);
		tell(s, AT_START, t, part);
		sweep_queues_start(s, t);
	}
	sweep_push(s, part->end, EVENT_PART_ENDS, t->index, operation);
}

void sweep_job_part_ends(struct sweep *s, struct track *t, int64_t operation)
{
	struct audit_operation *op = &t->op;
	if (!op->active || t->operations != operation || !op->running)
		return;
	(void)sweep_show(s, op->info->gpu);
	const struct interval *part = &op->part[op->at];
	bool cpu = computes(op);
	if (op->info->kind == KIND_KERNEL && !cpu)
		tell(s, AT_KERNEL_END, t, part);
	op->at++;
	if (part->ended == ENDED_STOPPED || (cpu && part->ended == ENDED_ABORTED)) {
		op->running = false;
		if (cpu)
			take_from_core(s, t);
		return;
	}
	bool goes_on = part->ended == ENDED_PREEMPTED || part->ended == ENDED_RESET;
	if (goes_on && (cpu || s->r->contexts)) {
		op->running = false;
		if (cpu) {
			sweep_cut(s, t);
			take_from_core(s, t);
		} else {
			sweep_queues_pause(s, t);
		}
		if (op->at < op->parts)
			sweep_push(s, op->part[op->at].start, EVENT_PART_STARTS, t->index, operation);
		return;
	}
	end_operation(s, t);
	if (op->launching || (op->calling && t->caller.stage == CALL_IN && !t->closing)) {
		int64_t length = segment_length(s->r, t->index, t->segment, t->job.seq, NULL);
		if (op->launching)
			begin_operation(s, t, length, op->ready);
		else
			begin_or_launch(s, t, length, op->ready);
		return;
	}
	if (op->calling) {
		advance(s, t);
		return;
	}
	t->caller.segment = t->segment;
	t->segment++;
	sweep_gate_passed(s, t);
	advance(s, t);
}

void sweep_job_closes(struct sweep *s, struct track *t, int64_t seq)
{
	struct audit_operation *op = &t->op;
	if (!t->active || t->job.seq != seq)
		return;
	if (op->active)
		(void)sweep_show(s, op->info->gpu);
	if (t->job.state == STATE_ABORTED || t->job.state == STATE_UNFINISHED) {
		t->closing = true;
		/* What is frozen goes on, if only after S. */
		bool frozen = op->active && op->at > 0 && !op->running &&
			      (op->at < op->parts || t->job.state == STATE_UNFINISHED);
		if (op->active && (op->running || frozen) && !computes(op)) {
			op->withdrawn = true;
			sweep_gate_withdraw(s, t);
			s->gpu_changed = true;
			return;
		}
		/* It goes on to the end of its end call. */
		if (op->active && op->calling && (t->caller.begun || t->caller.stage == CALL_END))
			return;
		if (t->caller.stage == CALL_IN) {
			if (op->active && op->at > 0 && !computes(op))
				t->caller.segment = op->segment; /* of which nothing is left */
			end_operation(s, t);
			advance(s, t);
			return;
		}
	}
	end_job(s, t);
	advance(s, t);
}

void sweep_job_end_of_run(struct sweep *s, struct track *t)
{
	if (t->active)
		tell(s, AT_JOB_END, t, NULL);
	drop_strays(s, t, INT64_MAX);
}
