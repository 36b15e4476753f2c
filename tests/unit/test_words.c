/* tests/unit/test_words.c - the words in a recording are the names of the models' enumeration values: the
 * lists of db/words.h, those beside the enumerations, and those written out in generated columns and
 * db/levels.sql. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "db/levels.h"
#include "db/rows.h"
#include "db/schema.h"
#include "db/sql.h"
#include "db/words.h"
#include "models/setup.h"
#include "models/taskset.h"
#include "models/warps/records.h"
#include "models/warps/warp_set.h"
#include "runs/bounds/bounding.h"
#include "runs/replay/captured.h"
#include "runs/run.h"
#include "sim/trace.h"
#include "tests/support/test.h"

static void assert_list(const char *const *list, const char *const *expected)
{
	int i = 0;
	for (; expected[i] && list[i]; i++)
		assert_string_equal(list[i], expected[i]);
	assert_null(list[i]);
	assert_null(expected[i]);
}

#define ASSERT_WORDS(list, LIST) assert_list(list, (const char *const[]){LIST(WORD_TEXT) NULL})

TEST("columns have the words of the models")
{
	ASSERT_WORDS(words_pool, POOL_WORDS);
	ASSERT_WORDS(words_release, RELEASE_WORDS);
	ASSERT_WORDS(words_segment, SEGMENT_WORDS);
	ASSERT_WORDS(words_direction, COPY_WORDS);
	ASSERT_WORDS(words_form, FORM_WORDS);
	ASSERT_WORDS(words_unit, UNIT_WORDS);
	ASSERT_WORDS(words_compute_unit, COMPUTE_UNIT_WORDS);
	ASSERT_WORDS(words_step, STEP_WORDS);
	ASSERT_WORDS(words_stop, STOP_WORDS);
	ASSERT_WORDS(words_execution, EXECUTION_WORDS);
	ASSERT_WORDS(words_on_miss, MISS_WORDS);
	ASSERT_WORDS(words_ties, TIES_WORDS);
	ASSERT_WORDS(words_level, RECORD_WORDS);
	ASSERT_WORDS(words_status, RUN_STATUS_WORDS);
	ASSERT_WORDS(words_verdict, VERDICT_WORDS);
	ASSERT_WORDS(words_communication, COMMUNICATION_WORDS);
	ASSERT_WORDS(words_sample, SAMPLE_WORDS);
	/* A loop of which each warp has its own rounds has NULL there. */
	assert_string_equal(warp_rounds_name(ROUNDS_OWN), "");
	assert_list(words_rounds, (const char *const[]){ROUNDS_WORDS(WORD_TEXT) NULL} + 1);
	/* A kernel without a goal has NULL there. */
	assert_string_equal(warp_goal_kind_name(GOAL_NONE), "");
	assert_list(words_goal, (const char *const[]){GOAL_WORDS(WORD_TEXT) NULL} + 1);
	ASSERT_WORDS(words_late_reason, CAPTURED_REASON_WORDS);
	/* In another order: */
	const char *const parts[] = {BOUND_PART_WORDS(WORD_TEXT) NULL};
	for (int i = 0; parts[i]; i++)
		assert_true(word_find(words_part, parts[i]) >= 0);
	assert_non_null(words_part[sizeof(parts) / sizeof(parts[0]) - 2]);
	assert_null(words_part[sizeof(parts) / sizeof(parts[0]) - 1]);
}

TEST("words lead back")
{
	assert_string_equal(on_miss_name(MISS_ABORT), "abort");
	assert_int_equal(on_miss_named("abort"), MISS_ABORT);
	assert_int_equal(on_miss_named("aborted"), -1);
	assert_int_equal(on_miss_named(NULL), -1);
	for (int i = 0; words_level[i]; i++)
		assert_int_equal(record_level_named(words_level[i]), i);
}

/* The text that a row of a table with these values has in a column. */
static void assert_spelt(
	sqlite3 *db, const char *table, const char *column, const char *code, int64_t value, const char *word)
{
	char sql[300];
	sqlite3_stmt *stmt;
	struct error err;
	snprintf(sql, sizeof(sql), "DELETE FROM %s; INSERT INTO %s (%s) VALUES (%lld)", table, table, code,
		(long long)value);
	assert_true(sql_exec(db, sql, "memory", &err));
	snprintf(sql, sizeof(sql), "SELECT %s FROM %s", column, table);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	if (word)
		assert_string_equal((const char *)sqlite3_column_text(stmt, 0), word);
	else
		assert_int_equal(sqlite3_column_type(stmt, 0), SQLITE_NULL);
	sqlite3_finalize(stmt);
}

TEST("codes are spelt out")
{
	static const char *const states[] = {
		[JOB_FINISHED] = "finished",
		[JOB_DROPPED] = "dropped",
		[JOB_ABORTED] = "aborted",
		[JOB_UNFINISHED] = "unfinished",
	};
	static const char *const resources[] = {
		[RESOURCE_CPU] = "cpu", [RESOURCE_COPY] = "copy", [RESOURCE_GPU] = "gpu"};
	static const char *const kinds[] = {[SPAN_RUN] = "run",
		[SPAN_SPIN] = "spin",
		[SPAN_BOOST] = "boost",
		[SPAN_LAUNCH] = "launch",
		[SPAN_SWITCH] = "switch",
		[SPAN_RELEASE] = "release",
		[SPAN_CALL] = "call",
		[SPAN_DECISION] = "decision"};
	static const char *const ends[] = {
		[SPAN_DONE] = "done",
		[SPAN_PREEMPTED] = "preempted",
		[SPAN_ABORTED] = "aborted",
		[SPAN_STOPPED] = "stopped",
	};
	static const char *const served[] = {
		[LEVEL_NONE] = NULL,
		[LEVEL_SHARED] = "shared",
		[LEVEL_L1] = "l1",
		[LEVEL_L2] = "l2",
		[LEVEL_DRAM] = "dram",
	};
	struct error err;
	sqlite3 *db;
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	assert_true(schema_create(db, "memory", &err));
	assert_true(schema_complete(db, true, "memory", &err));
	for (uint8_t i = 0; i < 4; i++) {
		assert_spelt(db, "job", "state", "outcome", job_outcome((enum row_state)i, i % 2), states[i]);
		assert_spelt(db, "segment_interval", "ended", "code",
			segment_interval_code(ROW_GPU, ROW_BOOST, i), ends[i]);
		assert_spelt(db, "block_interval", "ended", "ended_code", i, ends[i]);
	}
	for (uint8_t i = 0; i < 3; i++) {
		assert_spelt(db, "segment_interval", "resource", "code",
			segment_interval_code(i, ROW_SPIN, ROW_SPAN_DONE), resources[i]);
		assert_spelt(db, "segment_interval", "resource", "code",
			segment_interval_code(i, ROW_RELEASE, ROW_SPAN_ABORTED), resources[i]);
	}
	for (uint8_t i = 0; i <= ROW_DECISION; i++) {
		assert_spelt(db, "segment_interval", "kind", "code",
			segment_interval_code(ROW_COPY, i, ROW_SPAN_STOPPED), kinds[i]);
		assert_spelt(db, "segment_interval", "ended", "code",
			segment_interval_code(ROW_CPU, i, ROW_SPAN_PREEMPTED), "preempted");
	}
	for (uint8_t i = 0; i < 5; i++)
		assert_spelt(db, "warp_issue", "served", "code", warp_issue_code(32, (enum row_level)i),
			served[i]);
	sqlite3_close(db);
}

TEST("levels are in order in SQL")
{
	struct text sql = {0}, list = {0};
	level_sql(&sql);
	text_add(&list, "(VALUES ");
	for (int i = 0; words_level[i]; i++)
		text_printf(&list, "%s('%s', %d)", i ? ", " : "", words_level[i], i);
	text_add(&list, ")");
	assert_non_null(strstr(text_data(&sql), text_data(&list)));
	text_finish(&sql);
	text_finish(&list);
}
