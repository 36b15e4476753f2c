/* db/pages/store.h - pages in the order in which they were filled, before they have numbers: some in memory,
 * the others in a file without a name, of which nothing is left whatever happens. */
#ifndef CEGSIM_DB_PAGES_STORE_H
#define CEGSIM_DB_PAGES_STORE_H

#include <stdint.h>

#include "base/error.h"
#include "db/pages/format.h"

#define STORE_HELD 64 /* pages in memory */

struct page_store {
	const char *name; /* of the recording, in errors, and in whose folder the file is */
	int fd;           /* -1: no page was written yet */
	uint32_t written; /* pages in the file */
	uint32_t held;
	uint8_t *pages[STORE_HELD];
	uint8_t *spare[STORE_HELD];
	uint32_t spares;
};

/* `name` must outlive the store. */
void store_init(struct page_store *s, const char *name);
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

/* Where pages get to: their numbers in the file. `last` is the number of the last page that the file has
 * already. */
struct page_numbers {
	uint32_t last;
	int64_t lock_byte; /* PAGE_LOCK_BYTE; a test has another one */
};
/* Pages are numbered from 1 and in their order, past the one with the lock byte. 0: beyond the 2^32 - 2 pages
 * of a file (1.3.7). */
uint32_t page_number(const struct page_numbers *numbers, uint32_t place);

/* Writes bytes of the recording. */
typedef bool page_write(void *self, const void *bytes, size_t size, int64_t at, struct error *err);
/* Hands all pages over, by their numbers. */
MUST_CHECK bool store_write(const struct page_store *s, const struct page_numbers *numbers, page_write *write,
	void *self, struct error *err);

/* A file without a name, beside the recording. -1: *err. */
MUST_CHECK int scratch_open(const char *name, struct error *err);
/* pwrite() and pread() of all bytes. */
MUST_CHECK bool scratch_write(
	int fd, const void *bytes, size_t size, int64_t at, const char *name, struct error *err);
MUST_CHECK bool scratch_read(
	int fd, void *bytes, size_t size, int64_t at, const char *name, struct error *err);

#endif
