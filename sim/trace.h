/* sim/trace.h - the trace: fixed records of what happened, in order, for observers.
 *
 * A model emits one record for each change of state. Statistics, recordings, power and tests are observers:
 * they read records and never access the model (docs/model.md). Records are buffered; the observers get them
 * when the buffer is full and when the run ends. Kinds of records that no observer wants are not written. */
#ifndef CEGSIM_SIM_TRACE_H
#define CEGSIM_SIM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum trace_kind {
	TRACE_JOB_RELEASE = 1, /* start: absolute deadline */
	TRACE_JOB_END,         /* how: enum job_end; start: release; ready: first start or -1;
				  value: absolute deadline. `time` is when it ended; for an
				  unfinished job, when the run stopped */
	TRACE_SPAN,            /* a CPU, copy or kernel interval ended: [start, time).
				  how: enum span_end; span: enum span_kind; ready: when the
				  segment became ready; resource, index. A kernel is one span on
				  RESOURCE_GPU from its first block's start to its last's end, or to
				  where it was cut between two waves of blocks;
				  value: blocks, m: SMs or virtual SMs granted (0: none) */
	TRACE_BLOCKS_START,    /* `count` blocks from `block` on were placed on SM `index`
				  (RESOURCE_SM), or anywhere (RESOURCE_GPU, pool gpu);
				  threads: of one block, rounded up to warps in pool sm */
	TRACE_BLOCKS_END,      /* the same blocks left; start: when they were placed;
				  how: enum span_end */
	TRACE_JOB_START,       /* a segment of the job was first given a resource, or passed with length
				  zero; start: release */
	TRACE_DECISION,        /* a policy weighed m SMs for a job; value: predicted energy in
				  uW*ns (saturated); how: bit 0 feasible, bit 1 chosen; ready: when the
				  decision was asked for */
	TRACE_CONTEXT,         /* the process whose first task is `task` had the GPU in [start, time)
				  (span: SPAN_RUN), or the GPU was switched to it (SPAN_SWITCH) */
	TRACE_KINDS
};
#define TRACE_BIT(kind) (1u << (kind))

enum trace_resource { RESOURCE_CPU, RESOURCE_COPY, RESOURCE_GPU, RESOURCE_SM };
#define TRACE_RESOURCE 15u /* masks of the halves of a byte */
#define TRACE_GPU 15u
enum job_end { JOB_FINISHED, JOB_DROPPED, JOB_ABORTED, JOB_UNFINISHED };
enum span_kind {
	SPAN_RUN,
	SPAN_SPIN,
	SPAN_BOOST,
	SPAN_LAUNCH,
	SPAN_SWITCH,
	SPAN_RELEASE,
	SPAN_CALL,
	SPAN_DECISION
};
enum span_end {
	SPAN_DONE,      /* to its end */
	SPAN_PREEMPTED, /* goes on later */
	SPAN_ABORTED,   /* its job was aborted while it ran */
	SPAN_STOPPED,   /* the run stopped */
	SPAN_RESET,     /* lost, on the GPU; it starts again later, from the beginning */
};

struct trace_record {
	int64_t time, start, ready, value;
	uint32_t task, job; /* job: sequence number within the task, from 0 */
	uint16_t segment;
	uint8_t kind, how;
	uint8_t resource : 4, gpu : 4; /* gpu: whose engine or SMs; 0 for a core */
	uint8_t span;
	uint16_t index; /* which engine or SM */
	uint32_t block, count;
	uint32_t threads, m;
};
_Static_assert(sizeof(struct trace_record) == 64, "one record is one cache line");

/* Reads `count` records, in the order in which they happened. The records belong to the trace and are valid
 * only during the call. False stops the run (the observer keeps the reason). */
typedef bool trace_observer_fn(void *self, const struct trace_record *records, size_t count);

#define TRACE_OBSERVERS 6
#define TRACE_RING 4096

struct trace {
	uint32_t wanted; /* TRACE_BIT of the kinds that some observer wants */
	uint32_t used;
	bool failed; /* an observer returned false */
	uint32_t observers;
	struct {
		trace_observer_fn *fn;
		void *self;
	} observer[TRACE_OBSERVERS];
	struct trace_record *ring;
};

bool trace_init(struct trace *t);    /* false: out of memory */
void trace_finish(struct trace *t);  /* accepts a zeroed trace */
void trace_restart(struct trace *t); /* as after trace_init(): without records and observers */
/* Call it before the run. `wanted` is a mask of TRACE_BIT. An observer may also get kinds that only another
 * observer wants. */
void trace_observe(struct trace *t, uint32_t wanted, trace_observer_fn *fn, void *self);
void trace_flush(struct trace *t);

static inline bool trace_wants(const struct trace *t, enum trace_kind kind)
{
	return t->wanted & TRACE_BIT(kind);
}

/* A zeroed record to fill in, already part of the trace. Only for wanted kinds. */
static inline struct trace_record *trace_emit(struct trace *t)
{
	if (__builtin_expect(t->used == TRACE_RING, 0))
		trace_flush(t);
	struct trace_record *r = &t->ring[t->used++];
	*r = (struct trace_record){0};
	return r;
}

#endif
