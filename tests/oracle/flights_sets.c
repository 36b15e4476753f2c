/* tests/oracle/flights_sets.c - see tests/oracle/flights_sets.h. */
#include "tests/oracle/flights_sets.h"

#include <stdio.h>
#include <string.h>

#include "tests/oracle/dice.h"
#include "tests/oracle/flights_plain.h"
#include "tests/support/harness.h"

static int64_t upto(struct dice *d, int64_t most)
{
	return between(d, 0, most);
}

static char names[PLAIN_SEGMENTS][4];
static char *awaited[PLAIN_TASKS][PLAIN_SEGMENTS][2];

/* Of the operations so far; none if there are none. */
static void name_some(struct dice *d, struct task *t, uint32_t task, struct segment *s)
{
	uint32_t at = t->segment_count - 1;
	for (int tries = 0; tries < 4 && s->await_count < 2; tries++) {
		uint32_t earlier = (uint32_t)upto(d, at);
		if (earlier < at && t->segments[earlier].name)
			awaited[task][at][s->await_count++] = t->segments[earlier].name;
	}
	s->awaits = s->await_count > 0 ? awaited[task][at] : NULL;
}

static void add_operation(struct maker *k, struct dice *d, struct task *t, uint32_t task)
{
	int64_t length = upto(d, 6);
	struct segment *s = upto(d, 1) ? maker_copy(k, upto(d, 1) ? COPY_TO_GPU : COPY_TO_CPU, length)
				       : maker_grid(k, 1 + (uint32_t)upto(d, 4), 256u << upto(d, 2), length);
	static const int32_t streams[] = {STREAM_OWN, 1, 2, 3, 3, 4, STREAM_NULL};
	s->stream = streams[upto(d, once_in(d, 4) ? 6 : 5)];
	s->stream_high = upto(d, 3) == 0;
	s->async = upto(d, 3) > 0;
	s->name = names[t->segment_count - 1];
	if (upto(d, 2) == 0)
		name_some(d, t, task, s);
}

static void add_wait(struct maker *k, struct dice *d, struct task *t, uint32_t task)
{
	struct segment *s = maker_cpu(k, 0, 0);
	s->kind = SEGMENT_WAIT;
	if (upto(d, 2) == 0)
		s->stream = (int32_t)upto(d, 4);
	else if (upto(d, 1))
		name_some(d, t, task, s);
}

static void make(struct maker *k, struct dice *d)
{
	for (uint32_t i = 0; i < PLAIN_SEGMENTS; i++)
		names[i][0] = (char)('a' + i);
	static const uint32_t engines[] = {1, 2, ENGINES_UNLIMITED}, queues[] = {32, 32, 2, 1};
	static const enum on_miss misses[] = {MISS_CONTINUE, MISS_ABORT, MISS_DROP};
	maker_init(k, 60);
	k->platform.sms = 2;
	k->platform.threads_per_sm = 1024;
	k->platform.engines = engines[upto(d, 2)];
	k->platform.work_queues = queues[upto(d, 3)];
	k->setup.on_miss = misses[upto(d, 2)];
	k->setup.ties = upto(d, 1) ? TIES_LOWER_FIRST : TIES_TASK_ORDER;
	k->setup.limit_ns = 400;
	uint32_t tasks = 1 + (uint32_t)upto(d, 2);
	for (uint32_t i = 0; i < tasks; i++) {
		int64_t period = 10 + upto(d, 30);
		struct task *t = maker_task(k, "t", period, period - upto(d, 5), upto(d, 5));
		for (int64_t left = 1 + upto(d, 7); left > 0; left--) {
			int64_t what = upto(d, 9);
			if (what < 2)
				maker_cpu(k, 0, 0)->worst_ns = upto(d, 5);
			else if (what < 9)
				add_operation(k, d, t, i);
			else
				add_wait(k, d, t, i);
		}
	}
}

static void nothing_ran(struct plain_result *r)
{
	memset(r, -1, sizeof(*r));
	for (uint32_t i = 0; i < PLAIN_TASKS; i++)
		for (uint32_t j = 0; j < PLAIN_JOBS; j++)
			r->job[i][j].how = PLAIN_UNFINISHED;
}

/* What the simulator says of the jobs. */
static void take(const struct observed *o, struct plain_result *r)
{
	for (size_t i = 0; i < o->count; i++) {
		const struct trace_record *t = &o->records[i];
		struct plain_job *job = &r->job[t->task][t->job];
		if (t->kind == TRACE_JOB_END) {
			job->how = (enum plain_end)t->how;
			job->finish = t->how == JOB_UNFINISHED ? -1 : t->time;
		} else if (t->kind == TRACE_SPAN && t->resource != RESOURCE_CPU) {
			job->start[t->segment] = t->start;
			job->end[t->segment] = t->how == SPAN_STOPPED ? -1 : t->time;
		}
	}
}

static bool differ(
	const struct plain_result *plain, const struct plain_result *engine, char *text, size_t size)
{
	for (uint32_t i = 0; i < PLAIN_TASKS; i++)
		for (uint32_t j = 0; j < plain->jobs[i]; j++) {
			const struct plain_job *p = &plain->job[i][j], *e = &engine->job[i][j];
			snprintf(text, size, "task %u, job %u: ends (%d) at %d, by ticks (%d) at %d", i, j,
				(int)e->how, (int)e->finish, (int)p->how, (int)p->finish);
			if (p->finish != e->finish || p->how != e->how)
				return true;
			for (uint32_t s = 0; s < PLAIN_SEGMENTS; s++) {
				snprintf(text, size,
					"task %u, job %u, segment %u: %d to %d, by ticks %d to %d", i, j, s,
					(int)e->start[s], (int)e->end[s], (int)p->start[s], (int)p->end[s]);
				if (p->start[s] != e->start[s] || p->end[s] != e->end[s])
					return true;
			}
		}
	return false;
}

void flights_make(struct maker *k, uint64_t number)
{
	struct dice d = {number};
	make(k, &d);
}

bool flights_agree(uint64_t number, char *text, size_t size)
{
	static struct plain_result plain, engine;
	struct maker k;
	flights_make(&k, number);
	flights_plain(&k.platform, &k.set, &k.setup, &plain);
	nothing_ran(&engine);
	struct observed o = observe(&k, "fifo-cke", NULL);
	take(&o, &engine);
	bool agree = !differ(&plain, &engine, text, size);
	observed_finish(&o);
	maker_finish(&k);
	return agree;
}

/* ---- graphs ---- */

static char graphs[2][2] = {"g", "h"};

/* Asynchronous operations become nodes, many of them in a row. */
static void draw_graphs(struct maker *k, struct dice *d)
{
	for (uint32_t i = 0; i < k->set.task_count; i++) {
		struct task *t = &k->set.tasks[i];
		for (uint32_t j = 0; j < t->segment_count; j++)
			if (t->segments[j].async && upto(d, 3) > 0)
				t->segments[j].graph = graphs[upto(d, 3) == 0];
	}
}

/* The same where launching is a segment of the CPU in front of each operation that takes time, but for those
 * behind a node of their graph. */
static void launch_by_hand(struct maker *k, const struct task *from, int64_t launch)
{
	struct task *t = maker_task(k, "t", from->period_ns, from->deadline_ns, from->offset_ns);
	for (uint32_t j = 0; j < from->segment_count; j++) {
		const struct segment *s = &from->segments[j];
		bool operation = s->kind == SEGMENT_COPY || s->kind == SEGMENT_KERNEL;
		bool joins = s->graph && j > 0 && s[-1].graph && strcmp(s->graph, s[-1].graph) == 0;
		if (operation && !joins && s->worst_ns > 0)
			maker_cpu(k, launch, launch);
		*maker_cpu(k, 0, 0) = *s;
		t->segments[t->segment_count - 1].graph = NULL;
	}
}

/* The n-th record of what the GPU did, or of a job's end; NULL: there are no more. */
static const struct trace_record *nth(const struct observed *o, size_t *at)
{
	for (; *at < o->count; (*at)++) {
		const struct trace_record *r = &o->records[*at];
		if (r->kind == TRACE_JOB_END || (r->kind == TRACE_SPAN && r->resource != RESOURCE_CPU))
			return &o->records[(*at)++];
	}
	return NULL;
}

static bool same_record(const struct trace_record *a, const struct trace_record *b)
{
	return a && b && a->kind == b->kind && a->task == b->task && a->job == b->job && a->time == b->time &&
	       a->how == b->how && (a->kind == TRACE_JOB_END || a->start == b->start);
}

bool graphs_agree(uint64_t number, char *text, size_t size)
{
	struct dice d = {number};
	struct maker k, by_hand;
	for (uint32_t i = 0; i < PLAIN_SEGMENTS; i++)
		names[i][0] = (char)('a' + i);
	make(&k, &d);
	draw_graphs(&k, &d);
	k.platform.overheads.launch_ns = 1 + upto(&d, 2);
	maker_init(&by_hand, 60);
	by_hand.platform = k.platform;
	by_hand.platform.overheads.launch_ns = 0;
	by_hand.setup = k.setup;
	for (uint32_t i = 0; i < k.set.task_count; i++)
		launch_by_hand(&by_hand, &k.set.tasks[i], k.platform.overheads.launch_ns);
	struct observed o = observe(&k, "fifo-cke", NULL), p = observe(&by_hand, "fifo-cke", NULL);
	const struct trace_record *a, *b;
	size_t i = 0, j = 0;
	do {
		a = nth(&o, &i);
		b = nth(&p, &j);
	} while (same_record(a, b));
	bool agree = !a && !b;
	if (!agree)
		snprintf(text, size, "record %zu: of task %d, job %d, %d to %d; by hand of %d, %d, %d to %d",
			i, a ? (int)a->task : -1, a ? (int)a->job : -1, a ? (int)a->start : -1,
			a ? (int)a->time : -1, b ? (int)b->task : -1, b ? (int)b->job : -1,
			b ? (int)b->start : -1, b ? (int)b->time : -1);
	observed_finish(&o);
	observed_finish(&p);
	maker_finish(&k);
	maker_finish(&by_hand);
	return agree;
}

/* ---- more of them, for the audit ---- */

static struct platform second_gpu;

static void spread_over_two(struct maker *k, struct dice *d)
{
	static const uint32_t engines[] = {1, 2, ENGINES_UNLIMITED}, queues[] = {32, 2, 1};
	second_gpu = k->platform;
	second_gpu.gpu = 1;
	second_gpu.sms = 1 + (uint32_t)upto(d, 2);
	second_gpu.engines = engines[upto(d, 2)];
	second_gpu.work_queues = queues[upto(d, 2)];
	k->platform.gpu_count = 2;
	k->platform.others = &second_gpu;
	for (uint32_t i = 0; i < k->set.task_count; i++)
		for (uint32_t j = 0; j < k->set.tasks[i].segment_count; j++)
			k->set.tasks[i].segments[j].gpu = (uint32_t)upto(d, 1);
}

void flights_make_more(struct maker *k, uint64_t number)
{
	static char task_names[PLAIN_TASKS][12], set_name[] = "flying";
	struct dice d = {number};
	make(k, &d);
	snprintf(k->platform.name, sizeof(k->platform.name), "two-sms");
	k->platform.static_uw = 1000 + (int64_t)number; /* no two are the same */
	k->set.name = set_name;
	for (uint32_t i = 0; i < k->set.task_count; i++) {
		snprintf(task_names[i], sizeof(task_names[i]), "t%u", i);
		k->set.tasks[i].name = task_names[i];
	}
	if (number % 2) {
		draw_graphs(k, &d);
		k->platform.overheads = (struct overheads){.launch_ns = upto(&d, 2),
			.latency_ns = upto(&d, 2),
			.gap_ns = upto(&d, 1),
			.sync_ns = upto(&d, 2)};
	}
	if (number % 3 == 0)
		spread_over_two(k, &d);
}
