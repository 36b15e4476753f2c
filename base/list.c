/* base/list.c - decides when a list grows, and by how much. */
#include "base/list.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ELEMENTS 16u

void *list_room(void *list, size_t count, size_t size, const char *what, struct error *err)
{
	if ((count & (count - 1)) != 0)
		return list;
	void *grown = realloc(list, (count ? 2 * count : 1) * size);
	if (!grown)
		error_memory(err, what);
	return grown;
}

bool list_reserve(void *list, size_t *capacity, size_t needed, size_t size)
{
	if (needed <= *capacity)
		return true;
	size_t wanted = *capacity ? 2 * *capacity : FIRST_ELEMENTS;
	wanted = wanted < needed ? needed : wanted;
	void *old;
	memcpy(&old, list, sizeof(old));
	void *grown = realloc(old, wanted * size);
	if (!grown)
		return false;
	memcpy(list, &grown, sizeof(grown));
	*capacity = wanted;
	return true;
}
