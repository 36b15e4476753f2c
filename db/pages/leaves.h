/* db/pages/leaves.h - rows of a table of integers, read from its leaves without SQLite, which takes three
 * times as long (https://www.sqlite.org/fileformat2.html, 1.5 "B-tree Pages", 2.1 "Record Format"). The file
 * may be anybody's. What is not as simple as in a table of ours is not read: SQLite must say what it is. */
#ifndef CEGSIM_DB_PAGES_LEAVES_H
#define CEGSIM_DB_PAGES_LEAVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define LEAVES_FIELDS 32 /* of a record, that are looked at */
#define LEAVES_DEPTH 8   /* pages above each other; of ours at most 4 */
#define LEAVES_NULL INT64_MIN

#define LEAVES_UNWANTED UINT8_MAX

/* Each row is an array of `width` numbers. */
struct leaves_row {
	unsigned width;
	unsigned fields;           /* of a record, up to the last one that is wanted */
	uint8_t to[LEAVES_FIELDS]; /* of each: its place in the row, or LEAVES_UNWANTED. Behind the row, at
				      width, is the one that must be `lead`: others' rows are left out */
	int64_t lead;
};

struct leaves {
	/* The file. *whole: there were so many bytes. False: *err. */
	bool (*read)(void *self, void *bytes, size_t size, int64_t at, bool *whole, struct error *err);
	void *self;
	uint32_t page_size, usable, root;
	struct leaves_row row;
	struct leaves_page {
		uint32_t number;     /* 0: none is here */
		uint8_t *bytes;      /* [page_size], and some zeros */
		uint32_t at;         /* of its children the one on the way to the leaf, by its cell */
		int64_t first, last; /* the rowids that may be in it */
	} page[LEAVES_DEPTH];
	const struct leaves_page *leaf; /* of these; NULL: none yet, or all were read */
};

enum leaves_outcome {
	LEAVES_READ,
	LEAVES_STRANGE, /* ask SQLite */
	LEAVES_FAILED   /* *err */
};

/* `read`, `self`, `root` and `row` are set. Finish it either way. */
enum leaves_outcome leaves_begin(struct leaves *l, struct error *err);
/* Rows whose rowids are in [from, last]. `to` has room for them, and for one number more. */
enum leaves_outcome leaves_read(
	struct leaves *l, int64_t from, int64_t last, int64_t *to, size_t *rows, struct error *err);
void leaves_finish(struct leaves *l);

#endif
