/* tests/conformance/policies.h - policies made for the tests, for what no registered policy uses yet. */
#ifndef CEGSIM_TESTS_CONFORMANCE_POLICIES_H
#define CEGSIM_TESTS_CONFORMANCE_POLICIES_H

#include "tests/conformance/subjects.h"

extern const struct policy policy_template; /* policies/template.c */

struct test_policy {
	const struct policy *policy;
	enum subject_gate gate;
	bool wide;
	uint32_t virtual_sms;
};

/* Ends with a NULL policy; the template is the first. */
extern const struct test_policy test_policies[];

extern const struct policy policy_refusing, policy_closed;

#endif
