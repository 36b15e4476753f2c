/* tests/unit/test_captures_damaged.c - files that are no captures, and captures that are damaged: a clear
 * answer for each, and nothing written beside them. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "captures/capture.h"
#include "db/sql.h"
#include "tests/support/exports.h"
#include "tests/support/test.h"

static char folder[] = "/tmp/cegsim-test-damaged-XXXXXX";
static char path[64];
static struct capture c;
static struct diagnostics d;
static struct error err;

static int make_folder(void **state)
{
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/x.sqlite", folder);
	return 0;
}

static int remove_folder(void **state)
{
	unlink(path);
	return rmdir(folder); /* fails if a file was left in it */
}

ALL_TESTS(make_folder, remove_folder);

static bool read_file(const char *file)
{
	err = (struct error){0};
	diagnostics_init(&d, file);
	bool ok = capture_read(&c, file, &d, &err);
	if (ok)
		assert_true(c.operation_count > 0);
	else
		assert_true(err.text[0] && err.status != STATUS_OK);
	capture_finish(&c);
	diagnostics_finish(&d);
	return ok;
}

static void refuse(const char *file, const char *says)
{
	assert_false(read_file(file));
	assert_int_equal(err.status, STATUS_INPUT);
	if (!strstr(err.text, says))
		fail_msg("%s", err.text);
}

static void put(const void *bytes, size_t length)
{
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

static void make(const char *sql)
{
	struct export e = {0};
	unlink(path);
	assert_int_equal(sqlite3_open(path, &e.db), SQLITE_OK);
	export_sql(&e, "%s", sql);
	sqlite3_close(e.db);
}

static void make_export(void)
{
	struct export e;
	export_begin(&e, path, EXPORT_NEW);
	export_everything(&e);
	export_end(&e);
}

/* The bytes of an export; free() them. */
static char *export_bytes(size_t *length)
{
	make_export();
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	fseek(file, 0, SEEK_END);
	*length = (size_t)ftell(file);
	rewind(file);
	char *bytes = malloc(*length);
	assert_true(bytes && fread(bytes, 1, *length, file) == *length);
	fclose(file);
	return bytes;
}

TEST("no file, and what is none")
{
	refuse("/nowhere/x.sqlite", "cannot open the file: No such file or directory");
	refuse(folder, "this is not a file");
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0); /* nobody writes into it: to open it would hang */
	refuse(path, "this is not a file");
	unlink(path);
	refuse("/dev/null", "this is not a file");
}

TEST("a file that may not be read")
{
	if (geteuid() == 0)
		return; /* may read all */
	make_export();
	assert_int_equal(chmod(path, 0), 0);
	refuse(path, "cannot open the file: Permission denied");
}

TEST("texts, nothing, and half a header")
{
	static const char *const texts[] = {"", "\n", "SQLite", "hello", "{\"times\": []}", "{", "3"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		put(texts[i], strlen(texts[i]));
		refuse(path, "neither an export of Nsight Systems (nsys export --type sqlite) nor a trace");
	}
	put("SQLite format 3\0but this is not one, as everyone "
	    "sees.............................................",
		90);
	refuse(path, "not an SQLite file");
}

/* Of a later format, or with a log that SQLite would want to open. */
TEST("a header that says what cannot be")
{
	static const char values[] = {0, 1, 2, 5, 127};
	size_t length;
	char *bytes = export_bytes(&length);
	for (size_t at = 16; at < 100; at++)
		for (size_t i = 0; i < sizeof(values); i++) {
			char kept = bytes[at];
			bytes[at] = values[i];
			put(bytes, length);
			assert_true(read_file(path) || err.status == STATUS_INPUT);
			bytes[at] = kept;
		}
	free(bytes);
}

TEST("other databases")
{
	make("CREATE TABLE t (x)");
	refuse(path, "this SQLite file is not an export of Nsight Systems");
	char sql[80];
	snprintf(sql, sizeof(sql), "PRAGMA application_id = %lld; CREATE TABLE t (x)",
		(long long)RECORDING_APPLICATION_ID);
	make(sql);
	refuse(path, "this is a recording of cegsim, not an export of Nsight Systems");
}

TEST("exports without work of a GPU")
{
	struct export e;
	export_begin(&e, path, EXPORT_OLD);
	export_end(&e);
	refuse(path, "the export holds no work of a GPU: no kernels, copies or memsets (nsys profile "
		     "--trace=cuda");
	export_begin(&e, path, EXPORT_NEW);
	export_table(&e, "CUPTI_ACTIVITY_KIND_KERNEL");
	export_call(&e, "cudaMalloc_v3020", 1, 2, 3, 4);
	export_end(&e);
	refuse(path, "the export holds no work of a GPU");
	make("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (x); INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL "
	     "VALUES (1)");
	refuse(path, "the export holds no work of a GPU");
}

TEST("a log of changes beside it")
{
	char wal[80];
	make_export();
	snprintf(wal, sizeof(wal), "%s-wal", path);
	FILE *file = fopen(wal, "wb");
	assert_non_null(file);
	fputs("x", file);
	fclose(file);
	refuse(path, "there is a log of changes beside it");
	assert_int_equal(truncate(wal, 0), 0);
	assert_true(read_file(path));
	unlink(wal);
}

/* Each page is lost once, and each is damaged once: an error, or what is left is read. */
TEST("truncated and damaged at every page")
{
	size_t length;
	char *bytes = export_bytes(&length);
	uint32_t refused = 0, damaged = 0;
	for (size_t at = 512; at < length; at += 512) {
		put(bytes, at);
		refused += !read_file(path);
		assert_true(err.status == STATUS_OK || err.status == STATUS_INPUT);
	}
	assert_int_equal(refused, (length - 1) / 512); /* a part is never taken for the whole */
	for (size_t at = 100; at < length; at += 200) {
		char kept[64];
		size_t count = length - at < sizeof(kept) ? length - at : sizeof(kept);
		memcpy(kept, bytes + at, count);
		memset(bytes + at, 0xa5, count);
		put(bytes, length);
		damaged += !read_file(path);
		assert_true(err.status == STATUS_OK || err.status == STATUS_INPUT);
		memcpy(bytes + at, kept, count);
	}
	assert_true(damaged > 0);
	free(bytes);
}

/* Tables and columns are made as they are needed, and others may be there. */
TEST("each table and each column may be missing")
{
	sqlite3 *db;
	sqlite3_stmt *stmt;
	char drops[400][120];
	int count = 0, read = 0;
	make_export();
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(
		sqlite3_prepare_v2(db,
			"SELECT 'DROP TABLE ' || name FROM sqlite_master UNION ALL SELECT 'ALTER TABLE "
			"' || m.name "
			"|| ' DROP COLUMN ' || p.name FROM sqlite_master m, pragma_table_info(m.name) p",
			-1, &stmt, NULL),
		SQLITE_OK);
	while (sqlite3_step(stmt) == SQLITE_ROW && count < 400)
		snprintf(drops[count++], sizeof(drops[0]), "%s", (const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	assert_in_range(count, 150, 399);
	for (int i = 0; i < count; i++) {
		make_export();
		assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
		assert_int_equal(sqlite3_exec(db, drops[i], NULL, NULL, NULL), SQLITE_OK);
		sqlite3_close(db);
		if (!read_file(path))
			fail_msg("%s: %s", drops[i], err.text); /* there are copies and memsets at least */
		read++;
	}
	assert_int_equal(read, count);
}

/* SQLite lets a cell hold whatever it likes. */
TEST("cells of other types")
{
	static const char *const values[] = {"'text'", "1.5", "x'00ff'", "NULL", "-1", "9223372036854775807",
		"-9223372036854775808", "''"};
	sqlite3 *db;
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		sqlite3_stmt *stmt;
		make_export();
		assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
		sqlite3_exec(
			db, "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; BEGIN", NULL, NULL, NULL);
		assert_int_equal(
			sqlite3_prepare_v2(db,
				"SELECT m.name, group_concat(p.name || ' = ' || ?1) FROM sqlite_master m, "
				"pragma_table_info(m.name) p GROUP BY 1",
				-1, &stmt, NULL),
			SQLITE_OK);
		sqlite3_bind_text(stmt, 1, values[i], -1, SQLITE_STATIC);
		while (sqlite3_step(stmt) == SQLITE_ROW) {
			char *sql = sqlite3_mprintf("UPDATE %s SET %s WHERE rowid %% 2",
				sqlite3_column_text(stmt, 0), sqlite3_column_text(stmt, 1));
			assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
			sqlite3_free(sql);
		}
		sqlite3_finalize(stmt);
		sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
		sqlite3_close(db);
		assert_true(read_file(path) || err.status == STATUS_INPUT);
	}
}
