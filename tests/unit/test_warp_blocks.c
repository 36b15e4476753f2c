/* tests/unit/test_warp_blocks.c - models/warps/blocks.c, placing.c, launches.c, adjusting.c, spart.c: what
 * blocks take, how many an SM may have, which block is placed where and when, and what happens to blocks that
 * are swapped out. */
#include <stdio.h>

#include "models/warps/blocks.h"
#include "tests/support/test.h"
#include "tests/support/warp_runs.h"

static struct warp_scene s;

static int end(void **state)
{
	warp_scene_finish(&s);
	return 0;
}

/* ---- what a block takes ---- */

TEST("footprint")
{
	const struct warp_kernel k = {.block_threads = 100, .registers = 10, .shared_memory = 500};
	struct footprint f = block_footprint(&k);
	assert_int_equal(f.warps, 4);
	assert_int_equal(f.threads, 128);
	assert_int_equal(f.registers, 1280);
	assert_int_equal(f.shared_memory, 500);
	assert_int_equal(f.context_bytes, 4 * 1280 + 500);
}

/* Which resource of the platform limits the number of blocks. A block: 2 warps, 10 registers per thread, 500
 * bytes. */
TEST("fits")
{
	static const struct {
		struct platform p;
		uint32_t part, blocks;
	} rows[] = {
		{{.sms = 1}, 1, 32},
		{{.sms = 1}, 2, 16},
		{{.sms = 1}, 3, 10},
		{{.sms = 1}, 33, 0},
		{{.threads_per_sm = 2047}, 1, 31},
		{{.threads_per_sm = 1024}, 3, 5},
		{{.threads_per_sm = 63}, 1, 0},
		{{.warps_per_sm = 9}, 1, 4},
		{{.warps_per_sm = 9}, 2, 2},
		{{.blocks_per_sm = 7}, 1, 7},
		{{.blocks_per_sm = 7}, 2, 3},
		{{.blocks_per_sm = 7}, 8, 0},
		{{.registers_per_sm = 6399}, 1, 9},
		{{.registers_per_sm = 6400}, 2, 5},
		{{.shared_memory_per_sm = 4999}, 1, 9},
		{{.shared_memory_per_sm = 4999}, 3, 3},
		{{.threads_per_sm = 1024, .shared_memory_per_sm = 1000, .blocks_per_sm = 3}, 1, 2},
	};
	const struct warp_kernel k = {.block_threads = 64, .registers = 10, .shared_memory = 500};
	struct footprint f = block_footprint(&k);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(blocks_fit(&rows[i].p, &f, rows[i].part), rows[i].blocks);
	/* A resource that blocks do not use is no limit. */
	const struct warp_kernel bare = {.block_threads = 64};
	const struct platform p = {.registers_per_sm = 10, .shared_memory_per_sm = 10};
	f = block_footprint(&bare);
	assert_int_equal(blocks_fit(&p, &f, 1), 32);
}

/* ---- targets ---- */

/* Kernels of one instruction on the given number of SMs, with 4 blocks each. The kernels of the set `goals`
 * have a goal. */
static void target_scene(uint32_t sms, uint32_t kernels, uint32_t goals)
{
	warp_scene_init(&s, kernels);
	s.platform.sms = sms;
	s.platform.blocks_per_sm = 4;
	for (uint32_t k = 0; k < kernels; k++) {
		warp_scene_step(&s, k, STEP_COMPUTE, 1);
		if (goals >> k & 1)
			s.kernel[k].goal = (struct warp_goal){.kind = GOAL_IPC, .ipc = 1000000};
	}
}

/* Targets of the first epoch as "ab.c": one digit for each kernel, SM by SM; '*': none. */
static void targets(const char *expected)
{
	struct warp_run *r = warp_run(&s);
	char text[64] = "";
	size_t n = 0;
	for (size_t i = 0; i < r->quotas_count && r->quotas[i].epoch == 0; i++) {
		uint32_t target = r->quotas[i].target;
		if (r->quotas[i].kernel == 0 && i > 0)
			text[n++] = ' ';
		text[n++] = target == UINT32_MAX ? '*' : (char)('0' + target);
	}
	assert_string_equal(text, expected);
	warp_run_free(r);
}

TEST("targets without goals", .teardown_func = end)
{
	target_scene(2, 1, 0);
	targets("4 4");
	end(NULL);
	target_scene(2, 2, 0);
	targets("22 22");
	end(NULL);
	target_scene(2, 3, 0);
	targets("111 111");
	end(NULL);
	/* At least one block, even if the kernel's part of the SM has no room for it. */
	target_scene(1, 5, 0);
	targets("11111");
}

/* Kernels without a goal divide the SMs among them, in order; the others may use all. */
TEST("targets with goals", .teardown_func = end)
{
	target_scene(4, 2, 1);
	targets("22 22 22 22");
	end(NULL);
	target_scene(4, 3, 1);
	targets("220 220 202 202");
	end(NULL);
	target_scene(5, 3, 2);
	targets("220 220 022 022 022");
	end(NULL);
	/* More kernels without a goal than SMs: the part of i = 0 is empty, since floor(i * 2 / 3) is. */
	target_scene(2, 4, 8);
	targets("1101 0022");
	end(NULL);
	target_scene(2, 2, 3);
	targets("22 22");
}

TEST("targets fill", .teardown_func = end)
{
	target_scene(2, 2, 1);
	s.options.blocks = BLOCKS_FILL;
	targets("** **");
}

TEST("targets of spart", .teardown_func = end)
{
	target_scene(5, 2, 1);
	s.options.manager = MANAGER_SPART;
	targets("40 40 04 04 04");
}

/* ---- dispatch ---- */

/* Blocks in the order in which they were placed: "0.1@2 ", kernel 0, block 1, on SM 2. */
static void placed(const char *expected)
{
	struct warp_run *r = warp_run(&s);
	char text[512] = "";
	size_t n = 0;
	for (size_t i = 0; i < r->records_count && n < sizeof(text) - 40; i++)
		if (r->records[i].kind == TRACE_BLOCKS_START)
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%u.%u@%u", n ? " " : "",
				r->records[i].task, r->records[i].block, r->records[i].index);
	assert_string_equal(text, expected);
	warp_run_free(r);
}

static void dispatch_scene(uint32_t kernels, uint32_t blocks, uint32_t instructions)
{
	warp_scene_init(&s, kernels);
	for (uint32_t k = 0; k < kernels; k++) {
		s.kernel[k].blocks = blocks;
		warp_scene_step(&s, k, STEP_COMPUTE, instructions);
	}
}

/* On the SM with the fewest blocks of this kernel, whatever other kernels have there. */
TEST("to the fewest of the kernel", .teardown_func = end)
{
	dispatch_scene(2, 4, 9);
	s.platform.sms = 3;
	placed("0.0@0 0.1@1 0.2@2 0.3@0 1.0@0 1.1@1 1.2@2 1.3@0");
}

/* High streams first, then the earlier release, then the lower kernel. One block at a time. */
TEST("in order of stream and release", .teardown_func = end)
{
	dispatch_scene(6, 1, 20);
	s.platform.blocks_per_sm = 1;
	s.kernel[1].launch = s.kernel[2].launch = 3;
	s.kernel[3].launch = 2;
	s.kernel[4].launch = s.kernel[5].launch = 5;
	s.kernel[4].stream_high = s.kernel[5].stream_high = true;
	placed("0.0@0 4.0@0 5.0@0 3.0@0 1.0@0 2.0@0");
}

/* Because of one resource, two blocks of the first two kernels do not fit; one of the third does. */
static void limit(int resource)
{
	dispatch_scene(3, 1, 20);
	for (uint32_t k = 0; k < 3; k++) {
		s.kernel[k].shared_memory = resource == 0 ? (k < 2 ? 600 : 100) : 0;
		s.kernel[k].registers = resource == 1 ? (k < 2 ? 6 : 1) : 0;
		s.kernel[k].block_threads = resource > 1 && k < 2 ? 192 : 32;
	}
	s.platform.shared_memory_per_sm = resource == 0 ? 1000 : 0;
	s.platform.registers_per_sm = resource == 1 ? 320 : 0;
	s.platform.warps_per_sm = resource == 2 ? 10 : 0;
	s.platform.threads_per_sm = resource == 3 ? 320 : 0;
}

/* With `fill`, a kernel that finds no place lets none behind it go; with `even`, the others are placed. */
TEST("who has no place", .teardown_func = end)
{
	for (int resource = 0; resource < 4; resource++) {
		limit(resource);
		placed("0.0@0 2.0@0 1.0@0");
		end(NULL);
		limit(resource);
		s.options.blocks = BLOCKS_FILL;
		placed("0.0@0 1.0@0 2.0@0");
		end(NULL);
	}
}

static void starts_of_kernel(
	const struct warp_run *r, uint32_t kernel, const int64_t expected[], size_t count)
{
	size_t n = 0;
	for (size_t i = 0; i < r->records_count; i++) {
		const struct trace_record *t = &r->records[i];
		if (t->kind != TRACE_BLOCKS_START || t->task != kernel)
			continue;
		assert_true(n < count);
		assert_int_equal(t->time, expected[n++]);
	}
	assert_int_equal(n, count);
}

/* A block can issue in the cycle in which it is placed. When it ends, another takes its place in the same
 * cycle. */
TEST("a place is taken at once", .teardown_func = end)
{
	dispatch_scene(1, 3, 4);
	s.platform.blocks_per_sm = 1;
	struct warp_run *r = warp_run(&s);
	starts_of_kernel(r, 0, (const int64_t[]){0, 4, 8}, 3);
	assert_int_equal(r->issues[4].cycle, 4);
	assert_int_equal(r->issues[4].block, 1);
	assert_int_equal(r->cycles, 12);
	warp_run_free(r);
}

/* ---- streams ---- */

/* Three kernels of one stream, 4 cycles each, run one after the other by release; ties go by kernel. A
 * periodic job waits for another kernel's job that was released before it. */
TEST("one job of a stream at a time", .teardown_func = end)
{
	dispatch_scene(3, 1, 4);
	for (uint32_t k = 0; k < 3; k++)
		s.kernel[k].stream = 5;
	s.kernel[0].launch = 1;
	s.kernel[0].period = 4;
	s.kernel[2].launch = 1;
	s.setup.horizon_ns = 8;
	struct warp_run *r = warp_run(&s);
	/* Kernel 1 at 0; 0 at 4 (released at 1, tied with 2); 2 at 8; 0 again at 12 (released at 5). */
	starts_of_kernel(r, 0, (const int64_t[]){4, 12}, 2);
	starts_of_kernel(r, 1, (const int64_t[]){0}, 1);
	starts_of_kernel(r, 2, (const int64_t[]){8}, 1);
	assert_int_equal(warp_run_job_end(r, 0, 1)->start, 5);
	warp_run_free(r);
}

/* Without a common stream they run side by side. */
TEST("own streams", .teardown_func = end)
{
	dispatch_scene(2, 1, 4);
	s.kernel[1].stream = 3;
	struct warp_run *r = warp_run(&s);
	starts_of_kernel(r, 1, (const int64_t[]){0}, 1);
	warp_run_free(r);
	end(NULL);
	/* Stream 0 belongs to kernel 0. */
	s.kernel[1].stream = 0;
	r = warp_run(&s);
	starts_of_kernel(r, 1, (const int64_t[]){4}, 1);
	warp_run_free(r);
}

/* ---- swaps ---- */

/* One SM with room for 4 blocks. Kernel 0 can never reach its goal. At cycle 50 it takes a block from kernel
 * 1, which is in the middle of its loop. The context has 256 bytes, and takes as many cycles. */
static void swap_scene(void)
{
	warp_scene_init(&s, 2);
	s.platform.threads_per_sm = 256;
	s.warps.machine.dram_byte_fj = 7;
	s.kernel[0].block_threads = s.kernel[1].block_threads = 64;
	s.kernel[0].blocks = 4;
	s.kernel[0].goal = (struct warp_goal){.kind = GOAL_IPC, .ipc = 1000000000};
	s.kernel[1].blocks = 3;
	s.kernel[1].registers = 1;
	warp_scene_step(&s, 0, STEP_COMPUTE, 200);
	warp_scene_step(&s, 1, STEP_LOOP, 30)->body = 2;
	warp_scene_compute(&s, 1, 2, 3, 1, 1)->threads = 1;
	warp_scene_step(&s, 1, STEP_BARRIER, 1)->threads = 1;
	s.options.scheduler = SCHEDULE_LRR;
	s.options.rotate_cycle = true;
	s.options.manager = MANAGER_ROLLOVER;
	s.options.epoch = 50;
	s.options.samples = 10;
}

/* Every warp of kernel 1 issues 0, 1, 2, ... to the end. */
static void issued_in_order(const struct warp_run *r)
{
	uint32_t next[3][2] = {{0}};
	for (size_t i = 0; i < r->issues_count; i++) {
		const struct warp_issue *issue = &r->issues[i];
		if (issue->kernel == 1)
			assert_int_equal(issue->number, next[issue->block][issue->warp]++);
	}
	for (int b = 0; b < 3; b++)
		for (int v = 0; v < 2; v++)
			assert_int_equal(next[b][v], 90);
}

/* The first instruction that a block of kernel 1 issues at or after a cycle. */
static const struct warp_issue *issue_from(const struct warp_run *r, uint32_t block, int64_t from)
{
	for (size_t i = 0; i < r->issues_count; i++)
		if (r->issues[i].kernel == 1 && r->issues[i].block == block && r->issues[i].cycle >= from)
			return &r->issues[i];
	fail_msg("block %u issues nothing from %d on", block, (int)from);
	return NULL;
}

/* Block 1 of kernel 1 leaves its SM at free_at, and a block of kernel 0 takes its place. It comes back in the
 * place of the block before it, and goes on when its context is loaded. */
static void check_swap(int64_t free_at, int64_t loading)
{
	struct trace_record stay[4];
	size_t stays = 0, came_for_it = 0;
	struct warp_run *r = warp_run(&s);
	for (size_t i = 0; i < r->records_count; i++) {
		const struct trace_record *t = &r->records[i];
		if (t->kind == TRACE_BLOCKS_END && t->task == 1 && stays < 4)
			stay[stays++] = *t;
		came_for_it +=
			t->kind == TRACE_BLOCKS_START && t->task == 0 && t->block == 2 && t->time == free_at;
	}
	issued_in_order(r);
	assert_int_equal(stays, 4);
	assert_int_equal(came_for_it, 1);
	assert_int_equal(stay[0].block, 1);
	assert_int_equal(stay[0].how, SPAN_PREEMPTED);
	assert_int_equal(stay[0].start, 0);
	assert_int_equal(stay[0].time, free_at);
	assert_int_equal(stay[1].block, 0);
	assert_int_equal(stay[2].block, 1);
	assert_int_equal(stay[2].start, stay[1].time);
	assert_int_equal(stay[3].block, 2);
	assert_int_equal(stay[3].start, stay[2].time);
	const struct warp_issue *first = issue_from(r, 1, 0), *next = issue_from(r, 1, 50);
	assert_true(first->cycle < 50);
	assert_true(next->number > 0);
	assert_int_equal(next->cycle, stay[2].start + loading);
	assert_int_equal(r->kernel[1].swaps, 1);
	assert_int_equal(r->kernel[0].swaps, 0);
	warp_run_free(r);
}

TEST("a swap keeps the state", .teardown_func = end)
{
	swap_scene();
	check_swap(306, 256);
	struct warp_run *r = warp_run(&s);
	assert_int_equal(r->kernel[1].dram_bytes, 512);
	assert_int_equal(r->kernel[1].energy_fj, 512 * 7);
	for (size_t i = 0; i < r->epochs_count; i++)
		assert_int_equal(r->epochs[i].swaps, r->epochs[i].epoch == 1 && r->epochs[i].kernel == 1);
	const uint32_t after[] = {2, 2, 3, 1};
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(r->quotas[i].target, after[i]);
	warp_run_free(r);
}

TEST("a swap can be free", .teardown_func = end)
{
	swap_scene();
	s.options.free_swaps = true;
	check_swap(51, 0);
	struct warp_run *r = warp_run(&s);
	assert_int_equal(r->kernel[1].dram_bytes, 0);
	warp_run_free(r);
}

static void nothing_moves(void)
{
	struct warp_run *r = warp_run(&s);
	assert_int_equal(r->kernel[1].swaps, 0);
	for (size_t i = 0; i < r->quotas_count; i++)
		assert_int_equal(r->quotas[i].target, 2);
	warp_run_free(r);
}

/* A block whose warps have no instruction left ends by itself. With adjust: false nothing moves, nor if the
 * goal is not missed by more than the margin. */
TEST("who is not swapped out", .teardown_func = end)
{
	swap_scene();
	s.kernel[1].step_count = 0;
	warp_scene_compute(&s, 1, 1, 500, 0, 0)->threads = 1;
	struct warp_run *r = warp_run(&s);
	assert_int_equal(r->kernel[1].swaps, 0);
	assert_int_equal(r->quotas[3].target, 1);
	assert_int_equal(r->quotas[3].blocks, 2);
	warp_run_free(r);
	end(NULL);
	swap_scene();
	s.options.adjust = false;
	nothing_moves();
	end(NULL);
	swap_scene();
	s.options.adjust_margin = 999999; /* of 1000 instructions a cycle */
	nothing_moves();
}

/* ---- spart ---- */

/* Ten SMs, five for each kernel. Kernel 0 has one block of one warp, which issues in every cycle: more SMs do
 * not make it faster. */
static void spart_scene(int64_t goal)
{
	warp_scene_init(&s, 2);
	s.platform.sms = 10;
	s.platform.blocks_per_sm = 1;
	warp_scene_step(&s, 0, STEP_COMPUTE, 1000);
	s.kernel[0].goal = (struct warp_goal){.kind = GOAL_IPC, .ipc = goal};
	s.kernel[1].blocks = 40;
	warp_scene_step(&s, 1, STEP_COMPUTE, 120);
	s.setup.horizon_ns = 400;
	s.setup.stop = STOP_HORIZON;
	s.options.manager = MANAGER_SPART;
	s.options.epoch = 50;
	s.options.free_swaps = true;
}

/* The number of SMs of kernel 0 after each epoch's exchange. */
static void owned(const char *expected)
{
	struct warp_run *r = warp_run(&s);
	char text[32] = "";
	size_t n = 0;
	for (size_t i = 0; i < r->quotas_count; i += 20) {
		uint32_t sms = 0;
		for (size_t j = i; j < i + 20; j += 2) {
			bool is_his = r->quotas[j].target > 0;
			assert_int_equal(r->quotas[j + 1].target > 0, !is_his);
			sms += is_his;
		}
		text[n++] = (char)('0' + sms);
	}
	assert_string_equal(text, expected);
	warp_run_free(r);
}

/* The sum of shortages never falls: after the first, the third such epoch in a row stops the climbing. */
TEST("spart stops climbing", .teardown_func = end)
{
	spart_scene(64000000);
	owned("56788888");
}

/* It gives up an SM as long as 32, its IPC, scaled to one SM less is above the goal: 32 * 4/5 and 32 * 3/4
 * are; 32 * 2/3 is not. */
TEST("spart gives what is not needed", .teardown_func = end)
{
	spart_scene(23000000);
	owned("54333333");
}

/* The highest SM passes to the other kernel, and its block leaves. */
TEST("spart exchanges the highest", .teardown_func = end)
{
	spart_scene(64000000);
	s.setup.horizon_ns = 60;
	struct warp_run *r = warp_run(&s);
	for (uint32_t sm = 0; sm < 10; sm++)
		assert_int_equal(r->quotas[20 + 2 * sm].target > 0, sm < 5 || sm == 9);
	assert_int_equal(r->kernel[1].swaps, 1);
	for (size_t i = 0; i < r->records_count; i++)
		if (r->records[i].kind == TRACE_BLOCKS_END && r->records[i].how == SPAN_PREEMPTED) {
			assert_int_equal(r->records[i].index, 9);
			assert_int_equal(r->records[i].time, 51);
		}
	warp_run_free(r);
}
