/* policies/policies.h - declares the policies for the registry, and the code that several policies share. */
#ifndef CEGSIM_POLICIES_POLICIES_H
#define CEGSIM_POLICIES_POLICIES_H

#include "models/policy.h"

extern const struct policy policy_edf, policy_fcfs, policy_fifo_cke, policy_gcaps, policy_mpcp,
	policy_prio_streams, policy_rm, policy_rtgpu, policy_sbeet, policy_sbeet_mg, policy_self_suspension,
	policy_stgm, policy_tsg_rr;
/* Policies that schedule warps. */
extern const struct policy policy_gto, policy_lrr, policy_oldest, policy_qaws, policy_two_level;

/* serial.c: one unit at a time on the GPU; units and copies wait in this order. A unit is a GPU section,
 * unless the policy's option `unit` (serial_options) says otherwise. */
extern const struct option serial_options[];
decide_fn decide_one_at_a_time;
void plan_sections_one_at_a_time(struct plan *plan, order_fn *order);
void plan_one_at_a_time(struct plan *plan, order_fn *order);

/* given.c: shared code of the policies that allocate SMs before the run. */

/* Reads the option `allocation`, one number for each task, into *given; NULL if it is empty. False: there are
 * not as many numbers as tasks, or out of memory. */
MUST_CHECK bool plan_given(const struct plan *plan, uint32_t **given, struct error *err);
/* For sets whose kernels are confined to some SMs (docs/model.md, "SM masks"): these are the allocation, if
 * every kernel has a mask, those of a task the same, and no two tasks' masks meet. Then *given becomes `each`
 * times the number of a task's SMs, and plan_take_masks() puts these SMs into the grants that come of it.
 * Leaves *given alone in sets without masks. False, with *refused: the masks are no allocation; else: an
 * allocation was given, too, or out of memory. */
MUST_CHECK bool plan_given_masks(
	struct plan *plan, uint32_t each, uint32_t **given, bool *refused, struct error *err);
void plan_take_masks(const struct plan *plan, struct grant *grants);
/* Applies the verdict of the policy's test: a set that it does not accept is refused, or run all the same. */
struct verdict;
void plan_verdict(struct plan *plan, const struct verdict *verdict, bool refused);
/* Refuses sets that no test of a policy knows (verdict_plain()), several GPUs unless plan->gpus is GPUS_EACH,
 * and, unless `admit: any`, platforms
 * (overheads; several cores, `own_cores`: those that serve any task). Returns whether it did. */
bool plan_refused_setting(struct plan *plan, bool own_cores);

#endif
