/* base/csv.c - cuts a line of a CSV file into cells. */
#include "base/csv.h"

#include <assert.h>
#include <string.h>

struct csv csv_of(char *text, const char *const *columns, uint32_t most)
{
	assert(most <= CSV_COLUMNS_MAX);
	bool marked = strncmp(text, "\xef\xbb\xbf", 3) == 0; /* the byte order mark of UTF-8 */
	return (struct csv){.rest = text + (marked ? 3 : 0), .columns = columns, .most = most};
}

/* Ends the cell at *at, without its quotes. *at then points behind the comma that follows, or is NULL. False:
 * CSV_QUOTE. */
static bool cut_cell(char **at, char **text)
{
	char *in = *at + strspn(*at, " \t"), *out = in;
	bool quoted = *in == '"';
	*text = in;
	for (in += quoted; *in && (quoted || *in != ','); in++) {
		if (quoted && *in == '"' && in[1] != '"')
			break;
		in += quoted && *in == '"';
		*out++ = *in;
	}
	if (quoted && *in++ != '"')
		return false;
	while (!quoted && out > *text && (out[-1] == ' ' || out[-1] == '\t'))
		out--;
	in += strspn(in, " \t");
	bool more = *in == ',';
	if (*in && !more)
		return false;
	*out = '\0';
	*at = more ? in + 1 : NULL;
	return true;
}

static void cut_line(struct csv *c, char *line)
{
	c->count = 0;
	c->fault = CSV_FINE;
	for (char *at = line, *text; at; c->count++) {
		const unsigned begin = (unsigned)(at - line) + 1;
		bool fits = cut_cell(&at, &text);
		if (c->fault == CSV_FINE && (c->count == c->most || !fits)) {
			c->fault = c->count == c->most ? CSV_MORE : CSV_QUOTE;
			c->fault_column = begin;
		}
		if (!fits)
			return;
		if (c->count < c->most)
			c->cells[c->count] = (struct csv_cell){text, (unsigned)(text - line) + 1};
	}
}

bool csv_next(struct csv *c)
{
	for (char *line; (line = c->rest);) {
		c->rest = strchr(line, '\n');
		if (c->rest)
			*c->rest++ = '\0';
		c->line++;
		size_t length = strlen(line);
		if (length && line[length - 1] == '\r')
			line[length - 1] = '\0';
		if (!line[strspn(line, " \t")] || *line == '#')
			continue;
		c->row++;
		cut_line(c, line);
		return true;
	}
	return false;
}

bool csv_is_header(const struct csv *c)
{
	if (c->count > c->most)
		return false;
	for (uint32_t i = 0; i < c->count; i++)
		if (strcmp(c->cells[i].text, c->columns[i]) != 0)
			return false;
	return c->row == 1;
}
