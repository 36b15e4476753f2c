/* tests/golden/test_golden_sbeet_mg.c - sbeet-mg (docs/policies.md), by hand, to the nanosecond and the
 * uW*ns: a section that goes to another GPU for its deadline, and one that does so for energy. GPU 0 has 4
 * SMs, 1 W static, 0.2 W an idle SM; GPU 1 has 2 SMs, 0.25 W, 0.1 W. An active SM takes 0.5 W more. */
#include "tests/support/harness.h"
#include "tests/support/test.h"

#define WATT INT64_C(1000000)
#define MJ ((int128)WATT * MS / 1000) /* W * us: thousandths of a W * ms */

static struct platform little;
static struct copy_time there[2] = {{2 * MS, 2 * MS}, {MS, MS}};

static void begin(struct maker *k)
{
	maker_init(k, 50 * MS);
	k->platform.sms = 4;
	k->platform.static_uw = WATT;
	k->platform.idle_per_sm_uw = WATT / 5;
	little = k->platform;
	little.gpu = 1;
	little.sms = 2;
	little.static_uw = WATT / 4;
	little.idle_per_sm_uw = WATT / 10;
	k->platform.gpu_count = 2;
	k->platform.others = &little;
}

/* A kernel of one block, on GPU `home`. */
static void task(
	struct maker *k, uint32_t home, int64_t offset, int64_t deadline, int64_t kernel, bool copies)
{
	struct task *t = maker_task(k, "t", 100 * MS, deadline * MS, offset * MS);
	if (copies) {
		struct segment *s = maker_copy(k, COPY_TO_GPU, there[home].worst_ns);
		s->copy_times = there;
		s->copy_time_count = 2;
	}
	maker_grid(k, 1, 32, kernel * MS)->power_uw = WATT / 2;
	for (uint32_t i = 0; i < t->segment_count; i++)
		t->segments[i].gpu = home;
}

/* All live on GPU 1, and the third is expected there at 1. If the first had one SM and the second the other,
 * up to 8 and 9, the third would have to wait for both of them, and end at 9 + 1 + 6. So the first gets both
 * SMs: then the third would come behind it, and end at 8 + 1 + 6. The second waits. */
static void full_home(int64_t deadline, uint32_t gpu, int64_t response, int64_t energy)
{
	struct maker k;
	begin(&k);
	task(&k, 1, 0, 50, 8, false);
	task(&k, 1, 0, 50, 9, false);
	task(&k, 1, 1, deadline, 6, true);
	struct observed o = observe(&k, "sbeet-mg", "assign=given");
	assert_int_equal(observed_response(&o, 0, 0), 8 * MS);
	assert_int_equal(observed_response(&o, 1, 0), 17 * MS);
	assert_int_equal(observed_response(&o, 2, 0), response * MS);
	for (uint32_t n = 0; n < 2; n++)
		assert_int_equal(observed_find(&o, TRACE_SPAN, 2, n)->gpu, gpu);
	assert_true(o.energy_uwns == energy * MJ);
	observed_finish(&o);
	maker_finish(&k);
}

/* At 8 both go on, beside each other: 1.25 W * 50; one SM of GPU 1 over [0, 9), both over [9, 15), one up
 * to 17. */
TEST("a full home: it waits, and ends in time")
{
	full_home(14, 1, 14, 62500 + 9 * 600 + 6 * 1000 + 2 * 600);
}

/* To GPU 0, where the copy takes 2: [1, 3), kernel [3, 9). At 8 the second stays at home: beside the third it
 * would take (1.25 + 1.1 + 0.5 - 0.2) W up to 9, and 2.35 W up to 17; at home 2.95 W, and 1.85 W. */
TEST("a full home: it goes elsewhere for its deadline")
{
	full_home(13, 0, 8, 62500 + 17 * 600 + 6 * 1100);
}

/* GPU 1 works on one SM up to 8. The second task lives on GPU 0, which is idle; there it would take (1.25
 * + 1.1 + 0.6) W * 6, on the other SM of GPU 1 (1.25 + 1) W * 6. With the copy it would be on GPU 0 for 8,
 * at 2.95 W but for the copy (1.85 W * 2), on GPU 1 for 7, at 2.25 W but for the copy (1.85 W * 1). */
static void idle_home(const char *option, uint32_t gpu, bool copies, int64_t response, int64_t energy)
{
	struct maker k;
	begin(&k);
	task(&k, 1, 0, 50, 8, false);
	task(&k, 0, 0, 50, 6, copies);
	struct observed o = observe(&k, "sbeet-mg", option);
	assert_int_equal(observed_response(&o, 0, 0), 8 * MS);
	assert_int_equal(observed_response(&o, 1, 0), response * MS);
	assert_int_equal(observed_find(&o, TRACE_SPAN, 1, 0)->gpu, gpu);
	assert_true(o.energy_uwns == energy * MJ);
	observed_finish(&o);
	maker_finish(&k);
}

TEST("an idle home: it goes elsewhere for energy")
{
	idle_home("assign=given", 1, false, 6, 62500 + 6 * 1000 + 2 * 600);
	idle_home("assign=given", 1, true, 7, 62500 + 1 * 600 + 6 * 1000 + 1 * 600);
}

/* The decision about a section of whose segments only copies are left names the last of these, and not what
 * comes behind the section. */
TEST("a section whose kernel has no length")
{
	struct maker k;
	begin(&k);
	maker_task(&k, "t", 100 * MS, 50 * MS, 0);
	maker_grid(&k, 1, 32, 0);
	maker_copy(&k, COPY_TO_CPU, MS);
	maker_cpu(&k, MS, MS);
	struct observed o = observe(&k, "sbeet-mg", NULL);
	const struct trace_record *d = observed_find(&o, TRACE_DECISION, 0, 0);
	assert_non_null(d);
	assert_int_equal(d->segment, 1);
	observed_finish(&o);
	maker_finish(&k);
}

/* A measured time is the same on all GPUs: what took none takes none. */
TEST("a sample of no time")
{
	struct maker k;
	begin(&k);
	int64_t none = 0;
	maker_task(&k, "t", 100 * MS, 50 * MS, 0);
	struct segment *s = maker_grid(&k, 1, 32, 1);
	s->best_ns = 0;
	s->samples = &none;
	s->sample_count = 1;
	maker_cpu(&k, MS, MS);
	k.setup.execution = EXECUTION_SAMPLES;
	struct observed o = observe(&k, "sbeet-mg", NULL);
	assert_int_equal(observed_response(&o, 0, 0), MS);
	observed_finish(&o);
	maker_finish(&k);
}

/* The kernel runs on GPU 1, where the copies of the next section would take 1 ms. On GPU 0, which that
 * section names, they take none, and so there is none. */
TEST("the next section is not where the last one was")
{
	static struct copy_time times[2] = {{0, 0}, {MS, MS}};
	struct maker k;
	begin(&k);
	struct task *t = maker_task(&k, "t", 100 * MS, 50 * MS, 0);
	maker_grid(&k, 1, 32, 2 * MS)->gpu = 1;
	struct segment *s = maker_copy(&k, COPY_TO_CPU, 0);
	s->copy_times = times;
	s->copy_time_count = 2;
	struct observed o = observe(&k, "sbeet-mg", "assign=given");
	assert_int_equal(t->segment_count, 2);
	assert_int_equal(observed_find(&o, TRACE_BLOCKS_START, 0, 0)->gpu, 1);
	assert_int_equal(observed_response(&o, 0, 0), 2 * MS);
	observed_finish(&o);
	maker_finish(&k);
}
