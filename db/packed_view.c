/* db/packed_view.c - see db/packed_view.h. */
#include "db/packed_view.h"

#include <stdbool.h>
#include <string.h>

#include "db/row_types.h"

#define LINE_MAX_WIDTH 105
#define TAB_WIDTH 8

static const char view_head[] = "CREATE VIEW segment AS\nSELECT";
/* In this order each has what the next one needs; a condition on task_id finds the first. */
static const char view_tail[] =
	"\nFROM task_segments k CROSS JOIN json_each(k.times) i CROSS JOIN segment_shape h ON h.shape_id =\n"
	"\tk.first_shape_id + unicode(substr(k.shapes, i.key + 1, 1)) - 48\n"
	"\t- 10240 * (unicode(substr(k.shapes, i.key + 1, 1)) > 55295)";
_Static_assert(FIRST_SHAPE == 48 && SURROGATES == 55295 + 1 && BEHIND_SURROGATES - SURROGATES == 10240,
	"the view reads what is written");

/* Values that are not those of the shape; CAST gives the columns their types. */
static const struct {
	const char *column, *value;
} values[] = {
	{"task_id", "k.task_id"},
	{"segment_idx", "CAST(i.key AS INTEGER) AS segment_idx"},
	{"best_ns",
		"CAST(CASE WHEN i.type <> 'array' THEN i.value WHEN json_extract(i.value, '$[1]') = '' THEN\n"
		"\t\tjson_extract(i.value, '$[0]') ELSE json_extract(i.value, '$[1]') END AS INTEGER) AS"
		" best_ns"},
	{"worst_ns", "CAST(CASE i.type WHEN 'array' THEN json_extract(i.value, '$[0]') ELSE i.value END"
		     " AS INTEGER) AS worst_ns"},
	{"interleave", "CAST(CASE i.type WHEN 'array' THEN json_extract(i.value, '$[2]') END AS TEXT)"
		       " AS interleave"},
};

static const char *value_of(const char *column)
{
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (strcmp(values[i].column, column) == 0)
			return values[i].value;
	return NULL;
}

/* A column, in a new line if it would be too long for this one. */
static void add_column(struct text *sql, size_t *width, const char *value, const char *name, bool last)
{
	size_t length = 4 + strlen(name);
	bool breaks = value || *width + length > LINE_MAX_WIDTH;
	text_add(sql, breaks ? "\n\t" : " ");
	if (value)
		text_printf(sql, "%s%s", value, last ? "" : ",");
	else
		text_printf(sql, "h.%s%s", name, last ? "" : ",");
	*width = value ? LINE_MAX_WIDTH : breaks ? TAB_WIDTH + length : *width + length;
}

void packed_view(struct text *sql)
{
	const struct row_type *type = &row_types[ROWS_SEGMENT];
	size_t width = LINE_MAX_WIDTH;
	text_add(sql, view_head);
	for (size_t i = 0; i < type->column_count; i++) {
		const char *name = type->columns[i].name;
		add_column(sql, &width, value_of(name), name, i + 1 == type->column_count);
	}
	text_add(sql, view_tail);
}

int64_t packed_shape(uint32_t character)
{
	int64_t place = (int64_t)character - FIRST_SHAPE;
	return character < SURROGATES ? place : place - (BEHIND_SURROGATES - SURROGATES);
}
