/* captures/nsys_work.c - what an export of Nsight Systems says of the work of GPUs: kernels, copies, memsets;
 * the calls that issued it; what threads and streams wait for.
 *
 * Work and call belong together by process and correlation number: processes count by themselves. Old exports
 * have some calls twice, as cudaMemcpy and cudaMemcpy_v3020, the second under a class of its own: only
 * classes 0 (CUDA runtime) and 1 (driver) count, and the outer of two that nest. */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "captures/nsys.h"

enum event_class { CLASS_RUNTIME = 0, CLASS_DRIVER = 1 };

/* ---- calls ---- */

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_correlation(const void *a, const void *b)
{
	const struct nsys_call *x = a, *y = b;
	int order = compare(x->process, y->process);
	return order ? order : compare(x->correlation, y->correlation);
}

static int by_correlation_and_start(const void *a, const void *b)
{
	const struct nsys_call *x = a, *y = b;
	int order = by_correlation(a, b);
	if (order == 0)
		order = compare(x->start_ns, y->start_ns);
	return order ? order : compare(y->end_ns, x->end_ns);
}

const struct nsys_call *nsys_call(const struct nsys *n, int64_t process, int64_t correlation)
{
	const struct nsys_call key = {.process = process, .correlation = correlation};
	return n->call_count ? bsearch(&key, n->calls, n->call_count, sizeof(key), by_correlation) : NULL;
}

static void keep_outer(struct nsys *n)
{
	size_t kept = 0;
	if (n->call_count == 0)
		return;
	qsort(n->calls, n->call_count, sizeof(*n->calls), by_correlation_and_start);
	for (size_t i = 0; i < n->call_count; i++)
		if (kept == 0 || by_correlation(&n->calls[kept - 1], &n->calls[i]) != 0)
			n->calls[kept++] = n->calls[i];
	n->call_count = kept;
}

bool nsys_read_calls(struct nsys *n)
{
	struct nsys_rows rows = nsys_rows(&n->db, "CUPTI_ACTIVITY_KIND_RUNTIME",
		"start end globalTid correlationId nameId eventClass", NULL);
	while (nsys_next(&rows)) {
		int64_t class = nsys_integer(&rows, 5, CLASS_RUNTIME), start, end;
		if ((class != CLASS_RUNTIME && class != CLASS_DRIVER) || nsys_null(&rows, 2) ||
			nsys_null(&rows, 3) || !nsys_time(&rows, 0, &start))
			continue;
		if (!nsys_time(&rows, 1, &end) || end < start)
			end = start; /* the recording ended before it did */
		struct nsys_call *calls =
			list_room(n->calls, n->call_count, sizeof(*calls), "reading calls", n->err);
		rows.ok = calls != NULL;
		if (!calls)
			break;
		n->calls = calls;
		int64_t thread = nsys_integer(&rows, 2, 0);
		calls[n->call_count++] = (struct nsys_call){
			.process = thread / NSYS_THREADS,
			.correlation = nsys_integer(&rows, 3, 0),
			.thread = thread,
			.start_ns = start,
			.end_ns = end,
			.name = nsys_integer(&rows, 4, -1),
		};
	}
	keep_outer(n);
	return nsys_end(&rows);
}

/* ---- work ---- */

/* The columns that kernels, copies and memsets have in common. */
#define COMMON "start end deviceId contextId streamId correlationId globalPid graphNodeId "
enum { START, END, DEVICE, CONTEXT, STREAM, CORRELATION, PROCESS, NODE, OWN };

/* Whether a call returns only when its copy has ended; those that do not say so in their name. */
static bool is_blocking(const char *name)
{
	return (strncmp(name, "cudaMemcpy", 10) == 0 || strncmp(name, "cuMemcpy", 8) == 0) &&
	       !strstr(name, "Async");
}

static void note_call(struct nsys *n, struct capture_operation *o, const struct nsys_call *call)
{
	const char *name = nsys_string(n, call->name);
	o->call_ns = call->start_ns;
	o->return_ns = call->end_ns;
	o->blocks_caller = is_blocking(name);
	o->in_graph |= strstr(name, "GraphLaunch") != NULL;
}

/* Adds the row's work, with its stream, thread and times. False: out of memory. */
static bool add_operation(struct nsys *n, const struct nsys_rows *rows, struct capture_operation *o)
{
	int64_t global = nsys_integer(rows, PROCESS, 0), correlation = nsys_integer(rows, CORRELATION, -1);
	const struct nsys_call *call = nsys_call(n, global / NSYS_THREADS, correlation);
	uint32_t process = nsys_process(n, global), thread = CAPTURE_NONE;
	uint32_t gpu = build_device(n->c, nsys_integer(rows, DEVICE, 0), n->err);
	if (process == CAPTURE_NONE || gpu == CAPTURE_NONE)
		return false;
	uint32_t stream = build_stream(
		n->c, process, gpu, nsys_integer(rows, CONTEXT, 0), nsys_integer(rows, STREAM, 0), n->err);
	if (call)
		thread = nsys_thread(n, call->thread);
	struct capture_operation *place = build_operation(n->c, n->err);
	if (stream == CAPTURE_NONE || (call && thread == CAPTURE_NONE) || !place)
		return false;
	o->call_ns = o->return_ns = CAPTURE_UNKNOWN;
	o->stream = stream;
	o->thread = thread;
	o->correlation = (uint64_t)correlation;
	o->start_ns = nsys_integer(rows, START, 0);
	o->end_ns = nsys_integer(rows, END, 0);
	o->in_graph = nsys_integer(rows, NODE, 0) != 0;
	if (call)
		note_call(n, o, call);
	*place = *o;
	return true;
}

static bool sensible_times(const struct nsys_rows *rows)
{
	int64_t start, end;
	return nsys_time(rows, START, &start) && nsys_time(rows, END, &end) && end >= start;
}

/* x * y * z, each at least 1; 0: they are not, or it is more than `most`. */
static uint64_t volume(const struct nsys_rows *rows, int column, uint64_t most)
{
	uint64_t product = 1;
	for (int i = 0; i < 3; i++) {
		int64_t side = nsys_integer(rows, column + i, 1);
		if (side < 1 || (uint64_t)side > most / product)
			return 0;
		product *= (uint64_t)side;
	}
	return product;
}

#define MOST_BLOCKS (UINT64_C(1) << 62)
#define MOST_THREADS (UINT64_C(1) << 20)

static bool note_green(struct nsys *n, uint64_t green)
{
	return green == 0 ||
	       build_note(n->c, n->err,
		       "%llu kernels are of green contexts: they had only some of the SMs, and the "
		       "export does "
		       "not say which",
		       (unsigned long long)green);
}

static bool lacks_shape(const struct nsys_rows *rows, int first, int last)
{
	for (int column = first; column <= last; column++)
		if (nsys_null(rows, column))
			return true;
	return false;
}

static bool note_shapeless(struct nsys *n, uint64_t shapeless)
{
	return shapeless == 0 ||
	       build_note(n->c, n->err,
		       "of %llu kernels the export does not say all of grid, block and registers: what it "
		       "does not say is taken as 1, and 0 registers",
		       (unsigned long long)shapeless);
}

struct work_reader {
	struct nsys *nsys;
	/* Rows left out; kernels of green contexts; those of which not all of the shape is said. */
	uint64_t strange, green, shapeless;
};

/* A table of work: its own columns behind the common ones, and what a row of it says. False: that is
 * impossible. */
struct nsys_table {
	const char *name, *columns;
	bool (*fill)(struct work_reader *, const struct nsys_rows *, struct capture_operation *);
};

/* A row is looked at before anything is made for it: streams without work are none. */
static bool read_table(struct work_reader *w, const struct nsys_table *table)
{
	struct nsys_rows rows = nsys_rows(&w->nsys->db, table->name, table->columns, NULL);
	while (nsys_next(&rows)) {
		struct capture_operation own = {.shared_memory_carve_out = CAPTURE_UNKNOWN, .name = ""};
		if (!sensible_times(&rows) || !table->fill(w, &rows, &own)) {
			w->strange++;
			continue;
		}
		rows.ok = add_operation(w->nsys, &rows, &own);
	}
	return nsys_end(&rows);
}

static bool fill_kernel(struct work_reader *w, const struct nsys_rows *rows, struct capture_operation *o)
{
	enum {
		NAME = OWN,
		LONG_NAME,
		GRID,
		BLOCK = GRID + 3,
		REGISTERS = BLOCK + 3,
		STATIC,
		DYNAMIC,
		EXECUTED,
		GREEN
	};
	o->kind = CAPTURE_KERNEL;
	o->grid = volume(rows, GRID, MOST_BLOCKS);
	o->threads = (uint32_t)volume(rows, BLOCK, MOST_THREADS);
	if (o->grid == 0 || o->threads == 0)
		return false;
	o->name = nsys_string(w->nsys, nsys_integer(rows, NAME, nsys_integer(rows, LONG_NAME, -1)));
	o->registers = nsys_count(rows, REGISTERS);
	o->shared_memory = (int64_t)nsys_count(rows, STATIC) + nsys_count(rows, DYNAMIC);
	o->shared_memory_carve_out = nsys_integer(rows, EXECUTED, CAPTURE_UNKNOWN);
	w->green += nsys_integer(rows, GREEN, 0) != 0;
	w->shapeless += lacks_shape(rows, GRID, REGISTERS);
	return true;
}

/* Nsight Systems' numbers of CUpti_ActivityMemcpyKind. */
static enum capture_direction direction_of(int64_t kind)
{
	switch (kind) {
	case 1: /* host to device */
	case 3: /* host to array */
		return CAPTURE_TO_GPU;
	case 2:
	case 4:
		return CAPTURE_TO_CPU;
	case 5:
	case 6:
	case 7:
	case 8:
		return CAPTURE_ON_GPU;
	case 10:
		return CAPTURE_PEER;
	case 11:
	case 12:
	case 13:
		return CAPTURE_MANAGED;
	default:
		return CAPTURE_ELSEWHERE;
	}
}

/* Its numbers of kinds of memory (ENUM_CUDA_MEM_KIND). */
static enum capture_memory memory_of(const struct nsys_rows *rows, int column)
{
	static const enum capture_memory kinds[] = {CAPTURE_PAGEABLE, CAPTURE_PINNED, CAPTURE_DEVICE,
		CAPTURE_DEVICE, CAPTURE_MANAGED_MEMORY, CAPTURE_DEVICE, CAPTURE_MANAGED_MEMORY};
	int64_t kind = nsys_integer(rows, column, -1);
	bool known = kind >= 0 && (size_t)kind < sizeof(kinds) / sizeof(*kinds);
	return known ? kinds[kind] : CAPTURE_MEMORY_UNKNOWN;
}

static bool fill_copy(struct work_reader *w, const struct nsys_rows *rows, struct capture_operation *o)
{
	enum { BYTES = OWN, KIND, FROM, TO };
	(void)w;
	o->kind = CAPTURE_COPY;
	o->bytes = nsys_integer(rows, BYTES, 0);
	o->direction = direction_of(nsys_integer(rows, KIND, 0));
	o->from = memory_of(rows, FROM);
	o->to = memory_of(rows, TO);
	return o->bytes >= 0;
}

static bool fill_memset(struct work_reader *w, const struct nsys_rows *rows, struct capture_operation *o)
{
	enum { BYTES = OWN, KIND };
	(void)w;
	o->kind = CAPTURE_MEMSET;
	o->bytes = nsys_integer(rows, BYTES, 0);
	o->direction = CAPTURE_ON_GPU;
	o->to = memory_of(rows, KIND);
	return o->bytes >= 0;
}

bool nsys_read_work(struct nsys *n)
{
	static const struct nsys_table tables[] = {
		{"CUPTI_ACTIVITY_KIND_KERNEL",
			COMMON "shortName demangledName gridX gridY gridZ blockX blockY blockZ "
			       "registersPerThread "
			       "staticSharedMemory dynamicSharedMemory sharedMemoryExecuted greenContextId",
			fill_kernel},
		{"CUPTI_ACTIVITY_KIND_MEMCPY", COMMON "bytes copyKind srcKind dstKind", fill_copy},
		{"CUPTI_ACTIVITY_KIND_MEMSET", COMMON "bytes memKind", fill_memset},
	};
	struct work_reader w = {.nsys = n};
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		if (!read_table(&w, &tables[i]))
			return false;
	return note_green(n, w.green) && note_shapeless(n, w.shapeless) &&
	       (w.strange == 0 ||
		       build_note(n->c, n->err,
			       "%llu rows of kernels, copies or memsets were left out: their times or "
			       "sizes are missing or impossible",
			       (unsigned long long)w.strange));
}

/* ---- waits and events ---- */

/* The index of a stream that work is on, or CAPTURE_NONE: nothing is, so nobody waits for it. */
static uint32_t find_stream(const struct nsys *n, const struct nsys_rows *rows, int64_t global, int context)
{
	uint32_t process = build_find_process(n->c, global / NSYS_THREADS);
	return process == CAPTURE_NONE ? CAPTURE_NONE
				       : build_find_stream(n->c, process, nsys_integer(rows, context, 0),
						 nsys_integer(rows, context + 1, 0));
}

/* Numbers of events are of 32 bits; all ones is none. */
static int64_t event_number(int64_t number)
{
	return (uint32_t)number == UINT32_MAX ? CAPTURE_UNKNOWN : number;
}

static bool read_records(struct nsys *n)
{
	struct nsys_rows rows = nsys_rows(&n->db, "CUPTI_ACTIVITY_KIND_CUDA_EVENT",
		"globalPid contextId streamId correlationId eventId", NULL);
	while (nsys_next(&rows)) {
		int64_t global = nsys_integer(&rows, 0, 0);
		const struct nsys_call *call =
			nsys_call(n, global / NSYS_THREADS, nsys_integer(&rows, 3, -1));
		uint32_t process = nsys_process(n, global), thread = CAPTURE_NONE;
		if (call)
			thread = nsys_thread(n, call->thread);
		struct capture_event *e = build_event(n->c, n->err);
		rows.ok = e && process != CAPTURE_NONE && (!call || thread != CAPTURE_NONE);
		if (!rows.ok)
			break;
		e->process = process;
		e->thread = thread;
		e->stream = find_stream(n, &rows, global, 1);
		e->number = nsys_integer(&rows, 4, 0);
		e->call_ns = call ? call->start_ns : CAPTURE_UNKNOWN;
	}
	return nsys_end(&rows);
}

/* CUpti_ActivitySynchronizationType. False: none that makes anybody wait. */
static bool wait_kind(int64_t type, enum capture_wait_kind *kind)
{
	static const enum capture_wait_kind kinds[] = {
		CAPTURE_WAIT_EVENT, CAPTURE_STREAM_WAIT_EVENT, CAPTURE_WAIT_STREAM, CAPTURE_WAIT_DEVICE};
	if (type < 1 || type > 4)
		return false;
	*kind = kinds[type - 1];
	return true;
}

/* What a call waits for, by its name; false: for nothing. */
static bool waits_by_name(const char *name, enum capture_wait_kind *kind)
{
	static const struct {
		const char *begin;
		enum capture_wait_kind kind;
	} calls[] = {
		{"cudaDeviceSynchronize", CAPTURE_WAIT_DEVICE},
		{"cudaThreadSynchronize", CAPTURE_WAIT_DEVICE},
		{"cuCtxSynchronize", CAPTURE_WAIT_DEVICE},
		{"cudaStreamSynchronize", CAPTURE_WAIT_STREAM},
		{"cuStreamSynchronize", CAPTURE_WAIT_STREAM},
		{"cudaEventSynchronize", CAPTURE_WAIT_EVENT},
		{"cuEventSynchronize", CAPTURE_WAIT_EVENT},
		{"cudaStreamWaitEvent", CAPTURE_STREAM_WAIT_EVENT},
		{"cuStreamWaitEvent", CAPTURE_STREAM_WAIT_EVENT},
	};
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		*kind = calls[i].kind;
		if (strncmp(name, calls[i].begin, strlen(calls[i].begin)) == 0)
			return true;
	}
	return false;
}

static bool read_syncs(struct nsys *n)
{
	struct nsys_rows rows = nsys_rows(&n->db, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
		"start end globalPid contextId streamId correlationId syncType eventId", NULL);
	while (nsys_next(&rows)) {
		enum capture_wait_kind kind;
		int64_t global = nsys_integer(&rows, 2, 0), start, end;
		const struct nsys_call *call =
			nsys_call(n, global / NSYS_THREADS, nsys_integer(&rows, 5, -1));
		/* Numbers of types differ between versions; in exports of 2021 2 is cudaEventSynchronize. */
		bool named = call && waits_by_name(nsys_string(n, call->name), &kind);
		if ((!named && !wait_kind(nsys_integer(&rows, 6, 0), &kind)) || !nsys_time(&rows, 0, &start))
			continue;
		if (!nsys_time(&rows, 1, &end) || end < start)
			end = start;
		uint32_t thread = call ? nsys_thread(n, call->thread) : CAPTURE_NONE;
		struct capture_wait *w = build_wait(n->c, n->err);
		rows.ok = w && (!call || thread != CAPTURE_NONE);
		if (!rows.ok)
			break;
		w->kind = kind;
		w->thread = thread;
		w->call_ns = call ? call->start_ns : start;
		w->return_ns = call ? call->end_ns : end;
		if (kind == CAPTURE_WAIT_STREAM || kind == CAPTURE_STREAM_WAIT_EVENT)
			w->stream = find_stream(n, &rows, global, 3);
		if (kind == CAPTURE_WAIT_EVENT || kind == CAPTURE_STREAM_WAIT_EVENT)
			w->event_number = event_number(nsys_integer(&rows, 7, CAPTURE_UNKNOWN));
	}
	return nsys_end(&rows);
}

/* Exports without a table of synchronisation have only the calls: who waited, but not for which stream. */
static bool waits_from_calls(struct nsys *n)
{
	for (size_t i = 0; i < n->call_count; i++) {
		const struct nsys_call *call = &n->calls[i];
		enum capture_wait_kind kind;
		if (!waits_by_name(nsys_string(n, call->name), &kind))
			continue;
		uint32_t thread = nsys_thread(n, call->thread);
		struct capture_wait *w = build_wait(n->c, n->err);
		if (!w || thread == CAPTURE_NONE)
			return false;
		w->kind = kind;
		w->thread = thread;
		w->call_ns = call->start_ns;
		w->return_ns = call->end_ns;
	}
	return true;
}

bool nsys_read_waits(struct nsys *n)
{
	bool has;
	if (!read_records(n) || !nsys_has(&n->db, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", &has))
		return false;
	return has ? read_syncs(n) : waits_from_calls(n);
}
