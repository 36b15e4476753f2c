/* tests/fuzz/fuzz_traced.c - libFuzzer on kernel traces: whatever the bytes, they are refused with a reason,
 * or become a scenario that can be read. How it is run: tests/fuzz/meson.build. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "scenarios/scenario.h"
#include "scenarios/traced/traced.h"
#include "tests/fuzz/input_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void check_scenario(const struct traced *t, const char *path)
{
	struct error err = {0};
	struct scenario s;
	struct diagnostics d;
	must(traced_write(t, path, "\xff\n", true, &err));
	diagnostics_init(&d, path);
	if (!scenario_read(path, &s, &d)) {
		diagnostics_print(&d, stderr);
		abort();
	}
	must(s.set.task_count == t->kernel_count);
	scenario_finish(&s);
	diagnostics_finish(&d);
	unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* A trace alone: a list would name files of the machine. */
	const struct traced_request request = {.preset = preset_find("jetson-tx2"),
		.l1_bytes = 4096,
		.l2_bytes = 8192,
		.first = 1,
		.last = UINT32_MAX};
	struct traced t;
	struct diagnostics d;
	struct error err = {0};
	char path[INPUT_PATH], out[INPUT_PATH];
	if (size > 0 && (data[0] == 'k' || data[0] == 'M'))
		return 0;
	input_path(path, ".traceg");
	input_path(out, ".yaml");
	input_write(path, data, size);
	diagnostics_init(&d, path);
	if (traced_make(&t, path, &request, &d, &err))
		check_scenario(&t, out);
	else
		must(err.text[0] && err.status == STATUS_INPUT);
	traced_finish(&t);
	diagnostics_finish(&d);
	unlink(path);
	return 0;
}
