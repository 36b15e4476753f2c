/* report/trace/jobs.c - the tracks of intervals that may overlap: the jobs of each task from release to end,
 * with their releases, deadlines and misses; and the queues of the resources.
 *
 * Slices on one track must nest. So each interval gets the lowest lane that is free when it begins. The lanes
 * of one thing are tracks with the same name, which the UI draws as one. */
#include <stdio.h>
#include <stdlib.h>

#include "base/heap.h"
#include "report/trace/private.h"

/* ---- lanes of intervals that come in the order of their beginnings ---- */

struct trace_spread {
	struct trace_lanes lanes;
	struct heap busy; /* key: the end; value: the lane */
	struct heap free; /* key: the lane */
	struct trace_track like;
};

static void spread_finish(struct trace_spread *s)
{
	trace_lanes_finish(&s->lanes);
	heap_finish(&s->busy);
	heap_finish(&s->free);
}

static bool spread_put(struct trace_export *t, struct trace_spread *s, struct trace_slice *slice,
	const char *what, struct error *err)
{
	while (s->busy.count && s->busy.entries[0].key <= slice->start)
		if (!heap_push(&s->free, (int64_t)heap_pop(&s->busy).value, 0, err))
			return false;
	size_t index = s->free.count ? (size_t)heap_pop(&s->free).key : s->lanes.count;
	struct trace_lane *lane = trace_lane(t, &s->lanes, index, &s->like, err);
	return lane && heap_push(&s->busy, slice->end, index, err) && trace_put(t, lane, slice, what, err);
}

/* ---- jobs ---- */

struct job_places {
	struct trace_spread *jobs; /* [task_count], in the order of t->tasks */
	uint64_t *marks;           /* [task_count] tracks of marks */
};

static bool make_job_places(struct trace_export *t, struct job_places *p, struct error *err)
{
	uint64_t group = trace_track(t,
		&(struct trace_track){
			.parent = t->root, .name = "Jobs", .rank = t->next_rank++, .parent_of_ranked = true});
	p->jobs = calloc(t->task_count, sizeof(*p->jobs));
	p->marks = calloc(t->task_count, sizeof(*p->marks));
	struct text name = {0};
	bool ok = p->jobs && p->marks;
	for (size_t i = 0; ok && i < t->task_count; i++) {
		const struct trace_task *task = &t->tasks[i];
		p->jobs[i].like =
			(struct trace_track){.parent = group, .name = task->name, .rank = 2 * task->index};
		text_clear(&name);
		text_printf(&name, "%s: releases, deadlines", task->name);
		p->marks[i] = trace_track(
			t, &(struct trace_track){
				   .parent = group, .name = text_data(&name), .rank = 2 * task->index + 1});
		ok = !name.failed;
	}
	text_finish(&name);
	return ok || error_memory(err, "the tracks of a trace");
}

static bool put_job(
	struct trace_export *t, struct job_places *p, const struct db_cursor *c, struct error *err)
{
	struct trace_slice s = {
		.task = trace_find_task(t, cursor_integer(c, 0), err),
		.seq = cursor_integer(c, 1),
		.start = cursor_integer(c, 2),
		.end = cursor_integer(c, 3),
		.category = CATEGORY_JOB,
	};
	if (!s.task)
		return false;
	trace_annotate(&s, ANNOTATION_JOB, s.seq);
	if (cursor_kind(c, 4) != VALUE_NULL)
		trace_annotate(&s, ANNOTATION_DEADLINE, cursor_integer(c, 4));
	trace_annotate_text(&s, ANNOTATION_STATE, cursor_text(c, 5));
	return spread_put(t, &p->jobs[s.task - t->tasks], &s, "job", err) && trace_flush(t, err);
}

/* A job that has not ended is drawn up to S. */
static bool put_jobs(struct trace_export *t, struct job_places *p, struct error *err)
{
	struct db_cursor *c = trace_query(t,
		"SELECT task_id, seq, release_ns, end_ns, abs_deadline_ns, state FROM (SELECT *,"
		" max(release_ns, coalesce(finish_ns, (SELECT stop_ns FROM run WHERE run_id = ?1))) AS end_ns"
		" FROM job WHERE run_id = ?1) WHERE" TRACE_TOUCHES(
			"release_ns", "end_ns") " ORDER BY release_ns, task_id, seq",
		err);
	bool row = true, ok = c != NULL;
	while (ok && row)
		ok = cursor_next(c, &row, err) && (!row || put_job(t, p, c, err));
	cursor_close(c);
	return ok;
}

/* What marks are of jobs; and where a chain's output was that became oldest, or reacted last: at the end of a
 * job of its last task, with let at its deadline. */
#define MARKS_OF_JOBS                                                                                        \
	"SELECT release_ns AS at_ns, 2 AS what, task_id, seq FROM job WHERE run_id = ?1"                     \
	" UNION ALL SELECT abs_deadline_ns, 0, task_id, seq FROM job WHERE run_id = ?1"                      \
	" UNION ALL SELECT abs_deadline_ns, 1, task_id, seq FROM job WHERE run_id = ?1 AND missed"
#define MARKS_OF_CHAINS                                                                                      \
	" UNION ALL SELECT CASE x.communication WHEN 'let' THEN max(j.finish_ns, j.abs_deadline_ns) ELSE"    \
	" j.finish_ns END, w.what, j.task_id, j.seq FROM chain_run c JOIN run r USING (run_id)"              \
	" JOIN chain x ON x.taskset_id = r.taskset_id AND x.chain_idx = c.chain_idx"                         \
	" JOIN chain_task k ON k.taskset_id = r.taskset_id AND k.chain_idx = c.chain_idx AND k.stage ="      \
	" (SELECT max(stage) FROM chain_task m WHERE m.taskset_id = r.taskset_id AND m.chain_idx ="          \
	" c.chain_idx) JOIN task t ON t.taskset_id = r.taskset_id AND t.task_idx = k.member_idx"             \
	" JOIN (SELECT 3 AS what UNION ALL SELECT 4) w JOIN job j ON j.run_id = ?1 AND j.task_id ="          \
	" t.task_id AND j.seq = CASE w.what WHEN 3 THEN c.age_last_seq ELSE c.reaction_last_seq END"         \
	" WHERE c.run_id = ?1"
#define IN_WINDOW ") WHERE at_ns >= ?2 AND at_ns < ?3 ORDER BY at_ns, what, task_id, seq"

static bool put_marks(struct trace_export *t, struct job_places *p, struct error *err)
{
	static const enum trace_event_name names[] = {
		NAME_DEADLINE, NAME_MISS, NAME_RELEASE, NAME_AGE, NAME_REACTION};
	static const char of_jobs[] = "SELECT at_ns, what, task_id, seq FROM (" MARKS_OF_JOBS IN_WINDOW,
			  of_all[] = "SELECT at_ns, what, task_id, seq FROM (" MARKS_OF_JOBS MARKS_OF_CHAINS
				  IN_WINDOW;
	bool chains;
	if (!reader_has(t->reader, "chain_run", NULL, &chains, err))
		return false;
	struct db_cursor *c = trace_query(t, chains ? of_all : of_jobs, err);
	bool row = true, ok = c != NULL;
	while (ok && row) {
		ok = cursor_next(c, &row, err);
		if (!ok || !row)
			break;
		struct trace_task *task = trace_find_task(t, cursor_integer(c, 2), err);
		ok = task != NULL;
		if (ok)
			trace_instant(t, p->marks[task - t->tasks], cursor_integer(c, 0),
				names[cursor_integer(c, 1)], task, cursor_integer(c, 3));
		ok = ok && trace_flush(t, err);
	}
	cursor_close(c);
	return ok;
}

bool trace_jobs(struct trace_export *t, struct error *err)
{
	struct job_places p = {0};
	bool ok = make_job_places(t, &p, err) && put_jobs(t, &p, err) && put_marks(t, &p, err);
	for (size_t i = 0; p.jobs && i < t->task_count; i++)
		spread_finish(&p.jobs[i]);
	free(p.jobs);
	free(p.marks);
	return ok;
}

/* ---- queues ---- */

#define QUEUES (1 + 2 * GPUS_MOST) /* of the CPU; of each GPU its copy engines and its SMs */

struct trace_queue {
	struct trace_spread waiting;
	struct heap leaving; /* key: when it leaves */
	struct trace_counter length;
	char waiting_name[TRACE_NAME_MAX];
};

static size_t queues_of(const struct trace_export *t)
{
	return 1 + 2 * t->gpus;
}

/* Names its tracks: of what waits, and `name` for how many wait. */
static void name_queue(
	const struct trace_export *t, struct trace_queue *q, size_t i, char name[TRACE_NAME_MAX])
{
	size_t gpu = i ? (i - 1) / 2 : 0;
	char *waiting = q->waiting_name;
	if (i == 0) {
		snprintf(waiting, TRACE_NAME_MAX, "waiting for the CPU");
		snprintf(name, TRACE_NAME_MAX, "CPU queue");
		return;
	}
	bool copies = i % 2 == 1;
	trace_gpu_name(t, gpu, copies ? "copy queue" : "GPU queue", copies ? "copy queue" : "queue", name);
	if (t->gpus == 1)
		snprintf(waiting, TRACE_NAME_MAX, "waiting for %s", copies ? "a copy engine" : "the GPU");
	else
		snprintf(waiting, TRACE_NAME_MAX, "waiting for %sGPU %zu", copies ? "a copy engine of " : "",
			gpu);
}

static void make_queues(struct trace_export *t, struct trace_queue *queues)
{
	uint64_t group = trace_track(t, &(struct trace_track){
						.parent = t->root,
						.name = "Queues",
						.rank = t->next_rank++,
						.parent_of_ranked = true,
					});
	for (size_t i = 0; i < queues_of(t); i++) {
		char name[TRACE_NAME_MAX];
		name_queue(t, &queues[i], i, name);
		queues[i].waiting.like = (struct trace_track){
			.parent = group, .name = queues[i].waiting_name, .rank = 2 * i + 1};
		trace_counter_begin(&queues[i].length, trace_track(t, &(struct trace_track){
									      .parent = group,
									      .name = name,
									      .rank = 2 * i,
									      .counter = true,
									      .unit = "segments",
								      }));
	}
}

static void leave_until(struct trace_export *t, struct trace_queue *q, int64_t now)
{
	while (q->leaving.count && q->leaving.entries[0].key <= now)
		trace_counter_add(t, &q->length, heap_pop(&q->leaving).key, -1);
}

static bool put_waiting(
	struct trace_export *t, struct trace_queue *queues, const struct db_cursor *c, struct error *err)
{
	struct trace_slice s = {
		.task = trace_find_task(t, cursor_integer(c, 0), err),
		.seq = cursor_integer(c, 1),
		.start = cursor_integer(c, 4),
		.end = cursor_integer(c, 5),
		.category = CATEGORY_WAIT,
	};
	int64_t resource = cursor_integer(c, 3);
	if (!s.task)
		return false;
	size_t gpu = resource > 0 ? trace_gpu_of(t, cursor_integer(c, 6), err) : 0;
	if (gpu == GPUS_MOST)
		return false;
	struct trace_queue *q = &queues[resource == 0 ? 0 : 2 * gpu + (resource == 1 ? 1 : 2)];
	trace_annotate(&s, ANNOTATION_JOB, s.seq);
	trace_annotate(&s, ANNOTATION_SEGMENT, cursor_integer(c, 2));
	leave_until(t, q, s.start);
	trace_counter_add(t, &q->length, s.start, 1);
	return heap_push(&q->leaving, s.end, 0, err) && spread_put(t, &q->waiting, &s, "a queue", err) &&
	       trace_flush(t, err);
}

/* A segment waits from when it is ready until its first interval begins. */
bool trace_queues(struct trace_export *t, struct error *err)
{
	struct trace_queue queues[QUEUES] = {0};
	make_queues(t, queues);
	struct db_cursor *c = trace_query(t,
		"SELECT task_id, seq, segment_idx, code & 3, ready_ns, start_ns, gpu FROM segment_interval"
		" WHERE run_id = ?1 AND (code >> 2) & 3 = 0 AND part = 0 AND start_ns > ready_ns"
		" AND" TRACE_TOUCHES("ready_ns", "start_ns") " ORDER BY ready_ns, start_ns, task_id",
		err);
	bool row = true, ok = c != NULL;
	while (ok && row)
		ok = cursor_next(c, &row, err) && (!row || put_waiting(t, queues, c, err));
	cursor_close(c);
	for (size_t i = 0; i < queues_of(t); i++) {
		leave_until(t, &queues[i], INT64_MAX);
		trace_counter_end(t, &queues[i].length);
		spread_finish(&queues[i].waiting);
		heap_finish(&queues[i].leaving);
	}
	return ok;
}
