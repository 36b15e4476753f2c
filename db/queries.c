/* db/queries.c - reads the named queries from their file, which is compiled into the program.
 *
 * A query begins with a line "-- name: NAME". Lines "-- title: ..." and "-- param: NAME [= DEFAULT] - help"
 * follow; then its SQL, up to the next name. The file is part of the program: its form is checked by
 * assertions and tests. */
#include "db/queries.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "db/embedded.h"

/* A piece of the text. */
struct span {
	const char *start, *end;
};

static struct span next_line(const char *at, const char *file_end)
{
	const char *end = memchr(at, '\n', (size_t)(file_end - at));
	return (struct span){at, end ? end : file_end};
}

static bool begins(struct span line, const char *prefix)
{
	size_t length = strlen(prefix);
	return (size_t)(line.end - line.start) >= length && memcmp(line.start, prefix, length) == 0;
}

/* The text behind the prefix, without blanks around it. */
static struct span behind(struct span line, const char *prefix)
{
	line.start += strlen(prefix);
	while (line.start < line.end && *line.start == ' ')
		line.start++;
	while (line.end > line.start && line.end[-1] == ' ')
		line.end--;
	return line;
}

static void copy_text(char *to, size_t size, struct span from)
{
	size_t length = (size_t)(from.end - from.start);
	assert(length < size);
	if (length >= size)
		length = size - 1;
	memcpy(to, from.start, length);
	to[length] = '\0';
}

static struct span word(struct span text)
{
	const char *blank = memchr(text.start, ' ', (size_t)(text.end - text.start));
	return (struct span){text.start, blank ? blank : text.end};
}

static void read_param(struct query_param *param, struct span text)
{
	struct span name = word(text);
	copy_text(param->name, sizeof(param->name), name);
	param->fallback[0] = '\0';
	struct span rest = behind((struct span){name.end, text.end}, "");
	if (begins(rest, "= ")) {
		struct span value = word(behind(rest, "= "));
		copy_text(param->fallback, sizeof(param->fallback), value);
		rest = behind((struct span){value.end, text.end}, "");
	}
	assert(begins(rest, "- "));
	copy_text(param->help, sizeof(param->help), behind(rest, "- "));
}

static void read_fixed(struct query_param *fixed, struct span text)
{
	struct span name = word(text), rest = behind((struct span){name.end, text.end}, "");
	assert(begins(rest, "= "));
	copy_text(fixed->name, sizeof(fixed->name), name);
	copy_text(fixed->fallback, sizeof(fixed->fallback), behind(rest, "= "));
	fixed->help[0] = '\0';
}

static void read_header(struct named_query *query, struct span line)
{
	if (begins(line, "-- fixed:")) {
		assert(query->fixed_count < QUERY_FIXED);
		read_fixed(&query->fixed[query->fixed_count++], behind(line, "-- fixed:"));
	}
	if (begins(line, "-- title:"))
		copy_text(query->title, sizeof(query->title), behind(line, "-- title:"));
	if (begins(line, "-- param:")) {
		assert(query->param_count < QUERY_PARAMS);
		read_param(&query->params[query->param_count++], behind(line, "-- param:"));
	}
}

static bool find_text(struct query_file file, size_t index, struct named_query *query)
{
	const char *at = file.start;
	size_t names = 0;
	*query = (struct named_query){0};
	while (at < file.end) {
		struct span line = next_line(at, file.end);
		bool name = begins(line, "-- name:");
		if (name && names > index)
			break;
		names += name;
		if (names == index + 1 && name) {
			copy_text(query->name, sizeof(query->name), behind(line, "-- name:"));
			query->text = line.end;
		}
		if (names == index + 1)
			read_header(query, line);
		at = line.end < file.end ? line.end + 1 : line.end;
	}
	if (!query->text)
		return false;
	query->sql = query->text;
	query->sql_length = query->text_length = (size_t)(at - query->text);
	return true;
}

bool query_file_at(struct query_file file, size_t index, struct named_query *query)
{
	char name[QUERY_WORD_MAX];
	struct named_query other;
	if (!find_text(file, index, query))
		return false;
	if (!query_header(query, "sql", name, sizeof(name)))
		return true;
	for (size_t i = 0; find_text(file, i, &other); i++)
		if (strcmp(other.name, name) == 0) {
			query->sql = other.sql;
			query->sql_length = other.sql_length;
			return true;
		}
	assert(false);
	return false;
}

bool query_header(const struct named_query *query, const char *key, char *value, size_t size)
{
	char prefix[QUERY_WORD_MAX + 8];
	const char *end = query->text + query->text_length;
	snprintf(prefix, sizeof(prefix), "-- %s:", key);
	for (const char *at = query->text; at < end;) {
		struct span line = next_line(at, end);
		if (begins(line, prefix)) {
			copy_text(value, size, behind(line, prefix));
			return true;
		}
		at = line.end < end ? line.end + 1 : end;
	}
	return false;
}

/* ---- composing ---- */

static void add_span(struct text *sql, struct span span)
{
	text_add_bytes(sql, span.start, (size_t)(span.end - span.start));
}

/* Appends the text of that name, without the comments before it and the blanks around it. */
static void add_part(struct text *sql, struct query_file parts, struct span name)
{
	struct named_query part;
	size_t length = (size_t)(name.end - name.start), i = 0;
	while (find_text(parts, i, &part) &&
		(strlen(part.name) != length || memcmp(part.name, name.start, length) != 0))
		i++;
	assert(part.text);
	struct span text = {part.text, part.text ? part.text + part.text_length : part.text};
	while (text.start < text.end && (*text.start == '\n' || begins(text, "--")))
		text.start = *text.start == '\n' ? text.start + 1 : next_line(text.start, text.end).end;
	while (text.end > text.start && text.end[-1] == '\n')
		text.end--;
	add_span(sql, text);
}

void query_compose(const struct named_query *query, struct query_file parts, struct text *sql)
{
	struct span rest = {query->sql, query->sql + query->sql_length}, names = {0};
	while (rest.start < rest.end && (*rest.start == '\n' || begins(rest, "--"))) {
		struct span line = next_line(rest.start, rest.end);
		if (begins(line, "-- with:"))
			names = behind(line, "-- with:");
		else if (line.end > line.start) {
			add_span(sql, line);
			text_add_char(sql, '\n');
		}
		rest.start = line.end < rest.end ? line.end + 1 : rest.end;
	}
	bool tables = begins(rest, "WITH");
	if (names.start == names.end) {
		add_span(sql, rest);
		return;
	}
	text_add(sql, "WITH RECURSIVE\n");
	for (bool first = true; names.start < names.end; first = false) {
		struct span name = word(names);
		text_add(sql, first ? "" : ",\n");
		add_part(sql, parts, name);
		names = behind((struct span){name.end, names.end}, "");
	}
	rest = tables ? behind(rest, begins(rest, "WITH RECURSIVE") ? "WITH RECURSIVE" : "WITH") : rest;
	text_add(sql, tables && *rest.start == '\n' ? "," : tables ? ", " : "\n");
	add_span(sql, rest);
}

bool query_at(size_t index, struct named_query *query)
{
	return query_file_at(
		(struct query_file){_binary_queries_sql_start, _binary_queries_sql_end}, index, query);
}

bool query_find(const char *name, struct named_query *query)
{
	for (size_t i = 0; query_at(i, query); i++)
		if (strcmp(query->name, name) == 0)
			return true;
	return false;
}
