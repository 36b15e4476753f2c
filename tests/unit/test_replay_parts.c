/* tests/unit/test_replay_parts.c - long profiles are simulated part by part (runs/replay/captured_play.c),
 * and rooms on the SMs are found stretch by stretch (captured_rooms.c): whatever the parts, the answers are
 * those of the whole. */
#include <stdlib.h>

#include "base/random.h"
#include "runs/replay/captured.h"
#include "tests/support/test.h"

#define US INT64_C(1000)
#define COUNT 300
#define STREAMS 4 /* the last is the NULL stream */
#define WHOLE (UINT64_C(1) << 40)

/* A GPU of 2 SMs with 1024 threads each and two copy engines. */
struct made {
	struct capture c;
	struct capture_gpu gpu;
	struct capture_process process;
	struct capture_thread thread;
	struct capture_stream streams[STREAMS];
	struct capture_operation operations[COUNT];
	int64_t busy_ns[STREAMS];
	uint32_t seed;
};

static int64_t draw(const struct made *m, uint32_t operation, uint8_t what, int64_t bound)
{
	const struct random_key key = {
		.seed = m->seed, .task = operation, .segment = what, .purpose = RANDOM_TEST};
	return random_upto(&key, bound);
}

/* A call 2 us behind the last one or, one time in `calm`, 2 ms. It starts some time later, when its stream is
 * free. */
static void add(struct made *m, int64_t *call_ns, int64_t calm, uint32_t streams)
{
	uint32_t i = m->c.operation_count++;
	struct capture_operation *o = &m->operations[i];
	uint32_t stream = (uint32_t)draw(m, i, 0, streams - 1);
	*call_ns += draw(m, i, 1, calm) == 0 ? 2000 * US : 2 * US;
	*o = (struct capture_operation){
		.kind = (enum capture_operation_kind)(draw(m, i, 2, 9) > 2 ? 0 : draw(m, i, 3, 2)),
		.name = "k",
		.stream = stream,
		.call_ns = *call_ns,
		.return_ns = *call_ns + US,
		.start_ns = *call_ns + 5 * US + draw(m, i, 4, 40 * US),
		.grid = 1 + (uint64_t)draw(m, i, 5, 7),
		.threads = 32 * (1 + (uint32_t)draw(m, i, 6, 31)),
		.direction = (enum capture_direction)draw(m, i, 7, 2),
	};
	if (o->start_ns < m->busy_ns[stream])
		o->start_ns = m->busy_ns[stream];
	o->end_ns = o->start_ns + draw(m, i, 8, 30 * US); /* some take no time */
	m->busy_ns[stream] = o->end_ns;
}

static void make(struct made *m, uint32_t seed, int64_t calm, uint32_t streams)
{
	int64_t call_ns = 0;
	*m = (struct made){.seed = seed,
		.gpu = {.name = "two SMs",
			.sms = 2,
			.warps_per_sm = 32,
			.compute_major = 7,
			.compute_minor = 5},
		.process = {1, ""}};
	for (uint32_t i = 0; i < STREAMS; i++)
		m->streams[i] = (struct capture_stream){.number = 7 + i,
			.kind = i + 1 < STREAMS ? CAPTURE_STREAM_BLOCKING : CAPTURE_STREAM_NULL,
			.priority = i == 1 ? -1 : 0,
			.priority_known = true};
	m->c = (struct capture){.file = "made",
		.made_by = "hand",
		.gpus = &m->gpu,
		.processes = &m->process,
		.threads = &m->thread,
		.streams = m->streams,
		.operations = m->operations,
		.gpu_count = 1,
		.process_count = 1,
		.thread_count = 1,
		.stream_count = STREAMS};
	for (uint32_t i = 0; i < COUNT; i++)
		add(m, &call_ns, calm, streams);
}

static void play(
	const struct made *m, struct captured *r, struct arena *arena, uint64_t bytes, int64_t gap_ns)
{
	struct error err;
	const struct captured_request q = {
		.capture = &m->c, .unknown_blocks = true, .gap_ns = gap_ns, .part_bytes = bytes};
	if (!captured_run(r, arena, &q, &err))
		fail_msg("%s", err.text);
}

static void expect_same(const struct captured *a, const struct captured *b)
{
	for (uint32_t i = 0; i < COUNT; i++) {
		const struct captured_operation *x = &a->operations[i], *y = &b->operations[i];
		assert_int_equal(x->predicted_ns, y->predicted_ns);
		assert_int_equal(x->reason, y->reason);
		assert_int_equal(x->blamed, y->blamed);
		assert_int_equal(x->room_ns, y->room_ns);
		assert_int_equal(x->room_by, y->room_by);
	}
}

/* With `streams` streams, without and with gaps. */
static uint64_t compare(uint32_t seed, int64_t calm, uint32_t streams)
{
	static const uint64_t sizes[] = {1, 5000, 100000};
	struct made m;
	uint64_t most = 0;
	make(&m, seed, calm, streams);
	for (int64_t gap_ns = 0; gap_ns <= 700; gap_ns += 700) {
		struct arena arena = {0};
		struct captured whole, parts;
		play(&m, &whole, &arena, WHOLE, gap_ns);
		assert_int_equal(whole.parts, 1);
		for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
			play(&m, &parts, &arena, sizes[i], gap_ns);
			expect_same(&parts, &whole);
			most = parts.parts > most ? parts.parts : most;
		}
		arena_finish(&arena);
	}
	return most;
}

TEST("of a calm profile")
{
	for (uint32_t seed = 1; seed <= 40; seed++)
		assert_true(compare(seed, 3, STREAMS) > 20);
}

/* With hardly a moment at which nothing is under way, or none. */
TEST("of a busy profile")
{
	for (uint32_t seed = 1; seed <= 40; seed++)
		compare(seed, 60, STREAMS);
	for (uint32_t seed = 1; seed <= 10; seed++)
		compare(seed, COUNT * 100, STREAMS - 1);
}

TEST("of one stream")
{
	for (uint32_t seed = 1; seed <= 20; seed++)
		assert_true(compare(seed, 5, 1) > 10);
}

/* The room of a kernel that takes no time is free behind it. */
TEST("a kernel without length")
{
	struct made m;
	struct captured r;
	struct arena arena = {0};
	make(&m, 1, 3, STREAMS);
	m.c.operation_count = 4;
	for (uint32_t i = 0; i < 4; i++) {
		struct capture_operation *o = &m.operations[i];
		o->kind = CAPTURE_KERNEL;
		o->stream = i % 3;
		o->grid = 2;
		o->threads = 1024;
		o->call_ns = i * 10 * US;
		o->return_ns = o->call_ns + US;
		o->start_ns = o->call_ns + 10 * US;
		o->end_ns = o->start_ns + 3 * US;
	}
	m.operations[1].end_ns = m.operations[1].start_ns;
	m.operations[3].start_ns += 30 * US; /* nothing was in its way */
	play(&m, &r, &arena, 0, 0);
	assert_int_equal(r.operations[2].room_by, CAPTURED_NONE);
	assert_int_equal(r.operations[3].reason, CAPTURED_UNEXPLAINED);
	assert_int_equal(r.operations[3].room_ns, r.operations[3].eligible_ns);
	arena_finish(&arena);
}
