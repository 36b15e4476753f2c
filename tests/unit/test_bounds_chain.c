/* tests/unit/test_bounds_chain.c - bounds of chains: numbers that their authors published, checked by hand
 * (end-to-end_mixed, e2e/analysis.py), and what the analysis refuses. */
#include "tests/support/bounds.h"

static struct maker *const k = &bounds_fixture.k;
static struct bounds *const b = &bounds_fixture.b;

EACH_TEST(bounds_begin, bounds_end);

static uint32_t there[] = {0, 1}, back[] = {1, 0};
static char name[] = "chain";
static struct effect_chain chains[2];

/* a: C 1 of 10; b: C 2 of 20, responses 1 and 3. */
static void make(enum chain_communication communication)
{
	chains[0] = (struct effect_chain){
		.name = name, .tasks = there, .task_count = 2, .communication = communication};
	chains[1] = (struct effect_chain){
		.name = name, .tasks = back, .task_count = 2, .communication = communication};
	bool let = communication == CHAIN_LET;
	maker_task(k, "a", 10, let ? 7 : 10, 0);
	maker_cpu(k, 1, 1);
	maker_task(k, "b", 20, let ? 8 : 20, 0);
	maker_cpu(k, 2, 2);
	k->set.chains = chains;
	k->set.chain_count = 2;
}

static void expect(const char *options, int64_t a_to_b, int64_t b_to_a)
{
	bounds_make(b, k, "rm", NULL, "chain", options);
	assert_false(b->result.refused);
	assert_int_equal(b->result.chain_ns[0], a_to_b);
	assert_int_equal(b->result.chain_ns[1], b_to_a);
}

TEST("published bounds")
{
	make(CHAIN_IMPLICIT);
	expect("method=davare", 34, 34);
	expect("method=duerr", 33, 34);
	expect("method=periodic", 23, 31);
}

TEST("published bounds, with logical execution time")
{
	make(CHAIN_LET);
	expect("method=davare", 45, 45);
	expect("method=duerr", 45, 45);
	expect("method=periodic", 38, 37);
}

/* The first job of b comes at 200: an event behind a's first read, at 0, is seen at 203. */
TEST("a late first job counts like a gap")
{
	make(CHAIN_IMPLICIT);
	k->set.tasks[1].offset_ns = 200;
	expect("method=davare", 203, 34);
	expect("method=periodic", 203, 31);
}

/* b begins with nothing to do, or on the GPU: it may read before a has ended. */
TEST("a higher priority helps only where both begin on the core")
{
	make(CHAIN_IMPLICIT);
	k->set.tasks[1].segments[0].best_ns = 0;
	expect("method=duerr", 34, 34);
}

/* On another core a's job goes on beside b's. */
TEST("a higher priority helps only on the same core")
{
	make(CHAIN_IMPLICIT);
	k->platform.cores = 2;
	k->set.cores = true;
	k->set.tasks[1].core = 1;
	/* b now has its core to itself: 2 in place of 3 */
	expect("method=davare", 33, 33);
	expect("method=duerr", 33, 33);
	k->set.tasks[0].core = 1;
	expect("method=duerr", 33, 34);
	k->platform.scheduling = CORES_GLOBAL;
	k->set.cores = false;
	bounds_make(b, k, "rm", NULL, "chain", NULL);
	assert_true(b->result.chain_ns[0] == NO_BOUND);
}

TEST("limits, and tasks without a bound")
{
	make(CHAIN_IMPLICIT);
	chains[1].age_ns = 33;
	bounds_make(b, k, "rm", NULL, "chain", NULL);
	assert_false(b->result.verdict.accepted);
	assert_non_null(strstr(b->result.verdict.reason, "exceeds its limit"));
	k->set.tasks[1].segments[0].worst_ns = 19;
	bounds_make(b, k, "rm", NULL, "chain", NULL);
	assert_true(b->result.chain_ns[0] == NO_BOUND && b->result.chain_ns[1] == NO_BOUND);
	assert_false(b->result.verdict.accepted);
}

TEST("what it refuses")
{
	struct release_rule sporadic = {.kind = RELEASE_SPORADIC, .max_delay_ppm = 500000};
	make(CHAIN_IMPLICIT);
	k->set.tasks[0].release = &sporadic;
	expect("method=davare", 39, 39);
	bounds_make(b, k, "rm", NULL, "chain", "method=periodic");
	bounds_expect_refused(b, "task 'a' is not periodic: method periodic follows periods");
	k->set.tasks[0].release = NULL;
	k->setup.release = sporadic;
	bounds_make(b, k, "rm", NULL, "chain", NULL);
	assert_true(b->result.refused);
	k->setup.release = (struct release_rule){.kind = RELEASE_PERIODIC};
	k->set.chain_count = 0;
	bounds_make(b, k, "rm", NULL, "chain", NULL);
	bounds_expect_refused(b, "the set has no chains");
}
