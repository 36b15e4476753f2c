/* analysis/gcaps_plan.c - see analysis/gcaps_plan.h. */
#include "analysis/gcaps_plan.h"

static void fill_task(
	const struct plan *plan, uint32_t task, const struct section_task *t, struct gcaps_task *g)
{
	*g = (struct gcaps_task){
		.cpu_ns = t->cpu_ns,
		.gpu_ns = t->copies_ns + t->kernels_ns,
		.sections = t->sections,
		.period_ns = t->period_ns,
		.deadline_ns = t->deadline_ns,
		.core = taskset_core(plan->set, plan->platform, task),
		.best_effort = plan->set->tasks[task].best_effort && t->sections > 0,
		.may_be_late = plan->set->tasks[task].best_effort,
	};
	for (uint32_t k = 0; k < plan->set->task_count; k++)
		g->gpu_rank += plan->call_rank[k] < plan->call_rank[task] ||
			       (plan->call_rank[k] == plan->call_rank[task] && k < task);
}

bool gcaps_plan_init(struct gcaps_plan *p, const struct plan *plan, enum gcaps_variant variant,
	struct arena *arena, struct error *err)
{
	uint32_t tasks = plan->set->task_count;
	*p = (struct gcaps_plan){
		.test = {.variant = variant,
			.busy = plan->wait == WAIT_BUSY,
			.update_ns = params_quantity(plan->params, "update"),
			.call_ns = params_quantity(plan->params, "call"),
			.task = arena_new(arena, struct gcaps_task, tasks),
			.count = tasks},
		.order = arena_new(arena, uint32_t, tasks),
		.sharing = NO_FAILING_TASK,
	};
	if (!p->test.task || !p->order)
		return error_memory(err, "bounds under gcaps");
	if (!sections_build(plan, arena, &p->section, &p->refused, &p->verdict, err))
		return false;
	if (p->refused)
		return true;
	for (uint32_t i = 0; i < tasks; i++) {
		p->order[plan->rank[i]] = i;
		fill_task(plan, i, &p->section[i], &p->test.task[plan->rank[i]]);
	}
	return sections_sharing(plan, p->section, arena, &p->sharing, err);
}

/* Whether the bounds are about such plans (analysis_bound() asks the same for the analysis). */
static bool holds(const struct gcaps_plan *p, const struct plan *plan)
{
	struct verdict v;
	return !p->refused && p->sharing == NO_FAILING_TASK && !platform_overheads(plan->platform) &&
	       verdict_plain(&v, plan->set, "") && verdict_undivided(&v, plan->platform, plan->set, "") &&
	       verdict_unconfined(&v, plan, "") && verdict_in_turn(&v, plan->set, "") &&
	       verdict_cores(&v, plan->platform, plan->set, true, "");
}

/* Bounds of the test as it is. False: out of memory. */
static bool accepts(struct gcaps_test *test, struct arena *arena, bool *accepted, struct error *err)
{
	*accepted = false;
	if (gcaps_inversion(test) < test->count)
		return true;
	if (!gcaps_bounds(test, arena, err))
		return false;
	*accepted = gcaps_accepts(test);
	return true;
}

bool gcaps_plan_places(const struct plan *plan, enum gcaps_variant variant, uint32_t *rank, struct error *err)
{
	struct arena arena = {0};
	struct gcaps_plan p;
	bool accepted = false, found = false;
	bool done = gcaps_plan_init(&p, plan, variant, &arena, err);
	bool asked = done && holds(&p, plan);
	if (asked)
		done = accepts(&p.test, &arena, &accepted, err);
	if (asked && done && !accepted)
		done = gcaps_assign(&p.test, &found, &arena, err);
	if (done && found)
		done = accepts(&p.test, &arena, &accepted, err);
	for (uint32_t i = 0; done && found && accepted && i < p.test.count; i++)
		rank[p.order[i]] = p.test.task[i].gpu_rank;
	arena_finish(&arena);
	return done;
}
