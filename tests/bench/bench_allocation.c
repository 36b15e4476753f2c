/* tests/bench/bench_allocation.c - the time that RTGPU takes to allocate virtual SMs: the exact greedy search
 * with up to 50 tasks on 144 SMs, and the full grid of Algorithm 2 with up to 8 tasks on 32 SMs. Both are
 * measured with both kinds of gaps.
 *
 * The sets are of recipe rtgpu-table1. Their utilisation is such that about half of them are accepted: so
 * searches neither end at once nor always fail. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/rtgpu.h"
#include "scenarios/workload/recipe.h"
#include "tests/bench/clock.h"

struct line {
	const char *what;
	enum rtgpu_search search;
	enum rtgpu_gaps gaps;
	uint32_t tasks, sms;
	const char *utilisation;
	uint32_t sets;
};

static const struct line lines[] = {
	{"greedy", RTGPU_GREEDY, RTGPU_GAPS_DEADLINE, 5, 10, "0.6", 2000},
	{"greedy", RTGPU_GREEDY, RTGPU_GAPS_DEADLINE, 8, 32, "0.5", 1000},
	{"greedy", RTGPU_GREEDY, RTGPU_GAPS_DEADLINE, 20, 72, "0.4", 200},
	{"greedy", RTGPU_GREEDY, RTGPU_GAPS_DEADLINE, 50, 144, "0.35", 50},
	{"grid", RTGPU_GRID, RTGPU_GAPS_DEADLINE, 5, 10, "0.6", 2000},
	{"grid", RTGPU_GRID, RTGPU_GAPS_DEADLINE, 8, 32, "0.5", 1000},
	{"greedy, T - R gaps", RTGPU_GREEDY, RTGPU_GAPS_RESPONSE, 8, 32, "0.5", 1000},
	{"grid, T - R gaps", RTGPU_GRID, RTGPU_GAPS_RESPONSE, 5, 10, "0.6", 500},
	{"grid, T - R gaps", RTGPU_GRID, RTGPU_GAPS_RESPONSE, 8, 32, "0.5", 20},
};

static void stop(const char *why)
{
	fprintf(stderr, "%s\n", why);
	exit(3);
}

static void option(struct params *params, const char *name, const char *value)
{
	struct error err;
	if (!params_set(params, name, value, &err))
		stop(err.text);
}

/* Seconds for one set; counts the accepted sets. */
static double allocate(const struct line *l, const struct params *params, const struct platform *platform,
	uint32_t index, uint32_t *accepted)
{
	struct arena arena = {0};
	struct taskset set;
	struct error err;
	struct rtgpu_allocation allocation;
	const struct rtgpu_request request = {.options.gaps = l->gaps, .search = l->search};
	taskset_init(&set);
	if (!recipe_find("rtgpu-table1")->generate(params, platform, 1, index, &set, &err) ||
		taskset_check(&set, platform, NULL, NULL) > 0)
		stop("the set cannot be made");
	uint32_t *rank = arena_new(&arena, uint32_t, set.task_count);
	if (!rank)
		stop("out of memory");
	taskset_ranks(&set, false, rank);
	double start = cpu_seconds();
	if (!rtgpu_allocate(platform, &set, rank, &request, &arena, &allocation, &err))
		stop(err.text);
	double took = cpu_seconds() - start;
	*accepted += allocation.verdict.accepted;
	taskset_finish(&set);
	arena_finish(&arena);
	return took;
}

static void measure(const struct line *l)
{
	const struct recipe *recipe = recipe_find("rtgpu-table1");
	struct params params;
	struct arena arena = {0}; /* of the platform */
	struct platform platform;
	struct error err;
	char number[16];
	double sum = 0, worst = 0;
	uint32_t accepted = 0;
	params_default(&params, recipe->options);
	snprintf(number, sizeof(number), "%" PRIu32, l->tasks);
	option(&params, "tasks", number);
	snprintf(number, sizeof(number), "%" PRIu32, l->sms);
	option(&params, "sms", number);
	option(&params, "utilisation", l->utilisation);
	option(&params, "ratio", "1:8");
	if (!recipe->platform(&params, &arena, &platform, &err))
		stop(err.text);
	if (platform.work_queues < l->tasks)
		platform.work_queues = l->tasks;
	for (uint32_t i = 0; i < l->sets; i++) {
		double took = allocate(l, &params, &platform, i, &accepted);
		sum += took;
		worst = took > worst ? took : worst;
	}
	printf("%-20s %5" PRIu32 " %5" PRIu32 " %6" PRIu32 " %9.2f %12.3f %12.3f %12.0f\n", l->what, l->tasks,
		l->sms, l->sets, (double)accepted / l->sets, 1e3 * sum / l->sets, 1e3 * worst, l->sets / sum);
	arena_finish(&arena);
}

int main(void)
{
	printf("search               tasks   SMs   sets  accepted  ms per set     worst ms      sets/s\n");
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		measure(&lines[i]);
	return 0;
}
