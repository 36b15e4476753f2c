/* tests/conformance/subjects.h - what the laws are held against: every registered policy with every
 * choice of its options, the template, and policies made for the tests. */
#ifndef CEGSIM_TESTS_CONFORMANCE_SUBJECTS_H
#define CEGSIM_TESTS_CONFORMANCE_SUBJECTS_H

#include "models/policy.h"
#include "tests/oracle/random_sets.h"

/* What the test knows of a policy's gate beyond its plan. */
enum subject_gate {
	GATE_UNKNOWN, /* open, shared by plan->decide, or with rules of its own */
	GATE_SERIAL,  /* one unit at a time, in the gate's order, never idle while one waits */
	GATE_CLOSED,  /* nothing is ever admitted */
};

struct subject {
	char label[112];
	const struct policy *policy;
	char option[32], value[32]; /* "": all defaults */
	enum subject_gate gate;
	bool wide;            /* give it at least an SM per task */
	uint32_t virtual_sms; /* V_SM it imposes: kernels must say alpha for it; 0: the platform's */
};

#define SUBJECTS_MAX 64
/* Fills the table; returns the number of subjects. */
size_t subjects_all(struct subject subjects[SUBJECTS_MAX]);

/* Random case number `index` for a subject. */
void subjects_case(const struct subject *subject, uint64_t seed, uint64_t index, struct random_case *c);

#endif
