/* tests/oracle/mixed_sets.c - random sets with everything that the policy takes. */
#include <string.h>

#include "tests/oracle/random_sets.h"

/* Its predictions know no jitter, deadline behind the period, mask. */
static bool predicts(const struct oracle_policy *policy)
{
	return policy->unit == ORACLE_SECTION_KERNELS || policy->admits == ORACLE_CHOOSING;
}

/* Can the policy do with several GPUs? */
static bool of_many_gpus(const struct oracle_policy *policy)
{
	if (policy->grants)
		return strcmp(policy->name, "rtgpu") == 0;
	return policy->contexts == ORACLE_ONE_CONTEXT && policy->unit != ORACLE_SECTION_KERNELS;
}

void random_case_mix(struct random_case *c, uint64_t seed, uint64_t index, const struct oracle_policy *policy)
{
	random_case_make(seed, index, c);
	random_case_suit(c, index, policy);
	random_case_sample(c, index);
	if (policy->admits != ORACLE_CHOOSING) /* it refuses them */
		random_case_burden(c, index);
	random_case_spread(c, index);
	if (!policy->grants && !predicts(policy))
		random_case_loosen(c, index);
	random_case_link(c, index);
	random_case_divide(c, index);
	if (policy->contexts == ORACLE_ONE_CONTEXT)
		random_case_delay(c, index);
	if (policy->unit == ORACLE_OPEN) /* others refuse */
		random_case_fly(c, index);
	if (of_many_gpus(policy) && index / 2 % 3 != 0)
		random_case_gpus(c, index, policy->grants);
	random_case_measure(c, index);
	if (!policy->grants && !predicts(policy))
		random_case_confine(c, index);
	else if (policy->grants && !policy->of_tests && !policy->allocation)
		random_case_part(c, index);
}
