/* tests/conformance/test_conformance.c - every subject (subjects.h) on random platforms and task sets
 * against every law (law.h) that is for it. One test per subject.
 *
 *     test_conformance [CASES [SEED]]     60 cases by default
 *     test_conformance SUBJECT INDEX SEED one case, its scenario and the breach printed */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/conformance/law.h"
#include "tests/conformance/policies.h"
#include "tests/support/test.h"

static uint64_t cases = 60, seed = 2026;
static struct subject subjects[SUBJECTS_MAX];

static void fail_report(void *self, uint32_t task, uint32_t segment, const char *text)
{
	(void)self;
	fail_msg("task %u segment %u: %s", task, segment, text);
}

/* One case under a subject; true if the set was refused. */
static bool check_case(const struct subject *subject, uint64_t index)
{
	struct random_case c;
	struct seen s;
	struct verdict verdict = {0};
	char text[512] = "";
	const char *law = NULL;
	subjects_case(subject, seed, index, &c);
	taskset_check(&c.set, &c.platform, fail_report, NULL);
	bool ran = seen_run(&s, subject, &c.platform, &c.set, &c.setup, text, sizeof(text));
	bool refused = ran && s.plan->refused;
	if (refused && (s.count > 0 || s.outcome.jobs > 0 || !s.plan->reason[0]))
		law = "a refused run has a reason and no records";
	if (ran && !refused)
		law = laws_check(&s, &verdict);
	seen_finish(&s);
	random_case_finish(&c);
	if (!ran)
		fail_msg("case %" PRIu64 " seed %" PRIu64 ": %s", index, seed, text);
	if (law)
		fail_msg("case %" PRIu64 " seed %" PRIu64 ": %s: %s", index, seed, law, verdict.text);
	return refused;
}

static void check_subject(void **state)
{
	const struct subject *subject = *state;
	uint64_t refused = 0;
	for (uint64_t i = 0; i < cases; i++)
		refused += check_case(subject, i);
	/* A subject that refuses nearly all cases is not tested. */
	if (subject->policy == &policy_refusing)
		assert_int_equal(refused, cases);
	else
		assert_true(refused <= cases - cases / 4);
}

static void print_records(const struct seen *s)
{
	static const char *const kinds[TRACE_KINDS] = {
		[TRACE_JOB_RELEASE] = "release",
		[TRACE_JOB_END] = "end",
		[TRACE_SPAN] = "span",
		[TRACE_BLOCKS_START] = "start",
		[TRACE_BLOCKS_END] = "blocks",
		[TRACE_DECISION] = "weighed",
	};
	for (size_t i = 0; i < s->count; i++) {
		const struct trace_record *r = &s->records[i];
		printf("%6" PRId64 " %-7s task %u job %u segment %u how %u from %" PRId64
		       " on %u/%u block %u+%u m %u\n",
			r->time, kinds[r->kind], r->task, r->job, r->segment, r->how, r->start, r->resource,
			r->index, r->block, r->count, r->m);
	}
}

/* For random_case_print: as a scenario says it; a given allocation is not among it. */
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

static int one_case(const char *label, const char *index, const char *with_seed)
{
	struct random_case c;
	struct seen s;
	struct verdict v;
	char text[512];
	seed = strtoull(with_seed, NULL, 10);
	for (size_t i = 0; i < SUBJECTS_MAX && subjects[i].policy; i++) {
		if (strcmp(subjects[i].label, label) != 0)
			continue;
		subjects_case(&subjects[i], seed, strtoull(index, NULL, 10), &c);
		struct oracle_policy named = {.name = subjects[i].policy->name};
		name_choices(&subjects[i], &named);
		random_case_print(&c, &named, stdout);
		if (!seen_run(&s, &subjects[i], &c.platform, &c.set, &c.setup, text, sizeof(text))) {
			printf("%s\n", text);
			return 1;
		}
		for (const struct law *law = trace_laws; law->name; law++) {
			laws_check_one(&s, law->name, &v);
			if (v.broken)
				printf("%s: %s\n", law->name, v.text);
		}
		print_records(&s);
		seen_finish(&s);
		random_case_finish(&c);
		return 0;
	}
	return 1;
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[SUBJECTS_MAX];
	size_t count = subjects_all(subjects);
	if (argc == 4)
		return one_case(argv[1], argv[2], argv[3]);
	if (argc > 1)
		cases = strtoull(argv[1], NULL, 10);
	if (argc > 2)
		seed = strtoull(argv[2], NULL, 10);
	for (size_t i = 0; i < count; i++)
		tests[i] = (struct CMUnitTest){
			.name = subjects[i].label, .test_func = check_subject, .initial_state = &subjects[i]};
	return _cmocka_run_group_tests("conformance", tests, count, NULL, NULL);
}
