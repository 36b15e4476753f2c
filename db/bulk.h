/* db/bulk.h - arrays of rows, or rows of another connection, as an SQLite table, so that one INSERT ...
 * SELECT writes many rows.
 *
 * `SELECT c1, c4, ... FROM cegsim_rows(?)` reads the batch that is bound with bulk_bind(); cN is the Nth
 * column of its row type (db/row_types.h), from 0. So no statement per row is needed: that is three to six
 * times as fast as an INSERT that is bound and stepped for each row. With `answer`, cN is the Nth column of
 * that statement, which is stepped to its end; it may be of another connection. */
#ifndef CEGSIM_DB_BULK_H
#define CEGSIM_DB_BULK_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "db/row_types.h"

struct bulk_batch {
	const struct row_type *type;
	const void *rows;
	size_t count;
	int64_t first_task_id;
	sqlite3_stmt *answer; /* its rows are the batch; NULL: the array is. Reset it afterwards */
	int failure;          /* out: the SQLite code with which `answer` failed; 0: it did not */
};

int bulk_register(sqlite3 *db); /* an SQLite code */
/* The batch must live until the statement is reset. */
int bulk_bind(sqlite3_stmt *stmt, int parameter, struct bulk_batch *batch);

#endif
