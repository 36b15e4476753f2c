/* captures/file.c - see captures/file.h. */
#include "captures/file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

bool file_unopened(const char *path, struct error *err)
{
	int reason = errno ? errno : ENOMEM;
	return error_set(err, error_unopened(reason), "%s: cannot open the file: %s", path, strerror(reason));
}

bool file_is_one(const char *path, struct error *err)
{
	struct stat about;
	if (stat(path, &about) != 0)
		return file_unopened(path, err);
	return S_ISREG(about.st_mode) || error_set(err, STATUS_INPUT, "%s: this is not a file", path);
}
