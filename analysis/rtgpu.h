/* analysis/rtgpu.h - RTGPU: federated scheduling on virtual SMs (Zou, Li, Gill, Zhang, "RTGPU: Real-Time
 * GPU Scheduling of Hard Deadline Parallel Tasks with Fine-Grain Utilization", IEEE TPDS 2023).
 *
 * The response-time test of section 5 (Lemmas 5.1-5.5, Theorem 5.6) for a given allocation of virtual
 * SMs, and the search for an allocation (Algorithm 2). CPU: preemptive fixed priority, tasks suspend;
 * copies: non-preemptive fixed priority, or first come first served; kernels: on virtual SMs of their
 * task's own. With several GPUs (section 5.6) each task has its virtual SMs on the one GPU that its kernels
 * name; budgets are those of each GPU, and so are the queues of copies. Everything here is a pure function of
 * (task set, platform, priorities, options). */
#ifndef CEGSIM_ANALYSIS_RTGPU_H
#define CEGSIM_ANALYSIS_RTGPU_H

#include "analysis/chain.h"
#include "analysis/verdict.h"
#include "analysis/window.h"
#include "base/arena.h"
#include "models/policy.h"

/* Lemma 5.3 as published bounds the time to the end of a copy. A copy that has started is not
 * preempted: bounding the time to its start is sharper and safe. */
enum rtgpu_form { RTGPU_PUBLISHED, RTGPU_START_TIME };

/* The gap from a task's first job in a window to the next one: T - D as published, or T - R. */
enum rtgpu_gaps { RTGPU_GAPS_DEADLINE, RTGPU_GAPS_RESPONSE };

/* How the copy engines order their queues. Lemma 5.3 is for priorities. With first come, first served, each
 * other task has at most one copy ahead. */
enum rtgpu_copies { RTGPU_COPIES_PRIORITY, RTGPU_COPIES_FIFO };

struct rtgpu_options {
	enum rtgpu_form form;
	enum rtgpu_gaps gaps;
	enum rtgpu_copies copies;
};

/* Options by which users choose form and gaps, for the analyses and policies that have them; `says` is their
 * help. */
#define RTGPU_OPTION_FORM(says)                                                                              \
	{                                                                                                    \
		.name = "form", .kind = OPTION_CHOICE, .choices = "published|start-time",                    \
		.fallback = "published", .help = (says)                                                      \
	}
#define RTGPU_OPTION_GAPS(says)                                                                              \
	{                                                                                                    \
		.name = "gaps", .kind = OPTION_CHOICE, .choices = "deadline|response",                       \
		.fallback = "deadline", .help = (says)                                                       \
	}
/* Reads both options; copies go by priority. */
struct rtgpu_options rtgpu_options_chosen(const struct params *params);

/* The unit in which virtual SMs are given to tasks. If there are at most as many tasks with kernels as SMs:
 * whole SMs (step = virtual_sms), and a kernel interleaves only with itself. Else single virtual SMs (step =
 * 1), and every kernel is charged the worst interleave ratio of all kernels of the set. */
struct rtgpu_steps {
	uint32_t virtual_sms; /* V_SM: the platform's, else the least of 2, 4, 8, ... that gives enough */
	uint32_t step;        /* virtual SMs per step */
	uint32_t total;       /* virtual SMs of the GPU, V_SM times SMs */
	uint32_t tasks;       /* number of tasks with kernels */
};

/* Of each GPU: steps[PLATFORM_MAX_GPUS]; a task counts where its first kernel is. V_SM is the same on all
 * GPUs (struct plan has one): that of the first that says it, else the least that gives enough on each. */
void rtgpu_steps_each(const struct platform *platform, const struct taskset *set, struct rtgpu_steps *steps);
/* Of GPU 0. */
struct rtgpu_steps rtgpu_steps(const struct platform *platform, const struct taskset *set);

/* ---- A policy's plan: one call ---- */

enum rtgpu_search {
	RTGPU_GREEDY, /* task by task, the least that is accepted: exact with T - D gaps */
	RTGPU_GRID, /* Algorithm 2: all allocations, with exact pruning; exponential at worst with T - R gaps,
		       as fast as greedy with T - D */
};

struct rtgpu_request {
	struct rtgpu_options options;
	enum rtgpu_search search;
	const uint32_t *given; /* [tasks] virtual SMs in multiples of the step, 0 for tasks without
				* kernels; NULL: search */
	bool admit_any;        /* allocate even if no allocation is feasible */
};

struct rtgpu_allocation {
	struct rtgpu_steps steps;                 /* of GPU 0 */
	struct rtgpu_steps on[PLATFORM_MAX_GPUS]; /* of each */
	struct verdict verdict; /* of the test; the first task that fails, if the set is refused */
	bool refused;           /* there is no allocation below; the set is not to be run */
	uint32_t *virtual_sms;  /* [tasks]; 0: no kernels */
	struct grant *grants; /* [tasks]: SMs given out in the order of priority; ascending, with slots; count
				 0 for tasks without kernels. For struct plan.grants, with plan.virtual_sms =
				 steps.virtual_sms. */
};

/* rank[task]: 0 the highest (taskset_ranks). With admit_any, a set that fails still gets an allocation: the
 * tasks before the failing one keep their least, the others get one step each, and what remains is given to
 * the others in turn, by priority. If that leaves less than one step for each of the others, fewer tasks keep
 * theirs, from the highest down. Refused even so: fewer steps than tasks, kernels that have no time on
 * virtual SMs, `pool: gpu`, a task with kernels on several GPUs, GPUs with different V_SM. False: out of
 * memory, or `given` is not an allocation (STATUS_INPUT). */
MUST_CHECK bool rtgpu_allocate(const struct platform *platform, const struct taskset *set,
	const uint32_t *rank, const struct rtgpu_request *request, struct arena *arena,
	struct rtgpu_allocation *allocation, struct error *err);

/* ---- A GPU for each task (section 5.6) ---- */

/* More assignments of tasks to GPUs are not tried. */
#define RTGPU_ASSIGNMENTS_MOST 65536u

/* Which tasks want a GPU, and what they may have: [tasks * PLATFORM_MAX_GPUS], by task. A task of which no
 * element is true keeps the GPU that its segments name. */
struct rtgpu_wants {
	bool *may_have;
};

/* Puts all copies and kernels of these tasks on one GPU each, with the times of copies there: by worst fit,
 * if the published test accepts that, else as in the first assignment that it accepts, else by worst fit
 * after all (docs/policies.md, "rtgpu"). *accepted: whether the test does. What is allowed must have passed
 * taskset_check(). False: out of memory. */
MUST_CHECK bool rtgpu_choose_gpus(const struct platform *platform, struct taskset *set,
	const struct rtgpu_wants *wants, bool *accepted, struct error *err);

/* ---- Bounds for a given allocation ---- */

/* All results for one task. Sums are exact: own + copy + gpu + blocking + the sum of interference =
 * response. */
struct rtgpu_bound {
	bool analysed; /* false for the tasks below one that fails and alone takes longer than its deadline */
	bool assumed; /* from here on it is assumed to keep its deadline: it has no bound within its period */
	bool rests;   /* the bound rests on the tasks above that are assumed to */
	int64_t r1, r2, response; /* Theorem 5.6; least fixed points, also above the deadline, or NO_BOUND */
	int64_t own, copy, gpu;   /* worst cases of the task's own segments */
	int64_t blocking;         /* copies of lower tasks */
	int64_t *interference;    /* [tasks] */
	int64_t *shortest;        /* [chain segments] lower bounds; kernels: GR */
	int64_t *longest; /* [chain segments] responses: CR, MR, GR; NO_BOUND if the task has no bound */
	struct window
		*windows; /* [chains.resources] as lower tasks use them; NULL: no lower task is bounded */
};

struct rtgpu_bounds {
	struct chains chains;
	struct rtgpu_bound *task; /* [tasks] */
	struct verdict verdict;
};

/* steps: [GPUs]. Goes on behind tasks whose bounds exceed their deadlines; the verdict names the first of
 * them by priority. False: out of memory. */
MUST_CHECK bool rtgpu_analyse(const struct platform *platform, const struct taskset *set,
	const uint32_t *rank, const struct rtgpu_options *options, const struct rtgpu_steps *steps,
	const uint32_t *virtual_sms, struct arena *arena, struct rtgpu_bounds *bounds, struct error *err);

#endif
