/* report/charts/text.c - measures texts, and breaks or cuts them to fit. */
#include <string.h>

#include "base/utf8.h"
#include "report/charts/layout.h"

#define EM 0.1146 /* of the letters of labels, 8.25 points, in inches */
#define SAFETY 1.03
#define ELLIPSIS "\u2026"

/* Hundredths of an em: DejaVu Sans, from the blank to "~". */
static const unsigned char widths[95] = {
	32,
	40,
	46,
	84,
	64,
	95,
	78,
	27,
	39,
	39,
	50,
	84,
	32,
	36,
	32,
	34,
	64,
	64,
	64,
	64,
	64,
	64,
	64,
	64,
	64,
	64,
	34,
	34,
	84,
	84,
	84,
	53,
	100,
	68,
	69,
	70,
	77,
	63,
	58,
	77,
	75,
	29,
	29,
	66,
	56,
	86,
	75,
	79,
	60,
	79,
	69,
	63,
	61,
	73,
	68,
	99,
	69,
	61,
	69,
	39,
	34,
	39,
	84,
	50,
	50,
	61,
	63,
	55,
	63,
	62,
	35,
	63,
	63,
	28,
	28,
	58,
	28,
	97,
	63,
	61,
	63,
	63,
	41,
	52,
	39,
	63,
	59,
	82,
	59,
	59,
	52,
	64,
	34,
	64,
	84,
};

/* The width of the character at `at`, and its number of bytes. */
static double letter(const char *at, size_t *bytes)
{
	unsigned char c = (unsigned char)*at;
	char one[5] = "";
	*bytes = utf8_length(at);
	*bytes = *bytes ? *bytes : 1;
	if (c >= ' ' && c <= '~')
		return widths[c - ' '] * 0.01 * EM * SAFETY;
	memcpy(one, at, *bytes);
	return 0.7 * (double)utf8_width(one) * EM * SAFETY;
}

static double span_width(const char *string, size_t length)
{
	double width = 0;
	for (size_t at = 0, bytes; at < length; at += bytes)
		width += letter(string + at, &bytes);
	return width;
}

double chart_text_width(const char *string)
{
	return span_width(string, strlen(string));
}

double chart_text_longest(const char *string)
{
	double longest = 0;
	while (*string) {
		size_t length = strcspn(string, " ");
		double width = span_width(string, length);
		longest = width > longest ? width : longest;
		string += length + (string[length] == ' ');
	}
	return longest;
}

/* How many bytes fit, from the beginning on. */
static size_t fitting(const char *string, size_t length, double width)
{
	size_t at = 0;
	for (size_t bytes; at < length; at += bytes) {
		width -= letter(string + at, &bytes);
		if (width < 0)
			break;
	}
	return at < length ? at : length;
}

void chart_text_cut(const char *string, size_t length, double width, struct text *out)
{
	if (span_width(string, length) <= width) {
		text_add_bytes(out, string, length);
		return;
	}
	double room = width - chart_text_width(ELLIPSIS);
	size_t front = fitting(string, length, room / 2), back = length;
	text_add_bytes(out, string, front);
	text_add(out, ELLIPSIS);
	double rest = span_width(string + front, length - front);
	for (size_t from = front, bytes; from < back; from += bytes) {
		double width_of_one = letter(string + from, &bytes);
		if (rest <= room / 2)
			back = from;
		rest -= width_of_one;
	}
	text_add_bytes(out, string + back, length - back);
}

/* The end of the words that fit into a line; at least one word. */
static size_t line_end(const char *string, double width)
{
	size_t end = 0;
	for (size_t at = 0;; at++) {
		if (string[at] && string[at] != ' ')
			continue;
		if (end > 0 && span_width(string, at) > width)
			return end;
		end = at;
		if (!string[at])
			return end;
	}
}

size_t chart_text_wrap(const char *string, double width, size_t most, struct text *out)
{
	size_t lines = 0;
	while (*string) {
		size_t end = ++lines == most ? strlen(string) : line_end(string, width);
		if (out) {
			text_add(out, lines > 1 ? "\n" : "");
			chart_text_cut(string, end, width, out);
		}
		string += end;
		string += *string == ' ';
	}
	return lines;
}
