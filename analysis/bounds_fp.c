/* analysis/bounds_fp.c - fixed priorities on one processor (analysis/fixed_priority.h) as an analysis of
 * plans. The processor is a core, for tasks without GPU segments (of several cores each by itself); or the
 * GPU, for tasks that are one GPU section each, where the policy runs one section at a time by priority (of
 * several GPUs each by itself). */
#include "analysis/analyses.h"
#include "analysis/fixed_priority.h"
#include "analysis/sections.h"

enum bounds_fp_method { PREEMPTIVE, NONPREEMPTIVE };

static const struct option options[] = {
	{
		.name = "method",
		.kind = OPTION_CHOICE,
		.choices = "preemptive|nonpreemptive",
		.fallback = "preemptive",
		.help = "tasks of CPU segments only, on the core; or of one GPU section only, on the GPU",
	},
	{0},
};

static void fits_core(
	const struct plan *plan, const struct section_task *tasks, struct analysis_result *result)
{
	if (plan->cpu_order != order_by_priority)
		analysis_refuse(result, NO_FAILING_TASK, "it holds for a core that goes by fixed priority");
	for (uint32_t i = 0; !result->refused && i < plan->set->task_count; i++)
		if (tasks[i].sections > 0)
			analysis_refuse(result, i,
				"task '%s' uses the GPU: method preemptive is for the core alone",
				plan->set->tasks[i].name);
}

static void fits_gpu(
	const struct plan *plan, const struct section_task *tasks, struct analysis_result *result)
{
	if (plan->unit != GATE_SECTION || plan->kernel_order != order_by_priority)
		analysis_refuse(
			result, NO_FAILING_TASK, "it holds for GPU sections one at a time, by priority");
	else if (plan->grants || plan->grants_at_run_time)
		analysis_refuse(result, NO_FAILING_TASK, "it holds for kernels on all SMs");
	for (uint32_t i = 0; !result->refused && i < plan->set->task_count; i++)
		if (tasks[i].cpu_ns > 0 || tasks[i].sections > 1)
			analysis_refuse(result, i, "task '%s' is more than one GPU section",
				plan->set->tasks[i].name);
}

/* Work before the job's release is not part of its response. It is subtracted from the parts in this order:
 * blocking, earlier jobs of the task itself, higher tasks from the highest on. */
static int64_t less(int64_t part, int64_t *before)
{
	int64_t off = part < *before ? part : *before;
	*before -= off;
	return part - off;
}

static void fill(struct fixed_priority_set *set, uint32_t k, const struct fixed_priority_bound *b,
	const struct section_task *t, const uint32_t *order, int64_t *interference,
	struct analysis_result *result)
{
	int64_t before = b->job * t->period_ns;
	struct bound_sums sums = {
		b->response, t->cpu_ns, t->copies_ns, t->kernels_ns, 0, interference, order, 0};
	if (b->response != NO_BOUND && b->response != 0) {
		sums.blocking_ns = less(b->blocking, &before);
		sums.count = k + 1;
		fixed_priority_interference(set, k, b->start, interference);
		interference[k] = less(b->job * set->task[k].cost, &before);
		for (uint32_t h = 0; h < k && before > 0; h++)
			interference[h] = less(interference[h], &before);
	}
	analysis_sums(result, order[k], &sums);
}

/* The tasks with a section on the GPU, by priority; on GPU 0 also those without any. */
static uint32_t tasks_on_gpu(
	const struct plan *plan, const struct section_task *tasks, uint32_t gpu, uint32_t *order)
{
	uint32_t all = analysis_tasks_on(plan, ANALYSIS_EACH_CORE, order), count = 0;
	for (uint32_t i = 0; i < all; i++) {
		uint32_t on = tasks[order[i]].on_gpu;
		if (on == gpu || (on == SECTIONS_NO_GPU && gpu == 0))
			order[count++] = order[i];
	}
	return count;
}

struct one_processor {
	struct fixed_priority_set set;
	uint32_t *order;       /* [tasks] of the set's tasks, by priority */
	int64_t *interference; /* [tasks] */
};

/* The p->set.count tasks of one core, or of one GPU, in p->order. False: out of memory. */
static bool analyse_one(const struct section_task *tasks, struct one_processor *p, struct arena *arena,
	struct analysis_result *result)
{
	for (uint32_t k = 0; k < p->set.count; k++) {
		const struct section_task *t = &tasks[p->order[k]];
		p->set.task[k].cost = t->cpu_ns + t->copies_ns + t->kernels_ns;
		p->set.task[k].period = t->period_ns;
	}
	fixed_priority_begin(&p->set);
	if (!p->set.light && !(p->set.loads = arena_new(arena, struct ratio, p->set.count)))
		return false;
	/* Busy periods count the releases of higher tasks, whether or not these are in time. But the next job
	 * of a task with a backlog comes to the GPU only when the one before it has left: with `ties:
	 * lower-first` a lower section can go between. */
	for (uint32_t k = 0; k < p->set.count; k++) {
		const struct section_task *t = &tasks[p->order[k]];
		struct fixed_priority_bound b = fixed_priority_response(&p->set, k);
		fill(&p->set, k, &b, t, p->order, p->interference, result);
		if (!p->set.preemptive && b.response > t->period_ns)
			analysis_assume(result, p->order[k]);
	}
	return true;
}

static bool analyse(const struct plan *plan, enum bounds_fp_method method, const struct section_task *tasks,
	struct arena *arena, struct analysis_result *result, struct error *err)
{
	uint32_t count = plan->set->task_count;
	/* All of a processor's in one: sets are small, and there are many. */
	struct one_processor p = {.set.preemptive = method == PREEMPTIVE};
	size_t each = sizeof(*p.set.task) + sizeof(*p.interference) + sizeof(*p.order);
	p.set.task = arena_alloc(arena, count, each);
	bool ok = p.set.task != NULL;
	if (ok) {
		p.interference = (int64_t *)(p.set.task + count);
		p.order = (uint32_t *)(p.interference + count);
	}
	/* One section at a time on each GPU, of tasks that come to it when they are released: each GPU is a
	 * processor of its own. */
	for (uint32_t gpu = 0; ok && method == NONPREEMPTIVE && gpu < platform_gpus(plan->platform); gpu++) {
		p.set.count = tasks_on_gpu(plan, tasks, gpu, p.order);
		ok = analyse_one(tasks, &p, arena, result);
	}
	for (uint32_t core = 0; ok && method == PREEMPTIVE && core < plan->platform->cores; core++) {
		p.set.count = analysis_tasks_on(plan, core, p.order);
		ok = analyse_one(tasks, &p, arena, result);
	}
	if (!ok)
		return error_memory(err, "response times by fixed priority");
	analysis_judge(result, plan);
	return true;
}

static bool bound(const struct plan *plan, const struct params *params, struct arena *arena,
	struct analysis_result *result, struct error *err)
{
	enum bounds_fp_method method = (enum bounds_fp_method)params_choice(params, "method");
	struct section_task *tasks;
	if (!analysis_begin(result, plan->set->task_count, arena, err) ||
		!sections_build(plan, arena, &tasks, &result->refused, &result->verdict, err))
		return false;
	if (result->refused)
		return true;
	(method == PREEMPTIVE ? fits_core : fits_gpu)(plan, tasks, result);
	return result->refused || analyse(plan, method, tasks, arena, result, err);
}

const struct analysis analysis_fp = {
	.name = "fp",
	.summary = "uniprocessor response times by fixed priority: the core, or the GPU as one processor",
	.source = "preemptive: Joseph and Pandya 1986, Lehoczky, RTSS 1990; nonpreemptive: Davis, Burns, "
		  "Bril, Lukkien, Real-Time Systems 2007",
	.assumptions =
		"preemptive: tasks of CPU segments only, a core by fixed priority. nonpreemptive: "
		"tasks of one GPU section only, one at a time by priority on all SMs. Each task on one core.",
	.version = 1,
	.policies = "rm|self-suspension|mpcp|fcfs|stgm|sbeet",
	.options = options,
	.cores = ANALYSIS_OWN_CORES,
	.gpus = ANALYSIS_GPUS,
	.overheads = true,
	.bound = bound,
};
