/* cli/acceptance.c - see cli/acceptance.h. */
#include "cli/acceptance.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/say.h"
#include "base/text.h"
#include "cli/query_parts.h"
#include "db/parameters.h"
#include "db/queries.h"
#include "db/reader.h"

/* For programs: runs alone, and runs and analyses in one table. */
static const char runs_sql[] =
	"SELECT target_utilisation, platform, policy, params, n AS runs, k AS accepted, ratio,"
	" lower95, upper95, refused, truncated FROM v_acceptance ORDER BY target_utilisation,"
	" platform, policy, params";
static const char all_sql[] =
	"SELECT kind, target_utilisation, platform, policy, params, analysis, analysis_params, safety, n,"
	" k AS accepted, ratio, lower95, upper95, refused, truncated FROM v_accepted"
	" ORDER BY kind DESC, target_utilisation, platform, policy, params, analysis, analysis_params";

/* Of few sets. */
static const char analysed_sql[] =
	"SELECT a.taskset_id, s.name AS taskset, l.name AS platform, p.name AS policy, p.params, a.analysis,"
	" a.params AS analysis_params, a.safety, a.verdict, a.reason FROM analysis_run a"
	" JOIN taskset s USING (taskset_id) JOIN platform l USING (platform_id)"
	" JOIN policy p USING (policy_id) ORDER BY a.analysis_run_id";

static const char any_analysis[] = "SELECT 1 FROM analysis_run UNION ALL"
				   " SELECT 1 FROM question WHERE analysis IS NOT NULL LIMIT 1";

static void print_row(struct table *t, const struct db_cursor *c)
{
	for (int i = 0; i < cursor_columns(c); i++) {
		if (cursor_kind(c, i) == VALUE_NULL)
			table_null(t);
		else if (cursor_kind(c, i) == VALUE_REAL)
			table_real(t, cursor_real(c, i));
		else if (cursor_kind(c, i) == VALUE_INTEGER)
			table_integer(t, cursor_integer(c, i));
		else
			table_text(t, cursor_text(c, i));
	}
}

static bool print_query(struct db_reader *r, const char *sql, enum table_format format, struct error *err)
{
	enum { COLUMNS_MAX = 16 };
	const char *columns[COLUMNS_MAX] = {NULL};
	struct table t;
	struct error printing;
	bool row = true;
	struct db_cursor *c = cursor_open(r, sql, err);
	if (!c)
		return false;
	for (int i = 0; i < cursor_columns(c); i++)
		columns[i] = cursor_column_name(c, i);
	table_begin(&t, stdout, format, columns, (size_t)cursor_columns(c));
	bool ok = true;
	while (ok && (ok = cursor_next(c, &row, err)) && row)
		print_row(&t, c);
	cursor_close(c);
	bool printed = table_end(&t, &printing);
	if (ok && !printed)
		*err = printing;
	return ok && printed;
}

static bool any(struct db_reader *r, const char *sql, bool *row, struct error *err)
{
	struct db_cursor *c = cursor_open(r, sql, err);
	bool ok = c && cursor_next(c, row, err);
	cursor_close(c);
	return ok;
}

static bool print_flat(struct db_reader *r, enum table_format format, struct error *err)
{
	bool analyses;
	return any(r, any_analysis, &analyses, err) &&
	       print_query(r, analyses ? all_sql : runs_sql, format, err);
}

/* The answer of a named query, as `cegsim query` prints it. */
static bool print_named(struct db_reader *r, const char *name, enum table_format format,
	struct query_answer *answer, struct error *err)
{
	const struct query_output output = {format, QUERY_WIDTH_OF_TERMINAL};
	const struct parameters none = {0};
	struct named_query query;
	if (!query_find(name, &query))
		return query_unknown(name, err);
	struct db_cursor *c = cursor_open_bytes(r, query.sql, query.sql_length, err);
	bool ok = c && parameters_bind(&none, &query, c, err) && query_print(r, c, &output, answer, err);
	cursor_close(c);
	return ok;
}

/* How to go on from verdicts to what happened. */
static bool print_brief(struct db_reader *r, const char *file, struct error *err)
{
	bool brief;
	if (!any(r, "SELECT 1 FROM tally LIMIT 1", &brief, err))
		return false;
	if (brief)
		say(stdout,
			"\nSets by number: cegsim query %s @verdicts -P verdict=unschedulable; all that "
			"happens in set N: cegsim sweep %s --units N -o SET.db\n",
			file, file);
	return true;
}

/* For people: each curve in one row. Sets of a recipe without a target utilisation have no curve; they have a
 * row for every point of the grid. */
static bool print_curves(struct db_reader *r, const char *file, struct error *err)
{
	struct query_answer answer;
	bool row, analyses;
	if (!any(r,
		    "SELECT 1 FROM taskset WHERE target_utilisation_ppm IS NOT NULL"
		    " UNION ALL SELECT 1 FROM grid_point WHERE target_utilisation_ppm IS NOT NULL LIMIT 1",
		    &row, err) ||
		!any(r, any_analysis, &analyses, err))
		return false;
	if (!print_named(r, row ? "curves" : "grid", TABLE_TEXT, &answer, err) ||
		(!row && analyses && !print_named(r, "analysis-grid", TABLE_TEXT, &answer, err)))
		return false;
	if (row)
		say(stdout, "\nOne row for each utilisation: cegsim query %s @acceptance%s\n", file,
			analyses ? " (or @analysis-acceptance)" : "");
	return print_brief(r, file, err);
}

/* Policies by name, with their options where a name stands for several. */
#define LABEL(policy, params)                                                                                \
	policy " || CASE WHEN (SELECT count(*) FROM policy p WHERE p.name = " policy                         \
	       ") > 1 THEN ' ' || " params " ELSE '' END"
#define SAME_WHOLE_MAX 12 /* pairs that are named */

/* Policies that made the same schedule in each of their runs look like a mistake without a word about it. */
static bool print_same(struct db_reader *r, const char *file, struct error *err)
{
	struct named_query query;
	struct text sql = {0};
	int64_t whole = 0, more = 0;
	bool row = true, brief;
	if (!any(r, "SELECT 1 FROM tally LIMIT 1", &brief, err))
		return false;
	if (!query_find("same-schedule", &query))
		return query_unknown("same-schedule", err);
	text_printf(&sql, "SELECT " LABEL("policy", "params") ", " LABEL(
				  "other", "other_params") ", same, runs, sets FROM (");
	const char *end = memrchr(query.sql, ';', query.sql_length);
	text_add_bytes(&sql, query.sql, end ? (size_t)(end - query.sql) : query.sql_length);
	text_add(&sql, ")");
	struct db_cursor *c =
		text_ok(&sql, "comparing schedules", err) ? cursor_open(r, text_data(&sql), err) : NULL;
	bool ok = c != NULL;
	while (ok && (ok = cursor_next(c, &row, err)) && row) {
		int64_t same = cursor_integer(c, 2), runs = cursor_integer(c, 3);
		if (same < runs || whole == SAME_WHOLE_MAX) {
			more++;
			continue;
		}
		fputs(whole++ == 0 ? "\n" : "", stdout);
		say(stdout, "%s and %s: the same schedule in %" PRId64 " of %" PRId64 " %s%s\n",
			cursor_text(c, 0), cursor_text(c, 1), same, runs,
			runs == cursor_integer(c, 4) ? "sets" : "runs", brief ? " that were kept" : "");
	}
	cursor_close(c);
	text_finish(&sql);
	if (ok && more > 0) {
		fputs(whole == 0 ? "\n" : "", stdout);
		say(stdout,
			"%" PRId64 "%s pair%s of policies made the same schedule in some%s: cegsim query %s"
			" @same-schedule\n",
			more, whole == 0 ? "" : " more", more == 1 ? "" : "s",
			brief ? " sets that were kept" : "", file);
	}
	return ok;
}

/* `sql` gives a number and an example. */
static bool print_trouble(struct db_reader *r, const char *sql, const char *what, struct error *err)
{
	bool row = true;
	struct db_cursor *c = cursor_open(r, sql, err);
	bool ok = c && cursor_next(c, &row, err);
	if (ok && row && cursor_integer(c, 0) > 0)
		say(stderr, "cegsim: %" PRId64 " %s, e.g. %s\n", cursor_integer(c, 0), what,
			cursor_text(c, 1));
	cursor_close(c);
	return ok;
}

static bool print_troubles(struct db_reader *r, struct error *err)
{
	return print_trouble(r,
		       "SELECT count(*), min('run ' || run_id || ': ' || reason) FROM run WHERE"
		       " status = 'error'",
		       "runs ended with an error", err) &&
	       print_trouble(r, "SELECT count(*), min('set ' || unit || ': ' || reason) FROM failed_unit",
		       "sets could not be made or run", err) &&
	       print_trouble(r,
		       "SELECT count(*), min(analysis || ' on set ' || taskset_id || ': ' || reason)"
		       " FROM analysis_run WHERE verdict = 'error'",
		       "analyses were given up", err);
}

bool acceptance_print(const char *file, enum table_format format, struct error *err)
{
	struct db_reader *r = reader_open(file, err);
	bool ok = r &&
		  (format == TABLE_TEXT ? print_curves(r, file, err) && print_same(r, file, err)
					: print_flat(r, format, err)) &&
		  print_troubles(r, err);
	reader_close(r);
	return ok;
}

bool acceptance_print_runs(const char *file, enum table_format format, struct error *err)
{
	struct db_reader *r = reader_open(file, err);
	bool runs, ok = r && any(r, "SELECT 1 FROM run LIMIT 1", &runs, err) &&
			(runs ? print_named(r, "overview", format, NULL, err)
			      : print_query(r, analysed_sql, format, err)) &&
			print_troubles(r, err);
	reader_close(r);
	return ok;
}
