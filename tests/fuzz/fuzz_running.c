/* tests/fuzz/fuzz_running.c - libFuzzer on the CSV of threads on CPUs. How it is run: tests/fuzz/meson.build.
 */
#include <stdlib.h>
#include <string.h>

#include "captures/build.h"
#include "captures/running.h"
#include "tests/fuzz/capture_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct capture c = {.made_by = "", .resolution_ns = 1};
	struct diagnostics d;
	struct error err = {0};
	diagnostics_init(&d, "fuzz");
	uint32_t process = build_process(&c, 1, &err);
	for (int64_t tid = 1; tid <= 3; tid++)
		must(build_thread(&c, process, tid, &err) != CAPTURE_NONE);
	uint32_t gpu = build_device(&c, 0, &err), stream = build_stream(&c, process, gpu, 1, 7, &err);
	struct capture_operation *o = build_operation(&c, &err);
	must(o && stream == 0);
	*o = (struct capture_operation){.name = "",
		.thread = 0,
		.return_ns = 1,
		.start_ns = 2,
		.end_ns = 1000,
		.grid = 1,
		.threads = 1};
	char *text = malloc(size + 1);
	must(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	bool ok = running_parse(&c, text, &d, &err);
	must(ok == (d.count == 0) && (ok || err.status == STATUS_INPUT));
	must(ok == (c.running_count > 0));
	capture_check(&c);
	capture_check_diagnostics(&d);
	free(text);
	capture_finish(&c);
	diagnostics_finish(&d);
	return 0;
}
