/* cli/query_hints.c - `cegsim query`: hints for a user who mistyped the name of a query, a table or a
 * column. */
#include <inttypes.h>
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

/* What a user asks of a recording, and the run and the task that it is about; "" for all. */
struct asked {
	struct db_reader *reader;
	const char *file;
	const struct parameters *parameters;
	const char *run, *task;
};

/* A parameter of named queries whose values are in the recording. `sql` has the column `name`; ?1 is the run,
 * NULL for all. */
struct known_values {
	const char *name, *noun, *sql;
	bool of_run;
};

#define NAMES_SHOWN 12

static bool bind_text(struct db_cursor *c, int parameter, const char *text, struct error *err)
{
	return !*text || cursor_parameters(c) < parameter || cursor_bind_text(c, parameter, text, err);
}

/* Adds "; it has: a, b, c", and the name that is nearest to the value. `exact`: one of them is the value. */
static bool add_known(const struct asked *a, const struct known_values *known, const char *value, bool *exact,
	struct text *out, struct error *err)
{
	char best[NAME_MAX_BYTES], hint[SUGGESTION_TEXT_MAX];
	struct suggestion near = {.word = value};
	size_t count = 0;
	bool row = false;
	struct db_cursor *c = cursor_open(a->reader, known->sql, err);
	bool ok = c && bind_text(c, 1, a->run, err);
	*exact = false;
	while (ok && (ok = cursor_next(c, &row, err)) && row) {
		const char *name = cursor_text(c, 0);
		*exact = *exact || strcmp(name, value) == 0;
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

static bool check_named(const struct asked *a, const struct known_values *known, struct error *err)
{
	const char *value = parameters_given(a->parameters, known->name);
	bool exact;
	struct text names = {0}, owner = {0};
	if (!value)
		return true;
	text_add(&owner, a->file);
	if (known->of_run && *a->run)
		text_printf(&owner, ", run %s,", a->run);
	bool ok = add_known(a, known, value, &exact, &names, err) &&
		  text_ok(&owner, "checking parameters", err);
	if (ok && !exact)
		ok = error_set(err, STATUS_INPUT, "%s has no %s '%s'%s", text_data(&owner), known->noun,
			value, text_data(&names));
	text_finish(&names);
	text_finish(&owner);
	return ok;
}

/* Jobs have numbers from 0 on, task by task. */
static const char jobs_sql[] =
	"SELECT t.name, min(j.seq), max(j.seq), max(CAST(j.seq AS TEXT) = ?3) "
	"FROM job j JOIN task t USING (task_id) "
	"WHERE (?1 IS NULL OR j.run_id = CAST(?1 AS INTEGER)) AND (?2 IS NULL OR t.name = ?2) "
	"GROUP BY j.task_id ORDER BY j.task_id";

static bool check_seq(const struct asked *a, struct error *err)
{
	const char *value = parameters_given(a->parameters, "seq");
	struct text jobs = {0};
	size_t tasks = 0;
	bool row = false, exact = false;
	if (!value)
		return true;
	struct db_cursor *c = cursor_open(a->reader, jobs_sql, err);
	bool ok = c && bind_text(c, 1, a->run, err) && bind_text(c, 2, a->task, err) &&
		  bind_text(c, 3, value, err);
	while (ok && (ok = cursor_next(c, &row, err)) && row) {
		exact = exact || cursor_integer(c, 3) != 0;
		if (tasks++ < NAMES_SHOWN)
			text_printf(&jobs, "%s%" PRId64 " to %" PRId64 " of '%.80s'", tasks == 1 ? "" : ", ",
				cursor_integer(c, 1), cursor_integer(c, 2), cursor_text(c, 0));
	}
	cursor_close(c);
	if (tasks > NAMES_SHOWN)
		text_printf(&jobs, ", ... (%zu tasks)", tasks);
	ok = ok && text_ok(&jobs, "checking parameters", err);
	if (ok && tasks > 0 && !exact) /* without jobs, the level of recording is what is wrong */
		ok = error_set(err, STATUS_INPUT, "%s has no such job '%s'; it has: %s", a->file, value,
			text_data(&jobs));
	text_finish(&jobs);
	return ok;
}

#define OF_RUN                                                                                               \
	" WHERE ?1 IS NULL OR taskset_id = (SELECT taskset_id FROM run WHERE run_id = CAST(?1 AS INTEGER))"

/* From 0 on, so many as some run has. */
#define NUMBERS_BELOW(most)                                                                                  \
	"WITH RECURSIVE most (n) AS (" most " WHERE ?1 IS NULL OR r.run_id = CAST(?1 AS INTEGER)),"          \
	" number (i) AS (SELECT 0 FROM most WHERE n > 0"                                                     \
	" UNION ALL SELECT i + 1 FROM number, most WHERE i + 1 < n)"                                         \
	" SELECT CAST(i AS TEXT) AS name FROM number"

bool query_check_values(struct db_reader *reader, const char *file, const struct named_query *query,
	const struct parameters *parameters, struct error *err)
{
	static const struct known_values known[] = {
		{"run", "run", "SELECT CAST(run_id AS TEXT) AS name FROM run ORDER BY run_id", false},
		{"taskset", "task set",
			"SELECT CAST(taskset_id AS TEXT) AS name FROM taskset ORDER BY taskset_id", false},
		{"task", "task", "SELECT name FROM task" OF_RUN " GROUP BY name ORDER BY min(task_id)", true},
		{"kernel", "kernel", "SELECT name FROM task" OF_RUN " GROUP BY name ORDER BY min(task_id)",
			true},
		{"platform", "platform", "SELECT DISTINCT name FROM platform ORDER BY platform_id", false},
		{"policy", "policy", "SELECT DISTINCT name FROM policy ORDER BY policy_id", false},
		{"analysis", "bounds of the analysis",
			"SELECT analysis AS name FROM analysis_run UNION SELECT analysis FROM question"
			" WHERE analysis IS NOT NULL ORDER BY 1",
			false},
		{"sm", "SM",
			NUMBERS_BELOW("SELECT max(l.sms) FROM run r JOIN platform l USING (platform_id)"),
			true},
		{"sub_core", "sub-core",
			NUMBERS_BELOW(
				"SELECT max(m.sub_cores) FROM run r JOIN warp_machine m USING (taskset_id)"),
			true},
		{"benchmark", "profile", "SELECT DISTINCT name FROM profile ORDER BY 1", false},
	};
	const struct asked a = {reader, file, parameters, parameters_value(parameters, query, "run"),
		parameters_value(parameters, query, "task")};
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!check_named(&a, &known[i], err))
			return false;
	return check_seq(&a, err);
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
		const char *name = strstr(err->text, known[i].complaint);
		if (!name)
			continue;
		name += strlen(known[i].complaint);
		char hint[SUGGESTION_TEXT_MAX];
		const char *point = strrchr(name, '.'); /* table.column */
		const char *word = point ? point + 1 : name;
		query_nearest(reader, known[i].names_sql, sql, word, hint);
		strncat(err->text, hint, sizeof(err->text) - strlen(err->text) - 1);
	}
}
