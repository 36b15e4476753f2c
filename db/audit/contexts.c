/* db/audit/contexts.c - processes that share the GPU (docs/model.md, "Contexts"): what the recording says of
 * them, and who has the GPU at each instant of the sweep. Recordings that lack the table have none. */
#include "db/audit/law.h"
#include "db/audit/sweep.h"

#define TIME_MAX (INT64_C(1) << 62)

static bool load_times(struct recording *r, struct db_reader *source, struct error *err)
{
	struct audit_machine *m = &r->machine;
	int64_t *const each[] = {&m->contexts.timeslice_ns, &m->contexts.switch_ns, &m->contexts.reset_ns};
	struct rows q = query_rows(source,
		"SELECT timeslice_ns, context_switch_ns, context_reset_ns FROM platform WHERE platform_id = ?1",
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

bool contexts_load(struct recording *r, struct db_reader *source, struct error *err)
{
	bool has;
	int64_t rows;
	if (!reader_has(source, "context_interval", NULL, &has, err))
		return false;
	if (!has)
		return true;
	if (!query_number(source, "SELECT EXISTS (SELECT 1 FROM context_interval WHERE run_id = ?1)",
		    r->run_id, &rows, err))
		return false;
	r->contexts = rows > 0;
	return load_times(r, source, err) && (!r->contexts || load_processes(r, source, err));
}

/* ---- in time ---- */

static void next_row(struct sweep *s)
{
	if (!cursor_next(s->context_rows, &s->more_contexts, s->err)) {
		s->failed = true;
		s->more_contexts = false;
	}
	if (!s->more_contexts)
		return;
	const struct db_cursor *q = s->context_rows;
	s->audit->report->rows++;
	uint32_t task = recording_task(s->r, column(q, 0));
	s->audit->strangers += task == UINT32_MAX;
	if (task == UINT32_MAX)
		s->audit->strange_table = "context_interval";
	s->next_context = (struct context_row){
		.process = task,
		.start = column_bounded(q, 1),
		.end = column_bounded(q, 2),
		.switches = column(q, 3) != 0,
	};
}

bool sweep_open_contexts(struct sweep *s, struct db_reader *source)
{
	s->context = s->context_before = (struct context_row){UINT32_MAX, 0, 0, false};
	if (!s->r->contexts || !s->with_segments)
		return true;
	s->context_rows = query_open(source,
		"SELECT process_task_id, start_ns, end_ns, code FROM context_interval WHERE run_id = ?1 ORDER BY "
		"start_ns, rowid",
		s->r->run_id, s->err);
	if (!s->context_rows)
		return false;
	next_row(s);
	return !s->failed;
}

void sweep_read_contexts(struct sweep *s)
{
	while (s->more_contexts && s->next_context.start <= s->now && !s->failed) {
		s->context_before = s->context;
		s->context = s->next_context;
		if (s->context.switches)
			s->last_switch = s->context.end;
		next_row(s);
		if (audit_hears(s->audit, AT_CONTEXT))
			audit_tell(s->audit, &(struct moment){.at = AT_CONTEXT, .time = s->now, .sweep = s});
		sweep_push(s, s->context.end, EVENT_CONTEXT_ENDS, 0, 0); /* an instant at which laws look */
	}
}
