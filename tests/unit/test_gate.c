/* tests/unit/test_gate.c - models/gate.c: what waits for a policy's decision, and when it is asked. */
#include <stdio.h>
#include <string.h>

#include "models/gate.h"
#include "tests/support/test.h"
#include "tests/unit/timeline.h"

static struct maker k;

static int begin(void **state)
{
	maker_init(&k, 100);
	k.platform.sms = 1;
	k.platform.threads_per_sm = 128;
	k.platform.engines = ENGINES_UNLIMITED;
	return 0;
}

static int end(void **state)
{
	maker_finish(&k);
	return 0;
}

EACH_TEST(begin, end);

static void section(int64_t offset, int64_t period)
{
	maker_task(&k, "t", period, period, offset);
	maker_copy(&k, COPY_TO_GPU, 2);
	maker_grid(&k, 1, 64, 3);
	maker_copy(&k, COPY_TO_CPU, 2);
}

static void runs(const char *policy, const char *option, const char *what)
{
	struct observed o = observe(&k, policy, option);
	assert_string_equal(spans(&o), what);
	observed_finish(&o);
}

TEST("whole sections one after the other")
{
	section(0, 300);
	section(1, 200);
	section(2, 150);
	runs("fcfs", NULL,
		"t0.0.0 copy0 0-2; t0.0.1 gpu 2-5; t0.0.2 copy0 5-7; t1.0.0 copy0 7-9; t1.0.1 gpu 9-12; "
		"t1.0.2 copy0 12-14; "
		"t2.0.0 copy0 14-16; t2.0.1 gpu 16-19; t2.0.2 copy0 19-21");
	runs("rm", NULL,
		"t0.0.0 copy0 0-2; t0.0.1 gpu 2-5; t0.0.2 copy0 5-7; t2.0.0 copy0 7-9; t2.0.1 gpu 9-12; "
		"t2.0.2 copy0 12-14; "
		"t1.0.0 copy0 14-16; t1.0.1 gpu 16-19; t1.0.2 copy0 19-21");
}

TEST("kernels only and copies overlap")
{
	section(0, 300);
	section(1, 200);
	runs("fcfs", "unit=kernel",
		"t0.0.0 copy0 0-2; t1.0.0 copy0 1-3; t0.0.1 gpu 2-5; t0.0.2 copy0 5-7; t1.0.1 gpu 5-8; "
		"t1.0.2 copy0 8-10");
}

/* Segments of length zero at the ends are not part of a section: the gate opens when the last operation
 * ends. */
TEST("segments of length zero at the ends")
{
	maker_task(&k, "a", 200, 200, 0);
	maker_copy(&k, COPY_TO_GPU, 0);
	maker_grid(&k, 1, 64, 3);
	maker_copy(&k, COPY_TO_CPU, 0);
	maker_cpu(&k, 1, 1);
	section(0, 300);
	runs("fcfs", NULL,
		"t0.0.1 gpu 0-3; t0.0.3 cpu 3-4; t1.0.0 copy0 3-5; t1.0.1 gpu 5-8; t1.0.2 copy0 8-10");
}

/* A CPU segment of length zero separates two sections: the second waits at the gate again. */
TEST("a CPU segment of length zero parts sections")
{
	maker_task(&k, "a", 300, 300, 0);
	maker_copy(&k, COPY_TO_GPU, 2);
	maker_cpu(&k, 0, 0);
	maker_copy(&k, COPY_TO_GPU, 2);
	maker_task(&k, "b", 200, 200, 1);
	maker_copy(&k, COPY_TO_GPU, 5);
	runs("fcfs", NULL, "t0.0.0 copy0 0-2; t1.0.0 copy0 2-7; t0.0.2 copy0 7-9");
}

TEST("ties lower first")
{
	for (int i = 0; i < 3; i++) {
		maker_task(&k, "t", 200 + i, 200 + i, 0);
		maker_grid(&k, 1, 128, 2);
	}
	k.setup.ties = TIES_LOWER_FIRST;
	runs("rm", NULL, "t2.0.0 gpu 0-2; t0.0.0 gpu 2-4; t1.0.0 gpu 4-6");
	runs("fcfs", NULL, "t2.0.0 gpu 0-2; t1.0.0 gpu 2-4; t0.0.0 gpu 4-6");
}

/* ---- when decide() is asked ---- */

struct calls {
	char text[256];
	uint32_t most;
};
static struct calls calls;

static void decide(struct gate *g, void *state)
{
	struct calls *c = state;
	size_t used = strlen(c->text);
	snprintf(c->text + used, sizeof(c->text) - used, "%d:%u/%u ", (int)gate_now(g), gate_waiting(g),
		gate_admitted(g));
	while (gate_waiting(g) > 0 && gate_admitted(g) < c->most)
		gate_admit_next(g);
}

static bool plan_asked(struct plan *plan, enum gate_unit unit)
{
	calls.text[0] = '\0';
	plan->state = &calls;
	plan->decide = decide;
	plan->unit = unit;
	return true;
}

static bool plan_sections(struct plan *plan, struct error *err)
{
	(void)err;
	return plan_asked(plan, GATE_SECTION);
}

static bool plan_kernels(struct plan *plan, struct error *err)
{
	(void)err;
	return plan_asked(plan, GATE_KERNEL);
}

static const struct policy sections = {.name = "sections", .plan = plan_sections};
static const struct policy kernels = {.name = "kernels", .plan = plan_kernels};

static void asked(const struct policy *policy, uint32_t most, const char *when)
{
	calls.most = most;
	struct observed o = observe_under(&k, policy);
	assert_string_equal(calls.text, when);
	observed_finish(&o);
}

/* waiting / admitted, at each instant at which a unit arrives or leaves, or one of its kernels or its section
 * ends */
TEST("decide is called at arrivals and ends")
{
	section(0, 300);
	section(1, 200);
	asked(&sections, 1, "0:1/0 1:1/1 5:1/1 7:1/0 12:0/1 14:0/0 ");
	asked(&kernels, 1, "2:1/0 3:1/1 5:1/0 8:0/0 ");
	asked(&sections, 2, "0:1/0 1:1/1 5:0/2 6:0/2 7:0/1 8:0/0 ");
}

TEST("two of one instant are one call")
{
	section(4, 300);
	section(4, 200);
	asked(&sections, 2, "4:2/0 9:0/2 11:0/0 ");
}

/* A unit whose job is aborted leaves the gate; that is also a reason to ask the policy. */
TEST("an abort takes a unit away")
{
	k.setup.on_miss = MISS_ABORT;
	section(0, 300);
	section(1, 200);
	k.set.tasks[1].deadline_ns = 3;
	asked(&sections, 1, "0:1/0 1:1/1 4:0/1 5:0/1 7:0/0 ");
}

/* An admitted unit's job is aborted while its copy runs: its place is free when the copy ends. */
TEST("an abort holds the gate while a copy runs")
{
	k.setup.on_miss = MISS_ABORT;
	section(0, 300);
	k.set.tasks[0].deadline_ns = 1;
	section(1, 200);
	asked(&sections, 1, "0:1/0 1:1/1 2:1/0 7:0/1 9:0/0 ");
}
