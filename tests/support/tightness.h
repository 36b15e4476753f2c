/* tests/support/tightness.h - how near bounds are to what a search finds, on sets of a recipe: for a bench
 * and for tests. Whatever goes wrong ends the program. */
#ifndef CEGSIM_TESTS_SUPPORT_TIGHTNESS_H
#define CEGSIM_TESTS_SUPPORT_TIGHTNESS_H

#include "policies/use/use.h"
#include "runs/search/search.h"
#include "tests/oracle/worst_plain.h"

/* Sets of the recipe `custom` and a policy, as users write them. */
struct tight_sets {
	const char *options; /* "tasks=3 sections=1 lo_ratio=50%" */
	const char *policy;
};

struct tight_case {
	struct arena arena;
	struct platform platform;
	struct taskset set;
	struct policy_use policy;
	struct plan plan;
	struct genome_space space;
	uint32_t index;
};

/* Makes set number `index`. False: the policy refuses it, and there is nothing to close. */
bool tight_open(const struct tight_sets *sets, uint32_t index, struct tight_case *c);
void tight_close(struct tight_case *c);

/* The bounds of the tasks by an analysis ("rtgpu:form=start-time"), or NULL: it does not find the set
 * schedulable. They are in the case's memory. */
const struct task_bound *tight_bounds(struct tight_case *c, const char *analysis);

/* The longest response of the task that a climb finds, with a budget in simulations. */
int64_t tight_observed(const struct tight_case *c, uint32_t task, uint64_t budget);

/* The true worst case of each task by trying everything, by task index. Of chains of segments: all that may
 * happen (tests/oracle/worst_plain.h). Of sets of kernels: all offsets, best and worst cases, and rules for
 * ties of two jobs or more a task (runs/search/exhaust.h). False: the set is of neither kind, or takes more
 * than `most` states or simulations. */
bool tight_worst(const struct tight_case *c, uint64_t most, int64_t *response);

#endif
