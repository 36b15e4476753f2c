/* tests/fault/test_captures_fault.c - allocations while a capture is read fail, one at a time, ours and
 * SQLite's: the caller learns of it, or the capture is the same as ever. Linked with --wrap for malloc,
 * calloc, realloc and strdup. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "captures/running.h"
#include "tests/support/exports.h"
#include "tests/support/failing_memory.h"
#include "tests/support/recordings.h"
#include "tests/support/test.h"

static char export_path[] = "/tmp/cegsim-test-captures-fault-XXXXXX";
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
	struct export e;
	if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real_memory) != SQLITE_OK)
		return -1;
	sqlite3_mem_methods methods = real_memory;
	methods.xMalloc = sqlite_malloc;
	methods.xRealloc = sqlite_realloc;
	if (sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) != SQLITE_OK || sqlite3_initialize() != SQLITE_OK)
		return -1;
	int file = mkstemp(export_path);
	if (file < 0 || close(file) != 0)
		return -1;
	export_begin(&e, export_path, EXPORT_NEW);
	export_everything(&e);
	export_end(&e);
	return 0;
}

static int end(void **state)
{
	return unlink(export_path);
}

ALL_TESTS(begin, end);

/* ---- a capture as text ---- */

static void describe(struct text *t, const struct capture *c)
{
	text_printf(t, "%s %lld %d%d\n", c->made_by, (long long)c->start_ns, c->windows, c->has_slices);
	for (uint32_t i = 0; i < c->gpu_count; i++)
		text_printf(t, "gpu %s %u %lld\n", c->gpus[i].name, c->gpus[i].sms,
			(long long)c->gpus[i].memory_bandwidth);
	for (uint32_t i = 0; i < c->process_count; i++)
		text_printf(t, "process %s\n", c->processes[i].name);
	for (uint32_t i = 0; i < c->thread_count; i++)
		text_printf(t, "thread %lld %s\n", (long long)c->threads[i].tid, c->threads[i].name);
	for (uint32_t i = 0; i < c->stream_count; i++)
		text_printf(t, "stream %lld %d %d\n", (long long)c->streams[i].number, c->streams[i].kind,
			c->streams[i].priority);
	for (uint32_t i = 0; i < c->operation_count; i++) {
		const struct capture_operation *o = &c->operations[i];
		text_printf(t, "%d %s %u %u %lld %lld %d%d %d\n", o->kind, o->name, o->stream, o->thread,
			(long long)o->call_ns, (long long)o->end_ns, o->in_graph, o->blocks_caller, o->from);
	}
	for (uint32_t i = 0; i < c->wait_count; i++)
		text_printf(t, "wait %d %u %u %u\n", c->waits[i].kind, c->waits[i].thread, c->waits[i].stream,
			c->waits[i].event);
	for (uint32_t i = 0; i < c->range_count; i++)
		text_printf(t, "range %s %lld\n", c->ranges[i].name, (long long)c->ranges[i].end_ns);
	for (uint32_t i = 0; i < c->running_count; i++)
		text_printf(t, "on %u %d %lld\n", c->running[i].thread, c->running[i].cpu,
			(long long)c->running[i].end_ns);
	for (uint32_t i = 0; i < c->slice_count; i++)
		text_printf(t, "slice %lld\n", (long long)c->slices[i].end_ns);
	for (uint32_t i = 0; i < c->note_count; i++)
		text_printf(t, "note %s\n", c->notes[i]);
}

/* ---- what must hold ---- */

/* Reads the capture, and the CSV if there is one, while the `n`-th allocation fails. `t` gets the capture. */
static bool read_once(const char *path, const char *csv, long n, struct text *t)
{
	struct capture c;
	struct diagnostics d;
	struct error err = {0};
	diagnostics_init(&d, path);
	char *copy = csv ? strdup(csv) : NULL;
	memory_failed = false;
	memory_countdown = n;
	bool ok = capture_read(&c, path, &d, &err) && (!csv || running_parse(&c, copy, &d, &err));
	memory_countdown = -1;
	if (ok) {
		describe(t, &c);
	} else {
		assert_true(memory_failed);
		assert_int_equal(err.status, STATUS_IO);
		assert_true(err.text[0] != '\0');
	}
	free(copy);
	capture_finish(&c);
	diagnostics_finish(&d);
	return ok;
}

/* SQLite allocates very often, and much the same for each table. */
enum { DENSE = 500, STRIDE = 13 };

static void all_failures(const char *path, const char *csv, long at_least)
{
	struct text right = {0};
	long n = 0, failed = 0;
	assert_true(read_once(path, csv, -1, &right));
	do {
		struct text t = {0};
		n += n < DENSE ? 1 : STRIDE;
		if (read_once(path, csv, n - 1, &t))
			assert_string_equal(text_data(&t), text_data(&right));
		else
			failed++;
		text_finish(&t);
	} while (memory_failed);
	assert_true(failed >= at_least);
	text_finish(&right);
}

TEST("an export of Nsight Systems")
{
	all_failures(export_path, NULL, 400);
}

TEST("times on CPUs")
{
	all_failures(export_path, "10000,20000,0,1001,R\n30000,40000,1,2002,S\n40000,50000,1,1001,S\n", 400);
}

TEST("a trace of PyTorch")
{
	char path[RECORDINGS_PATH];
	recordings_own_capture(path, "kineto-2023.json");
	all_failures(path, NULL, 30);
}
