/* db/narrow.c - see db/narrow.h. */
#include "db/narrow.h"

#include "base/text.h"

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

int narrow_bind(sqlite3_stmt *stmt, int count, sqlite3_value **values)
{
	int code = SQLITE_OK;
	for (int i = 0; code == SQLITE_OK && i < count; i++)
		code = sqlite3_bind_value(stmt, i + 1, values[i]);
	return code;
}
