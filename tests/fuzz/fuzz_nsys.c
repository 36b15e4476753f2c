/* tests/fuzz/fuzz_nsys.c - libFuzzer on the reader of exports of Nsight Systems. Random bytes are never a
 * database, so an input is a list of changes of a small export with the real schema: cells get other values,
 * tables and columns vanish, and at last bytes of the file change. How it is run: tests/fuzz/meson.build. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/capture_checks.h"
#include "tests/support/exports.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* ---- the exports ---- */

enum { NAMES_MAX = 400 };

static struct base {
	unsigned char *bytes;
	size_t length;
	char columns[NAMES_MAX][2][40]; /* table and column */
	uint32_t column_count;
} bases[2];

static void make_base(struct base *base, enum export_form form)
{
	char path[] = "/tmp/cegsim-fuzz-nsys-XXXXXX";
	struct export e;
	sqlite3_stmt *stmt;
	sqlite3_int64 length;
	int file = mkstemp(path);
	must(file >= 0 && close(file) == 0);
	export_begin(&e, path, form);
	export_everything(&e);
	export_end(&e);
	must(sqlite3_open(path, &e.db) == SQLITE_OK);
	must(sqlite3_prepare_v2(e.db,
		     "SELECT m.name, p.name FROM sqlite_master m, pragma_table_info(m.name) p ORDER BY "
		     "1, p.cid",
		     -1, &stmt, NULL) == SQLITE_OK);
	for (; sqlite3_step(stmt) == SQLITE_ROW && base->column_count < NAMES_MAX; base->column_count++)
		for (int i = 0; i < 2; i++)
			snprintf(base->columns[base->column_count][i], 40, "%s",
				(const char *)sqlite3_column_text(stmt, i));
	sqlite3_finalize(stmt);
	base->bytes = sqlite3_serialize(e.db, "main", &length, 0);
	base->length = (size_t)length;
	must(base->bytes && capture_check_bytes(base->bytes, base->length));
	sqlite3_close(e.db);
	unlink(path);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	make_base(&bases[0], EXPORT_OLD);
	make_base(&bases[1], EXPORT_NEW);
	return 0;
}

/* ---- changes ---- */

struct input {
	const uint8_t *at, *end;
};

static uint64_t take(struct input *in, int count)
{
	uint64_t value = 0;
	for (int i = 0; i < count; i++)
		value = value << 8 | (in->at < in->end ? *in->at++ : 0);
	return value;
}

/* The change of a cell, as SQL; sqlite3_free() it. */
static char *next_change(struct input *in, const struct base *base)
{
	const char(*name)[40] = base->columns[take(in, 2) % base->column_count];
	int64_t row = (int64_t)take(in, 1) % 16;
	switch (take(in, 1) % 12) {
	case 0:
		return sqlite3_mprintf("DROP TABLE %s", name[0]);
	case 1:
		return sqlite3_mprintf("ALTER TABLE %s DROP COLUMN %s", name[0], name[1]);
	case 2:
		return sqlite3_mprintf("UPDATE %s SET %s = NULL", name[0], name[1]);
	case 3:
		return sqlite3_mprintf("DELETE FROM %s WHERE rowid = %lld", name[0], row);
	case 4:
		return sqlite3_mprintf("INSERT INTO %s SELECT * FROM %s", name[0], name[0]);
	case 5:
		return sqlite3_mprintf("UPDATE %s SET %s = -%s", name[0], name[1], name[1]);
	case 6:
		return sqlite3_mprintf("UPDATE %s SET %s = 'text %llx' WHERE rowid = %lld", name[0], name[1],
			take(in, 3), row);
	case 7:
	case 8:
		return sqlite3_mprintf("UPDATE %s SET %s = %lld WHERE rowid = %lld", name[0], name[1],
			(int64_t)take(in, 8), row);
	default:
		return sqlite3_mprintf("UPDATE %s SET %s = %d WHERE rowid = %lld", name[0], name[1],
			(int)(int16_t)take(in, 2), row);
	}
}

/* Whatever cannot be done is not done. */
static unsigned char *changed(struct input *in, const struct base *base, size_t *length)
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
	return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, data + size};
	size_t length;
	unsigned char *bytes = changed(&in, &bases[take(&in, 1) % 2], &length);
	while (in.end - in.at >= 4) { /* what is left changes bytes */
		size_t at = take(&in, 3) % length;
		bytes[at] = (unsigned char)take(&in, 1);
	}
	capture_check_bytes(bytes, length);
	sqlite3_free(bytes);
	return 0;
}
