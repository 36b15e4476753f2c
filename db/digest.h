/* db/digest.h - 64-bit digests of content. To a recording, two things with the same digest are the same
 * thing.
 *
 * Not cryptographic. The value depends on the content alone (no addresses, byte order or padding), so that
 * recordings made on different machines agree; it is part of schema version 1. */
#ifndef CEGSIM_DB_DIGEST_H
#define CEGSIM_DB_DIGEST_H

#include <stddef.h>
#include <stdint.h>

struct digest {
	uint64_t state;
};

#define DIGEST_TEXT 17 /* 16 hexadecimal digits and the end */

void digest_init(struct digest *d);
void digest_integer(struct digest *d, int64_t value);
void digest_string(struct digest *d, const char *text); /* NULL differs from the empty string */
uint64_t digest_word(const struct digest *d);           /* its 64 bits */
const char *digest_text(const struct digest *d, char text[DIGEST_TEXT]);

#endif
