/* models/calls.h - calls around GPU sections, and their lock (docs/model.md, "Calls"), for the files of
 * models/ only: what models/machine.h has of calls.c. */
#ifndef CEGSIM_MODELS_CALLS_H
#define CEGSIM_MODELS_CALLS_H

#include "models/queue.h"
#include "models/seldom.h"
#include "sim/trace.h"

struct machine;

enum call_stage {
	CALL_NONE,  /* no section, or its begin call is not asked for yet */
	CALL_BEGIN, /* from when the begin call is needed to its end */
	CALL_IN,    /* in the section */
	CALL_END,   /* from when the end call is needed to its end */
};

/* Of a task's job. */
struct call {
	uint8_t stage;    /* enum call_stage */
	uint32_t segment; /* at BEGIN: the first operation of the section; at END: its last */
	int64_t ready;    /* when the call was needed */
};

struct calls {
	struct call *of;      /* [tasks]; NULL: there are no calls, and nothing below means anything */
	struct queue waiting; /* for the lock, without a core */
	uint32_t owner;       /* of the lock; UINT32_MAX: it is free */
	bool begun;           /* the owner's call has; */
	int64_t left;         /* so much of it is left */
	bool asking;          /* plan.call() is running */
	uint32_t *callers;    /* [tasks] those that ask for the lock at this instant */
	uint32_t *leaving;    /* [leaving_count] those that need a core for an end call from now on */
	uint32_t leaving_count;
};

MUST_CHECK bool calls_init(struct machine *m);
/* A ready operation of the task. False: the begin call comes first. */
RARE bool calls_pass(struct machine *m, uint32_t task);
RARE void calls_leave(struct machine *m, uint32_t task); /* the section is over: the end call is needed */
/* A task at PLACE_CPU: whether it needs the core for a call. */
RARE bool calls_need_core(const struct machine *m, uint32_t task);
RARE void calls_describe(
	const struct machine *m, uint32_t task, struct trace_record *r); /* an interval for it */
RARE void calls_over(struct machine *m, uint32_t task);
/* A call that was not begun is needed no more. */
RARE void calls_withdraw(struct machine *m, uint32_t task);
/* The job is aborted. True: it goes on to the end of its end call. */
RARE bool calls_abort(struct machine *m, uint32_t task);
/* The cores, the lock, and the call that begins. */
RARE void calls_dispatch(struct machine *m);

#endif
