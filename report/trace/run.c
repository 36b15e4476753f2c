/* report/trace/run.c - chooses the run for a trace, and reads its description. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "db/levels.h"
#include "report/trace/private.h"

#define RUNS_LISTED_MAX 12

/* ---- the run ---- */

struct db_cursor *trace_query(struct trace_export *t, const char *sql, struct error *err)
{
	const int64_t values[] = {t->run, t->from, t->to};
	struct db_cursor *c = cursor_open(t->reader, sql, err);
	int count = c ? cursor_parameters(c) : 0;
	for (int i = 0; i < count && i < 3; i++)
		if (!cursor_bind_integer(c, i + 1, values[i], err)) {
			cursor_close(c);
			return NULL;
		}
	return c;
}

/* "1 fifo-cke, 2 rm and 7 more" */
static bool list_runs(struct trace_export *t, struct text *list, struct error *err)
{
	struct db_cursor *c = trace_query(t,
		"SELECT r.run_id, p.name, r.record, count(*) OVER () FROM run r JOIN policy p USING "
		"(policy_id)"
		" ORDER BY r.run_id",
		err);
	bool row = true, ok = c != NULL;
	for (int64_t n = 0; ok && row && n <= RUNS_LISTED_MAX; n++) {
		ok = cursor_next(c, &row, err);
		if (ok && row && n < RUNS_LISTED_MAX)
			text_printf(list, "%s%lld %s (%s)", n ? ", " : "", (long long)cursor_integer(c, 0),
				cursor_text(c, 1), cursor_text(c, 2));
		else if (ok && row)
			text_printf(list, " and %lld more", (long long)(cursor_integer(c, 3) - n));
	}
	cursor_close(c);
	return ok && text_ok(list, "listing runs", err);
}

/* Says why there is no run to draw. Always returns false. */
static bool refuse(struct trace_export *t, struct error *err)
{
	struct text list = {0};
	bool ok = list_runs(t, &list, err);
	if (ok && list.length == 0)
		error_set(err, STATUS_INPUT, "%s holds no run", t->recording);
	else if (ok && t->request->run == TRACE_FIRST_RUN)
		error_set(err, STATUS_INPUT,
			"%s holds no run with something to draw; it takes --record jobs, segments or blocks; "
			"runs: %s",
			t->recording, text_data(&list));
	else if (ok)
		error_set(err, STATUS_INPUT, "%s holds no run %lld; it has: %s", t->recording,
			(long long)t->request->run, text_data(&list));
	text_finish(&list);
	return false;
}

static bool find_first(struct trace_export *t, struct error *err)
{
	bool row = false;
	struct db_cursor *c = trace_query(t,
		"SELECT run_id FROM run WHERE record <> 'summary' AND stop_ns IS NOT NULL"
		" ORDER BY record = 'jobs', run_id LIMIT 1",
		err);
	bool ok = c && cursor_next(c, &row, err);
	if (ok && row)
		t->run = cursor_integer(c, 0);
	cursor_close(c);
	return ok && (row || refuse(t, err));
}

static bool read_level(struct trace_export *t, const struct db_cursor *c, struct error *err)
{
	const char *level = cursor_text(c, 0);
	if (!level_check_run(t->reader, "a trace", "jobs", t->run, err))
		return false;
	t->segments = strcmp(level, "jobs") != 0;
	t->blocks = t->segments && strcmp(level, "segments") != 0;
	t->stop_ns = cursor_integer(c, 1);
	return true;
}

static const char gpus_sql[] = "SELECT engines, sms, pool = 'gpu' FROM run JOIN v_gpu USING (platform_id) "
			       "WHERE run_id = ?1 ORDER BY gpu";

static bool read_gpus(struct trace_export *t, struct error *err)
{
	bool row = true;
	int64_t places = 0;
	struct db_cursor *c = trace_query(t, gpus_sql, err);
	bool ok = c != NULL;
	while (ok && row && t->gpus < GPUS_MOST) {
		ok = cursor_next(c, &row, err);
		if (!ok || !row)
			break;
		struct trace_gpu *gpu = &t->gpu[t->gpus++];
		*gpu = (struct trace_gpu){
			cursor_integer(c, 0), cursor_integer(c, 1), places, cursor_integer(c, 2) != 0};
		places += gpu->sms + 1;
		if (gpu->engines < 0 || gpu->sms < 0)
			ok = error_set(err, STATUS_INPUT, "%s: run %lld: a platform with less than nothing",
				t->recording, (long long)t->run);
		else if (gpu->engines > TRACE_UNITS_MAX || gpu->sms > TRACE_UNITS_MAX)
			ok = error_set(err, STATUS_INPUT, "%s: run %lld: no platform has so many units",
				t->recording, (long long)t->run);
	}
	cursor_close(c);
	return ok;
}

size_t trace_gpu_of(struct trace_export *t, int64_t gpu, struct error *err)
{
	if (gpu >= 0 && (uint64_t)gpu < t->gpus)
		return (size_t)gpu;
	error_set(err, STATUS_INPUT, "%s: run %lld has rows of GPU %lld, which its platform has not",
		t->recording, (long long)t->run, (long long)gpu);
	return GPUS_MOST;
}

const char *trace_gpu_name(const struct trace_export *t, size_t gpu, const char *one, const char *of_gpu,
	char name[TRACE_NAME_MAX])
{
	if (t->gpus == 1)
		snprintf(name, TRACE_NAME_MAX, "%s", one);
	else
		snprintf(name, TRACE_NAME_MAX, "GPU %zu %s", gpu, of_gpu);
	return name;
}

static bool read_run(struct trace_export *t, struct error *err)
{
	bool row = false;
	struct db_cursor *c = trace_query(t,
		"SELECT r.record, r.stop_ns, l.cores, p.name, s.name"
		" FROM run r JOIN platform l USING (platform_id) JOIN policy p USING (policy_id)"
		" JOIN taskset s USING (taskset_id) WHERE r.run_id = ?1",
		err);
	bool ok = c && cursor_next(c, &row, err) && (row || refuse(t, err)) && read_level(t, c, err);
	if (ok) {
		struct text title = {0};
		text_printf(&title, "%s under %s (run %lld)", cursor_text(c, 4), cursor_text(c, 3),
			(long long)t->run);
		t->cores = cursor_integer(c, 2);
		t->summary->run = t->run;
		strncat(t->summary->policy, cursor_text(c, 3), sizeof(t->summary->policy) - 1);
		strncat(t->summary->level, cursor_text(c, 0), sizeof(t->summary->level) - 1);
		t->title = text_take(&title);
		ok = t->title || error_memory(err, "the name of a trace");
		if (ok && (t->cores < 1 || t->cores > TRACE_UNITS_MAX))
			ok = error_set(err, STATUS_INPUT, "%s: run %lld: a platform with %lld cores",
				t->recording, (long long)t->run, (long long)t->cores);
	}
	cursor_close(c);
	return ok;
}

/* ---- tasks ---- */

static bool add_task(struct trace_export *t, const struct db_cursor *c, struct error *err)
{
	struct trace_task *tasks =
		list_room(t->tasks, t->task_count, sizeof(*tasks), "the tasks of a trace", err);
	if (!tasks)
		return false;
	t->tasks = tasks;
	struct trace_task *task = &tasks[t->task_count];
	*task = (struct trace_task){
		.id = cursor_integer(c, 0),
		.index = (uint64_t)cursor_integer(c, 1),
		.name = strdup(cursor_text(c, 2)),
		.chain_seq = -1,
	};
	for (int k = 0; k < NAME_KINDS; k++)
		task->named[k].seq = -1;
	if (!task->name)
		return error_memory(err, "the tasks of a trace");
	t->task_count++;
	return true;
}

static bool read_tasks(struct trace_export *t, struct error *err)
{
	bool row = true;
	struct db_cursor *c = trace_query(t,
		"SELECT task_id, task_idx, name FROM task WHERE taskset_id ="
		" (SELECT taskset_id FROM run WHERE run_id = ?1) ORDER BY task_id",
		err);
	bool ok = c != NULL;
	while (ok && row)
		ok = cursor_next(c, &row, err) && (!row || add_task(t, c, err));
	cursor_close(c);
	return ok;
}

static int compare_task(const void *id, const void *task)
{
	int64_t a = *(const int64_t *)id, b = ((const struct trace_task *)task)->id;
	return (a > b) - (a < b);
}

struct trace_task *trace_find_task(struct trace_export *t, int64_t id, struct error *err)
{
	/* The tasks of a set were written one after the other. */
	if (t->task_count && id >= t->tasks[0].id && (uint64_t)(id - t->tasks[0].id) < t->task_count) {
		struct trace_task *task = &t->tasks[id - t->tasks[0].id];
		if (task->id == id)
			return task;
	}
	struct trace_task *task =
		t->task_count ? bsearch(&id, t->tasks, t->task_count, sizeof(*t->tasks), compare_task) : NULL;
	if (!task)
		error_set(err, STATUS_INPUT, "%s: run %lld has rows of task %lld, which is not in its set",
			t->recording, (long long)t->run, (long long)id);
	return task;
}

const char *trace_ended(int64_t code)
{
	static const char *const words[] = {NULL, "preempted", "aborted", "stopped", "reset"};
	return code >= 0 && code < 5 ? words[code] : "unknown";
}

/* ---- all of it ---- */

bool trace_read_run(struct trace_export *t, struct error *err)
{
	return (t->request->run != TRACE_FIRST_RUN || find_first(t, err)) && read_run(t, err) &&
	       read_gpus(t, err) && read_tasks(t, err);
}

void trace_finish_run(struct trace_export *t)
{
	for (size_t i = 0; i < t->task_count; i++) {
		for (size_t g = 0; g < GPUS_MOST; g++)
			trace_lanes_finish(&t->tasks[i].kernels[g]);
		free(t->tasks[i].name);
	}
	free(t->tasks);
	free(t->title);
}
