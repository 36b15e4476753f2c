/* runs/load_chains.c - reads who releases whom, and the chains of a recorded set (runs/load.h). */
#include "runs/load_private.h"

static bool after_row(struct loading *l, struct db_cursor *c)
{
	load_row(l, c, "task_after", 2);
	struct task *t = load_task_of(l);
	if (!t)
		return false;
	struct release_rule *rule = t->release;
	if (!rule || rule->kind != RELEASE_AFTER)
		return load_damaged(l, "a task that is released otherwise has others that release it");
	load_next(l, 1, rule->after_count);
	if (!LOAD_ROOM(l, rule->after, rule->after_count))
		return false;
	rule->after[rule->after_count++] = LOAD_COUNT(l, 2);
	return true;
}

static bool chain_row(struct loading *l, struct db_cursor *c)
{
	struct taskset *set = &l->run->set;
	load_row(l, c, "chain", 1);
	load_next(l, 0, set->chain_count);
	if (!LOAD_ROOM(l, set->chains, set->chain_count))
		return false;
	set->chains[set->chain_count++] = (struct effect_chain){
		.name = load_name(l, 1),
		.communication = (enum chain_communication)load_needed_word(l, 2, chain_communication_named),
		.sample = (enum chain_sample)load_needed_word(l, 3, chain_sample_named),
		.age_ns = LOAD_ANY_OR(l, 4, 0),
		.reaction_ns = LOAD_ANY_OR(l, 5, 0),
	};
	return true;
}

static bool stage_row(struct loading *l, struct db_cursor *c)
{
	struct taskset *set = &l->run->set;
	load_row(l, c, "chain_task", 2);
	int64_t chain = load_number(l, 0, 0, (int64_t)set->chain_count - 1);
	if (l->bad)
		return false;
	struct effect_chain *e = &set->chains[chain];
	load_next(l, 1, e->task_count);
	if (!LOAD_ROOM(l, e->tasks, e->task_count))
		return false;
	e->tasks[e->task_count++] = LOAD_COUNT(l, 2);
	return true;
}

/* Recordings before version 4 have none. */
bool load_chains(struct loading *l, int64_t taskset_id)
{
	bool has;
	if (!reader_has(l->reader, "chain_task", NULL, &has, l->err))
		return false;
	if (!has)
		return true;
	return load_each(l,
		       "SELECT task_idx, place, after_idx FROM task_after JOIN task t USING (task_id) WHERE "
		       "t.taskset_id = ?1 ORDER BY task_idx, place",
		       taskset_id, 0, after_row) >= 0 &&
	       load_each(l,
		       "SELECT chain_idx, name, communication, sample, age_limit_ns, reaction_limit_ns FROM "
		       "chain WHERE taskset_id = ?1 ORDER BY chain_idx",
		       taskset_id, 0, chain_row) >= 0 &&
	       load_each(l,
		       "SELECT chain_idx, stage, member_idx FROM chain_task WHERE taskset_id = ?1 ORDER BY "
		       "chain_idx, stage",
		       taskset_id, 0, stage_row) >= 0;
}
