/* tests/support/responses.h - the largest response of each task in a run, to be held against bounds. */
#ifndef CEGSIM_TESTS_SUPPORT_RESPONSES_H
#define CEGSIM_TESTS_SUPPORT_RESPONSES_H

#include "base/random.h"
#include "tests/support/bounds.h"

struct responses {
	uint64_t jobs;
	int64_t worst[64]; /* by task; of jobs that did not end, what passed until the run stopped */
};

static inline bool responses_note(void *self, const struct trace_record *records, size_t count)
{
	struct responses *r = self;
	for (size_t i = 0; i < count; i++) {
		if (records[i].kind != TRACE_JOB_END)
			continue;
		int64_t response = records[i].time - records[i].start;
		r->jobs++;
		if (response > r->worst[records[i].task])
			r->worst[records[i].task] = response;
	}
	return true;
}

static inline struct simulation *responses_simulation(
        struct maker *k, const char *policy, const char *options)
{
	const struct policy *found = policy_find(policy);
	static struct params params; /* simulations keep it by reference */
	struct simulation *s;
	struct error err;
	assert_non_null(found);
	bounds_params(&params, found->options, options);
	taskset_check(&k->set, &k->platform, bounds_fail, NULL);
	if (!simulation_create(&k->platform, &k->set, &k->setup, found, &params, &s, &err))
		fail_msg("%s", err.text);
	return s;
}

static inline void responses_run(
        struct maker *k, const char *policy, const char *options, struct responses *r)
{
	struct simulation *s = responses_simulation(k, policy, options);
	*r = (struct responses){0};
	trace_observe(simulation_trace(s), TRACE_BIT(TRACE_JOB_END), responses_note, r);
	while (simulation_step(s, 100000) == SIMULATION_RUNNING)
		;
	simulation_destroy(s);
}

/* Random offsets, periodic or sporadic releases, execution times, and either rule for ties. */
static inline void responses_vary(struct maker *k, struct random_key *key)
{
	static const enum execution_kind executions[] = {
	        EXECUTION_WORST, EXECUTION_UNIFORM, EXECUTION_BEST, EXECUTION_UNIFORM};
	int64_t longest = 0;
	for (uint32_t i = 0; i < k->set.task_count; i++) {
		struct task *t = &k->set.tasks[i];
		key->job++;
		t->offset_ns = random_upto(key, t->period_ns);
		longest = t->period_ns > longest ? t->period_ns : longest;
	}
	key->job++;
	int64_t bits = random_upto(key, 63);
	k->setup.horizon_ns = longest * (2 + (bits & 3));
	k->setup.limit_ns = 3 * k->setup.horizon_ns;
	k->setup.execution = executions[bits >> 2 & 3];
	k->setup.ties = bits >> 4 & 1 ? TIES_LOWER_FIRST : TIES_TASK_ORDER;
	k->setup.release = (struct release_rule){
	        .kind = bits >> 5 ? RELEASE_SPORADIC : RELEASE_PERIODIC,
	        .max_delay_ppm = 200000,
	};
	k->setup.seed = key->job;
}

#endif
