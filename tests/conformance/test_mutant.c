/* tests/conformance/test_mutant.c - a simulator with a fault built in (mutate.sh made one source file wrong)
 * must break the law that is named on the command line, under some policy on some random case; with "audit",
 * `cegsim audit` must find it in what is recorded, too.
 *
 *     test_mutant LAW [audit] */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include "tests/conformance/audited.h"
#include "tests/conformance/law.h"

#define CASES 200
#define AUDITED 20 /* cases of one recording */
#define RECORDINGS 10

static const char *law;

/* True if the law is broken; *others counts cases in which only other laws are. */
static bool check_case(const struct subject *subject, uint64_t index, uint32_t *others)
{
	struct random_case c;
	struct seen s;
	struct verdict v = {0}, any = {0};
	char text[512];
	subjects_case(subject, 11, index, &c);
	bool ran = seen_run(&s, subject, &c.platform, &c.set, &c.setup, text, sizeof text);
	if (ran && !s.plan->refused) {
		laws_check_one(&s, law, &v);
		*others += !v.broken && laws_check(&s, &any) != NULL;
	}
	seen_finish(&s);
	random_case_finish(&c);
	return v.broken;
}

static void the_law_is_broken(void **state)
{
	static struct subject subjects[SUBJECTS_MAX];
	uint32_t others = 0;
	size_t count = subjects_all(subjects);
	(void)state;
	for (uint64_t i = 0; i < CASES; i++)
		for (size_t k = 0; k < count; k++)
			if (check_case(&subjects[k], i, &others))
				return;
	fail_msg("'%s' holds in all cases (%u break other laws): is the fault still built in?", law, others);
}

static void the_audit_finds_it(void **state)
{
	uint64_t findings = 0;
	(void)state;
	for (uint64_t i = 0; i < RECORDINGS && findings == 0; i++) {
		struct audit_report report;
		struct error err;
		if (!audited_cases(AS_THEMSELVES, 11 + i, AUDITED, &report, &err))
			fail_msg("%s", err.text);
		findings = report.findings;
		audit_report_finish(&report);
	}
	assert_true(findings > 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_law_is_broken),
	        cmocka_unit_test(the_audit_finds_it),
	};
	if (argc < 2) {
		fputs("usage: test_mutant LAW [audit]\n", stderr);
		return 2;
	}
	law = argv[1];
	return _cmocka_run_group_tests("mutant", tests, argc > 2 && argv[2][0] ? 2 : 1, NULL, NULL);
}
