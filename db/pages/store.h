/* db/pages/store.h - pages in the order in which they were filled, which go behind those that SQLite wrote.
 * Some are in memory, the others where they belong in a file without a name. That file becomes the recording,
 * with SQLite's pages in front: so every page is written once. */
#ifndef CEGSIM_DB_PAGES_STORE_H
#define CEGSIM_DB_PAGES_STORE_H

#include <stdint.h>

#include "base/error.h"
#include "db/pages/format.h"

#define STORE_HELD 64 /* pages in memory */

struct page_store {
	const char *name;  /* of the file that SQLite writes, in whose folder the file without a name is */
	uint32_t before;   /* pages of SQLite's in front of the first one here; more in the end */
	int64_t lock_byte; /* PAGE_LOCK_BYTE; a test has another one */
	int fd;            /* -1: no page was written yet */
	uint32_t written;  /* pages in the file */
	uint32_t held;
	uint8_t *pages[STORE_HELD];
	uint8_t *spare[STORE_HELD];
	uint32_t spares;
	/* store_settle(): pages of SQLite's; the pages that were first here have these places. */
	uint32_t settled, moved, moved_to;
};

/* `name` must outlive the store. `before`: pages that SQLite's file has by now. */
void store_init(struct page_store *s, const char *name, uint32_t before);
void store_finish(struct page_store *s);

/* An empty page. NULL: out of memory. */
MUST_CHECK uint8_t *store_page(struct page_store *s, struct error *err);
/* Takes a page of store_page() over, whose place in the store is *place. */
MUST_CHECK bool store_add(struct page_store *s, uint8_t *page, uint32_t *place, struct error *err);

static inline uint32_t store_count(const struct page_store *s)
{
	return s->written + s->held;
}
/* Forgets all pages but the first `count`. */
void store_cut(struct page_store *s, uint32_t count);

/* SQLite's file will have `before` pages, no fewer than there were: places are settled, and now have numbers.
 * Pages that are in the way are moved behind the last one. Pages may still be added. */
MUST_CHECK bool store_settle(struct page_store *s, uint32_t before, struct error *err);
/* The number of the page in the file, from 1 on; none has that of the page with the lock byte. Places follow
 * each other. 0: beyond the 2^32 - 2 pages of a file (1.3.7). */
uint32_t store_number(const struct page_store *s, uint32_t place);
/* The number of the file's last page. */
uint32_t store_last(const struct page_store *s);

/* SQLite's file. */
struct page_file {
	bool (*read)(void *self, void *bytes, size_t size, int64_t at, struct error *err);
	bool (*write)(void *self, const void *bytes, size_t size, int64_t at, struct error *err);
	void *self;
};
/* Brings all pages together, with SQLite's, in one file. *whole: it is the one that had no name, is on the
 * disk and is called `new_name`, which was free; else it is SQLite's own, by its write(). */
MUST_CHECK bool store_join(struct page_store *s, const struct page_file *file, const char *new_name,
	bool *whole, struct error *err);

#endif
