/* cli/query_hints.c - `cegsim query`: hints for a user who mistyped the name of a query, a table or a
 * column. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/query_parts.h"

#define NAME_MAX_BYTES 80 /* names that are longer get no hint */

/* Offers a name whose memory is only valid now; if it is the nearest so far, it is copied to `best`. A name
 * that is equal to the word is skipped: it exists, but not in a table of the question, so another name is
 * meant. */
static void offer(struct suggestion *near, const char *name, char best[NAME_MAX_BYTES])
{
	size_t length = strlen(name);
	if (length >= NAME_MAX_BYTES || strcmp(name, near->word) == 0)
		return;
	suggestion_offer(near, name);
	if (near->best == name)
		near->best = memcpy(best, name, length + 1);
}

const char *query_nearest_of(
	bool (*at)(size_t, struct named_query *), const char *name, char hint[SUGGESTION_TEXT_MAX])
{
	char best[NAME_MAX_BYTES];
	struct named_query query;
	struct suggestion near = {.word = name};
	for (size_t i = 0; at(i, &query); i++)
		offer(&near, query.name, best);
	return suggestion_text(&near, hint);
}

bool query_unknown(const char *name, struct error *err)
{
	char hint[SUGGESTION_TEXT_MAX];
	return error_set(err, STATUS_INPUT, "there is no query named '%s'%s (see cegsim list queries)", name,
		query_nearest_of(query_at, name, hint));
}

const char *query_nearest(struct db_reader *reader, const char *names_sql, const char *text, const char *word,
	char hint[SUGGESTION_TEXT_MAX])
{
	char best[NAME_MAX_BYTES];
	struct suggestion near = {.word = word};
	struct error ignored; /* a hint must not fail */
	struct db_cursor *c = cursor_open(reader, names_sql, &ignored);
	bool row = c && (cursor_parameters(c) == 0 || cursor_bind_text(c, 1, text, &ignored));
	while (row && cursor_next(c, &row, &ignored) && row)
		if (cursor_text(c, 0))
			offer(&near, cursor_text(c, 0), best);
	cursor_close(c);
	return suggestion_text(&near, hint);
}

/* A parameter of named queries whose values are in the recording; the column of `sql` is `name`. */
struct known_values {
	const char *name, *noun, *sql;
};

#define NAMES_SHOWN 12

/* Adds "; it has: a, b, c", and the name that is nearest to the value. */
static bool add_known(
	struct db_reader *reader, const char *sql, const char *value, struct text *out, struct error *err)
{
	char best[NAME_MAX_BYTES], hint[SUGGESTION_TEXT_MAX];
	struct suggestion near = {.word = value};
	size_t count = 0;
	bool row = false;
	struct db_cursor *c = cursor_open(reader, sql, err);
	bool ok = c != NULL;
	while (ok && (ok = cursor_next(c, &row, err)) && row) {
		const char *name = cursor_text(c, 0);
		offer(&near, name, best);
		if (count++ < NAMES_SHOWN)
			text_printf(out, "%s%.80s", count == 1 ? "; it has: " : ", ", name);
	}
	cursor_close(c);
	if (count > NAMES_SHOWN)
		text_printf(out, ", ... (%zu)", count);
	if (value[strspn(value, "0123456789")]) /* of numbers all are near */
		text_add(out, suggestion_text(&near, hint));
	return ok;
}

static bool check_named(struct db_reader *reader, const char *file, const struct parameters *parameters,
	const struct known_values *known, struct error *err)
{
	const char *value = parameters_given(parameters, known->name);
	if (!value)
		return true;
	char sql[256];
	bool row = false;
	struct text names = {0};
	snprintf(sql, sizeof(sql), "SELECT 1 FROM (%s) WHERE name = ?1", known->sql);
	struct db_cursor *c = cursor_open(reader, sql, err);
	bool ok = c && cursor_bind_text(c, 1, value, err) && cursor_next(c, &row, err);
	cursor_close(c);
	if (ok && !row)
		ok = add_known(reader, known->sql, value, &names, err) &&
		     error_set(err, STATUS_INPUT, "%s has no %s '%s'%s", file, known->noun, value,
			     text_data(&names));
	text_finish(&names);
	return ok;
}

bool query_check_values(
	struct db_reader *reader, const char *file, const struct parameters *parameters, struct error *err)
{
	static const struct known_values known[] = {
		{"run", "run", "SELECT CAST(run_id AS TEXT) AS name FROM run ORDER BY run_id"},
		{"taskset", "task set",
			"SELECT CAST(taskset_id AS TEXT) AS name FROM taskset ORDER BY taskset_id"},
		{"task", "task", "SELECT name FROM task GROUP BY name ORDER BY min(task_id)"},
		{"kernel", "kernel", "SELECT name FROM task GROUP BY name ORDER BY min(task_id)"},
		{"platform", "platform", "SELECT DISTINCT name FROM platform ORDER BY platform_id"},
		{"policy", "policy", "SELECT DISTINCT name FROM policy ORDER BY policy_id"},
		{"analysis", "bounds of the analysis",
			"SELECT DISTINCT analysis AS name FROM analysis_run ORDER BY 1"},
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!check_named(reader, file, parameters, &known[i], err))
			return false;
	return true;
}

void query_hint(struct db_reader *reader, const char *sql, struct error *err)
{
	static const struct {
		const char *complaint, *names_sql;
	} known[] = {
		{"no such table: ", "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"},
		{"no such column: ",
			"SELECT DISTINCT col FROM column_doc WHERE instr(lower(?1), lower(tbl)) > 0"},
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		size_t length = strlen(known[i].complaint);
		if (strncmp(err->text, known[i].complaint, length) != 0)
			continue;
		char hint[SUGGESTION_TEXT_MAX];
		const char *point = strrchr(err->text + length, '.'); /* table.column */
		const char *word = point ? point + 1 : err->text + length;
		query_nearest(reader, known[i].names_sql, sql, word, hint);
		strncat(err->text, hint, sizeof(err->text) - strlen(err->text) - 1);
	}
}
