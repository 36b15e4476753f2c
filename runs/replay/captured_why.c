/* runs/replay/captured_why.c - why operations of a profile started late.
 *
 * Late is what started more than CAPTURED_TOLERANCE_NS after its call and the least latency of its kind. Its
 * reason is the first of enum captured_reason that ended, by the record, within the same time of its start.
 * Reasons are looked for in the record, not in the simulation: an error that one operation inherits from
 * another has the same reason as the other's. */
#include <stdlib.h>

#include "runs/replay/captured_parts.h"

/* What goes in order: copies of each direction, or of both with one engine; and the work of the GPU itself.
 */
enum channel { CHANNEL_TO_GPU, CHANNEL_TO_CPU, CHANNEL_GPU, CHANNELS };

struct why {
	struct captured *c;
	const struct captured_unit *unit;
	uint32_t *of[CHANNELS]; /* operations by end */
	uint32_t count[CHANNELS];
};

static enum channel channel_of(const struct captured_unit *u, const struct captured_operation *o)
{
	if (o->kind != CAPTURED_TO_GPU && o->kind != CAPTURED_TO_CPU)
		return CHANNEL_GPU;
	return o->kind == CAPTURED_TO_CPU && u->platform.engines != 1 ? CHANNEL_TO_CPU : CHANNEL_TO_GPU;
}

static bool near(int64_t a, int64_t b)
{
	return a - b <= CAPTURED_TOLERANCE_NS && b - a <= CAPTURED_TOLERANCE_NS;
}

/* ---- channels ---- */

static bool list_channels(struct why *w, struct capture_ending *endings, struct arena *arena)
{
	for (uint32_t i = 0; i < w->unit->count; i++) {
		uint32_t operation = w->unit->operations[i];
		endings[i] = (struct capture_ending){w->c->operations[operation].op->end_ns, operation};
	}
	capture_sort_endings(endings, w->unit->count);
	for (int k = 0; k < CHANNELS; k++) {
		w->of[k] = arena_new(arena, uint32_t, w->unit->count);
		if (!w->of[k])
			return false;
	}
	for (uint32_t i = 0; i < w->unit->count; i++) {
		enum channel k = channel_of(w->unit, &w->c->operations[endings[i].operation]);
		w->of[k][w->count[k]++] = endings[i].operation;
	}
	return true;
}

/* Where those begin in a channel that ended so late that they can be the reason of a start. */
static uint32_t first_near(const struct why *w, enum channel k, int64_t start_ns)
{
	uint32_t low = 0, high = w->count[k];
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (w->c->operations[w->of[k][middle]].op->end_ns < start_ns - CAPTURED_TOLERANCE_NS)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The operation of the same channel that was in the way, and ended just before. `by_rule`: copies that the
 * engine does before by the rules of the model, first come, first served; else work that was only issued
 * before. */
static uint32_t in_the_way(const struct why *w, const struct captured_operation *o, bool by_rule)
{
	enum channel k = channel_of(w->unit, o);
	int64_t start = o->op->start_ns;
	uint32_t found = CAPTURED_NONE;
	for (uint32_t i = first_near(w, k, start); i < w->count[k]; i++) {
		const struct captured_operation *p = &w->c->operations[w->of[k][i]];
		if (p->op->end_ns > start + CAPTURED_TOLERANCE_NS)
			break;
		if (p->op->start_ns >= start || p->op->end_ns <= o->eligible_ns)
			continue;
		if (by_rule ? p->eligible_ns <= o->eligible_ns : p->issue_ns < o->issue_ns)
			found = w->of[k][i];
	}
	return found;
}

/* ---- reasons ---- */

static bool of_stream(const struct why *w, const struct captured_operation *o)
{
	return o->predecessor != CAPTURED_NONE &&
	       near(o->op->start_ns, w->c->operations[o->predecessor].op->end_ns);
}

static bool of_null_stream(const struct why *w, const struct captured_operation *o)
{
	return w->unit->null_orders && o->eligible_ns > o->due_ns && near(o->op->start_ns, o->eligible_ns);
}

/* An event that is not known explains whatever stands behind it; such operations are marked. */
static bool of_event(const struct why *w, const struct captured_operation *o)
{
	return (o->marks & CAPTURED_UNORDERED) ||
	       (o->awaited != CAPTURED_NONE &&
		       near(o->op->start_ns, w->c->operations[o->awaited].op->end_ns));
}

/* Under Windows' driver model (WDDM) the driver hands work to the GPU in batches, also when what a batch
 * waits for has ended. That takes at least what the fastest operation took from its call to its start. */
static bool of_submission(const struct why *w, const struct captured_operation *o)
{
	int64_t least = INT64_MAX;
	for (int k = 0; k < CAPTURED_KINDS; k++)
		if (w->c->latency_ns[k] != CAPTURE_UNKNOWN && w->c->latency_ns[k] < least)
			least = w->c->latency_ns[k];
	return w->c->capture->windows && o->op->start_ns - o->eligible_ns <= least + CAPTURED_TOLERANCE_NS;
}

static enum captured_reason reason_of(const struct why *w, struct captured_operation *o)
{
	int64_t start = o->op->start_ns;
	bool on_gpu = channel_of(w->unit, o) == CHANNEL_GPU;
	o->blamed = o->predecessor;
	if (of_stream(w, o))
		return CAPTURED_STREAM;
	o->blamed = o->room_by;
	if (o->room_by != CAPTURED_NONE && near(start, o->room_ns))
		return CAPTURED_NO_ROOM;
	if (!on_gpu && (o->blamed = in_the_way(w, o, true)) != CAPTURED_NONE)
		return CAPTURED_ENGINE;
	o->blamed = CAPTURED_NONE;
	if (of_null_stream(w, o))
		return CAPTURED_NULL_STREAM;
	/* Only under Windows' driver model the work of the GPU itself goes through one queue. */
	if ((!on_gpu || w->c->capture->windows) && (o->blamed = in_the_way(w, o, false)) != CAPTURED_NONE)
		return CAPTURED_EARLIER;
	o->blamed = o->awaited;
	if (of_event(w, o))
		return CAPTURED_SYNC;
	o->blamed = CAPTURED_NONE;
	if (o->op->return_ns != CAPTURE_UNKNOWN && start <= o->op->return_ns + CAPTURED_TOLERANCE_NS)
		return CAPTURED_LAUNCH;
	return of_submission(w, o) ? CAPTURED_SUBMISSION : CAPTURED_UNEXPLAINED;
}

static void explain(const struct why *w)
{
	struct captured *c = w->c;
	for (uint32_t i = 0; i < w->unit->count; i++) {
		struct captured_operation *o = &c->operations[w->unit->operations[i]];
		if ((o->marks & CAPTURED_NO_CALL) || o->op->start_ns <= o->due_ns + CAPTURED_TOLERANCE_NS)
			continue;
		o->reason = reason_of(w, o);
		if (o->reason != CAPTURED_NO_ROOM)
			continue;
		int64_t off = llabs(o->op->start_ns - o->room_ns);
		c->room_waits++;
		c->room_agreed += off <= 1000;
		c->room_most_ns = off > c->room_most_ns ? off : c->room_most_ns;
	}
}

bool captured_explain(struct captured *c, struct error *err)
{
	for (uint32_t i = 0; i < c->unit_count; i++) {
		struct why w = {.c = c, .unit = &c->units[i]};
		struct arena arena = {0};
		struct capture_ending *endings = arena_new(&arena, struct capture_ending, w.unit->count);
		bool ok = endings && list_channels(&w, endings, &arena);
		if (ok)
			explain(&w);
		arena_finish(&arena);
		if (!ok)
			return error_memory(err, "replaying a profile");
	}
	return true;
}
