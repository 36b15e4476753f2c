/* captures/lines.h - a text, gzipped or not, line by line and word by word; only for use in captures/. */
#ifndef CEGSIM_CAPTURES_LINES_H
#define CEGSIM_CAPTURES_LINES_H

#include <stdint.h>
#include <zlib.h>

#include "base/diagnostics.h"
#include "base/error.h"

#define LINES_MAX 16384

struct lines {
	gzFile file;
	const char *path;
	struct diagnostics *diagnostics;
	struct error *err;
	unsigned number;      /* of the line, from 1 */
	char text[LINES_MAX]; /* the line, without its end */
	char *at;             /* behind the word that was read last */
	char *word;           /* that one; "" at the end of the line */
	bool wrong;           /* an error was reported */
};

MUST_CHECK bool lines_open(
	struct lines *l, const char *path, struct diagnostics *diagnostics, struct error *err);
void lines_close(struct lines *l);
/* False: there is no further line, or *err has a status. */
MUST_CHECK bool lines_next(struct lines *l);

/* Cuts the next word, between blanks, out of the line; "" behind the last one. */
const char *lines_word(struct lines *l);

/* Adds a diagnostic at the last word. Always returns false. */
bool lines_error(struct lines *l, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The same at the begin of the line. */
bool lines_error_here(struct lines *l, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Reads the next word as a number in this base (16: with or without 0x), at most `most`. `what` names it in
 * the diagnostic. */
MUST_CHECK bool lines_number(struct lines *l, const char *what, int base, uint64_t most, uint64_t *value);
/* A decimal number that may be negative. */
MUST_CHECK bool lines_signed(struct lines *l, const char *what, int64_t *value);
/* Reads a whole text as a number, as lines_number() does. */
MUST_CHECK bool lines_parse(const char *text, int base, uint64_t most, uint64_t *value);

#endif
