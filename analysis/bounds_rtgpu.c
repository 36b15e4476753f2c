/* analysis/bounds_rtgpu.c - RTGPU's response-time test (analysis/rtgpu.h) as one of the analyses: for plans
 * without a gate in which every task with kernels has virtual SMs of its own, on one GPU if there are several
 * (section 5.6: the plan must be for the GPUs that segments name). */
#include "analysis/analyses.h"
#include "analysis/rtgpu.h"

static const struct option options[] = {
	RTGPU_OPTION_FORM("bound copies to their end (Lemma 5.3), or, sharper, to their start"),
	RTGPU_OPTION_GAPS(
		"gap from a task's first job in a window to the next: T - D as published, or T - R"),
	{0},
};

struct rtgpu_options rtgpu_options_chosen(const struct params *params)
{
	return (struct rtgpu_options){
		.form = (enum rtgpu_form)params_choice(params, "form"),
		.gaps = (enum rtgpu_gaps)params_choice(params, "gaps"),
		.copies = RTGPU_COPIES_PRIORITY,
	};
}

/* An SM of which tasks have more slots than it has, among the SMs of all GPUs one after the other;
 * UINT32_MAX: none. */
static uint32_t crowded_sm(const struct plan *plan, const struct sm_use *use)
{
	uint32_t sms = 0;
	for (uint32_t g = 0; g < platform_gpus(plan->platform); g++)
		sms += platform_gpu(plan->platform, g)->sms;
	for (uint32_t sm = 0; sm < sms; sm++)
		if (use[sm].slots > plan->virtual_sms)
			return sm;
	return UINT32_MAX;
}

static bool any_kernels(const struct taskset *set)
{
	for (uint32_t i = 0; i < set->task_count; i++)
		if (analysis_gpu(set, i) != ANALYSIS_NO_GPU)
			return true;
	return false;
}

/* Virtual SMs of a task, as RTGPU counts them; a whole SM counts as V_SM. */
static uint32_t virtual_sms(const struct plan *plan, uint32_t task)
{
	const struct grant *g = &plan->grants[task];
	return g->slots ? g->virtual_sms : g->count * plan->virtual_sms;
}

static bool fits(const struct plan *plan, const struct sm_use *use, struct analysis_result *result)
{
	uint32_t none = NO_FAILING_TASK, crowded = crowded_sm(plan, use);
	if (plan->unit != GATE_OPEN || (!plan->grants && any_kernels(plan->set)))
		analysis_refuse(result, none, "it holds for tasks with SMs of their own, without a gate");
	else if (plan->wait != WAIT_SUSPEND)
		analysis_refuse(result, none, "it holds for tasks that suspend during GPU sections");
	else if (plan->cpu_order != order_by_priority)
		analysis_refuse(result, none, "it holds for a core that goes by fixed priority");
	else if (plan->copy_order != order_by_priority && plan->copy_order != order_by_arrival)
		analysis_refuse(result, none, "it holds for copies by priority, or first come, first served");
	else if (crowded != UINT32_MAX)
		analysis_refuse(result, none,
			"SM %u has more blocks of several tasks than it has virtual SMs", crowded);
	return !result->refused;
}

static void fill(const struct rtgpu_bounds *bounds, uint32_t tasks, struct analysis_result *result)
{
	for (uint32_t k = 0; k < tasks; k++) {
		uint32_t i = bounds->chains.order[k];
		const struct rtgpu_bound *b = &bounds->task[i];
		const struct bound_sums sums = {
			b->response, b->own, b->copy, b->gpu, b->blocking, b->interference, NULL, tasks};
		if (b->analysed)
			analysis_sums(result, i, &sums);
		if (!b->rests)
			result->task[i].assumes = 0;
		if (b->assumed)
			analysis_assume(result, i);
	}
}

static void read_grants(const struct plan *plan, struct rtgpu_steps *steps, uint32_t *given)
{
	rtgpu_steps_each(plan->platform, plan->set, steps);
	for (uint32_t g = 0; g < platform_gpus(plan->platform); g++) {
		steps[g].virtual_sms = steps[g].step = plan->virtual_sms;
		steps[g].total = plan->virtual_sms * platform_gpu(plan->platform, g)->sms;
	}
	for (uint32_t i = 0; plan->grants && i < plan->set->task_count; i++) {
		uint32_t gpu = analysis_gpu(plan->set, i);
		given[i] = virtual_sms(plan, i);
		/* The task has a part of the SM: kernels of other tasks interleave with its own. */
		for (uint32_t k = 0; plan->grants[i].slots && k < plan->grants[i].count; k++)
			if (gpu != ANALYSIS_NO_GPU && plan->grants[i].slots[k] < plan->virtual_sms)
				steps[gpu].step = 1;
	}
}

static bool bound(const struct plan *plan, const struct params *params, struct arena *arena,
	struct analysis_result *result, struct error *err)
{
	uint32_t tasks = plan->set->task_count;
	struct rtgpu_bounds bounds;
	uint32_t *given = arena_new(arena, uint32_t, tasks);
	struct sm_use *use = analysis_sm_use(plan, arena);
	if (!given || !use)
		return error_memory(err, "RTGPU's bounds");
	if (!analysis_begin(result, tasks, arena, err))
		return false;
	if (!fits(plan, use, result))
		return true;
	struct rtgpu_steps steps[PLATFORM_MAX_GPUS];
	read_grants(plan, steps, given);
	struct rtgpu_options chosen = rtgpu_options_chosen(params);
	if (plan->copy_order != order_by_priority)
		chosen.copies = RTGPU_COPIES_FIFO;
	if (!rtgpu_analyse(plan->platform, plan->set, plan->rank, &chosen, steps, given, arena, &bounds, err))
		return false;
	fill(&bounds, tasks, result);
	analysis_take_verdict(result, tasks, &bounds.verdict);
	return true;
}

const struct analysis analysis_rtgpu = {
	.name = "rtgpu",
	.summary = "federated virtual SMs: window analysis of the core and the copy engines",
	.source = "RTGPU (Zou et al., TPDS 2023), Lemmas 5.1-5.5, Theorem 5.6; several GPUs: section 5.6; "
		  "start-time form, T - R gaps, two engines (of each GPU) and FIFO copies: ours",
	.assumptions =
		"SMs of their own for all kernels, suspension, fixed priorities on the core; copies by "
		"priority or first come, first served; no stream shared by tasks. Each task on one core; "
		"with several GPUs its kernels on one.",
	.version = 1,
	.policies = "rtgpu",
	.options = options,
	.cores = ANALYSIS_OWN_CORES,
	.gpus = ANALYSIS_GPUS,
	.bound = bound,
};
