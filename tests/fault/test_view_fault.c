/* tests/fault/test_view_fault.c - every allocation while a page is made fails once, ours and SQLite's. The
 * caller must learn of it, and nothing may be left. Linked with --wrap for malloc, calloc, realloc and
 * strdup. */
#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/detail.h"
#include "report/page/view.h"
#include "tests/support/failing_memory.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

static struct error err;
static char recording[512], output[520], folder[512];

static sqlite3_mem_methods real_memory;

static void *sqlite_malloc(int size)
{
	return memory_fails_now() ? NULL : real_memory.xMalloc(size);
}

static void *sqlite_realloc(void *memory, int size)
{
	return memory_fails_now() ? NULL : real_memory.xRealloc(memory, size);
}

static int begin(void **state)
{
	if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real_memory) != SQLITE_OK)
		return -1;
	sqlite3_mem_methods methods = real_memory;
	methods.xMalloc = sqlite_malloc;
	methods.xRealloc = sqlite_realloc;
	if (sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) != SQLITE_OK || sqlite3_initialize() != SQLITE_OK)
		return -1;
	snprintf(recording, sizeof(recording), "%s", sample_path("view.db"));
	snprintf(output, sizeof(output), "%s", sample_path("view.html"));
	snprintf(folder, sizeof(folder), "%s", sample_path(""));
	return sample_write(recording, &err) ? 0 : -1;
}

static int end(void **state)
{
	sample_clean();
	return 0;
}

ALL_TESTS(begin, end);

/* The number of files in the folder, without the recording. */
static size_t files(void)
{
	size_t count = 0;
	DIR *d = opendir(folder);
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));)
		count += e->d_name[0] != '.' && strcmp(e->d_name, "view.db") != 0;
	closedir(d);
	return count;
}

static bool goes_on(void *self, double fraction)
{
	(void)self, (void)fraction;
	return true;
}

static const int64_t two_runs[] = {2, 1};

/* Makes a page while the `n`-th allocation fails. False: there are fewer allocations. */
static bool one_failure(const struct view_request *request, long n)
{
	struct view_result result;
	err = (struct error){0};
	memory_failed = false;
	memory_countdown = n;
	bool made = view_make(request, &result, &err);
	memory_countdown = -1;
	if (made) { /* SQLite did without, or nothing failed */
		assert_int_equal(files(), 1);
		assert_int_equal(unlink(output), 0);
		return memory_failed;
	}
	assert_true(memory_failed);
	assert_int_equal(err.status, STATUS_IO);
	assert_true(err.text[0] != '\0');
	assert_int_equal(files(), 0);
	return true;
}

static void all_failures(const struct view_request *request, long dense, long stride)
{
	long lives = 0;
	for (long n = 0; one_failure(request, n); n += n < dense ? 1 : stride)
		lives++;
	assert_true(lives > dense + 20);
}

TEST("every allocation fails once")
{
	const struct view_request whole = {
		.file = recording,
		.output = output,
		.to_ns = VIEW_TO_THE_END,
		.limit = VIEW_LIMIT,
		.goes_on = goes_on,
	};
	const struct view_request cut = {
		.file = recording,
		.output = output,
		.to_ns = VIEW_TO_THE_END,
		.limit = 3,
		.runs = two_runs,
		.run_count = 2,
		.goes_on = goes_on,
	};
	all_failures(&whole, 40, 487 * SPARSE);
	all_failures(&cut, 0, 701 * SPARSE);
}

/* Adds levels of detail, for which the sample is too small. */
static bool add_up(void)
{
	struct detail d;
	struct detail_entries entries = {0};
	if (!detail_begin(&d, 2, 3, 2000, 10, &err))
		return false;
	bool ok = detail_add(&d, 0, 1, 0, 9000, 2, &err) && detail_join(&d, 1, 2, 500, 20000, &err) &&
		  detail_entries(&d, 0, 1, 2, &entries, &err) && detail_entries(&d, 1, 1, 1, &entries, &err);
	detail_entries_finish(&entries);
	detail_finish(&d);
	return ok;
}

TEST("levels of detail without memory")
{
	long n = 0;
	for (bool more = true; more; n++) {
		memory_failed = false;
		memory_countdown = n;
		bool ok = add_up();
		memory_countdown = -1;
		more = memory_failed;
		assert_true(ok == !memory_failed);
		assert_true(ok || err.status == STATUS_IO);
	}
	assert_true(n > 15);
}
