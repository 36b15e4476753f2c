/* captures/build.c - see captures/build.h. */
#include "captures/build.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "captures/numbers.h"

#define READING "reading a capture"

/* ---- lists ---- */

/* A new last element of c->LIST; NULL: out of memory. */
#define ADDED(c, list, count, err)                                                                           \
	(list_grown((void **)&(c)->list, &(c)->count, sizeof(*(c)->list), err)                               \
			? memset(&(c)->list[(c)->count - 1], 0, sizeof(*(c)->list))                          \
			: NULL)

static bool list_grown(void **list, uint32_t *count, size_t size, struct error *err)
{
	if (*count == UINT32_MAX - 1)
		return error_set(err, STATUS_INPUT, "the capture has more than %u rows of one kind", *count);
	void *grown = list_room(*list, *count, size, READING, err);
	if (!grown)
		return false;
	*list = grown;
	++*count;
	return true;
}

struct capture_operation *build_operation(struct capture *c, struct error *err)
{
	struct capture_operation *o = ADDED(c, operations, operation_count, err);
	if (!o)
		return NULL;
	o->name = "";
	o->stream = o->thread = CAPTURE_NONE;
	o->call_ns = o->return_ns = o->shared_memory_carve_out = CAPTURE_UNKNOWN;
	return o;
}

struct capture_wait *build_wait(struct capture *c, struct error *err)
{
	struct capture_wait *w = ADDED(c, waits, wait_count, err);
	if (!w)
		return NULL;
	w->thread = w->stream = w->event = CAPTURE_NONE;
	w->event_number = CAPTURE_UNKNOWN;
	return w;
}

struct capture_event *build_event(struct capture *c, struct error *err)
{
	struct capture_event *e = ADDED(c, events, event_count, err);
	if (!e)
		return NULL;
	e->stream = e->thread = CAPTURE_NONE;
	e->call_ns = CAPTURE_UNKNOWN;
	return e;
}

struct capture_range *build_range(struct capture *c, struct error *err)
{
	return ADDED(c, ranges, range_count, err);
}

struct capture_running *build_running(struct capture *c, struct error *err)
{
	return ADDED(c, running, running_count, err);
}

struct capture_context_slice *build_slice(struct capture *c, struct error *err)
{
	return ADDED(c, slices, slice_count, err);
}

/* ---- what has a number ---- */

/* A new element stays only if its number is noted; otherwise it would be made again. */
static uint32_t noted(struct capture *c, const struct number *number, uint32_t *count, struct error *err)
{
	if (numbers_add(&c->numbers, number, *count - 1, err))
		return *count - 1;
	--*count;
	return CAPTURE_NONE;
}

uint32_t build_device(struct capture *c, int64_t device, struct error *err)
{
	const struct number number = {.kind = NUMBERED_GPU, .number = device};
	uint32_t found = numbers_find(c->numbers, &number);
	if (found != CAPTURE_NONE)
		return found;
	struct capture_gpu *gpu = ADDED(c, gpus, gpu_count, err);
	if (!gpu)
		return CAPTURE_NONE;
	*gpu = (struct capture_gpu){.name = "", .device = device};
	return noted(c, &number, &c->gpu_count, err);
}

uint32_t build_find_process(const struct capture *c, int64_t pid)
{
	return numbers_find(c->numbers, &(struct number){.kind = NUMBERED_PROCESS, .number = pid});
}

uint32_t build_process(struct capture *c, int64_t pid, struct error *err)
{
	uint32_t found = build_find_process(c, pid);
	if (found != CAPTURE_NONE)
		return found;
	struct capture_process *process = ADDED(c, processes, process_count, err);
	if (!process)
		return CAPTURE_NONE;
	*process = (struct capture_process){.pid = pid, .name = ""};
	return noted(c, &(struct number){.kind = NUMBERED_PROCESS, .number = pid}, &c->process_count, err);
}

uint32_t build_find_thread(const struct capture *c, uint32_t process, int64_t tid)
{
	return numbers_find(
		c->numbers, &(struct number){.kind = NUMBERED_THREAD, .process = process, .number = tid});
}

uint32_t build_thread(struct capture *c, uint32_t process, int64_t tid, struct error *err)
{
	uint32_t found = build_find_thread(c, process, tid);
	if (found != CAPTURE_NONE)
		return found;
	struct capture_thread *thread = ADDED(c, threads, thread_count, err);
	if (!thread)
		return CAPTURE_NONE;
	*thread = (struct capture_thread){.process = process, .tid = tid, .name = ""};
	return noted(c, &(struct number){.kind = NUMBERED_THREAD, .process = process, .number = tid},
		&c->thread_count, err);
}

uint32_t build_find_stream(const struct capture *c, uint32_t process, int64_t context, int64_t number)
{
	return numbers_find(c->numbers, &(struct number){.kind = NUMBERED_STREAM_OF_CONTEXT,
						.process = process,
						.context = context,
						.number = number});
}

uint32_t build_stream(
	struct capture *c, uint32_t process, uint32_t gpu, int64_t context, int64_t number, struct error *err)
{
	const struct number whole = {NUMBERED_STREAM, process, gpu, context, number};
	const struct number any = {NUMBERED_STREAM_OF_CONTEXT, process, 0, context, number};
	uint32_t found = numbers_find(c->numbers, &whole);
	if (found != CAPTURE_NONE)
		return found;
	struct capture_stream *stream = ADDED(c, streams, stream_count, err);
	if (!stream)
		return CAPTURE_NONE;
	*stream =
		(struct capture_stream){.process = process, .gpu = gpu, .context = context, .number = number};
	uint32_t index = noted(c, &whole, &c->stream_count, err);
	if (index == CAPTURE_NONE || numbers_find(c->numbers, &any) != CAPTURE_NONE)
		return index;
	return numbers_add(&c->numbers, &any, index, err) ? index : CAPTURE_NONE;
}

/* ---- texts ---- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

const char *build_text(struct capture *c, const char *text, struct error *err)
{
	if (!text || !*text)
		return "";
	char *copy = arena_strdup(&c->arena, text);
	if (!copy)
		error_memory(err, READING);
	for (size_t end = copy ? strlen(copy) : 0; end > 0 && is_blank(copy[end - 1]); end--)
		copy[end - 1] = '\0';
	return copy;
}

bool build_note(struct capture *c, struct error *err, const char *fmt, ...)
{
	char note[400];
	va_list args;
	va_start(args, fmt);
	vsnprintf(note, sizeof(note), fmt, args);
	va_end(args);
	const char *text = build_text(c, note, err);
	const char **place = text ? ADDED(c, notes, note_count, err) : NULL;
	if (place)
		*place = text;
	return place != NULL;
}

/* ---- the end ---- */

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int64_t known(int64_t time, int64_t otherwise)
{
	return time == CAPTURE_UNKNOWN ? otherwise : time;
}

static int by_call(const void *a, const void *b)
{
	const struct capture_operation *x = a, *y = b;
	int order = compare(known(x->call_ns, x->start_ns), known(y->call_ns, y->start_ns));
	return order ? order : compare(x->start_ns, y->start_ns);
}

static int by_wait(const void *a, const void *b)
{
	const struct capture_wait *x = a, *y = b;
	int order = compare(x->call_ns, y->call_ns);
	return order ? order : compare(x->return_ns, y->return_ns);
}

static int by_record(const void *a, const void *b)
{
	const struct capture_event *x = a, *y = b;
	int order = compare(x->call_ns, y->call_ns);
	return order ? order : compare(x->number, y->number);
}

/* Of ranges that begin together the longest first: it is around the others. */
static int by_begin(const void *a, const void *b)
{
	const struct capture_range *x = a, *y = b;
	int order = compare(x->start_ns, y->start_ns);
	return order ? order : compare(y->end_ns, x->end_ns);
}

static int by_running(const void *a, const void *b)
{
	const struct capture_running *x = a, *y = b;
	int order = compare(x->start_ns, y->start_ns);
	return order ? order : compare(x->cpu, y->cpu);
}

static int by_slice(const void *a, const void *b)
{
	const struct capture_context_slice *x = a, *y = b;
	return compare(x->start_ns, y->start_ns);
}

static void sort(void *list, uint32_t count, size_t size, int (*order)(const void *, const void *))
{
	if (count > 1)
		qsort(list, count, size, order);
}

static int by_end(const void *a, const void *b)
{
	const struct capture_ending *x = a, *y = b;
	int order = compare(x->end_ns, y->end_ns);
	return order ? order : compare(x->operation, y->operation);
}

void capture_sort_endings(struct capture_ending *endings, uint32_t count)
{
	sort(endings, count, sizeof(*endings), by_end);
}

static void earlier(int64_t *first, int64_t time)
{
	if (time != CAPTURE_UNKNOWN && time < *first)
		*first = time;
}

/* The first instant at which the application did something. Threads of the whole machine do not count. */
static int64_t first_instant(const struct capture *c)
{
	int64_t first = INT64_MAX;
	for (uint32_t i = 0; i < c->operation_count; i++) {
		earlier(&first, c->operations[i].call_ns);
		earlier(&first, c->operations[i].start_ns);
	}
	for (uint32_t i = 0; i < c->wait_count; i++)
		earlier(&first, c->waits[i].call_ns);
	for (uint32_t i = 0; i < c->event_count; i++)
		earlier(&first, c->events[i].call_ns);
	for (uint32_t i = 0; i < c->range_count; i++)
		earlier(&first, c->ranges[i].start_ns);
	return first == INT64_MAX ? 0 : first;
}

static void shift(int64_t *time, int64_t by)
{
	if (*time != CAPTURE_UNKNOWN)
		*time -= by;
}

static void begin_at_zero(struct capture *c, int64_t first)
{
	c->start_ns += first;
	for (uint32_t i = 0; i < c->operation_count; i++) {
		struct capture_operation *o = &c->operations[i];
		shift(&o->call_ns, first);
		shift(&o->return_ns, first);
		shift(&o->start_ns, first);
		shift(&o->end_ns, first);
	}
	for (uint32_t i = 0; i < c->wait_count; i++) {
		shift(&c->waits[i].call_ns, first);
		shift(&c->waits[i].return_ns, first);
	}
	for (uint32_t i = 0; i < c->event_count; i++)
		shift(&c->events[i].call_ns, first);
	for (uint32_t i = 0; i < c->range_count; i++) {
		shift(&c->ranges[i].start_ns, first);
		shift(&c->ranges[i].end_ns, first);
	}
	for (uint32_t i = 0; i < c->running_count; i++) {
		shift(&c->running[i].start_ns, first);
		shift(&c->running[i].end_ns, first);
	}
	for (uint32_t i = 0; i < c->slice_count; i++) {
		shift(&c->slices[i].start_ns, first);
		shift(&c->slices[i].end_ns, first);
	}
}

/* Records by process, event and time. */
struct record {
	uint32_t process, index;
	int64_t number, call_ns;
};

static int by_event(const void *a, const void *b)
{
	const struct record *x = a, *y = b;
	int order = compare(x->process, y->process);
	if (order == 0)
		order = compare(x->number, y->number);
	return order ? order : compare(x->call_ns, y->call_ns);
}

/* The latest record of the event before the call; CAPTURE_NONE: there is none. */
static uint32_t recorded_before(const struct record *records, uint32_t count, const struct record *wait)
{
	uint32_t low = 0, high = count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (by_event(&records[middle], wait) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || records[low - 1].process != wait->process || records[low - 1].number != wait->number)
		return CAPTURE_NONE;
	return records[low - 1].index;
}

static bool match_events(struct capture *c, struct error *err)
{
	struct record *records = malloc(((size_t)c->event_count + 1) * sizeof(*records));
	if (!records)
		return error_memory(err, READING);
	for (uint32_t i = 0; i < c->event_count; i++)
		records[i] =
			(struct record){c->events[i].process, i, c->events[i].number, c->events[i].call_ns};
	sort(records, c->event_count, sizeof(*records), by_event);
	for (uint32_t i = 0; i < c->wait_count; i++) {
		struct capture_wait *w = &c->waits[i];
		if (w->event_number == CAPTURE_UNKNOWN || w->thread == CAPTURE_NONE)
			continue;
		const struct record wait = {c->threads[w->thread].process, 0, w->event_number, w->call_ns};
		w->event = recorded_before(records, c->event_count, &wait);
	}
	free(records);
	return true;
}

void build_sort_running(struct capture *c)
{
	sort(c->running, c->running_count, sizeof(*c->running), by_running);
}

bool build_finish(struct capture *c, struct error *err)
{
	sort(c->operations, c->operation_count, sizeof(*c->operations), by_call);
	sort(c->waits, c->wait_count, sizeof(*c->waits), by_wait);
	sort(c->events, c->event_count, sizeof(*c->events), by_record);
	sort(c->ranges, c->range_count, sizeof(*c->ranges), by_begin);
	build_sort_running(c);
	sort(c->slices, c->slice_count, sizeof(*c->slices), by_slice);
	begin_at_zero(c, first_instant(c));
	numbers_destroy(c->numbers);
	c->numbers = NULL;
	return match_events(c, err);
}

void capture_finish(struct capture *c)
{
	free(c->gpus);
	free(c->processes);
	free(c->threads);
	free(c->streams);
	free(c->operations);
	free(c->waits);
	free(c->events);
	free(c->ranges);
	free(c->running);
	free(c->slices);
	free(c->notes);
	numbers_destroy(c->numbers);
	arena_finish(&c->arena);
	*c = (struct capture){0};
}
