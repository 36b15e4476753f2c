/* base/error.c - fills in struct error. */
#include "base/error.h"

#include <stdio.h>
#include <string.h>

static const char ELLIPSIS[] = "...";

static void error_write(struct error *err, enum status status, const char *fmt, va_list args)
	PRINTF_LIKE(3, 0);

/* Options, files and recordings are quoted as they are: their control codes must not reach the terminal. */
static void clean(char *text)
{
	for (char *c = text; *c; c++)
		if (((unsigned char)*c < 0x20 && *c != '\n' && *c != '\t') || *c == 0x7f)
			*c = '?';
}

static void error_write(struct error *err, enum status status, const char *fmt, va_list args)
{
	/* Through a buffer of its own: callers add context in front of a text with error_set(err, ..., "...:
	 * %s", err->text). */
	char text[sizeof(err->text)];
	int length = vsnprintf(text, sizeof(text), fmt, args);
	if (length < 0)
		snprintf(text, sizeof(text), "an error whose text cannot be written");
	else if ((size_t)length >= sizeof(text))
		memcpy(text + sizeof(text) - sizeof(ELLIPSIS), ELLIPSIS, sizeof(ELLIPSIS));
	clean(text);
	err->status = status;
	memcpy(err->text, text, sizeof(text));
}

bool error_set(struct error *err, enum status status, const char *fmt, ...)
{
	if (!err)
		return false;
	va_list args;
	va_start(args, fmt);
	error_write(err, status, fmt, args);
	va_end(args);
	return false;
}

bool error_memory(struct error *err, const char *what)
{
	return error_set(err, STATUS_IO, "out of memory while %s", what);
}
