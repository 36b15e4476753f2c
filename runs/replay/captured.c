/* runs/replay/captured.c - the steps of the replay of a profile: what is simulated together, releases, the
 * simulation, errors. */
#include "runs/replay/captured.h"

#include <stdlib.h>
#include <string.h>

#include "runs/replay/captured_parts.h"

/* What a processor's caches hold, and more work than is under way at a time in most files. */
#define PART_BYTES (UINT64_C(8) << 20)

/* ---- what is simulated together ---- */

static enum captured_kind kind_of(const struct capture_operation *o)
{
	if (o->kind == CAPTURE_KERNEL)
		return CAPTURED_KERNEL;
	if (o->kind == CAPTURE_MEMSET)
		return CAPTURED_MEMSET;
	return o->direction == CAPTURE_TO_GPU   ? CAPTURED_TO_GPU
	       : o->direction == CAPTURE_TO_CPU ? CAPTURED_TO_CPU
						: CAPTURED_ON_GPU;
}

static uint32_t unit_of(struct captured *c, const struct captured_request *q, const struct capture_stream *s)
{
	uint32_t process = q->together ? 0 : s->process;
	for (uint32_t i = 0; i < c->unit_count; i++)
		if (c->units[i].process == process && c->units[i].gpu == s->gpu)
			return i;
	c->units[c->unit_count] = (struct captured_unit){.process = process, .gpu = s->gpu};
	return c->unit_count++;
}

static bool fill_units(struct captured *c, struct arena *arena, const struct captured_request *q)
{
	c->units = arena_new(arena, struct captured_unit, q->capture->stream_count);
	if (!c->units)
		return false;
	for (uint32_t i = 0; i < c->count; i++) {
		struct captured_operation *o = &c->operations[i];
		o->unit = unit_of(c, q, captured_stream(c, o));
		c->units[o->unit].count++;
	}
	for (uint32_t u = 0; u < c->unit_count; u++) {
		c->units[u].operations = arena_new(arena, uint32_t, c->units[u].count);
		if (!c->units[u].operations)
			return false;
		c->units[u].count = 0;
	}
	for (uint32_t i = 0; i < c->count; i++) {
		struct captured_unit *u = &c->units[c->operations[i].unit];
		u->operations[u->count++] = i;
	}
	return true;
}

static bool fill_platforms(struct captured *c, const struct captured_request *q, struct error *err)
{
	for (uint32_t i = 0; i < c->unit_count; i++) {
		struct captured_unit *u = &c->units[i];
		if (q->platform)
			u->platform = *q->platform;
		else if (!captured_platform(&u->platform, q->capture, u->gpu, q->carveout, err))
			return false;
		/* No file says how streams share hardware queues: each has one. */
		if (u->platform.work_queues < q->capture->stream_count)
			u->platform.work_queues = q->capture->stream_count;
	}
	return true;
}

/* The model orders the NULL stream with all others or with none. */
static void look_at_streams(struct captured *c, const struct captured_request *q)
{
	for (uint32_t i = 0; i < c->unit_count; i++) {
		struct captured_unit *u = &c->units[i];
		bool null = false, ordered = false, apart = false;
		u->one_stream = !q->recorded;
		for (uint32_t j = 0; j < u->count; j++) {
			const struct captured_operation *o = &c->operations[u->operations[j]];
			enum capture_stream_kind kind = captured_stream(c, o)->kind;
			u->one_stream &= o->op->stream == c->operations[u->operations[0]].op->stream;
			bool blocks = kind == CAPTURE_STREAM_BLOCKING ||
				      (kind == CAPTURE_STREAM_UNKNOWN && q->unknown_blocks);
			null |= kind == CAPTURE_STREAM_NULL;
			ordered |= kind != CAPTURE_STREAM_NULL && blocks;
			apart |= kind != CAPTURE_STREAM_NULL && !blocks;
		}
		u->null_orders = null && ordered;
		c->mixed_streams |= u->null_orders && apart;
	}
}

/* ---- processes that took turns ---- */

static int by_start(const void *a, const void *b)
{
	const struct captured_operation *const *x = a, *const *y = b;
	if ((*x)->op->start_ns != (*y)->op->start_ns)
		return (*x)->op->start_ns < (*y)->op->start_ns ? -1 : 1;
	return (*x > *y) - (*x < *y);
}

/* Whether kernels of different units ran at once on one GPU. `end_of` [gpus]: the latest end so far, and
 * whose it is. */
static bool ran_at_once(const struct captured *c, const struct captured_operation **order,
	const struct captured_operation **latest)
{
	for (uint32_t i = 0; i < c->count; i++) {
		const struct captured_operation *o = order[i], **last = &latest[captured_stream(c, o)->gpu];
		if (o->kind != CAPTURED_KERNEL)
			continue;
		if (*last && (*last)->unit != o->unit && o->op->start_ns < (*last)->op->end_ns)
			return true;
		if (!*last || o->op->end_ns > (*last)->op->end_ns)
			*last = o;
	}
	return false;
}

/* Whether another process had the GPU between when the operation was due and its end. Slices are in order of
 * begin, and those of a GPU do not overlap. */
static bool is_sliced(const struct capture *capture, const struct captured_operation *o)
{
	const struct capture_stream *s = &capture->streams[o->op->stream];
	uint32_t low = 0, high = capture->slice_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (capture->slices[middle].start_ns < o->op->end_ns)
			low = middle + 1;
		else
			high = middle;
	}
	int64_t from = o->due_ns < o->op->start_ns ? o->due_ns : o->op->start_ns;
	for (uint32_t i = low; i > 0; i--) {
		const struct capture_context_slice *slice = &capture->slices[i - 1];
		if (slice->gpu != s->gpu)
			continue;
		if (slice->end_ns <= from)
			return false;
		if (slice->process != s->process)
			return true;
	}
	return false;
}

/* Kernels of processes that took turns on a GPU have the turns of the others in their times. Nobody can tell
 * where, without context switches. */
static bool look_at_slices(struct captured *c, bool together, struct error *err)
{
	if (together || c->unit_count == 1)
		return true;
	const struct captured_operation **order = calloc(c->count, sizeof(struct captured_operation *));
	const struct captured_operation **latest =
		calloc((size_t)c->capture->gpu_count + 1, sizeof(struct captured_operation *));
	bool ok = order && latest;
	if (!ok)
		error_memory(err, "replaying a profile");
	for (uint32_t i = 0; ok && i < c->count; i++)
		order[i] = &c->operations[i];
	if (ok) {
		qsort(order, c->count, sizeof(*order), by_start);
		if (ran_at_once(c, order, latest) && !c->capture->has_slices)
			ok = error_set(err, STATUS_INPUT,
				"%s: kernels of several processes ran on one GPU at once; they took turns, "
				"which is part of their recorded times, and the file has no context switches "
				"(nsys profile --gpuctxsw=true). If the processes shared the GPU, say --mps",
				c->capture->file);
	}
	free(order);
	free(latest);
	for (uint32_t i = 0; ok && c->capture->has_slices && i < c->count; i++)
		if (is_sliced(c->capture, &c->operations[i]))
			c->operations[i].marks |= CAPTURED_SLICED;
	return ok;
}

/* ---- releases ---- */

static void find_latencies(struct captured *c)
{
	for (int k = 0; k < CAPTURED_KINDS; k++)
		c->latency_ns[k] = CAPTURE_UNKNOWN;
	for (uint32_t i = 0; i < c->count; i++) {
		const struct capture_operation *o = c->operations[i].op;
		int64_t *least = &c->latency_ns[c->operations[i].kind];
		if (o->call_ns != CAPTURE_UNKNOWN &&
			(*least == CAPTURE_UNKNOWN || o->start_ns - o->call_ns < *least))
			*least = o->start_ns - o->call_ns;
	}
	for (uint32_t i = 0; i < c->count; i++) {
		struct captured_operation *o = &c->operations[i];
		bool known = o->op->call_ns != CAPTURE_UNKNOWN;
		o->issue_ns = known ? o->op->call_ns : o->op->start_ns;
		o->due_ns = known ? o->op->call_ns + c->latency_ns[o->kind] : o->op->start_ns;
		o->marks |= known ? 0 : CAPTURED_NO_CALL;
		if (o->kind == CAPTURED_KERNEL && strncmp(o->op->name, "nccl", 4) == 0)
			o->marks |= CAPTURED_COLLECTIVE;
	}
}

/* ---- measures ---- */

static int compare_sizes(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* Of the operations of a kind; CAPTURED_KINDS: of all. */
static void measure(const struct captured *c, int kind, int64_t *sizes, struct captured_measures *m)
{
	size_t n = 0;
	*m = (struct captured_measures){0};
	for (uint32_t i = 0; i < c->count; i++) {
		const struct captured_operation *o = &c->operations[i];
		if ((kind != CAPTURED_KINDS && (int)o->kind != kind) || (o->marks & CAPTURED_NO_CALL))
			continue;
		sizes[n++] = llabs(captured_error_ns(o));
		m->reasons[o->reason]++;
		m->late += o->reason != CAPTURED_IN_TIME;
	}
	m->count = n;
	if (n == 0)
		return;
	qsort(sizes, n, sizeof(*sizes), compare_sizes);
	m->median_us = ((double)sizes[(n - 1) / 2] + (double)sizes[n / 2]) / 2000.0;
	m->p90_us = (double)sizes[(n * 9 + 9) / 10 - 1] / 1000.0;
	m->max_us = (double)sizes[n - 1] / 1000.0;
}

static void count_marks(struct captured *c)
{
	for (uint32_t i = 0; i < c->count; i++) {
		unsigned marks = c->operations[i].marks;
		c->no_call += (marks & CAPTURED_NO_CALL) != 0;
		c->held += (marks & CAPTURED_HELD) != 0;
		c->unordered += (marks & CAPTURED_UNORDERED) != 0;
		c->collectives += (marks & CAPTURED_COLLECTIVE) != 0;
		c->sliced += (marks & CAPTURED_SLICED) != 0;
	}
}

static bool measure_all(struct captured *c, struct error *err)
{
	int64_t *sizes = malloc(((size_t)c->count + 1) * sizeof(*sizes));
	if (!sizes)
		return error_memory(err, "replaying a profile");
	for (int kind = 0; kind < CAPTURED_KINDS; kind++)
		measure(c, kind, sizes, &c->by_kind[kind]);
	measure(c, CAPTURED_KINDS, sizes, &c->all);
	free(sizes);
	count_marks(c);
	return true;
}

/* ---- all ---- */

static bool prepare(
	struct captured *c, struct arena *arena, const struct captured_request *q, struct error *err)
{
	c->count = q->capture->operation_count;
	c->operations = arena_new(arena, struct captured_operation, c->count);
	if (!c->operations)
		return error_memory(err, "replaying a profile");
	for (uint32_t i = 0; i < c->count; i++)
		c->operations[i] = (struct captured_operation){
			.op = &q->capture->operations[i],
			.kind = kind_of(&q->capture->operations[i]),
			.predecessor = CAPTURED_NONE,
			.awaited = CAPTURED_NONE,
			.blamed = CAPTURED_NONE,
			.room_by = CAPTURED_NONE,
			.room_ns = CAPTURE_UNKNOWN,
		};
	if (!fill_units(c, arena, q))
		return error_memory(err, "replaying a profile");
	look_at_streams(c, q);
	find_latencies(c);
	return fill_platforms(c, q, err) && look_at_slices(c, q->together, err) && captured_order(c, err) &&
	       captured_fit_all(c, err);
}

bool captured_run(
	struct captured *c, struct arena *arena, const struct captured_request *q, struct error *err)
{
	*c = (struct captured){.capture = q->capture};
	if (!prepare(c, arena, q, err))
		return false;
	uint64_t bytes = q->part_bytes ? q->part_bytes : PART_BYTES;
	for (uint32_t i = 0; i < c->unit_count; i++) {
		struct captured_unit *u = &c->units[i];
		if (q->gap_ns >= 0)
			u->platform.overheads.gap_ns = q->gap_ns;
		if (q->fit_gap)
			u->platform.overheads.gap_ns = c->fit.gaps > 0 ? c->fit.gap_ns : 0;
		if (!captured_play(c, u, bytes, err) || !captured_find_rooms(c, u, bytes, err))
			return false;
	}
	return captured_explain(c, err) && measure_all(c, err);
}
