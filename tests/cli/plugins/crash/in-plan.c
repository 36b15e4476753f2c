/* Writes through a pointer to nowhere in plan(). */
#include <cegsim.h>

static bool plan(struct plan *plan, struct error *err)
{
	(void)err;
	volatile uint32_t *nowhere = (uint32_t *)plan->state;
	*nowhere = 1;
	return true;
}

static const struct policy mine = {.name = "mine", .summary = "a test", .version = 1, .plan = plan};
CEGSIM_POLICY(mine);
