/* db/columns.h - describes every column of a recording, once: db/columns_asked.h and db/columns_ran.h have a
 * list for each table, in the order of its columns. From these lists are made: the C struct of a row
 * (db/rows.h); CREATE TABLE, the columns that are added when a recording is complete, and column_doc
 * (db/schema.h); and the code that binds, digests and compares rows (db/row_types.h). Copies (db/merge.h,
 * db/extract.h), the digest of a recording's content and the laws on digests read the columns from the file,
 * and need no change for a value, nor for a task: they know it by its kind, the audit by its name, which ends
 * in task_id. An id of another sort they know by its name: db/merge.c, db/content_digest.c.
 *
 * To add a column, touch
 *   1. its table's list;
 *   2. what computes its value and, if a run that is repeated needs it, what reads it back: runs/recorder.c
 *      or runs/warp_recorder.c (bulk tables; they know what the trace says, sim/trace.h), runs/store.c and
 *      runs/load.c (what was asked for), runs/run_blocks.c and runs/run_warps.c (runs);
 *   3. docs/recording.md, if the page says otherwise now; cegsim-recording(5) changes by itself;
 *   4. a test: tests/unit/test_recording.c writes every column of every table and reads it back.
 * If recordings of the present version may lack the column, it needs a new version: RECORDING_VERSION
 * (db/sql.h).
 *
 * The entries of a list:
 *
 *   FIELD(kind, name, "declaration", unit, "description")
 *      a member of the struct, and a column of the same name, or for a task `name`_id. kind: enum row_field
 *      without FIELD_
 *   WORD(words, name, ...)
 *      one that holds one of the words in words_`words` (db/words.h), and nothing else: CHECK
 *   COLUMN(kind, name, ...)
 *      one that is not in the struct. kind:
 *         KEY         chosen by SQLite
 *         LEAD        bound in front of the rows, the same for all of them
 *         OTHER       written by hand
 *         TASK_INDEX  the member `task` itself
 *         GENERATED   computed when it is read; added when the recording is complete
 *         GENERATED_FIRST  the same, in front of the others, though it is described behind them
 *
 * Bulk tables have F64, F32, F16, F8 for FIELD: the struct has the widest members first, to be small. CYCLES:
 * one of an array with a place for each enum row_slot.
 *
 * Units are in the names: _ns nanoseconds, _uw microwatts, _uj microjoules, _ppm parts per million, _cycles
 * and _cycle cycles of the SMs' clock, _fj femtojoules; the views (db/views.sql) give ms, W and J. An energy
 * is two integers and exact: energy_uj * 10^9 + energy_rest_uwns, in uW*ns. While bulk tables are filled they
 * have no constraint, no index and no generated column: each costs a tenth of the rate. Nothing here needs
 * more than SQLite 3.31. */
#ifndef CEGSIM_DB_COLUMNS_H
#define CEGSIM_DB_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include "db/columns_asked.h"
#include "db/columns_ran.h"

/* The members of a struct, from a list. */
#define ROW_MEMBERS(COLUMNS) COLUMNS(ROW_NOTHING, ROW_MEMBER, ROW_WORD_MEMBER)
#define ROW_MEMBERS_AND_CYCLES(COLUMNS)                                                                      \
	COLUMNS(ROW_NOTHING, ROW_MEMBER, ROW_NOTHING)                                                        \
	int64_t cycles[ROW_SLOTS];
#define ROW_MEMBERS_WIDEST_FIRST(COLUMNS)                                                                    \
	COLUMNS(ROW_NOTHING, ROW_MEMBER, ROW_NOTHING, ROW_NOTHING, ROW_NOTHING)                              \
	COLUMNS(ROW_NOTHING, ROW_NOTHING, ROW_MEMBER, ROW_NOTHING, ROW_NOTHING)                              \
	COLUMNS(ROW_NOTHING, ROW_NOTHING, ROW_NOTHING, ROW_MEMBER, ROW_NOTHING)                              \
	COLUMNS(ROW_NOTHING, ROW_NOTHING, ROW_NOTHING, ROW_NOTHING, ROW_MEMBER)
#define ROW_MEMBER(kind, name, ...) ROW_C_##kind name;
#define ROW_WORD_MEMBER(words, name, ...) const char *name;
#define ROW_NOTHING(...)

#define ROW_C_TEXT const char *
#define ROW_C_INTEGER int64_t
#define ROW_C_INSTANT int64_t
#define ROW_C_SIZE size_t
#define ROW_C_U8 uint8_t
#define ROW_C_U16 uint16_t
#define ROW_C_U32 uint32_t
#define ROW_C_U32_OR_NONE uint32_t
#define ROW_C_U32_OR_ZERO uint32_t
#define ROW_C_TASK uint32_t
#define ROW_C_TASK_OR_NULL int64_t
#define ROW_C_TRACE int64_t

#endif
