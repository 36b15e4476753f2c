/* db/bulk.c - owns the eponymous virtual table cegsim_rows(batch) over arrays of row structs. */
#include "db/bulk.h"

#include <string.h>

#define BULK_COLUMNS 12 /* c0 .. c11 */
#define BULK_POINTER "cegsim_rows"

static const char declaration[] =
	"CREATE TABLE x (c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, batch HIDDEN)";

struct bulk_cursor {
	sqlite3_vtab_cursor base;
	const struct bulk_batch *batch;
	const char *row, *end;
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

/* There is one way to use the table: with its batch given. */
static int rows_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	(void)table;
	for (int i = 0; i < info->nConstraint; i++) {
		if (info->aConstraint[i].iColumn != BULK_COLUMNS || !info->aConstraint[i].usable)
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

static int rows_filter(
	sqlite3_vtab_cursor *base, int number, const char *name, int argc, sqlite3_value **argv)
{
	(void)number, (void)name, (void)argc;
	struct bulk_cursor *cursor = (struct bulk_cursor *)base;
	cursor->batch = sqlite3_value_pointer(argv[0], BULK_POINTER);
	if (!cursor->batch)
		return SQLITE_MISUSE;
	cursor->row = cursor->batch->rows;
	cursor->end = cursor->row + cursor->batch->count * cursor->batch->type->row_size;
	return SQLITE_OK;
}

static int rows_next(sqlite3_vtab_cursor *base)
{
	struct bulk_cursor *cursor = (struct bulk_cursor *)base;
	cursor->row += cursor->batch->type->row_size;
	return SQLITE_OK;
}

static int rows_eof(sqlite3_vtab_cursor *base)
{
	struct bulk_cursor *cursor = (struct bulk_cursor *)base;
	return cursor->row == cursor->end;
}

static void result_u32(sqlite3_context *context, uint32_t value, uint32_t null)
{
	if (value != null)
		sqlite3_result_int64(context, value);
}

/* A result that is not set is NULL. */
static int rows_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int index)
{
	struct bulk_cursor *cursor = (struct bulk_cursor *)base;
	const struct row_column *column = &cursor->batch->type->columns[index];
	const char *at = cursor->row + column->offset;
	union {
		int64_t i64;
		uint32_t u32;
		uint16_t u16;
	} value;

	switch (column->field) {
	case FIELD_U8:
		sqlite3_result_int(context, (unsigned char)*at);
		return SQLITE_OK;
	case FIELD_U16:
		memcpy(&value.u16, at, sizeof(value.u16));
		sqlite3_result_int(context, value.u16);
		return SQLITE_OK;
	case FIELD_INTEGER:
	case FIELD_INSTANT:
		memcpy(&value.i64, at, sizeof(value.i64));
		if (column->field == FIELD_INTEGER || value.i64 >= 0)
			sqlite3_result_int64(context, value.i64);
		return SQLITE_OK;
	default:
		memcpy(&value.u32, at, sizeof(value.u32));
		break;
	}
	if (column->field == FIELD_TASK)
		sqlite3_result_int64(context, cursor->batch->first_task_id + value.u32);
	else if (column->field == FIELD_U32)
		sqlite3_result_int64(context, value.u32);
	else
		result_u32(context, value.u32, column->field == FIELD_U32_OR_NONE ? ROW_NONE : 0);
	return SQLITE_OK;
}

static int rows_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
	struct bulk_cursor *cursor = (struct bulk_cursor *)base;
	*rowid = cursor->end - cursor->row;
	return SQLITE_OK;
}

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
