/* db/reader.c - reads recordings: decides what is accepted as one, and ensures that queries only read.
 *
 * Three things ensure it: the file is opened read-only, query_only is on, and an authorizer permits only what
 * reading needs (no ATTACH, no PRAGMA that sets something, no extension). */
#include "db/reader.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "db/row_types.h"
#include "db/schema.h"
#include "db/sql.h"

/* Closed cursors are kept for the next ones with the same text. Code that goes through many runs asks the
 * same small questions for each, and compiling these takes longer than answering. */
#define KEPT_MAX 64

struct db_reader {
	sqlite3 *db;
	char *file;
	char *interrupted;
	bool preparing;   /* a statement; SQLite also asks when it prepares one again by itself */
	struct text read; /* ",job,run,": the tables and views that the statement reads */
	struct db_cursor *kept[KEPT_MAX];
	unsigned next_kept; /* the slot that is used next */
};

struct db_cursor {
	struct db_reader *reader;
	sqlite3_stmt *stmt;
	char *read; /* the same for this statement */
	bool good;  /* the statement may be used again */
};

/* ---- what is let through ---- */

/* PRAGMAs that only tell something, and that people and tools use. */
static const char *const telling_pragmas[] = {"table_info", "table_xinfo", "table_list", "index_list",
	"index_info", "index_xinfo", "foreign_key_list", "function_list", "application_id", "user_version",
	"page_size", "page_count", "encoding", "quick_check", "integrity_check", "foreign_key_check",
	"data_version", "compile_options", NULL};

static bool pragma_tells(const char *name, const char *argument)
{
	static const char *const settable[] = {
		"application_id", "user_version", "page_size", "encoding", NULL};
	for (int i = 0; argument && settable[i]; i++)
		if (strcasecmp(name, settable[i]) == 0)
			return false;
	for (int i = 0; telling_pragmas[i]; i++)
		if (strcasecmp(name, telling_pragmas[i]) == 0)
			return true;
	return false;
}

static bool has_read(const char *list, const char *table)
{
	size_t length = strlen(table);
	for (const char *at = list; (at = strstr(at, table)); at += length)
		if (at > list && at[-1] == ',' && at[length] == ',')
			return true;
	return false;
}

static void note_read(struct text *list, const char *table)
{
	if (table && !has_read(text_data(list), table))
		text_printf(list, "%s%s,", list->length ? "" : ",", table);
}

static int authorize(
	void *self, int action, const char *first, const char *second, const char *db, const char *by)
{
	struct db_reader *r = self;
	(void)db, (void)by;
	switch (action) {
	case SQLITE_READ:
		if (r->preparing)
			note_read(&r->read, first);
		return SQLITE_OK;
	case SQLITE_SELECT:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		return strcasecmp(second, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
	case SQLITE_PRAGMA:
		return pragma_tells(first, second) ? SQLITE_OK : SQLITE_DENY;
	case SQLITE_CREATE_TABLE: /* these three: SQLite declares the columns of a table-valued ... */
		return SQLITE_OK; /* ... function (json_each) with them. only_reads() finds statements that
				     really write */
	case SQLITE_INSERT:
	case SQLITE_UPDATE:
		return strcmp(first, "sqlite_master") == 0 ? SQLITE_OK : SQLITE_DENY;
	default:
		return SQLITE_DENY;
	}
}

/* ---- opening ---- */

static bool check_identity(struct db_reader *r, int64_t *version, struct error *err)
{
	int64_t application;
	if (!sql_query_integer(r->db, "PRAGMA application_id", &application, r->file, err) ||
		!sql_query_integer(r->db, "PRAGMA user_version", version, r->file, err))
		return false;
	if (application != RECORDING_APPLICATION_ID)
		return error_set(
			err, STATUS_INPUT, "%s is an SQLite file, but not a recording of cegsim", r->file);
	if (*version > RECORDING_VERSION)
		return error_set(err, STATUS_INPUT,
			"%s was written by a newer cegsim (recording version %lld, this program reads up to "
			"%d)",
			r->file, (long long)*version, RECORDING_VERSION);
	return true;
}

/* The text of a view, from behind CREATE VIEW on, as a temporary one, for this reader only. It hides one of
 * that name in the file. */
static bool add_view(struct db_reader *r, const struct text *view, struct error *err)
{
	struct text sql = {0};
	text_add(&sql, "PRAGMA query_only = OFF; CREATE TEMP VIEW");
	text_add(&sql, text_data(view));
	text_add(&sql, "; PRAGMA query_only = ON");
	bool ok = text_ok(view, "opening a recording", err) && text_ok(&sql, "opening a recording", err) &&
		  sql_exec(r->db, text_data(&sql), r->file, err);
	text_finish(&sql);
	return ok;
}

#define SEGMENTS_WITHOUT_NAMES                                                                               \
	" v_segment AS SELECT t.taskset_id, s.task_id, t.name AS task, s.segment_idx, s.kind, NULL AS name"  \
	" FROM segment s JOIN task t ON t.task_id = s.task_id"

/* Those before version 4 lack bound.assumes: their bounds rest on nobody. */
#define RULE_WITHOUT_ASSUMPTIONS                                                                             \
	" v_bound_check AS WITH asked AS (SELECT analysis_run_id, taskset_id, platform_id, policy_id,"       \
	" task_id, bound_ns, NULL AS assumes FROM analysis_run JOIN bound USING (analysis_run_id)),\n"
#define BOUNDS_WITHOUT_ASSUMPTIONS " v_bound AS SELECT *, NULL AS assumes_in_time FROM main.v_bound"

static bool renew_bounds(struct db_reader *r, int64_t version, struct error *err)
{
	struct text rule = {0}, bounds = {0};
	bool assumes;
	if (!reader_has(r, "bound", "assumes", &assumes, err))
		return false;
	text_add(&rule, assumes ? "" : RULE_WITHOUT_ASSUMPTIONS);
	schema_bound_rule(assumes ? "CREATE VIEW" : "\n-- rule\n", "", &rule);
	text_add(&bounds, BOUNDS_WITHOUT_ASSUMPTIONS);
	bool ok = ((assumes && version == RECORDING_VERSION) || add_view(r, &rule, err)) &&
		  (assumes || add_view(r, &bounds, err));
	text_finish(&rule);
	text_finish(&bounds);
	return ok;
}

/* An empty table, for views that read it. */
static bool add_empty(struct db_reader *r, const struct row_type *type, struct error *err)
{
	struct text table = {0};
	text_printf(&table, " %s AS SELECT", type->table);
	for (size_t i = 0; i < type->column_count; i++)
		text_printf(&table, "%s NULL AS %s", i ? "," : "", type->columns[i].name);
	text_add(&table, " WHERE 0");
	bool ok = add_view(r, &table, err);
	text_finish(&table);
	return ok;
}

static bool add_measured(struct db_reader *r, struct error *err)
{
	struct text view = {0};
	schema_measured(&view);
	bool ok = add_empty(r, &row_types[ROWS_MEASURED], err) && add_view(r, &view, err);
	text_finish(&view);
	return ok;
}

static bool add_waits(struct db_reader *r, struct error *err)
{
	struct text view = {0};
	bool has = true;
	schema_waits("CREATE VIEW", &view);
	bool ok = reader_has(r, "context_interval", NULL, &has, err) &&
		  (has || add_empty(r, &row_types[ROWS_CONTEXT_INTERVAL], err)) && add_view(r, &view, err);
	text_finish(&view);
	return ok;
}

static bool add_flight_waits(struct db_reader *r, struct error *err)
{
	struct text view = {0};
	bool flights;
	if (!reader_has(r, "segment", "async", &flights, err))
		return false;
	schema_flight_waits(flights, "CREATE VIEW", &view);
	bool ok = add_view(r, &view, err);
	text_finish(&view);
	return ok;
}

/* Programs before wrote nothing of which GPU. The tables get these columns, for this reader, as views of
 * them. */
static const struct {
	const char *table, *column, *values;
} of_one_gpu[] = {
	{"platform", "gpus", "NULL AS gpus"},
	{"segment", "gpu", "NULL AS gpu, NULL AS profiles"},
	{"segment_interval", "gpu", "0 AS gpu"},
	{"block_interval", "gpu", "0 AS gpu"},
	{"power_interval", "gpu", "0 AS gpu"},
	{"decision", "gpu", "0 AS gpu"},
};

static bool add_gpus(struct db_reader *r, struct error *err)
{
	bool ok = true;
	for (size_t i = 0; ok && i < sizeof(of_one_gpu) / sizeof(of_one_gpu[0]); i++) {
		struct text view = {0};
		bool there, has;
		const char *table = of_one_gpu[i].table;
		ok = reader_has(r, table, NULL, &there, err) &&
		     reader_has(r, table, of_one_gpu[i].column, &has, err);
		if (!ok || !there || has)
			continue;
		text_printf(&view, " %s AS SELECT rowid AS rowid, *, %s FROM main.%s", table,
			of_one_gpu[i].values, table);
		ok = add_view(r, &view, err);
		text_finish(&view);
	}
	bool has = true;
	struct text view = {0};
	text_add(&view, " v_gpu AS SELECT 0 AS gpu, name AS platform, * FROM main.platform");
	ok = ok && reader_has(r, "v_gpu", NULL, &has, err) && (has || add_view(r, &view, err));
	text_finish(&view);
	return ok;
}

/* Recordings up to version 2 have an older v_bound_check (docs/recording.md). Those up to version 3 lack
 * v_segment, as their segments have no names, v_wait, and v_measured with its table. */
static bool renew_views(struct db_reader *r, int64_t version, struct error *err)
{
	struct text segments = {0};
	bool measured, waits, flights;
	text_add(&segments, SEGMENTS_WITHOUT_NAMES);
	bool ok = add_gpus(r, err) && reader_has(r, "measured", NULL, &measured, err) &&
		  (measured || add_measured(r, err)) && reader_has(r, "v_wait", NULL, &waits, err) &&
		  (waits || add_waits(r, err)) && reader_has(r, "v_flight_wait", NULL, &flights, err) &&
		  (flights || add_flight_waits(r, err)) &&
		  (version == RECORDING_VERSION || add_view(r, &segments, err)) &&
		  renew_bounds(r, version, err);
	text_finish(&segments);
	return ok;
}

/* A file with its final name is always finished; this check is for a .part. */
static bool check_finished(struct db_reader *r, struct error *err)
{
	int64_t rows;
	if (!sql_query_integer(r->db, "SELECT count(*) FROM meta WHERE key = 'status'", &rows, r->file, err))
		return false;
	return rows == 1 ||
	       error_set(err, STATUS_INPUT, "%s is not finished: its writer was interrupted", r->file);
}

static bool read_interrupted(struct db_reader *r, struct error *err)
{
	sqlite3_stmt *stmt =
		sql_prepare(r->db, "SELECT value FROM meta WHERE key = 'interrupted'", r->file, err);
	if (!stmt)
		return false;
	int code = sqlite3_step(stmt);
	bool ok = code == SQLITE_ROW || code == SQLITE_DONE || sql_error(err, r->db, code, r->file, "read");
	if (code == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(stmt, 0);
		r->interrupted = text ? strdup(text) : NULL;
		ok = r->interrupted || error_memory(err, "opening a recording");
	}
	sqlite3_finalize(stmt);
	return ok;
}

const char *reader_interrupted(const struct db_reader *r)
{
	return r->interrupted;
}

static int open_with(struct db_reader *r, int flags)
{
	errno = 0;
	int code = sqlite3_open_v2(r->file, &r->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
	if (code != SQLITE_OK)
		return code;
	sqlite3_extended_result_codes(r->db, 1);
	return sqlite3_exec(
		r->db, "PRAGMA query_only = ON; SELECT count(*) FROM sqlite_master", NULL, NULL, NULL);
}

/* If a process was killed while it added analyses (db/amend.c), it has left a journal. The next one to open
 * the file restores it. SQLite does that only for a connection that may write. */
static int open_file(struct db_reader *r)
{
	int code = open_with(r, SQLITE_OPEN_READONLY);
	if (code != SQLITE_READONLY_ROLLBACK)
		return code;
	sqlite3_close(r->db);
	code = open_with(r, SQLITE_OPEN_READWRITE);
	if (code != SQLITE_OK)
		return code;
	sqlite3_close(r->db);
	return open_with(r, SQLITE_OPEN_READONLY);
}

static bool open_checked(struct db_reader *r, struct error *err)
{
	int code = open_file(r);
	if ((code & 0xff) == SQLITE_NOTADB)
		return error_set(
			err, STATUS_INPUT, "%s is not a recording of cegsim (not an SQLite file)", r->file);
	if (code != SQLITE_OK)
		return sql_error(err, r->db, code, r->file, "open the file");
	int64_t version = 0;
	if (!check_identity(r, &version, err) || !check_finished(r, err) || !read_interrupted(r, err) ||
		!renew_views(r, version, err))
		return false;
	code = sqlite3_set_authorizer(r->db, authorize, r);
	return code == SQLITE_OK || sql_error(err, r->db, code, r->file, "open the file");
}

static bool create_empty(struct db_reader *r, struct error *err)
{
	int code = sqlite3_open_v2(r->file, &r->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
	if (code != SQLITE_OK)
		return sql_error(err, r->db, code, r->file, "open");
	return schema_create(r->db, r->file, err) && schema_complete(r->db, true, r->file, err);
}

static struct db_reader *open_by(
	bool (*fill)(struct db_reader *r, struct error *err), const char *file, struct error *err)
{
	struct db_reader *r = calloc(1, sizeof(*r));
	if (r)
		r->file = strdup(file);
	if (!r || !r->file) {
		error_memory(err, "opening a recording");
		reader_close(r);
		return NULL;
	}
	if (!fill(r, err)) {
		reader_close(r);
		return NULL;
	}
	return r;
}

struct db_reader *reader_open(const char *file, struct error *err)
{
	return open_by(open_checked, file, err);
}

struct db_reader *reader_open_empty(struct error *err)
{
	return open_by(create_empty, ":memory:", err);
}

static void cursor_free(struct db_cursor *c)
{
	if (!c)
		return;
	sqlite3_finalize(c->stmt);
	free(c->read);
	free(c);
}

void reader_close(struct db_reader *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < KEPT_MAX; i++)
		cursor_free(r->kept[i]);
	int code = sqlite3_close(r->db);
	assert(code == SQLITE_OK);
	(void)code;
	text_finish(&r->read);
	free(r->interrupted);
	free(r->file);
	free(r);
}

/* ---- queries ---- */

static const char refusal[] = "this statement would change something; a recording can only be read";

/* The error of a query: SQLite's message (STATUS_INPUT), or a failure of disk or memory. */
static bool query_error(struct db_reader *r, int code, struct error *err)
{
	switch (code & 0xff) {
	case SQLITE_AUTH:
		return error_set(err, STATUS_INPUT, "%s", refusal);
	case SQLITE_ERROR:
	case SQLITE_MISMATCH:
	case SQLITE_RANGE:
	case SQLITE_READONLY:
	case SQLITE_TOOBIG:
		return error_set(err, STATUS_INPUT, "%s", sqlite3_errmsg(r->db));
	default:
		return sql_error(err, r->db, code, r->file, "read");
	}
}

static bool only_reads(sqlite3_stmt *stmt)
{
	return sqlite3_stmt_readonly(stmt) && sqlite3_column_count(stmt) > 0;
}

/* Whether the text contains more than blanks and comments, which SQLite compiles to nothing. */
static bool statement_follows(struct db_reader *r, const char *sql, const char *end)
{
	while (sql < end) {
		sqlite3_stmt *stmt = NULL;
		const char *tail = end;
		int code = sqlite3_prepare_v2(r->db, sql, (int)(end - sql), &stmt, &tail);
		sqlite3_finalize(stmt);
		if (code != SQLITE_OK || stmt)
			return true;
		sql = tail;
	}
	return false;
}

/* Takes a kept cursor with this text; it then belongs to the caller. NULL: there is none. */
static struct db_cursor *take_kept(struct db_reader *r, const char *sql, size_t length)
{
	for (size_t i = 0; i < KEPT_MAX; i++) {
		const char *text = r->kept[i] ? sqlite3_sql(r->kept[i]->stmt) : NULL;
		if (text && strlen(text) == length && memcmp(text, sql, length) == 0) {
			struct db_cursor *c = r->kept[i];
			r->kept[i] = NULL;
			return c;
		}
	}
	return NULL;
}

static void keep(struct db_cursor *c)
{
	struct db_reader *r = c->reader;
	sqlite3_reset(c->stmt);
	sqlite3_clear_bindings(c->stmt);
	unsigned slot = r->next_kept++ % KEPT_MAX;
	cursor_free(r->kept[slot]);
	r->kept[slot] = c;
}

struct db_cursor *cursor_open_bytes(struct db_reader *r, const char *sql, size_t length, struct error *err)
{
	const char *tail = sql;
	struct db_cursor *c = take_kept(r, sql, length);
	if (c)
		return c;
	c = calloc(1, sizeof(*c));
	if (!c) {
		error_memory(err, "preparing a query");
		return NULL;
	}
	c->reader = r;
	text_clear(&r->read);
	r->preparing = true;
	int code = length > INT32_MAX ? SQLITE_TOOBIG
				      : sqlite3_prepare_v2(r->db, sql, (int)length, &c->stmt, &tail);
	r->preparing = false;
	if (code != SQLITE_OK)
		query_error(r, code, err);
	else if (!c->stmt)
		error_set(err, STATUS_INPUT, "the query is empty");
	else if (!only_reads(c->stmt))
		error_set(err, STATUS_INPUT, "%s", refusal);
	else if (!(c->read = text_take(&r->read)))
		error_memory(err, "preparing a query");
	else if (statement_follows(r, tail, sql + length))
		error_set(err, STATUS_INPUT, "one statement at a time, please");
	else
		c->good = true;
	if (c->good)
		return c;
	cursor_close(c);
	return NULL;
}

struct db_cursor *cursor_open(struct db_reader *r, const char *sql, struct error *err)
{
	return cursor_open_bytes(r, sql, strlen(sql), err);
}

void cursor_close(struct db_cursor *c)
{
	if (!c)
		return;
	if (c->good)
		keep(c);
	else
		cursor_free(c);
}

bool cursor_reads(const struct db_cursor *c, const char *table)
{
	return has_read(c->read, table);
}

bool reader_has(struct db_reader *r, const char *table, const char *column, bool *has, struct error *err)
{
	struct db_cursor *c = cursor_open(
		r, "SELECT 1 FROM pragma_table_info(?1) WHERE ?2 IS NULL OR name = ?2 LIMIT 1", err);
	bool ok = c && cursor_bind_text(c, 1, table, err) && cursor_bind_text(c, 2, column, err) &&
		  cursor_next(c, has, err);
	cursor_close(c);
	return ok;
}

int cursor_parameters(const struct db_cursor *c)
{
	return sqlite3_bind_parameter_count(c->stmt);
}

const char *cursor_parameter_name(const struct db_cursor *c, int parameter)
{
	return sqlite3_bind_parameter_name(c->stmt, parameter);
}

static bool bound(struct db_cursor *c, int code, struct error *err)
{
	return code == SQLITE_OK || query_error(c->reader, code, err);
}

bool cursor_bind_integer(struct db_cursor *c, int parameter, int64_t value, struct error *err)
{
	return bound(c, sqlite3_bind_int64(c->stmt, parameter, value), err);
}

bool cursor_bind_real(struct db_cursor *c, int parameter, double value, struct error *err)
{
	return bound(c, sqlite3_bind_double(c->stmt, parameter, value), err);
}

bool cursor_bind_text(struct db_cursor *c, int parameter, const char *value, struct error *err)
{
	return bound(c, sqlite3_bind_text(c->stmt, parameter, value, -1, SQLITE_TRANSIENT), err);
}

bool cursor_next(struct db_cursor *c, bool *row, struct error *err)
{
	errno = 0;
	int code = sqlite3_step(c->stmt);
	*row = code == SQLITE_ROW;
	c->good = *row || code == SQLITE_DONE;
	return c->good || query_error(c->reader, code, err);
}

void cursor_rewind(struct db_cursor *c)
{
	sqlite3_reset(c->stmt); /* its code is that of the last step, which has been reported */
}

int cursor_columns(const struct db_cursor *c)
{
	return sqlite3_column_count(c->stmt);
}

const char *cursor_column_name(const struct db_cursor *c, int column)
{
	return sqlite3_column_name(c->stmt, column);
}

enum value_kind cursor_kind(const struct db_cursor *c, int column)
{
	static const enum value_kind kinds[] = {
		[SQLITE_NULL] = VALUE_NULL,
		[SQLITE_INTEGER] = VALUE_INTEGER,
		[SQLITE_FLOAT] = VALUE_REAL,
		[SQLITE_TEXT] = VALUE_TEXT,
		[SQLITE_BLOB] = VALUE_TEXT,
	};
	return kinds[sqlite3_column_type(c->stmt, column)];
}

int64_t cursor_integer(const struct db_cursor *c, int column)
{
	return sqlite3_column_int64(c->stmt, column);
}

double cursor_real(const struct db_cursor *c, int column)
{
	return sqlite3_column_double(c->stmt, column);
}

const char *cursor_text(const struct db_cursor *c, int column)
{
	return (const char *)sqlite3_column_text(c->stmt, column);
}
