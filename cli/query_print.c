/* cli/query_print.c - prints the answers of `cegsim query`: with units in the headers, and with a message to
 * a user who waits. */
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/query_parts.h"

#define PATIENCE_S 1

/* ---- units ---- */

/* The letters and digits of a unit as in names: "uW*ns" becomes "uwns". A plural becomes a singular. */
static void unit_word(const char *unit, char *word, size_t size)
{
	size_t length = 0;
	for (; *unit && length + 1 < size; unit++)
		if (isalnum((unsigned char)*unit))
			word[length++] = (char)tolower((unsigned char)*unit);
	if (length > 3 && word[length - 1] == 's')
		length--;
	word[length] = '\0';
}

/* Whether the name contains the unit: copy_ns, cycles, dram_bytes_per_cycle; events_per_s for the unit
 * 1/s. */
static bool carries_unit(const char *name, const char *unit)
{
	char word[32];
	unit_word(unit, word, sizeof(word));
	if (strncmp(unit, "1/", 2) == 0 && strstr(name, "_per_"))
		return true;
	for (const char *at = name; at; at = strchr(at, '_')) {
		at += *at == '_';
		if (*word && strncmp(at, word, strlen(word)) == 0)
			return true;
	}
	return false;
}

/* The unit of a result column is looked up by the column's name, not by where SQLite says it comes from:
 * behind a column of a view is a column of a table with another unit. If columns of this name have different
 * units, none is shown. */
static bool add_units(
	struct db_reader *reader, const struct db_cursor *answer, struct table *t, struct error *err)
{
	bool row, ok = true;
	struct db_cursor *c = cursor_open(reader,
		"SELECT max(unit) FROM column_doc WHERE col = ?1 "
		"GROUP BY col HAVING count(DISTINCT unit) = 1",
		err);
	for (int i = 0; c && ok && i < cursor_columns(answer); i++) {
		const char *name = cursor_column_name(answer, i);
		cursor_rewind(c);
		ok = name && cursor_bind_text(c, 1, name, err) && cursor_next(c, &row, err);
		if (ok && row && !carries_unit(name, cursor_text(c, 0)))
			table_unit(t, (size_t)i, cursor_text(c, 0));
	}
	ok &= c != NULL;
	cursor_close(c);
	return ok;
}

/* ---- patience ---- */

/* Nothing must be cleaned up when Ctrl-C ends a query: the recording is only open for reading. */
static void say_still_asking(int number)
{
	static const char words[] = "cegsim: still asking; Ctrl-C ends it\n";
	(void)number;
	if (write(STDERR_FILENO, words, sizeof(words) - 1) < 0)
		return;
}

static void wait_with_patience(bool begins)
{
	struct sigaction action = {.sa_handler = say_still_asking, .sa_flags = SA_RESTART};
	if (!isatty(STDERR_FILENO) || sigaction(SIGALRM, &action, NULL) != 0)
		return;
	alarm(begins ? PATIENCE_S : 0);
}

/* ---- answers ---- */

/* Prints a value. Returns whether it says anything: NULL and 0 also result from no rows. */
static bool print_value(struct table *t, const struct db_cursor *c, int column)
{
	switch (cursor_kind(c, column)) {
	case VALUE_NULL:
		table_null(t);
		return false;
	case VALUE_INTEGER:
		table_integer(t, cursor_integer(c, column));
		return cursor_integer(c, column) != 0;
	case VALUE_REAL:
		table_real(t, cursor_real(c, column));
		return cursor_real(c, column) != 0;
	case VALUE_TEXT:
		table_text(t, cursor_text(c, column));
		return true;
	}
	return true;
}

void query_begin(struct table *t, const struct query_output *output, const char *const *columns, size_t count)
{
	table_begin(t, stdout, output->format, columns, count);
	if (output->width != QUERY_WIDTH_OF_TERMINAL)
		table_fit(t, (size_t)output->width);
}

static bool print_rows(struct db_cursor *c, struct table *t, bool *says, struct error *err)
{
	int columns = cursor_columns(c);
	bool row = true, read = true;
	wait_with_patience(true);
	while (read && row) {
		read = cursor_next(c, &row, err);
		for (int i = 0; read && row && i < columns; i++)
			*says |= print_value(t, c, i);
		if (t->rows == TABLE_BUFFERED)
			wait_with_patience(false); /* from here on output is visible */
	}
	wait_with_patience(false);
	return read;
}

bool query_print(struct db_reader *reader, struct db_cursor *c, const struct query_output *output,
	struct query_answer *answer, struct error *err)
{
	struct query_answer unasked;
	answer = answer ? answer : &unasked;
	*answer = (struct query_answer){0};
	int columns = cursor_columns(c);
	const char **names = calloc((size_t)columns + 1, sizeof(*names));
	if (!names)
		return error_memory(err, "printing an answer");
	for (int i = 0; i < columns; i++) {
		names[i] = cursor_column_name(c, i);
		if (!names[i])
			names[i] = "?";
	}
	struct table t;
	struct error printing;
	query_begin(&t, output, names, (size_t)columns);
	free(names);
	bool read = add_units(reader, c, &t, err) && print_rows(c, &t, &answer->says, err);
	bool printed = table_end(&t, &printing);
	answer->rows = t.rows;
	if (read && !printed)
		*err = printing;
	return read && printed;
}
