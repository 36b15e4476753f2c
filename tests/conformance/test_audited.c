/* tests/conformance/test_audited.c - what the simulator records, the audit finds right: the two read the
 * model alike. (What it must find wrong: the mutants.) */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/conformance/audited.h"
#include "tests/support/test.h"

TEST_NUMBER(cases, 40);

/* What the audit says of each; both are tested from it. */
static struct audit_report themselves, strangers;

static bool audit(enum audited_as as, uint64_t seed, struct audit_report *report)
{
	struct error err;
	bool audited = audited_cases(as, seed, cases, report, &err);
	if (!audited || audited_error()) {
		print_error("%s\n", audited ? audited_error() : err.text);
		return false;
	}
	for (size_t i = 0; i < report->count; i++)
		if (report->results[i].findings)
			print_error("%s (%s): %s\n", report->results[i].law,
				audited_name(report->results[i].first), report->results[i].first);
	return true;
}

static int audit_both(void **state)
{
	return audit(AS_THEMSELVES, 5, &themselves) && audit(AS_STRANGERS, 7, &strangers) ? 0 : -1;
}

static int finish_both(void **state)
{
	audit_report_finish(&themselves);
	audit_report_finish(&strangers);
	return 0;
}

ALL_TESTS(audit_both, finish_both);

static void nothing_is_found(const struct audit_report *report)
{
	assert_int_equal(report->findings, 0);
	assert_true(report->runs >= 5 * cases);
}

TEST("no law of the audit is broken")
{
	nothing_is_found(&themselves);
}

/* The same plans and options, and those made for the tests: what the audit asks of any policy. */
TEST("nor under names that it does not know")
{
	nothing_is_found(&strangers);
	assert_true(strangers.runs > themselves.runs);
}

/* Those of warps have runs of their own (tests/unit/test_audit_warps.c); nothing is analysed here. */
static bool elsewhere(const char *law)
{
	return strncmp(law, "warp-", 5) == 0 || strcmp(law, "analysis-identity") == 0;
}

/* A law that was never checked says nothing. */
TEST("every law was checked")
{
	for (size_t i = 0; i < themselves.count; i++)
		if (themselves.results[i].checked == 0 && !elsewhere(themselves.results[i].law))
			fail_msg("%s was not checked", themselves.results[i].law);
}

/* These need to know what a policy promises; all others are asked of strangers, too. */
static bool of_promises(const char *law)
{
	static const char *const laws[] = {"cpu-priority", "gate", "kernels-apart", "decisions",
		"predictions", "streams", "copy-order", "copy-work"};
	for (size_t i = 0; i < sizeof(laws) / sizeof(*laws); i++)
		if (strcmp(laws[i], law) == 0)
			return true;
	return false;
}

TEST("of strangers too")
{
	for (size_t i = 0; i < strangers.count; i++) {
		const struct audit_result *law = &strangers.results[i];
		if (!elsewhere(law->law) && (law->checked > 0) == of_promises(law->law))
			fail_msg("%s was%s checked", law->law, law->checked ? "" : " not");
	}
}
