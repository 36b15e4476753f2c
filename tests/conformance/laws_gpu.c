/* tests/conformance/laws_gpu.c - blocks on SMs: no limit is exceeded, each goes to the right SM, the
 * primary queue is served by rules R1 and R2, SMs granted by a policy are kept to, and nothing waits that
 * fits (docs/model.md, "GPU"). One walk through the trace, instant by instant, serves them all. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tests/conformance/law.h"

struct walk {
	const struct seen *s;
	struct demand *room; /* [sms]; pool gpu: [1] */
	uint32_t sms;
	uint32_t *placed; /* [ops] so far */
	uint32_t *here;   /* [tasks][sms] blocks of the task's kernel */
	/* Breaches of each kind. */
	struct verdict limits, placement, queue, idle, grants;
};

static bool is_kernel(const struct op_seen *op)
{
	return op->present && op->fact->kind == SEGMENT_KERNEL;
}

static uint32_t number_of(const struct walk *w, const struct op_seen *op)
{
	return (uint32_t)(op - w->s->ops);
}

static void add(struct demand *room, const struct demand *need, int64_t times)
{
	room->threads += times * need->threads;
	room->warps += times * need->warps;
	room->blocks += times * need->blocks;
	room->registers += times * need->registers;
	room->shared_memory += times * need->shared_memory;
	room->virtual_sms += times * need->virtual_sms;
}

/* ---- which SM ---- */

static int64_t tie(const struct walk *w, uint32_t sm)
{
	return w->s->platform->sms_per_tpc == 2 ? (int64_t)(sm % 2) * w->sms + sm : sm;
}

static int grant_index(const struct grant *grant, uint32_t sm)
{
	for (uint32_t i = 0; i < grant->count; i++)
		if (grant->sm[i] == sm)
			return (int)i;
	return -1;
}

/* May a block of the operation go to this SM now? */
static bool may_go(const struct walk *w, const struct op_seen *op, uint32_t sm)
{
	const struct grant *grant = op->grant;
	if (!facts_fit(&op->fact->need, &w->room[sm]))
		return false;
	if (!grant || w->s->platform->pool == POOL_GPU)
		return true;
	int i = grant_index(grant, sm);
	return i >= 0 && (!grant->slots || w->here[op->task * w->sms + sm] < grant->slots[i]);
}

/* The SM with the most free threads that can take it; -1: none. */
static int best_sm(const struct walk *w, const struct op_seen *op)
{
	int best = -1;
	for (uint32_t sm = 0; sm < w->sms; sm++) {
		if (!may_go(w, op, sm))
			continue;
		int64_t more = best < 0 ? 1 : w->room[sm].threads - w->room[best].threads;
		if (more > 0 || (more == 0 && tie(w, sm) < tie(w, (uint32_t)best)))
			best = (int)sm;
	}
	return best;
}

/* ---- the primary queue ---- */

static order_fn *primary_order(const struct seen *s)
{
	return s->plan->unit == GATE_OPEN ? s->plan->kernel_order : order_by_arrival;
}

/* Stands in the primary queue at this instant, blocks to place. */
static bool stands(const struct walk *w, const struct op_seen *op, int64_t now)
{
	return is_kernel(op) && op->enter <= now && op->cut > now &&
	       w->placed[number_of(w, op)] < op->fact->blocks;
}

static bool ahead(const struct walk *w, const struct op_seen *a, const struct op_seen *b)
{
	if (a->fact->stream_high != b->fact->stream_high)
		return a->fact->stream_high;
	return queues_before(w->s, primary_order(w->s), a, a->enter, b, b->enter);
}

static const struct op_seen *head(const struct walk *w, int64_t now)
{
	const struct op_seen *first = NULL;
	for (uint32_t i = 0; i < w->s->ops_total; i++) {
		const struct op_seen *op = &w->s->ops[i];
		if (stands(w, op, now) && !op->grant && (!first || ahead(w, op, first)))
			first = op;
	}
	return first;
}

/* ---- the walk ---- */

static void block_starts(struct walk *w, const struct op_seen *op, const struct trace_record *r, uint32_t sm)
{
	bool pooled = w->s->platform->pool == POOL_GPU;
	const struct grant *grant = op->grant;
	if (!facts_fit(&op->fact->need, &w->room[sm]))
		law_broken(&w->limits, "at %" PRId64 " a block of task %u does not fit SM %u", r->time,
		        r->task, sm);
	if (!pooled && best_sm(w, op) != (int)sm)
		law_broken(&w->placement, "at %" PRId64 " a block of task %u goes to SM %u, not %d", r->time,
		        r->task, sm, best_sm(w, op));
	if (grant && !pooled && (grant_index(grant, sm) < 0 || !may_go(w, op, sm)))
		law_broken(&w->grants, "at %" PRId64 " task %u has no room of its own on SM %u", r->time,
		        r->task, sm);
	if (!grant && head(w, r->time) != op)
		law_broken(&w->queue,
		        "at %" PRId64 " task %u places a block and is not the head of the queue", r->time,
		        r->task);
	if (op->enter > r->time || op->cut <= r->time)
		law_broken(&w->queue, "at %" PRId64 " task %u places a block and does not stand in the queue",
		        r->time, r->task);
	add(&w->room[sm], &op->fact->need, -1);
	w->here[op->task * w->sms + sm]++;
	w->placed[number_of(w, op)]++;
}

static void apply(struct walk *w, const struct trace_record *r)
{
	const struct op_seen *op = seen_op(w->s, r->task, r->job, r->segment);
	uint32_t sm = w->s->platform->pool == POOL_GPU ? 0 : r->index;
	if (!op || op->fact->kind != SEGMENT_KERNEL || sm >= w->sms) {
		law_broken(&w->limits, "at %" PRId64 " a block of nobody on SM %u", r->time, sm);
		return;
	}
	for (uint32_t i = 0; i < r->count; i++) {
		if (r->kind == TRACE_BLOCKS_START) {
			block_starts(w, op, r, sm);
		} else {
			add(&w->room[sm], &op->fact->need, 1);
			w->here[op->task * w->sms + sm]--;
		}
	}
}

/* Everything of an instant has been placed: whoever is first now must not fit. */
static void check_idle(struct walk *w, int64_t now)
{
	const struct op_seen *first = head(w, now);
	if (now >= w->s->stop_at)
		return;
	if (first && best_sm(w, first) >= 0)
		law_broken(&w->idle, "at %" PRId64 " a block of task %u fits SM %d and is not placed", now,
		        first->task, best_sm(w, first));
	for (uint32_t i = 0; i < w->s->ops_total; i++) {
		const struct op_seen *op = &w->s->ops[i];
		if (op->grant && stands(w, op, now) && best_sm(w, op) >= 0)
			law_broken(&w->idle,
			        "at %" PRId64 " a block of task %u fits its SM %d and is not placed", now,
			        op->task, best_sm(w, op));
	}
}

static bool of_blocks(const struct trace_record *r)
{
	return r->kind == TRACE_BLOCKS_START || r->kind == TRACE_BLOCKS_END;
}

/* The next instant at which the queue or the SMs change. */
static int64_t next_instant(const struct walk *w, size_t at, int64_t after)
{
	const struct seen *s = w->s;
	int64_t next = NEVER;
	while (at < s->count && !of_blocks(&s->records[at]))
		at++;
	if (at < s->count)
		next = s->records[at].time;
	for (uint32_t i = 0; i < s->ops_total; i++) {
		const struct op_seen *op = &s->ops[i];
		if (!is_kernel(op))
			continue;
		if (op->enter > after && op->enter < next)
			next = op->enter;
		if (op->cut > after && op->cut < next)
			next = op->cut;
	}
	return next;
}

static void walk_through(struct walk *w)
{
	const struct seen *s = w->s;
	size_t at = 0;
	for (int64_t now = next_instant(w, 0, -1); now < NEVER; now = next_instant(w, at, now)) {
		for (; at < s->count && (!of_blocks(&s->records[at]) || s->records[at].time <= now); at++)
			if (of_blocks(&s->records[at]))
				apply(w, &s->records[at]);
		check_idle(w, now);
	}
}

enum breach { LIMITS, PLACEMENT, QUEUE, IDLE, GRANTS };

static void walk(const struct seen *s, enum breach which, struct verdict *v)
{
	struct walk w = {.s = s, .sms = s->platform->pool == POOL_GPU ? 1 : s->platform->sms};
	w.room = calloc(w.sms + 1, sizeof *w.room);
	w.placed = calloc(s->ops_total + 1, sizeof *w.placed);
	w.here = calloc((size_t)s->set->task_count * w.sms + 1, sizeof *w.here);
	if (w.room && w.placed && w.here) {
		for (uint32_t i = 0; i < w.sms; i++)
			w.room[i] = facts_room(s);
		walk_through(&w);
		*v = (struct verdict[]){w.limits, w.placement, w.queue, w.idle, w.grants}[which];
	} else {
		law_broken(v, "out of memory");
	}
	free(w.room);
	free(w.placed);
	free(w.here);
}

void holds_sm_limits(const struct seen *s, struct verdict *v)
{
	walk(s, LIMITS, v);
}

void holds_block_placement(const struct seen *s, struct verdict *v)
{
	walk(s, PLACEMENT, v);
}

void holds_primary_queue(const struct seen *s, struct verdict *v)
{
	walk(s, QUEUE, v);
}

void holds_gpu_work_conserving(const struct seen *s, struct verdict *v)
{
	walk(s, IDLE, v);
}

void holds_grants(const struct seen *s, struct verdict *v)
{
	walk(s, GRANTS, v);
}

/* ---- blocks alike, whole kernels, not preempted ---- */

static void check_kernel(const struct seen *s, const struct op_seen *op, struct verdict *v)
{
	bool whole = op->placed == op->fact->blocks;
	/* With blocks still to place, the interval goes on between two waves, to the abort or the end of the
	 * run. */
	bool between = !whole && (op->end == op->cut || op->end == s->outcome.end_ns);
	if (op->placed != op->ended)
		law_broken(v, "task %u job %u segment %u: %u blocks start, %u end", op->task, op->job->number,
		        op->segment, op->placed, op->ended);
	if (op->placed > 0 && (op->spans != 1 || (op->end != op->last_block_end && !between)))
		law_broken(v, "task %u job %u segment %u: the kernel is not one interval of its blocks",
		        op->task, op->job->number, op->segment);
	if (op->done && !whole)
		law_broken(v, "task %u job %u segment %u is done with %u of %u blocks", op->task,
		        op->job->number, op->segment, op->placed, op->fact->blocks);
	if (op->placed > op->fact->blocks ||
	        (whole && !op->done && op->end < s->outcome.end_ns && op->cut == NEVER))
		law_broken(v, "task %u job %u segment %u: %u blocks placed of %u", op->task, op->job->number,
		        op->segment, op->placed, op->fact->blocks);
}

static void check_block(const struct seen *s, const struct trace_record *r, uint32_t next, struct verdict *v)
{
	const struct op_seen *op = seen_op(s, r->task, r->job, r->segment);
	if (!op || op->fact->kind != SEGMENT_KERNEL)
		return; /* "precedence" tells */
	if (r->threads != (uint32_t)op->fact->need.threads || r->m != op->fact->sms)
		law_broken(v, "at %" PRId64 " a block of task %u has %u threads on %u SMs", r->time, r->task,
		        r->threads, r->m);
	if (r->block != next)
		law_broken(v, "at %" PRId64 " task %u: block %u where %u is next", r->time, r->task, r->block,
		        next);
	if (r->kind == TRACE_BLOCKS_START)
		return;
	bool stopped =
	        r->how == SPAN_STOPPED && r->time == s->outcome.end_ns && r->time - r->start < op->length;
	if (!stopped && (r->how != SPAN_DONE || r->time - r->start != op->length))
		law_broken(v,
		        "task %u job %u segment %u: a block of %" PRId64 " runs in [%" PRId64 ", %" PRId64
		        ")",
		        r->task, r->job, r->segment, op->length, r->start, r->time);
}

void holds_blocks_alike(const struct seen *s, struct verdict *v)
{
	uint32_t *next = calloc(2 * (size_t)s->set->task_count + 1, sizeof *next);
	for (size_t i = 0; next && i < s->count; i++) {
		const struct trace_record *r = &s->records[i];
		if (!of_blocks(r))
			continue;
		/* Blocks of a kernel start and end in the order of their numbers. */
		uint32_t *number = &next[2 * r->task + (r->kind == TRACE_BLOCKS_END)];
		if (r->block == 0)
			*number = 0;
		check_block(s, r, *number, v);
		*number += r->count;
	}
	for (uint32_t i = 0; i < s->ops_total; i++)
		if (s->ops[i].fact->kind == SEGMENT_KERNEL)
			check_kernel(s, &s->ops[i], v);
	if (!next)
		law_broken(v, "out of memory");
	free(next);
}
