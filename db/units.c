/* db/units.c - writes the tables stretch, stretch_end and failed_unit. */
#include "db/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/packed.h"
#include "db/paged.h"
#include "db/sql.h"
#include "db/writer_private.h"

#define UNIT_TABLE_NAME(name) #name,
const char *const unit_tables[UNIT_TABLES] = {UNIT_TABLE_NAMES(UNIT_TABLE_NAME)};

struct db_units {
	struct db_writer *writer;
	sqlite3_stmt *stretch, *end[UNIT_TABLES], *failed;
	enum row_type_id type[UNIT_TABLES];
};

static bool prepare(struct db_units *u, struct error *err)
{
	struct db_writer *w = u->writer;
	char sql[160];
	if (!writer_statement(w, &u->stretch, "INSERT INTO stretch (first_unit, units) VALUES (?, ?)", err) ||
		!writer_statement(w, &u->failed, "INSERT INTO failed_unit (unit, reason) VALUES (?, ?)", err))
		return false;
	for (int i = 0; i < UNIT_TABLES; i++) {
		snprintf(sql, sizeof(sql),
			"INSERT INTO stretch_end (stretch_id, tbl, last_rowid)"
			" SELECT ?1, '%s', coalesce(max(rowid), 0) + ?2 FROM %s",
			unit_tables[i], unit_tables[i]);
		if (!writer_statement(w, &u->end[i], sql, err))
			return false;
		u->type[i] = row_type_named(unit_tables[i]);
	}
	return true;
}

struct db_units *units_open(struct db_writer *w, struct error *err)
{
	struct db_units *u = calloc(1, sizeof(*u));
	if (!u) {
		error_memory(err, "opening a recording");
		return NULL;
	}
	u->writer = w;
	if ((w->packs || packed_begin(w, err)) && prepare(u, err))
		return u;
	units_close(u);
	return NULL;
}

void units_close(struct db_units *u)
{
	if (!u)
		return;
	sqlite3_finalize(u->stretch);
	sqlite3_finalize(u->failed);
	for (int i = 0; i < UNIT_TABLES; i++)
		sqlite3_finalize(u->end[i]);
	free(u);
}

bool units_mark(struct db_units *u, int64_t first, int64_t count, struct error *err)
{
	struct db_writer *w = u->writer;
	if (!writer_bound(w, sqlite3_bind_int64(u->stretch, 1, first), err) ||
		!writer_bound(w, sqlite3_bind_int64(u->stretch, 2, count), err) ||
		!sql_run(u->stretch, w->part, err))
		return false;
	int64_t id = sqlite3_last_insert_rowid(w->db);
	for (int i = 0; i < UNIT_TABLES; i++)
		if (!writer_bound(w, sqlite3_bind_int64(u->end[i], 1, id), err) ||
			!writer_bound(w, sqlite3_bind_int64(u->end[i], 2, paged_rowid(w->paged, u->type[i])),
				err) ||
			!sql_run(u->end[i], w->part, err))
			return false;
	return true;
}

bool units_fail(struct db_units *u, int64_t unit, const char *reason, struct error *err)
{
	struct db_writer *w = u->writer;
	return writer_bound(w, sqlite3_bind_int64(u->failed, 1, unit), err) &&
	       writer_bound(w, sqlite3_bind_text(u->failed, 2, reason, -1, SQLITE_TRANSIENT), err) &&
	       sql_run(u->failed, w->part, err);
}

bool units_extent(struct db_units *u, const struct units_extent *extent, struct error *err)
{
	return (!extent->shard || writer_meta(u->writer, "shard", extent->shard, err)) &&
	       (!extent->chosen || writer_meta(u->writer, "chosen", extent->chosen, err));
}
