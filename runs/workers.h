/* runs/workers.h - a pool of worker processes under an event loop (libev): starts them, sees them end, and
 * passes SIGINT and SIGTERM on: the first asks the workers to end, the second kills them. Workers die with
 * this process, whatever ends it. What they do, and how it is given out and collected, is their user's
 * (runs/campaign/pool.h, runs/search/pieces.h). */
#ifndef CEGSIM_RUNS_WORKERS_H
#define CEGSIM_RUNS_WORKERS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "runs/event_loop.h"

#define WORKERS_MAX 1024u
#define WORKER_KEEPS_MAX 3u /* descriptors */
#define WORKER_EXIT_TEXT_MAX 128u

struct workers_calls {
	/* In the worker: all it does. Returns its exit status. */
	int (*work)(void *self, uint32_t worker);
	/* The others in this process. It has ended, with this status of waitpid(2); it may be
	 * started once more. */
	void (*ended)(void *self, uint32_t worker, int status);
	/* The first SIGINT or SIGTERM came: workers are to be asked to end. */
	void (*interrupted)(void *self);
	/* About ten times a second. */
	void (*tick)(void *self);
};

struct worker_process {
	struct workers *pool;
	ev_child child;
	pid_t pid; /* 0: does not run */
};

struct workers {
	const struct workers_calls *calls;
	void *self;
	struct event_loop loop;
	struct worker_process *processes; /* [count] */
	uint32_t count, live;
	double began; /* of the loop's clock */
	bool interrupted;
};

/* Room for `count` workers, 1 .. WORKERS_MAX, none of which runs; *w stays where it is. False: *err.
 * workers_close() is needed either way. */
MUST_CHECK bool workers_open(
	struct workers *w, uint32_t count, const struct workers_calls *calls, void *self, struct error *err);
void workers_close(struct workers *w);

/* Starts worker number `worker`, which does not run. Of this process's descriptors beyond standard error it
 * has those in keep[kept], at most WORKER_KEEPS_MAX; -1 is none. False: *err. */
MUST_CHECK bool workers_start(
	struct workers *w, uint32_t worker, const int *keep, size_t kept, struct error *err);
void workers_kill(struct workers *w, uint32_t worker); /* with SIGKILL, if it runs */
/* Returns when none runs. */
void workers_wait(struct workers *w);
/* Since workers_open(). */
double workers_seconds(struct workers *w);

/* "was ended by signal 9 (Killed)", "ended with status 3": what waitpid(2) says. */
const char *worker_exit_text(int status, char text[WORKER_EXIT_TEXT_MAX]);

/* Zeroed memory that workers share with this process; munmap(2) it. NULL: "out of memory while WHAT". */
MUST_CHECK void *workers_memory(size_t size, const char *what, struct error *err);

#endif
