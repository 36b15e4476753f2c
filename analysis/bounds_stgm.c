/* analysis/bounds_stgm.c - the response-time test of busy-waiting tasks (analysis/stgm.h) as one of the
 * analyses: for plans in which tasks spin at their priority and kernels run on static sets of whole SMs. */
#include "analysis/analyses.h"
#include "analysis/stgm.h"

static const struct option options[] = {
	{ .name = "blocking", .kind = OPTION_CHOICE, .choices = "safe|textbook", .fallback = "safe",
		.help = "what lower tasks add: a whole section's copies each; or one copy of one of them (unsafe)" },
	{ 0 },
};

static bool textbook(const struct params *params)
{
	return params_choice(params, "blocking") == 1;
}

/* Two tasks whose SM sets meet; false: none do. */
static bool meet(const struct plan *plan)
{
	for (uint32_t sm = 0; sm < plan->platform->sms; sm++) {
		uint32_t tasks = 0;
		for (uint32_t i = 0; i < plan->set->task_count; i++)
			for (uint32_t k = 0; k < plan->grants[i].count; k++)
				tasks += plan->grants[i].sm[k] == sm;
		if (tasks > 1)
			return true;
	}
	return false;
}

static bool fits(const struct plan *plan, struct analysis_result *result)
{
	uint32_t none = NO_FAILING_TASK;
	if (plan->wait != WAIT_BUSY)
		analysis_refuse(result, none, "it holds for tasks that spin at their priority during GPU sections");
	else if (!plan->grants)
		analysis_refuse(result, none, "it holds for tasks with static sets of SMs");
	else if (plan->cpu_order != order_by_priority || plan->copy_order != order_by_priority)
		analysis_refuse(result, none, "it holds for a core and copy engines that go by fixed priority");
	for (uint32_t i = 0; plan->grants && i < plan->set->task_count; i++)
		if (plan->grants[i].slots)
			return analysis_refuse(result, i, "it holds for whole SMs"), false;
	return !result->refused;
}

static void fill(const struct stgm_bounds *bounds, uint32_t tasks, struct analysis_result *result)
{
	for (uint32_t i = 0; i < tasks; i++) {
		const struct stgm_bound *b = &bounds->task[i];
		result->task[i].analysed = b->analysed;
		result->task[i].response_ns = b->analysed ? b->response : NO_BOUND;
		if (!b->analysed || b->response == NO_BOUND)
			continue;
		analysis_part(result, i, BOUND_OWN, NO_FAILING_TASK, b->own);
		analysis_part(result, i, BOUND_COPY, NO_FAILING_TASK, b->copy);
		analysis_part(result, i, BOUND_GPU, NO_FAILING_TASK, b->gpu);
		analysis_part(result, i, BOUND_BLOCKING, NO_FAILING_TASK, b->blocking);
		for (uint32_t j = 0; j < tasks; j++)
			analysis_part(result, i, BOUND_INTERFERENCE, j, b->interference[j]);
	}
}

static bool bound(const struct plan *plan, const struct params *params, struct arena *arena,
	struct analysis_result *result, struct error *err)
{
	uint32_t tasks = plan->set->task_count;
	struct stgm_bounds bounds;
	uint32_t *sms = arena_new(arena, uint32_t, tasks);
	if (!sms)
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
		.exclusive = !meet(plan),
	};
	if (!stgm_analyse(plan->platform, plan->set, plan->rank, &chosen, sms, arena, &bounds, err))
		return false;
	fill(&bounds, tasks, result);
	result->verdict = bounds.verdict;
	result->refused = !bounds.verdict.accepted;
	for (uint32_t i = 0; i < tasks; i++)
		result->refused = result->refused && !bounds.task[i].analysed;
	return true;
}

const struct analysis analysis_stgm = {
	.name = "stgm",
	.summary = "static SM sets and busy-waiting: fixed-priority response times on one core",
	.source = "ours, in the place of STGM's (Saha et al., RTCSA 2019) Eq. 9, which was not available; the proof is in "
		"analysis/stgm_test.c",
	.assumptions = "Static sets of whole SMs, jobs that spin at their priority, copies by priority; no stream shared by "
		"tasks; a CPU segment between two GPU sections takes time.",
	.version = 1,
	.policies = "stgm",
	.options = options,
	.unsafe = textbook,
	.bound = bound,
};
