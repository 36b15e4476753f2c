/* tests/oracle/test_oracle_fleet.c - checks what the oracle knows of sbeet-mg against schedules worked out by
 * hand (docs/policies.md, "sbeet-mg"): tests/golden/test_golden_sbeet_mg.c has the reasons for most of them.
 * GPU 0 has 4 SMs, 1000 static, 200 an idle SM; GPU 1 has 2 SMs, 250, 100. An active SM takes 500 more. */
#include "tests/oracle/by_hand.h"
#include "tests/support/test.h"

static struct copy_time there[2] = {{2, 2}, {1, 1}};

static struct platform two_gpus(struct platform *other)
{
	struct platform p = gpu_pool(1);
	p.pool = POOL_SM;
	p.threads_per_sm = 0;
	p.engines = ENGINES_UNLIMITED;
	p.sms = 4;
	p.static_uw = 1000;
	p.idle_per_sm_uw = 200;
	*other = p;
	other->gpu = 1;
	other->sms = 2;
	other->static_uw = 250;
	other->idle_per_sm_uw = 100;
	p.gpu_count = 2;
	p.others = other;
	return p;
}

static void live_on(struct segment *segments, uint32_t count, uint32_t gpu)
{
	for (uint32_t i = 0; i < count; i++) {
		segments[i].gpu = gpu;
		segments[i].power_uw = segments[i].kind == SEGMENT_KERNEL ? 500 : 0;
		if (segments[i].kind != SEGMENT_COPY)
			continue;
		segments[i].copy_times = there;
		segments[i].copy_time_count = 2;
	}
}

static void full_home(int64_t deadline, uint32_t gpu, int64_t expected, int64_t energy)
{
	struct segment a[] = {GRID(1, 32, 8)}, b[] = {GRID(1, 32, 9)},
		       c[] = {COPY(COPY_TO_GPU, 1), GRID(1, 32, 6)};
	struct task tasks[] = {TASK(100, 50, a), TASK(100, 50, b), TASK(100, deadline, c)};
	struct taskset set = SET(tasks);
	struct platform other, p = two_gpus(&other);
	struct run_setup setup = until(50);
	tasks[2].offset_ns = 1;
	set.priorities = true; /* in the order of the list */
	for (uint32_t i = 0; i < 3; i++)
		tasks[i].priority = (int32_t)i;
	live_on(a, COUNT(a), 1);
	live_on(b, COUNT(b), 1);
	live_on(c, COUNT(c), 1);
	struct oracle_result *r = run_label(&set, &p, &setup, "sbeet-mg assign=given");
	assert_int_equal(response(r, 0, 0), 8);
	assert_int_equal(response(r, 1, 0), 17);
	assert_int_equal(response(r, 2, 0), expected);
	assert_int_equal(block_of(r, 2, 0, 0)->gpu, gpu);
	assert_true(r->energy == energy);
	oracle_result_free(r);
}

TEST("a full home")
{
	full_home(14, 1, 14, 62500 + 9 * 600 + 6 * 1000 + 2 * 600);
	full_home(13, 0, 8, 62500 + 17 * 600 + 6 * 1100);
}

static void idle_home(bool copies, int64_t expected, int64_t energy)
{
	struct segment a[] = {GRID(1, 32, 8)}, b[] = {COPY(COPY_TO_GPU, 2), GRID(1, 32, 6)};
	struct task tasks[] = {TASK(100, 50, a), TASK(100, 50, b)};
	struct taskset set = SET(tasks);
	struct platform other, p = two_gpus(&other);
	struct run_setup setup = until(50);
	live_on(a, COUNT(a), 1);
	live_on(b, COUNT(b), 0);
	tasks[1].segments += !copies;
	tasks[1].segment_count -= !copies;
	struct oracle_result *r = run_label(&set, &p, &setup, "sbeet-mg assign=given");
	assert_int_equal(response(r, 0, 0), 8);
	assert_int_equal(response(r, 1, 0), expected);
	assert_int_equal(block_of(r, 1, 0, 0)->gpu, 1);
	assert_true(r->energy == energy);
	oracle_result_free(r);
}

TEST("an idle home")
{
	idle_home(false, 6, 62500 + 6 * 1000 + 2 * 600);
	idle_home(true, 7, 62500 + 1 * 600 + 6 * 1000 + 1 * 600);
}

/* Each waits for as many SMs as are best; on two SMs this kernel of 4 blocks takes 6, on four 3. */
TEST("without predictions")
{
	struct segment a[] = {GRID(4, 32, 3)}, b[] = {GRID(4, 32, 3)};
	struct task tasks[] = {TASK(100, 50, a), TASK(100, 50, b)};
	struct taskset set = SET(tasks);
	struct platform other, p = two_gpus(&other);
	struct run_setup setup = until(50);
	static const struct {
		const char *label;
		int64_t first, second;
	} rows[] = {
		{"sbeet-mg choice=plan", 3, 6},
		{"sbeet-mg choice=big", 3, 6},
		{"sbeet-mg choice=little queue=fcfs", 6, 3},
		{"sbeet-mg choice=balanced workers=3 queue=deadline", 3, 6},
	};
	p.idle_per_sm_uw = other.idle_per_sm_uw = 0;
	p.blocks_per_sm = other.blocks_per_sm = 1;
	live_on(a, COUNT(a), 0);
	live_on(b, COUNT(b), 0);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct oracle_result *r = run_label(&set, &p, &setup, rows[i].label);
		assert_int_equal(response(r, 0, 0), rows[i].first);
		assert_int_equal(response(r, 1, 0), rows[i].second);
		oracle_result_free(r);
	}
}
