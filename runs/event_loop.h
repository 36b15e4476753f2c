/* runs/event_loop.h - the event loop (libev) of a long job: signals are noted (base/interrupt.h), it calls a
 * tick, and can run the job itself in slices. It uses real time only: virtual time advances in the slices. */
#ifndef CEGSIM_RUNS_EVENT_LOOP_H
#define CEGSIM_RUNS_EVENT_LOOP_H

#include <ev.h>

#include "base/error.h"

struct event_loop {
	/* Set by the caller. */
	void *self;
	void (*interrupted)(void *self); /* called for each signal that is noted */
	void (*tick)(void *self);        /* called about ten times a second; may be NULL */
	void (*slice)(void *self);       /* called whenever there is nothing else to do; may be NULL */

	struct ev_loop *ev;
	ev_async signal;
	int seen;   /* signals of which `interrupted` was told */
	bool noted; /* whether they were noted before */
	ev_timer timer;
	ev_idle idle;
};

/* Starts watching; run the loop with ev_run(l->ev, ...). *l must not move. False: *err. */
MUST_CHECK bool event_loop_open(struct event_loop *l, struct error *err);
void event_loop_close(struct event_loop *l); /* may be called even if it could not be opened */

#endif
