/* runs/load_masks.c - reads to which SMs kernels are confined, and how many of them the GPU holds
 * (docs/model.md, "SM masks"). Recordings of some programs before have neither. */
#include "runs/load_private.h"

static bool platform_row(struct loading *l, struct db_cursor *c)
{
	l->run->platform.resident_kernels = (uint32_t)cursor_integer(c, 0);
	return true;
}

bool load_resident_kernels(struct loading *l, int64_t platform_id)
{
	bool has;
	if (!reader_has(l->reader, "platform", "resident_kernels", &has, l->err))
		return false;
	return !has || load_each(l, "SELECT resident_kernels FROM platform WHERE platform_id = ?1",
			       platform_id, 0, platform_row) >= 0;
}

/* Columns task, segment, number of SMs. */
static bool mask_row(struct loading *l, struct db_cursor *c)
{
	struct segment *s = load_segment_of(l, c);
	if (!s)
		return false;
	s->sms = arena_new(load_arena(l), uint32_t, (size_t)cursor_integer(c, 2));
	return s->sms || load_no_memory(l);
}

/* Columns task, segment, SM. */
static bool sm_row(struct loading *l, struct db_cursor *c)
{
	struct segment *s = load_segment_of(l, c);
	if (!s)
		return false;
	int64_t sm = cursor_integer(c, 2);
	if (sm < 0 || sm >= PLATFORM_MAX_SMS)
		return load_damaged(l, "a kernel is confined to an SM that no platform has");
	s->sms[s->sm_count++] = (uint32_t)sm;
	return true;
}

bool load_masks(struct loading *l, int64_t taskset_id)
{
	bool has;
	if (!reader_has(l->reader, "segment", "sms", &has, l->err))
		return false;
	return !has ||
	       (load_each(l,
			"SELECT task_idx, segment_idx, (SELECT count(*) FROM json_each(segment.sms)) FROM "
			"segment JOIN task t USING (task_id) WHERE t.taskset_id = ?1 AND sms IS NOT NULL",
			taskset_id, 0, mask_row) >= 0 &&
		       load_each(l,
			       "SELECT task_idx, segment_idx, value FROM segment JOIN task t USING "
			       "(task_id), json_each(segment.sms) WHERE t.taskset_id = ?1 ORDER BY task_idx, "
			       "segment_idx, value",
			       taskset_id, 0, sm_row) >= 0);
}
