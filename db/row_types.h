/* db/row_types.h - the columns of every table as data, from the lists of db/columns.h: which member of a row
 * struct is which column. Inserts, digests, comparisons and the schema (db/schema.h) come from them. */
#ifndef CEGSIM_DB_ROW_TYPES_H
#define CEGSIM_DB_ROW_TYPES_H

#include "base/error.h"
#include "db/digest.h"
#include "db/rows.h"

enum row_field {
	FIELD_TEXT,    /* const char *; NULL is NULL */
	FIELD_INTEGER, /* int64_t; DB_NULL is NULL */
	FIELD_SIZE,    /* size_t */
	FIELD_INSTANT, /* int64_t; negative is NULL */
	FIELD_U8,
	FIELD_U16,
	FIELD_U32,
	FIELD_U32_OR_NONE,  /* ROW_NONE is NULL */
	FIELD_U32_OR_ZERO,  /* 0 is NULL */
	FIELD_TASK,         /* uint32_t, a task's index; the column is its task_id */
	FIELD_TASK_OR_NULL, /* int64_t, the same; DB_NULL is NULL */
	FIELD_TASK_INDEX,   /* the member of FIELD_TASK as it is */
	FIELD_TRACE,        /* as FIELD_INTEGER, but an id: no part of a digest */
	FIELDS,
	/* Columns that are no member: db/columns.h. */
	FIELD_KEY = FIELDS,
	FIELD_LEAD,
	FIELD_OTHER,
	FIELD_GENERATED,
	FIELD_GENERATED_FIRST,
};

struct row_column {
	const char *name;
	enum row_field field;
	size_t offset;                  /* of the member; unspecified where there is none */
	const char *declaration;        /* SQL, without what follows from `words` */
	const char *const *words;       /* that it may hold, NULL at the end (db/words.h); NULL: any */
	const char *unit, *description; /* of column_doc; no unit: NULL */
};

/* Of a row struct. */
static inline bool row_is_member(const struct row_column *column)
{
	return column->field < FIELDS;
}
enum row_type_id {
	ROWS_SCENARIO,
	ROWS_PLATFORM,
	ROWS_POLICY,
	ROWS_TASKSET,
	ROWS_RELEASE_TRACE, /* things with a digest */
	ROWS_META,
	ROWS_COLUMN_DOC,
	ROWS_TRACE_RELEASE,
	ROWS_FAILED_UNIT,
	ROWS_STRETCH,
	ROWS_STRETCH_END,
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
/* Tables whose rows belong to a run and can be taken back with it. */
#define ROWS_FIRST_OF_RUN ROWS_RUN_TASK
/* Up to here they are there at every level of recording, and part of the run's identity (db/identity.h). */
#define ROWS_LAST_OF_IDENTITY ROWS_HIST

#define ROW_COLUMNS_MAX 40 /* of a table, without generated ones */

struct row_type {
	const char *table;
	const struct row_column *columns;
	size_t column_count, row_size;
	const char *constraint; /* SQL behind the columns; NULL: none */
};

extern const struct row_type row_types[ROW_TYPES];
/* All of them, in the order in which column_doc describes them. */
extern const enum row_type_id row_tables[ROW_TYPES];

#define ROW_SQL_MAX 2048
/* The INSERT statement of a table, of all the rows of a batch (db/bulk.h): ?1, ... are its leads, the
 * parameter after them is the batch. */
const char *row_insert_sql(enum row_type_id id, char sql[ROW_SQL_MAX]);

int row_leads(enum row_type_id id);

/* Some columns of a table, as indices: first .. end - 1. */
struct row_range {
	size_t first, end;
};
#define ROW_ALL ((struct row_range){0, SIZE_MAX})
/* Those from one to another, by name. */
struct row_range row_range(enum row_type_id id, const char *first, const char *last);
/* Of ROWS_RUN: those that say how a run is set up. */
struct row_range row_range_of_setup(void);

/* Adds those of these columns that are members to a digest, as docs/recording.md says: ids and the index of a
 * task do not count. */
void row_digest(enum row_type_id id, struct digest *d, const void *row, struct row_range range);
/* What stands in the member's column: a text (NULL: NULL), or a number (DB_NULL: NULL; a task_id: the
 * task's index). */
const char *row_text(const struct row_column *column, const void *row);
int64_t row_number(const struct row_column *column, const void *row);
/* Adds one member as its column has it, NULL as DB_NULL or no string; a task_id counts as the
 * task's index. */
void row_digest_value(const struct row_column *column, struct digest *d, const void *row);

#endif
