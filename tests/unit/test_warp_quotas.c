/* tests/unit/test_warp_quotas.c - models/warps/quotas.c: counters of one SM under every manager, traced by
 * hand from QoS 3.4 and docs/warps.md, "Managers". */
#include "models/warps/quotas.h"
#include "tests/support/test.h"

#define K0 1u
#define K1 2u
#define K2 4u

/* Kernel 0 has a goal and a quota of 100, kernel 1 none and 50; both have blocks here. */
static struct quotas q;
static enum warp_manager manager;
static uint32_t goals, kernels;

static void epoch(void)
{
	quotas_begin(&q, manager, goals, kernels);
	quotas_settle(&q, manager, goals, kernels);
}

static void start(enum warp_manager m)
{
	q = (struct quotas){.quota = {100, 50}, .here = K0 | K1};
	manager = m;
	goals = K0;
	kernels = 2;
	epoch();
}

/* A warp instruction, as the engine issues it. */
static void issue(uint32_t kernel, int64_t threads)
{
	if (quotas_spend(&q, kernel, threads))
		quotas_settle(&q, manager, goals, kernels);
}

static uint32_t held(void)
{
	return q.blocked & ((1u << kernels) - 1);
}

static void counters(int64_t c0, int64_t c1, uint32_t blocked)
{
	assert_int_equal(q.counter[0], c0);
	assert_int_equal(q.counter[1], c1);
	assert_int_equal(held(), blocked);
}

/* 32 and 21 threads of kernel 1 in turn: 50, 18, -3. Kernel 0 has issued nothing. */
static void use_up_kernel_1(void)
{
	assert_int_equal(q.counter[1], 50);
	issue(1, 32);
	assert_int_equal(q.counter[1], 18);
	issue(1, 21);
}

static void use_up_kernel_0(void)
{
	for (int i = 0; i < 3; i++)
		issue(0, 32);
	assert_int_equal(q.counter[0], 4);
	issue(0, 4);
}

/* ---- while kernel 0 has quota left, kernel 1 waits ---- */

TEST("kernel 1 waits for kernel 0")
{
	static const enum warp_manager all[] = {
		MANAGER_NAIVE, MANAGER_HISTORY, MANAGER_ELASTIC, MANAGER_ROLLOVER};
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		start(all[i]);
		counters(100, 50, 0);
		use_up_kernel_1();
		counters(100, -3, K1);
		issue(0, 32);
		counters(68, -3, K1);
		assert_int_equal(q.added[1], 0);
	}
}

/* ---- both used up ---- */

TEST("naive gives the others quota")
{
	static const enum warp_manager all[] = {
		MANAGER_NAIVE, MANAGER_HISTORY, MANAGER_ROLLOVER, MANAGER_ROLLOVER_TIME};
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		start(all[i]);
		use_up_kernel_0();
		counters(0, 50, K0);
		use_up_kernel_1();
		counters(0, 47, K0);
		assert_int_equal(q.added[0], 0);
		assert_int_equal(q.added[1], 50);
		assert_int_equal(q.start[1], 50);
		epoch();
		counters(100, 50, manager == MANAGER_ROLLOVER_TIME ? K1 : 0);
		assert_int_equal(q.added[1], 0);
	}
}

/* The order in which quotas are used up does not matter. */
TEST("naive gives when the goals are used up")
{
	start(MANAGER_NAIVE);
	use_up_kernel_1();
	use_up_kernel_0();
	counters(0, 47, K0);
}

TEST("elastic starts anew")
{
	start(MANAGER_ELASTIC);
	for (int i = 0; i < 3; i++)
		issue(0, 32);
	issue(0, 16);
	counters(-12, 50, K0);
	use_up_kernel_1();
	counters(88, 47, 0);
	assert_int_equal(q.added[0], 100);
	assert_int_equal(q.added[1], 50);
	epoch();
	counters(100, 50, 0);
}

/* ---- the next epoch ---- */

TEST("only rollover keeps what is left")
{
	for (int m = MANAGER_NAIVE; m <= MANAGER_ROLLOVER_TIME; m++) {
		bool rolls = m == MANAGER_ROLLOVER || m == MANAGER_ROLLOVER_TIME;
		start((enum warp_manager)m);
		issue(0, 28);
		issue(0, 32);
		issue(1, 10);
		epoch();
		assert_int_equal(q.counter[0], rolls ? 140 : 100);
		assert_int_equal(q.start[0], rolls ? 140 : 100);
		assert_int_equal(q.counter[1], 50);
	}
}

/* What was issued beyond the quota is not carried over. */
TEST("a debt is not kept")
{
	start(MANAGER_ROLLOVER);
	use_up_kernel_0();
	q.counter[0] = -31;
	epoch();
	counters(100, 50, 0);
}

/* ---- rollover-time: first the goals ---- */

TEST("rollover time lets goals go first")
{
	start(MANAGER_ROLLOVER_TIME);
	counters(100, 50, K1);
	use_up_kernel_0();
	counters(0, 50, K0);
	use_up_kernel_1();
	counters(0, 47, K0);
	/* No block of kernel 0 is on this SM any more: there is nothing to wait for. */
	epoch();
	counters(100, 50, K1);
	q.here = K1;
	quotas_settle(&q, manager, goals, kernels);
	counters(100, 50, 0);
}

/* ---- several rounds at once ---- */

TEST("as many rounds as it takes")
{
	static const struct {
		int64_t quota, before, after;
	} rows[] = {
		{1, -31, 1}, {5, -31, 4}, {5, -30, 5}, {5, -1, 4}, {5, 0, 5}, {31, -31, 31}, {32, -31, 1}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		start(MANAGER_NAIVE);
		use_up_kernel_0();
		q.quota[1] = rows[i].quota;
		q.counter[1] = rows[i].before;
		quotas_settle(&q, manager, goals, kernels);
		counters(0, rows[i].after, K0);
		assert_int_equal(q.added[1], rows[i].after - rows[i].before);
	}
}

/* All kernels get the same number of rounds: as many as the first one needs. */
TEST("elastic stops with the first")
{
	start(MANAGER_ELASTIC);
	q.quota[0] = 10;
	q.quota[1] = 1;
	q.counter[0] = -31;
	q.counter[1] = -20;
	quotas_settle(&q, manager, goals, kernels);
	counters(9, -16, K1);
	assert_int_equal(q.added[0], 40);
	assert_int_equal(q.added[1], 4);
}

/* ---- who is here ---- */

TEST("nobody here")
{
	for (int m = MANAGER_NAIVE; m <= MANAGER_ROLLOVER_TIME; m++) {
		start((enum warp_manager)m);
		q.here = 0;
		q.counter[0] = q.counter[1] = -3;
		quotas_settle(&q, manager, goals, kernels);
		counters(-3, -3, K0 | K1);
	}
}

/* A kernel with a goal that has no block here holds back no other. */
TEST("only kernels here count")
{
	for (int m = MANAGER_NAIVE; m <= MANAGER_ROLLOVER_TIME; m++) {
		start((enum warp_manager)m);
		q.here = K1;
		quotas_settle(&q, manager, goals, kernels);
		use_up_kernel_1();
		counters(100, 47, 0);
		assert_int_equal(q.added[0], 0);
	}
}

/* A kernel without a goal that has no block here gets nothing. */
TEST("who is elsewhere gets nothing")
{
	for (int m = MANAGER_NAIVE; m <= MANAGER_ROLLOVER_TIME; m++) {
		start((enum warp_manager)m);
		q.here = K0;
		q.counter[1] = -3;
		use_up_kernel_0();
		counters(manager == MANAGER_ELASTIC ? 100 : 0, -3, manager == MANAGER_ELASTIC ? K1 : K0 | K1);
	}
}

/* Two goals, and both must be used up. Kernel 2, without a goal, has quota left and gets none. */
TEST("all goals must be used up")
{
	start(MANAGER_NAIVE);
	kernels = 4;
	goals = K0 | K1;
	q.quota[2] = 20;
	q.quota[3] = 30;
	q.here = 15;
	epoch();
	use_up_kernel_0();
	issue(2, 32);
	counters(0, 50, K0 | K2);
	issue(1, 32);
	issue(1, 32);
	counters(0, -14, K0 | K1);
	assert_int_equal(q.counter[2], 8);
	assert_int_equal(q.counter[3], 30);
	assert_int_equal(q.added[3], 0);
}
