/* sim/engine.c - the run loop over the winner tree; see sim/engine.h. */
#include "sim/engine.h"

#include <inttypes.h>
#include <string.h>

bool sim_reaches(const struct sim *s, int64_t until, struct error *err)
{
	return until <= s->latest ||
	       error_set(err, STATUS_INPUT,
		       "the clock would run to %" PRId64 " ns; with %u event sources it ends at %" PRId64
		       " ns: shorten the horizon or the limit",
		       until, s->slots, s->latest);
}

bool sim_init(struct sim *s, struct arena *arena, uint32_t slots, int64_t until,
	const struct sim_model *model, void *self, struct error *err)
{
	uint32_t bits = 1, far_leaves = SIM_NEAR;
	while (UINT32_C(1) << bits < slots)
		bits++;
	while (far_leaves + SIM_NEAR < slots)
		far_leaves *= 2;
	*s = (struct sim){
		.slots = slots,
		.slot_bits = bits,
		.model = model,
		.self = self,
		.digest = 0x243f6a8885a308d3u,
		.latest = (INT64_C(1) << (63 - bits)) - 1,
	};
	if (!sim_reaches(s, until, err))
		return false;
	/* The near slots fill the subtree of node 2. The far slots are the leaves under node 3: the last
	 * quarter of the nodes. */
	size_t nodes = 4 * (size_t)far_leaves;
	s->far = 3 * far_leaves - SIM_NEAR;
	s->tree = arena_new(arena, uint64_t, nodes);
	if (!s->tree)
		return error_memory(err, "the engine");
	memset(s->tree, 0xff, nodes * sizeof(*s->tree));
	return true;
}

enum sim_stop sim_run(struct sim *s, int64_t until, uint64_t max_events)
{
	return sim_run_model(s, s->model, s->self, until, max_events);
}
