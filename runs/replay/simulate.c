/* runs/replay/simulate.c - see runs/replay/simulate.h. */
#include "runs/replay/simulate.h"

#include "models/simulation.h"
#include "policies/registry.h"

#define EVENTS_AT_A_TIME 1000000

bool replay_simulate(const struct platform *platform, const struct taskset *set,
	const struct run_setup *setup, uint32_t kinds, trace_observer_fn *observer, void *self,
	struct error *err)
{
	struct simulation *s;
	struct params params;
	const struct policy *policy = policy_find("fifo-cke");
	if (!policy)
		return error_set(err, STATUS_INPUT, "this program was built without the policy fifo-cke");
	params_default(&params, policy->options);
	if (!simulation_create(platform, set, setup, policy, &params, &s, err))
		return false;
	trace_observe(simulation_trace(s), kinds, observer, self);
	while (simulation_step(s, EVENTS_AT_A_TIME) == SIMULATION_RUNNING)
		;
	bool truncated = simulation_outcome(s).truncated;
	simulation_destroy(s);
	return !truncated ||
	       error_set(err, STATUS_INPUT, "the simulation ended before all recorded work had run");
}
