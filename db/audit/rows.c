/* db/audit/rows.c - reads the rows of a run in the order of time: one row ahead of the clock in each table,
 * so that memory does not grow with the run. (db/audit/in_order.c reads a few more.) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/audit/law.h"
#include "db/audit/sweep.h"

static void step(struct sweep *s, struct db_cursor *rows, bool *more)
{
	if (!cursor_next(rows, more, s->err)) {
		s->failed = true;
		*more = false;
	}
	if (*more)
		s->audit->report->rows++;
}

/* A negative instant means "never", as NULL does. */
static int64_t or_never(int64_t time)
{
	return time < 0 ? NOT_GIVEN : time;
}

/* Whether a number of column_bounded() may be another one in the row. */
static bool is_cut(int64_t number)
{
	return number < 0 || number == COLUMN_BOUND;
}

/* The task of a row; UINT32_MAX if it is none of the set, which is counted. */
static uint32_t known(struct sweep *s, int64_t task_id, const char *table)
{
	uint32_t task = recording_task(s->r, task_id);
	if (task == UINT32_MAX) {
		s->audit->strangers++;
		s->audit->strange_table = table;
	}
	return task;
}

/* The next row of a table, counted; *more is false, too, where it failed. */
static void next_row(struct sweep *s, struct in_order *rows, int64_t *numbers, bool *more)
{
	if (!in_order_next(rows, numbers, more)) {
		s->failed = true;
		*more = false;
	}
	s->audit->report->rows += *more;
}

void sweep_next_job(struct sweep *s)
{
	int64_t q[JOB_NUMBERS];
	next_row(s, &s->job_rows, q, &s->more_jobs);
	if (!s->more_jobs)
		return;
	int64_t outcome = q[6];
	s->next_job_task = known(s, q[0], "job");
	s->next_job = (struct job){
		.seq = bounded(q[1]),
		.release = bounded(q[2]),
		.deadline = or_never(bounded(q[3])),
		.first_start = or_never(bounded(q[4])),
		.finish = or_never(bounded(q[5])),
		.outcome = outcome,
		.state = (enum job_state)(outcome & 3),
		.missed = (outcome >> 2) & 1,
	};
	s->audit->cut_rows |=
		outcome == NOT_GIVEN || is_cut(s->next_job.seq) || is_cut(s->next_job.release) ||
		(s->next_job.finish == NOT_GIVEN && q[5] != NOT_GIVEN) || s->next_job.finish == COLUMN_BOUND;
}

static enum occupancy occupancy_of(int64_t code)
{
	int64_t first = (code >> 2) & 3;
	if ((code & 204) == 136)
		return OCCUPY_DECISION;
	return (enum occupancy)(first + first / 3 * (code >> 6 & 3));
}

void sweep_next_interval(struct sweep *s)
{
	int64_t q[INTERVAL_NUMBERS];
	next_row(s, &s->intervals, q, &s->more_intervals);
	if (!s->more_intervals)
		return;
	int64_t code = q[4];
	s->next_interval_task = known(s, q[0], "segment_interval");
	s->next_interval = (struct interval){
		.task = s->next_interval_task,
		.seq = bounded(q[1]),
		.segment = bounded(q[2]),
		.part = bounded(q[3]),
		.code = code,
		.resource = (enum resource)(code & 3),
		.occupancy = occupancy_of(code),
		.ended = (code & 76) == 64 ? ENDED_RESET : (enum ended)((code >> 4) & 3),
		.unit = bounded(q[5]),
		.ready = bounded(q[6]),
		.start = bounded(q[7]),
		.end = bounded(q[8]),
		.granted = q[9],
		.gpu = q[10],
	};
	s->audit->cut_rows |= is_cut(s->next_interval.start) || is_cut(s->next_interval.end);
	waits_asked_interval(&s->audit->waits, s->next_interval.start, s->next_interval.end);
	if (s->next_interval.granted == NOT_GIVEN)
		s->next_interval.granted = 0;
}

static void next_block(struct sweep *s)
{
	int64_t q[BLOCK_NUMBERS];
	next_row(s, &s->block_rows, q, &s->more_blocks);
	if (!s->more_blocks)
		return;
	s->next_block = (struct block){
		.task = known(s, q[0], "block_interval"),
		.seq = bounded(q[1]),
		.segment = bounded(q[2]),
		.index = bounded(q[3]),
		.sm = q[4],
		.slot = bounded(q[5]),
		.threads = bounded(q[6]),
		.start = bounded(q[7]),
		.end = bounded(q[8]),
		.code = q[9],
		.gpu = q[10],
		.ended = q[9] == ENDED_RESET ? ENDED_RESET : (enum ended)(q[9] & 3),
	};
}

static void next_decision(struct sweep *s)
{
	const struct db_cursor *q = s->decision_rows;
	step(s, s->decision_rows, &s->more_decisions);
	if (!s->more_decisions)
		return;
	s->next_decision = (struct decision){
		.time = column_bounded(q, 0),
		.task = known(s, column(q, 1), "decision"),
		.seq = column_bounded(q, 2),
		.segment = column_bounded(q, 3),
		.sms = column_bounded(q, 4),
		.kernel_end = column_bounded(q, 5),
		.predicted = column(q, 6),
		.feasible = column(q, 7) == 1,
		.chosen = column(q, 8) == 1,
		.gpu = column(q, 9),
		.asked = column_bounded(q, 10),
	};
}

/* Recordings of programs before do not say which GPU: there was one. */
static struct db_cursor *open_with_gpu(
	struct sweep *s, struct db_reader *source, const char *table, const char *sql)
{
	char text[256];
	bool has;
	if (!reader_has(source, table, "gpu", &has, s->err))
		return NULL;
	const char *at = strstr(sql, "%s");
	snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - sql), sql, has ? "gpu" : "0", at + 2);
	return query_open(source, text, s->r->run_id, s->err);
}

/* Rows of one instant are told apart by the order in which they were written. Programs before did not say
 * when a decision was asked for: at once. */
static struct db_cursor *open_decisions(struct sweep *s, struct db_reader *source)
{
	bool has;
	if (!reader_has(source, "decision", "asked_ns", &has, s->err))
		return NULL;
	return open_with_gpu(s, source, "decision",
		has ? "SELECT time_ns, task_id, seq, segment_idx, sms, kernel_end_ns, predicted_uwns, "
		      "feasible, chosen, %s, asked_ns FROM decision WHERE run_id = ?1 ORDER BY time_ns, rowid"
		    : "SELECT time_ns, task_id, seq, segment_idx, sms, kernel_end_ns, predicted_uwns, "
		      "feasible, chosen, %s, time_ns FROM decision WHERE run_id = ?1 ORDER BY time_ns, "
		      "rowid");
}

/* Ties are sorted where they are used, but for jobs. */
bool sweep_open_rows(struct sweep *s, struct db_reader *source)
{
	int64_t run = s->r->run_id;
	if (!order_chunks_load(&s->job_chunks, &order_of_jobs, source, run, s->err) ||
		!in_order_open(&s->job_rows, &order_of_jobs, &s->job_chunks, source, run, 0, s->err))
		return false;
	sweep_next_job(s);
	if (s->with_segments) {
		if (!in_order_open(&s->intervals, &order_of_intervals, &s->r->ready, source, run, 0, s->err))
			return false;
		sweep_next_interval(s);
		s->decision_rows = open_decisions(s, source);
		if (!s->decision_rows)
			return false;
		next_decision(s);
	}
	if (s->with_blocks) {
		if (!order_chunks_load(&s->block_chunks, &order_of_blocks, source, run, s->err) ||
			!in_order_open(
				&s->block_rows, &order_of_blocks, &s->block_chunks, source, run, 0, s->err))
			return false;
		next_block(s);
	}
	return sweep_open_contexts(s, source) && !s->failed;
}

static int compare_blocks(const void *a, const void *b)
{
	const struct block *x = a, *y = b;
	if (x->gpu != y->gpu)
		return x->gpu < y->gpu ? -1 : 1;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	if (x->segment != y->segment)
		return x->segment < y->segment ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

void sweep_read_blocks(struct sweep *s)
{
	bool sorted = true;
	s->fresh_count = 0;
	while (s->more_blocks && s->next_block.start <= s->now && !s->failed) {
		if (!sweep_grow(
			    s, (void **)&s->fresh, &s->fresh_capacity, s->fresh_count + 1, sizeof(*s->fresh)))
			return;
		s->fresh[s->fresh_count++] = s->next_block;
		if (s->fresh_count > 1 && sorted)
			sorted = compare_blocks(&s->fresh[s->fresh_count - 2], &s->next_block) <= 0;
		next_block(s);
	}
	if (!sorted)
		qsort(s->fresh, s->fresh_count, sizeof(*s->fresh), compare_blocks);
}

void sweep_read_decisions(struct sweep *s)
{
	s->decisions = 0;
	while (s->more_decisions && s->next_decision.time <= s->now && !s->failed) {
		if (!sweep_grow(s, (void **)&s->decision, &s->decision_capacity, s->decisions + 1,
			    sizeof(*s->decision)))
			return;
		s->decision[s->decisions++] = s->next_decision;
		next_decision(s);
	}
}

void sweep_close_rows(struct sweep *s)
{
	in_order_close(&s->job_rows);
	in_order_close(&s->intervals);
	in_order_close(&s->block_rows);
	order_chunks_finish(&s->job_chunks);
	order_chunks_finish(&s->block_chunks);
	cursor_close(s->decision_rows);
	cursor_close(s->context_rows);
}
