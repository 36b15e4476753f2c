/* tests/bench/bench_growth.c - what an event costs as sets, kernels and GPUs grow, and making the run. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "models/simulation.h"
#include "policies/registry.h"
#include "tests/bench/clock.h"
#include "tests/bench/sets.h"

#define TRIES 3
#define SECOND INT64_C(1000000000)
#define EVENTS 2000000.0 /* of a run, about */

struct cost {
	uint64_t events, jobs;
	double event, job, make; /* seconds; make: of the whole run, once */
};

/* The least of several tries, untraced. */
static struct cost measure(const struct bench_set *b, const char *policy)
{
	struct cost best = {.event = 1e9, .make = 1e9};
	for (int i = 0; i < TRIES; i++) {
		struct simulation *s;
		struct error err;
		double start = cpu_seconds();
		if (!simulation_create(
			    &b->platform, &b->set, &b->setup, policy_find(policy), NULL, &s, &err)) {
			fprintf(stderr, "%s\n", err.text);
			exit(3);
		}
		double made = cpu_seconds();
		while (simulation_step(s, 1000000) == SIMULATION_RUNNING)
			;
		double ran = cpu_seconds() - made;
		struct simulation_outcome o = simulation_outcome(s);
		double event = ran / (double)o.events;
		best.make = made - start < best.make ? made - start : best.make;
		if (event < best.event) {
			best.event = event;
			best.events = o.events;
			best.jobs = o.jobs;
			best.job = ran / (double)o.jobs;
		}
		simulation_destroy(s);
	}
	return best;
}

/* Six events a job; the mean rate of a task's jobs is 54.8 a second. */
static int64_t horizon_for(double events, uint32_t tasks)
{
	return (int64_t)(1e9 * events / (6 * 54.8 * tasks));
}

/* Tasks in the order of their priorities would be a special case, not only for queues. */
static void shuffle(struct taskset *set)
{
	for (uint32_t i = set->task_count - 1; i > 0; i--) {
		const struct random_key key = {.seed = 9, .job = i, .purpose = RANDOM_TEST};
		int64_t other = random_upto(&key, i);
		struct task moved = set->tasks[i];
		set->tasks[i] = set->tasks[other];
		set->tasks[other] = moved;
	}
}

static void by_tasks(const char *only)
{
	static const char *const policies[] = {"fifo-cke", "prio-streams", "rm", "edf", "mpcp"};
	static const uint32_t tasks[] = {10, 30, 100, 300, 1000, 3000, 10000};
	for (size_t p = 0; p < sizeof(policies) / sizeof(*policies); p++) {
		if (only && strcmp(only, policies[p]) != 0)
			continue;
		for (size_t i = 0; i < sizeof(tasks) / sizeof(*tasks); i++) {
			struct bench_set b;
			if (!bench_tasks(&b, horizon_for(EVENTS, tasks[i]), tasks[i]))
				exit(3);
			shuffle(&b.set);
			struct cost c = measure(&b, policies[p]);
			printf("%-13s %6u tasks %8" PRIu64 " events %7.1f ns/event, made in %8.3f ms\n",
				policies[p], tasks[i], c.events, c.event * 1e9, c.make * 1e3);
			bench_set_finish(&b);
		}
	}
}

/* On a GPU of so many SMs, with so many blocks a kernel, 3 on an SM at a time. Blocks are the shorter the
 * more there are, so that the GPU is as busy. */
static void line_of_blocks(const char *policy, uint32_t sms, uint32_t blocks)
{
	struct bench_set b;
	int64_t waves = (blocks - 1) / (3 * sms) + 1;
	double events = blocks < 1000 ? EVENTS : EVENTS * 300 / blocks;
	if (!bench_large_kernels(&b, horizon_for(events, 16), blocks))
		exit(3);
	b.platform.sms = sms;
	for (uint32_t i = 0; i < b.set.task_count; i++) {
		struct segment *s = &b.set.tasks[i].segments[2];
		s->worst_ns = (s->worst_ns - 1) / waves + 1;
		s->best_ns = s->worst_ns / 2;
	}
	struct cost c = measure(&b, policy);
	printf("%-13s %4u SMs, %7u blocks a kernel %8" PRIu64
	       " events %7.1f ns/event %9.0f ns/job %6.2f ns/block\n",
		policy, sms, blocks, c.events, c.event * 1e9, c.job * 1e9, c.job * 1e9 / blocks);
	bench_set_finish(&b);
}

/* bench_growth [POLICY|blocks]: the lines of one policy by tasks, or those by blocks and SMs. */
int main(int argc, char **argv)
{
	static const uint32_t blocks[] = {1, 10, 100, 1000, 10000, 100000, 1000000};
	static const uint32_t sms[] = {1, 10, 100, 1000};
	static const char *const policies[] = {"fifo-cke", "rm"};
	const char *only = argc > 1 ? argv[1] : NULL;
	bool by_blocks = only && strcmp(only, "blocks") == 0;
	if (!by_blocks)
		by_tasks(only);
	for (size_t p = 0; p < sizeof(policies) / sizeof(*policies) && (!only || by_blocks); p++) {
		for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++)
			line_of_blocks(policies[p], 46, blocks[i]);
		for (size_t i = 0; i < sizeof(sms) / sizeof(*sms); i++)
			line_of_blocks(policies[p], sms[i], 4);
		for (size_t i = 0; i < sizeof(sms) / sizeof(*sms); i++)
			line_of_blocks(policies[p], sms[i], 4 * sms[i]);
	}
	return 0;
}
