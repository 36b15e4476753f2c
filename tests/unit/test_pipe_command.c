/* tests/unit/test_pipe_command.c - policies/pipe/command.h: the words of a command, and its files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sha256.h"
#include "policies/pipe/command.h"
#include "tests/support/test.h"

static struct error err;

/* The words, each in brackets. */
static void is_cut(const char *text, const char *expected)
{
	char **words, got[400] = "";
	size_t count;
	if (!command_split(text, &words, &count, &err))
		fail_msg("%s: %s", text, err.text);
	for (size_t i = 0; i < count; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "[%s]", words[i]);
	assert_string_equal(got, expected);
	command_free_words(words, count);
}

TEST("a text is cut at its blanks")
{
	is_cut("", "");
	is_cut("  ", "");
	is_cut("python3 mine.py", "[python3][mine.py]");
	is_cut("  a\tb\nc  ", "[a][b][c]");
	is_cut("sh -c 'exit 3'", "[sh][-c][exit 3]");
	is_cut("sh -c \"echo '$x'\"", "[sh][-c][echo '$x']");
	is_cut("'' a", "[][a]");
	is_cut("my\\ file a'b'\"c\"", "[my file][abc]");
	is_cut("\"a \\\" b\" '\\'", "[a \" b][\\]");
	is_cut("a\\", "[a\\]");
}

TEST("a quote must be closed")
{
	char **words = NULL;
	size_t count = 9;
	assert_false(command_split("python3 'mine.py", &words, &count, &err));
	assert_string_equal(err.text, "a quote is not closed");
	assert_int_equal(err.status, STATUS_INPUT);
	assert_null(words);
	assert_int_equal(count, 0);
	assert_false(command_split("\"", &words, &count, &err));
}

/* ---- files ---- */

static char folder[] = "/tmp/pipe-command-XXXXXX";

static void write_file(const char *name, const char *content, mode_t mode)
{
	char path[100];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(content, f) >= 0 && fclose(f) == 0);
	assert_int_equal(chmod(path, mode), 0);
}

static int make_files(void **state)
{
	if (!mkdtemp(folder))
		return 1;
	write_file("mine.py", "one", 0644);
	write_file("data.csv", "two", 0644);
	write_file("prog", "#!/bin/sh\n", 0755);
	return 0;
}

static int remove_files(void **state)
{
	static const char *const names[] = {"mine.py", "data.csv", "prog"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char path[100];
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
	return rmdir(folder);
}

ALL_TESTS(make_files, remove_files);

static void is_digest(const struct command *c, const char *content)
{
	char text[SHA256_TEXT];
	sha256(content, strlen(content), text);
	assert_int_equal(strlen(c->digest), COMMAND_DIGEST_DIGITS);
	assert_memory_equal(c->digest, text, COMMAND_DIGEST_DIGITS);
}

TEST("files behind the program give name and digest")
{
	struct command c;
	const char *words[] = {"sh", "mine.py", "--data", "data.csv", "not a file"};
	assert_true(command_init(&c, words, 5, folder, &err));
	assert_string_equal(c.name, "mine.py");
	assert_string_equal(c.line, "sh mine.py --data data.csv \"not a file\"");
	assert_null(c.words[5]);
	is_digest(&c, "onetwo");
	command_finish(&c);
}

TEST("a program with its folder is a file, too")
{
	struct command c;
	const char *words[] = {"./prog", "data.csv"};
	assert_true(command_init(&c, words, 2, folder, &err));
	assert_string_equal(c.name, "data.csv");
	is_digest(&c, "#!/bin/sh\ntwo");
	command_finish(&c);
	assert_true(command_init(&c, words, 1, folder, &err));
	assert_string_equal(c.name, "prog");
	is_digest(&c, "#!/bin/sh\n");
	command_finish(&c);
}

TEST("without files the program's own counts")
{
	struct command c;
	const char *words[] = {"sh", "-c", "exit 3"};
	assert_true(command_init(&c, words, 3, NULL, &err));
	assert_string_equal(c.name, "sh");
	assert_null(c.folder);
	command_finish(&c);
}

static void is_refused(const char *const *words, size_t count, const char *why)
{
	struct command c;
	assert_false(command_init(&c, words, count, folder, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_string_equal(err.text, why);
	command_finish(&c);
}

TEST("what cannot be started is said")
{
	static char longest[5000];
	memset(longest, 'x', sizeof(longest) - 1);
	is_refused((const char *[]){"no-such-program"}, 1, "there is no program 'no-such-program'");
	is_refused((const char *[]){"./mine.py"}, 1, "there is no program './mine.py'");
	is_refused((const char *[]){"./nowhere"}, 1, "there is no program './nowhere'");
	is_refused((const char *[]){"sh", longest}, 2, "the command is longer than 4096 bytes");
	is_refused(NULL, 0, "there is no command");
}
