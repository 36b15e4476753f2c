/* tests/unit/test_gate_stuck.c - policies that let jobs wait although nothing else will ever happen. A run
 * until all jobs have ended (stop: drained) then ends with an error that blames the policy. If something may
 * still happen, or the clock is stopped, the units simply wait. */
#include <stdio.h>

#include "tests/support/test.h"
#include "tests/unit/scripted.h"

static void admit_nothing(struct gate *g, void *state)
{
	(void)g;
	(void)state;
}

/* Admits the first unit that it ever sees, and no other. */
static void admit_the_first(struct gate *g, void *state)
{
	(void)state;
	if (script.number++ == 0)
		gate_admit_next(g);
}

/* Admits all that wait, from script.at on, and asks to be woken then. */
static void admit_late(struct gate *g, void *state)
{
	(void)state;
	if (gate_now(g) < script.at)
		gate_wake(g, script.at);
	while (gate_now(g) >= script.at && gate_waiting(g) > 0)
		gate_admit_next(g);
}

static void ask_for_ever(struct gate *g, void *state)
{
	(void)state;
	gate_wake(g, gate_now(g) + 7);
}

/* Admits two at a time, and nothing while fewer than two wait. */
static void admit_pairs(struct gate *g, void *state)
{
	(void)state;
	while (gate_waiting(g) >= 2) {
		gate_admit_next(g);
		gate_admit_next(g);
	}
}

static void stuck(const char *says)
{
	struct simulation *s;
	struct error err;
	assert_true(simulation_create(&k.platform, &k.set, &k.setup, &scripted, NULL, &s, &err));
	enum simulation_state now;
	while ((now = simulation_step(s, 1)) == SIMULATION_RUNNING)
		;
	assert_int_equal(now, SIMULATION_FAILED);
	assert_int_equal(simulation_step(s, 1), SIMULATION_FAILED);
	assert_non_null(simulation_error(s));
	assert_string_equal(simulation_error(s)->text, says);
	assert_int_equal(simulation_error(s)->status, STATUS_INPUT);
	simulation_destroy(s);
}

EACH_TEST(scripted_begin, scripted_end);

TEST("a policy that never admits is stuck")
{
	script.decide = admit_nothing;
	k.setup.horizon_ns = 1000;
	for (script.unit = GATE_KERNEL; script.unit <= GATE_SECTION_KERNELS; script.unit++) {
		maker_task(&k, "late", 2000, 500, 6);
		maker_cpu(&k, 3, 3);
		maker_grid(&k, 1, 128, 5);
		stuck("policy 'scripted' at 9 ns lets task 'late' wait at the gate for ever, since 9 ns: "
		      "nothing else will happen");
		maker_task(&k, "early", 2000, 500, 6);
		maker_cpu(&k, 1, 1);
		maker_grid(&k, 1, 128, 5);
		maker_task(&k, "too", 2000, 500, 7);
		maker_grid(&k, 1, 128, 5);
		/* `late` has the core first, `early` after it: `too` has waited longest. */
		stuck("policy 'scripted' at 10 ns lets task 'too' wait at the gate for ever, since 7 ns: "
		      "nothing else will happen");
		k.set.tasks[2].offset_ns = 9;
		stuck("policy 'scripted' at 10 ns lets task 'late' wait at the gate for ever, since 9 ns: "
		      "nothing else will happen");
		k.set.task_count = 0;
	}
}

/* The unit waits from the first instant of its section, though its copy was not held back. */
TEST("it waits since its section is ready")
{
	script.decide = admit_nothing;
	section_task(4, 500);
	stuck("policy 'scripted' at 6 ns lets task 't' wait at the gate for ever, since 4 ns: nothing "
	      "else will happen");
}

TEST("a policy that admits only the first is stuck")
{
	script.decide = admit_the_first;
	kernel_task(0, 500, 3);
	kernel_task(1, 500, 3);
	stuck("policy 'scripted' at 3 ns lets task 't' wait at the gate for ever, since 1 ns: nothing "
	      "else will happen");
	/* A run of this task alone is no fault. */
	k.set.task_count = 1;
	script.number = 0;
	runs("t0.0.0 gpu 0-3");
	/* Now the same task's next job waits after it. */
	k.set.tasks[0].period_ns = 60;
	script.number = 0;
	stuck("policy 'scripted' at 60 ns lets task 't' wait at the gate for ever, since 60 ns: nothing "
	      "else will happen");
}

TEST("half of a pair is stuck")
{
	script.decide = admit_pairs;
	kernel_task(0, 500, 3);
	kernel_task(20, 500, 3);
	runs("t0.0.0 gpu 20-23; t1.0.0 gpu 23-26");
	kernel_task(50, 500, 3);
	stuck("policy 'scripted' at 50 ns lets task 't' wait at the gate for ever, since 50 ns: nothing "
	      "else will happen");
}

TEST("one that admits late is not")
{
	script.wakes = true;
	script.at = 400; /* long after everything that was released */
	script.decide = admit_late;
	kernel_task(0, 500, 3);
	kernel_task(1, 500, 3);
	runs("t0.0.0 gpu 400-403; t1.0.0 gpu 403-406");
}

static struct simulation_outcome outcome(void)
{
	struct observed o = observe_under(&k, &scripted);
	struct simulation_outcome outcome = o.outcome;
	observed_finish(&o);
	return outcome;
}

/* The clock stops at the limit while the policy still asks: jobs are unfinished, which is allowed. */
TEST("one that goes on asking is truncated")
{
	script.wakes = true;
	script.decide = ask_for_ever;
	kernel_task(0, 500, 3);
	struct simulation_outcome o = outcome();
	assert_true(o.truncated);
	assert_int_equal(o.end_ns, k.setup.limit_ns);
	assert_int_equal(o.misses, 1);
}

/* Releases after the horizon might have made the policy admit them. */
TEST("at the horizon units just wait")
{
	script.decide = admit_nothing;
	kernel_task(0, 50, 3);
	kernel_task(0, 500, 3);
	k.setup.stop = STOP_HORIZON;
	struct simulation_outcome o = outcome();
	assert_false(o.truncated);
	assert_int_equal(o.end_ns, 100);
	assert_int_equal(o.jobs, 2);
	assert_int_equal(o.misses, 1);
}

TEST("jobs that are removed do not wait for ever")
{
	script.decide = admit_nothing;
	kernel_task(0, 50, 3);
	k.setup.on_miss = MISS_DROP;
	assert_int_equal(outcome().end_ns, 50);
	k.setup.on_miss = MISS_ABORT;
	struct simulation_outcome o = outcome();
	assert_int_equal(o.end_ns, 50);
	assert_int_equal(o.misses, 1);
	assert_false(o.truncated);
	/* A job that has started is not dropped. */
	k.set.task_count = 0;
	k.setup.on_miss = MISS_DROP;
	maker_task(&k, "begun", 1000, 50, 0);
	maker_cpu(&k, 2, 2);
	maker_grid(&k, 1, 128, 5);
	stuck("policy 'scripted' at 50 ns lets task 'begun' wait at the gate for ever, since 2 ns: nothing "
	      "else will happen");
}

/* Persistent blocks are larger on whole SMs than on virtual ones: here larger than an SM. */
static bool plan_whole_sms(struct plan *plan, struct error *err)
{
	(void)err;
	plan->virtual_sms = 1;
	return true;
}

TEST("blocks without room wait for ever")
{
	static const struct policy whole = {.name = "whole", .plan = plan_whole_sms};
	struct simulation *s;
	struct error err;
	k.platform.virtual_sms_per_sm = 4;
	k.platform.warps_per_sm = 2;
	maker_task(&k, "w", 1000, 50, 5);
	maker_work(&k, 40, 40, 0);
	if (!simulation_create(&k.platform, &k.set, &k.setup, &whole, NULL, &s, &err))
		fail_msg("%s", err.text);
	assert_int_equal(simulation_step(s, 100), SIMULATION_FAILED);
	assert_string_equal(simulation_error(s)->text,
		"policy 'whole' at 5 ns lets task 'w' wait for room on an SM for ever, since 5 ns: nothing "
		"else will happen");
	simulation_destroy(s);
}
