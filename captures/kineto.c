/* captures/kineto.c - reads a trace of the PyTorch profiler (Kineto): the file, the GPUs, and what is left to
 * say at the end. The format is Chrome's ("Trace Event Format"), with categories and arguments of libkineto's
 * output_json.cpp. */
#include "captures/kineto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The next value as JSON, in the scratch arena. NULL: an error was reported. */
static json_t *next_json(struct kineto *k)
{
	const char *text;
	size_t length;
	json_error_t trouble;
	bool no_memory;
	arena_finish(&k->scratch);
	if (!json_stream_value(k->stream, &text, &length))
		return NULL;
	json_stream_place(k->stream, &k->line, &k->column);
	json_t *value = json_read(&k->scratch, text, length, JSON_DECODE_ANY, &trouble, &no_memory);
	if (!value && no_memory)
		error_memory(k->err, "reading a trace");
	else if (!value)
		json_stream_error(k->stream, k->line + (unsigned)trouble.line - 1,
			trouble.line == 1 ? k->column + (unsigned)trouble.column - 1
					  : (unsigned)trouble.column,
			"%s", trouble.text);
	return value;
}

/* ---- GPUs ---- */

static uint32_t count_of(const json_t *object, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(object, key));
	return value > 0 && value <= UINT32_MAX ? (uint32_t)value : 0;
}

static bool read_device(struct kineto *k, const json_t *d)
{
	uint32_t index = build_device(k->c, json_integer_value(json_object_get(d, "id")), k->err);
	if (index == CAPTURE_NONE)
		return false;
	uint32_t warp = count_of(d, "warpSize");
	struct capture_gpu *gpu = &k->c->gpus[index];
	gpu->name = build_text(k->c, json_string_value(json_object_get(d, "name")), k->err);
	gpu->sms = count_of(d, "numSms");
	gpu->warps_per_sm = count_of(d, "maxThreadsPerMultiprocessor") / (warp ? warp : 32);
	gpu->registers_per_sm = count_of(d, "regsPerMultiprocessor");
	gpu->shared_memory_per_sm = count_of(d, "sharedMemPerMultiprocessor");
	gpu->shared_memory_per_block = count_of(d, "sharedMemPerBlock");
	gpu->compute_major = (int32_t)count_of(d, "computeMajor");
	gpu->compute_minor = (int32_t)count_of(d, "computeMinor");
	return gpu->name != NULL;
}

static bool read_devices(struct kineto *k)
{
	json_t *list = next_json(k), *d;
	size_t i;
	bool ok = list != NULL;
	json_array_foreach(list, i, d)
		ok = ok && read_device(k, d);
	return ok;
}

/* ---- the file ---- */

static bool read_events(struct kineto *k)
{
	const char *name, *text;
	size_t length;
	bool ok = json_stream_enter(k->stream);
	while (ok && json_stream_next(k->stream, &name)) {
		ok = json_stream_value(k->stream, &text, &length);
		json_stream_place(k->stream, &k->line, &k->column);
		ok = ok && kineto_event(k, text, length);
		arena_finish(&k->scratch);
	}
	return ok && !json_stream_failed(k->stream);
}

static bool read_object(struct kineto *k)
{
	const char *name;
	bool events = false, ok = json_stream_enter(k->stream);
	while (ok && json_stream_next(k->stream, &name)) {
		if (strcmp(name, "traceEvents") == 0) {
			events = true;
			ok = read_events(k);
		} else if (strcmp(name, "deviceProperties") == 0) {
			ok = read_devices(k);
		} else {
			ok = json_stream_skip(k->stream);
		}
	}
	if (!ok || json_stream_failed(k->stream))
		return false;
	k->line = k->column = 1;
	return events || kineto_error(k, "this JSON text is not a trace of PyTorch: it has no 'traceEvents'");
}

/* Chrome reads a list of events alone, too. */
static bool read_text(struct kineto *k)
{
	int first = json_stream_peek(k->stream);
	k->line = k->column = 1;
	if (json_stream_failed(k->stream))
		return false;
	if (first != '{' && first != '[')
		return kineto_error(k, "a trace of PyTorch begins with '{' or '['");
	return (first == '{' ? read_object(k) : read_events(k)) && json_stream_end(k->stream);
}

/* ---- what is left to say ---- */

static bool note(struct kineto *k, uint64_t count, const char *what)
{
	return count == 0 || build_note(k->c, k->err, "%llu %s", (unsigned long long)count, what);
}

static bool has_work(struct kineto *k)
{
	k->line = k->column = 0;
	return k->c->operation_count > 0 ||
	       kineto_error(k,
		       "the trace holds no work of a GPU: no events of category kernel, gpu_memcpy or "
		       "gpu_memset (ProfilerActivity.CUDA records them)");
}

static bool finish(struct kineto *k)
{
	struct capture *c = k->c;
	c->resolution_ns = k->whole ? 1000 : 1;
	return has_work(k) && kineto_join(k) && build_finish(c, k->err) &&
	       note(k, k->no_end, "events were left out: they have no length") &&
	       note(k, k->odd, "kernels or copies were left out: their sizes or times are impossible") &&
	       note(k, k->collectives,
		       "kernels are of NCCL: they wait for other GPUs, which are not in the trace");
}

bool kineto_read(struct capture *c, const char *path, struct diagnostics *diagnostics, struct error *err)
{
	struct kineto k = {.c = c, .err = err, .whole = true};
	c->made_by = "PyTorch profiler (Kineto)";
	k.stream = json_stream_open(path, diagnostics, err);
	bool ok = k.stream && read_text(&k) && finish(&k);
	json_stream_close(k.stream);
	arena_finish(&k.scratch);
	free(k.calls);
	free(k.names);
	free(k.records);
	return ok;
}
