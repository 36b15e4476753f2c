/* db/segment_table.c - see db/segment_table.h, and sqlite.org/vtab.html. What a row is says the view alone:
 * this is a cache of it by task, and a search in it. A join that SQLite cannot flatten (LEFT JOIN) would
 * otherwise make all rows of the view, whatever it asks for. */
#include "db/segment_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/text.h"
#include "db/row_types.h"
#include "db/sql.h"

#define TASKS_KEPT 1024     /* tasks of one set have places of their own, if they are no more */
#define VALUES_KEPT 1000000 /* 8 bytes each, and 70 more of those that are not NULL: few are */

/* The rows of a task. */
struct task_rows {
	unsigned users; /* the table, cursors */
	int64_t task_id;
	size_t count, capacity; /* of values */
	sqlite3_value **values; /* column by column, row by row; NULL is NULL */
};

struct segment_table {
	sqlite3_vtab base; /* SQLite's; the first member */
	sqlite3 *db;
	sqlite3_stmt *of_task;
	struct task_rows *kept[TASKS_KEPT];
	size_t values; /* in those that were kept since none were */
};

/* Goes through a part of a task's rows, or all rows of the view. */
struct segment_cursor {
	sqlite3_vtab_cursor base; /* the first member */
	struct task_rows *rows;
	size_t row, end;
	sqlite3_stmt *all;
	bool ended;
};

enum plan { PLAN_ALL, PLAN_TASK, PLAN_SEGMENT };
enum { TASK_ID, SEGMENT_IDX }; /* columns, the first two of the view */

_Static_assert(ROW_COLUMNS_MAX <= 64, "sets of columns are bits");

static size_t columns(void)
{
	return row_types[ROWS_SEGMENT].column_count;
}

/* ---- rows of a task ---- */

static void release(struct task_rows *rows)
{
	if (!rows || --rows->users > 0)
		return;
	for (size_t i = 0; i < rows->count; i++)
		sqlite3_value_free(rows->values[i]);
	free(rows->values);
	free(rows);
}

static bool add_row(struct task_rows *rows, sqlite3_stmt *stmt)
{
	if (!list_reserve(&rows->values, &rows->capacity, rows->count + columns(), sizeof(sqlite3_value *)))
		return false;
	for (size_t i = 0; i < columns(); i++) {
		bool is_null = sqlite3_column_type(stmt, (int)i) == SQLITE_NULL;
		sqlite3_value *value = is_null ? NULL : sqlite3_value_dup(sqlite3_column_value(stmt, (int)i));
		if (!value && !is_null)
			return false;
		rows->values[rows->count++] = value;
	}
	return true;
}

/* `used`: a bit for each column that is read. */
static int prepare(sqlite3 *db, uint64_t used, const char *rest, sqlite3_stmt **stmt)
{
	struct text sql = {0};
	const struct row_type *type = &row_types[ROWS_SEGMENT];
	text_add(&sql, "SELECT");
	for (size_t i = 0; i < columns(); i++)
		text_printf(&sql, "%s %s", i ? "," : "", used >> i & 1 ? type->columns[i].name : "NULL");
	text_printf(&sql, " FROM main.segment%s", rest);
	int code = sql.failed ? SQLITE_NOMEM : sqlite3_prepare_v2(db, text_data(&sql), -1, stmt, NULL);
	text_finish(&sql);
	return code;
}

static int read_task(struct segment_table *t, struct task_rows *rows)
{
	int code = SQLITE_OK;
	if (!t->of_task)
		code = prepare(t->db, UINT64_MAX, " WHERE task_id = ?1", &t->of_task);
	if (code == SQLITE_OK)
		code = sqlite3_bind_int64(t->of_task, 1, rows->task_id);
	if (code != SQLITE_OK)
		return code;
	while ((code = sqlite3_step(t->of_task)) == SQLITE_ROW)
		if (!add_row(rows, t->of_task)) {
			code = SQLITE_NOMEM;
			break;
		}
	sqlite3_reset(t->of_task);
	return code == SQLITE_DONE ? SQLITE_OK : code;
}

static void forget_all(struct segment_table *t)
{
	for (size_t i = 0; i < TASKS_KEPT; i++) {
		release(t->kept[i]);
		t->kept[i] = NULL;
	}
	t->values = 0;
}

/* Those that are kept, or read now; the caller is one of their users. */
static int find_task(struct segment_table *t, int64_t task_id, struct task_rows **found)
{
	struct task_rows **place = &t->kept[(uint64_t)task_id % TASKS_KEPT];
	if (!*place || (*place)->task_id != task_id) {
		struct task_rows *rows = calloc(1, sizeof(*rows));
		if (!rows)
			return SQLITE_NOMEM;
		rows->users = 1;
		rows->task_id = task_id;
		int code = read_task(t, rows);
		if (code != SQLITE_OK) {
			release(rows);
			return code;
		}
		if (t->values + rows->count > VALUES_KEPT)
			forget_all(t);
		release(*place);
		*place = rows;
		t->values += rows->count;
	}
	*found = *place;
	(*found)->users++;
	return SQLITE_OK;
}

/* ---- the table ---- */

static int table_disconnect(sqlite3_vtab *table)
{
	struct segment_table *t = (struct segment_table *)table;
	forget_all(t);
	sqlite3_finalize(t->of_task);
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
	if (info->idxNum == PLAN_ALL) { /* of which it need not compute all */
		info->idxStr = sqlite3_mprintf("%llx", (unsigned long long)info->colUsed);
		info->needToFreeIdxStr = 1;
		if (!info->idxStr)
			return SQLITE_NOMEM;
	}
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
	sqlite3_finalize(c->all);
	release(c->rows);
	c->all = NULL;
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

static int table_next(sqlite3_vtab_cursor *cursor)
{
	struct segment_cursor *c = (struct segment_cursor *)cursor;
	c->row++;
	if (!c->all)
		return SQLITE_OK;
	int code = sqlite3_step(c->all);
	c->ended = code != SQLITE_ROW;
	return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

/* The rows of one task, or that of one segment: its place is segment_idx. */
static int choose(struct segment_cursor *c, int plan, sqlite3_value **values)
{
	int code = find_task((struct segment_table *)c->base.pVtab, sqlite3_value_int64(values[0]), &c->rows);
	if (code != SQLITE_OK)
		return code;
	c->end = c->rows->count / columns();
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
	(void)argc;
	leave(c);
	c->row = c->end = 0;
	if (plan != PLAN_ALL)
		return choose(c, plan, values);
	sqlite3 *db = ((struct segment_table *)cursor->pVtab)->db;
	int code = prepare(db, strtoull(used, NULL, 16), "", &c->all);
	return code == SQLITE_OK ? table_next(cursor) : code;
}

static int table_eof(sqlite3_vtab_cursor *cursor)
{
	const struct segment_cursor *c = (const struct segment_cursor *)cursor;
	return c->all ? c->ended : c->row >= c->end;
}

static int table_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
	const struct segment_cursor *c = (const struct segment_cursor *)cursor;
	sqlite3_value *value = c->all ? sqlite3_column_value(c->all, column)
				      : c->rows->values[c->row * columns() + (size_t)column];
	if (value)
		sqlite3_result_value(context, value);
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
