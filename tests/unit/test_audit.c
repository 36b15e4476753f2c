/* tests/unit/test_audit.c - each law against recordings made by hand: it holds of a correct schedule, and speaks up
 * when one row of it is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "audit/audit.h"
#include "tests/unit/audit_sample.h"

#define CASES(array) (sizeof(array) / sizeof((array)[0]))

typedef struct audit_sample make_fn(void);
static make_fn *const samples[] = {sample_fifo, sample_section, sample_streams, sample_copies, sample_busy, sample_drop,
	sample_abort, sample_stopped, sample_work};

static void correct_recordings_are_clean(void **state)
{
	(void)state;
	for (size_t i = 0; i < CASES(samples); i++) {
		struct audit_sample s = samples[i]();
		assert_clean(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(correct_recordings_are_clean),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
