/* base/utf8.c - see base/utf8.h. */
#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The lead byte's range, how many bytes follow, and the range of the first of them
 * (Unicode, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF). */
static const struct {
	uint8_t lead_min, lead_max, length, second_min, second_max;
} utf8_forms[] = {
	{0x01, 0x7f, 1, 0x00, 0xff},
	{0xc2, 0xdf, 2, 0x80, 0xbf},
	{0xe0, 0xe0, 3, 0xa0, 0xbf},
	{0xe1, 0xec, 3, 0x80, 0xbf},
	{0xed, 0xed, 3, 0x80, 0x9f},
	{0xee, 0xef, 3, 0x80, 0xbf},
	{0xf0, 0xf0, 4, 0x90, 0xbf},
	{0xf1, 0xf3, 4, 0x80, 0xbf},
	{0xf4, 0xf4, 4, 0x80, 0x8f},
};

size_t utf8_length(const char *string)
{
	const unsigned char *s = (const unsigned char *)string;
	for (size_t i = 0; i < sizeof(utf8_forms) / sizeof(utf8_forms[0]); i++) {
		if (s[0] < utf8_forms[i].lead_min || s[0] > utf8_forms[i].lead_max)
			continue;
		size_t length = utf8_forms[i].length;
		if (length > 1 && (s[1] < utf8_forms[i].second_min || s[1] > utf8_forms[i].second_max))
			return 0;
		for (size_t k = 2; k < length; k++) {
			if ((s[k] & 0xc0) != 0x80)
				return 0;
		}
		return length;
	}
	return 0;
}

/* Characters that take no column, or two. */
static const struct {
	uint32_t first, last;
	unsigned columns;
} widths[] = {
	{0x0300, 0x036f, 0},
	{0x1ab0, 0x1aff, 0},
	{0x1dc0, 0x1dff, 0},
	{0x200b, 0x200f, 0},
	{0x20d0, 0x20ff, 0},
	{0xfe00, 0xfe0f, 0},
	{0xfe20, 0xfe2f, 0},
	{0x1100, 0x115f, 2},
	{0x2e80, 0x303e, 2},
	{0x3041, 0xa4cf, 2},
	{0xac00, 0xd7a3, 2},
	{0xf900, 0xfaff, 2},
	{0xfe30, 0xfe6f, 2},
	{0xff00, 0xff60, 2},
	{0xffe0, 0xffe6, 2},
	{0x1f300, 0x1f64f, 2},
	{0x1f680, 0x1f6ff, 2},
	{0x1f900, 0x1f9ff, 2},
	{0x20000, 0x3fffd, 2},
};

static unsigned code_point_width(uint32_t code)
{
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		if (code >= widths[i].first && code <= widths[i].last)
			return widths[i].columns;
	}
	return 1;
}

static uint32_t code_point(const char *string, size_t length)
{
	static const uint8_t lead_mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	uint32_t code = (unsigned char)string[0] & lead_mask[length];
	for (size_t k = 1; k < length; k++)
		code = code << 6 | ((unsigned char)string[k] & 0x3f);
	return code;
}

size_t utf8_width(const char *string)
{
	size_t columns = 0;
	while (*string) {
		size_t length = utf8_length(string);
		columns += length ? code_point_width(code_point(string, length)) : 1;
		string += length ? length : 1;
	}
	return columns;
}

char utf8_instead(const char *string, size_t length)
{
	unsigned char first = (unsigned char)string[0];
	bool c1 = length == 2 && first == 0xc2 && (unsigned char)string[1] < 0xa0;
	if (first == '\n' || first == '\t')
		return ' ';
	return length == 0 || first < 0x20 || first == 0x7f || c1 ? '?' : '\0';
}

char *utf8_clean(char *text, char *end, const char *kept)
{
	char *to = text;
	while (text < end) {
		size_t length = utf8_length(text);
		char instead = strchr(kept, *text) ? '\0' : utf8_instead(text, length);
		length = length ? length : 1;
		if (instead)
			*to = instead;
		else
			memmove(to, text, length);
		to += instead ? 1 : length;
		text += length;
	}
	return to;
}
