/* models/deciding.c - what a policy's decisions cost (docs/model.md, "What a decision takes"): a decision
 * that takes time is made from the instant at which it is asked for, by core 0 or by a server of its own, and
 * is taken when that time is over. sBEET (Wang et al., RTSS 2021), section V and Fig. 7, measured such times.
 *
 * One decision is made at a time. What asks for another one meanwhile is kept in mind. */
#include "models/gate.h"
#include "models/machine.h"
#include "models/plan.h"

static void begin(struct machine *m)
{
	struct gate *g = &m->gate;
	const struct plan_decision *d = &m->plan.decision;
	int64_t length = d->base_ns + d->unit_ns * (int64_t)gate_waiting(g);
	gate_shut(m, true);
	g->deciding.making = true;
	g->deciding.asked = m->sim.now;
	if (d->on_core)
		cpu_decide(m, gate_unit(g, 0).task, length);
	else
		sim_arm(&m->sim, m->slot_decision, m->sim.now + length);
}

void deciding_over(struct machine *m)
{
	m->gate.deciding.making = false;
	m->gate.deciding.made = true;
	if (!m->plan.decision.on_core)
		sim_disarm(&m->sim, m->slot_decision);
	gate_shut(m, false);
}

void deciding_settle(struct machine *m)
{
	struct gate *g = &m->gate;
	g->deciding.again |= g->changed;
	g->changed = false;
	if (g->deciding.making)
		return;
	if (g->deciding.made)
		m->plan.decide(g, m->plan.state);
	g->deciding.made = false;
	if (g->deciding.again && gate_waiting(g) > 0)
		begin(m);
	g->deciding.again = false;
}
