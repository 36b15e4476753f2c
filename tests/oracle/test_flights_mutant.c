/* tests/oracle/test_flights_mutant.c - an engine with a fault in operations in flight
 * (tests/conformance/mutate.sh changed one source file): on some random set it must differ from the second
 * simulator. */
#include "tests/oracle/flights_sets.h"
#include "tests/support/test.h"

#define CASES 2000

TEST("the second simulator differs")
{
	char text[200];
	for (uint64_t number = 0; number < CASES; number++)
		if (!flights_agree(number, text, sizeof(text)))
			return;
	fail_msg("%d sets agree: is the fault still built in?", CASES);
}
