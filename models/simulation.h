/* models/simulation.h - one run of one task set on one platform under one policy.
 *
 *     simulation_create(...)           the plan is made; the policy may have refused the set
 *     trace_observe(simulation_trace(s), ...)      as many observers as wanted
 *     while (simulation_step(s, 100000) == SIMULATION_RUNNING) ...
 *     simulation_outcome(s); simulation_destroy(s)
 *
 * A run is a function of its inputs: the same events, records and digest on every machine. It
 * allocates when it is created and, but for waiting jobs of tasks that others release, never after. */
#ifndef CEGSIM_MODELS_SIMULATION_H
#define CEGSIM_MODELS_SIMULATION_H

#include "models/policy.h"
#include "sim/trace.h"

enum simulation_state { SIMULATION_RUNNING, SIMULATION_ENDED, SIMULATION_FAILED };

struct simulation_outcome {
	int64_t end_ns;        /* S */
	int64_t energy_end_ns; /* max(horizon, S) */
	bool truncated; /* a drained run with unfinished jobs at its limit, or with a limit before the horizon
			 */
	uint64_t events, jobs, misses;
	uint64_t events_digest; /* of the engine's events alone */
	uint64_t digest;        /* of the schedule: of events and jobs (sim/digest.h) */
};

struct simulation;

/* The arguments are kept by reference until simulation_destroy(); params may be NULL: defaults.
 * The set must have passed taskset_check() on the platform. A set the policy refuses still gives a
 * simulation: look at simulation_plan(s)->refused before stepping (it then has no jobs). */
MUST_CHECK bool simulation_create(const struct platform *platform, const struct taskset *set,
	const struct run_setup *setup, const struct policy *policy, const struct params *params,
	struct simulation **simulation, struct error *err);
void simulation_destroy(struct simulation *s); /* accepts NULL */

/* For many runs of one set. keep(), before the first step, remembers what the plan and the platform have
 * become, if the policy's plan is one for all runs of the set (policy.plan_of_set). again() then makes the
 * simulation what simulation_create() would make it now, without observers: the same records and digests, at
 * less cost. Since it was made, the setup and the tasks' release rules may have changed, where they are: not
 * on_miss and ties, nor who is released `after` whom. After a failure it can only be destroyed. */
MUST_CHECK bool simulation_keep(struct simulation *s, struct error *err);
MUST_CHECK bool simulation_again(struct simulation *s, struct error *err);

const struct plan *simulation_plan(const struct simulation *s);
struct trace *simulation_trace(struct simulation *s);

/* Delivers about max_events events. ENDED: all records have been handed to the observers. FAILED: an observer
 * returned false, or the policy did something forbidden (simulation_error). One such thing is to let jobs
 * wait for ever: in a drained run jobs are left before the limit, and no event is pending. */
enum simulation_state simulation_step(struct simulation *s, uint64_t max_events);

/* After FAILED: what the policy did, or NULL if it was an observer. */
const struct error *simulation_error(const struct simulation *s);

/* Fraction of the horizon that has been simulated, 0 .. 1, for progress displays. */
double simulation_progress(const struct simulation *s);

/* Events so far, also before the end. */
uint64_t simulation_events(const struct simulation *s);

/* After ENDED. */
struct simulation_outcome simulation_outcome(const struct simulation *s);

#endif
