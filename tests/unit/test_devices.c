/* tests/unit/test_devices.c - several GPUs: models/devices.c; docs/model.md, "Several GPUs". */
#include <string.h>

#include "models/gate.h"
#include "tests/support/test.h"
#include "tests/unit/timeline.h"

static struct maker k;
static struct platform others[2];

/* GPU 0: two SMs of 1024 threads, one engine; GPU 1: one SM, two engines; GPU 2: one SM, unlimited. */
static int begin(void **state)
{
	maker_init(&k, 100);
	k.platform.sms = 2;
	k.platform.threads_per_sm = 1024;
	k.platform.gpu_count = 3;
	k.platform.others = others;
	for (uint32_t i = 0; i < 2; i++) {
		others[i] = k.platform;
		others[i].gpu = i + 1;
		others[i].gpu_count = 0;
		others[i].others = NULL;
		others[i].sms = 1;
	}
	others[0].engines = 2;
	others[1].engines = ENGINES_UNLIMITED;
	return 0;
}

static int end(void **state)
{
	maker_finish(&k);
	return 0;
}

EACH_TEST(begin, end);

static void task(int64_t offset)
{
	maker_task(&k, "t", 200, 100 + k.set.task_count, offset);
}

static void copy(uint32_t gpu, int64_t time)
{
	maker_copy(&k, COPY_TO_GPU, time)->gpu = gpu;
}

static void kernel(uint32_t gpu, uint32_t grid, int64_t time)
{
	maker_grid(&k, grid, 1024, time)->gpu = gpu;
}

static void assert_spans(const char *policy, const char *expected)
{
	struct observed o = observe(&k, policy, NULL);
	assert_string_equal(spans(&o), expected);
	observed_finish(&o);
}

/* Each GPU has an engine and SMs: nobody waits for another. */
TEST("side by side")
{
	for (uint32_t gpu = 0; gpu < 3; gpu++) {
		task(0);
		copy(gpu, 2);
		kernel(gpu, 2, 5);
	}
	assert_spans("fifo-cke", "t0.0.0 copy0 0-2; t1.0.0 copy0 0-2; t2.0.0 copy0 0-2; t0.0.1 gpu 2-7; "
				 "t1.0.1 gpu 2-12; t2.0.1 gpu 2-12");
}

TEST("engines of each GPU")
{
	for (uint32_t gpu = 0; gpu < 3; gpu++) {
		for (int i = 0; i < 2; i++) {
			task(0);
			copy(gpu, 2);
			maker_copy(&k, COPY_TO_CPU, 3)->gpu = gpu;
		}
	}
	assert_spans("fifo-cke", "t0.0.0 copy0 0-2; t2.0.0 copy0 0-2; t4.0.0 copy0 0-2; t5.0.0 copy0 0-2; "
				 "t1.0.0 copy0 2-4; t3.0.0 copy0 2-4; t2.0.1 copy1 2-5; t4.0.1 copy0 2-5; "
				 "t5.0.1 copy0 2-5; t0.0.1 copy0 4-7; t3.0.1 copy1 5-8; t1.0.1 copy0 7-10");
}

/* N2, N3: the section ends where the GPU changes; that of t1 on GPU 1 goes on beside t0's on GPU 0. */
TEST("a section of each GPU")
{
	task(0);
	kernel(0, 1, 4);
	kernel(1, 1, 4);
	task(0);
	kernel(1, 1, 6);
	kernel(0, 1, 2);
	task(1);
	kernel(0, 1, 3);
	assert_spans("rm", "t0.0.0 gpu 0-4; t1.0.0 gpu 0-6; t2.0.0 gpu 4-7; t1.0.1 gpu 7-9; t0.0.1 gpu 6-10");
}

/* The same with one gate: what is admitted goes on through both of its kernels. */
TEST("one GPU")
{
	k.platform.gpu_count = 0;
	k.platform.others = NULL;
	task(0);
	kernel(0, 1, 4);
	kernel(0, 1, 4);
	task(0);
	kernel(0, 1, 6);
	kernel(0, 1, 2);
	task(1);
	kernel(0, 1, 3);
	assert_spans(
		"rm", "t0.0.0 gpu 0-4; t0.0.1 gpu 4-8; t1.0.0 gpu 8-14; t1.0.1 gpu 14-16; t2.0.0 gpu 16-19");
}

/* N2: `sync` behind each section. */
TEST("synchronised where the GPU changes")
{
	k.platform.overheads.sync_ns = others[0].overheads.sync_ns = others[1].overheads.sync_ns = 2;
	task(0);
	kernel(0, 1, 4);
	kernel(0, 1, 1);
	kernel(1, 1, 4);
	maker_cpu(&k, 1, 1);
	assert_spans("rm", "t0.0.0 gpu 0-4; t0.0.1 gpu 4-5; t0.0.2 gpu 7-11; t0.0.3 cpu 13-14");
}

/* N1: streams of one number on two GPUs are two, and so are NULL streams. */
TEST("streams of each GPU")
{
	for (uint32_t i = 0; i < 4; i++) {
		task(0);
		copy(i % 2, 3);
		k.set.tasks[i].segments[0].stream = i < 2 ? 0 : STREAM_NULL;
		k.set.tasks[i].segments[0].direction = i < 2 ? COPY_TO_GPU : COPY_TO_CPU;
	}
	others[0].engines = k.platform.engines = 2;
	assert_spans("fifo-cke", "t0.0.0 copy0 0-3; t1.0.0 copy0 0-3; t2.0.0 copy1 3-6; t3.0.0 copy1 3-6");
}

TEST("busy on through a change of the GPU")
{
	task(0);
	kernel(0, 1, 4);
	kernel(1, 1, 4);
	maker_cpu(&k, 1, 1);
	struct observed o = observe(&k, "mpcp", "wait=busy");
	assert_string_equal(spans(&o), "t0.0.0 gpu 0-4; t0.0.1 gpu 4-8; t0.0.0 boost 0-8; t0.0.2 cpu 8-9");
	observed_finish(&o);
}

TEST("aborted while it waits on another GPU")
{
	k.setup.on_miss = MISS_ABORT;
	task(0);
	kernel(1, 1, 30);
	maker_task(&k, "t", 200, 10, 0);
	kernel(1, 1, 5);
	maker_task(&k, "t", 200, 20, 0);
	kernel(1, 3, 15);
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_string_equal(ends(&o), "t1.0 aborted 10; t2.0 aborted 20; t0.0 finished 30");
	observed_finish(&o);
}

/* ---- GPUs that the policy chooses ---- */

/* Unit i goes to GPU i, or as the table says, on one SM of it. */
static uint32_t to[4];
static bool on_one_sm;

static void decide_to(struct gate *gate, void *state)
{
	(void)state;
	static uint32_t first = 0;
	const struct grant grant = {.count = 1, .sm = &first};
	assert_int_equal(gate_gpu(gate), 0);
	while (gate_waiting(gate) > 0) {
		uint32_t i = gate_unit(gate, 0).task;
		gate_admit_gpu(gate, i, to[i], on_one_sm ? &grant : NULL);
	}
}

static bool plan_chosen(struct plan *plan, struct error *err)
{
	(void)err;
	plan->unit = GATE_SECTION;
	plan->gpus = GPUS_CHOSEN;
	plan->grants_at_run_time = on_one_sm;
	plan->decide = decide_to;
	return true;
}

static const struct policy chosen = {.name = "chosen", .plan = plan_chosen};

static void assert_chosen(const char *expected, const char *on)
{
	struct observed o = observe_under(&k, &chosen);
	assert_string_equal(spans(&o), expected);
	assert_string_equal(blocks(&o), on);
	observed_finish(&o);
}

/* N4: copies take that GPU's bandwidth, kernels its SMs; the next section is at home again. */
TEST("a section goes where it is sent")
{
	k.platform.copy_bandwidth = 1000000000;
	others[0].copy_bandwidth = others[1].copy_bandwidth = 500000000;
	to[0] = 0;
	to[1] = 1;
	on_one_sm = false;
	for (int i = 0; i < 2; i++) {
		task(0);
		struct segment *c = maker_copy(&k, COPY_TO_GPU, 4);
		c->bytes = 4;
		kernel(0, 2, 5);
		maker_cpu(&k, 1, 1);
	}
	k.platform.cores = others[0].cores = others[1].cores = 1;
	assert_chosen("t0.0.0 copy0 0-4; t1.0.0 copy0 0-8; t0.0.1 gpu 4-9; t0.0.2 cpu 9-10; t1.0.1 gpu 8-18; "
		      "t1.0.2 cpu 18-19",
		"t0.0.1 b0 @0 4-9; t0.0.1 b1 @1 4-9; t1.0.1 b0 @0 8-13; t1.0.1 b1 @0 13-18");
}

TEST("a section on an SM of the GPU where it is sent")
{
	on_one_sm = true;
	to[0] = 0;
	to[1] = 2;
	for (int i = 0; i < 2; i++) {
		task(0);
		kernel(0, 2, 5);
	}
	assert_chosen("t0.0.0 gpu 0-10; t1.0.0 gpu 0-10",
		"t0.0.0 b0 @0 0-5; t1.0.0 b0 @0 0-5; t0.0.0 b1 @0 5-10; t1.0.0 b1 @0 5-10");
}

static void assert_fault(const char *words)
{
	struct simulation *s;
	struct error err;
	assert_true(simulation_create(&k.platform, &k.set, &k.setup, &chosen, NULL, &s, &err));
	while (simulation_step(s, 1000) == SIMULATION_RUNNING)
		;
	assert_non_null(simulation_error(s));
	assert_non_null(strstr(simulation_error(s)->text, words));
	simulation_destroy(s);
}

TEST("a GPU that is not there")
{
	on_one_sm = false;
	to[0] = 3;
	task(0);
	kernel(0, 1, 5);
	assert_fault("chooses GPU 3 of 3");
}

TEST("a policy for one GPU")
{
	task(0);
	kernel(1, 1, 5);
	struct observed o = observe(&k, "tsg-rr", NULL);
	assert_true(o.refused);
	observed_finish(&o);
}
