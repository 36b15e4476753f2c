/* tests/unit/test_kineto.c - traces of the PyTorch profiler, of three generations and real ones; what is
 * wrong with a trace, and where. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "captures/capture.h"
#include "tests/support/recordings.h"
#include "tests/support/test.h"

static struct capture c;
static struct diagnostics d;
static struct error err;

static bool read_file(const char *path)
{
	err = (struct error){0};
	diagnostics_init(&d, path);
	return capture_read(&c, path, &d, &err);
}

static int finish(void **state)
{
	capture_finish(&c);
	diagnostics_finish(&d);
	return 0;
}

static bool read_own(const char *name)
{
	char path[RECORDINGS_PATH];
	recordings_own_capture(path, name);
	return read_file(path);
}

/* Reads a text, gzipped or not, of which the last `cut` bytes of the file are missing. */
static bool read_bytes(const char *text, size_t length, bool zipped, off_t cut)
{
	char path[] = "/tmp/cegsim-test-kineto-XXXXXX";
	int file = mkstemp(path);
	assert_true(file >= 0);
	gzFile out = gzdopen(dup(file), zipped ? "wb" : "wbT");
	assert_int_equal(gzwrite(out, text, (unsigned)length), length);
	assert_int_equal(gzclose(out), Z_OK);
	off_t size = lseek(file, 0, SEEK_END);
	assert_int_equal(ftruncate(file, size - cut), 0);
	bool ok = read_file(path);
	close(file);
	unlink(path);
	return ok;
}

static bool read_text(const char *text)
{
	return read_bytes(text, strlen(text), false, 0);
}

static bool noted(const char *text)
{
	for (uint32_t i = 0; i < c.note_count; i++)
		if (strstr(c.notes[i], text))
			return true;
	return false;
}

/* ---- generations ---- */

TEST("a trace of 2021: capitals, no GPU, no object around", .teardown_func = finish)
{
	assert_true(read_own("kineto-2021.json"));
	assert_int_equal(c.operation_count, 2);
	const struct capture_operation *k = &c.operations[0], *copy = &c.operations[1];
	assert_string_equal(k->name, "volta_sgemm_128x64_nn");
	assert_int_equal(k->call_ns, 0);
	assert_int_equal(k->return_ns, 8000);
	assert_int_equal(k->start_ns, 11000);
	assert_int_equal(k->end_ns, 51000);
	assert_int_equal(k->grid, 128);
	assert_int_equal(k->threads, 128);
	assert_int_equal(k->registers, 122);
	assert_int_equal(k->shared_memory, 12544);
	assert_int_equal(k->shared_memory_carve_out, CAPTURE_UNKNOWN);
	assert_int_equal(c.threads[k->thread].tid, 900);
	assert_int_equal(copy->kind, CAPTURE_COPY);
	assert_int_equal(copy->direction, CAPTURE_TO_CPU);
	assert_int_equal(copy->from, CAPTURE_DEVICE);
	assert_int_equal(copy->to, CAPTURE_PAGEABLE);
	assert_int_equal(copy->bytes, 4096);
	assert_true(copy->blocks_caller);
	assert_int_equal(c.wait_count, 1);
	assert_int_equal(c.waits[0].kind, CAPTURE_WAIT_DEVICE);
	assert_int_equal(c.gpus[0].sms, 0);
	assert_int_equal(c.resolution_ns, 1000);
	assert_int_equal(c.start_ns, 110000);
}

TEST("a trace of 2023: GPU, waits, events, ranges", .teardown_func = finish)
{
	assert_true(read_own("kineto-2023.json"));
	assert_int_equal(c.gpu_count, 1);
	assert_int_equal(c.gpus[0].sms, 108);
	assert_int_equal(c.gpus[0].warps_per_sm, 64);
	assert_int_equal(c.gpus[0].shared_memory_per_sm, 167936);
	assert_int_equal(c.gpus[0].compute_major, 8);
	assert_int_equal(c.operation_count, 4);
	assert_int_equal(c.stream_count, 2);
	const struct capture_operation *copy = &c.operations[0], *k = &c.operations[1];
	assert_int_equal(copy->direction, CAPTURE_TO_GPU);
	assert_int_equal(copy->from, CAPTURE_PINNED);
	assert_false(copy->blocks_caller);
	assert_int_equal(k->grid, 432);
	assert_int_equal(k->threads, 256);
	assert_int_equal(k->call_ns, 40000); /* of the driver */
	assert_true(c.operations[3].kind == CAPTURE_MEMSET || c.operations[2].kind == CAPTURE_MEMSET);
	const struct capture_operation *nccl = &c.operations[2];
	assert_string_equal(nccl->name, "ncclKernel_AllReduce_RING");
	assert_int_equal(nccl->call_ns, CAPTURE_UNKNOWN);
	assert_true(c.operations[3].in_graph);
	assert_false(k->in_graph);
	/* The stream waits for the event that was recorded in the other one; a query makes nobody wait. */
	assert_int_equal(c.wait_count, 2);
	assert_int_equal(c.waits[0].kind, CAPTURE_STREAM_WAIT_EVENT);
	assert_int_equal(c.streams[c.waits[0].stream].number, 24);
	assert_int_equal(c.waits[0].event, 0);
	assert_int_equal(c.waits[0].call_ns, 34000);
	assert_int_equal(c.event_count, 1);
	assert_int_equal(c.streams[c.events[0].stream].number, 20);
	assert_int_equal(c.waits[1].kind, CAPTURE_WAIT_STREAM);
	assert_int_equal(c.waits[1].return_ns, 112000);
	assert_int_equal(c.range_count, 1);
	assert_string_equal(c.ranges[0].name, "step \"1\" \xc3\xa9");
	assert_string_equal(c.processes[c.threads[c.ranges[0].thread].process].name, "python3.10");
	assert_true(noted("1 events were left out: they have no length"));
	assert_true(noted("1 kernels or copies were left out"));
	assert_true(noted("1 kernels are of NCCL"));
}

TEST("a trace with nanoseconds", .teardown_func = finish)
{
	assert_true(read_own("kineto-ns.json"));
	assert_int_equal(c.resolution_ns, 1);
	assert_int_equal(c.start_ns, INT64_C(1712195495505543201));
	assert_int_equal(c.operations[0].return_ns, 41768);
	assert_int_equal(c.operations[0].start_ns, 40299);
	assert_int_equal(c.operations[0].end_ns, 45227);
	assert_int_equal(c.operations[0].threads, 128);
}

/* ---- texts ---- */

#define KERNEL                                                                                               \
	"{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"ts\": 1, \"dur\": 2, "                      \
	"\"args\": {\"stream\": 7, \"grid\": [1, 1, 1], \"block\": [1, 1, 1]}}"

TEST("other members, escapes and nesting are passed")
{
	static const char *const texts[] = {
		"[" KERNEL "]",
		" \n{\"a\\\"b\": [1, [2, {\"c\": \"]}\\\\\"}]], \"traceEvents\" :\r\n\t[" KERNEL "]\n}\n",
		"{\"x\": 1e300, \"y\": null, \"traceEvents\": [ " KERNEL "], \"z\": \"\\u0000\"}",
		"{\"traceEvents\": [], \"traceEvents\": [" KERNEL "]}",
		"[{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": \"Spans\"}, " KERNEL "]",
		"[{}, {\"ph\": 3, \"cat\": 4, \"name\": 5, \"args\": 6}, " KERNEL "]",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		assert_true(read_text(texts[i]));
		assert_int_equal(c.operation_count, 1);
		finish(state);
	}
}

static const struct bad {
	const char *text;
	unsigned line, column;
	const char *says;
} bads[] = {
	{"[", 1, 2, "the text ends here"},
	{"[\n  {\"ph\": \"X\"", 2, 13, "the text ends here, within a value"},
	{"[{\"ph\": \"X", 1, 11, "the text ends here, within a value"},
	{"{\"traceEvents\": [" KERNEL " " KERNEL "]}", 1, 141, "',' or ']' was expected here"},
	{"{\"traceEvents\": [" KERNEL "] \"x\": 1}", 1, 142, "',' or '}' was expected here"},
	{"{\"traceEvents\": [" KERNEL "]} x", 1, 143, "nothing was expected behind the end"},
	{"{\"traceEvents\": 3}", 1, 17, "an object or a list was expected here"},
	{"{\"schemaVersion\": 1}", 1, 1, "this JSON text is not a trace of PyTorch: it has no 'traceEvents'"},
	{"{\"schemaVersion\": 1, traceEvents: []}", 1, 22, "a name in quotes was expected here"},
	{"{\"traceEvents\": [], \"x\" 1}", 1, 25, "':' was expected here"},
	{"{\"schemaVersion\": }", 1, 19, "a value was expected here"},
	{"[]", 0, 0, "the trace holds no work of a GPU"},
	{"[3]", 1, 2, "an event must be an object"},
	{"[\n\n {\"ph\": tru}]", 3, 2, "this event is not JSON"},
	{"[{\"ph\": \"a\x01\"}]", 1, 2, "this event is not JSON: control character"},
	{"[{\"ph\": \"\xff\"}]", 1, 2, "this event is not JSON: unable to decode"},
	{"[{\"ph\": \"X\", \"cat\": \"kernel\", \"dur\": 1}]", 1, 2, "'ts' of an event must be a number"},
	{"[{\"ph\": \"X\", \"cat\": \"kernel\", \"ts\": \"1\", \"dur\": 1}]", 1, 2, "'ts' of an event must"},
	{"[{\"ph\": \"X\", \"cat\": \"kernel\", \"ts\": 9000000000000000000, \"dur\": 1}]", 1, 2,
		"'ts' of an"},
	{"{\"deviceProperties\": [{]}, \"traceEvents\": []}", 1, 24, ""},
};

TEST("every error has its place")
{
	for (size_t i = 0; i < sizeof(bads) / sizeof(*bads); i++) {
		const struct bad *bad = &bads[i];
		assert_false(read_text(bad->text));
		assert_int_equal(err.status, STATUS_INPUT);
		if (d.count != 1)
			fail_msg("%s: %zu diagnostics, and %s", bad->text, d.count, err.text);
		if (d.items[0].line != bad->line || d.items[0].column != bad->column ||
			!strstr(d.items[0].text, bad->says))
			fail_msg("%s: %u:%u: %s", bad->text, d.items[0].line, d.items[0].column,
				d.items[0].text);
		assert_non_null(strstr(err.text, d.items[0].text));
		finish(state);
	}
}

/* A reader that recursed would end by a signal. */
TEST("deep nesting is an error, or is passed")
{
	enum { DEPTH = 1000000 };
	char *text = malloc(DEPTH * 2 + 1000);
	assert_non_null(text);
	size_t length = (size_t)sprintf(text, "{\"schemaVersion\": ");
	memset(text + length, '[', DEPTH);
	memset(text + length + DEPTH, ']', DEPTH);
	length += 2 * DEPTH;
	length += (size_t)sprintf(text + length, ", \"traceEvents\": [" KERNEL "]}");
	assert_true(read_bytes(text, length, false, 0));
	assert_int_equal(c.operation_count, 1);
	finish(state);
	memset(text, '[', DEPTH);
	assert_false(read_bytes(text, DEPTH, true, 0));
	assert_int_equal(err.status, STATUS_INPUT);
	finish(state);
	free(text);
}

/* Longer than what is read at once, so the window moves and grows. */
TEST("a huge value")
{
	enum { SIZE = 3000000 };
	char *text = malloc(SIZE + 1000);
	assert_non_null(text);
	size_t length = (size_t)sprintf(text, "{\"traceName\": \"");
	for (; length < SIZE; length += 4)
		memcpy(text + length, "x\\\"y", 4);
	length += (size_t)sprintf(text + length, "\",\n \"traceEvents\": [" KERNEL "]}");
	assert_true(read_bytes(text, length, false, 0));
	assert_int_equal(c.operation_count, 1);
	finish(state);
	assert_true(read_bytes(text, length, true, 0));
	assert_int_equal(c.operation_count, 1);
	finish(state);
	free(text);
}

TEST("more events than fit into the window at a time")
{
	enum { EVENTS = 20000, LONGEST = 400 };
	char *text = malloc((size_t)EVENTS * LONGEST);
	assert_non_null(text);
	size_t length = (size_t)sprintf(text, "[");
	for (int i = 0; i < EVENTS; i++)
		length += (size_t)sprintf(text + length,
			"%s{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k%d\", \"ts\": %d, \"dur\": "
			"2, \"args\": "
			"{\"stream\": %d, \"grid\": [1, 1, 1], \"block\": [1, 1, 1]}}",
			i ? ",\n" : "", i, i * 10, i % 7);
	length += (size_t)sprintf(text + length, "]");
	assert_true(read_bytes(text, length, true, 0));
	assert_int_equal(c.operation_count, EVENTS);
	for (uint32_t i = 0; i < EVENTS; i++) {
		char name[20];
		sprintf(name, "k%u", i);
		assert_string_equal(c.operations[i].name, name);
		assert_int_equal(c.operations[i].start_ns, i * 10000);
	}
	finish(state);
	/* The place of an error far behind. */
	text[length - 1] = '}';
	assert_false(read_bytes(text, length, false, 0));
	assert_int_equal(d.items[0].line, EVENTS);
	finish(state);
	free(text);
}

TEST("a compressed trace that was cut off")
{
	static const char text[] = "[" KERNEL ", " KERNEL "]";
	for (off_t cut = 1; cut <= 40; cut++) {
		assert_false(read_bytes(text, sizeof(text) - 1, true, cut));
		assert_int_equal(err.status, STATUS_INPUT);
		finish(state);
	}
	assert_true(read_bytes(text, sizeof(text) - 1, true, 0));
	assert_int_equal(c.operation_count, 2);
	finish(state);
}

/* ---- real traces; counts by Python ---- */

/* False: it is not there. */
static bool expect(const char *name, uint32_t kernels, uint32_t copies, uint32_t memsets, uint32_t streams)
{
	char path[RECORDINGS_PATH];
	uint32_t counts[3] = {0};
	if (!recordings_capture(path, name))
		return false;
	assert_true(read_file(path));
	for (uint32_t i = 0; i < c.operation_count; i++)
		counts[c.operations[i].kind]++;
	assert_int_equal(counts[CAPTURE_KERNEL], kernels);
	assert_int_equal(counts[CAPTURE_COPY], copies);
	assert_int_equal(counts[CAPTURE_MEMSET], memsets);
	uint32_t used = 0;
	for (uint32_t s = 0; s < c.stream_count; s++)
		for (uint32_t i = 0; i < c.operation_count; i++)
			if (c.operations[i].stream == s) {
				used++;
				break;
			}
	assert_int_equal(used, streams);
	return true;
}

TEST("AlexNet on an A100", .teardown_func = finish)
{
	if (!expect("traces/alexnet-a100.json.gz", 79, 16, 3, 2))
		return;
	assert_int_equal(c.resolution_ns, 1000);
	assert_int_equal(c.gpus[0].sms, 108);
	assert_int_equal(c.range_count, 8);
}

TEST("waits for events of several streams", .teardown_func = finish)
{
	if (!expect("traces/event-sync-multi-stream.json.gz", 3, 0, 3, 3))
		return;
	uint32_t waits = 0;
	for (uint32_t i = 0; i < c.wait_count; i++) {
		const struct capture_wait *w = &c.waits[i];
		if (w->kind != CAPTURE_STREAM_WAIT_EVENT)
			continue;
		waits++;
		assert_true(w->event != CAPTURE_NONE && c.events[w->event].stream != CAPTURE_NONE);
		assert_true(c.events[w->event].stream != w->stream);
		assert_true(c.events[w->event].call_ns < w->call_ns);
	}
	assert_int_equal(waits, 1);
}

TEST("a network on a V100, in nanoseconds", .teardown_func = finish)
{
	if (!expect("traces/v100-dnn-ns.json.gz", 4350, 1600, 145, 1))
		return;
	assert_int_equal(c.resolution_ns, 1);
	assert_int_equal(c.range_count, 70);
}
