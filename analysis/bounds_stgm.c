/* analysis/bounds_stgm.c - the response-time test of busy-waiting tasks (analysis/stgm.h) as one of the
 * analyses: for plans in which tasks spin at their priority and kernels run on static sets of whole SMs. */
#include "analysis/analyses.h"
#include "analysis/stgm.h"

static const struct option options[] = {
	{
		.name = "blocking",
		.kind = OPTION_CHOICE,
		.choices = "safe|textbook",
		.fallback = "safe",
		.help = "what lower tasks add: a whole section's copies each; or one copy of one "
			"of them (unsafe)",
	},
	{0},
};

static bool textbook(const struct params *params)
{
	return params_choice(params, "blocking") == 1;
}

/* Whether some SM belongs to two tasks. */
static bool meet(const struct plan *plan, const struct sm_use *use)
{
	for (uint32_t sm = 0; sm < plan->platform->sms; sm++)
		if (use[sm].tasks > 1)
			return true;
	return false;
}

static bool fits(const struct plan *plan, struct analysis_result *result)
{
	uint32_t none = NO_FAILING_TASK;
	if (plan->wait != WAIT_BUSY)
		analysis_refuse(
			result, none, "it holds for tasks that spin at their priority during GPU sections");
	else if (!plan->grants)
		analysis_refuse(result, none, "it holds for tasks with static sets of SMs");
	else if (plan->cpu_order != order_by_priority || plan->copy_order != order_by_priority)
		analysis_refuse(
			result, none, "it holds for a core and copy engines that go by fixed priority");
	for (uint32_t i = 0; plan->grants && i < plan->set->task_count; i++)
		if (plan->grants[i].slots)
			return analysis_refuse(result, i, "it holds for whole SMs"), false;
	return !result->refused;
}

/* From the lowest task on: those above a task that is assumed in time rest on that. */
static void fill(const struct plan *plan, const struct stgm_bounds *bounds, struct analysis_result *result)
{
	uint32_t tasks = plan->set->task_count;
	for (uint32_t rank = tasks; rank-- > 0;) {
		uint32_t i = 0;
		while (plan->rank[i] != rank)
			i++;
		const struct stgm_bound *b = &bounds->task[i];
		const struct bound_sums sums = {
			b->response, b->own, b->copy, b->gpu, b->blocking, b->interference, NULL, tasks};
		if (b->analysed)
			analysis_sums(result, i, &sums);
		if (b->assumed)
			analysis_assume(result, i);
	}
}

static bool bound(const struct plan *plan, const struct params *params, struct arena *arena,
	struct analysis_result *result, struct error *err)
{
	uint32_t tasks = plan->set->task_count;
	struct stgm_bounds bounds;
	uint32_t *sms = arena_new(arena, uint32_t, tasks);
	struct sm_use *use = analysis_sm_use(plan, arena);
	if (!sms || !use)
		return error_memory(err, "STGM's bounds");
	if (!analysis_begin(result, tasks, arena, err))
		return false;
	if (!fits(plan, result))
		return true;
	for (uint32_t i = 0; i < tasks; i++)
		sms[i] = plan->grants[i].count;
	const struct stgm_options chosen = {
		.test = STGM_RESPONSE_TIME,
		.blocking = textbook(params) ? STGM_BLOCKING_TEXTBOOK : STGM_BLOCKING_SAFE,
		.exclusive = !meet(plan, use),
	};
	if (!stgm_analyse(plan->platform, plan->set, plan->rank, &chosen, sms, arena, &bounds, err))
		return false;
	fill(plan, &bounds, result);
	analysis_take_verdict(result, tasks, &bounds.verdict);
	return true;
}

const struct analysis analysis_stgm = {
	.name = "stgm",
	.summary = "static SM sets and busy-waiting: fixed-priority response times on one core",
	.source =
		"ours, in the place of STGM's (Saha et al., RTCSA 2019) Eq. 9, which was not available; the "
		"proof is in analysis/stgm_test.c",
	.assumptions =
		"Static sets of whole SMs, jobs that spin at their priority, copies by priority; no stream "
		"shared by tasks; a CPU segment between two GPU sections takes time.",
	.version = 1,
	.policies = "stgm",
	.options = options,
	.unsafe = textbook,
	.bound = bound,
};
