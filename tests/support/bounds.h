/* tests/support/bounds.h - bounds of small sets made in code (tests/support/harness.h): the plan of a policy,
 * what an analysis says about it, and the longest responses of runs to be held against that. Whatever is not
 * as it should be fails the test. */
#ifndef CEGSIM_TESTS_SUPPORT_BOUNDS_H
#define CEGSIM_TESTS_SUPPORT_BOUNDS_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/random.h"
#include "tests/support/harness.h"
#include "tests/support/test.h"

#define BOUNDS_TASKS 64

/* ---- Bounds ---- */

struct bounds {
	struct arena arena;
	struct params policy_params, params;
	struct plan plan; /* may be changed before it is analysed (again) */
	struct analysis_result result;
};

/* "name=value name=value", or NULL: all defaults. */
void bounds_params(struct params *params, const struct option *options, const char *text);

/* The plan of a policy for the set, refused or not. b is zeroed, or has been used before. */
void bounds_plan(struct bounds *b, struct maker *k, const char *policy, const char *policy_options);
/* The bounds of b->plan. The parts of each must be its sum. */
void bounds_analyse(struct bounds *b, const char *analysis, const char *options);
/* Both; the policy must take the set. */
void bounds_make(struct bounds *b, struct maker *k, const char *policy, const char *policy_options,
	const char *analysis, const char *options);
void bounds_finish(struct bounds *b);

/* What a kind of part contributes to a task's bound, 0 if there is none. */
int64_t bounds_part(const struct bounds *b, uint32_t task, enum bound_part_kind kind, uint32_t by);

/* All tasks have been analysed, and these are their bounds: BOUNDS_EXPECT(&b, 1, 3, 10). */
void bounds_expect(const struct bounds *b, const int64_t *responses, uint32_t tasks);
#define BOUNDS_EXPECT(b, ...)                                                                                \
	bounds_expect((b), (const int64_t[]){__VA_ARGS__},                                                   \
		sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))
/* The plan is not what the analysis is for, for this reason. */
void bounds_expect_refused(const struct bounds *b, const char *reason);

/* ---- One set and its bounds for each test of a program ---- */

extern struct bounds_fixture {
	struct maker k;
	struct bounds b;
} bounds_fixture;

/* Two SMs, horizon 1000. */
int bounds_begin(void **state);
int bounds_end(void **state);

/* ---- Runs ---- */

struct longest {
	uint64_t jobs;
	int64_t of[BOUNDS_TASKS]; /* of jobs that did not end, what passed until the run stopped */
};

struct longest longest_responses(struct maker *k, const char *policy, const char *options);

/* ---- Random sets and runs ---- */

/* Drawn one after the other: each draw moves the key on. */
int64_t drawn(struct random_key *key, int64_t low, int64_t high);
bool happens(struct random_key *key, int percent);

struct tally {
	uint64_t runs, jobs, bounds, exceeded, reached;
	double ratios, worst;
	char first[160]; /* of those exceeded */
};

/* The set's bounds (NO_BOUND: not to be looked at) against so many runs with random offsets, releases,
 * lengths, and rules for ties. */
void tally_runs(struct tally *tally, struct maker *k, struct random_key *key, const char *policy,
	const char *options, const int64_t *bound, uint32_t runs);
void tally_print(const struct tally *t, const char *what);
/* Prints; none was exceeded, and more than one of so many (0: of any number) was reached: no
 * less could hold. */
void tally_check(const struct tally *t, const char *what, uint64_t reached_of);

#endif
