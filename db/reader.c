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
#include "db/numbers.h"
#include "db/reader_private.h"
#include "db/schema.h"
#include "db/sql.h"
#include "db/strange.h"

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

/* Tables that this program computes are read under the names that people know. */
static void note_read(struct text *list, const char *table)
{
	static const char *const known_as[][2] = {{"cegsim_why", "v_why"}, {"cegsim_wait_sum", "v_wait_sum"},
		{"cegsim_lane_busy", "segment_interval"}, {"cegsim_sm_busy", "block_interval"}};
	for (size_t i = 0; table && i < sizeof(known_as) / sizeof(known_as[0]); i++)
		if (strcmp(table, known_as[i][0]) == 0)
			table = known_as[i][1];
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
	if (*version < 1)
		return error_set(err, STATUS_INPUT,
			"%s was written by another version of cegsim (recording version %lld, here %d)",
			r->file, (long long)*version, RECORDING_VERSION);
	if (*version > RECORDING_VERSION)
		return error_set(err, STATUS_INPUT,
			"%s was written by a newer cegsim (recording version %lld, this program reads up to "
			"%d)",
			r->file, (long long)*version, RECORDING_VERSION);
	return true;
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

const char *reader_file(const struct db_reader *r)
{
	return r->file;
}

const char *reader_interrupted(const struct db_reader *r)
{
	return r->interrupted;
}

static int open_with(struct db_reader *r, int flags)
{
	return strange_open(r->file, flags, "PRAGMA query_only = ON", &r->db);
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

/* What cegsim_numbers() has gathered of rows. */
struct gathered {
	int numbers;
	int64_t number[NUMBERS_ROWS * NUMBERS_MAX];
};

static void gather(sqlite3_context *context, int count, sqlite3_value **values)
{
	struct gathered *g = sqlite3_aggregate_context(context, sizeof(*g));
	if (!g) {
		sqlite3_result_error_nomem(context);
		return;
	}
	if (count > NUMBERS_MAX || g->numbers + count > NUMBERS_ROWS * count) {
		sqlite3_result_error(context, "too many numbers", -1);
		return;
	}
	int64_t *number = &g->number[g->numbers];
	g->numbers += count;
	for (int i = 0; i < count; i++) {
		number[i] = sqlite3_value_int64(values[i]);
		if (number[i] == 0 && sqlite3_value_type(values[i]) == SQLITE_NULL)
			number[i] = NUMBERS_NULL;
	}
}

static void gathered(sqlite3_context *context)
{
	const struct gathered *g = sqlite3_aggregate_context(context, 0);
	if (g)
		sqlite3_result_blob(
			context, g->number, g->numbers * (int)sizeof(*g->number), SQLITE_TRANSIENT);
}

static int add_numbers(sqlite3 *db)
{
	return sqlite3_create_function(db, "cegsim_numbers", -1,
		SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, NULL, NULL, gather, gathered);
}

static bool open_checked(struct db_reader *r, struct error *err)
{
	int code = open_file(r);
	int64_t version = 0;
	if (!strange_opened(r->db, code, r->file, err) || !check_identity(r, &version, err) ||
		!strange_tables(r->db, "main", r->file, err) || !check_finished(r, err) ||
		!read_interrupted(r, err) || !reader_renew_views(r, version, err))
		return false;
	code = add_numbers(r->db);
	if (code == SQLITE_OK)
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
		return error_set(err, STATUS_INPUT, "%s: %s", r->file, sqlite3_errmsg(r->db));
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

/* Of tables SQLite has the columns at hand. Views, which are asked about, too, it would have to work out:
 * that one is there is looked up, and only what columns it has is asked. */
bool reader_has(struct db_reader *r, const char *table, const char *column, bool *has, struct error *err)
{
	static const char named[] =
		"SELECT 1 FROM sqlite_master WHERE type = 'view' AND name = ?1 COLLATE NOCASE UNION ALL "
		"SELECT 1 FROM temp.sqlite_master WHERE type = 'view' AND name = ?1 COLLATE NOCASE LIMIT 1";
	static const char with[] = "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2 LIMIT 1";
	*has = sqlite3_table_column_metadata(r->db, NULL, table, column, NULL, NULL, NULL, NULL, NULL) ==
	       SQLITE_OK;
	if (*has)
		return true;
	struct db_cursor *c = cursor_open(r, column ? with : named, err);
	bool ok = c && cursor_bind_text(c, 1, table, err) &&
		  (!column || cursor_bind_text(c, 2, column, err)) && cursor_next(c, has, err);
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

const void *cursor_bytes(const struct db_cursor *c, int column, size_t *size)
{
	const void *bytes = sqlite3_column_blob(c->stmt, column);
	*size = (size_t)sqlite3_column_bytes(c->stmt, column);
	return bytes;
}

const char *cursor_text(const struct db_cursor *c, int column)
{
	return (const char *)sqlite3_column_text(c->stmt, column);
}
