/* cli/replay_json.c - the replay of logs as one object of JSON. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/replay_parts.h"
#include "models/taskset.h"
#include "runs/replay/log.h"

static void add_real(struct text *t, const char *name, double value)
{
	char number[TEXT_REAL_MAX];
	text_printf(t, ", \"%s\": %s", name, text_real(value, number));
}

static void add_integer(struct text *t, const char *name, uint64_t value)
{
	text_printf(t, ", \"%s\": %" PRIu64, name, value);
}

/* Launches may be before 0 on the clock of their recording. */
static void add_time(struct text *t, const char *name, int64_t ns)
{
	text_printf(t, ", \"%s\": %" PRId64, name, ns);
}

static void add_measures(struct text *t, const struct replay_errors *e)
{
	add_integer(t, "blocks", e->blocks);
	add_real(t, "median_us", e->median_us);
	add_real(t, "max_us", e->max_us);
	add_integer(t, "first_wave", e->first_wave);
	add_integer(t, "sm_matches", e->sm_matches);
	add_integer(t, "drained", e->drained);
}

static void add_kernel(struct text *t, const struct replay_kernel *k)
{
	text_add(t, "{\"log\": ");
	text_add_json(t, k->log->file);
	text_add(t, ", \"kernel\": ");
	text_add_json(t, k->kernel->name);
	add_integer(t, "process", k->process);
	if (k->stream == STREAM_NULL)
		text_add(t, ", \"stream\": null");
	else
		add_integer(t, "stream", (uint64_t)k->stream);
	text_printf(t, ", \"high_priority\": %s", k->log->high_priority ? "true" : "false");
	add_integer(t, "threads", k->kernel->threads);
	add_integer(t, "shared_memory", (uint64_t)k->kernel->shared_memory);
	add_time(t, "launch_ns", k->kernel->launch_ns);
	add_time(t, "block_ns", k->kernel->block_ns);
	add_time(t, "shortest_block_ns", k->kernel->shortest_ns);
	add_time(t, "longest_block_ns", k->kernel->longest_ns);
	add_measures(t, &k->errors);
	text_add(t, "}");
}

bool replay_print_json(const struct replay *r, const char *platform, struct error *err)
{
	struct text t = {0};
	text_add(&t, "{\"platform\": ");
	text_add_json(&t, platform);
	add_integer(&t, "processes", r->processes);
	add_integer(&t, "kernels", r->kernel_count);
	add_measures(&t, &r->errors);
	add_integer(&t, "uneven_launches", r->uneven);
	text_add(&t, ", \"per_kernel\": [");
	for (uint32_t i = 0; i < r->kernel_count; i++) {
		text_add(&t, i > 0 ? ",\n" : "\n");
		add_kernel(&t, &r->kernels[i]);
	}
	text_add(&t, "\n]}\n");
	bool ok = text_ok(&t, "printing a replay", err);
	if (ok && (fputs(text_data(&t), stdout) == EOF || fflush(stdout) != 0))
		ok = error_set(err, STATUS_IO, "cannot write the answer: %s", strerror(errno));
	text_finish(&t);
	return ok;
}
