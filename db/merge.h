/* db/merge.h - parts of one campaign put together into one recording.
 *
 * A part is what a worker process left (FILE.part, never finished) or a finished recording of one share of a
 * campaign. Parts hold disjoint units; the merged recording has the units in order, with the same ids
 * whatever the parts were. */
#ifndef CEGSIM_DB_MERGE_H
#define CEGSIM_DB_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include "db/units.h"

struct part_stretch {
	int64_t first_unit, units;
	/* Its rows: of unit_tables[i], those with before < rowid <= last. */
	int64_t before[UNIT_TABLES], last[UNIT_TABLES];
};

struct merge_part {
	char *file;
	/* Of the campaign; NULL in the part of a writer that died before it had written them. */
	char *name, *text, *tool_version;
	char *shard;                    /* "2/8"; NULL: not a share */
	char *interrupted;              /* why not all units of the share are inside; NULL: they are */
	struct part_stretch *stretches; /* in the order of their rows */
	size_t stretch_count;
};

/* Reads what a part holds, not its rows. `finished`: it must be a finished recording; else it may be one that
 * a dead writer left, which is put in order (nobody may be writing it). False: *err, and *part is empty. */
MUST_CHECK bool part_read(const char *file, bool finished, struct merge_part *part, struct error *err);
void part_finish(struct merge_part *part); /* accepts a zeroed one */

/* Asked now and then; false: stop. */
typedef bool merge_goes_on(void *self, double fraction);

/* Copies everything into a new recording. Parts whose campaigns or units do not fit together are refused.
 * `goes_on` may be NULL; *cut: it said stop. */
MUST_CHECK bool merge_parts(struct db_writer *w, const struct merge_part *parts, size_t count,
	merge_goes_on *goes_on, void *self, bool *cut, struct error *err);

/* Refuses parts that are not of one campaign and program version, or hold a unit twice. */
MUST_CHECK bool merge_check(const struct merge_part *parts, size_t count, struct error *err);

#endif
