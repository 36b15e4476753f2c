/* policies/policies.h - the policies, for the registry and for the mechanisms they share. */
#ifndef CEGSIM_POLICIES_POLICIES_H
#define CEGSIM_POLICIES_POLICIES_H

#include "models/policy.h"

extern const struct policy policy_fifo_cke, policy_fcfs, policy_rm, policy_prio_streams;

/* serial.c: one unit on the GPU at a time, in the gate's order. */
decide_fn decide_one_at_a_time;

#endif
