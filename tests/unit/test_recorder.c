/* tests/unit/test_recorder.c - runs/recorder.c: trace records become rows, in as much detail as was asked
 * for. */
#include <stdio.h>
#include <string.h>

#include "runs/recorder.h"
#include "runs/slots.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

static struct error err;
static char file[512];
static struct db_writer *writer;
static struct run_row run;
static struct sample ids;
static struct platform platform;
static struct recorder *recorder;

#define ok(call)                                                                                             \
	do {                                                                                                 \
		if (!(call))                                                                                 \
			fail_msg("%s", err.text);                                                            \
	} while (0)

static int begin(void **state)
{
	static int number;
	char name[32];
	bool exists;
	snprintf(name, sizeof(name), "recorder%d.db", number++);
	snprintf(file, sizeof(file), "%s", sample_path(name));
	platform = platform_default();
	platform.sms = 2;
	writer = writer_open(file, false, &err);
	if (!writer || !sample_things(writer, &ids, &err))
		return -1;
	run = sample_run(&ids, ids.fcfs_id, 1);
	return writer_begin_run(writer, &run, &exists, &err) && !exists ? 0 : -1;
}

static int clean(void **state)
{
	sample_clean();
	return 0;
}

ALL_TESTS(NULL, clean);

static void open_at(enum record_level level)
{
	recorder = recorder_create(level, writer, &platform, 2, &err);
	assert_non_null(recorder);
}

static void seen(struct trace_record r)
{
	assert_true(recorder_observe(recorder, &r, 1));
}

static void blocks(enum trace_kind kind, int64_t now, uint32_t task, uint32_t first, uint32_t count,
	uint16_t sm, int64_t start)
{
	seen((struct trace_record){
		.kind = (uint8_t)kind,
		.time = now,
		.start = start,
		.task = task,
		.block = first,
		.count = count,
		.index = sm,
		.segment = 2,
		.threads = 64,
		.how = SPAN_DONE,
	});
}

static void written(void)
{
	ok(recorder_flush(recorder, &err));
	recorder_destroy(recorder);
	ok(writer_end_run(writer, &run, &err));
	ok(writer_finish(writer, NULL, &err));
}

static void rows(const char *sql, const char *should)
{
	assert_string_equal(sample_rows(file, sql), should);
}

TEST("levels want more and more", .setup_func = begin)
{
	static const enum trace_kind first_at[] = {TRACE_JOB_END, TRACE_SPAN, TRACE_BLOCKS_START};
	uint32_t before = 0;
	for (int level = RECORD_SUMMARY; level <= RECORD_BLOCKS; level++) {
		open_at((enum record_level)level);
		uint32_t wants = recorder_wants(recorder);
		assert_int_equal(wants & before, before);
		if (level > RECORD_SUMMARY)
			assert_true(wants & ~before & TRACE_BIT(first_at[level - 1]));
		else
			assert_int_equal(wants, 0);
		before = wants;
		recorder_destroy(recorder);
	}
	open_at(RECORD_ISSUES); /* the recorder of warps makes the other rows */
	assert_int_equal(recorder_wants(recorder), before);
	recorder_destroy(recorder);
	recorder_destroy(NULL);
	writer_abandon(writer, false);
}

TEST("jobs", .setup_func = begin)
{
	open_at(RECORD_JOBS);
	seen((struct trace_record){
		.kind = TRACE_JOB_END, .how = JOB_FINISHED, .time = 9, .start = 1, .ready = 2, .value = 9});
	seen((struct trace_record){
		.kind = TRACE_JOB_END,
		.how = JOB_FINISHED,
		.job = 1,
		.time = 10,
		.start = 1,
		.ready = 2,
		.value = 9,
	});
	seen((struct trace_record){
		.kind = TRACE_JOB_END,
		.how = JOB_UNFINISHED,
		.job = 2,
		.time = 10,
		.start = 1,
		.ready = -1,
		.value = 11,
	});
	seen((struct trace_record){.kind = TRACE_SPAN, .time = 10}); /* not wanted at this level */
	written();
	rows("SELECT seq, release_ns, abs_deadline_ns, first_start_ns, finish_ns FROM job ORDER BY seq",
		"0|1|9|2|9\n1|1|9|2|10\n2|1|11|-|-");
	rows("SELECT count(*) FROM segment_interval", "0");
	rows("SELECT missed, state FROM v_job WHERE run_id = 1 ORDER BY seq",
		"0|finished\n1|finished\n0|unfinished");
}

/* The parts of a segment are numbered; spinning is numbered separately, and so is each overhead. */
TEST("parts of a segment", .setup_func = begin)
{
	static const struct {
		uint32_t job, segment;
		enum span_kind span;
	} spans[] = {
		{0, 0, SPAN_RUN},
		{0, 0, SPAN_RUN},
		{0, 1, SPAN_SPIN},
		{0, 1, SPAN_RUN},
		{0, 1, SPAN_SPIN},
		{0, 4, SPAN_LAUNCH},
		{0, 4, SPAN_SWITCH},
		{0, 4, SPAN_LAUNCH},
		{0, 4, SPAN_RUN},
		{0, 4, SPAN_RELEASE},
		{0, 4, SPAN_SWITCH},
		{1, 4, SPAN_RUN},
	};
	open_at(RECORD_SEGMENTS);
	for (uint32_t i = 0; i < sizeof(spans) / sizeof(*spans); i++)
		seen((struct trace_record){
			.kind = TRACE_SPAN,
			.time = i + 1,
			.start = i,
			.job = spans[i].job,
			.segment = (uint16_t)spans[i].segment,
			.span = (uint8_t)spans[i].span,
			.resource = RESOURCE_CPU,
		});
	written();
	rows("SELECT seq, segment_idx, part, kind FROM segment_interval ORDER BY start_ns",
		"0|0|0|run\n0|0|1|run\n0|1|0|spin\n0|1|0|run\n0|1|1|spin\n0|4|0|launch\n0|4|0|switch\n"
		"0|4|1|launch\n0|4|0|run\n0|4|0|release\n0|4|1|switch\n1|4|0|run");
}

/* A block's slot is the lowest that is free on its SM. */
TEST("blocks have slots", .setup_func = begin)
{
	open_at(RECORD_BLOCKS);
	blocks(TRACE_BLOCKS_START, 0, 0, 0, 1, 1, 0);
	blocks(TRACE_BLOCKS_START, 0, 0, 1, 1, 1, 0);
	blocks(TRACE_BLOCKS_START, 1, 1, 0, 1, 1, 0);
	blocks(TRACE_BLOCKS_START, 1, 1, 1, 1, 0, 0);
	blocks(TRACE_BLOCKS_END, 5, 0, 0, 1, 1, 0);
	blocks(TRACE_BLOCKS_START, 5, 0, 2, 1, 1, 0);
	blocks(TRACE_BLOCKS_END, 6, 1, 0, 1, 1, 1);
	blocks(TRACE_BLOCKS_END, 6, 1, 1, 1, 0, 1);
	blocks(TRACE_BLOCKS_END, 7, 0, 1, 1, 1, 0);
	blocks(TRACE_BLOCKS_END, 8, 0, 2, 1, 1, 5);
	written();
	rows("SELECT (task_id - (SELECT min(task_id) FROM task)), block, sm, slot, threads, start_ns, end_ns "
	     "FROM block_interval "
	     "ORDER BY 1, 2",
		"0|0|1|0|64|0|5\n0|1|1|1|64|0|7\n0|2|1|0|64|5|8\n1|0|1|2|64|1|6\n1|1|0|0|64|1|6");
}

/* Blocks of warps: they end in any order, and are swapped out and in again, also on another SM. */
TEST("blocks leave in any order and come again", .setup_func = begin)
{
	open_at(RECORD_ISSUES);
	blocks(TRACE_BLOCKS_START, 0, 0, 0, 3, 0, 0);
	blocks(TRACE_BLOCKS_START, 0, 1, 0, 1, 0, 0);
	blocks(TRACE_BLOCKS_END, 2, 0, 1, 1, 0, 0);
	blocks(TRACE_BLOCKS_START, 3, 0, 7, 1, 0, 0);
	blocks(TRACE_BLOCKS_START, 4, 0, 1, 1, 1, 0);
	blocks(TRACE_BLOCKS_END, 5, 0, 0, 1, 0, 0);
	blocks(TRACE_BLOCKS_START, 5, 0, 3, 1, 0, 0);
	blocks(TRACE_BLOCKS_END, 6, 0, 1, 1, 1, 4);
	blocks(TRACE_BLOCKS_END, 6, 0, 7, 1, 0, 3);
	blocks(TRACE_BLOCKS_END, 7, 1, 0, 1, 0, 0);
	blocks(TRACE_BLOCKS_END, 8, 0, 3, 1, 0, 5);
	blocks(TRACE_BLOCKS_END, 9, 0, 2, 1, 0, 0);
	written();
	rows("SELECT (task_id - (SELECT min(task_id) FROM task)), block, sm, slot, start_ns, end_ns FROM"
	     " block_interval ORDER BY rowid",
		"0|1|0|1|0|2\n0|0|0|0|0|5\n0|1|1|0|4|6\n0|7|0|1|3|6\n1|0|0|3|0|7\n0|3|0|0|5|8\n0|2|0|2|0|9");
}

/* Compared with a plain list, long enough that the table of residents grows and shrinks. */
TEST("slots of many blocks")
{
	enum { SMS = 3, BLOCKS = 400, STEPS = 20000 };
	static struct {
		bool here;
		uint32_t sm, slot;
	} list[2][BLOCKS];
	struct block_slots slots;
	uint64_t draw = 1;
	memset(list, 0, sizeof(list));
	assert_true(block_slots_init(&slots, SMS));
	for (int i = 0; i < STEPS; i++) {
		draw = draw * UINT64_C(6364136223846793005) + 1442695040888963407;
		uint32_t task = draw >> 33 & 1, block = (uint32_t)(draw >> 34) % BLOCKS,
			 sm = (uint32_t)(draw >> 50) % SMS;
		if (list[task][block].here) {
			assert_int_equal(
				block_slots_give(&slots, list[task][block].sm, task, block % 3, block),
				list[task][block].slot);
			list[task][block].here = false;
			continue;
		}
		bool taken[2 * BLOCKS + 1] = {false};
		uint32_t slot = 0;
		for (int t = 0; t < 2; t++)
			for (int b = 0; b < BLOCKS; b++)
				taken[list[t][b].here && list[t][b].sm == sm ? list[t][b].slot : 2 * BLOCKS] =
					true;
		while (taken[slot])
			slot++;
		assert_true(block_slots_take(&slots, sm, task, block % 3, block));
		list[task][block].here = true;
		list[task][block].sm = sm;
		list[task][block].slot = slot;
	}
	assert_true(slots.capacity > 256);
	block_slots_finish(&slots);
}

/* Blocks of two kernels of a task that are on an SM at a time are told apart. */
TEST("slots of kernels in flight")
{
	struct block_slots slots;
	assert_true(block_slots_init(&slots, 1));
	for (uint32_t segment = 0; segment < 3; segment++)
		assert_true(block_slots_take(&slots, 0, 0, segment, 7));
	assert_int_equal(block_slots_give(&slots, 0, 0, 1, 7), 1);
	assert_int_equal(block_slots_give(&slots, 0, 0, 2, 7), 2);
	assert_int_equal(block_slots_give(&slots, 0, 0, 0, 7), 0);
	block_slots_finish(&slots);
}

/* A job without a deadline has none in the recording, and misses nothing. */
TEST("jobs without a deadline", .setup_func = begin)
{
	open_at(RECORD_JOBS);
	seen((struct trace_record){
		.kind = TRACE_JOB_END,
		.how = JOB_FINISHED,
		.time = 50,
		.start = 10,
		.ready = 20,
		.value = INT64_MAX,
	});
	seen((struct trace_record){
		.kind = TRACE_JOB_END,
		.how = JOB_UNFINISHED,
		.job = 1,
		.time = 90,
		.start = 60,
		.value = INT64_MAX,
	});
	written();
	rows("SELECT seq, abs_deadline_ns, missed, state FROM job", "0|-|0|finished\n1|-|0|unfinished");
}

TEST("pool GPU has no SM and many slots", .setup_func = begin)
{
	platform.pool = POOL_GPU;
	open_at(RECORD_BLOCKS);
	blocks(TRACE_BLOCKS_START, 0, 0, 0, 100, 0, 0);
	blocks(TRACE_BLOCKS_END, 3, 0, 0, 100, 0, 0);
	blocks(TRACE_BLOCKS_START, 3, 0, 100, 40, 0, 0);
	blocks(TRACE_BLOCKS_END, 6, 0, 100, 40, 0, 3);
	written();
	rows("SELECT count(*), count(sm), min(slot), max(slot) FROM block_interval", "140|0|0|99");
	rows("SELECT min(slot), max(slot) FROM block_interval WHERE block >= 100", "0|39");
}

/* More rows than one batch, of every kind. */
TEST("batches", .setup_func = begin)
{
	enum { MANY = 2500 };
	open_at(RECORD_BLOCKS);
	for (uint32_t i = 0; i < MANY; i++) {
		seen((struct trace_record){
			.kind = TRACE_JOB_END, .how = JOB_FINISHED, .job = i, .time = i, .value = i});
		seen((struct trace_record){.kind = TRACE_SPAN, .job = i, .time = i + 1, .start = i});
		blocks(TRACE_BLOCKS_START, i, 0, 0, 1, 1, 0);
		blocks(TRACE_BLOCKS_END, i + 1, 0, 0, 1, 1, i);
		assert_true(recorder_power(recorder_gpu(recorder, 0), i, i + 1, i, 1, 1));
		seen((struct trace_record){
			.kind = TRACE_DECISION,
			.job = i,
			.time = i,
			.start = i + 9,
			.m = 2,
			.value = 7,
			.how = i % 4,
		});
	}
	written();
	rows("SELECT (SELECT count(*) FROM job), (SELECT count(*) FROM segment_interval), (SELECT count(*) "
	     "FROM block_interval), "
	     "(SELECT count(*) FROM power_interval), (SELECT count(*) FROM decision)",
		"2500|2500|2500|2500|2500");
	rows("SELECT sum(power_uw) FROM power_interval", "3123750");
	rows("SELECT sum(feasible), sum(chosen) FROM decision", "1250|1250");
	rows("SELECT count(*) FROM decision WHERE kernel_end_ns <> time_ns + 9 OR sms <> 2 OR predicted_uwns "
	     "<> 7",
		"0");
}

TEST("power is recorded from segments on", .setup_func = begin)
{
	open_at(RECORD_JOBS);
	assert_true(recorder_power(recorder_gpu(recorder, 0), 0, 1, 5, 1, 1));
	written();
	rows("SELECT count(*) FROM power_interval", "0");
}
