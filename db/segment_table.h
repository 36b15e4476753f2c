/* db/segment_table.h - `segment` of a campaign's recording (db/packed.h) for queries that ask about the same
 * tasks again and again: a virtual table of SQLite, which reads each task through the view once. */
#ifndef CEGSIM_DB_SEGMENT_TABLE_H
#define CEGSIM_DB_SEGMENT_TABLE_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/error.h"

/* Puts the table in front of the view, for this connection only; `file` is the name in errors. */
MUST_CHECK bool segment_table_add(sqlite3 *db, const char *file, struct error *err);

#endif
