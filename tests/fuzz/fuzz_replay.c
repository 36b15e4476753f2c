/* tests/fuzz/fuzz_replay.c - libFuzzer on the reader of recordings and on the replay of what it accepts:
 * whatever the bytes, it ends, reports or accepts, and predicts a start for every block. How it is run:
 * tests/fuzz/meson.build. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runs/replay/replay.h"
#include "scenarios/presets.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void check_accepted(const struct log *log)
{
	must(log->file && log->scenario && log->label && log->pid >= -1 && log->max_resident_threads >= 0);
	for (uint32_t i = 0; i < log->kernel_count; i++) {
		const struct log_kernel *k = &log->kernels[i];
		must(k->name && *k->name && k->line > 0 && k->column > 0);
		must(k->blocks > 0 && k->threads > 0 && k->shared_memory >= 0 && k->call_ns <= k->launch_ns);
		must(0 <= k->shortest_ns && k->shortest_ns <= k->block_ns && k->block_ns <= k->longest_ns);
		for (uint32_t b = 0; b < k->blocks; b++)
			must(k->start_ns[b] <= k->end_ns[b] && k->sm[b] >= LOG_NO_SM);
	}
}

static void check_diagnostics(const struct diagnostics *d)
{
	for (size_t i = 0; i < d->count; i++)
		must(d->items[i].text[0] && !strpbrk(d->items[i].text, "\n\x1b"));
}

static void check_replay(const struct log *log, struct arena *arena, struct diagnostics *d)
{
	struct replay replay;
	struct error err;
	const struct replay_request request = {
		.platform = &preset_find("jetson-tx2")->platform, .logs = log, .log_count = 1};
	if (!replay_run(&replay, arena, &request, d, &err)) {
		must(err.text[0] != '\0');
		return;
	}
	must(replay.kernel_count == log->kernel_count && replay.errors.max_us >= replay.errors.median_us);
	for (uint32_t i = 0; i < replay.kernel_count; i++)
		for (uint32_t b = 0; b < replay.kernels[i].kernel->blocks; b++)
			must(replay.kernels[i].start_ns[b] >= log->kernels[i].launch_ns &&
				replay.kernels[i].sm[b] >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = {0};
	struct log log;
	struct diagnostics d;
	struct error err;
	diagnostics_init(&d, "fuzz");
	bool ok = log_parse(&log, &arena, "fuzz.json", (const char *)data, size, &d, &err);
	must(ok == (d.count + d.dropped == 0));
	check_diagnostics(&d);
	if (ok) {
		check_accepted(&log);
		check_replay(&log, &arena, &d);
		check_diagnostics(&d);
	}
	arena_finish(&arena);
	diagnostics_finish(&d);
	return 0;
}
