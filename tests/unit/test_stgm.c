/* tests/unit/test_stgm.c - analysis/stgm.c: the response-time test with busy-waiting, its blocking, and the
 * unsafe textbook variant. */
#include "analysis/stgm.h"
#include "tests/unit/analysis_sets.h"

static struct analysis_set s;
static struct stgm_bounds bounds;
static struct stgm_options options;

static int begin(void **state)
{
	options = (struct stgm_options){.exclusive = true};
	set_begin(&s, 5, 2);
	return 0;
}

static int end(void **state)
{
	set_end(&s);
	return 0;
}

EACH_TEST(begin, end);

static void analyse(const uint32_t *sms)
{
	struct error err;
	if (!stgm_analyse(&s.platform, &s.set, s.rank, &options, sms, &s.arena, &bounds, &err))
		fail_msg("%s", err.text);
}

static void check_response(uint32_t task, int64_t response)
{
	const struct stgm_bound *b = &bounds.task[task];
	int64_t sum = b->own + b->copy + b->gpu + b->blocking;
	assert_true(b->analysed);
	assert_int_equal(b->response, response);
	for (uint32_t i = 0; i < s.set.task_count; i++)
		sum += b->interference[i];
	assert_int_equal(sum, response);
}

/* Saha et al.'s setting: CPU, copy, kernel, copy, CPU on exclusive SMs, worked out by hand. */
static void worked_example(void)
{
	set_task(&s, 60, 60, "C3,3 H2,2 G20,20,2,3/2 D1,1 C2,2");
	set_task(&s, 100, 100, "C5,5 H3,3 G30,30,2,3/2 D2,2 C4,4");
	set_task(&s, 200, 200, "C8,8 H4,4 G40,40,3,3/2 D3,3 C6,6");
}

TEST("worked example accepts")
{
	worked_example();
	options.blocking = STGM_BLOCKING_NONE;
	analyse((const uint32_t[]){2, 1, 1});
	assert_true(bounds.verdict.accepted);
	assert_int_equal(bounds.task[0].own + bounds.task[0].copy + bounds.task[0].gpu, 17);
	assert_int_equal(bounds.task[1].own + bounds.task[1].copy + bounds.task[1].gpu, 38);
	assert_int_equal(bounds.task[2].own + bounds.task[2].copy + bounds.task[2].gpu, 53);
	options.blocking = STGM_BLOCKING_SAFE;
	analyse((const uint32_t[]){2, 1, 1});
	assert_true(bounds.verdict.accepted);
	check_response(0, 29);
	check_response(1, 79);
	check_response(2, 180);
}

TEST("worked example rejects")
{
	worked_example();
	analyse((const uint32_t[]){1, 1, 1});
	assert_int_equal(bounds.verdict.failing_task, 2);
	assert_string_equal(bounds.verdict.reason,
		"task 't3': the bound on its response, 287ns, exceeds its deadline, 200ns");
	check_response(0, 36);
	check_response(1, 93);
	check_response(2, 287);
}

/* Task 2's section has started and blocks task 1 with both its copies: a response of 25 occurs, more than
 * 21. */
TEST("textbook blocking is too small")
{
	set_task(&s, 100, 100, "C1,1 H1,1 K3 D1,1 C1,1 H1,1 K3 D1,1 C1,1");
	set_task(&s, 200, 200, "C1,1 H8,8 K1 D8,8 C1,1");
	analyse((const uint32_t[]){1, 1});
	check_response(0, 29);
	options.blocking = STGM_BLOCKING_TEXTBOOK;
	analyse((const uint32_t[]){1, 1});
	check_response(0, 21);
	options.blocking = STGM_BLOCKING_NONE;
	analyse((const uint32_t[]){1, 1});
	check_response(0, 13);
	options.blocking = STGM_BLOCKING_SAFE;
	s.platform.engines = ENGINES_UNLIMITED;
	analyse((const uint32_t[]){1, 1});
	check_response(0, 13);
}

/* Task 2 needs no core and blocks with every job: as often as its periods say only if it has no backlog, and
 * its own bound is beyond its period. Where it computes, it does not matter. */
TEST("what rests on a lower task without a core")
{
	set_task(&s, 100, 100, "C1,1 H2,2 K1 D2,2 C1,1");
	set_task(&s, 50, 200, "H20,20 K36");
	analyse((const uint32_t[]){1, 1});
	assert_true(bounds.task[0].analysed && bounds.task[1].analysed);
	assert_false(bounds.task[0].assumed);
	assert_true(bounds.task[1].assumed);
	set_task(&s, 50, 300, "C1,1 H20,20 K36");
	analyse((const uint32_t[]){1, 1, 1});
	assert_false(bounds.task[2].assumed);
}

/* The heaviest section of each lower task blocks: one copy in the one-copy model, two in the other. */
TEST("every lower task blocks once")
{
	set_task(&s, 100, 100, "C1,1");
	set_task(&s, 200, 200, "C1,1 B3,3 K1 C1,1 B9,9 K1 C1,1");
	set_task(&s, 300, 300, "C1,1 H4,4 K1 D4,4 C1,1 H2,2 K1 D5,5 C1,1");
	analyse((const uint32_t[]){0, 1, 1});
	check_response(0, 1 + 9 + 8);
	assert_int_equal(bounds.task[0].blocking, 17);
	assert_int_equal(bounds.task[1].blocking, 8);
}

/* A lower task does not need the core for a CPU segment that may take no time. And after a job that ends with
 * a section, the next one may begin with a section. */
TEST("sections run on without the core")
{
	set_task(&s, 100, 100, "C1,1");
	set_task(&s, 200, 200, "C1,1 H4,4 K1 D4,4 C0,1 H2,2 K1 D5,5 C1,1");
	analyse((const uint32_t[]){0, 1});
	assert_int_equal(bounds.task[0].blocking, 15);
	set_begin(&s, 5, 2);
	set_task(&s, 100, 100, "C1,1");
	set_task(&s, 200, 200, "H4,4 K1 C1,1 H7,7 K1 C1,1 K1 D5,5");
	analyse((const uint32_t[]){0, 1});
	assert_int_equal(bounds.task[0].blocking, 9);
}

/* A lower task without CPU segments blocks with the job that has started, and with each job released
 * later. */
TEST("tasks without CPU block every time")
{
	set_task(&s, 10, 10, "C3,3");
	set_task(&s, 40, 20, "C3,3");
	set_task(&s, 12, 100, "H2,2 K1"); /* the lowest by deadline */
	s.tasks[2].deadline_ns = 12;
	s.set.priorities = true;
	for (uint32_t i = 0; i < 3; i++)
		s.tasks[i].priority = i;
	taskset_ranks(&s.set, false, s.rank);
	analyse((const uint32_t[]){0, 0, 1});
	check_response(0, 3 + 2 + 2);
	/* 3 + 2: 5 -> 10 -> 10; one job of task 1 and one of task 3 fall into 10. */
	check_response(1, 10);
	assert_int_equal(bounds.task[1].blocking, 4);
}

/* Kernels on shared SMs block, too: task 3's kernel, on the SM of task 1, also blocks task 2, which waits for
 * task 1. */
TEST("kernels on shared SMs block")
{
	s.platform.sms = 2;
	options.exclusive = false;
	set_task(&s, 100, 100, "C1,1 H1,1 K4 C1,1");
	set_task(&s, 200, 200, "C1,1 H1,1 K6 C1,1");
	set_task(&s, 300, 300, "C1,1 H2,2 K20 C1,1");
	/* Utilisations 5/100, 7/200: task 3 goes to SM 1, with task 2. */
	analyse((const uint32_t[]){1, 1, 1});
	check_response(0, 7 + 1 + 2);
	check_response(1, 9 + 22 + 7);
	assert_int_equal(bounds.task[1].blocking, 22);
	/* On both SMs, it shares one with task 1. */
	analyse((const uint32_t[]){1, 1, 2});
	check_response(0, 7 + 1 + 22);
}

TEST("refuses what it does not cover")
{
	worked_example();
	analyse((const uint32_t[]){4, 1, 1});
	assert_string_equal(bounds.verdict.reason, "6 SMs are given of 5");
	analyse((const uint32_t[]){1, 0, 1});
	assert_string_equal(bounds.verdict.reason, "task 't2' cannot run on 0 SMs");
	s.segments[2][3].stream = 1;
	analyse((const uint32_t[]){1, 1, 1});
	assert_int_equal(bounds.verdict.failing_task, 2);
	assert_string_equal(
		bounds.verdict.reason, "task 't3' shares a stream or hardware queue with task 't2'");
}

TEST("overload has no bound")
{
	set_task(&s, 10, 10, "C9,9");
	set_task(&s, 20, 20, "C3,3");
	analyse((const uint32_t[]){0, 0});
	assert_int_equal(bounds.verdict.failing_task, 1);
	assert_int_equal(bounds.task[1].response, 30);
	s.tasks[0].segments[0].best_ns = s.tasks[0].segments[0].worst_ns = 10;
	analyse((const uint32_t[]){0, 0});
	assert_int_equal(bounds.task[1].response, NO_BOUND);
	assert_string_equal(bounds.verdict.reason, "task 't2': no bound on its response was found");
}
