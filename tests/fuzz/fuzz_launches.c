/* tests/fuzz/fuzz_launches.c - libFuzzer on lists of launches (kernelslist.g): whatever the bytes, the reader
 * ends, reports or accepts, and every launch that it accepts has a trace in the folder of the list, or an
 * absolute path. No trace is opened. How it is run: tests/fuzz/meson.build. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "captures/sass.h"
#include "tests/fuzz/input_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void check(const struct sass_list *list, const char *path)
{
	size_t folder = (size_t)(strrchr(path, '/') + 1 - path);
	unsigned line = 0;
	must(list->count > 0);
	for (uint32_t i = 0; i < list->count; i++) {
		must(strncmp(list->launches[i].path, path, folder) == 0);
		must(strncmp(list->launches[i].path + folder, "kernel", strlen("kernel")) == 0);
		must(list->launches[i].line > line);
		line = list->launches[i].line;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sass_list list;
	struct diagnostics d;
	struct error err = {0};
	enum sass_form form;
	char path[INPUT_PATH];
	input_path(path, ".g");
	input_write(path, data, size);
	must(sass_form(path, &form, &err) && form <= SASS_FORM_XZ);
	diagnostics_init(&d, path);
	if (sass_list_read(&list, path, &d, &err))
		check(&list, path);
	else
		must(err.status == STATUS_INPUT);
	for (size_t i = 0; i < d.count; i++)
		must(d.items[i].text[0] && !strpbrk(d.items[i].text, "\n\x1b"));
	sass_list_finish(&list);
	diagnostics_finish(&d);
	unlink(path);
	return 0;
}
