/* runs/bounds/bounding.c - see runs/bounds/bounding.h. */
#include "runs/bounds/bounding.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "models/plan.h"
#include "runs/bounds/known.h"

bool bounding_begin(struct bounding *b, const struct bounding_spec *spec, struct error *err)
{
	struct error reason = {.status = STATUS_OK};
	*b = (struct bounding){.spec = *spec, .failing_task = NO_FAILING_TASK};
	if (!spec->policy->plan || spec->set->warps) {
		snprintf(b->refusal, sizeof(b->refusal),
			"programs of warps, and their schedulers, have no analysis");
		return true;
	}
	bool made = plan_create(spec->platform, spec->set, spec->setup, spec->policy, spec->params, &b->arena,
		&b->plan, &reason);
	if (!made && reason.status == STATUS_IO) {
		*err = reason;
		return false;
	}
	if (!made)
		snprintf(b->refusal, sizeof(b->refusal), "%.390s", reason.text);
	if (made && b->plan.refused) {
		snprintf(b->refusal, sizeof(b->refusal), "policy %s refuses the set: %s", spec->policy->name,
			b->plan.reason);
		b->failing_task = b->plan.failing_task == UINT32_MAX ? NO_FAILING_TASK : b->plan.failing_task;
	}
	return true;
}

void bounding_finish(struct bounding *b)
{
	arena_finish(&b->arena);
}

void bounds_decline(struct bounds *bounds, const struct analysis_use *use, enum bounds_verdict verdict,
	const char *reason)
{
	*bounds = (struct bounds){.use = use, .verdict = verdict, .failing_task = NO_FAILING_TASK};
	snprintf(bounds->reason, sizeof(bounds->reason), "%s", reason);
}

bool bounding_meant(const struct policy *policy, const struct analysis *analysis)
{
	const struct plan gated = {.unit = GATE_KERNEL};
	return analysis_for_policy(analysis, policy->name, &gated);
}

bool bounding_fits(const struct bounding *b, const struct analysis *analysis)
{
	return b->refusal[0] ? bounding_meant(b->spec.policy, analysis)
			     : analysis_for_policy(analysis, b->spec.policy->name, &b->plan);
}

void bounding_mismatch(const struct bounding *b, const struct analysis_use *use, struct bounds *bounds)
{
	char reason[300];
	snprintf(reason, sizeof(reason), "it is for plans of %s, or without a gate, not for those of %s",
		use->analysis->policies, b->spec.policy->name);
	bounds_decline(bounds, use, BOUNDS_REFUSED, reason);
}

static bool ask(
	struct bounding *b, const struct analysis_use *use, struct analysis_result *result, struct error *err)
{
	const struct known *known = known_of(use->analysis);
	return known ? known_bound(known, &b->plan, b->spec.recorded, &b->arena, result, err)
		     : analysis_use_bound(use, &b->plan, &b->arena, result, err);
}

bool bounding_compute(
	struct bounding *b, const struct analysis_use *use, struct bounds *bounds, struct error *err)
{
	int64_t begun = clock_us();
	struct analysis_result result = {.refused = true};
	bounds_decline(bounds, use, BOUNDS_REFUSED, b->refusal);
	bounds->failing_task = b->failing_task;
	if (b->refusal[0])
		return true;
	if (!ask(b, use, &result, err))
		return false;
	snprintf(bounds->reason, sizeof(bounds->reason), "%s",
		result.verdict.accepted ? "" : result.verdict.reason);
	bounds->failing_task = result.verdict.accepted ? NO_FAILING_TASK : result.verdict.failing_task;
	bounds->wall_us = clock_us() - begun;
	if (result.gave_up)
		bounds->verdict = BOUNDS_ERROR;
	if (result.refused || result.gave_up)
		return true;
	bounds->verdict = result.verdict.accepted ? BOUNDS_SCHEDULABLE : BOUNDS_UNSCHEDULABLE;
	bounds->task = result.task;
	bounds->failed = result.failed;
	bounds->chain_ns = result.chain_ns;
	return true;
}

/* ---- rows ---- */

static void add_grant(struct text *out, const struct grant *g)
{
	if (g->count == 0) {
		text_add(out, "null");
		return;
	}
	for (uint32_t i = 0; i < g->count; i++)
		text_printf(out, "%s%u", i ? "," : "{\"sms\":[", g->sm[i]);
	text_add(out, "]");
	if (g->slots)
		text_printf(out, ",\"virtual_sms\":%u", g->virtual_sms);
	text_add(out, "}");
}

/* The SMs of the tasks as JSON; empty if no task has SMs of its own. */
static void allocation(const struct bounding *b, struct text *out)
{
	uint32_t tasks = b->refusal[0] || !b->plan.grants ? 0 : b->plan.set->task_count;
	for (uint32_t i = 0; i < tasks; i++) {
		text_add(out, i ? "," : "[");
		add_grant(out, &b->plan.grants[i]);
	}
	if (tasks)
		text_add(out, "]");
}

struct bounds_rows {
	struct bound_row *bounds;
	struct text *assumes; /* [bound_count] */
	struct bound_part_row *parts;
	struct chain_bound_row *chains;
	size_t bound_count, part_count, chain_count;
};

static void rows_finish(struct bounds_rows *rows)
{
	for (size_t i = 0; i < rows->bound_count; i++)
		text_finish(&rows->assumes[i]);
	free(rows->bounds);
	free(rows->assumes);
	free(rows->parts);
	free(rows->chains);
}

static bool add_bound_row(const struct bounding *b, const struct bounds *bounds, uint32_t task,
	struct bounds_rows *rows, struct error *err)
{
	struct text *assumes = &rows->assumes[rows->bound_count];
	bounding_assumes(bounds, task, assumes);
	rows->bounds[rows->bound_count++] = (struct bound_row){
		.task = task,
		.rank = b->plan.rank[task],
		.bound_ns = bounding_bound(&bounds->task[task]),
		.assumes = assumes->length ? text_data(assumes) : NULL,
	};
	return text_ok(assumes, "the rows of an analysis", err);
}

static bool make_chain_rows(
	const struct bounding *b, const struct bounds *bounds, struct bounds_rows *rows, struct error *err)
{
	uint32_t count = bounds->chain_ns ? b->spec.set->chain_count : 0;
	rows->chains = calloc((size_t)count + 1, sizeof(*rows->chains));
	if (!rows->chains)
		return error_memory(err, "the rows of an analysis");
	for (uint32_t i = 0; i < count; i++)
		rows->chains[rows->chain_count++] = (struct chain_bound_row){.chain_idx = i,
			.bound_ns = bounds->chain_ns[i] == NO_BOUND ? DB_NULL : bounds->chain_ns[i]};
	return true;
}

static bool make_rows(
	const struct bounding *b, const struct bounds *bounds, struct bounds_rows *rows, struct error *err)
{
	size_t parts = 0;
	uint32_t tasks = bounds->task ? b->spec.set->task_count : 0;
	for (uint32_t i = 0; i < tasks; i++)
		parts += bounds->task[i].part_count;
	rows->bounds = calloc((size_t)tasks + 1, sizeof(*rows->bounds));
	rows->assumes = calloc((size_t)tasks + 1, sizeof(*rows->assumes));
	rows->parts = calloc(parts + 1, sizeof(*rows->parts));
	if (!rows->bounds || !rows->assumes || !rows->parts)
		return error_memory(err, "the rows of an analysis");
	for (uint32_t i = 0; i < tasks; i++) {
		const struct task_bound *t = &bounds->task[i];
		if (!t->analysed)
			continue;
		if (!add_bound_row(b, bounds, i, rows, err))
			return false;
		for (uint32_t k = 0; k < t->part_count; k++)
			rows->parts[rows->part_count++] = (struct bound_part_row){
				.task = i,
				.part = bound_part_kind_name(t->parts[k].kind),
				.amount_ns = t->parts[k].amount_ns,
				.by_task = t->parts[k].kind != BOUND_INTERFERENCE ||
							   t->parts[k].by == NO_FAILING_TASK
						   ? DB_NULL
						   : t->parts[k].by,
			};
	}
	return true;
}

static bool write_rows(const struct bounding *b, const struct bounds *bounds, const struct bounds_rows *rows,
	const struct bounding_ids *ids, const char *granted, struct db_writer *writer, struct error *err)
{
	char params[PARAMS_JSON_MAX];
	bool exists;
	const struct analysis_row row = {
		.analysis = bounds->use->analysis->name,
		.params = analysis_use_json(bounds->use, params),
		.safety = analysis_use_unsafe(bounds->use) ? "unsafe" : "sound",
		.version = bounds->use->analysis->version,
		.taskset_id = ids->taskset_id,
		.platform_id = ids->platform_id,
		.policy_id = ids->policy_id,
		.allocation = granted[0] ? granted : NULL,
		.verdict = bounds_verdict_name(bounds->verdict),
		.reason = bounds->reason[0] ? bounds->reason : NULL,
		.failing_task =
			bounds->failing_task < b->spec.set->task_count ? bounds->failing_task : DB_NULL,
		.wall_us = bounds->wall_us,
	};
	const struct analysis_rows all = {rows->bounds, rows->bound_count, rows->parts, rows->part_count,
		rows->chains, rows->chain_count};
	return writer_analysis(writer, &row, &all, &exists, err);
}

bool bounding_store(const struct bounding *b, const struct bounds *bounds, bool all,
	const struct bounding_ids *ids, struct db_writer *writer, struct error *err)
{
	struct bounds_rows rows = {0};
	struct text granted = {0};
	allocation(b, &granted);
	bool ok = text_ok(&granted, "the rows of an analysis", err) &&
		  (!all || (make_rows(b, bounds, &rows, err) && make_chain_rows(b, bounds, &rows, err))) &&
		  write_rows(b, bounds, &rows, ids, text_data(&granted), writer, err);
	rows_finish(&rows);
	text_finish(&granted);
	return ok;
}

/* ---- names and sums ---- */

int64_t bounding_bound(const struct task_bound *task)
{
	return task->analysed && task->response_ns != NO_BOUND ? task->response_ns : DB_NULL;
}

int64_t bounding_bound_always(const struct task_bound *task)
{
	return task->assumes == 0 ? bounding_bound(task) : DB_NULL;
}

void bounding_assumes(const struct bounds *bounds, uint32_t task, struct text *json)
{
	const struct task_bound *b = &bounds->task[task];
	for (uint32_t i = b->assumes_from; i < b->assumes; i++)
		text_printf(json, "%s%" PRIu32, i > b->assumes_from ? ", " : "[", bounds->failed[i]);
	if (b->assumes > 0)
		text_add(json, "]");
}

int64_t bound_part_sum(const struct task_bound *bound, enum bound_part_kind kind)
{
	int64_t sum = 0;
	for (uint32_t i = 0; i < bound->part_count; i++)
		if (bound->parts[i].kind == kind)
			sum += bound->parts[i].amount_ns;
	return sum;
}
