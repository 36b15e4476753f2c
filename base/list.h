/* base/list.h - lists that grow: one by one, with no capacity beside their count, or with one. */
#ifndef CEGSIM_BASE_LIST_H
#define CEGSIM_BASE_LIST_H

#include <stddef.h>

#include "base/error.h"

/* Room for one more element of `size` bytes behind `count` of them: the list, moved if it was full, which it
 * is at 0 and at every power of two. It must have grown by nothing else. NULL: "out of memory while WHAT",
 * and the list is as it was. */
MUST_CHECK void *list_room(void *list, size_t count, size_t size, const char *what, struct error *err);

/* For a list that grows by more, or is emptied and filled again: room for `needed` elements of `size` bytes
 * in the one whose pointer is at `list`, and which has room for *capacity. False: out of memory, and
 * nothing changed. */
MUST_CHECK bool list_reserve(void *list, size_t *capacity, size_t needed, size_t size);

#endif
