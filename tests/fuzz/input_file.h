/* tests/fuzz/input_file.h - files of fuzzers, for readers that want a path. A file on a disk takes longer
 * than most readers do with it, so these are in memory where the system has a folder there. */
#ifndef CEGSIM_TESTS_FUZZ_INPUT_FILE_H
#define CEGSIM_TESTS_FUZZ_INPUT_FILE_H

#include <stddef.h>

#define INPUT_PATH 64

/* The path of a file of this process, the same for each call with this ending (".yaml", "-whole"). */
void input_path(char path[INPUT_PATH], const char *ending);
/* Makes these bytes all that the file has. */
void input_write(const char *path, const void *bytes, size_t length);

#endif
