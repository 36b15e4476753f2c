/* analysis/analysis.c - the table of analyses, and the code that they share: see analysis/analysis.h. */
#include "analysis/analysis.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analysis/analyses.h"
#include "analysis/apart.h"
#include "analysis/each_gpu.h"
#include "analysis/in_turn.h"
#include "analysis/overheads.h"
#include "base/units.h"

static const struct analysis *const analyses[] = {
	&analysis_chain,
	&analysis_fifo_chains,
	&analysis_fifo_e1,
	&analysis_fifo_e2,
	&analysis_fifo_utilisation,
	&analysis_fp,
	&analysis_gcaps,
	&analysis_mpcp,
	&analysis_rtgpu,
	&analysis_suspension,
	&analysis_stgm,
	&analysis_tsg_rr,
	NULL,
};

const struct analysis *const *analysis_all(void)
{
	return analyses;
}

const struct analysis *analysis_find(const char *name)
{
	for (const struct analysis *const *a = analyses; *a; a++)
		if (strcmp((*a)->name, name) == 0)
			return *a;
	return NULL;
}

static bool listed(const char *names, const char *name)
{
	size_t length = strlen(name);
	for (const char *n = names; *n; n += strcspn(n, "|") + (n[strcspn(n, "|")] == '|'))
		if (strcspn(n, "|") == length && strncmp(n, name, length) == 0)
			return true;
	return false;
}

bool analysis_for_policy(const struct analysis *analysis, const char *policy, const struct plan *plan)
{
	bool plain = plan->unit == GATE_OPEN && plan->contexts == CONTEXTS_NONE;
	return plain || strcmp(analysis->policies, ANALYSIS_ANY_POLICY) == 0 ||
	       listed(analysis->policies, policy);
}

static bool ask(const struct analysis *analysis, const struct plan *plan, const struct params *params,
	struct arena *arena, struct analysis_result *result, struct error *err)
{
	struct verdict *v = &result->verdict;
	struct plan waiting = *plan;
	struct taskset set;
	bool failed;
	*result = (struct analysis_result){.refused = true};
	if (!in_turn(&waiting, &set, arena, v, err, &failed))
		return !failed;
	plan = &waiting;
	bool gpus = analysis->gpus != ANALYSIS_ONE_GPU && plan->gpus == GPUS_EACH;
	if (!analysis->over_others && !gpus && !verdict_one_gpu(v, plan->platform, "it holds for"))
		return true;
	if (!analysis->any_setting &&
		(!verdict_plain(v, plan->set, "it holds for") ||
			!verdict_undivided(v, plan->platform, plan->set, "it holds for") ||
			!verdict_unconfined(v, plan, "it holds for")))
		return true;
	if (analysis->cores != ANALYSIS_ANY_CORES &&
		!verdict_cores(
			v, plan->platform, plan->set, analysis->cores == ANALYSIS_OWN_CORES, "it holds for"))
		return true;
	if (platform_overheads(plan->platform) && !analysis->over_others)
		return overheads_bound(analysis, plan, params, arena, result, err);
	if (analysis->gpus == ANALYSIS_GPUS_APART && platform_gpus(plan->platform) > 1)
		return each_gpu_bound(analysis, plan, params, arena, result, err);
	return analysis->bound(plan, params, arena, result, err);
}

/* What bounds of users rest on is theirs to say. */
bool analysis_bound(const struct analysis *analysis, const struct plan *plan, const struct params *params,
	struct arena *arena, struct analysis_result *result, struct error *err)
{
	return ask(analysis, plan, params, arena, result, err) &&
	       (analysis_find(analysis->name) != analysis || apart_sort(plan, arena, result, err));
}

/* Ranks are a permutation. */
static uint32_t order_by_ranks(const struct plan *plan, uint32_t *order)
{
	for (uint32_t i = 0; i < plan->set->task_count; i++) {
		assert(plan->rank[i] < plan->set->task_count);
		order[plan->rank[i]] = i;
	}
	return plan->set->task_count;
}

uint32_t analysis_tasks_on(const struct plan *plan, uint32_t core, uint32_t *order)
{
	uint32_t count = 0;
	if (core == ANALYSIS_EACH_CORE || (core == 0 && plan->platform->cores == 1))
		return order_by_ranks(plan, order);
	for (uint32_t i = 0; i < plan->set->task_count; i++) {
		if (taskset_core(plan->set, plan->platform, i) != core)
			continue;
		uint32_t at = count++;
		for (; at > 0 && plan->rank[order[at - 1]] > plan->rank[i]; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
	return count;
}

#define PARTS_BESIDES_TASKS 4u

bool analysis_begin(struct analysis_result *result, uint32_t tasks, struct arena *arena, struct error *err)
{
	size_t each = (size_t)tasks + PARTS_BESIDES_TASKS;
	struct bound_part *parts = arena_new(arena, struct bound_part, each * tasks);
	result->refused = result->gave_up = false;
	result->verdict.accepted = false;
	result->verdict.failing_task = 0;
	result->verdict.reason[0] = '\0'; /* what is behind the end of a text is nothing */
	result->task = arena_new(arena, struct task_bound, tasks);
	result->failed = arena_new(arena, uint32_t, tasks);
	result->failed_count = 0;
	result->chain_ns = NULL;
	if (!result->task || !result->failed || !parts)
		return error_memory(err, "an analysis");
	for (uint32_t i = 0; i < tasks; i++) {
		result->task[i].response_ns = NO_BOUND;
		result->task[i].parts = parts + i * each;
	}
	return true;
}

bool analysis_refuse(struct analysis_result *result, uint32_t task, const char *fmt, ...)
{
	va_list args;
	result->refused = true;
	result->verdict.accepted = false;
	result->verdict.failing_task = task;
	va_start(args, fmt);
	vsnprintf(result->verdict.reason, sizeof(result->verdict.reason), fmt, args);
	va_end(args);
	return true;
}

void analysis_assume(struct analysis_result *result, uint32_t task)
{
	result->failed[result->failed_count++] = task;
}

bool analysis_give_up(struct analysis_result *result, const char *fmt, ...)
{
	va_list args;
	result->gave_up = true;
	result->verdict.accepted = false;
	result->verdict.failing_task = NO_FAILING_TASK;
	va_start(args, fmt);
	vsnprintf(result->verdict.reason, sizeof(result->verdict.reason), fmt, args);
	va_end(args);
	return true;
}

/* The failing task of the highest priority; NO_FAILING_TASK: none. Of best-effort tasks, which policies with
 * contexts know, nothing is asked. */
static uint32_t first_failing(const struct analysis_result *result, const struct plan *plan)
{
	uint32_t first = NO_FAILING_TASK;
	for (uint32_t i = 0; i < plan->set->task_count; i++) {
		const struct task_bound *b = &result->task[i];
		bool fails = !b->analysed || b->response_ns > plan->set->tasks[i].deadline_ns;
		if (plan->contexts != CONTEXTS_NONE && plan->set->tasks[i].best_effort)
			continue;
		if (fails && (first == NO_FAILING_TASK || plan->rank[i] < plan->rank[first]))
			first = i;
	}
	return first;
}

void analysis_judge(struct analysis_result *result, const struct plan *plan)
{
	char bound[UNIT_TEXT_MAX], deadline[UNIT_TEXT_MAX];
	uint32_t task = first_failing(result, plan);
	if (task == NO_FAILING_TASK) {
		verdict_accept(&result->verdict);
		return;
	}
	const struct task *t = &plan->set->tasks[task];
	const int64_t times[] = {result->task[task].response_ns, t->deadline_ns};
	unit_format_alike(UNIT_TIME, times, bound, deadline);
	if (result->task[task].response_ns == NO_BOUND)
		verdict_refuse(
			&result->verdict, task, "task '%s': no bound on its response was found", t->name);
	else
		verdict_refuse(&result->verdict, task,
			"task '%s': the bound on its response, %s, exceeds its deadline, %s", t->name, bound,
			deadline);
}

void analysis_take_verdict(struct analysis_result *result, uint32_t tasks, const struct verdict *verdict)
{
	result->verdict = *verdict;
	result->refused = !verdict->accepted;
	for (uint32_t i = 0; i < tasks; i++)
		result->refused = result->refused && !result->task[i].analysed;
}

static void add_part(struct task_bound *b, enum bound_part_kind kind, uint32_t by, int64_t amount_ns)
{
	if (amount_ns != 0)
		b->parts[b->part_count++] = (struct bound_part){kind, by, amount_ns};
}

void analysis_sums(struct analysis_result *result, uint32_t task, const struct bound_sums *sums)
{
	struct task_bound *b = &result->task[task];
	b->analysed = true;
	b->response_ns = sums->response_ns;
	b->assumes = sums->response_ns == NO_BOUND ? 0 : result->failed_count;
	if (sums->response_ns == NO_BOUND)
		return;
	add_part(b, BOUND_OWN, NO_FAILING_TASK, sums->own_ns);
	add_part(b, BOUND_COPY, NO_FAILING_TASK, sums->copy_ns);
	add_part(b, BOUND_GPU, NO_FAILING_TASK, sums->gpu_ns);
	add_part(b, BOUND_BLOCKING, NO_FAILING_TASK, sums->blocking_ns);
	for (uint32_t i = 0; i < sums->count; i++)
		add_part(b, BOUND_INTERFERENCE, sums->by ? sums->by[i] : i, sums->interference_ns[i]);
}

uint32_t analysis_gpu(const struct taskset *set, uint32_t task)
{
	const struct task *t = &set->tasks[task];
	for (uint32_t i = 0; i < t->segment_count; i++)
		if (t->segments[i].kind == SEGMENT_KERNEL)
			return t->segments[i].gpu;
	return ANALYSIS_NO_GPU;
}

struct sm_use *analysis_sm_use(const struct plan *plan, struct arena *arena)
{
	uint32_t first[PLATFORM_MAX_GPUS + 1] = {0}; /* SM 0 of each GPU */
	for (uint32_t g = 0; g < platform_gpus(plan->platform); g++)
		first[g + 1] = first[g] + platform_gpu(plan->platform, g)->sms;
	struct sm_use *use = arena_new(arena, struct sm_use, first[platform_gpus(plan->platform)]);
	for (uint32_t i = 0; use && plan->grants && i < plan->set->task_count; i++) {
		const struct grant *g = &plan->grants[i];
		uint32_t gpu = analysis_gpu(plan->set, i);
		for (uint32_t k = 0; gpu < platform_gpus(plan->platform) && k < g->count; k++) {
			struct sm_use *sm = &use[first[gpu] + g->sm[k]];
			sm->tasks++;
			sm->slots += g->slots ? g->slots[k] : plan->virtual_sms;
		}
	}
	return use;
}
