/* base/text.c - owns growing text, JSON strings, and the distance between words. */
#include "base/text.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/utf8.h"

#define FIRST_BYTES 64u

void text_finish(struct text *t)
{
	free(t->data);
	*t = (struct text){0};
}

void text_clear(struct text *t)
{
	t->length = 0;
	t->failed = false;
	if (t->data)
		t->data[0] = '\0';
}

/* Room for `more` bytes and the terminator. */
static bool text_reserve(struct text *t, size_t more)
{
	if (t->failed)
		return false;
	size_t need;
	if (__builtin_add_overflow(t->length, more, &need) || need > SIZE_MAX / 4) {
		t->failed = true;
		return false;
	}
	t->failed = !list_reserve(&t->data, &t->capacity, need < FIRST_BYTES ? FIRST_BYTES : need + 1, 1);
	return !t->failed;
}

void text_add_bytes(struct text *t, const char *bytes, size_t count)
{
	if (!text_reserve(t, count))
		return;
	memcpy(t->data + t->length, bytes, count);
	t->length += count;
	t->data[t->length] = '\0';
}

void text_add(struct text *t, const char *string)
{
	text_add_bytes(t, string, strlen(string));
}

void text_add_char(struct text *t, char c)
{
	text_add_bytes(t, &c, 1);
}

void text_printf(struct text *t, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	int length = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (length < 0) {
		t->failed = true;
		return;
	}
	if (!text_reserve(t, (size_t)length))
		return;
	va_start(args, fmt);
	vsnprintf(t->data + t->length, (size_t)length + 1, fmt, args);
	va_end(args);
	t->length += (size_t)length;
}

void text_add_sql(struct text *t, const char *string)
{
	text_add(t, string ? "'" : "NULL");
	for (; string && *string; string++)
		text_add(t, *string == '\'' ? "''" : (char[]){*string, '\0'});
	text_add(t, string ? "'" : "");
}

const char *text_data(const struct text *t)
{
	return t->data ? t->data : "";
}

bool text_ok(const struct text *t, const char *what, struct error *err)
{
	return t->failed ? error_memory(err, what) : true;
}

char *text_take(struct text *t)
{
	text_add_bytes(t, "", 0); /* an empty text is a text too */
	char *data = t->failed ? NULL : t->data;
	if (data)
		t->data = NULL;
	text_finish(t);
	return data;
}

const char *text_real(double value, char text[TEXT_REAL_MAX])
{
	/* If a decimal of up to 15 digits reads back as this (normal) number, it is the number rounded to 15
	 * digits. */
	char digits[TEXT_REAL_MAX];
	for (int precision = isnormal(value) || value == 0 ? 15 : 1; precision <= 17; precision++) {
		snprintf(digits, sizeof(digits), "%.*g", precision, value);
		if (strtod(digits, NULL) == value)
			break;
	}
	return memcpy(text, digits, sizeof(digits));
}

static void add_json_ascii(struct text *t, char c)
{
	static const char short_forms[] = "\"\"\\\\\bb\ff\nn\rr\tt";
	for (const char *form = short_forms; *form; form += 2) {
		if (form[0] == c) {
			text_add_char(t, '\\');
			text_add_char(t, form[1]);
			return;
		}
	}
	if ((unsigned char)c < 0x20 || c == 0x7f)
		text_printf(t, "\\u%04x", (unsigned)c);
	else
		text_add_char(t, c);
}

void text_add_json(struct text *t, const char *string)
{
	text_add_char(t, '"');
	while (*string) {
		size_t length = utf8_length(string);
		if (length == 1)
			add_json_ascii(t, *string);
		else if (length == 0)
			text_add(t, "\xef\xbf\xbd");
		else
			text_add_bytes(t, string, length);
		string += length ? length : 1;
	}
	text_add_char(t, '"');
}

#define WORD_MAX 64

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t text_distance(const char *a, const char *b)
{
	size_t a_length = strlen(a), b_length = strlen(b);
	if (a_length > WORD_MAX || b_length > WORD_MAX)
		return SIZE_MAX;
	size_t rows[3][WORD_MAX + 1];
	size_t *before = rows[0], *above = rows[1], *row = rows[2];
	for (size_t j = 0; j <= b_length; j++)
		above[j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			size_t replace = above[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
			row[j] = smaller(replace, smaller(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
				lower(a[i - 2]) == lower(b[j - 1]))
				row[j] = smaller(row[j], before[j - 2] + 1);
		}
		size_t *free_row = before;
		before = above;
		above = row;
		row = free_row;
	}
	return above[b_length];
}

#define PREFIX_MIN 3
#define STEM_MIN 5

/* Whether the first `length` letters of `part` are somewhere in `whole`; upper and lower case count as the
 * same. */
static bool is_within(const char *part, size_t length, const char *whole)
{
	for (; strlen(whole) >= length; whole++) {
		size_t same = 0;
		while (same < length && lower(part[same]) == lower(whole[same]))
			same++;
		if (same == length)
			return true;
	}
	return false;
}

/* Whether all parts of the word are in the name: of "tx2", or of "jetson orin" in jetson-agx-orin. */
static bool parts_are_within(const char *word, const char *name)
{
	static const char between[] = "-_ ";
	size_t letters = 0;
	for (word += strspn(word, between); *word; word += strspn(word, between)) {
		size_t length = strcspn(word, between);
		if (!is_within(word, length, name))
			return false;
		letters += length;
		word += length;
	}
	return letters >= PREFIX_MIN;
}

/* Whether the name begins with the word, or with all of it but its last letter: policy, policies. */
static bool begins_with(const char *name, const char *word, size_t length)
{
	return (length >= PREFIX_MIN && strncmp(word, name, length) == 0) ||
	       (length >= STEM_MIN && strncmp(word, name, length - 1) == 0);
}

void suggestion_offer(struct suggestion *s, const char *name)
{
	size_t length = strlen(s->word), limit = length < 2 ? 0 : length < 6 ? 1 : length / 3;
	size_t distance = text_distance(s->word, name);
	if (distance > limit && begins_with(name, s->word, length))
		distance = limit;
	else if (distance > limit && (parts_are_within(s->word, name) || parts_are_within(name, s->word)))
		distance = ++limit;
	if (distance > limit || (s->best && distance >= s->distance))
		return;
	s->best = name;
	s->distance = distance;
}

const char *suggestion_text(const struct suggestion *s, char buffer[SUGGESTION_TEXT_MAX])
{
	buffer[0] = '\0';
	if (s->best)
		snprintf(buffer, SUGGESTION_TEXT_MAX, "; did you mean '%s'?", s->best);
	return buffer;
}
