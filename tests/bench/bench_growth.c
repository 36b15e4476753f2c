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

/* The policies are timed, not whether they can guarantee deadlines. */
static void set_params(const struct policy *p, struct params *params)
{
	struct error err;
	params_default(params, p->options);
	for (const struct option *o = p->options; o && o->name; o++)
		if (strcmp(o->name, "admit") == 0 && !params_set(params, o->name, "any", &err))
			exit(3);
}

/* The least of several tries, untraced. No events: the policy refuses the set. */
static struct cost measure(const struct bench_set *b, const char *policy)
{
	struct cost best = {.event = 1e9, .make = 1e9};
	const struct policy *p = policy_find(policy);
	struct params params;
	set_params(p, &params);
	for (int i = 0; i < TRIES; i++) {
		struct simulation *s;
		struct error err;
		double start = cpu_seconds();
		if (!simulation_create(&b->platform, &b->set, &b->setup, p, &params, &s, &err)) {
			fprintf(stderr, "%s\n", err.text);
			exit(3);
		}
		if (simulation_plan(s)->refused) {
			simulation_destroy(s);
			return (struct cost){.make = cpu_seconds() - start};
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

static bool line_of_tasks(const char *policy, uint32_t tasks, uint32_t sms)
{
	struct bench_set b;
	if (!bench_tasks(&b, horizon_for(EVENTS, tasks), tasks))
		exit(3);
	if (sms > 0)
		b.platform.sms = sms;
	shuffle(&b.set);
	struct cost c = measure(&b, policy);
	if (c.events > 0)
		printf("%-15s %6u tasks %4u SMs %8" PRIu64 " events %7.1f ns/event, made in %8.3f ms\n",
			policy, tasks, b.platform.sms, c.events, c.event * 1e9, c.make * 1e3);
	else
		printf("%-15s %6u tasks %4u SMs, refused in %8.3f ms\n", policy, tasks, b.platform.sms,
			c.make * 1e3);
	fflush(stdout);
	bench_set_finish(&b);
	return c.events > 0;
}

/* A policy that gives each task SMs of its own refuses two of them, and gets one for each task. */
static void by_tasks(const char *policy)
{
	static const uint32_t tasks[] = {10, 30, 100, 300, 1000, 3000, 10000};
	for (size_t i = 0; i < sizeof(tasks) / sizeof(*tasks); i++)
		if (!line_of_tasks(policy, tasks[i], 0) && !line_of_tasks(policy, tasks[i], tasks[i]))
			break;
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
	for (const struct policy *const *p = policy_all(); *p && !by_blocks; p++)
		if ((*p)->plan && (!only || strcmp(only, (*p)->name) == 0))
			by_tasks((*p)->name);
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
