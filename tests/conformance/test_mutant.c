/* tests/conformance/test_mutant.c - a simulator with a fault built in (mutate.sh changed one source file).
 * `cegsim audit` must find the fault in what is recorded: under policies whose promises it knows ("known"),
 * by what holds for any policy ("any"), or both. Where a recording does not hold enough, the named law of the
 * gate (law.h) must find it.
 *
 *     test_mutant known|any|LAW|sound [any] [at=CASE,...]
 *
 * sound: a simulator without a fault, in which nothing may be found in the cases in which faults are. at:
 * cases in which the audit found the fault once; they are tried first, since all those before them take
 * seconds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/conformance/audited.h"
#include "tests/conformance/law.h"
#include "tests/support/test.h"

#define CASES 200
#define SEED 11
#define LATE 3 /* from this case on, telling where to look saves time */

static struct subject subjects[SUBJECTS_MAX];
static size_t count;
static const char *found_at = ""; /* numbers of cases, with commas between them */

/* The number of findings in a case. */
static uint64_t audit_case(uint64_t index, bool strangers, bool tell)
{
	struct audited a;
	struct error err;
	bool ok = audited_begin(&a, &err);
	for (size_t k = 0; ok && k < count; k++)
		ok = audited_case(&a, &subjects[k], strangers, SEED, index, &err);
	if (!ok)
		fail_msg("%s", err.text);
	return audited_findings(&a, tell, NULL);
}

/* The first case of a list "4,17,...", which goes on behind it. */
static uint64_t next_case(const char **list)
{
	char *end;
	uint64_t at = strtoull(*list, &end, 10);
	*list = *end ? end + 1 : end;
	return at;
}

static void found_by_the_audit(bool strangers)
{
	for (const char *list = found_at; *list;) {
		uint64_t i = next_case(&list);
		if (audit_case(i, strangers, false) > 0)
			return;
	}
	for (uint64_t i = 0; i < CASES; i++)
		if (audit_case(i, strangers, false) > 0) {
			if (i >= LATE)
				print_message("# found first in case %d: say so with at=\n", (int)i);
			return;
		}
	fail_msg("nothing is found in all cases: is the fault still built in?");
}

static void the_audit_finds_it(void **state)
{
	found_by_the_audit(false);
}

static void whatever_the_policy_promises(void **state)
{
	found_by_the_audit(true);
}

static bool breaks(const struct subject *subject, uint64_t index, const char *law)
{
	struct random_case c;
	struct seen s;
	struct verdict v;
	char text[512];
	subjects_case(subject, SEED, index, &c);
	bool ran = seen_run(&s, subject, &c.platform, &c.set, &c.setup, text, sizeof(text));
	bool broken = ran && !s.plan->refused && laws_check(&s, law, &v);
	seen_finish(&s);
	random_case_finish(&c);
	return broken;
}

static void the_law_is_broken(void **state)
{
	const char *law = *state;
	for (uint64_t i = 0; i < CASES; i++)
		for (size_t k = 0; k < count; k++)
			if (laws_are_for(&subjects[k]) && breaks(&subjects[k], i, law))
				return;
	fail_msg("'%s' holds in all cases: is the fault still built in?", law);
}

static void nothing_is_wrong_in(uint64_t index)
{
	assert_int_equal(audit_case(index, false, true), 0);
	assert_int_equal(audit_case(index, true, true), 0);
	for (size_t k = 0; k < count; k++)
		if (laws_are_for(&subjects[k]) && breaks(&subjects[k], index, NULL))
			fail_msg("a law of the gate is broken: %s, case %d", subjects[k].label, (int)index);
}

static void nothing_is_wrong(void **state)
{
	for (uint64_t i = 0; i < LATE; i++)
		nothing_is_wrong_in(i);
	for (const char *list = found_at; *list;)
		nothing_is_wrong_in(next_case(&list));
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[2];
	if (argc > 2 && strncmp(argv[argc - 1], "at=", 3) == 0)
		found_at = argv[--argc] + 3;
	if (argc < 2 || argc > 3) {
		fputs("usage: test_mutant known|any|LAW|sound [any] [at=CASE,...]\n", stderr);
		return 2;
	}
	count = subjects_all(subjects);
	for (int i = 1; i < argc; i++)
		tests[i - 1] = (struct CMUnitTest){
			.name = argv[i],
			.test_func = strcmp(argv[i], "known") == 0   ? the_audit_finds_it
				     : strcmp(argv[i], "any") == 0   ? whatever_the_policy_promises
				     : strcmp(argv[i], "sound") == 0 ? nothing_is_wrong
								     : the_law_is_broken,
			.initial_state = argv[i],
		};
	return _cmocka_run_group_tests("mutant", tests, (size_t)argc - 1, NULL, NULL);
}
