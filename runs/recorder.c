/* runs/recorder.c - see runs/recorder.h. Rows are gathered in arrays, one per table, which go to the writer
 * when they are full. */
#include "runs/recorder.h"

#include <stdlib.h>

#include "runs/slots.h"

#define BATCH 1024

/* The numbers in rows of a recording are those of the records of the trace. */
_Static_assert(ROW_JOB_FINISHED == (int)JOB_FINISHED && ROW_JOB_DROPPED == (int)JOB_DROPPED &&
		       ROW_JOB_ABORTED == (int)JOB_ABORTED && ROW_JOB_UNFINISHED == (int)JOB_UNFINISHED,
	"ends of jobs");
_Static_assert(ROW_CPU == (int)RESOURCE_CPU && ROW_COPY == (int)RESOURCE_COPY && ROW_GPU == (int)RESOURCE_GPU,
	"resources");
_Static_assert(ROW_RUN == (int)SPAN_RUN && ROW_SPIN == (int)SPAN_SPIN && ROW_BOOST == (int)SPAN_BOOST &&
		       ROW_LAUNCH == (int)SPAN_LAUNCH && ROW_SWITCH == (int)SPAN_SWITCH &&
		       ROW_RELEASE == (int)SPAN_RELEASE && ROW_CALL == (int)SPAN_CALL &&
		       ROW_DECISION == (int)SPAN_DECISION,
	"kinds");
_Static_assert(ROW_SPAN_DONE == (int)SPAN_DONE && ROW_SPAN_PREEMPTED == (int)SPAN_PREEMPTED &&
		       ROW_SPAN_ABORTED == (int)SPAN_ABORTED && ROW_SPAN_STOPPED == (int)SPAN_STOPPED &&
		       ROW_SPAN_RESET == (int)SPAN_RESET,
	"ends of spans");

/* Kinds of intervals whose parts are counted together. Copies and kernels may be in flight beside a segment
 * of the CPU. */
enum counted {
	COUNTED_RUN,
	COUNTED_OPERATION,
	COUNTED_SPIN,
	COUNTED_LAUNCH,
	COUNTED_SWITCH,
	COUNTED_RELEASE,
	COUNTED_CALL,
	COUNTED_DECISION,
	COUNTED_KINDS
};

struct task_recorder {
	/* Of each kind the current segment, and its parts so far. */
	struct {
		uint32_t job, segment, part;
	} now[COUNTED_KINDS];
};

/* What is known of a GPU; for recorder_power(), too. */
struct recorded_gpu {
	struct recorder *recorder;
	uint8_t gpu;
	bool pooled;
	uint32_t first_sm; /* in `slots`: SMs of all GPUs one after the other */
};

struct recorder {
	enum record_level level;
	struct db_writer *writer;
	struct error error;
	bool failed;
	struct recorded_gpu gpus[PLATFORM_MAX_GPUS];
	struct task_recorder *tasks;
	struct block_slots slots;
	size_t jobs, spans, blocks, powers, decisions, contexts;
	struct job_row job[BATCH];
	struct segment_interval_row span[BATCH];
	struct block_interval_row block[BATCH];
	struct power_interval_row power[BATCH];
	struct decision_row decision[BATCH];
	struct context_interval_row context[BATCH];
};

struct recorder *recorder_create(enum record_level level, struct db_writer *writer,
	const struct platform *platform, uint32_t tasks, struct error *err)
{
	struct recorder *r = calloc(1, sizeof(*r));
	if (r) {
		r->level = level;
		r->writer = writer;
		r->tasks = calloc(tasks, sizeof(*r->tasks));
	}
	uint32_t sms = 0;
	for (uint32_t g = 0; r && g < platform_gpus(platform); g++) {
		const struct platform *p = platform_gpu(platform, g);
		r->gpus[g] = (struct recorded_gpu){r, (uint8_t)g, p->pool == POOL_GPU, sms};
		sms += p->sms ? p->sms : 1;
	}
	if (!r || !block_slots_init(&r->slots, sms) || !r->tasks) {
		recorder_destroy(r);
		error_memory(err, "the recorder");
		return NULL;
	}
	for (uint32_t i = 0; i < tasks; i++)
		for (int kind = 0; kind < COUNTED_KINDS; kind++)
			r->tasks[i].now[kind].job = UINT32_MAX;
	return r;
}

void recorder_destroy(struct recorder *r)
{
	if (!r)
		return;
	block_slots_finish(&r->slots);
	free(r->tasks);
	free(r);
}

uint32_t recorder_wants(const struct recorder *r)
{
	static const uint32_t jobs = TRACE_BIT(TRACE_JOB_END);
	static const uint32_t spans = TRACE_BIT(TRACE_JOB_END) | TRACE_BIT(TRACE_SPAN) |
				      TRACE_BIT(TRACE_DECISION) | TRACE_BIT(TRACE_CONTEXT);
	static const uint32_t blocks = TRACE_BIT(TRACE_BLOCKS_START) | TRACE_BIT(TRACE_BLOCKS_END);
	const uint32_t wants[] = {
		[RECORD_SUMMARY] = 0,
		[RECORD_JOBS] = jobs,
		[RECORD_SEGMENTS] = spans,
		[RECORD_BLOCKS] = spans | blocks,
		[RECORD_ISSUES] = spans | blocks, /* runs/warp_recorder.h records the rest */
	};
	return wants[r->level];
}

/* ---- one record ---- */

static bool flush_blocks(struct recorder *r)
{
	size_t count = r->blocks;
	r->blocks = 0;
	return !count || writer_block_intervals(r->writer, r->block, count, &r->error);
}

static uint32_t slots_of(const struct recorder *r, const struct trace_record *rec)
{
	const struct recorded_gpu *g = &r->gpus[rec->gpu];
	return g->first_sm + (g->pooled ? 0 : rec->index);
}

static bool blocks_start(struct recorder *r, const struct trace_record *rec)
{
	for (uint32_t b = rec->block; b < rec->block + rec->count; b++)
		if (!block_slots_take(&r->slots, slots_of(r, rec), rec->task, rec->segment, b))
			return error_memory(&r->error, "the recorder's slots");
	return true;
}

static bool blocks_end(struct recorder *r, const struct trace_record *rec)
{
	for (uint32_t b = rec->block; b < rec->block + rec->count; b++) {
		r->block[r->blocks++] = (struct block_interval_row){
			.start_ns = rec->start,
			.end_ns = rec->time,
			.task = rec->task,
			.seq = rec->job,
			.block = b,
			.sm = r->gpus[rec->gpu].pooled ? ROW_NONE : rec->index,
			.slot = block_slots_give(&r->slots, slots_of(r, rec), rec->task, rec->segment, b),
			.threads = rec->threads,
			.segment_idx = rec->segment,
			.ended_code = rec->how,
			.gpu = rec->gpu,
		};
		if (r->blocks == BATCH && !flush_blocks(r))
			return false;
	}
	return true;
}

static uint32_t part_of(struct task_recorder *t, const struct trace_record *rec)
{
	static const enum counted counted[] = {
		[SPAN_RUN] = COUNTED_RUN,
		[SPAN_SPIN] = COUNTED_SPIN,
		[SPAN_BOOST] = COUNTED_SPIN,
		[SPAN_LAUNCH] = COUNTED_LAUNCH,
		[SPAN_SWITCH] = COUNTED_SWITCH,
		[SPAN_RELEASE] = COUNTED_RELEASE,
		[SPAN_CALL] = COUNTED_CALL,
		[SPAN_DECISION] = COUNTED_DECISION,
	};
	enum counted kind = rec->resource == RESOURCE_CPU ? counted[rec->span] : COUNTED_OPERATION;
	bool same = t->now[kind].job == rec->job && t->now[kind].segment == rec->segment;
	t->now[kind].part = same ? t->now[kind].part + 1 : 0;
	t->now[kind].job = rec->job;
	t->now[kind].segment = rec->segment;
	return t->now[kind].part;
}

static bool span(struct recorder *r, const struct trace_record *rec)
{
	r->span[r->spans++] = (struct segment_interval_row){
		.ready_ns = rec->ready,
		.start_ns = rec->start,
		.end_ns = rec->time,
		.task = rec->task,
		.seq = rec->job,
		.part = part_of(&r->tasks[rec->task], rec),
		.granted = rec->m,
		.segment_idx = rec->segment,
		.unit = rec->index,
		.gpu = rec->gpu,
		.code = segment_interval_code(
			(enum row_resource)rec->resource, (enum row_kind)rec->span, (enum row_ended)rec->how),
	};
	if (r->spans < BATCH)
		return true;
	r->spans = 0;
	return writer_segment_intervals(r->writer, r->span, BATCH, &r->error);
}

static bool job(struct recorder *r, const struct trace_record *rec)
{
	bool unfinished = rec->how == JOB_UNFINISHED;
	bool missed = rec->how == JOB_FINISHED ? rec->time > rec->value
		      : unfinished             ? rec->value <= rec->time
					       : true;
	r->job[r->jobs++] = (struct job_row){
		.release_ns = rec->start,
		.abs_deadline_ns = rec->value == INT64_MAX ? DB_NULL : rec->value,
		.first_start_ns = rec->ready,
		.finish_ns = unfinished ? -1 : rec->time,
		.task = rec->task,
		.seq = rec->job,
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
		.time_ns = rec->time,
		.asked_ns = rec->ready,
		.kernel_end_ns = rec->start,
		.predicted_uwns = rec->value,
		.task = rec->task,
		.seq = rec->job,
		.sms = rec->m,
		.segment_idx = rec->segment,
		.feasible = rec->how & 1,
		.chosen = rec->how >> 1 & 1,
		.gpu = rec->gpu,
	};
	if (r->decisions < BATCH)
		return true;
	r->decisions = 0;
	return writer_decisions(r->writer, r->decision, BATCH, &r->error);
}

static bool context(struct recorder *r, const struct trace_record *rec)
{
	r->context[r->contexts++] = (struct context_interval_row){
		.start_ns = rec->start,
		.end_ns = rec->time,
		.process_task = rec->task,
		.code = rec->span == SPAN_SWITCH,
	};
	if (r->contexts < BATCH)
		return true;
	r->contexts = 0;
	return writer_context_intervals(r->writer, r->context, BATCH, &r->error);
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
		[TRACE_CONTEXT] = context,
	};
	struct recorder *r = recorder;
	uint32_t wants = recorder_wants(r);
	for (size_t i = 0; i < count && !r->failed; i++)
		if (wants & TRACE_BIT(records[i].kind) && !handlers[records[i].kind](r, &records[i]))
			r->failed = true;
	return !r->failed;
}

void *recorder_gpu(struct recorder *r, uint32_t gpu)
{
	return &r->gpus[gpu];
}

bool recorder_power(void *recorder_gpu, int64_t start_ns, int64_t end_ns, int64_t power_uw,
	uint32_t active_sms, uint32_t idle_sms)
{
	const struct recorded_gpu *g = recorder_gpu;
	struct recorder *r = g->recorder;
	if (r->level < RECORD_SEGMENTS)
		return true;
	r->power[r->powers++] = (struct power_interval_row){
		.start_ns = start_ns,
		.end_ns = end_ns,
		.power_uw = power_uw,
		.active_sms = active_sms,
		.idle_sms = idle_sms,
		.gpu = g->gpu,
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
		  (!r->contexts || writer_context_intervals(r->writer, r->context, r->contexts, err)) &&
		  (!r->blocks || writer_block_intervals(r->writer, r->block, r->blocks, err));
	r->jobs = r->spans = r->powers = r->decisions = r->contexts = r->blocks = 0;
	return ok;
}
