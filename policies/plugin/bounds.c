/* policies/plugin/bounds.c - see policies/plugin/bounds.h. What is checked is what analysis/analysis.h
 * demands of a struct analysis_result: tables and recordings rely on it. */
#include "policies/plugin/bounds.h"

#include <inttypes.h>
#include <string.h>

struct result_check {
	const struct taskset *set;
	const struct analysis_result *result;
	struct error *err; /* a clause: "verdict.reason is empty" */
};

static bool reason_is_text(const struct result_check *c)
{
	const struct verdict *v = &c->result->verdict;
	if (!memchr(v->reason, '\0', sizeof(v->reason)))
		return error_set(c->err, STATUS_INPUT, "verdict.reason has no end");
	return v->reason[0] != '\0' ||
	       error_set(c->err, STATUS_INPUT,
		       "verdict.reason is empty; analysis_judge() or analysis_refuse() sets the verdict");
}

static bool verdict(const struct result_check *c)
{
	const struct verdict *v = &c->result->verdict;
	uint32_t tasks = c->set->task_count;
	if (v->accepted)
		return true;
	if (v->failing_task != NO_FAILING_TASK && v->failing_task >= tasks)
		return error_set(c->err, STATUS_INPUT,
			"verdict.failing_task is %" PRIu32 " of %" PRIu32 " tasks", v->failing_task, tasks);
	return reason_is_text(c);
}

static bool failed(const struct result_check *c)
{
	const struct analysis_result *r = c->result;
	uint32_t tasks = c->set->task_count;
	if (r->failed_count > tasks || (r->failed_count > 0 && !r->failed))
		return error_set(c->err, STATUS_INPUT,
			"failed_count is %" PRIu32 "; analysis_begin() makes room for %" PRIu32 " tasks",
			r->failed_count, tasks);
	for (uint32_t i = 0; i < r->failed_count; i++)
		if (r->failed[i] >= tasks)
			return error_set(c->err, STATUS_INPUT,
				"failed[%" PRIu32 "] is %" PRIu32 " of %" PRIu32 " tasks", i, r->failed[i],
				tasks);
	return true;
}

static bool part(const struct result_check *c, const char *name, const struct bound_part *p)
{
	uint32_t tasks = c->set->task_count;
	if ((unsigned)p->kind > BOUND_INTERFERENCE)
		return error_set(c->err, STATUS_INPUT, "the bound of task '%s' has a part of kind %d", name,
			(int)p->kind);
	if (p->kind == BOUND_INTERFERENCE && p->by != NO_FAILING_TASK && p->by >= tasks)
		return error_set(c->err, STATUS_INPUT,
			"the bound of task '%s' has interference by task %" PRIu32 " of %" PRIu32, name,
			p->by, tasks);
	return p->amount_ns >= 0 ||
	       error_set(c->err, STATUS_INPUT, "the bound of task '%s' has a part of %" PRId64 " ns", name,
		       p->amount_ns);
}

/* A bound without parts is one, too. */
static bool parts(const struct result_check *c, const char *name, const struct task_bound *b)
{
	int128 sum = 0;
	if (b->part_count > 0 && !b->parts)
		return error_set(c->err, STATUS_INPUT, "the parts of the bound of task '%s' are NULL", name);
	for (uint32_t i = 0; i < b->part_count; i++) {
		if (!part(c, name, &b->parts[i]))
			return false;
		sum += b->parts[i].amount_ns;
	}
	return b->part_count == 0 || b->response_ns == NO_BOUND || sum == b->response_ns ||
	       error_set(c->err, STATUS_INPUT,
		       "the parts of the bound of task '%s' add up to %" PRId64 " ns, not to %" PRId64 " ns",
		       name, bound_saturated(sum), b->response_ns);
}

static bool task(const struct result_check *c, uint32_t i)
{
	const struct task_bound *b = &c->result->task[i];
	const struct task *t = &c->set->tasks[i];
	if (!b->analysed)
		return true;
	if (b->response_ns < 0)
		return error_set(c->err, STATUS_INPUT, "the bound of task '%s' is %" PRId64 " ns", t->name,
			b->response_ns);
	if (b->assumes_from > b->assumes)
		return error_set(c->err, STATUS_INPUT,
			"the bound of task '%s' assumes something from failed task %" PRIu32
			" up to %" PRIu32,
			t->name, b->assumes_from, b->assumes);
	if (b->assumes > c->result->failed_count)
		return error_set(c->err, STATUS_INPUT,
			"the bound of task '%s' assumes something of %" PRIu32 " failed tasks, of %" PRIu32,
			t->name, b->assumes, c->result->failed_count);
	if (c->result->verdict.accepted && b->response_ns > t->deadline_ns)
		return error_set(c->err, STATUS_INPUT,
			"the set is accepted, but the bound of task '%s' exceeds its deadline", t->name);
	return parts(c, t->name, b);
}

static bool check(const struct result_check *c)
{
	if (c->result->gave_up || c->result->refused)
		return !c->result->verdict.accepted
			       ? verdict(c)
			       : error_set(c->err, STATUS_INPUT, "the plan is refused, and accepted");
	if (!c->result->task)
		return error_set(c->err, STATUS_INPUT, "task is NULL; analysis_begin() makes it");
	if (!verdict(c) || !failed(c))
		return false;
	for (uint32_t i = 0; i < c->set->task_count; i++)
		if (!task(c, i))
			return false;
	return true;
}

bool plugin_bound(const struct analysis *theirs, const struct plan *plan, const struct params *params,
	struct arena *arena, struct analysis_result *result, struct error *err)
{
	struct error reason = {.status = STATUS_INPUT};
	const struct result_check c = {plan->set, result, &reason};
	if (analysis_bound(theirs, plan, params, arena, result, &reason)) {
		if (!check(&c))
			analysis_give_up(result, "its bound() erred: %.200s", reason.text);
		return true;
	}
	if (reason.status != STATUS_INPUT) {
		*err = reason;
		return false;
	}
	*result = (struct analysis_result){.gave_up = false};
	analysis_give_up(
		result, "%.250s", reason.text[0] ? reason.text : "its bound() failed without a reason");
	return true;
}
