/* db/amend.c - adds analyses, or what was measured, to a finished recording. SQLite's rollback journal
 * protects the file, whatever happens. */
#include <stdlib.h>
#include <string.h>

#include "db/bulk.h"
#include "db/sql.h"
#include "db/strange.h"
#include "db/writer_private.h"

/* Changed pages stay in memory until the end. If they were written before, readers of the recording would be
 * locked out. */
static const char settings[] =
	"PRAGMA cache_spill = OFF; PRAGMA foreign_keys = OFF; PRAGMA synchronous = FULL;"
	"BEGIN IMMEDIATE";

/* meta.analysed: the rows of a share of a campaign are no longer where its stretches say (db/part.c). */
static const char mark[] = "INSERT INTO meta (key, value) VALUES ('analysed', 'yes') ON CONFLICT DO NOTHING";

static bool identify(struct db_writer *w, struct error *err)
{
	int64_t application, version, finished;
	if (!sql_query_integer(w->db, "PRAGMA application_id", &application, w->file, err) ||
		!sql_query_integer(w->db, "PRAGMA user_version", &version, w->file, err))
		return false;
	if (application != RECORDING_APPLICATION_ID)
		return error_set(
			err, STATUS_INPUT, "%s is an SQLite file, but not a recording of cegsim", w->file);
	if (version != RECORDING_VERSION)
		return error_set(err, STATUS_INPUT,
			"%s was written by another version of cegsim (recording version %lld, here %d)",
			w->file, (long long)version, RECORDING_VERSION);
	if (!sql_query_integer(
		    w->db, "SELECT count(*) FROM meta WHERE key = 'status'", &finished, w->file, err))
		return false;
	return finished == 1 ||
	       error_set(err, STATUS_INPUT, "%s is not finished: its writer was interrupted", w->file);
}

static bool begin(struct db_writer *w, struct error *err)
{
	int code = strange_open(w->file, SQLITE_OPEN_READWRITE, NULL, &w->db);
	if (!strange_opened(w->db, code, w->file, err))
		return false;
	if (sqlite3_db_readonly(w->db, "main") == 1)
		return error_set(err, STATUS_IO, "%s: the file may not be written", w->file);
	return strange_tables(w->db, "main", w->file, err) && identify(w, err) &&
	       writer_bound(w, bulk_register(w->db), err) && sql_exec(w->db, settings, w->file, err) &&
	       sql_exec(w->db, mark, w->file, err) &&
	       sql_query_integer(w->db, "SELECT coalesce(max(analysis_run_id), 0) FROM analysis_run",
		       &w->analyses, w->file, err);
}

struct db_writer *writer_amend(const char *file, struct error *err)
{
	struct db_writer *w = calloc(1, sizeof(*w));
	if (!w) {
		error_memory(err, "opening a recording");
		return NULL;
	}
	w->amends = true;
	w->file = strdup(file);
	w->part = strdup(file); /* the name of the file in errors */
	if (w->file && w->part ? begin(w, err) : error_memory(err, "opening a recording"))
		return w;
	writer_free(w);
	return NULL;
}

bool writer_amended(struct db_writer *w, struct error *err)
{
	bool ok = sql_exec(w->db, "COMMIT", w->file, err);
	writer_free(w);
	return ok;
}
