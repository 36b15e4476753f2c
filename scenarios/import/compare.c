/* scenarios/import/compare.c - see scenarios/import/compare.h. */
#include "scenarios/import/compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "db/reader.h"

static const char what[] = "comparing jobs";

static int compare_times(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

static void sort(struct compared_responses *r)
{
	if (r->count > 0)
		qsort(r->ns, r->count, sizeof(*r->ns), compare_times);
}

int64_t compared_quantile(const struct compared_responses *r, uint32_t thousandths)
{
	uint64_t rank = ((uint64_t)r->count * thousandths + 999) / 1000;
	return r->ns[rank > 0 ? rank - 1 : 0];
}

/* ---- The capture ---- */

static bool take_recorded(struct comparison *c, const struct import_task *t, bool halves,
	struct compared_responses *r, struct error *err)
{
	uint32_t from = halves ? t->replayed : 0;
	int64_t first = INT64_MAX, last = INT64_MIN;
	double sums[SEGMENT_WAIT + 1] = {0};
	r->ns = arena_new(&c->arena, int64_t, t->job_count - from);
	if (!r->ns)
		return error_memory(err, what);
	for (uint32_t j = from; j < t->job_count; j++) {
		const struct import_job *job = &t->jobs[j];
		r->ns[r->count++] = job->end_ns - job->release_ns;
		first = job->release_ns < first ? job->release_ns : first;
		last = job->end_ns > last ? job->end_ns : last;
		for (uint32_t k = 0; k < t->segment_count; k++) {
			int64_t waves = t->segments[k].waves ? t->segments[k].waves : 1;
			sums[t->segments[k].segment.kind] += (double)(job->values[k] * waves);
		}
	}
	double span = last > first ? (double)(last - first) : 1;
	r->use = (struct compared_use){
		.cpu = sums[SEGMENT_CPU] / span,
		.copy = sums[SEGMENT_COPY] / span,
		.gpu = sums[SEGMENT_KERNEL] / span,
	};
	sort(r);
	return true;
}

/* ---- The recording ---- */

/* Jobs that did not finish have no response. */
static bool take_simulated(struct comparison *c, struct db_reader *reader, int64_t run, int64_t task,
	struct compared_responses *r, struct error *err)
{
	struct rows q = rows_open(reader,
		"SELECT response_ns FROM job WHERE run_id = ?1 AND task_id = ?2 AND response_ns IS NOT NULL "
		"ORDER BY response_ns",
		err);
	int64_t *list = NULL;
	rows_bind(&q, 1, run);
	rows_bind(&q, 2, task);
	while (rows_next(&q)) {
		int64_t *longer = list_room(list, r->count, sizeof(*longer), what, err);
		q.ok = longer != NULL;
		list = longer ? longer : list;
		if (longer)
			list[r->count++] = cursor_integer(q.c, 0);
	}
	bool ok = rows_close(&q);
	r->ns = ok ? arena_new(&c->arena, int64_t, r->count) : NULL;
	if (r->ns && r->count > 0)
		memcpy(r->ns, list, r->count * sizeof(*list));
	free(list);
	return ok && (r->ns || error_memory(err, what));
}

/* Needs intervals of segments: without them the shares are not known. */
static bool take_use(
	struct db_reader *reader, int64_t run, int64_t task, struct compared_use *use, struct error *err)
{
	static const char sql[] =
		"SELECT sum(CASE WHEN resource = 'cpu' AND kind = 'run' THEN end_ns - start_ns END), "
		"sum(CASE WHEN resource = 'copy' THEN end_ns - start_ns END), "
		"sum(CASE WHEN resource = 'gpu' THEN end_ns - start_ns END), "
		"(SELECT max(finish_ns) - min(release_ns) FROM job WHERE run_id = ?1 AND task_id = ?2), "
		"count(*) "
		"FROM segment_interval WHERE run_id = ?1 AND task_id = ?2";
	struct rows q = rows_open(reader, sql, err);
	*use = (struct compared_use){-1, -1, -1};
	rows_bind(&q, 1, run);
	rows_bind(&q, 2, task);
	while (rows_next(&q)) {
		double span = (double)cursor_integer(q.c, 3);
		if (span > 0 && cursor_integer(q.c, 4) > 0)
			*use = (struct compared_use){(double)cursor_integer(q.c, 0) / span,
				(double)cursor_integer(q.c, 1) / span, (double)cursor_integer(q.c, 2) / span};
	}
	return rows_close(&q);
}

/* ---- Both ---- */

/* Walks through both ascending lists and looks at the shares behind each time. */
static double distance_of(const struct compared_responses *a, const struct compared_responses *b)
{
	uint32_t i = 0, k = 0;
	double most = 0;
	while (i < a->count && k < b->count) {
		int64_t at = a->ns[i] < b->ns[k] ? a->ns[i] : b->ns[k];
		while (i < a->count && a->ns[i] == at)
			i++;
		while (k < b->count && b->ns[k] == at)
			k++;
		double d = (double)i / a->count - (double)k / b->count;
		most = d > most ? d : -d > most ? -d : most;
	}
	return most;
}

static void judge(struct compared_task *t)
{
	const struct compared_responses *r = &t->recorded, *s = &t->simulated;
	uint32_t inside = 0;
	t->distance = t->inside = -1;
	if (r->count == 0 || s->count == 0)
		return;
	for (uint32_t i = 0; i < r->count; i++)
		inside += r->ns[i] >= s->ns[0] && r->ns[i] <= s->ns[s->count - 1];
	t->inside = (double)inside / r->count;
	t->distance = distance_of(r, s);
}

static const struct import_task *find_task(const struct import *im, const char *name)
{
	for (uint32_t i = 0; i < im->task_count; i++)
		if (strcmp(im->tasks[i].name, name) == 0)
			return &im->tasks[i];
	return NULL;
}

static bool add_task(struct comparison *c, const struct import *im, struct db_reader *reader,
	const struct rows *q, bool halves, struct error *err)
{
	const struct import_task *from = find_task(im, cursor_text(q->c, 3));
	struct compared_task t = {.run = cursor_integer(q->c, 0)};
	if (!from)
		return error_set(err, STATUS_INPUT,
			"the recording has a task '%s' and the capture has none of that name with these "
			"options; "
			"give the ones that the scenario was imported with",
			cursor_text(q->c, 3));
	t.task = from->name;
	t.policy = arena_strdup(&c->arena, cursor_text(q->c, 1));
	if (!t.policy)
		return error_memory(err, what);
	if (!take_recorded(c, from, halves, &t.recorded, err) ||
		!take_simulated(c, reader, t.run, cursor_integer(q->c, 2), &t.simulated, err) ||
		!take_use(reader, t.run, cursor_integer(q->c, 2), &t.simulated.use, err))
		return false;
	struct compared_task *tasks = list_room(c->tasks, c->count, sizeof(*tasks), what, err);
	if (!tasks)
		return false;
	c->tasks = tasks;
	judge(&t);
	c->tasks[c->count++] = t;
	return true;
}

static bool compare(struct comparison *c, const struct import *im, struct db_reader *reader, const char *file,
	bool halves, struct error *err)
{
	struct rows q = rows_open(reader,
		"SELECT r.run_id, p.name, t.task_id, t.name FROM run r JOIN policy p USING (policy_id) "
		"JOIN task t ON t.taskset_id = r.taskset_id WHERE r.status IN ('ok', 'truncated') "
		"ORDER BY r.run_id, t.task_idx",
		err);
	while (rows_next(&q))
		q.ok = add_task(c, im, reader, &q, halves, err);
	if (!rows_close(&q))
		return false;
	for (uint32_t i = 0; i < c->count; i++)
		if (c->tasks[i].simulated.count == 0)
			return error_set(err, STATUS_INPUT,
				"%s has no jobs of '%s' in run %" PRId64
				" that finished; record them with --record jobs or more",
				file, c->tasks[i].task, c->tasks[i].run);
	return c->count > 0 || error_set(err, STATUS_INPUT, "%s has no run that was simulated", file);
}

bool comparison_make(
	struct comparison *c, const struct import *im, const char *file, bool halves, struct error *err)
{
	*c = (struct comparison){0};
	struct db_reader *reader = reader_open(file, err);
	if (!reader)
		return false;
	bool ok = compare(c, im, reader, file, halves, err);
	reader_close(reader);
	return ok;
}

void comparison_finish(struct comparison *c)
{
	arena_finish(&c->arena);
	free(c->tasks);
	*c = (struct comparison){0};
}
