/* report/trace/segments.c - the tracks of the CPU, the copy engines and the kernels of each GPU, and the
 * flows that connect the segments of a job.
 *
 * Rows of segment_interval are in the order of their ends, and whatever has a track (a core, an engine, the
 * kernels of a task) does one thing at a time. So the slices of a track are in order without sorting. A task
 * with operations in flight gets another track of the same name where they overlap. A flow
 * goes to the next interval of the same job; a first pass finds which intervals have one, and stores one bit
 * for each row. */
#include <stdio.h>
#include <stdlib.h>

#include "base/list.h"
#include "report/trace/private.h"

enum {
	COLUMN_TASK,
	COLUMN_SEQ,
	COLUMN_CODE,
	COLUMN_SEGMENT,
	COLUMN_PART,
	COLUMN_UNIT,
	COLUMN_START,
	COLUMN_END,
	COLUMN_GRANTED,
	COLUMN_GPU,
	COLUMN_NAME
};

static const char rows_sql[] =
	"SELECT task_id, seq, code, segment_idx, part, unit, start_ns, end_ns, granted, gpu, (SELECT "
	"s.name FROM v_segment s"
	" WHERE s.task_id = i.task_id AND s.segment_idx = i.segment_idx) FROM segment_interval i "
	"WHERE run_id = ?1 AND" TRACE_TOUCHES("start_ns", "end_ns") " ORDER BY rowid";

#define RESOURCE(code) ((code)&3)
/* enum row_kind */
#define KIND(code) (((code)&204) == 136 ? 7 : ((code) >> 2 & 3) + (((code) >> 2 & 3) == 3 ? (code) >> 6 : 0))
#define ENDED(code) (((code)&76) == 64 ? 4 : (code) >> 4 & 3) /* enum row_ended */

enum { RESOURCE_CPU, RESOURCE_COPY, RESOURCE_GPU };

/* ---- which rows have a next one ---- */

struct row_bits {
	uint64_t *words;
	size_t rows;
	int64_t cores, engines[GPUS_MOST]; /* those that occur */
};

static bool add_row(struct row_bits *b, struct error *err)
{
	if (b->rows % 64 == 0) {
		uint64_t *words =
			list_room(b->words, b->rows / 64, sizeof(*words), "the flows of a trace", err);
		if (!words)
			return false;
		words[b->rows / 64] = 0;
		b->words = words;
	}
	b->rows++;
	return true;
}

static bool note_unit(
	struct trace_export *t, const struct db_cursor *c, struct row_bits *b, struct error *err)
{
	int64_t resource = RESOURCE(cursor_integer(c, COLUMN_CODE)), unit = cursor_integer(c, COLUMN_UNIT);
	size_t gpu = trace_gpu_of(t, cursor_integer(c, COLUMN_GPU), err);
	if (gpu == GPUS_MOST)
		return false;
	int64_t *count = resource == RESOURCE_CPU ? &b->cores : &b->engines[gpu];
	if (unit < 0 || unit >= TRACE_UNITS_MAX)
		return error_set(err, STATUS_INPUT,
			"%s: run %lld has an interval on core or copy engine %lld", t->recording,
			(long long)t->run, (long long)unit);
	if (resource < RESOURCE_GPU && unit >= *count)
		*count = unit + 1;
	return true;
}

static bool chain_row(
	struct trace_export *t, const struct db_cursor *c, struct row_bits *b, struct error *err)
{
	struct trace_task *task = trace_find_task(t, cursor_integer(c, COLUMN_TASK), err);
	int64_t seq = cursor_integer(c, COLUMN_SEQ);
	if (!task || !note_unit(t, c, b, err) || !add_row(b, err))
		return false;
	if (KIND(cursor_integer(c, COLUMN_CODE)) != 0)
		return true; /* a waiting interval does not continue the job */
	if (task->chain_seq == seq)
		b->words[task->chain_row / 64] |= (uint64_t)1 << task->chain_row % 64;
	task->chain_seq = seq;
	task->chain_row = b->rows - 1;
	return true;
}

static bool chain_rows(struct trace_export *t, struct db_cursor *c, struct row_bits *b, struct error *err)
{
	bool row = true, ok = true;
	while (ok && row)
		ok = cursor_next(c, &row, err) && (!row || chain_row(t, c, b, err));
	for (size_t i = 0; i < t->task_count; i++)
		t->tasks[i].chain_seq = -1;
	return ok;
}

/* ---- tracks ---- */

/* The tracks of all cores of the platform or engines of a GPU, if one of them is used. With unlimited engines
 * (`engines` 0): one track for each task, all with one name, which the UI draws as one. */
struct segment_places {
	struct trace_lanes cores;
	struct {
		struct trace_lanes engines;
		uint64_t copies_rank;
		char copies_name[TRACE_NAME_MAX];
		uint64_t kernels; /* the group of the kernels' tracks */
	} gpu[GPUS_MOST];
};

static bool make_units(struct trace_export *t, struct trace_lanes *lanes, int64_t count, const char *one,
	const char *many, struct error *err)
{
	for (int64_t i = 0; i < count; i++) {
		char name[2 * TRACE_NAME_MAX];
		if (one && count == 1)
			snprintf(name, sizeof(name), "%s", one);
		else
			snprintf(name, sizeof(name), "%s %lld", many, (long long)i);
		if (!trace_lane(t, lanes, (size_t)i,
			    &(struct trace_track){.parent = t->root, .name = name, .rank = t->next_rank++},
			    err))
			return false;
	}
	return true;
}

static struct trace_track copies_of(const struct trace_export *t, const struct segment_places *p, size_t gpu)
{
	return (struct trace_track){
		.parent = t->root, .name = p->gpu[gpu].copies_name, .rank = p->gpu[gpu].copies_rank};
}

static bool make_engines(
	struct trace_export *t, struct segment_places *p, size_t gpu, int64_t used, struct error *err)
{
	char name[TRACE_NAME_MAX];
	int64_t engines = t->gpu[gpu].engines;
	if (engines > 0)
		return make_units(t, &p->gpu[gpu].engines, used && engines > used ? engines : used, NULL,
			trace_gpu_name(t, gpu, "copy engine", "copy engine", name), err);
	if (used == 0)
		return true;
	p->gpu[gpu].copies_rank = t->next_rank++;
	trace_gpu_name(t, gpu, "copies", "copies", p->gpu[gpu].copies_name);
	const struct trace_track like = copies_of(t, p, gpu);
	for (size_t i = 0; i < t->task_count; i++)
		if (!trace_lane(t, &p->gpu[gpu].engines, i, &like, err))
			return false;
	return true;
}

static struct trace_track kernels_of(
	const struct segment_places *p, const struct trace_task *task, size_t gpu)
{
	return (struct trace_track){.parent = p->gpu[gpu].kernels, .name = task->name, .rank = task->index};
}

/* The only GPU has a track for each task; of several, each has those of the tasks that use it. */
static bool make_kernels(struct trace_export *t, struct segment_places *p, size_t gpu, struct error *err)
{
	char name[TRACE_NAME_MAX];
	p->gpu[gpu].kernels =
		trace_track(t, &(struct trace_track){
				       .parent = t->root,
				       .name = trace_gpu_name(t, gpu, "GPU kernels", "kernels", name),
				       .rank = t->next_rank++,
				       .parent_of_ranked = true,
			       });
	for (size_t i = 0; t->gpus == 1 && i < t->task_count; i++) {
		const struct trace_track like = kernels_of(p, &t->tasks[i], gpu);
		if (!trace_lane(t, &t->tasks[i].kernels[gpu], 0, &like, err))
			return false;
	}
	return true;
}

static bool make_places(
	struct trace_export *t, const struct row_bits *used, struct segment_places *p, struct error *err)
{
	int64_t cores = used->cores && t->cores > used->cores ? t->cores : used->cores;
	if (!make_units(t, &p->cores, cores, "CPU", "CPU core", err))
		return false;
	bool ok = true;
	for (size_t g = 0; ok && g < t->gpus; g++)
		ok = make_engines(t, p, g, used->engines[g], err) && make_kernels(t, p, g, err);
	return ok;
}

/* ---- rows ---- */

/* The lane, or else the first from `more` on, that is free at the start of the slice; a new one like them, if
 * none is. NULL: *err. */
static struct trace_lane *free_lane(struct trace_export *t, struct trace_lanes *lanes, size_t lane,
	size_t more, const struct trace_track *like, int64_t start, struct error *err)
{
	while (lane < lanes->count && lanes->lanes[lane].busy_until > start)
		lane = lane < more ? more : lane + 1;
	return trace_lane(t, lanes, lane, like, err);
}

/* NULL: *err. */
static struct trace_lane *lane_of(struct trace_export *t, struct segment_places *p,
	const struct trace_slice *s, const struct db_cursor *c, struct error *err)
{
	int64_t resource = RESOURCE(cursor_integer(c, COLUMN_CODE)), unit = cursor_integer(c, COLUMN_UNIT);
	if (resource == RESOURCE_CPU)
		return &p->cores.lanes[unit];
	size_t gpu = (size_t)cursor_integer(c, COLUMN_GPU); /* note_unit() has seen it */
	struct trace_lanes *engines = &p->gpu[gpu].engines;
	const struct trace_track copies = copies_of(t, p, gpu);
	const struct trace_track kernels = kernels_of(p, s->task, gpu);
	if (resource == RESOURCE_GPU)
		return free_lane(t, &s->task->kernels[gpu], 0, 1, &kernels, s->start, err);
	if (t->gpu[gpu].engines > 0)
		return &engines->lanes[unit];
	return free_lane(t, engines, (size_t)(s->task - t->tasks), t->task_count, &copies, s->start, err);
}

static void describe(struct trace_slice *s, const struct db_cursor *c, int64_t code)
{
	static const enum trace_category on_cpu[] = {CATEGORY_CPU, CATEGORY_SPIN, CATEGORY_BOOST,
		CATEGORY_LAUNCH, CATEGORY_SWITCH, CATEGORY_RELEASE, CATEGORY_CALL, CATEGORY_DECISION};
	static const enum trace_name_kind names[] = {
		NAME_PLAIN, NAME_SPIN, NAME_BOOST, NAME_LAUNCH, NAME_SWITCH, NAME_INTERRUPT, NAME_CALL};
	s->category = RESOURCE(code) == RESOURCE_CPU    ? on_cpu[KIND(code)]
		      : RESOURCE(code) == RESOURCE_COPY ? CATEGORY_COPY
							: CATEGORY_KERNEL;
	s->kind = names[KIND(code)];
	trace_annotate(s, ANNOTATION_JOB, s->seq);
	trace_annotate(s, ANNOTATION_SEGMENT, cursor_integer(c, COLUMN_SEGMENT));
	if (cursor_text(c, COLUMN_NAME))
		trace_annotate_text(s, ANNOTATION_NAME, cursor_text(c, COLUMN_NAME));
	if (cursor_integer(c, COLUMN_PART) > 0)
		trace_annotate(s, ANNOTATION_PART, cursor_integer(c, COLUMN_PART));
	if (cursor_kind(c, COLUMN_GRANTED) != VALUE_NULL)
		trace_annotate(s, ANNOTATION_SMS, cursor_integer(c, COLUMN_GRANTED));
	const char *ended = trace_ended(ENDED(code));
	if (ended)
		trace_annotate_text(s, ANNOTATION_ENDED, ended);
}

static void tie(struct trace_export *t, struct trace_slice *s, bool has_next)
{
	if (s->task->chain_seq == s->seq)
		s->flow_in = s->task->chain_flow;
	s->task->chain_seq = s->seq;
	if (has_next)
		s->task->chain_flow = s->flow_out = ++t->last_flow;
}

static bool put_row(struct trace_export *t, const struct db_cursor *c, struct segment_places *p,
	bool has_next, struct error *err)
{
	int64_t code = cursor_integer(c, COLUMN_CODE);
	struct trace_slice s = {
		.task = trace_find_task(t, cursor_integer(c, COLUMN_TASK), err),
		.seq = cursor_integer(c, COLUMN_SEQ),
		.start = cursor_integer(c, COLUMN_START),
		.end = cursor_integer(c, COLUMN_END),
	};
	if (!s.task)
		return false;
	struct trace_lane *lane = lane_of(t, p, &s, c, err);
	if (!lane)
		return false;
	describe(&s, c, code);
	if (KIND(code) == 0)
		tie(t, &s, has_next);
	return trace_put(t, lane, &s, "segment_interval", err) && trace_flush(t, err);
}

bool trace_segments(struct trace_export *t, struct error *err)
{
	struct row_bits next = {0};
	struct segment_places places = {0};
	struct db_cursor *c = trace_query(t, rows_sql, err);
	bool row = true, ok = c && chain_rows(t, c, &next, err) && make_places(t, &next, &places, err);
	if (ok)
		cursor_rewind(c);
	for (size_t i = 0; ok && row; i++) {
		ok = cursor_next(c, &row, err);
		if (ok && row)
			ok = put_row(t, c, &places, next.words[i / 64] >> i % 64 & 1, err);
	}
	cursor_close(c);
	free(next.words);
	trace_lanes_finish(&places.cores);
	for (size_t g = 0; g < GPUS_MOST; g++)
		trace_lanes_finish(&places.gpu[g].engines);
	return ok;
}
