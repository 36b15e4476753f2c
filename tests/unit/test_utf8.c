/* tests/unit/test_utf8.c - characters in UTF-8: their lengths, their columns, and those that no terminal
 * gets. */
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "tests/support/test.h"

TEST("measures characters")
{
	assert_int_equal(utf8_length("a"), 1);
	assert_int_equal(utf8_length("\u00e9"), 2);
	assert_int_equal(utf8_length("\ud7ff"), 3);
	assert_int_equal(utf8_length("\U0010ffff"), 4);
}

TEST("counts columns")
{
	assert_int_equal(utf8_width(""), 0);
	assert_int_equal(utf8_width("task"), 4);
	assert_int_equal(utf8_width("\u00e9t\u00e9"), 3);
	assert_int_equal(utf8_width("e\u0301"), 1);      /* a combining accent */
	assert_int_equal(utf8_width("\u6642\u9593"), 4); /* two wide characters */
	assert_int_equal(utf8_width("\xff"
				    "a"),
		2);
}

static void assert_cleaned(const char *text, const char *kept, const char *expected)
{
	char room[64];
	snprintf(room, sizeof(room), "%s", text);
	*utf8_clean(room, room + strlen(room), kept) = '\0';
	assert_string_equal(room, expected);
}

TEST("replaces controls and what is no UTF-8")
{
	assert_cleaned("", "", "");
	assert_cleaned("\u00e9t\u00e9 ~ \u00a0", "", "\u00e9t\u00e9 ~ \u00a0");
	assert_cleaned("\033[31m\a\b\r\x7f", "", "?[31m????");
	assert_cleaned("a\nb\tc", "", "a b c");
	assert_cleaned("a\nb\tc", "\n", "a\nb c");
	assert_cleaned("\xc2\x80x\xc2\x9by", "", "?x?y"); /* C1, in two bytes each */
	assert_cleaned("\x9b\xc2\xff\xe2\x82", "", "?????");
	assert_cleaned("\xc2\n", "\n", "?\n");
}

TEST("stops at the end that it is given")
{
	char text[] = "a\033\xc2\x9b|\033";
	char *end = utf8_clean(text, strchr(text, '|'), "");
	assert_ptr_equal(end, text + 3);
	assert_memory_equal(text, "a??", 3);
}
