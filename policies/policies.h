/* policies/policies.h - the policies, for the registry and for the mechanisms they share. */
#ifndef CEGSIM_POLICIES_POLICIES_H
#define CEGSIM_POLICIES_POLICIES_H

#include "models/policy.h"

extern const struct policy policy_edf, policy_fcfs, policy_fifo_cke, policy_mpcp, policy_prio_streams,
	policy_rm, policy_rtgpu, policy_sbeet, policy_self_suspension, policy_stgm;
/* They schedule warps. */
extern const struct policy policy_gto, policy_lrr, policy_oldest, policy_qaws, policy_two_level;

/* serial.c: one unit on the GPU at a time, and copies, in this order. The unit is a GPU section, or what the
 * policy's option `unit` (serial_options) says. */
extern const struct option serial_options[];
decide_fn decide_one_at_a_time;
void plan_sections_one_at_a_time(struct plan *plan, order_fn *order);
void plan_one_at_a_time(struct plan *plan, order_fn *order);

/* given.c: what policies with an allocation made beforehand have in common. */

/* The option `allocation`, one number for each task, into *given; NULL if it is empty. False: another
 * number of numbers than tasks, or out of memory. */
MUST_CHECK bool plan_given(const struct plan *plan, uint32_t **given, struct error *err);
/* What the test says; a set that it does not accept is refused, or run all the same. */
struct verdict;
void plan_verdict(struct plan *plan, const struct verdict *verdict, bool refused);

#endif
