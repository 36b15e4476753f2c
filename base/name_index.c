/* base/name_index.c - see base/name_index.h. */
#include "base/name_index.h"

#include <stdlib.h>
#include <string.h>

/* As many are compared one by one about as fast as they are sorted, and need no memory. */
#define FEW 64

static const char *name_at(const struct name_index *n, uint32_t place)
{
	return *(char *const *)(const void *)(n->first + place * n->stride);
}

static int by_name(const void *x, const void *y, void *index)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	int order = strcmp(name_at(index, a), name_at(index, b));
	return order ? order : (a > b) - (a < b);
}

void name_index_init(struct name_index *n, const void *names, size_t stride, uint32_t count)
{
	*n = (struct name_index){.first = names, .stride = stride, .count = count};
	n->order = count > FEW ? malloc(count * sizeof(*n->order)) : NULL;
	if (!n->order)
		return;
	for (uint32_t i = 0; i < count; i++)
		if (name_at(n, i))
			n->order[n->ordered++] = i;
	qsort_r(n->order, n->ordered, sizeof(*n->order), by_name, n);
}

void name_index_finish(struct name_index *n)
{
	free(n->order);
	*n = (struct name_index){0};
}

static uint32_t first_of_all(struct name_index *n, const char *name)
{
	for (uint32_t i = 0; i < n->count; i++) {
		n->looks++;
		if (name_at(n, i) && strcmp(name_at(n, i), name) == 0)
			return i;
	}
	return NAME_NONE;
}

uint32_t name_index_first(struct name_index *n, const char *name)
{
	uint32_t low = 0, high = n->ordered;
	if (!name)
		return NAME_NONE;
	if (!n->order)
		return first_of_all(n, name);
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		n->looks++;
		if (strcmp(name_at(n, n->order[middle]), name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n->ordered && strcmp(name_at(n, n->order[low]), name) == 0 ? n->order[low] : NAME_NONE;
}
