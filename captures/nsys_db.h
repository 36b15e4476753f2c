/* captures/nsys_db.h - an export of Nsight Systems as a database; only for use in captures/.
 *
 * Exports make tables and columns as they need them, and versions differ. So no query names a column that may
 * not be there: a table is asked for columns by name, and what it lacks is NULL in the answer. */
#ifndef CEGSIM_CAPTURES_NSYS_DB_H
#define CEGSIM_CAPTURES_NSYS_DB_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define NSYS_TIME_MAX (INT64_C(1) << 61)

struct nsys_db {
	sqlite3 *db;
	const char *file;
	struct error *err; /* of the first failure */
};

/* Opens the file for reading; nothing is ever written, not even beside it. False: *err. Close it either way.
 */
MUST_CHECK bool nsys_open(struct nsys_db *db, const char *file, struct error *err);
void nsys_close(struct nsys_db *db);

/* False, with the error: it could not be found out. */
MUST_CHECK bool nsys_has(struct nsys_db *db, const char *table, bool *has);

/* The rows of a table: the columns named in `columns`, separated by blanks, in that order; those that the
 * table lacks are NULL. `rest` follows in the query, such as ORDER BY 1 (a column by its place: its name may
 * be unknown); NULL: nothing. Without the table there are no rows. */
struct nsys_rows {
	struct nsys_db *db;
	sqlite3_stmt *stmt; /* NULL: no table */
	bool ok;
};
struct nsys_rows nsys_rows(struct nsys_db *db, const char *table, const char *columns, const char *rest);
bool nsys_next(struct nsys_rows *rows);
/* False, with the error: not all rows were read. */
MUST_CHECK bool nsys_end(struct nsys_rows *rows);

bool nsys_null(const struct nsys_rows *rows, int column);
/* `otherwise` where it is NULL. */
int64_t nsys_integer(const struct nsys_rows *rows, int column, int64_t otherwise);
/* The same; but what is negative or more than 32 bits is 0. */
uint32_t nsys_count(const struct nsys_rows *rows, int column);
/* A time. False: it is no number (NULL; a text, which SQLite would sort behind all numbers), or so far from 0
 * (70 years) that no clock gave it; sums and differences of times do not overflow. */
bool nsys_time(const struct nsys_rows *rows, int column, int64_t *ns);
/* NULL where it is NULL; valid until the next row. */
const char *nsys_text(const struct nsys_rows *rows, int column);

#endif
