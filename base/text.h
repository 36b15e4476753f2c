/* base/text.h - text that grows, JSON strings, and "did you mean". */
#ifndef CEGSIM_BASE_TEXT_H
#define CEGSIM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A growing buffer, always terminated. A zeroed struct text is an empty one. If memory runs out, the text
 * remembers it and ignores all later additions. text_ok() or text_take() reports it at the end, so callers
 * need not check each addition. */
struct text {
	char *data; /* NULL while nothing was added */
	size_t length, capacity;
	bool failed;
};

void text_finish(struct text *t); /* frees; may be used again */
void text_clear(struct text *t);  /* empties, keeps the memory; forgets a failure */
void text_add(struct text *t, const char *string);
void text_add_bytes(struct text *t, const char *bytes, size_t count);
void text_add_char(struct text *t, char c);
void text_printf(struct text *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The string as a JSON string, in quotes. What is not UTF-8 becomes U+FFFD. */
void text_add_json(struct text *t, const char *string);
/* The string as a literal of SQL, in quotes; NULL: NULL. */
void text_add_sql(struct text *t, const char *string);
/* The text so far; "" while nothing was added. Valid until the next addition. */
const char *text_data(const struct text *t);
/* False, with the error, if an addition was lost because memory ran out. */
MUST_CHECK bool text_ok(const struct text *t, const char *what, struct error *err);
/* Returns the text (free() it) and empties the buffer; NULL if an addition was lost. */
MUST_CHECK char *text_take(struct text *t);

/* The shortest decimal text that strtod() reads back as the same number: 0.1, 1e-09, -inf, nan.
 * Returns text. */
#define TEXT_REAL_MAX 32
const char *text_real(double value, char text[TEXT_REAL_MAX]);

/* What ends the noun behind a number: "" for one, else "s". */
static inline const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* How many letters to insert, remove, replace or swap with their neighbour to turn a into b (optimal string
 * alignment); upper and lower case count as the same. Texts longer than 64 bytes are never near: SIZE_MAX. */
size_t text_distance(const char *a, const char *b);

/* Finds the name that is nearest to a mistyped word:
 *   struct suggestion s = {.word = typed};
 *   for (...) suggestion_offer(&s, name[i]);
 *   if (s.best) "did you mean '%s'?"
 * `best` is a name at a distance of at most a third of the word's length (at least 1, if it has 2 letters),
 * or one that begins with the word, if that has 3 letters, or with all of it but its last letter, if it has 5
 * (policy, policies): the first of those at the least distance. Else it is the first name that has all parts
 * of the word in it, or the other way round: jetson-tx2 for tx2.
 * NULL: nothing is near. */
struct suggestion {
	const char *word;
	const char *best;
	size_t distance;
};
void suggestion_offer(struct suggestion *s, const char *name);

/* Writes "; did you mean 'x'?" into buffer, or "" if nothing is near; returns buffer. */
#define SUGGESTION_TEXT_MAX 96
const char *suggestion_text(const struct suggestion *s, char buffer[SUGGESTION_TEXT_MAX]);

#endif
