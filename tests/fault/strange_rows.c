/* tests/fault/strange_rows.c - a recording with one cell or row that no program of ours writes
 * (tests/fault/strange.h). */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tests/fault/strange.h"

uint64_t strange_draw(struct strange_draws *d, uint64_t below)
{
	struct random_key key = {
		.seed = 21, .set = d->family, .task = d->number, .job = d->drawn++, .purpose = RANDOM_TEST};
	return (uint64_t)random_upto(&key, (int64_t)below - 1);
}

/* Tables whose rows become structs are changed most. Of the others each has the weight 1. */
static const struct {
	const char *table;
	unsigned weight;
} believed[] = {{"column_doc", 0}, {"meta", 1}, {"platform", 12}, {"taskset", 6}, {"task", 14},
	{"segment", 16}, {"task_segments", 12}, {"segment_shape", 8}, {"segment_block", 6},
	{"segment_sample", 6}, {"profile", 6}, {"task_after", 5}, {"chain", 5}, {"chain_task", 5},
	{"warp_machine", 6}, {"warp_unit", 6}, {"warp_kernel", 8}, {"warp_step", 8}, {"policy", 5},
	{"run", 12}, {"run_task", 4}, {"release_trace", 2}, {"trace_release", 5}, {"trace_duration", 5},
	{"job", 4}, {"segment_interval", 4}, {"block_interval", 4}, {"run_task_hist", 2}, {"analysis_run", 3},
	{"bound", 3}, {"stretch", 3}, {"stretch_end", 3}, {"scenario", 3}};

static unsigned weight_of(const char *table)
{
	for (size_t i = 0; i < sizeof(believed) / sizeof(believed[0]); i++)
		if (strcmp(believed[i].table, table) == 0)
			return believed[i].weight;
	return 1;
}

/* The first column of the row that the draw falls on; rows are (value, weight). NULL: there is none. */
static char *ask(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt = NULL;
	char *value = NULL;
	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW &&
		sqlite3_column_text(stmt, 0))
		value = strdup((const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	return value;
}

static char *ask_one_of(sqlite3 *db, struct strange_draws *d, const char *from)
{
	char sql[512];
	snprintf(sql, sizeof(sql), "SELECT count(*) FROM (%s)", from);
	char *count = ask(db, sql);
	long long rows = count ? atoll(count) : 0;
	free(count);
	if (rows <= 0)
		return NULL;
	snprintf(sql, sizeof(sql), "%s LIMIT 1 OFFSET %llu", from,
		(unsigned long long)strange_draw(d, (uint64_t)rows));
	return ask(db, sql);
}

/* A table with rows, by weight. */
static char *choose_table(sqlite3 *db, struct strange_draws *d)
{
	sqlite3_stmt *stmt = NULL;
	char names[64][40], *chosen = NULL;
	unsigned count = 0, sum = 0;
	if (sqlite3_prepare_v2(db,
		    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER "
		    "BY name",
		    -1, &stmt, NULL) != SQLITE_OK)
		return NULL;
	while (count < 64 && sqlite3_step(stmt) == SQLITE_ROW) {
		char sql[128];
		snprintf(names[count], sizeof(names[0]), "%s", (const char *)sqlite3_column_text(stmt, 0));
		snprintf(sql, sizeof(sql), "SELECT 1 FROM \"%s\" LIMIT 1", names[count]);
		char *row = ask(db, sql);
		if (row)
			sum += weight_of(names[count++]);
		free(row);
	}
	sqlite3_finalize(stmt);
	uint64_t at = sum ? strange_draw(d, sum) : 0;
	for (unsigned i = 0; sum && i < count && !chosen; i++) {
		unsigned weight = weight_of(names[i]);
		if (at < weight)
			chosen = strdup(names[i]);
		at -= weight;
	}
	return chosen;
}

/* Values that are nobody's, as SQL; %1$s is the column. */
static const char *const values[] = {"NULL", "0", "-1", "1", "2", "33", "9223372036854775807",
	"-9223372036854775808", "2147483648", "-2147483649", "4294967296", "4294967297", "1000000000",
	"1000000000000", "4611686018427387904", "2305843009213693952", "65536", "4096", "4097", "-2",
	"%1$s + 1", "%1$s - 1", "%1$s * 1000", "-%1$s", "%1$s * 1000000000", "%1$s / 2", "%1$s || 'x'", "'x'",
	"''", "1e300", "0.5", "x'00ff'", "'[]'", "'{}'", "'[null]'", "'[1, 2'", "'[[[1]]]'",
	"'{\"sms\": -1}'", "'[9223372036854775807, -1]'", "'[\"a\", {}]'", "hex(zeroblob(3000))"};

/* Numbers inside of a text, such as one in JSON, become others. */
static const char *const inner[] = {
	"0", "-1", "99999999999", "9223372036854775807", "null", "\"x\"", "[]", "{}", "1e400", "4097", ""};

static char *with_other_number(const char *text, struct strange_draws *d)
{
	size_t length = strlen(text), starts[256], count = 0;
	for (size_t i = 0; i < length && count < 256; i++)
		if (text[i] >= '0' && text[i] <= '9' && (i == 0 || text[i - 1] < '0' || text[i - 1] > '9'))
			starts[count++] = i;
	if (count == 0)
		return NULL;
	size_t at = starts[strange_draw(d, count)], digits = strspn(text + at, "0123456789");
	const char *other = inner[strange_draw(d, sizeof(inner) / sizeof(inner[0]))];
	char *changed = malloc(length + 32);
	if (changed)
		sprintf(changed, "%.*s%s%s", (int)at, text, other, text + at + digits);
	return changed;
}

static bool execute(sqlite3 *db, const char *sql)
{
	return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK && sqlite3_changes(db) > 0;
}

static bool change_cell(
	sqlite3 *db, struct strange_draws *d, const char *table, const char *rowid, char *text)
{
	char from[256], value[256];
	snprintf(from, sizeof(from), "SELECT name FROM pragma_table_xinfo('%s') WHERE hidden = 0", table);
	char *column = ask_one_of(db, d, from), *changed = NULL;
	if (!column)
		return false;
	snprintf(from, sizeof(from), "SELECT \"%s\" FROM \"%s\" WHERE rowid = %s AND typeof(\"%s\") = 'text'",
		column, table, rowid, column);
	char *old = ask(db, from);
	uint64_t way = strange_draw(d, 3);
	if (old && way > 0)
		changed = with_other_number(old, d);
	/* One of the words, or numbers, of other rows; mostly something strange. */
	if (way == 0 && strange_draw(d, 4) == 0)
		snprintf(value, sizeof(value),
			"(SELECT \"%s\" FROM \"%s\" ORDER BY rowid DESC LIMIT 1 OFFSET %u)", column, table,
			(unsigned)strange_draw(d, 5));
	else {
		char quoted[64];
		snprintf(quoted, sizeof(quoted), "\"%s\"", column);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		snprintf(value, sizeof(value), values[strange_draw(d, sizeof(values) / sizeof(values[0]))],
			quoted);
#pragma GCC diagnostic pop
	}
	char *sql = changed ? sqlite3_mprintf("UPDATE \"%w\" SET \"%w\" = %Q WHERE rowid = %s", table, column,
				      changed, rowid)
			    : sqlite3_mprintf("UPDATE \"%w\" SET \"%w\" = %s WHERE rowid = %s", table, column,
				      value, rowid);
	snprintf(text, STRANGE_TEXT, "%s", sql);
	bool ok = execute(db, sql);
	sqlite3_free(sql);
	free(column);
	free(changed);
	free(old);
	return ok;
}

/* A second row as this one. Where a key would be there twice, numbers of it are one more. */
static bool double_row(sqlite3 *db, const char *table, const char *rowid, char *text)
{
	char *columns = NULL, *keys = NULL;
	char from[512];
	snprintf(from, sizeof(from),
		"SELECT group_concat('\"' || name || '\"') FROM pragma_table_xinfo('%s') WHERE hidden = 0",
		table);
	columns = ask(db, from);
	snprintf(from, sizeof(from),
		"SELECT group_concat(CASE WHEN pk AND type LIKE 'INT%%' THEN '(SELECT max(\"' || name || "
		"'\") + 1 FROM \"%s\")' WHEN name LIKE '%%digest' THEN '\"' || name || '\" || ''+''' ELSE "
		"'\"' || name || '\"' END) FROM pragma_table_xinfo('%s') WHERE hidden = 0",
		table, table);
	keys = ask(db, from);
	bool ok = columns && keys;
	if (ok)
		snprintf(text, STRANGE_TEXT, "INSERT INTO \"%s\" (%s) SELECT %s FROM \"%s\" WHERE rowid = %s",
			table, columns, keys, table, rowid);
	ok = ok && execute(db, text);
	free(columns);
	free(keys);
	return ok;
}

bool strange_row(const char *file, struct strange_draws *d, char text[STRANGE_TEXT])
{
	sqlite3 *db = NULL;
	bool ok = false;
	text[0] = '\0';
	if (sqlite3_open(file, &db) == SQLITE_OK) {
		/* What a column must be is only said in the file, which is a stranger's. */
		sqlite3_exec(db,
			"PRAGMA writable_schema = ON; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
			"UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table';",
			NULL, NULL, NULL);
		sqlite3_close(db);
	}
	if (sqlite3_open(file, &db) != SQLITE_OK) {
		sqlite3_close(db);
		return false;
	}
	sqlite3_exec(db,
		"PRAGMA ignore_check_constraints = ON; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF",
		NULL, NULL, NULL);
	char *table = choose_table(db, d), *rowid = NULL, from[128];
	if (table) {
		snprintf(from, sizeof(from), "SELECT rowid FROM \"%s\"", table);
		rowid = ask_one_of(db, d, from);
	}
	if (rowid) {
		uint64_t kind = strange_draw(d, 8);
		if (kind == 0) {
			snprintf(text, STRANGE_TEXT, "DELETE FROM \"%s\" WHERE rowid = %s", table, rowid);
			ok = execute(db, text);
		} else if (kind == 1) {
			ok = double_row(db, table, rowid, text);
		} else {
			ok = change_cell(db, d, table, rowid, text);
		}
	}
	free(table);
	free(rowid);
	sqlite3_close(db);
	return ok;
}
