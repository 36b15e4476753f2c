/* db/audit/contexts_in_time.c - who has the GPU over time: the rows of contexts, one ahead of the clock
 * (docs/model.md, "Contexts"). */
#include "db/audit/law.h"
#include "db/audit/sweep.h"

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
		"SELECT process_task_id, start_ns, end_ns, code FROM context_interval WHERE run_id = ?1"
		" ORDER BY start_ns, rowid",
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
