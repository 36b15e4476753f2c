/* tests/property/test_flights.c - random sets with operations in flight: the simulator against a second one.
 */
#include "tests/oracle/flights_sets.h"
#include "tests/support/test.h"

TEST_NUMBER(cases, 3000);

TEST("operations in flight, tick by tick")
{
	char text[200];
	for (uint64_t number = 0; number < TEST_CASES(cases); number++)
		if (!flights_agree(number, text, sizeof(text)))
			fail_msg("set %u: %s", (unsigned)number, text);
}

TEST("graphs, and launches made by hand")
{
	char text[200];
	for (uint64_t number = 0; number < TEST_CASES(cases); number++)
		if (!graphs_agree(number, text, sizeof(text)))
			fail_msg("set %u: %s", (unsigned)number, text);
}
