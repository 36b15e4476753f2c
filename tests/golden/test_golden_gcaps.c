/* tests/golden/test_golden_gcaps.c - GPU sections that preempt each other by calls of the driver, by hand and
 * after the drawings of Wang, Liu, Wong, Kim, "GCAPS", ECRTS 2024 (docs/model.md, "Contexts": G1 to G5). Of
 * the miscellaneous CPU work of a section, which the paper has inside of it, 1 ms is in front of the begin
 * call and the rest behind the end call. */
#include "tests/support/harness.h"
#include "tests/support/test.h"

#define US INT64_C(1000)

static void begin(struct maker *k, uint32_t cores)
{
	maker_init(k, 240 * MS);
	k->platform.sms = 1;
	k->platform.threads_per_sm = 1024;
	k->platform.cores = cores;
	k->set.cores = cores > 1;
}

static struct task *task(struct maker *k, int32_t core, int64_t period, int64_t offset)
{
	struct task *t = maker_task(k, "t", period * MS, period * MS, offset * MS);
	t->core = core;
	return t;
}

/* Kernel or, of odd number, CPU segment behind the one before: 3 | 4 | 6 is cpu 3, kernel 4, cpu 6. */
static void segments(struct maker *k, uint32_t count, const int64_t *ms)
{
	for (uint32_t i = 0; i < count; i++) {
		if (i % 2)
			maker_grid(k, 1, 1024, ms[i] * MS);
		else
			maker_cpu(k, ms[i] * MS, ms[i] * MS);
	}
}
#define SEGMENTS(k, ...)                                                                                     \
	segments(k, sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (const int64_t[]){__VA_ARGS__})

/* A time of calls, or of the GPU, in ms. */
struct edge {
	uint32_t task;
	int64_t start, end;
};

static void assert_edges(const struct observed *o, bool calls, const struct edge *edges, size_t count)
{
	size_t found = 0;
	for (size_t i = 0; i < o->count; i++) {
		const struct trace_record *r = &o->records[i];
		if (r->kind != TRACE_SPAN || r->time > 211 * MS ||
			(calls ? r->span != SPAN_CALL : r->resource != RESOURCE_GPU))
			continue;
		assert_true(found < count);
		const struct edge *e = &edges[found++];
		if (r->task != e->task || r->start != e->start * MS || r->time != e->end * MS)
			fail_msg("t%u %lld-%lld, expected t%u %lld-%lld", r->task, (long long)(r->start / MS),
				(long long)(r->time / MS), e->task, (long long)e->start, (long long)e->end);
	}
	assert_int_equal(found, count);
}
#define EDGES(o, calls, ...)                                                                                 \
	assert_edges(o, calls, (const struct edge[]){__VA_ARGS__},                                           \
		sizeof((struct edge[]){__VA_ARGS__}) / sizeof(struct edge))

/* Table 2. */
static void table2(struct maker *k)
{
	begin(k, 2);
	task(k, 0, 80, 0);
	SEGMENTS(k, 3, 4, 6, 2, 4);
	task(k, 0, 150, 0);
	SEGMENTS(k, 40);
	task(k, 1, 190, 70);
	SEGMENTS(k, 5, 80, 34);
	task(k, 0, 200, 0);
	SEGMENTS(k, 17, 10, 3);
}

static void assert_responses(const struct observed *o, uint32_t job, const int64_t *ms)
{
	for (uint32_t i = 0; i < 4; i++)
		if (ms[i])
			assert_int_equal(observed_response(o, i, job), ms[i] * MS);
}

TEST("figure 5a, edge by edge")
{
	struct maker k;
	table2(&k);
	struct observed o = observe(&k, "gcaps", "update=1ms,call=1ms");
	assert_responses(&o, 0, (int64_t[]){23, 57, 137, 211});
	assert_responses(&o, 1, (int64_t[]){23, 57, 0, 43});
	EDGES(&o, true, {0, 3, 4}, {0, 8, 9}, {0, 15, 16}, {0, 18, 19}, {3, 74, 75}, {2, 75, 76}, {0, 83, 84},
		{0, 88, 89}, {0, 95, 96}, {0, 98, 99}, {0, 163, 164}, {0, 168, 169}, {2, 172, 173},
		{0, 175, 176}, {0, 178, 179}, {3, 207, 208});
	EDGES(&o, false, {0, 4, 8}, {0, 16, 18}, {2, 76, 83}, {0, 84, 88}, {2, 89, 95}, {0, 96, 98},
		{2, 99, 163}, {0, 164, 168}, {2, 169, 172}, {3, 173, 175}, {0, 176, 178}, {3, 179, 187});
	observed_finish(&o);
	maker_finish(&k);
}

/* On the GPU t3 goes before t2. */
TEST("figure 5b: GPU priorities of their own")
{
	struct maker k;
	table2(&k);
	k.set.gpu_priorities = true;
	for (uint32_t i = 0; i < 4; i++)
		k.set.tasks[i].gpu_priority = (int64_t[]){1, 2, 4, 3}[i];
	struct observed o = observe(&k, "gcaps", "update=1ms,call=1ms");
	assert_responses(&o, 0, (int64_t[]){23, 57, 154, 105});
	observed_finish(&o);
	maker_finish(&k);
}

static void fig3b(const char *option, const int64_t *us)
{
	static const int64_t time[3][4] = {
		{2000, 750, 2000, 750}, {1000, 2250, 2750, 1250}, {0, 750, 5000, 750}};
	struct maker k;
	begin(&k, 2);
	for (uint32_t i = 0; i < 3; i++) {
		maker_task(&k, "t", 240 * MS, 240 * MS, time[i][0] * US)->core = i > 0;
		maker_cpu(&k, time[i][1] * US, time[i][1] * US);
		maker_grid(&k, 1, 1024, time[i][2] * US);
		maker_cpu(&k, time[i][3] * US, time[i][3] * US);
	}
	struct observed o = observe(&k, "gcaps", option);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(observed_response(&o, i, 0), us[i] * US);
	observed_finish(&o);
	maker_finish(&k);
}

/* t1 takes 3.5 and two calls. */
TEST("figure 3b, with calls of 0 and of 0.25 ms")
{
	fig3b("update=0,call=0", (int64_t[]){3500, 7750, 11250});
	fig3b("update=250us,call=250us", (int64_t[]){4000, 8500, 12500});
}

/* t1's end call waits for its core behind t0, and t2 for the GPU that t1 still owns (docs/findings.md, 16).
 */
TEST("an end call that waits for its core")
{
	struct maker k;
	begin(&k, 2);
	task(&k, 0, 100, 12);
	SEGMENTS(&k, 40);
	task(&k, 0, 200, 0);
	SEGMENTS(&k, 1, 10, 1);
	task(&k, 1, 300, 5);
	SEGMENTS(&k, 1, 5, 1);
	struct observed o = observe(&k, "gcaps", "update=1ms,call=1ms");
	assert_int_equal(observed_response(&o, 2, 0), 55 * MS);
	observed_finish(&o);
	maker_finish(&k);
}

/* Each of the four calls of t0 waits for one of a lower task (docs/findings.md, 17). */
TEST("every call waits for a lower one")
{
	static const int64_t offset[] = {118, 197, 236, 315};
	struct maker k;
	begin(&k, 5);
	k.setup.horizon_ns = 10000 * MS;
	task(&k, 0, 10000, 100);
	SEGMENTS(&k, 20, 60, 20, 60, 20);
	for (int32_t i = 0; i < 4; i++) {
		task(&k, i + 1, 10001 + i, offset[i]);
		SEGMENTS(&k, 1, 600, 1);
	}
	struct observed o = observe(&k, "gcaps", "update=10ms,call=10ms");
	assert_int_equal(observed_response(&o, 0, 0), 256 * MS);
	observed_finish(&o);
	maker_finish(&k);
}

/* An aborted job ends its section early, with a call: t2 is aborted 13 after each release, and so calls again
 * and again while t1 is inside of its section, and in the way of t0's end calls. The analysis `gcaps` bounds
 * t1 by 215 for jobs that go on to their ends (docs/analyses.md, "gcaps"). */
static void calls_of_aborted_jobs(enum on_miss on_miss, bool exceeds)
{
	struct maker k;
	begin(&k, 3);
	task(&k, 1, 21, 0);
	SEGMENTS(&k, 1, 1, 1);
	task(&k, 0, 239, 0);
	SEGMENTS(&k, 1, 90, 1);
	task(&k, 2, 13, 9);
	SEGMENTS(&k, 1, 5, 1);
	k.set.priorities = true;
	for (uint32_t i = 0; i < 3; i++)
		k.set.tasks[i].priority = (int32_t)i;
	k.setup.on_miss = on_miss;
	struct observed o = observe(&k, "gcaps", "update=4ms,call=4ms");
	if (exceeds)
		assert_int_equal(observed_response(&o, 1, 0), 220 * MS);
	else
		assert_true(observed_response(&o, 1, 0) <= 215 * MS);
	observed_finish(&o);
	maker_finish(&k);
}

TEST("aborted jobs break the bound")
{
	calls_of_aborted_jobs(MISS_ABORT, true);
	calls_of_aborted_jobs(MISS_CONTINUE, false);
}
