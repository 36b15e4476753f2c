/* tests/unit/test_bound_check.c - when a bound is exceeded. Every word is tested by hand on both sides of its
 * edges. The view, the query for other bounds and the function in C are compared with each other on all
 * combinations. Runs outside of what the tasks declare are tested, too, with the times of kernels compared
 * with models/kernel.c. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "db/bound_check.h"
#include "db/rows.h"
#include "db/schema.h"
#include "db/sql.h"
#include "models/kernel.h"
#include "models/policy.h"
#include "tests/support/test.h"

static sqlite3 *db;

static void run_sql(const char *format, ...) PRINTF_LIKE(1, 2);
static void run_sql(const char *format, ...)
{
	char *sql;
	struct error err;
	va_list args;
	va_start(args, format);
	assert_true(vasprintf(&sql, format, args) >= 0);
	va_end(args);
	if (!sql_exec(db, sql, "memory", &err))
		fail_msg("%s: %s", sql, err.text);
	free(sql);
}

/* Run 1 of set 1: one task of period 100, with the bound 50 from analysis 1; 4 SMs of 2 virtual SMs each. */
static int begin(void **state)
{
	struct error err;
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	assert_true(schema_create(db, "memory", &err));
	assert_true(schema_complete(db, true, "memory", &err));
	run_sql("INSERT INTO scenario VALUES (1, 's', 'scenario', 'x', '', '0', NULL);INSERT INTO platform"
		" SELECT 1, 'p', 'x', 1, 1, 0, NULL, 'sm', 4, 1, NULL, NULL, NULL, NULL, NULL, NULL, 32, 7,"
		" 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL;"
		"INSERT INTO policy VALUES (1, 'q', 'fcfs', '{}', 1);INSERT INTO taskset VALUES"
		" (1, 't', 'x', 1, 0, NULL, NULL, NULL);INSERT INTO task (task_id, taskset_id,"
		" task_idx, name, period_ns, deadline_ns, offset_ns) VALUES (1, 1, 0, 'a', 100, "
		"100, 0);INSERT INTO run SELECT 1, 1, 1, 1, 1, 0, 'd', 1, 0, 1000, 'drained',"
		" 1000, 'periodic', NULL, NULL, 'worst', NULL, 'continue', 'task-order', 'summary', 'ok',"
		" NULL, NULL, 2, 1000, 1000, NULL, 1, 9, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL,"
		" 1;INSERT INTO run_task SELECT 1, 1, 0, NULL, NULL, NULL, 9, 0, 9, 10, 20, 50, NULL, NULL,"
		" NULL, NULL;INSERT INTO analysis_run VALUES (1, 'fp', '{}', 'sound', 1, 1, 1, 1, NULL,"
		" 'schedulable', NULL, NULL, NULL, NULL);INSERT INTO bound VALUES (1, 1, 0, 50, NULL)");
	return 0;
}

static int end(void **state)
{
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	return 0;
}

/* Rows as text: columns separated by |, rows by a line feed, NULL as "-". */
static const char *rows(const char *sql)
{
	static char answer[4096];
	sqlite3_stmt *stmt;
	size_t used = 0;
	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	*answer = '\0';
	while (sqlite3_step(stmt) == SQLITE_ROW)
		for (int i = 0; i < sqlite3_column_count(stmt); i++) {
			const char *text = (const char *)sqlite3_column_text(stmt, i);
			used += (size_t)snprintf(answer + used, sizeof(answer) - used, "%s%s",
				i      ? "|"
				: used ? "\n"
				       : "",
				text ? text : "-");
			assert_true(used < sizeof(answer));
		}
	sqlite3_finalize(stmt);
	return answer;
}

/* ---- every word, by hand ---- */

TEST("words and their edges", .setup_func = begin, .teardown_func = end)
{
	static const struct {
		const char *change; /* to run 1, in which the response equals the bound */
		const char *answer; /* verdict | holds | observed | tightness */
	} cases[] = {
		{"UPDATE bound SET bound_ns = 50", "holds|1|5.0e-05|1.0"},
		{"UPDATE bound SET bound_ns = 49", "exceeded|0|5.0e-05|1.02040816326531"},
		{"UPDATE bound SET bound_ns = 100", "holds|1|5.0e-05|0.5"},
		{"UPDATE bound SET bound_ns = 101", "beyond period|-|5.0e-05|0.495049504950495"},
		{"UPDATE bound SET bound_ns = 10; UPDATE task SET period_ns = 9",
			"beyond period|-|5.0e-05|5.0"},
		{"UPDATE task SET period_ns = NULL", "beyond period|-|5.0e-05|1.0"},
		{"UPDATE bound SET bound_ns = NULL", "unbounded|-|5.0e-05|-"},
		{"UPDATE bound SET bound_ns = 0", "exceeded|0|5.0e-05|-"},
		{"UPDATE bound SET bound_ns = 0; UPDATE run_task SET max_response_ns = 0", "holds|1|0.0|-"},
		/* A run that was cut short: without an excess, then with one. */
		{"UPDATE run SET status = 'truncated'", "truncated|-|5.0e-05|1.0"},
		{"UPDATE run SET status = 'truncated'; UPDATE bound SET bound_ns = 49",
			"exceeded|0|5.0e-05|1.02040816326531"},
		{"UPDATE run SET status = 'truncated'; UPDATE run_task SET responses = 8,"
		 " worst_lower_bound_ns = 50",
			"exceeded|0|5.0e-05|1.0"},
		{"UPDATE run SET status = 'truncated'; UPDATE run_task SET responses = 8,"
		 " worst_lower_bound_ns = 49",
			"truncated|-|5.0e-05|1.0"},
		{"UPDATE run SET status = 'truncated'; UPDATE bound SET bound_ns = 101",
			"beyond period|-|5.0e-05|0.495049504950495"},
		/* Jobs that did not finish: S - release is below the bound, equal to it, above it. */
		{"UPDATE run_task SET responses = 8, worst_lower_bound_ns = 49", "unanswered|-|5.0e-05|1.0"},
		{"UPDATE run_task SET responses = 8, worst_lower_bound_ns = 50", "exceeded|0|5.0e-05|1.0"},
		{"UPDATE run_task SET responses = 8, worst_lower_bound_ns = 51, max_response_ns = 40",
			"exceeded|0|5.1e-05|1.02"},
		{"UPDATE run_task SET responses = 8, worst_lower_bound_ns = 1; UPDATE bound"
		 " SET bound_ns = 49",
			"exceeded|0|5.0e-05|1.02040816326531"},
		{"UPDATE run_task SET responses = 0, max_response_ns = NULL, worst_lower_bound_ns = 20",
			"unanswered|-|2.0e-05|0.4"},
		{"UPDATE run_task SET jobs = 0, responses = 0, max_response_ns = NULL", "unanswered|-|-|-"},
		/* A job is unfinished at S; its deadline is S, and equals the bound. It has missed, and takes
		 * longer than the bound. */
		{"UPDATE run_task SET responses = 8, misses = 1, worst_lower_bound_ns = 100; UPDATE bound"
		 " SET bound_ns = 100",
			"exceeded|0|0.0001|1.0"},
		/* The bound rests on the task itself: late, in time, unfinished at its deadline and before.
		 */
		{"UPDATE bound SET assumes = '[0]', bound_ns = 49; UPDATE task SET deadline_ns = 49",
			"not assumed|-|5.0e-05|1.02040816326531"},
		{"UPDATE bound SET assumes = '[0]', bound_ns = 49; UPDATE task SET deadline_ns = 50",
			"exceeded|0|5.0e-05|1.02040816326531"},
		{"UPDATE bound SET assumes = '[0]'; UPDATE run_task SET responses = 8,"
		 " worst_lower_bound_ns = 100",
			"not assumed|-|0.0001|2.0"},
		{"UPDATE bound SET assumes = '[0]'; UPDATE run_task SET responses = 8,"
		 " worst_lower_bound_ns = 99",
			"exceeded|0|9.9e-05|1.98"},
		{"UPDATE bound SET assumes = '[1]'; UPDATE task SET deadline_ns = 49", "holds|1|5.0e-05|1.0"},
		{"UPDATE bound SET assumes = '[0]', bound_ns = 101; UPDATE task SET deadline_ns = 49",
			"beyond period|-|5.0e-05|0.495049504950495"},
		{"UPDATE bound SET assumes = '[0]'; UPDATE task SET deadline_ns = 49; UPDATE run SET status ="
		 " 'truncated'",
			"not assumed|-|5.0e-05|1.0"},
		{"UPDATE run SET on_miss = 'drop'", "removing|-|5.0e-05|1.0"},
		{"UPDATE run SET on_miss = 'abort'; UPDATE bound SET bound_ns = 49",
			"removing|-|5.0e-05|1.02040816326531"},
		{"UPDATE run SET on_miss = 'drop'; UPDATE bound SET bound_ns = NULL", "removing|-|5.0e-05|-"},
		{"UPDATE run SET on_miss = 'drop', status = 'truncated'", "removing|-|5.0e-05|1.0"},
		/* Runs without an end give no answer at all. */
		{"UPDATE run SET status = 'refused'", ""},
		{"UPDATE run SET status = 'error'", ""},
		/* A run of another set, platform or policy does not count. */
		{"UPDATE analysis_run SET policy_id = 2", ""},
		{"UPDATE run SET platform_id = 2", ""},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		run_sql("SAVEPOINT before; %s", cases[i].change);
		const char *is = rows("SELECT verdict, holds, observed_ms, tightness FROM v_bound_check");
		if (strcmp(is, cases[i].answer) != 0)
			fail_msg("%s: %s, not %s", cases[i].change, is, cases[i].answer);
		run_sql("ROLLBACK TO before; RELEASE before");
	}
}

TEST("words have their names")
{
	for (int check = 0; check < BOUND_CHECKS; check++)
		assert_int_equal(bound_check_named(bound_check_name((enum bound_check)check)), check);
	assert_int_equal(bound_check_named("beyond"), BOUND_CHECKS);
}

/* ---- SQL against C ---- */

/* Inserts all combinations of small numbers around a bound and a period, with a set and a run for each. Jobs
 * without a period are never released too near. */
static void insert_combinations(void)
{
	run_sql("DELETE FROM bound; DELETE FROM analysis_run; DELETE FROM run_task; DELETE FROM run; DELETE"
		" FROM task;DELETE FROM taskset;INSERT INTO release_trace VALUES (1, 'near'); INSERT INTO"
		" trace_release VALUES (1, 0, 0), (1, 1, 1);CREATE TABLE combination (id INTEGER PRIMARY KEY,"
		" status, on_miss, outside, period, bound, longest, unfinished, jobs,"
		" responses, rests, late);"
		" INSERT INTO"
		" combination SELECT NULL, s.column1, m.column1, o.column1, p.column1, b.column1, CASE WHEN"
		" j.column2 > 0 THEN l.column1 END, CASE WHEN j.column2 < j.column1 THEN u.column1 END,"
		" j.column1, j.column2, a.column1, a.column2 FROM (VALUES ('ok'),"
		" ('truncated')) s, (VALUES ('continue'), ('drop'),"
		" ('abort')) m, (VALUES (0), (1)) o, (VALUES (50), (100), (NULL)) p, (VALUES (NULL), (0),"
		" (49), (50), (51), (100), (101)) b, (VALUES (0), (49), (50), (51), (101)) l, (VALUES (1),"
		" (49), (50), (51), (100), (101)) u, (VALUES (0, 0), (2, 0), (2, 1), (2, 2)) j,"
		" (VALUES (NULL, 1), ('[1]', 0), ('[2, 1]', 1)) a WHERE"
		" p.column1 IS NOT NULL OR NOT o.column1");
	run_sql("INSERT INTO taskset SELECT id, 't' || id, 'x', 1, 0, NULL, NULL, NULL FROM"
		" combination;INSERT INTO task (task_id, taskset_id, task_idx, name, period_ns, deadline_ns,"
		" offset_ns, release_kind, trace_id) SELECT id, id, 0, 'a', period, period, 0, CASE outside"
		" WHEN 1 THEN 'trace' END, CASE outside WHEN 1 THEN 1 END FROM combination;"
		"INSERT INTO task (task_id, taskset_id, task_idx, name, period_ns,"
		" deadline_ns, offset_ns, release_kind) SELECT 1000000 + id, id, 1, 'b', 30, 20,"
		" 0, 'periodic'"
		" FROM combination;INSERT INTO"
		" run SELECT id, 1, id, 1, 1, 0, 'd', 1, 0, 1000, 'drained', 1000, 'periodic', NULL, NULL,"
		" 'worst', NULL, on_miss, 'task-order', 'summary', status, NULL, NULL, 2, 1000, 1000, NULL,"
		" 1, jobs, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1 FROM combination;INSERT INTO"
		" run_task SELECT id, id, 0, NULL, NULL, NULL, jobs, 0, responses, longest, longest, longest,"
		" unfinished, NULL, NULL, NULL FROM combination;INSERT INTO run_task SELECT id,"
		" 1000000 + id, 1,"
		" NULL, NULL, NULL, 1, late, 1, 20 + late, 20 + late, 20 + late, NULL, NULL, NULL, NULL FROM"
		" combination;INSERT INTO analysis_run SELECT "
		"id, 'fp', '{}',"
		" 'sound', 1, id, 1, 1, NULL, 'schedulable', NULL, NULL, NULL, NULL FROM combination; INSERT"
		" INTO bound SELECT id, id, 0, bound, rests FROM combination");
}

static int64_t number(sqlite3_stmt *stmt, int column)
{
	return sqlite3_column_type(stmt, column) == SQLITE_NULL ? DB_NULL
								: sqlite3_column_int64(stmt, column);
}

TEST("the view the query and the function agree", .setup_func = begin, .teardown_func = end)
{
	struct text given = {0};
	sqlite3_stmt *stmt;
	int64_t counted[BOUND_CHECKS] = {0}, combinations = 0;
	insert_combinations();
	bound_check_sql(
		"SELECT NULL AS analysis_run_id, id AS taskset_id, 1 AS platform_id, 1 AS policy_id, id AS"
		" task_id, bound AS bound_ns, rests AS assumes FROM combination",
		"SELECT run_id, verdict, observed_ns, unfinished, bound_ns, analysis_run_id FROM judged",
		&given);
	run_sql("CREATE TEMP TABLE given AS %s", text_data(&given));
	text_finish(&given);
	static const char sql[] =
		"SELECT v.verdict, v.holds, c.outside, c.on_miss <> 'continue', c.status = 'truncated',"
		" c.jobs, c.responses, c.longest, c.unfinished, c.period, c.bound, g.verdict, g.observed_ns,"
		" g.unfinished, c.rests IS NOT NULL AND c.late FROM combination c"
		" LEFT JOIN v_bound_check v ON v.run_id = c.id LEFT JOIN"
		" given g ON g.run_id = c.id";
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
	for (; sqlite3_step(stmt) == SQLITE_ROW; combinations++) {
		const struct bound_seen seen = {
			.outside = number(stmt, 2),
			.removing = number(stmt, 3),
			.truncated = number(stmt, 4),
			.jobs = number(stmt, 5),
			.responses = number(stmt, 6),
			.longest_ns = number(stmt, 7),
			.unfinished_ns = number(stmt, 8),
			.not_assumed = number(stmt, 14),
		};
		enum bound_check check = bound_check(&seen, number(stmt, 9), number(stmt, 10));
		int64_t observed =
			seen.longest_ns > seen.unfinished_ns ? seen.longest_ns : seen.unfinished_ns;
		counted[check]++;
		assert_string_equal((const char *)sqlite3_column_text(stmt, 0), bound_check_name(check));
		assert_string_equal((const char *)sqlite3_column_text(stmt, 11), bound_check_name(check));
		assert_int_equal(number(stmt, 1), check == CHECK_HOLDS      ? 1
						  : check == CHECK_EXCEEDED ? 0
									    : DB_NULL);
		assert_int_equal(number(stmt, 12), observed);
		assert_int_equal(number(stmt, 13),
			seen.unfinished_ns != DB_NULL && seen.unfinished_ns >= seen.longest_ns);
	}
	sqlite3_finalize(stmt);
	assert_int_equal(combinations, 2 * 3 * (2 * 3 - 1) * 7 * 5 * 6 * 4 * 3);
	for (int check = 0; check < BOUND_CHECKS; check++)
		assert_true(counted[check] > 100);
}

/* ---- what is outside ---- */

TEST("traces leave what tasks declare", .setup_func = begin, .teardown_func = end)
{
	static const struct {
		const char *trace, *change;
		bool outside;
	} cases[] = {
		{"(1, 0, 5), (1, 1, 105)", "", false},
		{"(1, 0, 5), (1, 1, 104)", "", true},
		{"(1, 0, 5), (1, 1, 205), (1, 2, 304)", "", true},
		{"(1, 0, 5), (1, 1, 1000), (1, 2, 1001)", "",
			false}, /* after the horizon nothing is released */
		{"(1, 0, 5), (1, 1, 999), (1, 2, 1000)", "", false},
		{"(1, 0, 5), (1, 1, 998), (1, 2, 999)", "", true},
		{"(1, 0, 0), (1, 1, 1)", "UPDATE task SET release_kind = 'periodic', trace_id = NULL", false},
		{"(1, 0, 0), (1, 1, 1)",
			"UPDATE task SET release_kind = NULL, trace_id = NULL; UPDATE run SET trace_id = 1",
			true},
		{"(1, 0, 0), (1, 1, 1)",
			"UPDATE task SET release_kind = 'periodic', trace_id = NULL; UPDATE run"
			" SET trace_id = 1",
			false},
		/* A trace of another task of the set belongs to the run, too; a trace of another set does
		 * not. */
		{"(1, 0, 0), (1, 1, 1)",
			"UPDATE task SET trace_id = NULL, release_kind = NULL;"
			"INSERT INTO task (task_id, taskset_id, task_idx, name, period_ns, deadline_ns,"
			" offset_ns, release_kind, trace_id) VALUES (2, 1, 1, 'b', 100, 100, 0, 'trace', 1)",
			true},
		{"(1, 0, 0), (1, 1, 1)",
			"UPDATE task SET trace_id = NULL, release_kind = NULL;"
			"INSERT INTO task (task_id, taskset_id, task_idx, name, period_ns, deadline_ns,"
			" offset_ns, release_kind, trace_id) VALUES (2, 2, 1, 'b', 100, 100, 0, 'trace', 1)",
			false},
		/* Times of segments: 3 .. 8, in job 1. */
		{"(1, 0, 0), (1, 1, 100)", "INSERT INTO trace_duration VALUES (1, 1, 0, 3)", false},
		{"(1, 0, 0), (1, 1, 100)", "INSERT INTO trace_duration VALUES (1, 1, 0, 2)", true},
		{"(1, 0, 0), (1, 1, 100)", "INSERT INTO trace_duration VALUES (1, 1, 0, 8)", false},
		{"(1, 0, 0), (1, 1, 100)", "INSERT INTO trace_duration VALUES (1, 1, 0, 9)", true},
		{"(1, 0, 0), (1, 1, 1000)", "INSERT INTO trace_duration VALUES (1, 1, 0, 9)", false},
		{"(1, 0, 0), (1, 1, 100)",
			"INSERT INTO trace_duration VALUES (1, 1, 0, 9); UPDATE segment SET kind = 'kernel',"
			" form = 'grid'",
			true},
		{"(1, 0, 0), (1, 1, 100)",
			"INSERT INTO trace_duration VALUES (1, 1, 0, 8); UPDATE segment SET kind = 'kernel',"
			" form = 'grid'",
			false},
		{"(1, 0, 0), (1, 1, 100)",
			"INSERT INTO trace_duration VALUES (1, 1, 0, 8); UPDATE segment SET best_ns = NULL",
			true},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		run_sql("SAVEPOINT before; INSERT INTO release_trace VALUES (1, 'x');UPDATE task SET"
			" release_kind = 'trace', trace_id = 1; INSERT INTO trace_release VALUES %s;INSERT"
			" INTO segment (task_id, segment_idx, kind, best_ns, worst_ns) VALUES (1, 0,"
			" 'cpu', 3, 8); %s;",
			cases[i].trace, cases[i].change);
		const char *is = rows("SELECT verdict FROM v_bound_check");
		if (strcmp(is, cases[i].outside ? "outside" : "holds") != 0)
			fail_msg("%s %s: %s", cases[i].trace, cases[i].change, is);
		run_sql("ROLLBACK TO before; RELEASE before");
	}
}

/* A kernel may take from `best` to `worst`: both are inside, and 1 ns less or more is outside. */
static void check_edges(int64_t best, int64_t worst)
{
	const struct {
		int64_t ns;
		const char *verdict;
	} edges[] = {{best - 1, "outside"}, {best, "holds"}, {worst, "holds"}, {worst + 1, "outside"}};
	for (size_t i = 0; i < sizeof(edges) / sizeof(*edges); i++) {
		run_sql("DELETE FROM trace_duration; INSERT INTO trace_duration VALUES (1, 0, 0, %lld)",
			(long long)edges[i].ns);
		assert_string_equal(rows("SELECT verdict FROM v_bound_check"), edges[i].verdict);
	}
}

static int64_t drawn(uint32_t number, uint16_t which, int64_t low, int64_t high)
{
	const struct random_key key = {.seed = 13, .job = number, .segment = which};
	return low + random_upto(&key, high - low);
}

/* On virtual SMs, whole SMs, or all: the edges are those of models/kernel.c. */
TEST("times of kernels are those on their SMs", .setup_func = begin, .teardown_func = end)
{
	static int64_t best[4] = {400, 200, 140, 100}, worst[4] = {480, 240, 160, 120};
	static char name[] = "p";
	struct profile profile = {.name = name, .count = 4, .best_ns = best, .worst_ns = worst};
	struct platform platform = platform_default();
	const struct taskset set = {.profiles = &profile, .profile_count = 1};
	platform.sms = 4;
	platform.pin_overhead_ns = 7;
	run_sql("INSERT INTO release_trace VALUES (1, 'x'); INSERT INTO trace_release VALUES (1, 0, 0);"
		"UPDATE task SET release_kind = 'trace', trace_id = 1;"
		"INSERT INTO segment (task_id, segment_idx, kind) VALUES (1, 0, 'kernel')");
	for (int m = 0; m < 4; m++)
		run_sql("INSERT INTO profile VALUES (1, 0, 'p', %d, %lld, %lld, NULL)", m + 1,
			(long long)best[m], (long long)worst[m]);
	for (uint32_t i = 0; i < 400; i++) {
		bool profiled = i % 4 == 0;
		uint32_t v = (uint32_t)drawn(i, 0, 1, 3), count = (uint32_t)drawn(i, 1, 1, 4);
		uint32_t virtuals = (uint32_t)drawn(i, 2, 1, count * v), sm[4] = {0, 1, 2, 3}, slots[4] = {0};
		int64_t b = drawn(i, 3, 1, 100) * 10, a = b + drawn(i, 4, 0, 1000),
			low = drawn(i, 5, 1000, 100000);
		int64_t high = low + drawn(i, 6, 0, 1) * drawn(i, 7, 0, 100000),
			overhead = drawn(i, 8, 0, 1) * drawn(i, 9, 0, 900);
		struct interleave alpha = {.virtual_sms = v, .numerator = a, .denominator = b};
		const struct segment kernel = {
			.kind = SEGMENT_KERNEL,
			.form = profiled ? KERNEL_PROFILE : KERNEL_WORK,
			.best_ns = low,
			.worst_ns = high,
			.overhead_ns = overhead,
			.interleave = &alpha,
			.interleaves = 1,
			.bytes = -1,
		};
		struct grant grant = {
			.count = count,
			.sm = sm,
			.slots = i % 3 ? slots : NULL,
			.virtual_sms = i % 3 ? virtuals : 0,
		};
		struct kernel_shape shape;
		struct error err;
		char granted[64] = "NULL, virtual_sms = NULL";
		if (i % 5 && grant.slots)
			snprintf(granted, sizeof(granted), "%u, virtual_sms = %u", count, virtuals);
		else if (i % 5)
			snprintf(granted, sizeof(granted), "%u, virtual_sms = NULL", count);
		if (!kernel_shape(&platform, &set, &kernel, v, i % 5 ? &grant : NULL, &shape, &err))
			fail_msg("%s", err.text);
		run_sql("UPDATE segment SET form = '%s', best_ns = %lld, worst_ns = %lld, overhead_ns = %lld,"
			" profile_idx = 0, interleave = '{\"%u\": [%lld, %lld]}'; UPDATE run SET"
			" virtual_sms_per_sm = %u; UPDATE run_task SET sms = %s;",
			profiled ? "profile" : "work", (long long)low, (long long)high, (long long)overhead,
			v, (long long)a, (long long)b, v, granted);
		check_edges(shape.best_ns, shape.worst_ns);
	}
}
