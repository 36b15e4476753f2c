/* tests/golden/test_golden_sbeet_example1.c - Example 1 of sBEET (section IV.B, Table I, Fig. 2a)
 * under the policies without spatial sharing: 8 SMs, P_s = 1, P_d = 0.5 per SM, P_idle = 0.2 per SM. */
#include "tests/support/harness.h"
#include "tests/support/test.h"

#define W INT64_C(1000000) /* microwatts */

/* Linear kernels: profiles of W/m. Both tasks have one job in [0, 12). */
static void example_1(struct maker *k)
{
	static int64_t j1[8], j2[8];
	static struct profile profiles[2] = {
		{.count = 8, .best_ns = j1, .worst_ns = j1},
		{.count = 8, .best_ns = j2, .worst_ns = j2},
	};
	static char name1[] = "j1", name2[] = "j2";
	maker_init(k, 12 * MS);
	k->platform.sms = 8;
	k->platform.engines = 2;
	k->platform.static_uw = W;
	k->platform.idle_per_sm_uw = W / 5;
	profiles[0].name = name1;
	profiles[1].name = name2;
	for (int m = 1; m <= 8; m++) {
		j1[m - 1] = 48 * MS / m;
		j2[m - 1] = 8 * MS / m;
	}
	k->set.profiles = profiles;
	k->set.profile_count = 2;
	for (int i = 0; i < 2; i++) {
		maker_task(k, i ? "tau2" : "tau1", 12 * MS, i ? 7 * MS : 12 * MS, i ? 1 * MS : 0);
		maker_copy(k, COPY_TO_GPU, 1 * MS);
		struct segment *s = maker_grid(k, 0, 0, 0);
		s->form = KERNEL_PROFILE;
		s->profile = i;
		s->power_uw = W / 2;
		maker_copy(k, COPY_TO_CPU, 1 * MS);
	}
}

static void kernels(const struct observed *o, uint32_t task, int64_t start, int64_t end)
{
	for (uint32_t n = 0;; n++) {
		const struct trace_record *r = observed_find(o, TRACE_SPAN, task, n);
		assert_non_null(r);
		if (r->resource != RESOURCE_GPU)
			continue;
		assert_int_equal(r->start, start * MS);
		assert_int_equal(r->time, end * MS);
		return;
	}
}

static void check_unit_kernel(const char *policy)
{
	struct maker k;
	example_1(&k);
	struct observed o = observe(&k, policy, "unit=kernel");
	kernels(&o, 0, 1, 7);
	kernels(&o, 1, 7, 8);
	assert_int_equal(observed_finish_time(&o, 0, 0), 8 * MS);
	assert_int_equal(observed_finish_time(&o, 1, 0), 9 * MS);
	assert_int_equal(o.outcome.jobs, 2);
	assert_int_equal(o.outcome.misses, 1);
	assert_true(o.energy_uwns == (int128)40 * W * MS);
	observed_finish(&o);
	maker_finish(&k);
}

TEST("FCFS unit kernel")
{
	check_unit_kernel("fcfs");
}

TEST("rm unit kernel")
{
	check_unit_kernel("rm");
}

TEST("unit section")
{
	struct maker k;
	for (int i = 0; i < 2; i++) {
		example_1(&k);
		struct observed o = observe(&k, i ? "rm" : "fcfs", "unit=section");
		assert_int_equal(observed_finish_time(&o, 0, 0), 8 * MS);
		assert_int_equal(observed_finish_time(&o, 1, 0), 11 * MS);
		assert_int_equal(o.outcome.misses, 1);
		observed_finish(&o);
		maker_finish(&k);
	}
}
