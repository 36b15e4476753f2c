/* tests/fault/test_traced_fault.c - allocations while kernel traces are imported fail, one at a time: the
 * caller learns of it, and there is no scenario. Linked with --wrap for malloc, calloc, realloc and strdup.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "scenarios/traced/traced.h"
#include "tests/support/failing_memory.h"
#include "tests/support/test.h"

static char out[] = "/tmp/cegsim-test-traced-fault-XXXXXX.yaml";

/* Imports and writes while the `n`-th allocation fails. */
static bool make_once(const char *path, long n)
{
	const struct traced_request request = {
		.l1_bytes = -1, .l2_bytes = -1, .first = 1, .last = UINT32_MAX};
	struct traced t;
	struct diagnostics d;
	struct error err = {0};
	diagnostics_init(&d, path);
	memory_failed = false;
	memory_countdown = n;
	bool ok = traced_make(&t, path, &request, &d, &err) &&
		  traced_write(&t, out, "cegsim import", false, &err);
	memory_countdown = -1;
	traced_finish(&t);
	diagnostics_finish(&d);
	assert_int_equal(ok, access(out, F_OK) == 0);
	if (ok) {
		assert_int_equal(unlink(out), 0);
	} else {
		assert_true(memory_failed);
		assert_int_equal(err.status, STATUS_IO);
		assert_true(err.text[0] != '\0');
	}
	return ok;
}

static void all_failures(const char *name, long at_least)
{
	const char *root = getenv("CEGSIM_SOURCE_ROOT");
	char path[1024];
	long n = 0;
	assert_non_null(root);
	snprintf(path, sizeof(path), "%s/tests/data/traces/%s", root, name);
	int file = mkstemps(out, 5);
	assert_true(file >= 0 && close(file) == 0 && unlink(out) == 0);
	for (bool ended = false; !ended; n += SPARSE) {
		bool ok = make_once(path, n);
		ended = ok && !memory_failed;
	}
	assert_true(n > at_least);
	memcpy(strstr(out, "fault-") + 6, "XXXXXX", 6);
}

TEST("a trace")
{
	all_failures("kernel-1.traceg", 40);
}

TEST("a list of traces")
{
	all_failures("kernelslist.g", 40);
}
