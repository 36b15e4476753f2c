/* Policies are given as they are in a text. */
#include <cegsim_analysis.h>

static bool bound(const struct plan *plan, const struct params *params, struct arena *arena,
	struct analysis_result *result, struct error *err)
{
	(void)params;
	return analysis_begin(result, plan->set->task_count, arena, err);
}

static const struct analysis mine = {.name = "mine",
	.summary = "a test",
	.source = "ours",
	.assumptions = "none.",
	.version = 1,
	.policies = "rm, mpcp",
	.bound = bound};
CEGSIM_ANALYSIS(mine);
