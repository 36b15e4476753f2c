/* tests/unit/test_pages.c - pages of SQLite's format (db/pages/), with SQLite as the judge: trees of every
 * size at which something changes, marks, the page that must stay empty; integers; the sorter. */
#include <fcntl.h>
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
#define ROW_MAX (1 + 2 * 9) /* bytes of a record */

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

static bool read_bytes(void *file, void *bytes, size_t size, int64_t at, struct error *e)
{
	(void)e;
	return fseek(file, at, SEEK_SET) == 0 && fread(bytes, 1, size, file) == size;
}

struct both {
	struct page_store store;
	struct tree rows, index;
};

static void begin(struct both *t, const char *name)
{
	store_init(&t->store, name, 3);
	tree_init(&t->rows, &t->store, false, ROW_MAX);
	tree_init(&t->index, &t->store, true, 0);
}

/* A record of two integers in front of `end`. */
__attribute__((noinline)) static uint8_t *put_two(uint8_t *end, int64_t first, int64_t second)
{
	uint8_t types[2];
	end = put_integer(&types[0], put_integer(&types[1], end, second), first);
	*--end = types[1];
	*--end = types[0];
	*--end = 3;
	return end;
}

/* a = rowid / 3, so that entries of the index are in order; b = value. */
static void add_row(struct both *t, int64_t rowid, int64_t value)
{
	uint8_t *end = tree_begin_row(&t->rows, rowid, &err);
	assert_ok(end != NULL);
	tree_end_row(&t->rows, rowid, put_two(end, rowid / 3, value));
}

static void add_entry(struct both *t, int64_t rowid)
{
	uint8_t *end = tree_begin_entry(&t->index, &err);
	assert_ok(end != NULL);
	tree_end_entry(&t->index, put_two(end, rowid / 3, rowid));
}

/* Ends the file as db/paged.c and db/writer.c do. True: it is the one that had no name. */
static bool end(struct both *t, const char *name)
{
	uint8_t root[PAGE_SIZE], head[4];
	char whole_name[520];
	bool whole;
	FILE *f = fopen(name, "r+b");
	const struct page_file file = {read_bytes, write_bytes, f};
	assert_non_null(f);
	snprintf(whole_name, sizeof(whole_name), "%s-pages", name);
	assert_true(fseek(f, 0, SEEK_END) == 0);
	assert_ok(store_settle(&t->store, (uint32_t)(ftell(f) / PAGE_SIZE), &err));
	assert_ok(tree_end(&t->rows, root, &err));
	assert_true(write_bytes(f, root, PAGE_SIZE, (ROOT_TABLE - 1) * PAGE_SIZE, &err));
	assert_ok(tree_end(&t->index, root, &err));
	assert_true(write_bytes(f, root, PAGE_SIZE, (ROOT_INDEX - 1) * PAGE_SIZE, &err));
	put32(head, store_last(&t->store));
	assert_true(write_bytes(f, head, sizeof(head), 28, &err));
	assert_ok(store_join(&t->store, &file, whole_name, &whole, &err));
	assert_int_equal(fclose(f), 0);
	if (whole)
		assert_int_equal(rename(whole_name, name), 0);
	tree_finish(&t->rows);
	tree_finish(&t->index);
	store_finish(&t->store);
	return whole;
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
	end(&t, name);
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
		uint8_t root[PAGE_SIZE];
		begin(&t, sample_path("leaves"));
		tree_init(&t.rows, &t.store, false, TREE_RECORD_MAX);
		for (int64_t rowid = 1; t.rows.count + 1 < leaves; rowid++) {
			uint8_t *end = tree_begin_row(&t.rows, rowid, &err);
			assert_ok(end != NULL);
			tree_end_row(&t.rows, rowid, memset(end - TREE_RECORD_MAX, 1, TREE_RECORD_MAX));
		}
		assert_ok(store_settle(&t.store, 3, &err) && tree_end(&t.rows, root, &err));
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
			end(&t, name);
			check(name, kept + 1500);
		}
}

/* The store cannot take a page: a run is taken back before all is given up. */
TEST("rows are taken back after a failure")
{
	struct both t;
	begin(&t, sample_path("full"));
	for (int64_t i = 1; i <= 300000; i++)
		if (i == 101) {
			tree_mark(&t.rows);
			t.store.fd = open("/dev/null", O_RDONLY);
		} else {
			uint8_t *end = tree_begin_row(&t.rows, i - (i > 101), &err);
			if (!end)
				break;
			tree_end_row(&t.rows, i - (i > 101), put_two(end, i, -i));
		}
	assert_int_equal(err.status, STATUS_IO);
	assert_null(t.rows.page);
	tree_restore(&t.rows);
	assert_int_equal(t.rows.cells, 100);
	assert_non_null(t.rows.page);
	assert_int_equal(get16(t.rows.page + 8 + 2 * 99), t.rows.content); /* the last row's */
	tree_finish(&t.rows);
	tree_finish(&t.index);
	store_finish(&t.store);
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
		t.store.lock_byte = lock_byte;
		for (int64_t k = 1; k <= 200000; k++)
			add_row(&t, k, -k);
		for (int64_t k = 1; k <= 200000; k++)
			add_entry(&t, k);
		assert_true(end(&t, name));
		check(name, 200000);
	}
	sqlite3_test_control(SQLITE_TESTCTRL_PENDING_BYTE, (unsigned)before);
}

/* SQLite's file grows after the first pages have their places: some, all, or more than all are in the way. */
TEST("pages that are in the way are moved")
{
	static const int grown[] = {0, 1, 2, 63, 64, 65, 128, 200, 255, 256, 257, 258, 400, 1000};
	int whole = 0;
	for (size_t i = 0; i < sizeof(grown) / sizeof(grown[0]); i++) {
		struct both t;
		char sql[100];
		const char *name = empty_file();
		begin(&t, name);
		for (int64_t k = 1; k <= 180000; k++)
			add_row(&t, k, -k);
		for (int64_t k = 1; k <= 180000; k++)
			add_entry(&t, k);
		sqlite3 *db;
		snprintf(sql, sizeof(sql), "CREATE TABLE f AS SELECT zeroblob(%d) AS b", grown[i] * 16000);
		assert_int_equal(sqlite3_open(name, &db), SQLITE_OK);
		assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
		sqlite3_close(db);
		whole += end(&t, name);
		check(name, 180000);
		assert_int_equal(sample_integer(name, "SELECT length(b) FROM f"), grown[i] * 16000);
	}
	assert_in_range(whole, 3, 13);
}

TEST("numbers of pages")
{
	struct page_store before, behind;
	store_init(&before, "before", 100);
	store_init(&behind, "behind", 65537);
	assert_int_equal(store_number(&before, 0), 101);
	assert_int_equal(store_number(&before, 65536 - 101), 65536);
	assert_int_equal(store_number(&before, 65537 - 101), 65538); /* page 65537 has the byte at 1 GiB */
	assert_int_equal(store_number(&behind, 0), 65538);
	assert_int_equal(store_number(&before, UINT32_MAX - 102), 0); /* it would be 2^32 - 1 */
	assert_int_equal(store_number(&before, UINT32_MAX - 103), UINT32_MAX - 1);
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
				uint8_t type, room[8], *stop = room + sizeof(room);
				uint8_t *bytes = put_integer(&type, stop, value);
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
	fail_msg("a ninth byte");
	return 0;
}

TEST("varints of every length")
{
	for (unsigned bits = 0; bits < 56; bits++)
		for (int more = -1; more <= 1; more++) {
			uint64_t value = (UINT64_C(1) << bits) + (uint64_t)(int64_t)more;
			uint8_t room[8], *stop = room + sizeof(room);
			const uint8_t *bytes = put_varint(stop, value), *behind;
			assert_true(read_varint(bytes, &behind) == value);
			assert_ptr_equal(behind, stop);
			/* No longer than it need be */
			assert_true(stop - bytes == 1 || bytes[0] != 0x80);
		}
}

/* ---- the sorter ---- */

#define SORTED_MAX 200000
struct sorted {
	int64_t instant[SORTED_MAX], rowid[SORTED_MAX];
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

static void assert_sorted(const struct sorted *s, size_t count)
{
	assert_int_equal(s->count, count);
	for (size_t k = 1; k < count; k++)
		assert_true(s->instant[k - 1] < s->instant[k] ||
			    (s->instant[k - 1] == s->instant[k] && s->rowid[k - 1] < s->rowid[k]));
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
				assert_sorted(&sorted, 5000);
			}
			sorter_finish(&s);
		}
}

/* More than is in memory: as intervals come, nearly in order, where one in `late` began long before; from the
 * last to the first, and as draws. */
TEST("pieces go to a file, and come back in order")
{
	static const size_t limits[] = {0, 100, 3000};
	static struct sorted sorted;
	for (size_t i = 0; i < 3; i++)
		for (uint64_t kind = 0; kind < 5; kind++) {
			static const uint64_t late[] = {UINT64_MAX, 50, 2};
			struct sorter s;
			sorter_init(&s, sample_path("sorter"), limits[i]);
			for (int round = 0; round < 2; round++) {
				sorted.count = 0;
				for (uint64_t k = 0; k < SORTED_MAX; k++) {
					uint64_t r = (k + 1) * 0x9e3779b97f4a7c15;
					int64_t instant = (int64_t)(1000 * k - (r >> 52));
					if (kind < 3 && k % late[kind] == 1)
						instant -= 60000000;
					if (kind >= 3)
						instant = kind == 3 ? -(int64_t)(k / 2) : (int64_t)r;
					assert_ok(sorter_add(&s, instant, (int64_t)k, &err));
				}
				assert_true(s.written > 0);
				if (kind == 0)
					assert_int_equal(s.piece_count, 1);
				assert_ok(sorter_drain(&s, take, &sorted, &err));
				assert_sorted(&sorted, SORTED_MAX);
			}
			sorter_finish(&s);
		}
}
