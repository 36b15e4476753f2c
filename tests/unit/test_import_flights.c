/* tests/unit/test_import_flights.c - jobs whose operations were in flight: what is issued when, what waits
 * for what, and what of a capture's waits and events no job can have. */
#include <string.h>

#include "tests/unit/importing.h"

EACH_TEST(importing_begin, importing_end);

/* A kernel in a stream of its own choice. */
static void add(int64_t stream, const char *name, int64_t call, int64_t start, int64_t end)
{
	struct exported o = kernel(1, name, call, start, end);
	o.stream = stream;
	o.grid = 1;
	export_kernel(&t.e, &o);
}

static const struct segment *segment(uint32_t index)
{
	const struct import_task *of = task("task");
	assert_in_range(index, 0, of->segment_count - 1);
	return &of->segments[index].segment;
}

static void expect_names(const struct segment *s, const char *first, const char *second)
{
	assert_int_equal(s->await_count, second ? 2 : 1);
	assert_string_equal(s->awaits[0], first);
	if (second)
		assert_string_equal(s->awaits[1], second);
}

static void whole(void)
{
	t.request.cut = IMPORT_WHOLE;
	import_all();
}

/* Two streams at once; the thread waits for both, and goes on. */
static void add_two_streams(void)
{
	add_range(1, "job", 0, 100);
	add(13, "a", 10, 12, 50);
	add(14, "b", 20, 22, 60);
	add_sync(1, 0, 40, 62);
	add(13, "c", 70, 72, 80);
	add_sync(1, 13, 75, 82);
	t.request.cut = IMPORT_RANGE;
	t.request.name = "job";
}

TEST("streams that overlap are in flight, and the thread waits where it did")
{
	add_two_streams();
	import_all();
	const struct import_task *of = task("task");
	assert_true(of->flies);
	/* cpu a cpu b cpu wait cpu c cpu */
	assert_int_equal(of->segment_count, 9);
	assert_true(segment(1)->async && segment(3)->async);
	assert_int_equal(took("task", 0, 0), 12 * US);
	assert_int_equal(took("task", 0, 2), 10 * US); /* from one launch to the other */
	assert_int_equal(took("task", 0, 4), 18 * US); /* to the call that waits */
	assert_int_equal(segment(5)->kind, SEGMENT_WAIT);
	assert_int_equal(segment(5)->await_count, 0);
	assert_int_equal(segment(5)->stream, STREAM_OWN); /* for all */
	assert_int_equal(took("task", 0, 6), 12 * US);    /* from the end of b */
	assert_false(segment(7)->async);
	assert_int_equal(took("task", 0, 8), 20 * US);
	assert_int_equal(noted(IMPORT_FOUND, "task", "the job has 1 wait,"), 2);
	assert_false(is_noted("is a chain"));
}

TEST("as a chain each is waited for")
{
	add_two_streams();
	t.request.chain = true;
	import_all();
	assert_false(task("task")->flies);
	for (uint32_t k = 0; k < task("task")->segment_count; k++)
		assert_false(segment(k)->async);
	assert_true(is_noted("is a chain"));
}

TEST("a wait for one stream of two leaves the other in flight")
{
	add(13, "a", 10, 12, 50);
	add(14, "b", 20, 22, 90);
	add_sync(1, 13, 40, 52);
	add(13, "c", 70, 72, 80);
	whole();
	assert_int_equal(segment(5)->kind, SEGMENT_WAIT);
	expect_names(segment(5), "a #1", NULL);
	assert_string_equal(segment(1)->name, "a #1");
	assert_null(segment(3)->name);
	assert_int_equal(took("task", 0, 6), 22 * US); /* from the end of a */
}

TEST("a wait for the last operation's stream needs no wait of its own")
{
	add(13, "a", 10, 12, 90);
	add(14, "b", 20, 22, 50);
	add_sync(1, 14, 40, 52);
	add(14, "c", 70, 72, 80);
	whole();
	/* cpu a cpu b cpu c */
	assert_int_equal(task("task")->segment_count, 6);
	assert_true(segment(1)->async);
	assert_false(segment(3)->async);
	assert_int_equal(took("task", 0, 4), 22 * US);
}

TEST("behind an event of another stream comes what that stream had then")
{
	add(13, "a", 10, 12, 50);
	add_event(1, 21, 13, 14);
	add(13, "later", 20, 50, 60);
	add_stream_wait(1, 21, 14, 24);
	add(14, "b", 30, 50, 70);
	add(14, "c", 40, 70, 80);
	whole();
	assert_string_equal(segment(1)->name, "a #1");
	expect_names(segment(5), "a #1", NULL);
	assert_int_equal(segment(7)->await_count, 0); /* its stream has waited */
	assert_int_equal(took("task", 0, 4), 10 * US);
	assert_int_equal(task("task")->afters, 1);
}

TEST("a stream that did not wait for the event goes on")
{
	add(13, "a", 10, 12, 50);
	add_event(1, 21, 13, 14);
	add_stream_wait(1, 21, 14, 16);
	add(15, "other", 20, 22, 30);
	add(14, "b", 30, 50, 70);
	whole();
	assert_int_equal(segment(3)->await_count, 0);
	expect_names(segment(5), "a #1", NULL);
}

TEST("what has been waited for is not waited for again")
{
	add(13, "a", 10, 12, 50);
	add(14, "b", 20, 22, 90);
	add_sync(1, 13, 30, 52);
	add(15, "c", 60, 62, 120);
	add_sync(1, 13, 70, 72);
	add(16, "d", 100, 102, 110);
	whole();
	assert_int_equal(task("task")->waits, 1);
}

TEST("a thread waits for an event, and what stands before it")
{
	add(13, "a", 10, 12, 50);
	add_event(1, 21, 13, 14);
	add(13, "b", 20, 50, 90);
	add_event_sync(1, 21, 30, 52);
	add(14, "c", 60, 62, 70);
	whole();
	expect_names(segment(5), "a #1", NULL);
	assert_int_equal(took("task", 0, 4), 8 * US);  /* b is issued at 22 */
	assert_int_equal(took("task", 0, 6), 12 * US); /* from the end of a to c */
}

TEST("events that the file does not have are named")
{
	add(13, "a", 10, 12, 50);
	add_stream_wait(1, 21, 14, 24);
	add(14, "b", 30, 50, 70);
	whole();
	assert_int_equal(segment(3)->await_count, 0);
	assert_int_equal(noted(IMPORT_LEFT_OUT, "events", "that streams of thread 1 waited for"), 1);
}

/* b begins 2 us behind the end of a, on another stream. */
static void add_successors(void)
{
	add(13, "a", 10, 12, 50);
	add(14, "b", 20, 52, 70);
	add(15, "c", 25, 30, 40);
}

TEST("events are guessed only if that is asked for")
{
	add_successors();
	whole();
	assert_int_equal(task("task")->afters, 0);
}

TEST("a guessed event is near the end of another stream's operation")
{
	add_successors();
	t.request.guess_events = true;
	whole();
	assert_int_equal(task("task")->afters, 1);
	expect_names(segment(3), "a #1", NULL);
	assert_int_equal(noted(IMPORT_ASSUMED, "events", "are guessed"), 1);
}

TEST("an operation behind another in its stream is issued when it was called, and begins after the gap")
{
	add(13, "a", 10, 12, 50);
	add(13, "b", 20, 51, 70);
	add(13, "c", 30, 73, 90);
	whole();
	assert_int_equal(took("task", 0, 2), 10 * US); /* not at 51 */
	assert_int_equal(took("task", 0, 4), 10 * US);
	assert_int_equal(t.im.platform.overheads.gap_ns, 2 * US); /* of 1 and 3 */
	assert_int_equal(noted(IMPORT_FOUND, "gaps", "on average 2000 ns"), 2);
}

TEST("what began late for no reason that is known was issued late, unless another was not")
{
	add(13, "a", 10, 12, 20);
	add(14, "b", 15, 90, 95);
	add(15, "c", 40, 42, 60);
	add(16, "d", 50, 130, 140);
	whole();
	assert_int_equal(took("task", 0, 2), 30 * US); /* b with c, at 42 */
	assert_int_equal(took("task", 0, 5), 88 * US); /* c with it, and d at 130 */
	assert_int_equal(noted(IMPORT_ASSUMED, "task", "began later than their calls"), 1);
	assert_int_equal(task("task")->early_ns, 48 * US);
}

TEST("jobs of a task do not overlap, and those that did are counted")
{
	for (int64_t at = 0; at < 90; at += 30) {
		add(13, "a", at, at * 2 + 2, at * 2 + 40);
		add(13, "b", at + 5, at * 2 + 40, at * 2 + 60);
	}
	t.request.cut = IMPORT_EVERY;
	t.request.every = 2;
	import_all();
	assert_int_equal(noted(IMPORT_ASSUMED, "task", "before the last one had ended"), 2);
	assert_int_equal(took("task", 0, 0), 2 * US);
	assert_int_equal(took("task", 1, 0), 0); /* it was there when the last one ended */
}

TEST("waits that not half of the jobs have are none")
{
	for (int64_t at = 0; at < 600; at += 200) {
		add(13, "a", at, at + 2, at + 50);
		add(14, "b", at + 5, at + 7, at + 60);
		if (at == 0)
			add_sync(1, 13, 20, 52);
		add(15, "c", at + 90, at + 92, at + 95);
		add_sync(1, 0, at + 100, at + 105);
	}
	t.request.cut = IMPORT_EVERY;
	t.request.every = 3;
	import_all();
	assert_int_equal(task("task")->waits, 0);
	assert_int_equal(task("task")->segment_count, 6);
}

TEST("a thread of which no waits are known waited where all had ended before its next call")
{
	add(13, "a", 10, 12, 50);
	add(14, "b", 20, 22, 40);
	add(13, "c", 60, 62, 80);
	whole();
	assert_int_equal(segment(4)->kind, SEGMENT_WAIT);
	assert_int_equal(segment(4)->await_count, 0);
	assert_int_equal(took("task", 0, 5), 12 * US);
}

TEST("threads that go on have a core each")
{
	struct exported o = kernel(2, "other", 5, 7, 30);
	o.stream = 15;
	add_two_streams();
	export_kernel(&t.e, &o);
	t.request.cut = IMPORT_WHOLE;
	import_all();
	assert_int_equal(t.im.platform.cores, 2);
	assert_int_not_equal(task("task")->core, task("task-2")->core);
	assert_int_equal(noted(IMPORT_ASSUMED, "CPU", "cores: one for each thread"), 2);
}

static void had_cpu(int64_t tid, int64_t cpu)
{
	for (int64_t in = 1; in >= 0; in--)
		export_row(&t.e, "SCHED_EVENTS", "start, cpu, isSchedIn, globalTid, threadState",
			"%lld, %lld, %lld, %lld, 2", in ? 0 : 200 * US, cpu, in, export_thread(PID, tid));
}

TEST("unless both are known to have had the same")
{
	struct exported o = kernel(2, "other", 5, 7, 30);
	o.stream = 15;
	add_two_streams();
	export_kernel(&t.e, &o);
	had_cpu(1, 3);
	had_cpu(2, 3);
	t.request.cut = IMPORT_WHOLE;
	import_all();
	assert_int_equal(t.im.platform.cores, 1);
}

/* ---- Graphs ---- */

/* A graph of three nodes on two streams, launched by one call; a kernel before it. */
static void add_graph(void)
{
	add(13, "before", 0, 2, 8);
	for (int64_t i = 0; i < 3; i++) {
		struct exported o = kernel(1, "node", 10, 12 + 10 * i, 22 + 10 * i);
		o.grid = 1;
		o.stream = 13 + i % 2;
		o.correlation = 500;
		o.graph_node = 90 + i;
		o.call = i == 0 ? "cudaGraphLaunch_v10000" : "";
		export_kernel(&t.e, &o);
	}
}

TEST("nodes of a graph are issued at once")
{
	add_graph();
	whole();
	/* cpu before cpu node node node */
	assert_int_equal(task("task")->segment_count, 6);
	assert_null(segment(1)->graph);
	for (uint32_t k = 3; k < 6; k++)
		assert_string_equal(segment(k)->graph, "graph #2");
	assert_int_equal(noted(IMPORT_ASSUMED, "task", "nodes of CUDA graphs"), 3);
}
