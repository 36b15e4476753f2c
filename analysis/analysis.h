/* analysis/analysis.h - what an analysis is, for those who use them all alike (`cegsim analyze`, `validate`,
 * `search`, campaigns): from the plan of a policy to a bound on the response of each task, with its parts.
 *
 * An analysis bounds the runs of a plan: its platform, task set, priorities, waiting on the core, orders and
 * SM sets. It refuses a plan it does not hold for, with the reason; what it assumes beyond that it says in
 * `assumptions`. A bound is sound for every pattern of releases that is legal for the tasks (sporadic, with
 * the periods as least separations), any execution times within best and worst, and either rule for ties. A
 * bound beyond the task's period says only that the set is not schedulable: a job may then meet its
 * predecessor, which recurrences do not count. */
#ifndef CEGSIM_ANALYSIS_ANALYSIS_H
#define CEGSIM_ANALYSIS_ANALYSIS_H

#include "analysis/verdict.h"
#include "models/policy.h"

#define BOUND_PART_WORDS(WORD)                                                                               \
	WORD(BOUND_OWN, "own")                   /* CPU segments of the task's own */                        \
	WORD(BOUND_COPY, "copy")                 /* copies of its own */                                     \
	WORD(BOUND_GPU, "gpu")                   /* kernels of its own */                                    \
	WORD(BOUND_BLOCKING, "blocking")         /* lower tasks, together */                                 \
	WORD(BOUND_INTERFERENCE, "interference") /* a higher (or any other) task: `by` */
enum bound_part_kind { BOUND_PART_WORDS(WORD_VALUE) };
WORDS(bound_part_kind, BOUND_PART_WORDS)

struct bound_part {
	enum bound_part_kind kind;
	uint32_t by; /* task index, interference only; NO_FAILING_TASK: of no particular one */
	int64_t amount_ns;
};

struct task_bound {
	bool analysed;            /* false for tasks the analysis did not come to */
	int64_t response_ns;      /* the least fixed point, also beyond the deadline, or NO_BOUND */
	struct bound_part *parts; /* [part_count]; their sum is response_ns, unless that is NO_BOUND */
	uint32_t part_count;
};

struct analysis_result {
	/* refused: the plan is outside what the analysis is for, verdict.reason says why and there are no
	 * bounds. Else verdict.accepted: every task's bound is at most its deadline. */
	bool refused;
	struct verdict verdict;
	struct task_bound *task; /* [tasks] */
};

struct analysis {
	const char *name;        /* as users type it; stable */
	const char *summary;     /* one line */
	const char *source;      /* paper and section, or ours */
	const char *assumptions; /* one or two sentences */
	unsigned version;        /* grows when bounds change */
	const char *policies;    /* "self-suspension|rm": those with a gate it knows; the first is the one to
				  * take where the user names none. Plans of others are looked at as well if
				  * they have no gate. */
	const struct option *options;
	/* Is this choice of options known to be unsafe (kept to show that it is)? NULL: never. */
	bool (*unsafe)(const struct params *params);
	/* The plan must not have refused the set. Everything in *result lives in the arena. False: out of
	 * memory, or options that contradict each other. */
	bool (*bound)(const struct plan *plan, const struct params *params, struct arena *arena,
		struct analysis_result *result, struct error *err);
};

/* NULL-terminated, by name; and NULL: no such name. */
const struct analysis *const *analysis_all(void);
const struct analysis *analysis_find(const char *name);

/* Is the analysis meant for plans of this policy? (By name alone; bound() may still refuse.) */
bool analysis_for_policy(const struct analysis *analysis, const char *policy, const struct plan *plan);

/* ---- For analyses ---- */

/* Prepares *result for so many tasks, nothing analysed. False: out of memory. */
MUST_CHECK bool analysis_begin(
	struct analysis_result *result, uint32_t tasks, struct arena *arena, struct error *err);
/* The plan is not what the analysis is for. Always returns true: that is no error. */
bool analysis_refuse(struct analysis_result *result, uint32_t task, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* The verdict when all tasks up to the first above its deadline have their bounds, by priority (rank). */
void analysis_judge(struct analysis_result *result, const struct plan *plan);
/* The same with the verdict of the test itself. If that came to no task at all, the set is outside what the
 * analysis is for. */
void analysis_take_verdict(struct analysis_result *result, uint32_t tasks, const struct verdict *verdict);
struct bound_sums {
	int64_t response_ns;
	int64_t own_ns, copy_ns, gpu_ns, blocking_ns;
	const int64_t *interference_ns; /* [count], at most one for each task */
	const uint32_t *by;             /* [count] the tasks that interfere; NULL: 0, 1, ..., count - 1 */
	uint32_t count;
};

/* Notes that a task has been analysed, its bound, and unless that is NO_BOUND its parts, those
 * that are not 0. */
void analysis_sums(struct analysis_result *result, uint32_t task, const struct bound_sums *sums);

/* Who has an SM by the plan's grants. */
struct sm_use {
	uint32_t tasks;
	uint64_t slots; /* blocks of them at a time; a whole SM: virtual_sms */
};

/* [sms]; NULL: out of memory. */
MUST_CHECK struct sm_use *analysis_sm_use(const struct plan *plan, struct arena *arena);

#endif
