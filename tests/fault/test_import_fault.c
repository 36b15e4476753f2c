/* tests/fault/test_import_fault.c - allocations while a capture is imported, written, read again and compared
 * fail, one at a time: the caller learns of it, no file is left, and what succeeds is the same as ever.
 * So do renames. Linked with --wrap for malloc, calloc, realloc, strdup and renameat2. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "scenarios/import/import.h"
#include "tests/support/exports.h"
#include "tests/support/failing_memory.h"
#include "tests/support/test.h"

static char folder[] = "/tmp/cegsim-test-import-fault-XXXXXX";
static char path[64], scenario[64];
static struct capture capture;

/* A thread with two streams, one of which waits for an event of the other. */
static void add_flights(struct export *e)
{
	struct exported o = {.pid = 4711, .tid = 4720, .name = "k", .grid = 4};
	for (int64_t at = 0; at < 40000; at += 10000) {
		for (int64_t i = 0; i < 3; i++) {
			o.stream = 15 + i;
			o.call_ns = at + 10 * i;
			o.return_ns = o.call_ns + 5;
			o.start_ns = at + 1000 * (i + 1);
			o.end_ns = o.start_ns + 1000 - i;
			export_kernel(e, &o);
		}
		int64_t call = export_call(e, "cudaDeviceSynchronize", 4711, 4720, at + 40, at + 4000);
		export_row(e, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
			"start, end, deviceId, contextId, streamId, correlationId, globalPid, syncType, "
			"eventId",
			"%lld, %lld, 0, 1, 0, %lld, %lld, 4, 4294967295", at + 40, at + 4000, call,
			export_process(4711));
	}
}

static int begin(void **state)
{
	struct export e;
	struct diagnostics d;
	struct error err = {0};
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/app.sqlite", folder);
	snprintf(scenario, sizeof(scenario), "%s/app.yaml", folder);
	export_begin(&e, path, EXPORT_NEW);
	export_tasks(&e, 6);
	export_memset(&e, &(struct exported){.pid = 4711, .tid = 4711, .stream = 13, .end_ns = 5});
	add_flights(&e);
	for (int64_t i = 0; i < 4; i++)
		export_row(&e, "GPU_CONTEXT_SWITCH_EVENTS", "tag, contextId, timestamp, globalPid, gpuId",
			"%d, 1, %lld, %lld, 0", i % 2 ? 7 : 8, i * 1000, export_process(4711));
	export_end(&e);
	diagnostics_init(&d, path);
	bool ok = capture_read(&capture, path, &d, &err);
	diagnostics_finish(&d);
	return ok ? unlink(path) : -1;
}

static int end(void **state)
{
	capture_finish(&capture);
	return rmdir(folder);
}

ALL_TESTS(begin, end);

/* Names in the folder. */
static uint32_t files(void)
{
	uint32_t count = 0;
	DIR *d = opendir(folder);
	assert_non_null(d);
	for (struct dirent *entry; (entry = readdir(d));)
		count += entry->d_name[0] != '.';
	closedir(d);
	return count;
}

static void take_file(struct text *t, const char *end)
{
	char name[64], buffer[4096];
	snprintf(name, sizeof(name), "%s/app%s", folder, end);
	FILE *f = fopen(name, "r");
	assert_non_null(f);
	for (size_t n; (n = fread(buffer, 1, sizeof(buffer), f)) > 0;)
		text_add_bytes(t, buffer, n);
	fclose(f);
	assert_int_equal(unlink(name), 0);
}

/* Imports and writes while the `n`-th allocation fails. `t` gets the files. */
static bool import_once(const struct import_request *request, long n, struct text *t)
{
	static const struct import_files made = {.path = scenario, .command = "cegsim import"};
	struct import im;
	struct error err = {0};
	memory_failed = false;
	memory_countdown = n;
	bool ok = import_make(&im, &capture, request, &err) && import_write(&im, request, &made, &err);
	memory_countdown = -1;
	import_finish(&im);
	if (!ok) {
		assert_true(memory_failed);
		assert_int_equal(err.status, STATUS_IO);
		assert_true(err.text[0] != '\0');
		assert_int_equal(files(), 0);
		return false;
	}
	assert_int_equal(files(), 3);
	take_file(t, ".csv");
	take_file(t, ".samples.csv");
	take_file(t, ".yaml");
	return true;
}

static void all_failures(const struct import_request *request)
{
	struct text right = {0};
	long n = 0, failed = 0;
	assert_true(import_once(request, -1, &right));
	do {
		struct text t = {0};
		if (import_once(request, n++, &t))
			assert_string_equal(text_data(&t), text_data(&right));
		else
			failed++;
		text_finish(&t);
	} while (memory_failed);
	assert_true(failed >= 30);
	text_finish(&right);
}

static const struct import_request all = {.process = IMPORT_ANY,
	.thread = IMPORT_ANY,
	.device = IMPORT_ANY,
	.registers = IMPORT_ANY,
	.from_ns = INT64_MIN,
	.to_ns = INT64_MAX};

TEST("an import that looks for jobs itself")
{
	all_failures(&all);
}

TEST("an import of halves")
{
	struct import_request request = all;
	request.cut = IMPORT_RANGE;
	request.name = "frame";
	request.first_half = true;
	all_failures(&request);
}

TEST("an import of operations in flight")
{
	struct import_request request = all;
	request.thread = 4720;
	request.cut = IMPORT_EVERY;
	request.every = 3;
	request.guess_events = true;
	all_failures(&request);
}

/* ---- renames ---- */

static long rename_countdown = -1;

int __real_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags);
int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags);

int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
	if (rename_countdown != 0) {
		rename_countdown -= rename_countdown > 0;
		return __real_renameat2(from_folder, from, to_folder, to, flags);
	}
	errno = EACCES;
	return -1;
}

/* The three files of an import, in which the n-th rename fails. */
static void fail_rename(const struct import_request *request, long n, bool replace)
{
	struct import_files made = {.path = scenario, .command = "cegsim import", .replace = replace};
	struct import im;
	struct error err = {0};
	assert_true(import_make(&im, &capture, request, &err));
	rename_countdown = n;
	bool ok = import_write(&im, request, &made, &err);
	rename_countdown = -1;
	import_finish(&im);
	assert_int_equal(ok, n < 0);
	if (ok)
		return;
	assert_int_equal(err.status, STATUS_IO);
	assert_non_null(strstr(err.text, "cannot rename"));
}

TEST("no file has its name if one of them cannot get it")
{
	for (long n = 0; n < 3; n++) {
		fail_rename(&all, n, false);
		assert_int_equal(files(), 0);
	}
}

static void put(const char *end, const char *says)
{
	char name[64];
	snprintf(name, sizeof(name), "%s/app%s", folder, end);
	FILE *f = fopen(name, "w");
	assert_non_null(f);
	fputs(says, f);
	fclose(f);
}

static void assert_says(const char *end, const char *says)
{
	struct text t = {0};
	take_file(&t, end);
	assert_string_equal(text_data(&t), says);
	text_finish(&t);
}

TEST("what was to be replaced is there again")
{
	for (long n = 0; n < 3; n++) {
		put(".csv", "old trace");
		put(".yaml", "old scenario");
		fail_rename(&all, n, true);
		assert_int_equal(files(), 2);
		assert_says(".csv", "old trace");
		assert_says(".yaml", "old scenario");
	}
	put(".csv", "old trace");
	fail_rename(&all, -1, true);
	assert_int_equal(files(), 3);
	for (size_t i = 0; i < 3; i++) {
		static const char *const ends[] = {".csv", ".samples.csv", ".yaml"};
		struct text t = {0};
		take_file(&t, ends[i]);
		assert_null(strstr(text_data(&t), "old trace"));
		text_finish(&t);
	}
}
