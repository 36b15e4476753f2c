/* base/output.c - owns the way of a file from its temporary name to its own. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool exists_already(const char *path, struct error *err)
{
	return error_set(err, STATUS_INPUT,
		"%s exists already; choose another name, or overwrite it with --force", path);
}

static void forget(struct output *out)
{
	free(out->path);
	free(out->part);
	*out = (struct output){0};
}

bool output_begin(struct output *out, const char *path, bool replace, struct error *err)
{
	*out = (struct output){.replace = replace};
	if (!replace && access(path, F_OK) == 0)
		return exists_already(path, err);
	out->path = strdup(path);
	if (!out->path || asprintf(&out->part, "%s.part", path) < 0) {
		out->part = NULL;
		forget(out);
		return error_memory(err, "opening a file");
	}
	out->file = fopen(out->part, "we");
	if (!out->file) {
		error_set(err, STATUS_IO, "cannot write %s: %s", out->part, strerror(errno));
		forget(out);
		return false;
	}
	return true;
}

void output_abandon(struct output *out)
{
	int reason = errno;
	if (out->file)
		fclose(out->file);
	if (out->part)
		unlink(out->part);
	forget(out);
	errno = reason;
}

bool output_commit(struct output *out, struct error *err)
{
	bool written = !ferror(out->file);
	int reason = errno;
	if (fclose(out->file) != 0) {
		reason = errno;
		written = false;
	}
	out->file = NULL;
	if (!written) {
		error_set(err, STATUS_IO, "cannot write %s: %s", out->part, strerror(reason ? reason : EIO));
		output_abandon(out);
		return false;
	}
	int failed = renameat2(AT_FDCWD, out->part, AT_FDCWD, out->path, out->replace ? 0 : RENAME_NOREPLACE);
	if (failed && errno == EINVAL) /* a file system that cannot keep from replacing */
		failed = rename(out->part, out->path);
	if (failed) {
		if (errno == EEXIST)
			exists_already(out->path, err);
		else
			error_set(err, STATUS_IO, "cannot rename %s to %s: %s", out->part, out->path, strerror(errno));
		output_abandon(out);
		return false;
	}
	forget(out);
	return true;
}
