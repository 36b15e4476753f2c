/* The analysis has no bound(). */
#include <cegsim_analysis.h>

static const struct analysis mine = {.name = "mine",
	.summary = "a test",
	.source = "ours",
	.assumptions = "none.",
	.version = 1,
	.policies = "rm"};
CEGSIM_ANALYSIS(mine);
