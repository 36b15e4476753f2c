/* db/computed.c - see db/computed.h. How SQLite parts a text into tokens: sqlite.org/lang_keywords.html for
 * names, lang_comment.html for comments. */
#include "db/computed.h"

#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "db/row_types.h"

/* What earlier programs have written: recordings have it. A column whose text changes gets a line here. */
static const struct {
	const char *table, *definition;
} earlier[] = {
	{"block_interval", "ended TEXT AS (CASE ended_code WHEN 0 THEN 'done' WHEN 1 THEN 'preempted' "
			   "WHEN 2 THEN 'aborted' ELSE 'stopped' END) VIRTUAL"},
	{"segment_interval", "ended TEXT AS (CASE (code >> 4) & 3 WHEN 0 THEN 'done' WHEN 1 THEN 'preempted' "
			     "WHEN 2 THEN 'aborted' ELSE 'stopped' END) VIRTUAL"},
	{"segment_interval", "ended TEXT AS (CASE code >> 4 WHEN 0 THEN 'done' WHEN 1 THEN 'preempted' "
			     "WHEN 2 THEN 'aborted' ELSE 'stopped' END) VIRTUAL"},
	{"segment_interval", "kind TEXT AS (CASE (code >> 2) & 3 WHEN 0 THEN 'run' WHEN 1 THEN 'spin' "
			     "ELSE 'boost' END) VIRTUAL"},
	{"segment_interval", "kind TEXT AS (CASE (code >> 2) & 3 WHEN 0 THEN 'run' WHEN 1 THEN 'spin' "
			     "WHEN 2 THEN 'boost' ELSE CASE code >> 6 WHEN 0 THEN 'launch' "
			     "WHEN 1 THEN 'switch' ELSE 'release' END END) VIRTUAL"},
	{"segment_interval", "kind TEXT AS (CASE (code >> 2) & 3 WHEN 0 THEN 'run' WHEN 1 THEN 'spin' "
			     "WHEN 2 THEN 'boost' ELSE CASE code >> 6 WHEN 0 THEN 'launch' "
			     "WHEN 1 THEN 'switch' WHEN 2 THEN 'release' ELSE 'call' END END) VIRTUAL"},
};

/* ---- the text of a table ---- */

/* Behind the quoted text or name, the comment, or the byte at `at`. A quote that stands twice is two of
 * these. *blank: it is nothing. */
static const char *behind(const char *at, bool *blank)
{
	const char *end = NULL;
	char closing = *at == '[' ? ']' : *at;
	*blank = strchr(" \t\n\f\r", *at) != NULL;
	if (strncmp(at, "--", 2) == 0 || strncmp(at, "/*", 2) == 0) {
		*blank = true;
		end = *at == '-' ? strchr(at, '\n') : strstr(at + 2, "*/");
		return end ? end + (*at == '-' ? 1 : 2) : at + strlen(at);
	}
	if (!strchr("'\"`[", *at))
		return at + 1;
	end = strchr(at + 1, closing);
	return end ? end + 1 : at + strlen(at);
}

/* The text up to the comma or parenthesis that ends it, or its own end, with a space for each blank. */
static const char *take_definition(const char *at, struct text *definition)
{
	bool blank, space = false;
	text_clear(definition);
	for (int depth = 0; *at && (depth > 0 || (*at != ',' && *at != ')'));) {
		const char *end = behind(at, &blank);
		depth += !blank && *at == '(' ? 1 : !blank && *at == ')' ? -1 : 0;
		if (!blank && space && definition->length > 0)
			text_add_char(definition, ' ');
		if (!blank)
			text_add_bytes(definition, at, (size_t)(end - at));
		space = blank;
		at = end;
	}
	return at;
}

/* Finds the column's definition in that of its table; else it is empty. */
static void find_definition(const char *sql, const char *column, struct text *definition)
{
	bool blank;
	size_t length = strlen(column);
	while (*sql && *sql != '(')
		sql = behind(sql, &blank);
	while (*sql == '(' || *sql == ',') {
		sql = take_definition(sql + 1, definition);
		const char *text = text_data(definition);
		if (strncmp(text, column, length) == 0 && text[length] == ' ')
			return;
	}
	text_clear(definition);
}

/* ---- what is ours ---- */

static const struct row_type *type_of(const char *table)
{
	for (int i = 0; i < ROW_TYPES; i++)
		if (strcasecmp(row_types[i].table, table) == 0)
			return &row_types[i];
	return NULL;
}

static const struct row_column *column_of(const struct row_type *type, const char *column)
{
	for (size_t i = 0; type && i < type->column_count; i++)
		if (strcasecmp(type->columns[i].name, column) == 0)
			return &type->columns[i];
	return NULL;
}

#define OPENING "opening a recording"

static bool is_known(const struct row_type *type, const struct row_column *c, const struct text *definition,
	bool *known, struct error *err)
{
	struct text said = {0}, plain = {0};
	text_printf(&said, "%s %s", c->name, c->declaration);
	(void)take_definition(text_data(&said), &plain);
	bool ok = text_ok(definition, OPENING, err) && text_ok(&said, OPENING, err) &&
		  text_ok(&plain, OPENING, err);
	*known = strcmp(text_data(&plain), text_data(definition)) == 0;
	text_finish(&said);
	text_finish(&plain);
	for (size_t i = 0; !*known && i < sizeof(earlier) / sizeof(earlier[0]); i++)
		*known = strcmp(earlier[i].table, type->table) == 0 &&
			 strcmp(earlier[i].definition, text_data(definition)) == 0;
	return ok;
}

bool computed_is_ours(
	const char *table, const char *sql, const char *column, bool computed, bool *ours, struct error *err)
{
	const struct row_type *type = type_of(table);
	const struct row_column *c = column_of(type, column);
	struct text definition = {0};
	*ours = !c || row_is_generated(c) == computed;
	if (!c || !*ours || !computed)
		return true;
	find_definition(sql ? sql : "", c->name, &definition);
	bool ok = is_known(type, c, &definition, ours, err);
	text_finish(&definition);
	return ok;
}
