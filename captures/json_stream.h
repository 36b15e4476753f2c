/* captures/json_stream.h - a large JSON text, gzipped or not, one value at a time; only for use in captures/.
 *
 * Traces of PyTorch are an object with a list of very many events. A stream goes through the object's members
 * and the list's elements and hands out the text of one value after the other, for jansson to read, so memory
 * does not grow with the file. */
#ifndef CEGSIM_CAPTURES_JSON_STREAM_H
#define CEGSIM_CAPTURES_JSON_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diagnostics.h"
#include "base/error.h"

struct json_stream;

/* NULL: *err. Errors in the text are diagnostics, and STATUS_INPUT. */
struct json_stream *json_stream_open(const char *path, struct diagnostics *diagnostics, struct error *err);
void json_stream_close(struct json_stream *s);

/* The first character of the next value: '{', '[', '"', a digit or another one; 0: the text ends here, or an
 * error was reported. */
int json_stream_peek(struct json_stream *s);

/* Steps into the object or list that comes next. */
MUST_CHECK bool json_stream_enter(struct json_stream *s);
/* Goes to the next member of the object, or element of the list, that was entered last and not yet left;
 * false: there is none, and it has been left; or an error was reported (json_stream_failed()). The name of a
 * member, as it stands in the text, is valid until the next call. `name` is NULL for lists. */
bool json_stream_next(struct json_stream *s, const char **name);

/* The text of the next value, which is passed; valid until the next call. False: an error was reported. */
MUST_CHECK bool json_stream_value(struct json_stream *s, const char **text, size_t *length);
/* Passes the next value. */
MUST_CHECK bool json_stream_skip(struct json_stream *s);
/* True if nothing but blanks follows. False: an error was reported. */
MUST_CHECK bool json_stream_end(struct json_stream *s);

/* Line and column at which the value that was passed last began. */
void json_stream_place(const struct json_stream *s, unsigned *line, unsigned *column);
/* Adds a diagnostic there, and sets the error. Always returns false. */
bool json_stream_error(struct json_stream *s, unsigned line, unsigned column, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
bool json_stream_failed(const struct json_stream *s);

#endif
