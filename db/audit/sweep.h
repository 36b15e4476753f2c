/* db/audit/sweep.h - one run's rows in the order of time, and what must be true between them.
 *
 * The sweep reads jobs by release, intervals by the instant they became ready and blocks by
 * their start, and keeps, per task, the job and the operation that the recording says is
 * current: a task has at most one of each (docs/model.md, "Time and order"). From that, and
 * from the policy's promises, it derives again who stands in which queue at each instant.
 * It judges nothing: at every point of interest it calls the laws (db/audit/law.h).
 *
 * Memory: the tasks, the jobs that wait, and the blocks that are on the GPU. */
#ifndef CEGSIM_DB_AUDIT_SWEEP_H
#define CEGSIM_DB_AUDIT_SWEEP_H

#include "db/audit/state.h"

/* Runs over one run's rows, as many tables as its level has. False: *err. */
MUST_CHECK bool sweep_run(
	struct audit *audit, const struct recording *r, struct db_reader *source, struct error *err);

/* What the laws may ask. */
static inline bool by_arrival_first(const struct sweep *s, uint32_t a, uint32_t b)
{
	return s->r->lower_first ? a > b : a < b;
}
/* Does a go before b in a queue of this order at this instant? */
bool sweep_before(const struct sweep *s, enum order order, const struct track *a, const struct track *b);
/* The same of their units, at the gate. */
bool sweep_unit_before(const struct sweep *s, const struct track *a, const struct track *b);
/* Is a's job of higher priority than b's, by ranks, deadlines or releases? Always one of two is. */
bool sweep_outranks(const struct sweep *s, enum order order, const struct track *a, const struct track *b);
/* Of the units that wait in front of t's, higher ones that need an SM of its set, the first;
 * NULL: none does. */
const struct track *sweep_gate_kept_by(const struct sweep *s, const struct track *t);
/* The SMs that a task's kernel has for itself now; NULL: none, or not known. */
const uint64_t *sweep_own_sms(const struct track *t);
/* Does a kernel on SMs of its own wait for room, or for its start? */
static inline bool waits_on_own(const struct operation *op)
{
	return op->active && op->info->kind == KIND_KERNEL && op->place == PLACE_GRANTED && !op->withdrawn;
}
/* The SM (or 0 in pool gpu) a block of this shape must go to, with predicted[] more of its kind on
 * each; UINT32_MAX: it fits nowhere. */
uint32_t sweep_gpu_choice(const struct sweep *s, const struct audit_shape *shape);
/* Does one more block fit there? `at` < pools. */
bool sweep_gpu_fits(const struct sweep *s, uint32_t at, const struct audit_shape *shape);
/* What a block needs: of its task's operation if it is one of that, else as described; NULL: of no kernel. */
const struct audit_shape *sweep_gpu_shape(const struct track *t, const struct block *b);
bool sweep_gpu_is_current(const struct track *t, const struct block *b);
/* Blocks of a task that are there. */
uint32_t sweep_gpu_blocks_of(const struct sm *sm, uint32_t task);
/* Is a kernel in the primary queue, with blocks to place? */
static inline bool in_primary_queue(const struct operation *op)
{
	return op->active && op->info->kind == KIND_KERNEL && op->place == PLACE_QUEUE && !op->withdrawn &&
	       op->placed < op->shape.blocks;
}

/* Between the files of the sweep. */
void sweep_fail_memory(struct sweep *s);
void sweep_push(struct sweep *s, int64_t time, enum event_kind kind, uint32_t subject, int64_t tag);
/* As list_reserve() (base/list.h), but one that fails fails the audit. */
MUST_CHECK bool sweep_grow(struct sweep *s, void **array, size_t *capacity, size_t needed, size_t size);
/* db/audit/jobs_in_time.c */
void sweep_job_release(struct sweep *s, struct track *t, const struct job *job);
void sweep_job_part_starts(struct sweep *s, struct track *t, int64_t operation);
void sweep_job_part_ends(struct sweep *s, struct track *t, int64_t operation);
void sweep_job_closes(struct sweep *s, struct track *t, int64_t seq);
void sweep_job_add_interval(struct sweep *s, struct track *t, const struct interval *row);
void sweep_job_end_of_run(struct sweep *s, struct track *t);
/* The first block of a kernel is there that has whole SMs or virtual ones: which of them, it shows. */
void sweep_job_settle_shape(struct sweep *s, struct track *t, const struct block *first);
/* db/audit/rows.c: the rows, in the order of time; each step reads the next one into s->next_... */
MUST_CHECK bool sweep_open_rows(struct sweep *s, struct db_reader *source);
void sweep_close_rows(struct sweep *s);
void sweep_next_job(struct sweep *s);
void sweep_next_interval(struct sweep *s);
void sweep_read_blocks(struct sweep *s);    /* into fresh: those placed by now, by task and number */
void sweep_read_decisions(struct sweep *s); /* into decision: those made by now */
/* db/audit/gate_in_time.c; whom the gate lets pass goes into s->admitted */
void sweep_gate_arrive(struct sweep *s, struct track *t); /* its operation comes to the gate */
void sweep_gate_decide(struct sweep *s);
void sweep_gate_closed(struct sweep *s);                    /* at S nobody is admitted any more */
void sweep_gate_over(struct sweep *s, struct track *t);     /* its unit, if it has one, is over */
void sweep_gate_withdraw(struct sweep *s, struct track *t); /* nothing more of its job begins */
void sweep_gate_passed(struct sweep *s, struct track *t);   /* its job is behind another segment */
void sweep_gate_starts(struct sweep *s, struct track *t);   /* its operation starts, admitted or not */
bool line_remove(struct line *l, uint32_t task);
static inline void line_add(struct line *l, uint32_t task)
{
	l->task[l->count++] = task;
}
/* db/audit/queues.c */
void sweep_queues_arrive(struct sweep *s, struct track *t); /* its operation became ready */
void sweep_queues_leave(struct sweep *s, struct track *t);  /* it ended, or was withdrawn */
void sweep_queues_leave_section(struct sweep *s, struct track *t);
void sweep_queues_start(struct sweep *s, struct track *t); /* a copy got its engine */
void sweep_queues_settle(struct sweep *s);                 /* phases 4 and 5, without the resources */
void sweep_queues_issue(struct sweep *s);                  /* what may be issued goes to its stream, and on */
/* db/audit/gpu_in_time.c */
void sweep_gpu_dispatch(struct sweep *s);
void sweep_gpu_block_ends(struct sweep *s, uint32_t index);
/* Ends the time of constant power at `until` if the power has changed, or the run is over. */
void sweep_gpu_settle_power(struct sweep *s, int64_t until, bool over);

#endif
