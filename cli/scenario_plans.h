/* cli/scenario_plans.h - the plans that the analyses of a scenario (its key `analyses`) are asked about. */
#ifndef CEGSIM_CLI_SCENARIO_PLANS_H
#define CEGSIM_CLI_SCENARIO_PLANS_H

#include "runs/bounds/bounding.h"
#include "scenarios/scenario.h"

struct scenario_plans {
	struct policy_use *policies; /* [count] */
	uint32_t count;
	uint32_t common; /* the first so many are those of -p, or of the scenario; the others are named by
			    analyses */
};

/* Those under the policies of -p (given), or without them of the scenario; and without -p those of `only`,
 * which analyses bound alone (.policy NULL: they bound all others). False: out of memory; call
 * scenario_plans_finish() either way. */
MUST_CHECK bool scenario_plans_init(struct scenario_plans *p, const struct scenario *s,
	const struct policy_use *given, uint32_t given_count, const struct policy_use *only,
	uint32_t only_count, struct error *err);
void scenario_plans_finish(struct scenario_plans *p); /* accepts a zeroed one */

/* Whether an analysis that bounds `only` is asked about plan number `i`, which is made. */
bool scenario_plans_fit(const struct scenario_plans *p, uint32_t i, const struct bounding *b,
	const struct analysis *analysis, const struct policy_use *only);

#endif
