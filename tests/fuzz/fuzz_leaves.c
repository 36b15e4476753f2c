/* tests/fuzz/fuzz_leaves.c - rows read from leaves without SQLite (db/pages/leaves.h), of a file that
 * somebody has changed: an input is a list of bytes and their places. Whatever it is, reading ends, and what
 * is read is what SQLite reads. How it is run: tests/fuzz/meson.build. */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "db/pages/leaves.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

#define WIDTH 3
#define STRETCH 256
#define CHANGE 3 /* bytes of the input: two of the place, the new byte */

static uint8_t *sound, *changed;
static size_t length;
static uint32_t root;

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* Pages are small, so three levels have few rows. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	sqlite3 *db;
	sqlite3_int64 bytes;
	sqlite3_stmt *stmt;
	must(sqlite3_open(":memory:", &db) == SQLITE_OK);
	must(sqlite3_exec(db,
		     "PRAGMA page_size = 512; CREATE TABLE t (run INTEGER, a INTEGER, b INTEGER, c INTEGER);"
		     "WITH RECURSIVE k(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM k WHERE i < 1500) "
		     "INSERT INTO t (rowid, run, a, b, c) SELECT i * 2 - 99, 1 + (i % 50 > 40), i, "
		     "i * i * i * 7 - 1000, CASE WHEN i % 7 THEN i * 100000000000061 >> i % 62 END FROM k",
		     NULL, NULL, NULL) == SQLITE_OK);
	must(sqlite3_prepare_v2(db, "SELECT rootpage FROM sqlite_master", -1, &stmt, NULL) == SQLITE_OK);
	must(sqlite3_step(stmt) == SQLITE_ROW);
	root = (uint32_t)sqlite3_column_int(stmt, 0);
	sqlite3_finalize(stmt);
	sound = sqlite3_serialize(db, "main", &bytes, 0);
	length = (size_t)bytes;
	changed = malloc(length);
	must(sound && changed);
	sqlite3_close(db);
	return 0;
}

static bool read_bytes(void *self, void *bytes, size_t size, int64_t at, bool *whole, struct error *err)
{
	(void)self, (void)err;
	size_t from = (uint64_t)at < length ? (size_t)at : length;
	size_t there = length - from < size ? length - from : size;
	memcpy(bytes, changed + from, there);
	*whole = there == size;
	return true;
}

/* What SQLite says of the stretch, if it says anything. */
static void compare(sqlite3_stmt *stmt, int64_t from, const int64_t *rows, size_t count)
{
	size_t i = 0;
	int code;
	sqlite3_reset(stmt);
	must(sqlite3_bind_int64(stmt, 1, from) == SQLITE_OK);
	must(sqlite3_bind_int64(stmt, 2, from + STRETCH - 1) == SQLITE_OK);
	while ((code = sqlite3_step(stmt)) == SQLITE_ROW) {
		must(i < count);
		for (int k = 0; k < WIDTH; k++, rows++)
			must(*rows == (sqlite3_column_type(stmt, k) == SQLITE_NULL
						      ? LEAVES_NULL
						      : sqlite3_column_int64(stmt, k)));
		i++;
	}
	must(code != SQLITE_DONE || i == count);
}

static void read_all(struct leaves *l, sqlite3_stmt *stmt)
{
	static int64_t rows[STRETCH * WIDTH + 1];
	struct error err;
	size_t count;
	for (int64_t from = -100; from < 3000; from += STRETCH) {
		enum leaves_outcome read = leaves_read(l, from, from + STRETCH - 1, rows, &count, &err);
		must(read != LEAVES_FAILED && count <= STRETCH);
		if (read == LEAVES_READ && stmt)
			compare(stmt, from, rows, count);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct leaves l = {.read = read_bytes, .root = root};
	struct error err;
	sqlite3 *db;
	sqlite3_stmt *stmt = NULL;
	l.row = (struct leaves_row){.width = WIDTH, .fields = 4, .to = {WIDTH, 0, 1, 2}, .lead = 1};
	memcpy(changed, sound, length);
	for (; size >= CHANGE; data += CHANGE, size -= CHANGE)
		changed[((size_t)data[0] << 8 | data[1]) % length] = data[2];
	must(sqlite3_open(":memory:", &db) == SQLITE_OK);
	must(sqlite3_deserialize(db, "main", changed, (sqlite3_int64)length, (sqlite3_int64)length,
		     SQLITE_DESERIALIZE_READONLY) == SQLITE_OK);
	/* A schema that was changed is another table's. */
	if (memcmp(changed, sound, 512) == 0)
		must(sqlite3_exec(db, "PRAGMA cell_size_check = ON", NULL, NULL, NULL) == SQLITE_OK &&
			sqlite3_prepare_v2(db,
				"SELECT a, b, c FROM t WHERE rowid BETWEEN ?1 AND ?2 AND +run = 1", -1, &stmt,
				NULL) == SQLITE_OK);
	if (leaves_begin(&l, &err) == LEAVES_READ)
		read_all(&l, stmt);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	leaves_finish(&l);
	return 0;
}
