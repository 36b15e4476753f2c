/* db/busy_table.h - the tables behind v_lane_busy and v_sm_busy (db/views.sql), which read the intervals of
 * a run once, in the order of their starts, where SQL sorts them lane by lane. */
#ifndef CEGSIM_DB_BUSY_TABLE_H
#define CEGSIM_DB_BUSY_TABLE_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

/* Adds the tables cegsim_lane_busy and cegsim_sm_busy to a connection; `file` is the name in errors. */
MUST_CHECK bool busy_table_add(sqlite3 *db, const char *file, struct error *err);

/* Append the views of these, from behind CREATE VIEW on, with the rows of those in the file. */
void lane_busy_table_view(struct text *sql);
void sm_busy_table_view(struct text *sql);

#endif
