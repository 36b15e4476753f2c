/* base/error.h - how a function says that it could not do its work.
 *
 * A function that can fail returns false (or NULL). Before that it writes the reason into the struct error
 * that it was given. The status in it is the exit code of the program (cegsim(1)), so callers need not
 * translate it. */
#ifndef CEGSIM_BASE_ERROR_H
#define CEGSIM_BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>

#include "base/export.h"

#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))

/* Exit codes of the program. */
enum status {
	STATUS_OK = 0,
	STATUS_NO = 1,            /* the answer is no: a miss under --strict, an audit finding */
	STATUS_INPUT = 2,         /* usage or input error */
	STATUS_IO = 3,            /* a file, the disk or the memory failed */
	STATUS_INTERRUPTED = 130, /* SIGINT */
};

struct error {
	enum status status;
	char text[1024]; /* no newline at the end; printable (base/say.h) */
};

/* Writes status and text into *err. Always returns false, so that a failing
 * function can say `return error_set(err, STATUS_IO, "...")`. err may be NULL. */
CEGSIM_API bool error_set(struct error *err, enum status status, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* The same for "out of memory for WHAT". Always returns false. */
CEGSIM_API bool error_memory(struct error *err, const char *what);

/* Of a file that could not be opened, by errno: STATUS_IO if memory, descriptors or the disk failed; else it
 * is the file that was named. */
enum status error_unopened(int reason);

#endif
