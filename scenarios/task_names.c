/* scenarios/task_names.c - see scenarios/task_names.h. */
#include "scenarios/task_names.h"

#include <stdlib.h>
#include <string.h>

static int compare_names(const void *a, const void *b)
{
	const struct task_entry *const *x = a, *const *y = b;
	int order = strcmp((*x)->task.name, (*y)->task.name);
	return order ? order : (*x > *y) - (*x < *y);
}

bool task_names_init(struct task_names *n, const struct task_entry *tasks, uint32_t count)
{
	*n = (struct task_names){.tasks = tasks, .task_count = count};
	n->sorted = calloc(count + (size_t)1, sizeof(const struct task_entry *));
	n->marked = calloc(count / 64 + (size_t)1, sizeof(*n->marked));
	if (!n->sorted || !n->marked)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (tasks[i].task.name)
			n->sorted[n->count++] = &tasks[i];
	qsort(n->sorted, n->count, sizeof(const struct task_entry *), compare_names);
	return true;
}

void task_names_finish(struct task_names *n)
{
	free(n->sorted);
	free(n->marked);
	*n = (struct task_names){0};
}

uint32_t task_names_find(struct task_names *n, const char *name)
{
	uint32_t low = 0, high = n->count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		n->looks++;
		if (strcmp(n->sorted[middle]->task.name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == n->count || strcmp(n->sorted[low]->task.name, name) != 0)
		return UINT32_MAX;
	return (uint32_t)(n->sorted[low] - n->tasks);
}

const char *task_names_hint(struct task_names *n, const char *name, char buffer[SUGGESTION_TEXT_MAX])
{
	struct suggestion s = {.word = name};
	for (uint32_t i = 0; i < n->task_count; i++)
		if (n->tasks[i].task.name)
			suggestion_offer(&s, n->tasks[i].task.name);
	n->looks += n->task_count;
	return suggestion_text(&s, buffer);
}

bool task_names_mark(struct task_names *n, uint32_t task)
{
	uint64_t bit = UINT64_C(1) << task % 64, *word = &n->marked[task / 64];
	bool was = *word & bit;
	*word |= bit;
	n->looks++;
	return was;
}

void task_names_unmark(struct task_names *n, uint32_t task)
{
	n->marked[task / 64] &= ~(UINT64_C(1) << task % 64);
	n->looks++;
}
