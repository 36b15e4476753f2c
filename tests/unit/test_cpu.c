/* tests/unit/test_cpu.c - models/cpu.c: the core under fixed priority, and what waits on it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include "models/gate.h"
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
	(void)state;
	maker_init(&k, 100);
	return 0;
}

static int end(void **state)
{
	(void)state;
	maker_finish(&k);
	return 0;
}

static void happens(const struct policy *policy, const char *what)
{
	struct observed o = observe_under(&k, policy);
	assert_string_equal(spans(&o), what);
	observed_finish(&o);
}

static void the_higher_priority_preempts(void **state)
{
	(void)state;
	maker_task(&k, "low", 200, 200, 0);
	maker_cpu(&k, 5, 5);
	maker_task(&k, "high", 200, 100, 2);
	maker_cpu(&k, 1, 1);
	happens(&suspend, "t0.0.0 cpu 0-2 p; t1.0.0 cpu 2-3; t0.0.0 cpu 3-6");
}

static void equal_priorities_go_by_task(void **state)
{
	(void)state;
	maker_task(&k, "a", 200, 100, 1);
	maker_cpu(&k, 2, 2);
	maker_task(&k, "b", 200, 100, 0);
	maker_cpu(&k, 2, 2);
	happens(&suspend, "t1.0.0 cpu 0-1 p; t0.0.0 cpu 1-3; t1.0.0 cpu 3-4");
}

/* One that ends at the instant of the other's release is not preempted. */
static void an_end_comes_before_a_release(void **state)
{
	(void)state;
	maker_task(&k, "low", 200, 200, 0);
	maker_cpu(&k, 2, 2);
	maker_task(&k, "high", 200, 100, 2);
	maker_cpu(&k, 1, 1);
	happens(&suspend, "t0.0.0 cpu 0-2; t1.0.0 cpu 2-3");
}

static void segments_of_length_zero_take_nothing(void **state)
{
	(void)state;
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

static void a_job_of_nothing_ends_when_it_is_released(void **state)
{
	(void)state;
	maker_task(&k, "a", 200, 200, 7);
	maker_cpu(&k, 0, 0);
	struct observed o = observe_under(&k, &suspend);
	assert_string_equal(ends(&o), "t0.0 finished 7");
	assert_int_equal(observed_find(&o, TRACE_JOB_END, 0, 0)->ready, 7);
	assert_int_equal(o.outcome.end_ns, 7);
	observed_finish(&o);
}

static void orders_other_than_priority(void **state)
{
	(void)state;
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

static void suspending_leaves_the_core(void **state)
{
	(void)state;
	section_and_other(150);
	happens(&suspend, "t0.0.0 cpu 0-2; t0.0.1 copy0 2-5; t0.0.2 copy0 5-8; t1.0.0 cpu 4-8 p; t0.0.3 cpu "
	                  "8-9; t1.0.0 cpu 9-11");
}

static void busy_waiting_keeps_it_from_lower_priorities(void **state)
{
	(void)state;
	section_and_other(150);
	happens(&busy, "t0.0.0 cpu 0-2; t0.0.1 copy0 2-5; t0.0.2 copy0 5-8; t0.0.1 spin 2-8; t0.0.3 cpu 8-9; "
	               "t1.0.0 cpu 9-15");
}

static void busy_waiting_is_preempted_and_the_section_goes_on(void **state)
{
	(void)state;
	section_and_other(50);
	happens(&busy, "t0.0.0 cpu 0-2; t0.0.1 spin 2-4 p; t0.0.1 copy0 2-5; t0.0.2 copy0 5-8; t1.0.0 cpu "
	               "4-10; t0.0.3 cpu 10-11");
}

static void boosted_waiting_is_not_preempted(void **state)
{
	(void)state;
	section_and_other(50);
	happens(&boost, "t0.0.0 cpu 0-2; t0.0.1 copy0 2-5; t0.0.2 copy0 5-8; t0.0.1 boost 2-8; t1.0.0 cpu "
	                "8-14; t0.0.3 cpu 14-15");
}

/* A section at the end of a job: the spinning ends with the job. The CPU segment of length zero between
 * two sections does not end it. */
static void spinning_ends_with_the_job(void **state)
{
	(void)state;
	maker_task(&k, "a", 200, 200, 0);
	maker_copy(&k, COPY_TO_GPU, 3);
	maker_cpu(&k, 0, 0);
	maker_copy(&k, COPY_TO_GPU, 2);
	happens(&busy, "t0.0.0 copy0 0-3; t0.0.2 copy0 3-5; t0.0.0 spin 0-5");
}

static void the_next_job_spins_anew(void **state)
{
	(void)state;
	maker_task(&k, "a", 60, 60, 0);
	maker_copy(&k, COPY_TO_GPU, 3);
	happens(&busy, "t0.0.0 copy0 0-3; t0.0.0 spin 0-3; t0.1.0 copy0 60-63; t0.1.0 spin 60-63");
}

static void what_runs_at_the_end_is_stopped(void **state)
{
	(void)state;
	k.setup.stop = STOP_HORIZON;
	maker_task(&k, "a", 200, 200, 97);
	maker_cpu(&k, 5, 5);
	happens(&suspend, "t0.0.0 cpu 97-100 s");
	k.set.task_count = 0;
	maker_task(&k, "a", 200, 200, 97);
	maker_copy(&k, COPY_TO_GPU, 5);
	happens(&busy, "t0.0.0 spin 97-100 s; t0.0.0 copy0 97-100 s");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(the_higher_priority_preempts, begin, end),
	        cmocka_unit_test_setup_teardown(equal_priorities_go_by_task, begin, end),
	        cmocka_unit_test_setup_teardown(an_end_comes_before_a_release, begin, end),
	        cmocka_unit_test_setup_teardown(segments_of_length_zero_take_nothing, begin, end),
	        cmocka_unit_test_setup_teardown(a_job_of_nothing_ends_when_it_is_released, begin, end),
	        cmocka_unit_test_setup_teardown(orders_other_than_priority, begin, end),
	        cmocka_unit_test_setup_teardown(suspending_leaves_the_core, begin, end),
	        cmocka_unit_test_setup_teardown(busy_waiting_keeps_it_from_lower_priorities, begin, end),
	        cmocka_unit_test_setup_teardown(
	                busy_waiting_is_preempted_and_the_section_goes_on, begin, end),
	        cmocka_unit_test_setup_teardown(boosted_waiting_is_not_preempted, begin, end),
	        cmocka_unit_test_setup_teardown(spinning_ends_with_the_job, begin, end),
	        cmocka_unit_test_setup_teardown(the_next_job_spins_anew, begin, end),
	        cmocka_unit_test_setup_teardown(what_runs_at_the_end_is_stopped, begin, end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
