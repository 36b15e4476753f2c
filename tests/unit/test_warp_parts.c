/* tests/unit/test_warp_parts.c - applications: kernels whose jobs run several kernels one after the other
 * (docs/warps.md, "Applications"). What the set says of them, and small runs worked out by hand. */
#include <stdio.h>
#include <string.h>

#include "tests/support/test.h"
#include "tests/support/warp_runs.h"

/* ---- the set ---- */

static struct warp_step step, loop[2];
static struct warp_kernel kernel, then[WARP_PARTS_MAX];
static struct warp_set set;
static struct platform platform;
static char reported[2048];

static int begin(void **state)
{
	platform = platform_default();
	platform.sms = 2;
	platform.threads_per_sm = 256;
	step = loop[1] = warp_step_default(STEP_COMPUTE);
	loop[0] = warp_step_default(STEP_LOOP);
	loop[0].count = 10;
	loop[0].body = 1;
	kernel = (struct warp_kernel){.blocks = 4,
		.block_threads = 40,
		.registers = 16,
		.stream = 3,
		.steps = &step,
		.step_count = 1,
		.then = then};
	for (uint32_t i = 0; i < WARP_PARTS_MAX; i++)
		then[i] = (struct warp_kernel){.blocks = 2 + i,
			.block_threads = 64,
			.steps = loop,
			.step_count = 2,
			.shared_memory = i};
	set = (struct warp_set){.machine = warp_machine_default(), .kernels = &kernel, .kernel_count = 1};
	return 0;
}

EACH_TEST(begin, NULL);

static void report(void *self, uint32_t index, const char *text)
{
	(void)self;
	assert_int_equal(index, 0);
	size_t used = strlen(reported);
	snprintf(reported + used, sizeof(reported) - used, "%s%s", used ? "\n" : "", text);
}

static void defects(const char *expected)
{
	reported[0] = '\0';
	warp_set_check(&set, &platform, report, NULL);
	assert_string_equal(reported, expected);
}

TEST("parts are judged by themselves")
{
	kernel.then_count = 2;
	defects("");
	then[1].block_threads = 512;
	then[0].blocks = 0;
	kernel.registers = -1;
	defects("registers is -1; it must be 0 to 2147483647\n"
		"kernel 1 of 'then': blocks is 0; it must be 1 to 2147483647\n"
		"kernel 2 of 'then': a block of this kernel does not fit an empty SM: it exceeds the threads "
		"per SM (16 warps of 32 threads, 0 registers a thread, 1 bytes of shared memory)");
}

TEST("there are at most 32 parts")
{
	kernel.then_count = WARP_PARTS_MAX - 1;
	defects("");
	kernel.then_count = WARP_PARTS_MAX;
	defects("the number of kernels of 'then' is 32; it must be 0 to 31");
}

/* 4 blocks of 2 warps and 40 threads; 2 blocks of 2 warps and 64 threads, ten times. */
TEST("a launch has the instructions of all parts")
{
	int64_t warps, threads;
	kernel.then_count = 1;
	assert_true(warp_kernel_size(&kernel, &warps, &threads));
	assert_int_equal(warps, 4 * 2 + 2 * 2 * 10);
	assert_int_equal(threads, 4 * 40 + 2 * 64 * 10);
}

/* Each part has some 2^61 thread instructions. */
TEST("launches that are too large are told")
{
	int64_t warps, threads;
	loop[0].count = 500000000;
	loop[1].count = 8;
	then[0].blocks = then[1].blocks = 10000000;
	kernel.then_count = 1;
	assert_true(warp_kernel_size(&kernel, &warps, &threads));
	kernel.then_count = 2;
	kernel.goal = (struct warp_goal){.kind = GOAL_TIME, .kernel_ns = 5};
	assert_false(warp_kernel_size(&kernel, &warps, &threads));
	defects("the kernel is too large: a launch issues more than 2^62 instructions");
}

TEST("parts are the segments of a task")
{
	struct taskset tasks;
	taskset_init(&tasks);
	kernel.then_count = 2;
	tasks.warps = &set;
	tasks.task_count = 1;
	tasks.tasks = arena_new(&tasks.arena, struct task, 1);
	assert_non_null(tasks.tasks);
	assert_true(warp_set_tasks(&tasks));
	const struct task *t = &tasks.tasks[0];
	assert_int_equal(t->segment_count, 3);
	for (uint32_t i = 0; i < 3; i++) {
		const struct warp_kernel *part = warp_part(&kernel, i);
		assert_int_equal(t->segments[i].form, KERNEL_WARPS);
		assert_int_equal(t->segments[i].stream, 3);
		assert_int_equal(t->segments[i].grid, part->blocks);
		assert_int_equal(t->segments[i].block, part->block_threads);
		assert_int_equal(t->segments[i].registers, part->registers);
		assert_int_equal(t->segments[i].shared_memory, part->shared_memory);
	}
	taskset_finish(&tasks);
}

/* ---- runs ---- */

/* The n-th record of a kind. */
static const struct trace_record *nth(const struct warp_run *r, enum trace_kind kind, uint32_t n)
{
	for (size_t i = 0; i < r->records_count; i++)
		if (r->records[i].kind == kind && n-- == 0)
			return &r->records[i];
	fail_msg("there are too few records of this kind");
	return NULL;
}

static void expect_span(
	const struct warp_run *r, uint32_t n, uint32_t part, int64_t ready, int64_t start, int64_t end)
{
	const struct trace_record *t = nth(r, TRACE_SPAN, n);
	assert_int_equal(t->segment, part);
	assert_int_equal(t->ready, ready);
	assert_int_equal(t->start, start);
	assert_int_equal(t->time, end);
}

/* Two blocks of a warp, results after 4 cycles: 0 to 4, 1 to 5. Then a block of two warps with two
 * instructions each: 5 to 8, and its last result is there in 9. Then a third, which is the first again. */
TEST("a part begins when the one before has ended")
{
	struct warp_scene s;
	warp_scene_init(&s, 3);
	s.kernel[0].blocks = s.kernel[2].blocks = 2;
	s.kernel[1].block_threads = 64;
	warp_scene_compute(&s, 0, 1, 4, 0, 0);
	warp_scene_compute(&s, 1, 2, 1, 0, 0);
	warp_scene_compute(&s, 2, 1, 4, 0, 0);
	warp_scene_then(&s, 0, 1);
	warp_scene_then(&s, 0, 2);
	s.warps.kernel_count = 1;
	struct warp_run *r = warp_run(&s);
	static const int64_t cycles[] = {0, 1, 5, 6, 7, 8, 9, 10};
	static const int steps[] = {0, 0, 1, 1, 1, 1, 2, 2};
	assert_int_equal(r->issues_count, 8);
	for (size_t i = 0; i < 8; i++) {
		assert_int_equal(r->issues[i].cycle, cycles[i]);
		assert_int_equal(r->issues[i].step, steps[i]);
	}
	expect_span(r, 0, 0, 0, 0, 5);
	expect_span(r, 1, 1, 5, 5, 9);
	expect_span(r, 2, 2, 9, 9, 14);
	assert_int_equal(warp_run_job_end(r, 0, 0)->time, 14);
	assert_int_equal(nth(r, TRACE_BLOCKS_END, 2)->segment, 1);
	assert_int_equal(nth(r, TRACE_BLOCKS_END, 2)->block, 0);
	assert_int_equal(nth(r, TRACE_BLOCKS_END, 2)->threads, 64);
	warp_run_free(r);
	warp_scene_finish(&s);
}

/* An SM of 8 warps, half of it for each of two kernels: 4 blocks of a warp; then 2 blocks of two warps, of
 * which the third comes when the first ends. The next job begins with 4 again. */
TEST("targets are made for the blocks of a part")
{
	struct warp_scene s;
	warp_scene_init(&s, 3);
	s.platform.warps_per_sm = 8;
	s.kernel[0].blocks = 4;
	s.kernel[2].blocks = 3;
	s.kernel[2].block_threads = 64;
	s.kernel[0].period = 200;
	s.setup.horizon_ns = 300;
	warp_scene_compute(&s, 0, 1, 20, 0, 0);
	warp_scene_compute(&s, 1, 1, 1, 0, 0);
	warp_scene_compute(&s, 2, 1, 20, 0, 0);
	warp_scene_then(&s, 0, 2);
	s.warps.kernel_count = 2;
	struct warp_run *r = warp_run(&s);
	/* The other kernel's warp issues fifth, and ends first. */
	expect_span(r, 1, 0, 0, 0, 23);
	expect_span(r, 2, 1, 23, 23, 65);
	static const int64_t starts[] = {0, 0, 0, 0, 0, 23, 23, 44, 200, 200, 200, 200};
	for (uint32_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		assert_int_equal(nth(r, TRACE_BLOCKS_START, i)->time, starts[i]);
	warp_run_free(r);
	warp_scene_finish(&s);
}

/* Each part fills a pool of its own: two blocks take four rounds of a warp, then one block three. */
TEST("every part has its pool of rounds")
{
	struct warp_scene s;
	warp_scene_init(&s, 2);
	s.kernel[0].blocks = 2;
	for (uint32_t k = 0; k < 2; k++) {
		struct warp_step *rounds = warp_scene_step(&s, k, STEP_LOOP, k == 0 ? 2 : 3);
		rounds->body = 1;
		rounds->rounds = ROUNDS_BLOCKS;
		warp_scene_compute(&s, k, 1, 1, 0, 0);
	}
	warp_scene_then(&s, 0, 1);
	s.warps.kernel_count = 1;
	struct warp_run *r = warp_run(&s);
	assert_int_equal(r->issues_count, 4 + 3);
	for (size_t i = 0; i < r->issues_count; i++)
		assert_int_equal(r->issues[i].step, i < 4 ? 1 : 3);
	warp_run_free(r);
	warp_scene_finish(&s);
}

/* The same program twice: its accesses are other ones, and have other draws. */
TEST("every part draws for itself")
{
	struct warp_scene s;
	uint32_t other = 0;
	warp_scene_init(&s, 2);
	for (uint32_t k = 0; k < 2; k++) {
		struct warp_step *load = warp_scene_step(&s, k, STEP_LOAD, 64);
		load->l1_hit_ppm = 500000;
	}
	warp_scene_then(&s, 0, 1);
	s.warps.kernel_count = 1;
	struct warp_run *r = warp_run(&s);
	assert_int_equal(r->issues_count, 128);
	for (size_t i = 0; i < 64; i++)
		other += r->issues[i].level != r->issues[64 + i].level;
	assert_in_range(other, 20, 44);
	warp_run_free(r);
	warp_scene_finish(&s);
}
