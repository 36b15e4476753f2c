/* cli/merge_acceptance.c - see cli/merge_acceptance.h. Sets are in one share each, so counts add up;
 * intervals do not, as sets with several runs are not known by their number here. */
#include "cli/merge_acceptance.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "cli/table/table.h"
#include "db/reader.h"

enum { NAMES = 8, COUNTS = 4 };

static const char sql[] =
	"SELECT kind, target_utilisation, platform, policy, params, analysis, analysis_params,"
	" safety, n, k, refused, truncated FROM v_accepted";
static const char *const columns[] = {"kind", "target_utilisation", "platform", "policy", "params",
	"analysis", "analysis_params", "safety", "n", "accepted", "ratio", "refused", "truncated"};

struct counted {
	char *name[NAMES];  /* the first columns; NULL: none */
	double utilisation; /* target_utilisation as a number; of none 0 */
	int64_t count[COUNTS];
};

struct summing {
	struct counted *rows;
	size_t count, capacity;
};

static int compare_names(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

/* Runs before analyses, then by utilisation and names. */
static int compare(const void *left, const void *right)
{
	const struct counted *a = left, *b = right;
	int order = compare_names(b->name[0], a->name[0]);
	if (order == 0)
		order = (a->utilisation > b->utilisation) - (a->utilisation < b->utilisation);
	for (int i = 1; order == 0 && i < NAMES; i++)
		order = compare_names(a->name[i], b->name[i]);
	return order;
}

static bool is_row(const struct counted *row, const struct db_cursor *c)
{
	for (int i = 0; i < NAMES; i++)
		if (compare_names(row->name[i], cursor_text(c, i)) != 0)
			return false;
	return true;
}

static bool add_row(struct summing *s, const struct db_cursor *c, struct counted **row, struct error *err)
{
	if (!list_reserve(&s->rows, &s->capacity, s->count + 1, sizeof(*s->rows)))
		return error_memory(err, "adding up acceptance");
	*row = &s->rows[s->count++];
	**row = (struct counted){.utilisation = cursor_kind(c, 1) == VALUE_NULL ? 0 : cursor_real(c, 1)};
	for (int i = 0; i < NAMES; i++) {
		const char *text = cursor_text(c, i);
		(*row)->name[i] = text ? strdup(text) : NULL;
		if (text && !(*row)->name[i])
			return error_memory(err, "adding up acceptance");
	}
	return true;
}

static bool add(struct summing *s, const struct db_cursor *c, struct error *err)
{
	struct counted *row = NULL;
	for (size_t i = 0; i < s->count && !row; i++)
		row = is_row(&s->rows[i], c) ? &s->rows[i] : NULL;
	if (!row && !add_row(s, c, &row, err))
		return false;
	for (int i = 0; i < COUNTS; i++)
		row->count[i] += cursor_integer(c, NAMES + i);
	return true;
}

static bool add_share(struct summing *s, const char *file, struct error *err)
{
	struct db_reader *r = reader_open(file, err);
	if (!r)
		return false;
	struct rows rows = rows_open(r, sql, err);
	while (rows_next(&rows))
		rows.ok = add(s, rows.c, err);
	bool ok = rows_close(&rows);
	reader_close(r);
	return ok;
}

static void print_row(struct table *t, const struct counted *row)
{
	for (int i = 0; i < NAMES; i++) {
		if (!row->name[i])
			table_null(t);
		else if (i == 1)
			table_real(t, row->utilisation);
		else
			table_text(t, row->name[i]);
	}
	table_integer(t, row->count[0]);
	table_integer(t, row->count[1]);
	table_real(t, (double)row->count[1] / (double)row->count[0]);
	table_integer(t, row->count[2]);
	table_integer(t, row->count[3]);
}

bool merge_acceptance(
	const struct merge_part *parts, uint32_t count, enum table_format format, struct error *err)
{
	struct summing s = {0};
	bool ok = true;
	for (uint32_t i = 0; ok && i < count; i++)
		ok = add_share(&s, parts[i].file, err);
	if (ok) {
		struct table t;
		if (s.count > 0) /* of a damaged recording there may be none */
			qsort(s.rows, s.count, sizeof(*s.rows), compare);
		table_begin(&t, stdout, format, columns, sizeof(columns) / sizeof(*columns));
		for (size_t i = 0; i < s.count; i++)
			print_row(&t, &s.rows[i]);
		ok = table_end(&t, err);
	}
	for (size_t i = 0; i < s.count; i++)
		for (int k = 0; k < NAMES; k++)
			free(s.rows[i].name[k]);
	free(s.rows);
	return ok;
}
