/* tests/oracle/waits_plain.c - see tests/oracle/waits_plain.h. At each instant it looks at everything. */
#include "tests/oracle/waits_plain.h"

#include <stdlib.h>
#include <string.h>

#include "tests/oracle/oracle_internal.h"

struct plain_kernel {
	uint32_t task, seq, segment;
	int64_t start, end, last_block;
	uint32_t blocks;
};

/* Something under way: on the core, on an engine, or a kernel. */
struct under_way {
	enum segment_kind kind;
	uint32_t task, seq, segment;
	int32_t engine;
	int64_t start;
};

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static struct plain_kernel *kernel_of(struct plain_schedule *s, const struct oracle_block *b)
{
	for (size_t i = 0; i < s->kernel_count; i++) {
		struct plain_kernel *k = &s->kernels[i];
		if (k->task == b->task && k->seq == b->seq && k->segment == b->segment)
			return k;
	}
	s->kernels = oracle_grow(s->kernels, s->kernel_count, sizeof(*s->kernels));
	s->kernels[s->kernel_count] =
		(struct plain_kernel){b->task, b->seq, b->segment, b->start, b->end, b->start, 0};
	return &s->kernels[s->kernel_count++];
}

static bool has_own_sms(const struct plain_schedule *s, uint32_t task)
{
	return strcmp(s->policy->name, "sbeet") == 0 ||
	       (s->allocation->any && s->allocation->grants[task].count > 0);
}

/* Whether all blocks of a kernel were placed. */
static bool is_whole(const struct plain_schedule *s, const struct plain_kernel *k)
{
	const struct segment *g = &s->c->set.tasks[k->task].segments[k->segment];
	uint32_t given = s->c->platform.virtual_sms_per_sm ? s->c->platform.virtual_sms_per_sm : 1;
	if (g->form == KERNEL_GRID)
		return k->blocks == g->grid;
	if (has_own_sms(s, k->task))
		return true;
	return k->blocks == s->c->platform.sms * (g->form == KERNEL_WORK ? given : 1);
}

/* A kernel of which blocks were left lasted to the end of its job. */
static void cut_off(struct plain_schedule *s, struct plain_kernel *k)
{
	for (size_t i = 0; i < s->result->job_count && !is_whole(s, k); i++) {
		const struct oracle_job *j = &s->result->jobs[i];
		if (j->task == k->task && j->seq == k->seq)
			k->end = plain_until(s, j);
	}
}

void plain_begin(struct plain_schedule *s)
{
	for (size_t i = 0; i < s->result->block_count; i++) {
		const struct oracle_block *b = &s->result->blocks[i];
		struct plain_kernel *k = kernel_of(s, b);
		k->start = least(k->start, b->start);
		k->end = greatest(k->end, b->end);
		k->last_block = greatest(k->last_block, b->start);
		k->blocks++;
	}
	for (size_t i = 0; i < s->kernel_count; i++)
		cut_off(s, &s->kernels[i]);
}

void plain_end(struct plain_schedule *s)
{
	free(s->kernels);
	s->kernels = NULL;
	s->kernel_count = 0;
}

int64_t plain_until(const struct plain_schedule *s, const struct oracle_job *job)
{
	return job->finish < 0 ? s->result->end : job->finish;
}

/* ---- what may be in the way ---- */

struct question {
	const struct plain_schedule *s;
	const struct oracle_job *job;
	int64_t now;
	const struct segment *needs;
	uint32_t segment;
};

/* -1: the NULL stream's. */
static int64_t queue_of(const struct plain_schedule *s, uint32_t task, uint32_t segment)
{
	int32_t stream = s->c->set.tasks[task].segments[segment].stream;
	if (stream == STREAM_NULL)
		return -1;
	return (stream == STREAM_OWN ? task : (uint32_t)stream) % s->c->platform.work_queues;
}

typedef bool in_the_way_fn(const struct question *q, const struct under_way *u);

/* Whether another task has, or may have, a core that the job could have. */
static bool same_core(const struct question *q, uint32_t other)
{
	const struct random_case *c = q->s->c;
	return platform_global(&c->platform) || taskset_core(&c->set, &c->platform, q->job->task) ==
							taskset_core(&c->set, &c->platform, other);
}

static bool on_core(const struct question *q, const struct under_way *u)
{
	return u->kind == SEGMENT_CPU && same_core(q, u->task);
}

static bool anything(const struct question *q, const struct under_way *u)
{
	(void)q;
	return u->kind != SEGMENT_CPU;
}

static bool in_stream(const struct question *q, const struct under_way *u)
{
	int64_t mine = queue_of(q->s, q->job->task, q->segment);
	if (u->kind == SEGMENT_CPU)
		return false;
	int64_t its = queue_of(q->s, u->task, u->segment);
	return mine == its || mine < 0 || its < 0;
}

static bool on_engine(const struct question *q, const struct under_way *u)
{
	uint32_t engines = q->s->c->platform.engines;
	int32_t engine = engines == 2 && q->needs->direction == COPY_TO_CPU;
	return engines > 0 && u->kind == SEGMENT_COPY && u->engine == engine;
}

static bool on_gpu(const struct question *q, const struct under_way *u)
{
	const struct oracle_grant *a = &q->s->allocation->grants[q->job->task],
				  *b = &q->s->allocation->grants[u->task];
	if (u->kind != SEGMENT_KERNEL)
		return false;
	if (!q->s->allocation->any || !a->count || !b->count)
		return true;
	for (uint32_t i = 0; i < a->count; i++)
		for (uint32_t k = 0; k < b->count; k++)
			if (a->sm[i] == b->sm[k])
				return true;
	return false;
}

static void consider(const struct question *q, in_the_way_fn *in_the_way, struct under_way u,
	struct under_way *first, bool *found)
{
	if (u.task == q->job->task || !in_the_way(q, &u))
		return;
	if (!*found || u.start < first->start || (u.start == first->start && u.task < first->task))
		*first = u;
	*found = true;
}

/* Who is in the way, of several the one that began first. */
static bool in_the_way_of(const struct question *q, in_the_way_fn *in_the_way, struct plain_wait *w)
{
	struct under_way first = {0};
	bool found = false;
	for (size_t i = 0; i < q->s->result->interval_count; i++) {
		const struct oracle_interval *t = &q->s->result->intervals[i];
		if (t->start <= q->now && q->now < t->end)
			consider(q, in_the_way,
				(struct under_way){t->activity == ORACLE_COPY ? SEGMENT_COPY : SEGMENT_CPU,
					t->task, t->seq, t->segment, t->engine, t->start},
				&first, &found);
	}
	for (size_t i = 0; i < q->s->kernel_count; i++) {
		const struct plain_kernel *k = &q->s->kernels[i];
		if (k->start <= q->now && q->now < k->end)
			consider(q, in_the_way,
				(struct under_way){SEGMENT_KERNEL, k->task, k->seq, k->segment, -1, k->start},
				&first, &found);
	}
	if (found) {
		w->by_task = first.task;
		w->by_seq = first.seq;
	}
	return found;
}

/* ---- the job ---- */

/* Whether an earlier job goes on: of these the last one to end. */
static bool held_by_earlier(const struct question *q, struct plain_wait *w)
{
	int64_t last = -1;
	for (size_t i = 0; i < q->s->result->job_count; i++) {
		const struct oracle_job *j = &q->s->result->jobs[i];
		int64_t until = plain_until(q->s, j);
		if (j->task != q->job->task || j->seq >= q->job->seq || until <= q->now)
			continue;
		if (until > last || (until == last && j->seq > w->by_seq)) {
			last = until;
			*w = (struct plain_wait){"job", -1, j->task, j->seq};
		}
	}
	return last >= 0;
}

/* What the job executes: a segment, or the launch of one. */
struct executed {
	int64_t segment; /* -1: none */
	bool launch;
	int64_t start, end;
};

static struct executed later(struct executed a, struct executed b)
{
	return a.segment < 0 || b.start > a.start ? b : a;
}

static struct executed earlier(struct executed a, struct executed b)
{
	return a.segment < 0 || b.start < a.start ? b : a;
}

/* Looks for what the job executes now, what it executes next, and the last before now. */
static bool executes(
	struct question *q, struct executed *is, struct executed *next, struct executed *last, bool *slowed)
{
	*is = *next = *last = (struct executed){.segment = -1};
	for (size_t i = 0; i < q->s->result->interval_count + q->s->kernel_count; i++) {
		size_t n = q->s->result->interval_count;
		const struct oracle_interval *t = i < n ? &q->s->result->intervals[i] : NULL;
		const struct plain_kernel *k = i < n ? NULL : &q->s->kernels[i - n];
		uint32_t task = i < n ? t->task : k->task, seq = i < n ? t->seq : k->seq;
		struct executed e = {i < n ? t->segment : k->segment, i < n && t->activity == ORACLE_LAUNCH,
			i < n ? t->start : k->start, i < n ? t->end : k->end};
		if (task != q->job->task || seq != q->job->seq)
			continue;
		if (i < n && t->activity != ORACLE_RUN && t->activity != ORACLE_COPY && !e.launch)
			continue;
		if (e.start <= q->now && q->now < e.end) {
			*slowed = i >= n && q->now < k->last_block;
			*is = e;
			return true;
		}
		if (e.start > q->now)
			*next = earlier(*next, e);
		if (e.end <= q->now)
			*last = later(*last, e);
	}
	return false;
}

static int64_t summed(const struct question *q, int64_t segment, enum oracle_activity activity)
{
	int64_t sum = 0;
	for (size_t i = 0; i < q->s->result->interval_count; i++) {
		const struct oracle_interval *t = &q->s->result->intervals[i];
		if (t->task == q->job->task && t->seq == q->job->seq && t->segment == segment &&
			t->activity == activity)
			sum += t->end - t->start;
	}
	return sum;
}

/* Whether the job computed all of a CPU segment. */
static bool computed(const struct question *q, uint32_t segment)
{
	struct oracle o = {
		.set = &q->s->c->set,
		.platform = &q->s->c->platform,
		.setup = &q->s->c->setup,
		.policy = q->s->policy,
		.allocation = q->s->allocation,
	};
	return summed(q, segment, ORACLE_RUN) == oracle_length(&o, q->job->task, q->job->seq, segment);
}

/* Whether the section of the last operation is over, and the job waits for `sync`. */
static bool syncs(const struct question *q, const struct executed *next, const struct executed *last)
{
	const struct task *task = &q->s->c->set.tasks[q->job->task];
	bool over = next->segment < 0;
	if (last->segment < 0 || last->launch || task->segments[last->segment].kind == SEGMENT_CPU ||
		q->now >= last->end + q->s->c->platform.overheads.sync_ns)
		return false;
	for (int64_t i = last->segment + 1; i <= next->segment; i++)
		over |= task->segments[i].kind == SEGMENT_CPU;
	if (next->segment < 0 && q->job->state != ORACLE_FINISHED && last->segment + 1 < task->segment_count)
		over = task->segments[last->segment + 1].kind == SEGMENT_CPU;
	return over;
}

/* The segment for which the job waits. *core: it needs the core for it, or for its launch. */
static int64_t waits_for(
	const struct question *q, const struct executed *next, const struct executed *last, bool *core)
{
	const struct segment *segments = q->s->c->set.tasks[q->job->task].segments;
	int64_t launch = q->s->c->platform.overheads.launch_ns, is = next->segment;
	bool launched = false;
	if (is < 0 && last->launch) {
		is = last->segment;
		launched = summed(q, is, ORACLE_LAUNCH) == launch;
	} else if (is < 0) {
		bool again = last->segment >= 0 && segments[last->segment].kind == SEGMENT_CPU &&
			     !computed(q, (uint32_t)last->segment);
		is = again ? last->segment : last->segment + 1;
	}
	*core = segments[is].kind == SEGMENT_CPU || next->launch ||
		(next->segment < 0 && launch > 0 && !launched);
	return is;
}

/* Work of nobody's segment, which nobody's priority holds up: interrupts, and decisions of the policy. */
static bool is_above_all(const struct oracle_interval *t)
{
	return t->activity == ORACLE_INTERRUPT || t->activity == ORACLE_DECISION;
}

/* Interrupts are on the core of the task that is released, decisions on core 0. */
static bool has_core(const struct question *q, const struct oracle_interval *t)
{
	const struct random_case *c = q->s->c;
	return t->activity == ORACLE_DECISION
		       ? (int64_t)taskset_core(&c->set, &c->platform, q->job->task) == t->core
		       : same_core(q, t->task);
}

/* Any of several cores: the switch to this very job; else of interrupts and other jobs who began first. */
static const char *waits_for_any(const struct question *q, struct plain_wait *w)
{
	const struct oracle_interval *first = NULL;
	for (size_t i = 0; i < q->s->result->interval_count; i++) {
		const struct oracle_interval *t = &q->s->result->intervals[i];
		bool own = t->task == q->job->task;
		if (t->start > q->now || q->now >= t->end || t->activity == ORACLE_COPY)
			continue;
		if (t->activity == ORACLE_SWITCH && own)
			return "switch";
		if (own && !is_above_all(t))
			continue;
		if (!first || t->start < first->start || (t->start == first->start && t->task < first->task))
			first = t;
	}
	if (!first)
		return "policy";
	w->by_task = first->task;
	w->by_seq = first->seq;
	return is_above_all(first) ? "release" : "cpu";
}

/* Who has the core: an interrupt, the switch to this very job, another job. */
static const char *waits_for_core(const struct question *q, struct plain_wait *w)
{
	if (platform_global(&q->s->c->platform))
		return waits_for_any(q, w);
	for (size_t i = 0; i < q->s->result->interval_count; i++) {
		const struct oracle_interval *t = &q->s->result->intervals[i];
		if (t->start > q->now || q->now >= t->end)
			continue;
		if (t->activity == ORACLE_SWITCH && t->task == q->job->task)
			return "switch";
		if (!is_above_all(t) || !has_core(q, t))
			continue;
		w->by_task = t->task;
		w->by_seq = t->seq;
		return "release";
	}
	return in_the_way_of(q, on_core, w) ? "cpu" : "policy";
}

struct plain_wait plain_wait_at(const struct plain_schedule *s, const struct oracle_job *job, int64_t now)
{
	struct question q = {.s = s, .job = job, .now = now};
	struct plain_wait w = {"policy", 0, -1, -1};
	const struct overheads *o = &s->c->platform.overheads;
	int64_t late = greatest(o->latency_ns, o->gap_ns);
	struct executed is, next, last;
	bool slowed = false, core;
	if (held_by_earlier(&q, &w))
		return w;
	if (executes(&q, &is, &next, &last, &slowed)) {
		w.segment = is.segment;
		bool others = slowed && !has_own_sms(s, job->task) && in_the_way_of(&q, on_gpu, &w);
		w.resource = is.launch ? "launch" : others ? "slowed" : "own";
		return w;
	}
	if (syncs(&q, &next, &last))
		return (struct plain_wait){"sync", last.segment, -1, -1};
	w.segment = waits_for(&q, &next, &last, &core);
	q.segment = (uint32_t)w.segment;
	q.needs = &s->c->set.tasks[job->task].segments[w.segment];
	if (core)
		w.resource = waits_for_core(&q, &w);
	else if (in_the_way_of(&q, in_stream, &w))
		w.resource = "stream";
	else if (q.needs->kind == SEGMENT_COPY && in_the_way_of(&q, on_engine, &w))
		w.resource = "copy";
	else if (q.needs->kind == SEGMENT_KERNEL && in_the_way_of(&q, on_gpu, &w))
		w.resource = "gpu";
	else if (next.segment >= 0 && now >= next.start - late)
		w.resource = "latency";
	else if (in_the_way_of(&q, anything, &w))
		w.resource = "gate";
	return w;
}
