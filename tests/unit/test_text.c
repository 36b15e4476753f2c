/* tests/unit/test_text.c - growing text, JSON strings, widths, and "did you mean". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "tests/support/test.h"

TEST("grows")
{
	struct text t = {0};
	assert_string_equal(text_data(&t), "");
	for (int i = 0; i < 1000; i++) {
		text_add(&t, "ab");
		text_add_char(&t, 'c');
		text_printf(&t, "%03d", i);
	}
	assert_int_equal(t.length, 6000);
	assert_memory_equal(text_data(&t), "abc000abc001", 12);
	assert_string_equal(text_data(&t) + 5994, "abc999");
	assert_true(text_ok(&t, "testing", NULL));
	text_clear(&t);
	assert_string_equal(text_data(&t), "");
	text_add(&t, "again");
	assert_string_equal(text_data(&t), "again");
	text_finish(&t);
	assert_string_equal(text_data(&t), "");
}

TEST("fits to the byte")
{
	for (size_t first = 60; first < 70; first++) { /* around the first capacity */
		struct text t = {0};
		for (size_t i = 0; i < first; i++)
			text_add_char(&t, 'x');
		text_printf(&t, "%s", "y");
		assert_int_equal(strlen(text_data(&t)), first + 1);
		text_finish(&t);
	}
}

TEST("hands over")
{
	struct text t = {0};
	char *empty = text_take(&t);
	assert_string_equal(empty, "");
	free(empty);
	text_add(&t, "run");
	char *taken = text_take(&t);
	assert_string_equal(taken, "run");
	assert_int_equal(t.length, 0);
	free(taken);
}

TEST("remembers a failure")
{
	struct text t = {0};
	text_add(&t, "kept");
	text_add_bytes(&t, "", SIZE_MAX - 10); /* cannot be allocated; refused before the copy */
	text_add(&t, "lost");
	assert_string_equal(text_data(&t), "kept");
	struct error err = {0};
	assert_false(text_ok(&t, "writing", &err));
	assert_int_equal(err.status, STATUS_IO);
	assert_string_equal(err.text, "out of memory for writing");
	assert_null(text_take(&t));
	assert_true(text_ok(&t, "writing", &err)); /* empty again */
}

static void assert_json(const char *string, const char *expected)
{
	struct text t = {0};
	text_add_json(&t, string);
	assert_string_equal(text_data(&t), expected);
	text_finish(&t);
}

TEST("literals of SQL")
{
	struct text t = {0};
	text_add_sql(&t, "it's 'so'");
	text_add_sql(&t, NULL);
	text_add_sql(&t, "");
	assert_string_equal(text_data(&t), "'it''s ''so'''NULL''");
	text_finish(&t);
}

TEST("escapes JSON")
{
	assert_json("", "\"\"");
	assert_json("fifo-cke", "\"fifo-cke\"");
	assert_json("a\"b\\c/", "\"a\\\"b\\\\c/\"");
	assert_json("\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\"");
	assert_json("\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\"");
	assert_json("\u00e9\u20ac\U0001f600", "\"\u00e9\u20ac\U0001f600\"");
}

/* Lone continuation byte, overlong form, surrogate, above U+10FFFF, cut short. */
TEST("replaces what is not utf8")
{
	static const struct {
		const char *bytes;
		size_t replaced;
	} bad[] = {{"\x80", 1}, {"\xc0\x80", 2}, {"\xed\xa0\x80", 3}, {"\xf4\x90\x80\x80", 4},
		{"\xe2\x82", 2}, {"\xff", 1}};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct text t = {0};
		assert_int_equal(utf8_length(bad[i].bytes), 0);
		text_add_json(&t, bad[i].bytes);
		assert_int_equal(t.length, 2 + 3 * bad[i].replaced);
		assert_memory_equal(text_data(&t), "\"\xef\xbf\xbd", 4);
		text_finish(&t);
	}
}

TEST("measures distance")
{
	static const struct {
		const char *a, *b;
		size_t distance;
	} pairs[] = {{"", "", 0}, {"run", "run", 0}, {"run", "Run", 0}, {"run", "", 3}, {"run", "rum", 1},
		{"qurey", "query", 1}, {"deadlin", "deadline", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3},
		{"relay", "replay", 1}, {"audti", "audit", 1}, {"ab", "ba", 1}};
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		assert_int_equal(text_distance(pairs[i].a, pairs[i].b), pairs[i].distance);
		assert_int_equal(text_distance(pairs[i].b, pairs[i].a), pairs[i].distance);
	}
	char longest[66];
	memset(longest, 'x', sizeof(longest));
	longest[64] = '\0';
	assert_int_equal(text_distance(longest, longest), 0);
	longest[64] = 'x';
	longest[65] = '\0';
	assert_true(text_distance(longest, longest) == SIZE_MAX);
}

static const char *nearest(const char *word, char *buffer)
{
	static const char *const names[] = {"run", "query", "audit", "replay", "list", "schema"};
	struct suggestion s = {.word = word};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		suggestion_offer(&s, names[i]);
	return suggestion_text(&s, buffer);
}

TEST("suggests")
{
	char buffer[SUGGESTION_TEXT_MAX];
	assert_string_equal(nearest("qurey", buffer), "; did you mean 'query'?");
	assert_string_equal(nearest("runn", buffer), "; did you mean 'run'?");
	assert_string_equal(nearest("rin", buffer), "; did you mean 'run'?");
	assert_string_equal(nearest("shcema", buffer), "; did you mean 'schema'?");
	assert_string_equal(nearest("plot", buffer), "");
	assert_string_equal(nearest("", buffer), "");
	assert_string_equal(nearest("sch", buffer), "; did you mean 'schema'?");
	assert_string_equal(nearest("sc", buffer), "");
	assert_string_equal(nearest("ema", buffer), "; did you mean 'schema'?");
	assert_string_equal(nearest("em", buffer), "");
	assert_string_equal(nearest("the_query", buffer), "; did you mean 'query'?");
	assert_string_equal(nearest("play RE", buffer), "; did you mean 'replay'?");
	assert_string_equal(nearest("play x", buffer), "");
	assert_string_equal(nearest("auditive", buffer), "; did you mean 'audit'?");
	assert_string_equal(nearest("schemes", buffer), "; did you mean 'schema'?");
	/* The nearer word wins, not the first one. */
	struct suggestion s = {.word = "period"};
	suggestion_offer(&s, "perio_");
	suggestion_offer(&s, "periods");
	suggestion_offer(&s, "period");
	assert_string_equal(s.best, "period");
	assert_int_equal(s.distance, 0);
	suggestion_offer(&s, "perio_");
	assert_string_equal(s.best, "period");
}

/* The shortest text that reads back as the same number. */
TEST("writes reals")
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {{0.1, "0.1"}, {34750 / 1e6, "0.03475"}, {0.1 + 0.2, "0.30000000000000004"},
		{-2.5, "-2.5"}, {0, "0"}, {5e-324, "5e-324"}, {1e22, "1e+22"},
		{9007199254740992, "9007199254740992"}, {1.0 / 3, "0.3333333333333333"},
		{1.7976931348623157e308, "1.7976931348623157e+308"}};
	char text[TEXT_REAL_MAX];
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_string_equal(text_real(cases[i].value, text), cases[i].text);
		assert_true(strtod(text, NULL) == cases[i].value);
	}
	/* Times in ns, divided as views divide them. */
	for (int64_t ns = 1; ns < 3000000; ns += 7) {
		char exact[TEXT_REAL_MAX];
		size_t length = (size_t)snprintf(
			exact, sizeof(exact), "%d.%06d", (int)(ns / 1000000), (int)(ns % 1000000));
		while (exact[length - 1] == '0')
			exact[--length] = '\0';
		if (exact[length - 1] == '.')
			exact[--length] = '\0';
		if (ns >= 100)
			assert_string_equal(text_real((double)ns / 1e6, text), exact);
	}
}
