/* tests/fault/test_trace_fault.c - faults while a trace is written: every allocation and every write fails
 * once, the disk is full, the user stops it. The caller must learn of it and nothing may leak. No new file
 * may be left, and an existing file must not change. Linked with --wrap for the functions that fail. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/trace/trace.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

static struct error err;
static char recording[512], trace[512], whole[512];

/* ---- the failing call ---- */

enum fault { FAULT_NONE, FAULT_MEMORY, FAULT_SQLITE, FAULT_FILE }; /* MEMORY: ours; SQLITE: its memory */

/* Volatile: a compiler knows that calloc() itself changes none of our variables. */
static volatile enum fault fault;
static volatile long countdown = -1;
static volatile bool failed;

static bool fails_now(enum fault kind)
{
	if (fault != kind || countdown < 0)
		return false;
	countdown = countdown - 1;
	if (countdown >= 0)
		return false;
	failed = true;
	return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_reallocarray(void *memory, size_t count, size_t size);
char *__real_strdup(const char *text);
size_t __real_fwrite(const void *data, size_t size, size_t count, FILE *file);
int __real_fclose(FILE *file);
int __real_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_reallocarray(void *memory, size_t count, size_t size);
char *__wrap_strdup(const char *text);
size_t __wrap_fwrite(const void *data, size_t size, size_t count, FILE *file);
int __wrap_fclose(FILE *file);
int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags);

void *__wrap_malloc(size_t size)
{
	return fails_now(FAULT_MEMORY) ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return fails_now(FAULT_MEMORY) ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
	return fails_now(FAULT_MEMORY) ? NULL : __real_realloc(memory, size);
}

void *__wrap_reallocarray(void *memory, size_t count, size_t size)
{
	return fails_now(FAULT_MEMORY) ? NULL : __real_reallocarray(memory, count, size);
}

char *__wrap_strdup(const char *text)
{
	return fails_now(FAULT_MEMORY) ? NULL : __real_strdup(text);
}

size_t __wrap_fwrite(const void *data, size_t size, size_t count, FILE *file)
{
	if (!fails_now(FAULT_FILE))
		return __real_fwrite(data, size, count, file);
	errno = ENOSPC;
	return 0;
}

int __wrap_fclose(FILE *file)
{
	bool fails = fails_now(FAULT_FILE);
	int result = __real_fclose(file);
	if (!fails)
		return result;
	errno = ENOSPC;
	return EOF;
}

int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
	if (!fails_now(FAULT_FILE))
		return __real_renameat2(from_folder, from, to_folder, to, flags);
	errno = EACCES;
	return -1;
}

static sqlite3_mem_methods real_memory;

static void *sqlite_malloc(int size)
{
	return fails_now(FAULT_SQLITE) ? NULL : real_memory.xMalloc(size);
}

static void *sqlite_realloc(void *memory, int size)
{
	return fails_now(FAULT_SQLITE) ? NULL : real_memory.xRealloc(memory, size);
}

/* ---- a trace ---- */

static bool write_trace(const char *path, bool replace, const volatile sig_atomic_t *stop)
{
	const struct trace_request request = {
		.run = TRACE_FIRST_RUN, .to_ns = INT64_MAX, .replace = replace, .stop = stop};
	struct trace_summary summary;
	enum fault kind = fault;
	fault = FAULT_NONE;
	err = (struct error){0};
	struct db_reader *reader = reader_open(recording, &err);
	if (!reader)
		return false;
	fault = kind;
	bool ok = trace_write(reader, recording, path, &request, &summary, &err);
	fault = FAULT_NONE;
	reader_close(reader);
	return ok;
}

static int install(void **state)
{
	if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real_memory) != SQLITE_OK)
		return -1;
	sqlite3_mem_methods methods = real_memory;
	methods.xMalloc = sqlite_malloc;
	methods.xRealloc = sqlite_realloc;
	if (sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) != SQLITE_OK || sqlite3_initialize() != SQLITE_OK)
		return -1;
	snprintf(recording, sizeof(recording), "%s", sample_path("sample.db"));
	snprintf(trace, sizeof(trace), "%s", sample_path("sample.pftrace"));
	snprintf(whole, sizeof(whole), "%s", sample_path("whole.pftrace"));
	return sample_write(recording, &err) && write_trace(whole, false, NULL) ? 0 : -1;
}

static int clean(void **state)
{
	sample_clean();
	return 0;
}

ALL_TESTS(install, clean);

/* The number of files in the folder. */
static int files(void)
{
	char folder[512];
	int count = 0;
	snprintf(folder, sizeof(folder), "%s", recording);
	*strrchr(folder, '/') = '\0';
	DIR *d = opendir(folder);
	assert_non_null(d);
	for (const struct dirent *entry = readdir(d); entry; entry = readdir(d))
		count += entry->d_name[0] != '.';
	closedir(d);
	return count;
}

static size_t read_file(const char *path, char *data, size_t size)
{
	FILE *f = fopen(path, "rb");
	assert_non_null(f);
	size_t length = fread(data, 1, size, f);
	assert_int_equal(fclose(f), 0);
	assert_true(length > 0 && length < size);
	return length;
}

static void assert_same(const char *a, const char *b)
{
	static char left[1 << 16], right[1 << 16];
	size_t length = read_file(a, left, sizeof(left));
	assert_int_equal(read_file(b, right, sizeof(right)), length);
	assert_memory_equal(left, right, length);
}

/* Lets call n of this kind fail, for every n below `dense` and then for every `stride`-th. */
static void fail_each(enum fault kind, long dense, long stride, long at_least)
{
	long n = 0;
	for (bool more = true; more; n += n < dense ? 1 : stride) {
		failed = false;
		countdown = n;
		fault = kind;
		bool ok = write_trace(trace, false, NULL);
		more = failed;
		if (ok) { /* nothing failed, or SQLite did without */
			assert_same(trace, whole);
			assert_int_equal(unlink(trace), 0);
		} else {
			assert_int_equal(err.status, STATUS_IO);
			assert_true(err.text[0] != '\0');
		}
		assert_int_equal(files(), 2);
	}
	if (n <= at_least)
		fail_msg("only %ld calls", n);
}

TEST("every allocation fails once")
{
	fail_each(FAULT_MEMORY, LONG_MAX, 1, 40);
	fail_each(FAULT_SQLITE, 40, 9, 1000);
}

TEST("every write fails once")
{
	fail_each(FAULT_FILE, LONG_MAX, 1, 3);
}

/* The existing file does not change. */
TEST("a failure keeps the old file")
{
	assert_true(write_trace(trace, false, NULL));
	for (long n = 0; n < 3; n++) {
		countdown = n;
		fault = FAULT_FILE;
		assert_false(write_trace(trace, true, NULL));
		assert_int_equal(err.status, STATUS_IO);
		assert_same(trace, whole);
		assert_int_equal(files(), 3);
	}
	assert_false(write_trace(trace, false, NULL));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_non_null(strstr(err.text, "exists already"));
	assert_int_equal(unlink(trace), 0);
}

TEST("who stops it gets nothing")
{
	static const volatile sig_atomic_t stopped = 1;
	assert_false(write_trace(trace, false, &stopped));
	assert_int_equal(err.status, STATUS_INTERRUPTED);
	assert_int_equal(files(), 2);
}
