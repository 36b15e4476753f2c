/* tests/golden/test_golden_allocations.c - policies that allocate SMs before the run, on worked examples:
 * `stgm` (busy-waiting on one core; sBEET's evaluation, section V.E) and `rtgpu` (sections 5.1 to 5.5).
 * Checked are the SMs that plans give out, the sets that plans refuse, and that the runs stay below the
 * worked bounds. */
#include <stdio.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/harness.h"
#include "tests/support/test.h"

/* Divisible work; alpha for two virtual SMs per SM. */
static void kernel(struct maker *k, int64_t best, int64_t worst, int64_t overhead, int64_t numerator,
	int64_t denominator)
{
	struct segment *s = maker_work(k, best, worst, overhead);
	s->interleave = arena_new(&k->set.arena, struct interleave, 1);
	assert_non_null(s->interleave);
	s->interleave[0] = (struct interleave){2, numerator, denominator};
	s->interleaves = 1;
}

static void platform(struct maker *k, uint32_t sms, uint32_t virtual_sms)
{
	maker_init(k, 600);
	k->platform.sms = sms;
	k->platform.virtual_sms_per_sm = virtual_sms;
}

/* The plan of a policy, by options "a=b"; NULL with the reason in *err. */
static struct simulation *make_plan(
	struct maker *k, const char *policy, const char *const *options, struct error *err)
{
	static struct params params;
	const struct policy *p = policy_find(policy);
	struct simulation *s;
	assert_non_null(p);
	params_default(&params, p->options);
	for (; options && *options; options++) {
		char name[64];
		const char *value = strchr(*options, '=') + 1;
		snprintf(name, sizeof(name), "%.*s", (int)(value - 1 - *options), *options);
		if (!params_set(&params, name, value, err))
			fail_msg("%s", err->text);
	}
	return simulation_create(&k->platform, &k->set, &k->setup, p, &params, &s, err) ? s : NULL;
}

/* Checks which task makes the plan refuse the set, if any, and how many SMs the tasks get. */
static void check_plan(struct maker *k, const char *policy, const char *const *options, const uint32_t *sms,
	bool virtual, uint32_t failing)
{
	struct error err;
	struct simulation *s = make_plan(k, policy, options, &err);
	if (!s)
		fail_msg("%s", err.text);
	const struct plan *plan = simulation_plan(s);
	assert_int_equal(plan->refused, failing != UINT32_MAX);
	if (plan->refused)
		assert_int_equal(plan->failing_task, failing);
	for (uint32_t i = 0; sms && i < k->set.task_count; i++)
		assert_int_equal(virtual ? plan->grants[i].virtual_sms : plan->grants[i].count, sms[i]);
	simulation_destroy(s);
}

/* Checks the verdict on a set that runs although the test rejects it: on `sms`, or, if that is NULL, under
 * rm. */
static void check_verdict(struct maker *k, const char *policy, const char *const *options,
	const uint32_t *sms, uint32_t failing, const char *reason)
{
	struct error err;
	struct simulation *s = make_plan(k, policy, options, &err);
	if (!s)
		fail_msg("%s", err.text);
	const struct plan *plan = simulation_plan(s);
	assert_false(plan->refused);
	assert_string_equal(plan->reason, reason);
	assert_int_equal(plan->failing_task, failing);
	assert_int_equal(plan->grants != NULL, sms != NULL);
	for (uint32_t i = 0; sms && i < k->set.task_count; i++)
		assert_int_equal(
			plan->grants[i].slots ? plan->grants[i].virtual_sms : plan->grants[i].count, sms[i]);
	simulation_destroy(s);
}

static void below(struct maker *k, const char *policy, const char *option, const int64_t *bounds)
{
	struct observed o = observe(k, policy, option);
	assert_false(o.refused);
	for (uint32_t i = 0; i < k->set.task_count; i++)
		for (uint32_t j = 0; observed_find(&o, TRACE_JOB_END, i, j); j++)
			assert_in_range(observed_response(&o, i, j), 1, (uintmax_t)bounds[i]);
	observed_finish(&o);
}

/* ---- stgm ---- */

/* Three tasks of two CPU segments, two copies and a kernel. */
static void busy_tasks(struct maker *k, uint32_t sms)
{
	static const int64_t cpu[3][2] = {{3, 2}, {5, 4}, {8, 6}}, copy[3][2] = {{2, 1}, {3, 2}, {4, 3}},
			     work[3] = {20, 30, 40}, overhead[3] = {2, 2, 3}, period[3] = {60, 100, 200};
	platform(k, sms, 2);
	for (int i = 0; i < 3; i++) {
		maker_task(k, (char[][3]){"t1", "t2", "t3"}[i], period[i], period[i], 0);
		maker_cpu(k, cpu[i][0], cpu[i][0]);
		maker_copy(k, COPY_TO_GPU, copy[i][0]);
		kernel(k, work[i], work[i], overhead[i], 3, 2);
		maker_copy(k, COPY_TO_CPU, copy[i][1]);
		maker_cpu(k, cpu[i][1], cpu[i][1]);
	}
}

TEST("stgm gives more to who gains most")
{
	struct maker k;
	busy_tasks(&k, 5);
	check_plan(&k, "stgm", NULL, (uint32_t[]){2, 1, 1}, false, UINT32_MAX);
	below(&k, "stgm", NULL, (int64_t[]){29, 79, 180});
	/* With one SM each, the third task's bound is 287, above its deadline of 200. */
	check_plan(&k, "stgm", (const char *[]){"allocation=[1, 1, 1]", NULL}, NULL, false, 2);
	check_plan(&k, "stgm", (const char *[]){"allocation=[1, 1, 1]", "admit=any", NULL},
		(uint32_t[]){1, 1, 1}, false, UINT32_MAX);
	maker_finish(&k);
}

/* scenarios/papers/stgm-blocking.yaml. */
TEST("stgm blocks twice")
{
	struct maker k;
	platform(&k, 2, 1);
	k.platform.threads_per_sm = 128;
	maker_task(&k, "t1", 100, 90, 1);
	for (int i = 0; i < 2; i++) {
		maker_cpu(&k, 1, 1);
		maker_copy(&k, COPY_TO_GPU, 1);
		maker_grid(&k, 1, 32, 3);
		maker_copy(&k, COPY_TO_CPU, 1);
	}
	maker_cpu(&k, 1, 1);
	maker_task(&k, "t2", 100, 100, 0);
	maker_cpu(&k, 1, 1);
	maker_copy(&k, COPY_TO_GPU, 8);
	maker_grid(&k, 1, 32, 1);
	maker_copy(&k, COPY_TO_CPU, 8);
	maker_cpu(&k, 1, 1);
	k.setup.horizon_ns = 100;
	struct observed o = observe(&k, "stgm", NULL);
	assert_int_equal(observed_response(&o, 0, 0), 25);
	observed_finish(&o);
	maker_finish(&k);
}

/* G = 2 + W/m on 8 SMs, with W = (48, 40, 24) and T = (40, 60, 80) times `unit`. */
static void evaluated_tasks(struct maker *k, int64_t unit)
{
	static const int64_t work[3] = {48, 40, 24}, period[3] = {40, 60, 80};
	platform(k, 8, 1);
	for (int i = 0; i < 3; i++) {
		maker_task(k, (char[][3]){"t1", "t2", "t3"}[i], period[i] * unit, period[i] * unit, 0);
		maker_copy(k, COPY_TO_GPU, 1000);
		maker_work(k, work[i] * 1000, work[i] * 1000, 0);
		maker_copy(k, COPY_TO_CPU, 1000);
	}
}

/* The mean utilisations add up to 0.844; with (3, 2, 2) SMs the sum is 0.992. */
TEST("stgm in the evaluation of sbeet")
{
	static const char *const utilisation[] = {"test=utilization", NULL};
	struct maker k;
	evaluated_tasks(&k, 1000);
	check_plan(&k, "stgm", utilisation, (uint32_t[]){3, 2, 2}, false, UINT32_MAX);
	maker_finish(&k);
	/* With half the periods the sum is above 1, and the whole set runs under rm. */
	evaluated_tasks(&k, 500);
	struct observed o = observe(&k, "stgm", "test=utilization"), rm = observe(&k, "rm", NULL);
	assert_int_equal(o.count, rm.count);
	for (size_t i = 0; i < o.count; i++)
		assert_memory_equal(&o.records[i], &rm.records[i], sizeof(o.records[i]));
	observed_finish(&o);
	observed_finish(&rm);
	maker_finish(&k);
}

#define MEAN "the tasks' mean utilisations add up to more than 1"
#define GIVEN "the tasks' utilisations on the given SMs add up to more than 1"
#define UTILISATION "test=utilization"

TEST("stgm by utilisation tests a given allocation whole")
{
	static const char *const mean[] = {UTILISATION, "accept=mean", "allocation=[2,2,2]", NULL},
				 *const full[] = {UTILISATION, "allocation=[8,8,8]", NULL},
				 *const least[] = {UTILISATION, "allocation=[1,1,1]", NULL},
				 *const mean_only[] = {
					 UTILISATION, "accept=mean", "allocation=[1,1,1]", NULL};
	struct maker k;
	/* The means add up to 1.69; on 8 SMs each the set would have 8/20 + 7/30 + 5/40 = 0.76. */
	evaluated_tasks(&k, 500);
	check_verdict(&k, "stgm", mean, NULL, UINT32_MAX, MEAN);
	check_verdict(&k, "stgm", full, NULL, UINT32_MAX, MEAN);
	maker_finish(&k);
	/* The means add up to 0.84, but 50/40 + 42/60 + 26/80 = 2.28. */
	evaluated_tasks(&k, 1000);
	check_verdict(&k, "stgm", least, NULL, UINT32_MAX, GIVEN);
	check_verdict(&k, "stgm", mean_only, (uint32_t[]){1, 1, 1}, UINT32_MAX, "");
	check_verdict(&k, "stgm", full, (uint32_t[]){8, 8, 8}, UINT32_MAX, "");
	maker_finish(&k);
}

TEST("stgm by utilisation runs any set on an allocation")
{
	static const char *const searched[] = {UTILISATION, "admit=any", NULL},
				 *const mean[] = {UTILISATION, "accept=mean", "admit=any", NULL},
				 *const given[] = {UTILISATION, "allocation=[2,2,2]", "admit=any", NULL};
	struct maker k;
	evaluated_tasks(&k, 500);
	/* The fewest SMs with which each task alone meets its deadline: 18, 22 and 26 ms of 20, 30 and 40. */
	check_verdict(&k, "stgm", searched, (uint32_t[]){3, 2, 1}, UINT32_MAX, MEAN);
	check_verdict(&k, "stgm", mean, (uint32_t[]){3, 2, 1}, UINT32_MAX, MEAN);
	check_verdict(&k, "stgm", given, (uint32_t[]){2, 2, 2}, UINT32_MAX, MEAN);
	maker_finish(&k);
}

TEST("a set that runs against the test keeps the verdict")
{
	static const char *const given[] = {"allocation=[1, 1, 1]", "admit=any", NULL};
	struct maker k;
	busy_tasks(&k, 5);
	check_verdict(&k, "stgm", given, (uint32_t[]){1, 1, 1}, 2,
		"task 't3': with 1 SM its response is bounded by 287ns only; deadline 200ns");
	check_verdict(&k, "stgm", NULL, (uint32_t[]){2, 1, 1}, UINT32_MAX, "");
	k.set.tasks[2].deadline_ns = 22; /* it needs 21 of them on the core and on copy engines */
	struct error err;
	struct simulation *s = make_plan(&k, "rtgpu", NULL, &err);
	assert_non_null(s);
	struct plan refused = *simulation_plan(s);
	simulation_destroy(s);
	assert_true(refused.refused);
	s = make_plan(&k, "rtgpu", (const char *[]){"admit=any", NULL}, &err);
	assert_non_null(s);
	assert_false(simulation_plan(s)->refused);
	assert_string_equal(simulation_plan(s)->reason, refused.reason);
	assert_int_equal(simulation_plan(s)->failing_task, refused.failing_task);
	assert_in_range(refused.failing_task, 0, 2);
	simulation_destroy(s);
	maker_finish(&k);
}

TEST("an allocation of another length is an error")
{
	static const char *const policies[] = {"stgm", "rtgpu"};
	static const struct {
		const char *list, *text;
	} cases[] = {
		{"allocation=[1]", "'allocation' has 1 number, and there are 3 tasks"},
		{"allocation=[1,1,1,1]", "'allocation' has 4 numbers, and there are 3 tasks"},
		{"allocation=[1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]",
			"'allocation' has 24 numbers, and there are 3 tasks"},
	};
	struct maker k;
	busy_tasks(&k, 5);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		for (size_t p = 0; p < sizeof(policies) / sizeof(*policies); p++) {
			struct error err = {.text = ""};
			assert_null(make_plan(
				&k, policies[p], (const char *[]){cases[i].list, "admit=any", NULL}, &err));
			assert_int_equal(err.status, STATUS_INPUT);
			assert_string_equal(err.text, cases[i].text);
		}
	maker_finish(&k);
}

/* ---- rtgpu ---- */

TEST("rtgpu gives the least")
{
	struct maker k;
	platform(&k, 5, 2);
	maker_task(&k, "t1", 40, 36, 0);
	maker_cpu(&k, 2, 3);
	maker_copy(&k, COPY_TO_GPU, 2)->best_ns = 1;
	kernel(&k, 16, 20, 2, 3, 2);
	maker_copy(&k, COPY_TO_CPU, 1);
	maker_cpu(&k, 1, 2);
	maker_task(&k, "t2", 90, 80, 0);
	maker_cpu(&k, 2, 4);
	maker_copy(&k, COPY_TO_GPU, 3)->best_ns = 2;
	kernel(&k, 24, 30, 2, 3, 2);
	maker_copy(&k, COPY_TO_CPU, 2)->best_ns = 1;
	maker_cpu(&k, 1, 3);
	maker_copy(&k, COPY_TO_GPU, 2);
	kernel(&k, 12, 16, 1, 7, 5);
	maker_copy(&k, COPY_TO_CPU, 2)->best_ns = 1;
	maker_cpu(&k, 2, 2);
	maker_task(&k, "t3", 150, 150, 0);
	maker_cpu(&k, 4, 6);
	maker_copy(&k, COPY_TO_GPU, 4)->best_ns = 3;
	kernel(&k, 40, 48, 3, 8, 5);
	maker_copy(&k, COPY_TO_CPU, 3)->best_ns = 2;
	maker_cpu(&k, 3, 5);
	check_plan(&k, "rtgpu", NULL, (uint32_t[]){2, 4, 2}, true, UINT32_MAX);
	check_plan(
		&k, "rtgpu", (const char *[]){"search=grid", NULL}, (uint32_t[]){2, 4, 2}, true, UINT32_MAX);
	check_plan(&k, "rtgpu", (const char *[]){"allocation=[2, 4, 4]", NULL}, (uint32_t[]){2, 4, 4}, true,
		UINT32_MAX);
	below(&k, "rtgpu", "allocation=[2, 4, 4]", (int64_t[]){32, 71, 82});
	below(&k, "rtgpu", "allocation=[2, 4, 4]", (int64_t[]){32, 71, 76});
	maker_finish(&k);
}

/* More virtual SMs for the first task make the third one fail: the first task's segments move closer
 * together. */
TEST("rtgpu is not monotone")
{
	struct maker k;
	platform(&k, 5, 2);
	maker_task(&k, "t1", 39, 39, 0);
	maker_cpu(&k, 0, 6);
	maker_copy(&k, COPY_BOTH, 4)->best_ns = 2;
	kernel(&k, 15, 22, 1, 1, 1);
	maker_cpu(&k, 1, 1);
	maker_task(&k, "t2", 78, 78, 0);
	maker_cpu(&k, 3, 4);
	maker_copy(&k, COPY_BOTH, 3)->best_ns = 2;
	kernel(&k, 23, 25, 2, 3, 2);
	maker_cpu(&k, 2, 3);
	maker_task(&k, "t3", 108, 108, 0);
	maker_cpu(&k, 5, 5);
	maker_copy(&k, COPY_BOTH, 2)->best_ns = 1;
	kernel(&k, 12, 19, 1, 3, 2);
	maker_cpu(&k, 0, 4);
	maker_copy(&k, COPY_BOTH, 2);
	kernel(&k, 20, 26, 1, 1, 1);
	maker_cpu(&k, 2, 2);
	check_plan(&k, "rtgpu", (const char *[]){"allocation=[2, 2, 2]", NULL}, (uint32_t[]){2, 2, 2}, true,
		UINT32_MAX);
	check_plan(&k, "rtgpu", (const char *[]){"allocation=[4, 2, 2]", NULL}, NULL, true, 2);
	check_plan(&k, "rtgpu", (const char *[]){"allocation=[4, 2, 2]", "form=start-time", NULL},
		(uint32_t[]){4, 2, 2}, true, UINT32_MAX);
	below(&k, "rtgpu", "allocation=[2, 2, 2]", (int64_t[]){26, 50, 93});
	maker_finish(&k);
}

/* With D = T the published gap between two jobs is 0: t1's may come back to back, and t2 has 2 + 3 + 2 * 4 >
 * 10. But t1 ends by 4, so its jobs are 6 apart: 2 + 3 + 4. */
TEST("rtgpu by response gaps")
{
	struct maker k;
	platform(&k, 1, 2);
	maker_task(&k, "t1", 10, 10, 0);
	maker_cpu(&k, 4, 4);
	maker_task(&k, "t2", 10, 10, 0);
	maker_cpu(&k, 1, 1);
	kernel(&k, 4, 4, 0, 1, 1);
	maker_cpu(&k, 2, 2);
	check_plan(&k, "rtgpu", NULL, NULL, true, 1);
	check_plan(
		&k, "rtgpu", (const char *[]){"gaps=response", NULL}, (uint32_t[]){0, 2}, true, UINT32_MAX);
	check_plan(&k, "rtgpu", (const char *[]){"gaps=response", "search=grid", NULL}, (uint32_t[]){0, 2},
		true, UINT32_MAX);
	below(&k, "rtgpu", "gaps=response", (int64_t[]){4, 9});
	maker_finish(&k);
}
