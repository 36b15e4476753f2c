/* scenarios/import/notes.c - texts of an import: what is said to the user, and names of kernels. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/list.h"
#include "scenarios/import/parts.h"

static const char what[] = "importing a capture";

PRINTF_LIKE(3, 0)
static const char *text_of(struct import *im, struct error *err, const char *fmt, va_list args)
{
	char line[1024];
	vsnprintf(line, sizeof(line), fmt, args);
	const char *text = arena_strdup(&im->arena, line);
	if (!text)
		error_memory(err, what);
	return text;
}

const char *part_text(struct import *im, struct error *err, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	const char *text = text_of(im, err, fmt, args);
	va_end(args);
	return text;
}

bool part_note(struct import *im, struct error *err, enum import_kind kind, const char *subject,
	uint64_t count, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	const char *text = text_of(im, err, fmt, args);
	va_end(args);
	const char *copy = arena_strdup(&im->arena, subject);
	struct import_note *notes = list_room(im->notes, im->note_count, sizeof(*notes), what, err);
	if (notes)
		im->notes = notes;
	if (!text || !notes || !copy)
		return error_memory(err, what);
	im->notes[im->note_count++] =
		(struct import_note){.kind = kind, .subject = copy, .count = count, .text = text};
	return true;
}

const char *import_short_name(const char *name, char buffer[IMPORT_NAME_MAX])
{
	static const char anonymous[] = "(anonymous namespace)";
	size_t n = 0;
	name += strncmp(name, "void ", 5) == 0 ? 5 : 0;
	while (*name && *name != '<' && n < IMPORT_NAME_MAX - 1) {
		bool unnamed = strncmp(name, anonymous, sizeof(anonymous) - 1) == 0;
		if (*name == '(' && !unnamed)
			break;
		if (unnamed)
			name += sizeof(anonymous) - 1 +
				(strncmp(name + sizeof(anonymous) - 1, "::", 2) == 0 ? 2 : 0);
		else
			buffer[n++] = *name++;
	}
	while (n > 0 && buffer[n - 1] == ' ')
		n--;
	buffer[n] = '\0';
	return buffer;
}
