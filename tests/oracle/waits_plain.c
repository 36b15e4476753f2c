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

static bool on_core(const struct question *q, const struct under_way *u)
{
	(void)q;
	return u->kind == SEGMENT_CPU;
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

/* Looks for what the job executes now. *next: the segment that it executes next; *last: the last one before
 * now. -1: none. */
static bool executes(struct question *q, int64_t *next, int64_t *last, bool *slowed)
{
	int64_t next_start = INT64_MAX, last_start = -1;
	for (size_t i = 0; i < q->s->result->interval_count + q->s->kernel_count; i++) {
		size_t n = q->s->result->interval_count;
		const struct oracle_interval *t = i < n ? &q->s->result->intervals[i] : NULL;
		const struct plain_kernel *k = i < n ? NULL : &q->s->kernels[i - n];
		uint32_t task = i < n ? t->task : k->task, seq = i < n ? t->seq : k->seq;
		uint32_t segment = i < n ? t->segment : k->segment;
		int64_t start = i < n ? t->start : k->start, end = i < n ? t->end : k->end;
		if (task != q->job->task || seq != q->job->seq)
			continue;
		if (i < n && t->activity != ORACLE_RUN && t->activity != ORACLE_COPY)
			continue;
		if (start <= q->now && q->now < end) {
			q->segment = segment;
			*slowed = i >= n && q->now < k->last_block;
			return true;
		}
		if (start > q->now && start < next_start) {
			next_start = start;
			*next = segment;
		}
		if (end <= q->now && start > last_start) {
			last_start = start;
			*last = segment;
		}
	}
	return false;
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
	int64_t sum = 0;
	for (size_t i = 0; i < q->s->result->interval_count; i++) {
		const struct oracle_interval *t = &q->s->result->intervals[i];
		if (t->task == q->job->task && t->seq == q->job->seq && t->segment == segment &&
			t->activity == ORACLE_RUN)
			sum += t->end - t->start;
	}
	return sum == oracle_length(&o, q->job->task, q->job->seq, segment);
}

struct plain_wait plain_wait_at(const struct plain_schedule *s, const struct oracle_job *job, int64_t now)
{
	struct question q = {.s = s, .job = job, .now = now};
	struct plain_wait w = {"policy", 0, -1, -1};
	int64_t next = -1, last = -1;
	bool slowed = false;
	if (held_by_earlier(&q, &w))
		return w;
	if (executes(&q, &next, &last, &slowed)) {
		w.segment = q.segment;
		bool others = slowed && !has_own_sms(s, job->task) && in_the_way_of(&q, on_gpu, &w);
		w.resource = others ? "slowed" : "own";
		return w;
	}
	const struct segment *segments = s->c->set.tasks[job->task].segments;
	if (next < 0)
		next = last >= 0 && segments[last].kind == SEGMENT_CPU && !computed(&q, (uint32_t)last)
			       ? last
			       : last + 1;
	q.segment = (uint32_t)next;
	q.needs = &segments[next];
	w.segment = next;
	if (q.needs->kind == SEGMENT_CPU)
		w.resource = in_the_way_of(&q, on_core, &w) ? "cpu" : "policy";
	else if (in_the_way_of(&q, in_stream, &w))
		w.resource = "stream";
	else if (q.needs->kind == SEGMENT_COPY && in_the_way_of(&q, on_engine, &w))
		w.resource = "copy";
	else if (q.needs->kind == SEGMENT_KERNEL && in_the_way_of(&q, on_gpu, &w))
		w.resource = "gpu";
	else if (in_the_way_of(&q, anything, &w))
		w.resource = "gate";
	return w;
}
