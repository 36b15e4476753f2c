/* report/heap.c - owns the binary heap: children of entry i are 2i + 1 and 2i + 2. */
#include "report/heap.h"

#include <assert.h>
#include <stdlib.h>

void heap_finish(struct heap *h)
{
	free(h->entries);
	*h = (struct heap){0};
}

static bool before(const struct heap_entry *a, const struct heap_entry *b)
{
	return a->key < b->key || (a->key == b->key && a->value < b->value);
}

bool heap_push(struct heap *h, int64_t key, uint64_t value, struct error *err)
{
	const struct heap_entry entry = {key, value};
	if (h->count == h->capacity) {
		size_t capacity = h->capacity ? 2 * h->capacity : 64;
		struct heap_entry *entries = reallocarray(h->entries, capacity, sizeof(*entries));
		if (!entries)
			return error_memory(err, "sorting by time");
		h->entries = entries;
		h->capacity = capacity;
	}
	size_t i = h->count++;
	for (; i > 0 && before(&entry, &h->entries[(i - 1) / 2]); i = (i - 1) / 2)
		h->entries[i] = h->entries[(i - 1) / 2];
	h->entries[i] = entry;
	return true;
}

struct heap_entry heap_pop(struct heap *h)
{
	assert(h->count > 0);
	const struct heap_entry top = h->entries[0], last = h->entries[--h->count];
	size_t i = 0;
	for (;;) {
		size_t child = 2 * i + 1;
		if (child >= h->count)
			break;
		if (child + 1 < h->count && before(&h->entries[child + 1], &h->entries[child]))
			child++;
		if (!before(&h->entries[child], &last))
			break;
		h->entries[i] = h->entries[child];
		i = child;
	}
	h->entries[i] = last;
	return top;
}
