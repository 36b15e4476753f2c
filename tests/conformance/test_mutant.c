/* tests/conformance/test_mutant.c - a simulator with a fault built in (mutate.sh made one source file wrong)
 * must break the law that is named on the command line, under some policy on some random case, and `cegsim
 * audit` must find it in what is recorded: under policies whose promises it knows ("known"), by what holds of
 * any policy ("any"), or both. With no law ('') only that.
 *
 *     test_mutant LAW [known] [any] */
#include <stdio.h>
#include <string.h>

#include "tests/conformance/audited.h"
#include "tests/conformance/law.h"
#include "tests/support/test.h"

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
	bool ran = seen_run(&s, subject, &c.platform, &c.set, &c.setup, text, sizeof(text));
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
	for (uint64_t i = 0; i < CASES; i++)
		for (size_t k = 0; k < count; k++)
			if (check_case(&subjects[k], i, &others))
				return;
	fail_msg("'%s' holds in all cases (%u break other laws): is the fault still built in?", law, others);
}

static void found_by_the_audit(enum audited_as as)
{
	uint64_t findings = 0;
	for (uint64_t i = 0; i < RECORDINGS && findings == 0; i++) {
		struct audit_report report;
		struct error err;
		if (!audited_cases(as, 11 + i, AUDITED, &report, &err))
			fail_msg("%s", err.text);
		findings = report.findings;
		audit_report_finish(&report);
	}
	assert_true(findings > 0);
}

static void the_audit_finds_it(void **state)
{
	found_by_the_audit(AS_THEMSELVES);
}

static void whatever_the_policy_promises(void **state)
{
	found_by_the_audit(AS_STRANGERS);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[3] = {cmocka_unit_test(the_law_is_broken)};
	size_t count = 1;
	if (argc < 2) {
		fputs("usage: test_mutant LAW [known] [any]\n", stderr);
		return 2;
	}
	law = argv[1];
	size_t from = law[0] ? 0 : 1;
	for (int i = 2; i < argc && i < 4 && argv[i][0]; i++)
		tests[count++] = strcmp(argv[i], "any") == 0
					 ? (struct CMUnitTest)cmocka_unit_test(whatever_the_policy_promises)
					 : (struct CMUnitTest)cmocka_unit_test(the_audit_finds_it);
	return _cmocka_run_group_tests("mutant", tests + from, count - from, NULL, NULL);
}
