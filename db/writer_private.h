/* db/writer_private.h - the inside of the writer, shared by its files: writer.c (the file), content.c
 * (things), runs.c (runs), analyses.c (analyses), amend.c (finished files). */
#ifndef CEGSIM_DB_WRITER_PRIVATE_H
#define CEGSIM_DB_WRITER_PRIVATE_H

#include <sqlite3.h>

#include "db/row_types.h"
#include "db/writer.h"

struct db_writer {
	sqlite3 *db;
	char *file, *part, *whole; /* the last one: see store_join(); the others: db/writer.h */
	char *wal, *journal;       /* SQLite's, beside `part` */
	bool is_whole;
	bool overwrite;
	int registered[2]; /* by interrupt_removes() */
	enum writer_kind kind;
	struct paged *paged;             /* WRITER_PAGES: the bulk tables */
	sqlite3_stmt *insert[ROW_TYPES]; /* prepared when first used */
	sqlite3_stmt *lookup[ROWS_DIGESTED];
	sqlite3_stmt *trace_release, *trace_digest, *things, *last_task, *first_task, *find_run,
		*find_analysis, *forget[4];

	/* Number of rows in the tables of a run. It is also the last rowid, as only this writer adds rows. */
	int64_t rows[ROW_TYPES];
	int64_t mark[ROW_TYPES]; /* the same when the run began */
	bool filled[ROW_TYPES];  /* there was an INSERT for SQLite's table */
	bool in_run;
	int64_t runs;          /* number of runs in the recording; the next run's id is one more */
	int64_t analyses;      /* id of the last analysis */
	bool amends;           /* it amends a finished recording */
	bool packs;            /* it is of a campaign: db/packed.h */
	int64_t first_task_id; /* of the run's task set */
	char setup_digest[DIGEST_TEXT];
	uint64_t identity;   /* of the run's rows so far (db/identity.h) */
	int64_t uncommitted; /* bulk rows since the last commit */
};

/* *stmt, prepared if it was not. NULL: *err. */
MUST_CHECK sqlite3_stmt *writer_statement(
	struct db_writer *w, sqlite3_stmt **stmt, const char *sql, struct error *err);

/* The INSERT of a row type, prepared if it was not. */
MUST_CHECK sqlite3_stmt *writer_insert_statement(struct db_writer *w, enum row_type_id id, struct error *err);

/* Inserts rows whose lead columns are bound already. */
MUST_CHECK bool writer_insert(struct db_writer *w, enum row_type_id id, const void *rows, size_t count,
	int64_t first_task_id, struct error *err);

/* Checks the result of sqlite3_bind_...(): anything but SQLITE_OK is an error. */
MUST_CHECK bool writer_bound(struct db_writer *w, int code, struct error *err);
/* A row of `meta`. */
MUST_CHECK bool writer_meta(struct db_writer *w, const char *key, const char *value, struct error *err);

/* Adds the content of a release trace to a digest; DB_NULL: nothing. */
MUST_CHECK bool writer_digest_trace(
	struct db_writer *w, struct digest *digest, int64_t trace_id, struct error *err);

/* The digests of the things with these ids: scenario (0: none), set, platform, policy. "": there is no such
 * thing. */
#define WRITER_THINGS 4
MUST_CHECK bool writer_things(struct db_writer *w, const int64_t ids[WRITER_THINGS],
	char digests[WRITER_THINGS][DIGEST_TEXT], struct error *err);

/* The id of a set's first task. */
MUST_CHECK bool writer_first_task(
	struct db_writer *w, int64_t taskset_id, int64_t *task_id, struct error *err);

/* Closes and frees; what was not committed is gone. */
void writer_free(struct db_writer *w);

#endif
