/* models/machine.h - the running platform, shared by the files of models/ only.
 *
 * struct machine is one run: the engine, the tasks' state, and the resources. Each resource is
 * owned by one file, which is the only one to write its struct:
 *   jobs.c    release, begin, next segment, end, drop, abort
 *   cpu.c     the cores           copies.c  the copy engines
 *   gate.c    what a policy admits          streams.c hardware queues, NULL stream
 *   gpu.c     the primary queue, launches (resident.c: their memory)   sm_pool.c what is free on the SMs
 *   table.c   masks of SMs, and how many kernels the GPU holds
 *   stays.c   blocks of kernels whose blocks are not all alike
 *   contexts.c which process has the GPU    calls.c  calls around GPU sections, and their lock (calls.h)
 *   triggers.c tasks that are released by the ends of others    devices.c which GPU of several is shown
 *   programs.c kernels that are programs of warps (programs.h)
 *   flights.c operations that a job has issued and does not wait for
 * Outsiders use models/simulation.h; policies use models/policy.h and models/gate.h. docs/engine.md draws the
 * states of an operation. */
#ifndef CEGSIM_MODELS_MACHINE_H
#define CEGSIM_MODELS_MACHINE_H

#include "models/calls.h"
#include "models/deciding.h"
#include "models/devices.h"
#include "models/execution.h"
#include "models/flights.h"
#include "models/gate.h"
#include "models/kernel.h"
#include "models/policy.h"
#include "models/programs.h"
#include "models/queue.h"
#include "models/ranks.h"
#include "models/sm_pool.h"
#include "models/table.h"
#include "models/task_list.h"
#include "models/triggers.h"
#include "sim/engine.h"
#include "sim/trace.h"

#define NO_TASK UINT32_MAX

/* An end of a segment, now + length, must not overflow. */
#define LONGEST_SEGMENT (INT64_C(1) << 61)

/* A queue in one of the plan's orders, by the setup's rule for ties (jobs.c). */
struct line {
	struct queue queue;
	order_fn *order;
	enum { LINE_BY_RANK, LINE_BY_ARRIVAL, LINE_BY_CALL } kind; /* the two common orders need no call */
	uint64_t flip;    /* ties are who ^ flip: its upper half all ones for the descending order of tasks */
	bool lower_first; /* of those that wait, whoever entered at the instant of a dispatch goes last */
	const uint64_t *who; /* flights.who */
};

static inline uint64_t line_who(const struct line *line, uint32_t task)
{
	return line->who[task] ^ line->flip;
}

/* A segment, prepared for the run. */
struct step {
	int64_t fixed; /* length of every instance, -1: drawn or from a trace */
	int64_t plain; /* the same, if nothing else is to be asked before it is ready: not 0, not in flight,
			* on no GPU that the policy chooses; else 0 */
	uint8_t kind;  /* enum segment_kind */
	bool drawn;    /* fixed is -1, as each instance has a draw of its own */
	bool stream_high;
	bool uneven;     /* a kernel whose blocks do not all take the same time */
	bool programmed; /* a kernel that is a program of warps: its blocks end when they end */
	bool gated;      /* not a CPU segment: it, or what it belongs to, must be admitted */
	bool syncs;      /* not a CPU segment, and the platform has `sync` */
	bool watched;    /* gated or syncs, or in flight: more may follow its end than the next segment */
	bool flies;      /* asynchronous, or a wait: the job may go on at once (flights.c) */
	bool joins;      /* asynchronous: launched with the step in front of it, as a node of its graph */
	bool awaits_all; /* of all asynchronous operations of the task */
	uint8_t engine, gpu;
	uint32_t section; /* CPU segments and changes of the GPU before this one: tells GPU sections apart */
	uint32_t queue;   /* hardware queue; machine.streams.null: the NULL stream */
	int64_t best, worst;       /* kernels: of one block */
	struct kernel_shape shape; /* on the plan's SMs; a grant of run time: on that */
	struct sm_need need;       /* of one block */
	int64_t behind;            /* worst-case time of all that follows its GPU section; CPU segments: 0 */
	uint32_t program;          /* its number, if programmed */
	uint32_t run;              /* asynchronous: its own entry of machine.tasks; else NO_TASK */
	uint32_t await_count;
	uint32_t *awaits; /* [await_count] entries of machine.tasks: the operations in front of which it waits
			   */
	const struct sm_mask *mask; /* of a kernel; NULL: all SMs */
	const struct grant *on;     /* the same as SMs */
};

enum place {
	PLACE_NONE,    /* there is no job, or it is between two segments */
	PLACE_READY,   /* to be routed in phase 4 */
	PLACE_CPU,     /* in the CPU queue, running or not; an operation: its launch is */
	PLACE_GATE,    /* waits to be admitted */
	PLACE_STREAM,  /* issued, not eligible */
	PLACE_QUEUED,  /* in a copy queue or the primary queue */
	PLACE_RUNNING, /* a copy that runs; a kernel with blocks on the GPU */
	PLACE_SYNC,    /* the section is over, what follows is not ready yet */
	PLACE_WAIT,    /* at a wait for operations in flight, or at the job's end */
	PLACE_LOCK,    /* waits for the update lock */
};

/* A task and its current job; or an asynchronous operation of one (flights.c). Two cache lines, the first
 * with what every event reads. */
struct task_run {
	/* The current job, if active. */
	bool active, aborted, admitted, spinning;
	uint8_t place; /* enum place */
	bool waits;    /* a unit of the job waits at the gate */
	bool launched; /* place READY: the launch of the operation is over */
	uint32_t segment;
	uint16_t step_count, core; /* core: whose CPU queue it uses, and which its releases interrupt */
	const struct step *step;   /* steps + segment; not to be read when all segments are over */
	int64_t left;  /* time left of the segment; kernels: of each block, or the draw for the blocks' times
			*/
	int64_t ready; /* when the segment became ready */
	uint32_t rank;
	uint32_t number;     /* sequence number of the current job */
	int64_t first_start; /* -1: no segment has started */
	int64_t release, deadline;
	/* Jobs released and not yet begun: numbers next .. next + waiting - 1. */
	uint32_t waiting, next;
	int64_t next_release;   /* of job `next`; meaningful while waiting > 0 */
	uint32_t released;      /* jobs released so far */
	uint32_t section_first; /* segment with which the job's GPU section began; for spinning, or for
				   waiting at the gate */
	int64_t spin_ready;
	/* Constant, as are step_count, core and rank. */
	const struct step *steps;
	const struct task *task;
	const struct release_rule *rule;
};
_Static_assert(sizeof(struct task_run) == 128, "two cache lines");

/* What a core does. */
enum core_use { CORE_SEGMENT, CORE_SPIN, CORE_LAUNCH, CORE_SWITCH, CORE_INTERRUPT, CORE_CALL };

struct core {
	/* Its queue is a set of ranks (cpu.by_rank), or a line. The running tasks stay in it; global
	 * scheduling: core 0 has the only one. */
	struct ranks ranks;
	struct line queue;
	uint32_t running; /* NO_TASK: idle, or interrupted */
	uint8_t use;      /* enum core_use; idle: CORE_SEGMENT */
	bool goes_on;     /* while jobs are dispatched globally: its job stays */
	int64_t since;
	/* Overheads of the platform (docs/model.md). */
	uint32_t last_task, last_job; /* that had the core last; NO_TASK: none */
	int64_t switch_left;          /* of the switch to it */
	uint32_t interrupt;           /* CORE_INTERRUPT: of a release of this task; or, */
	bool deciding;                /* a decision, asked for when a unit of this task was first in line: */
	uint32_t decided_job;
};

struct cpu {
	struct core first;   /* core 0: mostly the only one, at a place that the compiler knows */
	bool changed;        /* at this instant: a queue, or what a core is used for */
	struct core *others; /* [count - 1] */
	uint32_t count;
	bool by_rank;      /* the queues are sets of ranks: nobody goes in front of all others */
	uint32_t *of_rank; /* [tasks] the task of a rank, then */
	uint16_t *on;      /* [tasks], global scheduling of several cores: where the task runs, or NO_CORE;
			    * NULL: a task runs on its own core only */
	bool operations; /* those that are ready need a core first: for a call, to be launched, or to spin */
	bool overheads;  /* any of launch, switch, release; or calls */
	int64_t *launch_left; /* [tasks]; NULL: launches take no time */
	uint32_t *interrupts; /* [tasks] releases whose interrupt is not over; NULL: they take no time */
};
#define NO_CORE UINT16_MAX
_Static_assert(PLATFORM_MAX_CORES < NO_CORE, "a core is 16 bits");

struct engine {
	struct line queue;
	uint32_t running;
	int64_t since;
};

#define ENGINES_MAX 2
struct copies {
	struct engine engines[ENGINES_MAX]; /* [count] are used; the others stay idle, with an empty queue */
	uint32_t count;                     /* of engines; 0: unlimited */
	uint32_t slot;                      /* first of their slots */
	int64_t *since;                     /* [tasks], unlimited: start of the task's copy */
};

struct hardware_queue {
	uint32_t head, tail; /* tasks */
	int64_t free_at;     /* the end of its last operation, and the gap behind it */
};

struct streams {
	struct hardware_queue *queues; /* [count]: null + 1 for each context or GPU, the last its NULL one */
	uint32_t null, count;
	bool null_used;
	bool direct;      /* no two tasks share a queue, so every operation is a head at once */
	bool changed;     /* heads must be checked again (only with a NULL stream) */
	uint32_t *next;   /* [tasks] the next one in the same queue */
	uint64_t *issued; /* [tasks] number of issue */
	bool *entered;    /* [tasks] the head has become eligible */
	bool delayed;     /* the platform has a latency or a gap */
	int64_t *due;     /* [tasks] the issue, and the latency behind it */
	bool *early;      /* [tasks] the head is not due yet, or its queue not free */
	bool *held;       /* [tasks] the head waits for those that it comes after */
	bool holds;       /* some operation comes after others */
	uint64_t counter;
};

/* What a task has waited at the gate. The gate is empty while no unit is admitted. */
struct gate_wait {
	bool came, let_in;    /* whether a unit of the task ever was at the gate; was admitted */
	uint32_t first_job;   /* that came */
	int64_t first_came;   /* and when */
	int64_t since;        /* when the unit that waits came; */
	int64_t empty_before; /* how long the gate had been empty until then */
	int64_t in_vain;      /* time for which units that left again waited at an empty gate */
};

struct gate {
	struct machine *machine;
	struct line waiting;
	uint32_t admitted; /* units in progress */
	bool changed;      /* decide() is to be called */
	bool in_vain;      /* the policy was called when it had asked to be, and has admitted nothing since */
	bool planned;      /* it had asked to be called when the clock stopped */
	uint32_t gpu;      /* which one it is the gate of */
	struct deciding deciding;
	int64_t empty, empty_since; /* how long it was empty up to the last admission; since when it is */
	struct gate_wait *waits;    /* [tasks] */
};

/* Blocks placed together end together: one event for all of them. */
struct group {
	int64_t end, start;
	uint32_t first, count;
};

/* A resident block of a kernel whose blocks do not all take the same time. */
struct stay {
	int64_t end, start;
	uint32_t block;
	uint16_t place; /* pool sm */
};

struct launch {
	const struct step *step;
	const struct grant *grant; /* NULL: through the primary queue */
	const struct grant *on;    /* the SMs for its blocks: the grant's, or its mask's; NULL: all */
	const struct grant *fixed; /* the plan's for this task, or NULL */
	int64_t duration, first_start;
	int64_t entered;              /* the primary queue */
	uint32_t total, placed, done; /* blocks; total shrinks on abort */
	/* Rings for the resident blocks, which tasks of one hardware queue share: index & mask. */
	uint32_t mask, group_first, group_count;
	struct group *groups;
	uint16_t *place_of; /* block b is at place_of[b & mask] (models/sm_pool.h); pool sm */
	uint32_t *on_sm;    /* [SMs] blocks of the task on each; NULL: its grants are whole SMs, or none */
	/* For an uneven kernel, instead of groups: a heap of its resident blocks, by end and number, and the
	 * data for their times. place_of[0 ...] are then the places of the blocks placed last. NULL: no
	 * kernel of the task has times of blocks. */
	struct stay *stays;
	uint32_t stay_count;
	uint32_t *redo; /* blocks that a reset took, ascending: they are placed first. NULL: no contexts */
	uint32_t redo_count;
	bool uneven;
	struct block_draws draws;
	/* A grant that was made at run time, and the kernel's step on it. */
	struct grant chosen;
	uint32_t *chosen_slots;
	struct step on_chosen;
	/* With a task table: its place in the primary queue, and whether it has an entry. */
	struct queue_entry at;
	bool listed;
};

struct hands;
struct gpu {
	struct line primary[2];   /* 0: high streams, 1: low; with a task table: those that are in it, too */
	struct launch *launches;  /* [tasks] */
	struct queue running;     /* kernels with running blocks, by the next end of their blocks */
	struct task_list granted; /* kernels on SMs of their own that have blocks to place */
	struct sm_pool pool;
	bool changed;
	struct task_table table;
	struct hands *hands; /* [SMs]; NULL: no preemption delay (models/hands.c) */
};

/* What a process has for itself (models/contexts.c). */
struct context {
	struct gpu gpu;       /* these two are in the machine while it holds the GPU */
	struct copies copies; /* only with contexts.copies */
	uint32_t operations;  /* eligible or running */
	uint32_t from, tasks; /* its tasks are contexts.task_at[from ...]; at least one */
	int64_t frozen;       /* since when it does not hold the GPU */
};

struct contexts {
	uint32_t count;         /* processes; 0: the GPU is one context, and nothing below means anything */
	bool copies;            /* the copy engines belong to the context */
	uint32_t *process;      /* [tasks] */
	uint32_t *at, *task_at; /* [tasks] a task's place in the order of processes, and back */
	struct ranks active;    /* processes with operations */
	struct ranks entered;   /* places of the tasks that have them */
	struct context *saved;  /* [count + 1]; the last is what the machine has while nobody holds the GPU */
	uint32_t holder;        /* count: nobody */
	uint32_t loaded;        /* count: none so far; UINT32_MAX: a switch goes on, or was given up */
	enum { CHANGE_NONE, CHANGE_DRAIN, CHANGE_SWITCH, CHANGE_ARRIVED } change;
	uint32_t target; /* of the change */
	int64_t since;   /* of the holder's time, or of the switch */
	bool by_call;    /* CHANGE_SWITCH: over with the call that goes on */
	bool is_asked;   /* the policy asked for a holder at this instant: */
	uint32_t asked;
	enum gate_how how;
	int64_t price;
	bool in_call; /* it was asked in plan.call() */
};

struct machine {
	struct sim sim;
	int64_t stop_at; /* from this instant on nothing is dispatched */
	struct task_run *tasks;
	uint32_t task_count;
	uint32_t run_count; /* entries of `tasks`: task_count, and those of asynchronous operations */
	struct flights flights;
	uint32_t slot_release, slot_deadline; /* first slots of these phases */
	uint32_t slot_core;                   /* of core 1 */
	uint32_t slot_device;                 /* first slot of the copies of GPU 1 */
	uint32_t slot_delay;                  /* first slot of the ends of latency, gap and sync */
	uint32_t slot_wake;                   /* the gate's, or the first gate's */
	uint32_t slot_context;                /* the end of a switch */
	uint32_t slot_decision;               /* the end of a decision that a server makes */
	bool staged;                          /* there is a gate, or tasks share streams */
	bool straight;          /* nothing is between an operation that is ready and its resource's queue */
	struct task_list ready; /* became ready at this instant */
	struct task_list issue; /* to be issued to their streams */
	struct task_list eligible; /* heads to be queued */
	struct cpu cpu;
	struct copies copies;
	struct streams streams;
	struct gate gate;
	struct gpu gpu;
	struct contexts contexts;
	struct calls calls;
	struct devices devices;
	struct triggers triggers;
	struct programs programs;
	struct trace trace;
	struct error fault; /* of the policy; STATUS_OK: none */
	int64_t last_end;   /* when a job, the interrupt of a release, or a switch of the GPU last ended */
	uint64_t jobs, misses;
	uint64_t jobs_digest;            /* sim/digest.h */
	const struct platform *platform; /* as the GPU shown sees it */
	const struct taskset *set;
	const struct run_setup *setup;
	const struct policy *policy;
	struct plan plan;
	struct params params;
	struct arena arena;
};
/* Completions come first: core 0, GPUs, copies of GPU 0, the other cores, copies of other GPUs; then the ends
 * of delays. */
#define SLOT_CPU 0u
#define SLOT_GPU 1u
#define SLOT_COPY 2u

/* jobs.c */
bool jobs_init(struct machine *m, struct error *err);
MUST_CHECK bool jobs_begin(struct machine *m, struct error *err);     /* arms the first releases */
void jobs_release(struct machine *m, uint32_t task);                  /* the release slot fired */
SELDOM void jobs_deadline(struct machine *m, uint32_t task);          /* the deadline slot fired */
void jobs_advance(struct machine *m, uint32_t task);                  /* the current segment is over */
void jobs_proceed(struct machine *m, uint32_t task);                  /* the same, behind what was passed */
RARE void jobs_sync(struct machine *m, uint32_t task, int64_t until); /* what follows comes then */
/* Takes the entry's operation out of the queue or the gate in which it waits. Not for running copies and
 * kernels. */
SELDOM void jobs_withdraw(struct machine *m, uint32_t task);
void jobs_started(struct machine *m, struct task_run *t); /* a segment was given a resource */
void jobs_stop(struct machine *m, int64_t at);            /* reports unfinished jobs */
RARE void jobs_delayed(struct machine *m, uint32_t task); /* the delay slot fired */
SELDOM struct operation jobs_operation(const struct machine *m, uint32_t task);
MUST_CHECK bool jobs_line_init(struct machine *m, struct line *line, order_fn *order);
MUST_CHECK bool jobs_line_init_part(struct machine *m, struct line *line, uint32_t tasks,
	const struct line *all); /* as queue_init_part() */

/* The key of the task's current operation. */
static inline int64_t line_key(const struct machine *m, const struct line *line, uint32_t task)
{
	if (line->kind == LINE_BY_RANK)
		return m->tasks[task].rank;
	if (line->kind == LINE_BY_ARRIVAL)
		return m->sim.now;
	struct operation op = jobs_operation(m, task);
	return line->order(&op);
}

static inline void line_push(const struct machine *m, struct line *line, uint32_t task, int64_t key)
{
	queue_push(&line->queue, key, line_who(line, task), m->sim.now);
}

static inline void line_enter(const struct machine *m, struct line *line, uint32_t task)
{
	line_push(m, line, task, line_key(m, line, task));
}

/* Removes the next task, for a non-preemptive resource, from a line that is not empty. */
static inline uint32_t line_take(const struct machine *m, struct line *line)
{
	return line->lower_first ? queue_pop_lower_first(&line->queue, m->sim.now) : queue_pop(&line->queue);
}

/* steps.c */
MUST_CHECK bool steps_make(struct machine *m, struct error *err); /* of all tasks */
/* Their lengths anew, for another setup and other release rules; not where devices.chosen. */
void steps_set_lengths(struct machine *m);

/* The task to which an entry belongs. */
static inline uint32_t machine_task(const struct machine *m, uint32_t run)
{
	return m->flights.owner[run];
}

/* cpu.c */
bool cpu_init(struct machine *m);
void cpu_enter(struct machine *m, uint32_t task);       /* a CPU segment is ready */
SELDOM void cpu_spin(struct machine *m, uint32_t task); /* a section is ready, busy-waiting */
SELDOM void cpu_leave(struct machine *m, uint32_t task, enum span_end how); /* segment or spinning cut off */
RARE void cpu_launch(struct machine *m, uint32_t task);    /* an operation is ready, to be launched */
RARE void cpu_interrupt(struct machine *m, uint32_t task); /* a job of the task is released */
void cpu_complete(struct machine *m, uint32_t core);
void cpu_dispatch(struct machine *m); /* to be called where cpu.changed */
void cpu_stop(struct machine *m);
/* For calls.c. Those who would have a core for a call now leave it, for PLACE_LOCK; returns how many. */
RARE uint32_t cpu_callers(struct machine *m, uint32_t *callers);
RARE void cpu_enter_in_front(struct machine *m, uint32_t task); /* of all others, for its call */
RARE bool cpu_calls(struct machine *m, uint32_t task);          /* it has a core, and no switch to pay */
RARE void cpu_arm_call(struct machine *m, uint32_t task);       /* its call has begun */
RARE bool cpu_interrupted(const struct machine *m);             /* an interrupt has a core */

/* copies.c */
bool copies_init(struct machine *m);
uint32_t copies_slots(const struct platform *p, uint32_t runs);
void copies_enter(struct machine *m, uint32_t task);
SELDOM void copies_remove(struct machine *m, uint32_t task); /* waits in the queue; aborted */
void copies_complete(struct machine *m, uint32_t index);
void copies_dispatch(struct machine *m);
/* The same two of the GPU that is shown, which may be another than GPU 0. */
RARE void copies_complete_at(struct machine *m, uint32_t slot);
RARE void copies_dispatch_at(struct machine *m);
void copies_stop(struct machine *m);
MUST_CHECK bool copies_share_init(struct machine *m, struct copies *c); /* a GPU's own; a context's: */
MUST_CHECK bool copies_init_part(struct machine *m, struct copies *c, uint32_t tasks);
SELDOM bool copies_idle(const struct machine *m);
SELDOM void copies_freeze(struct machine *m, bool lost); /* the holder loses the engines */
SELDOM void copies_thaw(struct machine *m);              /* the holder gets them */
SELDOM void copies_begin(struct machine *m);             /* unlimited: the holder's waiting copies start */

/* streams.c */
bool streams_init(struct machine *m);
void streams_issue(struct machine *m, uint32_t task);
void streams_leave(struct machine *m, uint32_t task);         /* ended, or removed */
void streams_settle(struct machine *m);                       /* finds eligible heads */
void streams_enter(struct machine *m, uint32_t task);         /* an eligible head goes to its resource */
SELDOM void streams_due(struct machine *m, uint32_t task);    /* a head's latency and gap are over */
SELDOM void streams_let_go(struct machine *m, uint32_t task); /* a head no longer waits for others */

/* gate.c */
bool gate_init(struct machine *m);
MUST_CHECK bool gate_share_init(struct machine *m, struct gate *g); /* what is a GPU's own */
/* The unit of the task's operation begins to wait. */
SELDOM void gate_enter(struct machine *m, uint32_t task);
/* The task's waiting unit will not be admitted: its job was removed, or has passed all that is gated. */
SELDOM void gate_leave(struct machine *m, uint32_t task);
/* An operation of an admitted unit ended. `over`: with it the section ended, or all that the unit was
 * admitted for. */
SELDOM void gate_operation_ended(struct machine *m, uint32_t task, bool over);
SELDOM void gate_settle(struct machine *m);
SELDOM void gate_woken(struct machine *m);
/* At the end of a run: whether the policy never serves a task that it could serve; then a fault. */
SELDOM void gate_judge(struct machine *m);

/* The length of the task's current segment, within these bounds (jobs.c). */
SELDOM int64_t jobs_length(const struct machine *m, uint32_t task, int64_t best, int64_t worst);

bool machine_jobs_left(const struct machine *m); /* whether a job has not ended (simulation.c) */

/* The policy did something forbidden: the run ends with this error (simulation.c). */
SELDOM void machine_fault(struct machine *m, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* resident.c */
MUST_CHECK bool resident_init(struct machine *m); /* what gpu.launches point at; false: out of memory */

/* gpu.c */
bool gpu_init(struct machine *m, struct error *err);
/* From now on the task's kernels run on these SMs; NULL: on the plan's. The grant is copied. */
SELDOM void gpu_grant(struct machine *m, uint32_t task, const struct grant *grant);
void gpu_enter(struct machine *m, uint32_t task);
void gpu_complete(struct machine *m);
/* Removes the blocks that are not placed yet; true if the kernel had started and is over now. */
SELDOM bool gpu_cut(struct machine *m, uint32_t task);
void gpu_dispatch(struct machine *m);
void gpu_stop(struct machine *m);
/* A kernel that waits for room on a GPU on which nothing is: it will do so for ever. NO_TASK: there is none.
 */
SELDOM uint32_t gpu_stuck(const struct machine *m);
SELDOM void gpu_emit_blocks(struct machine *m, uint32_t task, enum trace_kind kind, uint32_t first,
	uint32_t count, uint32_t sm, int64_t start, enum span_end how);
void gpu_run_until(struct machine *m, uint32_t task, int64_t end); /* the kernel's next blocks end then */

/* Places what fits of the launch; true if all its blocks are placed now. */
bool gpu_place(struct machine *m, uint32_t task);

MUST_CHECK bool gpu_share_init(struct machine *m, struct gpu *gpu); /* what is a GPU's own; a context's: */
MUST_CHECK bool gpu_init_part(struct machine *m, struct gpu *gpu, uint32_t tasks);
/* The holder loses the GPU: what runs is frozen, or `lost`. It gets the GPU, after so long: what was frozen
 * goes on. */
SELDOM void gpu_freeze(struct machine *m, bool lost);
SELDOM void gpu_thaw(struct machine *m, int64_t frozen_for);

/* contexts.c: processes that share the GPU */
bool contexts_init(struct machine *m, struct error *err);        /* first: who is in which process */
bool contexts_share(struct machine *m, struct error *err);       /* last: what is each context's own */
RARE struct gpu *contexts_gpu(struct machine *m, uint32_t task); /* where the task's context is */
RARE struct copies *contexts_copies(struct machine *m, uint32_t task);
RARE void contexts_enter(struct machine *m, uint32_t task); /* streams_enter(), and it is counted */
RARE void contexts_leave(struct machine *m, uint32_t task); /* the operation ends, or is removed */
/* The holder's task behind this, or the first, with an eligible or running operation. NO_TASK: none. */
RARE uint32_t contexts_next(const struct machine *m, uint32_t task);
RARE void contexts_arrive(struct machine *m);   /* before decide(): changes that are over */
RARE void contexts_change(struct machine *m);   /* behind it: what it asked for */
RARE void contexts_switched(struct machine *m); /* the slot fired */
RARE void contexts_called(struct machine *m);   /* behind plan.call(): what it asked for */
RARE void contexts_call_over(struct machine *m);
RARE void contexts_stop(struct machine *m);

/* The GPU that the entry's operation is on is shown between these two. */
static inline uint32_t device_begin(struct machine *m, uint32_t run)
{
	return m->devices.count == 0 ? 0 : devices_turn(m, run);
}

static inline void device_end(struct machine *m, uint32_t was)
{
	if (m->devices.count > 0)
		devices_show(m, was);
}

/* The gate at which the task's unit waits, or was admitted. */
static inline struct gate *gate_of(struct machine *m, uint32_t task)
{
	return m->devices.count == 0 ? &m->gate : devices_gate(m, task);
}

/* Whether the operation is on the GPU that is shown. */
static inline bool on_shown(const struct machine *m, uint32_t run)
{
	return m->devices.count == 0 || m->tasks[run].step->gpu == m->devices.shown;
}

static inline struct gpu *gpu_of(struct machine *m, uint32_t task)
{
	return m->contexts.count == 0 ? &m->gpu : contexts_gpu(m, task);
}

static inline struct copies *copies_of(struct machine *m, uint32_t task)
{
	return m->contexts.count == 0 ? &m->copies : contexts_copies(m, task);
}

/* Whether the task's context holds the GPU. */
static inline bool holds_gpu(const struct machine *m, uint32_t task)
{
	return m->contexts.count == 0 || m->contexts.process[task] == m->contexts.holder;
}

/* stays.c: kernels whose blocks do not all take the same time */
bool stays_init(struct machine *m, uint32_t task);
SELDOM void stays_begin(struct machine *m, uint32_t task);               /* its times, of this launch */
SELDOM void stays_add(struct machine *m, uint32_t task, uint32_t first); /* first .. placed - 1 are placed */
SELDOM int64_t stays_end(struct machine *m, uint32_t task); /* those due now; returns the next end */
SELDOM void stays_stop(struct machine *m, uint32_t task);
/* The block of a program that is on an SM will end at this instant. */
SELDOM void stays_known(struct machine *m, uint32_t task, uint32_t block, int64_t end);
/* All resident blocks at once: frozen, lost, and going on after so long. */
SELDOM void stays_freeze(struct machine *m, uint32_t task);
SELDOM void stays_lose(struct machine *m, uint32_t task);
SELDOM void stays_thaw(struct machine *m, uint32_t task, int64_t frozen_for);
SELDOM bool stays_redo(struct machine *m, uint32_t task); /* places lost ones; true: all of them are placed */

/* A span record of the task's current segment (jobs.c), if anybody wants spans. */
SELDOM struct trace_record *machine_emit_span(struct machine *m, uint32_t task, enum trace_resource resource,
	uint32_t index, int64_t start, enum span_end how);

static inline struct trace_record *machine_span(struct machine *m, uint32_t task,
	enum trace_resource resource, uint32_t index, int64_t start, enum span_end how)
{
	return trace_wants(&m->trace, TRACE_SPAN) ? machine_emit_span(m, task, resource, index, start, how)
						  : NULL;
}

#endif
