/* db/queries.h - questions with a name (db/queries.sql), and files of such questions. */
#ifndef CEGSIM_DB_QUERIES_H
#define CEGSIM_DB_QUERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

#define QUERY_PARAMS 8
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
	struct query_param fixed[QUERY_FIXED]; /* parameters of the SQL that nobody else sets; without help */
	size_t fixed_count;
	const char *sql; /* not terminated */
	size_t sql_length;
	const char *text; /* of its own in the file, behind the line with the name */
	size_t text_length;
};

/* A text that holds queries, each with its header: lines "-- name:", "-- title:", "-- param:", and others. A
 * query with a line "-- sql: NAME" has the SQL of that one (with a header, and defaults, of its own); lines
 * "-- fixed: NAME = VALUE" give values to parameters that only the SQL's sharers have. */
struct query_file {
	const char *start, *end;
};

#define QUERY_DEFAULT "overview"

/* The query number `index`, from 0, in the order of the file; false behind the last one. */
bool query_at(size_t index, struct named_query *query);
bool query_find(const char *name, struct named_query *query);

/* The same for another file than db/queries.sql. */
bool query_file_at(struct query_file file, size_t index, struct named_query *query);
/* What the line "-- KEY:" of the query's header says; false: there is none. Longer texts than fit are a
 * defect of the file. */
bool query_header(const struct named_query *query, const char *key, char *value, size_t size);

/* Appends the SQL; where it has a line "-- with: NAME ...", the texts of that name in `parts` (each one or
 * several common tables, as they stand behind WITH) stand in front of its own common tables. */
void query_compose(const struct named_query *query, struct query_file parts, struct text *sql);

#endif
