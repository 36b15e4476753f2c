/* base/say.c - prints sentences, without what their arguments must not do to a terminal. */
#include "base/say.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

#define ROOM 2048 /* more than nearly all sentences */

static const char ELLIPSIS[] = "...";
static const char LAYOUT[] = "\n\t"; /* controls that a format may have */

static size_t count_layout(const char *text)
{
	size_t count = 0;
	for (; *text; text++)
		count += strchr(LAYOUT, *text) != NULL;
	return count;
}

/* How many of the last characters are layout. */
static size_t layout_at_end(const char *text)
{
	size_t length = strlen(text), count = 0;
	while (count < length && strchr(LAYOUT, text[length - 1 - count]))
		count++;
	return count;
}

/* Arguments can only add layout. If one did, only what the format begins and ends with is known to be ours.
 */
static void clean(char *text, const char *fmt, bool cut)
{
	size_t length = strlen(text), head = strspn(fmt, LAYOUT), tail = cut ? 0 : layout_at_end(fmt);
	bool ours = !cut && count_layout(text) == count_layout(fmt);
	if (ours || head + tail > length)
		head = tail = 0;
	char *end = text + length - tail;
	memmove(utf8_clean(text + head, end, ours ? LAYOUT : ""), end, tail + 1);
}

/* Makes room for the ellipsis, and leaves whole characters. */
static void cut_at(char *text, size_t size)
{
	size_t most = size - sizeof(ELLIPSIS), kept = most;
	while (kept > 0 && most - kept < 3 && ((unsigned char)text[kept] & 0xc0) == 0x80)
		kept--;
	memcpy(text + kept, ELLIPSIS, sizeof(ELLIPSIS));
}

void say_into(char *buffer, size_t size, const char *fmt, va_list args)
{
	int length = vsnprintf(buffer, size, fmt, args);
	if (length < 0)
		snprintf(buffer, size, "?");
	bool cut = length >= 0 && (size_t)length >= size;
	if (cut)
		cut_at(buffer, size);
	clean(buffer, fmt, cut);
}

void say_list(FILE *out, const char *fmt, va_list args)
{
	char room[ROOM];
	va_list again;
	va_copy(again, args);
	int length = vsnprintf(room, sizeof(room), fmt, again);
	va_end(again);
	size_t size = length >= 0 ? (size_t)length + 1 : sizeof(room);
	char *longer = size > sizeof(room) ? malloc(size) : NULL;
	say_into(longer ? longer : room, longer ? size : sizeof(room), fmt, args);
	fputs(longer ? longer : room, out);
	free(longer);
}

void say(FILE *out, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	say_list(out, fmt, args);
	va_end(args);
}
