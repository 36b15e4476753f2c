/* Recurses until the stack is used up. */
#include <cegsim.h>

static int64_t deeper(const struct operation *op)
{
	struct operation next = *op;
	next.now++;
	return deeper(&next) + next.now;
}

static bool plan(struct plan *plan, struct error *err)
{
	(void)err;
	plan->cpu_order = deeper;
	return true;
}

static const struct policy mine = {.name = "mine", .summary = "a test", .version = 1, .plan = plan};
CEGSIM_POLICY(mine);
