/* runs/bounds/known.c - see runs/bounds/known.h. */
#include "runs/bounds/known.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "db/rows.h"
#include "runs/bounds/recorded_label.h"

/* ---- asking ---- */

/* It does not know whose set it is. */
static bool known_ask(const struct analysis *self, const struct plan *plan, const struct params *params,
	struct arena *arena, struct analysis_result *result, struct error *err)
{
	(void)params;
	return known_bound(known_of(self), plan, NULL, arena, result, err);
}

const struct known *known_of(const struct analysis *analysis)
{
	return analysis->ask == known_ask
		       ? (const struct known *)((const char *)analysis - offsetof(struct known, analysis))
		       : NULL;
}

static bool is_for(const struct known_row *row, const struct plan *plan, const char *policy,
	const struct subject *recorded)
{
	return (row->of.platform_id == 0 || row->of.platform_id == recorded->platform_id) &&
	       (row->of.policy_id == 0 || row->of.policy_id == recorded->policy_id) &&
	       (!row->platform || strcmp(row->platform, plan->platform->name) == 0) &&
	       (!row->policy || strcmp(row->policy, policy) == 0);
}

/* The first of the rows, or verdicts, of a set; `count` if it has none. Both begin with what they are for. */
static size_t first_of(const void *items, size_t count, size_t size, int64_t taskset_id)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		struct subject of;
		memcpy(&of, (const char *)items + middle * size, sizeof(of));
		if (of.taskset_id < taskset_id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const struct known_verdict *verdict_of(const struct known *k, const struct subject *recorded)
{
	size_t i = first_of(k->verdicts, k->verdict_count, sizeof(*k->verdicts), recorded->taskset_id);
	for (; i < k->verdict_count && k->verdicts[i].of.taskset_id == recorded->taskset_id; i++)
		if (k->verdicts[i].of.platform_id == recorded->platform_id &&
			k->verdicts[i].of.policy_id == recorded->policy_id)
			return &k->verdicts[i];
	return NULL;
}

/* Tasks without a row have no bound. */
static bool take_rows(const struct known *k, const struct plan *plan, const struct subject *recorded,
	struct analysis_result *result)
{
	const struct bound_sums none = {.response_ns = NO_BOUND};
	uint32_t tasks = plan->set->task_count;
	char policy[PARAMS_LABEL_MAX];
	bool any = false;
	params_label(plan->policy, plan->params, policy);
	for (uint32_t task = 0; task < tasks; task++)
		analysis_sums(result, task, &none);
	size_t i = first_of(k->rows, k->row_count, sizeof(*k->rows), recorded->taskset_id);
	for (; i < k->row_count && k->rows[i].of.taskset_id == recorded->taskset_id; i++) {
		const struct known_row *row = &k->rows[i];
		const struct bound_sums sums = {.response_ns = row->bound_ns};
		if (row->task >= tasks || !is_for(row, plan, policy, recorded))
			continue;
		analysis_sums(result, row->task, &sums);
		any = true;
	}
	return any;
}

bool known_bound(const struct known *k, const struct plan *plan, const struct subject *recorded,
	struct arena *arena, struct analysis_result *result, struct error *err)
{
	uint32_t tasks = plan->set->task_count;
	*result = (struct analysis_result){.refused = true};
	if (k->plain && !verdict_plain(&result->verdict, plan->set, "a bound of one's own is for"))
		return true;
	if (!analysis_begin(result, tasks, arena, err))
		return false;
	if (!recorded)
		return analysis_refuse(result, NO_FAILING_TASK,
			"its bounds are those of the sets in a recording, and this is none of them");
	if (!take_rows(k, plan, recorded, result))
		return analysis_refuse(result, NO_FAILING_TASK, "%s has no bound for the set", k->where);
	analysis_judge(result, plan);
	const struct known_verdict *said = verdict_of(k, recorded);
	if (said && said->schedulable)
		verdict_accept(&result->verdict);
	else if (said)
		verdict_refuse(&result->verdict, said->failing, "%s", said->reason);
	return true;
}

/* ---- making ---- */

static bool always_unsafe(const struct params *params)
{
	(void)params;
	return true;
}

static void destroy(struct known *k)
{
	for (size_t i = 0; i < k->verdict_count; i++)
		free(k->verdicts[i].reason);
	free(k->verdicts);
	free(k->rows);
	free(k->name);
	free(k->label);
	free(k->json);
	free(k->source);
	free(k->where);
	free(k);
}

static bool copy_texts(struct known *k, const struct known_texts *texts)
{
	k->name = strdup(texts->name);
	k->label = strdup(texts->label);
	k->json = strdup(texts->json);
	k->source = strdup(texts->source);
	k->where = strdup(texts->where);
	return k->name && k->label && k->json && k->source && k->where;
}

struct known *known_add(struct known_list *list, const struct known_texts *texts, struct error *err)
{
	struct known **grown = list_room(list->items, list->count, sizeof(*grown), "reading bounds", err);
	if (!grown)
		return NULL;
	list->items = grown;
	struct known *k = calloc(1, sizeof(*k));
	if (!k || !copy_texts(k, texts)) {
		error_memory(err, "reading bounds");
		if (k)
			destroy(k);
		return NULL;
	}
	k->unsafe = texts->unsafe;
	k->analysis = (struct analysis){
		.name = k->name,
		.summary = texts->summary,
		.source = k->source,
		.assumptions = "what its author assumes; cegsim checks none of it.",
		.version = texts->version,
		.policies = ANALYSIS_ANY_POLICY,
		.unsafe = k->unsafe ? always_unsafe : NULL,
		.ask = known_ask,
		.label = k->label,
		.json = k->json,
	};
	return list->items[list->count++] = k;
}

bool known_add_row(struct known *k, const struct known_row *row, struct error *err)
{
	struct known_row *grown = list_room(k->rows, k->row_count, sizeof(*grown), "reading bounds", err);
	if (!grown)
		return false;
	k->rows = grown;
	k->rows[k->row_count++] = *row;
	return true;
}

void known_finish(struct known_list *list)
{
	for (uint32_t i = 0; i < list->count; i++)
		destroy(list->items[i]);
	free(list->items);
	*list = (struct known_list){0};
}

/* ---- of a recording ---- */

#define SAME " WHERE a.analysis = ?1 AND a.params = ?2 AND a.version = ?3"

static bool bind_same(struct db_cursor *c, const struct known *k, struct error *err)
{
	return c && cursor_bind_text(c, 1, k->name, err) && cursor_bind_text(c, 2, k->json, err) &&
	       cursor_bind_integer(c, 3, k->analysis.version, err);
}

static bool read_rows(struct known *k, struct db_reader *reader, struct error *err)
{
	struct db_cursor *c = cursor_open(reader,
		"SELECT a.taskset_id, a.platform_id, a.policy_id, t.task_idx, b.bound_ns FROM analysis_run a"
		" JOIN bound b USING (analysis_run_id) JOIN task t ON t.task_id = b.task_id" SAME
		" ORDER BY a.taskset_id",
		err);
	bool row, ok = bind_same(c, k, err);
	while (ok && (ok = cursor_next(c, &row, err)) && row) {
		const struct known_row next = {
			.of = {cursor_integer(c, 0), cursor_integer(c, 1), cursor_integer(c, 2)},
			.task = (uint32_t)cursor_integer(c, 3),
			.bound_ns = cursor_kind(c, 4) == VALUE_NULL ? NO_BOUND : cursor_integer(c, 4),
		};
		ok = known_add_row(k, &next, err);
	}
	cursor_close(c);
	return ok;
}

static bool add_verdict(
	struct known *k, const struct known_verdict *said, const char *reason, struct error *err)
{
	struct known_verdict *grown =
		list_room(k->verdicts, k->verdict_count, sizeof(*grown), "reading bounds", err);
	if (!grown)
		return false;
	k->verdicts = grown;
	grown += k->verdict_count;
	*grown = *said;
	grown->reason = strdup(reason);
	k->verdict_count += grown->reason != NULL;
	return grown->reason || error_memory(err, "reading bounds");
}

static bool read_verdicts(struct known *k, struct db_reader *reader, struct error *err)
{
	struct db_cursor *c = cursor_open(reader,
		"SELECT a.taskset_id, a.platform_id, a.policy_id, a.verdict = 'schedulable', t.task_idx,"
		" coalesce(a.reason, '') FROM analysis_run a"
		" LEFT JOIN task t ON t.task_id = a.failing_task_id" SAME
		" AND a.verdict IN ('schedulable', 'unschedulable') ORDER BY a.taskset_id",
		err);
	bool row, ok = bind_same(c, k, err);
	while (ok && (ok = cursor_next(c, &row, err)) && row) {
		const struct known_verdict said = {
			.of = {cursor_integer(c, 0), cursor_integer(c, 1), cursor_integer(c, 2)},
			.schedulable = cursor_integer(c, 3) != 0,
			.failing = cursor_kind(c, 4) == VALUE_NULL ? NO_FAILING_TASK
								   : (uint32_t)cursor_integer(c, 4),
		};
		ok = add_verdict(k, &said, cursor_text(c, 5), err);
	}
	cursor_close(c);
	return ok;
}

/* Of the row of an analysis, if it is called so. */
static bool add_stored(struct known_list *list, struct db_reader *reader, const char *file,
	const char *called, const struct db_cursor *row, struct error *err)
{
	char label[PARAMS_LABEL_MAX];
	const struct known_texts texts = {
		.name = cursor_text(row, 0),
		.label = label,
		.json = cursor_text(row, 1),
		.version = (unsigned)cursor_integer(row, 2),
		.unsafe = cursor_integer(row, 3) != 0,
		.summary = "its bounds are in the recording",
		.source = cursor_text(row, 4) ? cursor_text(row, 4) : file, /* of a program: its command */
		.where = file,
	};
	if (analysis_find(texts.name))
		return true;
	if (!recorded_label(reader, texts.name, texts.json, NULL, label, err))
		return false;
	if (strcmp(called, texts.name) != 0 && strcmp(called, label) != 0)
		return true;
	struct known *k = known_add(list, &texts, err);
	return k && read_rows(k, reader, err) && read_verdicts(k, reader, err);
}

bool known_stored(struct known_list *list, struct db_reader *reader, const char *file, const char *name,
	struct error *err)
{
	struct db_cursor *c = cursor_open(reader,
		"SELECT a.analysis, a.params, a.version, a.safety = 'unsafe',"
		" json_extract(a.params, '$.command')"
		" FROM analysis_run a GROUP BY 1, 2, 3, 4 ORDER BY min(a.analysis_run_id)",
		err);
	bool row, ok = c != NULL;
	while (ok && (ok = cursor_next(c, &row, err)) && row)
		ok = add_stored(list, reader, file, name, c, err);
	cursor_close(c);
	return ok;
}
