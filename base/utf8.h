/* base/utf8.h - the characters of a text in UTF-8, and which of them a terminal may get. */
#ifndef CEGSIM_BASE_UTF8_H
#define CEGSIM_BASE_UTF8_H

#include <stddef.h>

/* Length in bytes of the UTF-8 character at `string` (not at its end), 1 to 4; 0 if the
 * bytes are none. */
size_t utf8_length(const char *string);
/* Columns a UTF-8 text takes on a terminal; characters count as one column, combining
 * ones as none, wide ones (East Asian, emoji) as two. A byte that is no UTF-8 counts one. */
size_t utf8_width(const char *string);

/* What a terminal shows in place of the character at `string`, of `length` bytes as above: a question mark
 * for a control code (C0, C1, delete) and for what is no UTF-8, a blank for a line feed and a tab; 0: the
 * character itself. */
char utf8_instead(const char *string, size_t length);
/* Replaces these from `text` up to `end`, but for those in `kept`; returns the new end. */
char *utf8_clean(char *text, char *end, const char *kept);

#endif
