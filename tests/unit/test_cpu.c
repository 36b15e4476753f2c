/* tests/unit/test_cpu.c - models/cpu.c: the core under fixed priority, and what waits on it. */
#include "models/gate.h"
#include "tests/support/test.h"
#include "tests/unit/timeline.h"

static bool plan_waiting(struct plan *plan, enum cpu_wait wait)
{
	plan->wait = wait;
	return true;
}

static bool plan_busy(struct plan *plan, struct error *err)
{
	(void)err;
	return plan_waiting(plan, WAIT_BUSY);
}

static bool plan_boost(struct plan *plan, struct error *err)
{
	(void)err;
	return plan_waiting(plan, WAIT_BOOST);
}

static bool plan_suspend(struct plan *plan, struct error *err)
{
	(void)err;
	return plan_waiting(plan, WAIT_SUSPEND);
}

static bool plan_edf(struct plan *plan, struct error *err)
{
	(void)err;
	plan->cpu_order = order_by_deadline;
	return true;
}

static const struct policy busy = {.name = "busy", .plan = plan_busy};
static const struct policy boost = {.name = "boost", .plan = plan_boost};
static const struct policy suspend = {.name = "suspend", .plan = plan_suspend};
static const struct policy edf = {.name = "edf", .plan = plan_edf};

static struct maker k;

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

static void happens(const struct policy *policy, const char *what)
{
	struct observed o = observe_under(&k, policy);
	assert_string_equal(spans(&o), what);
	observed_finish(&o);
}

TEST("the higher priority preempts")
{
	maker_task(&k, "low", 200, 200, 0);
	maker_cpu(&k, 5, 5);
	maker_task(&k, "high", 200, 100, 2);
	maker_cpu(&k, 1, 1);
	happens(&suspend, "t0.0.0 cpu 0-2 p; t1.0.0 cpu 2-3; t0.0.0 cpu 3-6");
}

TEST("equal priorities go by task")
{
	maker_task(&k, "a", 200, 100, 1);
	maker_cpu(&k, 2, 2);
	maker_task(&k, "b", 200, 100, 0);
	maker_cpu(&k, 2, 2);
	happens(&suspend, "t1.0.0 cpu 0-1 p; t0.0.0 cpu 1-3; t1.0.0 cpu 3-4");
}

/* A job that ends at the instant of the other's release is not preempted. */
TEST("an end comes before a release")
{
	maker_task(&k, "low", 200, 200, 0);
	maker_cpu(&k, 2, 2);
	maker_task(&k, "high", 200, 100, 2);
	maker_cpu(&k, 1, 1);
	happens(&suspend, "t0.0.0 cpu 0-2; t1.0.0 cpu 2-3");
}

TEST("segments of length zero take nothing")
{
	maker_task(&k, "a", 200, 200, 0);
	maker_cpu(&k, 0, 0);
	maker_cpu(&k, 2, 2);
	maker_cpu(&k, 0, 0);
	maker_cpu(&k, 0, 0);
	maker_cpu(&k, 1, 1);
	maker_cpu(&k, 0, 0);
	struct observed o = observe_under(&k, &suspend);
	assert_string_equal(spans(&o), "t0.0.1 cpu 0-2; t0.0.4 cpu 2-3");
	assert_string_equal(ends(&o), "t0.0 finished 3");
	observed_finish(&o);
}

TEST("a job of nothing ends when it is released")
{
	maker_task(&k, "a", 200, 200, 7);
	maker_cpu(&k, 0, 0);
	struct observed o = observe_under(&k, &suspend);
	assert_string_equal(ends(&o), "t0.0 finished 7");
	assert_int_equal(observed_find(&o, TRACE_JOB_END, 0, 0)->ready, 7);
	assert_int_equal(o.outcome.end_ns, 7);
	observed_finish(&o);
}

TEST("orders other than priority")
{
	maker_task(&k, "a", 200, 50, 0);
	maker_cpu(&k, 10, 10);
	maker_task(&k, "b", 200, 40, 5); /* deadline 45 */
	maker_cpu(&k, 1, 1);
	maker_task(&k, "c", 200, 45, 6); /* deadline 51 */
	maker_cpu(&k, 1, 1);
	happens(&edf, "t0.0.0 cpu 0-5 p; t1.0.0 cpu 5-6; t0.0.0 cpu 6-11; t2.0.0 cpu 11-12");
}

/* ---- waiting ---- */

static void section_and_other(int64_t other_deadline)
{
	maker_task(&k, "gpu", 200, 100, 0);
	maker_cpu(&k, 2, 2);
	maker_copy(&k, COPY_TO_GPU, 3);
	maker_copy(&k, COPY_TO_CPU, 3);
	maker_cpu(&k, 1, 1);
	maker_task(&k, "other", 200, other_deadline, 4);
	maker_cpu(&k, 6, 6);
}

TEST("suspending leaves the core")
{
	section_and_other(150);
	happens(&suspend, "t0.0.0 cpu 0-2; t0.0.1 copy0 2-5; t0.0.2 copy0 5-8; t1.0.0 cpu 4-8 p; t0.0.3 cpu "
			  "8-9; t1.0.0 cpu 9-11");
}

TEST("busy waiting keeps it from lower priorities")
{
	section_and_other(150);
	happens(&busy, "t0.0.0 cpu 0-2; t0.0.1 copy0 2-5; t0.0.2 copy0 5-8; t0.0.1 spin 2-8; t0.0.3 cpu 8-9; "
		       "t1.0.0 cpu 9-15");
}

TEST("busy waiting is preempted and the section goes on")
{
	section_and_other(50);
	happens(&busy, "t0.0.0 cpu 0-2; t0.0.1 spin 2-4 p; t0.0.1 copy0 2-5; t0.0.2 copy0 5-8; t1.0.0 cpu "
		       "4-10; t0.0.3 cpu 10-11");
}

TEST("boosted waiting is not preempted")
{
	section_and_other(50);
	happens(&boost, "t0.0.0 cpu 0-2; t0.0.1 copy0 2-5; t0.0.2 copy0 5-8; t0.0.1 boost 2-8; t1.0.0 cpu "
			"8-14; t0.0.3 cpu 14-15");
}

/* A section at the end of a job: the spinning ends with the job. The CPU segment of length zero between
 * two sections does not end it. */
TEST("spinning ends with the job")
{
	maker_task(&k, "a", 200, 200, 0);
	maker_copy(&k, COPY_TO_GPU, 3);
	maker_cpu(&k, 0, 0);
	maker_copy(&k, COPY_TO_GPU, 2);
	happens(&busy, "t0.0.0 copy0 0-3; t0.0.2 copy0 3-5; t0.0.0 spin 0-5");
}

TEST("the next job spins anew")
{
	maker_task(&k, "a", 60, 60, 0);
	maker_copy(&k, COPY_TO_GPU, 3);
	happens(&busy, "t0.0.0 copy0 0-3; t0.0.0 spin 0-3; t0.1.0 copy0 60-63; t0.1.0 spin 60-63");
}

TEST("what runs at the end is stopped")
{
	k.setup.stop = STOP_HORIZON;
	maker_task(&k, "a", 200, 200, 97);
	maker_cpu(&k, 5, 5);
	happens(&suspend, "t0.0.0 cpu 97-100 s");
	k.set.task_count = 0;
	maker_task(&k, "a", 200, 200, 97);
	maker_copy(&k, COPY_TO_GPU, 5);
	happens(&busy, "t0.0.0 spin 97-100 s; t0.0.0 copy0 97-100 s");
}
