/* tests/unit/test_allocation.c - analysis/rtgpu_allocate.c and analysis/stgm_allocate.c: allocations worked
 * out by hand, SM ids, refusals, and what `admit: any` runs. */
#include "analysis/rtgpu.h"
#include "analysis/shares.h"
#include "analysis/sm_sets.h"
#include "analysis/stgm.h"
#include "tests/unit/analysis_sets.h"

static struct analysis_set s;
static struct error err;

static int begin(void **state)
{
	set_begin(&s, 5, 2);
	return 0;
}

static int end(void **state)
{
	set_end(&s);
	return 0;
}

/* ---- RTGPU ---- */

static struct rtgpu_request request;
static struct rtgpu_allocation a;

static int begin_rtgpu(void **state)
{
	request = (struct rtgpu_request){0};
	return begin(state);
}

static void allocate(void)
{
	if (!rtgpu_allocate(&s.platform, &s.set, s.rank, &request, &s.arena, &a, &err))
		fail_msg("%s", err.text);
}

static void check_virtual_sms(const uint32_t *virtual_sms)
{
	for (uint32_t i = 0; i < s.set.task_count; i++)
		assert_int_equal(a.virtual_sms[i], virtual_sms[i]);
}

#define LIST(...) ((const uint32_t[]){__VA_ARGS__})

static void check_grant(const struct grant *g, uint32_t count, const uint32_t *sm, const uint32_t *slots)
{
	assert_int_equal(g->count, count);
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(g->sm[i], sm[i]);
		if (slots)
			assert_int_equal(g->slots[i], slots[i]);
		else
			assert_null(g->slots);
	}
}

static void two_copy_example(void)
{
	set_task(&s, 40, 36, "C2,3 H1,2 G16,20,2,3/2 D1,1 C1,2");
	set_task(&s, 90, 80, "C2,4 H2,3 G24,30,2,3/2 D1,2 C1,3 H2,2 G12,16,1,7/5 D1,2 C2,2");
	set_task(&s, 150, 150, "C4,6 H3,4 G40,48,3,8/5 D2,3 C3,5");
}

TEST("worked example", .setup_func = begin_rtgpu, .teardown_func = end)
{
	two_copy_example();
	for (int search = 0; search < 2; search++) {
		request.search = search ? RTGPU_GRID : RTGPU_GREEDY;
		allocate();
		assert_true(a.verdict.accepted);
		assert_false(a.refused);
		assert_int_equal(a.steps.virtual_sms, 2);
		assert_int_equal(a.steps.step, 2);
		assert_int_equal(a.steps.total, 10);
		check_virtual_sms(LIST(2, 4, 2));
		check_grant(&a.grants[0], 1, LIST(0), LIST(2));
		check_grant(&a.grants[1], 2, LIST(1, 2), LIST(2, 2));
		check_grant(&a.grants[2], 1, LIST(3), LIST(2));
		assert_int_equal(a.grants[1].virtual_sms, 4);
	}
}

TEST("worked example with one copy", .setup_func = begin_rtgpu, .teardown_func = end)
{
	set_task(&s, 40, 36, "C2,3 B2,3 G16,20,2,3/2 C1,2");
	set_task(&s, 90, 80, "C2,4 B3,5 G24,30,2,3/2 C1,3 B3,4 G12,16,1,7/5 C2,2");
	set_task(&s, 150, 150, "C4,6 B5,7 G40,48,3,8/5 C3,5");
	for (int search = 0; search < 2; search++) {
		request.search = search ? RTGPU_GRID : RTGPU_GREEDY;
		allocate();
		assert_true(a.verdict.accepted);
		check_virtual_sms(LIST(2, 4, 2));
	}
}

static void non_monotone_example(void)
{
	set_task(&s, 39, 39, "C0,6 B2,4 G15,22,1,1/1 C1,1");
	set_task(&s, 78, 78, "C3,4 B2,3 G23,25,2,3/2 C2,3");
	set_task(&s, 108, 108, "C5,5 B1,2 G12,19,1,3/2 C0,4 B2,2 G20,26,1,1/1 C2,2");
}

TEST("a given allocation is tested", .setup_func = begin_rtgpu, .teardown_func = end)
{
	non_monotone_example();
	allocate();
	assert_true(a.verdict.accepted);
	check_virtual_sms(LIST(2, 2, 2));
	request.given = LIST(2, 2, 2);
	allocate();
	assert_true(a.verdict.accepted);
	/* Two more for task 1: two more than there are. */
	request.given = LIST(4, 2, 2);
	allocate();
	assert_true(a.refused);
	assert_int_equal(a.verdict.failing_task, 2);
	assert_string_equal(a.verdict.reason,
		"task 't3': with 2 virtual SMs its response is bounded by 112ns only; deadline 108ns");
	request.admit_any = true;
	allocate();
	assert_false(a.refused);
	assert_false(a.verdict.accepted);
	check_virtual_sms(LIST(4, 2, 2));
	check_grant(&a.grants[0], 2, LIST(0, 1), LIST(2, 2));
	request.options.form = RTGPU_START_TIME;
	allocate();
	assert_true(a.verdict.accepted);
}

static void check_given_error(const uint32_t *given, const char *text)
{
	request.given = given;
	assert_false(rtgpu_allocate(&s.platform, &s.set, s.rank, &request, &s.arena, &a, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_string_equal(err.text, text);
}

TEST("a given allocation must be one", .setup_func = begin_rtgpu, .teardown_func = end)
{
	non_monotone_example();
	set_task(&s, 500, 500, "C1,1");
	check_given_error(
		LIST(2, 3, 2, 0), "task 't2' gets 3 virtual SMs; here they are given in multiples of 2");
	check_given_error(LIST(2, 0, 2, 0), "task 't2' has kernels and gets no virtual SMs");
	check_given_error(LIST(2, 2, 2, 2), "task 't4' has no kernels and gets 2 virtual SMs");
	check_given_error(LIST(6, 4, 2, 0), "12 virtual SMs are given of 10");
}

/* Twelve tasks on three SMs (RTGPU, Fig. 12): four virtual SMs per SM, one for each. */
TEST("twelve tasks on three SMs", .setup_func = begin_rtgpu, .teardown_func = end)
{
	set_begin(&s, 3, 0);
	for (int i = 0; i < 12; i++)
		set_task(&s, 4000 + i, 4000 + i, "C1,2 H1,1 G50,80,1,3/2 D1,1 C1,2");
	for (uint32_t i = 0; i < 12; i++)
		s.alpha[i][2].virtual_sms = 4;
	s.alpha[5][2].numerator = 6;
	allocate();
	assert_true(a.verdict.accepted);
	assert_int_equal(a.steps.virtual_sms, 4);
	assert_int_equal(a.steps.step, 1);
	for (uint32_t i = 0; i < 12; i++) {
		assert_int_equal(a.virtual_sms[i], 1);
		check_grant(&a.grants[i], 1, LIST(i / 4), LIST(1));
	}
}

/* A task can have virtual SMs of two SMs that it shares with others. */
TEST("grants cross shared SMs", .setup_func = begin_rtgpu, .teardown_func = end)
{
	set_begin(&s, 2, 2);
	set_task(&s, 100, 100, "C1,1 H1,1 G10,10,0,1/1 D1,1 C1,1");
	set_task(&s, 200, 78, "C1,1 H1,1 G100,100,0,1/1 D1,1 C1,1");
	set_task(&s, 900, 900, "C1,1 H1,1 G10,10,0,1/1 D1,1 C1,1");
	s.set.priorities = true;
	for (uint32_t i = 0; i < 3; i++)
		s.tasks[i].priority = i;
	taskset_ranks(&s.set, false, s.rank);
	allocate();
	assert_true(a.verdict.accepted);
	check_virtual_sms(LIST(1, 2, 1));
	check_grant(&a.grants[0], 1, LIST(0), LIST(1));
	check_grant(&a.grants[1], 2, LIST(0, 1), LIST(1, 1));
	check_grant(&a.grants[2], 1, LIST(1), LIST(1));
}

TEST("virtual SMs per SM are chosen", .setup_func = begin_rtgpu, .teardown_func = end)
{
	static const uint32_t tasks_sms_v[][3] = {
		{0, 3, 2},
		{3, 3, 2},
		{6, 3, 2},
		{7, 3, 4},
		{12, 3, 4},
		{13, 3, 8},
		{9, 1, 16},
	};
	for (size_t i = 0; i < sizeof(tasks_sms_v) / sizeof(tasks_sms_v[0]); i++) {
		set_begin(&s, tasks_sms_v[i][1], 0);
		for (uint32_t j = 0; j < tasks_sms_v[i][0]; j++)
			set_task(&s, 100, 100, "K1");
		struct rtgpu_steps steps = rtgpu_steps(&s.platform, &s.set);
		assert_int_equal(steps.virtual_sms, tasks_sms_v[i][2]);
		assert_int_equal(steps.step, tasks_sms_v[i][0] <= tasks_sms_v[i][1] ? steps.virtual_sms : 1);
		s.platform.virtual_sms_per_sm = 3;
		assert_int_equal(rtgpu_steps(&s.platform, &s.set).virtual_sms, 3);
	}
}

static void check_refused(uint32_t task, const char *reason)
{
	allocate();
	assert_true(a.refused);
	assert_int_equal(a.verdict.failing_task, task);
	assert_string_equal(a.verdict.reason, reason);
}

TEST("refusals name the first task that fails", .setup_func = begin_rtgpu, .teardown_func = end)
{
	two_copy_example();
	s.tasks[1].deadline_ns = 55;
	check_refused(1, "task 't2': with 8 virtual SMs its response is bounded by 63ns only; deadline 55ns");
	s.tasks[1].deadline_ns = 80;
	s.platform.sms = 3;
	check_refused(2, "task 't3': no virtual SMs are left for it");
	s.tasks[0].segments[0].worst_ns = 90;
	s.platform.sms = 5;
	check_refused(
		0, "task 't1': with 10 virtual SMs its response is bounded by 108ns only; deadline 36ns");
}

TEST("what cannot run stays refused", .setup_func = begin_rtgpu, .teardown_func = end)
{
	two_copy_example();
	request.admit_any = true;
	s.platform.sms = 1;
	check_refused(NO_FAILING_TASK, "3 tasks have kernels, and there are 2 virtual SMs");
	s.platform.sms = 5;
	s.platform.virtual_sms_per_sm = 3;
	check_refused(
		0, "task 't1': the kernel of segment 2 has no interleave ratio for 3 virtual SMs per SM");
	s.platform.virtual_sms_per_sm = 2;
	s.platform.pool = POOL_GPU;
	check_refused(NO_FAILING_TASK, "tasks cannot have SMs of their own with pool: gpu");
	s.platform.pool = POOL_SM;
	/* A shared stream makes the analysis invalid, and changes nothing else. */
	s.segments[2][3].stream = 0;
	allocate();
	assert_false(a.refused);
	assert_false(a.verdict.accepted);
	assert_int_equal(a.verdict.failing_task, 2);
	check_virtual_sms(LIST(2, 4, 2));
	request.admit_any = false;
	check_refused(2, "task 't3' shares a stream or hardware queue with task 't1'");
}

/* With more overhead than work, more virtual SMs take longer: 11 on 2, 19 on 10. */
TEST("more overhead than work", .setup_func = begin_rtgpu, .teardown_func = end)
{
	set_task(&s, 15, 15, "C1,1 G2,2,20,1/1 C1,1");
	allocate();
	assert_true(a.verdict.accepted);
	check_virtual_sms(LIST(2));
	/* Pinning takes as long on any number: 1 + 2 / 2 + 11 + 1 on 2, never less than 12 + 1. */
	s.segments[0][1].overhead_ns = 0;
	s.platform.pin_overhead_ns = 11;
	allocate();
	assert_true(a.verdict.accepted);
	check_virtual_sms(LIST(2));
	s.platform.pin_overhead_ns = 13;
	allocate();
	assert_false(a.verdict.accepted);
}

/* Blocks that do not fit a virtual SM are refused if several tasks get virtual SMs of one SM. */
TEST("large blocks are refused on shared SMs", .setup_func = begin_rtgpu, .teardown_func = end)
{
	set_begin(&s, 1, 2);
	set_task(&s, 100, 100, "K1");
	set_task(&s, 100, 100, "K1");
	s.platform.threads_per_sm = 1024;
	s.segments[1][0].block = 513;
	check_refused(
		1, "task 't2': blocks of the kernel of segment 0 are too large for 2 virtual SMs per SM");
	s.segments[1][0].block = 512;
	allocate();
	assert_true(a.verdict.accepted);
}

static void shares(
	uint32_t tasks, const uint32_t *least, uint32_t kept, uint32_t total, const uint32_t *wanted)
{
	struct chains chains;
	uint32_t steps[8];
	set_begin(&s, 1, 1);
	for (uint32_t i = 0; i < tasks; i++)
		set_task(&s, 100, 100, i == 2 ? "C1,1" : "K1");
	assert_true(chains_build(&s.platform, &s.set, s.rank, &s.arena, &chains, &err));
	memcpy(steps, least, tasks * sizeof(*steps));
	shares_anyway(&chains, 0, kept, total, steps);
	for (uint32_t i = 0; i < tasks; i++)
		assert_int_equal(steps[i], wanted[i]);
	set_end(&s);
}

/* Task 3 has no kernels. */
TEST("admit any shares what is left", .setup_func = begin_rtgpu, .teardown_func = end)
{
	shares(5, LIST(3, 9, 9, 9, 9), 1, 10, LIST(3, 3, 0, 2, 2));
	shares(5, LIST(3, 2, 0, 9, 9), 3, 7, LIST(3, 2, 0, 1, 1));
	shares(5, LIST(3, 2, 0, 2, 9), 4, 7, LIST(3, 2, 0, 1, 1));
	shares(5, LIST(4, 2, 0, 2, 9), 4, 4, LIST(1, 1, 0, 1, 1));
	shares(5, LIST(9, 9, 9, 9, 9), 0, 6, LIST(2, 2, 0, 1, 1));
	shares(3, LIST(2, 2, 0), 2, 5, LIST(2, 2, 0));
}

TEST("admit any runs the best allocation", .setup_func = begin_rtgpu, .teardown_func = end)
{
	two_copy_example();
	s.tasks[1].deadline_ns = 55;
	request.admit_any = true;
	allocate();
	assert_false(a.refused);
	assert_int_equal(a.verdict.failing_task, 1);
	check_virtual_sms(LIST(2, 4, 4));
	request.search = RTGPU_GRID;
	allocate();
	check_virtual_sms(LIST(2, 4, 4));
}

TEST("tasks without kernels get nothing", .setup_func = begin_rtgpu, .teardown_func = end)
{
	set_begin(&s, 0, 0);
	set_task(&s, 10, 10, "C1,1");
	allocate();
	assert_true(a.verdict.accepted);
	assert_int_equal(a.grants[0].count, 0);
	s.tasks[0].segments[0].worst_ns = 11;
	check_refused(0, "task 't1': its response is bounded by 11ns only; deadline 10ns");
	set_begin(&s, 0, 0);
	allocate();
	assert_true(a.verdict.accepted);
}

/* ---- STGM ---- */

static struct stgm_request stgm;
static struct stgm_allocation b;

static int begin_stgm(void **state)
{
	stgm = (struct stgm_request){.options = {.exclusive = true}};
	return begin(state);
}

static void allocate_stgm(void)
{
	if (!stgm_allocate(&s.platform, &s.set, s.rank, &stgm, &s.arena, &b, &err))
		fail_msg("%s", err.text);
}

static void check_sms(const uint32_t *sms)
{
	assert_false(b.refused);
	for (uint32_t i = 0; i < s.set.task_count; i++) {
		assert_int_equal(b.sms[i], sms[i]);
		assert_int_equal(b.grants[i].count, sms[i]);
	}
}

TEST("stgm worked example", .setup_func = begin_stgm, .teardown_func = end)
{
	set_task(&s, 60, 60, "C3,3 H2,2 G20,20,2,3/2 D1,1 C2,2");
	set_task(&s, 100, 100, "C5,5 H3,3 G30,30,2,3/2 D2,2 C4,4");
	set_task(&s, 200, 200, "C8,8 H4,4 G40,40,3,3/2 D3,3 C6,6");
	allocate_stgm();
	assert_true(b.verdict.accepted);
	assert_int_equal(b.virtual_sms, 2);
	check_sms(LIST(2, 1, 1));
	check_grant(&b.grants[0], 2, LIST(0, 1), NULL);
	check_grant(&b.grants[1], 1, LIST(2), NULL);
	check_grant(&b.grants[2], 1, LIST(3), NULL);
	assert_int_equal(b.groups, 3);
	/* Three SMs allow (1, 1, 1) only, and task 3 fails. */
	s.platform.sms = 3;
	allocate_stgm();
	assert_true(b.refused);
	assert_int_equal(b.verdict.failing_task, 2);
	assert_string_equal(b.verdict.reason,
		"task 't3': with 1 SM its response is bounded by 287ns only; deadline 200ns");
	stgm.admit_any = true;
	allocate_stgm();
	check_sms(LIST(1, 1, 1));
	assert_false(b.verdict.accepted);
	s.platform.sms = 2;
	allocate_stgm();
	assert_true(b.refused);
	assert_string_equal(b.verdict.reason, "3 tasks have kernels, and there are 2 SMs");
}

/* sBEET's evaluation, example: M = 8, copies 1 + 1, G = 2 + W / m, (W, T) = (48, 40), (40, 60), (24, 80). */
static void utilisation_example(void)
{
	set_begin(&s, 8, 1);
	set_task(&s, 40 * 840, 40 * 840, "H840,840 G40320,40320,0,1/1 D840,840");
	set_task(&s, 60 * 840, 60 * 840, "H840,840 G33600,33600,0,1/1 D840,840");
	set_task(&s, 80 * 840, 80 * 840, "H840,840 G20160,20160,0,1/1 D840,840");
	taskset_ranks(&s.set, true, s.rank);
	stgm.options = (struct stgm_options){.test = STGM_UTILISATION};
}

TEST("stgm by utilisation", .setup_func = begin_stgm, .teardown_func = end)
{
	utilisation_example();
	allocate_stgm();
	assert_true(b.verdict.accepted);
	assert_false(b.fallback);
	check_sms(LIST(3, 2, 2));
	check_grant(&b.grants[2], 2, LIST(5, 6), NULL);
	stgm.options.utilisation = STGM_UTILISATION_MEAN_ONLY;
	allocate_stgm();
	check_sms(LIST(2, 1, 1));
}

TEST("stgm falls back", .setup_func = begin_stgm, .teardown_func = end)
{
	utilisation_example();
	/* The mean utilisation of 0.844 grows by 2 / 20, and then by 2 / 10. */
	set_task(&s, 20 * 840, 20 * 840, "H840,840 D840,840");
	taskset_ranks(&s.set, true, s.rank);
	allocate_stgm();
	assert_false(b.fallback);
	s.tasks[3].period_ns = s.tasks[3].deadline_ns = 10 * 840;
	allocate_stgm();
	assert_true(b.fallback);
	assert_false(b.refused);
	assert_string_equal(b.verdict.reason, "the tasks' mean utilisations add up to more than 1");
	/* A task with utilisation 1 exactly does not exceed 1. */
	set_begin(&s, 3, 1);
	set_task(&s, 7, 7, "K7");
	allocate_stgm();
	assert_false(b.fallback);
	s.tasks[0].period_ns = 6;
	s.tasks[0].deadline_ns = 6;
	allocate_stgm();
	assert_true(b.fallback);
	s.tasks[0].period_ns = 9;
	allocate_stgm();
	assert_true(b.fallback);
	assert_string_equal(b.verdict.reason,
		"task 't1' alone does not meet its deadline, 6ns, on any number of "
		"SMs: it takes at least 7ns");
	stgm.admit_any = true;
	allocate_stgm();
	assert_false(b.fallback || b.verdict.accepted);
	check_sms(LIST(3));
}

/* SMs with the least utilisation so far are chosen. 1/3 + 1/6 ties with 1/2, and the lower id wins. */
TEST("least used SMs", .setup_func = begin_stgm, .teardown_func = end)
{
	struct sm_sets sets;
	static const int64_t length[] = {1, 1, 1, 1, 1}, period[] = {3, 2, 6, 9, 9};
	static const bool on[5][3] = {
		{1, 0, 0},
		{0, 1, 0},
		{0, 0, 1},
		{0, 0, 1},
		{1, 0, 1},
	};
	assert_true(sm_sets_init(&sets, 5, 3, &s.arena));
	sm_sets_least_used(&sets, LIST(1, 1, 1, 1, 2), length, period);
	for (uint32_t k = 0; k < 5; k++)
		for (uint32_t m = 0; m < 3; m++)
			assert_int_equal(sets.on[m * 5 + k], on[k][m]);
	assert_int_equal(sets.first[4], 0);
	assert_int_equal(sets.first[3], 2);
	static const int64_t tie_period[] = {3, 2, 6, 9, 1};
	assert_true(sm_sets_init(&sets, 4, 2, &s.arena));
	sm_sets_least_used(&sets, LIST(1, 1, 1, 1), length, tie_period);
	assert_true(sets.on[0 * 4 + 0] && sets.on[1 * 4 + 1] && sets.on[0 * 4 + 2]);
	assert_true(sets.on[0 * 4 + 3]); /* 1/3 + 1/6 = 1/2 */
	static const int64_t other_period[] = {2, 3, 6, 1};
	sm_sets_least_used(&sets, LIST(1, 1, 1, 1), length, other_period);
	assert_true(sets.on[0 * 4 + 0] && sets.on[1 * 4 + 1] && sets.on[1 * 4 + 2]);
	assert_true(sets.on[0 * 4 + 3]);
}

/* Groups meet through others: {0, 1}, {1, 2} and {3}. */
TEST("groups meet through others", .setup_func = begin_stgm, .teardown_func = end)
{
	set_begin(&s, 4, 1);
	stgm.options =
		(struct stgm_options){.test = STGM_UTILISATION, .utilisation = STGM_UTILISATION_MEAN_ONLY};
	/* Least SMs: 2, 1, 1, 2; utilisations 0.2, 0.125, 0.1, ...: SMs {0, 1}, {2}, {3}, {2, 3}. */
	set_task(&s, 100, 22, "G40,40,0,1/1");
	set_task(&s, 200, 200, "G25,25,0,1/1");
	set_task(&s, 300, 300, "G30,30,0,1/1");
	set_task(&s, 400, 15, "G30,30,0,1/1");
	set_task(&s, 500, 500, "C5,5");
	taskset_ranks(&s.set, true, s.rank);
	allocate_stgm();
	check_sms(LIST(2, 1, 1, 2, 0));
	check_grant(&b.grants[3], 2, LIST(2, 3), NULL);
	assert_int_equal(b.groups, 2);
	for (uint32_t i = 0; i < 5; i++)
		assert_int_equal(b.group[i], LIST(0, 1, 1, 1, UINT32_MAX)[i]);
}

/* Equal gains: the SM goes to the task of the higher priority. */
TEST("stgm grows the higher task", .setup_func = begin_stgm, .teardown_func = end)
{
	set_begin(&s, 3, 1);
	set_task(&s, 35, 35, "C1,1 G20,20,0,1/1");
	set_task(&s, 35, 35, "C1,1 G20,20,0,1/1");
	allocate_stgm();
	assert_true(b.verdict.accepted);
	check_sms(LIST(2, 1));
}

TEST("stgm admits any", .setup_func = begin_stgm, .teardown_func = end)
{
	set_begin(&s, 4, 1);
	set_task(&s, 100, 100, "C1,1 G10,10,0,1/1");
	set_task(&s, 200, 10, "C11,11 G10,10,0,1/1");
	set_task(&s, 300, 300, "C1,1 G10,10,0,1/1");
	s.set.priorities = true;
	for (uint32_t i = 0; i < 3; i++)
		s.tasks[i].priority = i;
	taskset_ranks(&s.set, false, s.rank);
	allocate_stgm();
	assert_true(b.refused);
	assert_int_equal(b.verdict.failing_task, 1);
	assert_string_equal(b.verdict.reason,
		"task 't2' alone does not meet its deadline, 10ns, on any number of "
		"SMs: it takes at least 14ns");
	stgm.admit_any = true;
	allocate_stgm();
	check_sms(LIST(1, 2, 1));
	stgm.options.exclusive = false;
	allocate_stgm();
	check_sms(LIST(1, 4, 1));
}

/* ---- several GPUs (RTGPU, section 5.6) ---- */

static struct platform second;

static void task_1_on_another(uint32_t sms)
{
	for (uint32_t i = 0; i < s.tasks[1].segment_count; i++)
		s.segments[1][i].gpu = 1;
	second = s.platform;
	second.gpu = 1;
	second.sms = sms;
	s.platform.others = &second;
	s.platform.gpu_count = 2;
}

/* The worked example's second task takes 18 + 24 + 12 = 54 alone on 2 virtual SMs, and 18 + 13 + 7 on 4, and
 * waits at least 9 for the first task (CR 7, 6, 5). GPU 1 with one SM does not have 4, though GPU 0 has SMs
 * left; with two SMs it does, and they are counted from 0 there. */
TEST("each GPU has its own virtual SMs", .setup_func = begin_rtgpu, .teardown_func = end)
{
	two_copy_example();
	s.tasks[1].deadline_ns = 55;
	task_1_on_another(1);
	for (int search = 0; search < 2; search++) {
		request.search = search ? RTGPU_GRID : RTGPU_GREEDY;
		second.sms = 1;
		allocate();
		assert_int_equal(a.verdict.failing_task, 1);
		second.sms = 2;
		allocate();
		assert_true(a.verdict.accepted);
		check_grant(&a.grants[0], 1, LIST(0), LIST(2));
		check_grant(&a.grants[1], 2, LIST(0, 1), LIST(2, 2));
		check_grant(&a.grants[2], 1, LIST(1), LIST(2));
	}
}

TEST("a task's kernels are on one GPU", .setup_func = begin_rtgpu, .teardown_func = end)
{
	two_copy_example();
	task_1_on_another(4);
	s.segments[1][2].gpu = 0;
	request.admit_any = true;
	allocate();
	assert_true(a.refused);
	assert_int_equal(a.verdict.failing_task, 1);
	s.segments[1][2].gpu = 1;
	second.virtual_sms_per_sm = 4;
	allocate();
	assert_string_equal(a.verdict.reason,
		"GPU 1 has 4 virtual SMs per SM, and another 2: they must be as many on all GPUs");
}
