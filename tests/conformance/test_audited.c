/* tests/conformance/test_audited.c - what the simulator records, the audit finds right: the two read the
 * model alike. (What it must find wrong: the mutants.) */
#include <string.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdlib.h>
#include "tests/conformance/audited.h"

static uint64_t cases = 40;

static void nothing_is_found(enum audited_as as, uint64_t seed)
{
	struct audit_report report;
	struct error err;
	if (!audited_cases(as, seed, cases, &report, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < report.count; i++)
		if (report.results[i].findings)
			print_error("%s (%s): %s\n", report.results[i].law,
			        audited_name(report.results[i].first), report.results[i].first);
	assert_int_equal(report.findings, 0);
	assert_true(report.runs >= 5 * cases);
	audit_report_finish(&report);
}

static void no_law_of_the_audit_is_broken(void **state)
{
	(void)state;
	nothing_is_found(AS_THEMSELVES, 5);
}

/* The same plans and options, but what the audit asks of any policy. */
static void nor_under_names_that_it_does_not_know(void **state)
{
	(void)state;
	nothing_is_found(AS_STRANGERS, 7);
}

/* A law that was never checked says nothing. */
static void every_law_was_checked(void **state)
{
	struct audit_report report;
	struct error err;
	(void)state;
	if (!audited_cases(AS_THEMSELVES, 6, cases, &report, &err))
		fail_msg("%s", err.text);
	/* Those of warps have runs of their own (tests/unit/test_audit_warps.c). */
	for (size_t i = 0; i < report.count; i++)
		if (report.results[i].checked == 0 && strncmp(report.results[i].law, "warp-", 5) != 0)
			fail_msg("%s was not checked", report.results[i].law);
	audit_report_finish(&report);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(no_law_of_the_audit_is_broken),
	        cmocka_unit_test(nor_under_names_that_it_does_not_know),
	        cmocka_unit_test(every_law_was_checked),
	};
	if (argc > 1)
		cases = strtoull(argv[1], NULL, 10);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
