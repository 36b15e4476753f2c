/* base/diagnostics.c - owns the list of errors found in one input, and the form in which they are printed
 * (file:line:col: error: text, as compilers do it). */
#include "base/diagnostics.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/say.h"

#define TEXT_MAX 1004 /* bytes of one text: a value may be as long as the file */

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

static bool is_listed(const struct diagnostics *d, unsigned line, unsigned column, const char *text)
{
	for (size_t i = 0; i < d->count; i++) {
		const struct diagnostic *item = &d->items[i];
		if (item->line == line && item->column == column && strcmp(item->text, text) == 0)
			return true;
	}
	return false;
}

void diagnostics_add_list(
	struct diagnostics *d, unsigned line, unsigned column, const char *fmt, va_list args)
{
	char text[TEXT_MAX];
	say_into(text, sizeof(text), fmt, args);
	if (is_listed(d, line, column, text))
		return;
	char *copy = d->count < DIAGNOSTICS_MAX ? strdup(text) : NULL;
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
		if (item->line && item->column)
			say(out, "%s:%u:%u: error: %s\n", file, item->line, item->column, item->text);
		else if (item->line)
			say(out, "%s:%u: error: %s\n", file, item->line, item->text);
		else
			say(out, "%s: error: %s\n", file, item->text);
	}
	if (d->dropped)
		say(out, "%s: error: %zu more error%s not shown\n", file, d->dropped,
			d->dropped == 1 ? " is" : "s are");
}
