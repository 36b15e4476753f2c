/* base/heap.c - struct heap, a heap that grows as entries are added. */
#include "base/heap.h"

#include <assert.h>
#include <stdlib.h>

#include "base/list.h"

static bool before(const struct heap_entry *a, const struct heap_entry *b)
{
	return a->key < b->key || (a->key == b->key && a->value < b->value);
}

HEAP_OF(entries, struct heap_entry, before);

void heap_finish(struct heap *h)
{
	free(h->entries);
	*h = (struct heap){0};
}

bool heap_push(struct heap *h, int64_t key, uint64_t value, struct error *err)
{
	if (!list_reserve(&h->entries, &h->capacity, h->count + 1, sizeof(*h->entries)))
		return error_memory(err, "sorting by time");
	entries_rise(h->entries, h->count++, (struct heap_entry){key, value});
	return true;
}

struct heap_entry heap_pop(struct heap *h)
{
	assert(h->count > 0);
	const struct heap_entry top = h->entries[0];
	h->count--;
	entries_sink(h->entries, h->count, h->entries[h->count]);
	return top;
}
