/* analysis/bounds_mpcp.c - the GPU as a mutex (analysis/mpcp.h) as one of the analyses: for plans that let
 * one GPU section run at a time, by priority, on all SMs, with jobs that suspend meanwhile, or spin with
 * boosted priority. */
#include "analysis/analyses.h"
#include "analysis/mpcp.h"

static const struct option options[] = {
	{
		.name = "method",
		.kind = OPTION_CHOICE,
		.choices = "hybrid|request|job",
		.fallback = "hybrid",
		.help = "suspending jobs: waiting by request, over the whole response, or the less of both",
	},
	{
		.name = "jitter",
		.kind = OPTION_CHOICE,
		.choices = "safe|paper",
		.fallback = "safe",
		.help = "how late a section may come: R less its length, or R - C as in MPCP's "
			"analysis (unsafe but with method: job)",
	},
	{0},
};

static bool unsafe(const struct params *params)
{
	return params_choice(params, "jitter") == MPCP_JITTER_PAPER &&
	       params_choice(params, "method") != MPCP_JOB;
}

/* Copies and kernels of a section have the GPU and the engines to themselves: streams make no difference. */
static bool fits(const struct plan *plan, const struct params *params, const struct section_task *tasks,
	struct analysis_result *result)
{
	uint32_t none = NO_FAILING_TASK;
	if (plan->unit != GATE_SECTION || plan->kernel_order != order_by_priority)
		analysis_refuse(result, none, "it holds for GPU sections one at a time, by priority");
	else if (plan->grants || plan->grants_at_run_time)
		analysis_refuse(result, none, "it holds for kernels on all SMs");
	else if (plan->cpu_order != order_by_priority)
		analysis_refuse(result, none, "it holds for a core that goes by fixed priority");
	else if (plan->wait == WAIT_BUSY)
		analysis_refuse(
			result, none, "it holds for tasks that suspend during GPU sections, or spin boosted");
	struct verdict v;
	bool several =
		!result->refused && !verdict_cores(&v, plan->platform, plan->set, false, "it holds for");
	if (several && plan->wait == WAIT_BOOST)
		analysis_refuse(
			result, v.failing_task, "tasks spin boosted on several cores: it holds for one core");
	else if (several && params_choice(params, "jitter") == MPCP_JITTER_PAPER)
		analysis_refuse(result, v.failing_task, "jitter=paper holds for one core");
	else if (platform_gpus(plan->platform) > 1 && params_choice(params, "jitter") == MPCP_JITTER_PAPER)
		analysis_refuse(result, none, "jitter=paper holds for one GPU");
	if (!result->refused && !sections_on_one_gpu(plan, tasks, &result->verdict))
		result->refused = true;
	for (uint32_t i = 0; plan->wait == WAIT_BOOST && !result->refused && i < plan->set->task_count; i++)
		if (mpcp_begins_on_gpu(&tasks[i]))
			analysis_refuse(result, i,
				"task '%s' can begin a job with a GPU section, and so be boosted "
				"when it is released: it holds where CPU time comes first for sure",
				plan->set->tasks[i].name);
	return !result->refused;
}

static void fill(const struct mpcp_test *test, const uint32_t *order, struct analysis_result *result)
{
	for (uint32_t k = 0; k < test->count && test->bound[k].analysed; k++) {
		const struct mpcp_bound *b = &test->bound[k];
		const struct section_task *t = test->task[k];
		const struct bound_sums sums = {b->response, t->cpu_ns, t->copies_ns, t->kernels_ns,
			b->blocking, b->interference, order, k};
		analysis_sums(result, order[k], &sums);
		if (b->assumed)
			analysis_assume(result, order[k]);
	}
}

static bool bound(const struct plan *plan, const struct params *params, struct arena *arena,
	struct analysis_result *result, struct error *err)
{
	uint32_t tasks = plan->set->task_count, *order = arena_new(arena, uint32_t, tasks),
		 *core = arena_new(arena, uint32_t, tasks);
	struct section_task *task;
	struct mpcp_test test = {
		.method = (enum mpcp_method)params_choice(params, "method"),
		.jitter = (enum mpcp_jitter)params_choice(params, "jitter"),
		.boosted = plan->wait == WAIT_BOOST,
		.count = tasks,
		.task = arena_new(arena, const struct section_task *, tasks),
		.core = core,
	};
	if (!order || !core || !test.task)
		return error_memory(err, "bounds under MPCP");
	if (!analysis_begin(result, tasks, arena, err) ||
		!sections_build(plan, arena, &task, &result->refused, &result->verdict, err))
		return false;
	if (result->refused || !fits(plan, params, task, result))
		return true;
	for (uint32_t i = 0; i < tasks; i++) {
		order[plan->rank[i]] = i;
		core[plan->rank[i]] = taskset_core(plan->set, plan->platform, i);
		test.task[plan->rank[i]] = &task[i];
	}
	if (!mpcp_bounds(&test, arena, err))
		return false;
	fill(&test, order, result);
	analysis_judge(result, plan);
	return true;
}

const struct analysis analysis_mpcp = {
	.name = "mpcp",
	.summary = "the GPU as a mutex with a priority queue: waiting for it, suspended or spinning boosted",
	.source = "after MPCP (Patel, Baek, Kim, Rajkumar, RTAS 2018), read through a port, for one "
		  "core and one mutex; jitter R - G, and the test for boosted jobs: ours, with proofs "
		  "in analysis/mpcp.c",
	.assumptions =
		"A core by fixed priority, GPU sections one at a time by priority on all SMs. Boosted: every "
		"job takes CPU time before its first section, and one core. Each task on one GPU.",
	.version = 1,
	.policies = "mpcp|self-suspension|rm",
	.options = options,
	.cores = ANALYSIS_OWN_CORES,
	.gpus = ANALYSIS_GPUS,
	.overheads = true,
	.unsafe = unsafe,
	.bound = bound,
};
