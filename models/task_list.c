/* models/task_list.c - see models/task_list.h. */
#include "models/task_list.h"

void list_remove(struct task_list *l, uint32_t task)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < l->count; i++)
		if (l->task[i] != task)
			l->task[kept++] = l->task[i];
	l->count = kept;
}
