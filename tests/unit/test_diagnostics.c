/* tests/unit/test_diagnostics.c - the printed form of errors in a file. */
#include <stdlib.h>
#include <string.h>

#include "base/diagnostics.h"
#include "tests/support/test.h"

static char *printed(struct diagnostics *d)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	assert_non_null(out);
	diagnostics_print(d, out);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void assert_prints(struct diagnostics *d, const char *expected)
{
	char *text = printed(d);
	assert_string_equal(text, expected);
	free(text);
}

TEST("prints nothing when all is well")
{
	struct diagnostics d;
	diagnostics_init(&d, "good.yaml");
	assert_prints(&d, "");
	diagnostics_finish(&d);
}

TEST("sorts by place")
{
	struct diagnostics d;
	diagnostics_init(&d, "bad.yaml");
	diagnostics_add(&d, 9, 13, "'period' wants %s", "a duration");
	diagnostics_add(&d, 2, 7, "second");
	diagnostics_add(&d, 2, 3, "first");
	diagnostics_add(&d, 2, 7, "second too");
	diagnostics_add(&d, 0, 0, "the file is empty");
	diagnostics_add(&d, 4, 0, "somewhere on this line");
	assert_int_equal(d.count, 5 + 1);
	assert_prints(&d, "bad.yaml: error: the file is empty\n"
			  "bad.yaml:2:3: error: first\n"
			  "bad.yaml:2:7: error: second\n"
			  "bad.yaml:2:7: error: second too\n"
			  "bad.yaml:4: error: somewhere on this line\n"
			  "bad.yaml:9:13: error: 'period' wants a duration\n");
	diagnostics_finish(&d);
	assert_int_equal(d.count, 0);
}

TEST("stops collecting at the limit")
{
	struct diagnostics d;
	diagnostics_init(&d, "junk");
	for (unsigned i = 0; i < DIAGNOSTICS_MAX + 1; i++)
		diagnostics_add(&d, i + 1, 1, "junk");
	assert_int_equal(d.count, DIAGNOSTICS_MAX);
	assert_int_equal(d.dropped, 1);
	char *text = printed(&d);
	const char *last = strstr(text, "junk:200:1: error: junk\n");
	assert_non_null(last);
	assert_string_equal(last, "junk:200:1: error: junk\njunk: error: 1 more error is not shown\n");
	free(text);
	diagnostics_add(&d, 1, 2, "junk");
	text = printed(&d);
	assert_non_null(strstr(text, "junk: error: 2 more errors are not shown\n"));
	free(text);
	diagnostics_finish(&d);
}

TEST("keeps junk off the terminal")
{
	struct diagnostics d;
	diagnostics_init(&d, "f");
	diagnostics_add(&d, 1, 1, "got \"%s\"", "\033[31mred\n\x7f");
	assert_prints(&d, "f:1:1: error: got \"?[31mred ?\"\n");
	diagnostics_finish(&d);
}

TEST("cuts between characters")
{
	char euros[4000] = "";
	for (size_t i = 0; i + 4 < sizeof(euros); i += 3)
		memcpy(euros + i, "\u20ac", 4);
	struct diagnostics d;
	diagnostics_init(&d, "f");
	diagnostics_add(&d, 1, 1, "%s", euros);
	size_t length = strlen(d.items[0].text);
	assert_int_equal(length, 999 + 3); /* 333 whole characters, and dots */
	assert_string_equal(d.items[0].text + length - 6, "\u20ac...");
	diagnostics_finish(&d);
}

TEST("says what is wrong at a place once")
{
	struct diagnostics d;
	diagnostics_init(&d, "twice");
	for (unsigned i = 0; i < 3; i++)
		diagnostics_add(&d, 4, 7, "unknown key \"%s\"", i < 2 ? "a" : "b");
	assert_int_equal(d.count, 2);
	assert_int_equal(d.dropped, 0);
	diagnostics_finish(&d);
}
