/* db/audit/masks.c - reads to which SMs kernels are confined, and how many of them the GPU holds
 * (docs/model.md, "SM masks"). Recordings of some programs before say neither. */
#include "db/audit/recording.h"

static bool implausible(const struct recording *r, struct error *err)
{
	return error_set(
		err, STATUS_INPUT, "run %lld: a segment has an impossible mask of SMs", (long long)r->run_id);
}

/* Columns task_id, segment_idx, SM. */
static bool load_row(struct recording *r, const struct db_cursor *q, struct error *err)
{
	struct part_of_task *s = recording_segment(r, column(q, 0), column(q, 1));
	int64_t sm = column(q, 2);
	if (!s || sm < 0 || sm >= r->most_sms)
		return implausible(r, err);
	const struct audit_machine *machine = r->gpus > 1 ? &r->gpu[s->gpu] : &r->machine;
	if (sm >= machine->sms || machine->pooled)
		return implausible(r, err);
	if (!s->mask)
		s->mask = arena_alloc(&r->arena, ((size_t)r->most_sms + 63) / 64, sizeof(*s->mask));
	if (!s->mask)
		return error_memory(err, "reading a recording");
	if (mask_has(s->mask, (uint32_t)sm) || s->kind != KIND_KERNEL)
		return implausible(r, err);
	s->mask[sm / 64] |= (uint64_t)1 << (sm % 64);
	s->mask_sms++;
	r->masks = true;
	return true;
}

static bool load_masks(struct recording *r, struct db_reader *source, struct error *err)
{
	bool has;
	if (!reader_has(source, "segment", "sms", &has, err))
		return false;
	if (!has)
		return true;
	struct rows q = query_rows(source,
		"SELECT task_id, segment_idx, value FROM segment JOIN task USING (task_id),"
		" json_each(segment.sms) WHERE taskset_id = ?1 AND segment.sms IS NOT NULL",
		r->taskset_id, err);
	while (rows_next(&q))
		q.ok = load_row(r, q.c, err);
	return rows_close(&q);
}

/* Kernels that may be on the GPU at a time, if one of each task is. */
static int64_t kernels_at_once(const struct recording *r)
{
	int64_t count = 0;
	for (uint32_t i = 0; i < r->tasks; i++)
		count += r->task[i].has_kernels;
	return count;
}

bool masks_load(struct recording *r, struct db_reader *source, struct error *err)
{
	bool has;
	int64_t given = 0;
	r->machine.resident_kernels = INT64_MAX;
	if (!load_masks(r, source, err) || !reader_has(source, "platform", "resident_kernels", &has, err))
		return false;
	if (has && !query_number(source,
			   "SELECT coalesce(resident_kernels, 0) FROM platform WHERE platform_id = ?1",
			   r->platform_id, &given, err))
		return false;
	if (given > 0)
		r->machine.resident_kernels = given;
	r->tabled = r->masks || r->machine.resident_kernels < kernels_at_once(r);
	if (r->gpus > 1)
		r->gpu[0].resident_kernels = r->machine.resident_kernels;
	for (uint32_t g = 1; g < r->gpus; g++)
		r->tabled |= r->gpu[g].resident_kernels < kernels_at_once(r);
	return true;
}

bool masks_meet(const struct recording *r, const uint64_t *a, const uint64_t *b)
{
	for (size_t i = 0; a && b && i < ((size_t)r->machine.sms + 63) / 64; i++)
		if (a[i] & b[i])
			return true;
	return !a || !b;
}
