/* tests/fuzz/changes.h - databases for fuzzers. Random bytes are never a database, so an input is a list of
 * changes of a sound one with the real schema: cells get other values, tables and columns vanish, views and
 * triggers come, and at last bytes of the file change. */
#ifndef CEGSIM_TESTS_FUZZ_CHANGES_H
#define CEGSIM_TESTS_FUZZ_CHANGES_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#define CHANGES_NAMES_MAX 1000

/* A zeroed one has no columns yet. */
struct base {
	unsigned char *bytes; /* of SQLite's allocator */
	size_t length;
	char columns[CHANGES_NAMES_MAX][2][40]; /* table and column */
	uint32_t column_count;
};

/* Copies the database; closes it. */
void base_take(struct base *base, sqlite3 *db);

struct input {
	const uint8_t *at, *end;
};

/* The next bytes of the input, as a number; zeros behind its end. */
uint64_t take(struct input *in, int count);

/* The database after the changes that the rest of the input says; what cannot be done is not done.
 * sqlite3_free() it. */
unsigned char *base_changed(struct input *in, const struct base *base, size_t *length);

#endif
