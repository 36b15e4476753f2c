/* db/audit/sweep.h - one run's rows in the order of time, and the state that follows from them.
 *
 * The sweep reads jobs by release, intervals by the instant at which they became ready, and blocks by their
 * start. For each task it keeps the current job and operation by the recording: a task has at most one of
 * each (docs/model.md, "Time and order"). From these, and from the policy's promises, it derives again who is
 * in which queue at each instant. It judges nothing: at every station it calls the laws (db/audit/law.h).
 *
 * It needs memory for the tasks, the jobs that wait, and the blocks that are on the GPU. */
#ifndef CEGSIM_DB_AUDIT_SWEEP_H
#define CEGSIM_DB_AUDIT_SWEEP_H

#include "db/audit/state.h"

/* Sweeps the rows of one run, from all tables that its level has. False: *err. */
MUST_CHECK bool sweep_run(
	struct audit *audit, struct recording *r, struct db_reader *source, struct error *err);

/* What the laws may ask. */
static inline bool by_arrival_first(const struct sweep *s, uint32_t a, uint32_t b)
{
	return s->r->lower_first ? a > b : a < b;
}
/* Is a before b in a queue of this order, at this instant? */
bool sweep_before(const struct sweep *s, enum order order, const struct track *a, const struct track *b);
/* The same for their units at the gate. */
bool sweep_unit_before(const struct sweep *s, const struct track *a, const struct track *b);
/* Does a's job have a higher priority than b's, by ranks, deadlines or releases? One of two always has. */
bool sweep_outranks(const struct sweep *s, enum order order, const struct track *a, const struct track *b);
/* The first of the units that wait before t's, have a higher priority, and need an SM of its set; NULL: there
 * is none. */
const struct track *sweep_gate_kept_by(const struct sweep *s, const struct track *t);
/* Is a decision that took time taken at this instant? */
static inline bool sweep_deciding_over(const struct sweep *s)
{
	return s->deciding.until == s->now && s->deciding.asked < s->now;
}
/* Has the decision that is taken been paid for this waiting unit? */
static inline bool sweep_is_paid_for(const struct sweep *s, const struct track *t)
{
	return !promise_decides_slowly(s->promise) || t->unit.since <= s->deciding.asked;
}
/* The SMs that a task's kernel has for itself now; NULL: none, or not known. */
const uint64_t *sweep_own_sms(const struct track *t);
/* Does a kernel on SMs of its own wait for room, or for its start? */
static inline bool waits_on_own(const struct audit_operation *op)
{
	return op->active && op->info->kind == KIND_KERNEL && op->place == PLACE_GRANTED && !op->withdrawn;
}
/* The SM (pool gpu: 0) to which a block of this shape must go, if predicted[] more of its kind are on each;
 * UINT32_MAX: it fits nowhere. */
uint32_t sweep_gpu_choice(const struct sweep *s, const struct audit_shape *shape);
/* Shared memory of an SM, as far as one more such block is concerned. */
int64_t sweep_gpu_memory(const struct sweep *s, const struct sm *sm, const struct audit_shape *shape);
/* Does one more block fit there? `at` is below the number of pools. */
bool sweep_gpu_fits(const struct sweep *s, uint32_t at, const struct audit_shape *shape);
/* The same whatever the order in which blocks were placed at one instant. */
bool sweep_gpu_surely_fits(const struct sweep *s, uint32_t at, const struct audit_shape *shape);
/* What a block needs: as a block of its task's operation, if it belongs to that; else as described; NULL: it
 * belongs to no kernel. */
const struct audit_shape *sweep_gpu_shape(const struct track *t, const struct block *b);
bool sweep_gpu_is_current(const struct track *t, const struct block *b);
/* Is a before b in the primary queue? */
bool sweep_gpu_in_front(const struct sweep *s, const struct track *a, const struct track *b);
/* db/audit/hands.c: a block of the task is placed on the SM, by its row; one of its current kernel has done
 * its work there. */
void sweep_hands_place(struct sweep *s, const struct track *t, struct sm *sm);
void sweep_hands_end(struct sweep *s, const struct track *t, struct sm *sm);
/* How much later the work of a block begins that is about to be placed. */
int64_t sweep_hands_late(const struct sweep *s, const struct track *t, const struct sm *sm);
/* Number of blocks of a task on an SM. */
uint32_t sweep_gpu_blocks_of(const struct sm *sm, uint32_t task);
/* Is the operation on the GPU that is shown? */
static inline bool on_shown(const struct sweep *s, const struct audit_operation *op)
{
	return op->info && op->info->gpu == s->shown;
}
/* With contexts each has queues of its own. */
static inline bool same_context(const struct recording *r, const struct track *a, const struct track *b)
{
	return !r->contexts || a->task->process == b->task->process;
}
/* Is a kernel in the primary queue, with blocks to place? */
static inline bool in_primary_queue(const struct audit_operation *op)
{
	return op->active && op->info->kind == KIND_KERNEL && op->place == PLACE_QUEUE && !op->withdrawn &&
	       op->placed < op->shape.blocks;
}

/* Whether the task's job stands in a CPU queue. */
bool sweep_wants_core(const struct sweep *s, const struct track *t);
/* Whether a stands in front of b there. */
bool sweep_core_first(const struct sweep *s, const struct track *a, const struct track *b);
/* Whether a job of the task has begun and not ended: the only place that sets it. */
void sweep_set_active(struct sweep *s, struct track *t, bool active);
/* Whether a call goes on that changes whose process has the GPU. */
static inline bool sweep_call_changes(const struct sweep *s)
{
	return s->in_call && s->has != s->had;
}

/* May an interval of the task be on this core? */
static inline bool core_fits(const struct recording *r, const struct track *t, int64_t unit)
{
	return r->machine.global ? unit >= 0 && unit < r->machine.cores : unit == t->task->core;
}

/* ---- shared by the files of the sweep ---- */
/* The state of the GPU, and the machine as it sees it, are in s and s->r from now on. Returns which one was
 * there. */
uint32_t sweep_show(struct sweep *s, uint32_t gpu);
/* The task's job gets a core; a row that names none is on that of its task, as a law says. */
static inline void sweep_take_core(struct sweep *s, struct track *t, int64_t unit)
{
	t->core = unit >= 0 && unit < s->r->machine.cores ? (uint32_t)unit : t->task->core;
	t->on_core_since = s->now;
}
void sweep_fail_memory(struct sweep *s);
void sweep_push(struct sweep *s, int64_t time, enum event_kind kind, uint32_t subject, int64_t tag);
/* Like list_reserve() (base/list.h), but a failure ends the audit. */
MUST_CHECK bool sweep_grow(struct sweep *s, void **array, size_t *capacity, size_t needed, size_t size);
/* db/audit/jobs_in_time.c */
/* An interval on its core is over, and the job needs the core still. */
static inline void sweep_cut(struct sweep *s, struct track *t)
{
	t->cut_at = s->now;
	t->cut_on = t->core;
}
void sweep_job_release(struct sweep *s, struct track *t, const struct job *job);
void sweep_job_part_starts(struct sweep *s, struct track *t, int64_t operation);
void sweep_job_part_ends(struct sweep *s, struct track *t, int64_t operation);
void sweep_job_closes(struct sweep *s, struct track *t, int64_t seq);
void sweep_job_add_interval(struct sweep *s, struct track *t, const struct interval *row);
void sweep_job_synced(struct sweep *s, struct track *t, int64_t operation);
void sweep_job_end_of_run(struct sweep *s, struct track *t);
/* Are there intervals of this segment of the track's job that belong to no operation yet? */
bool sweep_job_has(const struct track *t, uint32_t segment, bool launch);
/* db/audit/job_records.c */
void job_record_add(const struct sweep *s, struct job_record *record, const struct job *job);
/* db/audit/calls_in_time.c */
void sweep_call_begins(struct sweep *s, struct track *t);
void sweep_call_ends(struct sweep *s, struct track *t); /* or is given up; its job goes on behind it */
void sweep_call_passes(struct sweep *s, struct track *t, bool inside); /* one that takes no time */
void sweep_calls_settle(struct sweep *s); /* at the end of an instant: who has the lock */
/* db/audit/overheads_in_time.c */
void sweep_add_interrupt(struct sweep *s, const struct interval *row);
void sweep_interrupt(struct sweep *s, uint32_t core, bool begins);
void sweep_switch(struct sweep *s); /* at the end of an instant: who has the cores, and what it has to pay */
/* The task whose interrupt is next on a core; NULL: none waits. */
const struct track *sweep_next_interrupt(const struct sweep *s, uint32_t core);
void sweep_note_end(struct sweep *s, const struct track *t); /* its operation leaves its stream */
/* From when the operation may be eligible, for what is in front of it in its queue, and if it has been issued
 * at `issued`. */
int64_t sweep_eligible_from(const struct sweep *s, const struct track *t, int64_t issued);
/* Of the kernel that is the track's operation now: blocks, length, and room for what is seen of them. */
void sweep_job_choose_shape(struct sweep *s, struct track *t);
/* The first block of a kernel that has whole SMs or virtual ones was placed: it shows which. */
void sweep_job_settle_shape(struct sweep *s, struct track *t, const struct block *first);
/* db/audit/rows.c: the rows, in the order of time. Each function reads the next row into s->next_... */
MUST_CHECK bool sweep_open_rows(struct sweep *s, struct db_reader *source);
void sweep_close_rows(struct sweep *s);
void sweep_next_job(struct sweep *s);
void sweep_next_interval(struct sweep *s);
void sweep_read_blocks(struct sweep *s);    /* into `fresh`: those placed by now, by task and number */
void sweep_read_decisions(struct sweep *s); /* into `decision`: those made by now */
/* db/audit/contexts_in_time.c */
MUST_CHECK bool sweep_open_contexts(struct sweep *s, struct db_reader *source);
void sweep_read_contexts(struct sweep *s); /* those that have begun by now */
/* db/audit/gate_in_time.c; units that the gate admits go into s->admitted */
void sweep_gate_arrive(struct sweep *s, struct track *t); /* its operation comes to the gate */
void sweep_gate_decide(struct sweep *s);
void sweep_gate_place(struct sweep *s);  /* the one gate in front of several GPUs, of a policy that chooses */
void sweep_gate_closed(struct sweep *s); /* at S no unit is admitted any more */
void sweep_gate_over(struct sweep *s, struct track *t);     /* its unit, if there is one, is over */
void sweep_gate_withdraw(struct sweep *s, struct track *t); /* no more of its job begins */
void sweep_gate_passed(struct sweep *s, struct track *t);   /* its job has passed another segment */
void sweep_gate_starts(struct sweep *s, struct track *t);   /* its operation starts, admitted or not */
bool line_remove(struct audit_line *l, uint32_t task);
static inline void line_add(struct audit_line *l, uint32_t task)
{
	l->task[l->count++] = task;
}
/* db/audit/queues.c */
void sweep_queues_arrive(struct sweep *s, struct track *t); /* its operation became ready */
void sweep_queues_leave(struct sweep *s, struct track *t);  /* it ended, or was withdrawn */
void sweep_queues_leave_section(struct sweep *s, struct track *t);
void sweep_queues_pause(struct sweep *s, struct track *t); /* a copy is frozen, or lost */
void sweep_queues_start(struct sweep *s, struct track *t); /* a copy got its engine */
void sweep_queues_settle(struct sweep *s);                 /* phases 4 and 5, up to the resources */
void sweep_queues_issue(struct sweep *s); /* operations that may be issued go to their streams, and further */
/* db/audit/table_in_time.c */
void sweep_table_settle(
	struct sweep *s); /* who has an entry, and, in `walk`, who of these has blocks to place */
/* The first kernel in front of this one in the walk that cannot place its next block and whose mask meets its
 * own; NULL: none. */
const struct track *sweep_table_held_by(const struct sweep *s, const struct track *t);
/* db/audit/gpu_in_time.c */
void sweep_gpu_dispatch(struct sweep *s);
void sweep_gpu_block_ends(struct sweep *s, uint32_t index);
/* Ends the interval of constant power at `until`, if the power has changed or the run is over. */
void sweep_gpu_settle_power(struct sweep *s, int64_t until, bool over);

#endif
