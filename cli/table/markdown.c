/* cli/table/markdown.c - prints a table for pages in Markdown: each row is between pipes, as GitHub and
 * others read them. */
#include <ctype.h>
#include <string.h>

#include "cli/table/parts.h"

/* Whether Markdown would read the character at `at` as markup, outside of code. */
static bool is_sign(const char *text, const char *at)
{
	bool inside = at > text && isalnum((unsigned char)at[-1]) && isalnum((unsigned char)at[1]);
	if (*at == '_')
		return !inside; /* inside of a name it has no meaning */
	if (*at == '<')
		return isalpha((unsigned char)at[1]) || at[1] == '/' || at[1] == '!';
	return *at == '*' || *at == '\\';
}

/* Texts may have parts between backticks, which are code; in a column of code these are the parts that are
 * not. */
static void print_text(FILE *out, const char *text, bool code)
{
	for (const char *at = text; *at; at++) {
		if (*at == '`' && (code || strchr(at + 1, '`')))
			code = !code;
		if (*at == '|' || (!code && is_sign(text, at)))
			fputc('\\', out);
		fputc(*at == '\n' ? ' ' : *at, out);
	}
}

static void markdown_begin(struct table *t)
{
	for (size_t i = 0; i < t->column_count; i++) {
		fputs("| ", t->out);
		print_text(t->out, t->columns[i].name, false);
		fputc(' ', t->out);
	}
	fputs("|\n|", t->out);
	for (size_t i = 0; i < t->column_count; i++)
		fputs("---|", t->out);
	fputc('\n', t->out);
}

static void markdown_cell(struct table *t, const struct table_cell *cell)
{
	char number[REAL_TEXT_MAX];
	bool code = t->columns[t->column].code;
	fputs(cell->kind != CELL_NULL && code ? "| `" : "| ", t->out);
	if (cell->kind == CELL_TEXT)
		print_text(t->out, cell->text, code);
	else if (cell->kind == CELL_INTEGER)
		fprintf(t->out, "%lld", (long long)cell->integer);
	else if (cell->kind == CELL_REAL)
		fputs(table_readable(cell->real, FRACTION_MAX, number), t->out);
	fputs(cell->kind == CELL_NULL ? "" : code ? "` " : " ", t->out);
}

static void markdown_row(struct table *t)
{
	fputs("|\n", t->out);
}

static void markdown_end(struct table *t)
{
	(void)t; /* every row has been printed already */
}

const struct table_format_calls table_markdown = {markdown_begin, markdown_cell, markdown_row, markdown_end};
