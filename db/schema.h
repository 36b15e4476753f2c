/* db/schema.h - the tables and views of a recording. Tables come from the lists of db/columns.h, views from
 * db/views.sql, db/waits.sql, db/flight_waits.sql, db/why.sql and db/bound_check.sql, indexes from
 * db/indexes.sql, the descriptions of the columns of views from db/view_columns.sql. */
#ifndef CEGSIM_DB_SCHEMA_H
#define CEGSIM_DB_SCHEMA_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"
#include "db/row_types.h"

/* Turns an empty file into a recording: its marks, all tables, and column_doc with its rows. `file` is the
 * name in errors. */
MUST_CHECK bool schema_create(sqlite3 *db, const char *file, struct error *err);
/* Adds once what rows can be written without: generated columns, indexes with their statistics (`indexed`),
 * views. */
MUST_CHECK bool schema_complete(sqlite3 *db, bool indexed, const char *file, struct error *err);
/* Makes the statistics of the indexes of these tables (NULL: of all) new. */
MUST_CHECK bool schema_analyze(
	sqlite3 *db, const bool tables[ROW_TYPES], const char *file, struct error *err);

/* Appends the text of a view as recordings of this program have it, from behind CREATE VIEW on; of a name
 * that none has: nothing. */
void schema_view(const char *name, struct text *sql);

/* Appends the INSERT statement for the rows of column_doc, one line per row. */
void schema_describe(struct text *sql);

/* Appends the view v_wait (db/waits.sql), from behind the text `begin` on. */
void schema_waits(const char *begin, struct text *sql);

/* Appends v_wait for some jobs of one run, from WITH on, for which nothing is read of all jobs or all
 * intervals. ?1: the run; ?2: of its intervals the greatest length; ?3: JSON, of each job [task_id, seq,
 * release, end or S, whether it finished, when the last of the earlier jobs of its task ended, when the one
 * in front of it did]. `longest` is 0. */
void schema_waits_of_jobs(struct text *sql);

/* Appends the tables of v_wait up to `want`, as the beginning of a SELECT: WITH and what follows it. */
void schema_wants(struct text *sql);

/* Appends the view v_why (db/why.sql), from behind CREATE VIEW on. */
void schema_why(struct text *sql);

/* Appends the view v_wait_sum (db/why.sql), from behind CREATE VIEW on. */
void schema_wait_sum(struct text *sql);

/* Appends the view v_flight_wait (db/flight_waits.sql), from behind the text `begin` on; without `flights`,
 * as for recordings that know no operations in flight, one without rows, from behind CREATE VIEW on. */
void schema_flight_waits(bool flights, const char *begin, struct text *sql);

/* Appends the same for some jobs of one run, from WITH on: ?1 is the run, and of ?2 jobs about one is asked
 * about. */
void schema_flight_waits_of_jobs(struct text *sql);

/* Appends the view v_measured (db/views.sql), from behind CREATE VIEW on. */
void schema_measured(struct text *sql);

/* Appends the embedded rule on bounds (db/bound_check.sql): from behind the text `begin` to the text `end`;
 * "": to the end. */
void schema_bound_rule(const char *begin, const char *end, struct text *sql);

#endif
