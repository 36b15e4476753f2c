/* captures/json_stream.c - see captures/json_stream.h. A window on the text moves on; it grows only where a
 * single value is longer. zlib reads gzipped files and plain ones alike. */
#include "captures/json_stream.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "captures/file.h"

enum { DEPTH_MAX = 64, READ_AT_ONCE = 1 << 16 };
#define WINDOW_MAX ((size_t)1 << 30)

struct json_stream {
	gzFile file;
	const char *path;
	struct diagnostics *diagnostics;
	struct error *err;
	bool failed, at_end; /* of the file */
	char *window;
	size_t capacity, filled, at; /* at: the next character */
	size_t kept;                 /* first character that must stay; SIZE_MAX: none */
	unsigned line, column;       /* of `at` */
	unsigned value_line, value_column;
	char open[DEPTH_MAX]; /* brackets that were entered */
	bool any[DEPTH_MAX];  /* an element of theirs was passed */
	int depth;
};

/* ---- errors ---- */

bool json_stream_error(struct json_stream *s, unsigned line, unsigned column, const char *fmt, ...)
{
	char text[300];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	s->failed = true;
	diagnostics_add(s->diagnostics, line, column, "%s", text);
	return error_set(s->err, STATUS_INPUT, "%s:%u:%u: %s", s->path, line, column, text);
}

static bool here(struct json_stream *s, const char *what)
{
	return json_stream_error(s, s->line, s->column, "%s", what);
}

bool json_stream_failed(const struct json_stream *s)
{
	return s->failed;
}

/* ---- the window ---- */

struct json_stream *json_stream_open(const char *path, struct diagnostics *diagnostics, struct error *err)
{
	struct json_stream *s = calloc(1, sizeof(*s));
	if (!s) {
		error_memory(err, "reading a trace");
		return NULL;
	}
	*s = (struct json_stream){.path = path,
		.diagnostics = diagnostics,
		.err = err,
		.kept = SIZE_MAX,
		.line = 1,
		.column = 1};
	errno = 0;
	s->file = gzopen(path, "rb");
	if (!s->file) {
		file_unopened(path, err);
		free(s);
		return NULL;
	}
	return s;
}

void json_stream_close(struct json_stream *s)
{
	if (!s)
		return;
	gzclose(s->file);
	free(s->window);
	free(s);
}

/* Drops what was passed, and makes room for more. */
static bool make_room(struct json_stream *s)
{
	size_t first = s->kept < s->at ? s->kept : s->at;
	if (first > 0) {
		memmove(s->window, s->window + first, s->filled - first);
		s->filled -= first;
		s->at -= first;
		s->kept -= s->kept == SIZE_MAX ? 0 : first;
	}
	if (s->capacity - s->filled >= READ_AT_ONCE)
		return true;
	size_t more = s->capacity * 2 > READ_AT_ONCE * 2 ? s->capacity * 2 : READ_AT_ONCE * 2;
	if (more > WINDOW_MAX)
		return here(s, "a value is longer than 1 GiB");
	char *grown = realloc(s->window, more);
	if (!grown) {
		s->failed = true;
		return error_memory(s->err, "reading a trace");
	}
	s->window = grown;
	s->capacity = more;
	return true;
}

static bool read_failed(struct json_stream *s)
{
	int code, system = errno;
	const char *text = gzerror(s->file, &code);
	s->failed = true;
	if (code == Z_DATA_ERROR || code == Z_BUF_ERROR)
		return error_set(s->err, STATUS_INPUT, "%s: the compressed file is damaged or cut off: %s",
			s->path, text);
	if (code == Z_ERRNO && system == EISDIR)
		return error_set(s->err, STATUS_INPUT, "%s: this is not a file", s->path);
	return error_set(s->err, STATUS_IO, "%s: cannot read the file: %s", s->path,
		code == Z_ERRNO ? strerror(system) : text);
}

static bool fill(struct json_stream *s)
{
	if (s->failed || s->at_end || !make_room(s))
		return false;
	errno = 0;
	int count = gzread(s->file, s->window + s->filled, READ_AT_ONCE);
	if (count < 0)
		return read_failed(s);
	/* A file that was cut off gives what is there, and says so only now. */
	if (count < READ_AT_ONCE) {
		int code;
		gzerror(s->file, &code);
		if (code != Z_OK && code != Z_STREAM_END)
			return read_failed(s);
	}
	s->at_end = count == 0;
	s->filled += (size_t)count;
	return count > 0;
}

/* The next character; -1: the text is over, or an error was reported. */
static int look(struct json_stream *s)
{
	if (s->at == s->filled && !fill(s))
		return -1;
	return (unsigned char)s->window[s->at];
}

static void step(struct json_stream *s)
{
	unsigned char c = (unsigned char)s->window[s->at++];
	if (c == '\n') {
		s->line++;
		s->column = 1;
	} else if ((c & 0xc0) != 0x80) { /* the first byte of a character */
		s->column++;
	}
}

static int skip_blanks(struct json_stream *s)
{
	int c;
	while ((c = look(s)) == ' ' || c == '\n' || c == '\t' || c == '\r')
		step(s);
	return c;
}

static bool ended_early(struct json_stream *s)
{
	return s->failed ? false : here(s, "the text ends here, within a value");
}

/* ---- values ---- */

int json_stream_peek(struct json_stream *s)
{
	int c = skip_blanks(s);
	return c < 0 ? 0 : c;
}

void json_stream_place(const struct json_stream *s, unsigned *line, unsigned *column)
{
	*line = s->value_line;
	*column = s->value_column;
}

/* From an opening quote to behind the closing one. */
static bool pass_string(struct json_stream *s)
{
	int c;
	step(s);
	while ((c = look(s)) >= 0 && c != '"') {
		step(s);
		if (c == '\\' && look(s) >= 0)
			step(s);
	}
	if (c < 0)
		return ended_early(s);
	step(s);
	return true;
}

/* Passes a value; that it is one inside of its brackets is for jansson to say. */
static bool pass_value(struct json_stream *s)
{
	size_t depth = 0;
	do {
		int c = skip_blanks(s);
		if (c < 0)
			return ended_early(s);
		if (c == '"') {
			if (!pass_string(s))
				return false;
		} else if (c == '{' || c == '[') {
			depth++;
			step(s);
		} else if (c == '}' || c == ']') {
			if (depth == 0)
				return here(s, "a value was expected here");
			depth--;
			step(s);
		} else if (c == ',' || c == ':') {
			if (depth == 0)
				return here(s, "a value was expected here");
			step(s);
		} else {
			do /* a number or a word */
				step(s);
			while ((c = look(s)) > ' ' && !strchr(",:]}[{\"", c));
			if (s->failed)
				return false;
		}
	} while (depth > 0);
	return !s->failed;
}

static bool begin_value(struct json_stream *s)
{
	if (skip_blanks(s) < 0)
		return ended_early(s);
	s->value_line = s->line;
	s->value_column = s->column;
	return true;
}

bool json_stream_value(struct json_stream *s, const char **text, size_t *length)
{
	if (!begin_value(s))
		return false;
	s->kept = s->at;
	bool ok = pass_value(s);
	*text = ok ? s->window + s->kept : "";
	*length = ok ? s->at - s->kept : 0;
	s->kept = SIZE_MAX;
	return ok;
}

bool json_stream_skip(struct json_stream *s)
{
	return begin_value(s) && pass_value(s);
}

/* ---- objects and lists ---- */

bool json_stream_enter(struct json_stream *s)
{
	int c = skip_blanks(s);
	if (c != '{' && c != '[')
		return c < 0 ? ended_early(s) : here(s, "an object or a list was expected here");
	if (s->depth == DEPTH_MAX)
		return here(s, "objects and lists are nested too deeply");
	s->open[s->depth] = (char)c;
	s->any[s->depth++] = false;
	step(s);
	return true;
}

/* The name of a member, without quotes; the colon is passed, too. */
static bool pass_name(struct json_stream *s, const char **name)
{
	if (look(s) != '"')
		return look(s) < 0 ? ended_early(s) : here(s, "a name in quotes was expected here");
	s->kept = s->at;
	if (!pass_string(s) || (skip_blanks(s) != ':' && !here(s, "':' was expected here"))) {
		s->kept = SIZE_MAX;
		return false;
	}
	char *begin = s->window + s->kept, *quote = memchr(begin + 1, '"', s->at - s->kept - 1);
	step(s);
	s->kept = SIZE_MAX;
	if (quote)
		*quote = '\0'; /* names with escapes are cut off at a quote; none is looked for */
	*name = begin + 1;
	return true;
}

bool json_stream_next(struct json_stream *s, const char **name)
{
	if (s->failed || s->depth == 0)
		return false;
	char open = s->open[s->depth - 1], close = open == '{' ? '}' : ']';
	int c = skip_blanks(s);
	if (c == close) {
		step(s);
		s->depth--;
		return false;
	}
	if (c < 0)
		return ended_early(s);
	if (s->any[s->depth - 1]) {
		if (c != ',')
			return here(s, open == '{' ? "',' or '}' was expected here"
						   : "',' or ']' was expected here");
		step(s);
		skip_blanks(s);
	}
	s->any[s->depth - 1] = true;
	return open == '[' || pass_name(s, name);
}

bool json_stream_end(struct json_stream *s)
{
	int c = skip_blanks(s);
	return !s->failed && (c < 0 || here(s, "nothing was expected behind the end of the trace"));
}
