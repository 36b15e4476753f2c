/* tests/oracle/test_oracle_mutant.c - an engine with a fault built in (tests/conformance/mutate.sh changed
 * one source file) that no law can find: on some random case the engine must differ from the oracle.
 *
 *     test_oracle_mutant POLICY        under the rows of policies that contain it */
#include <stdio.h>
#include <string.h>

#include "tests/oracle/compare.h"
#include "tests/support/test.h"

#define CASES 1000

static const char *rows;

/* sbeet and sbeet-mg refuse masks, overheads and triggers. */
static bool predicts(const struct oracle_policy *policy)
{
	return policy->unit == ORACLE_SECTION_KERNELS || policy->admits == ORACLE_CHOOSING;
}

static bool differs(const struct oracle_policy *policy, uint64_t index)
{
	char text[COMPARE_TEXT_MAX];
	struct random_case c;
	random_case_make(17, index, &c);
	random_case_suit(&c, index, policy);
	random_case_spread(&c, index);
	random_case_divide(&c, index);
	if (policy->unit == ORACLE_OPEN)
		random_case_fly(&c, index);
	if (policy->contexts == ORACLE_ONE_CONTEXT && !policy->grants &&
		policy->unit != ORACLE_SECTION_KERNELS && index / 2 % 3 != 0)
		random_case_gpus(&c, index, false);
	random_case_measure(&c, index);
	if (!policy->grants && !predicts(policy))
		random_case_confine(&c, index);
	if (!predicts(policy)) {
		random_case_burden(&c, index);
		random_case_link(&c, index);
	}
	enum verdict verdict = case_verdict(&c, policy, text, sizeof(text));
	if (verdict == CASE_REFUSED && random_case_land(&c))
		verdict = case_verdict(&c, policy, text, sizeof(text));
	random_case_finish(&c);
	return verdict == CASE_DIFFERS;
}

TEST("the oracle differs")
{
	uint32_t policies = 0;
	for (uint64_t i = 0; i < CASES; i++) {
		for (const struct oracle_policy *p = oracle_policies; p->label; p++) {
			if (!strstr(p->label, rows))
				continue;
			policies++;
			if (differs(p, i))
				return;
		}
	}
	fail_msg("%u runs agree: is the fault still built in?", policies);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fputs("usage: test_oracle_mutant POLICY\n", stderr);
		return 2;
	}
	rows = argv[1];
	return tests_run(0, NULL);
}
