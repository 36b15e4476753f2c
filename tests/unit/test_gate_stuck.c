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

/* The first task at once, the others from script.at on, and asks to be woken then. */
static void admit_others_late(struct gate *g, void *state)
{
	(void)state;
	if (gate_now(g) < script.at)
		gate_wake(g, script.at);
	for (uint32_t i = 0; i < gate_waiting(g);) {
		uint32_t task = gate_unit(g, i).task;
		if (task == 0 || gate_now(g) >= script.at)
			gate_admit(g, task);
		else
			i++;
	}
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
		stuck("policy 'scripted' at 9 ns lets job 0 of task 'late' wait at the gate "
		      "for ever, since 9 ns: nothing else will happen");
		maker_task(&k, "early", 2000, 500, 6);
		maker_cpu(&k, 1, 1);
		maker_grid(&k, 1, 128, 5);
		maker_task(&k, "too", 2000, 500, 7);
		maker_grid(&k, 1, 128, 5);
		/* `late` has the core first, `early` after it: `too` has waited longest. */
		stuck("policy 'scripted' at 10 ns lets job 0 of task 'too' wait at the gate "
		      "for ever, since 7 ns: nothing else will happen");
		k.set.tasks[2].offset_ns = 9;
		stuck("policy 'scripted' at 10 ns lets job 0 of task 'late' wait at the gate "
		      "for ever, since 9 ns: nothing else will happen");
		k.set.task_count = 0;
	}
}

/* The unit waits from the first instant of its section, though its copy was not held back. */
TEST("it waits since its section is ready")
{
	script.decide = admit_nothing;
	section_task(4, 500);
	stuck("policy 'scripted' at 6 ns lets job 0 of task 't' wait at the gate for "
	      "ever, since 4 ns: nothing else will happen");
}

TEST("a policy that admits only the first is stuck")
{
	script.decide = admit_the_first;
	kernel_task(0, 500, 3);
	kernel_task(1, 500, 3);
	stuck("policy 'scripted' at 3 ns lets job 0 of task 't' wait at the gate for "
	      "ever, since 1 ns: nothing else will happen");
	/* A run of this task alone is no fault. */
	k.set.task_count = 1;
	script.number = 0;
	runs("t0.0.0 gpu 0-3");
	/* Now the same task's next job waits after it. */
	k.set.tasks[0].period_ns = 60;
	script.number = 0;
	stuck("policy 'scripted' at 60 ns lets job 1 of task 't' wait at the gate "
	      "for ever, since 60 ns: nothing else will happen");
}

TEST("half of a pair is stuck")
{
	script.decide = admit_pairs;
	kernel_task(0, 500, 3);
	kernel_task(20, 500, 3);
	runs("t0.0.0 gpu 20-23; t1.0.0 gpu 23-26");
	kernel_task(50, 500, 3);
	stuck("policy 'scripted' at 50 ns lets job 0 of task 't' wait at the gate "
	      "for ever, since 50 ns: nothing else will happen");
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

/* The clock stops at the limit while the policy still asks. */
TEST("one that goes on asking is stuck")
{
	script.wakes = true;
	script.decide = ask_for_ever;
	kernel_task(0, 500, 3);
	k.set.tasks[0].period_ns = 900;
	maker_task(&k, "patient", 2000, 2000, 0);
	maker_grid(&k, 1, 128, 5);
	stuck("policy 'scripted' at 1000 ns has never admitted task 't': its job 0 came to the "
	      "gate at 0 ns, and for 1000 ns nothing was admitted while the task waited");
}

/* Two units, of which it lets the first in, and then asks for ever. */
static void admit_one_and_ask(struct gate *g, void *state)
{
	admit_the_first(g, state);
	ask_for_ever(g, state);
}

TEST("nor may one that has admitted others go on asking up to the limit")
{
	script.wakes = true;
	script.decide = admit_one_and_ask;
	kernel_task(0, 500, 3);
	k.set.tasks[0].period_ns = 60;
	stuck("policy 'scripted' at 1000 ns lets job 1 of task 't' wait at the gate "
	      "for ever, since 60 ns: nothing was admitted up to the limit of the "
	      "clock");
	/* It may still have been about to, had the limit been nearer. */
	k.setup.limit_ns = 159;
	script.number = 0;
	assert_true(outcome().truncated);
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

/* It asked once, for an instant at which the clock has stopped. To ask again and again is no plan. */
TEST("at the horizon a task that is to be admitted later is not stuck")
{
	script.wakes = true;
	k.setup.stop = STOP_HORIZON;
	kernel_task(0, 500, 3);
	maker_task(&k, "late", 30, 30, 0);
	maker_grid(&k, 1, 128, 3);
	script.decide = admit_others_late;
	script.at = 400;
	assert_int_equal(outcome().misses, 3);
	script.at = 100;
	assert_int_equal(outcome().misses, 3);
	script.decide = ask_for_ever;
	stuck("policy 'scripted' at 100 ns has never admitted task 'late': its job 0 came to the gate at "
	      "0 ns, and for 100 ns nothing was admitted while the task waited");
}

/* In its period and its relative deadline a task could have been served. */
TEST("at the horizon a task that was never admitted is stuck")
{
	script.decide = admit_nothing;
	k.setup.stop = STOP_HORIZON;
	kernel_task(0, 500, 3);
	maker_task(&k, "late", 89, 30, 10);
	maker_cpu(&k, 1, 1);
	maker_grid(&k, 1, 128, 5);
	assert_int_equal(outcome().jobs, 3);
	k.set.tasks[1].period_ns = 88;
	stuck("policy 'scripted' at 100 ns has never admitted task 'late': its job 0 "
	      "came to the gate at 11 ns, and for 89 ns nothing was admitted while "
	      "the task waited");
	k.set.tasks[1].deadline_ns = 89;
	assert_int_equal(outcome().jobs, 3);
}

/* Admits units of the first task only. */
static void admit_task_0(struct gate *g, void *state)
{
	(void)state;
	for (uint32_t i = 0; i < gate_waiting(g); i++)
		if (gate_unit(g, i).task == 0) {
			gate_admit(g, 0);
			return;
		}
}

TEST("nor may one task be left out while nothing is in its way")
{
	script.decide = admit_task_0;
	k.setup.stop = STOP_HORIZON;
	maker_task(&k, "first", 10, 10, 0);
	maker_grid(&k, 1, 128, 4);
	maker_task(&k, "second", 50, 50, 0);
	maker_grid(&k, 1, 128, 4);
	/* From each period of the first task 4 ns are its own. */
	stuck("policy 'scripted' at 100 ns has never admitted task 'second': its job "
	      "0 came to the gate at 0 ns, and for 60 ns nothing was admitted while "
	      "the task waited");
	k.set.tasks[0].segments[0].worst_ns = k.set.tasks[0].segments[0].best_ns = 6;
	assert_int_equal(outcome().jobs, 12);
	/* That late jobs are removed may be what the policy waits for; not if it does so with all of them. */
	k.set.tasks[0].segments[0].worst_ns = k.set.tasks[0].segments[0].best_ns = 4;
	k.set.tasks[1].deadline_ns = 25;
	k.setup.on_miss = MISS_DROP;
	assert_int_equal(outcome().jobs, 12);
	script.decide = admit_nothing;
	stuck("policy 'scripted' at 100 ns has never admitted task 'first': its job "
	      "0 came to the gate at 0 ns, and for 100 ns nothing was admitted while "
	      "the task waited");
}

TEST("a task that was admitted once may wait as long as it likes to the horizon")
{
	script.decide = admit_the_first;
	k.setup.stop = STOP_HORIZON;
	maker_task(&k, "t", 10, 10, 0);
	maker_grid(&k, 1, 128, 4);
	assert_int_equal(outcome().misses, 9);
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
	stuck("policy 'scripted' at 50 ns lets job 0 of task 'begun' wait at the "
	      "gate for ever, since 2 ns: nothing else will happen");
}

/* Persistent blocks are larger on whole SMs than on virtual ones: here larger than an SM. */
static bool plan_whole_sms(struct plan *plan, struct error *err)
{
	(void)err;
	plan->virtual_sms = 1;
	return true;
}

static void without_room(const char *says)
{
	static const struct policy whole = {.name = "whole", .plan = plan_whole_sms};
	struct simulation *s;
	struct error err;
	if (!simulation_create(&k.platform, &k.set, &k.setup, &whole, NULL, &s, &err))
		fail_msg("%s", err.text);
	assert_int_equal(simulation_step(s, 1000), SIMULATION_FAILED);
	assert_string_equal(simulation_error(s)->text, says);
	simulation_destroy(s);
}

TEST("blocks without room wait for ever")
{
	k.platform.virtual_sms_per_sm = 4;
	k.platform.warps_per_sm = 2;
	maker_task(&k, "w", 1000, 50, 5);
	maker_work(&k, 40, 40, 0);
	without_room("policy 'whole' at 5 ns lets job 0 of task 'w' wait for room on an SM "
		     "for ever, since 5 ns: nothing else will happen");
	/* Also if something else happens. */
	k.setup.stop = STOP_HORIZON;
	without_room("policy 'whole' at 100 ns lets job 0 of task 'w' wait for room on an "
		     "SM for ever, since 5 ns: the GPU is empty");
}

static bool plan_open(struct plan *plan, struct error *err)
{
	(void)plan;
	(void)err;
	return true;
}

/* At the instant at which the clock stops nothing is dispatched. */
TEST("a kernel that could begin at the horizon is no fault")
{
	static const struct policy open = {.name = "open", .plan = plan_open};
	k.setup.stop = STOP_HORIZON;
	kernel_task(0, 500, 100);
	kernel_task(1, 500, 3);
	struct observed o = observe_under(&k, &open);
	assert_int_equal(o.outcome.end_ns, 100);
	observed_finish(&o);
}
