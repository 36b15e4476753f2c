/* policies/turns.h - active processes that have the GPU in turns, for time slices (docs/model.md, "Contexts",
 * T2 to T5): what tsg-rr does with all processes, and gcaps while no real-time task owns the GPU. */
#ifndef CEGSIM_POLICIES_TURNS_H
#define CEGSIM_POLICIES_TURNS_H

#include "models/gate.h"

struct turns {
	int64_t slice_ns;
	int64_t begin; /* of the holder's first slice */
	uint32_t last; /* the process that was loaded last; GATE_NOBODY: none */
};

void turns_init(struct turns *t, const struct platform *platform);
/* The next active process in the ring behind the one loaded last, which comes last itself; GATE_NOBODY: none
 * is active. */
uint32_t turns_next(const struct turns *t, const struct gate *gate);
/* The process was given the GPU, which it has from `begin` on. */
void turns_given(struct turns *t, uint32_t process, int64_t begin);
/* To be called from decide(), in a plan that wakes: who has the GPU now. */
void turns_decide(struct turns *t, struct gate *gate);

#endif
