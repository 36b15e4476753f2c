/* tests/unit/sbeet_sets.h - task sets for the parts of sBEET: a plan without a run, in the notation of
 * tests/unit/analysis_sets.h, times in ms. The GPU is that of the paper's examples (section IV): P_s = 1 W,
 * P_d = 0.5 W and P_idle = 0.2 W per SM. */
#ifndef CEGSIM_TESTS_UNIT_SBEET_SETS_H
#define CEGSIM_TESTS_UNIT_SBEET_SETS_H

#include "policies/sbeet/sbeet.h"
#include "tests/support/test.h"
#include "tests/unit/analysis_sets.h"

#define MS INT64_C(1000000)
#define WATT INT64_C(1000000)
#define JOULE ((int128)WATT * MS) /* W * ms: the unit of energy of the paper's examples */

struct sbeet_set {
	struct analysis_set s;
	struct run_setup setup;
	struct plan plan;
	struct sbeet b;
};

/* set must have static storage, as for set_begin(). */
static inline void sbeet_begin(struct sbeet_set *set, uint32_t sms)
{
	set_begin(&set->s, sms, 0);
	set->s.platform.static_uw = WATT;
	set->s.platform.idle_per_sm_uw = WATT / 5;
	set->setup = (struct run_setup){.horizon_ns = 100 * MS, .limit_ns = 1000 * MS};
}

/* A task of a chain whose times are ms. */
static inline struct task *sbeet_task(
	struct sbeet_set *set, int64_t period, int64_t deadline, int64_t offset, const char *chain)
{
	struct task *t = set_task(&set->s, period * MS, deadline * MS, chain);
	t->offset_ns = offset * MS;
	for (uint32_t i = 0; i < t->segment_count; i++) {
		struct segment *g = &t->segments[i];
		g->best_ns *= MS;
		g->worst_ns *= MS;
		g->overhead_ns *= MS;
		g->power_uw = g->kind == SEGMENT_KERNEL ? WATT / 2 : 0;
	}
	return t;
}

static inline struct plan *sbeet_plan_begin(struct sbeet_set *set)
{
	set->plan = (struct plan){
		.platform = &set->s.platform,
		.set = &set->s.set,
		.setup = &set->setup,
		.arena = &set->s.arena,
		.rank = set->s.rank,
		.virtual_sms = platform_virtual_sms(&set->s.platform),
		.failing_task = UINT32_MAX,
	};
	set->b = (struct sbeet){0};
	return &set->plan;
}

/* Makes the model of the set, and a scheduler with these options; neither may be refused. */
static inline struct sbeet *sbeet_ready(struct sbeet_set *set, struct sbeet_options options)
{
	struct error err;
	struct plan *plan = sbeet_plan_begin(set);
	if (!sbeet_model_build(plan, &set->b.model, &err))
		fail_msg("%s", err.text);
	if (plan->refused)
		fail_msg("%s", plan->reason);
	if (!sbeet_init(&set->b, plan, &options, &err))
		fail_msg("%s", err.text);
	if (plan->refused)
		fail_msg("%s", plan->reason);
	return &set->b;
}

/* Unit `index` of a job, ready at `ready` ms. Its deadline is that of a job released then, less `before`. */
static inline struct sbeet_unit sbeet_unit_of(
	const struct sbeet *b, uint32_t task, uint32_t index, uint32_t job, int64_t ready, int64_t deadline)
{
	const struct sbeet_section *section = &b->model.section[b->model.first_section[task] + index];
	return (struct sbeet_unit){
		.section = section, .job = job, .ready = ready * MS, .deadline = deadline * MS};
}

#endif
