/* db/audit/laws_waits.c - the law on v_wait (docs/waiting.md): the view accounts for each instant of a job
 * once, and whoever it names was there.
 *
 * A row of the view costs as much as all other laws on dozens of rows. So of a recording with many jobs some
 * are asked about, by their numbers (docs/audit.md): fewer where they wait for hundreds of others, as the
 * operations of a replayed profile do that were queued ahead in one stream. Even of these the view sorts all
 * jobs of the run; so where it is the one of this program its tables are given the jobs that are asked about
 * (db/audit/waits_asked.h). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "db/audit/law.h"
#include "db/audit/query.h"
#include "db/schema.h"

#define ASKED_ABOUT 1000 /* so many jobs of a recording, or a few more; */
#define ROWS_MAX 50000   /* fewer if they have more rows than that, nearly */

#define IS_ASKED_ABOUT(row) " (" row ".seq + " row ".task_id + " row ".run_id) % ?2 = 0 "
#define UNTIL(job, run) "coalesce(" job ".finish_ns, " run ".stop_ns)"

static const char jobs_sql[] = "SELECT j.task_id, j.seq, j.release_ns, " UNTIL(
	"j", "r") " FROM job j JOIN run r USING (run_id)"
		  " WHERE j.run_id = ?1 AND" IS_ASKED_ABOUT("j") "ORDER BY j.task_id, j.seq";

/* Column 7: of a wait for something that a job has, whether it has anything throughout. (CASE, as SQLite
 * computes both sides of an OR.) What it has began not long before, mostly: the last is looked at first. */
#define WAITS(longest, from)                                                                                 \
	"SELECT w.task_id, w.seq, w.start_ns, w.end_ns, w.by_task_id, w.by_seq, w.resource,"                 \
	" CASE WHEN w.by_task_id IS NULL OR w.resource = 'job' THEN 1 ELSE ("                                \
	"SELECT 1 FROM segment_interval i WHERE i.run_id = ?1 AND i.start_ns BETWEEN w.start_ns - " longest  \
	" AND w.start_ns"                                                                                    \
	" AND i.end_ns >= w.end_ns AND i.task_id = w.by_task_id AND i.seq = w.by_seq"                        \
	" ORDER BY i.start_ns DESC LIMIT 1) END FROM " from " w WHERE w.run_id = ?1"
#define IN_ORDER "ORDER BY w.task_id, w.seq, w.start_ns"
static const char waits_sql[] =
	WAITS("(SELECT max(end_ns - start_ns) FROM segment_interval WHERE run_id = ?1)",
		"v_wait") " AND" IS_ASKED_ABOUT("w") IN_ORDER;

/* A row of the view that names a job, found there or not. */
struct named {
	int64_t by_task_id, by_seq, start, end;
	uint32_t task; /* UINT32_MAX: not of this set */
	int64_t seq;
	bool exists, was_there;
};

struct named_list {
	struct named *row;
	size_t count, capacity;
};

/* A job, and how far the rows of the view have accounted for it. */
struct accounted {
	int64_t task_id, until, at;
	struct job job;
	struct moment of;
};

/* Jobs, whether there is the view with its indexes, and rows of the view, nearly: who waits does so for one
 * interval after the other. Of one task only one job is in the way, so only sets of many tasks can have many
 * rows for a job. */
static const char extent_sql[] =
	"SELECT total(jobs), EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'segment_interval_start'),"
	" total(CASE WHEN tasks > 50 THEN min(jobs * tasks,"
	" (SELECT total(coalesce(finish_ns, stop_ns) - release_ns) FROM job j WHERE j.run_id = r.run_id)"
	" / (SELECT max(avg(end_ns - start_ns), 1) FROM segment_interval i WHERE i.run_id = r.run_id)) END)"
	" FROM (SELECT run_id, jobs, stop_ns,"
	" (SELECT count(*) FROM task t WHERE t.taskset_id = run.taskset_id) AS tasks"
	" FROM run WHERE record IN ('segments', 'blocks', 'issues')) r";

bool audit_view_differs(struct audit *a, const char *name, bool *differs)
{
	struct text ours = {0};
	schema_view(name, &ours);
	bool ok = text_ok(&ours, "auditing a recording", a->err);
	struct rows q = rows_open(a->reader,
		"SELECT substr(sql, 12) FROM temp.sqlite_master WHERE name = ?1"
		" UNION ALL SELECT substr(sql, 12) FROM main.sqlite_master WHERE name = ?1 LIMIT 1",
		a->err);
	q.ok = q.ok && ok && cursor_bind_text(q.c, 1, name, a->err);
	*differs = true;
	while (rows_next(&q)) {
		const char *view = cursor_text(q.c, 0);
		*differs = !view || strcmp(view, text_data(&ours)) != 0;
	}
	text_finish(&ours);
	return rows_close(&q) && ok;
}

bool waits_begin(struct audit *a)
{
	struct rows q = rows_open(a->reader, extent_sql, a->err);
	while (rows_next(&q)) {
		double jobs = cursor_real(q.c, 0) / ASKED_ABOUT, rows = cursor_real(q.c, 2) / ROWS_MAX;
		double stride = jobs > rows ? jobs : rows;
		bool some = stride > 1 && stride < (double)(INT64_MAX / 2);
		a->waits_stride = cursor_integer(q.c, 1) ? (some ? (int64_t)stride : 1) : 0;
	}
	return rows_close(&q) && audit_view_differs(a, "v_wait", &a->waits_other);
}

static struct moment moment_of(const struct moment *m, uint32_t task, const struct job *job)
{
	struct moment of = *m;
	of.job = job;
	of.track = task == UINT32_MAX ? NULL : &m->sweep->track[task];
	return of;
}

/* ---- What the rows account for ---- */

static void begin_job(
	const struct audit *a, const struct moment *m, const struct waits_job *of, struct accounted *j)
{
	*j = (struct accounted){
		.task_id = of->task_id,
		.until = of->until,
		.at = of->release,
		.job = {.seq = of->seq, .release = of->release},
	};
	j->of = moment_of(m, recording_task(a->r, j->task_id), &j->job);
}

/* Whether the row is about this job: 0; < 0: about one before it. */
static int compare_job(const struct db_cursor *row, const struct accounted *j)
{
	int64_t task_id = column(row, 0), seq = column(row, 1);
	if (task_id != j->task_id)
		return task_id < j->task_id ? -1 : 1;
	return (seq > j->job.seq) - (seq < j->job.seq);
}

/* What the row says the job waits for; the view is the recording's own if another program made that. */
static const char *waits_for(const struct db_cursor *row)
{
	const char *text = cursor_text(row, 6);
	return text ? text : "";
}

static bool name(struct audit *a, const struct db_cursor *row, struct named_list *list)
{
	if (!list_reserve((void **)&list->row, &list->capacity, list->count + 1, sizeof(*list->row)))
		return error_memory(a->err, "auditing a run");
	list->row[list->count++] = (struct named){
		.by_task_id = column(row, 4),
		.by_seq = column(row, 5),
		.start = column(row, 2),
		.end = column(row, 3),
		.task = recording_task(a->r, column(row, 0)),
		.seq = column(row, 1),
		.was_there = strcmp(waits_for(row), "release") == 0, /* an interrupt may come late */
	};
	return true;
}

static void account(struct audit *a, const struct db_cursor *row, struct accounted *j)
{
	int64_t start = column(row, 2), end = column(row, 3);
	if (start != j->at)
		broken(a, "v_wait", &j->of, "the time from %s to %s is counted %s",
			when(a, start < j->at ? start : j->at), when(a, start < j->at ? j->at : start),
			start < j->at ? "twice" : "under nothing");
	j->at = end;
	if (column(row, 7) != 1)
		broken(a, "v_wait", &j->of,
			"it waits (%s) from %s to %s for job %" PRId64 " of %s, which has nothing then",
			waits_for(row), when(a, start), when(a, end), column(row, 5),
			recording_task(a->r, column(row, 4)) == UINT32_MAX
				? "a task of another set"
				: a->r->task[recording_task(a->r, column(row, 4))].name);
}

/* Both in the order of tasks and jobs. */
static uint64_t account_for(
	struct audit *a, const struct moment *m, struct rows *waits, struct named_list *list)
{
	struct accounted j;
	uint64_t checked = 0;
	bool more = rows_next(waits);
	for (size_t i = 0; !a->failed && i < a->waits.count; i++) {
		begin_job(a, m, &a->waits.job[i], &j);
		for (; more && compare_job(waits->c, &j) <= 0; more = rows_next(waits), checked++) {
			if (compare_job(waits->c, &j) == 0)
				account(a, waits->c, &j);
			waits->ok = column(waits->c, 4) == NOT_GIVEN || name(a, waits->c, list);
		}
		if (waits->ok && j.at < j.until)
			broken(a, "v_wait", &j.of, "the time from %s to %s is counted under nothing",
				when(a, j.at), when(a, j.until));
		else if (waits->ok && j.at > j.until && j.until != NOT_GIVEN)
			broken(a, "v_wait", &j.of, "it is accounted for until %s, but it ended at %s",
				when(a, j.at), when(a, j.until));
	}
	return checked;
}

/* ---- Who is named ---- */

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	if (x->by_task_id != y->by_task_id)
		return x->by_task_id < y->by_task_id ? -1 : 1;
	return (x->by_seq > y->by_seq) - (x->by_seq < y->by_seq);
}

/* Marks the rows that name this job. */
static void meet(struct named_list *list, const struct named *job)
{
	size_t low = 0, high = list->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (by_name(&list->row[middle], job) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < list->count && by_name(&list->row[low], job) == 0; low++) {
		list->row[low].exists = true;
		list->row[low].was_there |=
			job->start <= list->row[low].start && job->end >= list->row[low].end;
	}
}

static bool find_named(struct audit *a, const struct moment *m, struct named_list *list)
{
	qsort(list->row, list->count, sizeof(*list->row), by_name);
	struct numbers n;
	bool ok = numbers_open(
		&n, a->reader, "job", "task_id, seq, release_ns, finish_ns", 4, a->r->run_id, a->err);
	while (ok && (ok = numbers_read(&n)) && n.row_count > 0)
		for (size_t i = 0; i < n.row_count; i++) {
			const int64_t *row = &n.rows[4 * i];
			struct named job = {row[0], row[1], row[2], row[3], 0, 0, true, true};
			if (job.end == NOT_GIVEN)
				job.end = a->r->stop_ns;
			meet(list, &job);
		}
	numbers_close(&n);
	if (!ok)
		return false;
	for (size_t i = 0; i < list->count; i++) {
		const struct named *row = &list->row[i];
		struct job job = {.seq = row->seq};
		struct moment of = moment_of(m, row->task, &job);
		uint32_t by = recording_task(a->r, row->by_task_id);
		if (!row->was_there || !row->exists)
			broken(a, "v_wait", &of, "from %s to %s it waits for job %" PRId64 " of %s, which %s",
				when(a, row->start), when(a, row->end), row->by_seq,
				by == UINT32_MAX ? "a task of another set" : a->r->task[by].name,
				row->exists ? "was not there then" : "does not exist");
	}
	return true;
}

/* ---- The law ---- */

/* The rows of the jobs that the sweep noted. */
static struct rows rows_of_jobs(struct audit *a, const struct text *json)
{
	static const char select[] = WAITS("?2", "told") " " IN_ORDER;
	struct text sql = {0};
	text_add(&sql, "WITH told AS (");
	schema_waits_of_jobs(&sql);
	text_add(&sql, ") ");
	text_add(&sql, select);
	struct rows q = {.err = a->err};
	if (text_ok(&sql, "auditing a run", a->err))
		q = query_rows(a->reader, text_data(&sql), a->r->run_id, a->err);
	rows_bind(&q, 2, a->waits.longest_ns);
	q.ok = q.ok && cursor_bind_text(q.c, 3, text_data(json), a->err);
	text_finish(&sql);
	return q;
}

/* The jobs, and their rows, of whatever view the recording has. */
static struct rows rows_by_view(struct audit *a)
{
	struct waits_asked *w = &a->waits;
	struct rows jobs = query_rows(a->reader, jobs_sql, a->r->run_id, a->err);
	rows_bind(&jobs, 2, a->waits_stride);
	w->count = 0;
	while (rows_next(&jobs))
		jobs.ok = waits_asked_add(a, &(struct waits_job){.task_id = column(jobs.c, 0),
						     .seq = column(jobs.c, 1),
						     .release = column(jobs.c, 2),
						     .until = column(jobs.c, 3)});
	struct rows waits = query_rows(a->reader, waits_sql, a->r->run_id, a->err);
	rows_bind(&waits, 2, a->waits_stride);
	waits.ok = rows_close(&jobs) && waits.ok;
	return waits;
}

uint64_t law_waits(struct audit *a, const struct moment *m)
{
	if (m->at == AT_JOB) {
		waits_asked_job(a, m);
		return 0;
	}
	struct text json = {0};
	struct named_list list = {0};
	uint64_t checked = 0;
	bool known = waits_asked_jobs(a, &json);
	if (!a->failed) {
		struct rows waits = known ? rows_of_jobs(a, &json) : rows_by_view(a);
		if (waits.ok)
			checked = account_for(a, m, &waits, &list);
		if (!rows_close(&waits) || (list.count > 0 && !a->failed && !find_named(a, m, &list)))
			a->failed = true;
	}
	text_finish(&json);
	free(list.row);
	return checked;
}
