/* tests/unit/test_warp_epochs.c - models/warps/epochs.c, adjusting.c and the managers in a run: adjusted
 * goals, quotas and counters, which kernel is held and woken, and which victim gives blocks; worked out by
 * hand from docs/warps.md, "Managers". */
#include <stdio.h>

#include "tests/support/test.h"
#include "tests/support/warp_runs.h"

static struct warp_scene s;

static int end(void **state)
{
	warp_scene_finish(&s);
	return 0;
}

EACH_TEST(NULL, end);

static void goal(uint32_t kernel, int64_t millionths)
{
	s.kernel[kernel].goal = (struct warp_goal){.kind = GOAL_IPC, .ipc = millionths};
}

static const struct warp_epoch *epoch_of(const struct warp_run *r, uint32_t epoch, uint32_t kernel)
{
	for (size_t i = 0; i < r->epochs_count; i++)
		if (r->epochs[i].epoch == epoch && r->epochs[i].kernel == kernel)
			return &r->epochs[i];
	fail_msg("no epoch %u", epoch);
	return NULL;
}

static const struct warp_epoch_quota *quota_of(
	const struct warp_run *r, uint32_t epoch, uint32_t sm, uint32_t kernel)
{
	for (size_t i = 0; i < r->quotas_count; i++)
		if (r->quotas[i].epoch == epoch && r->quotas[i].sm == sm && r->quotas[i].kernel == kernel)
			return &r->quotas[i];
	fail_msg("no epoch %u", epoch);
	return NULL;
}

/* ---- quotas ---- */

/* Goal 16: 1600 in an epoch of 100, divided by three blocks on two SMs. The other kernel begins with IPC 1,
 * divided in halves. */
TEST("quotas by blocks")
{
	warp_scene_init(&s, 2);
	s.platform.sms = 2;
	s.platform.blocks_per_sm = 4;
	warp_scene_compute(&s, 0, 50, 1, 0, 0);
	warp_scene_compute(&s, 1, 50, 1, 0, 0);
	s.kernel[0].blocks = 3;
	s.kernel[1].blocks = 4;
	goal(0, 16000000);
	s.options.manager = MANAGER_NAIVE;
	s.options.epoch = 100;
	struct warp_run *r = warp_run(&s);
	assert_int_equal(epoch_of(r, 0, 0)->adjusted_goal, 16000000);
	assert_int_equal(epoch_of(r, 0, 1)->adjusted_goal, 1000000);
	assert_int_equal(quota_of(r, 0, 0, 0)->quota, 1066);
	assert_int_equal(quota_of(r, 0, 1, 0)->quota, 533);
	assert_int_equal(quota_of(r, 0, 0, 1)->quota, 50);
	assert_int_equal(quota_of(r, 0, 1, 1)->quota, 50);
	warp_run_free(r);
}

/* Each kernel has its own sub-core. Kernel 0 issues 25 instructions in an epoch of 100, IPC 8, and its goal
 * is 20. Kernel 1 has 10 threads and can always issue. */
static void short_scene(enum warp_manager manager)
{
	warp_scene_init(&s, 2);
	s.warps.machine.sub_cores = 2;
	warp_scene_compute(&s, 0, 1000, 4, 1, 1);
	warp_scene_compute(&s, 1, 1000, 1, 0, 0)->threads = 10;
	goal(0, 20000000);
	s.options.manager = manager;
	s.options.epoch = 100;
	s.options.adjust = false;
	s.setup.stop = STOP_HORIZON;
	s.setup.horizon_ns = 300;
}

/* Of 100 cycles 20 pass before the first of 20 instructions, each of which needs the one before, 4 cycles
 * ago. */
TEST("epochs may cost cycles")
{
	short_scene(MANAGER_NAIVE);
	s.options.epoch_cost = 20;
	struct warp_run *r = warp_run(&s);
	for (uint32_t e = 0; e < 3; e++)
		assert_int_equal(epoch_of(r, e, 0)->thread_instructions, 20 * 32);
	assert_int_equal(epoch_of(r, 0, 0)->history_ipc, 6400000);
	warp_run_free(r);
}

/* A of both kernels, C of kernel 0 at the beginning of epoch 1. */
static void adjusted(int64_t goal_kernel, int64_t other, int64_t counter)
{
	struct warp_run *r = warp_run(&s);
	assert_int_equal(epoch_of(r, 0, 0)->adjusted_goal, 20000000);
	assert_int_equal(epoch_of(r, 0, 0)->thread_instructions, 800);
	assert_int_equal(epoch_of(r, 0, 0)->history_ipc, 8000000);
	assert_int_equal(epoch_of(r, 0, 1)->thread_instructions, 100);
	assert_int_equal(quota_of(r, 0, 0, 0)->counter_end, 1200);
	for (uint32_t e = 1; e < 3; e++) {
		assert_int_equal(epoch_of(r, e, 0)->adjusted_goal, goal_kernel);
		assert_int_equal(epoch_of(r, e, 1)->adjusted_goal, other);
	}
	const struct warp_epoch_quota *q = quota_of(r, 1, 0, 0);
	assert_int_equal(q->quota, goal_kernel / 10000);
	assert_int_equal(q->counter_start, counter);
	q = quota_of(r, 1, 0, 1);
	assert_int_equal(q->quota, other / 10000);
	/* It may begin an instruction as long as any quota is left. */
	int64_t issued = (other / 10000 + 9) / 10 * 10;
	assert_int_equal(q->thread_instructions, issued);
	assert_int_equal(q->counter_end, other / 10000 - issued);
	warp_run_free(r);
	end(NULL);
}

/* alpha = 20 / 8. Kernel 1: IPC 1, times 8 / A. */
TEST("goals are adjusted")
{
	short_scene(MANAGER_HISTORY);
	adjusted(50000000, 160000, 5000);
	short_scene(MANAGER_ROLLOVER);
	adjusted(50000000, 160000, 6200);
	short_scene(MANAGER_NAIVE);
	adjusted(20000000, 400000, 2000);
	short_scene(MANAGER_ROLLOVER);
	s.options.history = false;
	adjusted(20000000, 400000, 3200);
}

/* A kernel that did not have a job during the whole last epoch does not count for the others: the A of kernel
 * 1 is then its own IPC. */
TEST("newcomers do not count")
{
	short_scene(MANAGER_HISTORY);
	s.kernel[0].launch = 40;
	struct warp_run *r = warp_run(&s);
	/* Epochs at 0, 40, 140, 240. */
	assert_int_equal(epoch_of(r, 1, 0)->start, 40);
	assert_int_equal(epoch_of(r, 1, 0)->adjusted_goal, 20000000);
	/* Alone it has issued 10 threads in each of 40 cycles. */
	assert_int_equal(epoch_of(r, 1, 1)->adjusted_goal, 10000000);
	assert_int_equal(epoch_of(r, 2, 0)->adjusted_goal, 50000000);
	assert_int_equal(epoch_of(r, 2, 1)->adjusted_goal, 1600000);
	warp_run_free(r);
}

/* ---- held, and woken ---- */

static void cycles_of(const struct warp_run *r, uint32_t kernel, int64_t until, const char *expected)
{
	char text[256] = "";
	size_t n = 0;
	for (size_t i = 0; i < r->issues_count && n < sizeof(text) - 20; i++)
		if (r->issues[i].kernel == kernel && r->issues[i].cycle < until)
			n += (size_t)snprintf(
				text + n, sizeof(text) - n, "%s%d", n ? " " : "", (int)r->issues[i].cycle);
	assert_string_equal(text, expected);
}

/* Each kernel has its own sub-core. The kernel with the goal uses up its quota with its fourth instruction,
 * in cycle 9. The other one has been held since its own fourth instruction. It goes on in the same cycle if
 * its sub-core is later in order, in the next cycle if it is earlier. */
TEST("woken by the last of a goal")
{
	for (uint32_t with = 0; with < 2; with++) {
		warp_scene_init(&s, 2);
		s.warps.machine.sub_cores = 2;
		warp_scene_compute(&s, with, 100, 3, 1, 1);
		warp_scene_compute(&s, 1 - with, 100, 1, 0, 0);
		goal(with, 1000000);
		s.options.manager = MANAGER_NAIVE;
		s.options.epoch = 100;
		struct warp_run *r = warp_run(&s);
		cycles_of(r, with, 100, "0 3 6 9");
		cycles_of(r, 1 - with, 14, with == 0 ? "0 1 2 3 9 10 11 12 13" : "0 1 2 3 10 11 12 13");
		warp_run_free(r);
		end(NULL);
	}
}

/* rollover-time: the other kernel issues only when the goal's quota is used up; the same in the next
 * epoch. */
TEST("goals first")
{
	warp_scene_init(&s, 2);
	s.warps.machine.sub_cores = 2;
	warp_scene_compute(&s, 0, 100, 3, 1, 1);
	warp_scene_compute(&s, 1, 100, 1, 0, 0);
	goal(0, 2000000);
	s.options.manager = MANAGER_ROLLOVER_TIME;
	s.options.epoch = 20;
	struct warp_run *r = warp_run(&s);
	/* The quotas are 40, and 8 that were missing: two instructions per epoch. */
	cycles_of(r, 0, 40, "0 3 20 23");
	cycles_of(r, 1, 30, "3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 23 24 25 26 27 28 29");
	warp_run_free(r);
}

/* ---- blocks ---- */

/* One SM with room for a number of threads, and three kernels. Kernel 0 wants more than it can have and
 * issues in every cycle; 1 has no goal; 2 has one. Targets of three epochs: "222 312 ...". */
static void adjusts(const char *expected)
{
	char text[64] = "";
	size_t n = 0;
	for (uint32_t k = 0; k < 3; k++)
		s.kernel[k].blocks = 20;
	goal(0, 900000000);
	s.options.manager = MANAGER_NAIVE;
	s.options.epoch = 100;
	s.options.samples = 10;
	s.options.free_swaps = true;
	s.setup.stop = STOP_HORIZON;
	s.setup.horizon_ns = 350;
	struct warp_run *r = warp_run(&s);
	for (size_t i = 0; i < r->quotas_count; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%u", i % 3 == 0 && i > 0 ? " " : "",
			r->quotas[i].target);
	assert_string_equal(text, expected);
	warp_run_free(r);
	end(NULL);
}

static void programs(uint32_t threads, int64_t latency)
{
	warp_scene_init(&s, 3);
	s.platform.threads_per_sm = threads;
	warp_scene_compute(&s, 0, 5000, latency, 1, 1);
	warp_scene_compute(&s, 1, 5000, 50, 1, 1)->threads = 1;
	warp_scene_compute(&s, 2, 5000, 50, 1, 1);
}

/* Two blocks each. Kernel 1 gives one and keeps one. Kernel 2 issues 32 threads per epoch, whatever its goal:
 * IPC 0.32, or 0.16 with one of its two blocks. */
TEST("victims")
{
	programs(192, 50);
	goal(2, 100000);
	adjusts("222 312 411 411");
	programs(192, 50);
	goal(2, 160000);
	adjusts("222 312 312 312");
}

/* Kernel 0 issues in every cycle, and its other block is idle. Kernel 1 has one block, of 64 threads. Kernel
 * 2's two blocks never get a cycle. At epoch 3 kernel 0 has two idle ones, and is the victim. */
TEST("victims that are idle")
{
	programs(192, 1);
	s.kernel[1].block_threads = 64;
	goal(2, 50000000);
	adjusts("212 311 311 212");
}

/* A kernel with two idle blocks of its own gets no more; nor does one without blocks left to place. */
TEST("who gets none")
{
	programs(288, 1);
	goal(2, 50000000);
	adjusts("333 333 333 333");
}

/* If there is room, no victim is needed. */
TEST("room")
{
	programs(224, 50);
	goal(2, 100000);
	adjusts("222 322 412 511");
}
