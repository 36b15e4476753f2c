/* tests/oracle/flights_plain.c - see tests/oracle/flights_plain.h. The phases are those of docs/model.md. */
#include "tests/oracle/flights_plain.h"

#include <assert.h>
#include <string.h>

#define BLOCKS 16
#define SMS 4
#define NEVER INT64_MAX

enum state { UNREACHED, REACHED, IN_STREAM, IN_QUEUE, RUNNING, OVER };

struct op {
	enum state state;
	int64_t issued;  /* number in the order of issue */
	int64_t entered; /* its queue, at */
	int64_t end;     /* of a copy that runs */
	uint32_t placed, blocks;
	int64_t block_end[BLOCKS];
	uint32_t on[BLOCKS];
	bool cut; /* blocks not placed never will be */
};

struct job {
	bool active, aborted, started;
	uint32_t number, at; /* at: the segment where it is */
	int64_t release, cpu_left;
	struct op op[PLAIN_SEGMENTS];
};

struct plain {
	const struct platform *platform;
	const struct taskset *set;
	const struct run_setup *setup;
	struct plain_result *result;
	int64_t now, issues;
	struct job job[PLAIN_TASKS];
	uint32_t released[PLAIN_TASKS], begun[PLAIN_TASKS]; /* begun, or removed before */
	int64_t threads[SMS];                               /* in use */
};

static const struct segment *segment_of(const struct plain *p, uint32_t task, uint32_t segment)
{
	return &p->set->tasks[task].segments[segment];
}

static bool is_operation(const struct segment *s)
{
	return s->kind == SEGMENT_COPY || s->kind == SEGMENT_KERNEL;
}

static int64_t release_of(const struct plain *p, uint32_t task, uint32_t job)
{
	return p->set->tasks[task].offset_ns + job * p->set->tasks[task].period_ns;
}

static void ended(struct plain *p, uint32_t task, uint32_t job, enum plain_end how)
{
	p->result->job[task][job].finish = p->now;
	p->result->job[task][job].how = how;
}

/* ---- what waits for what ---- */

static bool in_flight(const struct op *o)
{
	return o->state != UNREACHED && o->state != OVER;
}

/* Whether an earlier operation that this segment names is not over. */
static bool named_in_flight(const struct plain *p, uint32_t task, uint32_t segment)
{
	const struct segment *s = segment_of(p, task, segment);
	for (uint32_t i = 0; i < segment; i++) {
		const struct segment *e = segment_of(p, task, i);
		int32_t stream = e->stream == STREAM_OWN ? (int32_t)task : e->stream;
		bool named = s->kind == SEGMENT_WAIT && s->await_count == 0 &&
			     (s->stream == STREAM_OWN || s->stream == stream);
		for (uint32_t k = 0; k < s->await_count; k++)
			named |= e->name && strcmp(e->name, s->awaits[k]) == 0;
		if (named && is_operation(e) && in_flight(&p->job[task].op[i]))
			return true;
	}
	return false;
}

static bool any_in_flight(const struct plain *p, uint32_t task)
{
	for (uint32_t i = 0; i < p->set->tasks[task].segment_count; i++)
		if (in_flight(&p->job[task].op[i]))
			return true;
	return false;
}

static uint32_t queue_of(const struct plain *p, uint32_t task, uint32_t segment)
{
	int32_t stream = segment_of(p, task, segment)->stream;
	if (stream == STREAM_NULL)
		return p->platform->work_queues;
	return (stream == STREAM_OWN ? task : (uint32_t)stream) % p->platform->work_queues;
}

/* Calls for each operation of a current job. */
#define EACH_OP(p, t, s, o)                                                                                  \
	for (uint32_t t = 0; t < (p)->set->task_count; t++)                                                  \
		for (uint32_t s = 0; s < (p)->set->tasks[t].segment_count; s++)                              \
			for (struct op *o = &(p)->job[t].op[s]; o; o = NULL)

/* Head of its queue, all that it comes after is over, and nothing of the NULL stream's rule is in its way. */
static bool eligible(struct plain *p, uint32_t task, uint32_t segment)
{
	const struct op *mine = &p->job[task].op[segment];
	uint32_t queue = queue_of(p, task, segment), null = p->platform->work_queues;
	if (named_in_flight(p, task, segment))
		return false;
	EACH_OP(p, t, s, o)
	{
		bool issued = o->state == IN_STREAM || o->state == IN_QUEUE || o->state == RUNNING;
		uint32_t other = queue_of(p, t, s);
		if (issued && is_operation(segment_of(p, t, s)) && o->issued < mine->issued &&
			(other == queue || queue == null || other == null))
			return false;
	}
	return true;
}

/* ---- phases 1 to 3 ---- */

static bool complete_op(struct plain *p, uint32_t task, uint32_t segment, struct op *o)
{
	const struct segment *s = segment_of(p, task, segment);
	uint32_t left = 0;
	if (o->state != RUNNING)
		return false;
	for (uint32_t b = 0; s->kind == SEGMENT_KERNEL && b < o->placed; b++) {
		if (o->block_end[b] == p->now) {
			p->threads[o->on[b]] -= (s->block + 31) / 32 * 32;
			o->block_end[b] = NEVER;
		}
		left += o->block_end[b] != NEVER;
	}
	bool over =
		s->kind == SEGMENT_COPY ? o->end == p->now : left == 0 && (o->cut || o->placed == o->blocks);
	if (!over)
		return false;
	o->state = OVER;
	p->result->job[task][p->job[task].number].end[segment] = p->now;
	return true;
}

static bool complete(struct plain *p)
{
	bool changed = false;
	EACH_OP(p, t, s, o)
	changed |= complete_op(p, t, s, o);
	return changed;
}

static void reach(struct plain *p, uint32_t task)
{
	struct job *j = &p->job[task];
	const struct segment *s = segment_of(p, task, j->at);
	if (s->kind == SEGMENT_CPU)
		j->cpu_left = s->worst_ns;
	else
		j->op[j->at] = (struct op){.state = REACHED, .blocks = s->grid};
}

/* The job goes on by one segment, if it can. */
static bool step(struct plain *p, uint32_t task)
{
	struct job *j = &p->job[task];
	const struct segment *s = segment_of(p, task, j->at);
	struct op *o = &j->op[j->at];
	if (s->kind == SEGMENT_CPU) {
		if (j->cpu_left < 0)
			reach(p, task);
		if (j->cpu_left > 0)
			return false;
		j->started = true;
	} else if (s->kind == SEGMENT_WAIT) {
		if (named_in_flight(p, task, j->at))
			return false;
		j->started = true;
	} else if (s->worst_ns == 0) {
		o->state = OVER;
		j->started = true;
	} else {
		if (o->state == UNREACHED)
			reach(p, task);
		if (!s->async && o->state != OVER)
			return false;
	}
	j->at++;
	j->cpu_left = -1;
	return true;
}

static void begin(struct plain *p, uint32_t task)
{
	struct job *j = &p->job[task];
	if (j->active || p->begun[task] == p->released[task])
		return;
	*j = (struct job){.active = true, .number = p->begun[task]++, .cpu_left = -1};
	j->release = release_of(p, task, j->number);
}

static bool advance(struct plain *p, uint32_t task)
{
	struct job *j = &p->job[task];
	begin(p, task);
	bool changed = false;
	while (j->active && !j->aborted && j->at < p->set->tasks[task].segment_count && step(p, task))
		changed = true;
	bool through = j->aborted || j->at == p->set->tasks[task].segment_count;
	if (!j->active || !through || any_in_flight(p, task))
		return changed;
	j->active = false;
	ended(p, task, j->number, j->aborted ? PLAIN_ABORTED : PLAIN_FINISHED);
	return true;
}

static bool release(struct plain *p, uint32_t task)
{
	uint32_t next = p->released[task];
	if (release_of(p, task, next) != p->now || p->now >= p->setup->horizon_ns)
		return false;
	assert(next < PLAIN_JOBS);
	p->result->jobs[task] = ++p->released[task];
	return true;
}

static void to_the_end(struct plain *p)
{
	for (bool changed = true; changed;) {
		changed = complete(p);
		for (uint32_t i = 0; i < p->set->task_count; i++)
			changed |= advance(p, i);
		for (uint32_t i = 0; i < p->set->task_count; i++)
			changed |= release(p, i);
	}
}

static void abort_job(struct plain *p, uint32_t task)
{
	struct job *j = &p->job[task];
	j->aborted = true;
	for (uint32_t i = 0; i < p->set->tasks[task].segment_count; i++) {
		struct op *o = &j->op[i];
		if (o->state == RUNNING)
			o->cut = true;
		else if (o->state != UNREACHED)
			o->state = OVER;
	}
}

static void deadlines(struct plain *p)
{
	enum on_miss rule = p->setup->on_miss;
	for (uint32_t i = 0; i < p->set->task_count && rule != MISS_CONTINUE; i++) {
		struct job *j = &p->job[i];
		int64_t relative = p->set->tasks[i].deadline_ns;
		while (j->active && p->begun[i] < p->released[i] &&
			release_of(p, i, p->begun[i]) + relative <= p->now)
			ended(p, i, p->begun[i]++, rule == MISS_DROP ? PLAIN_DROPPED : PLAIN_ABORTED);
		if (!j->active || j->aborted || j->release + relative != p->now)
			continue;
		if (rule == MISS_ABORT)
			abort_job(p, i);
		if (rule == MISS_DROP && !j->started) {
			memset(j->op, 0, sizeof(j->op));
			j->active = false;
			ended(p, i, j->number, PLAIN_DROPPED);
		}
	}
}

/* ---- phases 4 and 5 ---- */

static void start(struct plain *p, uint32_t task, uint32_t segment)
{
	p->job[task].op[segment].state = RUNNING;
	p->job[task].started = true;
	p->result->job[task][p->job[task].number].start[segment] = p->now;
}

static uint32_t engine_of(const struct plain *p, const struct segment *s)
{
	return p->platform->engines == 2 && s->direction == COPY_TO_CPU ? 1 : 0;
}

/* Of those in a queue: who entered first; ties by task, then segment, or the other way round. */
static bool first(struct plain *p, enum segment_kind kind, uint32_t which, uint32_t *task, uint32_t *segment)
{
	bool found = false, last_wins = p->setup->ties == TIES_LOWER_FIRST;
	EACH_OP(p, t, s, o)
	{
		const struct segment *g = segment_of(p, t, s);
		bool waits = o->state == IN_QUEUE || (o->state == RUNNING && kind == SEGMENT_KERNEL &&
							     !o->cut && o->placed < o->blocks);
		uint32_t at = kind == SEGMENT_COPY ? engine_of(p, g) : g->stream_high ? 0 : 1;
		if (!waits || g->kind != kind || at != which)
			continue;
		int64_t best = found ? p->job[*task].op[*segment].entered : NEVER;
		if (o->entered > best || (found && o->entered == best && !last_wins))
			continue;
		found = true;
		*task = t;
		*segment = s;
	}
	return found;
}

static void dispatch_copies(struct plain *p)
{
	uint32_t task = 0, segment = 0, engines = p->platform->engines;
	for (uint32_t e = 0; e < 2; e++) {
		bool busy = false;
		EACH_OP(p, t, s, o)
		busy |= o->state == RUNNING && segment_of(p, t, s)->kind == SEGMENT_COPY &&
			engine_of(p, segment_of(p, t, s)) == e;
		while ((engines == ENGINES_UNLIMITED || !busy) &&
			first(p, SEGMENT_COPY, e, &task, &segment)) {
			start(p, task, segment);
			p->job[task].op[segment].end = p->now + segment_of(p, task, segment)->worst_ns;
			busy = true;
		}
	}
}

/* Places blocks of the head; false: some are left. */
static bool place(struct plain *p, uint32_t task, uint32_t segment)
{
	const struct segment *s = segment_of(p, task, segment);
	struct op *o = &p->job[task].op[segment];
	int64_t threads = (s->block + 31) / 32 * 32;
	for (; o->placed < o->blocks; o->placed++) {
		uint32_t best = 0;
		for (uint32_t i = 1; i < p->platform->sms; i++)
			best = p->threads[i] < p->threads[best] ? i : best;
		if (p->threads[best] + threads > p->platform->threads_per_sm)
			return false;
		if (o->placed == 0)
			start(p, task, segment);
		p->threads[best] += threads;
		o->on[o->placed] = best;
		o->block_end[o->placed] = p->now + s->worst_ns;
	}
	return true;
}

static void dispatch_kernels(struct plain *p)
{
	uint32_t task = 0, segment = 0;
	for (uint32_t stream = 0; stream < 2; stream++)
		while (first(p, SEGMENT_KERNEL, stream, &task, &segment))
			if (!place(p, task, segment))
				return;
}

static void dispatch(struct plain *p)
{
	EACH_OP(p, t, s, o)
	if (o->state == REACHED) {
		o->state = IN_STREAM;
		o->issued = p->issues++;
	}
	EACH_OP(p, t, s, o)
	if (o->state == IN_STREAM && eligible(p, t, s)) {
		o->state = IN_QUEUE;
		o->entered = p->now;
	}
	dispatch_copies(p);
	dispatch_kernels(p);
}

/* The core, until the next tick. */
static void compute(struct plain *p)
{
	uint32_t rank[PLAIN_TASKS], best = PLAIN_TASKS;
	taskset_ranks(p->set, false, rank);
	for (uint32_t i = 0; i < p->set->task_count; i++)
		if (p->job[i].active && p->job[i].cpu_left > 0 && !p->job[i].aborted &&
			(best == PLAIN_TASKS || rank[i] < rank[best]))
			best = i;
	if (best == PLAIN_TASKS)
		return;
	p->job[best].started = true;
	p->job[best].cpu_left--;
}

void flights_plain(const struct platform *platform, const struct taskset *set, const struct run_setup *setup,
	struct plain_result *result)
{
	struct plain p = {.platform = platform, .set = set, .setup = setup, .result = result};
	assert(set->task_count <= PLAIN_TASKS && platform->sms <= SMS);
	memset(result, 0, sizeof(*result));
	for (uint32_t i = 0; i < PLAIN_TASKS; i++)
		for (uint32_t j = 0; j < PLAIN_JOBS; j++) {
			struct plain_job *job = &result->job[i][j];
			memset(job->start, -1, sizeof(job->start));
			memset(job->end, -1, sizeof(job->end));
			job->finish = -1;
			job->how = PLAIN_UNFINISHED;
		}
	for (; p.now <= setup->limit_ns; p.now++) {
		to_the_end(&p);
		deadlines(&p);
		to_the_end(&p);
		if (p.now == setup->limit_ns)
			return;
		dispatch(&p);
		compute(&p);
	}
}
