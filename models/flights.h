/* models/flights.h - operations that a job has issued and does not wait for (models/flights.c); shared by the
 * files of models/ only. */
#ifndef CEGSIM_MODELS_FLIGHTS_H
#define CEGSIM_MODELS_FLIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "models/seldom.h"

struct machine;
struct step;

/* Asynchronous operations. Each such segment of a task has an entry of its own in machine.tasks, behind those
 * of the tasks. While it is in flight, the entry is active and at its place; the task's entry, meanwhile, is
 * at what the job does itself. So queues hold entries: a task's, with the operation that its job waits for,
 * and those of its operations in flight. */
struct flights {
	uint32_t *first;   /* [tasks + 1] the entries of task i are first[i] ... first[i + 1] - 1 */
	uint32_t *owner;   /* [runs] the task of an entry */
	uint64_t *who;     /* [runs] the entry, in the lower half, below its tie: entries are ordered by task,
			    * then segment; a task's own is behind its others: a job has only earlier segments
			    * in flight */
	uint32_t *pending; /* [tasks] so many of the current job are in flight */
	int64_t *ended;    /* [runs] when it was over last */
	bool any;          /* some task has some */
};

MUST_CHECK bool flights_count(struct machine *m); /* before tasks are made */
/* Of a task, when its steps are made. */
MUST_CHECK bool flights_init(struct machine *m, uint32_t task, struct step *steps);
/* A job has come to a segment that flies. True: it goes on with the next one. */
RARE bool flights_reached(struct machine *m, uint32_t task);
RARE void flights_launched(struct machine *m, uint32_t task); /* the operation's launch is over */
RARE void flights_over(struct machine *m, uint32_t run);      /* an operation in flight has ended */
/* The job is removed, or aborted: takes away what has not started. */
RARE void flights_cut(struct machine *m, uint32_t task);
/* Whether it has to wait for operations that it comes after. */
RARE bool flights_hold(const struct machine *m, uint32_t run);

#endif
