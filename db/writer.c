/* db/writer.c - the file that is being written: FILE.part, its lock, its transactions, and its renaming to
 * FILE.
 *
 * The lock is SQLite's own, held from the first access to the end (locking_mode EXCLUSIVE); no other code in
 * this process may open the file meanwhile, since by POSIX closing any descriptor of it would drop the
 * lock. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "db/bulk.h"
#include "db/paged.h"
#include "db/pages/scratch.h"
#include "db/schema.h"
#include "db/sql.h"
#include "db/strange.h"
#include "db/template.h"
#include "db/writer_private.h"

#define OPEN_ATTEMPTS 3

/* Must come before the first access, which fixes both settings. */
static const char first_settings[] = "PRAGMA locking_mode = EXCLUSIVE; PRAGMA page_size = %d;";
static const char settings[] = "PRAGMA cache_size = -16384; PRAGMA foreign_keys = OFF;";

sqlite3_stmt *writer_statement(struct db_writer *w, sqlite3_stmt **stmt, const char *sql, struct error *err)
{
	if (!*stmt)
		*stmt = sql_prepare(w->db, sql, w->part, err);
	return *stmt;
}

sqlite3_stmt *writer_insert_statement(struct db_writer *w, enum row_type_id id, struct error *err)
{
	char sql[ROW_SQL_MAX];
	if (w->insert[id])
		return w->insert[id];
	return writer_statement(w, &w->insert[id], row_insert_sql(id, sql), err);
}

bool writer_bound(struct db_writer *w, int code, struct error *err)
{
	return code == SQLITE_OK || sql_error(err, w->db, code, w->part, "write");
}

bool writer_insert(struct db_writer *w, enum row_type_id id, const void *rows, size_t count,
	int64_t first_task_id, struct error *err)
{
	sqlite3_stmt *stmt = writer_insert_statement(w, id, err);
	struct bulk_batch batch = {&row_types[id], rows, count, first_task_id};
	return stmt && (count == 0 || (writer_bound(w, bulk_bind(stmt, row_leads(id) + 1, &batch), err) &&
					      sql_run(stmt, w->part, err)));
}

/* ---- bytes ---- */

/* SQLite's own descriptor of the file, so that no other need be opened. NULL: none. */
static sqlite3_file *opened_file(struct db_writer *w)
{
	sqlite3_file *file = NULL;
	int code = sqlite3_file_control(w->db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
	return code == SQLITE_OK && file->pMethods ? file : NULL;
}

/* SQLite reads and writes less than 128 KiB a call, and takes the number of bytes modulo that. */
#define BYTES_PER_CALL 65536

/* Writes `from`, or reads into `to`: the other one is NULL. */
static bool transfer(
	struct db_writer *w, const char *from, char *to, size_t size, int64_t at, struct error *err)
{
	sqlite3_file *file = opened_file(w);
	int code = file ? SQLITE_OK : SQLITE_IOERR;
	errno = 0;
	for (size_t done = 0, now; code == SQLITE_OK && done < size; done += now) {
		int64_t place = at + (int64_t)done;
		now = size - done < BYTES_PER_CALL ? size - done : BYTES_PER_CALL;
		code = from ? file->pMethods->xWrite(file, from + done, (int)now, place)
			    : file->pMethods->xRead(file, to + done, (int)now, place);
	}
	return code == SQLITE_OK || sql_error(err, NULL, code, w->part, from ? "write" : "read");
}

static bool write_bytes(void *writer, const void *bytes, size_t size, int64_t at, struct error *err)
{
	return transfer(writer, bytes, NULL, size, at, err);
}

static bool read_bytes(void *writer, void *bytes, size_t size, int64_t at, struct error *err)
{
	return transfer(writer, NULL, bytes, size, at, err);
}

/* ---- opening ---- */

/* PRAGMA journal_mode returns the mode that is now in force, and only then writes it into the file. */
static bool set_journal_mode(struct db_writer *w, const char *sql, const char *mode, struct error *err)
{
	sqlite3_stmt *stmt = sql_prepare(w->db, sql, w->part, err);
	if (!stmt)
		return false;
	errno = 0;
	int code = sqlite3_step(stmt);
	const char *is = code == SQLITE_ROW ? (const char *)sqlite3_column_text(stmt, 0) : NULL;
	bool done = is && strcmp(is, mode) == 0;
	bool refused = is && !done;
	if (code == SQLITE_ROW)
		code = sqlite3_step(stmt);
	if (code != SQLITE_DONE)
		done = sql_error(err, w->db, code, w->part, "write");
	else if (refused)
		error_set(err, STATUS_IO, "%s: SQLite cannot set its journal to %s here", w->part, mode);
	else if (!done)
		error_memory(err, "writing a recording");
	sqlite3_finalize(stmt);
	return done;
}

static bool moved(struct db_writer *w)
{
	int yes = 0;
	return sqlite3_file_control(w->db, "main", SQLITE_FCNTL_HAS_MOVED, &yes) == SQLITE_OK && yes;
}

/* OPEN_REFUSED: the file is, or may be, another writer's. */
enum opened { OPENED, OPEN_FAILED, OPEN_REFUSED, OPEN_AGAIN };

/* Whether a file may be one that a writer has left, cut short at any place. */
static bool may_be_ours(const char *file)
{
	static const char magic[15] = "SQLite format 3", nothing[sizeof(magic)] = {0};
	char head[sizeof(magic)];
	FILE *f = fopen(file, "rbe");
	size_t size = f ? fread(head, 1, sizeof(head), f) : 0;
	if (f)
		fclose(f);
	return memcmp(head, magic, size) == 0 || memcmp(head, nothing, size) == 0;
}

/* There was a file before. What a killed writer has left nobody reads: it is removed. Either we have its
 * lock, or it is no sound database. But the part of a campaign has rows that are needed; and other files are
 * not removed unasked. */
static enum opened leftover(struct db_writer *w, struct error *err)
{
	if (w->kind == WRITER_PART) {
		error_set(err, STATUS_IO, "%s exists already", w->part);
		return OPEN_REFUSED;
	}
	if (!w->overwrite && !may_be_ours(w->part)) {
		error_set(err, STATUS_INPUT,
			"%s is in the way, and is no recording that was begun; remove it, or overwrite it "
			"with --force",
			w->part);
		return OPEN_REFUSED;
	}
	unlink(w->whole);
	if (unlink(w->part) == 0 || errno == ENOENT)
		return OPEN_AGAIN;
	error_set(err, STATUS_IO, "cannot remove %s: %s", w->part, strerror(errno));
	return OPEN_REFUSED;
}

/* Words why a file could not be created: SQLite then tries to open it for reading, and reports why that
 * failed. */
static void cannot_create(struct db_writer *w, int code, struct error *err)
{
	char *folder = folder_of(w->part);
	if (folder && faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) != 0)
		error_set(err, STATUS_IO, "cannot create %s: %s", w->part, strerror(errno));
	else
		sql_error(err, w->db, code, w->part, "create the file");
	free(folder);
}

/* SQLite's locks, taken for it: where it finds them it goes on, and keeps them, as its locking mode says. */
static int lock(struct db_writer *w, sqlite3_file *file)
{
	static const int levels[] = {SQLITE_LOCK_SHARED, SQLITE_LOCK_RESERVED, SQLITE_LOCK_EXCLUSIVE};
	int code = sqlite3_db_readonly(w->db, "main") == 1 ? SQLITE_READONLY : SQLITE_OK;
	for (size_t i = 0; code == SQLITE_OK && i < sizeof(levels) / sizeof(levels[0]); i++)
		code = file->pMethods->xLock(file, levels[i]);
	return code;
}

/* What a writer that died has left beside a file that is gone; SQLite would believe it. */
static bool remove_logs(struct db_writer *w, struct error *err)
{
	const char *const logs[] = {w->wal, w->journal};
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++)
		if (unlink(logs[i]) != 0 && errno != ENOENT)
			return error_set(err, STATUS_IO, "cannot remove %s: %s", logs[i], strerror(errno));
	return true;
}

/* Takes the lock, which a living writer has, before SQLite reads anything. */
static enum opened lock_part(struct db_writer *w, struct error *err)
{
	sqlite3_int64 size = 0;
	sqlite3_file *file = opened_file(w);
	errno = 0;
	int code = file ? lock(w, file) : SQLITE_CANTOPEN;
	if (code != SQLITE_OK) {
		sql_error(err, NULL, code, w->part, "lock the file");
		return (code & 0xff) == SQLITE_BUSY ? OPEN_REFUSED : OPEN_FAILED;
	}
	if (moved(w)) /* its writer finished or removed it after we opened it and before we locked it */
		return OPEN_AGAIN;
	code = file->pMethods->xFileSize(file, &size);
	if (code != SQLITE_OK) {
		sql_error(err, NULL, code, w->part, "create the file");
		return OPEN_FAILED;
	}
	if (size > 0)
		return leftover(w, err);
	return remove_logs(w, err) ? OPENED : OPEN_FAILED;
}

/* One attempt to get a new, empty FILE.part with its lock. */
static enum opened open_part(struct db_writer *w, struct error *err)
{
	char first[sizeof(first_settings) + 16];
	snprintf(first, sizeof(first), first_settings, PAGE_SIZE);
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
	int code = sqlite3_open_v2(w->part, &w->db, flags, NULL);
	if (code != SQLITE_OK) {
		cannot_create(w, code, err);
		return OPEN_FAILED;
	}
	sqlite3_extended_result_codes(w->db, 1);
	code = strange_distrust(w->db); /* of parts that are attached */
	if (code != SQLITE_OK) {
		sql_error(err, w->db, code, w->part, "create the file");
		return OPEN_FAILED;
	}
	return sql_exec(w->db, first, w->part, err) ? lock_part(w, err) : OPEN_FAILED;
}

/* SQLite asks whether a statement may do what it does: these are the tables into which rows are written. */
static int note_table(void *writer, int action, const char *table, const char *unused, const char *schema,
	const char *within)
{
	struct db_writer *w = writer;
	(void)unused, (void)within;
	if (action != SQLITE_INSERT || strcmp(schema, "main") != 0)
		return SQLITE_OK;
	for (int id = 0; id < ROW_TYPES; id++)
		w->filled[id] = w->filled[id] || strcmp(row_types[id].table, table) == 0;
	return SQLITE_OK;
}

/* It is read whatever became of its writer: so the file must be sound, or empty, at every moment. */
static bool begin_part(struct db_writer *w, struct error *err)
{
	return sql_exec(w->db, "PRAGMA synchronous = NORMAL", w->part, err) &&
	       set_journal_mode(w, "PRAGMA journal_mode = WAL", "wal", err) &&
	       /* IMMEDIATE: the log is opened here and now */
	       sql_exec(w->db, "BEGIN IMMEDIATE", w->part, err) && schema_create(w->db, w->part, err);
}

/* Nobody reads it before it has its name. So it is one transaction, which is brought to the disk at the end;
 * its journal only takes back statements. */
static bool begin_whole(struct db_writer *w, struct error *err)
{
	return sql_exec(w->db, "PRAGMA synchronous = OFF", w->part, err) &&
	       set_journal_mode(w, "PRAGMA journal_mode = MEMORY", "memory", err) &&
	       writer_bound(w, sqlite3_set_authorizer(w->db, note_table, w), err) &&
	       sql_exec(w->db, "BEGIN", w->part, err);
}

static bool create_content(struct db_writer *w, struct error *err)
{
	const struct page_file file = {read_bytes, write_bytes, w};
	bool is_part = w->kind == WRITER_PART;
	return (is_part || template_write(&file, err)) && sql_exec(w->db, settings, w->part, err) &&
	       writer_bound(w, bulk_register(w->db), err) &&
	       (is_part ? begin_part(w, err) : begin_whole(w, err));
}

static bool create_paged(struct db_writer *w, struct error *err)
{
	int64_t pages;
	return w->kind != WRITER_PAGES ||
	       (sql_query_integer(w->db, "PRAGMA page_count", &pages, w->part, err) &&
		       (w->paged = paged_create(w->part, (uint32_t)pages, err)));
}

static bool file_is_free(const struct db_writer *w, struct error *err)
{
	if (w->overwrite || access(w->file, F_OK) != 0)
		return true;
	return error_set(err, STATUS_INPUT,
		"%s exists already; choose another name, or overwrite it with --force", w->file);
}

/* What a signal that ends the program leaves of a part is needed, of all else it is not. */
static void register_files(struct db_writer *w)
{
	if (w->kind == WRITER_PART)
		return;
	w->registered[0] = interrupt_removes(w->part);
	w->registered[1] = interrupt_removes(w->whole);
}

/* A file that was created, and in which nothing could be written. If it is another writer's, which has not
 * locked it yet, that one finds that it has moved, and begins again. */
static void remove_empty(const struct db_writer *w)
{
	struct stat status;
	if (stat(w->part, &status) == 0 && status.st_size == 0)
		unlink(w->part);
}

static enum opened open_registered(struct db_writer *w, struct error *err)
{
	sigset_t before;
	interrupt_hold(&before);
	enum opened opened = open_part(w, err);
	if (opened == OPENED)
		register_files(w);
	interrupt_release(&before);
	return opened;
}

static bool open_new(struct db_writer *w, struct error *err)
{
	if (!file_is_free(w, err))
		return false;
	for (int i = 0; i < OPEN_ATTEMPTS; i++) {
		enum opened opened = open_registered(w, err);
		if (opened == OPENED)
			return file_is_free(w, err) && create_content(w, err);
		sqlite3_close(w->db);
		w->db = NULL;
		if (opened == OPEN_FAILED)
			remove_empty(w);
		if (opened != OPEN_AGAIN)
			return false;
	}
	return error_set(err, STATUS_IO, "%s: other processes keep writing the file", w->part);
}

void writer_free(struct db_writer *w)
{
	paged_destroy(w->paged);
	for (int i = 0; i < ROW_TYPES; i++)
		sqlite3_finalize(w->insert[i]);
	for (int i = 0; i < ROWS_DIGESTED; i++)
		sqlite3_finalize(w->lookup[i]);
	sqlite3_finalize(w->trace_release);
	sqlite3_finalize(w->trace_digest);
	sqlite3_finalize(w->things);
	sqlite3_finalize(w->last_task);
	sqlite3_finalize(w->first_task);
	sqlite3_finalize(w->find_run);
	sqlite3_finalize(w->find_analysis);
	for (size_t i = 0; i < sizeof(w->forget) / sizeof(w->forget[0]); i++)
		sqlite3_finalize(w->forget[i]);
	int code = sqlite3_close(w->db);
	assert(code == SQLITE_OK);
	(void)code;
	for (size_t i = 0; i < sizeof(w->registered) / sizeof(w->registered[0]); i++)
		interrupt_keeps(w->registered[i]);
	free(w->file);
	free(w->part);
	free(w->whole);
	free(w->wal);
	free(w->journal);
	free(w);
}

static char *with(const char *file, const char *ending)
{
	char *name;
	return asprintf(&name, "%s%s", file, ending) < 0 ? NULL : name;
}

static bool name_files(struct db_writer *w, const char *file, struct error *err)
{
	w->file = strdup(file);
	w->part = with(file, ".part");
	w->whole = with(file, ".part-pages");
	w->wal = with(file, ".part-wal");
	w->journal = with(file, ".part-journal");
	return (w->file && w->part && w->whole && w->wal && w->journal) ||
	       error_memory(err, "opening a recording");
}

struct db_writer *writer_open_as(enum writer_kind kind, const char *file, bool overwrite, struct error *err)
{
	struct db_writer *w = calloc(1, sizeof(*w));
	if (!w) {
		error_memory(err, "opening a recording");
		return NULL;
	}
	w->kind = kind;
	w->overwrite = overwrite;
	if (!name_files(w, file, err)) {
		writer_free(w);
		return NULL;
	}
	if (!open_new(w, err) || !create_paged(w, err)) {
		bool ours = w->db != NULL; /* locked, and nothing of anybody else is in it */
		writer_abandon(w, !ours);
		return NULL;
	}
	return w;
}

struct db_writer *writer_open(const char *file, bool overwrite, struct error *err)
{
	return writer_open_as(WRITER_PAGES, file, overwrite, err);
}

/* ---- ending ---- */

bool writer_commit(struct db_writer *w, struct error *err)
{
	w->uncommitted = 0;
	return w->kind != WRITER_PART ||
	       (sql_exec(w->db, "COMMIT", w->part, err) && sql_exec(w->db, "BEGIN", w->part, err));
}

bool writer_meta(struct db_writer *w, const char *key, const char *value, struct error *err)
{
	sqlite3_stmt *stmt = sql_prepare(w->db, "INSERT INTO meta (key, value) VALUES (?, ?)", w->part, err);
	bool ok = stmt && writer_bound(w, sqlite3_bind_text(stmt, 1, key, -1, SQLITE_STATIC), err) &&
		  writer_bound(w, sqlite3_bind_text(stmt, 2, value, -1, SQLITE_STATIC), err) &&
		  sql_run(stmt, w->part, err);
	sqlite3_finalize(stmt);
	return ok;
}

static bool write_status(struct db_writer *w, const char *interrupted, struct error *err)
{
	return writer_meta(w, "tool_version", CEGSIM_VERSION, err) &&
	       writer_meta(w, "status", interrupted ? "interrupted" : "complete", err) &&
	       (!interrupted || writer_meta(w, "interrupted", interrupted, err));
}

/* Adds the pages of the bulk tables behind SQLite's back: it has written and read all that it will. */
static bool add_pages(struct db_writer *w, sqlite3_file *file, struct error *err)
{
	const struct page_file part = {read_bytes, write_bytes, w};
	sqlite3_int64 size = 0;
	int code = file->pMethods->xFileSize(file, &size);
	if (code != SQLITE_OK)
		return sql_error(err, NULL, code, w->part, "read");
	unlink(w->whole); /* of a writer that died */
	return paged_write(w->paged, (uint32_t)(size / PAGE_SIZE), &part, w->whole, &w->is_whole, err);
}

/* All that SQLite writes is written: adds the rest, and brings all to the disk. */
static bool settle(struct db_writer *w, struct error *err)
{
	sqlite3_file *file = opened_file(w);
	if (!file)
		return sql_error(err, w->db, SQLITE_IOERR, w->part, "write");
	if (w->paged && !add_pages(w, file, err))
		return false;
	errno = 0;
	int code = w->is_whole ? SQLITE_OK : file->pMethods->xSync(file, SQLITE_SYNC_FULL);
	return code == SQLITE_OK || sql_error(err, w->db, code, w->part, "write the file to the disk");
}

static bool sync_folder(const char *file, struct error *err)
{
	char *folder = folder_of(file);
	if (!folder)
		return error_memory(err, "naming a recording");
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool ok = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP);
	if (!ok)
		error_set(err, STATUS_IO, "cannot write the folder %s to the disk: %s", folder,
			strerror(errno));
	if (fd >= 0)
		close(fd);
	free(folder);
	return ok;
}

/* The file is renamed while the lock is held, so that no process takes the .part for a leftover; so a .part
 * that is not the recording is removed last. */
static bool give_name(struct db_writer *w, struct error *err)
{
	if (moved(w))
		return error_set(err, STATUS_IO, "%s was moved or removed while it was written", w->part);
	const char *from = w->is_whole ? w->whole : w->part;
	int flags = w->overwrite ? 0 : RENAME_NOREPLACE;
	int failed = renameat2(AT_FDCWD, from, AT_FDCWD, w->file, (unsigned)flags);
	if (failed && errno == EINVAL) { /* a file system without RENAME_NOREPLACE */
		if (!file_is_free(w, err))
			return false;
		failed = rename(from, w->file);
	}
	if (failed && errno == EEXIST)
		return file_is_free(w, err);
	if (failed)
		return error_set(
			err, STATUS_IO, "cannot rename %s to %s: %s", from, w->file, strerror(errno));
	if (w->is_whole)
		unlink(w->part);
	return sync_folder(w->file, err);
}

/* What SQLite still has to write. */
static bool complete(struct db_writer *w, const char *interrupted, struct error *err)
{
	return write_status(w, interrupted, err) && schema_analyze(w->db, w->filled, w->part, err) &&
	       (!w->paged || (paged_statistics(w->paged, w->db, err) && paged_roots(w->paged, w->db, err))) &&
	       template_views(w->db, w->part, err) && sql_exec(w->db, "COMMIT", w->part, err);
}

/* Closes the file, and then removes it: closing, SQLite removes its log by name, which must not be another
 * writer's yet. */
static void close_and_remove(struct db_writer *w)
{
	char *files[] = {w->part, w->whole, w->wal, w->journal};
	bool ours = w->db && !moved(w); /* else the names may be another writer's */
	w->part = w->whole = w->wal = w->journal = NULL;
	writer_free(w);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (ours)
			unlink(files[i]);
		free(files[i]);
	}
}

/* Whether it gets its name or not, the file is complete now, and stays: if not as FILE, then as FILE.part. */
static bool end_with_name(struct db_writer *w, struct error *err)
{
	sigset_t before;
	interrupt_hold(&before);
	bool ok = give_name(w, err);
	if (!ok && w->is_whole && (moved(w) || rename(w->whole, w->part) != 0))
		unlink(w->whole);
	writer_free(w);
	interrupt_release(&before);
	return ok;
}

bool writer_finish(struct db_writer *w, const char *interrupted, struct error *err)
{
	assert(w->kind != WRITER_PART);
	if ((!w->in_run || writer_discard_run(w, err)) && complete(w, interrupted, err) && settle(w, err))
		return end_with_name(w, err);
	writer_abandon(w, false);
	return false;
}

void writer_abandon(struct db_writer *w, bool keep)
{
	if (!w)
		return;
	if (keep || w->amends)
		writer_free(w);
	else
		close_and_remove(w);
}
