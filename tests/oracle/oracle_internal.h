/* tests/oracle/oracle_internal.h - the state of a run of the oracle, shared by its files.
 *
 * A task has at most one operation in the whole platform at a time, so an operation lives in
 * its task. Queues do not exist: a queue is the set of operations that satisfy a predicate,
 * and its head the first of them in its order. */
#ifndef CEGSIM_TESTS_ORACLE_INTERNAL_H
#define CEGSIM_TESTS_ORACLE_INTERNAL_H

#include "tests/oracle/oracle.h"

enum place {
	NOWHERE,                  /* the task has no operation */
	ON_CPU,                   /* wants the core, or has it */
	AT_GATE,                  /* waits to be admitted */
	TO_ISSUE,                 /* ready and admitted, not yet in its stream */
	IN_STREAM,                /* issued and not yet ended */
};

/* What one block takes of its SM; pool gpu: threads only. */
struct need {
	int64_t threads, warps, blocks, registers, shared_memory, slots;
};

struct operation_state {
	enum place place;
	uint32_t segment;
	int64_t length;           /* of the segment, or of each block; > 0 */
	int64_t ready;            /* instant at which it became ready */
	int64_t remaining;        /* CPU: ticks to run */
	bool admitted;            /* kernels under ORACLE_KERNELS */
	int64_t issue;            /* place in the order of issue */
	bool entered;             /* stands in, or has left, a copy queue or the primary queue */
	int64_t entered_at;
	bool copying;
	int64_t copy_end;
	uint32_t engine;
	uint32_t blocks, placed, in_flight;
	struct need need;
	bool done;
};

struct task_state {
	struct oracle_job *jobs;  /* released so far */
	uint32_t count, current;  /* current: the first that has not ended; == count: none */
	bool begun;               /* jobs[current] has begun */
	bool cut;                 /* it was aborted; what still runs goes to its end */
	bool section;             /* its GPU section is admitted (ORACLE_SECTIONS) */
	int64_t next_release;     /* INT64_MAX: none */
	uint32_t rank;
	struct operation_state op;
};

/* A block on the GPU. */
struct live_block {
	uint32_t task;
	int32_t sm;
	int64_t end;
};

struct oracle {
	const struct taskset *set;
	const struct platform *platform;
	const struct run_setup *setup;
	const struct oracle_policy *policy;
	struct task_state *tasks;
	int64_t now;
	int64_t issued;           /* operations issued so far */
	struct live_block *live;
	size_t live_count;
	struct oracle_result *result;
};

/* draws.c: lengths, releases, priorities. */
int64_t oracle_length(const struct oracle *o, uint32_t task, uint32_t job, uint32_t segment);
/* Release of job `job`, the one before it released at `last` (ignored for job 0). */
int64_t oracle_release(const struct oracle *o, uint32_t task, uint32_t job, int64_t last);
void oracle_ranks(struct oracle *o);
void oracle_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* jobs.c: phases 1 to 3. */
void oracle_complete(struct oracle *o);
void oracle_settle(struct oracle *o);             /* succeed and release */
void oracle_check_deadlines(struct oracle *o);
void oracle_mark_started(struct oracle *o, uint32_t task);

/* dispatch.c: phases 4 and 5, but for blocks. */
void oracle_decide(struct oracle *o);
void oracle_dispatch(struct oracle *o);
/* The first of the operations that satisfy `waits`, in this order; -1: there is none.
 * `entered` says since when an operation waits. */
typedef bool oracle_waits_fn(const struct oracle *o, uint32_t task, uint32_t which);
typedef int64_t oracle_since_fn(const struct operation_state *op);
int oracle_first(const struct oracle *o, oracle_waits_fn *waits, uint32_t which,
	enum oracle_order order, oracle_since_fn *since, bool non_preemptive);
void oracle_run_cpu_tick(struct oracle *o);

/* gpu.c: blocks; power.c: power. */
struct need oracle_need(const struct oracle *o, const struct segment *s);
uint32_t oracle_block_count(const struct oracle *o, const struct segment *s);
void oracle_place_blocks(struct oracle *o);
void oracle_end_blocks(struct oracle *o);
int64_t oracle_power(const struct oracle *o);     /* uW during [now, now + 1) */

static inline const struct segment *oracle_segment(const struct oracle *o, uint32_t task)
{
	return &o->set->tasks[task].segments[o->tasks[task].op.segment];
}

#endif
