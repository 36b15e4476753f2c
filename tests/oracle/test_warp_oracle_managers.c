/* tests/oracle/test_warp_oracle_managers.c - the plain simulation of warps on small cases that are worked out
 * by hand: launches, dispatch, goals, quotas, swaps, SMs that change hands. The counters of quotas,
 * instruction by instruction, are in tests/golden/test_golden_warps.c. */
#include "tests/oracle/warp_by_hand.h"
#include "tests/support/test.h"

/* ---- launches and dispatch ---- */

/* Latency 6, released every 4 cycles from 1 on, below 10: at 1, 5, 9. The stream runs the jobs one after the
 * other. */
TEST("jobs of a stream wait for each other")
{
	static struct warp_step steps[] = {COMPUTE(1, 0, 0, 6)};
	struct scene s;
	scene_init(&s);
	struct warp_kernel *k = ADD(&s, 1, 32, steps);
	k->launch = 1;
	k->period = 4;
	struct plain_result *r = plain_run(&s.input);
	expect_job(r, 0, 0, 1, 7);
	expect_job(r, 0, 1, 5, 13);
	expect_job(r, 0, 2, 9, 19);
	assert_int_equal(r->jobs.count, 3);
	assert_int_equal(r->cycles, 19);
	plain_result_free(r);
}

/* Latency 4, again and again below 10: 0-4, 4-8, 8-12. The stream's other kernel comes between, since it was
 * released before the second job: 4-8, and so on in turn. */
TEST("repeated jobs take turns in a stream")
{
	static struct warp_step steps[] = {COMPUTE(1, 0, 0, 4)};
	struct scene s;
	scene_init(&s);
	ADD(&s, 1, 32, steps)->repeat = true;
	struct plain_result *alone = plain_run(&s.input);
	expect_job(alone, 0, 1, 4, 8);
	expect_job(alone, 0, 2, 8, 12);
	assert_int_equal(alone->jobs.count, 3);
	plain_result_free(alone);
	ADD(&s, 1, 32, steps)->repeat = true;
	s.kernel[0].stream = s.kernel[1].stream = 5;
	struct plain_result *r = plain_run(&s.input);
	expect_job(r, 0, 0, 0, 4);
	expect_job(r, 1, 0, 0, 8);
	expect_job(r, 0, 1, 4, 12);
	expect_job(r, 1, 1, 8, 16);
	assert_int_equal(r->jobs.count, 4);
	assert_int_equal(r->kernel[1].cycles, 12); /* active from 4 on */
	plain_result_free(r);
}

/* Two SMs of four warps, two kernels of five blocks of one warp and latency 20. even: each SM gets two blocks
 * of each kernel. The first kernel's fifth block is placed at 20, on SM 0, when its first two end; the
 * second's at 22. fill: the first kernel places all blocks, three and two; the second takes the rest. If the
 * second's stream is high, it is first. */
TEST("targets share an SM or not")
{
	static struct warp_step steps[] = {COMPUTE(1, 0, 0, 20)};
	struct scene s;
	scene_init(&s);
	s.platform.sms = 2;
	s.platform.warps_per_sm = 4;
	ADD(&s, 5, 32, steps);
	ADD(&s, 5, 32, steps);
	struct plain_result *even = plain_run(&s.input);
	expect_stay(even, 0, 3, 1, 0, 21, PLAIN_DONE);
	expect_stay(even, 0, 4, 0, 20, 40, PLAIN_DONE);
	expect_stay(even, 1, 4, 0, 22, 42, PLAIN_DONE);
	s.options.blocks = BLOCKS_FILL;
	struct plain_result *fill = plain_run(&s.input);
	expect_stay(fill, 0, 4, 0, 0, 22, PLAIN_DONE);
	expect_stay(fill, 1, 0, 0, 0, 23, PLAIN_DONE);
	expect_stay(fill, 1, 2, 1, 0, 23, PLAIN_DONE);
	s.kernel[1].stream_high = true;
	struct plain_result *high = plain_run(&s.input);
	expect_stay(high, 1, 4, 0, 0, 22, PLAIN_DONE);
	plain_result_free(even);
	plain_result_free(fill);
	plain_result_free(high);
}

/* Two blocks of a warp, results after 4 cycles: 0 to 4, 1 to 5. Then a block of two warps with two
 * instructions each: 5 to 8, and its last result is there in 9. The job behind it is released in 6 and taken
 * in 9. */
TEST("parts follow each other, and jobs the last")
{
	static struct warp_step steps[] = {COMPUTE(1, 0, 0, 4)}, more[] = {COMPUTE(2, 0, 0, 1)};
	struct warp_kernel then = {.blocks = 1, .block_threads = 64, .steps = more, .step_count = 1};
	struct scene s;
	scene_init(&s);
	struct warp_kernel *k = ADD(&s, 2, 32, steps);
	k->then = &then;
	k->then_count = 1;
	k->period = 6;
	struct plain_result *r = plain_run(&s.input);
	EXPECT_CYCLES(r, 0, 1, 5, 6, 7, 8, 9, 10, 14, 15, 16, 17);
	assert_int_equal(r->issues.row[1].step, 0);
	assert_int_equal(r->issues.row[2].step, 1);
	expect_job(r, 0, 0, 0, 9);
	expect_job(r, 0, 1, 6, 18);
	static const struct plain_span spans[] = {{0, 0, 0, 0, 0, 5, 2, true}, {0, 0, 1, 5, 5, 9, 1, true},
		{0, 1, 0, 6, 9, 14, 2, true}, {0, 1, 1, 14, 14, 18, 1, true}};
	assert_int_equal(r->spans.count, COUNT(spans));
	for (size_t i = 0; i < COUNT(spans); i++) {
		const struct plain_span *is = &r->spans.row[i];
		assert_int_equal(is->job, spans[i].job);
		assert_int_equal(is->part, spans[i].part);
		assert_int_equal(is->ready, spans[i].ready);
		assert_int_equal(is->start, spans[i].start);
		assert_int_equal(is->end, spans[i].end);
		assert_int_equal(is->done, spans[i].done);
	}
	plain_result_free(r);
}

/* An SM of 8 warps, half of it for each of two kernels: 4 blocks of a warp; then 2 blocks of two warps, of
 * which the third comes when the first ends. */
TEST("targets are for the blocks of a part")
{
	static struct warp_step steps[] = {COMPUTE(1, 0, 0, 20)}, one[] = {COMPUTE(1, 0, 0, 0)};
	struct warp_kernel then = {.blocks = 3, .block_threads = 64, .steps = steps, .step_count = 1};
	struct scene s;
	scene_init(&s);
	s.platform.warps_per_sm = 8;
	struct warp_kernel *k = ADD(&s, 4, 32, steps);
	k->then = &then;
	k->then_count = 1;
	ADD(&s, 1, 32, one);
	struct plain_result *r = plain_run(&s.input);
	expect_stay(r, 0, 3, 0, 0, 23, PLAIN_DONE);
	expect_stay(r, 0, 1, 0, 23, 46, PLAIN_DONE);
	expect_stay(r, 0, 2, 0, 44, 65, PLAIN_DONE);
	plain_result_free(r);
}

/* ---- goals, epochs, quotas ---- */

static const struct warp_epoch *epoch_row(const struct plain_result *r, uint32_t epoch, uint32_t kernel)
{
	for (size_t i = 0; i < r->epochs.count; i++) {
		if (r->epochs.row[i].epoch == epoch && r->epochs.row[i].kernel == kernel)
			return &r->epochs.row[i];
	}
	fail_msg("no epoch %u of kernel %u", epoch, kernel);
	return NULL;
}

static const struct warp_epoch_quota *quota_row(
	const struct plain_result *r, uint32_t epoch, uint32_t sm, uint32_t kernel)
{
	for (size_t i = 0; i < r->quotas.count; i++) {
		const struct warp_epoch_quota *q = &r->quotas.row[i];
		if (q->epoch == epoch && q->sm == sm && q->kernel == kernel)
			return q;
	}
	fail_msg("no epoch %u of kernel %u on SM %u", epoch, kernel, sm);
	return NULL;
}

/* The kernel alone issues 320 thread instructions in 10 cycles: half of 32 is 16. In 100 ns: 3.2. */
TEST("goals are worked out")
{
	static struct warp_step steps[] = {COMPUTE(10, 0, 0, 0)};
	struct scene s;
	int64_t alone[KERNELS];
	scene_init(&s);
	ADD(&s, 1, 32, steps)->goal = (struct warp_goal){.kind = GOAL_SHARE, .share_ppm = 500000};
	ADD(&s, 1, 32, steps)->goal = (struct warp_goal){.kind = GOAL_TIME, .kernel_ns = 100};
	alone[0] = plain_ipc_alone(&s.input, 0);
	alone[1] = plain_ipc_alone(&s.input, 1);
	assert_int_equal(alone[0], 32000000);
	s.input.alone = alone;
	struct plain_result *r = plain_run(&s.input);
	assert_int_equal(r->kernel[0].goal, 16000000);
	assert_int_equal(r->kernel[1].goal, 3200000);
	assert_true(r->kernel[0].reached && r->kernel[1].reached); /* 320 in 20 cycles each */
	plain_result_free(r);
}

/* Goal 2 in epochs of 100: quota 200, of which 100 are used. So IPC_history is 1, alpha 2, A = 4, quota 400,
 * and C = 100 + 400. The kernel without a goal: 1, times 1 / 4: 25. */
TEST("quotas make up for what was missed")
{
	static struct warp_step hundred[] = {
		COMPUTE(3, 0, 0, 0), COMPUTE(1, 0, 0, 1000), COMPUTE(1, 0, 1, 0)};
	static struct warp_step few[] = {COMPUTE(1, 0, 0, 1000), COMPUTE(1, 0, 1, 0)};
	struct scene s;
	hundred[1].threads = 4;
	scene_init(&s);
	s.options.manager = MANAGER_ROLLOVER;
	s.options.epoch = 100;
	s.setup.horizon_ns = 150;
	s.setup.stop = STOP_HORIZON;
	ADD(&s, 1, 32, hundred)->goal = (struct warp_goal){.kind = GOAL_IPC, .ipc = 2000000};
	ADD(&s, 1, 32, few);
	struct plain_result *r = plain_run(&s.input);
	assert_int_equal(epoch_row(r, 0, 0)->adjusted_goal, 2000000);
	assert_int_equal(epoch_row(r, 0, 0)->history_ipc, 1000000);
	assert_int_equal(quota_row(r, 0, 0, 0)->counter_end, 100);
	assert_int_equal(epoch_row(r, 1, 0)->adjusted_goal, 4000000);
	assert_int_equal(quota_row(r, 1, 0, 0)->counter_start, 500);
	assert_int_equal(quota_row(r, 1, 0, 1)->quota, 25);
	assert_int_equal(epoch_row(r, 1, 1)->end, 150);
	assert_false(job(r, 0, 0)->finished);
	plain_result_free(r);
}

/* The kernel with the goal has quota left while it waits (0-49, 50-99). The other one is ready, but may not
 * issue before that quota is used up, at 100. Its launch at 30 begins an epoch. */
TEST("rollover time goes first")
{
	static struct warp_step slow[] = {COMPUTE(2, 1, 0, 50)}, fast[] = {COMPUTE(5, 0, 0, 0)};
	struct scene s;
	scene_init(&s);
	s.options.manager = MANAGER_ROLLOVER_TIME;
	s.setup.horizon_ns = 40;
	ADD(&s, 1, 32, slow)->goal = (struct warp_goal){.kind = GOAL_IPC, .ipc = 100000000};
	ADD(&s, 1, 32, fast)->launch = 30;
	struct plain_result *r = plain_run(&s.input);
	EXPECT_CYCLES(r, 0, 50, 100, 101, 102, 103, 104);
	assert_int_equal(r->slots[SLOT_QUOTA], 19 + 49 + 1); /* 30 .. 99, without 50 */
	assert_int_equal(epoch_row(r, 1, 0)->start, 30);
	plain_result_free(r);
}

/* ---- blocks and SMs that change hands ---- */

#define UNREACHABLE                                                                                          \
	(struct warp_goal)                                                                                   \
	{                                                                                                    \
		.kind = GOAL_IPC, .ipc = 1000000000                                                          \
	}

/* An SM of four warps: targets 2 and 2. At 10 the first kernel is below its goal and has blocks left, but
 * there is no room. So the second one's target falls to 1, and its younger block is swapped out: 8 registers
 * x 4 x 32 = 1024 bytes at 100 per cycle: F = 20.24. The SM is free of it at 21, and a third block of the
 * first kernel is placed. */
TEST("a kernel below its goal gets a block")
{
	static struct warp_step steps[] = {COMPUTE(100, 1, 1, 4)};
	struct scene s;
	scene_init(&s);
	s.platform.warps_per_sm = 4;
	s.options.manager = MANAGER_ROLLOVER;
	s.options.epoch = 10;
	s.setup.horizon_ns = 60;
	s.setup.stop = STOP_HORIZON;
	struct warp_kernel *k = ADD(&s, 4, 32, steps);
	k->goal = UNREACHABLE;
	k->registers = 8;
	ADD(&s, 4, 32, steps)->registers = 8;
	struct plain_result *r = plain_run(&s.input);
	assert_int_equal(quota_row(r, 0, 0, 0)->target, 2);
	assert_int_equal(quota_row(r, 1, 0, 0)->target, 3);
	assert_int_equal(quota_row(r, 1, 0, 1)->target, 1);
	assert_int_equal(quota_row(r, 5, 0, 0)->target, 3);
	assert_int_equal(epoch_row(r, 1, 1)->swaps, 1);
	expect_stay(r, 1, 1, 0, 0, 21, PLAIN_SWAPPED);
	expect_stay(r, 0, 2, 0, 21, 60, PLAIN_STOPPED);
	assert_int_equal(r->kernel[1].dram_bytes, 1024);
	plain_result_free(r);
}

/* Three SMs of one block. The first kernel has a goal and begins with SM 0; the other has SMs 1 and 2. Its
 * blocks issue at 0, 4, 8, 12. At 10 SM 2 passes to the first kernel. swap: free: SM 2 is free of its block
 * at 11. The other block ends at 16, on SM 1. The block that was swapped out comes back there, issues its
 * last instruction at once and ends at 20. */
static void spart_scene(struct scene *s)
{
	static struct warp_step goal[] = {COMPUTE(100, 1, 1, 4)}, steps[] = {COMPUTE(4, 1, 1, 4)};
	scene_init(s);
	s->platform.sms = 3;
	s->platform.blocks_per_sm = 1;
	s->options.manager = MANAGER_SPART;
	s->options.epoch = 10;
	s->setup.horizon_ns = 60;
	s->setup.stop = STOP_HORIZON;
	ADD(s, 3, 32, goal)->goal = UNREACHABLE;
	ADD(s, 2, 32, steps)->registers = 8;
}

TEST("a short kernel gets an SM")
{
	struct scene s;
	spart_scene(&s);
	s.options.free_swaps = true;
	struct plain_result *r = plain_run(&s.input);
	expect_stay(r, 1, 0, 1, 0, 16, PLAIN_DONE);
	expect_stay(r, 1, 1, 2, 0, 11, PLAIN_SWAPPED);
	expect_stay(r, 0, 1, 2, 11, 60, PLAIN_STOPPED);
	expect_stay(r, 1, 1, 1, 16, 20, PLAIN_DONE);
	expect_job(r, 1, 0, 0, 20);
	assert_int_equal(r->kernel[1].dram_bytes, 0);
	plain_result_free(r);
}

/* The same through the server: saved at 21, loaded from 21 on, until 31.24. It issues at 32 and ends at
 * 36. */
TEST("contexts pass the server")
{
	struct scene s;
	spart_scene(&s);
	struct plain_result *r = plain_run(&s.input);
	expect_stay(r, 1, 1, 2, 0, 21, PLAIN_SWAPPED);
	expect_stay(r, 0, 1, 2, 21, 60, PLAIN_STOPPED);
	expect_stay(r, 1, 1, 1, 21, 36, PLAIN_DONE);
	assert_int_equal(r->kernel[1].dram_bytes, 2048);
	assert_int_equal(r->sms.row[2 * 3 + 1].cycles[SLOT_SWAP], 9); /* SM 1, epoch 2: 21 .. 29 */
	plain_result_free(r);
}

TEST("a run of no cycles is empty")
{
	static struct warp_step steps[] = {COMPUTE(1, 0, 0, 0)};
	struct scene s;
	scene_init(&s);
	s.set.machine.clock_hz = 1000000; /* a cycle is 1000 ns */
	ADD(&s, 1, 32, steps);
	struct plain_result *r = plain_run(&s.input);
	assert_int_equal(r->cycles, 0);
	assert_int_equal(r->jobs.count + r->issues.count + r->epochs.count, 0);
	plain_result_free(r);
}
