/* tests/oracle/test_inside_oracle.c - compares runs of tasks whose kernels are programs of warps with the
 * plain simulation on random cases (tests/oracle/inside_cases.h).
 *
 *     test_inside_oracle [CASES [FIRST]]
 *
 * CASES: the argument, else $CEGSIM_ORACLE_CASES, else 3000, of the sequence of $CEGSIM_ORACLE_SEED (1), from
 * number FIRST (0) on. $CEGSIM_ORACLE_COUNTS: print on stderr what happened in them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/oracle/inside_cases.h"
#include "tests/support/test.h"

#define ENOUGH 300 /* fewer cases need not show everything */

static uint64_t seed = 1, first, cases = TEST_CASES(1000);

TEST("blocks of programs in sets of tasks are those of the plain simulation")
{
	struct inside_counts n = {0};
	uint64_t compared = 0;
	for (uint64_t i = first; i < first + cases; i++) {
		enum inside_verdict verdict = inside_case_verdict(seed, i, &n);
		if (verdict == INSIDE_DIFFERS)
			fail_msg("case %" PRIu64 " of seed %" PRIu64 " differs", i, seed);
		compared += verdict == INSIDE_AGREES;
	}
	if (getenv("CEGSIM_ORACLE_COUNTS"))
		fprintf(stderr,
			"%" PRIu64 " cases, %" PRIu64 " blocks; %" PRIu64 " ended between two ns, %" PRIu64
			" placed beside other programs\n",
			compared, n.blocks, n.between, n.beside);
	if (2 * compared < cases || (cases >= ENOUGH && (n.between == 0 || n.beside == 0)))
		fail_msg("the cases are too simple: %" PRIu64 " of %" PRIu64, compared, cases);
}

static uint64_t number(const char *text, uint64_t otherwise)
{
	return text ? strtoull(text, NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
	seed = number(getenv("CEGSIM_ORACLE_SEED"), seed);
	cases = number(argc > 1 ? argv[1] : getenv("CEGSIM_ORACLE_CASES"), cases);
	first = number(argc > 2 ? argv[2] : NULL, first);
	return tests_run(0, NULL);
}
