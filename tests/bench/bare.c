/* tests/bench/bare.c - see tests/bench/bare.h. */
#include "tests/bench/bare.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "db/bulk.h"
#include "db/schema.h"
#include "db/sql.h"
#include "tests/bench/clock.h"

#define MS INT64_C(1000000)

/* ---- rows ---- */

static const void *job_rows(void)
{
	static struct job_row rows[SAMPLE_ROWS];
	for (uint32_t i = 0; i < SAMPLE_ROWS; i++)
		rows[i] = (struct job_row){
			.release_ns = i * 5 * MS,
			.abs_deadline_ns = (i + 1) * 5 * MS,
			.first_start_ns = i * 5 * MS + 1234,
			.finish_ns = i * 5 * MS + 2345678,
			.task = i % 16,
			.seq = 100 + i / 16,
			.outcome = job_outcome(ROW_JOB_FINISHED, false),
		};
	return rows;
}

static const void *segment_rows(void)
{
	static struct segment_interval_row rows[SAMPLE_ROWS];
	for (uint32_t i = 0; i < SAMPLE_ROWS; i++)
		rows[i] = (struct segment_interval_row){
			.ready_ns = i * MS,
			.start_ns = i * MS + 1234,
			.end_ns = i * MS + 345678,
			.task = i % 16,
			.seq = 100 + i / 80,
			.segment_idx = (uint16_t)(i % 5),
			.code = segment_interval_code((enum row_resource)(i % 3), ROW_RUN, ROW_SPAN_DONE),
		};
	return rows;
}

static const void *block_rows(void)
{
	static struct block_interval_row rows[SAMPLE_ROWS];
	for (uint32_t i = 0; i < SAMPLE_ROWS; i++)
		rows[i] = (struct block_interval_row){
			.start_ns = i * MS,
			.end_ns = i * MS + 345678,
			.task = i % 16,
			.seq = 100 + i / 64,
			.block = i % 4,
			.sm = i % 2,
			.slot = i % 4,
			.threads = 512,
			.segment_idx = 2,
		};
	return rows;
}

static const void *power_rows(void)
{
	static struct power_interval_row rows[SAMPLE_ROWS];
	for (uint32_t i = 0; i < SAMPLE_ROWS; i++)
		rows[i] = (struct power_interval_row){
			.start_ns = i * MS,
			.end_ns = (i + 1) * MS,
			.power_uw = 3000000 + i,
			.active_sms = i % 3,
			.idle_sms = 2 - i % 3,
		};
	return rows;
}

static const void *decision_rows(void)
{
	static struct decision_row rows[SAMPLE_ROWS];
	for (uint32_t i = 0; i < SAMPLE_ROWS; i++)
		rows[i] = (struct decision_row){
			.time_ns = i * MS,
			.predicted_uwns = i * MS * 1000,
			.task = i % 16,
			.seq = 100 + i / 64,
			.sms = 1 + i % 8,
			.segment_idx = 2,
			.feasible = 1,
		};
	return rows;
}

static const void *hist_rows(void)
{
	static struct hist_row rows[SAMPLE_ROWS];
	for (uint32_t i = 0; i < SAMPLE_ROWS; i++)
		rows[i] = (struct hist_row){.jobs = 1000 + i, .task = i / 64, .bucket = 300 + i % 64};
	return rows;
}

const void *sample_rows(enum row_type_id id)
{
	typedef const void *rows_fn(void);
	static rows_fn *const makers[ROW_TYPES] = {
		[ROWS_HIST] = hist_rows,
		[ROWS_JOB] = job_rows,
		[ROWS_SEGMENT_INTERVAL] = segment_rows,
		[ROWS_BLOCK_INTERVAL] = block_rows,
		[ROWS_POWER_INTERVAL] = power_rows,
		[ROWS_DECISION] = decision_rows,
	};
	return makers[id] ? makers[id]() : NULL;
}

/* ---- inserting them ---- */

static const char settings[] =
	"PRAGMA page_size = 16384; PRAGMA cache_size = -65536; PRAGMA journal_mode = OFF;"
	"PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;";

static bool insert_stream(sqlite3 *db, enum row_type_id id, size_t count, const char *file, struct error *err)
{
	char sql[ROW_SQL_MAX];
	struct bulk_batch batch = {.type = &row_types[id], .rows = sample_rows(id), .first_task_id = 1};
	sqlite3_stmt *stmt = sql_prepare(db, row_insert_sql(id, sql), file, err);
	bool ok = stmt != NULL;
	for (; ok && count > 0; count -= batch.count) {
		batch.count = count < SAMPLE_ROWS ? count : SAMPLE_ROWS;
		sqlite3_bind_int64(stmt, 1, 1);
		bulk_bind(stmt, 2, &batch);
		ok = sql_run(stmt, file, err);
	}
	sqlite3_finalize(stmt);
	return ok;
}

static int64_t field_value(const struct row_column *column, const char *row)
{
	const char *at = row + column->offset;
	union {
		int64_t i64;
		uint32_t u32;
		uint16_t u16;
		uint8_t u8;
	} value = {0};
	size_t size = column->field == FIELD_U8                                          ? 1
		      : column->field == FIELD_U16                                       ? 2
		      : column->field == FIELD_INTEGER || column->field == FIELD_INSTANT ? 8
											 : 4;
	memcpy(&value, at, size);
	return size == 1 ? value.u8 : size == 2 ? value.u16 : size == 4 ? value.u32 : value.i64;
}

static bool insert_rows(sqlite3 *db, enum row_type_id id, size_t count, const char *file, struct error *err)
{
	const struct row_type *type = &row_types[id];
	const char *rows = sample_rows(id);
	char sql[ROW_SQL_MAX];
	int at = snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES (?", type->table);
	for (size_t i = 0; i < type->column_count; i++)
		if (row_is_member(&type->columns[i]))
			at += snprintf(sql + at, sizeof(sql) - (size_t)at, ", ?");
	snprintf(sql + at, sizeof(sql) - (size_t)at, ")");
	sqlite3_stmt *stmt = sql_prepare(db, sql, file, err);
	bool ok = stmt != NULL;
	for (size_t i = 0; ok && i < count; i++) {
		const char *row = rows + i % SAMPLE_ROWS * type->row_size;
		sqlite3_bind_int64(stmt, 1, 1);
		for (size_t c = 0, n = 2; c < type->column_count; c++)
			if (row_is_member(&type->columns[c]))
				sqlite3_bind_int64(stmt, (int)n++, field_value(&type->columns[c], row));
		ok = sql_run(stmt, file, err);
	}
	sqlite3_finalize(stmt);
	return ok;
}

double bare_insert(
	const char *folder, enum row_type_id id, enum bare_way way, size_t count, struct error *err)
{
	char file[4096];
	sqlite3 *db = NULL;
	snprintf(file, sizeof(file), "%s/bare.db", folder);
	bool ok = sqlite3_open(file, &db) == SQLITE_OK && bulk_register(db) == SQLITE_OK;
	if (!ok)
		sql_error(err, db, SQLITE_CANTOPEN, file, "create the file");
	ok = ok && sql_exec(db, settings, file, err) && schema_create(db, file, err);
	double start = cpu_seconds();
	ok = ok && sql_exec(db, "BEGIN", file, err) &&
	     (way == BARE_STREAM ? insert_stream : insert_rows)(db, id, count, file, err) &&
	     sql_exec(db, "COMMIT", file, err);
	double took = cpu_seconds() - start;
	sqlite3_close(db);
	unlink(file);
	return ok ? took : -1;
}
