/* tests/unit/test_error.c - struct error: what is written, and what cannot overflow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/error.h"

static void writes_status_and_text(void **state)
{
	(void)state;
	struct error err;
	assert_false(error_set(&err, STATUS_INPUT, "task '%s' has %d segments", "t1", 0));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_string_equal(err.text, "task 't1' has 0 segments");
}

static void accepts_null(void **state)
{
	(void)state;
	assert_false(error_set(NULL, STATUS_IO, "nobody listens"));
	assert_false(error_memory(NULL, "testing"));
}

static void cuts_with_an_ellipsis(void **state)
{
	(void)state;
	struct error err;
	char text[4096];
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	error_set(&err, STATUS_IO, "%s", text);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_string_equal(err.text + sizeof(err.text) - 5, "x...");

	text[sizeof(err.text) - 1] = '\0';           /* just fits */
	error_set(&err, STATUS_IO, "%s", text);
	assert_string_equal(err.text, text);
}

static void may_quote_its_own_text(void **state)
{
	(void)state;
	struct error err;
	error_set(&err, STATUS_INPUT, "wants a duration");
	error_set(&err, err.status, "a.yaml:3: 'period' %s", err.text);
	assert_string_equal(err.text, "a.yaml:3: 'period' wants a duration");
}

static void memory_is_a_resource(void **state)
{
	(void)state;
	struct error err;
	assert_false(error_memory(&err, "reading tasks"));
	assert_int_equal(err.status, STATUS_IO);
	assert_string_equal(err.text, "out of memory while reading tasks");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_status_and_text),
		cmocka_unit_test(accepts_null),
		cmocka_unit_test(cuts_with_an_ellipsis),
		cmocka_unit_test(may_quote_its_own_text),
		cmocka_unit_test(memory_is_a_resource),
	};
	return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
