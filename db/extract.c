/* db/extract.c - makes a smaller recording from a finished one: INSERT ... SELECT from the attached file,
 * which is opened read-only. The target is a scratch file, without a journal or syncs. */
#include "db/extract.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/checked.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "db/schema.h"
#include "db/sql.h"
#include "db/strange.h"

#define NS_PER_SECOND 1000000000
#define OPCODES_PER_LOOK 200000 /* operations of SQLite's virtual machine between two calls of goes_on */

struct extract {
	sqlite3 *db;
	char *recording; /* its path */
	char *name;      /* the name of the scratch file in errors */
	int fd;
	extract_goes_on *goes_on;
	void *self;
	bool stopped;
	const struct extract_choice *choice; /* the choice of the rows that are being copied */
	sqlite3_stmt *lane, *detail;
};

const struct extract_rows_of extract_tables[EXTRACT_TABLES] = {
	[EXTRACT_JOB] = {"job", "release_ns", "coalesce(finish_ns, 9223372036854775807)"},
	[EXTRACT_SEGMENT] = {"segment_interval", "start_ns", "end_ns"},
	[EXTRACT_BLOCK] = {"block_interval", "start_ns", "end_ns"},
	[EXTRACT_POWER] = {"power_interval", "start_ns", "end_ns"},
	[EXTRACT_DECISION] = {"decision", "time_ns", "time_ns"},
	[EXTRACT_MEASURED] = {"measured", "start_ns", "end_ns"},
	[EXTRACT_ISSUE] = {"warp_issue", "cycle", "cycle + coalesce(latency_cycles, 0)"},
};

static const char settings[] =
	"PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
	"PRAGMA locking_mode = EXCLUSIVE; PRAGMA foreign_keys = OFF;"
	"PRAGMA cache_size = -65536; BEGIN";

static const char view_tables[] =
	"CREATE TABLE view_lane (run_id INTEGER NOT NULL REFERENCES run, lane INTEGER NOT NULL, kind TEXT NOT"
	" NULL, unit INTEGER NOT NULL, name TEXT NOT NULL, capacity INTEGER NOT NULL, PRIMARY KEY (run_id,"
	" lane));CREATE TABLE view_span (run_id INTEGER NOT NULL REFERENCES run, tbl TEXT NOT NULL,"
	" first_rowid INTEGER NOT NULL, last_rowid INTEGER NOT NULL, longest_ns INTEGER NOT NULL, PRIMARY KEY"
	" (run_id, tbl));CREATE TABLE view_detail (run_id INTEGER NOT NULL REFERENCES run, lane INTEGER NOT"
	" NULL, level INTEGER NOT NULL, bin_ns INTEGER NOT NULL, entries INTEGER NOT NULL, data BLOB NOT"
	" NULL, PRIMARY KEY (run_id, lane, level));";

static const char view_columns[] =
	"INSERT INTO column_doc (tbl, col, unit, description) VALUES"
	"('view_lane', 'run_id', NULL, 'the run'),"
	"('view_lane', 'lane', NULL, 'place, from 0 at the top'),"
	"('view_lane', 'kind', NULL, 'cpu, copy, gpu (kernels), sm, pool or context'),"
	"('view_lane', 'unit', NULL, 'which copy engine or SM, from 0'),"
	"('view_lane', 'name', NULL, 'as in v_gantt'),"
	"('view_lane', 'capacity', NULL, 'threads of an SM or the pool; 1 for the others'),"
	"('view_span', 'run_id', NULL, 'the run'),"
	"('view_span', 'tbl', NULL, 'segment_interval, block_interval or measured'),"
	"('view_span', 'first_rowid', NULL, 'first row of the run in that table'),"
	"('view_span', 'last_rowid', NULL, 'the last one; end_ns never falls in between'),"
	"('view_span', 'longest_ns', 'ns', 'the longest interval among them'),"
	"('view_detail', 'run_id', NULL, 'the run'),"
	"('view_detail', 'lane', NULL, 'the lane'),"
	"('view_detail', 'level', NULL, 'of detail; 0 is the coarsest'),"
	"('view_detail', 'bin_ns', 'ns', 'length of a bin'),"
	"('view_detail', 'entries', NULL, 'how many (bin, task) have a share'),"
	"('view_detail', 'data', NULL, 'their bins, then their tasks, then their shares (65535: all), uint16,"
	" little-endian')";

/* Nobody looks at more of them in a page; their counts are copied in any case. */
#define VERDICTS_MAX 200000
#define TEXT_OF(macro) TEXT(macro)
#define TEXT(words) #words

/* What is copied of which runs. In this order each condition finds the rows that it needs. "": rows that
 * belong to no run. */
static const struct {
	const char *table, *condition;
	bool always; /* the condition holds also where no run is chosen, as there is none */
} things[] = {
	{"meta", ""},
	{"failed_unit", ""},
	{"question", ""},
	{"grid_point", ""},
	{"tally", ""},
	{"verdict", "(SELECT max(rowid) FROM source.verdict) <= " TEXT_OF(VERDICTS_MAX), true},
	{"run", "run_id IN chosen"},
	{"run_task", "run_id IN chosen"},
	{"run_warp_kernel", "run_id IN chosen"},
	{"run_task_hist", "run_id IN chosen"},
	{"run_sub_core", "run_id IN chosen"},
	{"chain_run", "run_id IN chosen"},
	{"run_gpu", "run_id IN chosen"},
	{"epoch", "run_id IN chosen"},
	{"epoch_sm", "run_id IN chosen"},
	{"epoch_quota", "run_id IN chosen"},
	{"context_interval", "run_id IN chosen"},
	{"scenario", "scenario_id IN (SELECT scenario_id FROM main.run)"},
	{"taskset", "taskset_id IN (SELECT taskset_id FROM main.run)"},
	{"task", "taskset_id IN (SELECT taskset_id FROM main.run)"},
	{"segment", "task_id IN (SELECT task_id FROM main.task)"},
	{"segment_block", "task_id IN (SELECT task_id FROM main.task)"},
	{"segment_sample", "task_id IN (SELECT task_id FROM main.task)"},
	{"profile", "taskset_id IN (SELECT taskset_id FROM main.run)"},
	{"task_after", "task_id IN (SELECT task_id FROM main.task)"},
	{"chain", "taskset_id IN (SELECT taskset_id FROM main.run)"},
	{"chain_task", "taskset_id IN (SELECT taskset_id FROM main.run)"},
	{"warp_machine", "taskset_id IN (SELECT taskset_id FROM main.run)"},
	{"warp_unit", "taskset_id IN (SELECT taskset_id FROM main.run)"},
	{"warp_kernel", "task_id IN (SELECT task_id FROM main.task)"},
	{"warp_step", "task_id IN (SELECT task_id FROM main.task)"},
	{"release_trace", "trace_id IN (SELECT trace_id FROM main.run UNION SELECT trace_id FROM main.task)"},
	{"trace_release", "trace_id IN (SELECT trace_id FROM main.release_trace)"},
	{"trace_duration", "trace_id IN (SELECT trace_id FROM main.release_trace)"},
	{"analysis_run", "taskset_id IN (SELECT taskset_id FROM main.run)"},
	{"bound", "analysis_run_id IN (SELECT analysis_run_id FROM main.analysis_run)"},
	{"chain_bound", "analysis_run_id IN (SELECT analysis_run_id FROM main.analysis_run)"},
	{"bound_part", "analysis_run_id IN (SELECT analysis_run_id FROM main.analysis_run)"},
	{"platform", "platform_id IN (SELECT platform_id FROM main.run UNION SELECT platform_id FROM"
		     " main.analysis_run UNION SELECT platform_id FROM main.tally)"},
	{"policy", "policy_id IN (SELECT policy_id FROM main.run UNION SELECT policy_id FROM"
		   " main.analysis_run UNION SELECT policy_id FROM main.question)"},
};

static int look(void *self)
{
	struct extract *e = self;
	e->stopped = e->stopped || !e->goes_on(e->self);
	return e->stopped;
}

/* Words the error of a failed statement. Always returns false. */
static bool failed(const struct extract *e, struct error *err)
{
	return e->stopped ? error_set(err, STATUS_INTERRUPTED, "interrupted") : false;
}

static bool execute(struct extract *e, const char *sql, struct error *err)
{
	return sql_exec(e->db, sql, e->name, err) || failed(e, err);
}

static bool bound(struct extract *e, int code, struct error *err)
{
	return code == SQLITE_OK || sql_error(err, e->db, code, e->name, "write");
}

/* ---- opening ---- */

int64_t extract_cycle_ns(int64_t cycle, int64_t clock_hz)
{
	int64_t ns;
	return checked_mul_ceil_div(cycle, NS_PER_SECOND, clock_hz, &ns) ? ns : INT64_MAX;
}

/* Whether a span overlaps the row. Only the first span that does not end before the row begins can. */
static void touches(sqlite3_context *context, int count, sqlite3_value **values)
{
	const struct extract *e = sqlite3_user_data(context);
	const struct extract_choice *choice = e->choice;
	int64_t start = sqlite3_value_int64(values[0]), end = sqlite3_value_int64(values[1]);
	size_t low = 0, high = choice->count;
	(void)count;
	if (choice->table == EXTRACT_ISSUE) {
		start = extract_cycle_ns(start, choice->clock_hz);
		end = extract_cycle_ns(end, choice->clock_hz);
	}
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (choice->spans[middle].to_ns <= start)
			low = middle + 1;
		else
			high = middle;
	}
	sqlite3_result_int(context, low < choice->count && extract_touches(&choice->spans[low], start, end));
}

/* A file without a name: nothing is left of it, whatever happens. */
static bool create_scratch(struct extract *e, const char *folder, struct error *err)
{
	char *path;
	if (asprintf(&path, "%s%scegsim-XXXXXX", folder,
		    *folder && folder[strlen(folder) - 1] != '/' ? "/" : "") < 0)
		return error_memory(err, "opening a scratch file");
	sigset_t before;
	interrupt_hold(&before); /* until it has no name any more */
	e->fd = mkostemp(path, O_CLOEXEC);
	if (e->fd < 0) {
		error_set(err, STATUS_IO, "cannot create a scratch file in %s: %s", folder, strerror(errno));
		interrupt_release(&before);
		free(path);
		return false;
	}
	errno = 0;
	int code = sqlite3_open_v2(
		path, &e->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, NULL);
	unlink(path);
	interrupt_release(&before);
	free(path);
	if (code != SQLITE_OK)
		return sql_error(err, e->db, code, e->name, "open it");
	sqlite3_extended_result_codes(e->db, 1);
	code = strange_distrust(e->db);
	return code == SQLITE_OK || sql_error(err, e->db, code, e->name, "open it");
}

/* Attaches the recording by a URI, in which only letters, digits and a few signs need no escape. */
static bool attach(struct extract *e, const char *recording, struct error *err)
{
	struct text uri = {0};
	text_add(&uri, "file:");
	for (const char *c = recording; *c; c++) {
		bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
			     (*c >= '0' && *c <= '9') || strchr("/._-", *c);
		text_printf(&uri, plain ? "%c" : "%%%02x", plain ? *c : (unsigned char)*c);
	}
	text_add(&uri, "?mode=ro");
	sqlite3_stmt *stmt = NULL;
	bool ok = text_ok(&uri, "opening a recording", err);
	if (ok)
		stmt = sql_prepare(e->db, "ATTACH ?1 AS source", recording, err);
	ok = stmt && bound(e, sqlite3_bind_text(stmt, 1, text_data(&uri), -1, SQLITE_STATIC), err) &&
	     sql_run(stmt, recording, err);
	sqlite3_finalize(stmt);
	text_finish(&uri);
	return ok;
}

static bool create_content(struct extract *e, struct error *err)
{
	return execute(e, settings, err) && (schema_create(e->db, e->name, err) || failed(e, err)) &&
	       execute(e, view_tables, err) && execute(e, view_columns, err) &&
	       bound(e, sqlite3_create_function(e->db, "touches", 2, SQLITE_UTF8, e, touches, NULL, NULL),
		       err) &&
	       execute(e, "CREATE TEMP TABLE chosen (run_id INTEGER PRIMARY KEY)", err);
}

struct extract *extract_begin(
	const char *recording, const char *folder, extract_goes_on *goes_on, void *self, struct error *err)
{
	struct extract *e = calloc(1, sizeof(*e));
	if (!e) {
		error_memory(err, "opening a scratch file");
		return NULL;
	}
	e->fd = -1;
	e->goes_on = goes_on;
	e->self = self;
	e->recording = strdup(recording);
	if (!e->recording || asprintf(&e->name, "a scratch file in %s", folder) < 0) {
		e->name = NULL;
		error_memory(err, "opening a scratch file");
	} else if (create_scratch(e, folder, err) && attach(e, recording, err) && create_content(e, err)) {
		sqlite3_progress_handler(e->db, OPCODES_PER_LOOK, look, e);
		return e;
	}
	extract_close(e);
	return NULL;
}

void extract_close(struct extract *e)
{
	if (!e)
		return;
	sqlite3_finalize(e->lane);
	sqlite3_finalize(e->detail);
	int code = sqlite3_close(e->db);
	assert(code == SQLITE_OK);
	(void)code;
	if (e->fd >= 0)
		close(e->fd);
	free(e->recording);
	free(e->name);
	free(e);
}

/* ---- copying ---- */

/* The columns that both files have, without generated ones; recordings of an older version have fewer. "":
 * there is no such table. free() *list. */
static bool list_columns(struct extract *e, const char *table, char **list, struct error *err)
{
	static const char sql[] =
		"SELECT group_concat(name, ', ') FROM (SELECT m.name FROM pragma_table_info(?1, 'main') m"
		" JOIN pragma_table_info(?1, 'source') s ON s.name = m.name ORDER BY m.cid)";
	sqlite3_stmt *stmt = sql_prepare(e->db, sql, e->name, err);
	bool ok = stmt && bound(e, sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC), err);
	if (ok) {
		int code = sqlite3_step(stmt);
		const char *text = code == SQLITE_ROW ? (const char *)sqlite3_column_text(stmt, 0) : NULL;
		ok = code == SQLITE_ROW || sql_error(err, e->db, code, e->name, "read") || failed(e, err);
		if (ok) {
			*list = strdup(text ? text : "");
			ok = *list || error_memory(err, "copying a recording");
		}
	}
	sqlite3_finalize(stmt);
	return ok;
}

/* Prepares an INSERT ... SELECT; the last arguments follow the table's name. NULL: *err, or there is nothing
 * to copy (*none). */
static sqlite3_stmt *copy_statement(
	struct extract *e, const char *table, const char *rest, bool *none, struct error *err)
{
	char *columns = NULL, *sql = NULL;
	sqlite3_stmt *stmt = NULL;
	*none = false;
	if (!list_columns(e, table, &columns, err))
		return NULL;
	*none = *columns == '\0';
	if (!*none && asprintf(&sql, "INSERT INTO main.%s (%s) SELECT %s FROM source.%s %s", table, columns,
			      columns, table, rest) < 0) {
		sql = NULL;
		error_memory(err, "copying a recording");
	}
	if (sql)
		stmt = sql_prepare(e->db, sql, e->name, err);
	free(sql);
	free(columns);
	return stmt;
}

static bool run_statement(struct extract *e, sqlite3_stmt *stmt, struct error *err)
{
	return sql_run(stmt, e->name, err) || failed(e, err);
}

/* Runs a statement of copy_statement(). */
static bool copy(struct extract *e, sqlite3_stmt *stmt, const char *table, struct error *err)
{
	return sql_copy(stmt, table, e->recording, e->name, err) || failed(e, err);
}

static bool choose(struct extract *e, const int64_t *runs, size_t count, struct error *err)
{
	sqlite3_stmt *stmt = sql_prepare(e->db, "INSERT OR IGNORE INTO chosen VALUES (?1)", e->name, err);
	bool ok = stmt;
	for (size_t i = 0; ok && i < count; i++)
		ok = bound(e, sqlite3_bind_int64(stmt, 1, runs[i]), err) && run_statement(e, stmt, err);
	sqlite3_finalize(stmt);
	return ok;
}

bool extract_things(struct extract *e, const int64_t *runs, size_t count, struct error *err)
{
	bool none, ok = choose(e, runs, count, err);
	for (size_t i = 0; ok && i < sizeof(things) / sizeof(things[0]); i++) {
		char rest[160] = "";
		if ((count > 0 || things[i].always) && *things[i].condition)
			snprintf(rest, sizeof(rest), "WHERE %s ORDER BY rowid", things[i].condition);
		sqlite3_stmt *stmt = copy_statement(e, things[i].table, rest, &none, err);
		ok = none || (stmt && copy(e, stmt, things[i].table, err));
		sqlite3_finalize(stmt);
	}
	return ok;
}

static bool write_span(
	struct extract *e, const struct extract_choice *choice, int64_t kept, struct error *err)
{
	static const char *const insert[EXTRACT_TABLES] = {
		[EXTRACT_SEGMENT] =
			"INSERT INTO view_span SELECT ?1, 'segment_interval', min(rowid), max(rowid),"
			" max(end_ns - start_ns) FROM segment_interval WHERE rowid > ?2",
		[EXTRACT_BLOCK] = "INSERT INTO view_span SELECT ?1, 'block_interval', min(rowid), max(rowid),"
				  " max(end_ns - start_ns) FROM block_interval WHERE rowid > ?2",
		[EXTRACT_MEASURED] = "INSERT INTO view_span SELECT ?1, 'measured', min(rowid), max(rowid),"
				     " max(end_ns - start_ns) FROM measured WHERE rowid > ?2",
	};
	if (!insert[choice->table] || kept == 0)
		return true;
	int64_t before = sqlite3_last_insert_rowid(e->db) - kept;
	sqlite3_stmt *stmt = sql_prepare(e->db, insert[choice->table], e->name, err);
	bool ok = stmt && bound(e, sqlite3_bind_int64(stmt, 1, choice->run_id), err) &&
		  bound(e, sqlite3_bind_int64(stmt, 2, before), err) && run_statement(e, stmt, err);
	sqlite3_finalize(stmt);
	return ok;
}

bool extract_rows(struct extract *e, const struct extract_choice *choice, int64_t *kept, struct error *err)
{
	const struct extract_rows_of *of = &extract_tables[choice->table];
	char rest[200], touched[120] = "";
	bool none;
	e->choice = choice;
	*kept = 0;
	if (choice->spans)
		snprintf(touched, sizeof(touched), " AND touches(%s, %s)", of->start, of->end);
	snprintf(rest, sizeof(rest), "WHERE run_id = ?1%s ORDER BY %srowid", touched,
		choice->sort ? "end_ns, " : "");
	sqlite3_stmt *stmt = copy_statement(e, of->name, rest, &none, err);
	bool ok = none || (stmt && bound(e, sqlite3_bind_int64(stmt, 1, choice->run_id), err) &&
				  copy(e, stmt, of->name, err));
	sqlite3_finalize(stmt);
	if (!ok || none)
		return ok;
	*kept = sqlite3_changes(e->db);
	return write_span(e, choice, *kept, err);
}

/* ---- the viewer's tables ---- */

bool extract_lane(struct extract *e, const struct extract_lane *l, struct error *err)
{
	if (!e->lane)
		e->lane = sql_prepare(e->db,
			"INSERT INTO view_lane (run_id, lane, kind, unit, name, capacity)"
			" VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
			e->name, err);
	return e->lane && bound(e, sqlite3_bind_int64(e->lane, 1, l->run_id), err) &&
	       bound(e, sqlite3_bind_int64(e->lane, 2, l->lane), err) &&
	       bound(e, sqlite3_bind_text(e->lane, 3, l->kind, -1, SQLITE_STATIC), err) &&
	       bound(e, sqlite3_bind_int64(e->lane, 4, l->unit), err) &&
	       bound(e, sqlite3_bind_text(e->lane, 5, l->name, -1, SQLITE_STATIC), err) &&
	       bound(e, sqlite3_bind_int64(e->lane, 6, l->capacity), err) && run_statement(e, e->lane, err);
}

bool extract_detail(struct extract *e, const struct extract_detail *d, struct error *err)
{
	if (!e->detail)
		e->detail = sql_prepare(e->db,
			"INSERT INTO view_detail (run_id, lane, level, bin_ns, entries, data)"
			" VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
			e->name, err);
	return e->detail && bound(e, sqlite3_bind_int64(e->detail, 1, d->run_id), err) &&
	       bound(e, sqlite3_bind_int64(e->detail, 2, d->lane), err) &&
	       bound(e, sqlite3_bind_int64(e->detail, 3, d->level), err) &&
	       bound(e, sqlite3_bind_int64(e->detail, 4, d->bin_ns), err) &&
	       bound(e, sqlite3_bind_int64(e->detail, 5, d->entries), err) &&
	       bound(e, sqlite3_bind_blob64(e->detail, 6, d->data, d->size, SQLITE_STATIC), err) &&
	       run_statement(e, e->detail, err);
}

/* ---- ending ---- */

bool extract_end(struct extract *e, struct error *err)
{
	return (schema_complete(e->db, false, e->name, err) || failed(e, err)) && execute(e, "COMMIT", err);
}

int extract_fd(const struct extract *e)
{
	return e->fd;
}
