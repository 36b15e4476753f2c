/* tests/support/bounded.h - analyses of small sets made in code (tests/support/harness.h): the plan of a
 * policy, its bounds, and the longest responses of a run. */
#ifndef CEGSIM_TESTS_SUPPORT_BOUNDED_H
#define CEGSIM_TESTS_SUPPORT_BOUNDED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/random.h"
#include "models/plan.h"
#include "policies/registry.h"
#include "tests/support/harness.h"

#define BOUNDED_TASKS 64

/* "method=job jitter=paper", or NULL. */
static inline void bounded_options(struct params *params, const struct option *table, const char *text)
{
	struct error err;
	char copy[256];
	params_default(params, table);
	snprintf(copy, sizeof copy, "%s", text ? text : "");
	for (char *rest = copy, *item; (item = strsep(&rest, " ")) != NULL;) {
		char *value = strchr(item, '=');
		if (!value)
			continue;
		*value = '\0';
		if (!params_set(params, item, value + 1, &err))
			fail_msg("%s", err.text);
	}
}

struct bounded {
	struct arena arena;
	struct params policy_params, params;
	struct plan plan;
	struct analysis_result result;
};

static inline void bounded_report(void *self, uint32_t task, uint32_t segment, const char *text)
{
	(void)self;
	fail_msg("task %u segment %u: %s", task, segment, text);
}

/* The caller gives back what it holds with arena_finish(&b->arena). The parts of every bound must add up. */
static inline void bounded_by(struct bounded *b, struct maker *k, const char *policy, const char *policy_options,
	const char *name, const char *options)
{
	struct error err;
	const struct policy *p = policy_find(policy);
	const struct analysis *a = analysis_find(name);
	assert_non_null(p);
	assert_non_null(a);
	b->arena = (struct arena){ 0 };
	taskset_check(&k->set, &k->platform, bounded_report, NULL);
	bounded_options(&b->policy_params, p->options, policy_options);
	bounded_options(&b->params, a->options, options);
	if (!plan_create(&k->platform, &k->set, &k->setup, p, &b->policy_params, &b->arena, &b->plan, &err) ||
		!a->bound(&b->plan, &b->params, &b->arena, &b->result, &err))
		fail_msg("%s", err.text);
	assert_true(!b->result.verdict.accepted || b->result.verdict.reason[0] == '\0');
	for (uint32_t i = 0; !b->result.refused && i < k->set.task_count; i++) {
		const struct task_bound *t = &b->result.task[i];
		int64_t sum = 0;
		assert_true(t->part_count <= k->set.task_count + 4);
		for (uint32_t j = 0; j < t->part_count; j++) {
			assert_true(t->parts[j].amount_ns > 0);
			sum += t->parts[j].amount_ns;
		}
		assert_true(t->analysed || t->response_ns == NO_BOUND);
		assert_int_equal(sum, t->response_ns == NO_BOUND ? 0 : t->response_ns);
	}
}

/* What a kind of part contributes to a task's bound, in all or (interference) by one task. */
static inline int64_t bounded_part(const struct bounded *b, uint32_t task, enum bound_part_kind kind, uint32_t by)
{
	const struct task_bound *t = &b->result.task[task];
	int64_t sum = 0;
	for (uint32_t j = 0; j < t->part_count; j++)
		if (t->parts[j].kind == kind && t->parts[j].by == by)
			sum += t->parts[j].amount_ns;
	return sum;
}

struct longest {
	int64_t of[BOUNDED_TASKS];
	uint64_t jobs;
};

static inline bool longest_keep(void *self, const struct trace_record *records, size_t count)
{
	struct longest *l = self;
	for (size_t i = 0; i < count; i++) {
		const struct trace_record *r = &records[i];
		if (r->kind != TRACE_JOB_END)
			continue;
		l->jobs++;
		if (r->time - r->start > l->of[r->task])
			l->of[r->task] = r->time - r->start;
	}
	return true;
}

/* The longest responses of a run; of unfinished jobs as far as they came. */
static inline struct longest longest_responses(struct maker *k, const char *policy, const char *options)
{
	struct longest l = { .jobs = 0 };
	struct params params;
	struct simulation *s;
	struct error err;
	const struct policy *p = policy_find(policy);
	assert_non_null(p);
	assert_true(k->set.task_count <= BOUNDED_TASKS);
	bounded_options(&params, p->options, options);
	if (!simulation_create(&k->platform, &k->set, &k->setup, p, &params, &s, &err))
		fail_msg("%s", err.text);
	assert_false(simulation_plan(s)->refused);
	trace_observe(simulation_trace(s), TRACE_BIT(TRACE_JOB_END), longest_keep, &l);
	while (simulation_step(s, 10000) == SIMULATION_RUNNING)
		;
	simulation_destroy(s);
	return l;
}

/* ---- Bounds against many runs ---- */

/* Drawn one after the other: each draw moves the key on. */
static inline int64_t drawn(struct random_key *key, int64_t low, int64_t high)
{
	key->job++;
	return low + random_upto(key, high - low);
}

/* Some pattern of releases, of lengths, and a rule for ties. */
static inline void bounded_draw_run(struct maker *k, struct random_key *key)
{
	struct run_setup *r = &k->setup;
	int64_t longest = 0;
	bool together = drawn(key, 1, 10) <= 3;
	for (uint32_t i = 0; i < k->set.task_count; i++) {
		struct task *t = &k->set.tasks[i];
		longest = t->period_ns > longest ? t->period_ns : longest;
		t->offset_ns = drawn(key, 0, together ? 2 : t->period_ns);
	}
	*r = (struct run_setup){ .horizon_ns = 12 * longest, .limit_ns = 60 * longest };
	r->seed = (uint64_t)drawn(key, 1, 1 << 30);
	if (drawn(key, 1, 10) <= 6) {
		r->release.kind = RELEASE_SPORADIC;
		r->release.max_delay_ppm = drawn(key, 1, 500000);
	}
	r->execution = drawn(key, 0, 1) ? EXECUTION_WORST : EXECUTION_UNIFORM;
	r->ties = drawn(key, 0, 1) ? TIES_LOWER_FIRST : TIES_TASK_ORDER;
}

struct tally {
	uint64_t runs, jobs, bounds, exceeded, reached;
	double ratios, worst;
};

/* Bounds (NO_BOUND: not to be looked at) against so many runs. */
static inline void tally_runs(struct tally *tally, struct maker *k, struct random_key *key, const char *policy,
	const char *options, const int64_t *bound, uint32_t runs)
{
	struct longest most = { .jobs = 0 };
	for (uint32_t run = 0; run < runs; run++) {
		bounded_draw_run(k, key);
		struct longest l = longest_responses(k, policy, options);
		most.jobs += l.jobs;
		for (uint32_t i = 0; i < k->set.task_count; i++)
			most.of[i] = l.of[i] > most.of[i] ? l.of[i] : most.of[i];
	}
	tally->runs += runs;
	tally->jobs += most.jobs;
	for (uint32_t i = 0; i < k->set.task_count; i++) {
		if (bound[i] == NO_BOUND || bound[i] == 0) {
			assert_true(bound[i] == NO_BOUND || most.of[i] == 0);
			continue;
		}
		double ratio = (double)most.of[i] / (double)bound[i];
		tally->bounds++;
		tally->exceeded += most.of[i] > bound[i];
		tally->reached += most.of[i] == bound[i];
		tally->ratios += ratio;
		tally->worst = ratio > tally->worst ? ratio : tally->worst;
	}
}

static inline void tally_print(const struct tally *t, const char *what)
{
	print_message("# %s: %llu runs, %llu jobs, %llu bounds, mean ratio %.3f, worst %.3f, %llu reached, "
		"%llu exceeded\n", what, (unsigned long long)t->runs, (unsigned long long)t->jobs,
		(unsigned long long)t->bounds, t->ratios / (double)t->bounds, t->worst,
		(unsigned long long)t->reached, (unsigned long long)t->exceeded);
}

#endif
