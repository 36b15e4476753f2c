/* tests/support/test.h - what every C test begins with: cmocka and what it wants to have been included, and
 * tests that register themselves.
 *
 * 	TEST("the core is never shared")
 * 	{
 * 		assert_int_equal(jobs_on_the_core(), 1);
 * 	}
 *
 * The sentence is the name that TAP shows. A file's tests are one group and run in the order in which they
 * are written. A program is made of one file or of several:
 *
 * 	PROGRAM [FILE] [NUMBER...]
 *
 * runs them all or one ("gpu" is tests/unit/test_gpu.c), with other numbers than the usual ones
 * (TEST_NUMBER). */
#ifndef CEGSIM_TESTS_SUPPORT_TEST_H
#define CEGSIM_TESTS_SUPPORT_TEST_H

/* cmocka.h includes nothing itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* After them. */
#include <stdbool.h>
#include <cmocka.h>

/* cmocka passes a state to every test and every fixture; few of them use it. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* TEST("sentence"[, .setup_func = f][, .teardown_func = f][, .initial_state = p]) { ... }: the fields are
 * those of struct CMUnitTest. The state is `void **state`. */
#define TEST(...) TEST_ON_LINE(__LINE__, __VA_ARGS__)

/* Registers an existing function as a test, perhaps again with other fixtures or another state. */
#define TEST_RUNS(function, ...) TEST_REGISTER_ON_LINE(__LINE__, TEST_ITSELF, function, __VA_ARGS__)

/* Run before and after each of the file's tests that names no fixture of its own; either may be NULL. */
#define EACH_TEST(setup, teardown)                                                                           \
	TEST_REGISTER_ON_LINE(                                                                               \
		__LINE__, TEST_EACH, NULL, "", .setup_func = (setup), .teardown_func = (teardown))

/* Run before the first and after the last of the file's tests; either may be NULL. */
#define ALL_TESTS(setup, teardown)                                                                           \
	TEST_REGISTER_ON_LINE(                                                                               \
		__LINE__, TEST_ALL, NULL, "", .setup_func = (setup), .teardown_func = (teardown))

/* A number that can be given on the command line, such as how many cases a test makes. A file's numbers are
 * given in the order of the file. */
#define TEST_NUMBER(variable, usual)                                                                         \
	static uint64_t variable = usual;                                                                    \
	TEST_REGISTER_ON_LINE(__LINE__, TEST_SETTING, NULL, "", .initial_state = &variable)

/* How many of n random cases a build tests: all, or a quarter of them under AddressSanitizer, which makes
 * each take eight times as long. */
#if defined(__SANITIZE_ADDRESS__)
#define TEST_CASES(n) (((n) + 3) / 4)
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TEST_CASES(n) (((n) + 3) / 4)
#endif
#endif
#ifndef TEST_CASES
#define TEST_CASES(n) (n)
#endif

/* Of calls that fail in turn, every SPARSE-th is tried where otherwise all are: as many fewer as cases. */
#define SPARSE (4 / TEST_CASES(4))

/* ---- What the macros are made of ---- */

enum test_kind { TEST_ITSELF, TEST_EACH, TEST_ALL, TEST_SETTING };

struct test_entry {
	struct CMUnitTest unit;
	enum test_kind kind;
	const char *file;
	int line;
	bool taken;
	struct test_entry *next;
};

/* The caller keeps the entry; it must live until the program ends. */
void test_register(struct test_entry *entry);

/* The whole of main(), with its arguments. Without any (0, NULL) it runs all files with the usual numbers.
 * Returns 0 if all tests passed, 1 if one failed, 2 if there are no such tests or numbers. */
int tests_run(int argc, char **argv);

#define TEST_ON_LINE(on_line, ...) TEST_DEFINE(on_line, __VA_ARGS__)
#define TEST_DEFINE(on_line, ...)                                                                            \
	static void test_##on_line(void **state);                                                            \
	TEST_REGISTER(on_line, TEST_ITSELF, test_##on_line, __VA_ARGS__);                                    \
	static void test_##on_line(void **state)

#define TEST_REGISTER_ON_LINE(on_line, ...) TEST_REGISTER(on_line, __VA_ARGS__)
/* Ends with a declaration, which needs the semicolon after the macro. */
#define TEST_REGISTER(on_line, of_kind, function, ...)                                                       \
	static struct test_entry test_entry_##on_line = {.kind = of_kind,                                    \
		.file = __FILE__,                                                                            \
		.line = on_line,                                                                             \
		.unit = {.test_func = function, .name = __VA_ARGS__}};                                       \
	__attribute__((constructor)) static void test_add_##on_line(void)                                    \
	{                                                                                                    \
		test_register(&test_entry_##on_line);                                                        \
	}                                                                                                    \
	struct test_entry

#endif
