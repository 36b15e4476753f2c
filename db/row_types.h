/* db/row_types.h - which field of a row struct is which column; inserts and digests come from
 * these tables. */
#ifndef CEGSIM_DB_ROW_TYPES_H
#define CEGSIM_DB_ROW_TYPES_H

#include "base/error.h"
#include "db/digest.h"
#include "db/rows.h"

enum row_field {
	FIELD_TEXT,    /* const char *; NULL is NULL */
	FIELD_INTEGER, /* int64_t; DB_NULL is NULL */
	FIELD_INSTANT, /* int64_t; negative is NULL */
	FIELD_U8,
	FIELD_U16,
	FIELD_U32,
	FIELD_U32_OR_NONE,  /* ROW_NONE is NULL */
	FIELD_U32_OR_ZERO,  /* 0 is NULL */
	FIELD_TASK,         /* uint32_t, a task's index; the column is its task_id */
	FIELD_TASK_OR_NULL, /* int64_t, the same; DB_NULL is NULL */
	FIELD_TRACE,        /* as FIELD_INTEGER, but an id: no part of a digest */
};

struct row_column {
	const char *name;
	enum row_field field;
	size_t offset;
};

enum row_type_id {
	ROWS_SCENARIO,
	ROWS_PLATFORM,
	ROWS_POLICY,
	ROWS_TASKSET,
	ROWS_RELEASE_TRACE, /* things with a digest */
	ROWS_TASK,
	ROWS_SEGMENT,
	ROWS_SEGMENT_BLOCK,
	ROWS_PROFILE,
	ROWS_TRACE_DURATION,
	ROWS_WARP_MACHINE,
	ROWS_WARP_UNIT,
	ROWS_WARP_KERNEL,
	ROWS_WARP_STEP,
	ROWS_ANALYSIS,
	ROWS_BOUND,
	ROWS_BOUND_PART,
	ROWS_RUN,
	ROWS_RUN_TASK,
	ROWS_RUN_WARP_KERNEL,
	ROWS_RUN_SUB_CORE,
	ROWS_HIST,
	ROWS_EPOCH,
	ROWS_EPOCH_SM,
	ROWS_EPOCH_QUOTA,
	ROWS_WARP_ISSUE,
	ROWS_JOB,
	ROWS_SEGMENT_INTERVAL,
	ROWS_BLOCK_INTERVAL,
	ROWS_POWER_INTERVAL,
	ROWS_DECISION,
	ROW_TYPES
};
#define ROWS_DIGESTED (ROWS_RELEASE_TRACE + 1)
#define RUN_SETUP_COLUMNS 12 /* of ROWS_RUN: those that say how a run is set up */
/* Tables whose rows belong to a run and can be taken back with it. */
#define ROWS_FIRST_OF_RUN ROWS_RUN_TASK
/* Up to here they are there at every level of recording, and part of the run's identity (db/identity.h). */
#define ROWS_LAST_OF_IDENTITY ROWS_HIST

#define ROW_COLUMNS_MAX 40

struct row_type {
	const char *table;
	const char *lead[2]; /* columns in front that are no field, bound to ?1, ?2 */
	const struct row_column *columns;
	size_t column_count, row_size;
};

extern const struct row_type row_types[ROW_TYPES];

#define ROW_SQL_MAX 2048
/* The INSERT statement of a table, of all the rows of a batch (db/bulk.h): ?1, ... are its leads, the
 * parameter after them is the batch. */
const char *row_insert_sql(enum row_type_id id, char sql[ROW_SQL_MAX]);

int row_leads(enum row_type_id id);

/* Adds the first `columns` fields (SIZE_MAX: all) to a digest. */
void row_digest(enum row_type_id id, struct digest *d, const void *row, size_t columns);
/* What stands in the field's column: a text (NULL: NULL), or a number (DB_NULL: NULL; a task_id: the
 * task's index). */
const char *row_text(const struct row_column *column, const void *row);
int64_t row_number(const struct row_column *column, const void *row);
/* Adds one field as its column has it, NULL as DB_NULL or no string; a task_id counts as the task's index. */
void row_digest_value(const struct row_column *column, struct digest *d, const void *row);

#endif
