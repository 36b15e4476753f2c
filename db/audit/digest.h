/* db/audit/digest.h - computes digests again from their description in docs/recording.md ("Digests"), without
 * using the writer's code. */
#ifndef CEGSIM_DB_AUDIT_DIGEST_H
#define CEGSIM_DB_AUDIT_DIGEST_H

#include "db/reader.h"

struct hash {
	uint64_t state;
};

#define HASH_TEXT 17 /* 16 hexadecimal digits and the end */

struct hash hash_begin(void);
void hash_number(struct hash *h, int64_t value);
void hash_text(struct hash *h, const char *text); /* NULL: there is none */
uint64_t hash_end(const struct hash *h);
void hash_print(uint64_t value, char text[HASH_TEXT]);

/* The columns of a table that belong to its content, as SQL that selects them from the table under the name
 * t. */
#define HASHED_MAX 64
#define HASHED_SQL 4000
struct hashed {
	char sql[HASHED_SQL];
	bool is_text[HASHED_MAX];
	int count; /* 0: the recording has no such table */
};
/* The columns from `first` up to and including `last`; NULL: from the first, or to the last column. `owner`:
 * the name of the task that stands beside each row by its task_id, and saves a look-up for each; NULL: none
 * does. More columns than fit are an error. */
MUST_CHECK bool hashed_columns(struct db_reader *r, const char *table, const char *first, const char *last,
	const char *owner, struct hashed *columns, struct error *err);
/* Adds the columns of a row; in the cursor they begin at `at`. */
void hash_row(struct hash *h, const struct hashed *columns, const struct db_cursor *c, int at);

/* The part of a job in the digest of its run. */
struct hashed_job {
	int64_t task, seq, release, deadline, first_start, finish, outcome; /* -1: none */
};
uint64_t hash_job(const struct hashed_job *job);
uint64_t hash_schedule(uint64_t events, uint64_t jobs);

#endif
