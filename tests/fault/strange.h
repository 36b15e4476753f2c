/* tests/fault/strange.h - recordings that somebody has changed: what is done to them, and the verbs that then
 * read them. Everything follows from the number of a case, so one case can be repeated alone. */
#ifndef CEGSIM_TESTS_FAULT_STRANGE_H
#define CEGSIM_TESTS_FAULT_STRANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Draws of one case. */
struct strange_draws {
	uint32_t family, number; /* of the case */
	uint32_t drawn;
};
uint64_t strange_draw(struct strange_draws *d, uint64_t below);

#define STRANGE_TEXT 1024

/* Changes one cell, or takes away, doubles or adds a row. `text` says what was done, as SQL. False: this case
 * changes nothing, such as a row that SQLite did not take. */
bool strange_row(const char *file, struct strange_draws *d, char text[STRANGE_TEXT]);
/* Changes bytes of the file: bits, pages, numbers of pages and of the header, its length. */
bool strange_bytes(const char *file, struct strange_draws *d, char text[STRANGE_TEXT]);
/* Gives the file another schema: views in place of tables, triggers, generated columns, tables that are
 * missing. There are strange_schemas() of them; `which` is one. */
unsigned strange_schemas(void);
bool strange_schema(const char *file, unsigned which, char text[STRANGE_TEXT]);

/* How a process ended. `what` is empty if it ended as it should: with status 0 to 3, a message where it is 2
 * or 3, in time, and without much memory. */
struct strange_end {
	int status; /* of the process; below 0: the signal */
	long kib;   /* of memory, at most */
	char what[64];
	char said[400]; /* the beginning of its messages */
};

/* Runs `program` with these arguments (up to NULL) in `folder`. */
void strange_run(
	const char *program, const char *folder, const char *const *arguments, struct strange_end *end);

#endif
