/* base/output.h - a file that gets its name when it is complete.
 *
 *   struct output out;
 *   if (!output_begin(&out, "report.html", force, err))
 *           return false;
 *   fputs("...", out.file);
 *   if (!good) { output_abandon(&out); return false; }
 *   return output_commit(&out, err);
 *
 * Until then it grows as FILE.part, under a lock; what fails, or is abandoned, leaves nothing. */
#ifndef CEGSIM_BASE_OUTPUT_H
#define CEGSIM_BASE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

struct output {
	FILE *file;
	char *path, *part; /* the name it will have, and the one it has */
	int lock;          /* a descriptor of FILE.part; if there is a part */
	bool replace;
};

/* `replace`: an existing file of that name may go. STATUS_INPUT: it must not, or it is a device or a folder;
 * STATUS_IO: it cannot be made, or another process is making it. */
MUST_CHECK bool output_begin(struct output *out, const char *path, bool replace, struct error *err);
/* Closes and renames; on a failure nothing is left. STATUS_IO: something could not be written. */
MUST_CHECK bool output_commit(struct output *out, struct error *err);
/* Closes and removes; errno stays as it was. */
void output_abandon(struct output *out);

/* Whether `path` is not the file that is being read. STATUS_INPUT: it is, by whatever name. */
MUST_CHECK bool output_is_another(const char *path, const char *input, struct error *err);

#endif
