/* db/pages/scratch.h - a file without a name beside the recording, of which nothing is left whatever happens;
 * unless it is given a name. */
#ifndef CEGSIM_DB_PAGES_SCRATCH_H
#define CEGSIM_DB_PAGES_SCRATCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* `name` is that of the recording, here and in the others: in errors, and for the folder. -1: *err. */
MUST_CHECK int scratch_open(const char *name, struct error *err);
/* pwrite() and pread() of all bytes. */
MUST_CHECK bool scratch_write(
	int fd, const void *bytes, size_t size, int64_t at, const char *name, struct error *err);
MUST_CHECK bool scratch_read(
	int fd, void *bytes, size_t size, int64_t at, const char *name, struct error *err);
/* Names the file, if nothing has that name. False: not on this file system, or not without /proc. */
bool scratch_name(int fd, const char *new_name);
/* Brings it to the disk. */
MUST_CHECK bool scratch_sync(int fd, const char *name, struct error *err);

/* The folder of a file: its name up to the last slash, or ".". NULL: out of memory. */
char *folder_of(const char *file);

#endif
