/* tests/unit/test_gate_services.c - models/gate.h: the order in which the gate shows waiting units, units
 * made of a section's kernels, jobs that go while they wait, releases, and wake-ups. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/test.h"
#include "tests/unit/scripted.h"

/* ---- what the gate shows ---- */

static void look(struct gate *g, void *state)
{
	(void)state;
	if (gate_waiting(g) == 0)
		return;
	note(script.seen, "%" PRId64 ":", gate_now(g));
	for (uint32_t i = 0; i < gate_waiting(g); i++)
		note(script.seen, "%u", gate_unit(g, i).task);
	note(script.seen, " ");
	if (gate_now(g) >= script.at)
		while (gate_waiting(g) > 0)
			gate_admit_next(g);
}

static void shows(enum ties ties, order_fn *order, const char *what)
{
	k.setup.ties = ties;
	script.order = order;
	script.decide = look;
	struct observed o = observe_under(&k, &scripted);
	assert_string_equal(script.seen, what);
	observed_finish(&o);
}

EACH_TEST(scripted_begin, scripted_end);

TEST("units are shown in the order of the gate")
{
	script.unit = GATE_KERNEL;
	script.at = 5;
	kernel_task(3, 500, 1);
	kernel_task(0, 900, 1);
	kernel_task(3, 400, 1);
	kernel_task(1, 800, 1);
	kernel_task(5, 100, 1);
	shows(TIES_TASK_ORDER, order_by_priority, "0:1 1:31 3:2031 5:42031 ");
	/* First the units that waited before; then those of this instant, the last in the order first. */
	shows(TIES_LOWER_FIRST, order_by_priority, "0:1 1:13 3:3102 5:20314 ");
	shows(TIES_TASK_ORDER, order_by_arrival, "0:1 1:13 3:1302 5:13024 ");
	shows(TIES_LOWER_FIRST, order_by_arrival, "0:1 1:13 3:1320 5:13204 ");
	shows(TIES_LOWER_FIRST, order_by_deadline, "0:1 1:13 3:3102 5:20314 ");
}

static void view(struct gate *g, void *state)
{
	(void)state;
	if (gate_waiting(g) == 0)
		return;
	struct gate_unit_view u = gate_unit(g, 0);
	note(script.seen, "t%u.%u.%u since %" PRId64 " by %" PRId64 " %" PRId64 " %d; ", u.task, u.job,
		u.segment, u.ready, u.deadline, u.section_deadline, gate_is_admitted(g, u.task));
	gate_admit(g, u.task);
	note(script.seen, "%d; ", gate_is_admitted(g, u.task));
}

/* The section deadline is the deadline less the CPU segment and the kernel after it, which takes two waves on
 * all SMs alone. */
TEST("a view says all of a unit")
{
	maker_task(&k, "t", 60, 50, 10);
	maker_copy(&k, COPY_TO_GPU, 0);
	maker_copy(&k, COPY_TO_GPU, 2);
	maker_grid(&k, 1, 128, 3);
	maker_cpu(&k, 1, 4);
	maker_grid(&k, 8, 128, 5);
	script.decide = view;
	struct observed o = observe_under(&k, &scripted);
	assert_string_equal(script.seen,
		"t0.0.1 since 10 by 60 46 0; 1; t0.0.4 since 19 by 60 60 0; 1; "
		"t0.1.1 since 70 by 120 106 0; 1; t0.1.4 since 79 by 120 120 0; 1; ");
	observed_finish(&o);
}

static void admit_the_middle(struct gate *g, void *state)
{
	look(g, state);
	if (gate_now(g) == 2) {
		gate_admit(g, gate_unit(g, 1).task);
		look(g, state);
	}
}

TEST("admitting one moves those behind it up")
{
	script.unit = GATE_KERNEL;
	script.at = 4;
	script.decide = admit_the_middle;
	kernel_task(0, 100, 2);
	kernel_task(1, 200, 2);
	kernel_task(2, 300, 2);
	runs("t1.0.0 gpu 2-4; t0.0.0 gpu 4-6; t2.0.0 gpu 6-8");
	assert_string_equal(script.seen, "0:0 1:01 2:012 2:02 4:02 ");
}

/* ---- the kernels of a section ---- */

static void admit_from(struct gate *g, void *state)
{
	(void)state;
	if (gate_now(g) < script.at)
		gate_wake(g, script.at);
	while (gate_now(g) >= script.at && gate_waiting(g) > 0)
		gate_admit_next(g);
}

static void admitted_at(int64_t at, const char *calls, const char *what)
{
	script.wakes = true;
	script.at = at;
	script.decide = admit_from;
	runs(what);
	assert_string_equal(script.calls, calls);
}

/* The policy is asked when the section is ready and when a kernel ends. The unit is over with the last
 * kernel, not with the copy after it. */
TEST("copies in front of the kernels do not wait")
{
	section_task(0, 1000);
	admitted_at(0, "0:1/0 5:0/1 10:0/0 ",
		"t0.0.0 copy0 0-2; t0.0.1 gpu 2-5; t0.0.2 copy0 5-7; t0.0.3 gpu 7-10; t0.0.4 copy0 10-12");
	admitted_at(1, "0:1/0 1:1/0 5:0/1 10:0/0 ",
		"t0.0.0 copy0 0-2; t0.0.1 gpu 2-5; t0.0.2 copy0 5-7; t0.0.3 gpu 7-10; t0.0.4 copy0 10-12");
	admitted_at(2, "0:1/0 2:1/0 5:0/1 10:0/0 ",
		"t0.0.0 copy0 0-2; t0.0.1 gpu 2-5; t0.0.2 copy0 5-7; t0.0.3 gpu 7-10; t0.0.4 copy0 10-12");
	admitted_at(9, "0:1/0 9:1/0 12:0/1 17:0/0 ",
		"t0.0.0 copy0 0-2; t0.0.1 gpu 9-12; t0.0.2 copy0 12-14; t0.0.3 gpu 14-17; t0.0.4 copy0 "
		"17-19");
}

TEST("a section without kernels is no unit")
{
	maker_task(&k, "t", 1000, 1000, 0);
	maker_copy(&k, COPY_TO_GPU, 2);
	maker_copy(&k, COPY_TO_CPU, 2);
	maker_cpu(&k, 1, 1);
	maker_grid(&k, 4, 128, 0);
	maker_copy(&k, COPY_TO_CPU, 1);
	admitted_at(90, "", "t0.0.0 copy0 0-2; t0.0.1 copy0 2-4; t0.0.2 cpu 4-5; t0.0.4 copy0 5-6");
}

/* When all its kernels have passed, the unit leaves the gate without being admitted, or is over. */
TEST("kernels of length zero do not wait")
{
	maker_task(&k, "t", 1000, 1000, 0);
	maker_copy(&k, COPY_TO_GPU, 2);
	maker_grid(&k, 4, 128, 0);
	maker_copy(&k, COPY_TO_CPU, 1);
	kernel_task(20, 1000, 1);
	admitted_at(10, "0:1/0 2:0/0 10:0/0 20:1/0 21:0/0 ",
		"t0.0.0 copy0 0-2; t0.0.2 copy0 2-3; t1.0.0 gpu 20-21");
	admitted_at(1, "0:1/0 1:1/0 2:0/0 20:1/0 21:0/0 ",
		"t0.0.0 copy0 0-2; t0.0.2 copy0 2-3; t1.0.0 gpu 20-21");
}

/* A kernel of length zero at the beginning is not part of the section: the copy after it goes ahead. After a
 * copy it is part of it: what follows waits. */
TEST("copies behind kernels of length zero")
{
	maker_task(&k, "a", 1000, 1000, 0);
	maker_grid(&k, 4, 128, 0);
	maker_copy(&k, COPY_TO_GPU, 2);
	maker_grid(&k, 4, 128, 3);
	maker_task(&k, "b", 1000, 1000, 0);
	maker_copy(&k, COPY_TO_GPU, 2);
	maker_grid(&k, 4, 128, 0);
	maker_copy(&k, COPY_TO_GPU, 2);
	maker_grid(&k, 4, 128, 3);
	admitted_at(9, "0:2/0 9:2/0 12:0/1 15:0/0 ",
		"t0.0.1 copy0 0-2; t1.0.0 copy0 0-2; t1.0.2 copy0 9-11; t0.0.2 gpu 9-12; t1.0.3 gpu 12-15");
}

/* ---- jobs that go at every place ---- */

static bool ends_with(const char *text, const char *end_of_it)
{
	size_t length = strlen(text), tail = strlen(end_of_it);
	return length >= tail && strcmp(text + length - tail, end_of_it) == 0;
}

/* Whenever the first task's job is aborted or dropped, the gate is empty when the second task's arrives, and
 * admits it. */
TEST("whenever a job goes its unit goes")
{
	const enum gate_unit units[] = {GATE_KERNEL, GATE_SECTION, GATE_SECTION_KERNELS};
	script.wakes = true;
	script.decide = admit_from;
	section_task(0, 1);
	maker_task(&k, "b", 1000, 1000, 60);
	maker_grid(&k, 4, 128, 3);
	for (int i = 0; i < 3 * 2 * 25 * 25; i++) {
		script.unit = units[i % 3];
		k.setup.on_miss = i / 3 % 2 ? MISS_ABORT : MISS_DROP;
		k.set.tasks[0].deadline_ns = 1 + i / 6 % 25;
		script.at = i / 150;
		struct observed o = observe_under(&k, &scripted);
		if (!ends_with(script.calls, "60:1/0 63:0/0 ") || !ends_with(spans(&o), "t1.0.0 gpu 60-63") ||
			!ends_with(ends(&o), "t1.0 finished 63"))
			fail_msg("unit %d, deadline %d, admitted at %d: %s", (int)script.unit,
				(int)k.set.tasks[0].deadline_ns, (int)script.at, script.calls);
		observed_finish(&o);
	}
}

/* The running copy goes on to its end. The unit leaves the gate at once, and the policy is asked. */
TEST("an abort takes a unit away whose copy runs")
{
	k.setup.on_miss = MISS_ABORT;
	section_task(0, 1);
	admitted_at(50, "0:1/0 1:0/0 50:0/0 ", "t0.0.0 copy0 0-2");
	admitted_at(1, "0:1/0 1:0/0 ", "t0.0.0 copy0 0-2");
	k.set.tasks[0].deadline_ns = 2; /* the copy is over, the kernel just arrives at the gate */
	admitted_at(50, "0:1/0 2:0/0 50:0/0 ", "t0.0.0 copy0 0-2");
	k.set.tasks[0].deadline_ns = 3;
	admitted_at(50, "0:1/0 3:0/0 50:0/0 ", "t0.0.0 copy0 0-2");
}

/* An admitted unit keeps its place until the running copy is over. */
TEST("an abort of an admitted unit whose copy runs")
{
	k.setup.on_miss = MISS_ABORT;
	section_task(0, 1);
	admitted_at(0, "0:1/0 2:0/0 ", "t0.0.0 copy0 0-2");
	k.set.tasks[0].deadline_ns = 6; /* between the kernels */
	admitted_at(0, "0:1/0 5:0/1 7:0/0 ", "t0.0.0 copy0 0-2; t0.0.1 gpu 2-5; t0.0.2 copy0 5-7");
	k.set.tasks[0].deadline_ns = 11; /* after both */
	admitted_at(0, "0:1/0 5:0/1 10:0/0 ",
		"t0.0.0 copy0 0-2; t0.0.1 gpu 2-5; t0.0.2 copy0 5-7; t0.0.3 gpu 7-10; t0.0.4 copy0 10-12");
}

TEST("a dropped job leaves the gate")
{
	k.setup.on_miss = MISS_DROP;
	kernel_task(0, 4, 3);
	admitted_at(50, "0:1/0 4:0/0 50:0/0 ", "");
}

/* ---- releases ---- */

/* Lists, at each instant, all releases of task 1, which is before the others, from the first on. */
static void list_releases(struct gate *g, void *state)
{
	(void)state;
	struct gate_release r = {0}, none = {0};
	note(script.seen, "%" PRId64 ":", gate_now(g));
	while (gate_next_release(g, 1, &r))
		note(script.seen, "%u@%" PRId64 ",", r.jobs, r.at);
	note(script.seen, " ");
	assert_false(gate_next_release(g, 1, &r) || gate_next_release(g, k.set.task_count, &none));
	while (gate_waiting(g) > 0)
		gate_admit_next(g);
}

static void releases_seen(const char *what)
{
	script.decide = list_releases;
	struct observed o = observe_under(&k, &scripted);
	assert_string_equal(script.seen, what);
	observed_finish(&o);
}

/* The jobs of task 1 wait one after the other. None is released at or after the horizon. */
TEST("a period apart")
{
	kernel_task(4, 1000, 1);
	maker_task(&k, "waits behind", 5, 5, 5);
	maker_cpu(&k, 40, 40);
	kernel_task(9, 1000, 1);
	kernel_task(20, 1000, 1);
	kernel_task(25, 1000, 1);
	k.setup.horizon_ns = 26;
	releases_seen("4: 5:1@5, 9:1@5, 10:1@5,2@10, 20:1@5,2@10,3@15,4@20, 21:1@5,2@10,3@15,4@20, "
		      "25:1@5,2@10,3@15,4@20,5@25, 26:1@5,2@10,3@15,4@20,5@25, ");
}

/* Releases at one instant, from a trace. A job that was dropped while it waited counts as released. */
TEST("as a trace has them")
{
	static int64_t releases[] = {3, 7, 7, 30};
	k.setup.on_miss = MISS_DROP;
	kernel_task(7, 1000, 1);
	maker_task(&k, "traced", 100, 2, 90);
	maker_cpu(&k, 10, 10);
	maker_trace(&k, releases, 4);
	kernel_task(40, 1000, 1);
	releases_seen("7:1@3,2@7,3@7, 8:1@3,2@7,3@7, 40:1@3,2@7,3@7,4@30, 41:1@3,2@7,3@7,4@30, ");
}

/* The drawn releases are those of the run: what the trace of the run says was released. */
static void follow_sporadic_releases(struct gate *g, void *state)
{
	static struct gate_release last;
	(void)state;
	if (gate_now(g) == 0)
		last = (struct gate_release){0};
	while (gate_next_release(g, 0, &last))
		note(script.seen, "%u@%" PRId64 " ", last.jobs, last.at);
	while (gate_waiting(g) > 0)
		gate_admit_next(g);
}

TEST("as they are drawn")
{
	char released[SCRIPT_TEXT] = "";
	k.setup.release = (struct release_rule){.kind = RELEASE_SPORADIC, .max_delay_ppm = 2500000};
	k.setup.seed = 5;
	maker_task(&k, "t", 7, 7, 0);
	maker_grid(&k, 4, 128, 1);
	script.decide = follow_sporadic_releases;
	struct observed o = observe_under(&k, &scripted);
	for (uint32_t i = 0; observed_find(&o, TRACE_JOB_RELEASE, 0, i); i++)
		note(released, "%u@%" PRId64 " ", i + 1, observed_find(&o, TRACE_JOB_RELEASE, 0, i)->time);
	assert_string_equal(script.seen, released);
	assert_non_null(strstr(released, "5@"));
	observed_finish(&o);
}

/* ---- being woken ---- */

static void ask_twice(struct gate *g, void *state)
{
	(void)state;
	if (gate_now(g) != 0)
		return;
	gate_wake(g, 9);
	gate_wake(g, 7);
	gate_wake(g, 8);
}

/* The earliest request counts. Other events before it do not use it up, and later requests are gone. */
TEST("woken once and at the earliest")
{
	script.wakes = true;
	script.decide = ask_twice;
	k.setup.stop = STOP_HORIZON;
	kernel_task(0, 1000, 3);
	kernel_task(5, 1000, 3);
	runs("");
	assert_string_equal(script.calls, "0:1/0 5:2/0 7:2/0 ");
}

static void wake_always(struct gate *g, void *state)
{
	(void)state;
	gate_wake(g, gate_now(g) + 40);
}

TEST("nobody is woken where the run stops")
{
	script.wakes = true;
	script.decide = wake_always;
	k.setup.stop = STOP_HORIZON;
	k.setup.horizon_ns = 80;
	kernel_task(0, 1000, 3);
	runs("");
	assert_string_equal(script.calls, "0:1/0 40:1/0 ");
}

/* A policy that asks for ever does not keep a drained run going. */
TEST("being woken does not keep a run going")
{
	script.wakes = true;
	script.decide = admit_from;
	script.at = 30;
	k.setup.on_miss = MISS_DROP;
	kernel_task(0, 4, 3);
	struct observed o = observe_under(&k, &scripted);
	assert_int_equal(o.outcome.end_ns, 4);
	assert_false(o.outcome.truncated);
	observed_finish(&o);
}
