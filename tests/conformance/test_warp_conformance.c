/* tests/conformance/test_warp_conformance.c - runs every scheduler with every manager on sets of kernels of
 * warps, records the runs, and checks them against every law of the audit. One test per subject.
 *
 *     test_warp_conformance [all]              every subject on every other set, or on all
 *     test_warp_conformance run SUBJECT SET    one run; prints what breaks a law. Numbers begin at 0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/conformance/audited.h"
#include "tests/conformance/warp_subjects.h"
#include "tests/support/test.h"

static struct warp_subject subjects[WARP_SUBJECTS_MAX];

static bool all_sets;
static struct audit_report checked; /* how often each law was checked */

static void check_subject(void **state)
{
	const struct warp_subject *subject = *state;
	struct audited a;
	struct error err;
	if (!audited_begin(&a, &err))
		fail_msg("%s", err.text);
	/* A subject runs on every other set. The subjects next to it, which differ in a scheduler or manager
	 * only, run on the others. */
	for (size_t i = all_sets ? 0 : (size_t)(subject - subjects) % 2; i < warp_sets; i += all_sets ? 1 : 2)
		if (!audited_warps(&a, subject, i, &err))
			fail_msg("%s", err.text);
	assert_int_equal(audited_findings(&a, true, &checked), 0);
}

/* The last test: a law that was never checked proves nothing. */
static void every_law_was_checked(void **state)
{
	for (size_t i = 0; i < checked.count; i++)
		if (checked.results[i].checked == 0 && strncmp(checked.results[i].law, "warp-", 5) == 0)
			fail_msg("%s was not checked", checked.results[i].law);
	free(checked.results);
}

/* ---- laws of two runs ---- */

static const struct warp_options plain = {
	.budget = {1, 1, 1, 1, 1, 1, 1, 1}, .history = true, .adjust = true};

/* A run under these options, with every issued instruction. */
static struct warp_run *run_set(
	size_t set, const struct warp_options *options, struct warp_scene *scene, uint64_t step)
{
	struct warp_subject subject = {.options = *options};
	warp_set_scene(set, &subject, scene);
	return warp_run_in_steps(scene, step);
}

static void same_issues(const struct warp_run *a, const struct warp_run *b)
{
	assert_int_equal(a->issues_count, b->issues_count);
	assert_int_equal(a->outcome.digest, b->outcome.digest);
	assert_int_equal(a->cycles, b->cycles);
	for (size_t i = 0; i < a->issues_count; i++) {
		const struct warp_issue *x = &a->issues[i], *y = &b->issues[i];
		if (x->cycle != y->cycle || x->sm != y->sm || x->sub_core != y->sub_core ||
			x->kernel != y->kernel || x->job != y->job || x->block != y->block ||
			x->warp != y->warp || x->number != y->number || x->result != y->result)
			fail_msg("row %zu differs", i);
	}
}

/* With equal budgets, whatever their size, qaws issues the same as gto. */
static void equal_budgets_are_gto(void **state)
{
	for (size_t set = 0; set < warp_sets; set++) {
		for (int m = 0; m < WARP_MANAGERS; m++) {
			struct warp_options options = plain;
			struct warp_scene scene, other;
			options.manager = (enum warp_manager)m;
			options.scheduler = SCHEDULE_GTO;
			struct warp_run *gto = run_set(set, &options, &scene, 1000);
			options.scheduler = SCHEDULE_QAWS;
			for (int k = 0; k < 4; k++)
				options.budget[k] = 1 + 3 * (int64_t)(set % 3);
			struct warp_run *qaws = run_set(set, &options, &other, 1000);
			same_issues(gto, qaws);
			warp_run_free(gto);
			warp_run_free(qaws);
			warp_scene_finish(&scene);
			warp_scene_finish(&other);
		}
	}
}

/* A run is the same however it is divided into steps. */
static void steps_do_not_matter(void **state)
{
	for (size_t set = 0; set < warp_sets; set++) {
		struct warp_options options = plain;
		struct warp_scene scene, other;
		options.scheduler = (enum warp_scheduler_kind)(set % WARP_SCHEDULERS);
		options.active = 2;
		options.manager = MANAGER_ROLLOVER;
		struct warp_run *whole = run_set(set, &options, &scene, UINT64_MAX / 2);
		struct warp_run *single = run_set(set, &options, &other, 1);
		same_issues(whole, single);
		warp_run_free(whole);
		warp_run_free(single);
		warp_scene_finish(&scene);
		warp_scene_finish(&other);
	}
}

/* ---- one run ---- */

static int print_run(size_t subject, size_t set)
{
	struct audited a;
	struct error err;
	if (!audited_begin(&a, &err) || !audited_warps(&a, &subjects[subject], set, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 2;
	}
	printf("%s: %s\n", subjects[subject].name, warp_set_name(set));
	return audited_findings(&a, true, NULL) > 0;
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[WARP_SUBJECTS_MAX + 3] = {
		cmocka_unit_test(equal_budgets_are_gto),
		cmocka_unit_test(steps_do_not_matter),
	};
	size_t count = warp_subjects_all(subjects);
	if (argc == 4)
		return print_run(strtoul(argv[2], NULL, 10) % count, strtoul(argv[3], NULL, 10) % warp_sets);
	all_sets = argc == 2;
	for (size_t i = 0; i < count; i++)
		tests[2 + i] = (struct CMUnitTest){
			.name = subjects[i].name, .test_func = check_subject, .initial_state = &subjects[i]};
	tests[2 + count] = (struct CMUnitTest)cmocka_unit_test(every_law_was_checked);
	return _cmocka_run_group_tests("warp laws", tests, count + 3, NULL, NULL);
}
