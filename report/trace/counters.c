/* report/trace/counters.c - the counters: turns counts into events; the power of each GPU; the threads and
 * SMs in use.
 *
 * Blocks are recorded in the order of their ends. To know how many are resident at an instant, one must know
 * blocks that end much later. Backwards it is simple: a block comes when its row is read, and goes when time
 * reaches its beginning. So only the blocks that are resident at one time must be remembered. The events of
 * these two counters are therefore in the file in reverse order. */
#include <stdlib.h>

#include "base/heap.h"
#include "report/trace/private.h"

/* ---- a count forwards ---- */

void trace_counter_begin(struct trace_counter *c, uint64_t track)
{
	*c = (struct trace_counter){.track = track, .at = -1, .said = -1};
}

/* The value before the window is written at its beginning; changes behind it are not written. */
static void say(struct trace_export *t, struct trace_counter *c)
{
	int64_t at = c->at > t->from ? c->at : t->from;
	if (at >= t->to || c->value == c->said)
		return;
	trace_count(t, c->track, at, c->value);
	c->said = c->value;
}

void trace_counter_add(struct trace_export *t, struct trace_counter *c, int64_t at, int64_t change)
{
	if (at > c->at && at > t->from) {
		say(t, c);
		c->at = at;
	}
	c->value += change;
}

void trace_counter_end(struct trace_export *t, struct trace_counter *c)
{
	say(t, c);
}

/* ---- power ---- */

static uint64_t make_power(struct trace_export *t, size_t gpu)
{
	char name[TRACE_NAME_MAX];
	return trace_track(t, &(struct trace_track){
				      .parent = t->root,
				      .name = trace_gpu_name(t, gpu, "GPU power", "power", name),
				      .rank = t->next_rank + gpu,
				      .counter = true,
				      .unit = "W",
			      });
}

bool trace_power(struct trace_export *t, struct error *err)
{
	struct db_cursor *c = trace_query(t,
		"SELECT start_ns, end_ns, power_uw, gpu FROM power_interval WHERE run_id = ?1"
		" AND EXISTS (SELECT 1 FROM power_interval WHERE run_id = ?1 AND power_uw > 0)"
		" AND" TRACE_TOUCHES("start_ns", "end_ns") " ORDER BY start_ns",
		err);
	bool row = true, ok = c != NULL;
	uint64_t track[GPUS_MOST] = {0};
	int64_t end[GPUS_MOST];
	while (ok && row) {
		ok = cursor_next(c, &row, err);
		if (!ok || !row)
			break;
		size_t gpu = trace_gpu_of(t, cursor_integer(c, 3), err);
		ok = gpu < GPUS_MOST;
		if (!ok)
			break;
		if (!track[gpu])
			track[gpu] = make_power(t, gpu);
		int64_t start = cursor_integer(c, 0);
		end[gpu] = cursor_integer(c, 1);
		trace_measure(
			t, track[gpu], start > t->from ? start : t->from, (double)cursor_integer(c, 2) / 1e6);
		ok = trace_flush(t, err);
	}
	cursor_close(c);
	for (size_t g = 0; ok && g < t->gpus; g++)
		if (track[g] && end[g] < t->to)
			trace_measure(t, track[g], end[g], 0.0);
	t->next_rank += t->gpus;
	return ok;
}

/* ---- occupancy, backwards ---- */

struct counter_levels {
	int64_t threads, sms;
};

struct counter_occupancy {
	struct heap there;  /* resident blocks; key: -start; value: SM and threads */
	int64_t *blocks_on; /* [sms]; NULL: a pooled GPU */
	uint64_t threads_track, sms_track;
	size_t gpu;
	int64_t sms;
	int64_t at;                    /* the instant of the current change */
	struct counter_levels from_on; /* the counts from `at` on */
	struct counter_levels before;  /* the counts before it, as far as known */
};

static const char backwards_sql[] =
	"SELECT sm, threads, start_ns, end_ns, gpu FROM block_interval"
	" WHERE +run_id = ?1 AND rowid >= (SELECT min(rowid) FROM block_interval WHERE run_id = ?1)"
	" AND rowid <= (SELECT max(rowid) FROM block_interval WHERE run_id = ?1)"
	" AND" TRACE_TOUCHES("start_ns", "end_ns") " ORDER BY rowid DESC";

#define PACK(sm, threads) ((uint64_t)(sm) << 32 | (uint64_t)(threads))
#define BEFORE_ALL (-1)

static bool make_occupancy(struct trace_export *t, struct counter_occupancy *o, struct error *err)
{
	char name[TRACE_NAME_MAX];
	const struct trace_gpu *gpu = &t->gpu[o->gpu];
	o->threads_track = trace_track(
		t, &(struct trace_track){
			   .parent = t->root,
			   .name = trace_gpu_name(t, o->gpu, "threads on the GPU", "threads", name),
			   .rank = t->next_rank++,
			   .counter = true,
			   .unit = "threads",
		   });
	o->at = INT64_MAX;
	o->sms = gpu->sms;
	if (gpu->pooled)
		return true;
	o->sms_track =
		trace_track(t, &(struct trace_track){
				       .parent = t->root,
				       .name = trace_gpu_name(t, o->gpu, "active SMs", "active SMs", name),
				       .rank = t->next_rank++,
				       .counter = true,
				       .unit = "SMs",
			       });
	o->blocks_on = calloc((size_t)gpu->sms, sizeof(*o->blocks_on));
	return o->blocks_on || error_memory(err, "the tracks of a trace");
}

static void change(struct counter_occupancy *o, uint64_t packed, int sign)
{
	o->before.threads += sign * (int64_t)(packed & UINT32_MAX);
	if (!o->blocks_on || packed >> 32 == (uint64_t)o->sms)
		return; /* it is on no SM */
	int64_t *blocks = &o->blocks_on[packed >> 32];
	bool was = *blocks > 0;
	*blocks += sign;
	o->before.sms += (*blocks > 0) - was;
}

static void say_levels(struct trace_export *t, const struct counter_occupancy *o, int64_t at,
	const struct counter_levels *is, const struct counter_levels *unless)
{
	if (at >= t->to)
		return;
	if (!unless || is->threads != unless->threads)
		trace_count(t, o->threads_track, at, is->threads);
	if (o->blocks_on && (!unless || is->sms != unless->sms))
		trace_count(t, o->sms_track, at, is->sms);
}

/* Goes back to the next instant at which something changes. All that happens at o->at is known now. At the
 * beginning of the window the counts are written in any case. */
static void go_down(struct trace_export *t, struct counter_occupancy *o, int64_t to)
{
	if (to == o->at)
		return;
	if (o->at == t->from)
		say_levels(t, o, o->at, &o->from_on, NULL);
	else if (o->at > t->from)
		say_levels(t, o, o->at, &o->from_on, &o->before);
	if (o->at > t->from && to < t->from)
		say_levels(t, o, t->from, &o->before, NULL);
	o->from_on = o->before;
	o->at = to;
}

/* Removes blocks that began at `until` or later. */
static void go_until(struct trace_export *t, struct counter_occupancy *o, int64_t until)
{
	while (o->there.count && -o->there.entries[0].key >= until) {
		struct heap_entry block = heap_pop(&o->there);
		go_down(t, o, -block.key);
		change(o, block.value, -1);
	}
}

static bool add_block(struct trace_export *t, struct counter_occupancy *o, const struct db_cursor *c,
	int64_t *last_end, struct error *err)
{
	int64_t sm = cursor_kind(c, 0) == VALUE_NULL ? o->sms : cursor_integer(c, 0),
		threads = cursor_integer(c, 1), start = cursor_integer(c, 2), end = cursor_integer(c, 3);
	if (end > *last_end || start > end || start < 0 || threads < 0 || threads > UINT32_MAX)
		return error_set(err, STATUS_INPUT,
			"%s: run %lld: the block from %lld to %lld ns is not in the order of ends, or is "
			"none",
			t->recording, (long long)t->run, (long long)start, (long long)end);
	*last_end = end;
	if (sm < 0 || sm > o->sms)
		return error_set(err, STATUS_INPUT,
			"%s: run %lld has a block on SM %lld, which its platform has not", t->recording,
			(long long)t->run, (long long)sm);
	uint64_t block = PACK(sm, threads);
	go_until(t, o, end);
	go_down(t, o, end);
	change(o, block, 1);
	return heap_push(&o->there, -start, block, err) && trace_flush(t, err);
}

static bool count_gpu(struct trace_export *t, size_t gpu, struct error *err)
{
	struct counter_occupancy o = {.gpu = gpu};
	int64_t last_end = INT64_MAX;
	struct db_cursor *c = make_occupancy(t, &o, err) ? trace_query(t, backwards_sql, err) : NULL;
	bool row = true, ok = c != NULL;
	while (ok && row) {
		ok = cursor_next(c, &row, err);
		if (ok && row && cursor_integer(c, 4) == (int64_t)gpu)
			ok = add_block(t, &o, c, &last_end, err);
	}
	if (ok) {
		go_until(t, &o, INT64_MIN);
		go_down(t, &o, BEFORE_ALL);
	}
	cursor_close(c);
	heap_finish(&o.there);
	free(o.blocks_on);
	return ok;
}

/* Several GPUs are counted one after the other. */
bool trace_occupancy(struct trace_export *t, struct error *err)
{
	bool ok = true;
	for (size_t g = 0; ok && g < t->gpus; g++)
		ok = count_gpu(t, g, err);
	return ok;
}
