/* db/merge_source.h - a part of a campaign while it is merged, and the statements that read its rows.
 *
 * SQLite attaches at most ten files to a connection, and prepares all statements anew when one comes or goes.
 * So the first parts are attached to the writer's connection and stay so, which copies rows half as fast
 * again as the other way: a connection of its own for each part. */
#ifndef CEGSIM_DB_MERGE_SOURCE_H
#define CEGSIM_DB_MERGE_SOURCE_H

#include <sqlite3.h>

#include "db/merge.h"

#define MERGE_ATTACHED_MAX 8 /* below SQLite's limit of 10 */

struct merge_source {
	const struct merge_part *part; /* NULL: nothing is open */
	uint64_t used;                 /* when it was last used */
	sqlite3 *db;                   /* its own connection, or the writer's */
	bool attached;
	char schema[16];                 /* the name of the part's tables in `db` */
	sqlite3_stmt *rows[UNIT_TABLES]; /* made when a table has rows to copy */
	sqlite3_stmt *failed;            /* (unit, reason) of the units ?1 to ?2 that have no runs */
};

/* Opens it with a connection of its own. False: *err. Close it either way. */
MUST_CHECK bool merge_source_open(struct merge_source *s, const struct merge_part *part, struct error *err);
/* Attaches it to a connection, which is in no transaction; `number` is its own there. Close it, in no
 * transaction either, before the connection. */
MUST_CHECK bool merge_source_attach(
	struct merge_source *s, const struct merge_part *part, sqlite3 *db, int number, struct error *err);
/* Accepts a zeroed one, which it is afterwards. False, *err: it could not be detached. */
MUST_CHECK bool merge_source_close(struct merge_source *s, struct error *err);

/* A statement over the part. In `sql` stands %s for the schema, once or twice. NULL: *err. */
MUST_CHECK sqlite3_stmt *merge_source_prepare(struct merge_source *s, const char *sql, struct error *err);

/* The statement that reads `columns` of the rows ?1 < rowid <= ?2 of unit_tables[table]; with `into` (of a
 * part that is attached), that which inserts them: "INSERT INTO ...". It belongs to the source. NULL: *err.
 */
MUST_CHECK sqlite3_stmt *merge_source_rows(
	struct merge_source *s, int table, const char *into, const char *columns, struct error *err);

/* Binds values to parameters 1, 2, ..., as many as the statement has. */
MUST_CHECK bool merge_source_bind(const struct merge_source *s, sqlite3_stmt *stmt, const int64_t *values,
	int count, struct error *err);

/* Words a failure to read the part. Always returns false. */
bool merge_source_error(const struct merge_source *s, int code, struct error *err);

#endif
