/* db/audit/waits_asked.c - see db/audit/waits_asked.h. */
#include "db/audit/waits_asked.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "db/audit/law.h"

/* What is known of the jobs of a task so far. */
struct waits_before {
	int64_t seq, left, last;
	bool any;
};

void waits_asked_begin(struct audit *a)
{
	struct waits_asked *w = &a->waits;
	*w = (struct waits_asked){.longest_ns = NOT_GIVEN, .by_all = a->waits_other || a->r->stop_ns < 0};
	if (!w->by_all && a->waits_stride > 0 && a->r->level >= LEVEL_SEGMENTS)
		w->before = calloc(a->r->tasks, sizeof(*w->before));
	w->by_all |= !w->before;
}

void waits_asked_finish(struct waits_asked *w)
{
	free(w->job);
	free(w->before);
	*w = (struct waits_asked){0};
}

bool waits_asked_add(struct audit *a, const struct waits_job *job)
{
	struct waits_asked *w = &a->waits;
	if (!list_reserve(&w->job, &w->capacity, w->count + 1, sizeof(*w->job)))
		return error_memory(a->err, "auditing a run");
	w->job[w->count++] = *job;
	return true;
}

/* What is not by ascending number, job by job, the view may see otherwise. */
void waits_asked_job(struct audit *a, const struct moment *m)
{
	struct waits_asked *w = &a->waits;
	if (w->by_all)
		return;
	struct waits_before *before = &w->before[m->track->index];
	const struct job *row = m->job;
	struct waits_job job = {
		.task_id = m->track->task->task_id,
		.seq = row->seq,
		.release = row->release,
		.until = row->finish == NOT_GIVEN ? a->r->stop_ns : row->finish,
		.left = before->any ? before->left : NOT_GIVEN,
		.last = before->any ? before->last : NOT_GIVEN,
		.finished = (row->outcome & 3) == 0,
	};
	if (a->cut_rows || (before->any && before->seq >= job.seq)) {
		w->by_all = true;
		return;
	}
	if ((job.seq + job.task_id + a->r->run_id) % a->waits_stride == 0)
		a->failed = !waits_asked_add(a, &job);
	before->seq = job.seq;
	before->last = job.until;
	before->left = before->any && before->left > job.until ? before->left : job.until;
	before->any = true;
}

static int by_task(const void *a, const void *b)
{
	const struct waits_job *x = a, *y = b;
	if (x->task_id != y->task_id)
		return x->task_id < y->task_id ? -1 : 1;
	return (x->seq > y->seq) - (x->seq < y->seq);
}

bool waits_asked_jobs(struct audit *a, struct text *json)
{
	struct waits_asked *w = &a->waits;
	if (w->by_all || a->strangers || a->cut_rows || a->failed)
		return false;
	if (w->count)
		qsort(w->job, w->count, sizeof(*w->job), by_task);
	text_add(json, "[");
	for (size_t i = 0; i < w->count; i++) {
		const struct waits_job *j = &w->job[i];
		text_printf(json, "%s[%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%d", i ? "," : "",
			j->task_id, j->seq, j->release, j->until, j->finished);
		if (j->left != NOT_GIVEN)
			text_printf(json, ",%" PRId64 ",%" PRId64, j->left, j->last);
		text_add(json, "]");
	}
	text_add(json, "]");
	if (!text_ok(json, "auditing a run", a->err))
		a->failed = true;
	return !a->failed;
}
