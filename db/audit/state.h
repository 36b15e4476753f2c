/* db/audit/state.h - the rows of a run of blocks, and the state that follows from them at each instant
 * (db/audit/sweep.h). */
#ifndef CEGSIM_DB_AUDIT_STATE_H
#define CEGSIM_DB_AUDIT_STATE_H

#include "db/audit/recording.h"

enum job_state { STATE_FINISHED, STATE_DROPPED, STATE_ABORTED, STATE_UNFINISHED };
enum resource { ON_CPU, ON_COPY, ON_GPU };
enum occupancy {
	OCCUPY_RUN,
	OCCUPY_SPIN,
	OCCUPY_BOOST,
	OCCUPY_LAUNCH,
	OCCUPY_SWITCH,
	OCCUPY_INTERRUPT,
	OCCUPY_CALL,
	OCCUPY_DECISION
};
enum ended { ENDED_DONE, ENDED_PREEMPTED, ENDED_ABORTED, ENDED_STOPPED, ENDED_RESET };

/* Rows of the recording; NOT_GIVEN where a column is NULL. */
struct job {
	int64_t seq, release, deadline, first_start, finish;
	int64_t outcome; /* as recorded */
	enum job_state state;
	bool missed;
};

struct interval {
	uint32_t task; /* UINT32_MAX: the task is not of this set */
	int64_t seq, segment, part, unit, gpu, ready, start, end, granted;
	int64_t code; /* as recorded */
	enum resource resource;
	enum occupancy occupancy;
	enum ended ended;
};

struct block {
	uint32_t task; /* UINT32_MAX: the task is not of this set */
	int64_t seq, segment, index, sm, gpu, slot, threads, start, end;
	int64_t code; /* as recorded */
	enum ended ended;
};

/* A number of SMs that a policy weighed for a unit. */
struct decision {
	uint32_t task; /* UINT32_MAX: the task is not of this set */
	int64_t time, asked, seq, segment, sms, kernel_end, predicted, gpu;
	bool feasible, chosen;
};

/* Where an operation is. Copies and kernels go through these places in order. */
enum audit_place { PLACE_CPU, PLACE_GATE, PLACE_STREAM, PLACE_QUEUE, PLACE_GRANTED };

/* What a block that was frozen has run so far, and its SM. */
struct frozen {
	int64_t ran, sm;
};

/* A process had the GPU, or it was switched to it. */
struct context_row {
	uint32_t process; /* its first task; UINT32_MAX: none */
	int64_t start, end;
	bool switches;
};

/* The current segment of a job. */
struct audit_operation {
	bool active, running;
	bool waits_for_engine; /* counted in copies_waiting */
	bool listed;           /* a kernel: it has an entry of the task table */
	uint32_t segment;
	const struct part_of_task *info;
	int64_t length;               /* the length that it must have; for kernels: of each block */
	bool launching;               /* on the core, before it comes to the gate or its stream */
	bool calling;                 /* on the core, for a call in front of its section or behind it */
	int64_t ready;                /* derived: when its predecessor ended, or its job began */
	int64_t called;               /* derived: when the call in front of it was over, or need not be */
	int64_t launched;             /* derived: when its launch was over, or need not be */
	struct interval *part;        /* [parts]: its recorded intervals, in order */
	uint32_t parts, capacity, at; /* at: the part that runs, or is next */
	enum audit_place place;
	int64_t entered;           /* when it entered its place */
	uint64_t issue;            /* its number in the order in which operations are issued to streams */
	struct audit_shape shape;  /* kernels */
	bool either;               /* on whole SMs or on virtual ones: not known yet */
	uint32_t other_blocks;     /* number of blocks in the other case; 0: none */
	uint32_t placed, resident; /* blocks placed so far; blocks on the GPU now */
	uint32_t begun; /* with contexts: blocks placed so far, also those that will come back; not those
			   that a reset took */
	int64_t first_block, last_block; /* start of the first, end of the last of the placed ones */
	bool withdrawn;                  /* aborted: blocks that are not placed never will be */
	uint64_t *seen; /* bit per block index; with contexts: those that have ended, or run to their end */
	size_t seen_words;
	struct frozen *frozen; /* with contexts: per block index, what it has run so far, and where */
	size_t frozen_count;
};

/* Blocks that are neither there, nor frozen, nor over. */
static inline uint32_t unplaced(const struct audit_operation *op)
{
	uint32_t placed = op->placed > op->begun ? op->placed : op->begun;
	return placed < op->shape.blocks ? op->shape.blocks - placed : 0;
}

/* What a gate admits as one unit: the task's current kernel or section. */
enum unit_state { UNIT_NONE, UNIT_WAITS, UNIT_ADMITTED, UNIT_OVER };
struct unit {
	enum unit_state state;
	uint32_t gpu;         /* at whose gate it waits, or was admitted */
	int64_t since;        /* when it began to wait */
	int64_t admitted;     /* when it was admitted */
	uint32_t first, last; /* if the kernels of a section are one unit: the segments of its first and its
				 last kernel */
	int64_t sms;          /* number of SMs chosen for it; NOT_GIVEN: not known yet */
	const uint64_t *held; /* SMs that it holds while it is admitted; NULL: it has none of its own, or they
				 are not known */
};

/* Is it on the core, or to be? */
static inline bool computes(const struct audit_operation *op)
{
	return op->info->kind == KIND_CPU || op->launching || op->calling;
}

/* Calls around a task's GPU section (docs/model.md, "Calls"). */
enum call_stage { CALL_NONE, CALL_BEGIN, CALL_IN, CALL_END };
struct caller {
	enum call_stage stage;
	uint32_t segment; /* of the section: its first operation, or the last that has ended */
	uint32_t first;   /* the former; */
	uint32_t parts;   /* intervals of the begin call, which is recorded under it */
	bool begun;       /* the call has */
	bool inside;      /* from the begin of the begin call to that of the end call */
	bool asks;        /* scratch: has a core for its call now */
	bool asked;       /* for the lock; */
	int64_t asked_at; /* since when */
};

#define BUCKETS 1024 /* more than responses of 63 bits need */

struct track { /* a task over time */
	uint32_t index, rank;
	const struct member *task;
	struct job *waiting; /* [waiting_count] from waiting_from on: released, not begun */
	size_t waiting_from, waiting_count, waiting_capacity;
	bool active; /* `job` has begun and not ended */
	struct job job;
	uint32_t segment;    /* the current or the next segment */
	bool closing;        /* aborted: ends as soon as the running operation ends */
	int64_t operations;  /* number of operations so far; events of earlier ones are outdated */
	int64_t first_start; /* of the job, derived; NOT_GIVEN: not yet */
	bool bound;          /* the GPU of its section was taken from the recording (placed.c) */
	bool in_section;  /* in a GPU section: from when its first operation is ready to the end of its last
			     one */
	uint32_t section; /* the segment of that operation; of the first one, if sections follow each other
			     through CPU segments of length zero */
	int64_t section_since, section_left; /* when that operation was ready; section_left: when such a CPU
						segment was skipped */
	struct unit unit;
	struct caller caller;
	uint64_t *chosen; /* bit per SM: the SMs chosen for its unit, or those its blocks were seen on;
			     without promises: for its kernel */
	uint32_t *most;   /* per SM: the most blocks of it at a time so far; NULL: it has no virtual SMs */
	struct audit_operation op;
	struct interval *pending; /* intervals that have been read, and whose operation is still to come */
	size_t pending_count, pending_capacity;
	bool synced; /* `sync` behind its section is over */
	struct interval
		*spin; /* [spins]: spinning and switches that were read and have not ended; by start */
	size_t spins, spin_capacity;
	bool on_core;   /* has a core, computing, spinning or being switched to */
	bool switching; /* the latter */
	uint32_t core;  /* the one that it has, or had last */
	int64_t on_core_since;
	int64_t cut_at; /* when a switch to its job was last over, or the job preempted, on that core */
	uint32_t cut_on;
	int64_t interrupts;             /* interrupts of its releases so far */
	size_t fresh_from, fresh_count; /* its blocks among those placed at this instant */
	size_t fresh_thawed;            /* of these: had begun before, in an earlier time of its context */
	struct job_record {             /* what the laws on job rows need to know */
		int64_t count, misses, responses, minimum, maximum, lower_bound, last_release, last_end,
			last_finish;
		int128 sum;
		bool any_unfinished;
		int64_t *bucket; /* [BUCKETS] of the histogram */
	} record;
};

/* Task indices in order of arrival. */
struct audit_line {
	uint32_t *task;
	uint32_t count;
};

/* A kernel's use of an SM (pool gpu: of the whole GPU). */
struct audit_share {
	uint32_t task, blocks;
	int64_t threads, sm_uw;
};

struct sm {
	int64_t threads, warps, registers, shared_memory;
	/* Of its memory, while blocks are on it, since when. If the order in which kernels place blocks is
	 * not known, any of those that came first may have divided it: the least and the greatest of theirs.
	 */
	int64_t divided_ns, division_least, division_most;
	uint32_t blocks, virtual_sms;
	struct audit_share *share; /* [shares] */
	uint32_t shares, share_capacity;
	uint32_t claimed; /* virtual SMs in use: the sum of `most` over the tasks */
	uint64_t *slot;   /* bit per slot in use */
	size_t slot_words;
	int64_t dynamic_uw; /* the power that it adds while it is active */
	/* With a preemption delay: whose it is, and when it opens for those who took it. */
	enum { SM_NOBODYS, SM_LOW, SM_LEFT } hands;
	int64_t open_ns;
	bool touched;
};

/* A block that is on the GPU. */
struct audit_resident {
	uint32_t task, next_free, gpu;
	int64_t sm, slot, seq, segment;
	bool lost; /* a reset takes it */
	struct audit_shape shape;
};

enum event_kind {
	EVENT_BLOCK_ENDS,
	EVENT_PART_ENDS,
	EVENT_SYNC_ENDS,
	EVENT_STREAM_STIRS, /* a head may become eligible */
	EVENT_INTERRUPT_ENDS,
	EVENT_SPIN_ENDS,
	EVENT_CONTEXT_ENDS,
	EVENT_DECIDED, /* a decision that took time is to be taken */
	EVENT_JOB_CLOSES,
	EVENT_PART_STARTS,
	EVENT_SPIN_STARTS,
	EVENT_INTERRUPT_STARTS
};

struct event {
	int64_t time;
	enum event_kind kind;
	uint32_t subject; /* index of a task, or of a resident block */
	int64_t tag;      /* the job that closes, or the number of the operation */
};

struct audit_power {
	int64_t since, uw;
	uint32_t active;
	int128 energy_uwns; /* of [0, since) */
};

/* A decision that takes time: being made in [asked, until), or made last. */
struct audit_deciding {
	int64_t asked, until;
	uint32_t task; /* whose unit was the first that waited for it, and */
	int64_t seq;   /* its job */
	bool again;    /* another one has been asked for since */
};

struct audit_core {
	const struct track *holder; /* that has it, at the end of an instant; NULL: none */
	const struct track *first;  /* scratch: of those that need it */
	const struct track *had;    /* whose job had it last; NULL: nobody yet */
	int64_t had_seq;
	int64_t switch_left;     /* what this job still has to pay */
	int64_t switching_since; /* since when it does; NOT_GIVEN: it does not */
	int64_t switch_excess;   /* what it paid too much by now */
	bool interrupted;
	struct interval *interrupt; /* [interrupts]: read and not over; by start */
	size_t interrupts, interrupt_capacity;
	int64_t interrupts_until; /* when the interrupts of all releases so far are over */
};

/* What each GPU has for itself. */
#define AUDIT_GPU_STATE                                                                                      \
	struct audit_line gate, null_queue, *queue; /* gate: units that wait; queue[work_queues] */          \
	uint32_t queues_used;                       /* behind these nothing was issued yet */                \
	int64_t *queue_free; /* [work_queues + 1]: gap behind the last end there; last, the NULL stream's */ \
	uint32_t units_admitted;                                                                             \
	bool gate_stirs; /* at this instant a unit began to wait, or a waiting one left; or an admitted      \
			    unit, or a kernel of it, ended */                                                \
	bool streams_changed;                                                                                \
	uint32_t copying[2], copies_waiting[2]; /* per engine */                                             \
	struct sm *sm;                          /* [pools] */                                                \
	uint32_t pools;                                                                                      \
	struct track **walk; /* [walkers] with a task table: kernels with an entry and blocks to place at    \
				the last dispatch, in its order; room for all tasks */                       \
	uint32_t walkers;                                                                                    \
	bool gpu_changed;                                                                                    \
	struct audit_power power;
struct audit_gpu {
	AUDIT_GPU_STATE
};

struct audit; /* db/audit/law.h */

struct sweep {
	struct audit *audit;
	const struct recording *r;
	struct recording *mine;        /* the same, to show a GPU */
	const struct promise *promise; /* NULL: queues are not derived */
	struct error *err;
	bool failed; /* *err has the reason */
	int64_t now;
	bool with_segments, with_blocks;

	struct track *track;    /* [tasks] */
	struct track **by_rank; /* [tasks] */
	bool ranked;            /* each track has a rank */
	struct track **live;    /* those that are active, by index; [tasks] */
	uint32_t live_count;
	struct event *heap;
	size_t events, event_capacity;

	struct in_order job_rows, intervals, block_rows;
	struct order_chunks job_chunks, block_chunks;
	struct db_cursor *decision_rows, *context_rows;
	bool more_jobs, more_intervals, more_blocks, more_decisions, more_contexts;
	struct context_row next_context, context, context_before; /* the last two that have begun */
	int64_t last_switch;                                      /* end of the last switch */
	struct job next_job;
	uint32_t next_job_task;
	struct interval next_interval;
	uint32_t next_interval_task;
	struct block next_block;
	struct decision next_decision;

	/* CPU. */
	struct audit_core *core; /* [cores] */
	uint32_t on_core;        /* tasks that have one now */
	uint32_t interrupted;    /* cores that an interrupt, or a decision, has */
	struct audit_deciding deciding;
	int64_t decided_until; /* the latest end of decisions that took the core, by the rows */
	/* Calls. */
	const struct track *lock;    /* who has it; NULL: nobody */
	const struct track *in_call; /* whose call goes on; NULL: nobody's */
	int64_t call_began, call_ends;
	uint32_t has;   /* whose process has the GPU as its owner's: its first task; UINT32_MAX: nobody's */
	uint32_t had;   /* the same in front of the call that began last */
	uint32_t shown; /* the GPU whose state is here: */
	struct audit_gpu *saved; /* [gpus] that of the others; NULL: there is one */
	union {
		struct {
			AUDIT_GPU_STATE
		};
		struct audit_gpu of_shown;
	};
	/* Gates and streams, of all GPUs. */
	uint64_t *held;            /* scratch: bit per SM */
	struct decision *decision; /* [decisions] made at this instant */
	size_t decisions, decision_capacity;
	uint64_t issued;
	struct audit_line newly, admitted; /* became ready, may be issued, at this instant */
	/* GPUs. */
	struct audit_resident *resident;
	size_t residents, resident_capacity;
	uint32_t free_resident;
	struct block *fresh; /* blocks placed at this instant, by GPU and task; of the GPU that is shown */
	size_t fresh_count, fresh_capacity;
	uint32_t *predicted; /* scratch [pools] */
	bool power_unseen;   /* a kernel's power depends on its number of SMs, which is not known */
};

#endif
