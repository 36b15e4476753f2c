/* tests/conformance/laws_cpu.c - the core: one thing at a time, the right one, and never idle while
 * something is ready or spins (docs/model.md, "CPU"). */
#include <inttypes.h>
#include <stdlib.h>

#include "tests/conformance/law.h"

void holds_core_one_at_a_time(const struct seen *s, struct verdict *v)
{
	int64_t free_from = 0;
	for (size_t i = 0; i < s->count; i++) {
		const struct trace_record *r = &s->records[i];
		if (r->kind != TRACE_SPAN || r->resource != RESOURCE_CPU)
			continue;
		if (r->start < free_from || r->time <= r->start)
			law_broken(v,
				"task %u has the core in [%" PRId64 ", %" PRId64 "), taken until %" PRId64,
				r->task, r->start, r->time, free_from);
		free_from = r->time;
	}
}

/* Something that wants the core from one instant to another. */
struct wish {
	const struct op_seen *op; /* the CPU segment, or the section's first operation */
	bool spins;
	int64_t from, to;
};

/* End of the section that `op` begins: its job's next CPU segment is ready, or the job ends. */
static int64_t section_end(const struct seen *s, const struct op_seen *op)
{
	uint32_t count = s->set->tasks[op->task].segment_count;
	for (uint32_t g = op->segment + 1; g < count; g++) {
		const struct op_seen *next = seen_op(s, op->task, op->job->number, g);
		if (next->present && next->fact->kind == SEGMENT_CPU)
			return next->ready;
	}
	return op->job->end;
}

/* Busy-waiting goes on through CPU segments of length zero: they never become ready. */
static bool begins_spinning(const struct op_seen *op)
{
	for (const struct op_seen *o = op; o->segment > 0;) {
		o--;
		if (o->present)
			return o->fact->kind == SEGMENT_CPU;
	}
	return true;
}

static size_t collect(const struct seen *s, struct wish *wishes)
{
	size_t count = 0;
	for (uint32_t i = 0; i < s->ops_total; i++) {
		const struct op_seen *op = &s->ops[i];
		struct wish w = {.op = op, .from = op->ready};
		if (!op->present)
			continue;
		if (op->fact->kind == SEGMENT_CPU) {
			w.to = op->done ? op->end : op->cut;
		} else {
			if (s->plan->wait == WAIT_SUSPEND || !begins_spinning(op) || op->ready >= op->cut)
				continue;
			w.spins = true;
			w.to = section_end(s, op);
		}
		if (w.from < w.to && w.from < s->stop_at)
			wishes[count++] = w;
	}
	return count;
}

static bool before(const struct seen *s, const struct wish *a, const struct wish *b)
{
	bool boost = s->plan->wait == WAIT_BOOST;
	if (boost && a->spins != b->spins)
		return a->spins;
	if (boost && a->spins)
		return a->op->task < b->op->task;
	return queues_before(s, s->plan->cpu_order, a->op, a->from, b->op, b->from);
}

static const struct wish *best_at(const struct seen *s, const struct wish *wishes, size_t count, int64_t now)
{
	const struct wish *best = NULL;
	for (size_t i = 0; i < count; i++)
		if (wishes[i].from <= now && now < wishes[i].to && (!best || before(s, &wishes[i], best)))
			best = &wishes[i];
	return best;
}

static const struct trace_record *running_at(const struct seen *s, int64_t now)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct trace_record *r = &s->records[i];
		if (r->kind == TRACE_SPAN && r->resource == RESOURCE_CPU && r->start <= now && now < r->time)
			return r;
	}
	return NULL;
}

static int ascending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return x < y ? -1 : x > y;
}

static void check_instant(const struct seen *s, const struct wish *best, const struct trace_record *r,
	int64_t now, struct verdict *v)
{
	static const enum span_kind spinning[] = {
		[WAIT_SUSPEND] = SPAN_RUN, [WAIT_BUSY] = SPAN_SPIN, [WAIT_BOOST] = SPAN_BOOST};
	if (!best && r)
		law_broken(v, "at %" PRId64 " task %u has the core and nothing to do there", now, r->task);
	else if (best && !r)
		law_broken(v, "at %" PRId64 " the core is idle, task %u wants it", now, best->op->task);
	else if (best && (r->task != best->op->task || r->job != best->op->job->number ||
				 r->segment != best->op->segment ||
				 r->span != (best->spins ? spinning[s->plan->wait] : SPAN_RUN)))
		law_broken(v, "at %" PRId64 " task %u has the core, task %u segment %u should", now, r->task,
			best->op->task, best->op->segment);
}

void holds_core_right_job(const struct seen *s, struct verdict *v)
{
	struct wish *wishes = calloc(s->ops_total + 1, sizeof(*wishes));
	int64_t *instants = calloc(2 * (size_t)s->ops_total + s->count + 1, sizeof(*instants));
	size_t count = wishes ? collect(s, wishes) : 0, n = 0;
	for (size_t i = 0; instants && i < count; i++) {
		instants[n++] = wishes[i].from;
		instants[n++] = wishes[i].to;
	}
	for (size_t i = 0; instants && i < s->count; i++)
		if (s->records[i].kind == TRACE_SPAN && s->records[i].resource == RESOURCE_CPU)
			instants[n++] = s->records[i].time;
	if (!wishes || !instants)
		law_broken(v, "out of memory");
	else
		qsort(instants, n, sizeof(*instants), ascending);
	for (size_t i = 0; instants && i < n && !v->broken; i++)
		if (instants[i] < s->outcome.end_ns && (i == 0 || instants[i] != instants[i - 1]))
			check_instant(s, best_at(s, wishes, count, instants[i]), running_at(s, instants[i]),
				instants[i], v);
	free(wishes);
	free(instants);
}

/* Who spins boosted has the core to the end of its section, but for a lower task that spins. */
void holds_boost(const struct seen *s, struct verdict *v)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct trace_record *r = &s->records[i], *by = NULL;
		if (r->kind != TRACE_SPAN || r->resource != RESOURCE_CPU || r->span != SPAN_BOOST ||
			r->how != SPAN_PREEMPTED)
			continue;
		for (size_t j = i + 1; !by && j < s->count; j++)
			if (s->records[j].kind == TRACE_SPAN && s->records[j].resource == RESOURCE_CPU)
				by = &s->records[j];
		if (!by || by->span != SPAN_BOOST || by->start != r->time || by->task >= r->task)
			law_broken(v, "at %" PRId64 " task %u spins boosted and loses the core", r->time,
				r->task);
	}
}
