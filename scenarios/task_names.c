/* scenarios/task_names.c - see scenarios/task_names.h. */
#include "scenarios/task_names.h"

#include <stdlib.h>

bool task_names_init(struct task_names *n, const struct task_entry *tasks, uint32_t count)
{
	*n = (struct task_names){.tasks = tasks, .task_count = count};
	n->marked = calloc(count / 64 + (size_t)1, sizeof(*n->marked));
	if (!n->marked)
		return false;
	if (count > 0)
		name_index_init(&n->index, &tasks->task.name, sizeof(*tasks), count);
	return true;
}

void task_names_finish(struct task_names *n)
{
	name_index_finish(&n->index);
	free(n->marked);
	*n = (struct task_names){0};
}

uint32_t task_names_find(struct task_names *n, const char *name)
{
	return name_index_first(&n->index, name);
}

const char *task_names_hint(struct task_names *n, const char *name, char buffer[SUGGESTION_TEXT_MAX])
{
	struct suggestion s = {.word = name};
	for (uint32_t i = 0; i < n->task_count; i++)
		if (n->tasks[i].task.name)
			suggestion_offer(&s, n->tasks[i].task.name);
	n->index.looks += n->task_count;
	return suggestion_text(&s, buffer);
}

bool task_names_mark(struct task_names *n, uint32_t task)
{
	uint64_t bit = UINT64_C(1) << task % 64, *word = &n->marked[task / 64];
	bool was = *word & bit;
	*word |= bit;
	return was;
}

void task_names_unmark(struct task_names *n, uint32_t task)
{
	n->marked[task / 64] &= ~(UINT64_C(1) << task % 64);
}
