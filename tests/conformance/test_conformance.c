/* tests/conformance/test_conformance.c - runs every subject (subjects.h) on random platforms and task sets,
 * records the runs, and checks them against every law of the audit (docs/audit.md). Runs that a law of the
 * gate (law.h) is for are checked against it, too. One test per subject. The mutants test what the audit must
 * find wrong.
 *
 *     test_conformance [CASES [SEED]]     20 cases by default
 *     test_conformance SUBJECT INDEX SEED one case; prints its scenarios and what is broken */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/conformance/audited.h"
#include "tests/conformance/law.h"
#include "tests/conformance/policies.h"
#include "tests/support/test.h"

static uint64_t cases = TEST_CASES(4) == 4 ? 20 : 15, seed = 2026; /* fewer do not meet every law */
static struct subject subjects[SUBJECTS_MAX];
static size_t subject_count;

static void fail_report(void *self, uint32_t task, uint32_t segment, const char *text)
{
	(void)self;
	fail_msg("task %u segment %u: %s", task, segment, text);
}

/* The gate's laws are checked with and without overheads, which some policies refuse. */
static void make_case(const struct subject *subject, uint64_t index, struct random_case *c)
{
	subjects_case(subject, seed, index, c);
	if (index % 2 && !subjects_predict(subject->policy))
		subjects_burden(subject, c, index);
}

/* Checks the laws of the gate. */
static void hold_gate(const struct subject *subject, const struct random_case *c, uint64_t index)
{
	struct seen s;
	struct verdict verdict = {0};
	char text[512] = "";
	bool ran = seen_run(&s, subject, &c->platform, &c->set, &c->setup, text, sizeof(text));
	const char *law = ran && !s.plan->refused ? laws_check(&s, NULL, &verdict) : NULL;
	seen_finish(&s);
	if (!ran)
		fail_msg("case %" PRIu64 " seed %" PRIu64 ": %s", index, seed, text);
	if (law)
		fail_msg("case %" PRIu64 " seed %" PRIu64 ": %s: %s", index, seed, law, verdict.text);
}

static struct audit_report checked, checked_strangers; /* how often each law was checked */

/* Records and audits random cases under these subjects; returns how many were refused. */
static uint64_t audit_cases(
	const struct subject *from, size_t count, bool strangers, struct audit_report *laws)
{
	struct audited a;
	struct error err;
	bool ok = audited_begin(&a, &err);
	uint64_t each = strangers ? cases * 2 / 3 : cases;
	for (size_t k = 0; k < count; k++)
		for (uint64_t i = 0; ok && i < each; i++)
			ok = audited_case(&a, &from[k], strangers, seed, i, &err);
	if (!ok)
		fail_msg("%s", err.text);
	uint64_t refused = a.refused;
	uint64_t findings = audited_findings(&a, true, laws);
	if (findings)
		fail_msg("%" PRIu64 " findings: the policy is wrong, or what db/audit/promises.c says of it",
			findings);
	return refused;
}

static void check_subject(void **state)
{
	const struct subject *subject = *state;
	for (uint64_t i = 0; i < cases; i++) {
		struct random_case c;
		make_case(subject, i, &c);
		taskset_check(&c.set, &c.platform, fail_report, NULL);
		if (laws_are_for(subject))
			hold_gate(subject, &c, i);
		random_case_finish(&c);
	}
	uint64_t refused = audit_cases(subject, 1, false, &checked);
	/* A subject that refuses nearly all cases is not tested. */
	if (subject->policy == &policy_refusing)
		assert_int_equal(refused, cases);
	else
		assert_true(refused <= cases - cases / 4);
}

/* The same plans and options under unknown names: the audit only asks what holds for any policy. */
static void under_names_that_it_does_not_know(void **state)
{
	audit_cases(subjects, subject_count, true, &checked_strangers);
}

/* In each the audit was wrong once, or the simulator. */
static const struct {
	const char *subject;
	uint64_t index, seed;
} kept[] = {
	{"edf unit=kernel", 18, 7},       /* copies on a GPU with unlimited engines */
	{"clocked unit=kernel", 22, 7},   /* room on an SM whose memory another kernel had divided */
	{"sbeet-mg", 6, 7},               /* of length zero on the GPU of the job before */
	{"sbeet-mg", 18, 7},              /* a section whose kernels have all passed */
	{"sbeet-mg assign=bfd", 6, 7},    /* of length zero on the GPU of the section before */
	{"sbeet-mg assign=given", 26, 7}, /* a draw of zero */
};

static void cases_that_were_found(void **state)
{
	struct audited a;
	struct error err;
	bool ok = audited_begin(&a, &err);
	size_t found = 0;
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		for (size_t k = 0; k < subject_count && ok; k++) {
			if (strcmp(subjects[k].label, kept[i].subject) != 0)
				continue;
			found++;
			ok = audited_case(&a, &subjects[k], false, kept[i].seed, kept[i].index, &err) &&
			     audited_case(&a, &subjects[k], true, kept[i].seed, kept[i].index, &err);
		}
	if (!ok)
		fail_msg("%s", err.text);
	assert_int_equal(audited_findings(&a, true, NULL), 0);
	assert_int_equal(found, sizeof(kept) / sizeof(*kept));
}

/* ---- which laws were checked; behind all others ---- */

/* Laws of warps have their own runs (test_warp_conformance.c), and those of operations in flight their own
 * recordings (test_flight_audit.c). No analysis is run here, and no campaign
 * (tests/cli/test_audit_verdicts.sh). */
static bool elsewhere(const char *law)
{
	return strncmp(law, "warp-", 5) == 0 || strncmp(law, "flight", 6) == 0 ||
	       strcmp(law, "analysis-identity") == 0 || strcmp(law, "verdicts") == 0 ||
	       strcmp(law, "tally") == 0;
}

/* A law that was never checked proves nothing. */
static void every_law_was_checked(void **state)
{
	for (size_t i = 0; i < checked.count; i++)
		if (checked.results[i].checked == 0 && !elsewhere(checked.results[i].law))
			fail_msg("%s was not checked", checked.results[i].law);
}

/* These laws need to know what a policy promises; all others are also checked for unknown policies. */
static bool of_promises(const char *law)
{
	static const char *const laws[] = {"cpu-priority", "cpu-core", "gate", "kernels-apart", "decisions",
		"preemptions", "decision-time", "placements", "predictions", "copy-order", "copy-work",
		"context-copies", "turns", "owner"};
	for (size_t i = 0; i < sizeof(laws) / sizeof(*laws); i++)
		if (strcmp(laws[i], law) == 0)
			return true;
	return false;
}

static void of_strangers_too(void **state)
{
	for (size_t i = 0; i < checked_strangers.count; i++) {
		const struct audit_result *law = &checked_strangers.results[i];
		if (!elsewhere(law->law) && (law->checked > 0) == of_promises(law->law))
			fail_msg("%s was%s checked", law->law, law->checked ? "" : " not");
	}
	free(checked.results);
	free(checked_strangers.results);
}

/* ---- one case ---- */

static void print_records(const struct seen *s)
{
	static const char *const kinds[TRACE_KINDS] = {
		[TRACE_JOB_RELEASE] = "release",
		[TRACE_JOB_END] = "end",
		[TRACE_SPAN] = "span",
		[TRACE_BLOCKS_START] = "start",
		[TRACE_BLOCKS_END] = "blocks",
		[TRACE_DECISION] = "weighed",
		[TRACE_CONTEXT] = "context",
	};
	for (size_t i = 0; i < s->count; i++) {
		const struct trace_record *r = &s->records[i];
		printf("%6" PRId64 " %-7s task %u job %u segment %u how %u from %" PRId64
		       " on %u/%u block %u+%u m %u\n",
			r->time, kinds[r->kind], r->task, r->job, r->segment, r->how, r->start, r->resource,
			r->index, r->block, r->count, r->m);
	}
}

/* Names the choices for random_case_print(), as a scenario writes them. A given allocation is not among
 * them. */
static void name_choices(const struct subject *subject, struct oracle_policy *named)
{
	const size_t more = sizeof(named->more) / sizeof(*named->more);
	for (uint32_t i = 0; i < subject->choice_count && i <= more; i++) {
		const struct choice *c = &subject->choices[i];
		if (i == 0) {
			named->option = c->name;
			named->value = c->value;
		} else {
			named->more[i - 1] = (struct oracle_option){c->name, c->value};
		}
	}
}

/* Prints the case as a scenario, what happens in it, and which law of the gate it breaks. */
static bool show_case(const struct subject *subject, struct random_case *c)
{
	struct seen s;
	struct verdict v;
	char text[512];
	struct oracle_policy named = {.name = subject->policy->name};
	name_choices(subject, &named);
	random_case_print(c, &named, stdout);
	bool ran = seen_run(&s, subject, &c->platform, &c->set, &c->setup, text, sizeof(text));
	if (ran) {
		const char *law = laws_are_for(subject) ? laws_check(&s, NULL, &v) : NULL;
		if (law)
			printf("%s: %s\n", law, v.text);
		print_records(&s);
		seen_finish(&s);
	} else {
		printf("%s\n", text);
	}
	random_case_finish(c);
	return ran;
}

static int one_case(const char *label, const char *index, const char *with_seed)
{
	struct random_case c;
	struct audited a;
	struct error err;
	uint64_t number = strtoull(index, NULL, 10);
	seed = strtoull(with_seed, NULL, 10);
	for (size_t i = 0; i < SUBJECTS_MAX && subjects[i].policy; i++) {
		if (strcmp(subjects[i].label, label) != 0)
			continue;
		printf("# as it is held against the laws of the gate\n");
		make_case(&subjects[i], number, &c);
		if (!show_case(&subjects[i], &c))
			return 1;
		printf("# as it is recorded and audited\n");
		audited_case_make(&subjects[i], seed, number, &c);
		if (!show_case(&subjects[i], &c))
			return 1;
		fflush(stdout);
		if (!audited_begin(&a, &err) || !audited_case(&a, &subjects[i], false, seed, number, &err))
			return 1;
		return audited_findings(&a, true, NULL) > 0;
	}
	return 1;
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[SUBJECTS_MAX + 4];
	size_t count = subject_count = subjects_all(subjects);
	if (argc == 4)
		return one_case(argv[1], argv[2], argv[3]);
	if (argc > 1)
		cases = strtoull(argv[1], NULL, 10);
	if (argc > 2)
		seed = strtoull(argv[2], NULL, 10);
	for (size_t i = 0; i < count; i++)
		tests[i] = (struct CMUnitTest){
			.name = subjects[i].label, .test_func = check_subject, .initial_state = &subjects[i]};
	tests[count] = (struct CMUnitTest)cmocka_unit_test(under_names_that_it_does_not_know);
	tests[count + 1] = (struct CMUnitTest)cmocka_unit_test(every_law_was_checked);
	tests[count + 2] = (struct CMUnitTest)cmocka_unit_test(of_strangers_too);
	tests[count + 3] = (struct CMUnitTest)cmocka_unit_test(cases_that_were_found);
	return _cmocka_run_group_tests("conformance", tests, count + 4, NULL, NULL);
}
