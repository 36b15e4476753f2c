/* db/computed.h - which columns of a recording are computed, and how. Whoever changes what `missed` is
 * computed from changes answers without changing a row. */
#ifndef CEGSIM_DB_COMPUTED_H
#define CEGSIM_DB_COMPUTED_H

#include <stdbool.h>

#include "base/error.h"

/* Goes through a column of a table in a file that may be anybody's: `sql` is what sqlite_master has of the
 * table, `computed` whether SQLite says that the column is. *ours: it is as some version of cegsim has made
 * it, or cegsim has no column of that name. False: *err, there is no memory. */
MUST_CHECK bool computed_is_ours(
	const char *table, const char *sql, const char *column, bool computed, bool *ours, struct error *err);

#endif
