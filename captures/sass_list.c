/* captures/sass_list.c - kernelslist.g: the launches of an application in their order, and its copies to the
 * GPU; and what kind of file one is. A line is `MemcpyHtoD,ADDRESS,BYTES` or the name of a trace, which
 * begins with "kernel"; Accel-Sim ignores all others, and so do we. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/list.h"
#include "base/text.h"
#include "captures/file.h"
#include "captures/lines.h"
#include "captures/sass.h"

static const char what[] = "reading a list of kernels";

static bool begins(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* ---- the list ---- */

static bool read_copy(struct sass_list *list, struct lines *l)
{
	uint64_t bytes, address;
	char *first = strchr(l->text, ','), *second = first ? strchr(first + 1, ',') : NULL;
	if (second)
		*second = '\0';
	if (!second || !lines_parse(first + 1, 16, UINT64_MAX, &address) ||
		!lines_parse(second + 1, 10, INT64_MAX, &bytes))
		return lines_error_here(l, "a copy is MemcpyHtoD,ADDRESS,BYTES");
	list->copies++;
	list->copied_bytes += bytes;
	return true;
}

static bool read_launch(struct sass_list *list, const char *path, struct lines *l, struct error *err)
{
	struct text full = {0};
	const char *slash = strrchr(path, '/');
	size_t length = strlen(l->text);
	while (length > 0 && (l->text[length - 1] == ' ' || l->text[length - 1] == '\t'))
		l->text[--length] = '\0';
	if (l->text[0] != '/' && slash)
		text_add_bytes(&full, path, (size_t)(slash - path) + 1);
	text_add(&full, l->text);
	struct sass_launch *launches = list_room(list->launches, list->count, sizeof(*launches), what, err);
	if (launches)
		list->launches = launches;
	bool ok = text_ok(&full, what, err) && launches;
	const char *copy = ok ? arena_strdup(&list->arena, text_data(&full)) : NULL;
	text_finish(&full);
	if (!copy)
		return ok ? error_memory(err, what) : false;
	list->launches[list->count++] = (struct sass_launch){.path = copy, .line = l->number};
	return true;
}

bool sass_list_read(
	struct sass_list *list, const char *path, struct diagnostics *diagnostics, struct error *err)
{
	struct lines l;
	bool ok = lines_open(&l, path, diagnostics, err);
	*list = (struct sass_list){0};
	err->status = ok ? STATUS_OK : err->status;
	while (ok && lines_next(&l)) {
		if (begins(l.text, "MemcpyHtoD"))
			(void)read_copy(list, &l);
		else if (begins(l.text, "kernel"))
			ok = read_launch(list, path, &l, err);
	}
	ok = ok && err->status == STATUS_OK;
	lines_close(&l);
	if (ok && list->count == 0)
		return error_set(err, STATUS_INPUT, "%s: the list has no kernels", path);
	return ok;
}

void sass_list_finish(struct sass_list *list)
{
	free(list->launches);
	arena_finish(&list->arena);
	*list = (struct sass_list){0};
}

/* ---- forms ---- */

static enum sass_form form_of(const char *text)
{
	text += strspn(text, " \t\r\n");
	if (begins(text, "-kernel name"))
		return SASS_FORM_TRACE;
	return begins(text, "Memcpy") || begins(text, "kernel") ? SASS_FORM_LIST : SASS_FORM_NONE;
}

bool sass_form(const char *path, enum sass_form *form, struct error *err)
{
	static const char xz[] = {'\xfd', '7', 'z', 'X', 'Z'};
	char head[512] = "";
	struct stat about;
	*form = SASS_FORM_NONE;
	if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
		return true; /* it could be read only once, and perhaps never ends */
	errno = 0;
	gzFile file = gzopen(path, "rb");
	if (!file)
		return file_unopened(path, err);
	int code = Z_OK, count = gzread(file, head, sizeof(head) - 1);
	if (count < 0)
		(void)gzerror(file, &code);
	gzclose(file);
	if (code == Z_MEM_ERROR)
		return error_memory(err, "reading a file");
	/* What else cannot be read, other readers will say. */
	if (count >= (int)sizeof(xz) && memcmp(head, xz, sizeof(xz)) == 0)
		*form = SASS_FORM_XZ;
	else if (count > 0)
		*form = form_of(head);
	return true;
}
