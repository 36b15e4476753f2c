/* scenarios/import/flights.c - what the jobs of a task have in flight, and when it was issued. */
#include "scenarios/import/flights.h"

#include <stdlib.h>

#include "base/list.h"

static const char what[] = "importing a capture";

/* ---- What most jobs have ---- */

static int compare_keys(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* The links within the task's jobs, as keys: place of one, place of the other. What a job does not have in
 * flight itself was over before it began. */
static bool collect(const struct part_task *task, const struct part_link_list *list, uint64_t **keys,
	size_t *count, struct error *err)
{
	for (uint32_t j = 0; j < task->count; j++) {
		const struct part_job *job = &task->jobs[j];
		for (size_t k = part_links_from(list, job->first);
			k < list->count && list->at[k].from < job->first + job->count; k++) {
			if (list->at[k].to < job->first)
				continue;
			uint64_t *longer = list_room(*keys, *count, sizeof(*longer), what, err);
			if (!longer)
				return false;
			*keys = longer;
			longer[(*count)++] = (uint64_t)(list->at[k].from - job->first) << 32 |
					     (list->at[k].to - job->first);
		}
	}
	if (*count > 0)
		qsort(*keys, *count, sizeof(**keys), compare_keys);
	return true;
}

/* Those that half of the jobs have. */
static bool vote(struct import *im, const struct part_task *task, const struct part_link_list *list,
	struct part_places *to, struct error *err)
{
	uint64_t *keys = NULL;
	size_t count = 0;
	uint32_t operations = task->jobs[0].count, kept = 0;
	bool ok = collect(task, list, &keys, &count, err);
	to->first = ok ? arena_new(&im->arena, uint32_t, operations + 1) : NULL;
	to->place = to->first ? arena_new(&im->arena, uint32_t, count) : NULL;
	for (size_t k = 0, next; to->place && k < count; k = next) {
		for (next = k; next < count && keys[next] == keys[k]; next++)
			;
		if ((next - k) * 2 < task->count)
			continue;
		to->place[kept++] = (uint32_t)keys[k];
		to->first[(keys[k] >> 32) + 1]++;
	}
	free(keys);
	for (uint32_t i = 0; to->place && i < operations; i++)
		to->first[i + 1] += to->first[i];
	return to->place || (ok && error_memory(err, what));
}

/* ---- What is in flight ---- */

struct sky {
	const struct part_thread *thread;
	const struct part_job *job;
	uint32_t *last;  /* [streams] the last operation there + 1, if nobody has waited for it; 0: none */
	uint32_t flying; /* streams with such */
};

static uint32_t stream_of(const struct sky *sky, uint32_t place)
{
	return sky->thread->operations[sky->job->first + place].op->stream;
}

/* Who waited for one has waited for what was before it in its stream. */
static void land(struct sky *sky, uint32_t place)
{
	uint32_t stream = stream_of(sky, place);
	if (sky->last[stream] == 0 || sky->last[stream] > place + 1)
		return;
	sky->last[stream] = 0;
	sky->flying--;
}

/* Goes through the operations: which are waited for alone, and which waits are for all. */
static void settle(struct sky *sky, struct part_flights *f)
{
	for (uint32_t i = 0; i < f->count; i++) {
		uint32_t first = f->waits.first[i], end = f->waits.first[i + 1];
		uint32_t stream = stream_of(sky, i);
		sky->flying += sky->last[stream] == 0;
		sky->last[stream] = i + 1;
		for (uint32_t k = f->after.first[i]; k < f->after.first[i + 1]; k++)
			f->named[f->after.place[k]] = true;
		if (first == end)
			continue;
		f->waited[i] = end - first == 1 && f->waits.place[first] == i;
		for (uint32_t k = first; k < end; k++)
			land(sky, f->waits.place[k]);
		f->all[i] = sky->flying == 0;
		for (uint32_t k = first; k < end && !f->waited[i] && !f->all[i]; k++)
			f->named[f->waits.place[k]] = true;
	}
}

bool part_flights_of(struct import *im, const struct part_thread *thread, const struct part_task *task,
	const struct part_links *l, struct part_flights *f, struct error *err)
{
	struct sky sky = {.thread = thread, .job = &task->jobs[0]};
	uint32_t count = task->jobs[0].count;
	bool flies = false;
	*f = (struct part_flights){.count = count};
	f->waited = arena_new(&im->arena, bool, count);
	f->all = arena_new(&im->arena, bool, count);
	f->named = arena_new(&im->arena, bool, count);
	sky.last = arena_new(&im->arena, uint32_t, im->capture->stream_count);
	if (!f->waited || !f->all || !f->named || !sky.last)
		return error_memory(err, what);
	if (!vote(im, task, &l->waits, &f->waits, err) || !vote(im, task, &l->afters, &f->after, err))
		return false;
	settle(&sky, f);
	for (uint32_t i = 0; i < count; i++)
		flies |= !f->waited[i];
	if (!flies)
		*f = (struct part_flights){0};
	return true;
}

/* ---- When it was issued ---- */

/* What had something in its way until it began could have come at any time before that: it came when it was
 * due. Else it was issued when it began. */
static int64_t issue_of(const struct part_operation *p, int64_t due_ns, int64_t ready_ns)
{
	bool waited = ready_ns > due_ns && p->op->start_ns - ready_ns <= HANDED_OVER_NS;
	return waited || due_ns > p->op->start_ns ? due_ns : p->op->start_ns;
}

void part_issues(const struct part_thread *thread, const struct part_job *job, const struct part_links *l,
	int64_t *issue_ns)
{
	int64_t next = INT64_MAX;
	for (uint32_t i = job->count; i-- > 0;) {
		uint32_t at = job->first + i;
		issue_ns[i] = issue_of(&thread->operations[at], l->due_ns[at], l->ready_ns[at]);
		issue_ns[i] = issue_ns[i] < next ? issue_ns[i] : next;
		next = issue_ns[i];
	}
	for (uint32_t i = 1; i < job->count; i++)
		if (part_same_graph(
			    &thread->operations[job->first + i - 1], &thread->operations[job->first + i]))
			issue_ns[i] = issue_ns[i - 1];
}
