/* sim/engine.c - the run loop over the winner tree; see sim/engine.h. */
#include "sim/engine.h"

bool sim_init(struct sim *s, struct arena *arena, uint32_t slots, const struct sim_model *model, void *self)
{
	uint32_t leaves = 2;
	while (leaves < slots)
		leaves *= 2;
	*s = (struct sim){ .slots = slots, .leaves = leaves, .model = model, .self = self,
		.digest = 0x243f6a8885a308d3u };
	s->tree = arena_new(arena, uint128, 2 * (size_t)leaves);
	if (!s->tree)
		return false;
	/* Leaves without a slot lose against every slot, so they never reach the root first. */
	for (uint32_t i = 0; i < leaves; i++)
		s->tree[leaves + i] = (uint128)SIM_NEVER << 64 | i;
	for (uint32_t i = leaves - 1; i >= 1; i--)
		s->tree[i] = s->tree[2 * i];
	return true;
}

enum sim_stop sim_run(struct sim *s, int64_t until, uint64_t max_events)
{
	uint64_t last = s->events + max_events;

	for (;;) {
		int64_t now = sim_next(s);
		if (now == SIM_NEVER)
			return SIM_DRAINED;
		if (now > until)
			return SIM_UNTIL;
		if (s->events >= last)
			return SIM_BUDGET;
		s->now = now;
		do {
			uint32_t slot = (uint32_t)s->tree[1];
			s->events++;
			sim_mix(s, (uint64_t)now + ((uint64_t)slot << 40));
			s->model->deliver(s->self, slot);
		} while (sim_next(s) == now);
		s->model->settle(s->self);
		if (s->halted)
			return SIM_HALTED;
	}
}
