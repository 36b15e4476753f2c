/* tests/fuzz/fuzz_import.c - libFuzzer on imports. An input is a capture, operation by operation, and how it
 * is to be imported. Whatever it is: it is imported or refused; what is imported makes sense, and its
 * scenario can be read and run. How it is run: tests/fuzz/meson.build. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "captures/build.h"
#include "scenarios/import/import.h"
#include "scenarios/scenario.h"
#include "tests/fuzz/input_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

struct input {
	const uint8_t *at, *end;
};

static uint64_t take(struct input *in, int count)
{
	uint64_t value = 0;
	for (int i = 0; i < count; i++)
		value = value << 8 | (in->at < in->end ? *in->at++ : 0);
	return value;
}

/* Mostly short, so that operations meet; now and then very long. */
static int64_t take_time(struct input *in)
{
	uint64_t form = take(in, 1);
	return form == 255 ? (int64_t)(take(in, 8) >> 3) : (int64_t)(form << (form % 4 * 6));
}

static const char *const names[] = {"", "k", "step", "a: [b", "\xff#\n", "void at::add<float>(int)", "null"};
#define NAMES (sizeof(names) / sizeof(*names))

/* ---- The capture ---- */

static void make_machine(struct capture *c, struct input *in, struct error *err)
{
	for (int64_t device = 0; device < 2; device++) {
		uint32_t index = build_device(c, device, err);
		struct capture_gpu *gpu = &c->gpus[index];
		gpu->sms = (uint32_t)take(in, 1) % 200;
		gpu->warps_per_sm = (uint32_t)take(in, 1) % 70;
		gpu->blocks_per_sm = (uint32_t)take(in, 1) % 33;
		gpu->registers_per_sm = 65536;
		gpu->shared_memory_per_sm = 98304;
		gpu->compute_major = (int32_t)take(in, 1) % 13;
		gpu->copy_engines = (uint32_t)take(in, 1) % 4;
	}
	for (int64_t i = 0; i < 4; i++) {
		uint32_t process = build_process(c, i / 2, err), thread = build_thread(c, process, i, err);
		uint32_t stream = build_stream(c, process, take(in, 1) % 8 == 0, 1, i, err);
		must(thread == i && stream == i);
		c->threads[thread].name = names[take(in, 1) % NAMES];
		c->streams[stream].kind = (enum capture_stream_kind)(take(in, 1) % 4);
	}
}

static void make_operation(struct capture *c, struct input *in, int64_t *now, struct error *err)
{
	uint64_t form = take(in, 1);
	struct capture_operation *o = build_operation(c, err);
	*o = (struct capture_operation){.kind = (enum capture_operation_kind)(form % 3),
		.name = "",
		.thread = (uint32_t)(form / 3 % 4),
		.shared_memory_carve_out = CAPTURE_UNKNOWN};
	o->stream = form < 200 ? o->thread : o->thread ^ 1u;
	*now += take_time(in);
	o->call_ns = o->return_ns = *now;
	o->start_ns = *now + take_time(in);
	o->end_ns = o->start_ns + take_time(in);
	o->direction = (enum capture_direction)(form / 12 % 6);
	if (form == 250) {
		o->thread = CAPTURE_NONE;
		o->call_ns = o->return_ns = CAPTURE_UNKNOWN;
	}
	if (o->kind != CAPTURE_KERNEL)
		return;
	uint64_t shape = take(in, 1);
	o->name = names[shape % NAMES];
	o->grid = 1 + (shape == 255 ? take(in, 5) : shape / 8);
	o->threads = 1 + (shape == 254 ? (uint32_t)take(in, 2) : 256);
	o->registers = shape == 253 ? (uint32_t)take(in, 4) : 33;
	o->shared_memory = shape == 252 ? (int64_t)(take(in, 8) >> 1) : 0;
}

static void make_span(struct capture *c, struct input *in, int64_t now, struct error *err)
{
	uint64_t form = take(in, 1);
	int64_t start = now + take_time(in), end = start + take_time(in);
	uint32_t thread = form / 3 % 4;
	uint32_t stream = (uint32_t)(form / 5 % c->stream_count);
	if (form % 5 == 3) {
		*build_event(c, err) = (struct capture_event){.process = thread / 2,
			.stream = stream,
			.thread = thread,
			.number = 1,
			.call_ns = start};
	} else if (form % 5 == 4) {
		*build_wait(c, err) = (struct capture_wait){.kind = (enum capture_wait_kind)(form / 10 % 4),
			.thread = thread,
			.stream = form > 200 ? CAPTURE_NONE : stream,
			.event_number = 1,
			.event = CAPTURE_NONE,
			.call_ns = start,
			.return_ns = end};
	} else if (form % 3 == 0) {
		*build_range(c, err) = (struct capture_range){
			.name = names[form / 12 % NAMES], .thread = thread, .start_ns = start, .end_ns = end};
	} else if (form % 3 == 1) {
		*build_running(c, err) = (struct capture_running){
			.thread = thread, .start_ns = start, .end_ns = end, .preempted = form > 127};
	} else {
		c->has_slices = true;
		*build_slice(c, err) = (struct capture_context_slice){
			.process = thread / 2, .start_ns = start, .end_ns = end};
	}
}

static void make_capture(struct capture *c, struct input *in, struct error *err)
{
	int64_t now = 0;
	*c = (struct capture){.file = "fuzz", .made_by = "", .resolution_ns = 1};
	make_machine(c, in, err);
	do {
		if (take(in, 1) % 4 == 0)
			make_span(c, in, now, err);
		else if (now < INT64_MAX / 8)
			make_operation(c, in, &now, err);
	} while (in->at < in->end);
	must(build_finish(c, err));
}

/* ---- The import ---- */

static void check_task(const struct import_task *t)
{
	must(*t->name && t->job_count > 0 && t->segment_count > 0 && t->period_ns > 0);
	must(t->learned > 0 && t->learned <= t->job_count && t->replayed < t->job_count);
	for (uint32_t k = 0; k < t->segment_count; k++) {
		const struct import_segment *s = &t->segments[k];
		must(0 <= s->segment.best_ns && s->segment.best_ns <= s->segment.worst_ns);
		must((s->segment.kind == SEGMENT_KERNEL) == (s->waves > 0));
		must(s->segment.kind != SEGMENT_KERNEL || s->segment.best_ns > 0);
		must(s->alone <= t->learned);
	}
	for (uint32_t j = 0; j < t->job_count; j++) {
		must(t->jobs[j].release_ns <= t->jobs[j].end_ns);
		must(j == 0 || t->jobs[j - 1].release_ns <= t->jobs[j].release_ns);
		for (uint32_t k = 0; k < t->segment_count; k++)
			must(t->jobs[j].values[k] >= 0);
	}
}

static void check_files(const struct import *im, const struct import_request *request, bool periodic)
{
	static const char *const ends[] = {".csv", ".samples.csv", ".yaml"};
	char name[INPUT_PATH], path[INPUT_PATH];
	struct error err = {0};
	struct scenario s;
	struct diagnostics d;
	input_path(path, ".yaml");
	const struct import_files files = {
		.path = path, .command = "\xff\n", .periodic = periodic, .replace = true};
	must(import_write(im, request, &files, &err));
	diagnostics_init(&d, path);
	if (!scenario_read(path, &s, &d)) {
		diagnostics_print(&d, stderr);
		abort();
	}
	must(s.set.task_count == im->task_count);
	scenario_finish(&s);
	diagnostics_finish(&d);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		input_path(name, ends[i]);
		unlink(name);
	}
}

static struct import_request make_request(struct input *in)
{
	struct import_request r = {.process = IMPORT_ANY,
		.thread = IMPORT_ANY,
		.device = IMPORT_ANY,
		.registers = IMPORT_ANY,
		.from_ns = INT64_MIN,
		.to_ns = INT64_MAX};
	uint64_t form = take(in, 1);
	r.cut = (enum import_cut)(form % 5);
	r.name = form & 128 ? "*" : names[form / 5 % NAMES];
	r.every = 1 + (uint32_t)take(in, 1) % 8;
	uint64_t how = take(in, 1);
	r.first_half = how % 4 == 0;
	r.chain = how % 32 > 27;
	r.guess_events = how > 127;
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, data + size};
	struct capture c;
	struct import im;
	struct error err = {0};
	struct import_request request = make_request(&in);
	bool write = take(&in, 1) % 8 == 0;
	make_capture(&c, &in, &err);
	if (import_make(&im, &c, &request, &err)) {
		must(im.task_count > 0 && im.task_count <= IMPORT_TASKS_MAX);
		for (uint32_t i = 0; i < im.task_count; i++)
			check_task(&im.tasks[i]);
		if (write)
			check_files(&im, &request, !request.first_half && size % 2);
	} else {
		must(err.text[0] && err.status == STATUS_INPUT);
	}
	import_finish(&im);
	capture_finish(&c);
	return 0;
}
