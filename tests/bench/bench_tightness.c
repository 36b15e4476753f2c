/* tests/bench/bench_tightness.c - how near bounds are to what `cegsim search` finds, and to the true worst
 * case.
 *
 *     bench_tightness [SETS [BUDGET [SMALL]]]
 *
 * First SETS (500) random sets of the kinds in docs/search.md: observed / bound over the tasks that an
 * analysis finds schedulable, a climb of BUDGET (1500) simulations for each task. `known`: the mean of the
 * least bound that any sound analysis of the group has for the task, relative to this one; no search can find
 * more. Then SMALL (60) sets whose times are a few ticks, for which everything that may happen can be tried
 * (tests/support/tightness.h): there `worst` is the true worst case. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "tests/support/tightness.h"

#define ANALYSES 6
#define MOST_SMALL 40000000 /* states, or simulations */

/* Analyses of the same plans. All are sound. */
struct group {
	const char *name;
	struct tight_sets sets;
	const char *analyses[ANALYSES];
};

#define MUTEX                                                                                                \
	{                                                                                                    \
		"mpcp", "mpcp:method=request", "mpcp:method=job", "self-suspension",                         \
			"self-suspension:gaps=response", "self-suspension:form=start-time,gaps=response"     \
	}
#define RTGPU                                                                                                \
	{                                                                                                    \
		"rtgpu", "rtgpu:form=start-time", "rtgpu:gaps=response",                                     \
			"rtgpu:form=start-time,gaps=response"                                                \
	}
#define FIFO                                                                                                 \
	{                                                                                                    \
		"fifo-e1", "fifo-e2", "fifo-chains"                                                          \
	}
#define KIND_A "tasks=3 lo_ratio=50% sections=1 utilisation=60%"

static const struct group groups[] = {
	{"B", {"tasks=3 lo_ratio=50% sections=0 utilisation=80%", "rm"}, {"fp"}},
	{"C", {"tasks=3 lo_ratio=50% cpu=0s copies=none utilisation=60%", "mpcp"},
		{"fp:method=nonpreemptive"}},
	{"A", {KIND_A, "stgm"}, {"stgm"}},
	{"A", {KIND_A, "mpcp:wait=busy"}, {"mpcp"}},
	{"A", {KIND_A, "mpcp"}, MUTEX},
	{"A", {KIND_A, "rtgpu"}, RTGPU},
	{"E", {"tasks=3 lo_ratio=50% sections=2 copies=none utilisation=90%", "rtgpu:admit=any"},
		{"self-suspension:method=segmented", "self-suspension:method=segmented,gaps=response",
			"self-suspension:method=bletsas", "self-suspension:method=oblivious",
			"self-suspension:method=blocking", "self-suspension:method=unifying"}},
	{"D", {"tasks=3 lo_ratio=50% cpu=0s copies=none kernel=grid sms=2 utilisation=60%", "fifo-cke"},
		FIFO},
	{"A", {KIND_A, "fifo-cke"}, {"fifo-chains"}},
};

#define TICKS "lo_ratio=50% sections=1 cpu=2ns..5ns memory=2ns..2ns gpu=2ns..10ns utilisation=60%"
#define BLOCKS "cpu=0s copies=none kernel=grid sms=2 grid=2,4,8 block=512,1024 gpu=8ns..24ns utilisation=60%"

static const struct group small[] = {
	{"two", {"tasks=2 " TICKS, "mpcp"}, MUTEX},
	{"two", {"tasks=2 " TICKS, "rtgpu"}, RTGPU},
	{"two", {"tasks=2 lo_ratio=50% " BLOCKS, "fifo-cke"}, FIFO},
	{"three", {"tasks=3 " TICKS, "mpcp"}, MUTEX},
	{"three", {"tasks=3 " TICKS, "rtgpu"}, RTGPU},
	{"three", {"tasks=3 lo_ratio=100% " BLOCKS, "fifo-cke"}, FIFO},
};

struct tally {
	double *ratio; /* [count] observed / bound */
	uint32_t count, reached, worst_found;
	double sum, known, worst, of_worst;
};

static struct tally *tallies(uint32_t sets)
{
	struct tally *t = calloc(ANALYSES, sizeof(*t));
	for (size_t a = 0; t && a < ANALYSES; a++) {
		t[a].ratio = calloc((size_t)sets * WORST_TASKS, sizeof(*t[a].ratio));
		if (!t[a].ratio)
			abort();
	}
	return t ? t : (abort(), NULL);
}

static void release(struct tally *t)
{
	for (size_t a = 0; a < ANALYSES; a++)
		free(t[a].ratio);
	free(t);
}

/* One task: what was found, and (with `exact`) the true worst case. */
static void add(struct tally *t, const struct task_bound *const *bounds, uint32_t task, int64_t observed,
	bool exact, int64_t worst)
{
	int64_t known = INT64_MAX;
	for (size_t a = 0; a < ANALYSES; a++)
		if (bounds[a] && bounds[a][task].response_ns < known)
			known = bounds[a][task].response_ns;
	if (observed > known || (exact && (worst > known || observed > worst))) {
		fprintf(stderr, "observed %" PRId64 ", worst case %" PRId64 ", bound %" PRId64 "\n", observed,
			worst, known);
		exit(1);
	}
	for (size_t a = 0; a < ANALYSES; a++) {
		if (!bounds[a])
			continue;
		double bound = (double)bounds[a][task].response_ns, ratio = (double)observed / bound;
		t[a].ratio[t[a].count++] = ratio;
		t[a].sum += ratio;
		t[a].known += (double)known / bound;
		t[a].reached += observed == bounds[a][task].response_ns;
		t[a].worst += (double)worst / bound;
		t[a].of_worst += exact ? (double)observed / (double)worst : 0;
		t[a].worst_found += exact && observed == worst;
	}
}

/* Whether the set counts. */
static bool measure(const struct group *g, struct tight_case *c, uint64_t budget, bool exact, struct tally *t)
{
	const struct task_bound *bounds[ANALYSES] = {NULL};
	int64_t worst[WORST_TASKS] = {0};
	bool any = false;
	for (size_t a = 0; a < ANALYSES && g->analyses[a]; a++) {
		bounds[a] = tight_bounds(c, g->analyses[a]);
		any |= bounds[a] != NULL;
	}
	if (!any || (exact && !tight_worst(c, MOST_SMALL, worst)))
		return false;
	for (uint32_t task = 0; task < c->set.task_count; task++)
		add(t, bounds, task, tight_observed(c, task, budget), exact, worst[task]);
	return true;
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static void print(const struct group *g, uint32_t counted, bool exact, struct tally *t)
{
	for (size_t a = 0; a < ANALYSES && g->analyses[a]; a++) {
		double n = t[a].count;
		if (t[a].count == 0) {
			printf("%-5s %-16s %-47s none\n", g->name, g->sets.policy, g->analyses[a]);
			continue;
		}
		qsort(t[a].ratio, t[a].count, sizeof(*t[a].ratio), ascending);
		printf("%-5s %-16s %-47s %4" PRIu32 " %5" PRIu32 " %6.3f %6.3f %6.3f %6.3f", g->name,
			g->sets.policy, g->analyses[a], counted, t[a].count, t[a].sum / n,
			t[a].ratio[t[a].count / 2], t[a].reached / n, t[a].known / n);
		if (exact)
			printf(" %6.3f %6.3f %6.3f", t[a].worst / n, t[a].of_worst / n, t[a].worst_found / n);
		printf("\n");
	}
	fflush(stdout);
}

static void lines(const struct group *g, uint32_t sets, uint64_t budget, bool exact)
{
	struct tally *t = tallies(sets);
	uint32_t counted = 0;
	for (uint32_t i = 0; i < sets; i++) {
		struct tight_case c;
		if (!tight_open(&g->sets, i, &c))
			continue;
		counted += measure(g, &c, budget, exact, t);
		tight_close(&c);
	}
	print(g, counted, exact, t);
	release(t);
}

static uint32_t argument(int argc, char **argv, int i, uint32_t fallback)
{
	return argc > i ? (uint32_t)strtoul(argv[i], NULL, 10) : fallback;
}

int main(int argc, char **argv)
{
	uint32_t sets = argument(argc, argv, 1, 500), budget = argument(argc, argv, 2, CLIMB_PIECE);
	uint32_t few = argument(argc, argv, 3, 60);
	printf("%" PRIu32 " sets, %" PRIu32 " simulations a task\n", sets, budget);
	printf("kind  policy           analysis                                        sets tasks   mean "
	       "median  equal  known\n");
	for (size_t i = 0; sets && i < sizeof(groups) / sizeof(*groups); i++)
		lines(&groups[i], sets, budget, false);
	printf("\n%" PRIu32 " small sets\n", few);
	printf("kind  policy           analysis                                        sets tasks   mean "
	       "median  equal  known  worst   of it found\n");
	for (size_t i = 0; few && i < sizeof(small) / sizeof(*small); i++)
		lines(&small[i], few, budget, true);
	return 0;
}
