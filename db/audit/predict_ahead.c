/* db/audit/predict_ahead.c - Q^w: the sections that wait at the gate, and those that are expected at it, in
 * the order in which they are ready (docs/policies.md, "Prediction").
 *
 * What is expected of a task follows from what has been seen of it. A section of a job that was released is
 * expected at that release + `before`, unless it, or one behind it, has stood at the gate. After the last
 * release a, the next jobs are expected at a + T, a + 2T, ...; before any release, at the offset, the offset
 * + T, ... Their sections are expected at these releases + `before`. What is not later than now is no longer
 * expected.
 *
 * Each section of a task is a source of such instants in ascending order. They are merged only as far as
 * needed. So a long period with much work costs little if it is soon clear that it is too late. */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "db/audit/predict.h"

/* ---- What has been seen ---- */

/* Forgets releases of which nothing is expected any more. */
static void forget(struct sections_of_task *of, int64_t now)
{
	size_t gone = 0;
	while (gone < of->recents && (of->recent[gone].seq < of->stood_seq ||
					     later_by(of->recent[gone].time, of->farthest) <= now))
		gone++;
	of->recents -= gone;
	if (gone)
		memmove(of->recent, of->recent + gone, of->recents * sizeof(*of->recent));
}

void predict_released(struct predictions *p, uint32_t task, int64_t seq, int64_t release)
{
	struct sections_of_task *of = &p->task[task];
	of->last_release = release;
	if (of->sections == 0)
		return;
	forget(of, release);
	if (!list_reserve((void **)&of->recent, &of->recent_capacity, of->recents + 1, sizeof(*of->recent))) {
		p->failed = true;
		return;
	}
	of->recent[of->recents++] = (struct release){seq, release};
}

void predict_stands(struct predictions *p, const struct track *t)
{
	struct sections_of_task *of = &p->task[t->index];
	const struct section *section = predict_section(p, t->index, predict_segment(p, t));
	of->stood_seq = t->job.seq;
	of->stood_section = (uint32_t)(section - of->section);
}

/* ---- Order ---- */

static bool same_task_before(const struct awaited *a, const struct awaited *b)
{
	if (a->task != b->task)
		return a->task < b->task;
	return a->seq != b->seq ? a->seq < b->seq : a->index < b->index;
}

bool predict_sooner(const struct awaited *a, const struct awaited *b)
{
	if (a->ready != b->ready)
		return a->ready < b->ready;
	return a->deadline != b->deadline ? a->deadline < b->deadline : same_task_before(a, b);
}

bool predict_more_urgent(const struct awaited *a, const struct awaited *b)
{
	if (a->deadline != b->deadline)
		return a->deadline < b->deadline;
	return a->ready != b->ready ? a->ready < b->ready : same_task_before(a, b);
}

/* The heap of sources; the root is the one that is ready first. */
static void sink(struct predictions *p, uint32_t at)
{
	struct predict_source moved = p->source[at];
	for (uint32_t child; (child = 2 * at + 1) < p->sources; at = child) {
		if (child + 1 < p->sources &&
			predict_sooner(&p->source[child + 1].next, &p->source[child].next))
			child++;
		if (!predict_sooner(&p->source[child].next, &moved.next))
			break;
		p->source[at] = p->source[child];
	}
	p->source[at] = moved;
}

/* ---- What is ahead ---- */

static void expect(const struct predictions *p, struct predict_source *of, int64_t seq, int64_t release)
{
	struct awaited *next = &of->next;
	of->release = release;
	next->seq = seq;
	next->ready = later_by(release, next->section->before);
	next->deadline = later_by(release, p->r->task[next->task].deadline_ns - next->section->after);
}

/* The first future release whose section is later than now. */
static int64_t next_release(const struct predictions *p, const struct awaited *of)
{
	const struct member *t = &p->r->task[of->task];
	int64_t last = p->task[of->task].last_release;
	int64_t first = last == NOT_GIVEN ? t->offset_ns : later_by(last, t->period_ns);
	int64_t ready = later_by(first, of->section->before);
	if (ready > p->now)
		return first;
	int128 next = first + ((int128)(p->now - ready) / t->period_ns + 1) * t->period_ns;
	return next > INT64_MAX ? INT64_MAX : (int64_t)next;
}

/* Whether the section of a released job is still to come: later than now, and after the last one that was at
 * the gate. */
static bool to_come(const struct predictions *p, const struct predict_source *of, const struct release *job)
{
	const struct sections_of_task *t = &p->task[of->next.task];
	bool behind =
		job->seq > t->stood_seq || (job->seq == t->stood_seq && of->next.index > t->stood_section);
	return behind && later_by(job->time, of->next.section->before) > p->now;
}

/* Goes on from the job before of->recent to the next job that is expected. */
static void step_on(const struct predictions *p, struct predict_source *of)
{
	const struct sections_of_task *t = &p->task[of->next.task];
	while (of->recent < t->recents && !to_come(p, of, &t->recent[of->recent]))
		of->recent++;
	if (of->recent < t->recents) {
		const struct release *job = &t->recent[of->recent++];
		expect(p, of, job->seq, job->time);
		return;
	}
	/* After all releases the numbers only order what is ready at one instant. */
	bool first = of->recent++ == t->recents;
	int64_t release = first ? next_release(p, &of->next)
				: later_by(of->release, p->r->task[of->next.task].period_ns);
	expect(p, of, first ? INT64_MAX / 2 : of->next.seq + 1, release);
}

static void add_sources(struct predictions *p, uint32_t task)
{
	struct sections_of_task *t = &p->task[task];
	forget(t, p->now);
	for (uint32_t k = 0; k < t->sections; k++) {
		struct predict_source *of = &p->source[p->sources++];
		*of = (struct predict_source){.next = {.task = task, .index = k, .section = &t->section[k]}};
		step_on(p, of);
	}
}

struct awaited predict_waiting(const struct predictions *p, const struct track *t)
{
	const struct section *section = predict_section(p, t->index, predict_segment(p, t));
	int64_t deadline;
	if (__builtin_sub_overflow(t->job.deadline, section->after, &deadline))
		deadline = INT64_MIN;
	return (struct awaited){
		.ready = t->unit.since,
		.deadline = deadline,
		.seq = t->job.seq,
		.task = t->index,
		.index = (uint32_t)(section - p->task[t->index].section),
		.section = section,
	};
}

static struct awaited *room_for_one(struct predictions *p)
{
	if (!list_reserve(
		    (void **)&p->awaited, &p->awaited_capacity, p->awaited_count + 1, sizeof(*p->awaited))) {
		p->failed = true;
		return NULL;
	}
	return &p->awaited[p->awaited_count++];
}

static void add_waiting(struct predictions *p, const struct awaited *unit)
{
	if (!room_for_one(p))
		return;
	size_t at = p->awaited_count - 1;
	for (; at > 0 && predict_sooner(unit, &p->awaited[at - 1]); at--)
		p->awaited[at] = p->awaited[at - 1];
	p->awaited[at] = *unit;
}

/* Whether its sections are in the queue: those of J's task are not, nor those of tasks with an admitted unit,
 * or that live on another GPU. */
static bool competes(const struct predictions *p, uint32_t task)
{
	return task != p->unit.task && !p->busy[task] && (!p->home || p->home[task] == p->gpu);
}

void predict_look_ahead(struct predictions *p)
{
	p->awaited_count = 0;
	p->sources = 0;
	for (uint32_t i = 0; i < p->queued && !p->failed; i++) {
		const struct track *t = p->queue[i];
		struct awaited unit = predict_waiting(p, t);
		if (competes(p, t->index))
			add_waiting(p, &unit);
	}
	for (uint32_t i = 0; i < p->r->tasks; i++) {
		if (competes(p, i))
			add_sources(p, i);
	}
	for (uint32_t i = p->sources / 2; i-- > 0;)
		sink(p, i);
}

const struct awaited *predict_awaited(struct predictions *p, size_t at, int64_t end)
{
	/* Those that wait are in the list already, and count whatever the end is. */
	if (at < p->awaited_count && (p->awaited[at].ready <= p->now || p->awaited[at].ready < end))
		return &p->awaited[at];
	if (at < p->awaited_count || p->sources == 0 || p->source[0].next.ready >= end)
		return NULL;
	struct awaited *added = room_for_one(p);
	if (!added)
		return NULL;
	*added = p->source[0].next;
	step_on(p, &p->source[0]);
	sink(p, 0);
	return added;
}
