/* runs/recorder.c - see runs/recorder.h. Rows gather in arrays, one per table, that go to the
 * writer when they are full. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "runs/recorder.h"

#define BATCH 1024

/* Slots of one SM, a bit each: the lowest free one is a block's place in pictures of the SM. */
struct slots {
	uint64_t *word;
	uint32_t words;
};

struct task_recorder {
	/* Parts of the current segment's execution and of the current spinning. */
	uint32_t job, segment, part;
	uint32_t spin_job, spin_segment, spin_part;
	/* Slots of the blocks that are resident: block b has slot_of[b % capacity]. */
	uint32_t *slot_of;
	uint32_t capacity, placed, done;
};

struct recorder {
	enum record_level level;
	struct db_writer *writer;
	struct error error;
	bool failed, pooled;
	struct task_recorder *tasks;
	struct slots *sms;
	uint32_t task_count, sm_count;
	size_t jobs, spans, blocks, powers, decisions;
	struct job_row job[BATCH];
	struct segment_interval_row span[BATCH];
	struct block_interval_row block[BATCH];
	struct power_interval_row power[BATCH];
	struct decision_row decision[BATCH];
};

struct recorder *recorder_create(enum record_level level, struct db_writer *writer, const struct platform *platform,
	uint32_t tasks, struct error *err)
{
	struct recorder *r = calloc(1, sizeof *r);
	if (r) {
		r->level = level;
		r->writer = writer;
		r->pooled = platform->pool == POOL_GPU;
		r->task_count = tasks;
		r->sm_count = platform->sms ? platform->sms : 1;
		r->tasks = calloc(tasks, sizeof *r->tasks);
		r->sms = calloc(r->sm_count, sizeof *r->sms);
	}
	if (!r || !r->tasks || !r->sms) {
		recorder_destroy(r);
		error_memory(err, "the recorder");
		return NULL;
	}
	for (uint32_t i = 0; i < tasks; i++)
		r->tasks[i].job = r->tasks[i].spin_job = UINT32_MAX;
	return r;
}

void recorder_destroy(struct recorder *r)
{
	if (!r)
		return;
	for (uint32_t i = 0; r->tasks && i < r->task_count; i++)
		free(r->tasks[i].slot_of);
	for (uint32_t i = 0; r->sms && i < r->sm_count; i++)
		free(r->sms[i].word);
	free(r->tasks);
	free(r->sms);
	free(r);
}

uint32_t recorder_wants(const struct recorder *r)
{
	static const uint32_t wants[] = {
		[RECORD_SUMMARY] = 0,
		[RECORD_JOBS] = TRACE_BIT(TRACE_JOB_END),
		[RECORD_SEGMENTS] = TRACE_BIT(TRACE_JOB_END) | TRACE_BIT(TRACE_SPAN) | TRACE_BIT(TRACE_DECISION),
		[RECORD_BLOCKS] = TRACE_BIT(TRACE_JOB_END) | TRACE_BIT(TRACE_SPAN) | TRACE_BIT(TRACE_DECISION) |
			TRACE_BIT(TRACE_BLOCKS_START) | TRACE_BIT(TRACE_BLOCKS_END),
	};
	return wants[r->level];
}

/* ---- slots ---- */

static bool out_of_memory(struct recorder *r)
{
	return error_memory(&r->error, "the recorder's slots");
}

static bool take_slot(struct recorder *r, struct slots *s, uint32_t *slot)
{
	for (uint32_t w = 0; w < s->words; w++) {
		if (s->word[w] == UINT64_MAX)
			continue;
		uint32_t bit = (uint32_t)__builtin_ctzll(~s->word[w]);
		s->word[w] |= UINT64_C(1) << bit;
		*slot = w * 64 + bit;
		return true;
	}
	uint32_t words = s->words ? 2 * s->words : 1;
	uint64_t *grown = realloc(s->word, words * sizeof *grown);
	if (!grown)
		return out_of_memory(r);
	memset(grown + s->words, 0, (words - s->words) * sizeof *grown);
	s->word = grown;
	s->words = words;
	return take_slot(r, s, slot);
}

static void give_slot(struct slots *s, uint32_t slot)
{
	s->word[slot / 64] &= ~(UINT64_C(1) << (slot % 64));
}

static bool reserve_slots(struct recorder *r, struct task_recorder *t, uint32_t count)
{
	uint32_t resident = t->placed - t->done, capacity = t->capacity ? t->capacity : 16;
	while (capacity < resident + count)
		capacity *= 2;
	if (capacity == t->capacity)
		return true;
	uint32_t *grown = malloc(capacity * sizeof *grown);
	if (!grown)
		return out_of_memory(r);
	for (uint32_t b = t->done; b < t->placed; b++)
		grown[b % capacity] = t->slot_of[b % t->capacity];
	free(t->slot_of);
	t->slot_of = grown;
	t->capacity = capacity;
	return true;
}

/* ---- one record ---- */

static bool flush_blocks(struct recorder *r)
{
	size_t count = r->blocks;
	r->blocks = 0;
	return !count || writer_block_intervals(r->writer, r->block, count, &r->error);
}

static bool blocks_start(struct recorder *r, const struct trace_record *rec)
{
	struct task_recorder *t = &r->tasks[rec->task];
	if (rec->block == 0)
		t->placed = t->done = 0;
	if (!reserve_slots(r, t, rec->count))
		return false;
	for (uint32_t b = rec->block; b < rec->block + rec->count; b++)
		if (!take_slot(r, &r->sms[r->pooled ? 0 : rec->index], &t->slot_of[b % t->capacity]))
			return false;
	t->placed = rec->block + rec->count;
	return true;
}

static bool blocks_end(struct recorder *r, const struct trace_record *rec)
{
	struct task_recorder *t = &r->tasks[rec->task];
	for (uint32_t b = rec->block; b < rec->block + rec->count; b++) {
		uint32_t slot = t->slot_of[b % t->capacity];
		give_slot(&r->sms[r->pooled ? 0 : rec->index], slot);
		r->block[r->blocks++] = (struct block_interval_row){
			.start_ns = rec->start, .end_ns = rec->time, .task = rec->task, .seq = rec->job, .block = b,
			.sm = r->pooled ? ROW_NONE : rec->index, .slot = slot, .threads = rec->threads,
			.segment_idx = rec->segment, .ended = rec->how,
		};
		if (r->blocks == BATCH && !flush_blocks(r))
			return false;
	}
	t->done = rec->block + rec->count;
	return true;
}

static uint32_t part_of(struct task_recorder *t, const struct trace_record *rec)
{
	bool spin = rec->span != SPAN_RUN;
	uint32_t *job = spin ? &t->spin_job : &t->job, *segment = spin ? &t->spin_segment : &t->segment;
	uint32_t *part = spin ? &t->spin_part : &t->part;
	*part = *job == rec->job && *segment == rec->segment ? *part + 1 : 0;
	*job = rec->job;
	*segment = rec->segment;
	return *part;
}

static bool span(struct recorder *r, const struct trace_record *rec)
{
	r->span[r->spans++] = (struct segment_interval_row){
		.ready_ns = rec->ready, .start_ns = rec->start, .end_ns = rec->time, .task = rec->task,
		.seq = rec->job, .part = part_of(&r->tasks[rec->task], rec), .granted = rec->m,
		.segment_idx = rec->segment, .unit = rec->index,
		.code = segment_interval_code((enum row_resource)rec->resource, (enum row_kind)rec->span,
			(enum row_ended)rec->how),
	};
	if (r->spans < BATCH)
		return true;
	r->spans = 0;
	return writer_segment_intervals(r->writer, r->span, BATCH, &r->error);
}

static bool job(struct recorder *r, const struct trace_record *rec)
{
	bool unfinished = rec->how == JOB_UNFINISHED;
	bool missed = rec->how == JOB_FINISHED ? rec->time > rec->value : unfinished ? rec->value <= rec->time : true;
	r->job[r->jobs++] = (struct job_row){
		.release_ns = rec->start, .abs_deadline_ns = rec->value, .first_start_ns = rec->ready,
		.finish_ns = unfinished ? -1 : rec->time, .task = rec->task, .seq = rec->job,
		.outcome = job_outcome((enum row_state)rec->how, missed),
	};
	if (r->jobs < BATCH)
		return true;
	r->jobs = 0;
	return writer_jobs(r->writer, r->job, BATCH, &r->error);
}

static bool decision(struct recorder *r, const struct trace_record *rec)
{
	r->decision[r->decisions++] = (struct decision_row){
		.time_ns = rec->time, .kernel_end_ns = rec->start, .predicted_uwns = rec->value,
		.task = rec->task, .seq = rec->job, .sms = rec->m, .segment_idx = rec->segment, .feasible = rec->how & 1, .chosen = rec->how >> 1 & 1,
	};
	if (r->decisions < BATCH)
		return true;
	r->decisions = 0;
	return writer_decisions(r->writer, r->decision, BATCH, &r->error);
}

bool recorder_observe(void *recorder, const struct trace_record *records, size_t count)
{
	typedef bool record_fn(struct recorder *, const struct trace_record *);
	static record_fn *const handlers[TRACE_KINDS] = {
		[TRACE_JOB_END] = job,
		[TRACE_SPAN] = span,
		[TRACE_BLOCKS_START] = blocks_start,
		[TRACE_BLOCKS_END] = blocks_end,
		[TRACE_DECISION] = decision,
	};
	struct recorder *r = recorder;
	uint32_t wants = recorder_wants(r);
	for (size_t i = 0; i < count && !r->failed; i++)
		if (wants & TRACE_BIT(records[i].kind) && !handlers[records[i].kind](r, &records[i]))
			r->failed = true;
	return !r->failed;
}

bool recorder_power(void *recorder, int64_t start_ns, int64_t end_ns, int64_t power_uw, uint32_t active_sms,
	uint32_t idle_sms)
{
	struct recorder *r = recorder;
	if (r->level < RECORD_SEGMENTS)
		return true;
	r->power[r->powers++] = (struct power_interval_row){
		.start_ns = start_ns, .end_ns = end_ns, .power_uw = power_uw,
		.active_sms = active_sms, .idle_sms = idle_sms,
	};
	if (r->powers < BATCH)
		return true;
	r->powers = 0;
	r->failed = !writer_power_intervals(r->writer, r->power, BATCH, &r->error);
	return !r->failed;
}

bool recorder_flush(struct recorder *r, struct error *err)
{
	if (r->failed) {
		*err = r->error;
		return false;
	}
	bool ok = (!r->jobs || writer_jobs(r->writer, r->job, r->jobs, err)) &&
		(!r->spans || writer_segment_intervals(r->writer, r->span, r->spans, err)) &&
		(!r->powers || writer_power_intervals(r->writer, r->power, r->powers, err)) &&
		(!r->decisions || writer_decisions(r->writer, r->decision, r->decisions, err)) &&
		(!r->blocks || writer_block_intervals(r->writer, r->block, r->blocks, err));
	r->jobs = r->spans = r->powers = r->decisions = r->blocks = 0;
	return ok;
}
