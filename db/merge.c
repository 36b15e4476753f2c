/* db/merge.c - merges the parts of a campaign: copies whole stretches of rows by INSERT ... SELECT from
 * attached files, in the order of the units. Each kind of id is increased by one constant per stretch. */
#include "db/merge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/sql.h"
#include "db/writer_private.h"

#define ATTACHED_MAX 8 /* below SQLite's limit of 10 */
#define STRETCHES_PER_TRANSACTION 256

/* A stretch of one of the parts. */
struct piece {
	const struct part_stretch *stretch;
	size_t part;
};

struct merge_source {
	size_t part;   /* SIZE_MAX: no part is attached */
	uint64_t used; /* when it was last used; the oldest is detached */
	sqlite3_stmt *copy[UNIT_TABLES], *failed;
};

struct merge {
	struct db_writer *writer;
	const struct merge_part *parts;
	size_t part_count;
	struct piece *pieces; /* by first unit */
	size_t piece_count;
	struct merge_source sources[ATTACHED_MAX];
	uint64_t uses;
	char *analyses; /* of the first part that has some: see same_analyses(); NULL: none so far */
	int64_t rows[UNIT_TABLES]; /* number of rows in the target */
	char *select[UNIT_TABLES]; /* columns to select, with ids increased */
	char *insert[UNIT_TABLES]; /* the names of these columns */
};

/* ---- what fits together ---- */

static int compare_pieces(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;
	int64_t left = x->stretch->first_unit, right = y->stretch->first_unit;
	if (left != right)
		return left < right ? -1 : 1;
	return x->part < y->part ? -1 : x->part > y->part;
}

static bool list_pieces(struct merge *m, struct error *err)
{
	size_t count = 0;
	for (size_t i = 0; i < m->part_count; i++)
		count += m->parts[i].stretch_count;
	m->pieces = calloc(count + 1, sizeof(*m->pieces));
	if (!m->pieces)
		return error_memory(err, "merging the parts of a campaign");
	for (size_t i = 0; i < m->part_count; i++)
		for (size_t k = 0; k < m->parts[i].stretch_count; k++)
			m->pieces[m->piece_count++] = (struct piece){&m->parts[i].stretches[k], i};
	qsort(m->pieces, m->piece_count, sizeof(*m->pieces), compare_pieces);
	return true;
}

static bool same(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

static bool check_campaigns(const struct merge *m, struct error *err)
{
	const struct merge_part *first = NULL;
	for (size_t i = 0; i < m->part_count; i++) {
		const struct merge_part *p = &m->parts[i];
		if (!p->text)
			continue;
		first = first ? first : p;
		if (!same(p->tool_version, first->tool_version))
			return error_set(err, STATUS_INPUT, "%s was made by cegsim %s, %s by cegsim %s",
				first->file, first->tool_version, p->file, p->tool_version);
		if (!same(p->text, first->text) || !same(p->name, first->name))
			return error_set(err, STATUS_INPUT,
				"%s and %s are parts of different campaigns (%s, %s)", first->file, p->file,
				first->name, same(p->name, first->name) ? "with another text" : p->name);
		if (!same(p->scenario ? p->scenario : "", first->scenario ? first->scenario : ""))
			return error_set(err, STATUS_INPUT,
				"%s and %s are parts of a campaign (%s) over different scenarios",
				first->file, p->file, first->name);
	}
	return true;
}

static bool check_overlap(const struct merge *m, struct error *err)
{
	for (size_t i = 1; i < m->piece_count; i++) {
		const struct piece *a = &m->pieces[i - 1], *b = &m->pieces[i];
		int64_t first = b->stretch->first_unit;
		if (first >= a->stretch->first_unit + a->stretch->units)
			continue;
		return error_set(err, STATUS_INPUT, "unit %" PRId64 " of the campaign is in %s and in %s",
			first, m->parts[a->part].file, m->parts[b->part].file);
	}
	return true;
}

static void free_merge(struct merge *m)
{
	free(m->pieces);
	free(m->analyses);
	for (int i = 0; i < UNIT_TABLES; i++) {
		free(m->select[i]);
		free(m->insert[i]);
	}
}

bool merge_check(const struct merge_part *parts, size_t count, struct error *err)
{
	struct merge m = {.parts = parts, .part_count = count};
	bool ok = list_pieces(&m, err) && check_campaigns(&m, err) && check_overlap(&m, err);
	free_merge(&m);
	return ok;
}

/* ---- statements ---- */

/* Ids continue after those of the target; everything else is copied unchanged. */
static const char *increase(const char *table, const char *column)
{
	if (row_holds_task(table, column))
		return " + ?4";
	return same(column, "run_id")            ? " + ?3"
	       : same(column, "taskset_id")      ? " + ?5"
	       : same(column, "analysis_run_id") ? " + ?6"
						 : "";
}

/* The columns of a table without generated ones, which PRAGMA table_info does not list. */
static bool list_columns(struct merge *m, int table, struct error *err)
{
	char sql[80];
	char *select = NULL, *insert = NULL;
	size_t select_size, insert_size;
	int code = SQLITE_DONE;
	snprintf(sql, sizeof(sql), "PRAGMA main.table_info(%s)", unit_tables[table]);
	sqlite3_stmt *stmt = sql_prepare(m->writer->db, sql, m->writer->part, err);
	FILE *to_select = open_memstream(&select, &select_size),
	     *to_insert = open_memstream(&insert, &insert_size);
	bool ok = stmt != NULL;
	if (ok && (!to_select || !to_insert))
		ok = error_memory(err, "merging the parts of a campaign");
	for (const char *comma = ""; ok && (code = sqlite3_step(stmt)) == SQLITE_ROW; comma = ", ") {
		const char *name = (const char *)sqlite3_column_text(stmt, 1);
		name = name ? name : "";
		fprintf(to_select, "%s%s%s", comma, name, increase(unit_tables[table], name));
		fprintf(to_insert, "%s%s", comma, name);
	}
	if (ok && code != SQLITE_DONE)
		ok = sql_error(err, m->writer->db, code, m->writer->part, "read");
	sqlite3_finalize(stmt);
	bool written = to_select && !ferror(to_select) && to_insert && !ferror(to_insert);
	if (to_select && fclose(to_select) != 0)
		written = false;
	if (to_insert && fclose(to_insert) != 0)
		written = false;
	m->select[table] = select;
	m->insert[table] = insert;
	return ok && (written || error_memory(err, "merging the parts of a campaign"));
}

static bool prepare_copy(struct merge *m, int slot, int table, struct error *err)
{
	char *sql;
	if (asprintf(&sql,
		    "INSERT INTO main.%s (%s) SELECT %s FROM part%d.%s WHERE rowid > ?1 AND rowid <= ?2",
		    unit_tables[table], m->insert[table], m->select[table], slot, unit_tables[table]) < 0)
		return error_memory(err, "merging the parts of a campaign");
	struct merge_source *s = &m->sources[slot];
	s->copy[table] = sql_prepare(m->writer->db, sql, m->writer->part, err);
	free(sql);
	return s->copy[table] != NULL;
}

/* ---- attaching ---- */

static bool detach(struct merge *m, int slot, struct error *err)
{
	struct merge_source *s = &m->sources[slot];
	char sql[40];
	for (int i = 0; i < UNIT_TABLES; i++) {
		sqlite3_finalize(s->copy[i]);
		s->copy[i] = NULL;
	}
	sqlite3_finalize(s->failed);
	s->failed = NULL;
	if (s->part == SIZE_MAX)
		return true;
	s->part = SIZE_MAX;
	snprintf(sql, sizeof(sql), "DETACH part%d", slot);
	return sql_exec(m->writer->db, sql, m->writer->part, err);
}

static bool attach_file(struct merge *m, int slot, const char *file, struct error *err)
{
	char sql[40];
	snprintf(sql, sizeof(sql), "ATTACH ?1 AS part%d", slot);
	sqlite3_stmt *stmt = sql_prepare(m->writer->db, sql, file, err);
	bool ok = stmt && writer_bound(m->writer, sqlite3_bind_text(stmt, 1, file, -1, SQLITE_STATIC), err) &&
		  sql_run(stmt, file, err);
	sqlite3_finalize(stmt);
	return ok;
}

/* What units share. Things with an id have a digest, too; the others belong to the thing in front of them. */
static const struct {
	const char *table, *id, *called;
} things[] = {
	{"scenario", "scenario_id", "scenario"},
	{"platform", "platform_id", "platform"},
	{"policy", "policy_id", "policy"},
	{"release_trace", "trace_id", "release trace"},
	{"trace_release", NULL, NULL},
	{"trace_duration", NULL, NULL},
};

/* The things that parts share must have the same ids: every part begins with them, in the same order. */
static bool same_things(struct merge *m, int slot, struct error *err)
{
	for (size_t i = 0; i < sizeof(things) / sizeof(things[0]); i++) {
		char sql[256];
		int64_t others;
		if (!things[i].id)
			continue;
		snprintf(sql, sizeof(sql),
			"SELECT count(*) FROM part%d.%s a LEFT JOIN main.%s b USING (%s)"
			" WHERE b.digest IS NOT a.digest",
			slot, things[i].table, things[i].table, things[i].id);
		if (!sql_query_integer(m->writer->db, sql, &others, m->writer->part, err))
			return false;
		if (others > 0)
			return error_set(err, STATUS_INPUT,
				"%s: its list of %s entries is not that of the other parts",
				m->parts[m->sources[slot].part].file, things[i].called);
	}
	return true;
}

/* Takes the list over, or compares it with that of an earlier part. */
static bool compare_analyses(struct merge *m, const char *file, const char *list, struct error *err)
{
	if (!m->analyses && *list && !(m->analyses = strdup(list)))
		return error_memory(err, "merging");
	return !*list || strcmp(m->analyses, list) == 0 ||
	       error_set(err, STATUS_INPUT,
		       "%s: its list of analyses is not that of the other parts; an analysis of your own "
		       "is known by the digest of its file",
		       file);
}

/* Every set of a part has all analyses that its sweep asked, so its first set tells which. */
static bool same_analyses(struct merge *m, int slot, struct error *err)
{
	struct sqlite3 *db = m->writer->db;
	const char *file = m->parts[m->sources[slot].part].file;
	char sql[512];
	snprintf(sql, sizeof(sql),
		"SELECT coalesce(group_concat(entry, x'0a'), '') FROM (SELECT DISTINCT policy_id || ' ' ||"
		" analysis || ' ' || params AS entry FROM part%d.analysis_run WHERE taskset_id ="
		" (SELECT taskset_id FROM part%d.analysis_run ORDER BY analysis_run_id LIMIT 1) ORDER BY 1)",
		slot, slot);
	sqlite3_stmt *stmt = sql_prepare(db, sql, file, err);
	int code = stmt ? sqlite3_step(stmt) : SQLITE_ERROR; /* a row */
	const char *list = code == SQLITE_ROW ? (const char *)sqlite3_column_text(stmt, 0) : NULL;
	bool ok = list ? compare_analyses(m, file, list, err)
		       : stmt && sql_error(err, db, code == SQLITE_ROW ? SQLITE_NOMEM : code, file,
					 "read its analyses");
	sqlite3_finalize(stmt);
	return ok;
}

/* Copies all that units share, from the first part. */
static bool copy_things(struct merge *m, int slot, struct error *err)
{
	for (size_t i = 0; i < sizeof(things) / sizeof(things[0]); i++) {
		char sql[128];
		snprintf(sql, sizeof(sql), "INSERT INTO main.%s SELECT * FROM part%d.%s ORDER BY 1",
			things[i].table, slot, things[i].table);
		if (!sql_exec(m->writer->db, sql, m->writer->part, err))
			return false;
	}
	return true;
}

static int choose_slot(const struct merge *m, size_t part)
{
	int oldest = 0;
	for (int i = 0; i < ATTACHED_MAX; i++) {
		if (m->sources[i].part == part)
			return i;
		if (m->sources[i].used < m->sources[oldest].used)
			oldest = i;
	}
	return oldest;
}

/* Attaches the part in place of the one that was not used for the longest time. Returns the slot; -1:
 * *err. */
static int attach(struct merge *m, size_t part, struct error *err)
{
	struct db_writer *w = m->writer;
	int slot = choose_slot(m, part);
	struct merge_source *s = &m->sources[slot];
	bool first = m->uses == 0;
	s->used = ++m->uses;
	if (s->part == part)
		return slot;
	if (!sql_exec(w->db, "COMMIT", w->part, err) || !detach(m, slot, err) ||
		!attach_file(m, slot, m->parts[part].file, err))
		return -1;
	s->part = part;
	if (!sql_exec(w->db, "BEGIN", w->part, err) || (first && !copy_things(m, slot, err)) ||
		!same_things(m, slot, err) || !same_analyses(m, slot, err))
		return -1;
	char sql[128];
	snprintf(sql, sizeof(sql),
		"INSERT INTO main.failed_unit SELECT unit, reason FROM part%d.failed_unit"
		" WHERE unit BETWEEN ?1 AND ?2",
		slot);
	s->failed = sql_prepare(w->db, sql, w->part, err);
	bool ok = s->failed != NULL;
	for (int i = 0; ok && i < UNIT_TABLES; i++)
		ok = prepare_copy(m, slot, i, err);
	return ok ? slot : -1;
}

/* ---- copying ---- */

static bool bind(struct merge *m, sqlite3_stmt *stmt, int at, int64_t value, struct error *err)
{
	return sqlite3_bind_parameter_count(stmt) < at ||
	       writer_bound(m->writer, sqlite3_bind_int64(stmt, at, value), err);
}

static bool copy_rows(struct merge *m, const struct merge_source *s, const struct part_stretch *from,
	int table, const int64_t before[UNIT_TABLES], struct error *err)
{
	sqlite3_stmt *stmt = s->copy[table];
	if (from->last[table] == from->before[table])
		return true;
	if (!bind(m, stmt, 1, from->before[table], err) || !bind(m, stmt, 2, from->last[table], err) ||
		!bind(m, stmt, 3, before[UNIT_run] - from->before[UNIT_run], err) ||
		!bind(m, stmt, 4, before[UNIT_task] - from->before[UNIT_task], err) ||
		!bind(m, stmt, 5, before[UNIT_taskset] - from->before[UNIT_taskset], err) ||
		!bind(m, stmt, 6, before[UNIT_analysis_run] - from->before[UNIT_analysis_run], err) ||
		!sql_run(stmt, m->writer->part, err))
		return false;
	int64_t expected = from->last[table] - from->before[table];
	if (sqlite3_changes(m->writer->db) != expected)
		return error_set(err, STATUS_INPUT, "%s: rows of table %s have gone; was the file changed?",
			m->parts[s->part].file, unit_tables[table]);
	m->rows[table] += expected;
	return true;
}

static bool copy_piece(struct merge *m, const struct piece *piece, struct error *err)
{
	int slot = attach(m, piece->part, err);
	if (slot < 0)
		return false;
	struct merge_source *s = &m->sources[slot];
	const struct part_stretch *from = piece->stretch;
	int64_t before[UNIT_TABLES];
	memcpy(before, m->rows, sizeof(before));
	for (int i = 0; i < UNIT_TABLES; i++)
		if (!copy_rows(m, s, from, i, before, err))
			return false;
	return bind(m, s->failed, 1, from->first_unit, err) &&
	       bind(m, s->failed, 2, from->first_unit + from->units - 1, err) &&
	       sql_run(s->failed, m->writer->part, err);
}

static bool copy_pieces(struct merge *m, struct db_units *units, merge_goes_on *goes_on, void *self,
	bool *cut, struct error *err)
{
	int64_t first = 0, count = 0;
	for (size_t i = 0; i < m->piece_count; i++) {
		const struct part_stretch *s = m->pieces[i].stretch;
		if (count > 0 && s->first_unit != first + count) {
			if (!units_mark(units, first, count, err))
				return false;
			count = 0;
		}
		first = count == 0 ? s->first_unit : first;
		count += s->units;
		if (!copy_piece(m, &m->pieces[i], err))
			return false;
		if (i % STRETCHES_PER_TRANSACTION == 0 && !writer_commit(m->writer, err))
			return false;
		*cut = goes_on && !goes_on(self, (double)(i + 1) / (double)m->piece_count);
		if (*cut)
			return true;
	}
	return count == 0 || units_mark(units, first, count, err);
}

/* A campaign without any unit still has its text and platforms: attaches any part for these. */
static bool attach_any(struct merge *m, struct error *err)
{
	for (size_t i = 0; i < m->part_count; i++)
		if (m->parts[i].text)
			return attach(m, i, err) >= 0;
	return true;
}

static bool copy_all(struct merge *m, merge_goes_on *goes_on, void *self, bool *cut, struct error *err)
{
	struct db_units *units = units_open(m->writer, err);
	bool ok = units && attach_any(m, err) && copy_pieces(m, units, goes_on, self, cut, err) &&
		  sql_exec(m->writer->db, "COMMIT", m->writer->part, err);
	units_close(units);
	struct error detaching;
	bool detached = true;
	for (int i = 0; i < ATTACHED_MAX; i++)
		detached = detach(m, i, &detaching) && detached;
	if (ok && !detached) {
		*err = detaching;
		return false;
	}
	return ok && sql_exec(m->writer->db, "BEGIN", m->writer->part, err);
}

/* An interrupted merge is repeated from its parts. So it has no journal, and syncs nothing before the end. */
static bool unprotected(struct db_writer *w, struct error *err)
{
	return sql_exec(w->db, "COMMIT", w->part, err) &&
	       sql_exec(w->db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN", w->part, err);
}

bool merge_parts(struct db_writer *w, const struct merge_part *parts, size_t count, merge_goes_on *goes_on,
	void *self, bool *cut, struct error *err)
{
	struct merge m = {.writer = w, .parts = parts, .part_count = count};
	*cut = false;
	for (int i = 0; i < ATTACHED_MAX; i++)
		m.sources[i].part = SIZE_MAX;
	bool ok = list_pieces(&m, err) && check_campaigns(&m, err) && check_overlap(&m, err) &&
		  unprotected(w, err);
	for (int i = 0; ok && i < UNIT_TABLES; i++)
		ok = list_columns(&m, i, err);
	ok = ok && copy_all(&m, goes_on, self, cut, err);
	free_merge(&m);
	return ok;
}
