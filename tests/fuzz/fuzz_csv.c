/* tests/fuzz/fuzz_csv.c - libFuzzer on the CSV files that a scenario names, release traces and samples of
 * execution times: whatever the bytes, the reader ends, reports or accepts, and what it accepts can be
 * simulated. How it is run: tests/fuzz/meson.build. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "scenarios/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* The tasks that the seeds in tests/cli/bad name. */
static const char tasks[] =
	"platform: {gpu: {sms: 2}, copy: {bandwidth: 1GB/s}}\n"
	"tasks:\n"
	"  - {name: t1, period: 10, segments: [{cpu: [0, 9]}, {kernel: {grid: 2, block: 32, "
	"block_time: [0, 9]}}]}\n"
	"  - {name: t2, period: 10, segments: [{copy: to_gpu, bytes: 9}, {kernel: {work: [1, 2]}}]}\n";

static void check_task(const struct task *t, bool trace)
{
	const struct release_rule *rule = t->release;
	for (uint32_t i = 1; trace && rule && i < rule->trace_count; i++)
		must(rule->trace_ns[i] >= rule->trace_ns[i - 1]);
	for (uint32_t k = 0; k < t->segment_count; k++) {
		const struct segment *s = &t->segments[k];
		must(!s->samples || (s->sample_count > 0 && !trace));
		for (uint32_t i = 0; s->samples && i < s->sample_count; i++)
			must(s->samples[i] >= s->best_ns && s->samples[i] <= s->worst_ns);
		must(!s->samples || s->sample_count == t->segments[0].sample_count ||
			!t->segments[0].samples);
	}
}

static void read_one(int file, bool trace)
{
	char text[1000];
	struct scenario s;
	struct diagnostics d;
	snprintf(text, sizeof(text),
		"cegsim: 1\ntime_unit: ms\nhorizon: 40\n%s: {%s: /proc/self/fd/%d%s}\n%s",
		trace ? "release" : "execution", trace ? "trace" : "samples", file,
		trace ? "" : ", together: true", tasks);
	diagnostics_init(&d, "fuzz");
	bool ok = scenario_read_text("fuzz.yaml", text, strlen(text), &s, &d);
	must(ok == (d.count + d.dropped == 0));
	for (size_t i = 0; i < d.count; i++)
		must(d.items[i].text[0] && !strpbrk(d.items[i].text, "\n\x1b"));
	for (uint32_t i = 0; ok && i < s.set.task_count; i++)
		check_task(&s.set.tasks[i], trace);
	scenario_finish(&s);
	diagnostics_finish(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int file = memfd_create("fuzz", MFD_CLOEXEC);
	must(file >= 0 && (size == 0 || write(file, data, size) == (ssize_t)size));
	read_one(file, true);
	read_one(file, false);
	close(file);
	return 0;
}
