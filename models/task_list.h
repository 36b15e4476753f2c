/* models/task_list.h - tasks, and asynchronous operations (struct flights), in the order of ties: operations
 * of one instant enter queues in that order. Mostly there is one, and mostly they are added in order. */
#ifndef CEGSIM_MODELS_TASK_LIST_H
#define CEGSIM_MODELS_TASK_LIST_H

#include <stdint.h>

#include "models/seldom.h"

struct task_list {
	uint32_t *task;
	uint32_t count;
	const uint64_t *who; /* flights.who */
};

static inline void list_add(struct task_list *l, uint32_t task)
{
	uint32_t i = l->count++;
	for (; i > 0 && l->who[l->task[i - 1]] > l->who[task]; i--)
		l->task[i] = l->task[i - 1];
	l->task[i] = task;
}

/* Nothing happens if it is not there. */
SELDOM void list_remove(struct task_list *l, uint32_t task);

#endif
