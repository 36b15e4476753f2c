/* tests/unit/test_replay_captured.c - profiles made by hand, replayed: predictions to the nanosecond, and
 * each reason of a late start. Times are microseconds unless they are named otherwise. */
#include <stdlib.h>

#include "runs/replay/captured_record.h"
#include "scenarios/scenario.h"
#include "tests/support/test.h"

#define US INT64_C(1000)
#define MOST 16

/* A GPU of 2 SMs with 1024 threads each, two copy engines; process 0 has streams 0 to 3, process 1 has 4. */
struct made {
	struct capture c;
	struct capture_gpu gpu;
	struct capture_process processes[2];
	struct capture_thread thread;
	struct capture_stream streams[5];
	struct capture_operation operations[MOST];
	struct capture_wait waits[MOST];
	struct capture_event events[MOST];
	struct capture_context_slice slices[MOST];
	struct arena arena;
	struct captured_request request;
	struct captured r;
};

static struct made made(void)
{
	struct made m = {
		.gpu = {.name = "two SMs",
			.sms = 2,
			.warps_per_sm = 32,
			.compute_major = 7,
			.compute_minor = 5},
		.processes = {{1, ""}, {2, ""}},
		.request = {.gap_ns = -1},
	};
	for (uint32_t i = 0; i < 5; i++)
		m.streams[i] = (struct capture_stream){
			.process = i == 4, .number = 7 + i, .kind = CAPTURE_STREAM_NON_BLOCKING};
	m.c = (struct capture){.file = "made",
		.made_by = "hand",
		.gpu_count = 1,
		.process_count = 2,
		.thread_count = 1,
		.stream_count = 5};
	return m;
}

/* Calls take 2 us. */
static struct capture_operation *add(struct made *m, enum capture_operation_kind kind, uint32_t stream,
	int64_t call, int64_t start, int64_t end)
{
	assert_true(m->c.operation_count < MOST);
	struct capture_operation *o = &m->operations[m->c.operation_count++];
	*o = (struct capture_operation){
		.kind = kind,
		.name = kind == CAPTURE_KERNEL ? "k" : "",
		.stream = stream,
		.call_ns = call * US,
		.return_ns = (call + 2) * US,
		.start_ns = start * US,
		.end_ns = end * US,
		.grid = 1,
		.threads = 32,
	};
	return o;
}

static struct capture_operation *add_kernel(
	struct made *m, uint32_t stream, uint32_t threads, int64_t call, int64_t start, int64_t end)
{
	struct capture_operation *o = add(m, CAPTURE_KERNEL, stream, call, start, end);
	o->threads = threads;
	return o;
}

static bool run(struct made *m, struct error *err)
{
	m->c.gpus = &m->gpu;
	m->c.processes = m->processes;
	m->c.threads = &m->thread;
	m->c.streams = m->streams;
	m->c.operations = m->operations;
	m->c.waits = m->waits;
	m->c.events = m->events;
	m->c.slices = m->slices;
	m->request.capture = &m->c;
	arena_finish(&m->arena);
	return captured_run(&m->r, &m->arena, &m->request, err);
}

static const struct captured_operation *play(struct made *m)
{
	struct error err;
	if (!run(m, &err))
		fail_msg("%s", err.text);
	return m->r.operations;
}

static void expect(const struct captured_operation *o, int64_t predicted_ns, enum captured_reason reason,
	uint32_t blamed)
{
	assert_int_equal(o->predicted_ns, predicted_ns);
	assert_string_equal(captured_reason_name(o->reason), captured_reason_name(reason));
	assert_int_equal(o->blamed, blamed);
}

TEST("in a stream")
{
	struct made m = made();
	add_kernel(&m, 0, 1024, 0, 10, 1000);
	add_kernel(&m, 0, 1024, 20, 1000, 1100)->start_ns += 500;
	const struct captured_operation *o = play(&m);
	expect(&o[0], 10 * US, CAPTURED_IN_TIME, CAPTURED_NONE);
	expect(&o[1], 1000 * US, CAPTURED_STREAM, 0);
	assert_int_equal(captured_error_ns(&o[1]), -500);
	/* The fit: a launch of 2 us, a latency of 8, a gap of 0.5. */
	assert_int_equal(m.r.fit.launch_ns, 2 * US);
	assert_int_equal(m.r.fit.latency_ns, 8 * US);
	assert_int_equal(m.r.fit.gap_ns, 500);
	assert_int_equal(m.r.fit.gaps, 1);
	m.request.fit_gap = true;
	expect(&play(&m)[1], 1000 * US + 500, CAPTURED_STREAM, 0);
	m.request.fit_gap = false;
	m.request.gap_ns = 700;
	expect(&play(&m)[1], 1000 * US + 700, CAPTURED_STREAM, 0);
	arena_finish(&m.arena);
}

/* Gaps add up: their mean predicts the end of a long stream, their median does not. */
TEST("the mean of gaps")
{
	struct made m = made();
	add_kernel(&m, 0, 32, 0, 10, 100);
	add_kernel(&m, 0, 32, 20, 101, 200);
	add_kernel(&m, 0, 32, 21, 201, 300);
	add_kernel(&m, 0, 32, 22, 310, 400);
	m.request.fit_gap = true;
	const struct captured_operation *o = play(&m);
	assert_int_equal(m.r.fit.gap_ns, 4 * US);
	assert_int_equal(captured_error_ns(&o[3]), 0);
	arena_finish(&m.arena);
}

/* R1 and R2: SM 0 is full until 300, SM 1 half full until 500. Kernel 2 needs a whole SM; kernel 3 would fit
 * on SM 1, but waits behind it. */
TEST("no room")
{
	struct made m = made();
	add_kernel(&m, 0, 1024, 0, 10, 300);
	add_kernel(&m, 1, 512, 2, 12, 500);
	add_kernel(&m, 2, 1024, 20, 300, 400)->start_ns += 400;
	add_kernel(&m, 3, 32, 22, 301, 420)->start_ns += 500;
	const struct captured_operation *o = play(&m);
	expect(&o[1], 12 * US, CAPTURED_IN_TIME, CAPTURED_NONE);
	expect(&o[2], 300 * US, CAPTURED_NO_ROOM, 0);
	expect(&o[3], 300 * US, CAPTURED_NO_ROOM, 0);
	assert_int_equal(o[2].room_ns, 300 * US);
	assert_int_equal(m.r.room_waits, 2);
	assert_int_equal(m.r.room_agreed, 1); /* kernel 3 began 1.5 us later */
	assert_int_equal(m.r.room_most_ns, 1500);
	/* One that fits beside kernel 1, with kernel 3, waits for nothing that is known. */
	m.operations[2].threads = 480;
	o = play(&m);
	expect(&o[2], 30 * US, CAPTURED_UNEXPLAINED, CAPTURED_NONE);
	assert_int_equal(m.r.room_waits, 0);
	/* The second block of kernel 2 has no room before 300, and kernel 3 none before it. */
	m.operations[2].threads = 448;
	m.operations[2].grid = 2;
	o = play(&m);
	assert_int_equal(o[2].room_ns, 30 * US);
	assert_int_equal(o[3].room_ns, 300 * US);
	assert_int_equal(o[3].room_by, 0);
	arena_finish(&m.arena);
}

/* Five blocks on two SMs take three rounds: from the third on one SM is free. A kernel that starts before the
 * recorded end of the blocks that gave it room is explained, too. */
TEST("rounds of blocks")
{
	struct made m = made();
	add_kernel(&m, 0, 1024, 0, 10, 310)->grid = 5;
	add_kernel(&m, 1, 1024, 20, 210, 600)->start_ns += 400;
	add_kernel(&m, 2, 1024, 22, 310, 400)->start_ns -= 800;
	const struct captured_operation *o = play(&m);
	expect(&o[1], 210 * US, CAPTURED_NO_ROOM, 0);
	expect(&o[2], 310 * US, CAPTURED_NO_ROOM, 0);
	assert_int_equal(o[2].room_ns, 310 * US);
	assert_int_equal(m.r.room_agreed, 2);
	arena_finish(&m.arena);
}

TEST("copy engines")
{
	struct made m = made();
	add(&m, CAPTURE_COPY, 3, 0, 10, 20)->direction = CAPTURE_TO_CPU;
	add(&m, CAPTURE_COPY, 0, 1, 11, 100)->direction = CAPTURE_TO_GPU;
	add(&m, CAPTURE_COPY, 1, 5, 101, 150)->direction = CAPTURE_TO_GPU;
	add_kernel(&m, 0, 32, 20, 101, 400);
	add(&m, CAPTURE_COPY, 0, 25, 401, 500)->direction = CAPTURE_TO_CPU;
	add(&m, CAPTURE_COPY, 1, 30, 503, 600)->direction = CAPTURE_TO_CPU; /* behind the last, by no rule */
	const struct captured_operation *o = play(&m);
	expect(&o[1], 11 * US, CAPTURED_IN_TIME, CAPTURED_NONE); /* engines of two directions */
	expect(&o[2], 100 * US, CAPTURED_ENGINE, 1);
	expect(&o[4], 400 * US, CAPTURED_STREAM, 3);
	expect(&o[5], 149 * US, CAPTURED_EARLIER, 4);
	/* One engine does both directions, first come, first served. */
	m.gpu.copy_engines = 1;
	expect(&play(&m)[1], 20 * US, CAPTURED_IN_TIME, CAPTURED_NONE);
	arena_finish(&m.arena);
}

TEST("the NULL stream")
{
	struct made m = made();
	m.streams[1].kind = CAPTURE_STREAM_NULL;
	m.streams[0].kind = m.streams[2].kind = CAPTURE_STREAM_BLOCKING;
	add_kernel(&m, 0, 32, 0, 10, 200);
	add_kernel(&m, 1, 32, 20, 201, 300);
	add_kernel(&m, 2, 32, 40, 302, 400);
	const struct captured_operation *o = play(&m);
	expect(&o[1], 200 * US, CAPTURED_NULL_STREAM, CAPTURED_NONE);
	expect(&o[2], 299 * US, CAPTURED_NULL_STREAM, CAPTURED_NONE); /* the NULL stream began 1 us early */
	assert_false(m.r.mixed_streams);
	/* A stream that does not wait for it cannot be said: it is marked. */
	add_kernel(&m, 3, 32, 45, 55, 60);
	play(&m);
	assert_true(m.r.mixed_streams);
	/* Where all others are of that kind, nobody waits. */
	m.streams[0].kind = m.streams[2].kind = CAPTURE_STREAM_NON_BLOCKING;
	expect(&play(&m)[1], 30 * US, CAPTURED_UNEXPLAINED, CAPTURED_NONE);
	/* Of streams whose kind is not known the caller says it. */
	m.streams[0].kind = CAPTURE_STREAM_UNKNOWN;
	expect(&play(&m)[1], 30 * US, CAPTURED_UNEXPLAINED, CAPTURED_NONE);
	m.request.unknown_blocks = true;
	expect(&play(&m)[1], 200 * US, CAPTURED_NULL_STREAM, CAPTURED_NONE);
	arena_finish(&m.arena);
}

TEST("events of other streams")
{
	struct made m = made();
	add_kernel(&m, 0, 32, 0, 10, 200);
	add_kernel(&m, 1, 32, 20, 203, 300);
	m.events[0] = (struct capture_event){.stream = 0, .call_ns = 5 * US};
	m.waits[0] = (struct capture_wait){
		.kind = CAPTURE_STREAM_WAIT_EVENT, .stream = 1, .event = 0, .call_ns = 10 * US};
	m.c.event_count = m.c.wait_count = 1;
	const struct captured_operation *o = play(&m);
	expect(&o[1], 200 * US, CAPTURED_SYNC, 0);
	assert_int_equal(m.r.held, 1);
	m.waits[0].event = CAPTURE_NONE; /* nobody knows what for */
	expect(&play(&m)[1], 30 * US, CAPTURED_SYNC, CAPTURED_NONE);
	assert_int_equal(m.r.unordered, 1);
	m.waits[0].stream = CAPTURE_NONE; /* nor who waits */
	expect(&play(&m)[1], 30 * US, CAPTURED_UNEXPLAINED, CAPTURED_NONE);
	assert_int_equal(m.r.unknown_waits, 1);
	m.waits[0].stream = 1;
	m.waits[0].event = 0;
	m.waits[0].call_ns = 25 * US; /* after the kernel was issued */
	expect(&play(&m)[1], 30 * US, CAPTURED_UNEXPLAINED, CAPTURED_NONE);
	assert_int_equal(m.r.held, 0);
	arena_finish(&m.arena);
}

/* A call that takes long, and batches of Windows' driver, which wait at least as long as the fastest launch.
 */
TEST("launches and submissions")
{
	struct made m = made();
	add_kernel(&m, 0, 32, 0, 10, 20);
	add_kernel(&m, 1, 32, 20, 90, 100)->return_ns = 80 * US;
	add_kernel(&m, 2, 32, 120, 160, 180);
	const struct captured_operation *o = play(&m);
	expect(&o[1], 30 * US, CAPTURED_LAUNCH, CAPTURED_NONE);
	expect(&o[2], 130 * US, CAPTURED_UNEXPLAINED, CAPTURED_NONE);
	m.c.windows = true;
	expect(&play(&m)[2], 130 * US, CAPTURED_SUBMISSION,
		CAPTURED_NONE); /* 30 us: 10 us and the tolerance */
	m.operations[2].start_ns++;
	expect(&play(&m)[2], 130 * US, CAPTURED_UNEXPLAINED, CAPTURED_NONE);
	arena_finish(&m.arena);
}

TEST("measures")
{
	struct made m = made();
	for (int i = 0; i < 10; i++) /* errors of 0, 1, .., 9 us */
		add_kernel(&m, 0, 32, 100 * i, 100 * i + 5 + i, 100 * i + 20);
	struct capture_operation *o = add_kernel(&m, 1, 32, 0, 950, 960);
	o->call_ns = o->return_ns = CAPTURE_UNKNOWN;
	play(&m);
	assert_int_equal(m.r.all.count, 10);
	assert_int_equal(m.r.no_call, 1);
	assert_true(m.r.all.median_us > 4.499 && m.r.all.median_us < 4.501);
	assert_true(m.r.all.p90_us > 7.999 && m.r.all.p90_us < 8.001);
	assert_true(m.r.all.max_us > 8.999 && m.r.all.max_us < 9.001);
	assert_int_equal(m.r.by_kind[CAPTURED_KERNEL].count, 10);
	assert_int_equal(m.r.by_kind[CAPTURED_MEMSET].count, 0);
	arena_finish(&m.arena);
}

TEST("threads that issue to one stream")
{
	struct made m = made();
	add_kernel(&m, 0, 32, 0, 50, 60); /* its call began first, its launch came second */
	add_kernel(&m, 0, 32, 1, 11, 49);
	const struct captured_operation *o = play(&m);
	assert_int_equal(o[0].predecessor, 1);
	expect(&o[1], 11 * US, CAPTURED_IN_TIME, CAPTURED_NONE);
	expect(&o[0], 49 * US, CAPTURED_STREAM, 1);
	arena_finish(&m.arena);
}

TEST("several processes")
{
	struct made m = made();
	struct error err;
	add_kernel(&m, 0, 32, 0, 10, 200);
	add_kernel(&m, 4, 32, 20, 30, 300);
	assert_false(run(&m, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_non_null(strstr(err.text, "--gpuctxsw=true"));
	m.request.together = true;
	play(&m);
	assert_int_equal(m.r.unit_count, 1);
	m.request.together = false;
	m.c.has_slices = true;
	m.slices[0] = (struct capture_context_slice){.process = 0, .start_ns = 0, .end_ns = 25 * US};
	m.slices[1] = (struct capture_context_slice){.process = 1, .start_ns = 26 * US, .end_ns = 60 * US};
	m.c.slice_count = 2;
	const struct captured_operation *o = play(&m);
	assert_int_equal(m.r.unit_count, 2);
	assert_int_equal(o[0].marks, CAPTURED_SLICED);
	assert_int_equal(o[1].marks, 0); /* the other's slice was over before it was due */
	m.c.has_slices = false;
	m.c.slice_count = 0;
	m.operations[1].start_ns = 200 * US; /* one after the other */
	play(&m);
	assert_int_equal(m.r.unit_count, 2);
	arena_finish(&m.arena);
}

TEST("what cannot be replayed")
{
	struct made m = made();
	struct error err;
	add_kernel(&m, 0, 2048, 0, 10, 20);
	assert_false(run(&m, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_non_null(strstr(err.text, "cannot run on 'two SMs'"));
	m.operations[0].threads = 32;
	m.gpu.sms = 0;
	assert_false(run(&m, &err));
	assert_non_null(strstr(err.text, "--platform"));
	m.gpu.sms = 2;
	m.operations[0].end_ns = INT64_MAX - 5;
	m.operations[0].start_ns = 0;
	assert_false(run(&m, &err));
	assert_non_null(strstr(err.text, "64 bits"));
	arena_finish(&m.arena);
}

/* Behind its predecessor, but it waited for an event that happened later. */
TEST("what is no gap")
{
	struct made m = made();
	add_kernel(&m, 0, 32, 0, 10, 200);
	add_kernel(&m, 1, 32, 20, 30, 190);
	add_kernel(&m, 1, 32, 40, 201, 300);
	play(&m);
	assert_int_equal(m.r.fit.gaps, 1);
	m.events[0] = (struct capture_event){.stream = 0, .call_ns = 5 * US};
	m.waits[0] = (struct capture_wait){
		.kind = CAPTURE_STREAM_WAIT_EVENT, .stream = 1, .event = 0, .call_ns = 35 * US};
	m.c.event_count = m.c.wait_count = 1;
	play(&m);
	assert_int_equal(m.r.fit.gaps, 0);
	arena_finish(&m.arena);
}

/* ---- as a recording ---- */

/* Names have what a file may have in them. The text gives the work back; its only run is that of the replay
 * (cli_measured). */
TEST("as a scenario")
{
	struct made m = made();
	struct text text = {0};
	struct scenario s;
	struct diagnostics d;
	struct error err;
	add_kernel(&m, 0, 1024, 0, 10, 1000)->name = "a\"b: \xc3\x28\n";
	add(&m, CAPTURE_COPY, 1, 20, 30, 40)->direction = CAPTURE_TO_GPU;
	add_kernel(&m, 0, 64, 60, 1001, 1002)->call_ns = CAPTURE_UNKNOWN;
	play(&m);
	assert_true(captured_scenario(&m.r, &m.r.units[0], "made: by hand", &text, &err));
	diagnostics_init(&d, "made");
	if (!scenario_read_text("made", text_data(&text), text.length, &s, &d))
		fail_msg("%s", text_data(&text));
	assert_string_equal(s.name, "made: by hand");
	assert_int_equal(s.record, RECORD_SEGMENTS);
	assert_int_equal(s.platform.sms, 2);
	assert_int_equal(s.set.task_count, 3);
	assert_string_equal(s.set.tasks[0].name, "stream 7 #1");
	assert_string_equal(s.set.tasks[0].segments[0].name, "a\"b: ?(?");
	assert_int_equal(s.set.tasks[0].segments[0].block, 1024);
	assert_string_equal(s.set.tasks[1].name, "stream 8 #2");
	assert_string_equal(s.set.tasks[1].segments[0].name, "to_gpu");
	assert_int_equal(s.set.tasks[1].offset_ns, 20 * US);
	assert_true(s.set.tasks[2].deadline_ns >= s.setup.limit_ns);
	scenario_finish(&s);
	diagnostics_finish(&d);
	text_finish(&text);
	arena_finish(&m.arena);
}

/* The run begins with the first release, at 10 us of the capture. */
TEST("as rows of what was measured")
{
	struct made m = made();
	struct measured_row rows[3];
	add_kernel(&m, 0, 1024, 0, 10, 1000);
	add_kernel(&m, 0, 1024, 20, 1000, 1100)->start_ns += 500;
	add_kernel(&m, 0, 64, 1200, 1201, 1202)->call_ns = CAPTURE_UNKNOWN;
	play(&m);
	captured_measured(&m.r, &m.r.units[0], rows);
	assert_int_equal(rows[0].task, 0);
	assert_int_equal(rows[0].start_ns, 0);
	assert_int_equal(rows[0].end_ns, 990 * US);
	assert_string_equal(rows[0].reason, "in_time");
	assert_int_equal(rows[1].task, 1);
	assert_int_equal(rows[1].start_ns, 990 * US + 500);
	assert_string_equal(rows[1].reason, "stream");
	assert_null(rows[2].reason);
	arena_finish(&m.arena);
}

/* Divisions of 0, 8, 16, 32, 64 and 96 KiB. The kernel on both SMs has the division that the file says, and
 * the one behind it needs 16 KiB. */
TEST("carve-outs")
{
	struct made m = made();
	m.gpu.compute_minor = 0;
	struct capture_operation *first = add_kernel(&m, 0, 512, 0, 10, 300);
	first->grid = 2;
	first->shared_memory_carve_out = 8192;
	struct capture_operation *second = add_kernel(&m, 1, 512, 20, 300, 400);
	second->shared_memory = 16384;
	second->shared_memory_carve_out = CAPTURE_UNKNOWN;
	add(&m, CAPTURE_MEMSET, 2, 600, 610, 900)->shared_memory_carve_out = CAPTURE_UNKNOWN;
	add(&m, CAPTURE_MEMSET, 1, 600, 610, 900)->shared_memory_carve_out = CAPTURE_UNKNOWN;
	struct capture_operation *last = add_kernel(&m, 3, 512, 610, 620, 700);
	last->grid = 2;
	last->shared_memory = 16384;
	expect(&play(&m)[1], 30 * US, CAPTURED_UNEXPLAINED, CAPTURED_NONE);
	m.request.carveout = true;
	const struct captured_operation *o = play(&m);
	expect(&o[1], 300 * US, CAPTURED_NO_ROOM, 0);
	expect(&o[4], 620 * US, CAPTURED_IN_TIME, CAPTURED_NONE); /* memsets divide nothing */
	first->shared_memory_carve_out = 32768;
	expect(&play(&m)[1], 30 * US, CAPTURED_UNEXPLAINED, CAPTURED_NONE);
	m.gpu.compute_major = 6;
	struct error err;
	assert_false(run(&m, &err));
	assert_non_null(strstr(err.text, "made says that two SMs has compute capability 6.0"));
	arena_finish(&m.arena);
}
