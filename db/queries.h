/* db/queries.h - questions with a name (db/queries.sql). */
#ifndef CEGSIM_DB_QUERIES_H
#define CEGSIM_DB_QUERIES_H

#include <stdbool.h>
#include <stddef.h>

#define QUERY_PARAMS 4
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
	const char *sql; /* not terminated */
	size_t sql_length;
};

#define QUERY_DEFAULT "overview"

/* The query number `index`, from 0, in the order of the file; false behind the last one. */
bool query_at(size_t index, struct named_query *query);
bool query_find(const char *name, struct named_query *query);

#endif
