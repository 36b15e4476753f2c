/* tests/unit/test_output.c - a file gets its name when it is complete, or never. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "tests/support/test.h"

static struct error err;
static char folder[] = "/tmp/cegsim-output-XXXXXX";
static char file[64], part[64];

static int make_folder(void **state)
{
	if (!mkdtemp(folder))
		return -1;
	snprintf(file, sizeof(file), "%s/x", folder);
	snprintf(part, sizeof(part), "%s/x.part", folder);
	return 0;
}

static int remove_folder(void **state)
{
	unlink(file);
	return rmdir(folder); /* fails if something was left */
}

ALL_TESTS(make_folder, remove_folder);

static void assert_holds(const char *should)
{
	char text[32] = "";
	FILE *f = fopen(file, "r");
	assert_non_null(f);
	assert_true(fread(text, 1, sizeof(text) - 1, f) > 0);
	fclose(f);
	assert_string_equal(text, should);
}

static bool write_file(const char *text, bool replace)
{
	struct output out;
	if (!output_begin(&out, file, replace, &err))
		return false;
	fputs(text, out.file);
	return output_commit(&out, &err);
}

TEST("gets its name")
{
	struct output out;
	assert_true(output_begin(&out, file, false, &err));
	fputs("one", out.file);
	assert_int_not_equal(access(file, F_OK), 0);
	assert_int_equal(access(part, F_OK), 0);
	assert_true(output_commit(&out, &err));
	assert_int_not_equal(access(part, F_OK), 0);
	assert_holds("one");
}

TEST("replaces if it may")
{
	assert_false(write_file("two", false));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_non_null(strstr(err.text, "exists already"));
	assert_holds("one");
	assert_true(write_file("two", true));
	assert_holds("two");
}

/* Another process makes the file in the meantime. */
TEST("does not replace what came between")
{
	struct output out;
	unlink(file);
	assert_true(output_begin(&out, file, false, &err));
	fputs("mine", out.file);
	FILE *other = fopen(file, "w");
	fputs("theirs", other);
	fclose(other);
	assert_false(output_commit(&out, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_int_not_equal(access(part, F_OK), 0);
	assert_holds("theirs");
}

TEST("leaves nothing")
{
	struct output out;
	assert_true(output_begin(&out, file, true, &err));
	fputs("three", out.file);
	errno = EDOM;
	output_abandon(&out);
	assert_int_equal(errno, EDOM);
	assert_int_not_equal(access(part, F_OK), 0);
	assert_holds("theirs");
	assert_false(output_begin(&out, "/nowhere/x", true, &err));
	assert_int_equal(err.status, STATUS_IO);
}

/* Two writers at once would write into each other's file. */
TEST("is written by one at a time")
{
	struct output first, second;
	assert_true(output_begin(&first, file, true, &err));
	fputs("first", first.file);
	assert_false(output_begin(&second, file, true, &err));
	assert_int_equal(err.status, STATUS_IO);
	assert_non_null(strstr(err.text, "another command is writing it"));
	output_abandon(&second); /* `second` has begun nothing */
	assert_int_equal(access(part, F_OK), 0);
	assert_true(output_commit(&first, &err));
	assert_holds("first");
	assert_true(output_begin(&second, file, true, &err));
	output_abandon(&second);
	assert_true(write_file("theirs", true));
}

/* A killed writer leaves its FILE.part, which may be longer than ours. */
TEST("a leftover is not in the way")
{
	FILE *left = fopen(part, "w");
	fputs("much longer than what follows", left);
	fclose(left);
	assert_true(write_file("theirs", true));
	assert_holds("theirs");
	assert_int_not_equal(access(part, F_OK), 0);
}

TEST("replaces only files")
{
	struct output out;
	assert_false(output_begin(&out, folder, true, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_non_null(strstr(err.text, "no regular file"));
	assert_false(output_begin(&out, "/dev/null", true, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_int_not_equal(access("/dev/null.part", F_OK), 0);
}

TEST("knows its input by any name")
{
	char other[80];
	snprintf(other, sizeof(other), "%s/../%s/x", folder, strrchr(folder, '/') + 1);
	assert_true(output_is_another(part, file, &err)); /* the other file does not exist */
	assert_true(output_is_another(file, folder, &err));
	assert_false(output_is_another(other, file, &err));
	assert_int_equal(err.status, STATUS_INPUT);
}

/* A failed write is noticed when the file is closed, at the latest. */
TEST("notices a full disk")
{
	struct output out;
	assert_true(output_begin(&out, file, true, &err));
	out.file = freopen("/dev/full", "w", out.file);
	assert_non_null(out.file);
	fputs("four", out.file);
	assert_false(output_commit(&out, &err));
	assert_int_equal(err.status, STATUS_IO);
	assert_non_null(strstr(err.text, "No space left"));
	assert_int_not_equal(access(part, F_OK), 0);
	assert_holds("theirs");
}
