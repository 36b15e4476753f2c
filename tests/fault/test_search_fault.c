/* tests/fault/test_search_fault.c - allocations fail while a set is made small, an excerpt of a run is taken,
 * and a find is written: nothing crashes or leaks, and the caller is told. Linked with --wrap for malloc,
 * calloc, realloc and strdup. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "runs/search/excerpt.h"
#include "runs/search/scenario_file.h"
#include "runs/search/shrink.h"
#include "tests/support/failing_memory.h"
#include "tests/unit/search_sets.h"

static struct searched searched;
static struct analysis_use use;
static const struct search_target target = {0, WHOLE_JOB};
static struct witness *witness;
static struct search_spec spec;
static struct shrink_goal goal;
static char folder[] = "/tmp/search-fault-XXXXXX", path[64], trace[64];
static struct error err;

static int begin(void **state)
{
	if (!mkdtemp(folder))
		return 1;
	snprintf(path, sizeof(path), "%s/small.yaml", folder);
	snprintf(trace, sizeof(trace), "%s/small.csv", folder);
	searched_long_copy(&searched, 4);
	use = analysis_use_of(analysis_find("rtgpu"));
	spec = (struct search_spec){
		.what = searched.evaluator.what,
		.plan = &searched.plan,
		.space = &searched.space,
		.method = METHOD_CLIMB,
		.budget = 10,
		.patience = 5,
		.seed = 1,
		.targets = &target,
		.target_count = 1,
	};
	assert_true(witnesses_new(&spec, &searched.arena, &witness, &err));
	witness->genome.offset[0] = 1;
	witness->found.response_ns = evaluate(&searched.evaluator, &witness->genome, &target, &err);
	witness->found.seen = evaluated_seen(&searched.evaluator, &target);
	assert_int_equal(witness->found.response_ns, 13);
	goal = (struct shrink_goal){
		.setup = &searched.maker.setup,
		.use = &use,
		.from = witness,
		.target = target,
		.bound_ns = 14,
		.most_jobs = 4,
	};
	return 0;
}

static int finish(void **state)
{
	searched_finish(&searched);
	unlink(path);
	unlink(trace);
	return rmdir(folder);
}

ALL_TESTS(begin, finish);

static bool make_small(void)
{
	struct variant *s = NULL;
	bool ok = shrink(&spec, &goal, &s, &err);
	assert_int_equal(ok, s != NULL);
	variant_destroy(s);
	return ok;
}

static bool take_excerpt(void)
{
	struct arena arena = {0};
	struct genome g;
	const struct run_setup setup = {.horizon_ns = 500, .limit_ns = 1000, .seed = 1};
	bool made = genome_new(&searched.space, &arena, &g);
	bool ok = made && excerpt(&spec.what, &setup, 0, &searched.space, &g, &err);
	if (!made)
		err.status = STATUS_IO;
	arena_finish(&arena);
	return ok;
}

static bool write_it(void)
{
	return scenario_file_write(&searched.evaluator, &witness->genome, "found", path, &err);
}

/* The first allocation fails, then a later one, ... until none does. Returns how many failures there were. */
static long fail_some(bool (*work)(void), long every)
{
	long failures = 0;
	for (long n = 0;; n += 1 + n / every, failures++) {
		err = (struct error){.status = STATUS_OK};
		memory_failed = false;
		memory_countdown = n;
		bool ok = work();
		memory_countdown = -1;
		assert_int_equal(ok, !memory_failed);
		if (!memory_failed)
			return failures;
		assert_int_equal(err.status, STATUS_IO);
	}
}

TEST("making small")
{
	assert_in_range(fail_some(make_small, 1000), 60, 1000);
}

TEST("taking an excerpt")
{
	assert_in_range(fail_some(take_excerpt, 1000), 5, 200);
}

TEST("writing")
{
	assert_in_range(fail_some(write_it, 1000), 5, 200);
}
