/* base/diagnostics.c - owns the list of errors found in one input, and the form in which they are printed
 * (file:line:col: error: text, as compilers do it). */
#include "base/diagnostics.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

#define TEXT_MAX 1000 /* bytes of one text: a value may be as long as the file */

void diagnostics_init(struct diagnostics *d, const char *file)
{
	*d = (struct diagnostics){.file = strdup(file)};
}

void diagnostics_finish(struct diagnostics *d)
{
	for (size_t i = 0; i < d->count; i++)
		free(d->items[i].text);
	free(d->items);
	free(d->file);
	*d = (struct diagnostics){0};
}

/* Cuts an overlong text before the UTF-8 character that does not fit, and replaces what is not printable:
 * junk in a file must not reach the terminal as control codes. */
static char *clean_copy(char *text, size_t length)
{
	if (length > TEXT_MAX) {
		size_t cut = TEXT_MAX;
		while (cut > 0 && ((unsigned char)text[cut] & 0xc0) == 0x80)
			cut--;
		memcpy(text + cut, "...", 4);
	}
	for (char *c = text; *c; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	}
	return strdup(text);
}

void diagnostics_add_list(
	struct diagnostics *d, unsigned line, unsigned column, const char *fmt, va_list args)
{
	char text[TEXT_MAX + 8];
	int length = vsnprintf(text, sizeof(text), fmt, args);
	char *copy = length >= 0 && d->count < DIAGNOSTICS_MAX ? clean_copy(text, (size_t)length) : NULL;
	struct diagnostic *items =
		copy ? list_room(d->items, d->count, sizeof(*items), "collecting errors", NULL) : NULL;
	if (!items) {
		free(copy);
		d->dropped++;
		return;
	}
	d->items = items;
	d->items[d->count++] = (struct diagnostic){.line = line, .column = column, .text = copy};
}

void diagnostics_add(struct diagnostics *d, unsigned line, unsigned column, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	diagnostics_add_list(d, line, column, fmt, args);
	va_end(args);
}

void diagnostics_add_once(struct diagnostics *d, unsigned line, unsigned column, const char *text)
{
	size_t before = d->count;
	diagnostics_add(d, line, column, "%s", text);
	for (size_t i = 0; i < before && d->count > before; i++) {
		const struct diagnostic *item = &d->items[i];
		if (item->line == line && item->column == column &&
			strcmp(item->text, d->items[before].text) == 0)
			free(d->items[--d->count].text);
	}
}

static bool comes_before(const struct diagnostic *a, const struct diagnostic *b)
{
	return a->line != b->line ? a->line < b->line : a->column < b->column;
}

/* Insertion sort: it is stable, so errors at one place keep the order in which they were found; and there are
 * at most DIAGNOSTICS_MAX. */
void diagnostics_sort(struct diagnostics *d)
{
	for (size_t i = 1; i < d->count; i++) {
		struct diagnostic moving = d->items[i];
		size_t place = i;
		for (; place > 0 && comes_before(&moving, &d->items[place - 1]); place--)
			d->items[place] = d->items[place - 1];
		d->items[place] = moving;
	}
}

void diagnostics_print(struct diagnostics *d, FILE *out)
{
	const char *file = d->file ? d->file : "input";
	diagnostics_sort(d);
	for (size_t i = 0; i < d->count; i++) {
		const struct diagnostic *item = &d->items[i];
		fputs(file, out);
		if (item->line)
			fprintf(out, ":%u", item->line);
		if (item->line && item->column)
			fprintf(out, ":%u", item->column);
		fprintf(out, ": error: %s\n", item->text);
	}
	if (d->dropped)
		fprintf(out, "%s: error: %zu more error%s not shown\n", file, d->dropped,
			d->dropped == 1 ? " is" : "s are");
}
