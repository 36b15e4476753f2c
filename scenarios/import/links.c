/* scenarios/import/links.c - who waited for whom: a thread's operations, waits and events in order of their
 * calls (CUDA Runtime API, "Stream Management" and "Event Management").
 *
 * Of another thread's operations nothing is known here: they are in the way of this one's on the GPU, as in
 * the model. */
#include <stdlib.h>

#include "base/list.h"
#include "scenarios/import/flights.h"

static const char what[] = "importing a capture";

#define NONE UINT32_MAX

struct walk {
	struct import *im;
	const struct part_thread *thread;
	struct part_links *l;
	uint32_t *last;        /* [streams] the last operation there */
	bool *over;            /* [streams] the thread has waited for it */
	uint32_t *of_event;    /* [events] what stands before it; NONE: nothing of this thread */
	struct part_link *due; /* [due_count] `from` is a stream, which waits for `to` */
	size_t due_count;
	int64_t null_ns, all_ns; /* the latest end of the NULL stream's, and of all operations */
	uint32_t next_event;
	bool knows_waits; /* the file has waits of this thread */
	struct error *err;
};

static bool add(struct part_link_list *list, uint32_t from, uint32_t to, struct error *err)
{
	struct part_link *longer = list_room(list->at, list->count, sizeof(*longer), what, err);
	if (!longer)
		return false;
	list->at = longer;
	list->at[list->count++] = (struct part_link){from, to};
	return true;
}

static void later(int64_t *time, int64_t other)
{
	if (other > *time)
		*time = other;
}

/* ---- Events ---- */

/* Those that were recorded by then. */
static void note_events(struct walk *w, int64_t before_ns)
{
	const struct capture *c = w->im->capture;
	for (; w->next_event < c->event_count; w->next_event++) {
		const struct capture_event *e = &c->events[w->next_event];
		if (e->call_ns != CAPTURE_UNKNOWN && e->call_ns >= before_ns)
			return;
		if (e->stream != CAPTURE_NONE && e->call_ns != CAPTURE_UNKNOWN)
			w->of_event[w->next_event] = w->last[e->stream];
	}
}

static bool knows(const struct walk *w, uint32_t event)
{
	const struct capture *c = w->im->capture;
	return event != CAPTURE_NONE && c->events[event].stream != CAPTURE_NONE &&
	       c->events[event].call_ns != CAPTURE_UNKNOWN &&
	       (c->events[event].thread == w->thread->thread || c->events[event].thread == CAPTURE_NONE);
}

static bool stream_waits(struct walk *w, const struct capture_wait *wait)
{
	if (wait->stream == CAPTURE_NONE || !knows(w, wait->event)) {
		w->l->lost++;
		return true;
	}
	uint32_t to = w->of_event[wait->event];
	if (to == NONE || w->thread->operations[to].op->stream == wait->stream)
		return true;
	struct part_link *due = list_room(w->due, w->due_count, sizeof(*due), what, w->err);
	if (!due)
		return false;
	w->due = due;
	w->due[w->due_count++] = (struct part_link){wait->stream, to};
	return true;
}

/* ---- Waits of the thread ---- */

/* Behind operation `from` it waits for `to` and what stands before that. */
static bool thread_waits(struct walk *w, uint32_t from, uint32_t to)
{
	uint32_t stream = w->thread->operations[to].op->stream;
	if (w->over[stream])
		return true;
	w->over[stream] = w->last[stream] == to;
	return add(&w->l->waits, from, to, w->err);
}

/* For all streams; `until_ns`: for what had ended by then, as it is not known what it was. */
static bool waits_for_all(struct walk *w, uint32_t from, int64_t until_ns)
{
	for (uint32_t s = 0; s < w->im->capture->stream_count; s++)
		if (w->last[s] != NONE && w->thread->operations[w->last[s]].op->end_ns <= until_ns &&
			!thread_waits(w, from, w->last[s]))
			return false;
	return true;
}

static bool host_waits(struct walk *w, const struct capture_wait *wait, uint32_t from)
{
	bool of_event = wait->kind == CAPTURE_WAIT_EVENT;
	int64_t *first = &w->l->wait_ns[from];
	*first = wait->call_ns < *first ? wait->call_ns : *first;
	if (wait->kind == CAPTURE_WAIT_DEVICE)
		return waits_for_all(w, from, INT64_MAX);
	if (of_event ? !knows(w, wait->event) : wait->stream == CAPTURE_NONE) {
		w->l->unclear++;
		return waits_for_all(w, from, wait->return_ns);
	}
	uint32_t to = of_event ? w->of_event[wait->event] : w->last[wait->stream];
	return to == NONE || thread_waits(w, from, to);
}

/* A thread of which no waits are known waited, if the next call came when all had ended. */
static bool pauses(struct walk *w, uint32_t from)
{
	const struct part_thread *t = w->thread;
	return from + 1 == t->count || t->operations[from + 1].call_ns < w->all_ns ||
	       waits_for_all(w, from, INT64_MAX);
}

/* ---- Operations ---- */

static uint32_t kind_of(const struct capture_operation *op)
{
	return op->kind != CAPTURE_COPY ? (uint32_t)op->kind : 3 + (uint32_t)op->direction;
}

/* A copy whose call returned when it had ended was waited for: those to pageable memory are (CUDA Runtime
 * API, "API synchronization behavior"). */
static bool waits_itself(const struct capture_operation *op)
{
	return op->blocks_caller ||
	       (op->kind == CAPTURE_COPY && op->return_ns != CAPTURE_UNKNOWN && op->return_ns >= op->end_ns);
}

static void note_gap(struct walk *w, uint32_t i)
{
	const struct part_operation *p = &w->thread->operations[i];
	if (p->stream_ns != w->l->ready_ns[i] || w->l->due_ns[i] + CAPTURE_LONG_BEFORE_NS > p->stream_ns ||
		p->op->start_ns - p->stream_ns > HANDED_OVER_NS)
		return;
	w->l->gaps_ns += p->op->start_ns - p->stream_ns;
	w->l->gaps++;
}

static bool take_operation(struct walk *w, uint32_t i)
{
	const struct part_operation *p = &w->thread->operations[i];
	uint32_t stream = p->op->stream;
	int64_t *ready = &w->l->ready_ns[i];
	bool null = w->im->capture->streams[stream].kind == CAPTURE_STREAM_NULL;
	size_t kept = 0;
	*ready = p->stream_ns > p->rival_ns ? p->stream_ns : p->rival_ns;
	later(ready, null ? w->all_ns : w->null_ns);
	for (size_t k = 0; k < w->due_count; k++) {
		if (w->due[k].from != stream) {
			w->due[kept++] = w->due[k];
			continue;
		}
		later(ready, w->thread->operations[w->due[k].to].op->end_ns);
		if (!add(&w->l->afters, i, w->due[k].to, w->err))
			return false;
	}
	w->due_count = kept;
	note_gap(w, i);
	later(&w->all_ns, p->op->end_ns);
	later(&w->null_ns, null ? p->op->end_ns : INT64_MIN);
	w->last[stream] = i;
	w->over[stream] = false;
	w->l->wait_ns[i] = INT64_MAX;
	return !waits_itself(p->op) || thread_waits(w, i, i);
}

static bool is_ours(const struct walk *w, const struct capture_wait *wait)
{
	return wait->thread == w->thread->thread && wait->call_ns != CAPTURE_UNKNOWN;
}

static bool walk_through(struct walk *w)
{
	const struct capture *c = w->im->capture;
	const struct part_thread *t = w->thread;
	uint32_t next = 0;
	for (uint32_t i = 0; i < t->count; i++) {
		int64_t until = i + 1 < t->count ? t->operations[i + 1].call_ns : INT64_MAX;
		note_events(w, t->operations[i].call_ns);
		if (!take_operation(w, i))
			return false;
		for (; next < c->wait_count && c->waits[next].call_ns < until; next++) {
			const struct capture_wait *wait = &c->waits[next];
			if (!is_ours(w, wait) || wait->call_ns < t->operations[i].call_ns)
				continue;
			note_events(w, wait->call_ns);
			if (!(wait->kind == CAPTURE_STREAM_WAIT_EVENT ? stream_waits(w, wait)
								      : host_waits(w, wait, i)))
				return false;
		}
		if (!w->knows_waits && !pauses(w, i))
			return false;
	}
	return true;
}

/* ---- Guesses ---- */

/* What an event may have been behind: what ended last on another stream before it began, while it waited. Two
 * copies of one direction need no event: they share the engine. */
static uint32_t guess(const struct walk *w, const struct capture_ending *ends, uint32_t i)
{
	const struct part_operation *p = &w->thread->operations[i];
	int64_t least = p->op->start_ns - IMPORT_GUESS_NS;
	uint32_t low = 0, high = w->thread->count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (ends[middle].end_ns <= p->op->start_ns)
			low = middle + 1;
		else
			high = middle;
	}
	if (p->stream_ns >= least)
		return NONE;
	while (low-- > 0 && ends[low].end_ns >= least && ends[low].end_ns >= w->l->due_ns[i]) {
		const struct capture_operation *op = w->thread->operations[ends[low].operation].op;
		if (ends[low].operation < i && op->stream != p->op->stream &&
			(op->kind != CAPTURE_COPY || kind_of(op) != kind_of(p->op)))
			return ends[low].operation;
	}
	return NONE;
}

size_t part_links_from(const struct part_link_list *list, uint32_t from)
{
	size_t low = 0, high = list->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (list->at[middle].from < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool has_link(const struct part_link_list *list, uint32_t from, uint32_t to)
{
	for (size_t i = part_links_from(list, from); i < list->count && list->at[i].from == from; i++)
		if (list->at[i].to == to)
			return true;
	return false;
}

static int by_from(const void *a, const void *b)
{
	const struct part_link *x = a, *y = b;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

static bool guess_all(struct walk *w)
{
	uint32_t count = w->thread->count;
	struct part_link_list *list = &w->l->afters;
	struct part_link_list known = *list;
	struct capture_ending *ends = arena_new(&w->im->arena, struct capture_ending, count);
	if (!ends)
		return error_memory(w->err, what);
	for (uint32_t i = 0; i < count; i++)
		ends[i] = (struct capture_ending){w->thread->operations[i].op->end_ns, i};
	capture_sort_endings(ends, count);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t to = guess(w, ends, i);
		if (to == NONE)
			continue;
		known.at = list->at;
		if (has_link(&known, i, to))
			continue;
		if (!add(list, i, to, w->err))
			return false;
		later(&w->l->ready_ns[i], w->thread->operations[to].op->end_ns);
		w->l->guessed++;
	}
	if (list->count > 0)
		qsort(list->at, list->count, sizeof(*list->at), by_from);
	return true;
}

/* ---- All ---- */

static bool prepare(struct walk *w)
{
	const struct capture *c = w->im->capture;
	struct arena *arena = &w->im->arena;
	uint32_t count = w->thread->count;
	w->last = arena_new(arena, uint32_t, c->stream_count);
	w->over = arena_new(arena, bool, c->stream_count);
	w->of_event = arena_new(arena, uint32_t, c->event_count);
	w->l->wait_ns = arena_new(arena, int64_t, count);
	w->l->due_ns = arena_new(arena, int64_t, count);
	w->l->ready_ns = arena_new(arena, int64_t, count);
	if (!w->last || !w->over || !w->of_event || !w->l->wait_ns || !w->l->due_ns || !w->l->ready_ns)
		return error_memory(w->err, what);
	for (uint32_t s = 0; s < c->stream_count; s++)
		w->last[s] = NONE;
	for (uint32_t e = 0; e < c->event_count; e++)
		w->of_event[e] = NONE;
	for (uint32_t i = 0; i < c->wait_count && !w->knows_waits; i++)
		w->knows_waits = is_ours(w, &c->waits[i]) && c->waits[i].kind != CAPTURE_STREAM_WAIT_EVENT;
	for (uint32_t i = 0; i < count; i++)
		w->l->due_ns[i] = w->thread->operations[i].call_ns + w->thread->least_ns;
	return true;
}

bool part_links_of(struct import *im, const struct import_request *request, const struct part_thread *thread,
	struct part_links *l, struct error *err)
{
	struct walk w = {
		.im = im, .thread = thread, .l = l, .null_ns = INT64_MIN, .all_ns = INT64_MIN, .err = err};
	*l = (struct part_links){0};
	bool ok = prepare(&w) && walk_through(&w) && (!request->guess_events || guess_all(&w));
	free(w.due);
	return ok;
}

void part_links_finish(struct part_links *l)
{
	free(l->waits.at);
	free(l->afters.at);
	l->waits = l->afters = (struct part_link_list){0};
}
