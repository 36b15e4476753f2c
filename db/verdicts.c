/* db/verdicts.c - see db/verdicts.h. */
#include "db/verdicts.h"

#include "db/sql.h"
#include "db/writer_private.h"

/* The table's one lead column is the row's id. */
static bool insert_with_id(
	struct db_writer *w, enum row_type_id type, int64_t id, const void *row, struct error *err)
{
	sqlite3_stmt *stmt = writer_insert_statement(w, type, err);
	return stmt && writer_bound(w, sqlite3_bind_int64(stmt, 1, id), err) &&
	       writer_insert(w, type, row, 1, 0, err);
}

bool verdicts_question(struct db_writer *w, int64_t id, const struct question_row *row, struct error *err)
{
	return insert_with_id(w, ROWS_QUESTION, id, row, err);
}

bool verdicts_point(struct db_writer *w, int64_t point, const struct grid_point_row *row, struct error *err)
{
	return insert_with_id(w, ROWS_GRID_POINT, point, row, err);
}

bool verdicts_unit(struct db_writer *w, const struct verdict_row *rows, size_t count, struct error *err)
{
	return writer_insert(w, ROWS_VERDICT, rows, count, 0, err);
}

bool verdicts_count(struct db_writer *w, struct error *err)
{
	return sql_exec(w->db,
		"INSERT INTO tally (point_id, platform_id, question_id, first_unit, sets, n, k, refused,"
		" truncated) SELECT point_id, platform_id, question_id, min(unit), count(DISTINCT unit),"
		" count(*), sum(verdict = 'schedulable'), sum(verdict = 'refused'),"
		" sum(verdict = 'truncated')"
		" FROM verdict GROUP BY point_id, platform_id, question_id ORDER BY 1, 2, 3",
		w->part, err);
}
