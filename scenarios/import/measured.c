/* scenarios/import/measured.c - see scenarios/import/measured.h. */
#include "scenarios/import/measured.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "db/reader.h"
#include "db/writer.h"

static const char what[] = "storing what was measured";

/* The rows of the runs that get some, one run behind the other. */
struct measured_runs {
	struct measured_run {
		int64_t id;
		size_t first, count; /* of its rows */
	} * run;
	struct measured_row *row;
	uint32_t runs;
	size_t rows;
};

static const struct import_task *find_task(const struct import *im, const char *name)
{
	for (uint32_t i = 0; i < im->task_count; i++)
		if (strcmp(im->tasks[i].name, name) == 0)
			return &im->tasks[i];
	return NULL;
}

/* Segments of the CPU in which nothing was between two operations took no time. */
static bool add_job(struct measured_runs *m, const struct import *im, const struct import_task *t,
	uint32_t index, uint32_t job, struct error *err)
{
	for (uint32_t k = 0; k < t->segment_count; k++) {
		const struct import_span *span = &t->jobs[job].spans[k];
		if (span->end_ns <= span->start_ns)
			continue;
		struct measured_row *rows = list_room(m->row, m->rows, sizeof(*rows), what, err);
		if (!rows)
			return false;
		m->row = rows;
		m->row[m->rows++] = (struct measured_row){
			.task = index,
			.seq = job - t->replayed,
			.segment_idx = (uint16_t)k,
			.start_ns = span->start_ns - im->start_ns,
			.end_ns = span->end_ns - im->start_ns,
		};
	}
	return true;
}

/* The jobs of a task in a run. *same: they were released as those of the capture. */
static bool add_task(struct measured_runs *m, const struct import *im, struct db_reader *reader, int64_t run,
	int64_t task_id, uint32_t index, const struct import_task *t, bool *same, struct error *err)
{
	struct rows q = rows_open(reader,
		"SELECT seq, release_ns FROM job WHERE run_id = ?1 AND task_id = ?2 ORDER BY seq", err);
	rows_bind(&q, 1, run);
	rows_bind(&q, 2, task_id);
	while (*same && rows_next(&q)) {
		int64_t job = cursor_integer(q.c, 0) + t->replayed;
		*same = job < t->job_count &&
			t->jobs[job].release_ns - im->start_ns == cursor_integer(q.c, 1);
		if (*same)
			q.ok = add_job(m, im, t, index, (uint32_t)job, err);
	}
	return rows_close(&q);
}

/* A recorded set has the tasks of the import, with their segments. */
static bool check_task(const struct import_task *t, const char *name, int64_t segments, struct error *err)
{
	return (t && t->segment_count == segments) ||
	       error_set(err, STATUS_INPUT,
		       "the recording has a task '%s' and the capture has none of that name and as many "
		       "segments with these options; give the ones that the scenario was imported with",
		       name);
}

static bool add_run(struct measured_runs *m, const struct import *im, struct db_reader *reader, int64_t run,
	int64_t set, bool *same, struct error *err)
{
	struct rows q = rows_open(reader,
		"SELECT t.task_id, t.name, t.task_idx, count(s.segment_idx) FROM task t LEFT JOIN segment s"
		" USING (task_id) WHERE t.taskset_id = ?1 GROUP BY t.task_id ORDER BY t.task_idx",
		err);
	rows_bind(&q, 1, set);
	*same = true;
	while (*same && rows_next(&q)) {
		const struct import_task *t = find_task(im, cursor_text(q.c, 1));
		q.ok = check_task(t, cursor_text(q.c, 1), cursor_integer(q.c, 3), err) &&
		       add_task(m, im, reader, run, cursor_integer(q.c, 0), (uint32_t)cursor_integer(q.c, 2),
			       t, same, err);
	}
	return rows_close(&q);
}

/* The cursor: run_id, taskset_id, record. */
static bool take_run(struct measured_runs *m, const struct import *im, struct db_reader *reader,
	const struct rows *q, struct import_stored *stored, struct error *err)
{
	int64_t id = cursor_integer(q->c, 0);
	size_t first = m->rows;
	bool same;
	if (strcmp(cursor_text(q->c, 2), "summary") == 0 || strcmp(cursor_text(q->c, 2), "jobs") == 0)
		return error_set(err, STATUS_INPUT,
			"run %" PRId64
			" was recorded with %s: segments of the capture go beside those of a run; record it "
			"with --record segments",
			id, cursor_text(q->c, 2));
	if (!add_run(m, im, reader, id, cursor_integer(q->c, 1), &same, err))
		return false;
	if (!same) {
		m->rows = first;
		stored->others++;
		return true;
	}
	struct measured_run *runs = list_room(m->run, m->runs, sizeof(*runs), what, err);
	if (!runs)
		return false;
	m->run = runs;
	m->run[m->runs++] = (struct measured_run){id, first, m->rows - first};
	return true;
}

static bool take_runs(struct measured_runs *m, const struct import *im, const char *file,
	struct import_stored *stored, struct error *err)
{
	struct db_reader *reader = reader_open(file, err);
	if (!reader)
		return false;
	struct rows q = rows_open(reader,
		"SELECT run_id, taskset_id, record FROM run WHERE status IN ('ok', 'truncated') ORDER BY"
		" run_id",
		err);
	while (rows_next(&q))
		q.ok = take_run(m, im, reader, &q, stored, err);
	bool ok = rows_close(&q);
	reader_close(reader);
	return ok && (m->runs > 0 ||
			     error_set(err, STATUS_INPUT,
				     "%s has no run that released its jobs as those of the capture (release: "
				     "{trace: ...}): nothing is stored",
				     file));
}

static bool write_runs(const struct measured_runs *m, const char *file, struct error *err)
{
	struct db_writer *w = writer_amend(file, err);
	bool ok = w != NULL;
	for (uint32_t i = 0; ok && i < m->runs; i++)
		ok = writer_measured(w, m->run[i].id, m->row + m->run[i].first, m->run[i].count, err);
	if (ok)
		return writer_amended(w, err);
	writer_abandon(w, true);
	return false;
}

bool import_store(const struct import *im, const char *file, struct import_stored *stored, struct error *err)
{
	struct measured_runs m = {0};
	*stored = (struct import_stored){0};
	bool ok = take_runs(&m, im, file, stored, err) && write_runs(&m, file, err);
	stored->runs = m.runs;
	stored->rows = m.rows;
	free(m.run);
	free(m.row);
	return ok;
}
