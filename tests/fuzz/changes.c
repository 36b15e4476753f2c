/* tests/fuzz/changes.c - see tests/fuzz/changes.h. */
#include "tests/fuzz/changes.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(bool holds)
{
	if (!holds)
		abort();
}

void base_take(struct base *base, sqlite3 *db)
{
	sqlite3_stmt *stmt;
	sqlite3_int64 length;
	must(sqlite3_prepare_v2(db,
		     "SELECT m.name, p.name FROM sqlite_master m, pragma_table_info(m.name) p WHERE m.type = "
		     "'table' AND m.name NOT LIKE 'sqlite%' ORDER BY 1, p.cid",
		     -1, &stmt, NULL) == SQLITE_OK);
	for (; sqlite3_step(stmt) == SQLITE_ROW && base->column_count < CHANGES_NAMES_MAX;
		base->column_count++)
		for (int i = 0; i < 2; i++)
			snprintf(base->columns[base->column_count][i], sizeof(base->columns[0][i]), "%s",
				(const char *)sqlite3_column_text(stmt, i));
	sqlite3_finalize(stmt);
	base->bytes = sqlite3_serialize(db, "main", &length, 0);
	base->length = (size_t)length;
	must(base->bytes && base->column_count > 0);
	sqlite3_close(db);
}

uint64_t take(struct input *in, int count)
{
	uint64_t value = 0;
	for (int i = 0; i < count; i++)
		value = value << 8 | (in->at < in->end ? *in->at++ : 0);
	return value;
}

#define TABLE_TEXT "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, "

/* Of a table as a whole, as SQL; sqlite3_free() it. ALTER TABLE would go through the texts of all views,
 * which takes as long as all that is then done with a recording: so columns are named otherwise, and cut out,
 * in the text of their table alone. */
static char *change_table(struct input *in, const char (*name)[40], int64_t row)
{
	switch (take(in, 1) % 32) {
	case 0:
		return sqlite3_mprintf("DROP TABLE %s", name[0]);
	case 1:
		return sqlite3_mprintf(TABLE_TEXT "substr(sql, instr(sql, '%s '), "
						  "instr(substr(sql, instr(sql, '%s ')), ',')), '') "
						  "WHERE name = '%s'",
			name[1], name[1], name[0]);
	case 2:
		return sqlite3_mprintf("DELETE FROM %s WHERE rowid = %lld", name[0], row);
	case 3:
		return sqlite3_mprintf("INSERT INTO %s SELECT * FROM %s", name[0], name[0]);
	case 4:
		return sqlite3_mprintf(
			TABLE_TEXT "'%s ', '%s_other ') WHERE name = '%s'", name[1], name[1], name[0]);
	case 5:
		return sqlite3_mprintf(
			"CREATE TEMP TABLE x AS SELECT * FROM %s; DROP TABLE %s; CREATE VIEW %s AS "
			"SELECT 1 AS %s",
			name[0], name[0], name[0], name[1]);
	case 6:
		return sqlite3_mprintf("ALTER TABLE %s ADD COLUMN more_%lld DEFAULT 1", name[0], row);
	default:
		return sqlite3_mprintf("UPDATE %s SET %s = -%s", name[0], name[1], name[1]);
	}
}

/* Of a cell, as SQL; sqlite3_free() it. */
static char *next_change(struct input *in, const struct base *base)
{
	static const char *const special[] = {"NULL", "0", "1", "-1", "2147483648", "4294967296",
		"9223372036854775807", "-9223372036854775808", "1e300", "'1'", "''", "x'00ff'", "'\x1b[2J'",
		"zeroblob(100000)", "0.5", "'null'"};
	const char(*name)[40] = base->columns[take(in, 2) % base->column_count];
	int64_t row = (int64_t)take(in, 1) % 16;
	switch (take(in, 1) % 8) {
	case 0:
		return change_table(in, name, row);
	case 1:
		return sqlite3_mprintf("UPDATE %s SET %s = NULL", name[0], name[1]);
	case 2:
		return sqlite3_mprintf("UPDATE %s SET %s = 'text %llx' WHERE rowid = %lld", name[0], name[1],
			take(in, 3), row);
	case 3:
		return sqlite3_mprintf("UPDATE %s SET %s = %lld WHERE rowid = %lld", name[0], name[1],
			(int64_t)take(in, 8), row);
	case 4:
	case 5:
		return sqlite3_mprintf("UPDATE %s SET %s = %s WHERE rowid = %lld", name[0], name[1],
			special[take(in, 1) % (sizeof(special) / sizeof(*special))], row);
	default:
		return sqlite3_mprintf("UPDATE %s SET %s = %d WHERE rowid = %lld", name[0], name[1],
			(int)(int16_t)take(in, 2), row);
	}
}

unsigned char *base_changed(struct input *in, const struct base *base, size_t *length)
{
	sqlite3 *db = NULL;
	sqlite3_int64 size = (sqlite3_int64)base->length;
	uint64_t changes = take(in, 1) % 12;
	unsigned char *copy = sqlite3_malloc64(base->length);
	must(copy && sqlite3_open(":memory:", &db) == SQLITE_OK);
	memcpy(copy, base->bytes, base->length);
	must(sqlite3_deserialize(db, "main", copy, size, size,
		     SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) == SQLITE_OK);
	sqlite3_exec(db, "PRAGMA journal_mode = OFF; BEGIN", NULL, NULL, NULL);
	for (uint64_t i = 0; i < changes; i++) {
		char *sql = next_change(in, base);
		sqlite3_exec(db, sql, NULL, NULL, NULL);
		sqlite3_free(sql);
	}
	sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
	unsigned char *bytes = sqlite3_serialize(db, "main", &size, 0);
	must(bytes != NULL);
	*length = (size_t)size;
	sqlite3_close(db);
	while (in->end - in->at >= 4) { /* what is left changes bytes */
		size_t at = take(in, 3) % *length;
		bytes[at] = (unsigned char)take(in, 1);
	}
	return bytes;
}
