/* tests/oracle/compare.h - compares two results of one case, and finds the smallest case that still shows a
 * difference. */
#ifndef CEGSIM_TESTS_ORACLE_COMPARE_H
#define CEGSIM_TESTS_ORACLE_COMPARE_H

#include <stddef.h>

#include "tests/oracle/oracle.h"
#include "tests/oracle/random_sets.h"

#define COMPARE_TEXT_MAX 1024

/* True if they agree in every decision, job, block, and stretch on the CPU and the copy engines, in S, misses
 * and energy. Otherwise text says what differs first, and in how many entries. Sorts both. */
bool results_agree(struct oracle_result *engine, struct oracle_result *oracle, char *text, size_t size);

enum verdict { CASE_AGREES, CASE_DIFFERS, CASE_REFUSED };

/* Runs the case under the policy on both sides. text: what differs, or why the policy refused it. */
enum verdict case_verdict(
	const struct random_case *c, const struct oracle_policy *policy, char *text, size_t size);

/* The same in its own process: a side that crashes counts as a difference. */
enum verdict case_verdict_apart(
	const struct random_case *c, const struct oracle_policy *policy, char *text, size_t size);

/* Clones *from and makes the clone smaller as long as the two sides disagree: fewer tasks, segments,
 * releases, a shorter horizon, simpler rules. *from must outlive *smallest. */
void case_shrink(
	const struct random_case *from, const struct oracle_policy *policy, struct random_case *smallest);

#endif
