/* cli/acceptance.c - see cli/acceptance.h. */
#include "cli/acceptance.h"

#include <inttypes.h>
#include <stdio.h>

#include "db/reader.h"

static const char acceptance_sql[] =
	"SELECT target_utilisation, platform, policy, params, n, k, ratio, lower95, upper95, refused, truncated"
	" FROM v_acceptance ORDER BY target_utilisation, platform, policy, params";

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

static bool print_acceptance(struct db_reader *r, enum table_format format, struct error *err)
{
	static const char *const columns[] = {"target_utilisation", "platform", "policy", "params", "sets", "accepted",
		"ratio", "lower95", "upper95", "refused", "truncated"};
	struct table t;
	struct error printing;
	bool row = true;
	struct db_cursor *c = cursor_open(r, acceptance_sql, err);
	if (!c)
		return false;
	table_begin(&t, stdout, format, columns, sizeof(columns) / sizeof(columns[0]));
	bool ok = true;
	while (ok && (ok = cursor_next(c, &row, err)) && row)
		print_row(&t, c);
	cursor_close(c);
	bool printed = table_end(&t, &printing);
	if (ok && !printed)
		*err = printing;
	return ok && printed;
}

/* `sql` gives a number and an example. */
static bool print_trouble(struct db_reader *r, const char *sql, const char *what, struct error *err)
{
	bool row = true;
	struct db_cursor *c = cursor_open(r, sql, err);
	bool ok = c && cursor_next(c, &row, err);
	if (ok && row && cursor_integer(c, 0) > 0)
		fprintf(stderr, "cegsim: %" PRId64 " %s, e.g. %s\n", cursor_integer(c, 0), what, cursor_text(c, 1));
	cursor_close(c);
	return ok;
}

bool acceptance_print(const char *file, enum table_format format, struct error *err)
{
	struct db_reader *r = reader_open(file, err);
	bool ok = r && print_acceptance(r, format, err) &&
		  print_trouble(r, "SELECT count(*), min('run ' || run_id || ': ' || reason) FROM run WHERE status = 'error'",
			  "runs ended with an error", err) &&
		  print_trouble(r, "SELECT count(*), min('set ' || unit || ': ' || reason) FROM failed_unit",
			  "sets could not be made or run", err);
	reader_close(r);
	return ok;
}
