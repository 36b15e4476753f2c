/* tests/fuzz/fuzz_nsys.c - libFuzzer on the reader of exports of Nsight Systems: an input is a list of
 * changes (changes.h) of a small export. How it is run: tests/fuzz/meson.build. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/capture_checks.h"
#include "tests/fuzz/changes.h"
#include "tests/fuzz/sqlite_memory.h"
#include "tests/support/exports.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static struct base bases[2];

static void make_base(struct base *base, enum export_form form)
{
	char path[] = "/tmp/cegsim-fuzz-nsys-XXXXXX";
	struct export e;
	int file = mkstemp(path);
	must(file >= 0 && close(file) == 0);
	export_begin(&e, path, form);
	export_everything(&e);
	export_end(&e);
	must(sqlite3_open(path, &e.db) == SQLITE_OK);
	base_take(base, e.db);
	must(capture_check_bytes(base->bytes, base->length));
	unlink(path);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	sqlite_memory_begin();
	make_base(&bases[0], EXPORT_OLD);
	make_base(&bases[1], EXPORT_NEW);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, data + size};
	size_t length;
	sqlite_memory_next();
	unsigned char *bytes = base_changed(&in, &bases[take(&in, 1) % 2], &length);
	capture_check_bytes(bytes, length);
	sqlite3_free(bytes);
	return 0;
}
