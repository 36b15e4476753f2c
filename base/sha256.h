/* base/sha256.h - SHA-256 (FIPS 180-4), so that the digest of a file in a recording is the one that
 * sha256sum(1) prints. */
#ifndef CEGSIM_BASE_SHA256_H
#define CEGSIM_BASE_SHA256_H

#include <stddef.h>

#define SHA256_TEXT 65 /* 64 hexadecimal digits and the end */

void sha256(const void *data, size_t size, char text[SHA256_TEXT]);

#endif
