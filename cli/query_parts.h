/* cli/query_parts.h - what the parts of `cegsim query` share: how answers are printed, descriptions, and
 * hints for who mistyped a name. */
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
	int width; /* columns to fit, 0: none, or QUERY_WIDTH_OF_TERMINAL */
};

/* Begins a table on standard output, as `output` says. */
void query_begin(
	struct table *t, const struct query_output *output, const char *const *columns, size_t count);

/* What an answer was. */
struct query_answer {
	size_t rows;
	bool says; /* a value is neither NULL nor 0 */
};

/* Prints the rows of a cursor whose parameters are bound. Headers get the units that the recording's
 * column_doc knows. answer: NULL, if nobody asks. */
MUST_CHECK bool query_print(struct db_reader *reader, struct db_cursor *c, const struct query_output *output,
	struct query_answer *answer, struct error *err);

/* Prints what is in the recording: all tables and views (NULL), one of them, or "@NAME", a named query. */
MUST_CHECK bool query_describe(
	struct db_reader *reader, const char *name, const struct query_output *output, struct error *err);

/* The i-th table or view of a recording and what a row of it is. False: there are no more. */
bool query_table_at(size_t i, const char **name, const char **what);

/* "; did you mean 'x'?", or "": among the queries, or figures, that `at` counts through. Returns hint. */
const char *query_nearest_of(
	bool (*at)(size_t, struct named_query *), const char *name, char hint[SUGGESTION_TEXT_MAX]);
/* "There is no query named ..." with the nearest one. Always false. */
bool query_unknown(const char *name, struct error *err);

/* Whether the runs, task sets, tasks, ... that parameters of a named query or figure name are in the
 * recording: an answer about nothing would not say that they are not. False: STATUS_INPUT. */
MUST_CHECK bool query_check_values(
	struct db_reader *reader, const char *file, const struct parameters *parameters, struct error *err);

/* Adds the nearest name to SQLite's "no such table: x" and "no such column: x"; other errors stay as they
 * are. */
void query_hint(struct db_reader *reader, const char *sql, struct error *err);

/* The nearest to `word` of the names that `names_sql` answers (?1: `text`), as suggestion_text() writes it:
 * "" if none is near. Returns hint. */
const char *query_nearest(struct db_reader *reader, const char *names_sql, const char *text, const char *word,
	char hint[SUGGESTION_TEXT_MAX]);

#endif
