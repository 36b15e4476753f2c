/* tests/unit/test_contexts.c - models/contexts.c: who has the GPU, and what becomes of what runs when it goes
 * to another process. */
#include <string.h>

#include "models/gate.h"
#include "tests/support/test.h"
#include "tests/unit/timeline.h"

static struct maker k;

/* What the policy does, and when. */
struct change {
	int64_t at;
	uint32_t process;
	enum gate_how how;
};
static struct {
	const struct change *changes; /* ends with at -1 */
	enum plan_contexts contexts;
	int64_t returned[8];
	uint32_t calls;
} script;

static void decide(struct gate *g, void *state)
{
	(void)state;
	for (const struct change *c = script.changes; c->at >= 0; c++) {
		if (c->at == gate_now(g) && script.calls < 8)
			script.returned[script.calls++] = gate_switch(g, c->process, c->how);
		if (c->at > gate_now(g)) {
			gate_wake(g, c->at);
			return;
		}
	}
}

static bool plan(struct plan *p, struct error *err)
{
	(void)err;
	p->contexts = script.contexts;
	p->copy_order = order_by_priority;
	p->decide = decide;
	p->wakes = true;
	script.calls = 0;
	return true;
}

static const struct policy scripted = {.name = "scripted", .plan = plan};

static int begin(void **state)
{
	maker_init(&k, 1000);
	k.setup.limit_ns = 10000;
	k.platform.sms = 2;
	k.platform.threads_per_sm = 64;
	k.platform.contexts = (struct context_times){.switch_ns = 3, .reset_ns = 2};
	script.contexts = CONTEXTS_GPU;
	return 0;
}

static int end(void **state)
{
	maker_finish(&k);
	return 0;
}

EACH_TEST(begin, end);

/* A kernel of `grid` blocks that each fill an SM. */
static struct segment *kernel_task(int64_t offset, uint32_t grid, int64_t time)
{
	maker_task(&k, "t", 1000, 1000, offset);
	struct segment *s = maker_grid(&k, grid, 64, time);
	s->idempotent = true;
	return s;
}

static struct observed run_with(const struct change *changes)
{
	script.changes = changes;
	return observe_under(&k, &scripted);
}

TEST("what is saved goes on where it was")
{
	kernel_task(0, 3, 10);
	kernel_task(0, 2, 10);
	struct observed o = run_with((struct change[]){
		{0, 0, GATE_SAVE}, {4, 1, GATE_SAVE}, {17, 0, GATE_SAVE}, {-1, 0, GATE_SAVE}});
	assert_string_equal(contexts(&o), "0 0-4; to 1 4-7; 1 7-17; to 0 17-20; 0 20-36");
	assert_string_equal(spans(&o), "t0.0.0 gpu 0-4 p; t1.0.0 gpu 7-17; t0.0.0 gpu 20-36");
	assert_string_equal(blocks(&o),
		"t0.0.0 b0 @0 0-4 p; t0.0.0 b1 @1 0-4 p; t1.0.0 b0 @0 7-17; t1.0.0 b1 @1 7-17; "
		"t0.0.0 b0 @0 20-26; t0.0.0 b1 @1 20-26; t0.0.0 b2 @0 26-36");
	assert_int_equal(script.returned[0], 0);
	assert_int_equal(script.returned[1], 7);
	assert_int_equal(script.returned[2], 20);
	observed_finish(&o);
}

TEST("the pool of threads is a context's own")
{
	k.platform.pool = POOL_GPU;
	kernel_task(0, 3, 10);
	kernel_task(0, 2, 10);
	struct observed o = run_with((struct change[]){
		{0, 0, GATE_SAVE}, {4, 1, GATE_SAVE}, {17, 0, GATE_SAVE}, {-1, 0, GATE_SAVE}});
	assert_string_equal(
		blocks(&o), "t0.0.0 b0+2 0-4 p; t1.0.0 b0+2 7-17; t0.0.0 b0+2 20-26; t0.0.0 b2 26-36");
	observed_finish(&o);
}

TEST("nobody has the GPU, and the one that is loaded gets it back for nothing")
{
	kernel_task(0, 2, 10);
	struct observed o = run_with((struct change[]){
		{0, 0, GATE_SAVE}, {4, GATE_NOBODY, GATE_SAVE}, {9, 0, GATE_SAVE}, {-1, 0, GATE_SAVE}});
	assert_string_equal(contexts(&o), "0 0-4; 0 9-15");
	assert_string_equal(spans(&o), "t0.0.0 gpu 0-4 p; t0.0.0 gpu 9-15");
	observed_finish(&o);
}

/* The change to 1 is given up for one to 0, at its full cost. */
TEST("a switch that is given up")
{
	kernel_task(0, 2, 10);
	kernel_task(0, 2, 10);
	struct observed o = run_with((struct change[]){{0, 0, GATE_SAVE}, {4, 1, GATE_SAVE},
		{5, 1, GATE_SAVE}, {6, 0, GATE_SAVE}, {20, 1, GATE_SAVE}, {-1, 0, GATE_SAVE}});
	assert_string_equal(contexts(&o), "0 0-4; to 1 4-6; to 0 6-9; 0 9-20; to 1 20-23; 1 23-33");
	assert_string_equal(spans(&o), "t0.0.0 gpu 0-4 p; t0.0.0 gpu 9-15; t1.0.0 gpu 23-33");
	assert_int_equal(script.returned[2], 7);
	observed_finish(&o);
}

/* Blocks 0 and 1 end at 10; block 2 waits until its context is back. */
TEST("what is drained ends, and nothing more starts")
{
	kernel_task(0, 3, 10);
	kernel_task(0, 2, 10);
	struct observed o = run_with((struct change[]){
		{0, 0, GATE_SAVE}, {4, 1, GATE_DRAIN}, {20, 0, GATE_DRAIN}, {-1, 0, GATE_SAVE}});
	assert_string_equal(contexts(&o), "0 0-10; 1 10-20; 0 20-30");
	assert_string_equal(spans(&o), "t0.0.0 gpu 0-10 p; t1.0.0 gpu 10-20; t0.0.0 gpu 20-30");
	assert_int_equal(script.returned[1], INT64_MAX);
	assert_int_equal(script.returned[2], 20);
	observed_finish(&o);
}

TEST("a drain that is given up, and one that becomes a switch")
{
	kernel_task(0, 4, 10);
	kernel_task(0, 2, 10);
	struct observed o =
		run_with((struct change[]){{0, 0, GATE_SAVE}, {4, 1, GATE_DRAIN}, {8, 0, GATE_SAVE},
			{12, 1, GATE_DRAIN}, {15, 1, GATE_SAVE}, {28, 0, GATE_SAVE}, {-1, 0, GATE_SAVE}});
	assert_string_equal(contexts(&o), "0 0-15; to 1 15-18; 1 18-28; to 0 28-31; 0 31-36");
	assert_string_equal(spans(&o), "t0.0.0 gpu 0-15 p; t1.0.0 gpu 18-28; t0.0.0 gpu 31-36");
	observed_finish(&o);
}

/* All blocks that run are lost; the one that has ended is not. */
TEST("what is reset starts again")
{
	kernel_task(0, 3, 10);
	kernel_task(0, 2, 5);
	struct observed o = run_with((struct change[]){
		{0, 0, GATE_SAVE}, {14, 1, GATE_RESET}, {21, 0, GATE_DRAIN}, {-1, 0, GATE_SAVE}});
	assert_string_equal(contexts(&o), "0 0-14; to 1 14-16; 1 16-21; 0 21-31");
	assert_string_equal(spans(&o), "t0.0.0 gpu 0-14 r; t1.0.0 gpu 16-21; t0.0.0 gpu 21-31");
	assert_string_equal(blocks(&o),
		"t0.0.0 b0 @0 0-10; t0.0.0 b1 @1 0-10; t0.0.0 b2 @0 10-14 r; t1.0.0 b0 @0 16-21; "
		"t1.0.0 b1 @1 16-21; t0.0.0 b2 @0 21-31");
	observed_finish(&o);
}

/* Blocks of 5, 20, 30, 5, 20: at 12 the blocks 1 and 2 run. Both start again, before 3 and 4. */
TEST("blocks that take different times are reset, and placed first")
{
	struct segment *s = kernel_task(0, 5, 30);
	struct block_time times[] = {{.best_ns = 5, .worst_ns = 5}, {.best_ns = 20, .worst_ns = 20},
		{.best_ns = 30, .worst_ns = 30}};
	struct block_times own = {.own_draws = true, .count = 3, .block = times};
	s->times = &own;
	kernel_task(0, 2, 5);
	struct observed o = run_with((struct change[]){
		{0, 0, GATE_SAVE}, {12, 1, GATE_RESET}, {19, 0, GATE_DRAIN}, {-1, 0, GATE_SAVE}});
	assert_string_equal(blocks(&o),
		"t0.0.0 b0 @0 0-5; t0.0.0 b1 @1 0-12 r; t0.0.0 b2 @0 5-12 r; t1.0.0 b0 @0 14-19; "
		"t1.0.0 b1 @1 14-19; t0.0.0 b1 @0 19-39; t0.0.0 b3 @0 39-44; t0.0.0 b2 @1 19-49; "
		"t0.0.0 b4 @0 44-64");
	observed_finish(&o);
}

/* The copy that runs keeps its engine: that of another process starts at once, and goes on before it is done.
 */
TEST("copies belong to the context")
{
	for (uint32_t p = 0; p < 2; p++) {
		maker_task(&k, "t", 1000, 1000, 0);
		maker_copy(&k, COPY_TO_GPU, 10);
	}
	const struct change changes[] = {
		{0, 0, GATE_SAVE}, {4, 1, GATE_SAVE}, {17, 0, GATE_SAVE}, {-1, 0, GATE_SAVE}};
	for (uint32_t engines = 0; engines < 3; engines++) {
		k.platform.engines = engines;
		struct observed o = run_with(changes);
		assert_string_equal(contexts(&o), "0 0-4; to 1 4-7; 1 7-17; to 0 17-20; 0 20-26");
		assert_string_equal(spans(&o), "t0.0.0 copy0 0-4 p; t1.0.0 copy0 7-17; t0.0.0 copy0 20-26");
		observed_finish(&o);
	}
	k.set.tasks[0].segments[0].idempotent = true;
	const struct change reset[] = {
		{0, 0, GATE_SAVE}, {4, 1, GATE_RESET}, {16, 0, GATE_SAVE}, {-1, 0, GATE_SAVE}};
	for (uint32_t engines = 0; engines < 3; engines++) {
		k.platform.engines = engines;
		struct observed o = run_with(reset);
		assert_string_equal(spans(&o), "t0.0.0 copy0 0-4 r; t1.0.0 copy0 6-16; t0.0.0 copy0 19-29");
		observed_finish(&o);
	}
}

/* The engine is taken by the copy of a process that does not have the GPU. */
TEST("copies do not belong to the context")
{
	script.contexts = CONTEXTS_COMPUTE;
	for (uint32_t p = 0; p < 2; p++) {
		maker_task(&k, "t", 1000, 1000, 0);
		maker_copy(&k, COPY_TO_GPU, 10);
		maker_grid(&k, 2, 64, 5);
	}
	struct observed o =
		run_with((struct change[]){{10, 1, GATE_SAVE}, {30, 0, GATE_SAVE}, {-1, 0, GATE_SAVE}});
	assert_string_equal(contexts(&o), "1 10-30; to 0 30-33; 0 33-38");
	assert_string_equal(
		spans(&o), "t0.0.0 copy0 0-10; t1.0.0 copy0 10-20; t1.0.1 gpu 20-25; t0.0.1 gpu 33-38");
	observed_finish(&o);
}

/* Its two blocks are frozen at the deadline, and end when the context is back. The third is never placed. */
TEST("an aborted job's frozen blocks go to their end")
{
	kernel_task(0, 3, 10);
	k.set.tasks[0].deadline_ns = 8;
	kernel_task(0, 2, 10);
	k.setup.on_miss = MISS_ABORT;
	struct observed o = run_with((struct change[]){
		{0, 0, GATE_SAVE}, {4, 1, GATE_SAVE}, {17, 0, GATE_SAVE}, {-1, 0, GATE_SAVE}});
	assert_string_equal(spans(&o), "t0.0.0 gpu 0-4 p; t1.0.0 gpu 7-17; t0.0.0 gpu 20-26 a");
	assert_string_equal(ends(&o), "t1.0 finished 17; t0.0 aborted 26");
	observed_finish(&o);
}

/* After the reset nothing of the job runs: it ends at its deadline. */
TEST("an aborted job does not get back what a reset took")
{
	kernel_task(0, 2, 10);
	k.set.tasks[0].deadline_ns = 8;
	kernel_task(0, 2, 10);
	k.setup.on_miss = MISS_ABORT;
	struct observed o =
		run_with((struct change[]){{0, 0, GATE_SAVE}, {4, 1, GATE_RESET}, {-1, 0, GATE_SAVE}});
	assert_string_equal(spans(&o), "t0.0.0 gpu 0-4 r; t1.0.0 gpu 6-16");
	assert_string_equal(ends(&o), "t0.0 aborted 8; t1.0 finished 16");
	observed_finish(&o);
}

/* Streams 0 of two processes are two streams; in one process they are one. */
TEST("streams are those of a process")
{
	static char same[] = "same", other[] = "other";
	for (uint32_t i = 0; i < 3; i++) {
		kernel_task(0, 1, 10)->stream = 0;
		k.set.tasks[i].process = i == 1 ? other : same;
	}
	struct observed o =
		run_with((struct change[]){{0, 0, GATE_SAVE}, {30, 1, GATE_SAVE}, {-1, 0, GATE_SAVE}});
	assert_string_equal(spans(&o), "t0.0.0 gpu 0-10; t2.0.0 gpu 10-20; t1.0.0 gpu 33-43");
	assert_string_equal(contexts(&o), "0 0-30; to 1 30-33; 1 33-43");
	observed_finish(&o);
}

TEST("a run that stops with a frozen kernel")
{
	k.setup.stop = STOP_HORIZON;
	k.setup.horizon_ns = 12;
	kernel_task(0, 2, 10);
	kernel_task(0, 2, 10);
	struct observed o =
		run_with((struct change[]){{0, 0, GATE_SAVE}, {4, 1, GATE_SAVE}, {-1, 0, GATE_SAVE}});
	assert_string_equal(contexts(&o), "0 0-4; to 1 4-7; 1 7-12");
	assert_string_equal(spans(&o), "t0.0.0 gpu 0-4 p; t1.0.0 gpu 7-12 s");
	observed_finish(&o);
}

/* ---- what a policy must not do ---- */

static void assert_fault(const struct change *changes, const char *what)
{
	struct simulation *s;
	struct error err = {0};
	script.changes = changes;
	assert_true(simulation_create(&k.platform, &k.set, &k.setup, &scripted, NULL, &s, &err));
	while (simulation_step(s, 1000) == SIMULATION_RUNNING)
		;
	assert_non_null(simulation_error(s));
	if (!strstr(simulation_error(s)->text, what))
		assert_string_equal(simulation_error(s)->text, what);
	simulation_destroy(s);
}

TEST("mistakes")
{
	kernel_task(0, 2, 10)->idempotent = false;
	kernel_task(0, 2, 10);
	assert_fault((struct change[]){{0, 0, GATE_SAVE}, {4, 1, GATE_RESET}, {-1, 0, GATE_SAVE}},
		"at 4 ns resets while task 't' runs a segment that is not idempotent");
	assert_fault(
		(struct change[]){{0, 2, GATE_SAVE}, {-1, 0, GATE_SAVE}}, "gives the GPU to process 2 of 2");
	assert_fault((struct change[]){{0, 0, (enum gate_how)7}, {-1, 0, GATE_SAVE}},
		"takes the GPU in no way that there is: 7");
	assert_fault((struct change[]){{0, 0, GATE_SAVE}, {-1, 0, GATE_SAVE}},
		"lets job 0 of task 't' wait for the GPU for ever");
}

TEST("kernels of two tasks of a process are saved together")
{
	static char same[] = "same";
	kernel_task(0, 1, 10);
	kernel_task(0, 1, 10);
	kernel_task(0, 2, 10);
	k.set.tasks[0].process = k.set.tasks[1].process = same;
	struct observed o = run_with((struct change[]){
		{0, 0, GATE_SAVE}, {4, 1, GATE_SAVE}, {17, 0, GATE_SAVE}, {-1, 0, GATE_SAVE}});
	assert_string_equal(spans(&o), "t0.0.0 gpu 0-4 p; t1.0.0 gpu 0-4 p; t2.0.0 gpu 7-17; "
				       "t0.0.0 gpu 20-26; t1.0.0 gpu 20-26");
	observed_finish(&o);
}

static uint32_t behind[4];

/* Process 0 has the GPU from 0 on, the others from 10 and 30 on. */
static void note_active(struct gate *g, void *state)
{
	(void)state;
	int64_t now = gate_now(g);
	if (now == 10)
		for (uint32_t p = 0; p < 4; p++)
			behind[p] = gate_next_active(g, p < 3 ? p : GATE_NOBODY);
	if (now == 0 || now == 10 || now == 30)
		gate_switch(g, now == 0 ? 0 : now == 10 ? 1 : 2, GATE_SAVE);
	if (now < 30)
		gate_wake(g, now < 10 ? 10 : 30);
}

static bool plan_noting(struct plan *p, struct error *err)
{
	(void)err;
	p->contexts = CONTEXTS_GPU;
	p->decide = note_active;
	p->wakes = true;
	return true;
}

TEST("the next process with work")
{
	static const struct policy noting = {.name = "noting", .plan = plan_noting};
	kernel_task(0, 1, 5);
	kernel_task(0, 1, 5);
	kernel_task(0, 1, 5);
	struct observed o = observe_under(&k, &noting);
	assert_int_equal(behind[0], 1);
	assert_int_equal(behind[1], 2);
	assert_int_equal(behind[2], 1); /* the kernel of process 0 is over */
	assert_int_equal(behind[3], 1);
	observed_finish(&o);
}
