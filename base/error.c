/* base/error.c - fills in struct error. */
#include "base/error.h"

#include <errno.h>
#include <string.h>

#include "base/say.h"

static void error_write(struct error *err, enum status status, const char *fmt, va_list args)
	PRINTF_LIKE(3, 0);

static void error_write(struct error *err, enum status status, const char *fmt, va_list args)
{
	/* Through a buffer of its own: callers add context in front of a text with error_set(err, ..., "...:
	 * %s", err->text). */
	char text[sizeof(err->text)];
	say_into(text, sizeof(text), fmt, args);
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
	return error_set(err, STATUS_IO, "out of memory for %s", what);
}

enum status error_unopened(int reason)
{
	switch (reason) {
	case ENOMEM:
	case EMFILE:
	case ENFILE:
	case EIO:
	case EINTR:
		return STATUS_IO;
	default:
		return STATUS_INPUT;
	}
}
