/* tests/oracle/engine_side.h - the engine's side of a comparison: runs models/simulation.h and collects its
 * trace into a result of the oracle's type. */
#ifndef CEGSIM_TESTS_ORACLE_ENGINE_SIDE_H
#define CEGSIM_TESTS_ORACLE_ENGINE_SIDE_H

#include <stddef.h>

#include "models/policy.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/random_sets.h"

enum engine_answer { ENGINE_RAN, ENGINE_REFUSED, ENGINE_FAILED };

/* context_policies.c: the policies that are of_tests, written for the engine's gate. NULL: no such name. */
const struct policy *context_policy(const char *name);

struct engine_run {
	struct oracle_result *result; /* ENGINE_RAN; else NULL */
	struct oracle_allocation allocation;
};

/* Runs policy->name with its options on the case. The set must be valid, which engine_check() tells. text:
 * why it was refused, or what went wrong. */
enum engine_answer engine_run(const struct random_case *c, const struct oracle_policy *policy,
	struct engine_run *run, char *text, size_t size);

/* The options of a policy that the engine has. list: the allocation, or NULL. */
bool engine_params(
	const struct oracle_policy *policy, const char *list, struct params *params, struct error *err);

/* taskset_check(): true if it finds nothing; else text holds its last complaint. */
bool engine_check(struct taskset *set, const struct platform *platform, char *text, size_t size);

#endif
