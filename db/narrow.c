/* db/narrow.c - see db/narrow.h. */
#include "db/narrow.h"

int narrow_connect(sqlite3 *db, const char *declaration, bool second, sqlite3_vtab **made)
{
	int code = sqlite3_declare_vtab(db, declaration);
	struct narrow_table *t = code == SQLITE_OK ? sqlite3_malloc(sizeof(*t)) : NULL;
	if (!t)
		return code == SQLITE_OK ? SQLITE_NOMEM : code;
	*t = (struct narrow_table){.db = db, .second = second};
	*made = &t->base;
	return SQLITE_OK;
}

int narrow_disconnect(sqlite3_vtab *table)
{
	sqlite3_free(table);
	return SQLITE_OK;
}

static const char *operator_of(unsigned char op)
{
	switch (op) {
	case SQLITE_INDEX_CONSTRAINT_EQ:
		return "=";
	case SQLITE_INDEX_CONSTRAINT_GE:
		return ">=";
	case SQLITE_INDEX_CONSTRAINT_LE:
		return "<=";
	default:
		return NULL;
	}
}

int narrow_index(sqlite3_index_info *info, const char *const *names, int columns, double rows)
{
	struct text where = {0};
	int count = 0;
	for (int i = 0; i < info->nConstraint; i++) {
		const char *op = operator_of(info->aConstraint[i].op);
		int column = info->aConstraint[i].iColumn;
		if (!op || !info->aConstraint[i].usable || column < 0 || column >= columns)
			continue;
		text_printf(&where, " AND %s %s ?%d", names[column], op, ++count);
		info->aConstraintUsage[i].argvIndex = count;
		rows /= 10;
	}
	info->estimatedRows = (sqlite3_int64)rows + 1;
	info->estimatedCost = 100 * rows + 1e4;
	info->idxStr = where.failed ? NULL : sqlite3_mprintf("%s", count ? text_data(&where) : "");
	info->needToFreeIdxStr = 1;
	text_finish(&where);
	return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

int narrow_step(sqlite3_stmt *stmt, bool *ended)
{
	int code = sqlite3_step(stmt);
	*ended = code != SQLITE_ROW;
	return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

int narrow_ask(const sqlite3_vtab *table, struct text *question, int count, sqlite3_value **values,
	sqlite3_stmt **stmt, bool *ended)
{
	sqlite3 *db = ((const struct narrow_table *)table)->db;
	sqlite3_finalize(*stmt);
	*stmt = NULL;
	int code =
		question->failed ? SQLITE_NOMEM : sqlite3_prepare_v2(db, text_data(question), -1, stmt, NULL);
	text_finish(question);
	for (int i = 0; code == SQLITE_OK && i < count; i++)
		code = sqlite3_bind_value(*stmt, i + 1, values[i]);
	return code == SQLITE_OK ? narrow_step(*stmt, ended) : code;
}
