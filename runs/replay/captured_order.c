/* runs/replay/captured_order.c - what stands before an operation of a profile: its predecessor in the stream,
 * events that its stream waits for, work of the NULL stream; the order of issue, and releases that keep it.
 *
 * Within a stream operations are in the order in which they started; calls of several threads may overlap. */
#include <stdlib.h>

#include "runs/replay/captured_parts.h"

struct order {
	struct captured *c;
	uint32_t *of_streams; /* [c->count] by stream, then start */
	uint32_t *first;      /* [streams + 1] where a stream begins there */
	uint32_t *waits;      /* [wait_count] of streams for events, by stream, then call */
	uint32_t wait_count;
};

/* ---- the order within streams ---- */

static struct captured *order_by; /* for qsort(): not for use by two threads */

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_start(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int order = compare(order_by->operations[x].op->start_ns, order_by->operations[y].op->start_ns);
	return order ? order : (x > y) - (x < y);
}

static int by_issue(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const struct captured_operation *o = &order_by->operations[x], *p = &order_by->operations[y];
	int order = compare(o->issue_ns, p->issue_ns);
	order = order ? order : compare(o->op->start_ns, p->op->start_ns);
	return order ? order : (x > y) - (x < y);
}

/* Recordings are mostly in order already. */
static void sort(uint32_t *list, uint32_t count, int (*order)(const void *, const void *))
{
	for (uint32_t i = 1; i < count; i++)
		if (order(&list[i - 1], &list[i]) > 0) {
			qsort(list, count, sizeof(*list), order);
			return;
		}
}

static int by_waiting_stream(const void *a, const void *b)
{
	const struct capture_wait *w = &order_by->capture->waits[*(const uint32_t *)a],
				  *v = &order_by->capture->waits[*(const uint32_t *)b];
	if (w->stream != v->stream)
		return w->stream < v->stream ? -1 : 1;
	return compare(w->call_ns, v->call_ns);
}

static void list_streams(struct order *r)
{
	struct captured *c = r->c;
	for (uint32_t i = 0; i < c->count; i++)
		r->first[c->operations[i].op->stream + 2]++;
	for (uint32_t s = 0; s < c->capture->stream_count; s++)
		r->first[s + 2] += r->first[s + 1];
	/* Now first[s + 1] is where stream s begins; it moves on to where the next one does. */
	for (uint32_t i = 0; i < c->count; i++)
		r->of_streams[r->first[c->operations[i].op->stream + 1]++] = i;
	for (uint32_t s = 0; s < c->capture->stream_count; s++)
		sort(&r->of_streams[r->first[s]], r->first[s + 1] - r->first[s], by_start);
}

static void link_streams(struct order *r)
{
	struct captured *c = r->c;
	for (uint32_t i = 0; i < c->count; i++) {
		struct captured_operation *o = &c->operations[r->of_streams[i]];
		if (i == 0 || c->operations[r->of_streams[i - 1]].op->stream != o->op->stream)
			continue;
		const struct captured_operation *before = &c->operations[r->of_streams[i - 1]];
		o->predecessor = r->of_streams[i - 1];
		if (o->issue_ns < before->issue_ns)
			o->issue_ns = before->issue_ns;
	}
}

/* ---- events of other streams ---- */

/* The last operation of a stream that was issued by then. */
static uint32_t issued_before(const struct order *r, uint32_t stream, int64_t time)
{
	uint32_t low = r->first[stream], high = r->first[stream + 1];
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (r->c->operations[r->of_streams[middle]].issue_ns <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low > r->first[stream] ? r->of_streams[low - 1] : CAPTURED_NONE;
}

/* Of several events the one that happened last counts. */
static void await(struct order *r, struct captured_operation *o, const struct capture_wait *w)
{
	const struct capture *capture = r->c->capture;
	const struct capture_event *e = w->event == CAPTURE_NONE ? NULL : &capture->events[w->event];
	if (!e || e->stream == CAPTURE_NONE || e->call_ns == CAPTURE_UNKNOWN) {
		o->marks |= CAPTURED_UNORDERED;
		return;
	}
	uint32_t awaited = issued_before(r, e->stream, e->call_ns);
	if (awaited == CAPTURED_NONE || e->stream == o->op->stream)
		return;
	o->marks |= CAPTURED_HELD;
	if (o->awaited == CAPTURED_NONE ||
		r->c->operations[awaited].op->end_ns > r->c->operations[o->awaited].op->end_ns)
		o->awaited = awaited;
}

static void await_events(struct order *r)
{
	const struct capture *capture = r->c->capture;
	uint32_t next = 0;
	for (uint32_t i = 0; i < capture->wait_count; i++) {
		if (capture->waits[i].kind != CAPTURE_STREAM_WAIT_EVENT)
			continue;
		if (capture->waits[i].stream == CAPTURE_NONE)
			r->c->unknown_waits++;
		else
			r->waits[r->wait_count++] = i;
	}
	sort(r->waits, r->wait_count, by_waiting_stream);
	for (uint32_t s = 0; s < capture->stream_count; s++) {
		for (uint32_t i = r->first[s]; i < r->first[s + 1]; i++) {
			struct captured_operation *o = &r->c->operations[r->of_streams[i]];
			while (next < r->wait_count && capture->waits[r->waits[next]].stream == s &&
				capture->waits[r->waits[next]].call_ns <= o->issue_ns)
				await(r, o, &capture->waits[r->waits[next++]]);
		}
		while (next < r->wait_count && capture->waits[r->waits[next]].stream == s)
			next++;
	}
}

/* ---- releases ---- */

/* The latest release, and the latest end by the record, of what the next operation may have to wait for. */
struct order_past {
	int64_t release_ns, end_ns;
};

static void later(int64_t *time, int64_t other)
{
	if (other > *time)
		*time = other;
}

static void release(struct captured *c, struct captured_operation *o, const struct order_past *waits_for)
{
	o->release_ns = o->eligible_ns = o->due_ns;
	if (o->predecessor != CAPTURED_NONE) {
		later(&o->release_ns, c->operations[o->predecessor].release_ns);
		later(&o->eligible_ns, c->operations[o->predecessor].op->end_ns);
	}
	if (o->awaited != CAPTURED_NONE) {
		later(&o->release_ns, c->operations[o->awaited].op->end_ns);
		later(&o->eligible_ns, c->operations[o->awaited].op->end_ns);
	}
	if (waits_for) {
		later(&o->release_ns, waits_for->release_ns);
		later(&o->eligible_ns, waits_for->end_ns);
	}
}

/* The simulation knows the order of issue only by releases: whoever has a shorter latency must not overtake
 * in a stream, or what the NULL stream orders. Waiting there anyway, he starts no later for that. */
static void release_unit(struct captured *c, struct captured_unit *u)
{
	struct order_past null = {INT64_MIN, INT64_MIN}, others = null;
	sort(u->operations, u->count, by_issue);
	for (uint32_t i = 0; i < u->count; i++) {
		struct captured_operation *o = &c->operations[u->operations[i]];
		bool is_null = captured_stream(c, o)->kind == CAPTURE_STREAM_NULL;
		release(c, o, !u->null_orders ? NULL : is_null ? &others : &null);
		struct order_past *past = is_null ? &null : &others;
		later(&past->release_ns, o->release_ns);
		later(&past->end_ns, o->op->end_ns);
	}
}

bool captured_order(struct captured *c, struct error *err)
{
	struct order r = {
		.c = c,
		.of_streams = calloc((size_t)c->count + 1, sizeof(*r.of_streams)),
		.first = calloc((size_t)c->capture->stream_count + 2, sizeof(*r.first)),
		.waits = calloc((size_t)c->capture->wait_count + 1, sizeof(*r.waits)),
	};
	bool ok = r.of_streams && r.first && r.waits;
	if (ok) {
		order_by = c;
		list_streams(&r);
		link_streams(&r);
		await_events(&r);
		for (uint32_t i = 0; i < c->unit_count; i++)
			release_unit(c, &c->units[i]);
	} else {
		error_memory(err, "replaying a profile");
	}
	free(r.of_streams);
	free(r.first);
	free(r.waits);
	return ok;
}
