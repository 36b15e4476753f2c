/* analysis/bounds_tsg_rr.c - processes that have the GPU in turns, for time slices [Wang et al., "GCAPS",
 * ECRTS 2024, section 6.2: Lemmas 1 to 7], on cores by fixed priority, one for each task. L is the slice, S
 * the switch, n the number of other tasks that use the GPU; a section g needs k = ceil(g / L) slices.
 *
 * The paper has n (L + S) for each slice of a section: in front of each every other context has a slice, and
 * a switch to it. It forgets the switch back to its own. `variant: paper` is kept to show it
 * (docs/findings.md).
 *
 * With it the bound is safe. Proof, suspending: when a section comes, its context has no slice, or (the
 * section follows another one at once) one that goes on; it comes next behind the one loaded last and those
 * active in the ring between. At most n others have the GPU before it, each for L at most, as slices end at
 * multiples of L while others wait; each costs a switch, and so does its own turn: n (L + S) + S, also if a
 * switch or a slice is going on. Then it runs for L, or to the end of the section: for all of the section k
 * times the same. Between operations of a section its context stays active, since what comes behind one that
 * ends is eligible at the same instant. A section that goes on in a slice of the one before it needs no more
 * slices together with that than both need apart. Who has a slice needs no core, so nothing of this depends
 * on which tasks share one. On its core a higher task is one that suspends itself, with jitter R - C if its
 * jobs end within their period (Chen et al., "Many suspensions, many problems", 2019).
 *
 * Spinning: the same delay is time on the core, at the task's priority, and nobody suspends. That of higher
 * tasks counts all other contexts, too. (The paper leaves out those of higher tasks, eq. 6, as it counts them
 * "iteratively"; we have no proof for that.) */
#include "analysis/analyses.h"
#include "analysis/sections.h"
#include "base/checked.h"

enum variant { SAFE, PAPER };

static const struct option options[] = {
	{
		.name = "variant",
		.kind = OPTION_CHOICE,
		.choices = "safe|paper",
		.fallback = "safe",
		.help = "with switches back to the task's own context, or without, as in the paper (unsafe)",
	},
	{0},
};

static bool unsafe(const struct params *params)
{
	return params_choice(params, "variant") == PAPER;
}

/* ---- what it holds for ---- */

static bool fits(const struct plan *plan, uint32_t sharing, struct analysis_result *result)
{
	uint32_t none = NO_FAILING_TASK;
	if (plan->contexts != CONTEXTS_GPU)
		analysis_refuse(result, none, "it holds for contexts that own copy engines and SMs");
	else if (plan->cpu_order != order_by_priority || plan->wait == WAIT_BOOST)
		analysis_refuse(result, none, "it holds for a core that goes by fixed priority");
	else
		result->refused = !sections_apart(plan, sharing, &result->verdict);
	return !result->refused;
}

/* ---- the bound ---- */

struct problem {
	const struct plan *plan;
	const uint32_t *core; /* of each task */
	const struct section_task *task;
	enum variant variant;
	bool busy;
	uint32_t gpu_tasks;
};

/* How long the task's sections wait for slices of `others` contexts, and for switches. */
static int128 delay(const struct problem *p, uint32_t task, uint32_t others)
{
	const struct context_times *times = &p->plan->platform->contexts;
	int128 slice = context_timeslice(times), sum = 0;
	for (uint32_t k = 0; k < p->task[task].count; k++) {
		const struct section_part *part = &p->task[task].part[k];
		if (!part->gpu)
			continue;
		int128 slices = ceil_div(part->worst_ns, (int64_t)slice);
		sum += slices * others * (slice + times->switch_ns);
		sum += p->variant == SAFE ? slices * times->switch_ns : 0;
	}
	return sum;
}

static uint32_t others_of(const struct problem *p, uint32_t task)
{
	return p->gpu_tasks - (p->task[task].sections > 0);
}

/* Whether `higher` is of hpp(task): it has a higher priority on the task's core. */
static bool is_above(const struct problem *p, uint32_t higher, uint32_t task)
{
	return p->plan->rank[higher] < p->plan->rank[task] && p->core[higher] == p->core[task];
}

/* What a job of a higher task takes of the core. `under`: the task that is analysed. */
static int128 demand(const struct problem *p, uint32_t higher, uint32_t under)
{
	const struct section_task *t = &p->task[higher];
	if (!p->busy || t->sections == 0)
		return t->cpu_ns;
	if (p->variant == SAFE)
		return (int128)t->cpu_ns + t->copies_ns + t->kernels_ns +
		       delay(p, higher, others_of(p, higher));
	uint32_t others = 1; /* eq. 6: the higher task itself, and those that are not in hpp(under) */
	for (uint32_t k = 0; k < p->plan->set->task_count; k++)
		others += p->task[k].sections > 0 && !is_above(p, k, under);
	return t->cpu_ns + delay(p, higher, others);
}

/* How late a higher task may begin to take the core, counted from its releases. */
static int64_t jitter(const struct problem *p, uint32_t higher, const struct analysis_result *result)
{
	const struct section_task *t = &p->task[higher];
	int64_t response = result->task[higher].response_ns;
	if (p->busy || t->sections == 0)
		return 0;
	return (response == NO_BOUND || response > t->deadline_ns ? t->deadline_ns : response) - t->cpu_ns;
}

#define PATIENCE 100000

/* The least x = base + what the higher tasks take in x. */
static int64_t fixed_point(const struct problem *p, uint32_t task, int128 base, const uint32_t *order,
	const struct analysis_result *result, int64_t *interference)
{
	int128 x = base;
	for (uint32_t step = 0; step < PATIENCE && x <= SECTIONS_LONGEST; step++) {
		int128 next = base;
		for (uint32_t h = 0; h < p->plan->rank[task]; h++) {
			const struct section_task *t = &p->task[order[h]];
			interference[h] = 0;
			if (!is_above(p, order[h], task))
				continue;
			int128 window = x + jitter(p, order[h], result);
			int128 jobs = (window + t->period_ns - 1) / t->period_ns;
			int128 takes = jobs * demand(p, order[h], task);
			interference[h] = takes > SECTIONS_LONGEST ? SECTIONS_LONGEST : (int64_t)takes;
			next += takes;
		}
		if (next == x)
			return (int64_t)x;
		x = next;
	}
	return NO_BOUND;
}

static void bound_task(const struct problem *p, uint32_t task, const uint32_t *order, int64_t *interference,
	struct analysis_result *result)
{
	const struct section_task *t = &p->task[task];
	int128 waits = t->sections > 0 ? delay(p, task, others_of(p, task)) : 0;
	int128 base = (int128)t->cpu_ns + t->copies_ns + t->kernels_ns + waits;
	int64_t response = fixed_point(p, task, base, order, result, interference);
	const struct bound_sums sums = {response, t->cpu_ns, t->copies_ns, t->kernels_ns, (int64_t)waits,
		interference, order, p->plan->rank[task]};
	analysis_sums(result, task, &sums);
	if (response == NO_BOUND || response > t->deadline_ns)
		analysis_assume(result, task);
}

static bool bound(const struct plan *plan, const struct params *params, struct arena *arena,
	struct analysis_result *result, struct error *err)
{
	uint32_t tasks = plan->set->task_count, *order = arena_new(arena, uint32_t, tasks);
	uint32_t *core = arena_new(arena, uint32_t, tasks), sharing;
	int64_t *interference = arena_new(arena, int64_t, tasks);
	struct section_task *task;
	if (!order || !core || !interference)
		return error_memory(err, "bounds under time slices");
	if (!analysis_begin(result, tasks, arena, err) ||
		!sections_build(plan, arena, &task, &result->refused, &result->verdict, err))
		return false;
	if (result->refused)
		return true;
	if (!sections_sharing(plan, task, arena, &sharing, err))
		return false;
	if (!fits(plan, sharing, result))
		return true;
	struct problem p = {
		.plan = plan,
		.core = core,
		.task = task,
		.variant = (enum variant)params_choice(params, "variant"),
		.busy = plan->wait == WAIT_BUSY,
	};
	for (uint32_t i = 0; i < tasks; i++) {
		order[plan->rank[i]] = i;
		core[i] = taskset_core(plan->set, plan->platform, i);
		p.gpu_tasks += task[i].sections > 0;
	}
	for (uint32_t k = 0; k < tasks; k++)
		bound_task(&p, order[k], order, interference, result);
	analysis_judge(result, plan);
	return true;
}

const struct analysis analysis_tsg_rr = {
	.name = "tsg-rr",
	.summary =
		"time slices of processes: those of all others, and switches, in front of each of a task's",
	.source = "Wang et al., GCAPS, ECRTS 2024, section 6.2; with switches to the task's own context, and "
		  "spinning: ours, with a proof in analysis/bounds_tsg_rr.c",
	.assumptions =
		"Cores by fixed priority, one for each task; every task that uses the GPU is a process of "
		"its own; contexts own copy engines and SMs.",
	.version = 1,
	.policies = "tsg-rr",
	.options = options,
	.cores = ANALYSIS_OWN_CORES,
	.unsafe = unsafe,
	.bound = bound,
};
