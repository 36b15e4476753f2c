/* db/audit/laws_flight_waits.c - the law on v_flight_wait (docs/waiting.md): what each operation in flight
 * waited for, and what its job waited for, is what follows from the rows of the job's segments, gone through
 * one after the other. Of many jobs some are asked about, by their numbers. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "db/audit/flown.h"
#include "db/schema.h"

#define JOBS_MAX 1000        /* about so many jobs of a run are asked about, or */
#define INTERVALS_MAX 100000 /* fewer, if all have more intervals than that */
#define AT_ITS_END UINT32_MAX

enum waiting_for { FOR_AFTER, FOR_STREAM, FOR_OTHERS, FOR_WAIT, WAITING_FOR };
static const char *const resources[WAITING_FOR] = {"after", "stream", "others", "wait"};

/* A row of the view, or what one should be. */
struct flight_wait {
	uint32_t segment; /* AT_ITS_END: none */
	enum waiting_for resource;
	int64_t of; /* NOT_GIVEN: nobody is named */
	int64_t from, to;
};

struct flight_waits {
	struct rows rows;
	bool more;
	int64_t stride;
	uint32_t task;    /* whose segments `front` is about */
	uint32_t *front;  /* [segments] the one in front of it in its hardware queue, or itself */
	uint32_t *behind; /* [gpus][queues + 1] the last so far of each queue */
	struct flight_wait *due;
	size_t count, capacity;
	bool unsure; /* of the job it is not known in the view where it stood */
};

/* ---- What is due ---- */

static bool add(struct flown *f, struct flight_wait wait)
{
	struct flight_waits *w = f->self;
	if (wait.from >= wait.to)
		return true;
	if (!list_reserve((void **)&w->due, &w->capacity, w->count + 1, sizeof(*w->due)))
		return error_memory(f->audit->err, "auditing a run");
	w->due[w->count++] = wait;
	return true;
}

/* Of those that the segment awaits, or of all: the end of the last, and of several of these the first. */
static int64_t last_awaited(const struct flown *f, const bool *awaits, uint32_t segment, int64_t *of)
{
	const struct part_of_task *s = f->audit->r->task[f->task].segment;
	int64_t end = NOT_GIVEN;
	*of = NOT_GIVEN;
	for (uint32_t i = 0; i < segment; i++) {
		if (!s[i].async || !f->stay[i].ran || (awaits && !awaits[i]) || f->stay[i].end <= end)
			continue;
		end = f->stay[i].end;
		*of = i;
	}
	return end;
}

static int64_t greater(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static bool due_of_operation(struct flown *f, uint32_t segment)
{
	const struct flight_waits *w = f->self;
	const struct part_of_task *s = &f->audit->r->task[f->task].segment[segment];
	const struct stay *stay = &f->stay[segment];
	int64_t of = NOT_GIVEN, after = s->awaits ? last_awaited(f, s->awaits, segment, &of) : NOT_GIVEN;
	uint32_t front = w->front[segment];
	while (!f->stay[front].ran && w->front[front] != front)
		front = w->front[front];
	bool queued = front != segment && f->stay[front].ran;
	int64_t let = queued ? f->stay[front].end : NOT_GIVEN, behind = greater(stay->ready, after);
	return add(f, (struct flight_wait){segment, FOR_AFTER, of, stay->ready,
			      smaller(after, stay->start)}) &&
	       add(f, (struct flight_wait){segment, FOR_STREAM, front, behind, smaller(let, stay->start)}) &&
	       add(f, (struct flight_wait){
			      segment, FOR_OTHERS, NOT_GIVEN, greater(behind, let), stay->start});
}

/* From when on the job waits for nothing. */
static int64_t left(const struct flown *f)
{
	if (f->job.state == STATE_ABORTED)
		return f->job.deadline;
	return f->job.finish == NOT_GIVEN ? f->audit->r->stop_ns : f->job.finish;
}

/* The job is at the segment, or its end, at *reached. Then *reached is when it goes on. */
static bool due_of_job(struct flown *f, const bool *awaits, uint32_t segment, int64_t *reached)
{
	int64_t of, end = last_awaited(f, awaits, segment, &of);
	bool ends = segment == f->audit->r->task[f->task].segments;
	struct flight_wait wait = {
		ends ? AT_ITS_END : segment, FOR_WAIT, of, *reached, smaller(end, left(f))};
	if (end != NOT_GIVEN)
		*reached = greater(*reached, end + f->audit->r->machine.takes.sync_ns);
	return add(f, wait);
}

/* Whether the job, which came to the segment, went on behind it. */
static bool goes_on(const struct flown *f, uint32_t segment)
{
	const struct part_of_task *s = f->audit->r->task[f->task].segment, *mine = &s[segment];
	const struct stay *stay = &f->stay[segment];
	bool all = true;
	if (mine->kind != KIND_WAIT)
		return flown_passed(f, segment) ||
		       (mine->async ? flown_launch(f->audit, mine) == 0 || stay->issued : stay->ended);
	for (uint32_t i = 0; i < segment && all; i++)
		all = !s[i].async || !mine->awaits[i] || f->stay[i].ended ||
		      (!f->stay[i].ran && flown_passed(f, i));
	return all;
}

/* Goes through the segments. */
static bool due_of_segments(struct flown *f)
{
	const struct member *t = &f->audit->r->task[f->task];
	struct flight_waits *w = f->self;
	int64_t reached = f->began;
	bool ok = true, there = true; /* the job comes to the segment */
	w->count = 0;
	w->unsure = false;
	for (uint32_t i = 0; i < t->segments && ok; i++) {
		const struct part_of_task *s = &t->segment[i];
		const struct stay *stay = &f->stay[i];
		if (s->kind == KIND_WAIT)
			ok = !there || due_of_job(f, s->awaits, i, &reached);
		else if (stay->ran && is_operation(s))
			ok = due_of_operation(f, i);
		there = there && goes_on(f, i);
		w->unsure |= s->kind != KIND_WAIT && !stay->ran && flown_passed(f, i);
		if (!there || s->kind == KIND_WAIT || (!stay->ran && flown_passed(f, i)))
			continue;
		if (s->async)
			reached = flown_launch(f->audit, s) > 0 ? stay->launch_end : reached;
		else
			reached = stay->end + (is_operation(s) && flown_stops_behind(f, i)
							      ? f->audit->r->machine.takes.sync_ns
							      : 0);
	}
	if (f->job.state != STATE_FINISHED)
		return ok;  /* what took no time is to the view as what never came */
	w->unsure = !there; /* a row is missing, which another law says */
	return ok && (w->unsure || due_of_job(f, NULL, t->segments, &reached));
}

/* ---- What the view says ---- */

/* Whether its row is about this job: 0; < 0: about one before it. */
static int compare_job(const struct flown *f, const struct db_cursor *q)
{
	int64_t task_id = column(q, 0), seq = column(q, 1);
	int64_t mine = f->audit->r->task[f->task].task_id;
	if (task_id != mine)
		return task_id < mine ? -1 : 1;
	return (seq > f->job.seq) - (seq < f->job.seq);
}

static struct flight_wait said(const struct db_cursor *q)
{
	const char *resource = cursor_text(q, 3);
	struct flight_wait wait = {column(q, 2) == NOT_GIVEN ? AT_ITS_END : (uint32_t)cursor_integer(q, 2),
		FOR_AFTER, column(q, 4), column(q, 5), column(q, 6)};
	while (wait.resource < WAITING_FOR && (!resource || strcmp(resource, resources[wait.resource]) != 0))
		wait.resource++;
	return wait;
}

static int compare_place(const struct flight_wait *a, const struct flight_wait *b)
{
	if (a->segment != b->segment)
		return a->segment < b->segment ? -1 : 1;
	return (a->resource > b->resource) - (a->resource < b->resource);
}

/* " for segment 3" */
#define OF_TEXT 40
static const char *of_text(const struct flight_wait *wait, char text[OF_TEXT])
{
	text[0] = '\0';
	if (wait->of != NOT_GIVEN)
		snprintf(text, OF_TEXT, " for segment %" PRId64, wait->of);
	return text;
}

/* One of them, or two that should be equal. */
static void report(const struct flown *f, const struct flight_wait *row, const struct flight_wait *due)
{
	struct audit *a = f->audit;
	const struct flight_wait *any = row ? row : due;
	char texts[2][OF_TEXT], where[32] = "at its end";
	struct moment of = flown_moment_of(f, NULL, 0);
	if (any->segment != AT_ITS_END)
		snprintf(where, sizeof(where), "segment %" PRIu32, any->segment);
	const char *resource = any->resource < WAITING_FOR ? resources[any->resource] : "?";
	if (row && due)
		broken(a, "v_flight_wait", &of,
			"%s: it is said to wait (%s) from %s to %s%s, expected from %s to %s%s", where,
			resource, when(a, row->from), when(a, row->to), of_text(row, texts[0]),
			when(a, due->from), when(a, due->to), of_text(due, texts[1]));
	else
		broken(a, "v_flight_wait", &of, "%s: it %s (%s) from %s to %s%s, which %s", where,
			row ? "is said to wait" : "waits", resource, when(a, any->from), when(a, any->to),
			of_text(any, texts[0]), row ? "it does not" : "no row says");
}

static void compare_due(const struct flown *f, size_t *at, const struct flight_wait *row)
{
	const struct flight_waits *w = f->self;
	while (*at < w->count && (!row || compare_place(&w->due[*at], row) < 0)) {
		if (w->due[*at].resource != FOR_WAIT || !w->unsure)
			report(f, NULL, &w->due[*at]);
		++*at;
	}
	if (!row)
		return;
	bool meets = *at < w->count && compare_place(&w->due[*at], row) == 0;
	const struct flight_wait *due = meets ? &w->due[(*at)++] : NULL;
	if (row->resource == FOR_WAIT && w->unsure)
		return;
	if (!due || due->of != row->of || due->from != row->from || due->to != row->to)
		report(f, row, due);
}

/* ---- The law ---- */

/* Which segment of the task is in front of each in its hardware queue. */
static bool go_to_task(struct flown *f)
{
	const struct recording *r = f->audit->r;
	const struct member *t = &r->task[f->task];
	struct flight_waits *w = f->self;
	size_t queues = 1;
	for (uint32_t g = 0; g < r->gpus; g++)
		queues = machine_of(r, g)->work_queues + (size_t)1 > queues
				 ? machine_of(r, g)->work_queues + (size_t)1
				 : queues;
	free(w->front);
	free(w->behind);
	w->front = calloc(t->segments + (size_t)1, sizeof(*w->front));
	w->behind = calloc(queues * r->gpus, sizeof(*w->behind));
	if (!w->front || !w->behind)
		return error_memory(f->audit->err, "auditing a run");
	w->task = f->task;
	for (uint32_t i = 0; i < t->segments; i++) {
		const struct part_of_task *s = &t->segment[i];
		w->front[i] = i;
		if (!is_operation(s))
			continue;
		uint32_t *last = &w->behind[s->gpu * queues + (s->null_stream ? queues - 1 : s->queue)];
		w->front[i] = *last ? *last - 1 : i;
		*last = i + 1;
	}
	return true;
}

static bool flies(const struct member *t)
{
	bool any = false;
	for (uint32_t i = 0; i < t->segments; i++)
		any |= t->segment[i].async;
	return any;
}

static bool compare_jobs(struct flown *f)
{
	struct flight_waits *w = f->self;
	const struct member *t = &f->audit->r->task[f->task];
	size_t at = 0;
	if (w->task != f->task && !go_to_task(f))
		return false;
	if ((f->job.seq + t->task_id + f->audit->r->run_id) % w->stride != 0 || !flies(t))
		return true;
	if (!due_of_segments(f))
		return false;
	for (; w->more && compare_job(f, w->rows.c) <= 0; w->more = rows_next(&w->rows)) {
		struct flight_wait row = said(w->rows.c);
		if (compare_job(f, w->rows.c) == 0)
			compare_due(f, &at, &row);
		f->checked++;
	}
	compare_due(f, &at, NULL);
	return w->rows.ok && !f->audit->failed;
}

#define ROWS                                                                                                 \
	"SELECT w.task_id, w.seq, w.segment_idx, w.resource, w.for_idx, w.start_ns, w.end_ns FROM %s w"      \
	" WHERE w.run_id = ?1 AND (w.seq + w.task_id + w.run_id) %% ?2 = 0"                                  \
	" ORDER BY w.task_id, w.seq, w.segment_idx IS NULL, w.segment_idx, w.start_ns"

/* Of the program's own view only the jobs that are asked about. */
static bool open_rows(struct audit *a, struct flight_waits *w)
{
	struct text sql = {0};
	bool other;
	if (!audit_view_differs(a, "v_flight_wait", &other))
		return false;
	if (other) {
		text_printf(&sql, ROWS, "v_flight_wait");
	} else {
		text_add(&sql, "WITH told AS (");
		schema_flight_waits_of_jobs(&sql);
		text_add(&sql, ") ");
		text_printf(&sql, ROWS, "told");
	}
	w->rows = (struct rows){.err = a->err};
	if (text_ok(&sql, "auditing a run", a->err))
		w->rows = query_rows(a->reader, text_data(&sql), a->r->run_id, a->err);
	rows_bind(&w->rows, 2, w->stride);
	text_finish(&sql);
	w->more = rows_next(&w->rows);
	return w->rows.ok;
}

static bool choose_stride(struct audit *a, struct flight_waits *w)
{
	int64_t jobs, intervals;
	if (!query_number(
		    a->reader, "SELECT count(*) FROM job WHERE run_id = ?1", a->r->run_id, &jobs, a->err) ||
		!query_number(a->reader, "SELECT count(*) FROM segment_interval WHERE run_id = ?1",
			a->r->run_id, &intervals, a->err))
		return false;
	w->stride = greater(1, greater(jobs / JOBS_MAX, intervals / INTERVALS_MAX));
	return true;
}

uint64_t law_flight_waits(struct audit *a, const struct moment *m)
{
	struct flight_waits w = {.task = UINT32_MAX};
	struct flown f = {.audit = a, .at = m, .each = compare_jobs, .self = &w};
	if (!choose_stride(a, &w) || !open_rows(a, &w) || !flown_go_through(&f))
		a->failed = true;
	if (!rows_close(&w.rows))
		a->failed = true;
	free(w.front);
	free(w.behind);
	free(w.due);
	return f.checked;
}
