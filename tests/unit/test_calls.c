/* tests/unit/test_calls.c - models/calls.c: calls around GPU sections, their lock, and what becomes of them
 * when a job is removed (docs/model.md, "Calls"). Under gcaps, and under a policy whose calls do as they
 * like. */
#include <string.h>

#include "models/gate.h"
#include "tests/support/test.h"
#include "tests/unit/timeline.h"

static struct maker k;

static int begin(void **state)
{
	maker_init(&k, 100);
	k.setup.limit_ns = 1000;
	k.platform.sms = 1;
	k.platform.threads_per_sm = 1024;
	k.platform.cores = 2;
	k.set.cores = true;
	return 0;
}

static int end(void **state)
{
	maker_finish(&k);
	return 0;
}

EACH_TEST(begin, end);

/* A task of one kernel; `before`: CPU time in front of it, 0: none. */
static struct task *task(int32_t core, int64_t offset, int64_t before, int64_t kernel)
{
	struct task *t = maker_task(&k, "t", 200, 200, offset);
	t->core = core;
	if (before > 0)
		maker_cpu(&k, before, before);
	maker_grid(&k, 1, 1024, kernel);
	return t;
}

#define GCAPS "update=3ns,call=1ns"

static void runs(const char *options, const char *expected)
{
	struct observed o = observe(&k, "gcaps", options);
	assert_string_equal(spans(&o), expected);
	observed_finish(&o);
}

TEST("a section between its calls")
{
	task(0, 0, 2, 4);
	maker_cpu(&k, 1, 1);
	runs(GCAPS, "t0.0.0 cpu 0-2; t0.0.1 call 2-5; t0.0.1 gpu 5-9; t0.0.1 call 9-12; t0.0.2 cpu 12-13");
	runs("update=0,call=0", "t0.0.0 cpu 0-2; t0.0.1 gpu 2-6; t0.0.2 cpu 6-7");
}

/* t1 asks for the lock when it has its core, waits without it for t0's call, and then changes nothing. */
TEST("one call at a time")
{
	task(0, 0, 0, 9);
	task(1, 1, 0, 2);
	maker_task(&k, "cpu", 200, 300, 1)->core = 1;
	maker_cpu(&k, 8, 8);
	runs(GCAPS,
		"t0.0.0 call 0-3; t2.0.0 cpu@1 1-3 p; t1.0.0 call@1 3-4; t2.0.0 cpu@1 4-10; t0.0.0 gpu 3-12; "
		"t0.0.0 call 12-15; t1.0.0 gpu 15-17; t1.0.0 call@1 17-20");
}

/* A section ends at the instant at which the job on its core does, for which the core's queue must wait. */
TEST("the core's job ends with the section")
{
	task(1, 0, 0, 2);
	maker_task(&k, "cpu", 200, 300, 0)->core = 1;
	maker_cpu(&k, 2, 2);
	runs(GCAPS, "t0.0.0 call@1 0-3; t0.0.0 gpu 3-5; t1.0.0 cpu@1 3-5; t0.0.0 call@1 5-8");
}

/* The interrupt of a release delays a call, and the GPU with it. */
TEST("a call that is interrupted")
{
	k.platform.cores = 1;
	k.set.cores = false;
	k.platform.overheads.release_ns = 2;
	task(0, 0, 0, 2);
	maker_task(&k, "cpu", 200, 300, 3);
	maker_cpu(&k, 1, 1);
	runs(GCAPS, "t0.0.0 release 0-2; t0.0.0 call 2-3 p; t1.0.0 release 3-5; t0.0.0 call 5-7; "
		    "t1.0.0 cpu 7-8; t0.0.0 gpu 7-9; t0.0.0 call 9-12");
}

/* Aborted before its begin call has begun the job ends; in it, or in its section, with its end call. */
TEST("aborted jobs")
{
	k.setup.on_miss = MISS_ABORT;
	task(0, 0, 0, 5)->deadline_ns = 2;
	runs(GCAPS, "t0.0.0 call 0-3; t0.0.0 call 3-6");
	k.set.tasks[0].deadline_ns = 4;
	runs(GCAPS, "t0.0.0 call 0-3; t0.0.0 gpu 3-8; t0.0.0 call 8-11");
	task(1, 0, 0, 5)->deadline_ns = 1;
	k.set.tasks[0].deadline_ns = 100;
	k.set.priorities = true;
	k.set.tasks[1].priority = 1;
	struct observed o = observe(&k, "gcaps", GCAPS);
	assert_string_equal(ends(&o), "t1.0 aborted 1; t0.0 finished 11");
	observed_finish(&o);
}

/* Without calls a job is inside of its section though it has not started: dropped, it leaves it. */
TEST("a dropped job is not the owner any more")
{
	k.setup.on_miss = MISS_DROP;
	k.set.gpu_priorities = true;
	task(0, 0, 0, 9)->gpu_priority = 1;
	task(1, 1, 0, 2)->gpu_priority = 2;
	k.set.tasks[1].deadline_ns = 5;
	task(1, 20, 0, 2)->gpu_priority = 3;
	runs("update=0,call=0", "t0.0.0 gpu 0-9; t2.0.0 gpu 20-22");
}

TEST("best-effort tasks share what is left")
{
	k.platform.contexts = (struct context_times){.timeslice_ns = 4, .switch_ns = 1};
	task(0, 0, 0, 6)->best_effort = true;
	task(1, 0, 0, 6)->best_effort = true;
	task(0, 12, 0, 2);
	struct observed o = observe(&k, "gcaps", GCAPS);
	assert_string_equal(contexts(&o),
		"0 1-5; to 1 5-6; 1 6-10; to 0 10-11; 0 11-12; to 2 12-15; 2 15-17; "
		"to 0 17-20; 0 20-21; to 1 21-22; 1 22-24");
	observed_finish(&o);
}

TEST("spinning tasks in another order on the GPU are refused")
{
	struct task *t = task(0, 0, 0, 6);
	task(0, 0, 0, 6);
	t->best_effort = true;
	k.set.tasks[1].deadline_ns = 300;
	struct observed o = observe(&k, "gcaps", "update=3ns,call=1ns,wait=busy");
	assert_true(o.refused);
	observed_finish(&o);
	k.set.tasks[1].core = 1;
	o = observe(&k, "gcaps", "update=3ns,call=1ns,wait=busy");
	assert_false(o.refused);
	observed_finish(&o);
}

/* ---- calls of a plug-in ---- */

static struct {
	int64_t length;
	bool switches, free;
	enum gate_how how;
} script;

static int64_t scripted_call(struct gate *g, void *state, const struct gate_call *call)
{
	(void)state;
	if (script.switches && !call->end)
		gate_switch(g, gate_process(g, call->task), script.how);
	return script.length;
}

static void decide(struct gate *g, void *state)
{
	(void)state;
	uint32_t process = gate_is_active(g, 0) ? 0 : 1;
	if (gate_calling(g) == GATE_NOBODY && gate_is_active(g, process) && gate_switching(g) != process)
		gate_switch_for(g, process, GATE_SAVE, 2);
}

static bool plan(struct plan *p, struct error *err)
{
	(void)err;
	p->contexts = CONTEXTS_GPU;
	p->decide = decide;
	p->call = scripted_call;
	p->calls_free = script.free;
	return true;
}

static const struct policy scripted = {.name = "scripted", .plan = plan};

static void faults(const char *what)
{
	struct simulation *s;
	struct error err;
	assert_true(simulation_create(&k.platform, &k.set, &k.setup, &scripted, NULL, &s, &err));
	assert_int_equal(simulation_step(s, UINT64_MAX), SIMULATION_FAILED);
	assert_non_null(strstr(simulation_error(s)->text, what));
	simulation_destroy(s);
}

TEST("mistakes of a policy with calls")
{
	task(0, 0, 0, 2);
	script.length = 0;
	faults("makes a call of 0 ns");
	script.length = 1;
	script.free = true;
	faults("makes a call of 1 ns, but its plan says calls_free");
	script.length = 0;
	script.switches = true;
	faults("in a call that is over at once");
	script.free = false;
	script.length = 1;
	script.how = GATE_DRAIN;
	faults("drains the GPU in a call");
}

TEST("a price of the policy's own")
{
	k.platform.contexts.switch_ns = 7;
	task(0, 0, 0, 2);
	task(1, 3, 0, 2);
	script.free = script.switches = false;
	script.length = 4;
	struct observed o = observe_under(&k, &scripted);
	assert_string_equal(contexts(&o), "0 8-14; to 1 14-16; 1 16-22");
	observed_finish(&o);
}
