/* tests/support/bounds.h - bounds of small sets made in code (tests/support/harness.h): the plan of a policy,
 * what an analysis says about it, and the longest responses of runs to compare with that. Any unexpected
 * result fails the test. */
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

/* Makes the plan of a policy for the set, refused or not. b must be zeroed or have been used before. */
void bounds_plan(struct bounds *b, struct maker *k, const char *policy, const char *policy_options);
/* Computes the bounds of b->plan. The parts of each bound must add up to it. */
void bounds_analyse(struct bounds *b, const char *analysis, const char *options);
/* bounds_plan() and bounds_analyse(); the policy must accept the set. */
void bounds_make(struct bounds *b, struct maker *k, const char *policy, const char *policy_options,
	const char *analysis, const char *options);
void bounds_finish(struct bounds *b);

/* The part of this kind in a task's bound; 0 if it has none. */
int64_t bounds_part(const struct bounds *b, uint32_t task, enum bound_part_kind kind, uint32_t by);

/* Compares the bounds of tasks that were analysed with those of a plain second implementation; `none`: it
 * found none up to `limit`. Returns how many are bounded. */
uint64_t bounds_agree(
	const struct bounds *b, const int64_t *plain, int64_t none, int64_t limit, uint32_t set, size_t way);

/* The tasks on which a task's bound rests: bit i for task i. */
uint64_t bounds_rests_on(const struct bounds *b, uint32_t task);

/* All tasks must have been analysed and have these bounds: BOUNDS_EXPECT(&b, 1, 3, 10). */
void bounds_expect(const struct bounds *b, const int64_t *responses, uint32_t tasks);
#define BOUNDS_EXPECT(b, ...)                                                                                \
	bounds_expect((b), (const int64_t[]){__VA_ARGS__},                                                   \
		sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))
/* The analysis must refuse the plan for this reason. */
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
	int64_t of[BOUNDS_TASKS]; /* for a job that did not end: the time until the run stopped */
};

struct longest longest_responses(struct maker *k, const char *policy, const char *options);

/* ---- Random sets and runs ---- */

/* Draws one number after the other: each draw advances the key. */
int64_t drawn(struct random_key *key, int64_t low, int64_t high);
bool happens(struct random_key *key, int percent);

struct tally {
	uint64_t runs, jobs, bounds, exceeded, reached;
	double ratios, worst;
	char first[160]; /* the first bound that was exceeded */
};

/* Random offsets, releases, lengths, and rules for ties. */
void draw_run(struct maker *k, struct random_key *key);
/* Puts the tasks of every other set on 2 to 4 cores, or all on one of them. Depends on the number of the set
 * only. */
void draw_cores(struct maker *k, uint32_t set);
/* Puts the tasks of every third set on 2 or 3 GPUs, all like the one that there is, each task on one. Depends
 * on the number of the set only. */
void draw_gpus(struct maker *k, uint32_t set);
/* Compares one task's bound with its longest response in some runs. */
void tally_bound(struct tally *tally, uint32_t set, uint32_t task, int64_t bound, int64_t response);
/* Compares the set's bounds (NO_BOUND: skip) with as many runs (draw_run()). */
void tally_runs(struct tally *tally, struct maker *k, struct random_key *key, const char *policy,
	const char *options, const int64_t *bound, uint32_t runs);

/* What a bound promises about a task: no longer response in runs in which no job of other tasks is late. */
struct promise {
	uint32_t task;
	int64_t bound;
	uint64_t rests_on; /* bit i: on task i */
};

#define PROMISES_MOST 1024
struct promises {
	struct promise at[PROMISES_MOST];
	size_t count;
};

/* Adds those of b->result. A bound above the period promises nothing: jobs wait for their predecessors. */
void promises_add(struct promises *p, const struct bounds *b);
/* Holds promises against as many runs (draw_run()): those that rest on nobody, and the others. */
void tally_promises(struct tally *sound, struct tally *assuming, struct maker *k, struct random_key *key,
	const char *policy, const char *options, const struct promises *p, uint32_t runs);

void tally_print(const struct tally *t, const char *what);
/* Prints the tally. No bound may be exceeded. More than one bound in `reached_of` must be reached (0: no such
 * check), so that a smaller bound would be wrong. */
void tally_check(const struct tally *t, const char *what, uint64_t reached_of);

#endif
