/* db/reader_private.h - what the files of the reader share: db/reader.c, which owns the connection, and
 * db/reader_views.c. */
#ifndef CEGSIM_DB_READER_PRIVATE_H
#define CEGSIM_DB_READER_PRIVATE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "db/reader.h"

/* Closed cursors are kept for the next ones with the same text. Code that goes through many runs asks the
 * same small questions for each, and compiling these takes longer than answering. */
#define KEPT_MAX 64

struct db_reader {
	sqlite3 *db;
	char *file;
	char *interrupted;
	bool preparing;   /* a statement; SQLite also asks when it prepares one again by itself */
	struct text read; /* ",job,run,": the tables and views that the statement reads */
	struct db_cursor *kept[KEPT_MAX];
	unsigned next_kept; /* the slot that is used next */
};

/* Adds, for this reader, the views that a recording of this version lacks, and those that are computed here.
 */
MUST_CHECK bool reader_renew_views(struct db_reader *r, int64_t version, struct error *err);

#endif
