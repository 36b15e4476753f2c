/* db/parameters.h - values that a user gives to the parameters of a query, as NAME=VALUE. */
#ifndef CEGSIM_DB_PARAMETERS_H
#define CEGSIM_DB_PARAMETERS_H

#include "db/queries.h"
#include "db/reader.h"

#define PARAMETERS_MAX 32

/* The given texts NAME=VALUE, with at least one letter before the '='; they belong to the caller. */
struct parameters {
	const char *given[PARAMETERS_MAX];
	size_t count;
};

/* Binds the defaults of the query (NULL: it has none), then the given values. A value that reads as a whole
 * or real number becomes one; all others are texts. STATUS_INPUT: the query has no such parameter. */
MUST_CHECK bool parameters_bind(
	const struct parameters *p, const struct named_query *query, struct db_cursor *c, struct error *err);

/* The last value given for `name`; NULL: none. */
const char *parameters_given(const struct parameters *p, const char *name);
/* The last value given for `name`, else its default; "": neither. */
const char *parameters_value(const struct parameters *p, const struct named_query *query, const char *name);

#endif
