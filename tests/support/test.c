/* tests/support/test.c - see tests/support/test.h. Owns the list of a program's tests. */
#include "tests/support/test.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TESTS_OF_A_FILE 256

static struct test_entry *entries, **last = &entries;

/* Output is flushed line by line: text from before a process ends must not be lost, and its children must not
 * print it again. */
__attribute__((constructor)) static void speak_by_lines(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
}

void test_register(struct test_entry *entry)
{
	*last = entry;
	last = &entry->next;
}

/* Does "../tests/unit/test_gpu.c" have the name "gpu"? */
static bool is_named(const char *file, const char *name)
{
	const char *base = strrchr(file, '/');
	base = base ? base + 1 : file;
	base += strncmp(base, "test_", 5) == 0 ? 5 : 0;
	return strncmp(base, name, strlen(name)) == 0 && strcmp(base + strlen(name), ".c") == 0;
}

static int by_line(const void *a, const void *b)
{
	const struct test_entry *const *x = a, *const *y = b;
	return ((*x)->line > (*y)->line) - ((*x)->line < (*y)->line);
}

/* The file's entries, sorted: its constructors may have run in another order. */
static size_t take_file(const char *file, struct test_entry *of_file[TESTS_OF_A_FILE])
{
	size_t count = 0;
	for (struct test_entry *e = entries; e; e = e->next)
		if (strcmp(e->file, file) == 0) {
			if (count == TESTS_OF_A_FILE) {
				fprintf(stderr, "%s: more than %d tests\n", file, TESTS_OF_A_FILE);
				abort();
			}
			of_file[count++] = e;
			e->taken = true;
		}
	qsort(of_file, count, sizeof(*of_file), by_line);
	return count;
}

static bool set_number(uint64_t *number, const char *text)
{
	char *end;
	*number = strtoull(text, &end, 10);
	return isdigit((unsigned char)text[0]) && *end == '\0';
}

/* Returns 0, 1 or 2: see tests_run(). `numbers` ends with NULL. */
static int run_file(const char *file, char **numbers)
{
	struct test_entry *of_file[TESTS_OF_A_FILE];
	struct CMUnitTest tests[TESTS_OF_A_FILE], each = {0}, all = {0};
	size_t entry_count = take_file(file, of_file), count = 0;

	for (size_t i = 0; i < entry_count; i++)
		switch (of_file[i]->kind) {
		case TEST_ITSELF:
			tests[count++] = of_file[i]->unit;
			break;
		case TEST_EACH:
			each = of_file[i]->unit;
			break;
		case TEST_ALL:
			all = of_file[i]->unit;
			break;
		case TEST_SETTING:
			if (*numbers && !set_number(of_file[i]->unit.initial_state, *numbers++))
				return 2;
			break;
		}
	if (*numbers)
		return 2;
	for (size_t i = 0; i < count; i++)
		if (!tests[i].setup_func && !tests[i].teardown_func) {
			tests[i].setup_func = each.setup_func;
			tests[i].teardown_func = each.teardown_func;
		}
	return _cmocka_run_group_tests(file, tests, count, all.setup_func, all.teardown_func) != 0;
}

int tests_run(int argc, char **argv)
{
	static char *none[] = {NULL};
	const char *name = argc > 1 && !isdigit((unsigned char)argv[1][0]) ? argv[1] : NULL;
	char **numbers = argc > 1 ? argv + (name ? 2 : 1) : none;
	bool found = false;
	int status = 0;

	for (struct test_entry *e = entries; e; e = e->next)
		if (!e->taken && (!name || is_named(e->file, name))) {
			int of_file = run_file(e->file, numbers);
			found = true;
			status = of_file > status ? of_file : status;
		}
	if (!found || status == 2)
		fputs("usage: PROGRAM [FILE] [NUMBER...]: there are no such tests or numbers\n", stderr);
	return found ? status : 2;
}
