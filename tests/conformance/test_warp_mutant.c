/* tests/conformance/test_warp_mutant.c - an engine of warps with a fault built in (mutate.sh changed one
 * source file). `cegsim audit` must find the fault in what is recorded, under some scheduler and manager on
 * some set. Where no recording holds enough, the engine must differ from the plain simulation of tests/oracle
 * on some random case.
 *
 *     test_warp_mutant [oracle | sound]
 *
 * sound: an engine without a fault. Nothing may be found and nothing may differ on the runs and cases that
 * the others use. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/conformance/audited.h"
#include "tests/conformance/warp_subjects.h"
#include "tests/oracle/warp_shrink.h"
#include "tests/support/test.h"

#define CASES 500 /* number of random cases compared with the plain simulation */
#define CASES_SEED 17
#define SOUND 63 /* number of runs that are audited */

static struct warp_subject subjects[WARP_SUBJECTS_MAX];

/* Neighbouring runs are alike. Steps of about this length get to most sets, schedulers and managers early. */
#define STEP 895

/* A step that reaches every run: it has no divisor in common with their number. */
static size_t step_through(size_t all)
{
	size_t step = STEP;
	for (;; step++) {
		size_t a = all, b = step;
		while (b != 0) {
			size_t rest = a % b;
			a = b;
			b = rest;
		}
		if (a == 1)
			return step;
	}
}

/* Called for more and more runs: most faults show early. */
static uint64_t audit_some(size_t from, size_t to, bool tell)
{
	size_t count = warp_subjects_all(subjects), all = count * warp_sets, step = step_through(all);
	struct audited a;
	struct error err;
	if (!audited_begin(&a, &err))
		fail_msg("%s", err.text);
	for (size_t i = from; i < to && i < all; i++) {
		size_t at = i * step % all;
		if (!audited_warps(&a, &subjects[at / warp_sets], at % warp_sets, &err))
			fail_msg("%s", err.text);
	}
	return audited_findings(&a, tell, NULL);
}

static void the_audit_finds_it(void **state)
{
	size_t all = warp_subjects_all(subjects) * warp_sets;
	for (size_t from = 0; from < all; from = 2 * from + 1)
		if (audit_some(from, 2 * from + 1, false) > 0)
			return;
	fail_msg("nothing is found in all runs: is the fault still built in?");
}

/* Do the engine and the plain simulation disagree on this random case? Every fourth also with long windows.
 */
static bool differs(uint64_t index, char *text, size_t size)
{
	static struct warp_case c;
	warp_case_make(CASES_SEED, index, &c);
	if (warp_case_verdict(&c, NULL, text, size) == WARP_DIFFERS)
		return true;
	if (index % 4 != 0)
		return false;
	warp_case_lengthen(CASES_SEED, index, &c);
	return warp_case_verdict(&c, NULL, text, size) == WARP_DIFFERS;
}

static void the_plain_simulation_differs(void **state)
{
	char text[2048];
	for (uint64_t i = 0; i < CASES; i++)
		if (differs(i, text, sizeof(text)))
			return;
	fail_msg("all cases agree: is the fault still built in?");
}

static void nothing_is_wrong(void **state)
{
	char text[2048];
	for (uint64_t i = 0; i < CASES; i++)
		if (differs(i, text, sizeof(text)))
			fail_msg("random case %d differs: %s", (int)i, text);
	assert_int_equal(audit_some(0, SOUND, true), 0);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[] = {cmocka_unit_test(the_audit_finds_it)};
	if (argc > 2) {
		fputs("usage: test_warp_mutant [oracle | sound]\n", stderr);
		return 2;
	}
	if (argc > 1 && strcmp(argv[1], "oracle") == 0)
		tests[0] = (struct CMUnitTest)cmocka_unit_test(the_plain_simulation_differs);
	else if (argc > 1)
		tests[0] = (struct CMUnitTest)cmocka_unit_test(nothing_is_wrong);
	return _cmocka_run_group_tests("mutant of warps", tests, 1, NULL, NULL);
}
