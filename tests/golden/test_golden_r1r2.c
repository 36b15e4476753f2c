/* tests/golden/test_golden_r1r2.c - results that follow from rules R1 and R2 (Yang & Anderson, "Response-Time
 * Bounds for Concurrent GPU Scheduling", Examples 1 and 2, Theorem 1) and from the two orders of the primary
 * queue. All are checked to the nanosecond. */
#include "tests/support/harness.h"
#include "tests/support/test.h"

#define US INT64_C(1000)

static void pooled(struct maker *k, uint32_t threads)
{
	k->platform.sms = 1;
	k->platform.threads_per_sm = threads;
	k->platform.pool = POOL_GPU;
}

/* One kernel on each of four streams at 0, and the next kernel of stream 1 at 8. Times are in tenths of a
 * ms. */
static void example_1(struct maker *k, int64_t k4_block)
{
	const int64_t tenth = MS / 10;
	maker_init(k, 10 * MS);
	pooled(k, 4096);
	maker_task(k, "t1", 8 * MS, 8 * MS, 0);
	maker_grid(k, 1, 1024, 38 * tenth);
	maker_task(k, "t2", 16 * MS, 16 * MS, 0);
	maker_grid(k, 7, 512, 60 * tenth);
	maker_task(k, "t3", 17 * MS, 17 * MS, 0);
	maker_grid(k, 1, 1024, 60 * tenth);
	maker_task(k, "t4", 18 * MS, 18 * MS, 0);
	maker_grid(k, 5, 512, k4_block);
}

static void assert_blocks(
	const struct observed *o, uint32_t task, uint32_t n, uint32_t count, int64_t start, int64_t end)
{
	const struct trace_record *r = observed_find(o, TRACE_BLOCKS_END, task, n);
	assert_non_null(r);
	assert_int_equal(r->count, count);
	assert_int_equal(r->start, start);
	assert_int_equal(r->time, end);
}

TEST("example 1 with 11.2")
{
	struct maker k;
	example_1(&k, 11200 * US);
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_blocks(&o, 0, 0, 1, 0, 3800 * US);
	assert_blocks(&o, 1, 0, 6, 0, 6000 * US);
	assert_blocks(&o, 1, 1, 1, 3800 * US, 9800 * US);
	assert_blocks(&o, 2, 0, 1, 6000 * US, 12000 * US);
	assert_blocks(&o, 3, 0, 5, 6000 * US, 17200 * US);
	assert_blocks(&o, 0, 1, 1, 12000 * US, 15800 * US); /* K5 at the end of K3: rule R1 */
	observed_finish(&o);
	maker_finish(&k);
}

TEST("example 1 with 5.2")
{
	struct maker k;
	example_1(&k, 5200 * US);
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_blocks(&o, 3, 0, 5, 6000 * US, 11200 * US);
	assert_blocks(&o, 0, 1, 1, 11200 * US, 15000 * US); /* K5 at the end of K4: the paper's text */
	observed_finish(&o);
	maker_finish(&k);
}

TEST("example 2 utilisation")
{
	struct maker k;
	example_1(&k, 11200 * US);
	struct utilisation u = taskset_utilisation(&k.set, &k.platform);
	assert_true(u.threads > 3784.65 && u.threads < 3784.75);
	maker_finish(&k);
}

/* Theorem 1 with eps = 0.05: tau1 = k/b_max blocks of b_max threads, tau2 = m - k blocks of 1, tau3 =
 * k - b_max + 1 blocks of 1, all every 1 ms. */
static void theorem_1(struct maker *k, uint32_t threads, uint32_t tau2, int64_t jobs)
{
	maker_init(k, jobs * MS);
	pooled(k, threads);
	maker_task(k, "tau1", MS, MS, 0);
	maker_grid(k, 5, 8, 50 * US);
	if (tau2) {
		maker_task(k, "tau2", MS, MS, 0);
		maker_grid(k, tau2, 1, MS);
	}
	maker_task(k, "tau3", MS, MS, 0);
	maker_grid(k, 33, 1, MS);
}

TEST("theorem 1 with empty tau2")
{
	struct maker k;
	theorem_1(&k, 40, 0, 100);
	struct observed o = observe(&k, "fifo-cke", NULL);
	for (uint32_t j = 1; j <= 100; j++)
		assert_int_equal(observed_response(&o, 1, j - 1), MS + 50 * US * j);
	observed_finish(&o);
	maker_finish(&k);
}

/* The last release is job 200: later jobs would delay it, too. */
TEST("theorem 1 with tau2")
{
	static const int64_t first[] = {1050, 1100, 1150, 1200, 1250, 1250};
	struct maker k;
	theorem_1(&k, 43, 3, 200);
	struct observed o = observe(&k, "fifo-cke", NULL);
	for (uint32_t j = 0; j < 6; j++)
		assert_int_equal(observed_response(&o, 2, j), first[j] * US);
	assert_int_equal(observed_response(&o, 2, 59), 3500 * US);
	assert_int_equal(observed_response(&o, 2, 199), 9050 * US);
	observed_finish(&o);
	maker_finish(&k);
}

/* The attacker is released 1 ms before each completion of the victim, which depends on the order. */
static void victim(struct maker *k, int64_t *attacks, uint32_t count)
{
	maker_init(k, 10000 * MS);
	k->setup.limit_ns = 100000 * MS;
	pooled(k, 4);
	maker_task(k, "victim", 1000 * MS, 1000 * MS, 0);
	maker_grid(k, 1, 1, 1000 * MS);
	maker_task(k, "attacker", 1000 * MS, 1000 * MS, 0);
	maker_grid(k, 4, 1, 10 * MS);
	maker_trace(k, attacks, count);
}

TEST("head order is unbounded")
{
	int64_t attacks[9];
	struct maker k;
	for (int j = 0; j < 9; j++) /* completions: 1000, 2009, 3018, ... */
		attacks[j] = (1009 * j + 999) * MS;
	victim(&k, attacks, 9);
	struct observed o = observe(&k, "fifo-cke", "order=head");
	for (uint32_t j = 0; j < 9; j++)
		assert_int_equal(observed_response(&o, 0, j), (1000 + 9 * (int64_t)j) * MS);
	observed_finish(&o);
	maker_finish(&k);
}

/* A kernel without shared memory keeps an SM from dividing its memory: the one with shared memory waits until
 * the SM is empty (docs/model.md, "Carve-out"), though there is room by every limit. Without divisions it
 * does not. */
TEST("carve out")
{
	for (int divided = 0; divided < 2; divided++) {
		struct maker k;
		maker_init(&k, MS);
		k.platform.sms = 1;
		k.platform.threads_per_sm = 2048;
		k.platform.shared_memory_per_sm = 96 * 1024;
		if (divided)
			k.platform.divisions = (struct divisions){3, {0, 64 * 1024, 96 * 1024}};
		maker_task(&k, "plain", 10 * MS, 10 * MS, 0);
		maker_grid(&k, 1, 512, 5 * MS);
		maker_task(&k, "shared", 10 * MS, 10 * MS, 0);
		maker_grid(&k, 2, 256, 2 * MS)->shared_memory = 40 * 1024;
		struct observed o = observe(&k, "fifo-cke", NULL);
		assert_blocks(&o, 0, 0, 1, 0, 5 * MS);
		for (uint32_t b = 0; b < 2; b++)
			assert_blocks(&o, 1, b, 1, divided ? 5 * MS : 0, divided ? 7 * MS : 2 * MS);
		observed_finish(&o);
		maker_finish(&k);
	}
}

TEST("release order is bounded")
{
	int64_t attacks[9];
	struct maker k;
	attacks[0] = 999 * MS;
	for (int j = 1; j < 9; j++) /* completions: 1000, 2009, 3009, 4009, ... */
		attacks[j] = (1000 * (j + 1) + 8) * MS;
	victim(&k, attacks, 9);
	struct observed o = observe(&k, "fifo-cke", "order=release");
	assert_int_equal(observed_response(&o, 0, 0), 1000 * MS);
	for (uint32_t j = 1; j < 9; j++)
		assert_int_equal(observed_response(&o, 0, j), 1009 * MS);
	observed_finish(&o);
	maker_finish(&k);
}
