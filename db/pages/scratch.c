/* db/pages/scratch.c - see db/pages/scratch.h: open(2), O_TMPFILE, which not every file system has. */
#include "db/pages/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MODE 0644 /* that of SQLite's files, before the umask */

char *folder_of(const char *file)
{
	const char *slash = strrchr(file, '/');
	return slash ? strndup(file, (size_t)(slash - file) + 1) : strdup(".");
}

static int open_and_unlink(char *path)
{
	int fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

int scratch_open(const char *name, struct error *err)
{
	char *folder = folder_of(name), *path = NULL;
	if (!folder || asprintf(&path, "%s-XXXXXX", name) < 0) {
		free(folder);
		error_memory(err, "writing a recording");
		return -1;
	}
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, MODE);
	if (fd < 0)
		fd = open_and_unlink(path);
	if (fd < 0)
		error_set(err, STATUS_IO, "cannot create a file beside %s: %s", name, strerror(errno));
	free(folder);
	free(path);
	return fd;
}

static bool failed(const char *name, struct error *err)
{
	if (errno == ENOSPC || errno == EDQUOT)
		return error_set(err, STATUS_IO, "%s: no space left on the disk (cannot write)", name);
	return error_set(err, STATUS_IO, "%s: cannot write: %s", name, strerror(errno));
}

bool scratch_write(int fd, const void *bytes, size_t size, int64_t at, const char *name, struct error *err)
{
	const char *from = bytes;
	while (size > 0) {
		ssize_t now = pwrite(fd, from, size, at);
		if (now < 0 && errno == EINTR)
			continue;
		if (now <= 0)
			return failed(name, err);
		from += now;
		at += now;
		size -= (size_t)now;
	}
	return true;
}

bool scratch_read(int fd, void *bytes, size_t size, int64_t at, const char *name, struct error *err)
{
	char *to = bytes;
	while (size > 0) {
		errno = EIO; /* an early end */
		ssize_t now = pread(fd, to, size, at);
		if (now < 0 && errno == EINTR)
			continue;
		if (now <= 0)
			return failed(name, err);
		to += now;
		at += now;
		size -= (size_t)now;
	}
	return true;
}

/* As open(2) says; a file that has had a name never gets another one. */
bool scratch_name(int fd, const char *new_name)
{
	char path[40];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, path, AT_FDCWD, new_name, AT_SYMLINK_FOLLOW) == 0;
}

bool scratch_sync(int fd, const char *name, struct error *err)
{
	return fsync(fd) == 0 || failed(name, err);
}
