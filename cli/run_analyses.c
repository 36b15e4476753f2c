/* cli/run_analyses.c - stores the bounds of the analyses that scenarios ask for beside their runs. */
#include <stdio.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "base/say.h"
#include "cli/run_parts.h"
#include "cli/scenario_plans.h"
#include "policies/plugin/crash.h"
#include "runs/store.h"

/* A plan of a scenario, while its analyses are asked. */
struct asking {
	struct run_command *c;
	const struct scenario *scenario;
	const struct scenario_plans *plans;
	uint32_t plan;
	struct bounding bounding;
	struct bounding_ids ids;
	bool *erred;
};

/* Where an analysis of a plug-in loops and a signal came, it is dropped at that place: the runs are kept. */
static bool compute(
	struct asking *a, const struct analysis_use *use, struct bounds *bounds, struct error *err)
{
	sigjmp_buf left;
	if (sigsetjmp(left, 1) != 0)
		return error_set(err, STATUS_INTERRUPTED, "interrupted");
	interrupt_leaves(plugin_crash_has, &left);
	bool computed = bounding_compute(&a->bounding, use, bounds, err);
	interrupt_leaves(NULL, NULL);
	return computed;
}

/* Options that contradict each other are a refusal, as in campaigns. */
static bool ask(struct asking *a, const struct analysis_use *use, struct error *err)
{
	struct bounds bounds;
	struct error reason = {0};
	if (interrupt_came)
		return error_set(err, STATUS_INTERRUPTED, "interrupted");
	bool computed = compute(a, use, &bounds, &reason);
	if (!computed && reason.status != STATUS_INPUT) {
		*err = reason;
		return false;
	}
	if (!computed)
		bounds_decline(&bounds, use, BOUNDS_REFUSED, reason.text);
	if (bounds.verdict == BOUNDS_ERROR) {
		say(stderr, "cegsim: error: %s: %s under %s: %s\n", a->scenario->name, use->analysis->name,
			a->bounding.spec.policy->name, bounds.reason);
		*a->erred = true;
	}
	return bounding_store(&a->bounding, &bounds, true, &a->ids, a->c->writer, err);
}

static bool ask_all(struct asking *a, struct error *err)
{
	const struct scenario *s = a->scenario;
	const struct policy_use *policy = &a->plans->policies[a->plan];
	bool any = false;
	for (uint32_t i = 0; i < s->analysis_count; i++) {
		const struct campaign_analysis *asked = &s->analyses[i];
		if (!scenario_plans_fit(a->plans, a->plan, &a->bounding, asked->use.analysis, &asked->policy))
			continue;
		if (!any &&
			!store_policy(a->c->writer, policy->policy, &policy->params, &a->ids.policy_id, err))
			return false;
		any = true;
		if (!ask(a, &asked->use, err))
			return false;
	}
	return true;
}

static bool make_plans(const struct run_command *c, const struct scenario *s, struct scenario_plans *plans,
	struct error *err)
{
	struct policy_use *only = calloc(s->analysis_count, sizeof(*only));
	if (!only)
		return error_memory(err, "the analyses");
	for (uint32_t i = 0; i < s->analysis_count; i++)
		only[i] = s->analyses[i].policy;
	bool ok = scenario_plans_init(
		plans, s, c->uses.policies, c->uses.policy_count, only, s->analysis_count, err);
	free(only);
	return ok;
}

static bool store_scenario(struct run_command *c, uint32_t index, bool *erred, struct error *err)
{
	const struct scenario *s = &c->scenarios[index];
	const struct stored_scenario *stored = &c->stored[index];
	struct scenario_plans plans = {0};
	bool ok = make_plans(c, s, &plans, err);
	for (uint32_t i = 0; ok && i < plans.count; i++) {
		struct asking a = {.c = c,
			.scenario = s,
			.plans = &plans,
			.plan = i,
			.ids = {.taskset_id = stored->taskset_id, .platform_id = stored->platform_id},
			.erred = erred};
		const struct bounding_spec spec = {.platform = &s->platform,
			.set = &s->set,
			.setup = &s->setup,
			.policy = plans.policies[i].policy,
			.params = &plans.policies[i].params};
		ok = bounding_begin(&a.bounding, &spec, err) && ask_all(&a, err);
		bounding_finish(&a.bounding);
	}
	scenario_plans_finish(&plans);
	return ok;
}

/* The recording is not finished yet: signals are still noted (runs/campaign/drive.h). */
bool run_store_analyses(struct run_command *c, bool *erred, struct error *err)
{
	bool ok = true;
	interrupt_completes(false);
	for (uint32_t i = 0; ok && i < c->files.count; i++)
		if (c->scenarios[i].analysis_count > 0 && c->stored[i].scenario_id > 0)
			ok = store_scenario(c, i, erred, err);
	interrupt_completes(true);
	return ok;
}
