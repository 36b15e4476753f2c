/* tests/unit/test_warp_papers.c - the shipped scenarios of QAWS (scenarios/papers/qaws-*.yaml) give the
 * paper's results: Fig. 3 to the cycle, Fig. 2 by which kernels are late. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/warps/simulation.h"
#include "tests/support/test.h"
#include "tests/unit/scenario_reading.h"

#define JOBS 2

/* A file of the sources: below the folder that the environment names, or else where this file was
 * compiled. */
static void path_of(const char *name, char path[2 * PATH_MAX])
{
	const char *given = getenv("CEGSIM_SOURCE_ROOT"), *root = given ? given : __FILE__;
	const char *tail = strstr(root, "tests/unit/test_warp_papers.c");
	int length = given || !tail ? (int)strlen(root) : (int)(tail - root);
	snprintf(path, 2 * PATH_MAX, "%.*s%s%s", length, root, given ? "/" : "", name);
}

/* When the only job of each kernel ended, and whether it was late. */
struct ends {
	int64_t time[JOBS];
	bool late[JOBS];
	uint32_t count;
};

static bool note_end(void *self, const struct trace_record *records, size_t count)
{
	struct ends *e = self;
	for (size_t i = 0; i < count; i++) {
		const struct trace_record *r = &records[i];
		assert_in_range(r->task, 0, JOBS - 1);
		assert_int_equal(r->how, JOB_FINISHED);
		e->time[r->task] = r->time;
		e->late[r->task] = r->time > r->value;
		e->count++;
	}
	return true;
}

static struct ends run(const struct scenario *s, uint32_t policy)
{
	const struct policy_use *use = &s->policies[policy];
	struct warp_options options;
	struct warp_simulation *w;
	struct error err;
	struct ends e = {0};
	assert_true(warp_options_read((enum warp_scheduler_kind)use->policy->warp_scheduler, &use->params,
		s->set.warps, &s->platform, &options, &err));
	assert_true(warp_simulation_create(&s->platform, &s->set, &s->setup, &options, NULL, &w, &err));
	trace_observe(warp_simulation_trace(w), TRACE_BIT(TRACE_JOB_END), note_end, &e);
	enum simulation_state state;
	while ((state = warp_simulation_step(w, 10000)) == SIMULATION_RUNNING)
		;
	assert_int_equal(state, SIMULATION_ENDED);
	assert_int_equal(e.count, JOBS);
	warp_simulation_destroy(w);
	return e;
}

static struct reading shipped(const char *name)
{
	char path[2 * PATH_MAX];
	path_of(name, path);
	struct reading r = reading_file(path, name);
	if (!r.ok)
		print_error("%s", r.said);
	assert_true(r.ok);
	return r;
}

TEST("fig 3 to the cycle")
{
	static const struct {
		const char *policy;
		int64_t k1, k2;
	} expected[] = {{"lrr", 32, 36}, {"gto", 20, 38}, {"qaws", 38, 28}, {"qaws", 38, 24}};
	struct reading r = shipped("scenarios/papers/qaws-fig3.yaml");
	assert_int_equal(r.s.policy_count, 4);
	for (uint32_t i = 0; i < r.s.policy_count; i++) {
		struct ends e = run(&r.s, i);
		assert_string_equal(r.s.policies[i].policy->name, expected[i].policy);
		assert_int_equal(e.time[0], expected[i].k1);
		assert_int_equal(e.time[1], expected[i].k2);
	}
	reading_finish(&r);
}

TEST("fig 2 by who is late")
{
	static const bool late[4][JOBS] = {{false, true}, {true, true}, {true, false}, {false, false}};
	/* What the comments in the files say, in tenths of a microsecond. */
	static const int64_t response[4][JOBS] = {{120, 219}, {220, 159}, {140, 120}, {120, 150}};
	for (int i = 0; i < 4; i++) {
		char name[64];
		snprintf(name, sizeof(name), "scenarios/papers/qaws-fig2-case%d.yaml", i + 1);
		struct reading r = shipped(name);
		assert_int_equal(r.s.policy_count, 1);
		struct ends e = run(&r.s, 0);
		for (int k = 0; k < JOBS; k++) {
			assert_int_equal(e.late[k], late[i][k]);
			assert_int_equal((e.time[k] - r.s.set.tasks[k].offset_ns + 50) / 100, response[i][k]);
		}
		reading_finish(&r);
	}
}
