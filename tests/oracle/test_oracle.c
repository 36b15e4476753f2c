/* tests/oracle/test_oracle.c - compares the engine with the oracle on random scenarios: job by job, block by
 * block, to the microwatt-nanosecond.
 *
 *     test_oracle [SETS [FIRST]]
 *
 * SETS is the number of sets per policy: the argument, else $CEGSIM_ORACLE_SETS, else 100. They are taken
 * from the sequence of $CEGSIM_ORACLE_SEED (1), from number FIRST (0) on. A set that the policy refuses is
 * skipped; a quarter must be left. If a set differs, the smallest scenario that still differs is printed as a
 * file for `cegsim run`.
 *
 * $CEGSIM_ORACLE_POLICY: only policies whose row contains it. $CEGSIM_ORACLE_COUNTS: print on stderr how many
 * sets agree, differ, are refused; $CEGSIM_ORACLE_REFUSED: and why. $CEGSIM_ORACLE_APART: run each set in its
 * own process, so that a crash counts as a difference. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "base/random.h"
#include "scenarios/scenario.h"
#include "tests/oracle/compare.h"
#include "tests/oracle/engine_side.h"
#include "tests/oracle/oracle_internal.h"
#include "tests/support/test.h"

#define POLICIES_MAX 96
#define SHOWN_MAX 1

static uint64_t seed = 1, first, sets = TEST_CASES(100);

static void show(const struct random_case *c, const struct oracle_policy *policy, uint64_t index)
{
	char text[COMPARE_TEXT_MAX];
	struct random_case smallest;
	if (case_verdict_apart(c, policy, text, sizeof(text)) != CASE_DIFFERS)
		return;
	fprintf(stderr, "%s, set %" PRIu64 " of seed %" PRIu64 ": %s\n", policy->label, index, seed, text);
	case_shrink(c, policy, &smallest);
	if (case_verdict_apart(&smallest, policy, text, sizeof(text)) == CASE_DIFFERS)
		fprintf(stderr, "the smallest that differs: %s\n", text);
	random_case_print(&smallest, policy, stderr);
	random_case_finish(&smallest);
}

/* Takes one thing after the other out of the case that some policies refuse. */
static void simplify(struct random_case *c, int step)
{
	if (step == 0) {
		random_case_land(c);
	} else if (step == 1) {
		random_case_unite(c);
	} else if (step == 2) {
		random_case_unlink(c);
	} else if (step == 3) {
		c->platform.overheads = (struct overheads){0};
	} else if (step == 4) {
		c->set.gpu_priorities = false;
		for (uint32_t i = 0; i < c->set.task_count; i++)
			c->set.tasks[i].best_effort = false;
	} else {
		c->platform.cores = 1;
		c->set.cores = false;
	}
}

/* The sets are made anew for each policy. Policies that give tasks no SMs of their own all get the same
 * sets. */
static void engine_and_oracle_agree(void **state)
{
	const struct oracle_policy *policy = *state;
	enum verdict (*verdict_of)(const struct random_case *, const struct oracle_policy *, char *, size_t) =
		getenv("CEGSIM_ORACLE_APART") ? case_verdict_apart : case_verdict;
	uint64_t counts[3] = {0}, several = 0, flying = 0, gpus = 0;
	for (uint64_t i = first; i < first + sets; i++) {
		char text[COMPARE_TEXT_MAX];
		struct random_case c;
		random_case_mix(&c, seed, i, policy);
		enum verdict verdict = verdict_of(&c, policy, text, sizeof(text));
		for (int step = 0; step < 6 && verdict == CASE_REFUSED; step++) {
			simplify(&c, step);
			verdict = verdict_of(&c, policy, text, sizeof(text));
		}
		if (verdict == CASE_DIFFERS && counts[verdict] < SHOWN_MAX)
			show(&c, policy, i);
		if (verdict == CASE_REFUSED && getenv("CEGSIM_ORACLE_REFUSED"))
			fprintf(stderr, "%s, set %" PRIu64 ": %s\n", policy->label, i, text);
		counts[verdict]++;
		several += verdict == CASE_AGREES && c.platform.cores > 1;
		gpus += verdict == CASE_AGREES && c.platform.gpu_count > 1;
		flying += verdict == CASE_AGREES && random_case_land(&c);
		random_case_finish(&c);
	}
	if (getenv("CEGSIM_ORACLE_COUNTS"))
		fprintf(stderr,
			"%s: %" PRIu64 " agree (%" PRIu64 " with several cores, %" PRIu64
			" with several GPUs, %" PRIu64 " with operations in flight), %" PRIu64
			" differ, %" PRIu64 " refused\n",
			policy->label, counts[CASE_AGREES], several, gpus, flying, counts[CASE_DIFFERS],
			counts[CASE_REFUSED]);
	if (counts[CASE_DIFFERS])
		fail_msg("%" PRIu64 " of %" PRIu64 " sets differ", counts[CASE_DIFFERS], sets);
	if (4 * counts[CASE_REFUSED] > 3 * sets)
		fail_msg("%" PRIu64 " of %" PRIu64 " sets refused", counts[CASE_REFUSED], sets);
}

/* The generator's sets pass the product's own check, and both agree on the length of copies. */
static void sets_are_valid(void **state)
{
	size_t rows = 0;
	while (oracle_policies[rows].label)
		rows++;
	for (uint64_t i = first; i < first + sets; i++) {
		char text[COMPARE_TEXT_MAX];
		struct random_case c, checked;
		random_case_mix(&c, seed, i, &oracle_policies[i % rows]);
		random_case_clone(&c, &checked);
		if (!engine_check(&checked.set, &c.platform, text, sizeof(text)))
			fail_msg("set %" PRIu64 ": %s", i, text);
		for (uint32_t t = 0; t < c.set.task_count; t++) {
			for (uint32_t s = 0; s < c.set.tasks[t].segment_count; s++)
				assert_int_equal(c.set.tasks[t].segments[s].worst_ns,
					checked.set.tasks[t].segments[s].worst_ns);
		}
		random_case_finish(&checked);
		random_case_finish(&c);
	}
}

/* Both sides' random generators give the same words. */
static void draws_agree(void **state)
{
	for (uint32_t i = 0; i < 1000; i++) {
		struct random_key key = {
			.seed = seed * 0x9E3779B97F4A7C15u + i,
			.set = i % 7,
			.task = i % 11,
			.job = i,
			.segment = (uint16_t)(i % 13),
			.purpose = RANDOM_TEST,
		};
		const uint32_t words[2] = {(uint32_t)key.seed, (uint32_t)(key.seed >> 32)};
		const uint32_t counter[4] = {key.job,
			(uint32_t)key.segment << 16 | (uint32_t)key.purpose << 8 | i % 3, key.task, key.set};
		uint32_t out[4];
		oracle_philox(counter, words, out);
		assert_true(
			random_bits(&key, (uint8_t)(i % 3)) == ((uint64_t)out[0] | (uint64_t)out[1] << 32));
	}
}

/* The file printed for a case is that case: read back, it gives the same schedule. */
static void printed_cases_read_back(void **state)
{
	char folder[] = "/tmp/cegsim-oracle-XXXXXX", trace[64], times[64], name[64], text[COMPARE_TEXT_MAX];
	size_t rows = 0;
	while (oracle_policies[rows].label)
		rows++;
	assert_non_null(mkdtemp(folder));
	snprintf(trace, sizeof(trace), "%s/trace.csv", folder);
	snprintf(times, sizeof(times), "%s/samples.csv", folder);
	snprintf(name, sizeof(name), "%s/case.yaml", folder);
	for (uint64_t i = first; i < first + sets; i++) {
		const struct oracle_policy *policy = &oracle_policies[i % rows];
		struct random_case c;
		struct scenario read;
		struct diagnostics d;
		char *yaml = NULL;
		size_t length = 0;
		if (policy->of_tests)
			policy = &oracle_policies[0];
		random_case_mix(&c, seed, i, policy);
		c.setup.set = 0;
		FILE *out = open_memstream(&yaml, &length), *csv = fopen(trace, "w");
		FILE *samples = fopen(times, "w");
		assert_true(out && csv && samples);
		random_case_print(&c, policy, out);
		random_case_print_trace(&c, "", csv);
		random_case_print_samples(&c, "", samples);
		assert_true(fclose(out) == 0 && fclose(csv) == 0 && fclose(samples) == 0);
		diagnostics_init(&d, name);
		if (!scenario_read_text(name, yaml, length, &read, &d)) {
			diagnostics_print(&d, stderr);
			fail_msg("set %" PRIu64 " cannot be read back:\n%s", i, yaml);
		}
		/* With pool gpu no policy gives out SMs; some give out SMs of each GPU. */
		if (c.platform.pool == POOL_GPU || c.platform.gpu_count > 1)
			policy = &oracle_policies[0];
		struct oracle_result *before = oracle_run(&c.set, &c.platform, &c.setup, policy, NULL);
		struct oracle_result *after =
			oracle_run(&read.set, &read.platform, &read.setup, policy, NULL);
		if (!results_agree(after, before, text, sizeof(text)))
			fail_msg("set %" PRIu64 ", read back, differs: %s\n%s", i, text, yaml);
		oracle_result_free(after);
		oracle_result_free(before);
		scenario_finish(&read);
		diagnostics_finish(&d);
		random_case_finish(&c);
		free(yaml);
	}
	unlink(trace);
	unlink(times);
	rmdir(folder);
}

static uint64_t number(const char *text, uint64_t otherwise)
{
	return text ? strtoull(text, NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[POLICIES_MAX] = {
		cmocka_unit_test(sets_are_valid),
		cmocka_unit_test(draws_agree),
		cmocka_unit_test(printed_cases_read_back),
	};
	struct oracle_policy rows[POLICIES_MAX];
	const char *only = getenv("CEGSIM_ORACLE_POLICY");
	size_t count = 3;
	seed = number(getenv("CEGSIM_ORACLE_SEED"), seed);
	sets = number(argc > 1 ? argv[1] : getenv("CEGSIM_ORACLE_SETS"), sets);
	first = number(argc > 2 ? argv[2] : NULL, first);
	for (const struct oracle_policy *p = oracle_policies; p->label && count < POLICIES_MAX; p++) {
		if (only && !strstr(p->label, only))
			continue;
		rows[count] = *p;
		tests[count] = (struct CMUnitTest){
			.name = p->label,
			.test_func = engine_and_oracle_agree,
			.initial_state = &rows[count],
		};
		count++;
	}
	/* The group macro needs an array of known length; rows from `count` on have no function and are
	 * skipped. */
	return _cmocka_run_group_tests("test_oracle", tests, count, NULL, NULL);
}
