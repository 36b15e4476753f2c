/* db/paged.h - the bulk tables of a recording, written as pages of SQLite's format without SQLite
 * (db/pages/), in a tenth of its time. The file is an ordinary SQLite file of the same rows.
 *
 * SQLite has FILE.part to itself until all else is written; there the bulk tables and their indexes are one
 * empty page each (db/template.h). Rows are encoded into leaf pages as they come, those that are full wait in
 * memory and in a file without a name beside FILE.part, at the places that they will have if SQLite's pages
 * come in front of them (db/pages/store.h). What an index needs of a run waits until the run has ended. Last,
 * when SQLite has written all else, the pages that are above them go behind the others, the root of each
 * tree into the empty page, and the number of pages into the header. Then SQLite's pages, if they are the
 * fewer, are copied into the file without a name, which is synced, called FILE.part-pages, and renamed to
 * FILE; FILE.part is removed after that. Otherwise the pages are copied behind SQLite's, and FILE.part is
 * synced and gets the name. So
 *
 * - rows are never where a reader could see some of them: writer_commit() does not bring them to FILE.part. A
 * process that dies leaves a FILE.part that lacks them, and which nothing takes for a recording, as ever. In
 * the moment in which the file without a name has one it may leave that, too: what removes a FILE.part
 * removes it;
 * - a run that is taken back cuts what was filled since it began;
 * - a disk that is full fails the write, either of the file without a name or of FILE.part;
 * - parts of a campaign are not written like this, as --resume reads what dead workers had committed. Nor is
 * what is added to a finished recording. What a merge copies is.
 *
 * Begin and end of runs as in db/writer.h. */
#ifndef CEGSIM_DB_PAGED_H
#define CEGSIM_DB_PAGED_H

#include <sqlite3.h>

#include "db/pages/store.h"
#include "db/row_types.h"

struct paged;

/* `part`, the name of the file, must live as long; it has `pages` already. NULL: *err. */
MUST_CHECK struct paged *paged_create(const char *part, uint32_t pages, struct error *err);
void paged_destroy(struct paged *p); /* accepts NULL */

/* Whether rows of the table are written here: it belongs to runs, has integers only and no key of its own,
 * and is not added to afterwards. */
bool paged_takes(enum row_type_id id);

/* The rowid of the last row of the table; 0: it has none here. Accepts NULL. */
int64_t paged_rowid(const struct paged *p, enum row_type_id id);

void paged_begin_run(struct paged *p);
/* All rows of a run have the same run_id and first_task_id; run_id is higher than that of the run before. */
MUST_CHECK bool paged_rows(struct paged *p, enum row_type_id id, const void *rows, size_t count,
	int64_t run_id, int64_t first_task_id, struct error *err);
MUST_CHECK bool paged_end_run(struct paged *p, struct error *err);
void paged_discard_run(struct paged *p);

/* Adds a row of another recording, with the columns of the table that are stored, in their order. Rows of a
 * run follow each other, and those of higher runs them: no run need begin; one end, behind all rows. */
MUST_CHECK bool paged_copy(struct paged *p, enum row_type_id id, sqlite3_stmt *row, struct error *err);

/* Adds the rows of sqlite_stat1 that ANALYZE would have made. */
MUST_CHECK bool paged_statistics(const struct paged *p, sqlite3 *db, struct error *err);

/* Reads where the roots are; SQLite reads nothing any more afterwards. */
MUST_CHECK bool paged_roots(struct paged *p, sqlite3 *db, struct error *err);
/* Puts all together, behind the `pages` of the finished file; see store_join(). */
MUST_CHECK bool paged_write(struct paged *p, uint32_t pages, const struct page_file *file,
	const char *new_name, bool *whole, struct error *err);

#endif
