/* An option's default is not among its choices. */
#include <cegsim.h>

static const struct option options[] = {
	{
		.name = "unit",
		.kind = OPTION_CHOICE,
		.choices = "section|kernel",
		.fallback = "sections",
		.help = "what",
	},
	{0},
};

static bool plan(struct plan *plan, struct error *err)
{
	(void)plan;
	(void)err;
	return true;
}

static const struct policy mine = {
	.name = "mine", .summary = "a test", .version = 1, .options = options, .plan = plan};
CEGSIM_POLICY(mine);
