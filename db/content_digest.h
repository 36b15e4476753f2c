/* db/content_digest.h - one number for all that a recording says.
 *
 * Two recordings have the same digest if they hold the same things and runs with the same rows, in whatever
 * order and under whatever numbers: ids count as the content they stand for. What differs between two
 * sweeps of one campaign does not count: the time a run took, the stretches, meta. */
#ifndef CEGSIM_DB_CONTENT_DIGEST_H
#define CEGSIM_DB_CONTENT_DIGEST_H

#include "db/digest.h"
#include "db/reader.h"

struct content_digest {
	char text[2 * DIGEST_TEXT]; /* 32 hexadecimal digits */
	uint64_t rows;
};

MUST_CHECK bool content_digest(struct db_reader *r, struct content_digest *digest, struct error *err);

#endif
