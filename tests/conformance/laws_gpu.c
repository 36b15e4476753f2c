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
	w.room = calloc(w.sms + 1, sizeof(*w.room));
	w.placed = calloc(s->ops_total + 1, sizeof(*w.placed));
	w.here = calloc((size_t)s->set->task_count * w.sms + 1, sizeof(*w.here));
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

/* ---- every block its time, whole kernels, not preempted ---- */

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

/* Blocks of a task's kernel that were placed and have not ended: bit by number. */
struct resident {
	uint64_t *block;
	uint32_t next;     /* to be placed */
	uint32_t next_end; /* where all take the same time */
};

static bool even(const struct seen *s, const struct op_seen *op)
{
	return !s->set->tasks[op->task].segments[op->segment].times;
}

/* Blocks start in the order of their numbers, and where they take the same time they end in it;
 * none ends twice. */
static void check_number(const struct seen *s, const struct op_seen *op, const struct trace_record *r,
	struct resident *task, struct verdict *v)
{
	bool start = r->kind == TRACE_BLOCKS_START;
	if (start && r->block == 0)
		task->next = task->next_end = 0;
	if (start ? r->block != task->next : even(s, op) && r->block != task->next_end)
		law_broken(v, "at %" PRId64 " task %u: block %u where %u is next", r->time, r->task, r->block,
			start ? task->next : task->next_end);
	for (uint32_t b = r->block; b < r->block + r->count && b < op->fact->blocks; b++) {
		if ((task->block[b / 64] >> (b % 64) & 1) == start)
			law_broken(v, "at %" PRId64 " task %u: block %u %s", r->time, r->task, b,
				start ? "starts again" : "ends and is not there");
		task->block[b / 64] ^= UINT64_C(1) << (b % 64);
	}
	*(start ? &task->next : &task->next_end) += r->count;
}

static void check_time(const struct seen *s, const struct op_seen *op, const struct trace_record *r,
	uint32_t block, struct verdict *v)
{
	int64_t length = facts_block_length(s, op, block);
	bool stopped = r->how == SPAN_STOPPED && r->time == s->outcome.end_ns && r->time - r->start < length;
	if (!stopped && (r->how != SPAN_DONE || r->time - r->start != length))
		law_broken(v,
			"task %u job %u segment %u: block %u of %" PRId64 " runs in [%" PRId64 ", %" PRId64
			")",
			r->task, r->job, r->segment, block, length, r->start, r->time);
}

static void check_block(
	const struct seen *s, const struct trace_record *r, struct resident *resident, struct verdict *v)
{
	const struct op_seen *op = seen_op(s, r->task, r->job, r->segment);
	if (!op || op->fact->kind != SEGMENT_KERNEL)
		return; /* "precedence" tells */
	if (r->threads != (uint32_t)op->fact->need.threads || r->m != op->fact->sms)
		law_broken(v, "at %" PRId64 " a block of task %u has %u threads on %u SMs", r->time, r->task,
			r->threads, r->m);
	check_number(s, op, r, &resident[r->task], v);
	for (uint32_t b = r->block; r->kind == TRACE_BLOCKS_END && b < r->block + r->count; b++)
		check_time(s, op, r, b, v);
}

/* One for each task, with room for its largest kernel; NULL: no memory. */
static struct resident *make_resident(const struct seen *s)
{
	uint32_t most = 0;
	for (uint32_t i = 0; i < s->ops_total; i++)
		most = s->ops[i].fact->blocks > most ? s->ops[i].fact->blocks : most;
	size_t words = most / 64 + 1, tasks = s->set->task_count;
	struct resident *r = calloc(1, (tasks + 1) * (sizeof(*r) + words * sizeof(*r->block)));
	for (size_t i = 0; r && i < tasks; i++)
		r[i].block = (uint64_t *)(r + tasks + 1) + i * words;
	return r;
}

void holds_block_times(const struct seen *s, struct verdict *v)
{
	struct resident *resident = make_resident(s);
	for (size_t i = 0; resident && i < s->count; i++)
		if (of_blocks(&s->records[i]))
			check_block(s, &s->records[i], resident, v);
	for (uint32_t i = 0; i < s->ops_total; i++)
		if (s->ops[i].fact->kind == SEGMENT_KERNEL)
			check_kernel(s, &s->ops[i], v);
	if (!resident)
		law_broken(v, "out of memory");
	free(resident);
}
