/* models/hands.h - SMs that high kernels take from low ones, and the time that this takes. */
#ifndef CEGSIM_MODELS_HANDS_H
#define CEGSIM_MODELS_HANDS_H

#include "models/machine.h"

/* Sets gpu->hands for the GPU that m->platform is: NULL without a preemption delay. False: out of memory. */
MUST_CHECK bool hands_init(struct machine *m, struct gpu *gpu);
/* Whether any GPU of the platform has a preemption delay. */
bool hands_anywhere(const struct machine *m);

/* A block of the launch is placed on the SM now. Returns the instant at which its work begins. */
SELDOM int64_t hands_place(struct machine *m, const struct launch *launch, uint32_t sm);
/* One that was there has done its work. */
SELDOM void hands_end(struct machine *m, const struct launch *launch, uint32_t sm);

#endif
