/* tests/unit/test_sbeet_offline.c - policies/sbeet/offline.c: the schedule made beforehand, and what it
 * refuses. tests/golden/test_golden_sbeet.c and tests/property/test_sbeet_plan.c test how it is followed at
 * run time. */
#include "tests/unit/sbeet_sets.h"

static struct sbeet_set set;
static struct sbeet_plan ahead;

static int finish(void **state)
{
	set_end(&set.s);
	return 0;
}

EACH_TEST(NULL, finish);

static bool make(struct sbeet_options options)
{
	struct error err;
	sbeet_ready(&set, options);
	if (!sbeet_plan_make(&ahead, &set.b, &set.plan, &err))
		fail_msg("%s", err.text);
	return !set.plan.refused;
}

static void planned(uint32_t task, uint32_t job, uint32_t index, int64_t at, uint64_t sm)
{
	const struct sbeet_planned p = sbeet_plan_unit(&ahead, task, job, index);
	assert_int_equal(p.at, at * MS);
	assert_int_equal(p.sm[0], sm);
}

/* Example 2 every 100: jobs released before 2 + 200 are planned, later ones repeat them. */
TEST("example 2 repeats")
{
	sbeet_begin(&set, 8);
	sbeet_task(&set, 100, 14, 0, "H1,1 G48,48,0,1/1 D1,1");
	sbeet_task(&set, 100, 7, 1, "H1,1 G8,8,0,1/1 D1,1");
	sbeet_task(&set, 50, 10, 2, "H1,1 G8,8,0,1/1 D1,1");
	assert_true(make((struct sbeet_options){.workers = 2}));
	assert_int_equal(ahead.period, 100 * MS);
	assert_int_equal(ahead.task[0].jobs, 3);
	assert_int_equal(ahead.task[1].jobs, 3);
	assert_int_equal(ahead.task[2].jobs, 4);
	assert_int_equal(ahead.task[2].per_period, 2);
	for (uint32_t job = 0; job < 8; job++) {
		planned(0, job, 0, 100 * job, 0x3f);
		planned(1, job, 0, 100 * job + 1, 0xc0);
		planned(2, 2 * job, 0, 100 * job + 6, 0xc0);
		planned(2, 2 * job + 1, 0, 100 * job + 52, 0xff);
	}
	/* The scheduler has its old state. */
	assert_int_equal(set.b.free, 8);
	assert_int_equal(set.b.running_count, 0);
	assert_false(set.b.timetable.seen[2].any);
}

/* Two sections, with CPU segments and copies around them; a job ends after the next one's release. */
TEST("sections and late jobs")
{
	sbeet_begin(&set, 1);
	sbeet_task(&set, 20, 20, 3, "C1,1 H2,2 G4,4,0,1/1 D1,1 C3,3 H1,1 C1,1 G5,5,0,1/1 D1,1 C4,4");
	assert_true(make((struct sbeet_options){.workers = 2}));
	/* Ready at 3 + 1, kernel [6, 10), copy until 11, CPU until 14, copy until 15, CPU until 16, kernel
	 * [16, 21), over at 26, after the next release at 23. */
	planned(0, 0, 0, 4, 1);
	planned(0, 0, 1, 16, 1);
	planned(0, 1, 0, 27, 1);
	planned(0, 1, 1, 39, 1);
	/* Two jobs are released before 3 + 40: from the third job on, the second is repeated. */
	planned(0, 2, 0, 47, 1);
	assert_int_equal(ahead.task[0].jobs, 2);
}

/* A unit holds its SMs during the copies between its kernels. */
TEST("holds SMs between kernels")
{
	sbeet_begin(&set, 2);
	sbeet_task(&set, 1000, 1000, 0, "G8,8,0,1/1 B2,2 G8,8,0,1/1"); /* [0, 4) and [6, 10) on both */
	sbeet_task(&set, 1000, 999, 1, "H20,20 G2,2,0,1/1");
	assert_true(make((struct sbeet_options){.workers = 2}));
	planned(0, 0, 0, 0, 3);
	planned(1, 0, 0, 10, 3);
}

TEST("orders of the queue")
{
	static const struct {
		enum sbeet_queue queue;
		int64_t first, second;
	} rows[] = {{SBEET_BY_DEADLINE, 14, 10}, {SBEET_BY_ARRIVAL, 10, 14}, {SBEET_BY_PRIORITY, 10, 14}};
	for (int i = 0; i < 3; i++) {
		sbeet_begin(&set, 1);
		sbeet_task(&set, 100, 100, 0, "G10,10,0,1/1");
		sbeet_task(&set, 100, 60, 1, "G4,4,0,1/1");        /* 61; priority 0 */
		sbeet_task(&set, 100, 70, 2, "G4,4,0,1/1 C40,40"); /* section deadline 32; priority 1 */
		assert_true(make((struct sbeet_options){.workers = 2, .queue = rows[i].queue}));
		planned(0, 0, 0, 0, 1);
		planned(1, 0, 0, rows[i].first, 1);
		planned(2, 0, 0, rows[i].second, 1);
	}
}

TEST("refusals")
{
	static struct release_rule sporadic = {.kind = RELEASE_SPORADIC, .max_delay_ppm = 0};
	const struct sbeet_options options = {.workers = 2};
	sbeet_begin(&set, 2);
	sbeet_task(&set, 10, 10, 0, "G1,1,0,1/1");
	struct task *t = sbeet_task(&set, 10, 10, 0, "G1,1,0,1/1");
	t->release = &sporadic;
	assert_false(make(options));
	assert_int_equal(set.plan.failing_task, 1);
	assert_non_null(strstr(set.plan.reason, "task 't2' is not periodic"));
	t->release = NULL;
	assert_true(make(options));
	set.setup.release.kind = RELEASE_TRACE;
	assert_false(make(options));
	assert_int_equal(set.plan.failing_task, 0);
	set.setup.release.kind = RELEASE_PERIODIC;

	/* 2 * lcm exceeds 64 bits; then a hyperperiod with too many jobs. */
	t->period_ns = 1000000007;
	set.s.tasks[0].period_ns = 998244353;
	assert_false(make(options));
	assert_non_null(strstr(set.plan.reason, "too long"));
	for (int i = 0; i < 3; i++)
		sbeet_task(&set, 10, 10, 0, "C1,1")->period_ns = 1000000000039 + i;
	assert_false(make(options));
	assert_non_null(strstr(set.plan.reason, "two hyperperiods are too long"));
}

/* There are no kernels: nothing is planned. */
TEST("without kernels")
{
	sbeet_begin(&set, 4);
	sbeet_task(&set, 10, 10, 0, "C1,1");
	assert_true(make((struct sbeet_options){.workers = 2}));
	assert_int_equal(ahead.task[0].jobs, 0);
}
