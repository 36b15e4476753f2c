/* base/list.h - lists that grow: with their count alone, one element at a time; or with a count and a
 * capacity. */
#ifndef CEGSIM_BASE_LIST_H
#define CEGSIM_BASE_LIST_H

#include <stddef.h>

#include "base/error.h"

/* Makes room for one more element of `size` bytes behind `count` of them. Returns the list, which has moved
 * if it was full: at 0 and at every power of two. The list must have grown by this function only. NULL: "out
 * of memory while WHAT", and the list is unchanged. */
MUST_CHECK void *list_room(void *list, size_t count, size_t size, const char *what, struct error *err);

/* For a list that grows by several elements, or is emptied and filled again. Makes room for `needed` elements
 * of `size` bytes; `list` points to the pointer to the first, *capacity is what there is room for. False: out
 * of memory, and nothing changed. */
MUST_CHECK bool list_reserve(void *list, size_t *capacity, size_t needed, size_t size);

#endif
