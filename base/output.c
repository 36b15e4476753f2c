/* base/output.c - writes a file under a temporary name and renames it when it is complete. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"

#define OPEN_ATTEMPTS 20

static bool exists_already(const char *path, struct error *err)
{
	return error_set(err, STATUS_INPUT,
		"%s exists already; choose another name, or overwrite it with --force", path);
}

static void forget(struct output *out)
{
	interrupt_keeps(out->registered);
	free(out->path);
	free(out->part);
	free(out->old);
	*out = (struct output){0};
}

/* An existing file of that name may be replaced; a device or a folder may not. */
static bool name_is_free(const char *path, bool replace, struct error *err)
{
	struct stat status;
	if (stat(path, &status) != 0)
		return true;
	if (!replace)
		return exists_already(path, err);
	return S_ISREG(status.st_mode) ||
	       error_set(err, STATUS_INPUT, "%s is no regular file, and is not replaced by one", path);
}

/* Whether FILE.part is still the file that was opened: another writer may have renamed or removed it. */
static bool is_still_there(int fd, const char *part)
{
	struct stat here, there;
	return fstat(fd, &here) == 0 && stat(part, &there) == 0 && here.st_dev == there.st_dev &&
	       here.st_ino == there.st_ino;
}

/* Opens FILE.part, empty, and locks it for as long as it has that name. A second writer is refused; what a
 * killed writer left is overwritten. Where the file system has no locks, there is no lock. -1: *err. */
static int open_part(const char *part, struct error *err)
{
	for (int i = 0; i < OPEN_ATTEMPTS; i++) {
		int fd = open(part, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
		if (fd < 0) {
			error_set(err, STATUS_IO, "cannot write %s: %s", part, strerror(errno));
			return -1;
		}
		if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
			error_set(err, STATUS_IO, "cannot write %s: another command is writing it", part);
			close(fd);
			return -1;
		}
		bool there = is_still_there(fd, part);
		if (there && ftruncate(fd, 0) == 0)
			return fd;
		if (there) {
			error_set(err, STATUS_IO, "cannot write %s: %s", part, strerror(errno));
			unlink(part);
		}
		close(fd);
		if (there)
			return -1;
	}
	error_set(err, STATUS_IO, "cannot write %s: other commands keep writing it", part);
	return -1;
}

bool output_begin(struct output *out, const char *path, bool replace, struct error *err)
{
	*out = (struct output){.replace = replace};
	if (!name_is_free(path, replace, err))
		return false;
	out->path = strdup(path);
	if (!out->path || asprintf(&out->part, "%s.part", path) < 0) {
		out->part = NULL;
		forget(out);
		return error_memory(err, "opening a file");
	}
	sigset_t before;
	interrupt_hold(&before);
	out->lock = open_part(out->part, err);
	if (out->lock >= 0)
		out->registered = interrupt_removes(out->part);
	interrupt_release(&before);
	if (out->lock < 0) {
		forget(out);
		return false;
	}
	int fd = fcntl(out->lock, F_DUPFD_CLOEXEC, 0);
	out->file = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (!out->file) {
		error_set(err, STATUS_IO, "cannot write %s: %s", out->part, strerror(errno));
		if (fd >= 0)
			close(fd);
		output_abandon(out);
		return false;
	}
	return true;
}

/* Releases the lock, after FILE.part was renamed or removed. */
static void release(struct output *out)
{
	if (out->part)
		close(out->lock);
	forget(out);
}

void output_abandon(struct output *out)
{
	int reason = errno;
	if (out->file)
		fclose(out->file);
	if (out->part)
		unlink(out->part);
	release(out);
	errno = reason;
}

/* Closes the file, if `sync` when it is on the disk. The descriptor that locks it stays. */
static bool close_file(struct output *out, bool sync, struct error *err)
{
	bool written = !ferror(out->file);
	int reason = errno;
	if (written && sync &&
		(fflush(out->file) != 0 || (fsync(fileno(out->file)) != 0 && errno != EINVAL))) {
		reason = errno;
		written = false;
	}
	if (fclose(out->file) != 0) {
		reason = errno;
		written = false;
	}
	out->file = NULL;
	return written ||
	       error_set(err, STATUS_IO, "cannot write %s: %s", out->part, strerror(reason ? reason : EIO));
}

static bool rename_part(struct output *out, struct error *err)
{
	int failed = renameat2(AT_FDCWD, out->part, AT_FDCWD, out->path, out->replace ? 0 : RENAME_NOREPLACE);
	if (failed && errno == EINVAL) { /* a file system without RENAME_NOREPLACE */
		if (!name_is_free(out->path, out->replace, err))
			return false;
		failed = rename(out->part, out->path);
	}
	if (!failed)
		return true;
	return errno == EEXIST ? exists_already(out->path, err)
			       : error_set(err, STATUS_IO, "cannot rename %s to %s: %s", out->part, out->path,
					 strerror(errno));
}

bool output_commit(struct output *out, struct error *err)
{
	sigset_t before;
	bool ok = close_file(out, false, err);
	interrupt_hold(&before);
	ok = ok && rename_part(out, err);
	if (ok)
		release(out);
	else
		output_abandon(out);
	interrupt_release(&before);
	return ok;
}

/* ---- Files that belong together ---- */

/* Gives what is to be replaced a second name. */
static bool keep_old(struct output *out, struct error *err)
{
	if (!out->replace)
		return true;
	if (asprintf(&out->old, "%s.old", out->part) < 0) {
		out->old = NULL;
		return error_memory(err, "replacing a file");
	}
	unlink(out->old); /* of a command that was killed */
	if (link(out->path, out->old) != 0) {
		free(out->old);
		out->old = NULL;
	}
	return true;
}

/* The file loses its name again. */
static void take_back(struct output *out)
{
	if (!out->old || rename(out->old, out->path) != 0)
		unlink(out->path);
	release(out);
}

bool output_commit_all(struct output *out, size_t count, struct error *err)
{
	size_t renamed = 0;
	bool ok = true;
	sigset_t before;
	for (size_t i = 0; i < count && ok; i++)
		ok = close_file(&out[i], true, err);
	interrupt_hold(&before);
	for (size_t i = 0; i < count && ok; i++)
		ok = keep_old(&out[i], err);
	while (ok && renamed < count) {
		ok = rename_part(&out[renamed], err);
		renamed += ok;
	}
	for (size_t i = count; i-- > 0;) {
		if (!ok && i < renamed) {
			take_back(&out[i]);
			continue;
		}
		if (out[i].old)
			unlink(out[i].old);
		if (ok)
			release(&out[i]);
		else
			output_abandon(&out[i]);
	}
	interrupt_release(&before);
	return ok;
}

bool output_is_another(const char *path, const char *input, struct error *err)
{
	struct stat a, b;
	return stat(path, &a) != 0 || stat(input, &b) != 0 || a.st_dev != b.st_dev || a.st_ino != b.st_ino ||
	       error_set(err, STATUS_INPUT, "%s is the file that is read, and is not overwritten", path);
}
