/* runs/statistics.c - see runs/statistics.h. */
#include "runs/statistics.h"

#include <assert.h>

#include "db/rows.h"

bool statistics_init(struct statistics *s, struct arena *arena, uint32_t tasks)
{
	*s = (struct statistics){.task_count = tasks};
	s->tasks = arena_new(arena, struct task_statistics, tasks);
	if (!s->tasks)
		return false;
	for (uint32_t i = 0; i < tasks; i++) {
		s->tasks[i].min_response_ns = s->tasks[i].max_response_ns = s->tasks[i].worst_lower_bound_ns =
			-1;
		s->tasks[i].histogram = arena_new(arena, uint64_t, RESPONSE_BUCKETS);
		if (!s->tasks[i].histogram)
			return false;
	}
	return true;
}

bool statistics_window(struct statistics *s, struct arena *arena, uint32_t task, uint32_t jobs)
{
	struct miss_window *w = &s->tasks[task].window;
	*w = (struct miss_window){.jobs = jobs, .missed = arena_new(arena, bool, jobs)};
	return w->missed || jobs == 0;
}

static void push(struct miss_window *w, bool missed)
{
	bool *place = &w->missed[w->next % w->jobs];
	w->misses += missed - *place;
	*place = missed;
	if (w->misses > w->most) {
		w->most = w->misses;
		w->most_end = w->next;
	}
	w->next++;
}

/* Jobs end in their order, but for those that wait and are removed at their deadline: the job before them,
 * due no later, goes on (on_miss: drop, abort). So jobs that are passed over have missed. */
static void note_window(struct miss_window *w, uint32_t job, bool missed)
{
	while (w->next < job)
		push(w, true);
	if (w->next == job)
		push(w, missed);
	else
		assert(missed);
}

static void finished(struct task_statistics *t, int64_t response, bool missed)
{
	uint32_t bucket = response_bucket(response);
	assert(bucket < RESPONSE_BUCKETS);
	t->responses++;
	t->misses += missed;
	t->response_sum_ns += response;
	t->histogram[bucket]++;
	if (t->min_response_ns < 0 || response < t->min_response_ns)
		t->min_response_ns = response;
	if (response > t->max_response_ns)
		t->max_response_ns = response;
}

bool statistics_observe(void *statistics, const struct trace_record *records, size_t count)
{
	struct statistics *s = statistics;
	for (size_t i = 0; i < count; i++) {
		const struct trace_record *r = &records[i];
		if (r->kind != TRACE_JOB_END)
			continue;
		struct task_statistics *t = &s->tasks[r->task];
		int64_t waited = r->time - r->start;
		t->jobs++;
		/* Dropped and aborted jobs have missed; unfinished ones only if their deadline has passed. */
		bool missed = r->how == JOB_FINISHED     ? r->time > r->value
			      : r->how == JOB_UNFINISHED ? r->value <= r->time
							 : true;
		if (t->window.jobs)
			note_window(&t->window, r->job, missed);
		if (r->how == JOB_FINISHED) {
			finished(t, waited, missed);
			continue;
		}
		t->misses += missed;
		if (r->how == JOB_UNFINISHED && waited > t->worst_lower_bound_ns)
			t->worst_lower_bound_ns = waited;
	}
	return true;
}
