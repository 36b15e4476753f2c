/* db/bulk.c - the virtual table cegsim_rows(batch), which shows SQLite an array of row structs, or the rows
 * of a statement of another connection. */
#include "db/bulk.h"

#include <string.h>

#define BULK_POINTER "cegsim_rows"

/* ROW_COLUMNS_MAX columns, followed by the hidden argument. */
static const char declaration[] =
	"CREATE TABLE x (c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15,"
	" c16, c17, c18, c19, c20, c21, c22, c23, c24, c25, c26, c27, c28, c29, c30, c31,"
	" c32, c33, c34, c35, c36, c37, c38, c39, c40, c41, c42, c43, c44, c45, c46, c47,"
	" c48, c49, c50, c51, c52, c53, c54, c55, c56, c57, c58, c59, c60, c61, c62, c63, batch HIDDEN)";
_Static_assert(ROW_COLUMNS_MAX == 64, "as many columns are declared");

struct bulk_cursor {
	sqlite3_vtab_cursor base;
	struct bulk_batch *batch;
	const char *row;
	size_t left; /* rows left, this one included; of a statement: 1 until its end */
};

static int rows_connect(
	sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **table, char **message)
{
	(void)aux, (void)argc, (void)argv, (void)message;
	sqlite3_vtab *made = sqlite3_malloc(sizeof(*made));
	if (!made)
		return SQLITE_NOMEM;
	memset(made, 0, sizeof(*made));
	int code = sqlite3_declare_vtab(db, declaration);
	if (code != SQLITE_OK) {
		sqlite3_free(made);
		return code;
	}
	*table = made;
	return SQLITE_OK;
}

static int rows_disconnect(sqlite3_vtab *table)
{
	sqlite3_free(table);
	return SQLITE_OK;
}

/* The table can only be used with its batch as the argument. */
static int rows_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	(void)table;
	for (int i = 0; i < info->nConstraint; i++) {
		if (info->aConstraint[i].iColumn != ROW_COLUMNS_MAX || !info->aConstraint[i].usable)
			continue;
		info->aConstraintUsage[i].argvIndex = 1;
		info->aConstraintUsage[i].omit = 1;
		info->estimatedCost = 1;
		return SQLITE_OK;
	}
	return SQLITE_CONSTRAINT;
}

static int rows_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
	(void)table;
	struct bulk_cursor *made = sqlite3_malloc(sizeof(*made));
	if (!made)
		return SQLITE_NOMEM;
	memset(made, 0, sizeof(*made));
	*cursor = &made->base;
	return SQLITE_OK;
}

static int rows_close(sqlite3_vtab_cursor *cursor)
{
	sqlite3_free(cursor);
	return SQLITE_OK;
}

/* Rows of a statement. */
static int next_of_answer(struct bulk_cursor *cursor)
{
	int code = sqlite3_step(cursor->batch->answer);
	cursor->left = code == SQLITE_ROW;
	if (code == SQLITE_ROW || code == SQLITE_DONE)
		return SQLITE_OK;
	cursor->batch->failure = code;
	return code;
}

static int rows_filter(
	sqlite3_vtab_cursor *base, int number, const char *name, int argc, sqlite3_value **argv)
{
	(void)number, (void)name, (void)argc;
	struct bulk_cursor *cursor = (struct bulk_cursor *)base;
	cursor->batch = sqlite3_value_pointer(argv[0], BULK_POINTER);
	if (!cursor->batch)
		return SQLITE_MISUSE;
	if (cursor->batch->answer)
		return next_of_answer(cursor);
	cursor->row = cursor->batch->rows;
	cursor->left = cursor->batch->count;
	return SQLITE_OK;
}

static int rows_next(sqlite3_vtab_cursor *base)
{
	struct bulk_cursor *cursor = (struct bulk_cursor *)base;
	if (cursor->batch->answer)
		return next_of_answer(cursor);
	if (--cursor->left)
		cursor->row += cursor->batch->type->row_size;
	return SQLITE_OK;
}

static int rows_eof(sqlite3_vtab_cursor *base)
{
	struct bulk_cursor *cursor = (struct bulk_cursor *)base;
	return cursor->left == 0;
}

/* ---- fields ---- */

/* A result that is not set is NULL, as is a NULL text. The texts live longer than the statement. */
static void put_text(sqlite3_context *context, const char *at, const struct bulk_batch *batch)
{
	const char *text;
	(void)batch;
	memcpy(&text, at, sizeof(text));
	sqlite3_result_text(context, text, -1, SQLITE_STATIC);
}

static void put_integer(sqlite3_context *context, const char *at, const struct bulk_batch *batch)
{
	int64_t value = row_load_integer(at);
	(void)batch;
	if (value != DB_NULL)
		sqlite3_result_int64(context, value);
}

static void put_instant(sqlite3_context *context, const char *at, const struct bulk_batch *batch)
{
	int64_t value = row_load_integer(at);
	(void)batch;
	if (value >= 0)
		sqlite3_result_int64(context, value);
}

static void put_u8(sqlite3_context *context, const char *at, const struct bulk_batch *batch)
{
	(void)batch;
	sqlite3_result_int(context, (unsigned char)*at);
}

static void put_u16(sqlite3_context *context, const char *at, const struct bulk_batch *batch)
{
	uint16_t value;
	(void)batch;
	memcpy(&value, at, sizeof(value));
	sqlite3_result_int(context, value);
}

static void put_u32(sqlite3_context *context, const char *at, const struct bulk_batch *batch)
{
	(void)batch;
	sqlite3_result_int64(context, row_load_u32(at));
}

static void put_u32_or_none(sqlite3_context *context, const char *at, const struct bulk_batch *batch)
{
	uint32_t value = row_load_u32(at);
	(void)batch;
	if (value != ROW_NONE)
		sqlite3_result_int64(context, value);
}

static void put_u32_or_zero(sqlite3_context *context, const char *at, const struct bulk_batch *batch)
{
	uint32_t value = row_load_u32(at);
	(void)batch;
	if (value != 0)
		sqlite3_result_int64(context, value);
}

static void put_task(sqlite3_context *context, const char *at, const struct bulk_batch *batch)
{
	sqlite3_result_int64(context, batch->first_task_id + row_load_u32(at));
}

static void put_task_or_null(sqlite3_context *context, const char *at, const struct bulk_batch *batch)
{
	int64_t value = row_load_integer(at);
	if (value != DB_NULL)
		sqlite3_result_int64(context, batch->first_task_id + value);
}

static void (*const put[FIELDS])(sqlite3_context *context, const char *at, const struct bulk_batch *batch) = {
	[FIELD_TEXT] = put_text,
	[FIELD_INTEGER] = put_integer,
	[FIELD_SIZE] = put_integer,
	[FIELD_INSTANT] = put_instant,
	[FIELD_U8] = put_u8,
	[FIELD_U16] = put_u16,
	[FIELD_U32] = put_u32,
	[FIELD_U32_OR_NONE] = put_u32_or_none,
	[FIELD_U32_OR_ZERO] = put_u32_or_zero,
	[FIELD_TASK] = put_task,
	[FIELD_TASK_OR_NULL] = put_task_or_null,
	[FIELD_TASK_INDEX] = put_u32,
	[FIELD_TRACE] = put_integer,
};

/* Texts stay where they are until the statement is stepped again, and the row is written by then. */
static void put_answer(sqlite3_context *context, sqlite3_stmt *answer, int index)
{
	sqlite3_value *value = sqlite3_column_value(answer, index);
	int type = sqlite3_value_type(value);
	if (type == SQLITE_NULL)
		return;
	if (type == SQLITE_INTEGER)
		sqlite3_result_int64(context, sqlite3_value_int64(value));
	else if (type == SQLITE_TEXT) {
		const char *text = (const char *)sqlite3_value_text(value);
		sqlite3_result_text(context, text, sqlite3_value_bytes(value), SQLITE_STATIC);
	} else
		sqlite3_result_value(context, value);
}

static int rows_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int index)
{
	const struct bulk_cursor *cursor = (struct bulk_cursor *)base;
	if (cursor->batch->answer) {
		put_answer(context, cursor->batch->answer, index);
		return SQLITE_OK;
	}
	const struct row_column *column = &cursor->batch->type->columns[index];
	put[column->field](context, cursor->row + column->offset, cursor->batch);
	return SQLITE_OK;
}

static int rows_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
	struct bulk_cursor *cursor = (struct bulk_cursor *)base;
	*rowid = (sqlite3_int64)cursor->left;
	return SQLITE_OK;
}

/* ---- the module ---- */

/* Without xCreate the table exists under its module's name and cannot be created under another. */
static const sqlite3_module rows_module = {
	.xConnect = rows_connect,
	.xBestIndex = rows_best_index,
	.xDisconnect = rows_disconnect,
	.xOpen = rows_open,
	.xClose = rows_close,
	.xFilter = rows_filter,
	.xNext = rows_next,
	.xEof = rows_eof,
	.xColumn = rows_column,
	.xRowid = rows_rowid,
};

int bulk_register(sqlite3 *db)
{
	return sqlite3_create_module(db, "cegsim_rows", &rows_module, NULL);
}

int bulk_bind(sqlite3_stmt *stmt, int parameter, struct bulk_batch *batch)
{
	return sqlite3_bind_pointer(stmt, parameter, batch, BULK_POINTER, NULL);
}
