/* cli/scenario_plans.c - see cli/scenario_plans.h. */
#include "cli/scenario_plans.h"

#include <stdlib.h>
#include <string.h>

static bool is_listed(const struct scenario_plans *p, const struct policy_use *use)
{
	for (uint32_t i = 0; i < p->count; i++)
		if (policy_use_same(&p->policies[i], use))
			return true;
	return false;
}

bool scenario_plans_init(struct scenario_plans *p, const struct scenario *s, const struct policy_use *given,
	uint32_t given_count, const struct policy_use *only, uint32_t only_count, struct error *err)
{
	p->count = p->common = given_count ? given_count : s->policy_count;
	p->policies = calloc((size_t)p->common + only_count + 1, sizeof(*p->policies));
	if (!p->policies)
		return error_memory(err, "the policies");
	if (p->common > 0)
		memcpy(p->policies, given_count ? given : s->policies, p->common * sizeof(*p->policies));
	for (uint32_t i = 0; i < only_count && !given_count; i++)
		if (only[i].policy && !is_listed(p, &only[i]))
			p->policies[p->count++] = only[i];
	return true;
}

void scenario_plans_finish(struct scenario_plans *p)
{
	free(p->policies);
	*p = (struct scenario_plans){0};
}

bool scenario_plans_fit(const struct scenario_plans *p, uint32_t i, const struct bounding *b,
	const struct analysis *analysis, const struct policy_use *only)
{
	bool meant = only->policy ? policy_use_same(only, &p->policies[i]) : i < p->common;
	return meant && bounding_fits(b, analysis);
}
