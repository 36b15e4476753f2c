/* models/gate.h - what a policy may ask and do in its decide() (models/policy.h).
 *
 * Units wait at the gate, ordered by the plan's kernel_order. What is admitted leaves it and goes
 * its way: its operations are issued to their streams in phase 5 of the same instant. */
#ifndef CEGSIM_MODELS_GATE_H
#define CEGSIM_MODELS_GATE_H

#include "models/policy.h"

int64_t gate_now(const struct gate *g);
uint32_t gate_waiting(const struct gate *g);       /* number of waiting units */
uint32_t gate_admitted(const struct gate *g);      /* number of units admitted and not over */

/* Takes the unit that is next (with the setup's rule for ties) out of the gate and admits it on
 * all SMs, through the primary queue. At least one unit must be waiting. Returns its task. */
uint32_t gate_admit_next(struct gate *g);

#endif
