/* cli/list_parts.h - shared by the files of `cegsim list`: what was asked for, and the lists that are not in
 * list.c. */
#ifndef CEGSIM_CLI_LIST_PARTS_H
#define CEGSIM_CLI_LIST_PARTS_H

#include <string.h>

#include "base/error.h"
#include "cli/table/table.h"

struct list_request {
	enum table_format format;
	const char *name; /* only this one; NULL: all */
	bool verbose;     /* tables for people have everything */
	bool papers;      /* of figures: only those of papers */
};

/* Programs get everything in one table; tables for people have no wide columns. */
static inline bool list_for_programs(enum table_format format)
{
	return format == TABLE_CSV || format == TABLE_JSON;
}

static inline bool list_wants(const struct list_request *q, const char *name)
{
	return !q->name || strcmp(q->name, name) == 0;
}

MUST_CHECK bool list_figures(const struct list_request *q, struct error *err);
MUST_CHECK bool list_queries(const struct list_request *q, struct error *err);
MUST_CHECK bool list_laws(const struct list_request *q, struct error *err);
MUST_CHECK bool list_tables(const struct list_request *q, struct error *err);
MUST_CHECK bool list_columns(const struct list_request *q, struct error *err);

#endif
