/* runs/bounds/bounding.h - bounds from their inputs to their rows: one plan of a policy for a task set, any
 * number of analyses on it, and what they say into a recording.
 *
 *     bounding_begin(...)  ->  bounding_compute(...), bounding_store(...), ...  ->  bounding_finish(...) */
#ifndef CEGSIM_RUNS_BOUNDS_BOUNDING_H
#define CEGSIM_RUNS_BOUNDS_BOUNDING_H

#include "analysis/analysis.h"
#include "db/writer.h"
#include "policies/use/use.h"

/* Everything is kept by reference until bounding_finish(). */
struct bounding_spec {
	const struct platform *platform;
	const struct taskset *set;
	const struct run_setup *setup;
	const struct policy *policy;
	const struct params *params;
};

struct bounding {
	struct bounding_spec spec;
	struct arena arena;
	struct plan plan;
	char refusal[400];     /* the policy makes no plan, or refuses the set: why; else "" */
	uint32_t failing_task; /* of the refusal, or NO_FAILING_TASK */
};

#define VERDICT_WORDS(WORD)                                                                                  \
	WORD(BOUNDS_SCHEDULABLE, "schedulable")                                                              \
	WORD(BOUNDS_UNSCHEDULABLE, "unschedulable")                                                          \
	WORD(BOUNDS_REFUSED, "refused") /* by the analysis, or by the policy */                              \
	WORD(BOUNDS_ERROR, "error")     /* nobody knows: it was given up */
enum bounds_verdict { VERDICT_WORDS(WORD_VALUE) };
WORDS(bounds_verdict, VERDICT_WORDS)

struct bounds {
	const struct analysis_use *use;
	enum bounds_verdict verdict;
	char reason[512];              /* not schedulable: why; else "" */
	uint32_t failing_task;         /* the first one that fails, or NO_FAILING_TASK */
	const struct task_bound *task; /* [tasks], in the bounding's arena; NULL: refused or an error */
	int64_t wall_us;
};

/* Makes the plan. A policy that refuses the set, or makes no plan for it, is no failure: every analysis is
 * then refused with the reason. False: out of memory. bounding_finish() is needed either way. */
MUST_CHECK bool bounding_begin(struct bounding *b, const struct bounding_spec *spec, struct error *err);
void bounding_finish(struct bounding *b); /* accepts a zeroed one */

/* False: out of memory (STATUS_IO), or options of the analysis that contradict each other (STATUS_INPUT).
 * `use` is kept by reference. */
MUST_CHECK bool bounding_compute(
	struct bounding *b, const struct analysis_use *use, struct bounds *bounds, struct error *err);
/* Does the analysis name the policy? */
bool bounding_meant(const struct policy *policy, const struct analysis *analysis);
/* Is it for this plan? Beside plans of policies it names it looks at those without a gate. */
bool bounding_fits(const struct bounding *b, const struct analysis *analysis);
/* Instead of computing: it does not fit. */
void bounding_mismatch(const struct bounding *b, const struct analysis_use *use, struct bounds *bounds);
/* Instead of computing: `verdict` is BOUNDS_REFUSED or BOUNDS_ERROR. */
void bounds_decline(struct bounds *bounds, const struct analysis_use *use, enum bounds_verdict verdict,
	const char *reason);

/* Ids in the recording. */
struct bounding_ids {
	int64_t taskset_id, platform_id, policy_id;
};
/* Writes the verdict, and with `all` the bounds and their parts. A recording that grows keeps what it says of
 * the same analysis already, one that is amended gets it anew (writer_analysis()). */
MUST_CHECK bool bounding_store(const struct bounding *b, const struct bounds *bounds, bool all,
	const struct bounding_ids *ids, struct db_writer *writer, struct error *err);

/* The bound as recordings have it and db/bound_check.h wants it: DB_NULL where the analysis found none, or
 * did not come to the task. */
int64_t bounding_bound(const struct task_bound *task);
/* What one kind of part contributes to a bound, of all tasks together. */
int64_t bound_part_sum(const struct task_bound *bound, enum bound_part_kind kind);

#endif
