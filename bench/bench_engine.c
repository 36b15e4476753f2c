/* bench/bench_engine.c - events per second of the simulation, beside the bare winner tree.
 *
 * The bare tree holds as many slots and does per event what the simulation cannot avoid: take the
 * winner, arm it again. Both are measured in turn in one process; what counts is the ratio. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench/clock.h"
#include "bench/sets.h"
#include "models/simulation.h"
#include "policies/registry.h"
#include "sim/engine.h"

#define TRIES 5

/* ---- the bare tree ---- */

struct hold {
	struct sim sim;
	uint64_t state;
};

static void hold_deliver(void *self, uint32_t slot)
{
	struct hold *h = self;
	h->state = h->state * 6364136223846793005u + 1442695040888963407u;
	sim_arm(&h->sim, slot, h->sim.now + 1 + (int64_t)(h->state >> 40));
}

static void hold_settle(void *self)
{
	(void)self;
}

static const struct sim_model hold_model = { hold_deliver, hold_settle };

static double bare_tree(uint32_t slots, uint64_t events)
{
	struct arena arena = {0};
	struct hold h = { .state = 1 };
	struct error err;
	if (!sim_init(&h.sim, &arena, slots, 0, &hold_model, &h, &err))
		exit(3);
	for (uint32_t i = 0; i < slots; i++)
		sim_arm(&h.sim, i, i);
	double best = 1e9;
	for (int i = 0; i < TRIES; i++) {
		double start = cpu_seconds();
		sim_run(&h.sim, h.sim.latest, events);
		double took = (cpu_seconds() - start) / (double)events;
		best = took < best ? took : best;
	}
	arena_finish(&arena);
	return best;
}

/* ---- the simulation ---- */

static bool discard(void *self, const struct trace_record *records, size_t count)
{
	(void)records;
	*(uint64_t *)self += count;
	return true;
}

/* Seconds per event of one policy; `wanted` kinds are written to the ring and thrown away. */
static double simulate(struct bench_set *b, const char *policy, uint32_t wanted, uint64_t *events)
{
	double best = 1e9;
	for (int i = 0; i < TRIES; i++) {
		struct simulation *s;
		struct error err;
		uint64_t records = 0;
		if (!simulation_create(&b->platform, &b->set, &b->setup, policy_find(policy), NULL, &s, &err)) {
			fprintf(stderr, "%s\n", err.text);
			exit(3);
		}
		if (wanted)
			trace_observe(simulation_trace(s), wanted, discard, &records);
		double start = cpu_seconds();
		while (simulation_step(s, 1000000) == SIMULATION_RUNNING)
			;
		*events = simulation_outcome(s).events;
		double took = (cpu_seconds() - start) / (double)*events;
		best = took < best ? took : best;
		simulation_destroy(s);
	}
	return best;
}

int main(int argc, char **argv)
{
	struct bench_set b;
	const char *only = argc > 1 ? argv[1] : NULL;
	const uint32_t job_kinds = TRACE_BIT(TRACE_JOB_END);
	const uint32_t all = UINT32_MAX;
	double tree = bare_tree(19, 20000000);
	printf("bare winner tree, 19 slots            %6.1f ns/event %7.1f M events/s\n", tree * 1e9, 1e-6 / tree);
	for (const struct policy *const *p = policy_all(); *p; p++) {
		if (only && strcmp(only, (*p)->name) != 0)
			continue;
		static const char *const levels[] = { "untraced", "jobs", "everything" };
		const uint32_t wanted[] = { 0, job_kinds, all };
		for (int level = 0; level < 3; level++) {
			uint64_t events;
			if (!bench_pipeline(&b, INT64_C(1000000000) * 1000))
				return 3;
			double took = simulate(&b, (*p)->name, wanted[level], &events);
			printf("%-14s %-12s %10" PRIu64 " %6.1f ns/event %7.1f M events/s, %4.1f x the tree\n",
				(*p)->name, levels[level], events, took * 1e9, 1e-6 / took, took / tree);
			bench_set_finish(&b);
		}
	}
	return 0;
}
