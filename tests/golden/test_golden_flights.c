/* tests/golden/test_golden_flights.c - operations in flight (docs/model.md), by hand, to the nanosecond. */
#include "tests/support/harness.h"
#include "tests/support/test.h"

#define US INT64_C(1000)

static char name_a[] = "a", name_b[] = "b", name_c[] = "c";
static char *waited[][2] = {{name_a}, {name_c}, {name_a, name_b}};

static void flies(struct segment *s, int32_t stream)
{
	s->async = true;
	s->stream = stream;
}

static void comes_after(struct segment *s, int which, uint32_t count)
{
	s->awaits = waited[which];
	s->await_count = count;
}

static struct segment *wait_for_all(struct maker *k)
{
	struct segment *s = maker_cpu(k, 0, 0);
	s->kind = SEGMENT_WAIT;
	return s;
}

static void platform(struct maker *k, uint32_t engines)
{
	maker_init(k, 100 * MS);
	k->platform.sms = 1;
	k->platform.threads_per_sm = 1024;
	k->platform.engines = engines;
	maker_task(k, "t", 100 * MS, 100 * MS, 0);
}

static void assert_ran(const struct observed *o, uint32_t segment, int64_t start, int64_t end)
{
	for (uint32_t n = 0;; n++) {
		const struct trace_record *r = observed_find(o, TRACE_SPAN, 0, n);
		assert_non_null(r);
		if (r->segment != segment || r->span != SPAN_RUN)
			continue;
		assert_int_equal(r->start, start);
		assert_int_equal(r->time, end);
		return;
	}
}

/* Two copies there, kernels that fill the GPU, and copies back, on two streams or one. */
static void two_pipelines(struct maker *k, uint32_t engines, int32_t second)
{
	platform(k, engines);
	maker_cpu(k, MS, MS);
	for (int32_t i = 0; i < 2; i++) {
		int32_t stream = i == 0 ? 1 : second;
		flies(maker_copy(k, COPY_TO_GPU, 4 * MS), stream);
		flies(maker_grid(k, 1, 1024, 6 * MS), stream);
		flies(maker_copy(k, COPY_TO_CPU, 3 * MS), stream);
	}
	wait_for_all(k);
	maker_cpu(k, MS, MS);
}

TEST("two streams overlap")
{
	for (uint32_t engines = 1; engines <= 2; engines++) {
		struct maker k;
		two_pipelines(&k, engines, 2);
		struct observed o = observe(&k, "fifo-cke", NULL);
		assert_ran(&o, 1, 1 * MS, 5 * MS);
		assert_ran(&o, 4, 5 * MS, 9 * MS);
		assert_ran(&o, 2, 5 * MS, 11 * MS);
		assert_ran(&o, 3, 11 * MS, 14 * MS);
		assert_ran(&o, 5, 11 * MS, 17 * MS);
		assert_ran(&o, 6, 17 * MS, 20 * MS);
		assert_ran(&o, 8, 20 * MS, 21 * MS);
		assert_int_equal(observed_response(&o, 0, 0), 21 * MS);
		observed_finish(&o);
		maker_finish(&k);
	}
}

TEST("one stream does not")
{
	struct maker k;
	two_pipelines(&k, 2, 1);
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_int_equal(observed_response(&o, 0, 0), 28 * MS);
	observed_finish(&o);
	maker_finish(&k);
}

/* The job ends when its last operation does, whether it waits or not: here d2, at 20. Its own last segment,
 * of the CPU, is over at 2. */
TEST("the end of a job waits")
{
	struct maker k;
	two_pipelines(&k, 2, 2);
	k.set.tasks[0].segments[7] = k.set.tasks[0].segments[8];
	k.set.tasks[0].segment_count--;
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_ran(&o, 7, 1 * MS, 2 * MS);
	assert_int_equal(observed_response(&o, 0, 0), 20 * MS);
	observed_finish(&o);
	maker_finish(&k);
}

/* Kernel a 1-5 on stream 1, copy b 1-4 on stream 2, kernel c behind b, and after a: 5-7. */
static void after_another(struct maker *k)
{
	platform(k, 2);
	maker_cpu(k, MS, MS);
	struct segment *a = maker_grid(k, 1, 512, 4 * MS);
	a->name = waited[2][0];
	flies(a, 1);
	struct segment *b = maker_copy(k, COPY_TO_GPU, 3 * MS);
	b->name = waited[2][1];
	flies(b, 2);
	struct segment *c = maker_grid(k, 1, 512, 2 * MS);
	flies(c, 2);
	c->name = waited[1][0];
	comes_after(c, 0, 1);
	comes_after(wait_for_all(k), 1, 1);
	maker_cpu(k, MS, MS);
}

TEST("an operation after one of another stream")
{
	struct maker k;
	after_another(&k);
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_ran(&o, 1, 1 * MS, 5 * MS);
	assert_ran(&o, 2, 1 * MS, 4 * MS);
	assert_ran(&o, 3, 5 * MS, 7 * MS);
	assert_int_equal(observed_response(&o, 0, 0), 8 * MS);
	observed_finish(&o);
	maker_finish(&k);
	after_another(&k);
	k.set.tasks[0].segments[3].await_count = 0; /* both fit the SM */
	o = observe(&k, "fifo-cke", NULL);
	assert_ran(&o, 3, 4 * MS, 6 * MS);
	assert_int_equal(observed_response(&o, 0, 0), 7 * MS);
	observed_finish(&o);
	maker_finish(&k);
}

/* An operation that comes after another blocks its stream. */
TEST("what stands behind it waits, too")
{
	struct maker k;
	after_another(&k);
	struct segment d = k.set.tasks[0].segments[2];
	k.set.tasks[0].segments[5] = d; /* a copy on stream 2, in place of the last CPU segment */
	k.set.tasks[0].segments[5].name = NULL;
	k.set.tasks[0].segments[4].awaits = NULL; /* no wait for c, so that it is issued at once: */
	k.set.tasks[0].segments[4].await_count = 0;
	k.set.tasks[0].segments[4].stream = 7; /* nothing is on that stream */
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_ran(&o, 5, 7 * MS, 10 * MS);
	assert_int_equal(observed_response(&o, 0, 0), 10 * MS);
	observed_finish(&o);
	maker_finish(&k);
}

static void overheads(struct maker *k, bool async)
{
	platform(k, 2);
	k->platform.overheads = (struct overheads){
		.launch_ns = 4 * US, .latency_ns = 2 * US, .gap_ns = US, .sync_ns = 3 * US};
	maker_cpu(k, MS, MS);
	maker_grid(k, 1, 1024, MS)->async = async;
	maker_grid(k, 1, 1024, MS)->async = async;
	if (async)
		wait_for_all(k);
	maker_cpu(k, MS, MS);
}

/* Launches 1000-1004-1008, kernels 1006-2006 and 2007-3007, CPU 3010-4010. */
TEST("overheads of operations in flight")
{
	struct maker k;
	overheads(&k, true);
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_ran(&o, 1, 1006 * US, 2006 * US);
	assert_ran(&o, 2, 2007 * US, 3007 * US);
	assert_ran(&o, 4, 3010 * US, 4010 * US);
	assert_int_equal(observed_response(&o, 0, 0), 4010 * US);
	observed_finish(&o);
	maker_finish(&k);
	overheads(&k, false);
	o = observe(&k, "fifo-cke", NULL);
	assert_int_equal(observed_response(&o, 0, 0), 4015 * US);
	observed_finish(&o);
	maker_finish(&k);
}

/* On two streams: launches 1000-1600 and 1600-2200, kernels 1602-2602 and 2202-3202, CPU from 3205 on. As
 * nodes of one graph both are issued at 1600: kernels 1602-2602, CPU from 2605 on. */
TEST("a graph is launched once")
{
	static char graph[] = "g", other[] = "h";
	for (int same = 0; same < 2; same++) {
		struct maker k;
		overheads(&k, true);
		struct segment *s = k.set.tasks[0].segments;
		k.platform.sms = 2;
		k.platform.overheads.launch_ns = 600 * US;
		s[1].graph = graph;
		s[2].graph = same ? graph : other;
		s[1].stream = 1;
		s[2].stream = 2;
		struct observed o = observe(&k, "fifo-cke", NULL);
		assert_ran(&o, 1, 1602 * US, 2602 * US);
		assert_ran(&o, 2, same ? 1602 * US : 2202 * US, same ? 2602 * US : 3202 * US);
		assert_int_equal(observed_response(&o, 0, 0), same ? 3605 * US : 4205 * US);
		observed_finish(&o);
		maker_finish(&k);
	}
}

/* CPU 1-2001 between issue and wait: the kernels have ended at 3007, and sync is over at 3010; with 3 ms on
 * the CPU it is over before the wait. */
TEST("a wait that is late pays no sync")
{
	struct maker k;
	overheads(&k, true);
	k.set.tasks[0].segments[3].kind = SEGMENT_CPU;
	k.set.tasks[0].segments[3].best_ns = k.set.tasks[0].segments[3].worst_ns = 3 * MS;
	k.set.tasks[0].segments[4].kind = SEGMENT_WAIT;
	k.set.tasks[0].segments[4].best_ns = k.set.tasks[0].segments[4].worst_ns = 0;
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_int_equal(observed_response(&o, 0, 0), 4008 * US);
	observed_finish(&o);
	maker_finish(&k);
}

/* The job is late at 8: k1 is on the GPU and runs on to 11, k2 waits for it and is removed; so are d1 and d2.
 */
TEST("an aborted job waits for what runs")
{
	struct maker k;
	two_pipelines(&k, 2, 2);
	k.setup.on_miss = MISS_ABORT;
	k.set.tasks[0].deadline_ns = 8 * MS;
	struct observed o = observe(&k, "fifo-cke", NULL);
	const struct trace_record *end = observed_find(&o, TRACE_JOB_END, 0, 0);
	assert_int_equal(end->how, JOB_ABORTED);
	assert_int_equal(end->time, 11 * MS);
	assert_null(observed_find(&o, TRACE_SPAN, 0, 4)); /* cpu, c1, c2, k1 */
	observed_finish(&o);
	maker_finish(&k);
}

/* The kernel of a higher task is on the GPU until the deadline, when this job has started nothing: its last
 * wait, for nothing any more, is no start either. */
TEST("a job that is aborted before it starts never starts")
{
	struct maker k;
	platform(&k, 1);
	maker_grid(&k, 1, 1024, 9 * MS);
	maker_task(&k, "late", 100 * MS, 5 * MS, 0);
	flies(maker_grid(&k, 1, 1024, 2 * MS), 5);
	maker_grid(&k, 1, 1024, 2 * MS);
	k.setup.on_miss = MISS_ABORT;
	struct observed o = observe(&k, "fifo-cke", NULL);
	const struct trace_record *end = observed_find(&o, TRACE_JOB_END, 1, 0);
	assert_int_equal(end->how, JOB_ABORTED);
	assert_int_equal(end->time, 5 * MS);
	assert_int_equal(end->ready, -1);
	observed_finish(&o);
	maker_finish(&k);
}

/* What job 0 has issued is lost at 5, as it ends. Job 1, released then, has nothing to wait for, and no sync.
 */
TEST("sync is not for what an earlier job has issued")
{
	int64_t releases[] = {0, 5 * MS};
	struct trace_duration none = {.job = 1, .segment = 0, .duration_ns = 0};
	struct release_rule rule = {.kind = RELEASE_TRACE,
		.trace_ns = releases,
		.trace_count = 2,
		.durations = &none,
		.duration_count = 1};
	struct maker k;
	platform(&k, 1);
	maker_grid(&k, 1, 1024, 9 * MS);
	maker_task(&k, "late", 5 * MS, 5 * MS, 0)->release = &rule;
	flies(maker_grid(&k, 1, 1024, 2 * MS), 5);
	k.setup.on_miss = MISS_ABORT;
	k.platform.overheads.sync_ns = MS;
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_int_equal(observed_find(&o, TRACE_JOB_END, 1, 0)->how, JOB_ABORTED);
	assert_int_equal(observed_find(&o, TRACE_JOB_END, 1, 1)->how, JOB_FINISHED);
	assert_int_equal(observed_find(&o, TRACE_JOB_END, 1, 1)->time, 5 * MS);
	observed_finish(&o);
	maker_finish(&k);
}

static bool plan_spinning(struct plan *plan, struct error *err)
{
	(void)err;
	plan->wait = WAIT_BUSY;
	return true;
}

/* While a job waits it suspends: another task has the core. When it spins, it has not. */
TEST("a job that waits suspends or spins")
{
	static const struct policy spinning = {.name = "spinning", .plan = plan_spinning};
	for (int spins = 0; spins < 2; spins++) {
		struct maker k;
		two_pipelines(&k, 2, 2);
		maker_task(&k, "low", 200 * MS, 200 * MS, 0);
		maker_cpu(&k, 5 * MS, 5 * MS);
		struct observed o = spins ? observe_under(&k, &spinning) : observe(&k, "fifo-cke", NULL);
		assert_int_equal(observed_response(&o, 0, 0), 21 * MS);
		assert_int_equal(observed_response(&o, 1, 0), spins ? 26 * MS : 6 * MS);
		observed_finish(&o);
		maker_finish(&k);
	}
}

/* The NULL stream waits for all issued before it, and what is issued behind it waits for it. */
TEST("the NULL stream between two others")
{
	struct maker k;
	platform(&k, 2);
	flies(maker_grid(&k, 1, 256, 4 * MS), 1);
	flies(maker_grid(&k, 1, 256, 2 * MS), STREAM_NULL);
	flies(maker_grid(&k, 1, 256, 3 * MS), 2);
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_ran(&o, 0, 0, 4 * MS);
	assert_ran(&o, 1, 4 * MS, 6 * MS);
	assert_ran(&o, 2, 6 * MS, 9 * MS);
	assert_int_equal(observed_response(&o, 0, 0), 9 * MS);
	observed_finish(&o);
	maker_finish(&k);
}

static bool plan_grants(struct plan *plan, struct error *err)
{
	static uint32_t sms[] = {0, 1}, slots[] = {1, 1};
	static const struct grant grant = {.count = 2, .sm = sms, .slots = slots, .virtual_sms = 2};
	(void)err;
	plan->virtual_sms = 2;
	plan->grants = &grant;
	return true;
}

/* Two blocks are on the two virtual SMs at a time, whichever kernel they are of. */
TEST("a grant is a task's, not a kernel's")
{
	static const struct policy granting = {.name = "granting", .plan = plan_grants};
	struct maker k;
	platform(&k, 2);
	k.platform.sms = 2;
	flies(maker_grid(&k, 2, 256, 4 * MS), 1);
	flies(maker_grid(&k, 2, 256, 4 * MS), 2);
	struct observed o = observe_under(&k, &granting);
	assert_ran(&o, 0, 0, 4 * MS);
	assert_ran(&o, 1, 4 * MS, 8 * MS);
	observed_finish(&o);
	maker_finish(&k);
}

/* Two kernels of a task at a time: 7 and 3 mW on the SM that they share half and half: 5 mW while both are
 * there (0-2), then 7 (2-4). */
TEST("energy of kernels in flight")
{
	struct maker k;
	platform(&k, 2);
	struct segment *a = maker_grid(&k, 1, 512, 4 * MS);
	a->power_uw = 7000;
	flies(a, 1);
	struct segment *b = maker_grid(&k, 1, 512, 2 * MS);
	b->power_uw = 3000;
	flies(b, 2);
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_true(o.energy_uwns == 2 * MS * 5000 + 2 * MS * 7000);
	observed_finish(&o);
	maker_finish(&k);
}

TEST("policies with a gate refuse")
{
	static const char *const policies[] = {"fcfs", "rm", "edf", "mpcp", "self-suspension", "sbeet"};
	for (size_t i = 0; i < sizeof(policies) / sizeof(*policies); i++) {
		struct maker k;
		two_pipelines(&k, 2, 2);
		struct observed o = observe(&k, policies[i], NULL);
		assert_true(o.refused);
		observed_finish(&o);
		maker_finish(&k);
	}
}
