/* tests/unit/test_levels.c - every named query and every figure states the lowest record level that fills
 * what it reads, and no other level. The check sees which tables a statement reads, also through views. What
 * the program prints about levels is tested in tests/cli/test_levels.sh. */
#include <stdio.h>
#include <string.h>

#include "db/levels.h"
#include "report/figures.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample_reader.h"

ALL_TESTS(open_sample_warps, close_sample);

static struct db_cursor *open(const char *sql)
{
	struct db_cursor *c = cursor_open(reader, sql, &err);
	if (!c)
		fail_msg("%s: %s", sql, err.text);
	return c;
}

TEST("tables are seen")
{
	static const struct {
		const char *sql, *reads, *does_not;
	} cases[] = {
		{"SELECT count(*) FROM job", "job", "run"},
		{"SELECT policy FROM v_job", "job", "segment_interval"},
		{"SELECT * FROM v_gantt", "block_interval", "job"},
		{"SELECT (SELECT max(end_ns) FROM segment_interval) FROM run", "segment_interval", "segment"},
		{"WITH x AS (SELECT * FROM decision) SELECT 1 FROM x", "decision", "power_interval"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct db_cursor *c = open(cases[i].sql),
				 *other = open("SELECT 1 FROM epoch_sm, run, job, trace_release");
		assert_true(cursor_reads(c, cases[i].reads));
		assert_false(cursor_reads(c, cases[i].does_not));
		assert_false(cursor_reads(c, "ob"));
		cursor_close(other);
		cursor_close(c);
	}
}

static int place(const char *level)
{
	static const char *const levels[] = {"summary", "jobs", "segments", "blocks", "issues", NULL};
	int at = 0;
	while (levels[at] && strcmp(levels[at], level) != 0)
		at++;
	if (!levels[at])
		fail_msg("there is no level '%s'", level);
	return at;
}

/* Does it read a table that is filled from that level on? For level 0: does it read only tables that are
 * always filled? */
static bool reads_of(const struct db_cursor *c, int level)
{
	bool any = false;
	for (const struct level_table *t = level_tables; t->table; t++) {
		if (level > 0 && place(t->level) == level && cursor_reads(c, t->table))
			return true;
		any |= cursor_reads(c, t->table);
	}
	return level == 0 && !any;
}

/* Where jobs are not recorded, responses come from the histograms, which exist at every level. */
static void assert_stated(const struct named_query *query, const struct db_cursor *c)
{
	struct level_need need = level_needed(query);
	int stated = *need.level ? place(need.level) : 0;
	bool either = cursor_reads(c, "job") && cursor_reads(c, "run_task_hist");
	if (either ? stated != 0 : !reads_of(c, stated))
		fail_msg("%s states level %d, and reads other tables", query->name, stated);
	bool warps = cursor_reads(c, "epoch") || cursor_reads(c, "warp_issue");
	if (warps && !need.warps)
		fail_msg("%s reads what only warps have", query->name);
}

TEST("queries state their level")
{
	struct named_query query;
	size_t i = 0, needing = 0;
	for (; query_at(i, &query); i++) {
		struct db_cursor *c = cursor_open_bytes(reader, query.sql, query.sql_length, &err);
		assert_non_null(c);
		assert_stated(&query, c);
		needing += *level_needed(&query).level != '\0';
		cursor_close(c);
	}
	assert_true(i > 40 && needing > 10);
}

TEST("figures state their level")
{
	struct named_query query;
	char drawn[QUERY_WORD_MAX];
	size_t needing = 0;
	for (size_t i = 0; figure_at(i, &query); i++) {
		struct figure_call call = {.reader = reader, .query = &query};
		struct level_need need = level_needed(&query);
		needing += *need.level != '\0';
		if (query_header(&query, "drawn", drawn, sizeof(drawn)) && strcmp(drawn, "gantt") == 0) {
			assert_string_equal(need.level, "segments");
			continue;
		}
		struct db_cursor *c = figure_open(&call, &err);
		assert_non_null(c);
		assert_stated(&query, c);
		cursor_close(c);
	}
	assert_true(needing > 10);
}

TEST("texts")
{
	char text[LEVEL_TEXT_MAX];
	const struct level_need any = {0}, blocks = {.level = "blocks"},
				issues = {.level = "issues", .warps = true};
	assert_string_equal(level_text(&any, text), "");
	assert_string_equal(level_text(&blocks, text), "blocks");
	assert_string_equal(level_text(&issues, text), "issues, of warps");
}
