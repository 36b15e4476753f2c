/* tests/oracle/dispatch.c - the oracle's queues, streams and copy engines: phase 5 of an instant
 * (docs/model.md, "Copies", "Streams", "Overheads", "ties: lower-first"). */
#include "tests/oracle/oracle_internal.h"

/* The key by which operations are compared; smaller goes first. */
static int64_t key_of(
	const struct oracle *o, const struct operation_state *op, enum oracle_order order, int64_t since)
{
	const struct task_state *t = &o->tasks[op->task];
	switch (order) {
	case ORACLE_BY_PRIORITY:
		return t->rank;
	case ORACLE_BY_RELEASE:
		return t->jobs[t->current].release;
	case ORACLE_BY_STREAM:
		return (oracle_segment(o, op)->stream_high ? 0 : (int64_t)1 << 40) + since;
	case ORACLE_BY_DEADLINE:
		return t->jobs[t->current].deadline;
	case ORACLE_BY_SECTION:
		return oracle_section_deadline(o, op->task);
	case ORACLE_BY_ARRIVAL:
		break;
	}
	return since;
}

/* Orders by deadline count as orders by priority. */
static bool is_priority(enum oracle_order order)
{
	return order == ORACLE_BY_PRIORITY || order == ORACLE_BY_DEADLINE || order == ORACLE_BY_SECTION;
}

/* Does a go before b? Under `lower-first`, in orders by priority: what arrives at this instant loses to what
 * waited before, and among arrivals of this instant the lowest wins. In all other orders ties go to the
 * higher index, of a task to the later segment. Streams are not affected. */
static bool goes_before(const struct oracle *o, const struct operation_state *a,
	const struct operation_state *b, enum oracle_order order, oracle_since_fn *since, bool non_preemptive)
{
	bool lower_first = o->setup->ties == TIES_LOWER_FIRST;
	int64_t since_a = since(o, a), since_b = since(o, b);
	int64_t key_a = key_of(o, a, order, since_a), key_b = key_of(o, b, order, since_b);
	bool higher = key_a < key_b || (key_a == key_b && a < b);
	if (lower_first && non_preemptive && is_priority(order)) {
		bool new_a = since_a == o->now, new_b = since_b == o->now;
		if (new_a != new_b)
			return new_b;
		return new_a ? !higher : higher;
	}
	if (key_a != key_b || !lower_first || is_priority(order))
		return higher;
	return a > b;
}

struct operation_state *oracle_first(const struct oracle *o, oracle_waits_fn *waits, uint32_t which,
	enum oracle_order order, oracle_since_fn *since, bool non_preemptive)
{
	struct operation_state *first = NULL;
	for (uint32_t i = 0; i < o->op_count; i++) {
		struct operation_state *op = &o->ops[i];
		if (op->place != NOWHERE && waits(o, op, which) &&
			(!first || goes_before(o, op, first, order, since, non_preemptive)))
			first = op;
	}
	return first;
}

/* ---- phase 5: streams ---- */

#define NULL_QUEUE 0xfffff /* the lower bits; those above say which GPU */

static uint32_t hardware_queue(const struct oracle *o, const struct operation_state *op)
{
	uint32_t gpu = oracle_gpu(o, op), queues = oracle_device(o, gpu)->work_queues;
	int32_t stream = oracle_segment(o, op)->stream;
	if (stream == STREAM_NULL)
		return gpu << 20 | NULL_QUEUE;
	return gpu << 20 | (stream == STREAM_OWN ? op->task : (uint32_t)stream) % queues;
}

static bool is_null(uint32_t queue)
{
	return (queue & NULL_QUEUE) == NULL_QUEUE;
}

/* Issues in the order of tasks, then segments, whatever `ties` says: `ties` is for the resources after the
 * streams. */
static void issue(struct oracle *o)
{
	for (uint32_t i = 0; i < o->op_count; i++) {
		struct operation_state *op = &o->ops[i];
		if (op->place != TO_ISSUE)
			continue;
		op->place = IN_STREAM;
		op->issue = o->issued++;
		op->issued_at = o->now;
	}
}

/* Is the operation at the head of its hardware queue, and eligible? Eligible means: nothing issued before it
 * is still in its own queue. For the NULL stream: nothing issued before it is in any queue. For the others:
 * nothing issued before it is in the NULL stream. */
static bool eligible_head(const struct oracle *o, const struct operation_state *op)
{
	uint32_t queue = hardware_queue(o, op);
	if (o->planning)
		return true;
	for (uint32_t i = 0; i < o->op_count; i++) {
		const struct operation_state *other = &o->ops[i];
		if (other == op || other->place != IN_STREAM || other->issue > op->issue ||
			o->tasks[other->task].process != o->tasks[op->task].process ||
			oracle_gpu(o, other) != oracle_gpu(o, op))
			continue;
		uint32_t its_queue = hardware_queue(o, other);
		if (its_queue == queue || is_null(its_queue) || is_null(queue))
			return false;
	}
	return !oracle_comes_later(o, op);
}

/* Has it stood in its stream long enough, and did the one before it end long enough ago? */
static bool kept_its_distance(const struct oracle *o, const struct operation_state *op)
{
	const struct overheads *takes = &o->platform->overheads;
	for (size_t i = 0; i < o->ended_count; i++) {
		if (o->ended[i].queue == hardware_queue(o, op) &&
			o->ended[i].process == o->tasks[op->task].process &&
			o->now < o->ended[i].at + takes->gap_ns)
			return false;
	}
	return o->now >= op->issued_at + takes->latency_ns;
}

void oracle_note_end(struct oracle *o, const struct operation_state *op)
{
	bool started = op->copying || op->placed > 0;
	oracle_ask_for_holder(o, op);
	if (op->place != IN_STREAM || !started || o->platform->overheads.gap_ns == 0)
		return;
	o->ended = oracle_grow(o->ended, o->ended_count, sizeof(*o->ended));
	o->ended[o->ended_count++] =
		(struct ended){hardware_queue(o, op), o->tasks[op->task].process, o->now};
}

static void enter(struct oracle *o)
{
	for (uint32_t i = 0; i < o->op_count; i++) {
		struct operation_state *op = &o->ops[i];
		if (op->place == IN_STREAM && !op->entered && eligible_head(o, op) &&
			kept_its_distance(o, op)) {
			op->entered = true;
			op->entered_at = o->now;
			oracle_ask_for_holder(o, op);
		}
	}
}

/* ---- phase 5: copies ---- */

static uint32_t engine_of(const struct oracle *o, const struct operation_state *op)
{
	uint32_t engines = oracle_device(o, oracle_gpu(o, op))->engines;
	return engines == 2 && oracle_segment(o, op)->direction == COPY_TO_CPU ? 1 : 0;
}

/* `which`: 2 * GPU + engine. */
static bool waits_for_engine(const struct oracle *o, const struct operation_state *op, uint32_t which)
{
	return op->place == IN_STREAM && op->entered && !op->copying && oracle_may_start(o, op) &&
	       !o->tasks[op->task].cut && oracle_segment(o, op)->kind == SEGMENT_COPY &&
	       2 * oracle_gpu(o, op) + engine_of(o, op) == which;
}

/* Does a copy stand in the way of a task's? */
static bool engine_busy(const struct oracle *o, uint32_t which, uint32_t task)
{
	for (uint32_t i = 0; i < o->op_count; i++) {
		if (o->ops[i].copying && 2 * oracle_gpu(o, &o->ops[i]) + o->ops[i].engine == which &&
			oracle_same_engines(o, o->ops[i].task, task))
			return true;
	}
	return false;
}

static int64_t since_entered(const struct oracle *o, const struct operation_state *op)
{
	(void)o;
	return op->entered_at;
}

static void start_copy(struct oracle *o, struct operation_state *op, uint32_t engine)
{
	op->copying = true;
	op->engine = engine;
	op->copy_end = o->now + op->length;
	oracle_mark_started(o, op->task);
	oracle_record_copy(o, op);
}

static void start_copies_on(struct oracle *o, uint32_t gpu, uint32_t engine)
{
	bool unlimited = oracle_device(o, gpu)->engines == ENGINES_UNLIMITED;
	for (;;) {
		struct operation_state *next = oracle_first(
			o, waits_for_engine, 2 * gpu + engine, o->policy->copies, since_entered, true);
		if (!next || (!unlimited && engine_busy(o, 2 * gpu + engine, next->task)))
			return;
		start_copy(o, next, engine);
	}
}

static void start_copies(struct oracle *o)
{
	for (uint32_t gpu = 0; gpu < platform_gpus(o->platform); gpu++) {
		for (uint32_t engine = 0; engine < 2; engine++)
			start_copies_on(o, gpu, engine);
	}
}

void oracle_enter_streams(struct oracle *o)
{
	issue(o);
	enter(o);
}

void oracle_dispatch(struct oracle *o)
{
	oracle_enter_streams(o);
	oracle_change_holder(o);
	start_copies(o);
	oracle_place_blocks(o);
}
