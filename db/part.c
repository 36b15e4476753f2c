/* db/part.c - reads which units a part of a campaign contains; see db/merge.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "db/merge.h"
#include "db/sql.h"
#include "db/strange.h"

struct part_reading {
	sqlite3 *db;
	struct merge_part *part;
	bool finished;
};

void part_finish(struct merge_part *part)
{
	free(part->file);
	free(part->name);
	free(part->text);
	free(part->tool_version);
	free(part->scenario);
	free(part->shard);
	free(part->chosen);
	free(part->interrupted);
	free(part->stretches);
	*part = (struct merge_part){0};
}

/* Copies the texts of the first row; without a row all stay NULL. */
static bool read_texts(struct part_reading *r, const char *sql, char **texts[], int count, struct error *err)
{
	sqlite3_stmt *stmt = sql_prepare(r->db, sql, r->part->file, err);
	if (!stmt)
		return false;
	int code = sqlite3_step(stmt);
	bool ok = code == SQLITE_ROW || code == SQLITE_DONE ||
		  sql_error(err, r->db, code, r->part->file, "read");
	for (int i = 0; ok && code == SQLITE_ROW && i < count; i++) {
		const char *text = (const char *)sqlite3_column_text(stmt, i);
		*texts[i] = text ? strdup(text) : NULL;
		ok = !text || *texts[i] || error_memory(err, "reading a part of a campaign");
	}
	sqlite3_finalize(stmt);
	return ok;
}

static bool read_meta(struct part_reading *r, struct error *err)
{
	struct merge_part *p = r->part;
	char **campaign[] = {&p->name, &p->text, &p->tool_version};
	char **scenario[] = {&p->scenario}, **shard[] = {&p->shard}, **chosen[] = {&p->chosen};
	char **interrupted[] = {&p->interrupted};
	int64_t others, analysed;
	if (!read_texts(r, "SELECT name, text, tool_version FROM scenario WHERE kind = 'campaign'", campaign,
		    3, err) ||
		(p->text && !read_texts(r, "SELECT text FROM scenario WHERE kind <> 'campaign'", scenario, 1,
				    err)) ||
		!read_texts(r, "SELECT value FROM meta WHERE key = 'shard'", shard, 1, err) ||
		!read_texts(r, "SELECT value FROM meta WHERE key = 'chosen'", chosen, 1, err) ||
		!read_texts(r, "SELECT value FROM meta WHERE key = 'interrupted'", interrupted, 1, err) ||
		!sql_query_integer(r->db,
			"SELECT (SELECT count(*) FROM scenario WHERE kind <> 'campaign'"
			" AND NOT EXISTS (SELECT 1 FROM scenario WHERE kind = 'campaign'))",
			&others, p->file, err))
		return false;
	if (!sql_query_integer(
		    r->db, "SELECT count(*) FROM meta WHERE key = 'analysed'", &analysed, p->file, err))
		return false;
	if (analysed > 0)
		return error_set(err, STATUS_INPUT,
			"analyses were added to %s: merge the shares as sweep left them, then "
			"analyze the whole",
			p->file);
	if (others > 0 || (r->finished && !p->text))
		return error_set(err, STATUS_INPUT,
			"%s is not a part of a campaign: cegsim sweep makes those", p->file);
	return true;
}

/* Between releases tables are added without a new version of the recording. */
static bool other_build(const struct part_reading *r, int tables, struct error *err)
{
	const char *version = r->part->tool_version;
	return error_set(err, STATUS_INPUT,
		"%s was made by another build of cegsim: %s with %d tables of sets, this is %s with %d; the "
		"parts of a campaign must all be made, resumed and merged by one build",
		r->part->file, version ? version : "one", tables, CEGSIM_VERSION, UNIT_TABLES);
}

/* Reads the ends of one stretch; *last is carried from stretch to stretch. */
static bool read_ends(struct part_reading *r, sqlite3_stmt *stmt, struct part_stretch *s, struct error *err)
{
	int rows = 0, named = 0, sound = 0, code = SQLITE_OK;
	while ((code = sqlite3_step(stmt)) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(stmt, 0);
		rows++;
		for (int i = 0; name && i < UNIT_TABLES; i++) {
			if (strcmp(name, unit_tables[i]) != 0)
				continue;
			s->last[i] = sqlite3_column_int64(stmt, 1);
			named++;
			sound += s->last[i] >= s->before[i];
		}
	}
	sqlite3_reset(stmt);
	if (code != SQLITE_DONE)
		return sql_error(err, r->db, code, r->part->file, "read");
	if (rows > 0 && (rows != named || named != UNIT_TABLES))
		return other_build(r, rows, err);
	return sound == UNIT_TABLES ||
	       error_set(err, STATUS_INPUT,
		       "%s: the recording is damaged, table stretch_end: a stretch ends before it begins",
		       r->part->file);
}

static bool read_stretches(struct part_reading *r, sqlite3_stmt *list, sqlite3_stmt *ends, struct error *err)
{
	struct merge_part *p = r->part;
	size_t capacity = 0;
	int code;
	while ((code = sqlite3_step(list)) == SQLITE_ROW) {
		if (!list_reserve(&p->stretches, &capacity, p->stretch_count + 1, sizeof(*p->stretches)))
			return error_memory(err, "reading a part of a campaign");
		struct part_stretch *s = &p->stretches[p->stretch_count];
		*s = (struct part_stretch){
			sqlite3_column_int64(list, 1), sqlite3_column_int64(list, 2), {0}, {0}};
		if (s->first_unit < 0 || s->units < 1 || s->first_unit > UINT32_MAX ||
			s->units > UINT32_MAX - s->first_unit) /* no campaign has so many */
			return error_set(err, STATUS_INPUT,
				"%s: the recording is damaged, table stretch: %" PRId64
				" units from %" PRId64,
				p->file, s->units, s->first_unit);
		if (p->stretch_count > 0)
			memcpy(s->before, s[-1].last, sizeof(s->before));
		if (sqlite3_bind_int64(ends, 1, sqlite3_column_int64(list, 0)) != SQLITE_OK ||
			!read_ends(r, ends, s, err))
			return false;
		p->stretch_count++;
	}
	return code == SQLITE_DONE || sql_error(err, r->db, code, p->file, "read");
}

static bool read_units(struct part_reading *r, struct error *err)
{
	const char *file = r->part->file;
	sqlite3_stmt *list = sql_prepare(
		r->db, "SELECT stretch_id, first_unit, units FROM stretch ORDER BY stretch_id", file, err);
	sqlite3_stmt *ends =
		list ? sql_prepare(r->db, "SELECT tbl, last_rowid FROM stretch_end WHERE stretch_id = ?",
			       file, err)
		     : NULL;
	bool ok = ends && read_stretches(r, list, ends, err);
	sqlite3_finalize(list);
	sqlite3_finalize(ends);
	return ok;
}

/* *empty: its writer died before it had committed anything. */
static bool identify(struct part_reading *r, bool *empty, struct error *err)
{
	int64_t application, version, tables;
	const char *file = r->part->file;
	if (!sql_query_integer(r->db, "PRAGMA application_id", &application, file, err) ||
		!sql_query_integer(r->db, "PRAGMA user_version", &version, file, err) ||
		!sql_query_integer(r->db,
			"SELECT count(*) FROM sqlite_master WHERE name IN ('stretch_end', 'task_segments')",
			&tables, file, err))
		return false;
	*empty = !r->finished && tables == 0;
	if (*empty)
		return true;
	if (application != RECORDING_APPLICATION_ID)
		return error_set(
			err, STATUS_INPUT, "%s is an SQLite file, but not a recording of cegsim", file);
	if (version != RECORDING_VERSION || tables < 2)
		return error_set(err, STATUS_INPUT,
			"%s was written by another version of cegsim (recording version %lld, here %d)", file,
			(long long)version, RECORDING_VERSION);
	return true;
}

static bool is_finished(struct part_reading *r, struct error *err)
{
	int64_t rows;
	if (!r->finished)
		return true;
	return sql_query_integer(
		       r->db, "SELECT count(*) FROM meta WHERE key = 'status'", &rows, r->part->file, err) &&
	       (rows == 1 || error_set(err, STATUS_INPUT, "%s is not finished: its writer was interrupted",
				     r->part->file));
}

bool part_connect(const char *file, bool finished, struct sqlite3 **db, struct error *err)
{
	int flags = finished ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
	int code = strange_open(file, flags, finished ? NULL : "PRAGMA locking_mode = EXCLUSIVE", db);
	return strange_opened(*db, code, file, err) && strange_tables(*db, "main", file, err);
}

bool part_read(const char *file, bool finished, struct merge_part *part, struct error *err)
{
	struct part_reading r = {.part = part, .finished = finished};
	bool empty = false;
	*part = (struct merge_part){.file = strdup(file), .finished = finished};
	if (!part->file)
		return error_memory(err, "reading a part of a campaign");
	bool ok = part_connect(file, finished, &r.db, err) && identify(&r, &empty, err) &&
		  (empty || (is_finished(&r, err) && read_meta(&r, err) && read_units(&r, err)));
	sqlite3_close(r.db);
	if (!ok)
		part_finish(part);
	return ok;
}
