/* tests/unit/test_simulation.c - models/simulation.c: where a run ends, what its outcome says, and what
 * cannot be run. */
#include <stdio.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/test.h"
#include "tests/unit/timeline.h"

static struct maker k;
static struct error err;

static int begin(void **state)
{
	maker_init(&k, 100);
	return 0;
}

static int end(void **state)
{
	maker_finish(&k);
	return 0;
}

EACH_TEST(begin, end);

static struct simulation_outcome outcome(void)
{
	struct observed o = observe(&k, "fifo-cke", NULL);
	struct simulation_outcome outcome = o.outcome;
	observed_finish(&o);
	return outcome;
}

/* ---- S ---- */

TEST("drained ends with the last job")
{
	maker_task(&k, "a", 60, 60, 0);
	maker_cpu(&k, 7, 7);
	struct simulation_outcome o = outcome();
	assert_int_equal(o.end_ns, 67);
	assert_int_equal(o.energy_end_ns, 100);
	assert_false(o.truncated);
	assert_int_equal(o.jobs, 2);
	k.setup.horizon_ns = 60;
	o = outcome();
	assert_int_equal(o.end_ns, 7);
	assert_int_equal(o.energy_end_ns, 60);
	k.set.tasks[0].segments[0].worst_ns = 90;
	o = outcome();
	assert_int_equal(o.end_ns, 90);
	assert_int_equal(o.energy_end_ns, 90);
}

TEST("without jobs the end is 0")
{
	maker_task(&k, "a", 60, 60, 100);
	maker_cpu(&k, 7, 7);
	struct simulation_outcome o = outcome();
	assert_int_equal(o.end_ns, 0);
	assert_int_equal(o.energy_end_ns, 100);
	assert_int_equal(o.jobs, 0);
	k.setup.stop = STOP_HORIZON;
	assert_int_equal(outcome().end_ns, 100);
}

TEST("a limit truncates")
{
	maker_task(&k, "a", 200, 50, 0);
	maker_cpu(&k, 120, 120);
	k.setup.limit_ns = 120;
	struct simulation_outcome o = outcome(); /* it ends at the limit: counted */
	assert_int_equal(o.end_ns, 120);
	assert_false(o.truncated);
	k.setup.limit_ns = 119;
	o = outcome();
	assert_int_equal(o.end_ns, 119);
	assert_true(o.truncated);
	assert_int_equal(o.misses, 1);
}

TEST("stop horizon is not truncated")
{
	k.setup.stop = STOP_HORIZON;
	maker_task(&k, "a", 200, 101, 0);
	maker_cpu(&k, 120, 120);
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_string_equal(ends(&o), "t0.0 unfinished 100");
	assert_int_equal(o.outcome.end_ns, 100);
	assert_int_equal(o.outcome.misses, 0); /* its deadline is later */
	assert_false(o.outcome.truncated);
	observed_finish(&o);
	k.set.tasks[0].deadline_ns = 100;
	assert_int_equal(outcome().misses, 1);
}

TEST("completions at the end count and nothing starts")
{
	k.setup.stop = STOP_HORIZON;
	maker_task(&k, "a", 200, 200, 0);
	maker_cpu(&k, 100, 100);
	maker_cpu(&k, 0, 0);
	maker_cpu(&k, 1, 1);
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_string_equal(spans(&o), "t0.0.0 cpu 0-100");
	assert_string_equal(ends(&o), "t0.0 unfinished 100");
	observed_finish(&o);
}

TEST("jobs that wait at the end are unfinished")
{
	k.setup.stop = STOP_HORIZON;
	maker_task(&k, "a", 40, 30, 0);
	maker_cpu(&k, 200, 200);
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_string_equal(ends(&o), "t0.0 unfinished 100; t0.1 unfinished 100; t0.2 unfinished 100");
	assert_int_equal(observed_find(&o, TRACE_JOB_END, 0, 0)->ready, 0);
	assert_int_equal(observed_find(&o, TRACE_JOB_END, 0, 1)->ready, -1);
	assert_int_equal(o.outcome.misses, 2);
	observed_finish(&o);
}

/* ---- policies that refuse, fail, or never decide ---- */

static bool plan_refused(struct plan *plan, struct error *e)
{
	(void)e;
	plan->refused = true;
	snprintf(plan->reason, sizeof(plan->reason), "as a test");
	plan->failing_task = 0;
	return true;
}

static bool plan_failed(struct plan *plan, struct error *e)
{
	(void)plan;
	return error_set(e, STATUS_INPUT, "no plan");
}

static const struct policy refused = {.name = "refused", .plan = plan_refused};
static const struct policy failed = {.name = "failed", .plan = plan_failed};

TEST("a refused set has no jobs")
{
	maker_task(&k, "a", 200, 50, 0);
	maker_cpu(&k, 5, 5);
	struct observed o = observe_under(&k, &refused);
	assert_true(o.refused);
	assert_int_equal(o.count, 0);
	assert_int_equal(o.outcome.jobs, 0);
	assert_int_equal(o.outcome.energy_end_ns, 100);
	observed_finish(&o);
}

static void cannot(const struct policy *policy, const char *text)
{
	struct simulation *s;
	assert_false(simulation_create(&k.platform, &k.set, &k.setup, policy, NULL, &s, &err));
	if (!strstr(err.text, text))
		fail_msg("%s", err.text);
}

TEST("a plan may fail")
{
	maker_task(&k, "a", 200, 50, 0);
	maker_cpu(&k, 5, 5);
	cannot(&failed, "no plan");
}

/* ---- what does not fit ---- */

TEST("segments of a lifetime are refused")
{
	maker_task(&k, "a", INT64_MAX, INT64_MAX, 0);
	struct segment *s = maker_cpu(&k, 0, INT64_C(1) << 61);
	struct simulation *sim;
	assert_true(
		simulation_create(&k.platform, &k.set, &k.setup, policy_find("fifo-cke"), NULL, &sim, &err));
	simulation_destroy(sim);
	s->worst_ns++;
	cannot(policy_find("fifo-cke"), "task 'a', segment 0: longer than 73 years");
}

TEST("clocks of a lifetime are refused")
{
	maker_task(&k, "a", 200, 50, 0);
	maker_cpu(&k, 5, 5);
	k.setup.limit_ns = INT64_MAX;
	cannot(policy_find("fifo-cke"), "shorten the horizon or the limit");
}

TEST("kernels without a time are refused")
{
	k.platform.sms = 1;
	k.platform.virtual_sms_per_sm = 2;
	maker_task(&k, "a", 200, 50, 0);
	maker_work(&k, 5, 5, 0);
	cannot(policy_find("fifo-cke"),
		"task 'a', segment 0: the kernel has no interleave ratio for 2 virtual SMs per SM");
}

TEST("releases before 0 are refused")
{
	static int64_t releases[] = {-1};
	maker_task(&k, "a", 200, 50, 0);
	maker_cpu(&k, 5, 5);
	maker_trace(&k, releases, 1);
	cannot(policy_find("fifo-cke"), "task 'a' has a release before 0");
}

/* ---- stepping ---- */

static bool count_records(void *self, const struct trace_record *records, size_t count)
{
	size_t *left = self;
	(void)records;
	*left = *left > count ? *left - count : 0;
	return *left > 0;
}

TEST("an observer that says stop fails the run")
{
	struct simulation *s;
	size_t left = 1;
	maker_task(&k, "a", 1, 1, 0);
	maker_cpu(&k, 1, 1);
	k.setup.horizon_ns = 10000;
	k.setup.limit_ns = 100000;
	assert_true(
		simulation_create(&k.platform, &k.set, &k.setup, policy_find("fifo-cke"), NULL, &s, &err));
	trace_observe(simulation_trace(s), UINT32_MAX, count_records, &left);
	enum simulation_state now;
	while ((now = simulation_step(s, 100)) == SIMULATION_RUNNING)
		;
	assert_int_equal(now, SIMULATION_FAILED);
	assert_int_equal(simulation_step(s, 100), SIMULATION_FAILED);
	assert_true(simulation_events(s) < 10000);
	simulation_destroy(s);
	simulation_destroy(NULL);
}

TEST("progress goes from 0 to 1")
{
	struct simulation *s;
	double before = 0;
	maker_task(&k, "a", 10, 10, 0);
	maker_cpu(&k, 12, 12);
	assert_true(
		simulation_create(&k.platform, &k.set, &k.setup, policy_find("fifo-cke"), NULL, &s, &err));
	assert_true(simulation_progress(s) == 0);
	while (simulation_step(s, 1) == SIMULATION_RUNNING) {
		assert_true(simulation_progress(s) >= before && simulation_progress(s) <= 1);
		before = simulation_progress(s);
	}
	assert_true(simulation_progress(s) == 1);
	assert_int_equal(simulation_step(s, 1), SIMULATION_ENDED);
	simulation_destroy(s);
}
