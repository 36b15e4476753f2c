/* db/audit/contexts.c - reads what a recording says of processes that share the GPU (docs/model.md,
 * "Contexts"). One that lacks their table has none. */
#include "db/audit/recording.h"

#define TIME_MAX (INT64_C(1) << 62)

static bool load_times(struct recording *r, struct db_reader *source, struct error *err)
{
	struct audit_machine *m = &r->machine;
	int64_t *const each[] = {&m->contexts.timeslice_ns, &m->contexts.switch_ns, &m->contexts.reset_ns};
	struct rows q = query_rows(source,
		"SELECT timeslice_ns, context_switch_ns, context_reset_ns FROM platform"
		" WHERE platform_id = ?1",
		r->platform_id, err);
	while (rows_next(&q)) {
		for (int i = 0; i < 3; i++) {
			int64_t ns = column(q.c, i);
			*each[i] = ns == NOT_GIVEN ? 0 : ns;
			if (*each[i] < 0 || *each[i] > TIME_MAX)
				q.ok = error_set(err, STATUS_INPUT,
					"run %lld: its platform has impossible times of contexts",
					(long long)r->run_id);
		}
	}
	if (m->contexts.timeslice_ns == 0)
		m->contexts.timeslice_ns = 1024000; /* where the platform does not say */
	return rows_close(&q);
}

/* A process is known by its first task: that of the least index with its name. */
static bool load_processes(struct recording *r, struct db_reader *source, struct error *err)
{
	struct rows q = query_rows(source,
		"SELECT t.task_idx, min(u.task_idx) FROM task t JOIN task u ON u.taskset_id = t.taskset_id"
		" AND u.process = t.process WHERE t.taskset_id = ?1 GROUP BY t.task_idx",
		r->taskset_id, err);
	for (uint32_t i = 0; i < r->tasks; i++)
		r->task[i].process = i;
	while (rows_next(&q))
		r->task[column(q.c, 0)].process = (uint32_t)column(q.c, 1);
	return rows_close(&q);
}

static bool load_gpu_priorities(struct recording *r, struct db_reader *source, struct error *err)
{
	struct rows q = query_rows(source,
		"SELECT task_idx, gpu_priority, best_effort FROM task WHERE taskset_id = ?1", r->taskset_id,
		err);
	while (rows_next(&q)) {
		struct member *task = &r->task[column(q.c, 0)];
		task->gpu_priority = column(q.c, 1);
		task->best_effort = column(q.c, 2) == 1;
	}
	return rows_close(&q);
}

bool contexts_load(struct recording *r, struct db_reader *source, struct error *err)
{
	bool has;
	int64_t rows;
	/* A recording without contexts may have an empty view of that name, for queries (db/reader.c). */
	if (!reader_has(source, "platform", "timeslice_ns", &has, err))
		return false;
	if (!has)
		return true;
	if (!query_number(source, "SELECT EXISTS (SELECT 1 FROM context_interval WHERE run_id = ?1)",
		    r->run_id, &rows, err))
		return false;
	/* Where no process ever had the GPU there are no rows, but each has its own queues. */
	r->contexts = rows > 0 || (r->promise && r->promise->turns);
	r->calls |= r->ready.calls; /* or the policy says so: promise_find() */
	return load_times(r, source, err) && load_processes(r, source, err) &&
	       load_gpu_priorities(r, source, err);
}
