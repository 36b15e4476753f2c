/* rta.c - response times by fixed priorities on the core, with blocking [Audsley et al. 1993]:
 *
 *   R = C + B + sum over higher tasks of ceil(R / T) C
 *
 * A task uses the core alone, or spins above all others during its GPU sections (policy mpcp with wait:
 * busy). So these are time on the core, too, and the longest one of a lower task is in the way: B. */
#include <cegsim_analysis.h>

static const struct option options[] = {
	{.name = "blocking",
		.kind = OPTION_CHOICE,
		.choices = "longest|none",
		.fallback = "longest",
		.help = "B: the longest GPU section of a lower task, or nothing (unsafe)"},
	{0},
};

static bool is_unsafe(const struct params *params)
{
	return params_choice(params, "blocking") == 1;
}

/* Sections that may follow each other at once count as one. */
static int64_t longest_section(const struct section_task *t)
{
	int64_t longest = 0, length = 0;
	for (uint32_t i = 0; i < t->count; i++) {
		if (t->part[i].gpu)
			length += t->part[i].worst_ns;
		else if (t->part[i].best_ns > 0)
			length = 0;
		longest = length > longest ? length : longest;
	}
	return longest;
}

/* NULL, or why the formula does not hold for the task. */
static const char *objection(const struct plan *plan, const struct section_task *t, int64_t cost)
{
	if (plan->cpu_order != order_by_priority)
		return "shares a core that does not go by fixed priorities";
	if (t->sections > 0 && plan->wait != WAIT_BOOST)
		return "leaves the core for the GPU, or can lose it";
	if (t->sections > 0 && (t->part[0].gpu || t->part[0].best_ns == 0))
		return "can begin a job on the GPU, without the core";
	return cost > t->period_ns ? "takes longer than its period" : NULL;
}

static bool bound(const struct plan *plan, const struct params *params, struct arena *arena,
	struct analysis_result *result, struct error *err)
{
	uint32_t count = plan->set->task_count, *order = arena_new(arena, uint32_t, count);
	int64_t *cost = arena_new(arena, int64_t, count), *part = arena_new(arena, int64_t, count),
		blocking = 0;
	struct window *jobs = arena_new(arena, struct window, count);
	const struct window **by_rank = arena_new(arena, const struct window *, count);
	struct section_task *tasks;
	if (!order || !cost || !part || !jobs || !by_rank)
		return error_memory(err, "response times");
	if (!analysis_begin(result, count, arena, err) ||
		!sections_build(plan, arena, &tasks, &result->refused, &result->verdict, err))
		return false;
	for (uint32_t i = 0; !result->refused && i < count; i++) {
		int64_t period = tasks[i].period_ns;
		cost[i] = tasks[i].cpu_ns + tasks[i].copies_ns + tasks[i].kernels_ns;
		jobs[i] = (struct window){1, &cost[i], NULL, period - cost[i], period - cost[i], period};
		order[plan->rank[i]] = i;
		by_rank[plan->rank[i]] = &jobs[i];
		const char *why = objection(plan, &tasks[i], cost[i]);
		if (why)
			analysis_refuse(result, i, "task '%.60s' %s", plan->set->tasks[i].name, why);
	}
	for (uint32_t k = count;
		!result->refused && k-- > 0;) { /* the lowest first: it may block the others */
		const struct section_task *t = &tasks[order[k]];
		const struct window_sum demand = {.window = by_rank, /* the first k: the higher tasks */
			.count = k,
			.constant = cost[order[k]] + blocking,
			.limit = t->deadline_ns};
		int64_t response = window_fixed_point(&demand);
		for (uint32_t h = 0; h < k; h++)
			part[h] = response == NO_BOUND ? 0 : window_most(by_rank[h], response);
		const struct bound_sums sums = {
			response, t->cpu_ns, t->copies_ns, t->kernels_ns, blocking, part, order, k};
		analysis_sums(result, order[k], &sums);
		int64_t longest = is_unsafe(params) ? 0 : longest_section(t);
		blocking = longest > blocking ? longest : blocking;
	}
	if (!result->refused)
		analysis_judge(result, plan);
	return true;
}

static const struct analysis rta = {
	.name = "rta",
	.summary = "response times by fixed priorities on the core, with blocking by GPU sections",
	.source = "Audsley, Burns, Richardson, Tindell, Wellings, Software Engineering Journal 1993",
	.assumptions = "Tasks use the core alone, or spin above all priorities during their GPU sections.",
	.version = 1,
	.policies = "mpcp|rm",
	.options = options,
	.unsafe = is_unsafe,
	.bound = bound,
};
CEGSIM_ANALYSIS(rta);
