/* cli/query_parts.h - what the parts of `cegsim query` share: how answers are printed, descriptions, and
 * hints for who mistyped a name. */
#ifndef CEGSIM_CLI_QUERY_PARTS_H
#define CEGSIM_CLI_QUERY_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/table.h"
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

/* Prints the rows of a cursor whose parameters are bound. Headers get the units that the recording's
 * column_doc knows. *rows (NULL: nobody asks) is how many there were. */
MUST_CHECK bool query_print(struct db_reader *reader, struct db_cursor *c, const struct query_output *output,
	size_t *rows, struct error *err);

/* Prints what is in the recording: all tables and views (NULL), one of them, or "@NAME", a named query. */
MUST_CHECK bool query_describe(
	struct db_reader *reader, const char *name, const struct query_output *output, struct error *err);

/* "; did you mean 'x'?", or "": among the queries, or figures, that `at` counts through. Returns hint. */
const char *query_nearest_of(bool (*at)(size_t, struct named_query *), const char *name, char hint[SUGGESTION_TEXT_MAX]);
/* "There is no query named ..." with the nearest one. Always false. */
bool query_unknown(const char *name, struct error *err);

/* Adds the nearest name to SQLite's "no such table: x" and "no such column: x"; other errors stay as they
 * are. */
void query_hint(struct db_reader *reader, const char *sql, struct error *err);

/* The nearest to `word` of the names that `names_sql` answers (?1: `text`), as suggestion_text() writes it:
 * "" if none is near. Returns hint. */
const char *query_nearest(struct db_reader *reader, const char *names_sql, const char *text, const char *word,
	char hint[SUGGESTION_TEXT_MAX]);

#endif
