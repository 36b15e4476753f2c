/* db/levels.h - words what an answer lacks because runs were recorded at too low a level (run.record). The
 * sentence is the same in cegsim query, plot, trace, and the page of cegsim view (which contains
 * db/levels.sql, too).
 *
 * A named query or figure (db/queries.sql, report/figures/) states the least level that it
 * needs in its header:
 *
 *   -- level: segments
 *   -- level: issues, warps        only runs of kernels of warps have such rows
 *   -- level: blocks, first set    without :run and :taskset it is about the first task set
 *
 * A query without that line can be answered at every level. */
#ifndef CEGSIM_DB_LEVELS_H
#define CEGSIM_DB_LEVELS_H

#include "base/text.h"
#include "db/parameters.h"
#include "db/queries.h"
#include "db/reader.h"

#define LEVEL_MAX 16

struct level_need {
	char level[LEVEL_MAX]; /* "": every level is enough */
	bool warps, first_set;
};

/* The need that the query's header states. */
struct level_need level_needed(const struct named_query *query);
/* The need as a text, such as "segments" or "issues, of warps"; "": every level is enough. */
#define LEVEL_TEXT_MAX (LEVEL_MAX + 16)
const char *level_text(const struct level_need *need, char text[LEVEL_TEXT_MAX]);

/* What runs lack for a named query or figure with these parameters: appends the sentence to `lack`, or
 * nothing if nothing is missing. `what` is the name of the query in the sentence.
 * False, STATUS_INPUT, with the sentence: no run has what is asked for. */
MUST_CHECK bool level_check(struct db_reader *r, const char *what, const struct named_query *query,
	const struct parameters *parameters, struct text *lack, struct error *err);
/* The same for one run: if anything is missing, it is an error. */
MUST_CHECK bool level_check_run(
	struct db_reader *r, const char *what, const char *level, int64_t run_id, struct error *err);

/* Tables that are filled from a certain level on, in the order of levels; ends with NULL. */
struct level_table {
	const char *table, *level;
	bool warps;
};
extern const struct level_table level_tables[];

/* For statements of the user: the first of the tables that the statement reads which lacks rows of some runs
 * because of their level. `empty`: only a table that lacks them for all runs. Appends the sentence, or
 * nothing. */
MUST_CHECK bool level_check_tables(
	struct db_reader *r, const struct db_cursor *c, bool empty, struct text *lack, struct error *err);

/* The text of db/levels.sql. */
void level_sql(struct text *sql);

#endif
