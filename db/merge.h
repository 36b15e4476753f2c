/* db/merge.h - merges the parts of one campaign into one recording.
 *
 * A part is a recording by a worker process (FILE.part, never finished), or a finished recording of one share
 * of a campaign. Parts contain disjoint units. The merged recording has the units in order; its ids do not
 * depend on how the units were divided into parts. */
#ifndef CEGSIM_DB_MERGE_H
#define CEGSIM_DB_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include "db/units.h"

struct sqlite3;

struct part_stretch {
	int64_t first_unit, units;
	/* Rows of the stretch: in unit_tables[i], those with before < rowid <= last. */
	int64_t before[UNIT_TABLES], last[UNIT_TABLES];
};

struct merge_part {
	char *file;
	bool finished; /* as in part_read() */
	/* Of the campaign; NULL if the writer of the part died before it had written them. */
	char *name, *text, *tool_version;
	char *scenario;                 /* the text of the scenario that the campaign varies; NULL: of none */
	char *shard, *chosen;           /* as in struct units_extent */
	char *interrupted;              /* why not all units of the share are in it; NULL: they are */
	struct part_stretch *stretches; /* in the order of their rows */
	size_t stretch_count;
};

/* Reads which units a part contains, but not its rows. `finished`: it must be a finished recording; else it
 * may be the file of a dead writer, which is repaired (no process may be writing it). False: *err, and *part
 * is empty. */
MUST_CHECK bool part_read(const char *file, bool finished, struct merge_part *part, struct error *err);
void part_finish(struct merge_part *part); /* accepts a zeroed one */

/* Opens the file of a part for reading, under the lock of a writer if it is not finished. Close *db either
 * way. */
MUST_CHECK bool part_connect(const char *file, bool finished, struct sqlite3 **db, struct error *err);

/* Called now and then; false: stop. */
typedef bool merge_goes_on(void *self, double fraction);

/* Copies everything into a new recording. Refuses parts whose campaigns or units do not fit together.
 * `goes_on` may be NULL; *cut: it returned false. */
MUST_CHECK bool merge_parts(struct db_writer *w, const struct merge_part *parts, size_t count,
	merge_goes_on *goes_on, void *self, bool *cut, struct error *err);

/* Refuses parts that differ in campaign or program version, or contain the same unit. */
MUST_CHECK bool merge_check(const struct merge_part *parts, size_t count, struct error *err);

#endif
