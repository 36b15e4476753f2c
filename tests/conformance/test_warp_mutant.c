/* tests/conformance/test_warp_mutant.c - an engine of warps with a fault built in (mutate.sh made one source
 * file wrong) must break the law that is named on the command line, under some scheduler and manager on some
 * set; or, where no law is about it, differ from the plain simulation of tests/oracle on some random case.
 *
 *     test_warp_mutant LAW | oracle | sound
 *
 * sound: without a fault no law is broken, and nothing differs, on what the others look at. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/conformance/warp_laws.h"
#include "tests/oracle/warp_shrink.h"
#include "tests/support/test.h"

#define CASES 400 /* random ones, against the plain simulation */
#define CASES_SEED 17

static struct warp_subject subjects[WARP_SUBJECTS_MAX];
static size_t subject_count;
static const char *law;

static bool breaks(size_t subject, size_t set, const struct warp_law *l, struct warp_breach *verdict)
{
	struct warp_scene scene;
	struct warp_seen seen;
	warp_set_scene(set, &subjects[subject], &scene);
	warp_seen_arrange(&seen, warp_run(&scene));
	*verdict = (struct warp_breach){0};
	l->check(&seen, verdict);
	warp_seen_finish(&seen);
	warp_scene_finish(&scene);
	return verdict->broken;
}

static void the_law_is_broken(void **state)
{
	struct warp_breach verdict;
	const struct warp_law *l = warp_laws;
	while (l->name && strcmp(l->name, law) != 0)
		l++;
	if (!l->name)
		fail_msg("there is no law '%s'", law);
	/* Subjects that are next to each other are alike: a step that reaches all of them,
	 * through all sets. */
	for (size_t i = 0; i < subject_count * warp_sets; i++)
		if (breaks(i * 29 % subject_count, (i % subject_count + i / subject_count) % warp_sets, l,
			    &verdict))
			return;
	fail_msg("'%s' holds in all runs: is the fault still built in?", law);
}

/* A random case on which engine and plain simulation do not agree. */
static bool differs(uint64_t index, char *text, size_t size)
{
	static struct warp_case c;
	warp_case_make(CASES_SEED, index, &c);
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
	struct warp_breach verdict;
	for (uint64_t i = 0; i < CASES; i++)
		if (differs(i, text, sizeof(text)))
			fail_msg("random case %d differs: %s", (int)i, text);
	for (const struct warp_law *l = warp_laws; l->name; l++)
		for (size_t set = 0; set < warp_sets; set++)
			if (breaks(set * 29 % subject_count, set, l, &verdict))
				fail_msg("%s: %s", l->name, verdict.text);
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[] = {cmocka_unit_test(the_law_is_broken)};
	if (argc != 2) {
		fputs("usage: test_warp_mutant LAW | oracle | sound\n", stderr);
		return 2;
	}
	law = argv[1];
	subject_count = warp_subjects_all(subjects);
	if (strcmp(law, "oracle") == 0)
		tests[0] = (struct CMUnitTest)cmocka_unit_test(the_plain_simulation_differs);
	else if (strcmp(law, "sound") == 0)
		tests[0] = (struct CMUnitTest)cmocka_unit_test(nothing_is_wrong);
	return _cmocka_run_group_tests("mutant of warps", tests, 1, NULL, NULL);
}
