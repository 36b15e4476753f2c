/* tests/conformance/test_warp_conformance.c - every scheduler beside every manager on sets of kernels of
 * warps against every law (warp_laws.h). One test per subject.
 *
 *     test_warp_conformance                    all
 *     test_warp_conformance CASES [FIRST]      random cases of tests/oracle, from number FIRST (0) on
 *     test_warp_conformance run SUBJECT SET    one run, what breaks a law printed; numbers from 0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/conformance/warp_laws.h"
#include "tests/oracle/warp_random.h"
#include "tests/support/test.h"

static struct warp_subject subjects[WARP_SUBJECTS_MAX];

static void check_subject(void **state)
{
	const struct warp_subject *subject = *state;
	for (size_t i = 0; i < warp_sets; i++) {
		struct warp_scene scene;
		struct warp_seen seen;
		struct warp_breach verdict = {0};
		warp_set_scene(i, subject, &scene);
		warp_seen_arrange(&seen, warp_run(&scene));
		const char *law = warp_laws_check(&seen, &verdict);
		warp_seen_finish(&seen);
		warp_scene_finish(&scene);
		if (law)
			fail_msg("subject %d, set %zu (%s): %s: %s", (int)(subject - subjects), i,
				warp_set_name(i), law, verdict.text);
	}
}

/* ---- laws of two runs ---- */

static const struct warp_options plain = {
	.budget = {1, 1, 1, 1, 1, 1, 1, 1}, .history = true, .adjust = true};

/* What was issued, row by row, in a run under these options. */
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

/* qaws with equal budgets, whatever they are, issues what gto does. */
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

/* However a run is cut into steps, it is the same. */
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

/* ---- random cases ---- */

#define CASES_SEED 23

static uint64_t cases, first_case;

/* The case at 1 GHz: its durations are so many cycles. */
static void take_case(const struct warp_case *c, struct warp_scene *s)
{
	const struct warp_machine *m = &c->set.machine;
	warp_scene_init(s, c->set.kernel_count);
	s->platform = c->platform;
	s->warps.machine = *m;
	s->warps.machine.clock_hz = 1000000000;
	s->setup = c->setup;
	s->setup.horizon_ns = warp_cycles(m, c->setup.horizon_ns);
	s->setup.limit_ns = warp_cycles(m, c->setup.limit_ns);
	s->options = c->options;
	for (uint32_t k = 0; k < c->set.kernel_count; k++) {
		s->kernel[k] = c->set.kernels[k];
		if (s->kernel[k].goal.kind == GOAL_TIME)
			s->kernel[k].goal.kernel_ns = warp_cycles(m, s->kernel[k].goal.kernel_ns);
		for (uint32_t i = 0; i < s->kernel[k].step_count; i++)
			s->step[k][i] = c->set.kernels[k].steps[i];
	}
}

static void random_cases(void **state)
{
	static struct warp_case c;
	for (uint64_t i = first_case; i < first_case + cases; i++) {
		struct warp_scene scene;
		struct warp_seen seen;
		struct warp_breach breach = {0};
		char text[512];
		warp_case_make(CASES_SEED, i, &c);
		if (!warp_case_is_valid(&c, text, sizeof(text)))
			continue;
		take_case(&c, &scene);
		warp_seen_arrange(&seen, warp_run(&scene));
		const char *law = warp_laws_check(&seen, &breach);
		warp_seen_finish(&seen);
		warp_scene_finish(&scene);
		if (law)
			fail_msg("case %d: %s: %s", (int)i, law, breach.text);
	}
}

/* ---- one run ---- */

static int print_run(size_t subject, size_t set)
{
	struct warp_scene scene;
	struct warp_seen seen;
	int broken = 0;
	warp_set_scene(set, &subjects[subject], &scene);
	warp_seen_arrange(&seen, warp_run(&scene));
	printf("%s: %s: %zu instructions, %d cycles, %zu blocks, %u epochs, %u swaps\n",
		subjects[subject].name, warp_set_name(set), seen.run->issues_count, (int)seen.run->cycles,
		seen.stay_count, seen.epochs, seen.swaps);
	for (const struct warp_law *law = warp_laws; law->name; law++) {
		struct warp_breach verdict = {0};
		law->check(&seen, &verdict);
		broken |= verdict.broken;
		if (verdict.broken)
			printf("%s: %s\n", law->name, verdict.text);
	}
	warp_seen_finish(&seen);
	warp_scene_finish(&scene);
	return broken;
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[WARP_SUBJECTS_MAX + 2] = {
		cmocka_unit_test(equal_budgets_are_gto),
		cmocka_unit_test(steps_do_not_matter),
	};
	size_t count = warp_subjects_all(subjects);
	if (argc > 1 && strcmp(argv[1], "run") != 0) {
		const struct CMUnitTest random[] = {cmocka_unit_test(random_cases)};
		cases = strtoull(argv[1], NULL, 10);
		first_case = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
		return _cmocka_run_group_tests("warp laws, random cases", random, 1, NULL, NULL);
	}
	if (argc == 4)
		return print_run(strtoul(argv[2], NULL, 10) % count, strtoul(argv[3], NULL, 10) % warp_sets);
	for (size_t i = 0; i < count; i++)
		tests[2 + i] = (struct CMUnitTest){
			.name = subjects[i].name, .test_func = check_subject, .initial_state = &subjects[i]};
	return _cmocka_run_group_tests("warp laws", tests, count + 2, NULL, NULL);
}
