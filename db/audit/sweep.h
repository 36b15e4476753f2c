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

#include "db/audit/recording.h"

enum job_state { STATE_FINISHED, STATE_DROPPED, STATE_ABORTED, STATE_UNFINISHED };
enum resource { ON_CPU, ON_COPY, ON_GPU };
enum occupancy { OCCUPY_RUN, OCCUPY_SPIN, OCCUPY_BOOST };
enum ended { ENDED_DONE, ENDED_PREEMPTED, ENDED_ABORTED, ENDED_STOPPED };

/* Rows as recorded; NOT_GIVEN where a column is NULL. */
struct job {
	int64_t seq, release, deadline, first_start, finish;
	int64_t outcome; /* as it stands there */
	enum job_state state;
	bool missed;
};

struct interval {
	int64_t seq, segment, part, unit, ready, start, end, granted;
	int64_t code; /* as it stands there */
	enum resource resource;
	enum occupancy occupancy;
	enum ended ended;
};

struct block {
	uint32_t task; /* UINT32_MAX: of another set */
	int64_t seq, segment, index, sm, slot, threads, start, end;
	int64_t code; /* as it stands there */
	enum ended ended;
};

/* A number of SMs that a policy weighed for a unit. */
struct decision {
	uint32_t task; /* UINT32_MAX: of another set */
	int64_t time, seq, segment, sms, kernel_end, predicted;
	bool feasible, chosen;
};

/* Where an operation stands. Copies and kernels go from one to the next. */
enum place { PLACE_CPU, PLACE_GATE, PLACE_STREAM, PLACE_QUEUE, PLACE_GRANTED };

/* The current segment of a job. */
struct operation {
	bool active, running;
	bool waits_for_engine; /* counted in copies_waiting */
	uint32_t segment;
	const struct part_of_task *info;
	int64_t length;               /* that it must take; kernels: each block */
	int64_t ready;                /* derived: when its predecessor ended, or its job began */
	struct interval *part;        /* [parts]: its recorded intervals, in order */
	uint32_t parts, capacity, at; /* at: the part that runs, or is next */
	enum place place;
	int64_t entered;                 /* when it came to where it stands */
	uint64_t issue;                  /* its number in the order of issue to streams */
	struct shape shape;              /* kernels */
	bool either;                     /* on whole SMs or virtual ones: that is not known yet */
	uint32_t other_blocks;           /* it may have as many instead; 0: no */
	uint32_t placed, resident;       /* blocks placed so far; on the GPU now */
	int64_t first_block, last_block; /* start of the first, end of the last of the placed ones */
	bool withdrawn;                  /* aborted: blocks not placed never will be */
	uint64_t *seen;                  /* bit per block index */
	size_t seen_words;
};

/* What a gate admits as one: the task's current kernel or section. */
enum unit_state { UNIT_NONE, UNIT_WAITS, UNIT_ADMITTED, UNIT_OVER };
struct unit {
	enum unit_state state;
	int64_t since;        /* when it began to wait */
	int64_t admitted;     /* when it was admitted */
	uint32_t first, last; /* kernels of a section as one: segments of the first and the last of them */
	int64_t sms;          /* chosen for it; NOT_GIVEN: not known yet */
	const uint64_t *held; /* SMs it holds while it is admitted; NULL: none of its own, or not known */
};

#define BUCKETS 1024 /* more than 63 bits of response need */

struct track { /* a task in time */
	uint32_t index, rank;
	const struct member *task;
	struct job *waiting; /* [waiting_count] from waiting_from: released, not begun */
	size_t waiting_from, waiting_count, waiting_capacity;
	bool active; /* `job` has begun and not ended */
	struct job job;
	uint32_t segment;    /* that is next, or current */
	bool closing;        /* aborted: ends with what runs */
	int64_t operations;  /* so far; events of earlier ones are stale */
	int64_t first_start; /* of the job, derived; NOT_GIVEN: not yet */
	bool in_section;     /* in a GPU section: from its first operation's ready to its last's end */
	uint32_t section; /* that operation's segment, and when it was ready; of the first one, if one section
			   * follows the other through CPU segments of length zero */
	int64_t section_since, section_left; /* section_left: when such a segment was passed */
	struct unit unit;
	uint64_t *chosen; /* bit per SM: those chosen for its unit, or seen to be; without promises: its
			     kernel's */
	uint32_t *most;   /* per SM: most blocks of it at a time so far; NULL: it has no virtual SMs */
	struct operation op;
	struct interval *pending; /* intervals read whose operation is still to come */
	size_t pending_count, pending_capacity;
	struct interval *spin; /* [spins]: spinning that was read and has not ended, by start */
	size_t spins, spin_capacity;
	bool on_core;                   /* has the core, computing or spinning */
	size_t fresh_from, fresh_count; /* its blocks among those placed at this instant */
	struct job_record {             /* what the laws on job rows remember */
		int64_t count, misses, responses, minimum, maximum, lower_bound, last_release, last_end,
			last_finish;
		int128 sum;
		bool any_unfinished;
		int64_t *bucket; /* [BUCKETS] of the histogram */
	} record;
};

/* Task indices in order of arrival. */
struct line {
	uint32_t *task;
	uint32_t count;
};

/* Who uses an SM (pool gpu: the whole GPU is one). */
struct share {
	uint32_t task, blocks;
	int64_t threads, sm_uw;
};

struct sm {
	int64_t threads, warps, registers, shared_memory;
	uint32_t blocks, virtual_sms;
	struct share *share; /* [shares] */
	uint32_t shares, share_capacity;
	uint32_t claimed; /* virtual SMs: sum over the tasks of the most blocks of each */
	uint64_t *slot;   /* bit per slot in use */
	size_t slot_words;
	int64_t dynamic_uw; /* what it adds while active */
	bool touched;
};

/* A block that is on the GPU. */
struct resident {
	uint32_t task, next_free;
	int64_t sm, slot, seq, segment;
	struct shape shape;
};

enum event_kind {
	EVENT_BLOCK_ENDS,
	EVENT_PART_ENDS,
	EVENT_SPIN_ENDS,
	EVENT_JOB_CLOSES,
	EVENT_PART_STARTS,
	EVENT_SPIN_STARTS
};

struct event {
	int64_t time;
	enum event_kind kind;
	uint32_t subject; /* task, or resident */
	int64_t tag;      /* job that closes, or number of the operation */
};

struct power {
	int64_t since, uw;
	uint32_t active;
	int128 energy_uwns; /* of [0, since) */
};

struct audit; /* db/audit/law.h */

struct sweep {
	struct audit *audit;
	const struct recording *r;
	const struct promise *promise; /* NULL: queues are not derived */
	struct error *err;
	bool failed; /* *err holds why */
	int64_t now;
	bool with_segments, with_blocks;

	struct track *track;    /* [tasks] */
	struct track **by_rank; /* [tasks] */
	struct event *heap;
	size_t events, event_capacity;

	struct db_cursor *job_rows, *interval_rows, *block_rows, *decision_rows;
	bool more_jobs, more_intervals, more_blocks, more_decisions;
	struct job next_job;
	uint32_t next_job_task;
	struct interval next_interval;
	uint32_t next_interval_task;
	struct block next_block;
	struct decision next_decision;

	/* CPU. */
	uint32_t on_core; /* tasks that have it now */
	/* Gate and streams. */
	struct line gate, null_queue, *queue; /* gate: units that wait; queue[work_queues] */
	uint32_t units_admitted;
	bool gate_stirs; /* at this instant a unit began to wait, one that waited left, or one that was
			    admitted, or a kernel of it, ended */
	uint64_t *held;  /* scratch: bit per SM */
	struct decision *decision; /* [decisions] made at this instant */
	size_t decisions, decision_capacity;
	uint64_t issued;
	struct line newly, admitted; /* became ready, may be issued, at this instant */
	bool streams_changed;
	/* Copies, per engine. */
	uint32_t copying[2], copies_waiting[2];
	/* GPU. */
	struct sm *sm; /* [pools] */
	uint32_t pools;
	struct resident *resident;
	size_t residents, resident_capacity;
	uint32_t free_resident;
	struct block *fresh; /* blocks placed at this instant, by task */
	size_t fresh_count, fresh_capacity;
	uint32_t *predicted; /* scratch [pools] */
	bool gpu_changed;
	bool power_unseen; /* a kernel's power depends on how many SMs it had, and nobody knows */
	struct power power;
};

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
/* Is a's job of higher priority than b's, by ranks or deadlines? Always one of two is. */
bool sweep_outranks(enum order order, const struct track *a, const struct track *b);
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
uint32_t sweep_gpu_choice(const struct sweep *s, const struct shape *shape);
/* Does one more block fit there? `at` < pools. */
bool sweep_gpu_fits(const struct sweep *s, uint32_t at, const struct shape *shape);
/* What a block needs: of its task's operation if it is one of that, else as described; NULL: of no kernel. */
const struct shape *sweep_gpu_shape(const struct track *t, const struct block *b);
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
