/* Calls a function that the program does not export. */
#include <cegsim.h>

struct trace;
bool trace_init(struct trace *t);

static bool plan(struct plan *plan, struct error *err)
{
	(void)err;
	return plan->arena != NULL && trace_init(NULL);
}

static const struct policy mine = {.name = "mine", .summary = "a test", .version = 1, .plan = plan};
CEGSIM_POLICY(mine);
