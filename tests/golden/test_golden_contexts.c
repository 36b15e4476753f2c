/* tests/golden/test_golden_contexts.c - processes that share a GPU in time slices (docs/model.md,
 * "Contexts"), by hand, to the nanosecond. */
#include "tests/support/harness.h"
#include "tests/support/test.h"

#define US INT64_C(1000)

/* Equal kernels of ten slices, all ready at 0. With n of them a round lasts n (L + switch). */
static void assert_finishes(uint32_t n, const int64_t *finish_us)
{
	struct maker k;
	maker_init(&k, 100 * MS);
	k.platform.sms = 8;
	k.platform.threads_per_sm = 1024;
	k.platform.contexts = (struct context_times){.timeslice_ns = 1000 * US, .switch_ns = 200 * US};
	for (uint32_t i = 0; i < n; i++) {
		maker_task(&k, "t", 100 * MS, 100 * MS, 0);
		maker_grid(&k, 8, 1024, 10 * MS);
	}
	for (int owns = 0; owns < 2; owns++) {
		struct observed o = observe(&k, "tsg-rr", owns ? "owns=compute" : "owns=gpu");
		for (uint32_t i = 0; i < n; i++)
			assert_int_equal(observed_finish_time(&o, i, 0), finish_us[i] * US);
		observed_finish(&o);
	}
	maker_finish(&k);
}

TEST("kernels of ten slices in turns")
{
	assert_finishes(1, (int64_t[]){10000});
	assert_finishes(2, (int64_t[]){22600, 23800});
	assert_finishes(3, (int64_t[]){33400, 34600, 35800});
}

/* One process: its two kernels fill the GPU one after the other, as without contexts. */
TEST("tasks of one process")
{
	static char both[] = "both";
	struct maker k;
	maker_init(&k, 100 * MS);
	k.platform.sms = 8;
	k.platform.threads_per_sm = 1024;
	k.platform.contexts = (struct context_times){.timeslice_ns = 1000 * US, .switch_ns = 200 * US};
	for (uint32_t i = 0; i < 2; i++) {
		struct task *t = maker_task(&k, "t", 100 * MS, 100 * MS, 0);
		t->process = both;
		maker_grid(&k, 8, 1024, 10 * MS);
	}
	struct observed o = observe(&k, "tsg-rr", NULL), single = observe(&k, "fifo-cke", NULL);
	for (uint32_t i = 0; i < 2; i++) {
		assert_int_equal(observed_finish_time(&o, i, 0), (i + 1) * 10 * MS);
		assert_int_equal(observed_finish_time(&single, i, 0), (i + 1) * 10 * MS);
	}
	observed_finish(&single);
	observed_finish(&o);
	maker_finish(&k);
}
