/* captures/lines.c - see captures/lines.h. zlib reads gzipped files and plain ones alike. */
#include "captures/lines.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "captures/file.h"

bool lines_open(struct lines *l, const char *path, struct diagnostics *diagnostics, struct error *err)
{
	*l = (struct lines){.path = path, .diagnostics = diagnostics, .err = err};
	l->at = l->word = l->text;
	if (!file_is_one(path, err))
		return false;
	errno = 0;
	l->file = gzopen(path, "rb");
	if (!l->file)
		return file_unopened(path, err);
	gzbuffer(l->file, 1 << 15); /* small files are many, and no larger one is read faster */
	return true;
}

void lines_close(struct lines *l)
{
	if (l->file)
		gzclose(l->file);
	l->file = NULL;
}

/* ---- errors ---- */

PRINTF_LIKE(3, 0)
static bool report(struct lines *l, unsigned column, const char *fmt, va_list args)
{
	char text[300];
	vsnprintf(text, sizeof(text), fmt, args);
	l->wrong = true;
	diagnostics_add(l->diagnostics, l->number, column, "%s", text);
	return error_set(l->err, STATUS_INPUT, "%s:%u:%u: %s", l->path, l->number, column, text);
}

bool lines_error(struct lines *l, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	report(l, (unsigned)(l->word - l->text) + 1, fmt, args);
	va_end(args);
	return false;
}

bool lines_error_here(struct lines *l, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	report(l, 1, fmt, args);
	va_end(args);
	return false;
}

/* ---- lines ---- */

/* Whether the file ended well; else *err says why not. */
static bool ended(struct lines *l)
{
	int code, system = errno;
	const char *text = gzerror(l->file, &code);
	if (code == Z_OK || code == Z_STREAM_END)
		return true;
	if (code == Z_DATA_ERROR || code == Z_BUF_ERROR)
		return error_set(l->err, STATUS_INPUT, "%s: the compressed file is damaged or cut off: %s",
			l->path, text);
	return error_set(l->err, STATUS_IO, "%s: cannot read the file: %s", l->path,
		code == Z_ERRNO ? strerror(system) : text);
}

bool lines_next(struct lines *l)
{
	errno = 0;
	if (!gzgets(l->file, l->text, LINES_MAX)) {
		(void)ended(l);
		return false;
	}
	l->number++;
	l->at = l->word = l->text;
	size_t length = strlen(l->text);
	bool whole = length > 0 && l->text[length - 1] == '\n';
	if (!whole && (length == LINES_MAX - 1 || !gzeof(l->file))) {
		lines_error_here(l, "a line of more than %d bytes, or with a byte 0", LINES_MAX - 2);
		while (!whole && gzgets(l->file, l->text, LINES_MAX)) {
			length = strlen(l->text);
			whole = length > 0 && l->text[length - 1] == '\n';
		}
		length = 0;
	}
	while (length > 0 && (l->text[length - 1] == '\n' || l->text[length - 1] == '\r'))
		length--;
	l->text[length] = '\0';
	return true;
}

/* ---- words ---- */

const char *lines_word(struct lines *l)
{
	l->word = l->at + strspn(l->at, " \t");
	l->at = l->word + strcspn(l->word, " \t");
	if (*l->at)
		*l->at++ = '\0';
	return l->word;
}

bool lines_parse(const char *text, int base, uint64_t most, uint64_t *value)
{
	uint64_t sum = 0;
	if (base == 16 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		text += 2;
	if (!*text)
		return false;
	for (; *text; text++) {
		char c = *text;
		int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
		digit = c >= 'A' && c <= 'F' ? c - 'A' + 10 : digit;
		if (digit >= base || sum > (UINT64_MAX - (uint64_t)digit) / (uint64_t)base)
			return false;
		sum = sum * (uint64_t)base + (uint64_t)digit;
	}
	*value = sum;
	return sum <= most;
}

bool lines_number(struct lines *l, const char *what, int base, uint64_t most, uint64_t *value)
{
	const char *word = lines_word(l);
	if (lines_parse(word, base, most, value))
		return true;
	if (!*word)
		return lines_error(l, "%s is missing", what);
	return lines_error(l, "%s is a %s number up to %llu, not '%.40s'", what,
		base == 16 ? "hexadecimal" : "decimal", (unsigned long long)most, word);
}

bool lines_signed(struct lines *l, const char *what, int64_t *value)
{
	const char *word = lines_word(l);
	bool negative = *word == '-';
	uint64_t size;
	if (lines_parse(word + negative, 10, INT64_MAX, &size)) {
		*value = negative ? -(int64_t)size : (int64_t)size;
		return true;
	}
	if (!*word)
		return lines_error(l, "%s is missing", what);
	return lines_error(l, "%s is a decimal number, not '%.40s'", what, word);
}
