/* db/template.h - an empty recording: all tables, indexes and views of db/schema.h, and column_doc. It is
 * made when the program is built (db/make_template.c) and linked in, since SQLite takes ten times as long for
 * the statements as for the pages.
 *
 * Its views come last. SQLite reads all of a schema before it does anything else, and views are two thirds of
 * ours: a connection that only writes rows need not know them. */
#ifndef CEGSIM_DB_TEMPLATE_H
#define CEGSIM_DB_TEMPLATE_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/error.h"
#include "db/pages/store.h"

/* Fills an empty file, which SQLite has not read yet. Its pages have PAGE_SIZE bytes. */
MUST_CHECK bool template_write(const struct page_file *to, struct error *err);
/* Adds the views within a transaction; `db` itself does not know them then. `file` is the name in errors. */
MUST_CHECK bool template_views(sqlite3 *db, const char *file, struct error *err);

#endif
