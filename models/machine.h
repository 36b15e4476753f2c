/* models/machine.h - the running platform, shared by the files of models/ only.
 *
 * struct machine is one run: the engine, the tasks' state, and the resources. Each resource is
 * owned by one file, which is the only one to write its struct:
 *   jobs.c    release, begin, next segment, end, drop, abort
 *   cpu.c     the core            copies.c  the copy engines
 *   gate.c    what a policy admits          streams.c hardware queues, NULL stream
 *   gpu.c     the primary queue, launches   sm_pool.c what is free on the SMs
 * Outsiders use models/simulation.h; policies use models/policy.h and models/gate.h. */
#ifndef CEGSIM_MODELS_MACHINE_H
#define CEGSIM_MODELS_MACHINE_H

#include "models/kernel.h"
#include "models/policy.h"
#include "models/sm_pool.h"
#include "sim/engine.h"
#include "sim/trace.h"

#define NO_TASK UINT32_MAX

/* A set of tasks, walked in task order: what falls on one instant enters queues in that order. */
struct task_bits {
	uint64_t *word;
	uint32_t words;
	bool any;
};

static inline void bits_set(struct task_bits *b, uint32_t task)
{
	b->word[task / 64] |= UINT64_C(1) << (task % 64);
	b->any = true;
}

/* Takes the lowest task out of the set, NO_TASK when it is empty. */
static inline uint32_t bits_take(struct task_bits *b)
{
	for (uint32_t w = 0; b->any && w < b->words; w++) {
		uint64_t word = b->word[w];
		if (!word)
			continue;
		b->word[w] = word & (word - 1);
		b->any = b->words > 1 || (word & (word - 1));
		return w * 64 + (uint32_t)__builtin_ctzll(word);
	}
	b->any = false;
	return NO_TASK;
}

static inline void bits_clear(struct task_bits *b, uint32_t task)
{
	b->word[task / 64] &= ~(UINT64_C(1) << (task % 64));
}

/* A queue in one of the plan's orders, by the setup's rule for ties (jobs.c). */
struct line {
	struct queue queue;
	order_fn *order;
	bool descending;          /* simultaneous operations enter in descending order of tasks */
	bool lower_first;         /* who entered at the instant of a dispatch loses it */
};

/* A segment, prepared for the run. */
struct step {
	int64_t fixed;            /* length of every instance, -1: a draw */
	uint8_t kind;             /* enum segment_kind */
	bool stream_high;
	uint16_t engine;
	uint32_t section;         /* CPU segments before this one: tells GPU sections apart */
	uint32_t queue;           /* hardware queue; machine.streams.null: the NULL stream */
	int64_t best, worst;      /* kernels: of one block */
	struct kernel_shape shape;         /* on the plan's SMs */
	struct sm_room need;      /* of one block */
};

enum place {
	PLACE_NONE,               /* the job is not there, or between two segments */
	PLACE_READY,              /* to be routed in phase 4 */
	PLACE_CPU,                /* in the CPU queue, running or not */
	PLACE_GATE,               /* waits to be admitted */
	PLACE_STREAM,             /* issued, not eligible */
	PLACE_QUEUED,             /* in a copy queue or the primary queue */
	PLACE_RUNNING,            /* a copy that runs; a kernel with blocks on the GPU */
};

/* A task and its current job. What every event reads stands in front. */
struct task_run {
	/* The current job, if active. */
	bool active, started, aborted, admitted;
	uint8_t place;            /* enum place */
	bool spinning;
	bool traced;              /* constant: the trace file gives lengths */
	uint32_t segment;
	const struct step *step;  /* steps + segment; not to be read when all segments are over */
	int64_t left;             /* of the segment; kernels: of each block */
	int64_t ready;            /* when the segment became ready */
	uint32_t step_count, rank;         /* constant */
	uint32_t number;          /* sequence number of the current job */
	/* Jobs released and not yet begun: numbers next .. next + waiting - 1. */
	uint32_t waiting, next;
	uint32_t released;        /* jobs released so far */
	int64_t release, deadline, first_start;
	int64_t next_release;     /* of job `next`; meaningful while waiting > 0 */
	uint32_t spin_segment;    /* first of the section the job spins for */
	int64_t spin_ready;
	/* Constant. */
	const struct step *steps;
	const struct task *task;
	const struct release_rule *rule;
};

struct cpu {
	struct line queue;        /* the running task stays in it */
	uint32_t running;         /* NO_TASK: idle */
	bool spinning;            /* what the running task does */
	bool changed;             /* the queue's head may not be what runs */
	int64_t since;
};

struct engine {
	struct line queue;
	uint32_t running;
	int64_t since;
};

struct copies {
	struct engine *engines;   /* [count]; none when unlimited */
	uint32_t count;
	bool changed;             /* an engine or a queue changed */
	int64_t *since;           /* [tasks], unlimited: start of the task's copy */
};

struct hardware_queue {
	uint32_t head, tail;      /* tasks */
};

struct streams {
	struct hardware_queue *queues;     /* [null + 1]; the last is the NULL stream */
	uint32_t null;
	bool null_used;
	bool direct;              /* no two tasks share a queue: every operation is head at once */
	bool changed;             /* heads are to be looked at again (only with a NULL stream) */
	uint32_t *next;           /* [tasks] the one behind in the same queue */
	uint64_t *issued;         /* [tasks] number of issue */
	bool *entered;            /* [tasks] the head has become eligible */
	uint64_t counter;
};

struct gate {
	struct machine *machine;
	struct line waiting;
	uint32_t admitted;        /* units in progress */
	bool changed;
};

/* Blocks placed together end together: one event for all of them. */
struct group {
	int64_t end, start;
	uint32_t first, count;
};

struct launch {
	const struct step *step;
	const struct grant *grant;         /* NULL: through the primary queue */
	int64_t duration, first_start;
	uint32_t total, placed, done;      /* blocks; total shrinks on abort */
	/* Rings, for the blocks of the task that are resident at a time: index & mask. */
	uint32_t mask, group_first, group_count;
	struct group *groups;
	uint16_t *place_of;       /* block b is at place_of[b & mask] (models/sm_pool.h); pool sm */
	uint32_t *on_grant;       /* [grant SMs] blocks of this launch on each */
};

struct gpu {
	struct line primary[2];   /* 0: high streams, 1: low */
	struct launch *launches;  /* [tasks] */
	struct task_bits granted; /* launches on SMs of their own with blocks to place */
	struct sm_pool pool;
	bool changed;
};

struct machine {
	struct sim sim;
	struct trace trace;
	struct arena arena;
	const struct platform *platform;
	const struct taskset *set;
	const struct run_setup *setup;
	struct plan plan;
	struct params params;
	struct task_run *tasks;
	uint32_t task_count;
	struct task_bits ready;   /* became ready at this instant */
	struct task_bits issue;   /* to be issued to their streams */
	struct task_bits eligible;         /* heads to be queued */
	struct cpu cpu;
	struct copies copies;
	struct streams streams;
	struct gate gate;
	struct gpu gpu;
	int64_t stop_at;          /* nothing is dispatched from here on */
	int64_t last_end;         /* when a job last ended */
	uint64_t jobs, misses;
	/* First slots of the phases: completions, releases, deadlines. */
	uint32_t slot_copy, slot_kernel, slot_release, slot_deadline;
};
#define SLOT_CPU 0u

/* jobs.c */
bool jobs_init(struct machine *m, struct error *err);
void jobs_release(struct machine *m, uint32_t task);       /* the release slot fired */
void jobs_deadline(struct machine *m, uint32_t task);      /* the deadline slot fired */
void jobs_advance(struct machine *m, uint32_t task);       /* the current segment is over */
void jobs_started(struct machine *m, struct task_run *t);  /* a segment was given a resource */
void jobs_stop(struct machine *m, int64_t at);             /* reports unfinished jobs */
struct operation jobs_operation(const struct machine *m, uint32_t task);
MUST_CHECK bool jobs_line_init(struct machine *m, struct line *line, order_fn *order);

/* The key of the task's current operation. The two common orders without a call: this is done for
 * every operation. */
static inline int64_t line_key(const struct machine *m, const struct line *line, uint32_t task)
{
	if (line->order == order_by_priority)
		return m->tasks[task].rank;
	if (line->order == order_by_arrival)
		return m->sim.now;
	struct operation op = jobs_operation(m, task);
	return line->order(&op);
}

static inline void line_push(const struct machine *m, struct line *line, uint32_t task, int64_t key)
{
	uint64_t tie = line->descending ? m->task_count - 1 - task : task;
	queue_push(&line->queue, key, tie << 32 | task, m->sim.now);
}

static inline void line_enter(const struct machine *m, struct line *line, uint32_t task)
{
	line_push(m, line, task, line_key(m, line, task));
}

/* Takes the task that is next on a non-preemptive resource out of a line that is not empty. */
static inline uint32_t line_take(const struct machine *m, struct line *line)
{
	return line->lower_first ? queue_pop_lower_first(&line->queue, m->sim.now) : queue_pop(&line->queue);
}

/* cpu.c */
bool cpu_init(struct machine *m);
void cpu_enter(struct machine *m, uint32_t task);          /* a CPU segment is ready */
void cpu_spin(struct machine *m, uint32_t task);           /* a section is ready, busy-waiting */
void cpu_leave(struct machine *m, uint32_t task, enum span_end how);  /* segment or spinning cut off */
void cpu_complete(struct machine *m);
void cpu_dispatch(struct machine *m);
void cpu_stop(struct machine *m);

/* copies.c */
bool copies_init(struct machine *m);
uint32_t copies_slots(const struct platform *p, uint32_t tasks);
void copies_enter(struct machine *m, uint32_t task);
void copies_remove(struct machine *m, uint32_t task);      /* waits in the queue; aborted */
void copies_complete(struct machine *m, uint32_t index);
void copies_dispatch(struct machine *m);
void copies_stop(struct machine *m);

/* streams.c */
bool streams_init(struct machine *m);
void streams_issue(struct machine *m, uint32_t task);
void streams_leave(struct machine *m, uint32_t task);      /* ended, or removed */
void streams_settle(struct machine *m);                    /* finds eligible heads */
void streams_enter(struct machine *m, uint32_t task);      /* an eligible head goes to its resource */

/* gate.c */
bool gate_init(struct machine *m);
void gate_enter(struct machine *m, uint32_t task);
void gate_remove(struct machine *m, uint32_t task);
void gate_operation_ended(struct machine *m, uint32_t task, bool section_over);
void gate_settle(struct machine *m);

/* gpu.c */
bool gpu_init(struct machine *m, struct error *err);
void gpu_enter(struct machine *m, uint32_t task);
void gpu_complete(struct machine *m, uint32_t task);
/* Takes away blocks not yet placed; true if the kernel had started and is over with that. */
bool gpu_cut(struct machine *m, uint32_t task);
void gpu_dispatch(struct machine *m);
void gpu_stop(struct machine *m);

/* A span record of the task's current segment (jobs.c), if anybody wants spans. */
struct trace_record *machine_emit_span(struct machine *m, uint32_t task, enum trace_resource resource,
	uint32_t index, int64_t start, enum span_end how);

static inline struct trace_record *machine_span(struct machine *m, uint32_t task, enum trace_resource resource,
	uint32_t index, int64_t start, enum span_end how)
{
	return trace_wants(&m->trace, TRACE_SPAN) ? machine_emit_span(m, task, resource, index, start, how) : NULL;
}

#endif
