/* sim/engine.c - the run loop over the winner tree; see sim/engine.h. */
#include <inttypes.h>
#include <string.h>
#include "sim/engine.h"

bool sim_init(struct sim *s, struct arena *arena, uint32_t slots, int64_t until, const struct sim_model *model,
	void *self, struct error *err)
{
	uint32_t bits = 1;
	while (UINT32_C(1) << bits < slots)
		bits++;
	*s = (struct sim){ .slots = slots, .slot_bits = bits, .leaves = UINT32_C(1) << bits, .model = model,
		.self = self, .digest = 0x243f6a8885a308d3u, .latest = (INT64_C(1) << (63 - bits)) - 1 };
	if (until > s->latest)
		return error_set(err, STATUS_INPUT, "the clock would run to %" PRId64 " ns; with %u event sources it ends at %"
			PRId64 " ns: shorten the horizon or the limit", until, slots, s->latest);
	s->tree = arena_new(arena, uint64_t, 2 * (size_t)s->leaves);
	if (!s->tree)
		return error_memory(err, "the engine");
	memset(s->tree, 0xff, 2 * (size_t)s->leaves * sizeof *s->tree);
	return true;
}

enum sim_stop sim_run(struct sim *s, int64_t until, uint64_t max_events)
{
	uint64_t last = s->events + max_events;
	uint64_t slot_mask = s->leaves - 1;

	for (;;) {
		uint64_t key = s->tree[1];
		if (key == SIM_DISARMED)
			return SIM_DRAINED;
		int64_t now = (int64_t)(key >> s->slot_bits);
		if (now > until)
			return SIM_UNTIL;
		if (s->events >= last)
			return SIM_BUDGET;
		s->now = now;
		uint64_t end = ((uint64_t)now + 1) << s->slot_bits;
		do {
			s->events++;
			sim_mix(s, key);
			s->model->deliver(s->self, (uint32_t)(key & slot_mask));
			key = s->tree[1];
		} while (key < end);
		s->model->settle(s->self);
		if (s->halted)
			return SIM_HALTED;
	}
}
