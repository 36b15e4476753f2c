/* base/output.h - a file that gets its final name only when it is complete.
 *
 *   struct output out;
 *   if (!output_begin(&out, "report.html", force, err))
 *           return false;
 *   fputs("...", out.file);
 *   if (!good) { output_abandon(&out); return false; }
 *   return output_commit(&out, err);
 *
 * Until then it is called FILE.part and is locked. If writing fails, is abandoned, or a signal ends the
 * program, no file is left. */
#ifndef CEGSIM_BASE_OUTPUT_H
#define CEGSIM_BASE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

struct output {
	FILE *file;
	char *path, *part; /* the final name, and the temporary one */
	char *old;         /* while files that belong together are renamed: what it replaces; or NULL */
	int lock;          /* a descriptor of FILE.part; valid if `part` is set */
	int registered;    /* by interrupt_removes() */
	bool replace;
};

/* `replace`: an existing file of that name may be replaced. STATUS_INPUT: it exists and may not be replaced,
 * or it is a device or a folder. STATUS_IO: it cannot be made, or another process is writing it. */
MUST_CHECK bool output_begin(struct output *out, const char *path, bool replace, struct error *err);
/* Closes and renames. On a failure no file is left. STATUS_IO: something could not be written. */
MUST_CHECK bool output_commit(struct output *out, struct error *err);
/* The same of files that belong together, in this order: the last is the one that names the others. Nothing
 * is renamed before all are on the disk. On a failure none is left, and what they replaced is there again (on
 * a file system without hard links: but for what was renamed by then). */
MUST_CHECK bool output_commit_all(struct output *out, size_t count, struct error *err);
/* Closes and removes the file; errno does not change. */
void output_abandon(struct output *out);

/* Whether `path` is another file than `input`, the one that is read. STATUS_INPUT: both are the same file,
 * maybe under two names. */
MUST_CHECK bool output_is_another(const char *path, const char *input, struct error *err);

#endif
