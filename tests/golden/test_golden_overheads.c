/* tests/golden/test_golden_overheads.c - what launching, synchronising, switching and releasing take
 * (docs/model.md, "Overheads"), by hand, to the nanosecond. */
#include "tests/support/harness.h"
#include "tests/support/test.h"

#define US INT64_C(1000)

static void assert_span(const struct observed *o, uint32_t n, enum span_kind span,
	enum trace_resource resource, uint32_t segment, int64_t start, int64_t end)
{
	const struct trace_record *r = observed_find(o, TRACE_SPAN, 0, n);
	assert_non_null(r);
	assert_int_equal(r->span, span);
	assert_int_equal(r->resource, resource);
	assert_int_equal(r->segment, segment);
	assert_int_equal(r->start, start);
	assert_int_equal(r->time, end);
}

static void two_kernels(struct maker *k)
{
	maker_init(k, 10 * MS);
	k->platform.sms = 1;
	maker_task(k, "a", 10 * MS, 10 * MS, 0);
	maker_cpu(k, MS, MS);
	maker_grid(k, 1, 32, MS);
	maker_grid(k, 1, 32, MS);
	maker_cpu(k, MS, MS);
}

TEST("two kernels with overheads")
{
	static const char *const policies[] = {"fifo-cke", "prio-streams", "fcfs", "mpcp", "self-suspension"};
	struct maker k;
	two_kernels(&k);
	k.platform.overheads = (struct overheads){
		.launch_ns = 4 * US, .latency_ns = 2 * US, .gap_ns = US, .sync_ns = 3 * US};
	for (size_t i = 0; i < sizeof(policies) / sizeof(*policies); i++) {
		struct observed o = observe(&k, policies[i], NULL);
		assert_int_equal(observed_response(&o, 0, 0), 4015 * US);
		assert_span(&o, 0, SPAN_RUN, RESOURCE_CPU, 0, 0, 1000 * US);
		assert_span(&o, 1, SPAN_LAUNCH, RESOURCE_CPU, 1, 1000 * US, 1004 * US);
		assert_span(&o, 2, SPAN_RUN, RESOURCE_GPU, 1, 1006 * US, 2006 * US);
		assert_span(&o, 3, SPAN_LAUNCH, RESOURCE_CPU, 2, 2006 * US, 2010 * US);
		assert_span(&o, 4, SPAN_RUN, RESOURCE_GPU, 2, 2012 * US, 3012 * US);
		assert_span(&o, 5, SPAN_RUN, RESOURCE_CPU, 3, 3015 * US, 4015 * US);
		observed_finish(&o);
	}
	maker_finish(&k);
}

TEST("a gap that is longer than launch and latency")
{
	struct maker k;
	two_kernels(&k);
	k.platform.overheads = (struct overheads){
		.launch_ns = 4 * US, .latency_ns = 2 * US, .gap_ns = 7 * US, .sync_ns = 3 * US};
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_span(&o, 4, SPAN_RUN, RESOURCE_GPU, 2, 2013 * US, 3013 * US);
	assert_int_equal(observed_response(&o, 0, 0), 4016 * US);
	observed_finish(&o);
	maker_finish(&k);
}

TEST("two kernels without overheads")
{
	struct maker k;
	two_kernels(&k);
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_int_equal(observed_response(&o, 0, 0), 4000 * US);
	observed_finish(&o);
	maker_finish(&k);
}

/* Two tasks, each 3 on the core; the higher one is released at 4, when the lower one is still in its switch.
 */
TEST("a switch that is preempted is paid again")
{
	struct maker k;
	maker_init(&k, 20 * US);
	maker_task(&k, "low", 200 * US, 200 * US, 0);
	maker_cpu(&k, 3 * US, 3 * US);
	maker_task(&k, "high", 200 * US, 100 * US, 4 * US);
	maker_cpu(&k, 3 * US, 3 * US);
	k.platform.overheads.switch_ns = 5 * US;
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_int_equal(observed_finish_time(&o, 1, 0), (4 + 5 + 3) * US);
	assert_int_equal(observed_finish_time(&o, 0, 0), (12 + 5 + 3) * US);
	observed_finish(&o);
	maker_finish(&k);
}

/* Four releases at 0 take the core for 4 * 2 before the first job runs. */
TEST("simultaneous releases add up")
{
	struct maker k;
	maker_init(&k, 20 * US);
	for (int i = 0; i < 4; i++) {
		maker_task(&k, "t", 200 * US, 200 * US, 0);
		maker_cpu(&k, US, US);
	}
	k.platform.overheads.release_ns = 2 * US;
	struct observed o = observe(&k, "fifo-cke", NULL);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(observed_finish_time(&o, i, 0), (8 + 1 + i) * US);
	observed_finish(&o);
	maker_finish(&k);
}

/* Energy is the GPU's alone: on the core, and while operations wait for latency, gap and sync, it is idle.
 * Two of four SMs have a block each, with 7 mW, for 1 ms twice; idle ones take 3 mW while a block is
 * somewhere, and the GPU 100 mW for the 10 ms of the run: 100 * 10 + 2 * (2 * 7 + 2 * 3) mW ms. */
TEST("overheads take no energy but time")
{
	static const struct overheads none = {0}, all = {4 * US, 2 * US, 7 * US, 3 * US, 5 * US, 6 * US};
	static const char *const policies[] = {"fifo-cke", "mpcp"};
	const int64_t ends[] = {4000 * US, (6 + 5 + 1000 + 4 + 2 + 1000 + 7 + 1000 + 3 + 1000) * US};
	for (int run = 0; run < 8; run++) {
		struct maker k;
		bool costly = run & 1, drains = run & 2;
		two_kernels(&k);
		k.platform.sms = 4;
		k.platform.threads_per_sm = 32;
		k.platform.static_uw = 100000;
		k.platform.idle_per_sm_uw = 3000;
		k.setup.horizon_ns = drains ? MS : 10 * MS;
		k.platform.overheads = costly ? all : none;
		for (int i = 1; i < 3; i++) {
			k.set.tasks[0].segments[i].grid = 2;
			k.set.tasks[0].segments[i].power_uw = 7000;
		}
		struct observed o = observe(&k, policies[run / 4], NULL);
		int64_t window = drains ? ends[costly] : 10 * MS;
		assert_int_equal(observed_response(&o, 0, 0), ends[costly]);
		assert_true(o.energy_uwns == (int128)100000 * window + (int128)2 * 20000 * MS);
		observed_finish(&o);
		maker_finish(&k);
	}
}
