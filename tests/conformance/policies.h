/* tests/conformance/policies.h - policies made for the tests, for what no registered policy uses yet. */
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
	bool shows, tells, slots;
};

/* Ends with a NULL policy; the template is the first. */
extern const struct test_policy test_policies[];

extern const struct policy policy_refusing, policy_closed;

/* gate_policies.c: what a gate can do. Those that show record at every decision, by gate_weigh, what the gate
 * shows: sms the place from 0, kernel_end the instant since which the unit waits, energy_uwns its section
 * deadline; what is chosen is admitted. */
extern const struct policy policy_pairs, policy_some_sms, policy_some_slots, policy_clocked, policy_several;

#endif
