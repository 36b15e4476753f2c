/* report/heap.h - a binary heap of what happens later: the entry with the least key is on top. Entries of
 * equal keys come in the order of `value`, so that what is made of them is the same every time. */
#ifndef CEGSIM_REPORT_HEAP_H
#define CEGSIM_REPORT_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct heap_entry {
	int64_t key;
	uint64_t value;
};

/* A zeroed struct is an empty heap. */
struct heap {
	struct heap_entry *entries; /* entries[0] is the top, if count > 0 */
	size_t count, capacity;
};

void heap_finish(struct heap *h); /* frees; may be used again */
MUST_CHECK bool heap_push(struct heap *h, int64_t key, uint64_t value, struct error *err);
/* Takes the top off; there must be one. */
struct heap_entry heap_pop(struct heap *h);

#endif
