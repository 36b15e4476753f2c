/* analysis/analysis.h - the common interface of all analyses (for `cegsim analyze`, `validate`, `search`,
 * campaigns). An analysis takes the plan of a policy and bounds the response time of each task, with the
 * parts of the bound.
 *
 * An analysis bounds the runs of a plan: its platform, task set, priorities, waiting on the core, orders and
 * SM sets. It refuses a plan for which it does not hold, with the reason. What it assumes without a check is
 * in `assumptions`. A bound is sound for every legal pattern of releases (sporadic, with the periods as least
 * separations), any execution times between best and worst case, and both rules for ties. A bound above the
 * task's period only says that the set is not schedulable: a job may then have to wait for the job before it,
 * which the recurrences do not count. */
#ifndef CEGSIM_ANALYSIS_ANALYSIS_H
#define CEGSIM_ANALYSIS_ANALYSIS_H

#include "analysis/verdict.h"
#include "models/policy.h"

#define BOUND_PART_WORDS(WORD)                                                                               \
	WORD(BOUND_OWN, "own")                   /* CPU segments of the task's own */                        \
	WORD(BOUND_COPY, "copy")                 /* copies of its own */                                     \
	WORD(BOUND_GPU, "gpu")                   /* kernels of its own */                                    \
	WORD(BOUND_BLOCKING, "blocking")         /* of all lower tasks together */                           \
	WORD(BOUND_INTERFERENCE, "interference") /* a higher (or any other) task: `by` */
enum bound_part_kind { BOUND_PART_WORDS(WORD_VALUE) };
WORDS(bound_part_kind, BOUND_PART_WORDS)

struct bound_part {
	enum bound_part_kind kind;
	uint32_t by; /* task index, for interference only; NO_FAILING_TASK: no particular task */
	int64_t amount_ns;
};

struct task_bound {
	bool analysed;            /* false: the analysis says nothing about this task */
	uint32_t assumes_from;    /* see `assumes` */
	int64_t response_ns;      /* the least fixed point, also beyond the deadline, or NO_BOUND */
	struct bound_part *parts; /* [part_count]; their sum is response_ns, unless that is NO_BOUND */
	uint32_t part_count;
	/* The bound rests on the result's failed tasks from number `assumes_from` up to this one, which is
	 * not of them: it holds in runs in which no job of them is late. 0: it rests on none. */
	uint32_t assumes;
};

struct analysis_result {
	/* refused: the analysis does not hold for the plan; verdict.reason says why, and there are no bounds.
	 * Else verdict.accepted says whether every task's bound is at most its deadline. */
	bool refused;
	/* Analyses of users: it gave no answer, or a wrong one; verdict.reason says why, and there are no
	 * bounds. */
	bool gave_up;
	struct verdict verdict;
	struct task_bound *task; /* [tasks] */
	/* Tasks whose responses have no bound on which others could rest, in the order in which they were
	 * found (of tasks that have nothing to do with each other: one group behind the other); the bounds of
	 * other tasks may assume that they keep their deadlines. */
	uint32_t *failed; /* [failed_count] */
	uint32_t failed_count;
	/* [chains of the set] Bounds of their ages and reactions, or NO_BOUND; NULL: the analysis says
	 * nothing about chains. They hold in all runs. */
	int64_t *chain_ns;
};

#define ANALYSIS_ANY_POLICY "*"

/* For which cores an analysis holds (docs/model.md, "Cores"). */
enum analysis_cores {
	ANALYSIS_ONE_CORE,  /* all tasks on one, of however many */
	ANALYSIS_OWN_CORES, /* each task on its own: partitioned; it looks at taskset_core() */
	ANALYSIS_ANY_CORES, /* any: nothing of it is about cores, or it looks itself */
};

/* What an analysis is on several GPUs. */
enum analysis_gpus {
	ANALYSIS_ONE_GPU,    /* for one only: analysis_bound() refuses platforms with several */
	ANALYSIS_GPUS,       /* it looks itself */
	ANALYSIS_GPUS_APART, /* tasks have nothing in common but their GPU: it is asked of each GPU with its
				tasks as if there were no other (analysis/each_gpu.h) */
};

struct analysis {
	const char *name;        /* as users type it; stable */
	const char *summary;     /* one line */
	const char *source;      /* paper and section, or ours */
	const char *assumptions; /* one or two sentences */
	unsigned version;        /* grows when bounds change */
	const char *policies; /* "self-suspension|rm": the policies with a gate that it supports; the first is
				 used if the user names none. Plans of other policies are accepted if they
				 have no gate. Or ANALYSIS_ANY_POLICY: no policy is its own. */
	const struct option *options;
	/* It looks itself for release jitter and for deadlines above periods. Else analysis_bound() refuses
	 * sets that have them. */
	bool any_setting;
	/* For plans that schedule each of several GPUs by itself (docs/model.md). Other plans for several
	 * analysis_bound() refuses. */
	enum analysis_gpus gpus;
	/* Plans for other cores are refused by analysis_bound(). */
	enum analysis_cores cores;
	/* It holds for any set of tasks that suspend themselves in GPU sections, of which only
	 * analysis/sections.h says the lengths. So on a platform with overheads it gets an inflated set
	 * (analysis/overheads.h). Else analysis_bound() refuses such platforms. */
	bool overheads;
	/* It rests on what the other analyses say of the plan, which look for overheads themselves, and is
	 * asked only where users name it. */
	bool over_others;
	/* Is this choice of options known to be unsafe? (Unsafe ones are kept to show that they are.) NULL:
	 * never. */
	bool (*unsafe)(const struct params *params);
	/* The plan must not have refused the set. Everything in *result lives in the arena. False: out of
	 * memory, or options that contradict each other. */
	bool (*bound)(const struct plan *plan, const struct params *params, struct arena *arena,
		struct analysis_result *result, struct error *err);
	/* For cegsim itself, which calls analyses that users bring so: in place of bound(), where it must
	 * know which one it is. */
	bool (*ask)(const struct analysis *self, const struct plan *plan, const struct params *params,
		struct arena *arena, struct analysis_result *result, struct error *err);
	/* How tables call it, and what recordings have as its parameters; NULL: its name with the options.
	 * For cegsim itself, too. */
	const char *label, *json;
};

/* The analyses, NULL-terminated; and one by its name, NULL: no such name. */
const struct analysis *const *analysis_all(void);
const struct analysis *analysis_find(const char *name);

/* Is the analysis meant for plans of this policy? (By name alone; bound() may still refuse.) */
bool analysis_for_policy(const struct analysis *analysis, const char *policy, const struct plan *plan);

/* Calls analysis->bound(), or refuses the set for it: see any_setting, cores, overheads. */
MUST_CHECK bool analysis_bound(const struct analysis *analysis, const struct plan *plan,
	const struct params *params, struct arena *arena, struct analysis_result *result, struct error *err);

/* ---- For the analyses ---- */

/* Prepares *result for so many tasks; no task is analysed yet. False: out of memory. */
CEGSIM_API MUST_CHECK bool analysis_begin(
	struct analysis_result *result, uint32_t tasks, struct arena *arena, struct error *err);
/* Refuses the plan: the analysis does not hold for it. Always returns true, as that is no error. */
CEGSIM_API bool analysis_refuse(struct analysis_result *result, uint32_t task, const char *fmt, ...)
	PRINTF_LIKE(3, 4);
/* Says that from here on bounds assume that this task keeps its deadline. */
CEGSIM_API void analysis_assume(struct analysis_result *result, uint32_t task);
/* No bounds, for this set: it could not say. Always returns true. */
CEGSIM_API bool analysis_give_up(struct analysis_result *result, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Sets the verdict from the bounds. */
CEGSIM_API void analysis_judge(struct analysis_result *result, const struct plan *plan);
/* The tasks on a core, the highest priority first; of all cores: ANALYSIS_EACH_CORE. Returns how many; order:
 * [tasks]. */
#define ANALYSIS_EACH_CORE UINT32_MAX
CEGSIM_API uint32_t analysis_tasks_on(const struct plan *plan, uint32_t core, uint32_t *order);
/* Takes over the verdict of the test itself. If the test analysed no task at all, the analysis does not hold
 * for the set. */
CEGSIM_API void analysis_take_verdict(
	struct analysis_result *result, uint32_t tasks, const struct verdict *verdict);
struct bound_sums {
	int64_t response_ns;
	int64_t own_ns, copy_ns, gpu_ns, blocking_ns;
	const int64_t *interference_ns; /* [count], at most one for each task */
	const uint32_t *by;             /* [count] the tasks that interfere; NULL: 0, 1, ..., count - 1 */
	uint32_t count;
};

/* Stores that a task has been analysed, its bound and, unless that is NO_BOUND, those parts of it that are
 * not 0. */
CEGSIM_API void analysis_sums(struct analysis_result *result, uint32_t task, const struct bound_sums *sums);

/* The tasks that have an SM by the plan's grants. */
struct sm_use {
	uint32_t tasks;
	uint64_t slots; /* the most blocks of them at a time on it; virtual_sms for a whole SM */
};

/* [sms]; NULL: out of memory. */
CEGSIM_API MUST_CHECK struct sm_use *analysis_sm_use(const struct plan *plan, struct arena *arena);
/* The GPU of the task's first kernel, on which its grant is; ANALYSIS_NO_GPU: it has no kernel. */
#define ANALYSIS_NO_GPU UINT32_MAX
CEGSIM_API uint32_t analysis_gpu(const struct taskset *set, uint32_t task);

#endif
