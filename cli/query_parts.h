/* cli/query_parts.h - shared by the files of `cegsim query`: printing of answers, descriptions, and hints for
 * mistyped names. */
#ifndef CEGSIM_CLI_QUERY_PARTS_H
#define CEGSIM_CLI_QUERY_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/table/table.h"
#include "db/parameters.h"
#include "db/queries.h"
#include "db/reader.h"

#define QUERY_WIDTH_OF_TERMINAL (-1)

struct query_output {
	enum table_format format;
	int width; /* width to fit in columns; 0: no limit; or QUERY_WIDTH_OF_TERMINAL */
};

/* Begins a table on standard output, as `output` says. */
void query_begin(
	struct table *t, const struct query_output *output, const char *const *columns, size_t count);

/* Facts about an answer. */
struct query_answer {
	size_t rows;
	bool says; /* some value is neither NULL nor 0 */
};

/* Prints the rows of a cursor whose parameters are bound. Headers get the units that are in the recording's
 * column_doc. `answer` may be NULL. */
MUST_CHECK bool query_print(struct db_reader *reader, struct db_cursor *c, const struct query_output *output,
	struct query_answer *answer, struct error *err);

/* Describes a recording: all tables and views (NULL), one of them, or "@NAME", a named query. */
MUST_CHECK bool query_describe(
	struct db_reader *reader, const char *name, const struct query_output *output, struct error *err);

/* The i-th table or view of a recording, and what one row of it is. False: there are no more. */
bool query_table_at(size_t i, const char **name, const char **what);

/* "; did you mean 'x'?", or "". Searches the queries or figures that `at` enumerates. Returns hint. */
const char *query_nearest_of(
	bool (*at)(size_t, struct named_query *), const char *name, char hint[SUGGESTION_TEXT_MAX]);
/* Sets the error "There is no query named ...", with the nearest name. Always returns false. */
bool query_unknown(const char *name, struct error *err);

/* Checks that the runs, task sets, tasks, jobs, ... that parameters of a named query or figure name exist in
 * the recording (the tasks and jobs: in its run): an empty answer would not say that they do not. False:
 * STATUS_INPUT. */
MUST_CHECK bool query_check_values(struct db_reader *reader, const char *file,
	const struct named_query *query, const struct parameters *parameters, struct error *err);

/* Adds the nearest name to SQLite's "no such table: x" and "no such column: x"; leaves other errors
 * unchanged. */
void query_hint(struct db_reader *reader, const char *sql, struct error *err);

/* The name nearest to `word`, of those that `names_sql` selects (?1: `text`), as suggestion_text() writes it;
 * "" if none is near. Returns hint. */
const char *query_nearest(struct db_reader *reader, const char *names_sql, const char *text, const char *word,
	char hint[SUGGESTION_TEXT_MAX]);

#endif
