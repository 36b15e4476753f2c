/* runs/search/mutate.h - changes numbers of a task set at random: periods, deadlines, best and worst cases.
 */
#ifndef CEGSIM_RUNS_SEARCH_MUTATE_H
#define CEGSIM_RUNS_SEARCH_MUTATE_H

#include "runs/search/genome.h"

/* Changes one to three numbers in place. The set may then fail taskset_check(). */
void mutate(struct taskset *set, struct dice *dice);

#endif
