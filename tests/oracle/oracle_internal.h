/* tests/oracle/oracle_internal.h - the state of a run of the oracle, shared by its files.
 *
 * Each segment of each task has a place for what its current job does there: time on a core, a copy, a
 * kernel, a wait. Queues are not stored: a queue is the set of operations that satisfy a predicate, and its
 * head is the first of them in its order. */
#ifndef CEGSIM_TESTS_ORACLE_INTERNAL_H
#define CEGSIM_TESTS_ORACLE_INTERNAL_H

#include "tests/oracle/oracle.h"

enum place {
	NOWHERE,   /* the job has not come to it, or it is over */
	ON_CPU,    /* wants the core, or has it */
	LAUNCHING, /* the same, to launch a copy or kernel */
	CALLING,   /* wants the core for a call, has it, or waits for the lock */
	AT_GATE,   /* waits to be admitted */
	TO_ISSUE,  /* ready, launched and admitted, not yet in its stream */
	IN_STREAM, /* issued and not yet ended */
	WAITING,   /* for operations in flight: at a wait, or at the end of the job */
	SYNCING,   /* behind the last of a GPU section, which ended not long ago */
};

/* The unit of the gate that the task has, if any. */
enum unit_state { UNIT_NONE, UNIT_WAITING, UNIT_ADMITTED };

/* What one block takes of its SM; pool gpu: threads only. */
struct need {
	int64_t threads, warps, blocks, registers, shared_memory, slots;
	int64_t division; /* of an empty SM; 0: the platform has no divisions */
};

struct operation_state {
	uint32_t task, segment; /* segment: behind the last one, the end of the job */
	enum place place;
	int64_t length;    /* of the segment, or of each block; > 0 */
	int64_t ready;     /* instant at which it became ready */
	int64_t remaining; /* CPU, launch: ticks to run */
	int64_t issue;     /* place in the order of issue */
	int64_t issued_at;
	int64_t synced_at; /* SYNCING: until then */
	int64_t ended_at;  /* of the job's copy or kernel; -1: it has not ended, or has no length */
	bool entered;      /* is, or was, in a copy queue or in the primary queue */
	int64_t entered_at;
	bool copying;
	int64_t copy_end;
	bool frozen;   /* the copy */
	size_t record; /* of the copy, in the result's intervals */
	uint32_t engine;
	uint32_t blocks, placed, in_flight;
	bool listed;   /* it has an entry of the task table */
	bool walked;   /* in the walk that is being made */
	uint64_t lost; /* a bit for each block that is to be placed again */
	struct need need;
	bool done;
};

struct task_state {
	struct oracle_job *jobs; /* released so far */
	uint32_t count, current; /* current: the first that has not ended; == count: none */
	bool begun;              /* jobs[current] has begun */
	bool cut;                /* it was aborted; what already runs goes to its end */
	enum unit_state unit;
	int64_t unit_since;        /* instant at which it began to wait */
	uint32_t unit_first;       /* its first segment */
	uint32_t unit_last_kernel; /* ORACLE_SECTION_KERNELS */
	bool looked_at;            /* in the decision that is being made */
	bool seen;                 /* a unit of the task has waited at the gate; the last one was this: */
	uint32_t seen_job, seen_segment;
	bool waits;           /* in a GPU section, past its first launch: may spin */
	uint32_t waits_first; /* the segment with which this began */
	int64_t waits_ready;
	uint32_t interrupted; /* releases whose interrupts are over */
	bool has_core;        /* in the tick that is being made */
	/* SMs that the unit was given when it was admitted, and its predicted run there. */
	struct oracle_grant chosen;
	int64_t predicted_start, predicted_end;
	int64_t next_release; /* INT64_MAX: none */
	uint32_t rank, process;
	uint32_t home, gpu; /* ORACLE_CHOOSING: where it lives; where its unit was admitted */
	/* Calls around GPU sections. */
	bool inside;    /* between the ends of a begin call and of its end call */
	bool requested; /* the update lock, since: */
	int64_t requested_at;
	bool call_begun;    /* it has the lock, and a core */
	uint32_t last_over; /* the last copy or kernel of the section that ended; before, its first one */
	uint32_t first_op;  /* place of its segment 0 in `ops` */
	uint32_t at;        /* the segment that the job has come to */
};

/* A block on the GPU. */
struct live_block {
	struct operation_state *op;
	int32_t sm;
	int64_t end;
	int64_t division; /* of its SM's memory, by the block that was there first */
	uint32_t block;
	size_t record; /* in the result's blocks */
	bool frozen;
};

#define NOBODY (-1)
#define UNKNOWN (-2) /* `loaded` while the GPU is switched, and when that is given up */

struct contexts {
	uint32_t count;           /* of processes; 0: the GPU is one context */
	int holder, loaded, turn; /* turn: the last that was loaded */
	enum { STAYS, DRAINS, SWITCHES } change;
	int target;      /* of the change */
	int64_t over_at; /* SWITCHES */
	int64_t slice_since;
	int owner, next_owner; /* tasks, by their calls; the latter when the call that goes on is over */
	int owned;             /* the owner's process, as the policy has last seen it */
	bool asked;   /* the policy is, at this instant: an operation entered its queue, or left it */
	bool arrives; /* the holder just got the GPU: nothing of it goes on before the policy has decided */
};

/* When the last operation of a hardware queue ended. */
struct ended {
	uint32_t queue, process;
	int64_t at;
};

/* What a job needs a core for; a new need takes any core, if all jobs share them. */
enum need_of_core { NEEDS_NONE, TO_RUN, TO_LAUNCH, TO_CALL, TO_CALL_BEHIND, TO_SPIN };

struct core {
	bool had; /* a job has had it; the last one was this: */
	uint32_t had_task, had_job;
	int64_t switching; /* what this job still has to pay */
	bool interrupted;  /* by the release of a job of this task */
	uint32_t interrupt;
	int64_t interrupt_left;
	bool in_interrupt; /* in the tick that is being made */
	/* The job that had it in the tick before, and for what. */
	int running; /* its task; -1: none */
	uint32_t job, segment;
	enum need_of_core need;
};

/* A unit of the schedule made beforehand. */
struct planned {
	uint32_t task, job, segment; /* segment: the first of its section */
	int64_t time;
	struct oracle_grant grant;
};

struct oracle {
	const struct taskset *set;
	const struct taskset *named; /* as given, if `set` is `moved`: where a policy chose GPUs */
	struct taskset moved;
	const struct platform *platform;
	const struct run_setup *setup;
	const struct oracle_policy *policy;
	const struct oracle_allocation *allocation; /* or NULL */
	bool planning; /* no contention except for SMs; what is admitted is noted in `plan` */
	struct planned *plan;
	size_t plan_count;
	bool decision[PLATFORM_MAX_GPUS]; /* the policy is to be asked at this instant, of that GPU */
	uint32_t deciding;                /* the GPU of which it is asked */
	/* Decisions that take time: when the one was asked for that is being made, or was made last; its end;
	 * another one was asked for since. */
	int64_t asked, deciding_until;
	bool ask_again;
	struct task_state *tasks;
	struct operation_state
		*ops; /* in the order of tasks, then segments; a task has one more than segments */
	uint32_t op_count;
	int64_t now;
	int64_t issued; /* operations issued so far */
	struct live_block *live;
	size_t live_count;
	struct ended *ended;
	size_t ended_count;
	/* With a preemption delay, by GPU and SM: a low kernel has left it; no work begins there before. */
	bool left[PLATFORM_MAX_GPUS][64];
	int64_t opens[PLATFORM_MAX_GPUS][64];
	struct core *cores;
	struct contexts contexts;
	int lock; /* the task that has the update lock, or NOBODY */
	struct oracle_result *result;
};

/* draws.c: lengths, releases, priorities. */
/* Length of a segment on the SMs that the task got before the run, or on all SMs. */
int64_t oracle_length(const struct oracle *o, uint32_t task, uint32_t job, uint32_t segment);
/* grant: its own SMs, or NULL. */
int64_t oracle_length_on(const struct oracle *o, uint32_t task, uint32_t job, uint32_t segment,
	const struct oracle_grant *grant);
/* Length of one block of a kernel whose segment has this length. */
int64_t oracle_block_length(const struct oracle *o, uint32_t task, uint32_t job, uint32_t segment,
	uint32_t block, int64_t length);
/* Shortest and longest length of a segment; for a kernel, of each of its blocks, or of the longest one. */
void oracle_ends(const struct oracle *o, const struct segment *s, const struct oracle_grant *grant,
	int64_t *low, int64_t *high);
/* Release of job `job`, the one before it released at `last` (ignored for job 0). */
int64_t oracle_release(const struct oracle *o, uint32_t task, uint32_t job, int64_t last);
int64_t oracle_due(const struct oracle *o, uint32_t task, uint32_t job, int64_t at);
void oracle_ranks(struct oracle *o);
void oracle_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* jobs.c: phases 1 to 3. */
void oracle_complete(struct oracle *o);
void oracle_settle(struct oracle *o); /* succeed and release */
void oracle_check_deadlines(struct oracle *o);
void oracle_mark_started(struct oracle *o, uint32_t task);
/* The unit of the task's operation, if it begins one, is yet to come: the operation is being launched. */
bool oracle_unit_to_come(const struct oracle *o, uint32_t task);

/* flights.c: operations in flight. */
/* Has the operation been issued, or is about to be, and has not ended? */
bool oracle_in_flight(const struct operation_state *op);
/* An earlier operation that this one comes `after` has not ended. */
bool oracle_comes_later(const struct oracle *o, const struct operation_state *op);
/* Is it launched with the segment in front of it, as a node of one graph? */
bool oracle_joins(const struct oracle *o, const struct operation_state *op);
bool oracle_any_in_flight(const struct oracle *o, uint32_t task);
/* Is nothing in flight that a wait, or the end of the job, waits for? The last of that ended at *last (-1:
 * there was none). */
bool oracle_wait_over(const struct oracle *o, const struct operation_state *wait, int64_t *last);

/* contexts.c: which process has the GPU. */
void oracle_make_contexts(struct oracle *o); /* behind oracle_ranks() */
void oracle_change_holder(struct oracle *o);
bool oracle_switches(const struct oracle *o);
/* Do the task's blocks go on in this tick, and its copies if they are the context's? */
bool oracle_runs(const struct oracle *o, uint32_t task);
/* May the operation have an engine, or place blocks? */
bool oracle_may_start(const struct oracle *o, const struct operation_state *op);
/* The operation entered its queue, or leaves it. */
void oracle_ask_for_holder(struct oracle *o, const struct operation_state *op);
bool oracle_same_engines(const struct oracle *o, uint32_t a, uint32_t b);
/* What is frozen ends a tick later. */
void oracle_pass_contexts(struct oracle *o);

/* The process behind the one loaded last, or being loaded, in the ring that is active; NOBODY: none is. */
int oracle_next_in_ring(const struct oracle *o);
/* Does one of the tasks go before the other on the GPU? */
bool oracle_higher_on_gpu(const struct oracle *o, uint32_t a, uint32_t b);
/* A call that changes the holder begins, and is over. */
void oracle_begin_change_by_call(struct oracle *o, int process);
void oracle_end_change_by_call(struct oracle *o);

/* calls.c: calls around GPU sections. */
bool oracle_has_calls(const struct oracle *o);
bool oracle_calls_are_free(const struct oracle *o);
/* It stands in no CPU queue: it has asked for the lock, and does not have it. */
bool oracle_waits_for_lock(const struct oracle *o, uint32_t task);
void oracle_request_lock(struct oracle *o, uint32_t task);
/* The first of those that wait gets the lock, if nobody has it. */
void oracle_give_lock(struct oracle *o);
void oracle_begin_call(struct oracle *o, uint32_t task);
void oracle_end_call(struct oracle *o, uint32_t task);
/* The task's job ends, and with it what it has of all this. */
void oracle_forget_call(struct oracle *o, uint32_t task);

/* chains.c: from the jobs of a run. */
void oracle_follow_chains(const struct taskset *set, struct oracle_result *r);

/* gate.c: phase 4. */
void oracle_decide(struct oracle *o);
/* The next waiting unit that was not looked at in this decision; it counts as looked at from now on. -1:
 * none. */
int oracle_next_waiting(struct oracle *o);
uint32_t oracle_admitted(const struct oracle *o);
/* Admits the unit; grant: the SMs that it gets for itself, or NULL. */
void oracle_admit(struct oracle *o, uint32_t task, const struct oracle_grant *grant);

/* choose.c: sbeet-mg. */
static inline bool oracle_chooses(const struct oracle *o)
{
	return o->policy->admits == ORACLE_CHOOSING;
}
/* A section that is admitted runs where the policy says: such segments are of a copy of the set. */
void oracle_make_choosing(struct oracle *o); /* behind oracle_ranks() */
void oracle_end_choosing(struct oracle *o);
/* A segment as it would be on that GPU. */
struct segment oracle_segment_on(const struct oracle *o, uint32_t task, uint32_t segment, uint32_t gpu);
/* The task's unit is over, or gone: its segments are again where they are named. */
void oracle_go_back(struct oracle *o, uint32_t task);
void oracle_choose(struct oracle *o);
/* The gate for units of this GPU. */
static inline uint32_t oracle_gate(const struct oracle *o, uint32_t gpu)
{
	return oracle_chooses(o) ? 0 : gpu;
}

/* The task's unit is known: neither it nor those before it are expected any more. */
void oracle_note_seen(struct oracle *o, uint32_t task);

/* deciding.c: decisions that take time. */
bool oracle_decides_slowly(const struct oracle *o);
bool oracle_is_deciding(const struct oracle *o); /* in the tick from now on */
void oracle_decide_slowly(struct oracle *o);     /* phase 4 */

/* predict.c: sbeet. */
void oracle_predict(struct oracle *o);
int64_t oracle_section_deadline(const struct oracle *o, uint32_t task); /* of the task's unit */

/* offline.c: sbeet, offline. */
void oracle_note_planned(struct oracle *o, uint32_t task, const struct oracle_grant *grant);
void oracle_admit_planned(struct oracle *o);
void oracle_make_plan(struct oracle *o);
/* oracle.c: from 0 to the end. */
void oracle_run_through(struct oracle *o);
void oracle_result_clear(struct oracle_result *result);

/* dispatch.c: phase 5, except for blocks. */
void oracle_dispatch(struct oracle *o);
/* Its first part. */
void oracle_enter_streams(struct oracle *o);
/* The operation is over: the next one of its hardware queue keeps its distance. */
void oracle_note_end(struct oracle *o, const struct operation_state *op);
/* The first operation in this order that satisfies `waits`; NULL: there is none. `since` says since when it
 * waits. */
typedef bool oracle_waits_fn(const struct oracle *o, const struct operation_state *op, uint32_t which);
typedef int64_t oracle_since_fn(const struct oracle *o, const struct operation_state *op);
struct operation_state *oracle_first(const struct oracle *o, oracle_waits_fn *waits, uint32_t which,
	enum oracle_order order, oracle_since_fn *since, bool non_preemptive);

/* core.c: who has the cores during [now, now + 1). */
void oracle_make_cores(struct oracle *o);
void oracle_run_cpu_tick(struct oracle *o);
bool oracle_interrupts_wait(const struct oracle *o);
/* The interval of a decision that core 0 makes from now on. */
void oracle_record_deciding(struct oracle *o, uint32_t task, int64_t until);
/* The interval of a copy that starts. */
void oracle_record_copy(struct oracle *o, struct operation_state *op);

/* gpu.c: blocks; power.c: power. */
/* The SMs that the task's kernels have for themselves now; NULL: none. */
const struct oracle_grant *oracle_grant_of(const struct oracle *o, uint32_t task);
/* Length, blocks and needs of a kernel on the SMs that its task has. */
void oracle_shape_kernel(struct oracle *o, struct operation_state *op);
/* Worst-case time of a segment; of a kernel alone on `sms` whole SMs. */
int64_t oracle_worst(const struct oracle *o, const struct segment *s, uint32_t sms);
/* Dynamic power of a kernel on `sms` SMs. */
int64_t oracle_dynamic_power(const struct oracle *o, const struct segment *s, uint32_t sms);
void oracle_place_blocks(struct oracle *o);
/* Does a kernel that has entered its queue, and has no SMs of its own, belong to the high streams (1)? */
bool oracle_is_high(const struct oracle *o, const struct operation_state *op);
bool oracle_has_blocks_to_place(const struct oracle *o, const struct operation_state *op);
/* Places all blocks that fit. False: some are left. */
bool oracle_place_all(struct oracle *o, struct operation_state *op);
/* table.c: the task table, and the walk over it. */
void oracle_give_entries(struct oracle *o);
void oracle_walk_table(struct oracle *o);
void oracle_end_blocks(struct oracle *o);
int64_t oracle_power(const struct oracle *o); /* uW during [now, now + 1) */

static inline const struct platform *oracle_device(const struct oracle *o, uint32_t gpu)
{
	return platform_gpu(o->platform, gpu);
}

/* What a policy has chosen is for GPU 0; where it gave tasks SMs, for all. */
static inline uint32_t oracle_virtual_sms(const struct oracle *o, uint32_t gpu)
{
	uint32_t given = oracle_device(o, gpu)->virtual_sms_per_sm;
	return o->allocation && (gpu == 0 || o->allocation->any) ? o->allocation->virtual_sms
	       : given                                           ? given
								 : 1;
}

/* The SMs that the task got before the run; NULL: none. */
static inline const struct oracle_grant *oracle_static_grant(const struct oracle *o, uint32_t task)
{
	return o->allocation && o->allocation->grants[task].count ? &o->allocation->grants[task] : NULL;
}

/* SMs on which the kernel may run: its own, its mask, or all. */
static inline uint32_t oracle_sms_for(
	const struct oracle *o, const struct segment *s, const struct oracle_grant *grant)
{
	if (grant)
		return grant->count;
	return s->sm_count ? s->sm_count : platform_gpu(o->platform, s->gpu)->sms;
}

static inline struct operation_state *oracle_op(const struct oracle *o, uint32_t task, uint32_t segment)
{
	return &o->ops[o->tasks[task].first_op + segment];
}

/* Where the task's job is. */
static inline struct operation_state *oracle_at(const struct oracle *o, uint32_t task)
{
	return oracle_op(o, task, o->tasks[task].at);
}

/* Not of the end of a job. */
static inline const struct segment *oracle_segment(const struct oracle *o, const struct operation_state *op)
{
	return &o->set->tasks[op->task].segments[op->segment];
}

/* Of a kernel that has one: that of its GPU. */
static inline const struct profile *oracle_profile(const struct oracle *o, const struct segment *s)
{
	return &o->set->profiles[s->profile_count > 0 ? s->profiles[s->gpu] : s->profile];
}

/* The GPU of a copy or kernel. */
static inline uint32_t oracle_gpu(const struct oracle *o, const struct operation_state *op)
{
	return oracle_segment(o, op)->gpu;
}

#endif
