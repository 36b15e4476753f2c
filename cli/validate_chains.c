/* cli/validate_chains.c - see cli/validate_chains.h. */
#include "cli/validate_chains.h"

#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/say.h"
#include "db/reader.h"
#include "policies/registry.h"
#include "runs/bounds/recorded_label.h"

/* One row for each policy and analysis: how many chains in runs hold, are exceeded, or cannot tell; and the
 * one with the greatest observed / bound. */
static const char sql[] =
	"SELECT policy, params, analysis, analysis_params, safety, count(*), coalesce(sum(holds = 0), 0), "
	"coalesce(sum(holds = 1), 0), sum(holds IS NULL), max(CASE WHEN holds IS NOT NULL THEN tightness"
	" END), run_id, chain, observed_ms, bound_ms FROM v_chain_check"
	" GROUP BY policy, params, platform, analysis, analysis_params ORDER BY policy, params, analysis,"
	" analysis_params";

#define COLUMNS 11

/* The names of policy and analysis, with their options. */
static bool add_names(struct db_reader *reader, struct table *t, const struct db_cursor *c, struct error *err)
{
	const struct policy *policy = policy_find(cursor_text(c, 0));
	const struct analysis *analysis = analysis_find(cursor_text(c, 2));
	char first[PARAMS_LABEL_MAX], second[PARAMS_LABEL_MAX];
	if (!recorded_label(reader, cursor_text(c, 0), cursor_text(c, 1), policy ? policy->options : NULL,
		    first, err) ||
		!recorded_label(reader, cursor_text(c, 2), cursor_text(c, 3),
			analysis ? analysis->options : NULL, second, err))
		return false;
	table_text(t, first);
	table_text(t, second);
	return true;
}

static void add_row(struct table *t, const struct db_cursor *c)
{
	bool any = cursor_kind(c, 9) != VALUE_NULL;
	table_text(t, cursor_text(c, 4));
	for (int i = 6; i <= 8; i++)
		table_integer(t, cursor_integer(c, i));
	any ? table_real(t, cursor_real(c, 9)) : table_null(t);
	any ? table_integer(t, cursor_integer(c, 10)) : table_null(t);
	table_text(t, any ? cursor_text(c, 11) : NULL);
	any ? table_real(t, cursor_real(c, 12)) : table_null(t);
	any ? table_real(t, cursor_real(c, 13)) : table_null(t);
}

static bool compare(struct db_reader *reader, bool print, bool *exceeded, struct error *err)
{
	static const char *const columns[COLUMNS] = {"policy", "analysis", "safety", "exceeded", "holds",
		"untold", "worst", "run_id", "chain", "observed_ms", "bound_ms"};
	struct table t;
	bool row = false, begun = false;
	struct db_cursor *c = cursor_open(reader, sql, err);
	bool ok = c != NULL;
	while (ok && (ok = cursor_next(c, &row, err)) && row) {
		*exceeded |= cursor_integer(c, 6) > 0 && strcmp(cursor_text(c, 4), "sound") == 0;
		if (!print)
			continue;
		if (!begun) {
			say(stdout, "\nAges and reactions of chains in runs:\n\n");
			table_begin(&t, stdout, TABLE_TEXT, columns, COLUMNS);
		}
		begun = true;
		ok = add_names(reader, &t, c, err);
		if (ok)
			add_row(&t, c);
	}
	cursor_close(c);
	return begun ? table_end(&t, err) && ok : ok;
}

bool validate_chains(const char *file, bool print, bool *exceeded, struct error *err)
{
	bool has = false;
	struct db_reader *reader = reader_open(file, err);
	bool ok = reader && reader_has(reader, "chain_bound", NULL, &has, err) &&
		  (!has || compare(reader, print, exceeded, err));
	reader_close(reader);
	return ok;
}
