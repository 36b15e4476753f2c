/* models/triggers.h - tasks that are released by the ends of jobs of others (models/triggers.c); shared by
 * the files of models/ only. */
#ifndef CEGSIM_MODELS_TRIGGERS_H
#define CEGSIM_MODELS_TRIGGERS_H

#include <stdbool.h>
#include <stdint.h>

#include "models/seldom.h"

/* A task that is released by this one. */
struct follower {
	uint32_t task, place; /* place: of this one among those that release it */
};

struct followers {
	struct follower *follower; /* [count] */
	uint32_t count;
};

/* Of a task that others release. */
struct triggered {
	uint32_t *finished; /* [rule.after_count] jobs of each of those that have finished */
	uint32_t due;       /* jobs that are to be released, those released already included */
	/* The releases of its waiting jobs but the first: a ring of mask + 1 places, none if it has no
	 * memory. */
	int64_t *release;
	uint32_t mask, first, count;
};

struct triggers {
	bool used;                   /* some task is released by others; else nothing below */
	struct followers *followers; /* [tasks] */
	struct triggered *of;        /* [tasks] */
};

bool triggers_init(struct machine *m);
RARE void triggers_finished(struct machine *m, uint32_t task);    /* its current job has */
RARE int64_t triggers_released(struct machine *m, uint32_t task); /* a job was; when the next one will be */
RARE void triggers_wait(struct machine *m, uint32_t task);        /* a job begins to, behind another */
RARE int64_t triggers_waiting(struct machine *m, uint32_t task);  /* takes the first one's release out */

#endif
