/* captures/read.c - which reader a file is for. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "captures/build.h"

bool capture_form(const char *path, enum capture_form *form, struct error *err)
{
	static const char sqlite[] = "SQLite format 3";
	unsigned char head[64];
	*form = CAPTURE_FORM_NONE;
	FILE *file = fopen(path, "rb");
	if (!file)
		return error_set(err, errno == ENOENT ? STATUS_INPUT : STATUS_IO,
			"%s: cannot open the file: %s", path, strerror(errno));
	size_t length = fread(head, 1, sizeof(head), file);
	bool failed = ferror(file) != 0;
	int reason = errno;
	fclose(file);
	if (failed)
		return error_set(err, reason == EISDIR ? STATUS_INPUT : STATUS_IO,
			"%s: cannot read the file: %s", path, strerror(reason));
	if (length >= sizeof(sqlite) && memcmp(head, sqlite, sizeof(sqlite)) == 0)
		*form = CAPTURE_FORM_NSYS;
	return true;
}

bool capture_read(
	struct capture *capture, const char *path, struct diagnostics *diagnostics, struct error *err)
{
	enum capture_form form;
	*capture = (struct capture){.file = path};
	(void)diagnostics;
	if (!capture_form(path, &form, err))
		return false;
	if (form == CAPTURE_FORM_NSYS)
		return nsys_read(capture, path, err);
	return error_set(err, STATUS_INPUT,
		"%s: neither an export of Nsight Systems (SQLite) nor a trace of PyTorch", path);
}
