/* db/audit/strays.c - the law on rows that belong to nothing: rows of no run, of a run that made no schedule,
 * finer than the run's level, or of tasks of another set; and decisions of policies that never decide. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "db/audit/identity.h"
#include "db/words.h"

#define LAW "strays"

/* Tables whose rows belong to runs, and which runs may have rows in them. */
static const struct {
	const char *table;
	enum audit_level level;
	enum { OF_ALL, NOT_OF_WARPS, OF_WARPS } kind;
} tables[] = {
	{"run_task", LEVEL_SUMMARY, OF_ALL},
	{"run_task_hist", LEVEL_SUMMARY, OF_ALL},
	{"run_warp_kernel", LEVEL_SUMMARY, OF_WARPS},
	{"run_sub_core", LEVEL_SUMMARY, OF_WARPS},
	{"chain_run", LEVEL_SUMMARY, NOT_OF_WARPS},
	{"run_gpu", LEVEL_SUMMARY, NOT_OF_WARPS},
	{"job", LEVEL_JOBS, OF_ALL},
	{"epoch", LEVEL_JOBS, OF_WARPS},
	{"segment_interval", LEVEL_SEGMENTS, OF_ALL},
	{"power_interval", LEVEL_SEGMENTS, NOT_OF_WARPS},
	{"decision", LEVEL_SEGMENTS, NOT_OF_WARPS},
	{"measured", LEVEL_SEGMENTS, NOT_OF_WARPS},
	{"context_interval", LEVEL_SEGMENTS, NOT_OF_WARPS},
	{"epoch_sm", LEVEL_SEGMENTS, OF_WARPS},
	{"epoch_quota", LEVEL_SEGMENTS, OF_WARPS},
	{"block_interval", LEVEL_BLOCKS, OF_ALL},
	{"warp_issue", LEVEL_ISSUES, OF_WARPS},
};
#define TABLES (sizeof(tables) / sizeof(tables[0]))

/* The level of a word; an unknown word is reported by another law. */
static int level_of(const char *word)
{
	int level = word_find(words_level, word);
	return level < 0 ? LEVEL_ISSUES : level;
}

/* The cursor: run_id (NULL: rows of no run), record, status, whether it is a run of warps. */
static void check_run_of(struct audit *a, size_t table, const struct db_cursor *c)
{
	const char *name = tables[table].table, *record = cursor_text(c, 1), *status = cursor_text(c, 2);
	int64_t run = cursor_integer(c, 0);
	bool warps = cursor_integer(c, 3) > 0;
	identity_held(a, LAW, 1);
	if (!record || !status)
		identity_wrong(
			a, LAW, "%s: there are rows of run %" PRId64 ", which there is not", name, run);
	else if (strcmp(status, "ok") != 0 && strcmp(status, "truncated") != 0)
		identity_wrong(a, LAW, "%s: there are rows of run %" PRId64 ", whose status is %s", name, run,
			status);
	else if (level_of(record) < (int)tables[table].level)
		identity_wrong(a, LAW,
			"%s: there are rows of run %" PRId64 ", which says that it was recorded as %s", name,
			run, record);
	else if (tables[table].kind == (warps ? NOT_OF_WARPS : OF_WARPS))
		identity_wrong(a, LAW, "%s: there are rows of run %" PRId64 ", which is %s warps", name, run,
			warps ? "one of" : "none of");
}

/* Goes from one run to the next by the table's index. */
static bool check_table(struct audit *a, size_t table, int64_t run_id, bool warps)
{
	char sql[800], machine[120] = "0";
	const char *name = tables[table].table;
	if (warps)
		snprintf(machine, sizeof(machine),
			"(SELECT count(*) FROM warp_machine m WHERE m.taskset_id = r.taskset_id)");
	snprintf(sql, sizeof(sql),
		"WITH RECURSIVE s(id) AS (SELECT min(run_id) FROM %s UNION ALL SELECT (SELECT min(t.run_id)"
		" FROM %s t WHERE t.run_id > s.id) FROM s WHERE s.id IS NOT NULL) SELECT s.id, r.record,"
		" r.status, %s FROM s LEFT JOIN run r ON r.run_id = s.id WHERE s.id IS NOT NULL AND (?1 < 0"
		" OR s.id = ?1) UNION ALL SELECT NULL, NULL, NULL, 0 WHERE ?1 < 0 AND EXISTS (SELECT 1 FROM"
		" %s WHERE run_id IS NULL)",
		name, name, machine, name);
	struct rows q = query_rows(a->reader, sql, run_id, a->err);
	while (rows_next(&q)) {
		check_run_of(a, table, q.c);
		a->decided |= strcmp(name, "decision") == 0;
	}
	return rows_close(&q);
}

/* Queries that must not find any row: each gives the number of wrong rows, and the id of the first. */
static const struct {
	const char *table, *sql, *what;
} questions[] = {
	{"run",
		"SELECT count(*), min(run_id) FROM run r WHERE NOT EXISTS (SELECT 1 FROM taskset x WHERE"
		" x.taskset_id = r.taskset_id) OR NOT EXISTS (SELECT 1 FROM platform x WHERE x.platform_id ="
		" r.platform_id) OR NOT EXISTS (SELECT 1 FROM policy x WHERE x.policy_id = r.policy_id) OR"
		" NOT EXISTS (SELECT 1 FROM scenario x WHERE x.scenario_id = r.scenario_id)",
		"are of a scenario, set, platform or policy that is not there"},
	{"run",
		"SELECT count(*), min(run_id) FROM run r JOIN task t ON t.task_id = r.failing_task_id"
		" WHERE t.taskset_id <> r.taskset_id",
		"name a failing task of another set"},
	{"run_task",
		"SELECT count(*), min(run_id) FROM run_task a JOIN run r USING (run_id) LEFT JOIN task t ON"
		" t.task_id = a.task_id WHERE t.taskset_id IS NOT r.taskset_id",
		"are of tasks that are not of the run's set"},
	{"run_task_hist",
		"SELECT count(*), min(run_id) FROM run_task_hist a JOIN run r USING (run_id) LEFT JOIN task t"
		" ON t.task_id = a.task_id WHERE t.taskset_id IS NOT r.taskset_id",
		"are of tasks that are not of the run's set"},
	{"measured",
		"SELECT count(*), min(run_id) FROM measured m JOIN run r USING (run_id) LEFT JOIN task t ON"
		" t.task_id = m.task_id LEFT JOIN segment s ON s.task_id = m.task_id AND s.segment_idx ="
		" m.segment_idx WHERE t.taskset_id IS NOT r.taskset_id OR s.task_id IS NULL",
		"are of segments that are not of the run's set"},
	{"measured",
		"SELECT count(*), min(run_id) FROM (SELECT run_id FROM measured GROUP BY run_id, task_id,"
		" seq, segment_idx HAVING count(*) > 1)",
		"are of a segment of a job that has another one"},
	{"task",
		"SELECT count(*), min(task_id) FROM task WHERE taskset_id NOT IN (SELECT"
		" taskset_id FROM taskset)",
		"are of no set"},
	{"segment",
		"SELECT count(*), min(task_id) FROM segment WHERE task_id NOT IN (SELECT task_id FROM task)",
		"are of no task"},
	{"segment_block",
		"SELECT count(*), min(task_id) FROM segment_block b WHERE NOT EXISTS (SELECT 1 FROM segment s"
		" WHERE s.task_id = b.task_id AND s.segment_idx = b.segment_idx AND s.form = 'grid')",
		"are of no kernel with blocks"},
	{"segment_sample",
		"SELECT count(*), min(task_id) FROM segment_sample b WHERE NOT EXISTS (SELECT 1 "
		"FROM segment s"
		" WHERE s.task_id = b.task_id AND s.segment_idx = b.segment_idx)",
		"are of no segment"},
	{"warp_machine",
		"SELECT count(*), min(taskset_id) FROM warp_machine WHERE taskset_id NOT IN (SELECT"
		" taskset_id FROM taskset)",
		"are of no set"},
	{"warp_unit",
		"SELECT count(*), min(taskset_id) FROM warp_unit WHERE taskset_id NOT IN (SELECT taskset_id"
		" FROM warp_machine)",
		"are of no set of warps"},
	{"warp_kernel",
		"SELECT count(*), min(task_id) FROM warp_kernel k LEFT JOIN task t USING (task_id) LEFT JOIN"
		" warp_machine m USING (taskset_id) WHERE m.taskset_id IS NULL",
		"are of no task of a set of warps"},
	{"warp_step",
		"SELECT count(*), min(task_id) FROM warp_step s LEFT JOIN task t USING (task_id) LEFT JOIN"
		" warp_machine m USING (taskset_id) WHERE m.taskset_id IS NULL",
		"are of no task of a set of warps"},
	{"profile",
		"SELECT count(*), min(taskset_id) FROM profile WHERE taskset_id NOT IN (SELECT"
		" taskset_id FROM taskset)",
		"are of no set"},
	{"task_after",
		"SELECT count(*), min(task_id) FROM task_after a LEFT JOIN task t USING (task_id) WHERE"
		" t.release_kind IS NOT 'after' OR NOT EXISTS (SELECT 1 FROM task o WHERE o.taskset_id ="
		" t.taskset_id AND o.task_idx = a.after_idx)",
		"are of no task that others release, or name no task of its set"},
	{"chain",
		"SELECT count(*), min(taskset_id) FROM chain WHERE taskset_id NOT IN (SELECT taskset_id FROM"
		" taskset)",
		"are of no set"},
	{"chain_task",
		"SELECT count(*), min(taskset_id) FROM chain_task c WHERE NOT EXISTS (SELECT 1 FROM chain x"
		" WHERE x.taskset_id = c.taskset_id AND x.chain_idx = c.chain_idx) OR NOT EXISTS (SELECT 1"
		" FROM task t WHERE t.taskset_id = c.taskset_id AND t.task_idx = c.member_idx)",
		"are of no chain, or name no task of its set"},
	{"chain_run",
		"SELECT count(*), min(run_id) FROM chain_run c LEFT JOIN run r USING (run_id) WHERE NOT"
		" EXISTS (SELECT 1 FROM chain x WHERE x.taskset_id = r.taskset_id AND x.chain_idx ="
		" c.chain_idx)",
		"are of no chain of the run's set"},
	{"chain_bound",
		"SELECT count(*), min(analysis_run_id) FROM chain_bound c LEFT JOIN analysis_run r USING"
		" (analysis_run_id) WHERE NOT EXISTS (SELECT 1 FROM chain x WHERE x.taskset_id ="
		" r.taskset_id AND x.chain_idx = c.chain_idx)",
		"are of no analysis, or of no chain of its set"},
	{"trace_release",
		"SELECT count(*), min(trace_id) FROM trace_release WHERE trace_id NOT IN (SELECT trace_id"
		" FROM release_trace)",
		"are of no release trace"},
	{"trace_duration",
		"SELECT count(*), min(trace_id) FROM trace_duration WHERE trace_id NOT IN (SELECT trace_id"
		" FROM release_trace)",
		"are of no release trace"},
	{"bound",
		"SELECT count(*), min(analysis_run_id) FROM bound b LEFT JOIN analysis_run a USING"
		" (analysis_run_id) LEFT JOIN task t USING (task_id) WHERE a.taskset_id IS NULL OR"
		" t.taskset_id IS NOT a.taskset_id",
		"are of no analysis, or of tasks of another set"},
	{"bound_part",
		"SELECT count(*), min(analysis_run_id) FROM bound_part b LEFT JOIN analysis_run a USING"
		" (analysis_run_id) LEFT JOIN task t USING (task_id) WHERE a.taskset_id IS NULL OR"
		" t.taskset_id IS NOT a.taskset_id",
		"are of no analysis, or of tasks of another set"},
};

static bool ask(struct audit *a, size_t question)
{
	struct db_cursor *c = cursor_open(a->reader, questions[question].sql, a->err);
	bool row, ok = c && cursor_next(c, &row, a->err);
	if (ok) {
		identity_held(a, LAW, 1);
		if (cursor_integer(c, 0) > 0)
			identity_wrong(a, LAW, "%s: %" PRId64 " rows, the first with the id %" PRId64 ", %s",
				questions[question].table, cursor_integer(c, 0), cursor_integer(c, 1),
				questions[question].what);
	}
	cursor_close(c);
	return ok;
}

bool strays_check(struct audit *a, int64_t run_id)
{
	bool warps, there;
	if (!reader_has(a->reader, "warp_machine", NULL, &warps, a->err))
		return false;
	for (size_t i = 0; i < TABLES; i++) {
		if (!reader_has(a->reader, tables[i].table, NULL, &there, a->err) ||
			(there && !check_table(a, i, run_id, warps)))
			return false;
	}
	for (size_t i = 0; run_id == AUDIT_ALL_RUNS && i < sizeof(questions) / sizeof(questions[0]); i++) {
		if (!reader_has(a->reader, questions[i].table, NULL, &there, a->err) || (there && !ask(a, i)))
			return false;
	}
	return true;
}

/* ---- Of one run ---- */

static bool decides(const struct recording *r)
{
	return !r->promise || r->promise->admits == ADMITS_DECIDED || r->promise->places;
}

uint64_t law_strays(struct audit *a, const struct moment *m)
{
	if (m->at == AT_END) {
		if (a->strangers)
			broken(a, a->strange_table, m,
				"%" PRIu64 " rows are of tasks that are not of the run's set", a->strangers);
		return 1;
	}
	int64_t decisions = 0;
	if (a->decided && !decides(a->r))
		a->failed |= !query_number(a->reader, "SELECT count(*) FROM decision WHERE run_id = ?1",
			a->r->run_id, &decisions, a->err);
	if (decisions > 0)
		broken(a, "decision", m, "there are %" PRId64 " rows, and policy '%s' decides nothing",
			decisions, a->r->policy);
	return 1;
}
