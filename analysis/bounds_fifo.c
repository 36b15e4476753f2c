/* analysis/bounds_fifo.c - concurrent kernels under rules R1 and R2 as analyses: two bounds and a utilisation
 * condition. They are ours; Yang and Anderson's paper ("Response-Time Bounds for Concurrent GPU Scheduling")
 * states the rules and leaves the bounds open. mu, K, C, b, e and l: analysis/fifo.h.
 *
 * fifo-e1, for kernels in the order of becoming head of their streams. A kernel of task i ends within
 *
 *   X_i = (sum of all C - b_i l_i) / mu + l_i
 *
 * of becoming head, where l_i is the worst case of the block of it for which this is greatest. Proof: when
 * the kernel enters the primary queue, every other task has at most one kernel there or running, and later
 * kernels are behind it. Take a block of the kernel with worst case l. Until it is placed, at least mu
 * threads work, only for those other kernels and for earlier blocks of its own: at most the sum of all C,
 * less b_i l. Then the block ends within l. This holds for each of its blocks, so also for the one that ends
 * last. X_i is linear in l, so l_i is e_i, the longest, if b_i <= mu, and else the shortest. Where blocks are
 * alike it is e_i. If X_i <= T_i, each job of i finds its predecessor ended, by induction, and X_i bounds its
 * response. The other tasks need not meet any condition: even with a backlog they have one kernel at a time.
 *
 * fifo-e2. If U_sum <= mu, a kernel in the order of releases ends within (K + sum of all C - b_i l_i) / mu +
 * l_i of its release. Proof: let t0 be the last instant, at the release or before it, at which the primary
 * queue was empty. The work that runs at t0 is at most K; the work released in [t0, release] is at most U_sum
 * (release - t0) + the sum of C; and from t0 until a block of the kernel is placed at least mu threads work,
 * only for these. This proof lets jobs of one task overlap. In our model they do not; so all these bounds
 * must be within the periods. Then no job is released before its predecessor has ended, by induction over
 * time, and jobs never wait for their predecessor; nor do the orders of release and of becoming head differ.
 * So the bound holds under both orders. If one bound is above its period, it holds for no task.
 *
 * fifo-utilisation. `proven`: U_sum <= mu, and the bounds of fifo-e2 within the periods. `overlapping`: U_sum
 * <= mu alone. That is enough where jobs of one task may overlap, but not here: with a block that takes
 * longer than the period the backlog grows without bound. `literal`: U_sum <= m - b_max + 1, as in the paper.
 * With the order of becoming head it is not sufficient either: another task can get its turn between any two
 * jobs of a task that needs all of its period. */
#include "analysis/analyses.h"
#include "analysis/fifo.h"
#include "base/units.h"

enum condition { PROVEN, OVERLAPPING, LITERAL };

static const struct option options[] = {
	{
		.name = "condition",
		.kind = OPTION_CHOICE,
		.choices = "proven|overlapping|literal",
		.fallback = "proven",
		.help = "U_sum <= mu and no job waits for its predecessor; without the latter (unsafe); "
			"U_sum <= m - b_max + 1 (unsafe)",
	},
	{0},
};

static bool unsafe(const struct params *params)
{
	return params_choice(params, "condition") != PROVEN;
}

/* Checks the plan's part of the conditions, then the kernels' part (fifo_build). */
static bool begin(const struct plan *plan, bool any_order, struct fifo_gpu *gpu, struct arena *arena,
	struct analysis_result *result, struct error *err)
{
	if (!analysis_begin(result, plan->set->task_count, arena, err))
		return false;
	if (plan->unit != GATE_OPEN || plan->grants)
		analysis_refuse(result, NO_FAILING_TASK, "it holds for kernels on all SMs, without a gate");
	else if (plan->kernel_order != order_by_arrival &&
		 !(any_order && plan->kernel_order == order_by_release))
		analysis_refuse(result, NO_FAILING_TASK,
			"it holds for a primary queue in the order of becoming head of a stream%s",
			any_order ? ", or of release" : "");
	return result->refused || fifo_build(plan, arena, gpu, &result->refused, &result->verdict, err);
}

static bool fill(const struct fifo_gpu *gpu, int128 carried, struct arena *arena,
	struct analysis_result *result, struct error *err)
{
	struct fifo_shares shares = {.other = arena_new(arena, int64_t, gpu->count)};
	if (!shares.other)
		return error_memory(err, "bounds of concurrent kernels");
	for (uint32_t i = 0; i < gpu->count; i++) {
		if (result->task[i].response_ns == NO_BOUND)
			continue;
		fifo_share(gpu, i, carried, &shares);
		const struct bound_sums sums = {
			.response_ns = result->task[i].response_ns,
			.gpu_ns = gpu->kernel[i].last_ns + shares.own,
			.blocking_ns = shares.carried,
			.interference_ns = shares.other,
			.count = gpu->count,
		};
		analysis_sums(result, i, &sums);
	}
	return true;
}

/* The first task by priority whose bound is above its period: its jobs may have to wait for the job
 * before. */
static uint32_t first_above_period(const struct plan *plan, const struct fifo_gpu *gpu, int128 carried)
{
	uint32_t first = NO_FAILING_TASK;
	for (uint32_t i = 0; i < gpu->count; i++)
		if (fifo_bound(gpu, i, carried) > gpu->kernel[i].period &&
			(first == NO_FAILING_TASK || plan->rank[i] < plan->rank[first]))
			first = i;
	return first;
}

static void refuse_backlog(
	const struct plan *plan, const struct fifo_gpu *gpu, int128 carried, uint32_t task, struct verdict *v)
{
	char bound[UNIT_TEXT_MAX], period[UNIT_TEXT_MAX];
	const int64_t times[] = {fifo_bound(gpu, task, carried), gpu->kernel[task].period};
	unit_format_alike(UNIT_TIME, times, bound, period);
	verdict_refuse(v, task,
		"task '%s': a kernel can take %s, more than the period, %s, and jobs wait for "
		"their predecessors",
		plan->set->tasks[task].name, bound, period);
}

/* ---- fifo-e1 ---- */

static bool bound_e1(const struct plan *plan, const struct params *params, struct arena *arena,
	struct analysis_result *result, struct error *err)
{
	struct fifo_gpu gpu;
	(void)params;
	if (!begin(plan, false, &gpu, arena, result, err))
		return false;
	if (result->refused)
		return true;
	for (uint32_t i = 0; i < gpu.count; i++) {
		int64_t x = fifo_bound(&gpu, i, 0);
		result->task[i].analysed = true;
		result->task[i].response_ns = x <= gpu.kernel[i].period ? x : NO_BOUND;
	}
	analysis_judge(result, plan);
	uint32_t task = result->verdict.failing_task;
	if (!result->verdict.accepted && result->task[task].response_ns == NO_BOUND)
		refuse_backlog(plan, &gpu, 0, task, &result->verdict);
	return fill(&gpu, 0, arena, result, err);
}

/* ---- fifo-e2 and its condition ---- */

static void refuse_utilisation(const struct fifo_gpu *gpu, int128 threads, struct verdict *v)
{
	verdict_refuse(v, NO_FAILING_TASK, "the utilisation exceeds %lld of the %llu threads",
		(long long)threads, (unsigned long long)gpu->pools * gpu->threads);
}

/* Both conditions of E2: are all responses bounded? If not, the verdict says why. */
static bool e2_holds(const struct plan *plan, const struct fifo_gpu *gpu, struct arena *arena,
	int128 *carried, bool *holds, struct verdict *v, struct error *err)
{
	if (!fifo_utilisation_fits(gpu, gpu->working, arena, holds, err) ||
		!fifo_carried(gpu, arena, carried, err))
		return false;
	if (!*holds) {
		refuse_utilisation(gpu, gpu->working, v);
		return true;
	}
	uint32_t task = first_above_period(plan, gpu, *carried);
	*holds = task == NO_FAILING_TASK;
	if (*holds)
		verdict_accept(v);
	else
		refuse_backlog(plan, gpu, *carried, task, v);
	return true;
}

static bool bound_e2(const struct plan *plan, const struct params *params, struct arena *arena,
	struct analysis_result *result, struct error *err)
{
	struct fifo_gpu gpu;
	int128 carried;
	bool holds;
	(void)params;
	if (!begin(plan, true, &gpu, arena, result, err))
		return false;
	if (result->refused)
		return true;
	if (!e2_holds(plan, &gpu, arena, &carried, &holds, &result->verdict, err))
		return false;
	for (uint32_t i = 0; i < gpu.count; i++) {
		result->task[i].analysed = true;
		result->task[i].response_ns = holds ? fifo_bound(&gpu, i, carried) : NO_BOUND;
	}
	if (holds)
		analysis_judge(result, plan);
	return fill(&gpu, carried, arena, result, err);
}

static bool bound_utilisation(const struct plan *plan, const struct params *params, struct arena *arena,
	struct analysis_result *result, struct error *err)
{
	enum condition condition = (enum condition)params_choice(params, "condition");
	struct fifo_gpu gpu;
	int128 carried;
	bool holds;
	if (!begin(plan, true, &gpu, arena, result, err))
		return false;
	if (result->refused)
		return true;
	if (condition == PROVEN)
		return e2_holds(plan, &gpu, arena, &carried, &holds, &result->verdict, err);
	int128 threads = gpu.working;
	if (condition == LITERAL)
		threads = (int128)gpu.pools * (int128)(gpu.threads - gpu.largest + 1);
	if (!fifo_utilisation_fits(&gpu, threads, arena, &holds, err))
		return false;
	if (holds)
		verdict_accept(&result->verdict);
	else
		refuse_utilisation(&gpu, threads, &result->verdict);
	return true;
}

#define SETTING                                                                                              \
	"Every task is one kernel of blocks, in a hardware queue of its own; only threads limit the "        \
	"blocks on an SM; no stream priorities."

const struct analysis analysis_fifo_e1 = {
	.name = "fifo-e1",
	.summary = "concurrent kernels in the order of becoming head of their streams, at any utilisation",
	.source = "ours, for the rules of Yang and Anderson, \"Response-Time Bounds for Concurrent GPU "
		  "Scheduling\"; the proof is in analysis/bounds_fifo.c",
	.assumptions = SETTING " A task's bound holds if it is at most its own period.",
	.version = 1,
	.policies = "fifo-cke|prio-streams",
	.gpus = ANALYSIS_GPUS_APART,
	.cores = ANALYSIS_ANY_CORES,
	.bound = bound_e1,
};

const struct analysis analysis_fifo_e2 = {
	.name = "fifo-e2",
	.summary = "concurrent kernels in the order of their releases, while the utilisation is "
		   "at most mu threads",
	.source = "ours, for property P1 of Yang and Anderson, \"Response-Time Bounds for Concurrent GPU "
		  "Scheduling\"; the proof is in analysis/bounds_fifo.c",
	.assumptions = SETTING " The bounds hold if all of them are at most the periods.",
	.version = 1,
	.policies = "fifo-cke|prio-streams",
	.gpus = ANALYSIS_GPUS_APART,
	.cores = ANALYSIS_ANY_CORES,
	.bound = bound_e2,
};

const struct analysis analysis_fifo_utilisation = {
	.name = "fifo-utilisation",
	.summary =
		"concurrent kernels: is the utilisation low enough for responses to be bounded? (no bounds)",
	.source =
		"ours; literal: the condition that Yang and Anderson, \"Response-Time Bounds for Concurrent "
		"GPU Scheduling\", sections V and VI, leave open",
	.assumptions = SETTING " An accepted set has bounded responses, which may be above the deadlines.",
	.version = 1,
	.policies = "fifo-cke|prio-streams",
	.options = options,
	.unsafe = unsafe,
	.gpus = ANALYSIS_GPUS_APART,
	.cores = ANALYSIS_ANY_CORES,
	.bound = bound_utilisation,
};
