/* tests/unit/test_run_limits.c - the limits of a run of warps that is repeated (runs/run.h, events_most),
 * whose recording may be a stranger's. */
#include <string.h>

#include "policies/registry.h"
#include "runs/run.h"
#include "tests/support/test.h"
#include "tests/unit/warp_run_sets.h"

#define MS INT64_C(1000000)

static struct error err;
static struct warp_subject subject;
static struct run_spec spec;
static struct params params;

static int begin(void **state)
{
	if (!warp_subject_init(&subject))
		return -1;
	spec = (struct run_spec){
		.platform = &subject.platform,
		.set = &subject.set,
		.setup = &subject.setup,
		.policy = policy_find("gto"),
		.params = &params,
		.record = RECORD_SUMMARY,
	};
	params_default(&params, spec.policy->options);
	return params_set(&params, "manager", "rollover", &err) && params_set(&params, "epoch", "700", &err)
		       ? 0
		       : -1;
}

static int end(void **state)
{
	warp_subject_finish(&subject);
	return 0;
}

EACH_TEST(begin, end);

static struct run_result run_all(void)
{
	struct run *run;
	struct run_result result;
	bool exists;
	enum run_state now = RUN_GOES_ON;
	assert_true(run_begin(&spec, NULL, &run, &exists, &err));
	while (now == RUN_GOES_ON)
		now = run_step(run, 50, &err);
	assert_int_equal(now, RUN_OVER);
	assert_true(run_finish(run, &result, &err));
	run_destroy(run);
	return result;
}

static void within_limits(void)
{
	struct run_result r = run_all();
	assert_int_equal(r.status, RUN_OK);
	spec.events_most = r.outcome.events;
	spec.end_most_ns = r.outcome.end_ns;
	struct run_result again = run_all();
	assert_int_equal(again.status, RUN_OK);
	assert_true(again.outcome.digest == r.outcome.digest);
}

/* With a horizon of 10^12 cycles. */
static void beyond_limits(void)
{
	subject.setup.horizon_ns = subject.setup.limit_ns = MS * MS;
	struct run_result r = run_all();
	assert_int_equal(r.status, RUN_ERROR);
	if (!strstr(r.reason, "it goes on behind the "))
		fail_msg("%s", r.reason);
}

TEST("a run ends at the limits of its events and its clock")
{
	within_limits();
	beyond_limits();
}

TEST("so do the measurements of kernels alone")
{
	subject.kernels[1].goal = (struct warp_goal){.kind = GOAL_SHARE, .share_ppm = 900000};
	within_limits();
	beyond_limits();
}

/* The manager looks at its kernels every 700 cycles. */
TEST("so does a run in which nothing happens for years")
{
	subject.kernels[0].repeat = false;
	within_limits();
	beyond_limits();
}
