/* tests/golden/test_golden_replay.c - recordings of real GPUs, replayed under rules R1 and R2 (golden results
 * G9), and logs that we wrote by hand, to the nanosecond.
 *
 * The bounds for real recordings are the errors measured when the replay was written, rounded up. Most of
 * each error is launch latency, which the model does not have. If the recordings are not there, those tests
 * replay the handwritten logs that show the same rules, so every test checks something. */
#include <stdio.h>
#include <string.h>

#include "runs/replay/replay.h"
#include "scenarios/presets.h"
#include "tests/support/recordings.h"
#include "tests/support/test.h"

#define LOGS_MAX 8

struct played {
	struct arena arena;
	struct log logs[LOGS_MAX];
	struct diagnostics diagnostics[LOGS_MAX];
	struct recorded_copies copies;
	uint32_t count;
	struct replay replay;
};

typedef void path_fn(char path[RECORDINGS_PATH], const char *name);

static void read_one(struct played *p, path_fn *path_of, const char *name)
{
	char path[RECORDINGS_PATH];
	struct error err;
	assert_in_range(p->count, 0, LOGS_MAX - 1);
	path_of(path, name);
	diagnostics_init(&p->diagnostics[p->count], path);
	if (!log_read(&p->logs[p->count], &p->arena, path, &p->diagnostics[p->count], &err)) {
		diagnostics_print(&p->diagnostics[p->count], stderr);
		fail_msg("%s", err.text);
	}
	p->count++;
}

static void read_copies(struct played *p, const char *text, struct copy_bandwidth bandwidth)
{
	char buffer[1024];
	struct error err;
	struct diagnostics d;
	diagnostics_init(&d, "copies");
	assert_in_range(snprintf(buffer, sizeof(buffer), "%s", text), 1, sizeof(buffer) - 1);
	bool ok = copies_parse(&p->copies, &p->arena, buffer, &bandwidth, p->logs, p->count, &d, &err);
	diagnostics_print(&d, stderr);
	diagnostics_finish(&d);
	assert_true(ok);
}

static const struct replay *play(struct played *p, bool together)
{
	struct error err;
	const struct platform *platform = replay_platform(p->logs[0].max_resident_threads);
	assert_non_null(platform);
	struct replay_request request = {
		.platform = platform,
		.logs = p->logs,
		.log_count = p->count,
		.copies = &p->copies,
		.together = together,
	};
	if (!replay_run(&p->replay, &p->arena, &request, p->diagnostics, &err))
		fail_msg("%s", err.text);
	return &p->replay;
}

static void finish(struct played *p)
{
	for (uint32_t i = 0; i < p->count; i++)
		diagnostics_finish(&p->diagnostics[i]);
	arena_finish(&p->arena);
	*p = (struct played){0};
}

/* Reads logs named "a b c". */
static void read_all(struct played *p, path_fn *path_of, const char *names)
{
	char name[128];
	int length;
	for (; sscanf(names, " %127s%n", name, &length) == 1; names += length)
		read_one(p, path_of, name);
}

/* The i-th predicted start of a kernel is `recorded + error`. */
static void expect_errors(const struct replay_kernel *k, const int64_t *errors)
{
	for (uint32_t b = 0; b < k->kernel->blocks; b++)
		assert_int_equal(k->error_ns[b], errors[b]);
}

/* ---- Logs of our own: every start is known ---- */

static void test_head_of_line(void **state)
{
	struct played p = {0};
	read_all(&p, recordings_own_path, "head_of_line_1.json head_of_line_2.json head_of_line_3.json");
	const struct replay *r = play(&p, false);
	assert_int_equal(r->kernel_count, 3);
	assert_int_equal(r->processes, 1);
	expect_errors(&r->kernels[0], (int64_t[]){-10000, -10000, -10000});
	expect_errors(&r->kernels[1], (int64_t[]){-12000, -15000});
	expect_errors(&r->kernels[2], (int64_t[]){-16000});
	assert_true(r->kernels[1].errors.median_us == 13.5 && r->kernels[1].errors.max_us == 15.0);
	assert_true(r->errors.median_us == 11.0 && r->errors.max_us == 16.0);
	assert_int_equal(r->errors.blocks, 6);
	assert_int_equal(r->errors.first_wave, 4);
	assert_int_equal(r->errors.sm_matches, 4);
	assert_int_equal(r->errors.drained, 0);

	/* One recorded SM differs from the predicted one; and the order of the blocks does not matter. */
	p.logs[0].kernels[0].sm[1] = 0;
	p.logs[1].kernels[0].start_ns[0] = 101015000;
	p.logs[1].kernels[0].start_ns[1] = 10012000;
	p.logs[1].kernels[0].end_ns[0] = 201015000;
	p.logs[1].kernels[0].end_ns[1] = 110012000;
	r = play(&p, false);
	assert_int_equal(r->errors.first_wave, 4);
	assert_int_equal(r->errors.sm_matches, 3);
	expect_errors(&r->kernels[1], (int64_t[]){-12000, -15000});
	finish(&p);
}

TEST_RUNS(test_head_of_line, "head of line");

/* Blocks of one second and of two seconds. If all blocks had one time, 1.5 s, every later start would be 500
 * ms off. */
TEST("uneven blocks")
{
	struct played p = {0};
	read_all(&p, recordings_own_path, "uneven_1.json uneven_2.json");
	const struct replay *r = play(&p, false);
	expect_errors(&r->kernels[0], (int64_t[]){0, 0, 0, 0, 0, 0});
	expect_errors(&r->kernels[1], (int64_t[]){0, 0});
	assert_int_equal(r->errors.first_wave, 4);
	assert_int_equal(r->errors.sm_matches, 4);
	assert_int_equal(r->kernels[0].kernel->block_ns, 1500000000);
	assert_int_equal(r->kernels[0].sm[4], 0);
	assert_int_equal(r->kernels[0].sm[5], 0);
	for (uint32_t b = 0; b < 6; b++)
		p.logs[0].kernels[0].end_ns[b] = p.logs[0].kernels[0].start_ns[b] + 1500000000;
	r = play(&p, false);
	expect_errors(&r->kernels[0], (int64_t[]){0, 0, 0, 0, 500000000, 500000000});
	expect_errors(&r->kernels[1], (int64_t[]){-500000000, -500000000});
	finish(&p);
}

static void shift(struct log_kernel *k, int64_t ns)
{
	k->call_ns += ns;
	k->launch_ns += ns;
	for (uint32_t b = 0; b < k->blocks; b++) {
		k->start_ns[b] += ns;
		k->end_ns[b] += ns;
	}
}

/* It does not matter where the clock has its zero, or if a block is too short for the clock. */
TEST("any clock")
{
	struct played p = {0};
	read_all(&p, recordings_own_path, "head_of_line_1.json head_of_line_2.json head_of_line_3.json");
	for (uint32_t i = 0; i < p.count; i++)
		shift(p.logs[i].kernels, INT64_C(-5000000000));
	expect_errors(&play(&p, false)->kernels[1], (int64_t[]){-12000, -15000});
	for (uint32_t b = 0; b < 3; b++)
		p.logs[0].kernels[0].end_ns[b] = p.logs[0].kernels[0].start_ns[b];
	expect_errors(&play(&p, false)->kernels[0], (int64_t[]){-10000, -10000, -10000});
	finish(&p);
}

/* The second launch waits for the first because of the order of the stream, not for lack of room. */
static void test_copies_on_the_stream(void **state)
{
	struct played p = {0};
	read_all(&p, recordings_own_path, "copies.json");
	expect_errors(&play(&p, false)->kernels[1], (int64_t[]){101000000 - 131013000});
	read_copies(&p, "copies.json, A, to_cpu, 10ms\ncopies.json, #1, to_gpu, 20ms\n",
		(struct copy_bandwidth){0});
	expect_errors(&play(&p, false)->kernels[0], (int64_t[]){-11000});
	expect_errors(&p.replay.kernels[1], (int64_t[]){-13000});
	/* 100 MB at 10 GB/s and at 5 GB/s are the same 10 and 20 ms. */
	read_copies(&p,
		"log,kernel,direction,amount\ncopies.json,B,to_gpu,100MB\ncopies.json,A,to_cpu,100MB\n",
		(struct copy_bandwidth){.to_gpu = INT64_C(5000000000), .to_cpu = INT64_C(10000000000)});
	expect_errors(&play(&p, false)->kernels[1], (int64_t[]){-13000});
	/* A copy before a kernel begins when the launch is called. */
	read_copies(&p, "copies.json, A, to_gpu, 10ms\n", (struct copy_bandwidth){0});
	expect_errors(&play(&p, false)->kernels[0], (int64_t[]){970000 + 10000000 - 1011000});
	finish(&p);
}

TEST_RUNS(test_copies_on_the_stream, "copies on the stream");

TEST("null stream")
{
	struct played p = {0};
	read_all(&p, recordings_own_path, "null_stream_1.json null_stream_2.json null_stream_3.json");
	assert_true(p.logs[1].null_stream && !p.logs[0].null_stream && !p.logs[2].null_stream);
	const struct replay *r = play(&p, false);
	expect_errors(&r->kernels[0], (int64_t[]){-11000});
	expect_errors(&r->kernels[1], (int64_t[]){-20000});
	expect_errors(&r->kernels[2], (int64_t[]){-30000});
	assert_int_equal(r->kernels[1].stream, STREAM_NULL);
	/* On an ordinary stream nothing would wait. */
	p.logs[1].null_stream = false;
	expect_errors(&play(&p, false)->kernels[1], (int64_t[]){20000000 - 101020000});
	finish(&p);
}

TEST("processes")
{
	struct played p = {0};
	read_all(&p, recordings_own_path, "two_processes_1.json two_processes_2.json");
	const struct replay *r = play(&p, false);
	assert_int_equal(r->processes, 2);
	assert_true(r->at_once);
	assert_int_equal(r->kernels[1].process, 1);
	assert_int_equal(r->kernels[1].stream, 0);
	expect_errors(&r->kernels[1], (int64_t[]){-10000, -10000, -10000, -10000});
	assert_int_equal(r->errors.sm_matches, 8);
	p.logs[1].thread = true;
	assert_false(play(&p, false)->at_once);
	p.logs[1].thread = false;
	p.logs[1].scenario = p.logs[1].label;
	assert_false(play(&p, false)->at_once);
	r = play(&p, true);
	assert_int_equal(r->processes, 1);
	assert_int_equal(r->kernels[1].stream, 1);
	expect_errors(&r->kernels[1], (int64_t[]){98990000, 98990000, 98990000, 98990000});
	finish(&p);
}

TEST("high priority")
{
	struct played p = {0};
	read_all(&p, recordings_own_path, "head_of_line_1.json head_of_line_2.json head_of_line_3.json");
	p.logs[2].high_priority = true;
	/* C does not wait behind the second block of B. */
	expect_errors(&play(&p, false)->kernels[2], (int64_t[]){20000000 - 101016000});
	finish(&p);
}

TEST("carve out")
{
	struct played p = {0};
	read_all(&p, recordings_own_path, "carve_out_1.json carve_out_2.json");
	const struct replay *r = play(&p, false);
	expect_errors(&r->kernels[1], (int64_t[]){10000000 - 101040000, 10000000 - 101040000});
	assert_int_equal(r->kernels[1].errors.drained, 2);
	assert_int_equal(r->errors.drained, 2);

	/* With divisions the SMs of the first kernel, which needs no shared memory, have none until they are
	 * empty. */
	struct platform divided = *replay_platform(4096);
	struct error err;
	assert_true(divisions_find("7.0", &divided.divisions));
	const struct replay_request request = {
		.platform = &divided, .logs = p.logs, .log_count = p.count, .copies = &p.copies};
	assert_true(replay_run(&p.replay, &p.arena, &request, p.diagnostics, &err));
	expect_errors(&r->kernels[1], (int64_t[]){-30000 - 10000, -30000 - 10000});

	struct log_kernel *small = p.logs[0].kernels, *large = p.logs[1].kernels;
	/* Blocks do not count as drained if they begin long after their SM had drained, ... */
	large->start_ns[1] += 50 * 1000 * 1000;
	assert_int_equal(play(&p, false)->errors.drained, 1);
	/* ... if the other kernel needs as much shared memory, ... */
	small->shared_memory = large->shared_memory = 1024;
	assert_int_equal(play(&p, false)->errors.drained, 0);
	/* ... so much that the model makes it wait too, ... */
	small->shared_memory = large->shared_memory = 40960;
	assert_int_equal(play(&p, false)->errors.drained, 0);
	assert_int_equal(p.replay.kernels[1].error_ns[0], -40000);
	/* ... or if it was hardly late. */
	small->shared_memory = 0;
	for (int b = 0; b < 2; b++) {
		small->end_ns[b] = 10050000;
		large->start_ns[b] = 10060000;
	}
	assert_int_equal(play(&p, false)->errors.drained, 0);
	finish(&p);
}

TEST("CPU logs are no process")
{
	struct played p = {0};
	read_all(&p, recordings_own_path, "cpu_only.json copies.json");
	assert_int_equal(p.logs[0].kernel_count, 0);
	struct error err;
	struct replay_request request = {.platform = replay_platform(4096), .logs = p.logs, .log_count = 2};
	assert_true(replay_run(&p.replay, &p.arena, &request, p.diagnostics, &err));
	assert_int_equal(p.replay.processes, 1);
	assert_int_equal(p.replay.kernel_count, 2);
	request.log_count = 1;
	assert_false(replay_run(&p.replay, &p.arena, &request, p.diagnostics, &err));
	assert_string_equal(err.text, "the logs hold no kernels");
	finish(&p);
}

TEST("block that fits no SM")
{
	struct played p = {0};
	struct error err;
	read_all(&p, recordings_own_path, "copies.json");
	p.logs[0].kernels[1].threads = 2049;
	struct replay_request request = {.platform = replay_platform(4096), .logs = p.logs, .log_count = 1};
	assert_false(replay_run(&p.replay, &p.arena, &request, p.diagnostics, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_int_equal(p.diagnostics[0].count, 1);
	assert_int_equal(p.diagnostics[0].items[0].line, p.logs[0].kernels[1].line);
	assert_non_null(strstr(p.diagnostics[0].items[0].text, "2049 threads; this GPU takes at most 1024"));
	finish(&p);
}

TEST("times beyond 64 bits")
{
	struct played p = {0};
	struct error err;
	read_all(&p, recordings_own_path, "head_of_line_1.json");
	for (uint32_t b = 0; b < 3; b++)
		p.logs[0].kernels[0].end_ns[b] = INT64_MAX / 2;
	struct replay_request request = {.platform = replay_platform(4096), .logs = p.logs, .log_count = 1};
	assert_false(replay_run(&p.replay, &p.arena, &request, p.diagnostics, &err));
	assert_non_null(strstr(err.text, "64 bits"));
	finish(&p);
}

TEST("platforms")
{
	assert_string_equal(replay_platform(4096)->name, "jetson-tx2");
	assert_string_equal(replay_platform(163840)->name, "titan-v");
	assert_null(replay_platform(12345));
}

/* ---- Recordings of real GPUs (G9) ---- */

struct golden {
	const char *logs, *copies;
	struct copy_bandwidth bandwidth;
	uint32_t kernels;
	uint64_t blocks, first_wave, sm_matches;
	double median_us, max_us; /* below these */
};

#define TEST4(blocks) "volta-80sm/test4_block/test4_b" #blocks ".json"
#define QUEUE "volta-80sm/titan_v_queuetest_stream"
#define FIG3 "volta-80sm/rtss17_fig3_stream"
#define TEST5 "volta-80sm/test5/test5_stream"
#define NULLS "volta-80sm/null_stream_"

static const char fig3_copies[] = "rtss17_fig3_stream1.json, K2, to_cpu, 256MiB\n"
				  "rtss17_fig3_stream1.json, K3, to_gpu, 256MiB\n"
				  "rtss17_fig3_stream1.json, K3, to_cpu, 256MiB\n"
				  "rtss17_fig3_stream3.json, K5, to_cpu, 256MiB\n"
				  "rtss17_fig3_stream2.json, K6, to_gpu, 256MiB\n";

static const struct golden goldens[] = {
	{"tx2/concurrent_1st_1.json tx2/concurrent_1st_2.json tx2/concurrent_1st_3.json "
	 "tx2/concurrent_1st_4.json",
		.kernels = 4, .blocks = 16, .first_wave = 8, .sm_matches = 8, .median_us = 40, .max_us = 40},
	{QUEUE "1.json " QUEUE "2.json " QUEUE "3.json", .kernels = 4, .blocks = 164, .first_wave = 160,
		.sm_matches = 160, .median_us = 30, .max_us = 30},
	{TEST4(2560), .kernels = 1, .blocks = 2560, .first_wave = 2560, .sm_matches = 2560, .median_us = 30,
		.max_us = 30},
	/* Its last blocks of the first wave began 30.3 us after the launch returned. */
	{TEST4(2561), .kernels = 1, .blocks = 2561, .first_wave = 2560, .sm_matches = 2560, .median_us = 30,
		.max_us = 30.4},
	{TEST4(4096), .kernels = 1, .blocks = 4096, .first_wave = 2560, .sm_matches = 2560, .median_us = 30,
		.max_us = 30},
	{TEST5 "1.json " TEST5 "2.json " TEST5 "3.json", .kernels = 3, .blocks = 240, .first_wave = 160,
		.sm_matches = 160, .median_us = 120, .max_us = 120},
	{TEST5 "1_2.json " TEST5 "2_2.json " TEST5 "3_2.json", .kernels = 3, .blocks = 240, .first_wave = 160,
		.sm_matches = 160, .median_us = 120, .max_us = 120},
	{NULLS "1.json " NULLS "2.json " NULLS "3.json " NULLS "4.json " NULLS "5.json", .kernels = 6,
		.blocks = 18, .first_wave = 6, .sm_matches = 6, .median_us = 40, .max_us = 40},
	/* K5 has nothing to wait for and began 21.7 us after its launch returned. */
	{FIG3 "1.json " FIG3 "2.json " FIG3 "3.json", fig3_copies,
		{INT64_C(12375000000), INT64_C(13187000000)}, .kernels = 6, .blocks = 18, .first_wave = 12,
		.sm_matches = 12, .median_us = 20, .max_us = 21.8},
};

static void check_golden(const struct golden *g)
{
	struct played p = {0};
	read_all(&p, recordings_path, g->logs);
	if (g->copies)
		read_copies(&p, g->copies, g->bandwidth);
	const struct replay_errors *e = &play(&p, false)->errors;
	print_message("# %-60.60s median %.3f us, max %.3f us\n", g->logs, e->median_us, e->max_us);
	assert_int_equal(p.replay.processes, 1);
	assert_int_equal(p.replay.kernel_count, g->kernels);
	assert_int_equal(e->blocks, g->blocks);
	assert_true(e->median_us < g->median_us);
	assert_true(e->max_us < g->max_us);
	assert_int_equal(e->first_wave, g->first_wave);
	assert_int_equal(e->sm_matches, g->sm_matches);
	assert_int_equal(e->drained, 0);
	finish(&p);
}

TEST("real recordings")
{
	if (!recordings_real()) {
		test_head_of_line(state);
		return;
	}
	for (size_t i = 0; i < sizeof(goldens) / sizeof(goldens[0]); i++)
		check_golden(&goldens[i]);
}

/* Without the copies of 256 MB behind K2 and before K3, K3 is 42 ms early; with one rate for both
 * directions it is not. */
TEST("real copies")
{
	struct played p = {0};
	if (!recordings_real()) {
		test_copies_on_the_stream(state);
		return;
	}
	read_all(&p, recordings_path, FIG3 "1.json " FIG3 "2.json " FIG3 "3.json");
	const struct replay_kernel *k3 = &play(&p, false)->kernels[2];
	assert_string_equal(k3->kernel->name, "K3");
	assert_true(k3->errors.max_us > 42000 && k3->errors.max_us < 42100);
	read_copies(&p, fig3_copies, (struct copy_bandwidth){INT64_C(12767000000), INT64_C(12767000000)});
	k3 = &play(&p, false)->kernels[2];
	assert_true(k3->errors.max_us < 20);
	finish(&p);
}
