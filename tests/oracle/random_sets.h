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

/* Depends on (seed, index) only. Makes 1 to 4 SMs, 1 to 6 tasks of 1 to 7 segments, periods up to about 60
 * ticks and a horizon up to about 400. The case is valid: deadlines are within periods, blocks fit an empty
 * SM, and every length of a copy is filled in. Ends the program if there is no memory. */
void random_case_make(uint64_t seed, uint64_t index, struct random_case *c);
/* Makes a copy with its own tasks, segments and release rules. Names, profiles and traces belong to the
 * original, which must outlive the copy. */
void random_case_clone(const struct random_case *from, struct random_case *to);
void random_case_finish(struct random_case *c);
/* Zeroed room for `count` elements of `size` bytes in the case's arena. Ends the program if there is no
 * memory. */
void *random_case_room(struct random_case *c, size_t count, size_t size);

/* Gives some grids of the case blocks that differ: shares, or draws of their own. Depends on (dice, case)
 * only. */
struct dice;
void random_case_uneven(struct dice *d, struct random_case *c);

/* Gives some tasks of some cases what policies with a test of their own refuse: release jitter, deadlines
 * above periods. Depends on (index, case) only. */
void random_case_loosen(struct random_case *c, uint64_t index);
/* Lets some cases draw from samples. Depends on (index, case) only. */
void random_case_sample(struct random_case *c, uint64_t index);
/* Gives the platform of two cases in three overheads: mostly a few of the six. Depends on (index) only. */
void random_case_burden(struct random_case *c, uint64_t index);
/* Gives the GPU of one case in two a preemption delay. Depends on (index, platform) only. */
void random_case_delay(struct random_case *c, uint64_t index);
/* Gives the platform of two cases in three 2 to 4 cores, half of them global. Depends on (index, case) only.
 */
void random_case_spread(struct random_case *c, uint64_t index);

/* Gives the platform 2 or 3 GPUs, which differ, and spreads tasks, or their segments, over them; `together`:
 * all kernels of a task are on one. Depends on (index, case, together) only. */
void random_case_gpus(struct random_case *c, uint64_t index, bool together);
/* Gives kernels of a case with several GPUs a profile for each, and copies a time. Depends on (index, case)
 * only. */
void random_case_measure(struct random_case *c, uint64_t index);

/* Gives the case three chains; lets others release some tasks. Depends on (index, number of tasks) only. */
void random_case_chains(struct random_case *c, uint64_t index);
void random_case_triggers(struct random_case *c, uint64_t index);
/* Both: up to two chains, and triggers in two cases of three. */
void random_case_link(struct random_case *c, uint64_t index);
/* Takes all of that away again; takes the task, which is to be removed, out of it. */
void random_case_unlink(struct random_case *c);
void random_case_unlink_task(struct random_case *c, uint32_t task);
/* Gives the tasks processes, priorities for the GPU, the segments that may start again, and the platform
 * slices and what changes take. Depends on (index, case) only. */
void random_case_divide(struct random_case *c, uint64_t index);
/* Makes copies and kernels of most cases asynchronous, some after others, and puts waits in place of
 * segments. Depends on (index, case) only. */
void random_case_fly(struct random_case *c, uint64_t index);
/* Takes that away again; false: there was nothing of it. */
bool random_case_land(struct random_case *c);
/* Confines some kernels of some cases to some SMs, and gives some platforms a table of few kernels. Depends
 * on (index, case) only. */
void random_case_confine(struct random_case *c, uint64_t index);
/* In some cases each task has SMs of its own, by the masks of its kernels. Depends on (index, case) only. */
void random_case_part(struct random_case *c, uint64_t index);
void random_case_unite(struct random_case *c); /* takes all masks away */
/* Gives some tasks a limit of misses. Depends on (index, case) only. */
void random_case_limit(struct random_case *c, uint64_t index);

/* Changes the case so that the policy has something to do, and mostly accepts it. For policies that give SMs
 * to kernels: mostly as many SMs as tasks. For sbeet: GPU sections of several kernels, and profiles with
 * power. Depends on (index, case, policy) only. */
void random_case_suit(struct random_case *c, uint64_t index, const struct oracle_policy *policy);

/* Makes such a case with everything that the policy takes: overheads, cores, triggers, chains, contexts,
 * operations in flight, several GPUs, masks. Overheads are the platform's: its GPUs are made behind them. */
void random_case_mix(
	struct random_case *c, uint64_t seed, uint64_t index, const struct oracle_policy *policy);

/* The value of option `allocation` for the case. Returns text, or NULL if there is not an SM for each
 * task. */
#define RANDOM_ALLOCATION_MAX 128
const char *random_case_allocation(
	const struct random_case *c, const struct oracle_policy *policy, char text[RANDOM_ALLOCATION_MAX]);

/* Writes the case as a scenario file for `cegsim run`. If there are release traces, the file names trace.csv
 * beside it and holds the lines of it as comments. The number of the set is not in the file, and counts as
 * 0. */
void random_case_print(const struct random_case *c, const struct oracle_policy *policy, FILE *out);
/* Writes the lines of trace.csv or of samples.csv, each with `before` in front. False: there are none. */
bool random_case_print_trace(const struct random_case *c, const char *before, FILE *out);
bool random_case_print_samples(const struct random_case *c, const char *before, FILE *out);

#endif
