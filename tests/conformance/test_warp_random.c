/* tests/conformance/test_warp_random.c - random runs of warps, recorded to the last instruction: the audit
 * finds nothing.
 *
 *     test_warp_random [CASES [SEED]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/conformance/audited.h"
#include "tests/oracle/warp_random.h"
#include "tests/support/test.h"
#include "tests/support/warp_params.h"

TEST_NUMBER(cases, TEST_CASES(150));
TEST_NUMBER(first_seed, 5);

static void make_set(struct warp_case *c, struct taskset *set)
{
	taskset_init(set);
	set->warps = &c->set;
	set->name = arena_strdup(&set->arena, "random");
	set->tasks = arena_new(&set->arena, struct task, c->set.kernel_count);
	set->task_count = c->set.kernel_count;
	assert_true(set->name && set->tasks);
	for (uint32_t k = 0; k < set->task_count; k++) {
		char name[16];
		snprintf(name, sizeof(name), "K%u", k);
		set->tasks[k].name = arena_strdup(&set->arena, name);
		assert_non_null(set->tasks[k].name);
	}
	assert_true(warp_set_tasks(set));
}

static void record(struct audited *a, struct warp_case *c, uint64_t index)
{
	static const struct {
		enum record_level level;
		const char *name;
	} levels[] = {{RECORD_ISSUES, "issues"}, {RECORD_ISSUES, "issues"}, {RECORD_ISSUES, "issues"},
		{RECORD_BLOCKS, "blocks"}, {RECORD_SEGMENTS, "segments"}};
	size_t level = index % (sizeof(levels) / sizeof(levels[0]));
	struct taskset set;
	struct params params;
	struct error err;
	char name[128];
	make_set(c, &set);
	snprintf(name, sizeof(name), "seed %llu, case %llu, %s", (unsigned long long)first_seed,
		(unsigned long long)index, levels[level].name);
	struct run_spec spec = {
		.platform = &c->platform,
		.set = &set,
		.setup = &c->setup,
		.record = levels[level].level,
		.policy = warp_params(&c->options, c->set.kernel_count, &params),
		.params = &params,
		.replication = (int64_t)index,
	};
	if (!audited_run(a, &spec, name, &err))
		fail_msg("%s", err.text);
	taskset_finish(&set);
}

#define AT_ONCE UINT64_C(50) /* cases per recording */

TEST("nothing is found")
{
	struct warp_case *c = malloc(sizeof(*c));
	uint64_t found = 0;
	assert_non_null(c);
	for (uint64_t from = 0; from < cases; from += AT_ONCE) {
		struct audited a;
		struct error err;
		if (!audited_begin(&a, &err))
			fail_msg("%s", err.text);
		for (uint64_t i = from; i < cases && i < from + AT_ONCE; i++) {
			char text[256];
			warp_case_make(first_seed, i, c);
			if (warp_case_is_valid(c, text, sizeof(text)))
				record(&a, c, i);
		}
		found += audited_findings(&a, true, NULL);
	}
	free(c);
	assert_int_equal(found, 0);
}
