/* db/identity.c - see db/identity.h. */
#include "db/identity.h"

#include <string.h>

/* Not of what depends on the level of recording. */
static bool counts(const struct row_column *column)
{
	return row_is_member(column) && strcmp(column->name, "gpu_active_ns") != 0 &&
	       strcmp(column->name, "sm_active_ns") != 0;
}

uint64_t identity_of_rows(enum row_type_id id, const void *rows, size_t count)
{
	const struct row_type *type = &row_types[id];
	const char *row = rows;
	uint64_t sum = 0;
	for (size_t i = 0; i < count; i++, row += type->row_size) {
		struct digest d;
		digest_init(&d);
		digest_string(&d, type->table);
		for (size_t k = 0; k < type->column_count; k++)
			if (counts(&type->columns[k]))
				row_digest_value(&type->columns[k], &d, row);
		sum += digest_word(&d);
	}
	return sum;
}

static void begin(struct digest *d, const char *const *things)
{
	digest_init(d);
	for (size_t i = 0; i < IDENTITY_OF_MAX && things[i]; i++)
		digest_string(d, things[i]);
}

/* The columns from `first` up to and including `last`, without those that depend on the level of
 * recording. */
static void add_columns(
	struct digest *d, enum row_type_id id, const void *row, const char *first, const char *last)
{
	const struct row_type *type = &row_types[id];
	struct row_range range = row_range(id, first, last);
	for (size_t i = range.first; i < range.end; i++) {
		if (counts(&type->columns[i]))
			row_digest_value(&type->columns[i], d, row);
	}
}

void identity_of_run(const char *const things[IDENTITY_OF_MAX], const struct run_row *run, uint64_t rows,
	char text[DIGEST_TEXT])
{
	struct digest d;
	begin(&d, things);
	digest_integer(&d, run->replication);
	add_columns(&d, ROWS_RUN, run, "status", "events_digest");
	digest_integer(&d, (int64_t)rows);
	digest_text(&d, text);
}

void identity_of_analysis(const char *const things[IDENTITY_OF_MAX], const struct analysis_row *analysis,
	uint64_t rows, char text[DIGEST_TEXT])
{
	struct digest d;
	begin(&d, things);
	add_columns(&d, ROWS_ANALYSIS, analysis, "analysis", "version");
	add_columns(&d, ROWS_ANALYSIS, analysis, "allocation", "failing_task_id");
	digest_integer(&d, (int64_t)rows);
	digest_text(&d, text);
}
