/* captures/file.c - see captures/file.h. */
#include "captures/file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

bool file_unopened(const char *path, struct error *err)
{
	bool ours = errno == 0 || errno == ENOMEM || errno == EMFILE || errno == ENFILE || errno == EIO ||
		    errno == EINTR;
	return error_set(err, ours ? STATUS_IO : STATUS_INPUT, "%s: cannot open the file: %s", path,
		errno ? strerror(errno) : "out of memory");
}

bool file_is_one(const char *path, struct error *err)
{
	struct stat about;
	if (stat(path, &about) != 0)
		return file_unopened(path, err);
	return S_ISREG(about.st_mode) || error_set(err, STATUS_INPUT, "%s: this is not a file", path);
}
