/* db/why_table.c - v_why and v_wait_sum as virtual tables (sqlite.org/vtab.html), eponymous: they have no
 * storage, and answer for the recording that is open. What jobs wanted and when comes out of the tables of
 * db/waits.sql up to `want`; who was in their way out of segment_interval, of which one run is in memory at a
 * time: 100 bytes an interval. */
#include "db/why_table.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "db/narrow.h"
#include "db/schema.h"
#include "db/sql.h"
#include "db/why_divide.h"

/* Columns, in the order of v_why. */
enum column { RUN_ID, TASK_ID, SEQ, LONGEST, RESOURCE, PLACE, BY_TASK, AMOUNT_NS, AMOUNT_MS };
/* SQLite may look for each term of an OR by itself: the key is how it knows a row that it has had. */
static const char declaration[] =
	"CREATE TABLE x (run_id INTEGER, task_id INTEGER, seq INTEGER, longest INTEGER,"
	" resource TEXT, place INTEGER, by_task TEXT, amount_ns INTEGER, amount_ms REAL,"
	" PRIMARY KEY (run_id, task_id, seq, resource, place)) WITHOUT ROWID";

/* The same of v_wait_sum; the first four are those of v_why. The last one is in the key, where nothing is
 * NULL, in place of by_task_id. */
enum sum_column {
	SUM_RESOURCE = LONGEST + 1,
	SUM_TASK_ID,
	SUM_TASK,
	SUM_JOBS,
	SUM_SEQ,
	SUM_NS,
	SUM_MS,
	SUM_KEY
};
static const char sum_declaration[] =
	"CREATE TABLE x (run_id INTEGER, task_id INTEGER, seq INTEGER, longest INTEGER, resource TEXT,"
	" by_task_id INTEGER, by_task TEXT, by_jobs INTEGER, by_seq INTEGER, amount_ns INTEGER,"
	" amount_ms REAL, by_key INTEGER HIDDEN, PRIMARY KEY (run_id, task_id, seq, resource, by_key))"
	" WITHOUT ROWID";
static const char *const narrowing[] = {
	[RUN_ID] = "run_id", [TASK_ID] = "task_id", [SEQ] = "seq", [LONGEST] = "longest"};

struct why_cursor {
	sqlite3_vtab_cursor base; /* the first member */
	sqlite3_stmt *want;       /* at a row of the next job, unless `ended` */
	bool ended;
	struct why_run run;
	int64_t run_id;          /* of `run`, if it has been read */
	int64_t of[LONGEST + 1]; /* the job of the rows */
	struct why_row row[WHY_RESOURCES * WHY_PLACES];
	size_t row_count, at;
};

/* ---- reading ---- */

enum { I_TASK, I_SEQ, I_START, I_END, I_CODE, I_UNIT, I_GPU, I_LISTED, I_STREAM, I_SMS };
static const char intervals_sql[] =
	"SELECT i.task_id, i.seq, i.start_ns, i.end_ns, i.code, i.unit, i.gpu, g.task_id IS NOT NULL,"
	" CASE g.stream WHEN -2 THEN -1 WHEN -1 THEN t.task_idx ELSE g.stream END, coalesce(a.sm_set, g.sms)"
	" FROM segment_interval i JOIN task t ON t.task_id = i.task_id"
	" LEFT JOIN segment g ON g.task_id = i.task_id AND g.segment_idx = i.segment_idx"
	" LEFT JOIN run_task a ON a.run_id = i.run_id AND a.task_id = i.task_id"
	" WHERE i.run_id = ?1 ORDER BY i.start_ns, i.task_id";

static const char tasks_sql[] =
	"SELECT task_id, dense_rank() OVER (ORDER BY coalesce(process, task_id)), name FROM task"
	" WHERE taskset_id = (SELECT taskset_id FROM run WHERE run_id = ?1) ORDER BY task_id";

enum {
	W_RUN,
	W_TASK,
	W_SEQ,
	W_LONGEST,
	W_FROM,
	W_TO,
	W_LATE,
	W_LONGEST_NS,
	W_QUEUES,
	W_CORE,
	W_ENGINE,
	W_QUEUE,
	W_GPU,
	W_BY_TASK,
	W_BY_SEQ,
	W_RESOURCE,
	W_NEED,
	W_MOVING,
	W_SHARED,
	W_IN_TURNS,
	W_SMS
};
#define WANT_COLUMNS                                                                                         \
	"SELECT run_id, task_id, seq, longest, from_ns, to_ns, late_ns, longest_ns, work_queues, own_core,"  \
	" engine, queue, gpu, by_task_id, by_seq, resource, need, moving, shared, process IS NOT NULL,"      \
	" sm_set FROM want WHERE 1"

static int64_t integer_or_none(sqlite3_stmt *s, int column)
{
	return sqlite3_column_type(s, column) == SQLITE_NULL ? WHY_NONE : sqlite3_column_int64(s, column);
}

static int add_task(struct why_run *r, sqlite3_stmt *s)
{
	const char *name = (const char *)sqlite3_column_text(s, 2);
	if (!list_reserve(&r->task, &r->task_capacity, r->task_count + 1, sizeof(*r->task)))
		return SQLITE_NOMEM;
	struct why_task *t = &r->task[r->task_count];
	*t = (struct why_task){.id = sqlite3_column_int64(s, 0),
		.process = sqlite3_column_int64(s, 1),
		.name = strdup(name ? name : "")};
	r->task_count += t->name != NULL;
	return t->name ? SQLITE_OK : SQLITE_NOMEM;
}

static int add_interval(struct why_run *r, sqlite3_stmt *s)
{
	const struct why_sms *sms;
	size_t task = why_task_find(r, sqlite3_column_int64(s, I_TASK));
	if (task == r->task_count)
		return SQLITE_OK; /* a recording that is wrong: the audit says so */
	if (!list_reserve(&r->interval, &r->interval_capacity, r->interval_count + 1, sizeof(*r->interval)) ||
		!why_sms_find(r, (const char *)sqlite3_column_text(s, I_SMS), &sms))
		return SQLITE_NOMEM;
	r->interval[r->interval_count++] = (struct why_interval){
		.task = (uint32_t)task,
		.seq = sqlite3_column_int64(s, I_SEQ),
		.start = sqlite3_column_int64(s, I_START),
		.end = sqlite3_column_int64(s, I_END),
		.code = sqlite3_column_int(s, I_CODE),
		.unit = integer_or_none(s, I_UNIT),
		.gpu = sqlite3_column_int64(s, I_GPU),
		.listed = sqlite3_column_int(s, I_LISTED),
		.stream = integer_or_none(s, I_STREAM),
		.sms = sms,
	};
	return SQLITE_OK;
}

/* Hands each row of a question about a run to `add`. */
static int read_rows(sqlite3 *db, const char *sql, int64_t run_id, struct why_run *r,
	int (*add)(struct why_run *, sqlite3_stmt *))
{
	sqlite3_stmt *s;
	int code = sqlite3_prepare_v2(db, sql, -1, &s, NULL);
	if (code == SQLITE_OK)
		code = sqlite3_bind_int64(s, 1, run_id);
	while (code == SQLITE_OK && (code = sqlite3_step(s)) == SQLITE_ROW)
		code = add(r, s);
	sqlite3_finalize(s);
	return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int read_run(struct why_cursor *c, sqlite3 *db, int64_t run_id)
{
	if (c->run.task && c->run_id == run_id)
		return SQLITE_OK;
	why_run_finish(&c->run);
	c->run_id = run_id;
	int code = read_rows(db, tasks_sql, run_id, &c->run, add_task);
	return code == SQLITE_OK ? read_rows(db, intervals_sql, run_id, &c->run, add_interval) : code;
}

/* ---- a job ---- */

static int divide_row(struct why_cursor *c)
{
	sqlite3_stmt *s = c->want;
	struct why_run *r = &c->run;
	const char *resource = (const char *)sqlite3_column_text(s, W_RESOURCE);
	size_t task = why_task_find(r, sqlite3_column_int64(s, W_TASK));
	int64_t by = integer_or_none(s, W_BY_TASK);
	size_t by_task = by == WHY_NONE ? r->task_count : why_task_find(r, by);
	struct why_want w = {
		.task = (uint32_t)task,
		.from = sqlite3_column_int64(s, W_FROM),
		.to = sqlite3_column_int64(s, W_TO),
		.late = integer_or_none(s, W_LATE),
		.longest_ns = sqlite3_column_int64(s, W_LONGEST_NS),
		.work_queues = sqlite3_column_int64(s, W_QUEUES),
		.own_core = integer_or_none(s, W_CORE),
		.engine = integer_or_none(s, W_ENGINE),
		.queue = integer_or_none(s, W_QUEUE),
		.gpu = sqlite3_column_int64(s, W_GPU),
		.by_task = by_task == r->task_count ? WHY_NONE : (int64_t)by_task,
		.by_seq = integer_or_none(s, W_BY_SEQ),
		.resource = resource ? why_resource(resource) : -1,
		.need = sqlite3_column_int(s, W_NEED),
		.moving = sqlite3_column_int(s, W_MOVING),
		.shared = sqlite3_column_int(s, W_SHARED),
		.in_turns = sqlite3_column_int(s, W_IN_TURNS),
	};
	assert(!resource || w.resource >= 0);
	if (task == r->task_count)
		return SQLITE_OK;
	bool ok = why_sms_find(r, (const char *)sqlite3_column_text(s, W_SMS), &w.sms) && why_divide(r, &w);
	return ok ? SQLITE_OK : SQLITE_NOMEM;
}

static bool is_of_job(const struct why_cursor *c)
{
	return sqlite3_column_int64(c->want, W_RUN) == c->of[RUN_ID] &&
	       sqlite3_column_int64(c->want, W_TASK) == c->of[TASK_ID] &&
	       sqlite3_column_int64(c->want, W_SEQ) == c->of[SEQ];
}

/* Takes the wants of the next job that has any. */
static int next_job(struct why_cursor *c)
{
	const struct narrow_table *t = (const struct narrow_table *)c->base.pVtab;
	c->at = c->row_count = 0;
	why_forget(&c->run);
	while (!c->ended && c->row_count == 0) {
		for (int i = 0; i <= LONGEST; i++)
			c->of[i] = sqlite3_column_int64(c->want, i);
		int code = read_run(c, t->db, c->of[RUN_ID]);
		while (code == SQLITE_OK && !c->ended && is_of_job(c)) {
			code = divide_row(c);
			if (code == SQLITE_OK)
				code = narrow_step(c->want, &c->ended);
		}
		if (code != SQLITE_OK)
			return code;
		c->row_count = t->second ? why_sums(&c->run) : why_rows(&c->run, c->row);
	}
	return SQLITE_OK;
}

/* ---- what SQLite calls ---- */

static int table_connect(
	sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **made, char **error)
{
	(void)argc, (void)argv, (void)error;
	return narrow_connect(db, aux ? sum_declaration : declaration, aux != NULL, made);
}

/* Conditions on the job go into the question for what it wanted. */
static int table_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	(void)table;
	return narrow_index(info, narrowing, LONGEST + 1, 1e6);
}

static int table_open(sqlite3_vtab *table, sqlite3_vtab_cursor **made)
{
	struct why_cursor *c = sqlite3_malloc(sizeof(*c));
	(void)table;
	if (!c)
		return SQLITE_NOMEM;
	*c = (struct why_cursor){.ended = true};
	*made = &c->base;
	return SQLITE_OK;
}

static int table_close(sqlite3_vtab_cursor *cursor)
{
	struct why_cursor *c = (struct why_cursor *)cursor;
	sqlite3_finalize(c->want);
	why_run_finish(&c->run);
	sqlite3_free(c);
	return SQLITE_OK;
}

static int table_filter(
	sqlite3_vtab_cursor *cursor, int number, const char *where, int argc, sqlite3_value **argv)
{
	struct why_cursor *c = (struct why_cursor *)cursor;
	struct text sql = {0};
	(void)number;
	schema_wants(&sql);
	text_add(&sql, WANT_COLUMNS);
	text_add(&sql, where);
	text_add(&sql, " ORDER BY run_id, task_id, seq");
	int code = narrow_ask(cursor->pVtab, &sql, argc, argv, &c->want, &c->ended);
	return code == SQLITE_OK ? next_job(c) : code;
}

static int table_next(sqlite3_vtab_cursor *cursor)
{
	struct why_cursor *c = (struct why_cursor *)cursor;
	if (++c->at < c->row_count)
		return SQLITE_OK;
	return next_job(c);
}

static int table_eof(sqlite3_vtab_cursor *cursor)
{
	const struct why_cursor *c = (const struct why_cursor *)cursor;
	return c->at >= c->row_count;
}

static void result_by_task(sqlite3_context *context, const struct why_cursor *c, const struct why_row *row)
{
	char text[512];
	int length = row->others ? snprintf(text, sizeof(text), "%zu others", row->others)
				 : why_by_task(&c->run, &row->owed, text, sizeof(text));
	if (length < 0)
		sqlite3_result_null(context);
	else
		sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void result_integer_or_null(sqlite3_context *context, int64_t value)
{
	if (value == WHY_NONE)
		sqlite3_result_null(context);
	else
		sqlite3_result_int64(context, value);
}

static void sum_column(sqlite3_context *context, const struct why_cursor *c, enum sum_column column)
{
	const struct why_owed *o = &c->run.owed[c->at];
	const struct why_task *by = o->task == WHY_NONE ? NULL : &c->run.task[o->task];
	switch (column) {
	case SUM_RESOURCE:
		sqlite3_result_text(context, why_resources[o->resource], -1, SQLITE_STATIC);
		break;
	case SUM_TASK_ID:
		result_integer_or_null(context, by ? by->id : WHY_NONE);
		break;
	case SUM_TASK:
		sqlite3_result_text(context, by ? by->name : NULL, -1, SQLITE_TRANSIENT);
		break;
	case SUM_JOBS:
		sqlite3_result_int64(context, o->jobs);
		break;
	case SUM_SEQ:
		result_integer_or_null(context, o->first_seq);
		break;
	case SUM_NS:
		sqlite3_result_int64(context, o->ns);
		break;
	case SUM_MS:
		sqlite3_result_double(context, (double)o->ns / 1e6);
		break;
	case SUM_KEY:
		sqlite3_result_int64(context, o->task);
		break;
	}
}

static int table_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
	const struct why_cursor *c = (const struct why_cursor *)cursor;
	if (column > LONGEST && ((const struct narrow_table *)cursor->pVtab)->second) {
		sum_column(context, c, (enum sum_column)column);
		return SQLITE_OK;
	}
	const struct why_row *row = &c->row[c->at];
	switch ((enum column)column) {
	case RUN_ID:
	case TASK_ID:
	case SEQ:
	case LONGEST:
		sqlite3_result_int64(context, c->of[column]);
		break;
	case RESOURCE:
		sqlite3_result_text(context, why_resources[row->owed.resource], -1, SQLITE_STATIC);
		break;
	case PLACE:
		sqlite3_result_int(context, row->place);
		break;
	case BY_TASK:
		result_by_task(context, c, row);
		break;
	case AMOUNT_NS:
		sqlite3_result_int64(context, row->owed.ns);
		break;
	case AMOUNT_MS:
		sqlite3_result_double(context, (double)row->owed.ns / 1e6);
		break;
	}
	return SQLITE_OK;
}

/* Without xCreate a table is eponymous only. */
static const sqlite3_module module = {
	.xConnect = table_connect,
	.xBestIndex = table_best_index,
	.xDisconnect = narrow_disconnect,
	.xOpen = table_open,
	.xClose = table_close,
	.xFilter = table_filter,
	.xNext = table_next,
	.xEof = table_eof,
	.xColumn = table_column,
};

bool why_table_add(sqlite3 *db, const char *file, struct error *err)
{
	static int sums; /* that there is something says it */
	int code = sqlite3_create_module_v2(db, "cegsim_why", &module, NULL, NULL);
	if (code == SQLITE_OK)
		code = sqlite3_create_module_v2(db, "cegsim_wait_sum", &module, &sums, NULL);
	return code == SQLITE_OK || sql_error(err, db, code, file, "open the file");
}

void why_table_view(struct text *sql)
{
	text_add(sql, " v_why AS SELECT run_id, task_id, seq, longest, resource, place, by_task,"
		      " amount_ns, amount_ms FROM cegsim_why");
}

void wait_sum_table_view(struct text *sql)
{
	text_add(sql, " v_wait_sum AS SELECT run_id, task_id, seq, longest, resource, by_task_id, by_task,"
		      " by_jobs, by_seq, amount_ns, amount_ms FROM cegsim_wait_sum");
}
