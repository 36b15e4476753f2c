/* base/name_index.h - which of many has a name: tasks, segments, chains of a file. */
#ifndef CEGSIM_BASE_NAME_INDEX_H
#define CEGSIM_BASE_NAME_INDEX_H

#include <stddef.h>
#include <stdint.h>

#define NAME_NONE UINT32_MAX

/* Over the `char *` in each of `count` objects, `stride` bytes from one to the next. Neither they nor the
 * names move or change meanwhile. NULL is no name. */
struct name_index {
	const char *first;
	size_t stride;
	uint32_t count, ordered;
	uint32_t *order; /* [ordered] those with names, by name, then place; NULL: all are looked at, as there
			  * are few, or there is no memory */
	uint64_t looks;  /* at names, since the beginning: what finding costs */
};

/* `names`: the first object's name. */
void name_index_init(struct name_index *n, const void *names, size_t stride, uint32_t count);
void name_index_finish(struct name_index *n);

/* The first object of that name; NAME_NONE: none, or `name` is NULL. */
uint32_t name_index_first(struct name_index *n, const char *name);

#endif
