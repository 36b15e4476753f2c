/* db/levels.c - finds out what an answer lacks because of the level of recording: which level a query needs,
 * and the queries in db/levels.sql. */
#include "db/levels.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "db/embedded.h"

const struct level_table level_tables[] = {
	{"job", "jobs", false},
	{"epoch", "jobs", true},
	{"segment_interval", "segments", false},
	{"power_interval", "segments", false},
	{"decision", "segments", false},
	{"context_interval", "segments", false},
	{"v_why", "segments", false},
	{"v_wait_sum", "segments", false},
	{"epoch_sm", "segments", true},
	{"epoch_quota", "segments", true},
	{"block_interval", "blocks", false},
	{"warp_issue", "issues", true},
	{NULL, NULL, false},
};

struct level_need level_needed(const struct named_query *query)
{
	struct level_need need = {0};
	char line[QUERY_WORD_MAX];
	if (!query_header(query, "level", line, sizeof(line)))
		return need;
	size_t length = strcspn(line, ",");
	memcpy(need.level, line, length < LEVEL_MAX ? length : LEVEL_MAX - 1);
	need.warps = strstr(line, ", warps") != NULL;
	need.first_set = strstr(line, ", first set") != NULL;
	return need;
}

const char *level_text(const struct level_need *need, char text[LEVEL_TEXT_MAX])
{
	snprintf(text, LEVEL_TEXT_MAX, "%s%s", need->level, need->warps ? ", of warps" : "");
	return text;
}

void level_sql(struct text *sql)
{
	text_add_bytes(
		sql, _binary_levels_sql_start, (size_t)(_binary_levels_sql_end - _binary_levels_sql_start));
}

/* What is asked; run and taskset are "" for all. */
struct question {
	const char *what, *run, *taskset;
	struct level_need need;
	bool rows;
};

/* Parameters are numbered in the order in which the text first names them. */
static bool bind(struct db_cursor *c, const struct question *q, struct error *err)
{
	return cursor_bind_text(c, 1, q->what, err) && cursor_bind_text(c, 2, q->need.level, err) &&
	       cursor_bind_integer(c, 3, q->need.warps, err) &&
	       (!*q->run || cursor_bind_text(c, 4, q->run, err)) &&
	       (!*q->taskset || cursor_bind_text(c, 5, q->taskset, err)) &&
	       cursor_bind_integer(c, 6, q->need.first_set, err) && cursor_bind_integer(c, 7, q->rows, err);
}

static bool look(struct db_reader *r, const struct question *q, bool *nothing, struct text *sentence,
	struct error *err)
{
	struct text sql = {0};
	bool row = false;
	level_sql(&sql);
	struct db_cursor *c =
		text_ok(&sql, "asking for levels", err) ? cursor_open(r, text_data(&sql), err) : NULL;
	bool ok = c && bind(c, q, err) && cursor_next(c, &row, err);
	*nothing = ok && row && cursor_integer(c, 0) != 0;
	if (ok && row && cursor_text(c, 1))
		text_add(sentence, cursor_text(c, 1));
	cursor_close(c);
	text_finish(&sql);
	return ok && text_ok(sentence, "asking for levels", err);
}

bool level_check(struct db_reader *r, const char *what, const struct named_query *query,
	const struct parameters *parameters, struct text *lack, struct error *err)
{
	struct question q = {
		.what = what,
		.need = level_needed(query),
		.run = parameters_value(parameters, query, "run"),
		.taskset = parameters_value(parameters, query, "taskset"),
	};
	struct text sentence = {0};
	bool nothing, ok = true;
	if (!*q.need.level)
		return true;
	ok = look(r, &q, &nothing, &sentence, err);
	if (ok && nothing)
		ok = error_set(err, STATUS_INPUT, "%s", text_data(&sentence));
	else if (ok)
		text_add(lack, text_data(&sentence));
	text_finish(&sentence);
	return ok;
}

bool level_check_run(
	struct db_reader *r, const char *what, const char *level, int64_t run_id, struct error *err)
{
	char run[24];
	struct question q = {.what = what, .run = run, .taskset = ""};
	struct text sentence = {0};
	bool nothing;
	snprintf(run, sizeof(run), "%" PRId64, run_id);
	snprintf(q.need.level, sizeof(q.need.level), "%s", level);
	bool ok = look(r, &q, &nothing, &sentence, err);
	if (ok && nothing)
		ok = error_set(err, STATUS_INPUT, "%s", text_data(&sentence));
	text_finish(&sentence);
	return ok;
}

bool level_check_tables(
	struct db_reader *r, const struct db_cursor *c, bool empty, struct text *lack, struct error *err)
{
	for (const struct level_table *t = level_tables; t->table; t++) {
		if (!cursor_reads(c, t->table))
			continue;
		struct question q = {
			.what = t->table, .run = "", .taskset = "", .need.warps = t->warps, .rows = true};
		struct text sentence = {0};
		bool nothing;
		snprintf(q.need.level, sizeof(q.need.level), "%s", t->level);
		bool ok = look(r, &q, &nothing, &sentence, err),
		     found = sentence.length > 0 && nothing <= empty;
		if (ok && found)
			text_add(lack, text_data(&sentence));
		text_finish(&sentence);
		if (!ok || found)
			return ok;
	}
	return true;
}
