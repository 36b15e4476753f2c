/* scenarios/settle_chains.c - see scenarios/settle_chains.h. */
#include "scenarios/settle_chains.h"

#include <inttypes.h>
#include <string.h>

#include "scenarios/task_names.h"

/* The task of that name; UINT32_MAX: the error was reported. Who reads no more errors needs no hints. */
static uint32_t find_task(struct binder *b, struct task_names *names, const struct node *name)
{
	char quote[NODE_QUOTE_MAX], hint[SUGGESTION_TEXT_MAX] = "";
	uint32_t task = task_names_find(names, name->text);
	if (task != UINT32_MAX)
		return task;
	if (b->diagnostics->count < DIAGNOSTICS_MAX)
		task_names_hint(names, name->text, hint);
	binder_error(b, name, "no task is called %s%s", node_quote(name, quote), hint);
	return UINT32_MAX;
}

/* Looks up a name or a list of names, none of which may come twice. */
static bool find_tasks(struct binder *b, const struct description *d, const struct node *list,
	uint32_t **tasks, uint32_t *count)
{
	bool ok = true;
	const struct node *name = list->kind == NODE_LIST ? list->first : list;
	*count = list->kind == NODE_LIST ? list->count : 1;
	*tasks = arena_new(b->arena, uint32_t, *count);
	if (!*tasks)
		return binder_no_memory(b);
	for (uint32_t n = 0; n < *count; n++, name = name->next) {
		uint32_t task = (*tasks)[n] = find_task(b, d->names, name);
		if (task == UINT32_MAX)
			ok = false;
		else if (task_names_mark(d->names, task))
			ok = binder_error(b, name, "task '%s' is named twice", name->text);
	}
	for (uint32_t n = 0; n < *count; n++)
		if ((*tasks)[n] != UINT32_MAX)
			task_names_unmark(d->names, (*tasks)[n]);
	return ok;
}

bool settle_after(struct binder *b, struct description *d, uint32_t i)
{
	const struct task_entry *e = &d->tasks[i];
	struct release_rule *rule = e->task.release;
	bool ok = find_tasks(b, d, e->release.after, &rule->after, &rule->after_count);
	if (node_has(e->at, "offset"))
		ok = binder_error_at(b, e->at, "offset",
			"'%s' is released by the ends of other jobs, and has no offset", e->task.name);
	if (!ok)
		d->tasks[i].task.release = NULL; /* what was found is said once */
	return ok;
}

static bool settle_chain(struct binder *b, const struct description *d, struct name_index *names, uint32_t n,
	struct effect_chain *chain)
{
	const struct chain_entry *e = &d->chains[n];
	bool ok = true;
	*chain = (struct effect_chain){
		.name = e->name,
		.communication = (enum chain_communication)e->communication,
		.sample = (enum chain_sample)e->sample,
		.reaction_ns = e->reaction_ns,
		.age_ns = e->age_ns,
	};
	if (!e->at)
		return false;
	uint32_t first = name_index_first(names, e->name);
	if (first < n && d->chains[first].at)
		ok = binder_error_name(b, e->at, d->chains[first].at, "chain", e->name);
	if (e->tasks->count > CHAIN_TASKS_MAX)
		return binder_error_at(b, e->at, "tasks", "'%s' has %" PRIu32 " tasks; a chain can have %d",
			e->name, e->tasks->count, CHAIN_TASKS_MAX);
	return find_tasks(b, d, e->tasks, &chain->tasks, &chain->task_count) && ok;
}

bool settle_chains(struct binder *b, const struct description *d, struct taskset *set)
{
	bool ok = true;
	if (d->chain_count == 0)
		return true;
	set->chains = arena_new(&set->arena, struct effect_chain, d->chain_count);
	if (!set->chains)
		return binder_no_memory(b);
	struct name_index names;
	name_index_init(&names, &d->chains->name, sizeof(*d->chains), d->chain_count);
	for (uint32_t n = 0; n < d->chain_count; n++)
		ok = settle_chain(b, d, &names, n, &set->chains[n]) && ok;
	name_index_finish(&names);
	set->chain_count = ok ? d->chain_count : 0; /* what was found is said once */
	return ok;
}

bool check_circles(struct binder *b, const struct description *d, const struct taskset *set)
{
	uint32_t task;
	if (!taskset_trigger_circle(set, &task))
		return binder_no_memory(b);
	return task == UINT32_MAX ||
	       binder_error_at(b, d->tasks[task].at, "release",
		       "'%s' would be released by itself, in a circle: after '%s'", set->tasks[task].name,
		       set->tasks[set->tasks[task].release->after[0]].name);
}
