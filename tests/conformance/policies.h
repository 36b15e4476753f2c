/* tests/conformance/policies.h - policies made for the tests. They do what no registered policy does yet. */
#ifndef CEGSIM_TESTS_CONFORMANCE_POLICIES_H
#define CEGSIM_TESTS_CONFORMANCE_POLICIES_H

#include "tests/conformance/subjects.h"

extern const struct policy policy_template; /* policies/template.c */

struct test_policy {
	const struct policy *policy;
	/* As in struct subject. */
	enum subject_gate gate;
	bool wide, own_sms;
	uint32_t virtual_sms, workers;
	bool shows, tells, slots, contexts, locks;
};

/* Ends with a NULL policy; the template is the first. */
extern const struct test_policy test_policies[];

extern const struct policy policy_refusing, policy_closed;

/* gate_policies.c: what a gate can do. Policies with `shows` (subjects.h) call gate_weigh() at every decision
 * and so record what the gate shows of each unit: `sms` holds its place from 0, `kernel_end` the instant
 * since which it waits, `energy_uwns` its section deadline. Units that are chosen are admitted. */
extern const struct policy policy_pairs, policy_some_sms, policy_some_slots, policy_clocked, policy_several;

#endif
