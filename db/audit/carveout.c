/* db/audit/carveout.c - reads how the memory of SMs is divided (docs/model.md, "Carve-out"). Recordings
 * before version 4 do not say it. */
#include "db/audit/recording.h"

static bool implausible(const struct recording *r, const char *what, struct error *err)
{
	return error_set(
		err, STATUS_INPUT, "run %lld: %s has an impossible carve-out", (long long)r->run_id, what);
}

static bool load_divisions(struct recording *r, struct db_reader *source, struct error *err)
{
	struct audit_machine *m = &r->machine;
	int64_t count;
	const char *counted = "SELECT count(*) FROM platform, json_each(divisions) WHERE platform_id = ?1";
	if (!query_number(source, counted, r->platform_id, &count, err) || count == 0)
		return count == 0;
	m->division = arena_alloc(&r->arena, (size_t)count, sizeof(*m->division));
	if (!m->division)
		return error_memory(err, "reading a recording");
	struct rows q = query_rows(source,
		"SELECT j.value FROM platform, json_each(divisions) j WHERE platform_id = ?1 ORDER BY j.key",
		r->platform_id, err);
	while (rows_next(&q)) {
		int64_t bytes = column(q.c, 0);
		if (bytes < 0 || (m->divisions > 0 && bytes <= m->division[m->divisions - 1]))
			q.ok = implausible(r, "its platform", err);
		else
			m->division[m->divisions++] = bytes;
	}
	return rows_close(&q) &&
	       (m->division[count - 1] == m->shared_memory || implausible(r, "its platform", err));
}

static bool load_wants(struct recording *r, struct db_reader *source, struct error *err)
{
	struct rows q = query_rows(source,
		"SELECT task_id, segment_idx, carveout FROM segment JOIN task USING (task_id)"
		" WHERE taskset_id = ?1 AND carveout IS NOT NULL",
		r->taskset_id, err);
	while (rows_next(&q)) {
		struct part_of_task *s = recording_segment(r, column(q.c, 0), column(q.c, 1));
		if (!s || column(q.c, 2) < 0)
			q.ok = implausible(r, "a segment", err);
		else
			s->carveout = column(q.c, 2);
	}
	return rows_close(&q);
}

bool carveout_load(struct recording *r, struct db_reader *source, struct error *err)
{
	bool has;
	if (!reader_has(source, "segment", "carveout", &has, err))
		return false;
	return !has || (load_divisions(r, source, err) && load_wants(r, source, err));
}
