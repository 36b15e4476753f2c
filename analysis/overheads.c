/* analysis/overheads.c - see analysis/overheads.h. The inflated set, for jobs that suspend in GPU sections:
 *
 * switch: the core is given to another job where a job becomes ready for it, or where one leaves it and the
 * next one has waited. So each CPU segment (and each launch) accounts for two switches at most: one when it
 * begins, and one when it is over. Each takes `switch` at most, also one that is preempted: two more `switch`
 * for each of them. release: a task of its own for each task, above all others, with its period; its segment
 * is the interrupt. launch: a CPU segment in front of the operation. Under a gate it would need the core
 * while the unit is admitted, which no analysis counts; but in front of the first operation the unit does not
 * wait yet. latency, gap: an operation that has nobody in front of it starts that much later at most. Under a
 * gate the unit takes so much longer. sync: the section takes so much longer. The gate is free before that,
 * and what follows comes no earlier.
 *
 * What is taken for longer than it is can only be counted as more: bounds grow with lengths. */
#include "analysis/overheads.h"

#include <string.h>

/* Launches account for their switches. */
static void inflate_platform(struct platform *p)
{
	struct overheads *o = &p->overheads;
	if (o->launch_ns > 0)
		o->launch_ns += 2 * o->switch_ns;
	o->switch_ns = o->release_ns = 0;
}

static bool inflate_task(const struct plan *plan, struct arena *arena, struct task *t)
{
	struct segment *segments = arena_new(arena, struct segment, t->segment_count);
	if (!segments)
		return false;
	memcpy(segments, t->segments, t->segment_count * sizeof(*segments));
	for (uint32_t i = 0; i < t->segment_count; i++)
		if (segments[i].kind == SEGMENT_CPU && segments[i].worst_ns > 0)
			segments[i].worst_ns += 2 * plan->platform->overheads.switch_ns;
	t->segments = segments;
	return true;
}

static bool make_interrupt(
	const struct plan *plan, struct arena *arena, const struct task *of, struct task *t)
{
	*t = *of;
	t->segments = arena_new(arena, struct segment, 1);
	if (!t->segments)
		return false;
	t->segment_count = 1;
	t->deadline_ns = t->period_ns;
	t->segments[0] = (struct segment){
		.kind = SEGMENT_CPU,
		.best_ns = plan->platform->overheads.release_ns,
		.worst_ns = plan->platform->overheads.release_ns,
		.bytes = -1,
		.profile = -1,
	};
	return true;
}

struct inflated {
	struct plan plan;
	struct taskset set;
	struct platform platform;
	uint32_t interrupts; /* tasks behind those of the plan */
};

static bool inflate(const struct plan *plan, struct arena *arena, struct inflated *to)
{
	uint32_t tasks = plan->set->task_count, extra = plan->platform->overheads.release_ns > 0 ? tasks : 0;
	struct task *task = arena_new(arena, struct task, (size_t)tasks + extra);
	uint32_t *rank = arena_new(arena, uint32_t, (size_t)tasks + extra);
	struct grant *grants = arena_new(arena, struct grant, (size_t)tasks + extra);
	if (!task || !rank || !grants)
		return false;
	*to = (struct inflated){
		.plan = *plan, .set = *plan->set, .platform = *plan->platform, .interrupts = extra};
	inflate_platform(&to->platform);
	for (uint32_t i = 0; i < tasks; i++) {
		task[i] = plan->set->tasks[i];
		rank[i] = plan->rank[i] + extra;
		if (plan->grants)
			grants[i] = plan->grants[i];
		if (!inflate_task(plan, arena, &task[i]))
			return false;
	}
	for (uint32_t i = 0; i < extra; i++) {
		rank[tasks + i] = i;
		if (!make_interrupt(plan, arena, &plan->set->tasks[i], &task[tasks + i]))
			return false;
	}
	to->set.tasks = task;
	to->set.task_count = tasks + extra;
	to->plan.set = &to->set;
	to->plan.platform = &to->platform;
	to->plan.rank = rank;
	to->plan.grants = plan->grants ? grants : NULL;
	return true;
}

/* ---- For which plans ---- */

#define refuse(result, ...) ((result)->refused = true, verdict_refuse(&(result)->verdict, __VA_ARGS__))

static bool fits_task(const struct plan *plan, uint32_t task, struct analysis_result *result)
{
	const struct task *t = &plan->set->tasks[task];
	uint32_t operations = 0; /* of the section, so far */
	bool launches = plan->platform->overheads.launch_ns > 0;
	for (uint32_t i = 0; i < t->segment_count; i++) {
		const struct segment *s = &t->segments[i];
		operations = s->kind == SEGMENT_CPU
				     ? 0
				     : operations + (s->worst_ns > 0 || s->kind == SEGMENT_KERNEL);
		if (operations > 0 && plan->wait != WAIT_SUSPEND)
			return refuse(result, task,
				"task '%.60s' spins in GPU sections: with overheads it holds for tasks "
				"that suspend",
				t->name);
		if (operations > 1 && launches && plan->unit != GATE_OPEN)
			return refuse(result, task,
				"task '%.60s' needs the core to launch in the middle of a GPU section: "
				"under a "
				"gate it holds for sections of one copy or kernel, or without 'launch'",
				t->name);
	}
	return true;
}

static bool fits(const struct analysis *analysis, const struct plan *plan, struct analysis_result *result)
{
	const struct overheads *o = &plan->platform->overheads;
	const int64_t all[] = {
		o->launch_ns, o->latency_ns, o->gap_ns, o->sync_ns, o->switch_ns, o->release_ns};
	if (!analysis->overheads)
		return refuse(result, NO_FAILING_TASK, "it holds for platforms without overheads");
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (all[i] < 0 || all[i] > INT64_MAX / 4)
			return refuse(result, NO_FAILING_TASK, "the overheads are too long");
	for (uint32_t i = 0; i < plan->set->task_count; i++)
		if (!fits_task(plan, i, result))
			return false;
	return true;
}

/* ---- What comes of it ---- */

/* Adds interference to that of the same task, if there is some. */
static void merge(struct task_bound *b, uint32_t *parts, struct bound_part part)
{
	for (uint32_t i = 0; i < *parts; i++) {
		if (b->parts[i].kind == part.kind && b->parts[i].by == part.by) {
			b->parts[i].amount_ns += part.amount_ns;
			return;
		}
	}
	b->parts[(*parts)++] = part;
}

/* Interrupts are interference by the tasks whose releases they are. */
static void tell_interrupts(struct task_bound *b, uint32_t tasks)
{
	uint32_t parts = 0;
	for (uint32_t i = 0; i < b->part_count; i++) {
		struct bound_part part = b->parts[i];
		if (part.kind == BOUND_INTERFERENCE && part.by >= tasks && part.by != NO_FAILING_TASK)
			part.by -= tasks;
		merge(b, &parts, part);
	}
	b->part_count = parts;
}

static void take(const struct plan *plan, const struct inflated *inflated, struct analysis_result *result)
{
	uint32_t tasks = plan->set->task_count, *failing = &result->verdict.failing_task;
	for (uint32_t i = 0; i < inflated->interrupts && !result->refused; i++) {
		const struct task_bound *b = &result->task[tasks + i];
		if (!b->analysed || b->response_ns > plan->set->tasks[i].period_ns)
			refuse(result, i, "task '%.60s': the interrupts of releases take a period and more",
				plan->set->tasks[i].name);
	}
	if (*failing != NO_FAILING_TASK && *failing >= tasks)
		*failing -= tasks;
	for (uint32_t i = 0; i < tasks && !result->refused; i++)
		tell_interrupts(&result->task[i], tasks);
}

bool overheads_bound(const struct analysis *analysis, const struct plan *plan, const struct params *params,
	struct arena *arena, struct analysis_result *result, struct error *err)
{
	struct inflated inflated;
	if (!fits(analysis, plan, result))
		return true;
	if (!inflate(plan, arena, &inflated))
		return error_memory(err, "an analysis with overheads");
	if (!analysis->bound(&inflated.plan, params, arena, result, err))
		return false;
	take(plan, &inflated, result);
	return true;
}
