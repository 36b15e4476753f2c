/* db/content_digest.h - one digest of all content of a recording.
 *
 * Two recordings have the same digest if they contain the same things and runs with the same rows. Order and
 * ids do not matter: an id counts as the content that it refers to. What differs between two sweeps of one
 * campaign does not count either: the time that a run took, the stretches, meta. */
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
