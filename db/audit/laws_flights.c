/* db/audit/laws_flights.c - owns the laws on operations in flight (docs/model.md). The sweep
 * (db/audit/sweep.h) keeps one operation of a task at a time. So runs in which there are several have these
 * laws in place of those that follow each job in time: each job is gone through by itself, segment by
 * segment, and each stream in the order of issue. */
#include <stdlib.h>

#include "base/list.h"
#include "db/audit/flown.h"
#include "db/audit/law.h"
#include "db/audit/query.h"
#include "db/audit/sweep.h"

#define TABLE "segment_interval"

struct moment flown_moment_of(const struct flown *f, struct interval *row, uint32_t segment)
{
	struct moment of = *f->at;
	const struct stay *s = &f->stay[segment];
	of.track = &f->at->sweep->track[f->task];
	of.job = &f->job;
	if (!row)
		return of;
	*row = (struct interval){
		.task = f->task, .seq = f->job.seq, .segment = segment, .start = s->start, .end = s->end};
	of.interval = row;
	return of;
}

/* ---- One job ---- */

bool flown_passed(const struct flown *f, uint32_t segment)
{
	const struct part_of_task *s = &f->audit->r->task[f->task].segment[segment];
	return s->kind == KIND_WAIT || segment_length(f->audit->r, f->task, segment, f->job.seq,
					       s->kind == KIND_KERNEL ? &s->shape : NULL) == 0;
}

int64_t flown_launch(const struct audit *a, const struct part_of_task *s)
{
	return is_operation(s) && !s->joins ? a->r->machine.takes.launch_ns : 0;
}

static void check_length(struct flown *f, uint32_t segment)
{
	struct audit *a = f->audit;
	const struct part_of_task *s = &a->r->task[f->task].segment[segment];
	bool kernel = s->kind == KIND_KERNEL;
	int64_t length = segment_length(a->r, f->task, segment, f->job.seq, kernel ? &s->shape : NULL);
	if (kernel && s->block)
		length = longest_block(a->r, f->task, segment, f->job.seq, s->shape.blocks, length);
	int64_t ran = f->stay[segment].ran_ns;
	struct interval row;
	struct moment of = flown_moment_of(f, &row, segment);
	if (kernel ? ran < length : ran != length)
		broken(a, TABLE, &of, "the segment ran for %s, expected %s%s", when(a, ran),
			kernel ? "at least " : "", when(a, length));
}

/* `reached`: when the job came to it. */
static void check_start(struct flown *f, uint32_t segment, int64_t reached)
{
	struct audit *a = f->audit;
	const struct part_of_task *s = a->r->task[f->task].segment, *mine = &s[segment];
	const struct stay *stay = &f->stay[segment];
	int64_t launch = flown_launch(a, mine);
	int64_t from = launch > 0 ? stay->launch_end : reached;
	from += is_operation(mine) ? a->r->machine.takes.latency_ns : 0;
	struct interval row;
	struct moment of = flown_moment_of(f, &row, segment);
	if (mine->joins && stay->launched)
		broken(a, TABLE, &of, "it was launched, but the graph of which it is a node had been");
	else if (stay->ready != reached)
		broken(a, TABLE, &of, "it is said to be ready at %s, but its job came to it at %s",
			when(a, stay->ready), when(a, reached));
	else if (launch > 0 && (!stay->launched || stay->launch_ns != launch || stay->launch_start < reached))
		broken(a, TABLE, &of, "it was not launched for %s behind %s", when(a, launch),
			when(a, reached));
	else if (stay->start < from)
		broken(a, TABLE, &of, "it starts before %s, when it is issued and eligible", when(a, from));
	for (uint32_t i = 0; mine->kind != KIND_WAIT && mine->awaits && i < segment; i++)
		if (mine->awaits[i] && s[i].async && f->stay[i].ran && stay->start < f->stay[i].end)
			broken(a, TABLE, &of,
				"it starts before segment %u, after which it comes, has ended at %s", i,
				when(a, f->stay[i].end));
}

/* When the job goes on that waits from `reached` on: for those, or at its end for all. */
static int64_t awaited(
	const struct flown *f, const struct part_of_task *wait, uint32_t segment, int64_t reached)
{
	const struct part_of_task *s = f->audit->r->task[f->task].segment;
	int64_t over = reached, sync = f->audit->r->machine.takes.sync_ns;
	for (uint32_t i = 0; i < segment; i++)
		if (s[i].async && f->stay[i].ran && (!wait || wait->awaits[i]) &&
			f->stay[i].end + sync > over)
			over = f->stay[i].end + sync;
	return over;
}

bool flown_stops_behind(const struct flown *f, uint32_t segment)
{
	const struct member *t = &f->audit->r->task[f->task];
	uint32_t next = segment + 1, gpu = t->segment[segment].gpu;
	while (next < t->segments && is_operation(&t->segment[next]) && t->segment[next].gpu == gpu &&
		flown_passed(f, next))
		next++;
	return next == t->segments || !is_operation(&t->segment[next]) || t->segment[next].gpu != gpu;
}

/* Goes through the segments. Returns when the job ended by them; NOT_GIVEN: a segment is missing. */
static int64_t check_segments(struct flown *f)
{
	struct audit *a = f->audit;
	const struct member *t = &a->r->task[f->task];
	bool finished = f->job.state == STATE_FINISHED;
	int64_t reached = f->began;
	struct moment of = flown_moment_of(f, NULL, 0);
	for (uint32_t i = 0; i < t->segments; i++) {
		const struct part_of_task *s = &t->segment[i];
		const struct stay *stay = &f->stay[i];
		if (s->kind == KIND_WAIT)
			reached = awaited(f, s, i, reached);
		if (!stay->ran && flown_passed(f, i))
			continue;
		if (!stay->ran) {
			if (finished)
				broken(a, "job", &of, "it finished at %s, but its segment %u never ran",
					when(a, f->job.finish), i);
			return NOT_GIVEN;
		}
		f->checked++;
		check_start(f, i, reached);
		if (finished)
			check_length(f, i);
		reached = !s->async ? stay->end : flown_launch(a, s) > 0 ? stay->launch_end : reached;
		if (is_operation(s) && !s->async && flown_stops_behind(f, i))
			reached += a->r->machine.takes.sync_ns;
	}
	return awaited(f, NULL, t->segments, reached);
}

/* The end of what ran. */
static int64_t last_end(const struct flown *f, int64_t from)
{
	for (uint32_t i = 0; i < f->audit->r->task[f->task].segments; i++)
		from = f->stay[i].ran && f->stay[i].end > from ? f->stay[i].end : from;
	return from;
}

static int64_t behind(const struct flown *f, uint32_t segment)
{
	const struct part_of_task *s = f->audit->r->task[f->task].segment;
	int64_t end = 0;
	for (uint32_t i = 0; s[segment].awaits && i < segment; i++)
		if (s[segment].awaits[i] && s[i].async && f->stay[i].ran && f->stay[i].end > end)
			end = f->stay[i].end;
	return end;
}

static bool issue(struct flown *f, uint32_t segment)
{
	const struct recording *r = f->audit->r;
	const struct stay *s = &f->stay[segment];
	if (!s->ran || !is_operation(&r->task[f->task].segment[segment]))
		return true;
	if (!list_reserve((void **)&f->issued, &f->issued_capacity, f->issued_count + 1, sizeof(*f->issued)))
		return error_memory(f->audit->err, "auditing a run");
	f->issued[f->issued_count++] = (struct issued){
		.issue = flown_launch(f->audit, &r->task[f->task].segment[segment]) > 0 ? s->launch_end
											: s->ready,
		.start = s->start,
		.end = s->end,
		.behind = behind(f, segment),
		.unit = s->unit,
		.seq = f->job.seq,
		.task = f->task,
		.segment = segment,
	};
	return true;
}

static bool issue_job(struct flown *f)
{
	bool ok = true;
	for (uint32_t i = 0; ok && i < f->audit->r->task[f->task].segments; i++)
		ok = issue(f, i);
	return ok;
}

static bool check_job(struct flown *f)
{
	struct audit *a = f->audit;
	struct moment of = flown_moment_of(f, NULL, 0);
	int64_t end = check_segments(f);
	bool begun = f->job.first_start != NOT_GIVEN;
	if (f->job.state == STATE_FINISHED && end != NOT_GIVEN && end != f->job.finish)
		broken(a, "job", &of, "it ended at %s, but its last operation, or wait, at %s",
			when(a, f->job.finish), when(a, end));
	else if (f->job.state == STATE_ABORTED && begun && f->job.finish != last_end(f, f->job.deadline))
		broken(a, "job", &of, "it ended at %s, but what ran of it at %s", when(a, f->job.finish),
			when(a, last_end(f, f->job.deadline)));
	return true;
}

/* ---- Rows ---- */

static void take_interval(struct flown *f, const struct db_cursor *q)
{
	int64_t segment = column_bounded(q, 2), code = column(q, 3), ready = column_bounded(q, 4),
		start = column_bounded(q, 5), end = column_bounded(q, 6);
	if (segment < 0 || segment >= f->audit->r->task[f->task].segments || code >> 6 != 0)
		return; /* a switch or an interrupt, or no segment at all, which other laws see */
	struct stay *s = &f->stay[segment];
	int64_t occupancy = code >> 2 & 3;
	if (occupancy == OCCUPY_LAUNCH) {
		s->launch_start = s->launched ? s->launch_start : start;
		s->launched = true;
		s->issued |= (code >> 4 & 3) == ENDED_DONE;
		s->launch_end = end;
		s->launch_ns += end - start;
	} else if (occupancy == OCCUPY_RUN) {
		s->ready = ready;
		s->start = s->ran ? s->start : start;
		s->ran = s->issued = true;
		s->ended |= (code >> 4 & 3) == ENDED_DONE;
		s->unit = column(q, 7);
		s->end = end;
		s->ran_ns += end - start;
	}
}

/* Whether the interval is about the current job: 0; < 0: about one before it. */
static int compare_job(const struct flown *f, int64_t task_id)
{
	int64_t of = column(f->intervals.c, 0), seq = column_bounded(f->intervals.c, 1);
	if (of != task_id)
		return of < task_id ? -1 : 1;
	return (seq > f->job.seq) - (seq < f->job.seq);
}

static bool take_job(struct flown *f, const struct db_cursor *q, int64_t *before)
{
	int64_t task_id = column(q, 0), outcome = column(q, 5);
	f->task = recording_task(f->audit->r, task_id);
	if (f->task == UINT32_MAX)
		return true;
	if (task_id != *before)
		f->free_at = 0;
	*before = task_id;
	f->job = (struct job){
		.seq = column_bounded(q, 1),
		.release = column_bounded(q, 2),
		.deadline = column_bounded(q, 3),
		.finish = column(q, 4) == NOT_GIVEN ? NOT_GIVEN : column_bounded(q, 4),
		.state = (enum job_state)(outcome & 3),
		.first_start = column(q, 6),
	};
	f->began = f->job.release > f->free_at ? f->job.release : f->free_at;
	for (uint32_t i = 0; i < f->audit->r->task[f->task].segments; i++)
		f->stay[i] = (struct stay){0};
	for (; f->more && compare_job(f, task_id) <= 0; f->more = rows_next(&f->intervals))
		if (compare_job(f, task_id) == 0)
			take_interval(f, f->intervals.c);
	if (!f->intervals.ok)
		return false;
	bool ok = f->each(f);
	if (f->job.finish != NOT_GIVEN && f->job.finish > f->free_at)
		f->free_at = f->job.finish;
	return ok;
}

bool flown_go_through(struct flown *f)
{
	const struct recording *r = f->audit->r;
	uint32_t most = 1;
	int64_t before = NOT_GIVEN;
	for (uint32_t i = 0; i < r->tasks; i++)
		most = r->task[i].segments > most ? r->task[i].segments : most;
	f->stay = calloc(most, sizeof(*f->stay));
	if (!f->stay)
		return error_memory(f->audit->err, "auditing a run");
	f->jobs = query_rows(f->audit->reader,
		"SELECT task_id, seq, release_ns, abs_deadline_ns, finish_ns, outcome, first_start_ns"
		" FROM job WHERE run_id = ?1 ORDER BY task_id, seq",
		r->run_id, f->audit->err);
	f->intervals = query_rows(f->audit->reader,
		"SELECT task_id, seq, segment_idx, code, ready_ns, start_ns, end_ns, unit"
		" FROM segment_interval"
		" WHERE run_id = ?1 ORDER BY task_id, seq, segment_idx, start_ns",
		r->run_id, f->audit->err);
	f->more = f->jobs.ok && rows_next(&f->intervals);
	while (f->intervals.ok && rows_next(&f->jobs))
		f->jobs.ok = take_job(f, f->jobs.c, &before);
	bool ok = rows_close(&f->jobs);
	free(f->stay);
	return rows_close(&f->intervals) && ok;
}

uint64_t law_flights(struct audit *a, const struct moment *m)
{
	struct flown f = {.audit = a, .at = m, .each = check_job};
	if (!flown_go_through(&f))
		a->failed = true;
	return f.checked;
}

/* ---- Streams ---- */

/* In the order of issue. A task issues at an instant in the order of its segments. */
static int by_issue(const void *a, const void *b)
{
	const struct issued *x = a, *y = b;
	if (x->issue != y->issue)
		return x->issue < y->issue ? -1 : 1;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	return (x->segment > y->segment) - (x->segment < y->segment);
}

/* Of what was issued so far to a GPU: the last end in each hardware queue, and of all streams but the NULL
 * stream. The last entry is the NULL stream's. */
struct ends {
	int64_t *queue; /* [work_queues + 1] */
	int64_t others;
};

/* False: out of memory. Finish them either way. */
static bool ends_init(struct ends ends[AUDIT_GPUS_MOST], const struct recording *r)
{
	bool ok = true;
	for (uint32_t g = 0; g < r->gpus; g++) {
		ends[g].queue = calloc((size_t)machine_of(r, g)->work_queues + 1, sizeof(*ends[g].queue));
		ok &= ends[g].queue != NULL;
	}
	return ok;
}

static void ends_finish(struct ends ends[AUDIT_GPUS_MOST])
{
	for (uint32_t g = 0; g < AUDIT_GPUS_MOST; g++)
		free(ends[g].queue);
}

/* The instants from which its queue, and the rule of the NULL stream, let it go on; then it is in them. */
static void pass_streams(
	const struct recording *r, struct issued *i, struct ends *all, int64_t *queue_ns, int64_t *across_ns)
{
	const struct part_of_task *s = &r->task[i->task].segment[i->segment];
	struct ends *ends = &all[s->gpu];
	uint32_t null = machine_of(r, s->gpu)->work_queues;
	int64_t *mine = &ends->queue[s->null_stream ? null : s->queue];
	*queue_ns = *mine > 0 ? *mine + r->machine.takes.gap_ns : 0;
	*across_ns = s->null_stream ? ends->others : ends->queue[null];
	i->eligible = i->issue + r->machine.takes.latency_ns;
	i->eligible = *queue_ns > i->eligible ? *queue_ns : i->eligible;
	i->eligible = *across_ns > i->eligible ? *across_ns : i->eligible;
	i->eligible = i->behind > i->eligible ? i->behind : i->eligible;
	*mine = i->end > *mine ? i->end : *mine;
	if (!s->null_stream)
		ends->others = i->end > ends->others ? i->end : ends->others;
}

struct moment flown_moment(const struct moment *m, const struct issued *i, struct interval *row)
{
	struct moment of = *m;
	*row = (struct interval){
		.task = i->task, .seq = i->seq, .segment = i->segment, .start = i->start, .end = i->end};
	of.track = &m->sweep->track[i->task];
	of.interval = row;
	return of;
}

static void check_stream(struct audit *a, const struct moment *m, struct issued *i, struct ends *ends)
{
	const struct part_of_task *s = &a->r->task[i->task].segment[i->segment];
	int64_t queue, across, gap = a->r->machine.takes.gap_ns;
	struct interval row;
	struct moment of = flown_moment(m, i, &row);
	pass_streams(a->r, i, ends, &queue, &across);
	if (i->start < queue)
		broken(a, TABLE, &of,
			"it starts before what was issued earlier to its hardware queue has ended, at %s%s",
			when(a, queue - gap), gap > 0 ? ", and the gap behind that" : "");
	else if (i->start < across)
		broken(a, TABLE, &of, "it starts before what was issued earlier to %s has ended, at %s",
			s->null_stream ? "the other streams" : "the NULL stream", when(a, across));
}

/* What was issued, in that order; `judge`: against the streams' rules. */
static bool go_along(struct audit *a, const struct moment *m, bool judge, struct issued **list, size_t *count)
{
	struct flown f = {.audit = a, .at = m, .each = issue_job};
	struct ends ends[AUDIT_GPUS_MOST] = {{0}};
	int64_t queue, across;
	bool ok = flown_go_through(&f);
	if (!ends_init(ends, a->r))
		ok = error_memory(a->err, "auditing a run");
	if (ok && f.issued_count > 0)
		qsort(f.issued, f.issued_count, sizeof(*f.issued), by_issue);
	for (size_t i = 0; ok && i < f.issued_count; i++) {
		if (judge)
			check_stream(a, m, &f.issued[i], ends);
		else
			pass_streams(a->r, &f.issued[i], ends, &queue, &across);
	}
	ends_finish(ends);
	*list = f.issued;
	*count = f.issued_count;
	return ok;
}

bool flown_issued(struct audit *a, const struct moment *m, struct issued **list, size_t *count)
{
	return go_along(a, m, false, list, count);
}

uint64_t law_flight_order(struct audit *a, const struct moment *m)
{
	struct issued *list;
	size_t count;
	a->failed |= !go_along(a, m, true, &list, &count);
	free(list);
	return count;
}
