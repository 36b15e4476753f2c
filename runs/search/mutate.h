/* runs/search/mutate.h - changes numbers of a task set at random: periods, deadlines, best and worst cases.
 */
#ifndef CEGSIM_RUNS_SEARCH_MUTATE_H
#define CEGSIM_RUNS_SEARCH_MUTATE_H

#include "runs/search/genome.h"

/* Changes one to three numbers in place. Periods and worst cases stay within a factor of MUTATE_REACH of
 * those of `first`, the set with which it began; so periods stay comparable, and recurrences short. The set
 * may then fail taskset_check(). */
#define MUTATE_REACH 8
void mutate(struct taskset *set, const struct taskset *first, struct dice *dice);

#endif
