/* tests/fuzz/fuzz_copies.c - libFuzzer on the CSV of copies beside recorded kernels (replay --copies):
 * whatever the bytes, the reader ends, reports or accepts, and what it accepts is about kernels that there
 * are. How it is run: tests/fuzz/meson.build. */
#include <stdlib.h>
#include <string.h>

#include "runs/replay/copies.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

#define LOGS 3u
static char one[] = "f/one.json", two[] = "f/two.json", other[] = "g/two.json", k[] = "k", l[] = "l";
static struct log_kernel kernels[] = {{.name = k, .blocks = 1}, {.name = l, .blocks = 2}, {.name = k}};
static const struct log logs[LOGS] = {{.file = one, .kernels = kernels, .kernel_count = 3},
	{.file = two, .kernels = kernels, .kernel_count = 2},
	{.file = other, .kernels = kernels, .kernel_count = 1}};

static void check(const struct recorded_copies *c)
{
	for (uint32_t i = 0; i < c->count; i++) {
		const struct recorded_copy *copy = &c->copies[i], *before = i ? copy - 1 : NULL;
		must(copy->log < LOGS && copy->kernel < logs[copy->log].kernel_count);
		must(copy->length_ns >= 0 && copy->line > 0 && copy->direction <= COPY_TO_CPU);
		must(!before || before->log < copy->log ||
			(before->log == copy->log && before->kernel <= copy->kernel));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* The rate to the CPU is not known. */
	static const struct copy_bandwidth rates = {.to_gpu = 1000000000};
	struct arena arena = {0};
	struct recorded_copies copies;
	struct diagnostics d;
	struct error err = {0};
	char *text = malloc(size + 1);
	must(text);
	memcpy(text, data, size);
	text[size] = '\0';
	diagnostics_init(&d, "fuzz.csv");
	bool ok = copies_parse(&copies, &arena, text, &rates, logs, LOGS, &d, &err);
	must(ok == (d.count + d.dropped == 0) && (ok || err.status == STATUS_INPUT));
	for (size_t i = 0; i < d.count; i++)
		must(d.items[i].line > 0 && d.items[i].text[0] && !strpbrk(d.items[i].text, "\n\x1b"));
	if (ok)
		check(&copies);
	free(text);
	diagnostics_finish(&d);
	arena_finish(&arena);
	return 0;
}
