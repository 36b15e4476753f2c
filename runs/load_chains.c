/* runs/load_chains.c - reads who releases whom, and the chains of a recorded set (runs/load.h). */
#include "runs/load_private.h"

/* Columns task, number of those that release it. */
static bool rule_row(struct loading *l, struct db_cursor *c)
{
	int64_t task = cursor_integer(c, 0);
	if (task < 0 || task >= l->run->set.task_count)
		return load_damaged(l, "its tasks are not numbered from 0");
	struct release_rule *rule = l->run->set.tasks[task].release;
	if (!rule || rule->kind != RELEASE_AFTER)
		return load_damaged(l, "a task that is released otherwise has others that release it");
	rule->after = arena_new(load_arena(l), uint32_t, (size_t)cursor_integer(c, 1));
	return rule->after || load_no_memory(l);
}

static bool after_row(struct loading *l, struct db_cursor *c)
{
	struct release_rule *rule = l->run->set.tasks[cursor_integer(c, 0)].release;
	int64_t other = cursor_integer(c, 1);
	if (other < 0 || other >= l->run->set.task_count)
		return load_damaged(l, "a task is released by one that is not in its set");
	rule->after[rule->after_count++] = (uint32_t)other;
	return true;
}

static bool chain_row(struct loading *l, struct db_cursor *c)
{
	struct taskset *set = &l->run->set;
	int64_t tasks = cursor_integer(c, 6);
	if (cursor_integer(c, 0) != set->chain_count || tasks < 1 || tasks > CHAIN_TASKS_MAX)
		return load_damaged(l, "its chains are not numbered from 0, or have no or too many tasks");
	set->chains[set->chain_count] = (struct effect_chain){
		.name = arena_strdup(load_arena(l), cursor_text(c, 1)),
		.communication = (enum chain_communication)load_word(c, 2, chain_communication_named),
		.sample = (enum chain_sample)load_word(c, 3, chain_sample_named),
		.age_ns = cursor_integer(c, 4),
		.reaction_ns = cursor_integer(c, 5),
		.tasks = arena_new(load_arena(l), uint32_t, (size_t)tasks),
	};
	const struct effect_chain *chain = &set->chains[set->chain_count++];
	return (chain->name && chain->tasks) || load_no_memory(l);
}

static bool stage_row(struct loading *l, struct db_cursor *c)
{
	struct taskset *set = &l->run->set;
	int64_t chain = cursor_integer(c, 0), task = cursor_integer(c, 1);
	if (chain < 0 || chain >= set->chain_count || task < 0 || task >= set->task_count)
		return load_damaged(l, "a chain has a task that is not in its set");
	struct effect_chain *e = &set->chains[chain];
	e->tasks[e->task_count++] = (uint32_t)task;
	return true;
}

static bool count_row(struct loading *l, struct db_cursor *c)
{
	l->run->set.chains = arena_new(load_arena(l), struct effect_chain, (size_t)cursor_integer(c, 0));
	return l->run->set.chains || load_no_memory(l);
}

/* A task that nobody releases is damage, too: its rule would have no end. */
static bool rules_are_whole(struct loading *l)
{
	for (uint32_t i = 0; i < l->run->set.task_count; i++) {
		const struct release_rule *rule = l->run->set.tasks[i].release;
		if (rule && rule->kind == RELEASE_AFTER && rule->after_count == 0)
			return load_damaged(l, "a task is released after others, but there are none");
	}
	return true;
}

bool load_chains(struct loading *l, int64_t taskset_id)
{
	bool has;
	if (!reader_has(l->reader, "chain_task", NULL, &has, l->err))
		return false;
	if (!has)
		return rules_are_whole(l);
	return load_each(l,
		       "SELECT task_idx, count(*) FROM task_after JOIN task t USING (task_id) WHERE "
		       "t.taskset_id = ?1 GROUP BY task_idx",
		       taskset_id, 0, rule_row) >= 0 &&
	       load_each(l,
		       "SELECT task_idx, after_idx FROM task_after JOIN task t USING (task_id) WHERE "
		       "t.taskset_id = ?1 ORDER BY task_idx, place",
		       taskset_id, 0, after_row) >= 0 &&
	       rules_are_whole(l) &&
	       load_each(l, "SELECT count(*) FROM chain WHERE taskset_id = ?1", taskset_id, 0, count_row) >=
		       0 &&
	       load_each(l,
		       "SELECT chain_idx, name, communication, sample, age_limit_ns, reaction_limit_ns, "
		       "(SELECT count(*) FROM chain_task k WHERE k.taskset_id = c.taskset_id AND "
		       "k.chain_idx = c.chain_idx) FROM chain c WHERE taskset_id = ?1 ORDER BY chain_idx",
		       taskset_id, 0, chain_row) >= 0 &&
	       load_each(l,
		       "SELECT chain_idx, member_idx FROM chain_task WHERE taskset_id = ?1 ORDER BY "
		       "chain_idx, stage",
		       taskset_id, 0, stage_row) >= 0;
}
