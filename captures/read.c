/* captures/read.c - which reader a file is for. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "captures/build.h"
#include "captures/file.h"
#include "captures/json_stream.h"

/* ---- forms ---- */

/* Members with which traces of PyTorch begin; the logs of the CUDA scheduling examiner, JSON too, have none.
 */
static bool of_a_trace(const char *name)
{
	static const char *const names[] = {"traceEvents", "schemaVersion", "deviceProperties",
		"distributedInfo", "displayTimeUnit", "traceName", "baseTimeNanoseconds",
		"baseTimeNanosecond"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* A JSON text is looked at up to its first member that decides. What is wrong with it, its reader will say.
 * False, with the error: memory or the disk failed. */
static bool is_a_trace(const char *path, bool *found, struct error *err)
{
	struct diagnostics ignored;
	const char *name;
	*found = false;
	diagnostics_init(&ignored, path);
	struct json_stream *s = json_stream_open(path, &ignored, err);
	int first = s ? json_stream_peek(s) : 0;
	if (first == '[')
		*found = true;
	else if (first == '{' && json_stream_enter(s))
		while (!*found && json_stream_next(s, &name)) {
			*found = of_a_trace(name);
			if (!*found && !json_stream_skip(s))
				break;
		}
	bool ok = s && (!json_stream_failed(s) || err->status == STATUS_INPUT);
	json_stream_close(s);
	diagnostics_finish(&ignored);
	return ok;
}

bool capture_form(const char *path, enum capture_form *form, struct error *err)
{
	static const char sqlite[] = "SQLite format 3", gzip[] = {'\x1f', '\x8b'};
	char head[sizeof(sqlite)];
	bool trace = false;
	*form = CAPTURE_FORM_NONE;
	struct stat about;
	if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
		return true; /* it could be read only once, and perhaps never ends */
	FILE *file = fopen(path, "rb");
	if (!file)
		return file_unopened(path, err);
	errno = 0;
	size_t length = fread(head, 1, sizeof(head), file);
	bool failed = ferror(file) != 0;
	int reason = errno;
	fclose(file);
	if (failed)
		return error_set(err, STATUS_IO, "%s: cannot read the file: %s", path, strerror(reason));
	if (length == sizeof(sqlite) && memcmp(head, sqlite, sizeof(sqlite)) == 0)
		*form = CAPTURE_FORM_NSYS;
	else if (length >= sizeof(gzip) && memcmp(head, gzip, sizeof(gzip)) == 0)
		*form = CAPTURE_FORM_KINETO;
	else if (!is_a_trace(path, &trace, err))
		return false;
	if (trace)
		*form = CAPTURE_FORM_KINETO;
	return true;
}

/* ---- reading ---- */

bool capture_read(
	struct capture *capture, const char *path, struct diagnostics *diagnostics, struct error *err)
{
	enum capture_form form;
	*capture = (struct capture){.file = path, .made_by = ""};
	if (!capture_form(path, &form, err))
		return false;
	switch (form) {
	case CAPTURE_FORM_NSYS:
		return nsys_read(capture, path, err);
	case CAPTURE_FORM_KINETO:
		return kineto_read(capture, path, diagnostics, err);
	case CAPTURE_FORM_NONE:
		break;
	}
	if (!file_is_one(path, err))
		return false;
	return error_set(err, STATUS_INPUT,
		"%s: neither an export of Nsight Systems (nsys export --type sqlite) nor a trace of the "
		"PyTorch profiler "
		"(.json, .json.gz)",
		path);
}
