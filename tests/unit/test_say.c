/* tests/unit/test_say.c - sentences: what comes from the arguments is printable, what is the format's stays.
 */
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "tests/support/test.h"

static char *said; /* free() it */
static size_t said_size;

#define assert_said(expected, ...)                                                                           \
	do {                                                                                                 \
		FILE *out = open_memstream(&said, &said_size);                                               \
		assert_non_null(out);                                                                        \
		say(out, __VA_ARGS__);                                                                       \
		assert_int_equal(fclose(out), 0);                                                            \
		assert_string_equal(said, expected);                                                         \
		free(said);                                                                                  \
	} while (0)

TEST("says what printf says")
{
	assert_said("run 3 (fifo-cke): 1.5 ms,  7 |x  |\n", "run %d (%s): %.1f ms, %2u |%-3s|\n", 3,
		"fifo-cke", 1.5, 7U, "x");
	assert_said("\nwhat:\n\n\ta\n", "\nwhat:\n\n\t%s\n", "a");
	assert_said("", "%s", "");
}

TEST("codes of terminals become question marks")
{
	assert_said("policy '?[31mrm??]0;x?', ?32m ? ?\n", "policy '%s', %s\n", "\033[31mrm\a\033]0;x\a",
		"\xc2\x9b"
		"32m \x9b \x7f");
	assert_said("?\n", "%c\n", '\033');
}

TEST("no argument begins a line")
{
	assert_said("cegsim: note: a cegsim: error: b\n", "cegsim: note: %s\n", "a\ncegsim: error: b");
	assert_said("\n\na b c \n", "\n\n%s\t%s\n%s\n", "a", "b", "c\n"); /* whose is not known */
	assert_said(" a\n\n", "%s\n\n", "\na");
}

TEST("a long sentence is whole")
{
	char text[9000];
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	FILE *out = open_memstream(&said, &said_size);
	assert_non_null(out);
	say(out, "%s\n%s\n", text, text);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(said_size, 2 * sizeof(text));
	free(said);
}

static void PRINTF_LIKE(3, 4) into(char *buffer, size_t size, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	say_into(buffer, size, fmt, args);
	va_end(args);
}

TEST("a buffer holds whole characters and an ellipsis")
{
	char room[9];
	into(room, sizeof(room), "%s", "12345678");
	assert_string_equal(room, "12345678");
	into(room, sizeof(room), "%s", "123456789");
	assert_string_equal(room, "12345...");
	into(room, sizeof(room), "1234%s", "\u20ac\u20ac");
	assert_string_equal(room, "1234...");
	into(room, sizeof(room), "%s\n", "\n2345678"); /* the line feed that is left is not ours */
	assert_string_equal(room, " 2345...");
	into(room, 4, "%s", "\u20ac\u20ac");
	assert_string_equal(room, "...");
}
