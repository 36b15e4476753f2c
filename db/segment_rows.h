/* db/segment_rows.h - owns the rows of packed segments (db/packed.h) in memory, task by task, for the table
 * in front of the view `segment` (db/segment_table.h).
 *
 * What a row is says the view alone, which is that of this program (db/strange.h). Texts of the form that the
 * writer gives them are read here, ten times as fast; of a task with any other text, or without one of its
 * shapes, the view is asked. */
#ifndef CEGSIM_DB_SEGMENT_ROWS_H
#define CEGSIM_DB_SEGMENT_ROWS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The rows of a task, by segment_idx. */
struct segment_rows;

/* Where they come from; those that were asked for last are kept. */
struct segment_source;

/* Returns an SQLite code. The connection must be there for as long as the source, and the source for as long
 * as rows of it. */
int segment_source_create(sqlite3 *db, struct segment_source **made);
void segment_source_destroy(struct segment_source *source);

/* Returns an SQLite code. The rows of this task, maybe none; the caller gives them back. */
int segment_rows_find(struct segment_source *s, int64_t task_id, struct segment_rows **found);
void segment_rows_release(struct segment_rows *rows); /* NULL: nothing */

size_t segment_rows_count(const struct segment_rows *rows);
/* A value of a row below segment_rows_count(), in the order of the view's columns. */
void segment_rows_result(const struct segment_source *source, const struct segment_rows *rows, size_t row,
	int column, sqlite3_context *context);

#endif
