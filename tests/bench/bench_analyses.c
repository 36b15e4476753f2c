/* tests/bench/bench_analyses.c - task sets analysed per second, for every analysis and its methods. Other
 * tools of the same kind are printed beside them.
 *
 * First all sets of a line and their plans are made. That time is the plan's, and includes the search for an
 * allocation if the policy has one. Then the analysis is measured: what its user pays for each set, which is
 * bound() into an empty arena, until the arena is given back. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/sections.h"
#include "models/plan.h"
#include "policies/registry.h"
#include "scenarios/workload/recipe.h"
#include "tests/bench/clock.h"

#define SETS 500
#define TRIES 5
#define LEAST_SECONDS 0.05 /* of one try, at least */

/* ---- Bare loops ---- */

/* What a test costs as a textbook has it, on arrays: without tasks, plans or parts of bounds. */
struct bare {
	uint32_t count;
	int64_t *cost, *period, *deadline; /* [count], the highest priority first */
};
static struct bare bare[SETS];

/* Joseph and Pandya (1986), what SchedCAT's test computes: R = C + sum over higher tasks of ceil(R / T) C,
 * from C on, until nothing changes, or R is behind the deadline. */
static bool bare_preemptive(const struct bare *b)
{
	bool accepted = true;
	for (uint32_t i = 0; i < b->count; i++) {
		int64_t r = 0, next = b->cost[i];
		while (next != r && next <= b->deadline[i]) {
			r = next;
			next = b->cost[i];
			for (uint32_t h = 0; h < i; h++)
				next += ((r - 1) / b->period[h] + 1) * b->cost[h];
		}
		accepted &= next <= b->deadline[i];
	}
	return accepted;
}

/* Davis, Burns, Bril, Lukkien (2007): job q starts at w = B + q C + sum over higher tasks of
 * (floor(w / T) + 1) C, where B is the longest lower cost, and ends C later; for each job of the busy period,
 * which is found first. It ends, as these sets have less work than time. */
static bool bare_nonpreemptive(const struct bare *b)
{
	bool accepted = true;
	for (uint32_t i = 0; i < b->count; i++) {
		int64_t blocking = 0, busy = 0, next;
		for (uint32_t l = i + 1; l < b->count; l++)
			blocking = b->cost[l] > blocking ? b->cost[l] : blocking;
		for (next = blocking + b->cost[i]; next != busy;) {
			busy = next;
			next = blocking;
			for (uint32_t h = 0; h <= i; h++)
				next += ((busy - 1) / b->period[h] + 1) * b->cost[h];
		}
		int64_t w = -1;
		next = blocking;
		for (int64_t q = 0; q * b->period[i] < busy; q++) {
			for (next += q > 0 ? b->cost[i] : 0; next != w;) {
				w = next;
				next = blocking + q * b->cost[i];
				for (uint32_t h = 0; h < i; h++)
					next += (w / b->period[h] + 1) * b->cost[h];
			}
			accepted &= w + b->cost[i] - q * b->period[i] <= b->deadline[i];
		}
	}
	return accepted;
}

/* ---- What is compared with what ---- */

/* Another tool of the same kind, which is not here: thousands of sets per second, measured once, on
 * MEASURED_ON, on a machine like that of the README, and the number of tasks in a set. Lines with other
 * numbers of tasks are not compared with it. Or a bare loop, tried in turn with lines of any number. */
#define MEASURED_ON "2026-11-22"

struct kin {
	const char *name;
	double thousands;
	uint32_t tasks;
	bool (*loop)(const struct bare *b);
};

static const struct kin none = {"", 0, 0, NULL};
static const struct kin response_times = {"SchedCAT, FP", 25.3, 10, NULL};
static const struct kin suspension_oblivious = {"SSSEval., SUSPOBL", 40.8, 10, NULL};
static const struct kin suspension_jitter = {"SSSEval., SUSPJIT", 40.7, 10, NULL};
static const struct kin suspension_blocking = {"SSSEval., SUSPBLOCK", 34.5, 10, NULL};
static const struct kin unifying_framework = {"SSSEval., UNIFRAMEWORK", 5.8, 10, NULL};
static const struct kin segmented = {"SSSEval., SCAIR-RM", 1.3, 10, NULL};
static const struct kin mutex = {"GCAPS, mpcp", 1.3, 20, NULL};
static const struct kin loop_preemptive = {"", 0, 0, bare_preemptive};
static const struct kin loop_nonpreemptive = {"", 0, 0, bare_nonpreemptive};

/* ---- What the sets are ---- */

struct source {
	const char *recipe, *options;
	bool unlimited_engines;
};

static const struct source cpu_only = {
	"custom",
	"sections=0 copies=none periods=log-uniform utilisation=0.7",
	false,
};
static const struct source gpu_only = {
	"custom",
	"cpu=0s sections=1 copies=none periods=log-uniform utilisation=0.5",
	false,
};
static const struct source table_1 = {"rtgpu-table1", "ratio=1:8 lo_ratio=50%..100% sms=20", false};
/* Each task has its own SMs, and copies do not wait: no task waits for a section. With 10 tasks the core is
 * busy for 0.6 of the time. The two sections of a task take about 5 % of its period, as in SSSEvaluation's
 * sets with two suspensions. */
static const struct source no_waiting = {
	"custom",
	"sections=2 copies=none periods=log-uniform cpu=5ms..15ms gpu=10ms..20ms sms=20",
	true,
};
static const struct source grids = {
	"custom",
	"cpu=0s sections=1 copies=none kernel=grid periods=log-uniform",
	false,
};

/* ---- What is measured ---- */

static const uint32_t sizes[] = {5, 10, 20};
#define SIZES (sizeof(sizes) / sizeof(*sizes))

struct subject {
	const char *analysis, *options;
	const char *policy; /* NULL: the first that the analysis names */
	const char *policy_options;
	const struct source *source;
	const char *utilisation[SIZES]; /* NULL: as the source says */
	const struct kin *kin;
};

/* Utilisations at which, for most sizes, the first analysis that uses them accepts some sets and rejects
 * others. */
#define FIFO                                                                                                 \
	{                                                                                                    \
		"0.7", "0.45", "0.35"                                                                        \
	}
#define E2                                                                                                   \
	{                                                                                                    \
		"0.2", "0.1", "0.05"                                                                         \
	}
#define CHAINS                                                                                               \
	{                                                                                                    \
		"1.2", "1.1", "1.0"                                                                          \
	}
#define RTGPU                                                                                                \
	{                                                                                                    \
		"0.5", "0.35", "0.3"                                                                         \
	}
#define GATE                                                                                                 \
	{                                                                                                    \
		"0.7", "0.6", "0.5"                                                                          \
	}
#define MUTEX                                                                                                \
	{                                                                                                    \
		"1.2", "1.2", "1.2"                                                                          \
	}
#define SPIN                                                                                                 \
	{                                                                                                    \
		"1.5", "1.5", "1.5"                                                                          \
	}
#define FREE                                                                                                 \
	{                                                                                                    \
		"1.2", "1.2", "1.2"                                                                          \
	}

static const struct subject subjects[] = {
	{"fifo-chains", "count=both", NULL, NULL, &table_1, CHAINS, &none},
	{"fifo-chains", "count=requests", NULL, NULL, &table_1, CHAINS, &none},
	{"fifo-chains", "count=windows", NULL, NULL, &table_1, CHAINS, &none},
	{"fifo-e1", NULL, NULL, NULL, &grids, FIFO, &none},
	{"fifo-e2", NULL, NULL, "order=release", &grids, E2, &none},
	{"fifo-utilisation", NULL, NULL, NULL, &grids, E2, &none},
	{"fp", "method=preemptive", NULL, NULL, &cpu_only, {NULL}, &loop_preemptive},
	{"fp", "method=nonpreemptive", NULL, NULL, &gpu_only, {NULL}, &loop_nonpreemptive},
	{"mpcp", "method=hybrid", NULL, NULL, &table_1, MUTEX, &mutex},
	{"mpcp", "method=request", NULL, NULL, &table_1, MUTEX, &mutex},
	{"mpcp", "method=job", NULL, NULL, &table_1, MUTEX, &mutex},
	{"mpcp", NULL, NULL, "wait=busy", &table_1, MUTEX, &mutex},
	{"rtgpu", "form=published", NULL, "admit=any", &table_1, RTGPU, &segmented},
	{"rtgpu", "form=start-time", NULL, "admit=any", &table_1, RTGPU, &segmented},
	{"self-suspension", "method=baseline", NULL, NULL, &table_1, GATE, &segmented},
	{"self-suspension", "method=segmented", "rtgpu", "admit=any", &no_waiting, FREE, &segmented},
	{"self-suspension", "method=bletsas", "rtgpu", "admit=any", &no_waiting, FREE, &suspension_jitter},
	{"self-suspension", "method=oblivious", "rtgpu", "admit=any", &no_waiting, FREE,
		&suspension_oblivious},
	{"self-suspension", "method=blocking", "rtgpu", "admit=any", &no_waiting, FREE, &suspension_blocking},
	{"self-suspension", "method=unifying", "rtgpu", "admit=any", &no_waiting, FREE, &unifying_framework},
	{"self-suspension", "method=jitter", "rtgpu", "admit=any", &no_waiting, FREE, &suspension_jitter},
	{"stgm", "blocking=safe", NULL, "admit=any", &table_1, SPIN, &response_times},
};

static void stop(const char *why)
{
	fprintf(stderr, "%s\n", why);
	exit(3);
}

/* `text` is "name=value name=value", or NULL. */
static void set_options(struct params *params, const char *text)
{
	char copy[256];
	struct error err;
	snprintf(copy, sizeof(copy), "%s", text ? text : "");
	for (char *rest = copy, *item; (item = strsep(&rest, " ")) != NULL;) {
		char *value = strchr(item, '=');
		if (!value)
			continue;
		*value = '\0';
		if (!params_set(params, item, value + 1, &err))
			stop(err.text);
	}
}

/* ---- Sets and their plans ---- */

struct made {
	struct arena arena;
	struct platform platform;
	struct taskset set;
	struct plan plan;
};

struct bench {
	const struct subject *subject;
	const struct analysis *analysis;
	const struct policy *policy;
	struct params params, policy_params;
	struct run_setup setup;
	double plan_seconds;
	struct made made[SETS];
};

static const struct policy *policy_of(const struct subject *s, const struct analysis *a)
{
	char name[64];
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(a->policies, "|"), a->policies);
	return policy_find(s->policy ? s->policy : name);
}

static void make_set(
	struct made *m, const struct source *source, const char *utilisation, uint32_t tasks, uint32_t index)
{
	const struct recipe *recipe = recipe_find(source->recipe);
	struct params params;
	struct error err;
	char options[64];
	params_default(&params, recipe->options);
	snprintf(options, sizeof(options), "tasks=%" PRIu32 "%s%s", tasks, utilisation ? " utilisation=" : "",
		utilisation ? utilisation : "");
	set_options(&params, source->options);
	set_options(&params, options);
	*m = (struct made){0};
	taskset_init(&m->set);
	if (!recipe->platform(&params, &m->set.arena, &m->platform, &err) ||
		!recipe->generate(&params, &m->platform, 1, index, &m->set, &err))
		stop(err.text);
	if (source->unlimited_engines)
		m->platform.engines = ENGINES_UNLIMITED;
	if (taskset_check(&m->set, &m->platform, NULL, NULL) > 0)
		stop("a set is wrong");
}

static void make(struct bench *b, const struct subject *s, size_t size)
{
	struct error err;
	*b = (struct bench){.subject = s, .analysis = analysis_find(s->analysis)};
	b->policy = policy_of(s, b->analysis);
	b->setup = (struct run_setup){.horizon_ns = 1, .limit_ns = 1};
	params_default(&b->params, b->analysis->options);
	params_default(&b->policy_params, b->policy->options);
	set_options(&b->params, s->options);
	set_options(&b->policy_params, s->policy_options);
	for (uint32_t i = 0; i < SETS; i++)
		make_set(&b->made[i], s->source, s->utilisation[size], sizes[size], i);
	double start = cpu_seconds();
	for (uint32_t i = 0; i < SETS; i++) {
		struct made *m = &b->made[i];
		if (!plan_create(&m->platform, &m->set, &b->setup, b->policy, &b->policy_params, &m->arena,
			    &m->plan, &err))
			stop(err.text);
		if (m->plan.refused)
			stop(m->plan.reason);
	}
	b->plan_seconds = (cpu_seconds() - start) / SETS;
}

static void finish(struct bench *b)
{
	for (uint32_t i = 0; i < SETS; i++) {
		taskset_finish(&b->made[i].set);
		arena_finish(&b->made[i].arena);
	}
}

static void make_bare(struct bare *b, struct made *m)
{
	uint32_t order[64];
	struct section_task *tasks;
	struct verdict verdict;
	struct error err;
	bool refused;
	assert(m->set.task_count <= 64);
	if (!sections_build(&m->plan, &m->arena, &tasks, &refused, &verdict, &err) || refused)
		stop("no sections");
	b->count = analysis_tasks_on(&m->plan, ANALYSIS_EACH_CORE, order);
	b->cost = arena_new(&m->arena, int64_t, b->count);
	b->period = arena_new(&m->arena, int64_t, b->count);
	b->deadline = arena_new(&m->arena, int64_t, b->count);
	for (uint32_t i = 0; i < b->count; i++) {
		const struct section_task *t = &tasks[order[i]];
		b->cost[i] = t->cpu_ns + t->copies_ns + t->kernels_ns;
		b->period[i] = t->period_ns;
		b->deadline[i] = m->set.tasks[order[i]].deadline_ns;
	}
}

static uint32_t analyse_bare(const struct bench *b)
{
	uint32_t accepted = 0;
	for (uint32_t i = 0; i < SETS; i++)
		accepted += b->subject->kin->loop(&bare[i]);
	return accepted;
}

/* ---- Bounds ---- */

/* Analyses all sets once; returns how many are accepted. */
static uint32_t analyse(const struct bench *b)
{
	uint32_t accepted = 0;
	for (uint32_t i = 0; i < SETS; i++) {
		struct arena arena = {0};
		struct analysis_result result;
		struct error err;
		if (!b->analysis->bound(&b->made[i].plan, &b->params, &arena, &result, &err))
			stop(err.text);
		if (result.refused)
			stop(result.verdict.reason);
		accepted += result.verdict.accepted;
		arena_finish(&arena);
	}
	return accepted;
}

/* Seconds for each set, of one try. */
static double try_once(const struct bench *b, uint32_t (*analyse_all)(const struct bench *))
{
	double start = cpu_seconds(), took;
	uint32_t rounds = 0;
	do {
		analyse_all(b);
		rounds++;
		took = cpu_seconds() - start;
	} while (took < LEAST_SECONDS);
	return took / ((double)rounds * SETS);
}

/* The least; tries of the bare loop are made in turn, if that is computed here (`beside` is not NULL). */
static double measure(const struct bench *b, double *beside)
{
	double best = 1e9;
	for (int i = 0; i < TRIES; i++) {
		double took = try_once(b, analyse);
		best = took < best ? took : best;
		if (!beside)
			continue;
		took = try_once(b, analyse_bare);
		*beside = i == 0 || took < *beside ? took : *beside;
	}
	return best;
}

static double measure_beside(struct bench *b, uint32_t accepted, double *beside)
{
	for (uint32_t i = 0; i < SETS; i++)
		make_bare(&bare[i], &b->made[i]);
	if (analyse_bare(b) != accepted)
		stop("the bare loop and fp accept other sets");
	return measure(b, beside);
}

static const char *method_of(const struct subject *s)
{
	return s->options ? s->options : s->policy_options ? s->policy_options : "";
}

static void line(struct bench *b, const struct subject *s, size_t size)
{
	make(b, s, size);
	uint32_t accepted = analyse(b);
	double beside = 0, seconds = s->kin->loop ? measure_beside(b, accepted, &beside) : measure(b, NULL);
	printf("%-16s %-20s %5" PRIu32 " %8.2f %9.2f %10.1f", s->analysis, method_of(s), sizes[size],
		(double)accepted / SETS, 1e6 * b->plan_seconds, 1e-3 / seconds);
	if (s->kin->tasks == sizes[size])
		printf("  %-22s %6.1f %8.1f", s->kin->name, s->kin->thousands,
			1e-3 / seconds / s->kin->thousands);
	if (beside > 0)
		printf("  %-22s %6.1f %8.2f", "a bare loop, in turn", 1e-3 / beside, beside / seconds);
	printf("\n");
	fflush(stdout);
	finish(b);
}

int main(int argc, char **argv)
{
	static struct bench b;
	printf("relatives that are named were measured on %s, elsewhere\n", MEASURED_ON);
	printf("analysis         method               tasks accepted   us/plan thousand/s  nearest "
	       "relative      thousand/s   ratio\n");
	for (size_t i = 0; i < sizeof(subjects) / sizeof(*subjects); i++)
		for (size_t size = 0; size < SIZES; size++)
			if ((argc < 2 || strcmp(argv[1], subjects[i].analysis) == 0) &&
				(argc < 3 || strcmp(argv[2], method_of(&subjects[i])) == 0))
				line(&b, &subjects[i], size);
	return 0;
}
