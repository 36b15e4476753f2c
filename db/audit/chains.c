/* db/audit/chains.c - reads who releases whom, and the chains of a run's set with their figures
 * (docs/model.md, "Chains and triggers"). */
#include <string.h>

#include "db/audit/recording.h"
#include "db/words.h"

static bool damaged(const struct recording *r, const char *table, struct error *err)
{
	return error_set(err, STATUS_INPUT, "run %lld: %s has impossible rows", (long long)r->run_id, table);
}

static void *room(struct recording *r, int64_t count, size_t size, struct error *err)
{
	void *space = arena_alloc(&r->arena, (size_t)count, size);
	if (!space)
		error_memory(err, "reading a recording");
	return space;
}

/* task, place, index of the other one, rows of the task */
static bool after_row(struct recording *r, const struct db_cursor *q, struct error *err)
{
	uint32_t task = recording_task(r, column(q, 0));
	int64_t other = column(q, 2);
	if (task == UINT32_MAX || other < 0 || other >= r->tasks)
		return damaged(r, "task_after", err);
	struct audit_release_rule *rule = &r->task[task].releases;
	if (column(q, 1) != rule->afters)
		return damaged(r, "task_after", err);
	if (!rule->after)
		rule->after = room(r, column(q, 3), sizeof(*rule->after), err);
	if (!rule->after)
		return false;
	rule->after[rule->afters++] = (uint32_t)other;
	return true;
}

/* name, communication, sample, number of tasks, index, number of chains */
static bool chain_row(struct recording *r, const struct db_cursor *q, struct error *err)
{
	int64_t stages = column(q, 3);
	if (column(q, 4) != r->chains || stages < 1)
		return damaged(r, "chain", err);
	if (!r->chain)
		r->chain = room(r, column(q, 5), sizeof(*r->chain), err);
	if (!r->chain)
		return false;
	struct audit_chain *c = &r->chain[r->chains++];
	const char *name = cursor_text(q, 0), *communication = cursor_text(q, 1), *sample = cursor_text(q, 2);
	*c = (struct audit_chain){
		.name = arena_strdup(&r->arena, name ? name : ""),
		.let = communication && strcmp(communication, words_communication[1]) == 0,
		.by_release = sample && strcmp(sample, words_sample[1]) == 0,
		.stage = room(r, stages, sizeof(*c->stage), err),
	};
	return c->name && c->stage;
}

/* chain, stage, task */
static bool stage_row(struct recording *r, const struct db_cursor *q, struct error *err)
{
	int64_t chain = column(q, 0), task = column(q, 2);
	if (chain < 0 || chain >= r->chains || task < 0 || task >= r->tasks ||
		column(q, 1) != r->chain[chain].stages)
		return damaged(r, "chain_task", err);
	r->chain[chain].stage[r->chain[chain].stages++] = (uint32_t)task;
	return true;
}

static bool each(struct recording *r, struct db_reader *source, const char *sql,
	bool (*row)(struct recording *, const struct db_cursor *, struct error *), struct error *err)
{
	struct rows q = query_rows(source, sql, r->taskset_id, err);
	while (rows_next(&q))
		q.ok = row(r, q.c, err);
	return rows_close(&q);
}

bool chains_load(struct recording *r, struct db_reader *source, struct error *err)
{
	bool has;
	/* Recordings made before there were chains have no such tables. */
	if (!reader_has(source, "chain_run", NULL, &has, err))
		return false;
	return !has ||
	       (each(r, source,
			"SELECT task_id, a.place, a.after_idx, count(*) OVER (PARTITION BY task_id) FROM "
			"task_after a JOIN task t USING (task_id) WHERE t.taskset_id = ?1 ORDER BY task_id, "
			"a.place",
			after_row, err) &&
		       each(r, source,
			       "SELECT name, communication, sample, (SELECT count(*) FROM chain_task k WHERE "
			       "k.taskset_id = c.taskset_id AND k.chain_idx = c.chain_idx), chain_idx, "
			       "count(*) OVER () FROM chain c WHERE taskset_id = ?1 ORDER BY chain_idx",
			       chain_row, err) &&
		       each(r, source,
			       "SELECT chain_idx, stage, member_idx FROM chain_task WHERE taskset_id = ?1 "
			       "ORDER BY chain_idx, stage",
			       stage_row, err));
}
