/* tests/fuzz/capture_checks.c - see tests/fuzz/capture_checks.h. */
#include "tests/fuzz/capture_checks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/input_file.h"

static void must(bool holds)
{
	if (!holds)
		abort();
}

static bool index_or_none(uint32_t index, uint32_t count)
{
	return index < count || index == CAPTURE_NONE;
}

static int64_t begin_of(const struct capture_operation *o)
{
	return o->call_ns == CAPTURE_UNKNOWN ? o->start_ns : o->call_ns;
}

static void check_operations(const struct capture *c)
{
	must(c->operation_count > 0);
	for (uint32_t i = 0; i < c->operation_count; i++) {
		const struct capture_operation *o = &c->operations[i];
		must(o->name && o->stream < c->stream_count && index_or_none(o->thread, c->thread_count));
		must(0 <= o->start_ns && o->start_ns <= o->end_ns);
		must((o->call_ns == CAPTURE_UNKNOWN) == (o->return_ns == CAPTURE_UNKNOWN));
		must((o->call_ns == CAPTURE_UNKNOWN) == (o->thread == CAPTURE_NONE));
		must(o->call_ns == CAPTURE_UNKNOWN || (0 <= o->call_ns && o->call_ns <= o->return_ns));
		must(o->kind != CAPTURE_KERNEL || (o->grid > 0 && o->threads > 0 && o->shared_memory >= 0));
		must(o->kind == CAPTURE_KERNEL || o->bytes >= 0);
		must(i == 0 || begin_of(&c->operations[i - 1]) <= begin_of(o));
	}
}

static void check_waits(const struct capture *c)
{
	for (uint32_t i = 0; i < c->wait_count; i++) {
		const struct capture_wait *w = &c->waits[i];
		must(index_or_none(w->thread, c->thread_count) && index_or_none(w->stream, c->stream_count));
		must(index_or_none(w->event, c->event_count) && w->call_ns <= w->return_ns);
		must(w->event == CAPTURE_NONE || c->events[w->event].call_ns <= w->call_ns);
		must(i == 0 || c->waits[i - 1].call_ns <= w->call_ns);
	}
	for (uint32_t i = 0; i < c->event_count; i++) {
		const struct capture_event *e = &c->events[i];
		must(e->process < c->process_count && index_or_none(e->stream, c->stream_count));
		must(index_or_none(e->thread, c->thread_count));
	}
}

void capture_check(const struct capture *c)
{
	check_operations(c);
	check_waits(c);
	for (uint32_t i = 0; i < c->stream_count; i++)
		must(c->streams[i].process < c->process_count && c->streams[i].gpu < c->gpu_count);
	for (uint32_t i = 0; i < c->thread_count; i++)
		must(c->threads[i].process < c->process_count && c->threads[i].name);
	for (uint32_t i = 0; i < c->process_count; i++)
		must(c->processes[i].name != NULL);
	for (uint32_t i = 0; i < c->gpu_count; i++)
		must(c->gpus[i].name != NULL);
	for (uint32_t i = 0; i < c->range_count; i++)
		must(c->ranges[i].name && c->ranges[i].start_ns <= c->ranges[i].end_ns);
	for (uint32_t i = 0; i < c->running_count; i++)
		must(c->running[i].thread < c->thread_count &&
			c->running[i].start_ns <= c->running[i].end_ns);
	for (uint32_t i = 0; i < c->slice_count; i++)
		must(c->slices[i].start_ns <= c->slices[i].end_ns);
	for (uint32_t i = 0; i < c->note_count; i++)
		must(c->notes[i] && c->notes[i][0]);
	must(c->made_by && c->resolution_ns > 0);
}

void capture_check_diagnostics(const struct diagnostics *d)
{
	for (size_t i = 0; i < d->count; i++)
		must(d->items[i].text[0] && !strpbrk(d->items[i].text, "\n\x1b"));
}

bool capture_check_bytes(const uint8_t *bytes, size_t length)
{
	struct capture c;
	struct diagnostics d;
	struct error err = {0};
	char path[INPUT_PATH];
	input_path(path, ".capture");
	input_write(path, bytes, length);
	diagnostics_init(&d, "fuzz");
	bool ok = capture_read(&c, path, &d, &err);
	if (ok) {
		must(d.count == 0);
		capture_check(&c);
	} else {
		must(err.text[0] && err.status == STATUS_INPUT);
	}
	capture_check_diagnostics(&d);
	capture_finish(&c);
	diagnostics_finish(&d);
	unlink(path);
	return ok;
}
