/* runs/bounds/bounding.h - computes bounds and stores them: makes one plan of a policy for a task set,
 * applies any number of analyses to it, and writes their results into a recording.
 *
 *     bounding_begin(...)  ->  bounding_compute(...), bounding_store(...), ...  ->  bounding_finish(...) */
#ifndef CEGSIM_RUNS_BOUNDS_BOUNDING_H
#define CEGSIM_RUNS_BOUNDS_BOUNDING_H

#include "analysis/analysis.h"
#include "base/text.h"
#include "db/subjects.h"
#include "db/writer.h"
#include "policies/use/use.h"

/* All pointers are kept by reference until bounding_finish(). */
struct bounding_spec {
	const struct platform *platform;
	const struct taskset *set;
	const struct run_setup *setup;
	const struct policy *policy;
	const struct params *params;
	const struct subject
		*recorded; /* the set's place in the recording that it is from; NULL: from none */
};

struct bounding {
	struct bounding_spec spec;
	struct arena arena;
	struct plan plan;
	char refusal[400];     /* why the policy makes no plan or refuses the set; else "" */
	uint32_t failing_task; /* of the refusal, or NO_FAILING_TASK */
};

#define VERDICT_WORDS(WORD)                                                                                  \
	WORD(BOUNDS_SCHEDULABLE, "schedulable")                                                              \
	WORD(BOUNDS_UNSCHEDULABLE, "unschedulable")                                                          \
	WORD(BOUNDS_REFUSED, "refused") /* by the analysis, or by the policy */                              \
	WORD(BOUNDS_ERROR, "error")     /* the analysis was given up, so the result is not known */
enum bounds_verdict { VERDICT_WORDS(WORD_VALUE) };
WORDS(bounds_verdict, VERDICT_WORDS)

struct bounds {
	const struct analysis_use *use;
	enum bounds_verdict verdict;
	char reason[512];              /* not schedulable: why; else "" */
	uint32_t failing_task;         /* the first one that fails, or NO_FAILING_TASK */
	const struct task_bound *task; /* [tasks], in the bounding's arena; NULL: refused or an error */
	const int64_t *chain_ns;       /* [chains], as in struct analysis_result; NULL: none */
	const uint32_t *failed;        /* on which the bounds of others may rest (task_bound.assumes) */
	int64_t wall_us;
};

/* Makes the plan. If the policy refuses the set, or makes no plan for it, this is no failure: every analysis
 * is then refused with that reason. False: out of memory. Call bounding_finish() either way. */
MUST_CHECK bool bounding_begin(struct bounding *b, const struct bounding_spec *spec, struct error *err);
void bounding_finish(struct bounding *b); /* accepts a zeroed one */

/* False: out of memory (STATUS_IO), or options of the analysis that contradict each other (STATUS_INPUT).
 * `use` is kept by reference. */
MUST_CHECK bool bounding_compute(
	struct bounding *b, const struct analysis_use *use, struct bounds *bounds, struct error *err);
/* Whether the analysis names the policy. */
bool bounding_meant(const struct policy *policy, const struct analysis *analysis);
/* Whether the analysis can be applied to this plan: it is for plans of policies that it names, and for plans
 * without a gate. */
bool bounding_fits(const struct bounding *b, const struct analysis *analysis);
/* Use it instead of computing, if the analysis cannot be applied. */
void bounding_mismatch(const struct bounding *b, const struct analysis_use *use, struct bounds *bounds);
/* Use it instead of computing; `verdict` is BOUNDS_REFUSED or BOUNDS_ERROR. */
void bounds_decline(struct bounds *bounds, const struct analysis_use *use, enum bounds_verdict verdict,
	const char *reason);

/* Ids in the recording. */
struct bounding_ids {
	int64_t taskset_id, platform_id, policy_id;
};
/* Writes the verdict; with `all`, also the bounds and their parts. If the recording has this analysis
 * already, a new recording keeps the old result, and an amended one replaces it (writer_analysis()). */
MUST_CHECK bool bounding_store(const struct bounding *b, const struct bounds *bounds, bool all,
	const struct bounding_ids *ids, struct db_writer *writer, struct error *err);

/* The bound as in recordings, and as db/bound_check.h needs it: DB_NULL if the analysis found none, or says
 * nothing about the task. It may rest on other tasks. */
int64_t bounding_bound(const struct task_bound *task);
/* The same; DB_NULL, too, if it rests on other tasks. */
int64_t bounding_bound_always(const struct task_bound *task);
/* The tasks on which the bound of a task rests, as in bound.assumes: "[0, 2]". Nothing, if it rests on none.
 */
void bounding_assumes(const struct bounds *bounds, uint32_t task, struct text *json);
/* The part of one kind in a bound, summed over all tasks. */
int64_t bound_part_sum(const struct task_bound *bound, enum bound_part_kind kind);

#endif
