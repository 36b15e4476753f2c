/* db/merge.c - merges the parts of a campaign: copies whole stretches of rows, in the order of the units.
 * Each kind of id is increased by one constant per stretch. db/merge_source.h says how parts are read. */
#include "db/merge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "db/bulk.h"
#include "db/merge_source.h"
#include "db/paged.h"
#include "db/sql.h"
#include "db/verdicts.h"
#include "db/writer_private.h"

/* Parts that are open at a time: those that are attached, and others, of which the one that was not used for
 * longest is closed. */
#define SOURCES_MAX 64

/* A stretch of one of the parts. */
struct piece {
	const struct part_stretch *stretch;
	size_t part;
};

struct merge {
	struct db_writer *writer;
	const struct merge_part *parts;
	size_t part_count;
	struct piece *pieces; /* by first unit */
	size_t piece_count;
	struct merge_source sources[SOURCES_MAX]; /* the first MERGE_ATTACHED_MAX are attached */
	uint64_t uses;
	bool *fits;     /* [part_count] the part's things and analyses are known to be those of all */
	char *analyses; /* of the first part that has some: see same_analyses(); NULL: none so far */
	int64_t rows[UNIT_TABLES]; /* number of rows in the target */
	char *select[UNIT_TABLES]; /* columns to select, with ids increased */
	char *into[UNIT_TABLES];   /* INSERT INTO table (these columns) */
	sqlite3_stmt *insert[UNIT_TABLES], *insert_failed;
	enum row_type_id type[UNIT_TABLES]; /* of unit_tables */
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

/* False: *err. */
static bool free_merge(struct merge *m, struct error *err)
{
	bool ok = true;
	for (int i = 0; i < UNIT_TABLES; i++) {
		free(m->select[i]);
		free(m->into[i]);
		sqlite3_finalize(m->insert[i]);
	}
	sqlite3_finalize(m->insert_failed);
	for (int i = 0; i < SOURCES_MAX; i++)
		ok = merge_source_close(&m->sources[i], err) && ok;
	free(m->pieces);
	free(m->fits);
	free(m->analyses);
	return ok;
}

bool merge_check(const struct merge_part *parts, size_t count, struct error *err)
{
	struct merge m = {.parts = parts, .part_count = count};
	bool ok = list_pieces(&m, err) && check_campaigns(&m, err) && check_overlap(&m, err);
	struct error closing;
	return free_merge(&m, &closing) && ok;
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
	       : strstr(column, "shape_id")      ? " + ?7"
						 : "";
}

/* An INSERT of the rows of another statement, maybe of another connection. */
static sqlite3_stmt *prepare_insert(struct merge *m, const char *into, int columns, struct error *err)
{
	struct text sql = {0};
	text_printf(&sql, "%s SELECT ", into);
	for (int i = 0; i < columns; i++)
		text_printf(&sql, "%sc%d", i ? ", " : "", i);
	text_add(&sql, " FROM cegsim_rows(?1)");
	sqlite3_stmt *stmt = text_ok(&sql, "merging the parts of a campaign", err)
				     ? sql_prepare(m->writer->db, text_data(&sql), m->writer->part, err)
				     : NULL;
	text_finish(&sql);
	return stmt;
}

/* The columns of a table without generated ones, which PRAGMA table_info does not list. */
static bool list_columns(
	struct merge *m, int table, struct text *select, struct text *into, int *count, struct error *err)
{
	char sql[80];
	int code;
	snprintf(sql, sizeof(sql), "PRAGMA main.table_info(%s)", unit_tables[table]);
	sqlite3_stmt *stmt = sql_prepare(m->writer->db, sql, m->writer->part, err);
	if (!stmt)
		return false;
	text_printf(into, "INSERT INTO main.%s (", unit_tables[table]);
	for (*count = 0; (code = sqlite3_step(stmt)) == SQLITE_ROW; ++*count) {
		const char *name = (const char *)sqlite3_column_text(stmt, 1), *comma = *count ? ", " : "";
		name = name ? name : "";
		text_printf(select, "%s%s%s", comma, name, increase(unit_tables[table], name));
		text_printf(into, "%s%s", comma, name);
	}
	text_add_char(into, ')');
	bool ok = code == SQLITE_DONE || sql_error(err, m->writer->db, code, m->writer->part, "read");
	sqlite3_finalize(stmt);
	return ok && text_ok(select, "merging the parts of a campaign", err) &&
	       text_ok(into, "merging the parts of a campaign", err);
}

static bool prepare_table(struct merge *m, int table, struct error *err)
{
	struct text select = {0}, into = {0};
	int count;
	bool ok = list_columns(m, table, &select, &into, &count, err);
	m->type[table] = row_type_named(unit_tables[table]);
	if (ok) {
		m->select[table] = text_take(&select);
		m->into[table] = text_take(&into);
		m->insert[table] = prepare_insert(m, m->into[table], count, err);
	}
	text_finish(&select);
	text_finish(&into);
	return ok && m->insert[table];
}

static bool prepare(struct merge *m, struct error *err)
{
	m->fits = calloc(m->part_count + 1, sizeof(*m->fits));
	if (!m->fits)
		return error_memory(err, "merging the parts of a campaign");
	for (int i = 0; i < UNIT_TABLES; i++)
		if (!prepare_table(m, i, err))
			return false;
	m->insert_failed = prepare_insert(m, "INSERT INTO main.failed_unit (unit, reason)", 2, err);
	return m->insert_failed;
}

/* Runs an INSERT of prepare_insert() into a table with all rows of a statement of the part. */
static bool insert_from(struct merge *m, sqlite3_stmt *insert, const char *table,
	const struct merge_source *s, sqlite3_stmt *from, struct error *err)
{
	struct bulk_batch batch = {.answer = from};
	bool ok = writer_bound(m->writer, bulk_bind(insert, 1, &batch), err) &&
		  sql_copy(insert, table, s->part->file, m->writer->part, err);
	if (batch.failure != SQLITE_OK)
		ok = merge_source_error(s, batch.failure, err);
	sqlite3_reset(from);
	return ok;
}

/* ---- what parts have in common ---- */

/* What units share. Things with an id are known by a value, such as their digest; the others belong to the
 * thing in front of them. */
static const struct thing {
	const char *table, *id, *value, *called;
} things[] = {
	{"scenario", "scenario_id", "digest", "scenario"},
	{"platform", "platform_id", "digest", "platform"},
	{"policy", "policy_id", "digest", "policy"},
	{"release_trace", "trace_id", "digest", "release trace"},
	{"trace_release", NULL, NULL, NULL},
	{"trace_duration", NULL, NULL, NULL},
	{"question", "question_id", "policy_id || coalesce(' ' || analysis || ' ' || params, '')",
		"question"},
	{"grid_point", "point_id", "recipe", "point"},
};

/* A row (id, value) of the part against that of the same id in the target. */
static bool same_thing(
	struct merge *m, sqlite3_stmt *theirs, sqlite3_stmt *ours, bool *is_same, struct error *err)
{
	const char *value = (const char *)sqlite3_column_text(theirs, 1);
	if (!writer_bound(m->writer, sqlite3_bind_value(ours, 1, sqlite3_column_value(theirs, 0)), err))
		return false;
	int code = sqlite3_step(ours);
	const char *own = code == SQLITE_ROW ? (const char *)sqlite3_column_text(ours, 0) : NULL;
	*is_same = own && value && same(own, value);
	sqlite3_reset(ours);
	return code == SQLITE_ROW || code == SQLITE_DONE ||
	       sql_error(err, m->writer->db, code, m->writer->part, "read");
}

static bool same_list(struct merge *m, struct merge_source *s, const struct thing *thing, struct error *err)
{
	char sql[160];
	bool is_same = true, ok;
	int code = SQLITE_DONE;
	snprintf(sql, sizeof(sql), "SELECT %s FROM main.%s WHERE %s = ?1", thing->value, thing->table,
		thing->id);
	sqlite3_stmt *ours = sql_prepare(m->writer->db, sql, m->writer->part, err), *theirs = NULL;
	snprintf(sql, sizeof(sql), "SELECT %s, %s FROM %%s.%s", thing->id, thing->value, thing->table);
	ok = ours && (theirs = merge_source_prepare(s, sql, err));
	while (ok && is_same && (code = sqlite3_step(theirs)) == SQLITE_ROW)
		ok = same_thing(m, theirs, ours, &is_same, err);
	if (ok && is_same && code != SQLITE_DONE)
		ok = merge_source_error(s, code, err);
	sqlite3_finalize(theirs);
	sqlite3_finalize(ours);
	if (ok && !is_same)
		return error_set(err, STATUS_INPUT,
			"%s: its list of %s entries is not that of the other parts", s->part->file,
			thing->called);
	return ok;
}

/* The things that parts share must have the same ids: every part begins with them, in the same order. */
static bool same_things(struct merge *m, struct merge_source *s, struct error *err)
{
	for (size_t i = 0; i < sizeof(things) / sizeof(things[0]); i++)
		if (things[i].id && !same_list(m, s, &things[i], err))
			return false;
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
static bool same_analyses(struct merge *m, struct merge_source *s, struct error *err)
{
	sqlite3_stmt *stmt = merge_source_prepare(s,
		"SELECT coalesce(group_concat(entry, x'0a'), '') FROM (SELECT DISTINCT policy_id || ' ' ||"
		" analysis || ' ' || params AS entry FROM %s.analysis_run WHERE taskset_id ="
		" (SELECT taskset_id FROM %s.analysis_run ORDER BY analysis_run_id LIMIT 1) ORDER BY 1)",
		err);
	int code = stmt ? sqlite3_step(stmt) : SQLITE_ERROR; /* a row */
	const char *list = code == SQLITE_ROW ? (const char *)sqlite3_column_text(stmt, 0) : NULL;
	bool ok = list ? compare_analyses(m, s->part->file, list, err)
		       : stmt && merge_source_error(s, code == SQLITE_ROW ? SQLITE_NOMEM : code, err);
	sqlite3_finalize(stmt);
	return ok;
}

/* Copies all that units share, from the first part. */
static bool copy_things(struct merge *m, struct merge_source *s, struct error *err)
{
	bool ok = true;
	for (size_t i = 0; ok && i < sizeof(things) / sizeof(things[0]); i++) {
		char select[64], into[64];
		snprintf(select, sizeof(select), "SELECT * FROM %%s.%s ORDER BY 1", things[i].table);
		snprintf(into, sizeof(into), "INSERT INTO main.%s", things[i].table);
		sqlite3_stmt *from = merge_source_prepare(s, select, err);
		sqlite3_stmt *insert = from ? prepare_insert(m, into, sqlite3_column_count(from), err) : NULL;
		ok = insert && insert_from(m, insert, things[i].table, s, from, err);
		sqlite3_finalize(insert);
		sqlite3_finalize(from);
	}
	return ok;
}

/* The part's place among those that are open: its own, an empty one, or that of the one, not attached, that
 * was not used for longest. */
static int choose_source(const struct merge *m, const struct merge_part *part)
{
	int oldest = MERGE_ATTACHED_MAX;
	for (int i = 0; i < SOURCES_MAX; i++) {
		const struct merge_source *s = &m->sources[i];
		if (s->part == part || !s->part)
			return i;
		if (i >= MERGE_ATTACHED_MAX && s->used < m->sources[oldest].used)
			oldest = i;
	}
	return oldest;
}

static bool open_source(struct merge *m, int place, const struct merge_part *part, struct error *err)
{
	struct db_writer *w = m->writer;
	struct merge_source *s = &m->sources[place];
	if (place >= MERGE_ATTACHED_MAX)
		return merge_source_close(s, err) && merge_source_open(s, part, err);
	return sql_exec(w->db, "COMMIT", w->part, err) && merge_source_attach(s, part, w->db, place, err) &&
	       sql_exec(w->db, "BEGIN", w->part, err);
}

/* Opens the part, if it is not open; NULL: *err. */
static struct merge_source *source_of(struct merge *m, size_t part, struct error *err)
{
	int place = choose_source(m, &m->parts[part]);
	struct merge_source *s = &m->sources[place];
	bool first = m->uses == 0;
	if (s->part != &m->parts[part] && !open_source(m, place, &m->parts[part], err))
		return NULL;
	s->used = ++m->uses;
	if (m->fits[part])
		return s;
	m->fits[part] =
		(!first || copy_things(m, s, err)) && same_things(m, s, err) && same_analyses(m, s, err);
	return m->fits[part] ? s : NULL;
}

/* ---- copying ---- */

/* Bulk tables of the target are not SQLite's (db/paged.h). */
static bool is_paged(const struct merge *m, int table)
{
	return m->writer->paged && paged_takes(m->type[table]);
}

static bool copy_to_pages(struct merge *m, struct merge_source *s, sqlite3_stmt *from, int table,
	int64_t *copied, struct error *err)
{
	int code;
	bool ok = true;
	for (*copied = 0; ok && (code = sqlite3_step(from)) == SQLITE_ROW; ++*copied)
		ok = paged_copy(m->writer->paged, m->type[table], from, err);
	ok = ok && (code == SQLITE_DONE || merge_source_error(s, code, err));
	sqlite3_reset(from);
	return ok;
}

static bool copy_by_sqlite(struct merge *m, struct merge_source *s, sqlite3_stmt *stmt, int table,
	int64_t *copied, struct error *err)
{
	const char *name = unit_tables[table];
	if (!(s->attached ? sql_copy(stmt, name, s->part->file, m->writer->part, err)
			  : insert_from(m, m->insert[table], name, s, stmt, err)))
		return false;
	*copied = sqlite3_changes(m->writer->db);
	return true;
}

static bool copy_rows(struct merge *m, struct merge_source *s, const struct part_stretch *from, int table,
	const int64_t before[UNIT_TABLES], struct error *err)
{
	int64_t expected = from->last[table] - from->before[table], copied;
	if (expected == 0)
		return true;
	const int64_t values[] = {
		from->before[table],
		from->last[table],
		before[UNIT_run] - from->before[UNIT_run],
		before[UNIT_task] - from->before[UNIT_task],
		before[UNIT_taskset] - from->before[UNIT_taskset],
		before[UNIT_analysis_run] - from->before[UNIT_analysis_run],
		before[UNIT_segment_shape] - from->before[UNIT_segment_shape],
	};
	bool paged = is_paged(m, table);
	const char *into = s->attached && !paged ? m->into[table] : NULL;
	sqlite3_stmt *stmt = merge_source_rows(s, table, into, m->select[table], err);
	if (!stmt || !merge_source_bind(s, stmt, values, sizeof(values) / sizeof(values[0]), err) ||
		!(paged ? copy_to_pages(m, s, stmt, table, &copied, err)
			: copy_by_sqlite(m, s, stmt, table, &copied, err)))
		return false;
	if (copied != expected)
		return error_set(err, STATUS_INPUT, "%s: rows of table %s have gone; was the file changed?",
			s->part->file, unit_tables[table]);
	m->rows[table] += expected;
	return true;
}

static bool copy_piece(struct merge *m, const struct piece *piece, struct error *err)
{
	struct merge_source *s = source_of(m, piece->part, err);
	if (!s)
		return false;
	const struct part_stretch *from = piece->stretch;
	int64_t before[UNIT_TABLES];
	memcpy(before, m->rows, sizeof(before));
	for (int i = 0; i < UNIT_TABLES; i++)
		if (!copy_rows(m, s, from, i, before, err))
			return false;
	const int64_t units[] = {from->first_unit, from->first_unit + from->units - 1};
	return merge_source_bind(s, s->failed, units, 2, err) &&
	       insert_from(m, m->insert_failed, "failed_unit", s, s->failed, err);
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
		*cut = goes_on && !goes_on(self, (double)(i + 1) / (double)m->piece_count);
		if (*cut)
			return true;
	}
	return count == 0 || units_mark(units, first, count, err);
}

/* A campaign without any unit still has its text and platforms: any part has these. */
static bool copy_shared(struct merge *m, struct error *err)
{
	for (size_t i = 0; i < m->part_count; i++)
		if (m->parts[i].text)
			return source_of(m, i, err);
	return true;
}

/* Ends outside of a transaction: parts are to be detached. */
static bool copy_all(struct merge *m, merge_goes_on *goes_on, void *self, bool *cut, struct error *err)
{
	struct db_units *units = units_open(m->writer, err);
	bool ok = units && copy_shared(m, err) && copy_pieces(m, units, goes_on, self, cut, err) &&
		  (!m->writer->paged || paged_end_run(m->writer->paged, err)) &&
		  sql_exec(m->writer->db, "COMMIT", m->writer->part, err);
	units_close(units);
	return ok;
}

bool merge_parts(struct db_writer *w, const struct merge_part *parts, size_t count, merge_goes_on *goes_on,
	void *self, bool *cut, struct error *err)
{
	struct merge m = {.writer = w, .parts = parts, .part_count = count};
	struct error closing;
	*cut = false;
	bool ok = list_pieces(&m, err) && check_campaigns(&m, err) && check_overlap(&m, err) &&
		  prepare(&m, err) && copy_all(&m, goes_on, self, cut, err);
	bool closed = free_merge(&m, &closing);
	if (ok && !closed)
		*err = closing;
	return ok && closed && sql_exec(w->db, "BEGIN", w->part, err) && (*cut || verdicts_count(w, err));
}
