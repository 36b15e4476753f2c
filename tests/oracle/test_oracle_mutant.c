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

static bool differs(const struct oracle_policy *policy, uint64_t index)
{
	char text[COMPARE_TEXT_MAX];
	struct random_case c;
	random_case_mix(&c, 17, index, policy);
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
