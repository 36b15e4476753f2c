/* analysis/bounds_suspension.c - tasks that leave the core during their GPU sections, as an analysis of
 * plans.
 *
 * baseline: RTGPU's "self-suspension" (section 6): a GPU section is one non-preemptive request on one shared
 * resource, by priority. This is RTGPU's own test with a copy in place of each section, and without kernels.
 * It is computed that way: section 5's formulas are applied to such a set. Of several GPUs each is such a
 * resource, as it has a gate of its own: an engine of that GPU (section 5.6).
 *
 * segmented: no section waits for another; each takes between its best and worst case (RTGPU, Lemmas 2.1-2.3,
 * after Huang and Chen). It is computed like the baseline, without waiting for engines.
 *
 * The other analyses are for dynamic self-suspension, which ignores where in a job the sections are
 * (analysis/suspension.h). */
#include "analysis/analyses.h"
#include "analysis/rtgpu.h"
#include "analysis/sections.h"
#include "analysis/suspension.h"

enum bounds_suspension_method { BASELINE, SEGMENTED, BLETSAS, OBLIVIOUS, BLOCKING, UNIFYING, JITTER };
enum gaps { GAPS_PUBLISHED, GAPS_DEADLINE, GAPS_RESPONSE };

static const struct option options[] = {
	{
		.name = "method",
		.kind = OPTION_CHOICE,
		.choices = "baseline|segmented|bletsas|oblivious|blocking|unifying|jitter",
		.fallback = "baseline",
		.help = "sections one at a time; or, where none waits, by segments or in any pattern (jitter "
			"is unsafe)",
	},
	{
		.name = "gaps",
		.kind = OPTION_CHOICE,
		.choices = "published|deadline|response",
		.fallback = "published",
		.help = "higher tasks end by their deadlines or by their bounds; published: deadlines with "
			"baseline and segmented, bounds with bletsas and unifying",
	},
	RTGPU_OPTION_FORM("baseline: bound sections to their end (Lemma 5.3), or, sharper, to their start"),
	{0},
};

static enum bounds_suspension_method method_of(const struct params *params)
{
	return (enum bounds_suspension_method)params_choice(params, "method");
}

static bool unsafe(const struct params *params)
{
	return method_of(params) == JITTER;
}

/* ---- For which plans ---- */

struct users {
	uint32_t sections, copies, kernels; /* numbers of tasks that have some */
};

/* Of that GPU. */
static struct users count_users(const struct plan *plan, const struct section_task *tasks, uint32_t gpu)
{
	struct users u = {0};
	for (uint32_t i = 0; i < plan->set->task_count; i++) {
		if (tasks[i].on_gpu != gpu)
			continue;
		u.sections += tasks[i].sections > 0;
		u.copies += tasks[i].copies;
		u.kernels += tasks[i].kernels;
	}
	return u;
}

static bool any_sections(const struct plan *plan, const struct section_task *tasks)
{
	for (uint32_t i = 0; i < plan->set->task_count; i++)
		if (tasks[i].sections > 0)
			return true;
	return false;
}

/* Whether each task of the GPU has whole SMs that no other task has; use: of that GPU's SMs. */
static bool own_sms(
	const struct plan *plan, const struct section_task *tasks, uint32_t gpu, const struct sm_use *use)
{
	for (uint32_t i = 0; plan->grants && i < plan->set->task_count; i++) {
		const struct grant *g = &plan->grants[i];
		if (tasks[i].on_gpu != gpu)
			continue;
		if (tasks[i].kernels && g->count == 0)
			return false;
		for (uint32_t k = 0; k < g->count; k++)
			if (use[g->sm[k]].tasks > 1 || (g->slots && g->slots[k] < plan->virtual_sms))
				return false;
	}
	return plan->grants != NULL;
}

static void fits_baseline(const struct plan *plan, struct analysis_result *result)
{
	if (plan->unit != GATE_SECTION || plan->kernel_order != order_by_priority)
		analysis_refuse(
			result, NO_FAILING_TASK, "it holds for GPU sections one at a time, by priority");
	else if (plan->grants || plan->grants_at_run_time)
		analysis_refuse(result, NO_FAILING_TASK, "it holds for kernels on all SMs");
}

/* Why a section on the GPU may wait for another task's section; NULL: none does. use: of its SMs. */
static const char *waits_on(
	const struct plan *plan, const struct section_task *tasks, uint32_t gpu, const struct sm_use *use)
{
	struct users users = count_users(plan, tasks, gpu);
	if (plan->grants_at_run_time || plan->unit == GATE_SECTION_KERNELS)
		return "it holds for SMs that are given out before the run";
	if (users.sections > 1 && plan->unit != GATE_OPEN)
		return "GPU sections of several tasks wait at the policy's gate: of the methods only "
		       "baseline covers that";
	if (users.copies > 1 && platform_gpu(plan->platform, gpu)->engines != ENGINES_UNLIMITED)
		return "copies of several tasks wait for an engine: it holds with engines: unlimited";
	if (users.kernels > 1 && !own_sms(plan, tasks, gpu, use))
		return "kernels of several tasks wait for SMs: it holds for SMs of their own";
	return NULL;
}

/* Checks that no section of a task waits for another task's section. False: out of memory. */
static bool fits_alone(const struct plan *plan, const struct section_task *tasks, struct arena *arena,
	struct analysis_result *result, struct error *err)
{
	struct sm_use *use = analysis_sm_use(plan, arena);
	struct chains chains;
	const char *reason = NULL;
	if (!use)
		return error_memory(err, "bounds of self-suspending tasks");
	for (uint32_t g = 0; g < platform_gpus(plan->platform) && !reason; g++) {
		reason = waits_on(plan, tasks, g, use);
		use += platform_gpu(plan->platform, g)->sms;
	}
	if (reason)
		return analysis_refuse(result, NO_FAILING_TASK, "%s", reason);
	if (!chains_build(plan->platform, plan->set, plan->rank, arena, &chains, err))
		return false;
	result->refused = !chains_apart(&chains, &result->verdict);
	return true;
}

static bool fits(const struct plan *plan, enum bounds_suspension_method method,
	const struct section_task *tasks, struct arena *arena, struct analysis_result *result,
	struct error *err)
{
	if (plan->cpu_order != order_by_priority)
		return analysis_refuse(
			result, NO_FAILING_TASK, "it holds for a core that goes by fixed priority");
	if (!any_sections(plan, tasks))
		return true;
	if (!sections_on_one_gpu(plan, tasks, &result->verdict)) {
		result->refused = true;
		return true;
	}
	if (plan->wait != WAIT_SUSPEND)
		return analysis_refuse(
			result, NO_FAILING_TASK, "it holds for tasks that suspend during GPU sections");
	if (method != BASELINE)
		return fits_alone(plan, tasks, arena, result, err);
	fits_baseline(plan, result);
	return true;
}

/* ---- baseline and segmented ---- */

/* Makes the set with a copy in place of every section. False: out of memory. */
static bool copies_for_sections(
	const struct plan *plan, const struct section_task *tasks, struct arena *arena, struct taskset *set)
{
	*set = (struct taskset){.task_count = plan->set->task_count, .cores = plan->set->cores};
	set->tasks = arena_new(arena, struct task, set->task_count);
	for (uint32_t i = 0; set->tasks && i < set->task_count; i++) {
		struct task *t = &set->tasks[i];
		*t = plan->set->tasks[i];
		t->segment_count = tasks[i].count;
		t->segments = arena_new(arena, struct segment, tasks[i].count);
		if (!t->segments)
			return false;
		for (uint32_t k = 0; k < tasks[i].count; k++)
			t->segments[k] = (struct segment){
				.kind = tasks[i].part[k].gpu ? SEGMENT_COPY : SEGMENT_CPU,
				.best_ns = tasks[i].part[k].best_ns,
				.worst_ns = tasks[i].part[k].worst_ns,
				.stream = STREAM_OWN,
				.direction = COPY_BOTH,
				.bytes = -1,
				.profile = -1,
				.gpu = tasks[i].part[k].gpu ? tasks[i].on_gpu : 0,
			};
	}
	return set->tasks != NULL;
}

static void fill(const struct rtgpu_bounds *bounds, const struct section_task *tasks, uint32_t count,
	struct analysis_result *result)
{
	for (uint32_t k = 0; k < count; k++) {
		uint32_t i = bounds->chains.order[k];
		const struct rtgpu_bound *b = &bounds->task[i];
		const struct bound_sums sums = {b->response, b->own, tasks[i].copies_ns, tasks[i].kernels_ns,
			b->blocking, b->interference, NULL, count};
		if (b->analysed)
			analysis_sums(result, i, &sums);
		if (!b->rests)
			result->task[i].assumes = 0;
		if (b->assumed)
			analysis_assume(result, i);
	}
}

static bool by_segments(const struct plan *plan, const struct params *params,
	const struct section_task *tasks, struct arena *arena, struct analysis_result *result,
	struct error *err)
{
	uint32_t count = plan->set->task_count;
	const struct rtgpu_options chosen = {
		.form = (enum rtgpu_form)params_choice(params, "form"),
		.gaps = params_choice(params, "gaps") == GAPS_RESPONSE ? RTGPU_GAPS_RESPONSE
								       : RTGPU_GAPS_DEADLINE,
		.copies = RTGPU_COPIES_PRIORITY,
	};
	struct platform platform = *plan->platform;
	struct taskset set;
	struct rtgpu_bounds bounds;
	uint32_t *virtual_sms = arena_new(arena, uint32_t, count);
	struct rtgpu_steps steps[PLATFORM_MAX_GPUS];
	struct platform *others = arena_new(arena, struct platform, platform_gpus(plan->platform));
	for (uint32_t g = 0; others && g < platform_gpus(plan->platform); g++) {
		struct platform *p = g ? &others[g - 1] : &platform;
		*p = *platform_gpu(plan->platform, g);
		p->engines = method_of(params) == BASELINE ? 1 : ENGINES_UNLIMITED;
		p->work_queues = count; /* so no two tasks share a queue */
		steps[g] = (struct rtgpu_steps){.virtual_sms = 1, .step = 1, .total = 1};
	}
	platform.others = others;
	if (!virtual_sms || !others || !copies_for_sections(plan, tasks, arena, &set))
		return error_memory(err, "bounds of self-suspending tasks");
	if (!rtgpu_analyse(&platform, &set, plan->rank, &chosen, steps, virtual_sms, arena, &bounds, err))
		return false;
	fill(&bounds, tasks, count, result);
	result->verdict = bounds.verdict;
	return true;
}

/* ---- In any pattern ---- */

/* The tasks of one core. That others suspend too, on other cores, is nothing to them. */
static void dynamic_on(const struct plan *plan, const struct section_task *tasks,
	struct suspension_test *test, uint32_t core, uint32_t *order, int64_t *interference,
	struct analysis_result *result)
{
	test->count = analysis_tasks_on(plan, core, order);
	for (uint32_t k = 0; k < test->count; k++) {
		const struct section_task *t = &tasks[order[k]];
		test->task[k] = (struct suspension_task){
			.cpu = t->cpu_ns,
			.suspension = t->copies_ns + t->kernels_ns,
			.period = t->period_ns,
			.deadline = t->deadline_ns,
		};
	}
	uint32_t failed = result->failed_count; /* on other cores */
	bool go_on = true, assumed;
	for (uint32_t k = 0; k < test->count && go_on; k++) {
		const struct section_task *t = &tasks[order[k]];
		const struct bound_sums sums = {suspension_response(test, k, interference), t->cpu_ns,
			t->copies_ns, t->kernels_ns, 0, interference, order, k};
		struct task_bound *b = &result->task[order[k]];
		analysis_sums(result, order[k], &sums);
		b->assumes_from = failed;
		b->assumes = b->assumes > failed ? b->assumes : 0;
		go_on = suspension_go_on(test, k, &assumed);
		if (assumed)
			analysis_assume(result, order[k]);
	}
}

static bool dynamic(const struct plan *plan, const struct params *params, const struct section_task *tasks,
	struct arena *arena, struct analysis_result *result, struct error *err)
{
	static const enum suspension_method methods[] = {
		[BLETSAS] = SUSPENSION_BLETSAS,
		[OBLIVIOUS] = SUSPENSION_OBLIVIOUS,
		[BLOCKING] = SUSPENSION_BLOCKING,
		[UNIFYING] = SUSPENSION_UNIFYING,
		[JITTER] = SUSPENSION_JITTER,
	};
	uint32_t count = plan->set->task_count, *order = arena_new(arena, uint32_t, count);
	int64_t *interference = arena_new(arena, int64_t, count);
	struct suspension_test test = {
		.method = methods[method_of(params)],
		.count = count,
		.by_deadline = params_choice(params, "gaps") == GAPS_DEADLINE,
		.task = arena_new(arena, struct suspension_task, count),
	};
	if (!order || !interference || !test.task)
		return error_memory(err, "bounds of self-suspending tasks");
	if (!suspension_init(&test, arena, err))
		return false;
	for (uint32_t core = 0; core < plan->platform->cores; core++)
		dynamic_on(plan, tasks, &test, core, order, interference, result);
	analysis_judge(result, plan);
	return true;
}

static bool bound(const struct plan *plan, const struct params *params, struct arena *arena,
	struct analysis_result *result, struct error *err)
{
	enum bounds_suspension_method method = method_of(params);
	struct section_task *tasks;
	if (!analysis_begin(result, plan->set->task_count, arena, err) ||
		!sections_build(plan, arena, &tasks, &result->refused, &result->verdict, err))
		return false;
	if (result->refused)
		return true;
	if (!fits(plan, method, tasks, arena, result, err))
		return false;
	if (result->refused)
		return true;
	if (method == BASELINE || method == SEGMENTED)
		return by_segments(plan, params, tasks, arena, result, err);
	return dynamic(plan, params, tasks, arena, result, err);
}

const struct analysis analysis_suspension = {
	.name = "self-suspension",
	.summary = "tasks that leave the core during GPU sections: sections one at a time, or sections that "
		   "never wait",
	.source = "baseline: RTGPU (Zou et al., TPDS 2023), section 6, by the formulas of section 5; "
		  "segmented: the same, Lemmas 2.1-2.3, after Huang and Chen; bletsas: Bletsas et al., LITES "
		  "2018; blocking: Liu, Real-Time Systems, 2000; unifying: Chen, Nelissen, Huang, ECRTS 2016",
	.assumptions = "A core by fixed priority, suspension. baseline: GPU sections one at a time by "
		       "priority on all SMs. The others: no section waits for another task's (own SMs, "
		       "uncontended copies, or one task with a GPU). Each task on one core and "
		       "one GPU.",
	.version = 1,
	.policies = "self-suspension|rm|mpcp",
	.options = options,
	.cores = ANALYSIS_OWN_CORES,
	.gpus = ANALYSIS_GPUS,
	.overheads = true,
	.unsafe = unsafe,
	.bound = bound,
};
