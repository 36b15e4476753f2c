/* tests/unit/test_pages.c - pages of SQLite's format (db/pages/), with SQLite as the judge: trees of every
 * size at which something changes, marks, the page that must stay empty; integers; the sorter. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/pages/sorter.h"
#include "db/pages/store.h"
#include "db/pages/tree.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

static struct error err;

static int clean(void **state)
{
	sample_clean();
	return 0;
}

ALL_TESTS(NULL, clean);

/* ---- a file with a table and an index ---- */

#define ROOT_TABLE 2
#define ROOT_INDEX 3

static const char *empty_file(void)
{
	static char name[512];
	snprintf(name, sizeof(name), "%s", sample_path("trees.db"));
	remove(name);
	sqlite3 *db;
	assert_int_equal(sqlite3_open(name, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db,
				 "PRAGMA page_size = 16384; PRAGMA auto_vacuum = 0;"
				 "CREATE TABLE t (a INTEGER, b INTEGER); CREATE INDEX t_a ON t (a)",
				 NULL, NULL, NULL),
		SQLITE_OK);
	sqlite3_close(db);
	return name;
}

static bool write_bytes(void *file, const void *bytes, size_t size, int64_t at, struct error *e)
{
	(void)e;
	return fseek(file, at, SEEK_SET) == 0 && fwrite(bytes, 1, size, file) == size;
}

struct both {
	struct page_store store;
	struct tree rows, index;
};

static void begin(struct both *t, const char *name)
{
	store_init(&t->store, name);
	tree_init(&t->rows, &t->store, false);
	tree_init(&t->index, &t->store, true);
}

/* a = rowid / 3, so that entries of the index are in order; b = value. */
static void add_row(struct both *t, int64_t rowid, int64_t value)
{
	uint8_t record[40] = {3};
	uint8_t *end = put_integer(&record[1], record + 3, rowid / 3);
	end = put_integer(&record[2], end, value);
	assert_ok(tree_add_row(&t->rows, rowid, record, (uint32_t)(end - record), &err));
}

static void add_entry(struct both *t, int64_t rowid)
{
	uint8_t entry[40] = {3};
	uint8_t *end = put_integer(&entry[1], entry + 3, rowid / 3);
	end = put_integer(&entry[2], end, rowid);
	assert_ok(tree_add_entry(&t->index, entry, (uint32_t)(end - entry), &err));
}

/* Ends the file as db/paged.c does. */
static void end(struct both *t, const char *name, int64_t lock_byte)
{
	uint8_t root[PAGE_SIZE], head[4];
	const struct page_numbers numbers = {3, lock_byte};
	FILE *f = fopen(name, "r+b");
	assert_non_null(f);
	assert_ok(tree_end(&t->rows, &numbers, root, &err));
	assert_true(write_bytes(f, root, PAGE_SIZE, (ROOT_TABLE - 1) * PAGE_SIZE, &err));
	assert_ok(tree_end(&t->index, &numbers, root, &err));
	assert_true(write_bytes(f, root, PAGE_SIZE, (ROOT_INDEX - 1) * PAGE_SIZE, &err));
	assert_ok(store_write(&t->store, &numbers, write_bytes, f, &err));
	uint32_t count = store_count(&t->store);
	put32(head, count ? page_number(&numbers, count - 1) : numbers.last);
	assert_true(write_bytes(f, head, sizeof(head), 28, &err));
	assert_int_equal(fclose(f), 0);
	tree_finish(&t->rows);
	tree_finish(&t->index);
	store_finish(&t->store);
}

static void check(const char *name, int64_t rows)
{
	assert_string_equal(sample_rows(name, "PRAGMA integrity_check"), "ok");
	assert_int_equal(sample_integer(name, "SELECT count(*) FROM t NOT INDEXED"), rows);
	assert_int_equal(sample_integer(name, "SELECT count(*) FROM t INDEXED BY t_a WHERE a >= 0"), rows);
	assert_int_equal(sample_integer(name, "SELECT coalesce(max(rowid), 0) FROM t"), rows);
	assert_int_equal(
		sample_integer(name, "SELECT count(*) FROM t WHERE b <> -rowid OR a <> rowid / 3"), 0);
	/* By searching, too */
	assert_int_equal(
		sample_integer(name,
			"SELECT count(*) FROM t x WHERE rowid % 7 = 0 AND NOT EXISTS (SELECT 1 FROM t y"
			" INDEXED BY t_a WHERE y.a = x.a AND y.rowid = x.rowid)"),
		0);
}

static void check_size(int64_t rows)
{
	struct both t;
	const char *name = empty_file();
	begin(&t, name);
	for (int64_t i = 1; i <= rows; i++)
		add_row(&t, i, -i);
	for (int64_t i = 1; i <= rows; i++)
		add_entry(&t, i);
	end(&t, name, PAGE_LOCK_BYTE);
	check(name, rows);
}

TEST("trees of one leaf")
{
	check_size(1);
	check_size(2);
	check_size(1000);
}

/* At some of these a leaf of the index is full but for the entry that goes above it. */
TEST("trees of two and three leaves")
{
	for (int64_t rows = 1600; rows < 1800; rows++)
		check_size(rows);
	for (int64_t rows = 3280; rows < 3440; rows++)
		check_size(rows);
}

TEST("trees of three levels")
{
	check_size(TEST_CASES(4) == 4 ? 2500000 : 1500000);
}

/* The last page above the leaves would have a single page below it, and no cell, which SQLite takes for
 * damage. With rows of 1 KiB, 15 in a leaf, a page holds 1940 leaves, as keys have two bytes and later three.
 */
TEST("no page has one page below it alone")
{
	struct both t;
	for (uint32_t leaves = 1930; leaves < 1950; leaves++) {
		const struct page_numbers numbers = {3, PAGE_LOCK_BYTE};
		uint8_t root[PAGE_SIZE], record[TREE_RECORD_MAX] = {2, 0};
		begin(&t, sample_path("leaves"));
		for (int64_t rowid = 1; t.rows.count + 1 < leaves; rowid++)
			assert_ok(tree_add_row(&t.rows, rowid, record, sizeof(record), &err));
		assert_ok(tree_end(&t.rows, &numbers, root, &err));
		for (uint32_t place = t.store.written; place < store_count(&t.store); place++) {
			const uint8_t *page = t.store.pages[place - t.store.written];
			if (page[0] == 0x05 || page[0] == 0x02)
				assert_true(get16(page + 3) > 0);
		}
		assert_true(get16(root + 3) > 0);
		tree_finish(&t.rows);
		tree_finish(&t.index);
		store_finish(&t.store);
	}
}

TEST("rows behind a mark are taken back")
{
	for (int64_t kept = 0; kept < 4000; kept += 333)
		for (int64_t taken = 0; taken < 6000; taken += 1999) {
			struct both t;
			const char *name = empty_file();
			begin(&t, name);
			for (int64_t i = 1; i <= kept; i++)
				add_row(&t, i, -i);
			uint32_t pages = store_count(&t.store);
			tree_mark(&t.rows);
			for (int64_t i = 1; i <= taken; i++)
				add_row(&t, kept + i, 12345);
			tree_restore(&t.rows);
			store_cut(&t.store, pages);
			for (int64_t i = kept + 1; i <= kept + 1500; i++)
				add_row(&t, i, -i);
			for (int64_t i = 1; i <= kept + 1500; i++)
				add_entry(&t, i);
			end(&t, name, PAGE_LOCK_BYTE);
			check(name, kept + 1500);
		}
}

/* SQLite can be told of another place, so that a file need not have a gigabyte. */
TEST("the page with the lock byte is left out")
{
	static const int64_t pages[] = {4, 5, 17, 64, 65, 66, 130};
	int before = 0;
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		struct both t;
		int64_t lock_byte = (pages[i] - 1) * PAGE_SIZE;
		int was = sqlite3_test_control(SQLITE_TESTCTRL_PENDING_BYTE, (unsigned)lock_byte);
		before = before ? before : was;
		const char *name = empty_file();
		begin(&t, name);
		for (int64_t k = 1; k <= 200000; k++)
			add_row(&t, k, -k);
		for (int64_t k = 1; k <= 200000; k++)
			add_entry(&t, k);
		end(&t, name, lock_byte);
		check(name, 200000);
	}
	sqlite3_test_control(SQLITE_TESTCTRL_PENDING_BYTE, (unsigned)before);
}

TEST("numbers of pages")
{
	const struct page_numbers before = {100, PAGE_LOCK_BYTE}, behind = {65537, PAGE_LOCK_BYTE};
	assert_int_equal(page_number(&before, 0), 101);
	assert_int_equal(page_number(&before, 65536 - 101), 65536);
	assert_int_equal(page_number(&before, 65537 - 101), 65538); /* page 65537 has the byte at 1 GiB */
	assert_int_equal(page_number(&behind, 0), 65538);
	assert_int_equal(page_number(&before, UINT32_MAX - 102), 0); /* it would be 2^32 - 1 */
	assert_int_equal(page_number(&before, UINT32_MAX - 103), UINT32_MAX - 1);
}

/* ---- numbers ---- */

/* SQLite reads back what was put, in a record of one column, and would have taken the same type. */
TEST("integers of every length")
{
	for (unsigned bits = 0; bits <= 64; bits++)
		for (int sign = -1; sign <= 1; sign += 2)
			for (int more = -2; more <= 2; more++) {
				uint64_t limit = bits == 64 ? 0 : UINT64_C(1) << bits;
				int64_t value =
					(int64_t)((sign < 0 ? -limit : limit) + (uint64_t)(int64_t)more);
				uint8_t type, bytes[8];
				uint8_t *stop = put_integer(&type, bytes, value);
				static const uint8_t sizes[] = {0, 1, 2, 3, 4, 6, 8};
				if (type >= 8) {
					assert_int_equal(value, type - 8);
					continue;
				}
				assert_in_range(type, 1, 6);
				assert_int_equal(stop - bytes, sizes[type]);
				int64_t read = (int8_t)bytes[0];
				for (int i = 1; i < sizes[type]; i++)
					read = (int64_t)((uint64_t)read << 8 | bytes[i]);
				assert_int_equal(read, value);
				int64_t half = INT64_C(1) << (8 * sizes[type - 1] - (type > 1));
				if (type > 1)
					assert_true(value >= half || value < -half);
			}
}

static uint64_t read_varint(const uint8_t *from, const uint8_t **behind)
{
	uint64_t value = 0;
	for (int i = 0; i < 8; i++) {
		value = value << 7 | (from[i] & 0x7f);
		if (from[i] < 0x80) {
			*behind = from + i + 1;
			return value;
		}
	}
	*behind = from + 9;
	return value << 8 | from[8];
}

TEST("varints of every length")
{
	for (unsigned bits = 0; bits < 64; bits++)
		for (int more = -1; more <= 1; more++) {
			uint64_t value = (UINT64_C(1) << bits) + (uint64_t)(int64_t)more;
			uint8_t bytes[VARINT_MAX];
			const uint8_t *behind;
			uint8_t *stop = put_varint(bytes, value);
			assert_true(read_varint(bytes, &behind) == value);
			assert_ptr_equal(behind, stop);
			/* No longer than it need be; 8 bytes hold 56 bits */
			assert_true(stop - bytes == 1 || value >> 56 || bytes[0] != 0x80);
		}
}

/* ---- the sorter ---- */

struct sorted {
	int64_t instant[5000], rowid[5000];
	size_t count;
};

static bool take(void *self, int64_t instant, int64_t rowid, struct error *e)
{
	struct sorted *s = self;
	(void)e;
	s->instant[s->count] = instant;
	s->rowid[s->count++] = rowid;
	return true;
}

TEST("entries are sorted, in memory and in pieces")
{
	static const size_t limits[] = {0, 1, 7, 1000, 1249, 1250, 5000};
	static struct sorted sorted;
	for (size_t i = 0; i < 7; i++)
		for (uint64_t kind = 0; kind < 6; kind++) {
			struct sorter s;
			sorter_init(&s, sample_path("sorter"), limits[i]);
			for (int round = 0; round < 2; round++) { /* it is used again */
				sorted.count = 0;
				for (uint64_t k = 0; k < 5000; k++) {
					uint64_t r = (k + 1) * 0x9e3779b97f4a7c15;
					int64_t instant = kind == 0   ? (int64_t)k
							  : kind == 1 ? -(int64_t)k
							  : kind == 2 ? (int64_t)r
							  : kind == 3 ? (int64_t)(r >> 60)
							  : kind == 4 ? (int64_t)(1000 * k - (r >> 45))
								      : (k % 3 ? INT64_MAX : INT64_MIN);
					assert_ok(sorter_add(&s, instant, (int64_t)k, &err));
				}
				assert_ok(sorter_drain(&s, take, &sorted, &err));
				assert_int_equal(sorted.count, 5000);
				for (size_t k = 1; k < 5000; k++)
					assert_true(sorted.instant[k - 1] < sorted.instant[k] ||
						    (sorted.instant[k - 1] == sorted.instant[k] &&
							    sorted.rowid[k - 1] < sorted.rowid[k]));
			}
			sorter_finish(&s);
		}
}
