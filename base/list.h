/* base/list.h - lists that grow one by one, and need no capacity beside their count. */
#ifndef CEGSIM_BASE_LIST_H
#define CEGSIM_BASE_LIST_H

#include <stddef.h>

#include "base/error.h"

/* Room for one more element of `size` bytes behind `count` of them: the list, moved if it was full, which it
 * is at 0 and at every power of two. It must have grown by nothing else. NULL: "out of memory while WHAT",
 * and the list is as it was. */
MUST_CHECK void *list_room(void *list, size_t count, size_t size, const char *what, struct error *err);

#endif
