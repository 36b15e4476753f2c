/* tests/unit/search_sets.h - small cases for the tests of runs/search/: a set made in code, its plan, and a
 * space of genomes. */
#ifndef CEGSIM_TESTS_UNIT_SEARCH_SETS_H
#define CEGSIM_TESTS_UNIT_SEARCH_SETS_H

#include <stdio.h>
#include <string.h>

#include "models/plan.h"
#include "policies/registry.h"
#include "runs/search/climb.h"
#include "tests/support/harness.h"
#include "tests/support/test.h"

struct searched {
	struct maker maker;
	struct arena arena;
	struct params params;
	struct plan plan;
	struct genome_space space;
	struct evaluator evaluator;
};

static inline void searched_complain(void *self, uint32_t task, uint32_t segment, const char *text)
{
	(void)self;
	fail_msg("task %u segment %u: %s", task, segment, text);
}

/* To be called after the tasks are made. option: "admit=any" or NULL. */
static inline void searched_ready(
	struct searched *p, const char *policy, const char *option, uint32_t jobs, bool periodic)
{
	struct error err;
	const struct policy *found = policy_find(policy);
	assert_non_null(found);
	assert_int_equal(taskset_check(&p->maker.set, &p->maker.platform, searched_complain, NULL), 0);
	params_default(&p->params, found->options);
	if (option) {
		char name[64];
		snprintf(name, sizeof(name), "%s", option);
		*strchr(name, '=') = '\0';
		assert_true(params_set(&p->params, name, strchr(option, '=') + 1, &err));
	}
	if (!plan_create(&p->maker.platform, &p->maker.set, &p->maker.setup, found, &p->params, &p->arena,
		    &p->plan, &err))
		fail_msg("%s", err.text);
	assert_false(p->plan.refused);
	if (!genome_space_init(&p->space, &p->plan, jobs, periodic, &err))
		fail_msg("%s", err.text);
	const struct search_case what = {&p->maker.platform, &p->maker.set, found, &p->params};
	assert_true(evaluator_init(&p->evaluator, &what, &p->space, &err));
}

static inline void searched_finish(struct searched *p)
{
	evaluator_finish(&p->evaluator);
	genome_space_finish(&p->space);
	arena_finish(&p->arena);
	maker_finish(&p->maker);
}

static inline struct genome searched_genome(struct searched *p)
{
	struct genome g;
	assert_true(genome_new(&p->space, &p->arena, &g));
	return g;
}

static inline int64_t searched_response(struct searched *p, const struct genome *g, uint32_t task)
{
	struct error err;
	const struct search_target target = {task, WHOLE_JOB};
	int64_t response = evaluate(&p->evaluator, g, &target, &err);
	if (response < 0)
		fail_msg("%s", err.text);
	return response;
}

/* Three tasks of five segments, under any policy. */
static inline void searched_vehicle(struct searched *p, const char *policy)
{
	static const char *const names[] = {"camera", "radar", "control"};
	*p = (struct searched){.params = {0}};
	maker_init(&p->maker, 1);
	p->maker.platform.sms = 4;
	p->maker.platform.static_uw = 1000;
	for (int64_t i = 0; i < 3; i++) {
		struct task *t = maker_task(&p->maker, names[i], 100 + 60 * i, 100 + 60 * i, 0);
		maker_cpu(&p->maker, 1, 3 + i);
		maker_copy(&p->maker, COPY_BOTH, 2);
		maker_grid(&p->maker, 3, 32, 5 + 2 * i)->best_ns = 2;
		maker_copy(&p->maker, COPY_BOTH, 1 + i);
		maker_cpu(&p->maker, 0, 4);
		t->segments[4].best_ns = 0;
	}
	bool admits = strcmp(policy, "rtgpu") == 0 || strcmp(policy, "stgm") == 0;
	searched_ready(p, policy, admits ? "admit=any" : NULL, 6, false);
}

/* Shorter execution makes a response longer (an anomaly of non-preemptive copies). tau2 is released at 4. If
 * tau1 first computes for 3, tau2 takes 9; if for 1, tau1 preempts tau2, which takes 11. */
static inline void searched_anomaly(struct searched *p, uint32_t jobs)
{
	*p = (struct searched){.params = {0}};
	maker_init(&p->maker, 1);
	p->maker.platform.sms = 2;
	maker_task(&p->maker, "tau1", 20, 20, 0);
	maker_cpu(&p->maker, 1, 3);
	maker_copy(&p->maker, COPY_BOTH, 2);
	maker_grid(&p->maker, 1, 32, 2);
	maker_cpu(&p->maker, 2, 2);
	maker_task(&p->maker, "tau2", 20, 20, 0);
	maker_cpu(&p->maker, 2, 2);
	maker_copy(&p->maker, COPY_BOTH, 3);
	maker_grid(&p->maker, 1, 32, 1);
	maker_cpu(&p->maker, 3, 3);
	searched_ready(p, "rtgpu", "admit=any", jobs, true);
}

/* A lower task's copy of 9 goes before tau1's if it starts one tick earlier. tau1's bound is 14. */
static inline void searched_long_copy(struct searched *p, uint32_t jobs)
{
	*p = (struct searched){.params = {0}};
	maker_init(&p->maker, 1);
	p->maker.platform.sms = 2;
	maker_task(&p->maker, "tau1", 40, 40, 0);
	maker_cpu(&p->maker, 1, 1);
	maker_copy(&p->maker, COPY_BOTH, 2);
	maker_grid(&p->maker, 1, 32, 1);
	maker_cpu(&p->maker, 1, 1);
	maker_task(&p->maker, "tau2", 60, 60, 0);
	maker_cpu(&p->maker, 1, 1);
	maker_copy(&p->maker, COPY_BOTH, 9);
	maker_grid(&p->maker, 1, 32, 1);
	maker_cpu(&p->maker, 1, 1);
	searched_ready(p, "rtgpu", NULL, jobs, false);
}

/* Suspension is not jitter (the erratum of Bletsas et al.). tau1 (C 1, T 2), tau2 (C 5, at most 5 suspended,
 * T 20), tau3 (C 1, T 50), in hundredths. An analysis that treats suspension as jitter gives 12 for tau3; 22
 * is right. 21.95 occurs when tau2 computes 0.01 before each of five suspensions. */
static inline void searched_suspension(struct searched *p)
{
	*p = (struct searched){.params = {0}};
	maker_init(&p->maker, 1);
	p->maker.platform.sms = 1;
	maker_task(&p->maker, "tau1", 200, 200, 0);
	maker_cpu(&p->maker, 100, 100);
	maker_task(&p->maker, "tau2", 2000, 2000, 0);
	for (int i = 0; i < 5; i++) {
		maker_cpu(&p->maker, 1, 1);
		maker_grid(&p->maker, 1, 32, 100)->best_ns = 0;
	}
	maker_cpu(&p->maker, 495, 495);
	maker_task(&p->maker, "tau3", 5000, 5000, 0);
	maker_cpu(&p->maker, 100, 100);
	searched_ready(p, "self-suspension", NULL, 30, false);
}

#endif
