/* db/row_types.h - the columns of every table as data, made from the lists of db/columns.h: for each column
 * its member in the row struct. Inserts, digests, comparisons and the schema (db/schema.h) come from them. */
#ifndef CEGSIM_DB_ROW_TYPES_H
#define CEGSIM_DB_ROW_TYPES_H

#include <string.h>

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
	FIELD_TASK_INDEX,   /* the member of FIELD_TASK itself */
	FIELD_TRACE,        /* as FIELD_INTEGER, but an id: no part of a digest */
	FIELDS,
	/* Columns without a member: db/columns.h. */
	FIELD_KEY = FIELDS,
	FIELD_LEAD,
	FIELD_OTHER,
	FIELD_GENERATED,
	FIELD_GENERATED_FIRST,
};

struct row_column {
	const char *name;
	enum row_field field;
	size_t offset;            /* of the member; undefined if there is none */
	const char *declaration;  /* SQL, without the CHECK that is made from `words` */
	const char *const *words; /* words that it may contain, ends with NULL (db/words.h); NULL: any */
	const char *unit, *description; /* of column_doc; no unit: NULL */
};

/* Of a row struct. */
static inline bool row_is_member(const struct row_column *column)
{
	return column->field < FIELDS;
}

/* Computed when it is read. */
static inline bool row_is_generated(const struct row_column *column)
{
	return column->field == FIELD_GENERATED || column->field == FIELD_GENERATED_FIRST;
}

/* A member of a row struct, which may be packed. */
static inline int64_t row_load_integer(const void *at)
{
	int64_t value;
	memcpy(&value, at, sizeof(value));
	return value;
}

static inline uint32_t row_load_u32(const void *at)
{
	uint32_t value;
	memcpy(&value, at, sizeof(value));
	return value;
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
	ROWS_QUESTION,
	ROWS_GRID_POINT,
	ROWS_VERDICT,
	ROWS_TALLY,
	ROWS_TASK,
	ROWS_SEGMENT,
	ROWS_SEGMENT_SHAPE, /* its row is a struct segment_row */
	ROWS_TASK_SEGMENTS,
	ROWS_SEGMENT_BLOCK,
	ROWS_SEGMENT_SAMPLE,
	ROWS_PROFILE,
	ROWS_TASK_AFTER,
	ROWS_CHAIN,
	ROWS_CHAIN_TASK,
	ROWS_TRACE_DURATION,
	ROWS_WARP_MACHINE,
	ROWS_WARP_UNIT,
	ROWS_WARP_KERNEL,
	ROWS_WARP_STEP,
	ROWS_ANALYSIS,
	ROWS_BOUND,
	ROWS_BOUND_PART,
	ROWS_CHAIN_BOUND,
	ROWS_RUN,
	ROWS_RUN_TASK,
	ROWS_RUN_WARP_KERNEL,
	ROWS_RUN_SUB_CORE,
	ROWS_CHAIN_RUN,
	ROWS_RUN_GPU,
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
	ROWS_MEASURED,
	ROWS_CONTEXT_INTERVAL,
	ROW_TYPES
};
#define ROWS_DIGESTED (ROWS_RELEASE_TRACE + 1)
/* Tables whose rows belong to a run and can be removed with it. */
#define ROWS_FIRST_OF_RUN ROWS_RUN_TASK
/* Tables up to this one are written at every level of recording, and are part of the run's identity
 * (db/identity.h). */
#define ROWS_LAST_OF_IDENTITY ROWS_HIST

#define ROW_COLUMNS_MAX 64 /* of a table, generated ones too; asserted in row_types.c */

struct row_type {
	const char *table;
	const struct row_column *columns;
	size_t column_count, row_size;
	const char *constraint; /* SQL behind the columns; NULL: none */
};

extern const struct row_type row_types[ROW_TYPES];
/* The type of a table, by its name, which exists. */
enum row_type_id row_type_named(const char *table);
/* All tables, in the order in which column_doc describes them. */
extern const enum row_type_id row_tables[ROW_TYPES];

#define ROW_SQL_MAX 4096
/* The INSERT statement of a table, for all rows of a batch (db/bulk.h). ?1, ... are its lead columns; the
 * last parameter is the batch. */
const char *row_insert_sql(enum row_type_id id, char sql[ROW_SQL_MAX]);

int row_leads(enum row_type_id id);

/* A range of columns of a table, as indices: first .. end - 1. */
struct row_range {
	size_t first, end;
};
#define ROW_ALL ((struct row_range){0, SIZE_MAX})
/* The columns from one to another, by their names. */
struct row_range row_range(enum row_type_id id, const char *first, const char *last);
/* The columns of ROWS_RUN that say how a run is set up. */
struct row_range row_range_of_setup(void);

/* Whether the column of that name in that table is a task_id, whatever its name. */
bool row_holds_task(const char *table, const char *column);

/* Adds the columns in the range that are members to a digest, by the rules of docs/recording.md: ids, and the
 * index of a task, do not count. */
void row_digest(enum row_type_id id, struct digest *d, const void *row, struct row_range range);
/* The value of the member's column: a text (NULL: NULL), or a number (DB_NULL: NULL; for a task_id the task's
 * index). */
const char *row_text(const struct row_column *column, const void *row);
int64_t row_number(const struct row_column *column, const void *row);
/* Adds the value of one column: NULL counts as DB_NULL, or as no string; a task_id counts as the task's
 * index. */
void row_digest_value(const struct row_column *column, struct digest *d, const void *row);

#endif
