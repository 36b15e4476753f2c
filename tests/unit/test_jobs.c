/* tests/unit/test_jobs.c - models/jobs.c: the life of a job, backlogs, and what happens at a deadline,
 * wherever the job is at that instant. */
#include "tests/support/test.h"
#include "tests/unit/timeline.h"

static struct maker k;

static int begin(void **state)
{
	maker_init(&k, 100);
	k.platform.sms = 1;
	k.platform.threads_per_sm = 128;
	return 0;
}

static int end(void **state)
{
	maker_finish(&k);
	return 0;
}

EACH_TEST(begin, end);

static void happens_under(const struct observed *seen, const char *jobs, const char *intervals)
{
	struct observed o = *seen;
	assert_string_equal(ends(&o), jobs);
	if (intervals)
		assert_string_equal(spans(&o), intervals);
	observed_finish(&o);
}

static void happens(const char *jobs, const char *intervals)
{
	struct observed o = observe(&k, "fifo-cke", NULL);
	happens_under(&o, jobs, intervals);
}

/* ---- life and backlog ---- */

TEST("releases happen before the horizon")
{
	maker_task(&k, "a", 50, 50, 0);
	maker_cpu(&k, 1, 1);
	happens("t0.0 finished 1; t0.1 finished 51", NULL); /* not at 100 */
	k.setup.horizon_ns = 101;
	happens("t0.0 finished 1; t0.1 finished 51; t0.2 finished 101", NULL);
	k.set.tasks[0].offset_ns = 101;
	happens("", NULL);
}

TEST("jobs of a task wait for each other")
{
	maker_task(&k, "a", 30, 30, 0);
	maker_cpu(&k, 40, 40);
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_string_equal(
		ends(&o), "t0.0 finished 40; t0.1 finished 80; t0.2 finished 120; t0.3 finished 160");
	assert_int_equal(o.outcome.misses, 4);
	assert_int_equal(observed_response(&o, 0, 3), 70);
	observed_finish(&o);
}

TEST("a job that ends at its deadline has met it")
{
	maker_task(&k, "a", 200, 40, 0);
	maker_cpu(&k, 40, 40);
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_int_equal(o.outcome.misses, 0);
	observed_finish(&o);
	k.set.tasks[0].deadline_ns = 39;
	o = observe(&k, "fifo-cke", NULL);
	assert_int_equal(o.outcome.misses, 1);
	observed_finish(&o);
	k.set.tasks[0].deadline_ns = 40;
	for (int miss = MISS_DROP; miss <= MISS_ABORT; miss++) {
		k.setup.on_miss = (enum on_miss)miss;
		happens("t0.0 finished 40", NULL);
	}
}

TEST("traced releases with lengths")
{
	static int64_t releases[] = {5, 5, 20};
	static struct trace_duration lengths[] = {{0, 0, 3}, {1, 0, 0}, {1, 1, 9}};
	maker_task(&k, "a", 200, 200, 0);
	maker_cpu(&k, 1, 4);
	maker_copy(&k, COPY_TO_GPU, 2);
	maker_trace(&k, releases, 3);
	k.set.tasks[0].release->durations = lengths;
	k.set.tasks[0].release->duration_count = 3;
	happens("t0.0 finished 10; t0.1 finished 19; t0.2 finished 26",
		"t0.0.0 cpu 5-8; t0.0.1 copy0 8-10; t0.1.1 copy0 10-19; t0.2.0 cpu 20-24; t0.2.1 copy0 "
		"24-26");
}

/* ---- drop ---- */

TEST("a job that has not started is dropped")
{
	k.setup.on_miss = MISS_DROP;
	maker_task(&k, "high", 200, 9, 0);
	maker_cpu(&k, 20, 20);
	maker_task(&k, "low", 200, 15, 0);
	maker_cpu(&k, 5, 5);
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_int_equal(o.outcome.misses, 2);
	happens_under(&o, "t1.0 dropped 15; t0.0 finished 20", "t0.0.0 cpu 0-20");
}

/* The core becomes free exactly at the deadline: too late, since deadlines are checked before dispatch. */
TEST("it may not start at its deadline")
{
	k.setup.on_miss = MISS_DROP;
	maker_task(&k, "high", 200, 20, 0);
	maker_cpu(&k, 15, 15);
	maker_task(&k, "low", 200, 15, 0);
	maker_cpu(&k, 5, 5);
	k.set.priorities = true;
	k.set.tasks[1].priority = 1;
	happens("t0.0 finished 15; t1.0 dropped 15", "t0.0.0 cpu 0-15");
	k.set.tasks[1].deadline_ns = 16;
	happens("t0.0 finished 15; t1.0 finished 20", "t0.0.0 cpu 0-15; t1.0.0 cpu 15-20");
}

TEST("a segment of length zero is a start")
{
	k.setup.on_miss = MISS_DROP;
	maker_task(&k, "high", 200, 9, 0);
	maker_cpu(&k, 20, 20);
	maker_task(&k, "low", 200, 15, 0);
	maker_cpu(&k, 0, 0);
	maker_cpu(&k, 5, 5);
	happens("t0.0 finished 20; t1.0 finished 25", NULL);
}

TEST("waiting jobs are dropped at their own deadlines")
{
	k.setup.on_miss = MISS_DROP;
	maker_task(&k, "a", 20, 15, 0);
	maker_cpu(&k, 48, 48); /* job 0 to 48: jobs 1 (to 35) and 2 (to 55) wait; 1 goes, 2 begins at 48 */
	happens("t0.1 dropped 35; t0.0 finished 48; t0.3 dropped 75; t0.4 dropped 95; t0.2 finished 96",
		NULL);
}

TEST("dropped wherever it waits")
{
	k.setup.on_miss = MISS_DROP;
	maker_task(&k, "long", 200, 200, 0);
	maker_copy(&k, COPY_TO_GPU, 30);
	maker_task(&k, "copy", 200, 10, 0);
	maker_copy(&k, COPY_TO_GPU, 1); /* in the copy engine's queue */
	maker_task(&k, "stream", 200, 11, 0);
	maker_copy(&k, COPY_TO_GPU, 1)->stream = 0; /* after the long copy in its stream */
	maker_task(&k, "kernels", 200, 200, 0);
	maker_grid(&k, 1, 128, 31);
	maker_task(&k, "primary", 200, 12, 0);
	maker_grid(&k, 1, 128, 1); /* in the primary queue */
	happens("t1.0 dropped 10; t2.0 dropped 11; t4.0 dropped 12; t0.0 finished 30; t3.0 finished 31",
		"t0.0.0 copy0 0-30; t3.0.0 gpu 0-31");
}

TEST("dropped at the gate")
{
	k.setup.on_miss = MISS_DROP;
	for (int i = 0; i < 3; i++) {
		maker_task(&k, "t", 200, i == 1 ? 10 : 200, i);
		maker_copy(&k, COPY_TO_GPU, 20);
	}
	struct observed o = observe(&k, "fcfs", NULL);
	happens_under(&o, "t1.0 dropped 11; t0.0 finished 20; t2.0 finished 40",
		"t0.0.0 copy0 0-20; t2.0.0 copy0 20-40");
}

/* ---- abort ---- */

TEST("a CPU segment is cut off")
{
	k.setup.on_miss = MISS_ABORT;
	maker_task(&k, "a", 200, 10, 0);
	maker_cpu(&k, 30, 30);
	maker_task(&k, "b", 200, 50, 0);
	maker_cpu(&k, 5, 5);
	happens("t0.0 aborted 10; t1.0 finished 15", "t0.0.0 cpu 0-10 a; t1.0.0 cpu 10-15");
}

TEST("a preempted one leaves the queue")
{
	k.setup.on_miss = MISS_ABORT;
	maker_task(&k, "low", 200, 10, 0);
	maker_cpu(&k, 8, 8);
	maker_task(&k, "high", 200, 9, 3);
	maker_cpu(&k, 8, 8);
	k.set.tasks[1].deadline_ns = 9;
	happens("t0.0 aborted 10; t1.0 finished 11", "t0.0.0 cpu 0-3 p; t1.0.0 cpu 3-11");
}

/* A running copy goes to its end; only then the job ends and the next begins. */
TEST("a copy that runs goes to its end")
{
	k.setup.on_miss = MISS_ABORT;
	k.setup.horizon_ns = 20;
	maker_task(&k, "a", 12, 10, 0);
	maker_copy(&k, COPY_TO_GPU, 15);
	maker_cpu(&k, 1, 1);
	happens("t0.0 aborted 15; t0.1 aborted 30", "t0.0.0 copy0 0-15; t0.1.0 copy0 15-30");
}

/* Running blocks go to their end, the others are never placed; the queue goes on with the next kernel. */
TEST("blocks that run go to their end")
{
	k.setup.on_miss = MISS_ABORT;
	maker_task(&k, "a", 200, 10, 0);
	maker_grid(&k, 3, 128, 6);
	maker_task(&k, "b", 200, 100, 0);
	maker_grid(&k, 1, 128, 2);
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_string_equal(blocks(&o), "t0.0.0 b0 @0 0-6; t0.0.0 b1 @0 6-12; t1.0.0 b0 @0 12-14");
	happens_under(&o, "t0.0 aborted 12; t1.0 finished 14", "t0.0.0 gpu 0-12 a; t1.0.0 gpu 12-14");
}

/* All placed blocks have ended and the others wait for another kernel's to end: the job ends at once. */
TEST("a kernel between two waves ends at once")
{
	k.setup.on_miss = MISS_ABORT;
	maker_task(&k, "a", 200, 10, 0);
	maker_grid(&k, 2, 96, 4);
	maker_task(&k, "b", 200, 100, 1);
	maker_grid(&k, 1, 64, 20)->stream_high = true;
	happens("t0.0 aborted 10; t1.0 finished 24", "t0.0.0 gpu 0-10 a; t1.0.0 gpu 4-24");
}

/* The deadline is between the start of the last block and its end: there is nothing to cut. */
TEST("a kernel all placed is aborted when it ends")
{
	k.setup.on_miss = MISS_ABORT;
	maker_task(&k, "a", 200, 10, 0);
	maker_grid(&k, 1, 128, 12);
	maker_cpu(&k, 5, 5);
	happens("t0.0 aborted 12", "t0.0.0 gpu 0-12");
}

TEST("aborted wherever it waits")
{
	k.setup.on_miss = MISS_ABORT;
	maker_task(&k, "long", 200, 200, 0);
	maker_copy(&k, COPY_TO_GPU, 30);
	maker_task(&k, "copy", 200, 10, 0);
	maker_cpu(&k, 1, 1);
	maker_copy(&k, COPY_TO_GPU, 1);
	maker_task(&k, "stream", 200, 11, 0);
	maker_copy(&k, COPY_TO_GPU, 1)->stream = 0;
	maker_task(&k, "kernels", 200, 200, 0);
	maker_grid(&k, 1, 128, 31);
	maker_task(&k, "primary", 200, 12, 0);
	maker_grid(&k, 1, 128, 1);
	happens("t1.0 aborted 10; t2.0 aborted 11; t4.0 aborted 12; t0.0 finished 30; t3.0 finished 31",
		"t1.0.0 cpu 0-1; t0.0.0 copy0 0-30; t3.0.0 gpu 0-31");
}

TEST("aborted behind the gate")
{
	k.setup.on_miss = MISS_ABORT;
	maker_task(&k, "a", 200, 10, 0);
	maker_copy(&k, COPY_TO_GPU, 4);
	maker_grid(&k, 1, 128, 4);
	maker_copy(&k, COPY_TO_GPU, 4); /* runs at 10: to 12, then the gate is free */
	maker_copy(&k, COPY_TO_GPU, 4);
	maker_task(&k, "b", 200, 100, 1);
	maker_copy(&k, COPY_TO_GPU, 2);
	struct observed o = observe(&k, "fcfs", NULL);
	happens_under(&o, "t0.0 aborted 12; t1.0 finished 14",
		"t0.0.0 copy0 0-4; t0.0.1 gpu 4-8; t0.0.2 copy0 8-12; t1.0.0 copy0 12-14");
}

static bool plan_busy(struct plan *plan, struct error *err)
{
	(void)err;
	plan->wait = WAIT_BUSY;
	return true;
}

/* Spinning goes on as long as the aborted job's copy runs; if the copy waits, spinning ends. */
TEST("spinning ends with an aborted job")
{
	const struct policy busy = {.name = "busy", .plan = plan_busy};
	k.setup.on_miss = MISS_ABORT;
	maker_task(&k, "a", 200, 10, 0);
	maker_copy(&k, COPY_TO_GPU, 15);
	maker_task(&k, "b", 200, 12, 1);
	maker_copy(&k, COPY_TO_GPU, 15);
	struct observed o = observe_under(&k, &busy);
	happens_under(&o, "t1.0 aborted 13; t0.0 aborted 15", "t0.0.0 copy0 0-15; t0.0.0 spin 0-15");
}

/* It becomes ready and is aborted at one instant. */
TEST("aborted when it has just become ready")
{
	k.setup.on_miss = MISS_ABORT;
	maker_task(&k, "a", 200, 10, 0);
	maker_copy(&k, COPY_TO_GPU, 10);
	maker_cpu(&k, 3, 3);
	happens("t0.0 aborted 10", "t0.0.0 copy0 0-10");
}

/* Two jobs released together have one deadline: both go, and the waiting one never begins. */
TEST("jobs of one deadline go together")
{
	static int64_t releases[] = {5, 5, 6};
	k.setup.on_miss = MISS_ABORT;
	maker_task(&k, "a", 200, 10, 0);
	maker_cpu(&k, 30, 30);
	maker_trace(&k, releases, 3);
	happens("t0.1 aborted 15; t0.0 aborted 15; t0.2 aborted 16", "t0.0.0 cpu 5-15 a; t0.2.0 cpu 15-16 a");
}
