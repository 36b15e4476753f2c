/* base/list.c - owns when a list without a capacity grows. */
#include "base/list.h"

#include <stdlib.h>

void *list_room(void *list, size_t count, size_t size, const char *what, struct error *err)
{
	if ((count & (count - 1)) != 0)
		return list;
	void *grown = realloc(list, (count ? 2 * count : 1) * size);
	if (!grown)
		error_memory(err, what);
	return grown;
}
