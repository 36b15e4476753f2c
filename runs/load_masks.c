/* runs/load_masks.c - reads to which SMs kernels are confined (docs/model.md, "SM masks"). Recordings of some
 * programs before have no such kernels. */
#include "runs/load_private.h"

/* Columns task, segment, SM. */
static bool sm_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "segment", 2);
	struct segment *s = load_segment_of(l);
	if (!s || !LOAD_ROOM(l, s->sms, s->sm_count))
		return false;
	s->sms[s->sm_count++] = LOAD_COUNT(l, 2);
	return true;
}

bool load_masks(struct loading *l, int64_t taskset_id)
{
	bool has;
	if (!reader_has(l->reader, "segment", "sms", &has, l->err))
		return false;
	return !has || load_each(l,
			       "SELECT task_idx, segment_idx, value AS sms FROM segment JOIN task t USING "
			       "(task_id), json_each(segment.sms) WHERE t.taskset_id = ?1 ORDER BY task_idx, "
			       "segment_idx, value",
			       taskset_id, 0, sm_row) >= 0;
}
