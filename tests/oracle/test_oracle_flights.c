/* tests/oracle/test_oracle_flights.c - checks the oracle's operations in flight against schedules worked out
 * by hand (docs/model.md, "Operations in flight"). */
#include "tests/oracle/by_hand.h"
#include "tests/support/test.h"

#define WAIT()                                                                                               \
	{                                                                                                    \
		.kind = SEGMENT_WAIT, .stream = STREAM_OWN                                                   \
	}

static char name_a[] = "a", *after_a[] = {name_a};

static struct oracle_result *run_alone(
	struct segment *segments, uint32_t count, const struct platform *p, const char *label)
{
	struct task task = {
		.period_ns = 9000, .deadline_ns = 9000, .segments = segments, .segment_count = count};
	struct taskset set = {.tasks = &task, .task_count = 1};
	struct run_setup setup = until(100);
	return run_label(&set, p, &setup, label);
}

static void flies(struct segment *s, int32_t stream)
{
	s->async = true;
	s->stream = stream;
}

/* Copy there, kernel, copy back, twice, on two streams or on one. */
TEST("two streams overlap")
{
	for (uint32_t engines = 1; engines <= 2; engines++) {
		for (int32_t second = 1; second <= 2; second++) {
			struct segment s[] = {CPU(1), COPY(COPY_TO_GPU, 4), GRID(1, 8, 6),
				COPY(COPY_TO_CPU, 3), COPY(COPY_TO_GPU, 4), GRID(1, 8, 6),
				COPY(COPY_TO_CPU, 3), WAIT(), CPU(1)};
			struct platform p = gpu_pool(8);
			p.engines = engines;
			for (int i = 1; i <= 6; i++)
				flies(&s[i], i <= 3 ? 1 : second);
			struct oracle_result *r = run_alone(s, COUNT(s), &p, "fifo-cke");
			assert_int_equal(response(r, 0, 0), second == 1 ? 28 : 21);
			oracle_result_free(r);
		}
	}
}

/* Kernel a on stream 1, copy b on 2, kernel c on 2 behind both. */
TEST("an operation that comes after one of another stream")
{
	struct segment s[] = {CPU(1), GRID(1, 8, 4), COPY(COPY_TO_GPU, 3), GRID(1, 8, 2), WAIT(), CPU(1)};
	struct platform p = gpu_pool(8);
	flies(&s[1], 1);
	flies(&s[2], 2);
	flies(&s[3], 2);
	s[1].name = name_a;
	s[3].awaits = after_a;
	s[3].await_count = 1;
	struct oracle_result *r = run_alone(s, COUNT(s), &p, "fifo-cke");
	assert_int_equal(r->block_count, 2);
	assert_int_equal(r->blocks[1].start, 5);
	assert_int_equal(r->blocks[1].end, 7);
	assert_int_equal(response(r, 0, 0), 8);
	oracle_result_free(r);
}

TEST("launches, latency, gap and sync of operations in flight")
{
	for (int async = 0; async < 2; async++) {
		struct segment s[] = {CPU(1000), GRID(1, 8, 1000), GRID(1, 8, 1000), WAIT(), CPU(1000)};
		struct platform p = gpu_pool(8);
		p.overheads = (struct overheads){.launch_ns = 4, .latency_ns = 2, .gap_ns = 1, .sync_ns = 3};
		s[1].async = s[2].async = async;
		struct oracle_result *r = run_alone(s, COUNT(s), &p, "fifo-cke");
		assert_int_equal(response(r, 0, 0), async ? 4010 : 4015);
		oracle_result_free(r);
	}
}

/* At 3 the copy runs on to 5; the kernel that waits for it, and the CPU segment, are lost. */
TEST("an aborted job with operations in flight")
{
	struct segment s[] = {COPY(COPY_TO_GPU, 5), GRID(1, 8, 4), CPU(9)};
	struct task task = TASK(50, 3, s);
	struct taskset set = {.tasks = &task, .task_count = 1};
	struct platform p = gpu_pool(8);
	struct run_setup setup = until(10);
	setup.on_miss = MISS_ABORT;
	flies(&s[0], 1);
	flies(&s[1], 1);
	struct oracle_result *r = run_label(&set, &p, &setup, "fifo-cke");
	assert_int_equal(job_of(r, 0, 0)->state, ORACLE_ABORTED);
	assert_int_equal(job_of(r, 0, 0)->finish, 5);
	assert_int_equal(r->block_count, 0);
	expect_interval(r, 0, 0, ORACLE_COPY, 0, 5);
	expect_interval(r, 1, 0, ORACLE_RUN, 0, 3);
	oracle_result_free(r);
}
