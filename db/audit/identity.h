/* db/audit/identity.h - do the rows of a recording match its digests, and belong together? These laws are
 * checked on tables, not during the sweep of a run: digests computed again from the rows
 * (db/audit/identity.c), and rows that belong to nothing (db/audit/strays.c). */
#ifndef CEGSIM_DB_AUDIT_IDENTITY_H
#define CEGSIM_DB_AUDIT_IDENTITY_H

#include "db/audit/law.h"

/* Finds out which digests the recording has. */
MUST_CHECK bool identity_begin(struct audit *a);
/* Checks all things and runs, or one run and what belongs to it. False: the file cannot be read. */
MUST_CHECK bool identity_check(struct audit *a, int64_t run_id);
MUST_CHECK bool strays_check(struct audit *a, int64_t run_id);

/* The laws on verdicts, which ask the whole file. */
MUST_CHECK bool verdicts_check(struct audit *a, int64_t run_id);

/* Such a law is asked of this file: its `runs` is 1. */
void identity_of_file(struct audit *a, const char *law);
/* Counts rows, or questions about rows, that were checked by a law. A finding names its row. */
void identity_held(struct audit *a, const char *law, uint64_t count);
void identity_wrong(struct audit *a, const char *law, const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif
