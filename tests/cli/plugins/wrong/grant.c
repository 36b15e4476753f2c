/* Grants an SM beyond the platform's last one. */
#include <cegsim.h>

static bool plan(struct plan *plan, struct error *err)
{
	struct grant *grants = arena_new(plan->arena, struct grant, plan->set->task_count);
	uint32_t *sm = arena_new(plan->arena, uint32_t, 1);
	if (!grants || !sm)
		return error_memory(err, "the grants");
	sm[0] = plan->platform->sms;
	grants[0] = (struct grant){.count = 1, .sm = sm};
	plan->grants = grants;
	return true;
}

static const struct policy mine = {.name = "mine", .summary = "a test", .version = 1, .plan = plan};
CEGSIM_POLICY(mine);
