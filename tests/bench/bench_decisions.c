/* tests/bench/bench_decisions.c - the cost of a policy's decisions: nanoseconds for each call of decide(), by
 * policy and number of tasks, and the events per second that remain. And what sBEET's paper measures (Wang et
 * al., RTSS 2021, Fig. 7): on sets of its evaluation at U = 1.0, ten minutes each, how often is decided and
 * how long the longest decision takes, by number of tasks.
 *
 * decide() is called through a wrapper that counts and times. The time for reading the clock is measured,
 * too, and subtracted. A run decides the same each time: of a decision in several tries the shortest counts,
 * so that one which was interrupted does not. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/gate.h"
#include "models/simulation.h"
#include "policies/registry.h"
#include "scenarios/workload/recipe.h"
#include "tests/bench/clock.h"
#include "tests/bench/sets.h"

#define SECOND INT64_C(1000000000)
#define EVENTS 200000u
#define TRIES 3
#define FIG7_SETS 4
#define FIG7_NS (600 * SECOND)

static struct {
	const struct policy *policy;
	decide_fn *decide;
	uint64_t calls, worst_ns, decisions; /* decisions: calls while a unit waits */
	double sum_ns;
	float *shortest; /* [kept], ns, of each decision in all tries; NULL: nobody wants them */
	size_t kept, capacity;
} timed;

static double clock_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* The time between two readings of the clock that directly follow each other; and the shortest. */
static double clock_cost_ns(double *least)
{
	double start = clock_ns(), last = start;
	*least = 1e9;
	for (int i = 0; i < 100000; i++) {
		double now = clock_ns();
		*least = now - last < *least ? now - last : *least;
		last = now;
	}
	return (last - start) / 100000;
}

/* The time of decision number timed.decisions of the run. */
static void keep(double took)
{
	uint64_t number = timed.decisions++;
	if (number < timed.kept) {
		float *shortest = &timed.shortest[number];
		*shortest = took < *shortest ? (float)took : *shortest;
		return;
	}
	if (timed.kept == timed.capacity)
		return;
	timed.shortest[timed.kept++] = (float)took;
}

static void timed_decide(struct gate *gate, void *state)
{
	bool waits = gate_waiting(gate) > 0;
	double start = clock_ns();
	timed.decide(gate, state);
	double took = clock_ns() - start;
	if (waits)
		keep(took);
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

/* ---- sBEET, Fig. 7 ---- */

static void stop_with(const char *why)
{
	fprintf(stderr, "bench_decisions: %s\n", why);
	exit(3);
}

/* One run of a set; the tries before have timed the same calls. */
static void try_fig7(const struct platform *platform, const struct taskset *set, const struct policy *policy)
{
	const struct run_setup setup = {.seed = 1,
		.horizon_ns = FIG7_NS,
		.stop = STOP_HORIZON,
		.limit_ns = FIG7_NS,
		.on_miss = MISS_DROP,
		.release = {.kind = RELEASE_PERIODIC},
		.execution = EXECUTION_WORST};
	struct simulation *s;
	struct params params;
	struct error err;
	params_default(&params, policy->options);
	timed.decisions = 0;
	if (!simulation_create(platform, set, &setup, policy, &params, &s, &err))
		stop_with(err.text);
	if (simulation_plan(s)->refused || simulation_step(s, UINT64_MAX / 2) != SIMULATION_ENDED)
		stop_with("a set does not run");
	simulation_destroy(s);
}

struct fig7 {
	uint64_t decisions;
	double sum_ns, worst_ns;
};

static void set_of_fig7(const struct params *params, const struct platform *platform, uint32_t index,
	const struct policy *policy, double clock_cost, struct fig7 *sum)
{
	struct taskset set;
	struct error err;
	taskset_init(&set);
	if (!recipe_find("sbeet")->generate(params, platform, 1, index, &set, &err) ||
		taskset_check(&set, platform, NULL, NULL) > 0)
		stop_with("a set cannot be made");
	timed.kept = 0;
	for (int try = 0; try < TRIES; try++)
		try_fig7(platform, &set, policy);
	for (size_t i = 0; i < timed.kept; i++) {
		double ns = (double)timed.shortest[i] - clock_cost;
		sum->sum_ns += ns;
		sum->worst_ns = ns > sum->worst_ns ? ns : sum->worst_ns;
	}
	sum->decisions += timed.kept;
	taskset_finish(&set);
}

static void line_of_fig7(uint32_t tasks, double clock_cost)
{
	const struct recipe *recipe = recipe_find("sbeet");
	struct policy wrapper = *timed.policy;
	struct fig7 sum = {0};
	struct params params;
	struct arena arena = {0};
	struct platform platform;
	struct error err;
	char number[16];
	wrapper.plan = timed_plan;
	params_default(&params, recipe->options);
	snprintf(number, sizeof(number), "%" PRIu32, tasks);
	if (!params_set(&params, "tasks", number, &err) || !params_set(&params, "utilisation", "1.0", &err) ||
		!params_set(&params, "gpu", "synthetic-8sm", &err) ||
		!recipe->platform(&params, &arena, &platform, &err))
		stop_with(err.text);
	for (uint32_t i = 0; i < FIG7_SETS; i++)
		set_of_fig7(&params, &platform, i, &wrapper, clock_cost, &sum);
	double a_second = (double)sum.decisions / FIG7_SETS / (double)(FIG7_NS / SECOND);
	double mean_ns = sum.sum_ns / (double)sum.decisions;
	printf("%5" PRIu32 " %12.1f %9.2f %9.2f %12.4f\n", tasks, a_second, 1e-3 * mean_ns,
		1e-3 * sum.worst_ns, 1e-7 * a_second * mean_ns);
	arena_finish(&arena);
}

static void fig7(double clock_cost)
{
	static const uint32_t tasks[] = {2, 4, 6, 8, 10, 20};
	memset(&timed, 0, sizeof(timed));
	timed.policy = policy_find("sbeet");
	timed.capacity = (size_t)1 << 20;
	timed.shortest = calloc(timed.capacity, sizeof(*timed.shortest));
	if (!timed.policy || !timed.shortest)
		stop_with("out of memory");
	printf("\nsBEET, Fig. 7: %d sets of recipe sbeet a line, U = 1.0, %d s each\n", FIG7_SETS,
		(int)(FIG7_NS / SECOND));
	printf("tasks  decisions/s   mean us  worst us  %% of a core\n");
	for (size_t i = 0; i < sizeof(tasks) / sizeof(*tasks); i++)
		line_of_fig7(tasks[i], clock_cost);
	free(timed.shortest);
}

int main(int argc, char **argv)
{
	static const uint32_t tasks[] = {5, 20, 50};
	double least, cost = clock_cost_ns(&least);
	printf("46 SMs, GPU sections; the clock costs %.0f ns\n", cost);
	printf("policy           tasks  ns/call  worst ns  M events/s\n");
	for (const struct policy *const *p = policy_all(); *p; p++)
		for (size_t i = 0; i < sizeof(tasks) / sizeof(*tasks); i++)
			if ((*p)->plan && (argc < 2 || strcmp(argv[1], (*p)->name) == 0))
				line(*p, tasks[i], cost);
	if (argc < 2 || strcmp(argv[1], "sbeet") == 0)
		fig7(least);
	return 0;
}
