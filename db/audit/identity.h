/* db/audit/identity.h - is a recording of what it says it is? Laws that are asked of tables, not on the way
 * through a run: digests made again from the rows (db/audit/identity.c), and rows that belong to nothing
 * (db/audit/strays.c). */
#ifndef CEGSIM_DB_AUDIT_IDENTITY_H
#define CEGSIM_DB_AUDIT_IDENTITY_H

#include "db/audit/law.h"

/* Which digests the recording has. */
MUST_CHECK bool identity_begin(struct audit *a);
/* Of all things and runs, or of one run and what belongs to it. False: the file cannot be read. */
MUST_CHECK bool identity_check(struct audit *a, int64_t run_id);
MUST_CHECK bool strays_check(struct audit *a, int64_t run_id);

/* A row, or a question about rows, was held against a law; a finding says which. */
void identity_held(struct audit *a, const char *law, uint64_t count);
void identity_wrong(struct audit *a, const char *law, const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif
