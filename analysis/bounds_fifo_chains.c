/* analysis/bounds_fifo_chains.c - chains of CPU segments, copies and kernels on an open GPU
 * (analysis/fifo_chains.h) as one of the analyses. */
#include "analysis/analyses.h"
#include "analysis/fifo_chains.h"
#include "base/units.h"

static const struct option options[] = {
	{
		.name = "count",
		.kind = OPTION_CHOICE,
		.choices = "both|requests|windows",
		.fallback = "both",
		.help = "copies and kernels of another task to wait for: one for each request of the job's "
			"own, as many as periods allow, or the less of both",
	},
	{0},
};

static bool fits(const struct plan *plan, enum fifo_count count, struct analysis_result *result)
{
	bool gpu = false, first_come = plan->kernel_order == order_by_arrival;
	for (uint32_t i = 0; i < plan->set->task_count; i++)
		for (uint32_t g = 0; g < plan->set->tasks[i].segment_count; g++)
			gpu = gpu || plan->set->tasks[i].segments[g].kind != SEGMENT_CPU;
	if (plan->unit != GATE_OPEN || plan->grants)
		analysis_refuse(result, NO_FAILING_TASK, "it holds for kernels on all SMs, without a gate");
	else if (plan->cpu_order != order_by_priority)
		analysis_refuse(result, NO_FAILING_TASK, "it holds for a core that goes by fixed priority");
	else if (gpu && plan->wait != WAIT_SUSPEND)
		analysis_refuse(
			result, NO_FAILING_TASK, "it holds for tasks that suspend during GPU sections");
	else if (count == FIFO_REQUESTS && !first_come)
		analysis_refuse(result, NO_FAILING_TASK,
			"count=requests holds for a primary queue in the order of becoming head of a stream");
	return !result->refused;
}

static void refuse_unbounded(const struct plan *plan, struct verdict *v)
{
	char period[UNIT_TEXT_MAX];
	uint32_t task = v->failing_task;
	const struct task *t = &plan->set->tasks[task];
	unit_format(UNIT_TIME, t->period_ns, period);
	verdict_refuse(v, task,
		"task '%s': no bound within its period, %s, was found; beyond that jobs wait for their "
		"predecessors",
		t->name, period);
}

static void fill(const struct fifo_chains *s, struct analysis_result *result)
{
	for (uint32_t i = 0; i < s->count; i++) {
		const struct fifo_chain *c = &s->chain[i];
		const struct bound_sums sums = {
			.response_ns = c->response,
			.own_ns = c->own_ns,
			.copy_ns = c->copy_ns,
			.gpu_ns = c->gpu_ns + c->own_rest,
			.interference_ns = c->by,
			.count = s->count,
		};
		analysis_sums(result, i, &sums);
		result->task[i].assumes = c->assumes;
	}
	for (uint32_t i = 0; i < s->failed_count; i++)
		analysis_assume(result, s->failed[i]);
}

static bool bound(const struct plan *plan, const struct params *params, struct arena *arena,
	struct analysis_result *result, struct error *err)
{
	enum fifo_count count = (enum fifo_count)params_choice(params, "count");
	struct fifo_chains s;
	if (!analysis_begin(result, plan->set->task_count, arena, err))
		return false;
	if (!fits(plan, count, result))
		return true;
	if (!fifo_chains_build(plan, arena, &s, &result->refused, &result->verdict, err))
		return false;
	if (result->refused)
		return true;
	s.count_by = count;
	fifo_chains_solve(&s);
	fill(&s, result);
	analysis_judge(result, plan);
	if (!result->verdict.accepted && result->task[result->verdict.failing_task].response_ns == NO_BOUND)
		refuse_unbounded(plan, &result->verdict);
	return true;
}

const struct analysis analysis_fifo_chains = {
	.name = "fifo-chains",
	.summary = "concurrent kernels of tasks with CPU segments and copies, several of each",
	.source = "ours, for the rules of Yang and Anderson, \"Response-Time Bounds for Concurrent GPU "
		  "Scheduling\", copy engines and a core by fixed priority; the proof is in "
		  "docs/analyses.md",
	.assumptions =
		"No gate, no SMs of their own, suspension, fixed priorities on the core; no stream "
		"shared by tasks, each on one core and one GPU. A task's bound holds if it is at most its "
		"period.",
	.version = 1,
	.policies = "fifo-cke|prio-streams",
	.options = options,
	.cores = ANALYSIS_OWN_CORES,
	.gpus = ANALYSIS_GPUS,
	.bound = bound,
};
