/* tests/unit/test_document.c - YAML texts as trees: limits on their size, depth and growth, the parts of YAML
 * that are refused, syntax errors and junk. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "scenarios/document.h"
#include "tests/support/test.h"

struct reading {
	struct arena arena;
	struct diagnostics diagnostics;
	const struct node *root;
	char *said; /* all messages */
};

static struct reading read_text(const char *text, size_t length)
{
	struct reading r = {0};
	bool no_memory;
	size_t size;
	diagnostics_init(&r.diagnostics, "f");
	r.root = document_parse(&r.arena, text, length, &r.diagnostics, &no_memory);
	assert_false(no_memory);
	assert_int_equal(r.root != NULL, r.diagnostics.count == 0);
	FILE *out = open_memstream(&r.said, &size);
	assert_non_null(out);
	diagnostics_print(&r.diagnostics, out);
	fclose(out);
	return r;
}

static struct reading reading(const char *text)
{
	return read_text(text, strlen(text));
}

static void reading_finish(struct reading *r)
{
	arena_finish(&r->arena);
	diagnostics_finish(&r->diagnostics);
	free(r->said);
}

/* The text must be refused with exactly these messages. */
static void assert_says(const char *text, const char *said)
{
	struct reading r = reading(text);
	assert_string_equal(r.said, said);
	reading_finish(&r);
}

TEST("aliases cannot make a file grow")
{
	struct text t = {0};
	text_add(&t, "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
	for (int i = 1; i < 30; i++) {
		text_printf(&t, "a%d: &a%d [*a%d, *a%d]\n", i, i, i - 1, i - 1);
	}
	/* Line i (from 0) adds 12 * 2^i nodes: 12 * (2^17 - 1) + 12 * 2^16 is too much. */
	struct reading r = reading(text_data(&t));
	assert_string_equal(r.said,
		"f:18:12: error: the file holds more than 2000000 values when its aliases are written out\n");
	reading_finish(&r);
	text_finish(&t);
}

TEST("nesting has a limit")
{
	char text[400];
	for (unsigned depth = 62; depth <= 64; depth++) {
		/* The mapping counts as a level, too. */
		memcpy(text, "pets: ", 7);
		memset(text + 6, '[', depth);
		memset(text + 6 + depth, ']', depth);
		text[6 + 2 * depth] = '\0';
		struct reading r = reading(text);
		assert_int_equal(strstr(r.said, "nested more than 64 levels deep") != NULL, depth + 1 > 64);
		reading_finish(&r);
	}
	/* Through aliases: 40 levels, and 40 more below them. */
	struct text t = {0};
	text_add(&t, "a: &a ");
	for (int i = 0; i < 40; i++)
		text_add(&t, "[");
	for (int i = 0; i < 40; i++)
		text_add(&t, "]");
	text_add(&t, "\nb: ");
	for (int i = 0; i < 40; i++)
		text_add(&t, "[");
	text_add(&t, "*a");
	struct reading r = reading(text_data(&t));
	assert_string_equal(r.said, "f:2:44: error: the file is nested more than 64 levels deep\n");
	reading_finish(&r);
	text_finish(&t);
}

TEST("what YAML has and files do not")
{
	assert_says("rent: !!int 10",
		"f:1:7: error: tags (a word that begins with !) are not used in these files\n");
	assert_says("[a, b]: 1", "f:1:1: error: a key must be a single word\n");
	assert_says("? {a: b}\n: 1", "f:1:3: error: a key must be a single word\n");
	assert_says("a: &a [x]\n*a : 1", "f:2:1: error: a key must be a single word\n");
	assert_says("a: &a {b: c}\nd:\n  <<: *a\n",
		"f:3:3: error: merge keys (<<) are not supported: write the keys out, or name a whole value "
		"with &name and use it again as *name\n");
	assert_says("rent: 10\n---\nrent: 10\n",
		"f:2:1: error: a second document begins here; a file holds one\n");
	assert_says("", "f:1:1: error: the file is empty\n");
	assert_says("# only\n\n", "f:1:1: error: the file is empty\n");
	/* In quotes, or as a value, << is a text. */
	struct reading r = reading("'<<': <<\n");
	assert_string_equal(node_find(r.root, "<<")->text, "<<");
	reading_finish(&r);
}

TEST("syntax errors stop")
{
	assert_says("rooms: x\npets: [a\nrent: 10\n", "f:3:5: error: did not find expected ',' or ']' while "
						      "parsing a flow sequence that began in line 2\n");
	assert_says("pets:\n\t- a\n", "f:2:1: error: YAML is not indented by tabs; use spaces here\n");
	assert_says("pets:\n  \t- a\n", "f:2:3: error: YAML is not indented by tabs; use spaces here\n");
	assert_says("rent: \"10\n", "f:2:1: error: found unexpected end of stream while scanning a quoted "
				    "scalar that began in line 1\n");
	/* A tab after the key does not belong to an indentation. */
	struct reading r = reading("rent:\t10\ndeposit: 10\t# ten\n");
	assert_non_null(r.root);
	reading_finish(&r);
}

TEST("junk is not text")
{
	struct reading r = read_text("rent: 10\nx\0y", 12);
	assert_string_equal(r.said, "f:2:2: error: this is not a text file: it holds the byte 0x00\n");
	reading_finish(&r);
	assert_says("rent: 10\n\x1b[31m", "f:2:1: error: this is not a text file: it holds the byte 0x1b\n");
	assert_says("rent: \x7f", "f:1:7: error: this is not a text file: it holds the byte 0x7f\n");
	assert_says("name: K\xf6ln",
		"f:1:8: error: this is not UTF-8 text: the byte 0xf6 does not belong here\n");
	assert_says("\xff\xfe"
		    "a",
		"f:1:1: error: this is not UTF-8 text: the byte 0xff does not belong here\n");
	assert_says(
		"a: \xc2\x80", "f:1:4: error: this is not a text file: control characters are not allowed\n");
	assert_says("rent: \"a\\0b\"", "f:1:7: error: the text holds a NUL character\n");
	/* A character cut off at the end. */
	assert_says(
		"a: \xe2\x82", "f:1:4: error: this is not UTF-8 text: the byte 0xe2 does not belong here\n");
}

TEST("nodes are found")
{
	struct arena arena = {0};
	struct diagnostics d;
	bool no_memory;
	const char *text = "a: [1, 2]\nb: {c: 3}\n";
	diagnostics_init(&d, "f");
	const struct node *root = document_parse(&arena, text, strlen(text), &d, &no_memory);
	assert_non_null(root);
	assert_string_equal(node_item(node_find(root, "a"), 1)->text, "2");
	assert_null(node_item(node_find(root, "a"), 2));
	assert_null(node_item(root, 0));
	assert_string_equal(node_find(node_find(root, "b"), "c")->text, "3");
	assert_null(node_find(root, "c"));
	assert_null(node_find(NULL, "c"));
	assert_null(node_find(node_find(root, "a"), "1"));
	arena_finish(&arena);
	diagnostics_finish(&d);
}
