/* base/arena.h - memory that is given back all at once. */
#ifndef CEGSIM_BASE_ARENA_H
#define CEGSIM_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct arena_chunk;
struct arena {
	struct arena_chunk *chunks;
};

/* A zeroed struct arena is an empty arena. */
void arena_finish(struct arena *a); /* frees everything; may be used again */

/* Zeroed memory for `count` objects of `size` bytes, aligned to 64 bytes when it
 * is larger than that, else to 16. NULL: out of memory, or count * size overflows.
 * count = 0 gives a valid pointer. */
CEGSIM_API MUST_CHECK void *arena_alloc(struct arena *a, size_t count, size_t size);
CEGSIM_API MUST_CHECK char *arena_strdup(struct arena *a, const char *text);
/* What an arena holds at an instant, to be had again at the same addresses. A zeroed image is of an empty
 * arena. */
struct arena_image {
	struct arena_saved *saved; /* [count] */
	unsigned char *bytes;
	uint32_t count;
};
/* False: out of memory. */
MUST_CHECK bool arena_image_take(struct arena_image *image, const struct arena *a);
/* Gives back what was taken from the arena since. The arena was not finished meanwhile. */
void arena_image_restore(const struct arena_image *image, struct arena *a);
void arena_image_finish(struct arena_image *image);

#define arena_new(a, type, count) ((type *)arena_alloc((a), (count), sizeof(type)))

#endif
