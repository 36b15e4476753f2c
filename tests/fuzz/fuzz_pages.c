/* tests/fuzz/fuzz_pages.c - pages of SQLite's format (db/pages/) from any rows, in any number of runs of
 * which some are taken back: SQLite must find the file sound, and read the rows that were put into it. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/pages/sorter.h"
#include "db/pages/tree.h"
#include "tests/fuzz/input_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Of some leaves, and eight times what a sorter keeps where it keeps little. More leaves are more of the
 * same until pages above them are full, which a million rows would need. */
#define ROWS_MAX 4000
#define ROOT_TABLE 2
#define ROOT_INDEX 3

static void must(bool holds)
{
	if (!holds)
		abort();
}

struct made {
	struct page_store store;
	struct tree rows, index;
	struct sorter sorter;
	struct error err;
	int64_t rowid, run, sum; /* of the kept rows: the last one, and the sum of their values modulo 2^64 */
	uint8_t *file;
	size_t size;
};

/* One page each for the schema, the table, the index. */
static void make_empty(struct made *m)
{
	static uint8_t *empty;
	static sqlite3_int64 size;
	if (!empty) {
		sqlite3 *db;
		must(sqlite3_open(":memory:", &db) == SQLITE_OK);
		must(sqlite3_exec(db,
			     "PRAGMA page_size = 16384; PRAGMA auto_vacuum = 0;"
			     "CREATE TABLE t (run, value); CREATE INDEX t_value ON t (run, value)",
			     NULL, NULL, NULL) == SQLITE_OK);
		empty = sqlite3_serialize(db, "main", &size, 0);
		must(empty && size == 3 * PAGE_SIZE);
		sqlite3_close(db);
	}
	m->file = sqlite3_malloc64((sqlite3_uint64)size);
	must(m->file != NULL);
	memcpy(m->file, empty, (size_t)size);
	m->size = (size_t)size;
}

static bool write_bytes(void *self, const void *bytes, size_t size, int64_t at, struct error *err)
{
	struct made *m = self;
	(void)err;
	if ((size_t)at + size > m->size) {
		m->size = (size_t)at + size;
		m->file = sqlite3_realloc64(m->file, m->size);
		must(m->file != NULL);
	}
	memcpy(m->file + at, bytes, size);
	return true;
}

static bool read_bytes(void *self, void *bytes, size_t size, int64_t at, struct error *err)
{
	struct made *m = self;
	(void)err;
	must((size_t)at + size <= m->size);
	memcpy(bytes, m->file + at, size);
	return true;
}

/* A record of integers in front of `end`. */
static uint8_t *put_record(uint8_t *end, const int64_t *values, uint8_t count)
{
	uint8_t types[TREE_VALUES_MAX];
	for (uint8_t i = count; i-- > 0;)
		end = put_integer(&types[i], end, values[i]);
	end -= count;
	memcpy(end, types, count);
	*--end = (uint8_t)(1 + count);
	return end;
}

static void add_row(struct made *m, int64_t value)
{
	uint8_t *end = tree_begin_row(&m->rows, ++m->rowid, &m->err);
	must(end != NULL);
	tree_end_row(&m->rows, m->rowid, put_record(end, (const int64_t[]){m->run, value}, 2));
	must(sorter_add(&m->sorter, value, m->rowid, &m->err));
}

static bool add_entry(void *self, int64_t value, int64_t rowid, struct error *err)
{
	struct made *m = self;
	uint8_t *end = tree_begin_entry(&m->index, err);
	must(end != NULL);
	tree_end_entry(&m->index, put_record(end, (const int64_t[]){m->run, value, rowid}, 3));
	m->sum = (int64_t)((uint64_t)m->sum + (uint64_t)value);
	return true;
}

/* A run: how many rows, whether they stay, their first value, and by what it changes from row to row. */
struct run {
	uint16_t rows;
	uint8_t kept, bits;
	int64_t value, step;
};

static void add_run(struct made *m, const struct run *r)
{
	uint32_t pages = store_count(&m->store);
	int64_t before = m->rowid;
	uint64_t value = (uint64_t)r->value;
	m->run++;
	tree_mark(&m->rows);
	for (uint32_t i = 0; i < r->rows && m->rowid < ROWS_MAX; i++) {
		add_row(m, (int64_t)value >> (r->bits & 63));
		value = (value + (uint64_t)r->step) * (r->bits & 64 ? 0x9e3779b97f4a7c15 : 1);
	}
	if (r->kept % 4) {
		must(sorter_drain(&m->sorter, add_entry, m, &m->err));
		return;
	}
	tree_restore(&m->rows);
	store_cut(&m->store, pages);
	sorter_clear(&m->sorter);
	m->rowid = before;
}

static char scratch[INPUT_PATH], whole_file[INPUT_PATH];

/* The file that had no name, as m->file. */
static void read_whole(struct made *m)
{
	FILE *f = fopen(whole_file, "rb");
	must(f != NULL && fseek(f, 0, SEEK_END) == 0);
	m->size = (size_t)ftell(f);
	m->file = sqlite3_realloc64(m->file, m->size);
	must(m->file != NULL && fseek(f, 0, SEEK_SET) == 0 && fread(m->file, 1, m->size, f) == m->size);
	fclose(f);
}

static void end(struct made *m)
{
	const struct page_file file = {read_bytes, write_bytes, m};
	uint8_t root[PAGE_SIZE], count[4];
	bool whole;
	must(store_settle(&m->store, ROOT_INDEX, &m->err));
	must(tree_end(&m->rows, root, &m->err) &&
		write_bytes(m, root, PAGE_SIZE, (ROOT_TABLE - 1) * PAGE_SIZE, &m->err));
	must(tree_end(&m->index, root, &m->err) &&
		write_bytes(m, root, PAGE_SIZE, (ROOT_INDEX - 1) * PAGE_SIZE, &m->err));
	put32(count, store_last(&m->store));
	write_bytes(m, count, sizeof(count), 28, &m->err);
	remove(whole_file);
	must(store_join(&m->store, &file, whole_file, &whole, &m->err));
	if (whole)
		read_whole(m);
}

static sqlite3_int64 integer(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt;
	must(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW);
	sqlite3_int64 value = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return value;
}

static void check(struct made *m)
{
	sqlite3 *db;
	must(sqlite3_open(":memory:", &db) == SQLITE_OK);
	must(sqlite3_deserialize(db, "main", m->file, (sqlite3_int64)m->size, (sqlite3_int64)m->size,
		     SQLITE_DESERIALIZE_FREEONCLOSE) == SQLITE_OK);
	must(integer(db, "SELECT integrity_check = 'ok' FROM pragma_integrity_check") == 1);
	must(integer(db, "SELECT count(*) FROM t NOT INDEXED") == m->rowid);
	must(integer(db, "SELECT count(*) FROM t INDEXED BY t_value WHERE run > 0") == m->rowid);
	/* Halves, whose sums stay in 64 bits */
	uint64_t low = (uint64_t)integer(db, "SELECT coalesce(sum(value & 0xffffffff), 0) FROM t");
	uint64_t high = (uint64_t)integer(db, "SELECT coalesce(sum(value >> 32), 0) FROM t");
	must(low + (high << 32) == (uint64_t)m->sum);
	sqlite3_close(db);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct made m = {0};
	struct run run;
	input_path(scratch, "");
	input_path(whole_file, "-whole");
	make_empty(&m);
	store_init(&m.store, scratch, size > 0 && data[0] & 2 ? 1 : ROOT_INDEX);
	tree_init(&m.rows, &m.store, false, 1 + 2 * (1 + RECORD_INTEGER_MAX));
	tree_init(&m.index, &m.store, true, 0);
	sorter_init(&m.sorter, scratch, size > 0 && data[0] & 1 ? 500 : 0);
	for (; size >= sizeof(run); data += sizeof(run), size -= sizeof(run)) {
		memcpy(&run, data, sizeof(run));
		add_run(&m, &run);
	}
	if (m.rowid > 0) {
		end(&m);
		check(&m);
	} else {
		sqlite3_free(m.file);
	}
	sorter_finish(&m.sorter);
	tree_finish(&m.rows);
	tree_finish(&m.index);
	store_finish(&m.store);
	unlink(whole_file);
	return 0;
}
