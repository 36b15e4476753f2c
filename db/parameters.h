/* db/parameters.h - values that a user gives to the parameters of a query, as NAME=VALUE. */
#ifndef CEGSIM_DB_PARAMETERS_H
#define CEGSIM_DB_PARAMETERS_H

#include "db/queries.h"
#include "db/reader.h"

#define PARAMETERS_MAX 32

/* What was given: texts NAME=VALUE, with a '=' behind at least one letter; they belong to the caller. */
struct parameters {
	const char *given[PARAMETERS_MAX];
	size_t count;
};

/* Gives the cursor's parameters the defaults of the query (NULL: it has none), then what was given. A value
 * that reads as a whole number or a real number is one, all others are texts. STATUS_INPUT: the query has no
 * parameter of that name. */
MUST_CHECK bool parameters_bind(
	const struct parameters *p, const struct named_query *query, struct db_cursor *c, struct error *err);

/* What was given for `name`, the last time; NULL: nothing. */
const char *parameters_given(const struct parameters *p, const char *name);
/* What was given for `name`, else its default; "": neither. */
const char *parameters_value(const struct parameters *p, const struct named_query *query, const char *name);

#endif
