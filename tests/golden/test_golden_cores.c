/* tests/golden/test_golden_cores.c - several cores and one GPU, by hand: the set of Wang, Liu, Wong, Kim,
 * "GCAPS", ECRTS 2024, fig. 3, with CPU work beside the kernel as CPU segments, outside of the lock. */
#include "tests/support/harness.h"
#include "tests/support/test.h"

#define US INT64_C(1000)

static void task(struct maker *k, int32_t core, int64_t offset, int64_t before, int64_t kernel, int64_t after)
{
	maker_task(k, "t", 100 * MS, 100 * MS, offset * US)->core = core;
	maker_cpu(k, before * US, before * US);
	maker_grid(k, 1, 32, kernel * US);
	maker_cpu(k, after * US, after * US);
}

/* t3's section 0.75-5.75, t1's 5.75-7.75, t2's 7.75-10.5; t3's last CPU segment beside t1's section. */
static void gcaps_fig3(enum core_scheduling scheduling)
{
	struct maker k;
	maker_init(&k, 100 * MS);
	k.platform.sms = 1;
	k.platform.cores = 2;
	k.platform.scheduling = scheduling;
	k.set.cores = scheduling == CORES_PARTITIONED;
	task(&k, 0, 2000, 750, 2000, 750);
	task(&k, 1, 1000, 2250, 2750, 1250);
	task(&k, 1, 0, 750, 5000, 750);
	struct observed o = observe(&k, "mpcp", NULL);
	assert_int_equal(observed_response(&o, 0, 0), 6500 * US);
	assert_int_equal(observed_response(&o, 1, 0), 10750 * US);
	assert_int_equal(observed_response(&o, 2, 0), 6500 * US);
	observed_finish(&o);
	maker_finish(&k);
}

TEST("GCAPS, figure 3: two cores under mpcp")
{
	gcaps_fig3(CORES_PARTITIONED);
}

/* The core is never what a job waits for. */
TEST("the same, where any job runs on any core")
{
	gcaps_fig3(CORES_GLOBAL);
}
