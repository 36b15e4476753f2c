/* models/deciding.h - decisions that take time; see models/deciding.c. */
#ifndef CEGSIM_MODELS_DECIDING_H
#define CEGSIM_MODELS_DECIDING_H

#include <stdbool.h>
#include <stdint.h>

#include "models/seldom.h"

struct machine;

/* Of a gate whose plan says that decisions take time (plan.decision). */
struct deciding {
	bool making, made; /* a decision is being made; is to be taken at this instant */
	bool again;        /* another one was asked for while this one was being made */
	int64_t asked;     /* when the one was asked for that is being made, or was made last */
};

RARE void deciding_settle(struct machine *m); /* in place of the policy's decide(), in phase 4 */
RARE void deciding_over(struct machine *m);   /* the time is over: the decision is taken at this instant */

/* cpu.c: core 0 makes a decision that takes so long; it is recorded with the task's job. */
RARE void cpu_decide(struct machine *m, uint32_t task, int64_t length);
/* gate.c: one is being made, or no more. A gate that waits for it is not empty. */
RARE void gate_shut(struct machine *m, bool making);

#endif
