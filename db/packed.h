/* db/packed.h - the segments of a campaign's sets: not a row each, which would be most of the time and of the
 * file, but shapes and times.
 *
 * A generated set has many segments that differ in nothing but their times. So `segment_shape` has a row for
 * each sort of segment in a set, and `task_segments` one for each task, with the shapes and the times of its
 * segments. In the finished recording of a campaign `segment` is a view of the two, in SQL that every SQLite
 * understands; a condition on task_id reads that task only. Ids of shapes are counted as those of tasks are,
 * so parts of a campaign are merged like other rows (db/merge.c). In all other recordings `segment` is a
 * table, and these two are empty. */
#ifndef CEGSIM_DB_PACKED_H
#define CEGSIM_DB_PACKED_H

#include "db/writer.h"

/* From now on the writer packs segments; so far it has none. */
MUST_CHECK bool packed_begin(struct db_writer *w, struct error *err);

/* Writes the segments of a set whose first task has this id. */
MUST_CHECK bool packed_insert(
	struct db_writer *w, const struct taskset_row *set, int64_t first_task_id, struct error *err);

#endif
