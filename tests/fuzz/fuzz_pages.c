/* tests/fuzz/fuzz_pages.c - pages of SQLite's format (db/pages/) from any rows, in any number of runs of
 * which some are taken back: SQLite must find the file sound, and read the rows that were put into it. */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "db/pages/sorter.h"
#include "db/pages/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ROWS_MAX 60000
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

static void add_row(struct made *m, int64_t value)
{
	uint8_t record[32] = {3};
	uint8_t *end = put_integer(&record[1], record + 3, m->run);
	end = put_integer(&record[2], end, value);
	must(tree_add_row(&m->rows, ++m->rowid, record, (uint32_t)(end - record), &m->err));
	must(sorter_add(&m->sorter, value, m->rowid, &m->err));
}

static bool add_entry(void *self, int64_t value, int64_t rowid, struct error *err)
{
	struct made *m = self;
	uint8_t record[40] = {4};
	uint8_t *end = put_integer(&record[1], record + 4, m->run);
	end = put_integer(&record[2], end, value);
	end = put_integer(&record[3], end, rowid);
	m->sum = (int64_t)((uint64_t)m->sum + (uint64_t)value);
	return tree_add_entry(&m->index, record, (uint32_t)(end - record), err);
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

static void end(struct made *m)
{
	const struct page_numbers numbers = {ROOT_INDEX, PAGE_LOCK_BYTE};
	uint8_t root[PAGE_SIZE], count[4];
	must(tree_end(&m->rows, &numbers, root, &m->err) &&
		write_bytes(m, root, PAGE_SIZE, (ROOT_TABLE - 1) * PAGE_SIZE, &m->err));
	must(tree_end(&m->index, &numbers, root, &m->err) &&
		write_bytes(m, root, PAGE_SIZE, (ROOT_INDEX - 1) * PAGE_SIZE, &m->err));
	must(store_write(&m->store, &numbers, write_bytes, m, &m->err));
	put32(count, (uint32_t)(m->size / PAGE_SIZE));
	write_bytes(m, count, sizeof(count), 28, &m->err);
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
	make_empty(&m);
	store_init(&m.store, "/tmp/fuzz-pages");
	tree_init(&m.rows, &m.store, false);
	tree_init(&m.index, &m.store, true);
	sorter_init(&m.sorter, "/tmp/fuzz-pages", size > 0 && data[0] & 1 ? 500 : 0);
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
	return 0;
}
