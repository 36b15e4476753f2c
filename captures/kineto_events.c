/* captures/kineto_events.c - the events of a trace of PyTorch: kernels, copies, memsets, calls, waits,
 * ranges.
 *
 * Categories were capitalised in 2021 (Kernel, Memcpy, Runtime, Operator). Times are microseconds, whole or
 * with up to three digits behind the point; they are read from the text, as a double does not hold them. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/list.h"
#include "captures/kineto.h"
#include "captures/place.h"

bool kineto_error(struct kineto *k, const char *fmt, ...)
{
	char text[300];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return json_stream_error(k->stream, k->line, k->column, "%s", text);
}

enum category { KERNEL, MEMCPY, MEMSET, CALL, SYNC, RANGE, OTHER };

static enum category category_of(const char *name)
{
	static const struct {
		const char *name;
		enum category category;
	} known[] = {
		{"kernel", KERNEL},
		{"gpu_memcpy", MEMCPY},
		{"memcpy", MEMCPY},
		{"gpu_memset", MEMSET},
		{"memset", MEMSET},
		{"cuda_runtime", CALL},
		{"cuda_driver", CALL},
		{"runtime", CALL},
		{"driver", CALL},
		{"cuda_sync", SYNC},
		{"user_annotation", RANGE},
	};
	for (size_t i = 0; name && i < sizeof(known) / sizeof(*known); i++)
		if (strcasecmp(name, known[i].name) == 0)
			return known[i].category;
	return OTHER;
}

/* ---- values ---- */

/* Numbers are sometimes written as texts. */
static int64_t integer_of(const json_t *object, const char *key, int64_t otherwise)
{
	const json_t *value = json_object_get(object, key);
	if (json_is_integer(value))
		return json_integer_value(value);
	if (json_is_string(value)) {
		char *end;
		long long number = strtoll(json_string_value(value), &end, 10);
		return end != json_string_value(value) && !*end ? number : otherwise;
	}
	return otherwise;
}

/* Nanoseconds from a number of microseconds such as 1712195495519689.123. False: it is none, or too large. */
static bool parse_time(const char *at, const char *end, int64_t *ns, bool *whole)
{
	int64_t value = 0;
	int digits = 0, behind = -1;
	bool negative = at < end && *at == '-';
	at += negative;
	for (; at < end && (isdigit((unsigned char)*at) || (*at == '.' && behind < 0)); at++) {
		if (*at == '.') {
			behind = 0;
			continue;
		}
		digits++;
		if (behind >= 3)
			continue;
		if (value > (INT64_MAX / 4 - 9) / 10)
			return false;
		value = value * 10 + (*at - '0');
		*whole &= behind < 0 || *at == '0';
		behind += behind >= 0;
	}
	if (digits == 0 || (at < end && !strchr(",} \t\r\n]", *at)))
		return false;
	for (int i = behind < 0 ? 0 : behind; i < 3; i++) {
		if (value > INT64_MAX / 40)
			return false;
		value *= 10;
	}
	*ns = negative ? -value : value;
	return true;
}

/* The time at `key` of the event's text. */
static bool time_of(struct kineto *k, const char *text, size_t length, const char *key, int64_t *ns)
{
	struct log_place place = place_of(text, length);
	return place_member(&place, key) && parse_time(place.at, place.end, ns, &k->whole);
}

/* ---- work ---- */

/* [x, y, z], each at least 1; 0: it is not, or more than `most`. */
static uint64_t volume(const json_t *args, const char *key, uint64_t most)
{
	const json_t *list = json_object_get(args, key), *side;
	uint64_t product = 1;
	size_t i;
	if (!json_is_array(list))
		return 0;
	json_array_foreach(list, i, side) {
		json_int_t value = json_integer_value(side);
		if (value < 1 || (uint64_t)value > most / product)
			return 0;
		product *= (uint64_t)value;
	}
	return product;
}

static enum capture_memory memory_named(const char *text)
{
	if (strncasecmp(text, "Pageable", 8) == 0)
		return CAPTURE_PAGEABLE;
	if (strncasecmp(text, "Pinned", 6) == 0)
		return CAPTURE_PINNED;
	if (strncasecmp(text, "Device", 6) == 0 || strncasecmp(text, "Array", 5) == 0)
		return CAPTURE_DEVICE;
	return strncasecmp(text, "Managed", 7) == 0 ? CAPTURE_MANAGED_MEMORY : CAPTURE_MEMORY_UNKNOWN;
}

/* "Memcpy HtoD (Pageable -> Device)" */
static void describe_copy(struct capture_operation *o, const char *name)
{
	const char *from = strchr(name, '('), *to = strstr(name, "-> ");
	o->direction = CAPTURE_ELSEWHERE;
	if (strstr(name, "HtoD") || strstr(name, "HtoA"))
		o->direction = CAPTURE_TO_GPU;
	else if (strstr(name, "DtoH") || strstr(name, "AtoH"))
		o->direction = CAPTURE_TO_CPU;
	else if (strstr(name, "DtoD") || strstr(name, "AtoA") || strstr(name, "AtoD") || strstr(name, "DtoA"))
		o->direction = CAPTURE_ON_GPU;
	else if (strstr(name, "PtoP"))
		o->direction = CAPTURE_PEER;
	o->from = from ? memory_named(from + 1) : CAPTURE_MEMORY_UNKNOWN;
	o->to = to ? memory_named(to + 3) : CAPTURE_MEMORY_UNKNOWN;
}

/* Streams are numbers of a GPU; traces do not say whose process, as they are of one. *stream is CAPTURE_NONE
 * if none is named. False: out of memory. */
static bool stream_of(struct kineto *k, const json_t *args, const char *key, uint32_t *stream)
{
	int64_t number = integer_of(args, key, -1);
	*stream = CAPTURE_NONE;
	if (number < 0 || number == UINT32_MAX)
		return true;
	uint32_t gpu = build_device(k->c, integer_of(args, "device", 0), k->err);
	if (gpu == CAPTURE_NONE)
		return false;
	*stream = build_stream(k->c, 0, gpu, integer_of(args, "context", 0), number, k->err);
	return *stream != CAPTURE_NONE;
}

static bool add_work(struct kineto *k, enum category category, const char *name, const json_t *args,
	int64_t start, int64_t length)
{
	uint64_t grid = volume(args, "grid", UINT64_C(1) << 62), threads = volume(args, "block", 1 << 20);
	int64_t bytes = integer_of(args, "bytes", 0), shared = integer_of(args, "shared memory", 0);
	int64_t registers = integer_of(args, "registers per thread", 0);
	uint32_t stream = CAPTURE_NONE;
	bool sensible = bytes >= 0 && shared >= 0 && registers >= 0 && registers <= UINT32_MAX &&
			(category != KERNEL || (grid > 0 && threads > 0));
	if (sensible && !stream_of(k, args, "stream", &stream))
		return false;
	if (stream == CAPTURE_NONE) {
		k->odd++;
		return true;
	}
	struct capture_operation *o = build_operation(k->c, k->err);
	if (!o)
		return false;
	o->kind = category == KERNEL ? CAPTURE_KERNEL : category == MEMCPY ? CAPTURE_COPY : CAPTURE_MEMSET;
	o->stream = stream;
	o->correlation = (uint64_t)integer_of(args, "correlation", 0);
	o->start_ns = start;
	o->end_ns = start + length;
	o->in_graph = integer_of(args, "graph node id", 0) != 0;
	o->bytes = bytes;
	o->direction = CAPTURE_ON_GPU;
	if (category == MEMCPY)
		describe_copy(o, name);
	if (category != KERNEL)
		return true;
	o->name = build_text(k->c, name, k->err);
	o->grid = grid;
	o->threads = (uint32_t)threads;
	o->registers = (uint32_t)registers;
	o->shared_memory = shared;
	k->collectives += strncmp(name, "nccl", 4) == 0;
	return o->name != NULL;
}

/* ---- calls, waits, ranges ---- */

static uint32_t thread_of(struct kineto *k, const json_t *event)
{
	uint32_t process = build_process(k->c, integer_of(event, "pid", 0), k->err);
	return process == CAPTURE_NONE ? CAPTURE_NONE
				       : build_thread(k->c, process, integer_of(event, "tid", 0), k->err);
}

static bool add_call(struct kineto *k, const char *name, const json_t *event, const json_t *args,
	int64_t start, int64_t length)
{
	uint32_t thread = thread_of(k, event);
	struct kineto_call *calls =
		list_room(k->calls, k->call_count, sizeof(*calls), "reading calls", k->err);
	if (!calls || thread == CAPTURE_NONE)
		return false;
	k->calls = calls;
	calls[k->call_count] = (struct kineto_call){
		.correlation = integer_of(args, "correlation", -1),
		.start_ns = start,
		.end_ns = start + length,
		.thread = thread,
		.name = build_text(k->c, name, k->err),
	};
	return calls[k->call_count++].name != NULL;
}

static bool add_record(struct kineto *k, const json_t *args, int64_t correlation)
{
	if (correlation < 0)
		return true;
	uint32_t stream;
	struct kineto_record *records =
		list_room(k->records, k->record_count, sizeof(*records), "reading waits", k->err);
	if (!records)
		return false;
	k->records = records;
	if (!stream_of(k, args, "wait_on_stream", &stream))
		return false;
	if (stream != CAPTURE_NONE)
		records[k->record_count++] = (struct kineto_record){correlation, stream};
	return true;
}

/* The thread is that of the call with the same correlation (kineto_join()); until then the wait has its
 * number in call_ns. */
static bool add_sync(struct kineto *k, const json_t *args)
{
	static const struct {
		const char *name;
		enum capture_wait_kind kind;
	} kinds[] = {
		{"Stream Sync", CAPTURE_WAIT_STREAM},
		{"Context Sync", CAPTURE_WAIT_DEVICE},
		{"Event Sync", CAPTURE_WAIT_EVENT},
		{"Stream Wait Event", CAPTURE_STREAM_WAIT_EVENT},
	};
	const char *kind = json_string_value(json_object_get(args, "cuda_sync_kind"));
	k->has_syncs = true;
	for (size_t i = 0; kind && i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(kind, kinds[i].name) != 0)
			continue;
		bool of_stream =
			kinds[i].kind == CAPTURE_WAIT_STREAM || kinds[i].kind == CAPTURE_STREAM_WAIT_EVENT;
		int64_t record = integer_of(args, "wait_on_cuda_event_record_corr_id", -1);
		uint32_t stream = CAPTURE_NONE;
		struct capture_wait *w = build_wait(k->c, k->err);
		if (!w || !add_record(k, args, record) ||
			(of_stream && !stream_of(k, args, "stream", &stream)))
			return false;
		w->kind = kinds[i].kind;
		w->stream = stream;
		w->call_ns = integer_of(args, "correlation", -1);
		w->event_number = record >= 0 ? record : CAPTURE_UNKNOWN;
	}
	return true;
}

static bool add_range(struct kineto *k, const char *name, const json_t *event, int64_t start, int64_t length)
{
	uint32_t thread = thread_of(k, event);
	struct capture_range *range = thread == CAPTURE_NONE ? NULL : build_range(k->c, k->err);
	if (!range)
		return false;
	*range = (struct capture_range){build_text(k->c, name, k->err), thread, start, start + length};
	return range->name != NULL;
}

/* {"ph": "M", "name": "process_name", "pid": 1102, "args": {"name": "python3"}}, mostly before the first
 * event of that process. GPUs are processes of that kind, too. */
static bool add_name(struct kineto *k, const char *name, const json_t *event, const json_t *args)
{
	const char *text = json_string_value(json_object_get(args, "name"));
	if (!text || strcmp(name, "process_name") != 0 || !json_is_integer(json_object_get(event, "pid")))
		return true;
	struct kineto_name *names =
		list_room(k->names, k->name_count, sizeof(*names), "reading names", k->err);
	if (!names)
		return false;
	k->names = names;
	names[k->name_count] =
		(struct kineto_name){integer_of(event, "pid", -1), build_text(k->c, text, k->err)};
	return names[k->name_count++].name != NULL;
}

static void name_processes(struct kineto *k)
{
	for (size_t i = 0; i < k->name_count; i++) {
		uint32_t process = build_find_process(k->c, k->names[i].pid);
		if (process != CAPTURE_NONE)
			k->c->processes[process].name = k->names[i].name;
	}
}

/* ---- the event ---- */

static bool add_event(struct kineto *k, const json_t *event, const char *text, size_t text_length)
{
	const char *name = json_string_value(json_object_get(event, "name"));
	const char *phase = json_string_value(json_object_get(event, "ph"));
	const json_t *args = json_object_get(event, "args");
	enum category category = category_of(json_string_value(json_object_get(event, "cat")));
	int64_t start, length;
	name = name ? name : "";
	if (phase && strcmp(phase, "M") == 0)
		return add_name(k, name, event, args);
	if (!phase || strcmp(phase, "X") != 0 || category == OTHER)
		return true;
	if (!time_of(k, text, text_length, "ts", &start))
		return kineto_error(k, "'ts' of an event must be a number of microseconds");
	if (!time_of(k, text, text_length, "dur", &length) || length < 0) {
		k->no_end++;
		return true;
	}
	switch (category) {
	case KERNEL:
	case MEMCPY:
	case MEMSET:
		return add_work(k, category, name, args, start, length);
	case CALL:
		return add_call(k, name, event, args, start, length);
	case SYNC:
		return add_sync(k, args);
	default:
		return add_range(k, name, event, start, length);
	}
}

bool kineto_event(struct kineto *k, const char *text, size_t length)
{
	json_error_t trouble;
	bool no_memory;
	json_t *event = json_read(&k->scratch, text, length, JSON_DECODE_ANY, &trouble, &no_memory);
	if (!event && no_memory)
		return error_memory(k->err, "reading a trace");
	if (!event)
		return kineto_error(k, "this event is not JSON: %s", trouble.text);
	if (!json_is_object(event))
		return kineto_error(k, "an event must be an object");
	return add_event(k, event, text, length);
}

/* ---- calls and work ---- */

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Of calls with one number the outer one first. */
static int by_correlation(const void *a, const void *b)
{
	const struct kineto_call *x = a, *y = b;
	int order = compare(x->correlation, y->correlation);
	if (order == 0)
		order = compare(x->start_ns, y->start_ns);
	return order ? order : compare(y->end_ns, x->end_ns);
}

static const struct kineto_call *find_call(const struct kineto *k, int64_t correlation)
{
	size_t low = 0, high = k->call_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (k->calls[middle].correlation < correlation)
			low = middle + 1;
		else
			high = middle;
	}
	return low < k->call_count && k->calls[low].correlation == correlation ? &k->calls[low] : NULL;
}

static bool begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

static void join_work(struct kineto *k)
{
	for (uint32_t i = 0; i < k->c->operation_count; i++) {
		struct capture_operation *o = &k->c->operations[i];
		const struct kineto_call *call = find_call(k, (int64_t)o->correlation);
		if (!call)
			continue;
		o->thread = call->thread;
		o->call_ns = call->start_ns;
		o->return_ns = call->end_ns;
		o->blocks_caller = begins(call->name, "cudaMemcpy") && !strstr(call->name, "Async");
		o->in_graph |= strstr(call->name, "GraphLaunch") != NULL;
	}
}

/* Waits without a call are left out: nobody knows who waited. A call that only asks (cudaEventQuery) makes
 * nobody wait. */
static void join_waits(struct kineto *k)
{
	struct capture *c = k->c;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < c->wait_count; i++) {
		struct capture_wait w = c->waits[i];
		const struct kineto_call *call = find_call(k, w.call_ns);
		if (!call || strstr(call->name, "Query"))
			continue;
		w.thread = call->thread;
		w.call_ns = call->start_ns;
		w.return_ns = call->end_ns;
		c->waits[kept++] = w;
	}
	c->wait_count = kept;
}

/* Older traces have the calls alone: who waited, but not for which stream. */
static bool waits_from_calls(struct kineto *k)
{
	for (size_t i = 0; i < k->call_count; i++) {
		const struct kineto_call *call = &k->calls[i];
		bool device =
			begins(call->name, "cudaDeviceSynchronize") || begins(call->name, "cuCtxSynchronize");
		bool stream = begins(call->name, "cudaStreamSynchronize"),
		     event = begins(call->name, "cudaEventSync");
		bool stream_waits = begins(call->name, "cudaStreamWaitEvent");
		if (!device && !stream && !event && !stream_waits)
			continue;
		struct capture_wait *w = build_wait(k->c, k->err);
		if (!w)
			return false;
		w->kind = device   ? CAPTURE_WAIT_DEVICE
			  : stream ? CAPTURE_WAIT_STREAM
			  : event  ? CAPTURE_WAIT_EVENT
				   : CAPTURE_STREAM_WAIT_EVENT;
		w->thread = call->thread;
		w->call_ns = call->start_ns;
		w->return_ns = call->end_ns;
	}
	return true;
}

static int by_record(const void *a, const void *b)
{
	const struct kineto_record *x = a, *y = b;
	return compare(x->correlation, y->correlation);
}

/* An event is known by the number of the call that recorded it. Its stream is known if a stream waited for
 * it.
 */
static bool records_from_calls(struct kineto *k)
{
	if (k->record_count > 1)
		qsort(k->records, k->record_count, sizeof(*k->records), by_record);
	for (size_t i = 0; i < k->call_count; i++) {
		const struct kineto_call *call = &k->calls[i];
		if (!begins(call->name, "cudaEventRecord") && !begins(call->name, "cuEventRecord"))
			continue;
		struct capture_event *e = build_event(k->c, k->err);
		if (!e)
			return false;
		e->process = k->c->threads[call->thread].process;
		e->thread = call->thread;
		e->number = call->correlation;
		const struct kineto_record key = {.correlation = call->correlation}, *record = NULL;
		if (k->record_count > 0)
			record = bsearch(&key, k->records, k->record_count, sizeof(key), by_record);
		e->stream = record ? record->stream : CAPTURE_NONE;
		e->call_ns = call->start_ns;
	}
	return true;
}

bool kineto_join(struct kineto *k)
{
	if (k->c->process_count == 0 && build_process(k->c, 0, k->err) == CAPTURE_NONE)
		return false; /* a trace of work alone; streams are of process 0 */
	if (k->call_count > 1)
		qsort(k->calls, k->call_count, sizeof(*k->calls), by_correlation);
	name_processes(k);
	join_work(k);
	join_waits(k);
	return (k->has_syncs || waits_from_calls(k)) && records_from_calls(k);
}
