/* tests/oracle/test_inside_mutant.c - is linked with a source that has a fault: the engine must differ from
 * the plain simulation of programs in sets of tasks. */
#include "tests/oracle/inside_cases.h"
#include "tests/support/test.h"

#define CASES 150

TEST("the fault shows")
{
	struct inside_counts n = {0};
	for (uint64_t i = 0; i < CASES; i++)
		if (inside_case_verdict(1, i, &n) == INSIDE_DIFFERS)
			return;
	fail_msg("no case differs");
}
