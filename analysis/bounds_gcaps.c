/* analysis/bounds_gcaps.c - GPU sections that preempt each other by priority, behind calls of the driver
 * (analysis/gcaps.h), as one of the analyses: for plans of the policy gcaps, of which it reads how long calls
 * last and who goes first at the GPU. `variant: paper` is kept to show that it is unsafe (docs/findings.md).
 */
#include <string.h>

#include "analysis/analyses.h"
#include "analysis/gcaps_plan.h"

static const struct option options[] = {
	{
		.name = "variant",
		.kind = OPTION_CHOICE,
		.choices = "safe|paper",
		.fallback = "safe",
		.help = "with all that calls wait for; or as in the paper: with eta + 1 calls of lower "
			"tasks, and without the wait for the core at the ends of sections on other cores "
			"(unsafe)",
	},
	{0},
};

static bool unsafe(const struct params *params)
{
	return (enum gcaps_variant)params_choice(params, "variant") == GCAPS_PAPER;
}

static bool fits(const struct plan *plan, struct analysis_result *result)
{
	uint32_t none = NO_FAILING_TASK;
	if (strcmp(plan->policy, "gcaps") != 0 || !plan->call || !plan->call_rank)
		analysis_refuse(result, none, "it holds for the calls of the policy gcaps");
	else if (plan->cpu_order != order_by_priority || plan->wait == WAIT_BOOST)
		analysis_refuse(result, none, "it holds for cores that go by fixed priority");
	return !result->refused;
}

static bool fits_tasks(const struct plan *plan, const struct gcaps_plan *p, struct analysis_result *result)
{
	uint32_t first = gcaps_inversion(&p->test);
	result->refused = !sections_apart(plan, p->sharing, &result->verdict);
	if (!result->refused && first < p->test.count)
		analysis_refuse(result, p->order[first],
			"task '%s' is behind a task of lower priority of its core at the GPU: it holds "
			"where each core's tasks have the same order there",
			plan->set->tasks[p->order[first]].name);
	return !result->refused;
}

static void fill(const struct gcaps_plan *p, struct analysis_result *result)
{
	const struct gcaps_test *test = &p->test;
	for (uint32_t k = 0; k < test->count && test->bound[test->sequence[k]].analysed; k++) {
		uint32_t i = test->sequence[k], task = p->order[i];
		const struct gcaps_bound *b = &test->bound[i];
		const struct section_task *t = &p->section[task];
		const struct bound_sums sums = {b->response, t->cpu_ns + b->calls, t->copies_ns,
			t->kernels_ns, b->blocking, b->interference, p->order, test->count};
		analysis_sums(result, task, &sums);
		if (b->assumed)
			analysis_assume(result, task);
	}
}

static bool bound(const struct plan *plan, const struct params *params, struct arena *arena,
	struct analysis_result *result, struct error *err)
{
	enum gcaps_variant variant = (enum gcaps_variant)params_choice(params, "variant");
	struct gcaps_plan p;
	if (!analysis_begin(result, plan->set->task_count, arena, err))
		return false;
	if (!fits(plan, result))
		return true;
	if (!gcaps_plan_init(&p, plan, variant, arena, err))
		return false;
	result->refused = p.refused;
	result->verdict = p.verdict;
	if (p.refused || !fits_tasks(plan, &p, result))
		return true;
	if (!gcaps_bounds(&p.test, arena, err))
		return false;
	fill(&p, result);
	analysis_judge(result, plan);
	return true;
}

const struct analysis analysis_gcaps = {
	.name = "gcaps",
	.summary = "GPU sections that preempt each other by priority, behind calls that exclude each other",
	.source = "paper: Wang et al., GCAPS, ECRTS 2024, section 6.3; safe: ours, with a proof in "
		  "analysis/gcaps.c",
	.assumptions = "Cores by fixed priority, one for each task, whose tasks have the same order at the "
		       "GPU; every task that uses the GPU is a process of its own.",
	.version = 1,
	.policies = "gcaps",
	.options = options,
	.cores = ANALYSIS_OWN_CORES,
	.unsafe = unsafe,
	.bound = bound,
};
