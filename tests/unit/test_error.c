/* tests/unit/test_error.c - struct error: what is written, and that nothing overflows. */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "tests/support/test.h"

TEST("writes status and text")
{
	struct error err;
	assert_false(error_set(&err, STATUS_INPUT, "task '%s' has %d segments", "t1", 0));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_string_equal(err.text, "task 't1' has 0 segments");
}

TEST("accepts null")
{
	assert_false(error_set(NULL, STATUS_IO, "nobody listens"));
	assert_false(error_memory(NULL, "testing"));
}

TEST("cuts with an ellipsis")
{
	struct error err;
	char text[4096];
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	error_set(&err, STATUS_IO, "%s", text);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_string_equal(err.text + sizeof(err.text) - 5, "x...");

	text[sizeof(err.text) - 1] = '\0'; /* just fits */
	error_set(&err, STATUS_IO, "%s", text);
	assert_string_equal(err.text, text);
}

TEST("control codes of what is quoted become question marks")
{
	struct error err;
	error_set(&err, STATUS_INPUT, "there is no policy '%s'\n\tsee cegsim list", "\x1b[2J\x7f\r\xc3\xa9");
	assert_string_equal(err.text, "there is no policy '?[2J??\xc3\xa9'\n\tsee cegsim list");
}

TEST("may quote its own text")
{
	struct error err;
	error_set(&err, STATUS_INPUT, "wants a duration");
	error_set(&err, err.status, "a.yaml:3: 'period' %s", err.text);
	assert_string_equal(err.text, "a.yaml:3: 'period' wants a duration");
}

TEST("memory is a resource")
{
	struct error err;
	assert_false(error_memory(&err, "reading tasks"));
	assert_int_equal(err.status, STATUS_IO);
	assert_string_equal(err.text, "out of memory for reading tasks");
}

TEST("a file that cannot be opened is wrong, or the machine has failed")
{
	assert_int_equal(error_unopened(ENOENT), STATUS_INPUT);
	assert_int_equal(error_unopened(EACCES), STATUS_INPUT);
	assert_int_equal(error_unopened(EMFILE), STATUS_IO);
	assert_int_equal(error_unopened(EIO), STATUS_IO);
}
