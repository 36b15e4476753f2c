/* tests/unit/pipe_plans.h - for the tests of policies/pipe/: a plan that questions are about. */
#ifndef CEGSIM_TESTS_UNIT_PIPE_PLANS_H
#define CEGSIM_TESTS_UNIT_PIPE_PLANS_H

#include "models/plan.h"
#include "policies/registry.h"
#include "tests/support/harness.h"
#include "tests/support/test.h"

struct asking {
	struct maker maker;
	struct arena arena;
	struct params params;
	struct plan plan;
};

/* To be called after the tasks are made. */
static inline void asking_plan(struct asking *a, const char *policy)
{
	struct error err;
	const struct policy *found = policy_find(policy);
	params_default(&a->params, found->options);
	if (!plan_create(&a->maker.platform, &a->maker.set, &a->maker.setup, found, &a->params, &a->arena,
		    &a->plan, &err))
		fail_msg("%s", err.text);
	assert_false(a->plan.refused);
}

/* Two tasks on one core; the second has the higher priority. */
static inline void asking_two(struct asking *a)
{
	*a = (struct asking){.params = {0}};
	maker_init(&a->maker, 1);
	maker_task(&a->maker, "slow", 100, 90, 0);
	maker_cpu(&a->maker, 5, 10);
	maker_task(&a->maker, "fast", 50, 40, 0);
	maker_cpu(&a->maker, 2, 2);
	asking_plan(a, "rm");
}

static inline void asking_finish(struct asking *a)
{
	arena_finish(&a->arena);
	maker_finish(&a->maker);
}

#endif
