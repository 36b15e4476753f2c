/* db/digest.c - computes the digest of content: 64-bit words, each mixed into the state by a multiplication
 * and base/mix.h. docs/recording.md, "Digests", describes it for other programs. */
#include "db/digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mix.h"

#define MULTIPLIER UINT64_C(0x9e3779b97f4a7c15)

enum { TAG_INTEGER = 1, TAG_STRING, TAG_NO_STRING };

static void add_word(struct digest *d, uint64_t word)
{
	d->state = mix64(d->state * MULTIPLIER + word);
}

void digest_init(struct digest *d)
{
	d->state = MULTIPLIER;
}

void digest_integer(struct digest *d, int64_t value)
{
	add_word(d, TAG_INTEGER);
	add_word(d, (uint64_t)value);
}

/* The first `count` <= 8 bytes as a word; the first byte is the lowest. */
static inline uint64_t load_word(const char *text, size_t count)
{
	uint64_t word = 0;
	for (size_t k = 0; k < count; k++)
		word |= (uint64_t)(unsigned char)text[k] << (8 * k);
	return word;
}

void digest_string(struct digest *d, const char *text)
{
	if (!text) {
		add_word(d, TAG_NO_STRING);
		return;
	}
	size_t length = strlen(text), i = 0;
	add_word(d, TAG_STRING);
	add_word(d, length);
	for (; i + 8 <= length; i += 8)
		add_word(d, load_word(text + i, 8)); /* compilers make one load of it */
	if (i < length)
		add_word(d, load_word(text + i, length - i));
}

uint64_t digest_word(const struct digest *d)
{
	return mix64(d->state);
}

const char *digest_text(const struct digest *d, char text[DIGEST_TEXT])
{
	snprintf(text, DIGEST_TEXT, "%016" PRIx64, digest_word(d));
	return text;
}
