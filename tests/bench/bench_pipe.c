/* tests/bench/bench_pipe.c - task sets per second through a pipe, beside an analysis of the program: a
 * trivial script in Python, and one that has the formula of that analysis. Wall-clock time, as two processes
 * work. Ends with 1 if the trivial script does fewer than 500 sets a second, or if bounds differ. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "base/clock.h"
#include "models/plan.h"
#include "policies/pipe/pipe.h"
#include "policies/registry.h"
#include "scenarios/workload/recipe.h"

#define SETS 500
#define TRIES 3
#define LEAST_SETS_PER_SECOND 500

static const uint32_t sizes[] = {5, 10, 20};
#define SIZES (sizeof(sizes) / sizeof(*sizes))

struct made {
	struct arena arena;
	struct platform platform;
	struct taskset set;
	struct plan plan;
};

struct subject {
	const char *name;
	const struct analysis *analysis;
	bool trivial;
};

static struct made made[SETS];
static int64_t (*expected)[20]; /* [SETS] bounds within the deadline; NO_BOUND: beyond, or none */
static struct params fp_params;

static void stop(const char *why)
{
	fprintf(stderr, "%s\n", why);
	exit(3);
}

static void make_sets(uint32_t tasks)
{
	static const struct run_setup setup = {.horizon_ns = 1, .limit_ns = 1};
	static struct params rm;
	const struct recipe *recipe = recipe_find("custom");
	const struct policy *policy = policy_find("rm");
	struct params params;
	struct error err;
	char number[16];
	snprintf(number, sizeof(number), "%" PRIu32, tasks);
	params_default(&rm, policy->options);
	params_default(&params, recipe->options);
	if (!params_set(&params, "tasks", number, &err) || !params_set(&params, "sections", "0", &err) ||
		!params_set(&params, "copies", "none", &err) ||
		!params_set(&params, "periods", "log-uniform", &err) ||
		!params_set(&params, "utilisation", "0.7", &err))
		stop(err.text);
	for (uint32_t i = 0; i < SETS; i++) {
		struct made *m = &made[i];
		taskset_init(&m->set);
		if (!recipe->platform(&params, &m->set.arena, &m->platform, &err) ||
			!recipe->generate(&params, &m->platform, 1, i, &m->set, &err))
			stop(err.text);
		if (taskset_check(&m->set, &m->platform, NULL, NULL) > 0)
			stop("a set is wrong");
		if (!plan_create(&m->platform, &m->set, &setup, policy, &rm, &m->arena, &m->plan, &err))
			stop(err.text);
	}
}

static void finish_sets(void)
{
	for (uint32_t i = 0; i < SETS; i++) {
		taskset_finish(&made[i].set);
		arena_finish(&made[i].arena);
	}
}

/* The bound of one set; the result is in the arena. */
static struct analysis_result bound(const struct subject *s, uint32_t i, struct arena *arena)
{
	struct analysis_result result;
	struct error err;
	bool ok = s->analysis->ask
			  ? s->analysis->ask(s->analysis, &made[i].plan, &fp_params, arena, &result, &err)
			  : s->analysis->bound(&made[i].plan, &fp_params, arena, &result, &err);
	if (!ok)
		stop(err.text);
	if (result.gave_up || result.refused)
		stop(result.verdict.reason);
	return result;
}

/* Seconds for each set: the least of several tries. */
static double measure(const struct subject *s)
{
	double best = 1e9;
	for (int n = 0; n < TRIES; n++) {
		double start = clock_seconds();
		for (uint32_t i = 0; i < SETS; i++) {
			struct arena arena = {0};
			bound(s, i, &arena);
			arena_finish(&arena);
		}
		double took = (clock_seconds() - start) / SETS;
		best = took < best ? took : best;
	}
	return best;
}

/* Bounds within the deadline, as the script stops looking there. */
static void read_bounds(const struct subject *s, uint32_t tasks, int64_t (*bounds)[20])
{
	for (uint32_t i = 0; i < SETS; i++) {
		struct arena arena = {0};
		struct analysis_result result = bound(s, i, &arena);
		for (uint32_t t = 0; t < tasks; t++) {
			int64_t response = result.task[t].response_ns;
			bool within = response != NO_BOUND && response <= made[i].set.tasks[t].deadline_ns;
			bounds[i][t] = within ? response : NO_BOUND;
		}
		arena_finish(&arena);
	}
}

static const struct analysis *in_pipe(const char *text)
{
	struct error err;
	const struct analysis *analysis = pipe_parse(text, &err);
	if (!analysis)
		stop(err.text);
	return analysis;
}

static bool bench(const struct subject *subjects, size_t count, uint32_t tasks)
{
	double own = 0;
	bool ok = true;
	int64_t(*bounds)[20] = calloc(SETS, sizeof(*bounds));
	if (!bounds)
		stop("out of memory");
	make_sets(tasks);
	read_bounds(&subjects[0], tasks, expected);
	for (size_t i = 0; i < count; i++) {
		double seconds = measure(&subjects[i]);
		own = i == 0 ? seconds : own;
		printf("%-28s %5" PRIu32 " %10.0f %10.1f %10.1f\n", subjects[i].name, tasks, 1 / seconds,
			1e6 * seconds, seconds / own);
		fflush(stdout);
		if (subjects[i].trivial && 1 / seconds < LEAST_SETS_PER_SECOND)
			ok = false;
	}
	read_bounds(&subjects[count - 1], tasks, bounds);
	if (memcmp(bounds, expected, SETS * sizeof(*bounds)) != 0)
		ok = printf("the bounds of the formula in Python differ\n") < 0;
	free(bounds);
	finish_sets();
	return ok;
}

int main(int argc, char **argv)
{
	if (argc != 2 || chdir(argv[1]) != 0)
		stop("usage: bench_pipe FOLDER, where cegsim_bound.py and rta.py are");
	params_default(&fp_params, analysis_find("fp")->options);
	const struct subject subjects[] = {
		{"fp", analysis_find("fp"), false},
		{"Python: the deadlines",
			in_pipe("pipe:python3 -c 'import cegsim_bound as c; "
				"c.answer(lambda q: [t[\"deadline\"] for t in q[\"tasks\"]])'"),
			true},
		{"Python: rta.py, fp's formula", in_pipe("pipe:python3 rta.py"), false},
	};
	bool ok = true;
	expected = calloc(SETS, sizeof(*expected));
	if (!expected)
		stop("out of memory");
	printf("analysis                     tasks     sets/s     us/set     x fp\n");
	for (size_t i = 0; i < SIZES; i++)
		ok &= bench(subjects, sizeof(subjects) / sizeof(*subjects), sizes[i]);
	free(expected);
	return ok ? 0 : 1;
}
