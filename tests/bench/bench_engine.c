/* tests/bench/bench_engine.c - events per second of the simulation, beside a winner tree without a
 * simulation.
 *
 * The bare tree has one slot for each source of events. For each event it does what the simulation cannot
 * avoid: it takes the winner and arms it again. Tries of both alternate; what counts is the ratio. */
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
#define TREE_EVENTS 2000000u
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

static struct hold tree; /* beside which each line is measured */
static struct arena tree_arena;

static void tree_begin(uint32_t slots)
{
	struct error err;
	arena_finish(&tree_arena);
	tree = (struct hold){.state = 1};
	if (!sim_init(&tree.sim, &tree_arena, slots, 0, &hold_model, &tree, &err))
		exit(3);
	for (uint32_t i = 0; i < slots; i++)
		sim_arm(&tree.sim, i, i);
}

/* Seconds per event, of one try. */
static double tree_try(uint64_t events)
{
	double start = cpu_seconds();
	sim_run(&tree.sim, tree.sim.latest, events);
	return (cpu_seconds() - start) / (double)events;
}

static double bare_tree(uint32_t slots, uint64_t events)
{
	double best = 1e9;
	tree_begin(slots);
	for (int i = 0; i < TRIES; i++) {
		double took = tree_try(events);
		best = took < best ? took : best;
	}
	return best;
}

/* ---- the simulation ---- */

static bool discard(void *self, const struct trace_record *records, size_t count)
{
	(void)records;
	*(uint64_t *)self += count;
	return true;
}

/* The run is measured, not whether the policy can guarantee deadlines; calls of a driver take 10 us each. */
static void set_params(const struct policy *p, struct params *params)
{
	static const struct {
		const char *name, *value;
	} settings[] = {{"admit", "any"}, {"update", "10us"}, {"call", "10us"}};
	struct error err;
	params_default(params, p->options);
	for (const struct option *o = p->options; o && o->name; o++)
		for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++)
			if (strcmp(o->name, settings[i].name) == 0 &&
				!params_set(params, o->name, settings[i].value, &err))
				exit(3);
}

/* Seconds per event under one policy. Records of the `wanted` kinds are written to the ring and thrown away.
 * Negative: the policy refuses the set. `beside`: the same for the bare tree, tried in turn with it. */
static double simulate(
	struct bench_set *b, const char *policy, uint32_t wanted, uint64_t *events, double *beside)
{
	double best = 1e9;
	*beside = 1e9;
	for (int i = 0; i < TRIES; i++) {
		struct simulation *s;
		struct error err;
		uint64_t records = 0;
		struct params params;
		const struct policy *p = policy_find(policy);
		set_params(p, &params);
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
		double bare = tree_try(TREE_EVENTS);
		*beside = bare < *beside ? bare : *beside;
	}
	return best;
}

static const struct level {
	const char *name;
	uint32_t wanted;
	bool drawn; /* times between half of the worst case and all of it; else the worst case */
} levels[] = {{"untraced", 0, false}, {"uniform", 0, true}, {"jobs", TRACE_BIT(TRACE_JOB_END), false},
	{"everything", UINT32_MAX, false}};
#define LEVELS (sizeof(levels) / sizeof(*levels))

static void print_line(
	const char *policy, const char *level, uint64_t events, double took, double beside, const char *where)
{
	printf("%-15s %-12s %9" PRIu64 " events %6.1f ns/event %7.1f M events/s, %4.1f x the tree%s\n",
		policy, level, events, took * 1e9, 1e-6 / took, took / beside, where);
}

static void policy_lines(const struct policy *p)
{
	for (size_t level = 0; level < LEVELS; level++) {
		struct bench_set b;
		uint64_t events;
		double beside;
		if (!bench_pipeline(&b, 1000 * SECOND))
			exit(3);
		if (levels[level].drawn)
			b.setup.execution = EXECUTION_UNIFORM;
		double took = simulate(&b, p->name, levels[level].wanted, &events, &beside);
		/* The policy needs SMs for each task: 46 are enough. */
		bool large = took < 0;
		if (large) {
			bench_set_finish(&b);
			if (!bench_large_kernels(&b, 1000 * SECOND, 4))
				exit(3);
			if (levels[level].drawn)
				b.setup.execution = EXECUTION_UNIFORM;
			took = simulate(&b, p->name, levels[level].wanted, &events, &beside);
		}
		if (took < 0)
			printf("%-15s refuses the set\n", p->name);
		else
			print_line(p->name, levels[level].name, events, took, beside,
				large ? ", on 46 SMs" : "");
		bench_set_finish(&b);
	}
}

/* What several cores cost, and contexts. */
static void core_lines(const char *only)
{
	static const struct {
		const char *policy;
		uint32_t cores, processes;
		bool global;
	} rows[] = {
		{"fifo-cke", 4, 1, false},
		{"rm", 4, 1, false},
		{"rm", 4, 1, true},
		{"tsg-rr", 1, 4, false},
		{"tsg-rr", 4, 4, false},
		{"gcaps", 1, 4, false},
		{"gcaps", 4, 4, false},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		for (size_t level = 0; level < LEVELS; level += LEVELS - 1) {
			struct bench_set b;
			uint64_t events;
			char where[64];
			if (only && strcmp(only, rows[i].policy) != 0)
				continue;
			if (!bench_cores(&b, 1000 * SECOND, rows[i].cores, rows[i].processes))
				exit(3);
			if (rows[i].global)
				b.platform.scheduling = CORES_GLOBAL;
			b.set.cores = !rows[i].global;
			double beside,
				took = simulate(&b, rows[i].policy, levels[level].wanted, &events, &beside);
			int at = snprintf(where, sizeof(where), ", %u core%s%s", rows[i].cores,
				rows[i].cores > 1 ? "s" : "", rows[i].global ? " (global)" : "");
			if (rows[i].processes > 1)
				snprintf(where + at, sizeof(where) - (size_t)at, ", %u processes",
					rows[i].processes);
			print_line(rows[i].policy, levels[level].name, events, took, beside, where);
			bench_set_finish(&b);
		}
	}
}

/* What a draw costs: times from a range of two nanoseconds, beside the worst case in each job. Releases are
 * sporadic, so that neither schedule is periodic: processors learn a periodic one. */
static void draw_line(const char *policy)
{
	static const enum execution_kind kinds[] = {EXECUTION_WORST, EXECUTION_UNIFORM};
	double per_job[2], beside;
	uint32_t draws = 0;
	for (int i = 0; i < 2; i++) {
		struct bench_set b;
		uint64_t events;
		if (!bench_pipeline(&b, 1000 * SECOND))
			exit(3);
		b.setup.execution = kinds[i];
		b.setup.release = (struct release_rule){.kind = RELEASE_SPORADIC, .max_delay_ppm = 100000};
		draws = b.set.tasks[0].segment_count;
		for (uint32_t t = 0; t < b.set.task_count; t++)
			for (uint32_t j = 0; j < draws; j++)
				b.set.tasks[t].segments[j].best_ns = b.set.tasks[t].segments[j].worst_ns - 1;
		double took = simulate(&b, policy, 0, &events, &beside);
		per_job[i] = took * (double)(draws + 1);
		bench_set_finish(&b);
		if (took < 0)
			return; /* it refuses the set */
	}
	printf("%-15s with times drawn from a range: %.0f ns/job, %.1f ns/draw\n", policy, per_job[1] * 1e9,
		(per_job[1] - per_job[0]) * 1e9 / draws);
}

/* The cost of placing and ending one more block: kernels of many blocks against kernels of one block. */
static void block_line(const char *policy)
{
	static const uint32_t blocks[] = {1, 64};
	double per_job[2], beside;
	for (int i = 0; i < 2; i++) {
		struct bench_set b;
		uint64_t events, jobs = 0;
		if (!bench_large_kernels(&b, 100 * SECOND, blocks[i]))
			exit(3);
		double took = simulate(&b, policy, 0, &events, &beside);
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
	double small = bare_tree(19, 20000000), large = bare_tree(34, 20000000);
	printf("bare winner tree, 34 slots  %6.1f ns/event %7.1f M events/s\n", large * 1e9, 1e-6 / large);
	printf("bare winner tree, 19 slots  %6.1f ns/event %7.1f M events/s\n", small * 1e9, 1e-6 / small);
	for (const struct policy *const *p = policy_all(); *p; p++)
		if ((*p)->plan && (!only || strcmp(only, (*p)->name) == 0))
			policy_lines(*p);
	core_lines(only);
	draw_line(only ? only : "fifo-cke");
	block_line(only ? only : "fifo-cke");
	arena_finish(&tree_arena);
	return 0;
}
