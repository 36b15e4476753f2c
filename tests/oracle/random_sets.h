/* tests/oracle/random_sets.h - random small scenarios: a platform, a task set, a setup. */
#ifndef CEGSIM_TESTS_ORACLE_RANDOM_SETS_H
#define CEGSIM_TESTS_ORACLE_RANDOM_SETS_H

#include <stdio.h>

#include "models/platform.h"
#include "models/setup.h"
#include "models/taskset.h"
#include "tests/oracle/oracle.h"

struct random_case {
	struct taskset set; /* its arena owns every list below */
	struct platform platform;
	struct run_setup setup;
};

/* A pure function of (seed, index): 1 to 4 SMs, 1 to 6 tasks of 1 to 7 segments, periods to about
 * 60 ticks, a horizon to about 400. Valid: deadlines within periods, blocks that fit an empty SM,
 * every length of a copy filled in. Ends the program without memory. */
void random_case_make(uint64_t seed, uint64_t index, struct random_case *c);
/* A copy whose tasks, segments and release rules are its own; names, profiles and traces are the
 * original's, which must outlive it. */
void random_case_clone(const struct random_case *from, struct random_case *to);
void random_case_finish(struct random_case *c);
/* Room for `count` elements of `size` bytes, zeroed, in the case's arena. Ends the program without memory. */
void *random_case_room(struct random_case *c, size_t count, size_t size);

/* Some of the grids of the case get blocks that are not alike: shares, and draws of their own. A pure
 * function of (dice, case). */
struct dice;
void random_case_uneven(struct dice *d, struct random_case *c);

/* Makes the case one in which the policy has something to do, and which it mostly accepts; a pure function of
 * (index, case, policy): for policies that give SMs to kernels as many SMs as tasks, mostly; for sbeet GPU
 * sections of several kernels, and profiles with power. */
void random_case_suit(struct random_case *c, uint64_t index, const struct oracle_policy *policy);

/* The value of option `allocation` for the case. Returns text, or NULL: not each task can have an SM. */
#define RANDOM_ALLOCATION_MAX 128
const char *random_case_allocation(
	const struct random_case *c, const struct oracle_policy *policy, char text[RANDOM_ALLOCATION_MAX]);

/* Writes the case as a scenario file that `cegsim run` takes. It names trace.csv beside it if there
 * are release traces; its lines follow as comments. The set's number is not in the file: 0. */
void random_case_print(const struct random_case *c, const struct oracle_policy *policy, FILE *out);
/* The lines of trace.csv, each with `before` in front. False: there are none. */
bool random_case_print_trace(const struct random_case *c, const char *before, FILE *out);

#endif
