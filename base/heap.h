/* base/heap.h - binary heaps: the least element of an array is at its root, the children of element i are
 * 2i + 1 and 2i + 2.
 *
 * HEAP_OF(name, type, before) makes the two functions of a heap of `type`; `before` is a function of two
 * const type *. They are inlined, so that the engines can use them, too. The caller owns the array and counts
 * its elements:
 *
 *   static bool before(const struct stay *a, const struct stay *b) ...
 *   HEAP_OF(stays, struct stay, before)
 *   stays_rise(heap, count++, added);           in: room for one more
 *   first = heap[0];                            out: the last element takes the place of the root
 *   stays_sink(heap, --count, heap[count]);
 *
 * struct heap grows as entries are added. Its keys are instants: it holds what happens later. */
#ifndef CEGSIM_BASE_HEAP_H
#define CEGSIM_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define HEAP_OF(name, type, before)                                                                          \
	/* Puts `added` among `count` elements. */                                                           \
	__attribute__((unused)) static inline void name##_rise(type *heap, size_t count, type added)         \
	{                                                                                                    \
		size_t i = count;                                                                            \
		for (; i > 0 && before(&added, &heap[(i - 1) / 2]); i = (i - 1) / 2)                         \
			heap[i] = heap[(i - 1) / 2];                                                         \
		heap[i] = added;                                                                             \
	}                                                                                                    \
	/* Puts `moved` in the place of the root of `count` elements, or below it. */                        \
	__attribute__((unused)) static inline void name##_sink(type *heap, size_t count, type moved)         \
	{                                                                                                    \
		size_t i = 0, child;                                                                         \
		while ((child = 2 * i + 1) < count) {                                                        \
			child += child + 1 < count && before(&heap[child + 1], &heap[child]);                \
			if (!before(&heap[child], &moved))                                                   \
				break;                                                                       \
			heap[i] = heap[child];                                                               \
			i = child;                                                                           \
		}                                                                                            \
		heap[i] = moved;                                                                             \
	}                                                                                                    \
	_Static_assert(sizeof(type) > 0, "a heap of a type")

/* Entries of equal keys come out in the order of `value`, so that results are the same every time. */
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
