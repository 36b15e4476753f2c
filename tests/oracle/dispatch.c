/* tests/oracle/dispatch.c - the oracle's queues, streams and copy engines: phase 5 of an instant
 * (docs/model.md, "Copies", "Streams", "Overheads", "ties: lower-first"). */
#include "tests/oracle/oracle_internal.h"

/* The key by which operations are compared; smaller goes first. */
static int64_t key_of(const struct oracle *o, uint32_t task, enum oracle_order order, int64_t since)
{
	const struct task_state *t = &o->tasks[task];
	switch (order) {
	case ORACLE_BY_PRIORITY:
		return t->rank;
	case ORACLE_BY_RELEASE:
		return t->jobs[t->current].release;
	case ORACLE_BY_STREAM:
		return (oracle_segment(o, task)->stream_high ? 0 : (int64_t)1 << 40) + since;
	case ORACLE_BY_DEADLINE:
		return t->jobs[t->current].deadline;
	case ORACLE_BY_SECTION:
		return oracle_section_deadline(o, task);
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
 * higher index. Streams are not affected. */
static bool goes_before(const struct oracle *o, uint32_t a, uint32_t b, enum oracle_order order,
	oracle_since_fn *since, bool non_preemptive)
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

int oracle_first(const struct oracle *o, oracle_waits_fn *waits, uint32_t which, enum oracle_order order,
	oracle_since_fn *since, bool non_preemptive)
{
	int first = -1;
	for (uint32_t task = 0; task < o->set->task_count; task++) {
		if (!waits(o, task, which))
			continue;
		if (first < 0 || goes_before(o, task, (uint32_t)first, order, since, non_preemptive))
			first = (int)task;
	}
	return first;
}

/* ---- phase 5: streams ---- */

#define NULL_QUEUE UINT32_MAX

static uint32_t hardware_queue(const struct oracle *o, uint32_t task)
{
	int32_t stream = oracle_segment(o, task)->stream;
	if (stream == STREAM_NULL)
		return NULL_QUEUE;
	return (stream == STREAM_OWN ? task : (uint32_t)stream) % o->platform->work_queues;
}

/* Issues in the order of the task index, whatever `ties` says: `ties` is for the resources after the
 * streams. */
static void issue(struct oracle *o)
{
	for (uint32_t task = 0; task < o->set->task_count; task++) {
		struct operation_state *op = &o->tasks[task].op;
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
static bool eligible_head(const struct oracle *o, uint32_t task)
{
	uint32_t queue = hardware_queue(o, task);
	if (o->planning)
		return true;
	for (uint32_t other = 0; other < o->set->task_count; other++) {
		const struct operation_state *op = &o->tasks[other].op;
		if (other == task || op->place != IN_STREAM || op->issue > o->tasks[task].op.issue ||
			o->tasks[other].process != o->tasks[task].process)
			continue;
		uint32_t its_queue = hardware_queue(o, other);
		if (its_queue == queue || its_queue == NULL_QUEUE || queue == NULL_QUEUE)
			return false;
	}
	return true;
}

/* Has it stood in its stream long enough, and did the one before it end long enough ago? */
static bool kept_its_distance(const struct oracle *o, uint32_t task)
{
	const struct overheads *takes = &o->platform->overheads;
	for (size_t i = 0; i < o->ended_count; i++) {
		if (o->ended[i].queue == hardware_queue(o, task) &&
			o->ended[i].process == o->tasks[task].process &&
			o->now < o->ended[i].at + takes->gap_ns)
			return false;
	}
	return o->now >= o->tasks[task].op.issued_at + takes->latency_ns;
}

void oracle_note_end(struct oracle *o, uint32_t task)
{
	const struct operation_state *op = &o->tasks[task].op;
	bool started = op->copying || op->placed > 0;
	oracle_ask_for_holder(o, task);
	if (op->place != IN_STREAM || !started || o->platform->overheads.gap_ns == 0)
		return;
	o->ended = oracle_grow(o->ended, o->ended_count, sizeof(*o->ended));
	o->ended[o->ended_count++] = (struct ended){hardware_queue(o, task), o->tasks[task].process, o->now};
}

static void enter(struct oracle *o)
{
	for (uint32_t task = 0; task < o->set->task_count; task++) {
		struct operation_state *op = &o->tasks[task].op;
		if (op->place == IN_STREAM && !op->entered && eligible_head(o, task) &&
			kept_its_distance(o, task)) {
			op->entered = true;
			op->entered_at = o->now;
			oracle_ask_for_holder(o, task);
		}
	}
}

/* ---- phase 5: copies ---- */

static uint32_t engine_of(const struct oracle *o, uint32_t task)
{
	return o->platform->engines == 2 && oracle_segment(o, task)->direction == COPY_TO_CPU ? 1 : 0;
}

static bool waits_for_engine(const struct oracle *o, uint32_t task, uint32_t engine)
{
	const struct operation_state *op = &o->tasks[task].op;
	return op->place == IN_STREAM && op->entered && !op->copying && oracle_may_start(o, task) &&
	       !o->tasks[task].cut && oracle_segment(o, task)->kind == SEGMENT_COPY &&
	       engine_of(o, task) == engine;
}

/* Does a copy stand in the way of the task's? */
static bool engine_busy(const struct oracle *o, uint32_t engine, uint32_t task)
{
	for (uint32_t other = 0; other < o->set->task_count; other++) {
		if (o->tasks[other].op.copying && o->tasks[other].op.engine == engine &&
			oracle_same_engines(o, other, task))
			return true;
	}
	return false;
}

static int64_t since_entered(const struct oracle *o, uint32_t task)
{
	return o->tasks[task].op.entered_at;
}

static void start_copy(struct oracle *o, uint32_t task, uint32_t engine)
{
	struct operation_state *op = &o->tasks[task].op;
	op->copying = true;
	op->engine = engine;
	op->copy_end = o->now + op->length;
	oracle_mark_started(o, task);
	oracle_record_copy(o, task);
}

static void start_copies(struct oracle *o)
{
	uint32_t engines = o->platform->engines == 2 ? 2 : 1;
	bool unlimited = o->platform->engines == ENGINES_UNLIMITED;
	for (uint32_t engine = 0; engine < engines; engine++) {
		for (;;) {
			int next = oracle_first(
				o, waits_for_engine, engine, o->policy->copies, since_entered, true);
			if (next < 0 || (!unlimited && engine_busy(o, engine, (uint32_t)next)))
				break;
			start_copy(o, (uint32_t)next, engine);
		}
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
