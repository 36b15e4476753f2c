/* tests/bench/bench_decisions.c - the cost of a policy's decisions: nanoseconds for each call of decide(), by
 * policy and number of tasks, and the events per second that remain.
 *
 * decide() is called through a wrapper that counts and times. The time for reading the clock is measured,
 * too, and subtracted. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/gate.h"
#include "models/simulation.h"
#include "policies/registry.h"
#include "tests/bench/clock.h"
#include "tests/bench/sets.h"

#define SECOND INT64_C(1000000000)
#define EVENTS 200000u

static struct {
	const struct policy *policy;
	decide_fn *decide;
	uint64_t calls, worst_ns;
	double sum_ns;
} timed;

static double clock_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* The time between two readings of the clock that directly follow each other. */
static double clock_cost_ns(void)
{
	double start = clock_ns(), last = start;
	for (int i = 0; i < 100000; i++)
		last = clock_ns();
	return (last - start) / 100000;
}

static void timed_decide(struct gate *gate, void *state)
{
	double start = clock_ns();
	timed.decide(gate, state);
	double took = clock_ns() - start;
	timed.calls++;
	timed.sum_ns += took;
	if (took > (double)timed.worst_ns)
		timed.worst_ns = (uint64_t)took;
}

static bool timed_plan(struct plan *plan, struct error *err)
{
	if (!timed.policy->plan(plan, err))
		return false;
	timed.decide = plan->decide;
	plan->decide = plan->unit == GATE_OPEN ? NULL : timed_decide;
	return true;
}

static bool make_params(const struct policy *p, struct params *params)
{
	struct error err;
	params_default(params, p->options);
	for (const struct option *o = p->options; o && o->name; o++)
		if ((strcmp(o->name, "admit") == 0 && !params_set(params, "admit", "any", &err)) ||
			(strcmp(o->name, "exclusive") == 0 &&
				!params_set(params, "exclusive", "false", &err)))
			return false;
	return true;
}

static void line(const struct policy *p, uint32_t tasks, double clock_cost)
{
	struct bench_set b;
	struct simulation *s;
	struct params params;
	struct error err;
	struct policy wrapper = *p;
	wrapper.plan = timed_plan;
	memset(&timed, 0, sizeof(timed));
	timed.policy = p;
	if (!bench_gpu_sections(&b, 1000 * SECOND, tasks) || !make_params(p, &params) ||
		!simulation_create(&b.platform, &b.set, &b.setup, &wrapper, &params, &s, &err)) {
		fprintf(stderr, "%s: the run cannot be made\n", p->name);
		exit(3);
	}
	if (simulation_plan(s)->refused) {
		printf("%-16s %5" PRIu32 "  refused: %s\n", p->name, tasks, simulation_plan(s)->reason);
	} else {
		double start = cpu_seconds();
		simulation_step(s, EVENTS);
		double took = cpu_seconds() - start;
		uint64_t events = simulation_events(s);
		if (timed.calls)
			printf("%-16s %5" PRIu32 " %9.0f %9" PRIu64 " %9.2f\n", p->name, tasks,
				timed.sum_ns / (double)timed.calls - clock_cost, timed.worst_ns,
				1e-6 * (double)events / took);
		else
			printf("%-16s %5" PRIu32 "         -         - %9.2f\n", p->name, tasks,
				1e-6 * (double)events / took);
	}
	simulation_destroy(s);
	bench_set_finish(&b);
}

int main(int argc, char **argv)
{
	static const uint32_t tasks[] = {5, 20, 50};
	double cost = clock_cost_ns();
	printf("46 SMs, GPU sections; the clock costs %.0f ns\n", cost);
	printf("policy           tasks  ns/call  worst ns  M events/s\n");
	for (const struct policy *const *p = policy_all(); *p; p++)
		for (size_t i = 0; i < sizeof(tasks) / sizeof(*tasks); i++)
			if ((*p)->plan && (argc < 2 || strcmp(argv[1], (*p)->name) == 0))
				line(*p, tasks[i], cost);
	return 0;
}
