/* tests/fuzz/input_file.c - see tests/fuzz/input_file.h. Also what all fuzzers ask of AddressSanitizer. */
#include "tests/fuzz/input_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Its 256 MB of memory that is not used again make each allocation of an input a page that the system has to
 * find first, which took half of the time. What is used after it was freed is found within one input. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=8:malloc_context_size=8:allocator_release_to_os_interval_ms=-1";
}

void input_path(char path[INPUT_PATH], const char *ending)
{
	const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	snprintf(path, INPUT_PATH, "%s/cegsim-fuzz-%d%s", folder, (int)getpid(), ending);
}

void input_write(const char *path, const void *bytes, size_t length)
{
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (file < 0 || write(file, bytes, length) != (ssize_t)length || close(file) != 0)
		abort();
}
