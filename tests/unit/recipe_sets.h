/* tests/unit/recipe_sets.h - what the tests of recipes share: the current set, and loops over sets. */
#ifndef CEGSIM_TESTS_UNIT_RECIPE_SETS_H
#define CEGSIM_TESTS_UNIT_RECIPE_SETS_H

#include <math.h>

#include "tests/support/generated.h"
#include "tests/support/test.h"

#define MS INT64_C(1000000)
#define PPM INT64_C(1000000)
#define SETS 200u

static struct platform platform;
static struct taskset set;
static struct error failure;

static inline const struct recipe *recipe(const char *name)
{
	const struct recipe *r = recipe_find(name);
	assert_non_null(r);
	return r;
}

#define assert_near(a, b, within) assert_true(fabs((double)(a) - (b)) <= (within))

/* Calls `check` for SETS sets with these options. */
static inline void each_set(
	const char *name, const char *options, void (*check)(const struct params *params, uint32_t index))
{
	struct params params = generated_params(recipe(name), options);
	for (uint32_t i = 0; i < SETS; i++) {
		generate(recipe(name), &params, 7, i, &platform, &set);
		check(&params, i);
		taskset_finish(&set);
	}
}

static inline int64_t length_of(const struct task *t)
{
	int64_t length = 0;
	for (uint32_t j = 0; j < t->segment_count; j++)
		length += t->segments[j].worst_ns;
	return length;
}

static inline double total_utilisation(void)
{
	double total = 0;
	for (uint32_t i = 0; i < set.task_count; i++)
		total += (double)length_of(&set.tasks[i]) / (double)set.tasks[i].period_ns;
	return total;
}

#endif
