/* policies/turns.c - see policies/turns.h.
 *
 * Slices follow each other without a break while a context is alone. So nothing needs to happen at their
 * ends, and it is enough to know where the first of them began. */
#include "policies/turns.h"

void turns_init(struct turns *t, const struct platform *platform)
{
	t->slice_ns = context_timeslice(&platform->contexts);
	t->begin = 0;
	t->last = GATE_NOBODY; /* so the first process comes first */
}

uint32_t turns_next(const struct turns *t, const struct gate *gate)
{
	return gate_next_active(gate, t->last);
}

void turns_given(struct turns *t, uint32_t process, int64_t begin)
{
	t->last = process;
	t->begin = begin;
}

void turns_decide(struct turns *t, struct gate *gate)
{
	if (gate_switching(gate) != GATE_NOBODY)
		return; /* nothing to decide */
	int64_t now = gate_now(gate), in_slice = (now - t->begin) % t->slice_ns;
	uint32_t holder = gate_context(gate), next = turns_next(t, gate);
	if (holder != GATE_NOBODY && next == holder)
		return; /* alone */
	if (holder != GATE_NOBODY && gate_is_active(gate, holder) && (now == t->begin || in_slice > 0)) {
		gate_wake(gate, now - in_slice + t->slice_ns);
		return;
	}
	int64_t begin = gate_switch(gate, next, GATE_SAVE);
	if (next == GATE_NOBODY)
		return;
	turns_given(t, next, begin);
	gate_wake(gate, begin + t->slice_ns);
}
