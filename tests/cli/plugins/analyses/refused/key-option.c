/* An option with the name of a key that campaigns have. */
#include <cegsim_analysis.h>

static const struct option options[] = {
	{.name = "policy", .kind = OPTION_BOOL, .fallback = "true", .help = "what"},
	{0},
};

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
	.policies = "rm",
	.options = options,
	.bound = bound};
CEGSIM_ANALYSIS(mine);
