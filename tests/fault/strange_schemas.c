/* tests/fault/strange_schemas.c - a recording whose tables are not what they are called
 * (tests/fault/strange.h). Statements as a stranger may have run them; those that a recording does not take,
 * as it lacks a table, change nothing. */
#include <sqlite3.h>
#include <stdio.h>

#include "tests/fault/strange.h"

#define ENDLESS "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
#define ROOT_OF(table) "(SELECT rootpage FROM sqlite_master WHERE name = '" table "')"

/* A column computed from another, which it names 32 times. */
#define TWICE(x) x " + " x
#define ALSO(name, value) "ALTER TABLE task ADD COLUMN " name " AS (" value "); "
#define COMPUTED(name, of) ALSO(name, TWICE(TWICE(TWICE(TWICE(TWICE(of))))))

#define STATISTICS(columns)                                                                                  \
	"PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE TABLE sqlite_stat1(" columns    \
	")' WHERE name = 'sqlite_stat1'"

#define REPLACED(table, from, to)                                                                            \
	"PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, \"" from "\", \"" to       \
	"\") WHERE name = '" table "'"

static const char *const schemas[] = {
	/* Views and virtual tables in place of tables. */
	"ALTER TABLE task RENAME TO hidden; CREATE VIEW task AS SELECT * FROM hidden",
	"ALTER TABLE task RENAME TO hidden; CREATE VIEW task AS " ENDLESS "SELECT h.* FROM n, hidden h",
	"ALTER TABLE run RENAME TO hidden; CREATE VIEW run AS " ENDLESS "SELECT h.* FROM n, hidden h",
	"ALTER TABLE meta RENAME TO hidden; CREATE VIEW meta AS " ENDLESS "SELECT h.* FROM n, hidden h",
	"ALTER TABLE platform RENAME TO hidden; CREATE VIEW platform AS " ENDLESS
	"SELECT h.* FROM n, hidden h",
	"ALTER TABLE segment RENAME TO hidden; CREATE VIEW segment AS " ENDLESS "SELECT h.* FROM n, hidden h",
	"ALTER TABLE job RENAME TO hidden; CREATE VIEW job AS " ENDLESS "SELECT h.* FROM n, hidden h",
	"ALTER TABLE task RENAME TO hidden; CREATE VIEW task AS SELECT * FROM task",
	"ALTER TABLE task RENAME TO hidden; CREATE VIRTUAL TABLE task USING fts5(task_id, taskset_id, "
	"task_idx, name)",
	"ALTER TABLE taskset RENAME TO hidden; CREATE VIRTUAL TABLE taskset USING rtree(taskset_id, a, b)",
	"DROP VIEW v_job; CREATE VIEW v_job AS " ENDLESS "SELECT r.*, 1 AS seq FROM n, run r",
	"DROP VIEW v_run; CREATE VIEW v_run AS " ENDLESS "SELECT r.* FROM n, run r",
	"DROP VIEW v_run; CREATE VIEW v_run AS SELECT *, load_extension('x') FROM run",
	"DROP VIEW v_segment; CREATE TABLE v_segment (x)",
	"DROP VIEW v_run; CREATE VIEW V_Run AS " ENDLESS "SELECT r.* FROM n, run r",
	"DROP VIEW v_job; CREATE VIEW v_job AS " ENDLESS
	"SELECT r.*, 1 AS seq FROM n, run r; PRAGMA user_version = 3",
	"DROP VIEW v_bound; CREATE VIEW v_bound AS " ENDLESS
	"SELECT b.* FROM n, bound b; ALTER TABLE bound DROP COLUMN assumes; PRAGMA user_version = 2",
	"DROP VIEW v_run; CREATE VIEW v_run AS " ENDLESS
	"SELECT r.* FROM n, run r; ALTER TABLE run DROP COLUMN wall_us; PRAGMA user_version = 1",
	/* Triggers, on what is written when analyses are added or parts put together. */
	"CREATE TRIGGER t AFTER INSERT ON analysis_run BEGIN DELETE FROM run; END",
	"CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM task; END",
	"CREATE TRIGGER t BEFORE INSERT ON bound BEGIN SELECT RAISE(IGNORE); END",
	"CREATE TRIGGER t AFTER INSERT ON analysis_run BEGIN INSERT INTO bound_part SELECT * FROM "
	"bound_part; " ENDLESS "INSERT INTO bound_part SELECT i, i, i, i, i FROM n; END",
	"CREATE TRIGGER t AFTER DELETE ON analysis_run BEGIN DELETE FROM run; END",
	/* Columns that are computed, missing, others, more. */
	"ALTER TABLE task ADD COLUMN much AS (hex(zeroblob(100000000)))",
	"ALTER TABLE run ADD COLUMN rowid",
	"ALTER TABLE task RENAME COLUMN period_ns TO period",
	"ALTER TABLE run DROP COLUMN horizon_ns",
	"ALTER TABLE platform DROP COLUMN gpus",
	"ALTER TABLE job RENAME COLUMN release_ns TO released",
	"ALTER TABLE task RENAME COLUMN period_ns TO x; ALTER TABLE task ADD COLUMN period_ns AS (x + "
	"random() % 100)",
	"ALTER TABLE run RENAME COLUMN horizon_ns TO x; ALTER TABLE run ADD COLUMN horizon_ns AS "
	"(length(hex(zeroblob(x))))",
	"ALTER TABLE task ADD COLUMN a AS (name || name); ALTER TABLE task ADD COLUMN b AS (a || a)",
	COMPUTED("a", "period_ns") COMPUTED("b", "a") COMPUTED("c", "b") COMPUTED("d", "c")
		COMPUTED("e", "d"),
	ALSO("a", "1") ALSO("b", "1") ALSO("c", "1") ALSO("d", "1") ALSO("e", "1") ALSO("f", "1")
		ALSO("g", "1") ALSO("h", "1") ALSO("i", "1"),
	REPLACED("job", "outcome >> 2", "0"),
	REPLACED("job", "finish_ns - release_ns", "1"),
	REPLACED("segment_interval", "'preempted'", "'done'"),
	"CREATE INDEX strange ON analysis_run (hex(zeroblob(100000000)))",
	"PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'analysis_run (', "
	"'analysis_run (strange CHECK (length(hex(zeroblob(500000000)))), ') WHERE name = 'analysis_run'",
	/* Tables that are missing, empty, or the same. */
	"DROP TABLE task",
	"DROP TABLE platform",
	"DROP TABLE taskset",
	"DROP TABLE policy",
	"DROP TABLE run",
	"DROP TABLE meta",
	"DROP TABLE scenario",
	"DROP TABLE job",
	"DROP TABLE segment_interval",
	"DROP TABLE block_interval",
	"DROP TABLE bound",
	"DROP TABLE run_task",
	"DROP TABLE column_doc",
	"DROP VIEW v_job",
	"DROP TABLE task_segments",
	"DROP TABLE segment_shape",
	"DELETE FROM task",
	"DELETE FROM run",
	"DELETE FROM platform",
	"DELETE FROM taskset",
	"DELETE FROM meta",
	"PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = " ROOT_OF(
		"segment") " WHERE name = 'task'",
	"PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = " ROOT_OF(
		"task") " WHERE name = 'run'",
	"PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = " ROOT_OF(
		"job") " WHERE name = 'job_run'",
	"PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = 1 WHERE name = 'platform'",
	"PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = 4000000000 WHERE name = 'policy'",
	"PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE TABLE task(x)' WHERE name = "
	"'task'",
	"PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'nonsense' WHERE name = 'run'",
	"PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = NULL WHERE name = 'run'",
	"PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE type = 'index'",
	/* Other versions, other names. */
	"PRAGMA user_version = 0",
	"PRAGMA user_version = 1",
	"PRAGMA user_version = 2",
	"PRAGMA user_version = 3",
	"PRAGMA user_version = -1",
	"PRAGMA user_version = 5",
	"PRAGMA application_id = 1",
	"CREATE TABLE json_each (key, value)",
	"CREATE TABLE pragma_table_info (name)",
	"CREATE TABLE cegsim_why (x)",
	"CREATE TABLE cegsim_wait_sum (x)",
	"CREATE TABLE cegsim_lane_busy (x)",
	"CREATE VIEW cegsim_sm_busy AS SELECT 1",
	"DROP VIEW v_lane_busy; CREATE TABLE v_lane_busy (x)",
	"DROP VIEW v_utilisation",
	"CREATE VIEW cegsim_segments AS SELECT 1",
	"CREATE TABLE v_why2 (x)",
	"UPDATE sqlite_stat1 SET stat = '1 1 1 1'",
	STATISTICS("tbl AS (" TWICE(TWICE("length(hex(zeroblob(400000000)))")) "), idx, stat"),
	STATISTICS("tbl AS (" TWICE(TWICE(TWICE(TWICE("idx")))) "), idx, stat"),
	STATISTICS("tbl, idx, stat AS (hex(hex(hex(tbl))))"),
	STATISTICS("tbl, idx"),
	"UPDATE sqlite_stat1 SET stat = 'x', idx = tbl",
	"PRAGMA journal_mode = WAL; PRAGMA user_version = 4",
};

unsigned strange_schemas(void)
{
	return sizeof(schemas) / sizeof(schemas[0]);
}

bool strange_schema(const char *file, unsigned which, char text[STRANGE_TEXT])
{
	sqlite3 *db = NULL;
	snprintf(text, STRANGE_TEXT, "%s", schemas[which]);
	bool ok = sqlite3_open(file, &db) == SQLITE_OK;
	/* Views of the file need not fit the tables any more. */
	ok = ok &&
	     sqlite3_exec(db,
		     "PRAGMA legacy_alter_table = ON; PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF",
		     NULL, NULL, NULL) == SQLITE_OK;
	ok = ok && sqlite3_exec(db, schemas[which], NULL, NULL, NULL) == SQLITE_OK;
	sqlite3_close(db);
	return ok;
}
