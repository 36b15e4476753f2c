/* captures/file.h - what readers say of a file that they cannot open; only for use in captures/. */
#ifndef CEGSIM_CAPTURES_FILE_H
#define CEGSIM_CAPTURES_FILE_H

#include "base/error.h"

/* Says so, by errno: STATUS_INPUT, but STATUS_IO if memory, descriptors or the disk failed. Always returns
 * false. */
bool file_unopened(const char *path, struct error *err);
/* False, with the error: it is not there, or a folder, a pipe or the like. */
MUST_CHECK bool file_is_one(const char *path, struct error *err);

#endif
