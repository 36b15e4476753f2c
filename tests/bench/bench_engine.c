/* tests/bench/bench_engine.c - events per second of the simulation, beside a winner tree without a
 * simulation.
 *
 * The bare tree has one slot for each source of events. For each event it does what the simulation cannot
 * avoid: it takes the winner and arms it again. One process measures both in turn; what counts is the
 * ratio. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/simulation.h"
#include "policies/registry.h"
#include "sim/engine.h"
#include "tests/bench/clock.h"
#include "tests/bench/sets.h"

#define TRIES 5
#define SECOND INT64_C(1000000000)

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

static const struct sim_model hold_model = {hold_deliver, hold_settle};

static double bare_tree(uint32_t slots, uint64_t events)
{
	struct arena arena = {0};
	struct hold h = {.state = 1};
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

/* Seconds per event under one policy. Records of the `wanted` kinds are written to the ring and thrown away.
 * Negative: the policy refuses the set. */
static double simulate(struct bench_set *b, const char *policy, uint32_t wanted, uint64_t *events)
{
	double best = 1e9;
	for (int i = 0; i < TRIES; i++) {
		struct simulation *s;
		struct error err;
		uint64_t records = 0;
		struct params params;
		const struct policy *p = policy_find(policy);
		params_default(&params, p->options);
		/* The run is measured, not whether the policy can guarantee deadlines. */
		for (const struct option *o = p->options; o && o->name; o++)
			if (strcmp(o->name, "admit") == 0 && !params_set(&params, "admit", "any", &err))
				exit(3);
		if (!simulation_create(&b->platform, &b->set, &b->setup, p, &params, &s, &err)) {
			fprintf(stderr, "%s\n", err.text);
			exit(3);
		}
		if (simulation_plan(s)->refused) {
			simulation_destroy(s);
			return -1;
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

static void policy_lines(const struct policy *p, double tree)
{
	static const char *const levels[] = {"untraced", "jobs", "everything"};
	static const uint32_t wanted[] = {0, TRACE_BIT(TRACE_JOB_END), UINT32_MAX};
	for (int level = 0; level < 3; level++) {
		struct bench_set b;
		uint64_t events;
		if (!bench_pipeline(&b, 1000 * SECOND))
			exit(3);
		double took = simulate(&b, p->name, wanted[level], &events);
		/* The policy needs SMs for each task: 46 are enough. */
		bool large = took < 0;
		if (large) {
			bench_set_finish(&b);
			if (!bench_large_kernels(&b, 1000 * SECOND, 4))
				exit(3);
			took = simulate(&b, p->name, wanted[level], &events);
		}
		if (took < 0)
			printf("%-15s refuses the set\n", p->name);
		else
			printf("%-15s %-12s %9" PRIu64
			       " events %6.1f ns/event %7.1f M events/s, %4.1f x the tree%s\n",
				p->name, levels[level], events, took * 1e9, 1e-6 / took, took / tree,
				large ? ", on 46 SMs" : "");
		bench_set_finish(&b);
	}
}

/* The cost of placing and ending one more block: kernels of many blocks against kernels of one block. */
static void block_line(const char *policy)
{
	static const uint32_t blocks[] = {1, 64};
	double per_job[2];
	for (int i = 0; i < 2; i++) {
		struct bench_set b;
		uint64_t events, jobs = 0;
		if (!bench_large_kernels(&b, 100 * SECOND, blocks[i]))
			exit(3);
		double took = simulate(&b, policy, 0, &events);
		for (uint32_t t = 0; t < b.set.task_count; t++)
			jobs += (uint64_t)((b.setup.horizon_ns - 1) / b.set.tasks[t].period_ns) + 1;
		per_job[i] = took * (double)events / (double)jobs;
		bench_set_finish(&b);
	}
	printf("%-14s kernels of 64 blocks on 46 SMs: %.0f ns/job, %.1f ns/block; with one block %.0f "
	       "ns/job\n",
		policy, per_job[1] * 1e9, (per_job[1] - per_job[0]) * 1e9 / (blocks[1] - blocks[0]),
		per_job[0] * 1e9);
}

int main(int argc, char **argv)
{
	const char *only = argc > 1 ? argv[1] : NULL;
	/* One slot for each source of events: 16 releases, 16 kernels, the core, the copy engine. The
	 * simulation itself needs only 19, since running kernels wait for their ends in a queue. */
	double tree = bare_tree(34, 20000000), small = bare_tree(19, 20000000);
	printf("bare winner tree, 34 slots  %6.1f ns/event %7.1f M events/s\n", tree * 1e9, 1e-6 / tree);
	printf("bare winner tree, 19 slots  %6.1f ns/event %7.1f M events/s\n", small * 1e9, 1e-6 / small);
	for (const struct policy *const *p = policy_all(); *p; p++)
		if ((*p)->plan && (!only || strcmp(only, (*p)->name) == 0))
			policy_lines(*p, tree);
	block_line(only ? only : "fifo-cke");
	return 0;
}
