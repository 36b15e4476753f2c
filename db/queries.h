/* db/queries.h - named queries (db/queries.sql), and files with such queries. */
#ifndef CEGSIM_DB_QUERIES_H
#define CEGSIM_DB_QUERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

#define QUERY_PARAMS 12
#define QUERY_FIXED 2
#define QUERY_WORD_MAX 32
#define QUERY_LINE_MAX 160

struct query_param {
	char name[QUERY_WORD_MAX];     /* without the colon */
	char fallback[QUERY_WORD_MAX]; /* "": NULL */
	char help[QUERY_LINE_MAX];
};

struct named_query {
	char name[QUERY_WORD_MAX];
	char title[QUERY_LINE_MAX]; /* one line */
	struct query_param params[QUERY_PARAMS];
	size_t param_count;
	struct query_param fixed[QUERY_FIXED]; /* parameters that only the header sets; without help */
	size_t fixed_count;
	const char *sql; /* no terminating NUL */
	size_t sql_length;
	const char *text; /* its own text in the file, behind the line with the name */
	size_t text_length;
};

/* A text with queries, each with its header: lines "-- name:", "-- title:", "-- param:", and others. A query
 * with a line "-- sql: NAME" has the SQL of that one (with a header, and defaults, of its own); lines "--
 * fixed: NAME = VALUE" set parameters of that SQL which users of this query cannot set. */
struct query_file {
	const char *start, *end;
};

#define QUERY_DEFAULT "overview"

/* The query number `index`, from 0, in the order of the file; false behind the last one. */
bool query_at(size_t index, struct named_query *query);
bool query_find(const char *name, struct named_query *query);

/* The same for another file instead of db/queries.sql. */
bool query_file_at(struct query_file file, size_t index, struct named_query *query);
/* The text of the line "-- KEY:" in the query's header; false: there is no such line. A text that does not
 * fit is an error in the file. */
bool query_header(const struct named_query *query, const char *key, char *value, size_t size);

/* Appends the SQL. If it has a line "-- with: NAME ...", the texts of these names in `parts` are put in front
 * of its own common tables; each contains common tables as they are written behind WITH. */
void query_compose(const struct named_query *query, struct query_file parts, struct text *sql);

#endif
