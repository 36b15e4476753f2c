/* db/audit/samples.c - reads the measured times of segments (docs/model.md, "Draws"). */
#include "db/audit/recording.h"

static bool damaged(const struct recording *r, struct error *err)
{
	return error_set(
		err, STATUS_INPUT, "run %lld: segment_sample has impossible rows", (long long)r->run_id);
}

/* task, segment, sample, value, rows of the segment */
static bool load_row(struct recording *r, const struct db_cursor *q, struct error *err)
{
	struct part_of_task *s = recording_segment(r, column(q, 0), column(q, 1));
	int64_t count = column(q, 4), value = column(q, 3);
	if (!s || value < s->best_ns || value > s->worst_ns || column(q, 2) != s->samples)
		return damaged(r, err);
	if (!s->sample)
		s->sample = arena_alloc(&r->arena, (size_t)count, sizeof(*s->sample));
	if (!s->sample)
		return error_memory(err, "reading a recording");
	s->sample[s->samples++] = value;
	return true;
}

bool samples_load(struct recording *r, struct db_reader *source, struct error *err)
{
	bool has;
	/* Recordings before version 4 have no such table. */
	if (!reader_has(source, "segment_sample", NULL, &has, err))
		return false;
	if (!has)
		return true;
	struct rows q = query_rows(source,
		"SELECT task_id, s.segment_idx, s.sample, s.value_ns,"
		" count(*) OVER (PARTITION BY task_id, s.segment_idx) FROM segment_sample s"
		" JOIN task t USING (task_id) WHERE t.taskset_id = ?1 ORDER BY task_id, "
		"s.segment_idx, s.sample",
		r->taskset_id, err);
	while (rows_next(&q))
		q.ok = load_row(r, q.c, err);
	return rows_close(&q);
}
