/* tests/unit/test_inside.c - programs of warps as kernels of tasks: how cycles and nanoseconds become each
 * other, and blocks by hand (docs/model.md, "Programs of warps"). */
#include <string.h>

#include "models/simulation.h"
#include "models/warps/inside.h"
#include "policies/registry.h"
#include "tests/support/test.h"

TEST("instants and cycles are rounded up, so that no block comes to a cycle that is over")
{
	struct warp_machine m = {.clock_hz = 1500000000};
	assert_int_equal(inside_cycle(&m, 0), 0);
	assert_int_equal(inside_cycle(&m, 1), 2);
	assert_int_equal(inside_cycle(&m, 2), 3);
	assert_int_equal(inside_ns(&m, 1), 1);
	assert_int_equal(inside_ns(&m, 2), 2);
	assert_int_equal(inside_ns(&m, 3), 2);
	static const int64_t clocks[] = {
		1000000, 333333333, 1000000000, 1000000001, 2300000000, 100000000000};
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		m.clock_hz = clocks[i];
		for (int64_t cycle = 0; cycle < 5000; cycle++) {
			assert_true(inside_cycle(&m, inside_ns(&m, cycle)) >= cycle);
			assert_true(inside_ns(&m, inside_cycle(&m, cycle) + 1) > cycle);
		}
	}
	assert_int_equal(inside_cycle(&m, INT64_MAX), INT64_MAX);
}

/* ---- blocks by hand ---- */

#define TASKS 2

struct small {
	struct platform platform;
	struct taskset set;
	struct task task[TASKS];
	struct segment segment[TASKS];
	struct warp_step step;
	struct run_setup setup;
	int64_t start[8], end[8]; /* of blocks, in the order of their ends */
	uint32_t task_of[8], count;
	char name[TASKS][2];
};

/* Tasks of one block of a warp each, which issues `count` instructions that need each other (latency 4). */
static void make(struct small *s, int64_t clock_hz, uint32_t count, int64_t second_offset)
{
	uint32_t programs;
	*s = (struct small){.platform = platform_default()};
	taskset_init(&s->set);
	s->platform.sms = 1;
	s->platform.threads_per_sm = 2048;
	s->step = warp_step_default(STEP_COMPUTE);
	s->step.count = count;
	s->step.distance = s->step.first = 1;
	for (uint32_t i = 0; i < TASKS; i++) {
		s->name[i][0] = (char)('a' + i);
		s->segment[i] = (struct segment){.kind = SEGMENT_KERNEL,
			.form = KERNEL_PROGRAM,
			.grid = 1,
			.block = 32,
			.bytes = -1,
			.profile = -1,
			.stream = STREAM_OWN,
			.steps = &s->step,
			.step_count = 1};
		s->task[i] = (struct task){.name = s->name[i],
			.period_ns = 1000000,
			.deadline_ns = 1000000,
			.offset_ns = i * second_offset,
			.core = CORE_NOT_SAID,
			.segments = &s->segment[i],
			.segment_count = 1};
	}
	s->set.name = s->task[0].name;
	s->set.tasks = s->task;
	s->set.task_count = TASKS;
	s->setup = (struct run_setup){.horizon_ns = 1000, .limit_ns = 1000000};
	struct warp_machine machine = warp_machine_default();
	machine.clock_hz = clock_hz;
	machine.sub_cores = 1;
	assert_true(programs_collect(&s->set, &machine, SCHEDULE_GTO, &programs));
	assert_int_equal(programs, TASKS);
}

static void finish(struct small *s)
{
	taskset_finish(&s->set);
}

static bool note(void *self, const struct trace_record *records, size_t count)
{
	struct small *s = self;
	for (size_t i = 0; i < count; i++) {
		if (records[i].kind != TRACE_BLOCKS_END)
			continue;
		s->start[s->count] = records[i].start;
		s->end[s->count] = records[i].time;
		s->task_of[s->count++] = records[i].task;
	}
	return true;
}

static struct simulation *run_of(struct small *s, const char *policy)
{
	struct simulation *run;
	struct error err;
	if (!simulation_create(&s->platform, &s->set, &s->setup, policy_find(policy), NULL, &run, &err))
		fail_msg("%s", err.text);
	trace_observe(simulation_trace(run), 1u << TRACE_BLOCKS_END, note, s);
	return run;
}

static void simulate(struct small *s, const char *policy)
{
	struct simulation *run = run_of(s, policy);
	while (simulation_step(run, 3) == SIMULATION_RUNNING)
		;
	assert_null(simulation_error(run));
	simulation_destroy(run);
}

TEST("a block alone takes its chain of instructions")
{
	struct small s;
	make(&s, 1000000000, 10, 500);
	simulate(&s, "fifo-cke");
	assert_int_equal(s.count, 2);
	assert_int_equal(s.end[0], 9 * 4 + 4); /* issued in cycles 0, 4, ... 36, the last result 4 later */
	assert_int_equal(s.start[1], 500);
	assert_int_equal(s.end[1], 540);
	finish(&s);
}

/* Two warps of one sub-core whose instructions need nothing: each can issue in every cycle, together one. */
TEST("a block is slower beside another one, for as long as that is there")
{
	struct small s;
	make(&s, 1000000000, 40, 10);
	s.step.distance = s.step.first = 0;
	simulate(&s, "fifo-cke");
	assert_int_equal(s.count, 2);
	/* gto: `a` issues in cycles 0 to 39; `b` waits, and issues in 40 to 79; the last results 4 later */
	assert_int_equal(s.task_of[0], 0);
	assert_int_equal(s.end[0], 39 + 4);
	assert_int_equal(s.start[1], 10);
	assert_int_equal(s.end[1], 79 + 4);
	finish(&s);
}

TEST("at 1.5 GHz a block ends with the first nanosecond at which its cycle has begun")
{
	struct small s;
	make(&s, 1500000000, 10, 501);
	simulate(&s, "fifo-cke");
	assert_int_equal(s.end[0], 27); /* cycle 40 begins at 26.67 ns */
	assert_int_equal(
		s.end[1], 501 + 27); /* from cycle ceil(751.5) = 752 on; cycle 792 begins at 528 ns */
	finish(&s);
}

TEST("a run may begin again")
{
	struct small s;
	struct error err;
	make(&s, 1000000000, 10, 500);
	struct simulation *run = run_of(&s, "fifo-cke");
	assert_true(simulation_keep(run, &err));
	while (simulation_step(run, 1000) == SIMULATION_RUNNING)
		;
	uint64_t digest = simulation_outcome(run).digest;
	assert_true(simulation_again(run, &err));
	while (simulation_step(run, 1000) == SIMULATION_RUNNING)
		;
	assert_true(simulation_outcome(run).digest == digest);
	simulation_destroy(run);
	finish(&s);
}

TEST("policies that stop blocks half-way refuse, and those that ask how long a kernel takes")
{
	static const char *const names[] = {"tsg-rr", "gcaps", "sbeet", "sbeet-mg", "stgm", "rtgpu"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct small s;
		make(&s, 1000000000, 10, 500);
		s.platform.sms = TASKS;
		struct simulation *run = run_of(&s, names[i]);
		assert_true(simulation_plan(run)->refused);
		if (!strstr(simulation_plan(run)->reason, "program of warps"))
			fail_msg("%s: %s", names[i], simulation_plan(run)->reason);
		simulation_destroy(run);
		finish(&s);
	}
}

TEST("a release trace cannot say how long a program takes")
{
	struct small s;
	int64_t releases[] = {0};
	struct trace_duration length = {.duration_ns = 5};
	struct release_rule rule = {.kind = RELEASE_TRACE,
		.trace_ns = releases,
		.trace_count = 1,
		.durations = &length,
		.duration_count = 1};
	make(&s, 1000000000, 10, 500);
	s.task[0].release = &rule;
	struct simulation *run = run_of(&s, "fifo-cke");
	assert_non_null(strstr(simulation_plan(run)->reason, "a release trace gives it a length"));
	simulation_destroy(run);
	finish(&s);
}

TEST("a set has at most as many programs as the engine of warps has kernels")
{
	struct small s;
	uint32_t count;
	struct segment many[WARP_KERNELS_MAX + 1];
	make(&s, 1000000000, 10, 500);
	for (size_t i = 0; i <= WARP_KERNELS_MAX; i++)
		many[i] = s.segment[0];
	s.task[0].segments = many;
	s.task[0].segment_count = WARP_KERNELS_MAX + 1;
	struct warp_machine machine = warp_machine_default();
	assert_false(programs_collect(&s.set, &machine, SCHEDULE_GTO, &count));
	assert_int_equal(count, WARP_KERNELS_MAX + 2);
	s.task[0].segment_count = WARP_KERNELS_MAX - 1;
	assert_true(programs_collect(&s.set, &machine, SCHEDULE_GTO, &count));
	assert_int_equal(s.set.programs->warps->kernel_count, WARP_KERNELS_MAX);
	assert_int_equal(s.segment[1].program, WARP_KERNELS_MAX - 1);
	finish(&s);
}
