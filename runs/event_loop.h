/* runs/event_loop.h - the event loop (libev) of a long job: SIGINT and SIGTERM, a tick, and the job itself in
 * slices where it is done in this process. Real time only: virtual time advances in slices. */
#ifndef CEGSIM_RUNS_EVENT_LOOP_H
#define CEGSIM_RUNS_EVENT_LOOP_H

#include <ev.h>

#include "base/error.h"

struct event_loop {
	/* Set by the caller. */
	void *self;
	void (*interrupted)(void *self); /* each SIGINT or SIGTERM */
	void (*tick)(void *self);        /* about ten times a second; NULL: no */
	void (*slice)(void *self);       /* whenever there is nothing else to do; NULL: no */

	struct ev_loop *ev;
	ev_signal interrupt, terminate;
	ev_timer timer;
	ev_idle idle;
};

/* Watches from now on; the loop is run with ev_run(l->ev, ...), and *l stays where it is. False: *err. */
MUST_CHECK bool event_loop_open(struct event_loop *l, struct error *err);
void event_loop_close(struct event_loop *l); /* accepts one that could not be opened */

#endif
