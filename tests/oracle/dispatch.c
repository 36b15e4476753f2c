/* tests/oracle/dispatch.c - the oracle's queues, streams, copy engines and core: phase 5 of an instant
 * (docs/model.md, "CPU", "Copies", "Streams", "ties: lower-first"). */
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
		if (other == task || op->place != IN_STREAM || op->issue > o->tasks[task].op.issue)
			continue;
		uint32_t its_queue = hardware_queue(o, other);
		if (its_queue == queue || its_queue == NULL_QUEUE || queue == NULL_QUEUE)
			return false;
	}
	return true;
}

static void enter(struct oracle *o)
{
	for (uint32_t task = 0; task < o->set->task_count; task++) {
		struct operation_state *op = &o->tasks[task].op;
		if (op->place == IN_STREAM && !op->entered && eligible_head(o, task)) {
			op->entered = true;
			op->entered_at = o->now;
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
	return op->place == IN_STREAM && op->entered && !op->copying &&
	       oracle_segment(o, task)->kind == SEGMENT_COPY && engine_of(o, task) == engine;
}

static bool engine_busy(const struct oracle *o, uint32_t engine)
{
	for (uint32_t task = 0; task < o->set->task_count; task++) {
		if (o->tasks[task].op.copying && o->tasks[task].op.engine == engine)
			return true;
	}
	return false;
}

static int64_t since_entered(const struct oracle *o, uint32_t task)
{
	return o->tasks[task].op.entered_at;
}

static void record(
	struct oracle *o, uint32_t task, enum oracle_activity activity, int32_t engine, int64_t end)
{
	struct oracle_result *r = o->result;
	const struct task_state *t = &o->tasks[task];
	r->intervals = oracle_grow(r->intervals, r->interval_count, sizeof(*r->intervals));
	r->intervals[r->interval_count++] = (struct oracle_interval){
		.task = task,
		.seq = t->jobs[t->current].seq,
		.segment = t->op.segment,
		.activity = activity,
		.engine = engine,
		.ready = t->op.ready,
		.start = o->now,
		.end = end,
	};
}

static void start_copy(struct oracle *o, uint32_t task, uint32_t engine)
{
	struct operation_state *op = &o->tasks[task].op;
	op->copying = true;
	op->engine = engine;
	op->copy_end = o->now + op->length;
	oracle_mark_started(o, task);
	record(o, task, ORACLE_COPY, o->platform->engines ? (int32_t)engine : -1, op->copy_end);
}

static void start_copies(struct oracle *o)
{
	uint32_t engines = o->platform->engines == 2 ? 2 : 1;
	bool unlimited = o->platform->engines == ENGINES_UNLIMITED;
	for (uint32_t engine = 0; engine < engines; engine++) {
		while (unlimited || !engine_busy(o, engine)) {
			int next = oracle_first(
				o, waits_for_engine, engine, o->policy->copies, since_entered, true);
			if (next < 0)
				break;
			start_copy(o, (uint32_t)next, engine);
		}
	}
}

void oracle_dispatch(struct oracle *o)
{
	issue(o);
	enter(o);
	start_copies(o);
	oracle_place_blocks(o);
}

/* ---- the core ---- */

static bool wants_core(const struct oracle *o, uint32_t task, uint32_t which)
{
	(void)which;
	enum place place = o->tasks[task].op.place;
	return place == ON_CPU || (o->policy->wait != ORACLE_SUSPENDS && place != NOWHERE);
}

static int64_t since_ready(const struct oracle *o, uint32_t task)
{
	return o->tasks[task].op.ready;
}

/* The task that has the core during [now, now + 1); -1: none. */
static int core_goes_to(const struct oracle *o)
{
	for (uint32_t task = 0; o->policy->wait == ORACLE_BOOSTS && task < o->set->task_count; task++) {
		enum place place = o->tasks[task].op.place;
		if (place != NOWHERE && place != ON_CPU)
			return (int)task;
	}
	return oracle_first(o, wants_core, 0,
		o->policy->core_by_deadline ? ORACLE_BY_DEADLINE : ORACLE_BY_PRIORITY, since_ready, false);
}

/* While a schedule is planned, each task has its own core. */
static void run_all(struct oracle *o)
{
	for (uint32_t task = 0; task < o->set->task_count; task++)
		o->tasks[task].op.remaining -= o->tasks[task].op.place == ON_CPU;
}

void oracle_run_cpu_tick(struct oracle *o)
{
	if (o->planning) {
		run_all(o);
		return;
	}
	int task = core_goes_to(o);
	if (task < 0)
		return;
	struct operation_state *op = &o->tasks[task].op;
	enum oracle_activity activity = o->policy->wait == ORACLE_BOOSTS ? ORACLE_BOOST : ORACLE_SPIN;
	if (op->place == ON_CPU) {
		activity = ORACLE_RUN;
		oracle_mark_started(o, (uint32_t)task);
		op->remaining--;
	}
	const struct task_state *t = &o->tasks[task];
	for (size_t i = o->result->interval_count; i-- > 0;) {
		struct oracle_interval *last = &o->result->intervals[i];
		if (last->task == (uint32_t)task && last->seq == t->jobs[t->current].seq &&
			last->segment == op->segment && last->activity == activity && last->end == o->now) {
			last->end++;
			return;
		}
	}
	record(o, (uint32_t)task, activity, -1, o->now + 1);
}
