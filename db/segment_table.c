/* db/segment_table.c - see db/segment_table.h, and sqlite.org/vtab.html. What a row is says the view alone:
 * this is a search in it by task (db/segment_rows.h has the rows). A join that SQLite cannot flatten (LEFT
 * JOIN) would otherwise make all rows of the view, whatever it asks for. */
#include "db/segment_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "db/row_types.h"
#include "db/segment_rows.h"
#include "db/sql.h"

struct segment_table {
	sqlite3_vtab base; /* SQLite's; the first member */
	sqlite3 *db;
	struct segment_source *source;
};

/* Goes through a part of a task's rows, or all rows, task by task. */
struct segment_cursor {
	sqlite3_vtab_cursor base; /* the first member */
	struct segment_rows *rows;
	size_t row, end;
	sqlite3_stmt *tasks; /* ids of those behind this one */
};

enum plan { PLAN_ALL, PLAN_TASK, PLAN_SEGMENT };
enum { TASK_ID, SEGMENT_IDX }; /* columns, the first two of the view */

static size_t columns(void)
{
	return row_types[ROWS_SEGMENT].column_count;
}

/* ---- the table ---- */

static int table_disconnect(sqlite3_vtab *table)
{
	struct segment_table *t = (struct segment_table *)table;
	segment_source_destroy(t->source);
	free(t);
	return SQLITE_OK;
}

/* SQLite may look for each term of an OR by itself: the key is how it knows a row that it has had. */
static int declare(sqlite3 *db)
{
	struct text sql = {0};
	const struct row_type *type = &row_types[ROWS_SEGMENT];
	text_add(&sql, "CREATE TABLE x (");
	for (size_t i = 0; i < columns(); i++)
		text_printf(&sql, "%s%s %.*s", i ? ", " : "", type->columns[i].name,
			(int)strcspn(type->columns[i].declaration, " "), type->columns[i].declaration);
	text_add(&sql, ", PRIMARY KEY (task_id, segment_idx)) WITHOUT ROWID");
	int code = sql.failed ? SQLITE_NOMEM : sqlite3_declare_vtab(db, text_data(&sql));
	text_finish(&sql);
	return code;
}

static int table_connect(
	sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **table, char **message)
{
	struct segment_table *t = calloc(1, sizeof(*t));
	(void)aux, (void)argc, (void)argv, (void)message;
	if (!t)
		return SQLITE_NOMEM;
	t->db = db;
	int code = declare(db);
	if (code == SQLITE_OK)
		code = segment_source_create(db, &t->source);
	if (code == SQLITE_OK)
		*table = &t->base;
	else
		free(t);
	return code;
}

/* A task by its id, and maybe one of its segments. */
static int table_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	int at[2] = {-1, -1};
	(void)table;
	for (int i = 0; i < info->nConstraint; i++) {
		const struct sqlite3_index_constraint *c = &info->aConstraint[i];
		if (c->usable && c->op == SQLITE_INDEX_CONSTRAINT_EQ &&
			(c->iColumn == TASK_ID || c->iColumn == SEGMENT_IDX))
			at[c->iColumn] = i;
	}
	info->idxNum = at[TASK_ID] < 0 ? PLAN_ALL : at[SEGMENT_IDX] < 0 ? PLAN_TASK : PLAN_SEGMENT;
	info->estimatedCost = info->idxNum == PLAN_ALL ? 1e6 : info->idxNum == PLAN_TASK ? 10 : 2;
	info->estimatedRows = info->idxNum == PLAN_ALL ? 1000000 : info->idxNum == PLAN_TASK ? 10 : 1;
	for (int i = 0; i < info->idxNum; i++) /* SQLite checks them, too: an id may be no integer */
		info->aConstraintUsage[at[i]].argvIndex = i + 1;
	return SQLITE_OK;
}

static int table_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
	struct segment_cursor *c = calloc(1, sizeof(*c));
	(void)table;
	if (!c)
		return SQLITE_NOMEM;
	*cursor = &c->base;
	return SQLITE_OK;
}

static void leave(struct segment_cursor *c)
{
	sqlite3_finalize(c->tasks);
	segment_rows_release(c->rows);
	c->tasks = NULL;
	c->rows = NULL;
}

static int table_close(sqlite3_vtab_cursor *cursor)
{
	struct segment_cursor *c = (struct segment_cursor *)cursor;
	leave(c);
	free(c);
	return SQLITE_OK;
}

/* ---- a walk ---- */

static struct segment_source *source_of(const struct segment_cursor *c)
{
	return ((struct segment_table *)c->base.pVtab)->source;
}

static int find_rows(struct segment_cursor *c, int64_t task_id)
{
	segment_rows_release(c->rows);
	c->rows = NULL;
	c->row = c->end = 0;
	int code = segment_rows_find(source_of(c), task_id, &c->rows);
	if (code == SQLITE_OK)
		c->end = segment_rows_count(c->rows);
	return code;
}

/* To a row of the next task that has any. */
static int next_task(struct segment_cursor *c)
{
	int code;
	while ((code = sqlite3_step(c->tasks)) == SQLITE_ROW) {
		code = find_rows(c, sqlite3_column_int64(c->tasks, 0));
		if (code != SQLITE_OK || c->end > 0)
			return code;
	}
	return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int table_next(sqlite3_vtab_cursor *cursor)
{
	struct segment_cursor *c = (struct segment_cursor *)cursor;
	c->row++;
	return c->tasks && c->row >= c->end ? next_task(c) : SQLITE_OK;
}

/* The rows of one task, or that of one segment: its place is segment_idx. */
static int choose(struct segment_cursor *c, int plan, sqlite3_value **values)
{
	int code = find_rows(c, sqlite3_value_int64(values[0]));
	if (code != SQLITE_OK)
		return code;
	if (plan == PLAN_SEGMENT) {
		int64_t segment = sqlite3_value_int64(values[1]);
		c->row = segment < 0 || (uint64_t)segment > c->end ? c->end : (size_t)segment;
		c->end = c->row < c->end ? c->row + 1 : c->end;
	}
	return SQLITE_OK;
}

static int table_filter(
	sqlite3_vtab_cursor *cursor, int plan, const char *used, int argc, sqlite3_value **values)
{
	struct segment_cursor *c = (struct segment_cursor *)cursor;
	(void)used, (void)argc;
	leave(c);
	c->row = c->end = 0;
	if (plan != PLAN_ALL)
		return choose(c, plan, values);
	int code = sqlite3_prepare_v2(((struct segment_table *)cursor->pVtab)->db,
		"SELECT task_id FROM main.task_segments", -1, &c->tasks, NULL);
	return code == SQLITE_OK ? next_task(c) : code;
}

static int table_eof(sqlite3_vtab_cursor *cursor)
{
	const struct segment_cursor *c = (const struct segment_cursor *)cursor;
	return c->row >= c->end;
}

static int table_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
	const struct segment_cursor *c = (const struct segment_cursor *)cursor;
	segment_rows_result(source_of(c), c->rows, c->row, column, context);
	return SQLITE_OK;
}

static const sqlite3_module module = {
	.xCreate = table_connect,
	.xConnect = table_connect,
	.xBestIndex = table_best_index,
	.xDisconnect = table_disconnect,
	.xDestroy = table_disconnect,
	.xOpen = table_open,
	.xClose = table_close,
	.xFilter = table_filter,
	.xNext = table_next,
	.xEof = table_eof,
	.xColumn = table_column,
};

bool segment_table_add(sqlite3 *db, const char *file, struct error *err)
{
	int code = sqlite3_create_module_v2(db, "cegsim_segments", &module, NULL, NULL);
	if (code != SQLITE_OK)
		return sql_error(err, db, code, file, "open the file");
	return sql_exec(db,
		"PRAGMA query_only = OFF; CREATE VIRTUAL TABLE temp.segment USING cegsim_segments;"
		" PRAGMA query_only = ON",
		file, err);
}
