/* tests/support/tightness.c - see tests/support/tightness.h. */
#include "tests/support/tightness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/sections.h"
#include "models/plan.h"
#include "scenarios/workload/recipe.h"

static void check(bool ok, const struct error *err)
{
	if (ok)
		return;
	fprintf(stderr, "%s\n", err->text);
	exit(3);
}

/* `text` is "name=value name=value". */
static void set_options(struct params *params, const char *text)
{
	char copy[256];
	struct error err;
	snprintf(copy, sizeof(copy), "%s", text);
	for (char *rest = copy, *item; (item = strsep(&rest, " ")) != NULL;) {
		char *value = strchr(item, '=');
		*value = '\0';
		check(params_set(params, item, value + 1, &err), &err);
	}
}

static void make_set(const struct tight_sets *sets, uint32_t index, struct tight_case *c)
{
	const struct recipe *recipe = recipe_find("custom");
	struct params params;
	struct error err;
	params_default(&params, recipe->options);
	set_options(&params, sets->options);
	taskset_init(&c->set);
	check(recipe->platform(&params, &c->set.arena, &c->platform, &err), &err);
	check(recipe->generate(&params, &c->platform, 1, index, &c->set, &err), &err);
	if (taskset_check(&c->set, &c->platform, NULL, NULL) > 0)
		abort();
}

const struct task_bound *tight_bounds(struct tight_case *c, const char *analysis)
{
	struct analysis_use use;
	struct analysis_result result;
	struct error err;
	check(analysis_use_parse(analysis, &use, &err), &err);
	check(analysis_use_bound(&use, &c->plan, &c->arena, &result, &err), &err);
	return result.refused || !result.verdict.accepted ? NULL : result.task;
}

bool tight_open(const struct tight_sets *sets, uint32_t index, struct tight_case *c)
{
	const struct run_setup setup = {.horizon_ns = 1, .limit_ns = 1};
	struct error err;
	*c = (struct tight_case){.index = index};
	make_set(sets, index, c);
	check(policy_use_parse(sets->policy, &c->policy, &err), &err);
	check(plan_create(&c->platform, &c->set, &setup, c->policy.policy, &c->policy.params, &c->arena,
		      &c->plan, &err),
		&err);
	if (c->plan.refused) {
		tight_close(c);
		return false;
	}
	check(genome_space_init(&c->space, &c->plan, GENOME_JOBS_DEFAULT, false, &err), &err);
	return true;
}

void tight_close(struct tight_case *c)
{
	genome_space_finish(&c->space);
	taskset_finish(&c->set);
	arena_finish(&c->arena);
}

int64_t tight_observed(const struct tight_case *c, uint32_t task, uint64_t budget)
{
	const struct search_target target = {task, WHOLE_JOB};
	const struct search_spec h = {
		.what = {&c->platform, &c->set, c->policy.policy, &c->policy.params},
		.plan = &c->plan,
		.space = &c->space,
		.method = METHOD_CLIMB,
		.budget = budget,
		.patience = CLIMB_PATIENCE,
		.seed = 1,
		.set = c->index,
		.targets = &target,
		.target_count = 1,
	};
	struct arena arena = {0};
	struct evaluator e;
	struct witness *found;
	struct error err;
	check(evaluator_init(&e, &h.what, &c->space, &err), &err);
	check(witnesses_new(&h, &arena, &found, &err), &err);
	check(search_here(&h, &e, 0, NULL, found, &err), &err);
	int64_t response = found->found.response_ns;
	evaluator_finish(&e);
	arena_finish(&arena);
	return response;
}

/* ---- The true worst case ---- */

/* Sections one at a time: a section is one request. */
static bool with_gate(const struct tight_case *c, struct worst_set *w)
{
	struct arena arena = {0};
	struct section_task *tasks;
	struct verdict v;
	struct error err;
	bool refused = false, few = true;
	check(sections_build(&c->plan, &arena, &tasks, &refused, &v, &err), &err);
	for (uint32_t i = 0; !refused && i < w->count; i++) {
		struct worst_task *t = &w->task[c->plan.rank[i]];
		few = few && tasks[i].count <= WORST_SEGMENTS;
		t->count = few ? tasks[i].count : 0;
		for (uint32_t k = 0; k < t->count; k++) {
			const struct section_part *p = &tasks[i].part[k];
			t->segment[k] = (struct worst_segment){
				p->gpu ? WORST_SHARED : WORST_ON_CORE, p->best_ns, p->worst_ns};
		}
	}
	arena_finish(&arena);
	return few && !refused;
}

/* Without a gate: copies share an engine, kernels have SMs of their own. */
static bool without_gate(const struct tight_case *c, struct worst_set *w)
{
	for (uint32_t i = 0; i < w->count; i++) {
		const struct task *task = &c->set.tasks[i];
		struct worst_task *t = &w->task[c->plan.rank[i]];
		if (task->segment_count > WORST_SEGMENTS)
			return false;
		t->count = task->segment_count;
		for (uint32_t k = 0; k < t->count; k++) {
			const struct segment *s = &task->segments[k];
			int64_t best = s->best_ns, worst = s->worst_ns;
			struct error err;
			if (s->kind == SEGMENT_KERNEL)
				check(plan_segment_times(&c->plan, i, k, &best, &worst, &err), &err);
			t->segment[k] = (struct worst_segment){s->kind == SEGMENT_CPU    ? WORST_ON_CORE
							       : s->kind == SEGMENT_COPY ? WORST_SHARED
											 : WORST_ALONE,
				best, worst};
		}
	}
	return c->platform.engines == 1 && c->plan.copy_order == order_by_priority;
}

static bool by_states(const struct tight_case *c, uint64_t most, int64_t *response)
{
	struct worst_set w = {.count = c->set.task_count};
	int64_t longest[2][WORST_TASKS];
	if (!(c->plan.unit == GATE_SECTION ? with_gate(c, &w) : without_gate(c, &w)))
		return false;
	for (uint32_t i = 0; i < w.count; i++)
		w.task[c->plan.rank[i]].period = c->set.tasks[i].period_ns;
	if (!worst_fits(&w))
		return false;
	for (int turned = 0; turned < 2; turned++) {
		w.lower_first = turned;
		if (!worst_responses(&w, most, longest[turned]))
			return false;
	}
	for (uint32_t i = 0; i < w.count; i++) {
		uint32_t rank = c->plan.rank[i];
		response[i] = longest[0][rank] > longest[1][rank] ? longest[0][rank] : longest[1][rank];
	}
	return true;
}

static bool by_simulations(const struct tight_case *c, uint64_t most, int64_t *response)
{
	struct search_target targets[WORST_TASKS];
	struct exhaust_best best[WORST_TASKS];
	const struct search_case what = {&c->platform, &c->set, c->policy.policy, &c->policy.params};
	struct arena arena = {0};
	struct genome_space space;
	struct exhaust x;
	struct evaluator e;
	struct error err;
	for (uint32_t i = 0; i < c->set.task_count; i++)
		targets[i] = (struct search_target){i, WHOLE_JOB};
	check(genome_space_init(&space, &c->plan, 2, true, &err), &err);
	bool few = exhaust_init(&x, &space, 0, 0, most, &arena, &err);
	if (few) {
		check(evaluator_init(&e, &what, &space, &err), &err);
		uint64_t done =
			exhaust_range(&x, &e, 0, x.count, targets, c->set.task_count, NULL, best, &err);
		check(done == x.count, &err);
		evaluator_finish(&e);
	}
	for (uint32_t i = 0; few && i < c->set.task_count; i++)
		response[i] = best[i].response_ns;
	genome_space_finish(&space);
	arena_finish(&arena);
	return few;
}

static bool only_kernels(const struct taskset *set)
{
	for (uint32_t i = 0; i < set->task_count; i++)
		if (set->tasks[i].segment_count != 1 || set->tasks[i].segments[0].kind != SEGMENT_KERNEL)
			return false;
	return true;
}

bool tight_worst(const struct tight_case *c, uint64_t most, int64_t *response)
{
	if (c->set.task_count > WORST_TASKS)
		return false;
	if (c->plan.unit == GATE_OPEN && !c->plan.grants && only_kernels(&c->set))
		return by_simulations(c, most, response);
	bool own = c->plan.unit == GATE_OPEN && c->plan.grants;
	if (c->plan.wait != WAIT_SUSPEND || c->plan.cpu_order != order_by_priority ||
		!(own || (c->plan.unit == GATE_SECTION && c->plan.kernel_order == order_by_priority)))
		return false;
	return by_states(c, most, response);
}
