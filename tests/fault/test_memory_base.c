/* tests/fault/test_memory_base.c - every allocation of base/ and of the printed tables fails once: nothing
 * crashes or leaks, and the caller is told. Linked with --wrap for malloc, calloc, realloc and strdup. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/text.h"
#include "cli/table/table.h"
#include "tests/support/failing_memory.h"
#include "tests/support/test.h"

/* Runs `work` with the first allocation failing, then the second, ... until none fails. work() returns
 * whether it succeeded; it must succeed exactly if no allocation failed. Returns the number of failures. */
static long fail_each(bool (*work)(void))
{
	for (long n = 0;; n++) {
		memory_failed = false;
		memory_countdown = n;
		bool ok = work();
		memory_countdown = -1;
		assert_int_equal(ok, !memory_failed);
		if (!memory_failed)
			return n;
	}
}

static bool use_arena(void)
{
	struct arena arena = {0};
	bool ok = true;
	for (size_t size = 1; ok && size < 3000000; size *= 3) {
		unsigned char *memory = arena_alloc(&arena, 1, size);
		ok = memory != NULL;
		if (ok)
			memset(memory, 1, size);
	}
	ok = ok && arena_strdup(&arena, "text");
	arena_finish(&arena);
	return ok;
}

static bool use_text(void)
{
	struct text t = {0};
	for (int i = 0; i < 300; i++) {
		text_add(&t, "text ");
		text_add_json(&t, "\u00e9\n");
		text_printf(&t, "%d", i);
	}
	struct error err;
	bool ok = text_ok(&t, "testing", &err);
	if (!ok)
		assert_int_equal(err.status, STATUS_IO);
	char *taken = text_take(&t);
	assert_int_equal(taken != NULL, ok);
	free(taken);
	return ok;
}

/* An error that cannot be stored is still counted: a list that lost one never looks empty. */
static bool use_diagnostics(void)
{
	struct diagnostics d;
	diagnostics_init(&d, "bad.yaml");
	for (unsigned i = 0; i < 20; i++)
		diagnostics_add(&d, i, 1, "mistake %u", i);
	assert_int_equal(d.count + d.dropped, 20);
	bool ok = d.file && d.dropped == 0;
	FILE *out = fopen("/dev/null", "w");
	diagnostics_print(&d, out);
	fclose(out);
	diagnostics_finish(&d);
	return ok;
}

static enum table_format format;
static FILE *null_device;

static bool use_table(void)
{
	static const char *const columns[] = {"task", "task", "response_ms"};
	struct table t;
	struct error err;
	table_begin(&t, null_device, format, columns, 3);
	for (int row = 0; row < 30; row++) {
		table_text(&t, "a name of some length, with \"quotes\"");
		table_integer(&t, row);
		table_real(&t, 0.5 * row);
	}
	bool ok = table_end(&t, &err);
	if (!ok)
		assert_int_equal(err.status, STATUS_IO);
	return ok;
}

TEST("arenas")
{
	assert_in_range(fail_each(use_arena), 3, 30);
}

TEST("texts")
{
	assert_in_range(fail_each(use_text), 3, 30);
}

TEST("diagnostics")
{
	assert_in_range(fail_each(use_diagnostics), 20, 40);
}

TEST("tables")
{
	null_device = fopen("/dev/null", "w");
	assert_non_null(null_device);
	assert_int_equal(fputc('\n', null_device), '\n'); /* now the stream has its buffer */
	for (int i = TABLE_TEXT; i <= TABLE_JSON; i++) {
		format = (enum table_format)i;
		assert_in_range(fail_each(use_table), 4, 60);
	}
	fclose(null_device);
}
