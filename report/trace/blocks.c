/* report/trace/blocks.c - the tracks of blocks: every SM has one track for each slot. They all have the name
 * of the SM, and the UI draws them as one. A slot holds one block at a time, and rows are in the order of
 * their ends. So the slices of a track are in order without sorting. */
#include <stdio.h>
#include <stdlib.h>

#include "report/trace/private.h"

enum {
	COLUMN_TASK,
	COLUMN_SEQ,
	COLUMN_SEGMENT,
	COLUMN_BLOCK,
	COLUMN_SM,
	COLUMN_SLOT,
	COLUMN_THREADS,
	COLUMN_START,
	COLUMN_END,
	COLUMN_ENDED,
	COLUMN_GPU,
	COLUMN_NAME
};

/* The rows of a run follow each other: going from the first to the last is twice as fast as looking up each
 * in the index. Names of segments are looked up only if there are any. */
static const char rows_sql[] =
	"SELECT task_id, seq, segment_idx, block, sm, slot, threads, start_ns, end_ns, ended_code, gpu,"
	" CASE WHEN (SELECT count(name) FROM v_segment) > 0 THEN (SELECT s.name FROM v_segment s"
	" WHERE s.task_id = b.task_id AND s.segment_idx = b.segment_idx) END FROM block_interval b"
	" WHERE +run_id = ?1 AND rowid >= (SELECT min(rowid) FROM block_interval WHERE run_id = ?1)"
	" AND rowid <= (SELECT max(rowid) FROM block_interval WHERE run_id = ?1)"
	" AND" TRACE_TOUCHES("start_ns", "end_ns") " ORDER BY rowid";

#define SLOTS_MAX ((int64_t)1 << 18) /* one for each thread of the largest GPU */

struct block_places {
	uint64_t group[GPUS_MOST];
	/* [count]; after the SMs of a GPU the GPU as a whole, for blocks that are on no SM */
	struct trace_lanes *sms;
	int64_t count;
};

/* The lane of a slot. NULL: *err. */
static struct trace_lane *slot_lane(
	struct trace_export *t, struct block_places *p, const struct db_cursor *c, struct error *err)
{
	bool pooled = cursor_kind(c, COLUMN_SM) == VALUE_NULL;
	size_t g = trace_gpu_of(t, cursor_integer(c, COLUMN_GPU), err);
	if (g == GPUS_MOST)
		return NULL;
	const struct trace_gpu *gpu = &t->gpu[g];
	int64_t sm = pooled ? gpu->sms : cursor_integer(c, COLUMN_SM), slot = cursor_integer(c, COLUMN_SLOT);
	if (sm < 0 || sm > gpu->sms || slot < 0 || slot >= SLOTS_MAX) {
		error_set(err, STATUS_INPUT,
			"%s: run %lld has a block on SM %lld, slot %lld, which its platform has not",
			t->recording, (long long)t->run, (long long)sm, (long long)slot);
		return NULL;
	}
	struct trace_lanes *lanes = &p->sms[gpu->first_sm + sm];
	char name[32];
	snprintf(name, sizeof(name), "SM %lld", (long long)sm);
	while ((uint64_t)slot >= lanes->count) /* tracks are in the order of the slots */
		if (!trace_lane(t, lanes, lanes->count,
			    &(struct trace_track){
				    .parent = p->group[g],
				    .name = pooled ? "all SMs" : name,
				    .rank = (uint64_t)sm,
			    },
			    err))
			return NULL;
	return &lanes->lanes[slot];
}

static bool put_row(
	struct trace_export *t, struct block_places *p, const struct db_cursor *c, struct error *err)
{
	struct trace_slice s = {
		.task = trace_find_task(t, cursor_integer(c, COLUMN_TASK), err),
		.seq = cursor_integer(c, COLUMN_SEQ),
		.start = cursor_integer(c, COLUMN_START),
		.end = cursor_integer(c, COLUMN_END),
		.category = CATEGORY_BLOCK,
	};
	struct trace_lane *lane = s.task ? slot_lane(t, p, c, err) : NULL;
	if (!lane)
		return false;
	trace_annotate(&s, ANNOTATION_JOB, s.seq);
	trace_annotate(&s, ANNOTATION_SEGMENT, cursor_integer(c, COLUMN_SEGMENT));
	if (cursor_text(c, COLUMN_NAME))
		trace_annotate_text(&s, ANNOTATION_NAME, cursor_text(c, COLUMN_NAME));
	trace_annotate(&s, ANNOTATION_BLOCK, cursor_integer(c, COLUMN_BLOCK));
	trace_annotate(&s, ANNOTATION_THREADS, cursor_integer(c, COLUMN_THREADS));
	const char *ended = trace_ended(cursor_integer(c, COLUMN_ENDED));
	if (ended)
		trace_annotate_text(&s, ANNOTATION_ENDED, ended);
	return trace_put(t, lane, &s, "block_interval", err) && trace_flush(t, err);
}

bool trace_blocks(struct trace_export *t, struct error *err)
{
	const struct trace_gpu *last = &t->gpu[t->gpus - 1];
	struct block_places p = {.count = last->first_sm + last->sms + 1};
	p.sms = calloc((size_t)p.count, sizeof(*p.sms));
	if (!p.sms)
		return error_memory(err, "the tracks of a trace");
	for (size_t g = 0; g < t->gpus; g++) {
		char name[TRACE_NAME_MAX];
		p.group[g] = trace_track(t, &(struct trace_track){
						    .parent = t->root,
						    .name = trace_gpu_name(t, g, "SMs", "SMs", name),
						    .rank = t->next_rank++,
						    .parent_of_ranked = true,
					    });
	}
	struct db_cursor *c = trace_query(t, rows_sql, err);
	bool row = true, ok = c != NULL;
	while (ok && row)
		ok = cursor_next(c, &row, err) && (!row || put_row(t, &p, c, err));
	cursor_close(c);
	for (int64_t i = 0; i < p.count; i++)
		trace_lanes_finish(&p.sms[i]);
	free(p.sms);
	return ok;
}
