/* tests/fuzz/first_events.h - the first events of a set under a policy: the asserts of the engine are there.
 */
#ifndef CEGSIM_TESTS_FUZZ_FIRST_EVENTS_H
#define CEGSIM_TESTS_FUZZ_FIRST_EVENTS_H

#include "models/simulation.h"

/* False: it cannot be run, as *err says. */
static inline bool first_events(const struct platform *platform, const struct taskset *set,
	const struct run_setup *setup, const struct policy *policy, const struct params *params,
	uint64_t most, struct error *err)
{
	struct simulation *s;
	if (!simulation_create(platform, set, setup, policy, params, &s, err))
		return false;
	if (!simulation_plan(s)->refused)
		(void)simulation_step(s, most);
	simulation_destroy(s);
	return true;
}

#endif
