/* db/template.h - an empty recording: all tables, indexes and views of db/schema.h, and column_doc. It is
 * made when the program is built (db/make_template.c) and linked in, since SQLite takes ten times as long for
 * the statements as for the pages. */
#ifndef CEGSIM_DB_TEMPLATE_H
#define CEGSIM_DB_TEMPLATE_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/error.h"

#define TEMPLATE_PAGE_SIZE 16384 /* bytes; also of recordings that are made without the template */

/* Fills an empty database, outside of a transaction. The connection syncs nothing from then on, until it is
 * told to: after a failure of the power the file may be no database. `file` is the name in errors. */
MUST_CHECK bool template_fill(sqlite3 *db, const char *file, struct error *err);

#endif
