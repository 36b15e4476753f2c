/* runs/workers.h - a pool of worker processes under an event loop (libev): starts them, notices their end,
 * and handles signals (base/interrupt.h): the first asks the workers to end, and kills those that have not
 * after half a second; the second kills them at once. If this process dies in any way, so do the workers. The
 * users of this file (runs/campaign/pool.h, runs/search/pieces.h) decide what workers do, and how work is
 * given out and collected. */
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
	/* Called in the worker: all its work. Returns its exit status. */
	int (*work)(void *self, uint32_t worker);
	/* The following are called in this process. The worker has ended, with this status of waitpid(2); it
	 * may be started again. */
	void (*ended)(void *self, uint32_t worker, int status);
	/* The first signal came: the workers must be asked to end. */
	void (*interrupted)(void *self);
	/* Called about ten times a second. */
	void (*tick)(void *self);
};

struct worker_process {
	struct workers *pool;
	ev_child child;
	pid_t pid; /* 0: it is not running */
};

struct workers {
	const struct workers_calls *calls;
	void *self;
	struct event_loop loop;
	struct worker_process *processes; /* [count] */
	uint32_t count, live;
	double began; /* by the loop's clock */
	bool interrupted;
	double interrupted_at; /* by the loop's clock */
};

/* Makes room for `count` workers, 1 .. WORKERS_MAX; none of them runs yet. *w must not move. False: *err.
 * Call workers_close() either way. */
MUST_CHECK bool workers_open(
	struct workers *w, uint32_t count, const struct workers_calls *calls, void *self, struct error *err);
void workers_close(struct workers *w);

/* Starts worker number `worker`, which must not be running. Of this process's descriptors beyond standard
 * error it keeps those in keep[kept], at most WORKER_KEEPS_MAX; -1 is ignored. False: *err. */
MUST_CHECK bool workers_start(
	struct workers *w, uint32_t worker, const int *keep, size_t kept, struct error *err);
void workers_kill(struct workers *w, uint32_t worker); /* with SIGKILL, if it runs */
/* Returns when no worker runs. */
void workers_wait(struct workers *w);
/* Seconds since workers_open(). */
double workers_seconds(struct workers *w);

/* The status of waitpid(2) in words: "was ended by signal 9 (Killed)", "ended with status 3". */
const char *worker_exit_text(int status, char text[WORKER_EXIT_TEXT_MAX]);

/* Zeroed memory that workers share with this process; munmap(2) it. NULL: "out of memory for WHAT". */
MUST_CHECK void *workers_memory(size_t size, const char *what, struct error *err);

#endif
