/* tests/unit/test_import_jobs.c - where the jobs of an application begin and end, which of them are one task,
 * and whose they are. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/importing.h"

EACH_TEST(importing_begin, importing_end);

/* ---- The ways to cut ---- */

/* A frame: a range with a copy and a kernel, every millisecond. */
static void add_frames(int64_t tid, int64_t count)
{
	for (int64_t at = 0; at < count * 1000; at += 1000) {
		add_range(tid, "frame", at, at + 200);
		add_to_gpu(tid, at + 10, at + 20, at + 40);
		add_kernel(tid, "detect", at + 50, at + 60, at + 160);
	}
}

static void cut_at(enum import_cut cut, const char *name)
{
	t.request.cut = cut;
	t.request.name = name;
}

TEST("a range is a job, from its begin to its end or that of its last operation")
{
	add_frames(1, 3);
	add_range(1, "frame", 3000, 3100);
	add_kernel(1, "late", 3010, 3020, 3150); /* it ends behind the range */
	cut_at(IMPORT_RANGE, "frame");
	import_all();
	assert_int_equal(task("task")->job_count, 3);
	assert_int_equal(task("task")->jobs[1].release_ns, 1000 * US);
	assert_int_equal(task("task")->jobs[1].end_ns, 1200 * US);
	assert_int_equal(noted(IMPORT_LEFT_OUT, "operations", "outside of its jobs"), 1);
	assert_string_equal(task("task")->cut, "nvtx:frame");
}

TEST("the last operation of a range may end behind it")
{
	add_range(1, "frame", 0, 100);
	add_kernel(1, "late", 10, 20, 150);
	cut_at(IMPORT_RANGE, "frame");
	import_all();
	assert_int_equal(task("task")->jobs[0].end_ns, 150 * US);
}

TEST("ranges within a range of the same name, without operations, or of other names are no jobs")
{
	add_frames(1, 2);
	add_range(1, "frame", 20, 60);
	add_range(1, "frame", 500, 600);
	add_range(1, "other", 1000, 1200);
	cut_at(IMPORT_RANGE, "frame");
	import_all();
	assert_int_equal(task("task")->job_count, 2);
	assert_int_equal(task("task")->jobs[0].end_ns, 200 * US);
}

TEST("operations outside of ranges are none of any job")
{
	add_frames(1, 2);
	add_kernel(1, "between", 500, 510, 520);
	cut_at(IMPORT_RANGE, "frame");
	import_all();
	assert_int_equal(noted(IMPORT_LEFT_OUT, "operations", "outside of its jobs"), 1);
	assert_int_equal(task("task")->segment_count, 5);
}

TEST("a star at the end of a name fits all that follows")
{
	for (int64_t i = 0; i < 3; i++) {
		char name[] = "frame 0";
		name[6] = (char)('0' + i);
		add_range(1, name, i * 1000, i * 1000 + 200);
		add_kernel(1, "detect", i * 1000 + 10, i * 1000 + 20, i * 1000 + 90);
	}
	cut_at(IMPORT_RANGE, "frame*");
	import_all();
	assert_int_equal(task("task")->job_count, 3);
}

TEST("without a star a name must be the whole name")
{
	add_range(1, "frames", 0, 200);
	add_kernel(1, "detect", 10, 20, 90);
	cut_at(IMPORT_RANGE, "frame");
	refused("has no job by --job");
}

TEST("a kernel begins a job, and what is before the first is none")
{
	add_kernel(1, "setup", 0, 10, 20);
	for (int64_t at = 1000; at < 4000; at += 1000) {
		add_kernel(1, "detect", at, at + 10, at + 60);
		add_kernel(1, "track", at + 70, at + 80, at + 100);
	}
	cut_at(IMPORT_KERNEL, "detect");
	import_all();
	assert_int_equal(task("task")->job_count, 3);
	assert_int_equal(task("task")->jobs[0].release_ns, 1000 * US);
	assert_int_equal(task("task")->jobs[0].end_ns, 1100 * US);
	assert_int_equal(noted(IMPORT_LEFT_OUT, "operations", "outside of its jobs"), 1);
}

TEST("of so many registers, if they are said")
{
	for (int64_t at = 0; at < 300; at += 100) {
		struct exported o = kernel(1, "detect", at + 40, at + 50, at + 60);
		o.registers = 40;
		add_kernel(1, "detect", at, at + 10, at + 20);
		export_kernel(&t.e, &o);
	}
	cut_at(IMPORT_KERNEL, "detect");
	t.request.registers = 32;
	import_all();
	assert_int_equal(task("task")->job_count, 3);
	assert_int_equal(task("task")->steps, 1);
	assert_int_equal(task("task")->operations, 6);
	assert_string_equal(task("task")->cut, "kernel:detect/32");
}

TEST("what follows the last job of a loop is none of it")
{
	for (int64_t at = 0; at < 3000; at += 1000) {
		add_kernel(1, "detect", at, at + 10, at + 60);
		add_to_cpu(1, at + 70, at + 80, at + 100);
	}
	add_kernel(1, "report", 2200, 2210, 2220);
	cut_at(IMPORT_KERNEL, "detect");
	import_all();
	assert_int_equal(task("task")->job_count, 3);
	assert_int_equal(task("task")->jobs[2].end_ns, 2100 * US);
	assert_int_equal(noted(IMPORT_LEFT_OUT, "operations", "outside of its jobs"), 1);
}

TEST("but only if they are the same")
{
	add_kernel(1, "detect", 0, 10, 20);
	add_kernel(1, "track", 30, 40, 50);
	struct exported o = kernel(1, "track", 130, 140, 150);
	o.grid = 41;
	add_kernel(1, "detect", 100, 110, 120);
	export_kernel(&t.e, &o);
	add_kernel(1, "report", 160, 170, 180);
	cut_at(IMPORT_KERNEL, "detect");
	import_all();
	assert_int_equal(t.im.task_count, 2);
	assert_int_equal(task("task-2")->operations, 3);
}

TEST("every so many operations, without an incomplete job at the end")
{
	add_frames(1, 2);
	add_kernel(1, "detect", 3000, 3010, 3020);
	cut_at(IMPORT_EVERY, NULL);
	t.request.every = 2;
	import_all();
	assert_int_equal(task("task")->job_count, 2);
	assert_int_equal(task("task")->jobs[1].release_ns, 1010 * US);
	assert_string_equal(task("task")->cut, "every:2");
	assert_int_equal(noted(IMPORT_LEFT_OUT, "operations", "outside of its jobs"), 1);
}

TEST("if there is only one, it may be incomplete")
{
	add_frames(1, 1);
	cut_at(IMPORT_EVERY, NULL);
	t.request.every = 3;
	import_all();
	assert_int_equal(task("task")->job_count, 1);
	assert_false(is_noted("outside of its jobs"));
}

TEST("the whole is one job")
{
	add_frames(1, 3);
	cut_at(IMPORT_WHOLE, NULL);
	import_all();
	assert_int_equal(task("task")->job_count, 1);
	assert_int_equal(task("task")->jobs[0].release_ns, 10 * US);
	assert_int_equal(task("task")->jobs[0].end_ns, 2160 * US);
	assert_int_equal(noted(IMPORT_ASSUMED, "task", "with one job there is no period"), 1);
}

/* ---- Where to cut ---- */

TEST("the user's ranges go before kernels")
{
	add_frames(1, 4);
	import_all();
	assert_string_equal(task("task")->cut, "nvtx:frame");
}

TEST("even if these would hold more")
{
	for (int64_t at = 0; at < 4000; at += 1000) {
		add_kernel(1, "load", at, at + 10, at + 20);
		add_range(1, "frame", at + 30, at + 200);
		add_kernel(1, "detect", at + 50, at + 60, at + 70);
		add_kernel(1, "track", at + 80, at + 90, at + 100);
	}
	import_all();
	assert_string_equal(task("task")->cut, "nvtx:frame");
	assert_int_equal(noted(IMPORT_LEFT_OUT, "operations", "outside of its jobs"), 4);
}

TEST("a kernel that comes once in a job is better than one that comes in turns, if it holds nearly as much")
{
	for (int64_t at = 0; at < 400; at += 100) {
		add_kernel(1, "step", at, at + 10, at + 20);
		add_kernel(1, "first", at + 25, at + 30, at + 40);
		add_kernel(1, "step", at + 45, at + 50, at + 60);
		add_kernel(1, "second", at + 65, at + 70, at + 95);
	}
	import_all();
	assert_string_equal(task("task")->cut, "kernel:first/32");
	assert_int_equal(task("task")->steps, 1);
}

TEST("without ranges a kernel is found")
{
	for (int64_t at = 0; at < 4000; at += 1000) {
		add_kernel(1, "detect", at, at + 10, at + 60);
		add_kernel(1, "track", at + 70, at + 80, at + 90);
		add_kernel(1, "track", at + 100, at + 110, at + 120);
	}
	import_all();
	assert_string_equal(task("task")->cut, "kernel:detect/32");
	assert_int_equal(task("task")->job_count, 4);
}

TEST("a range that holds less than half of the work is not taken")
{
	add_range(1, "warm up", 0, 50);
	add_kernel(1, "touch", 10, 20, 30);
	add_range(1, "warm up", 60, 90);
	add_kernel(1, "touch", 65, 70, 80);
	for (int64_t at = 1000; at < 4000; at += 1000) {
		add_kernel(1, "detect", at, at + 10, at + 60);
		add_kernel(1, "track", at + 70, at + 80, at + 90);
	}
	import_all();
	assert_string_equal(task("task")->cut, "kernel:detect/32");
}

TEST("where nothing comes twice the whole is the job")
{
	add_kernel(1, "a", 0, 10, 20);
	add_kernel(1, "b", 30, 40, 50);
	import_all();
	assert_string_equal(task("task")->cut, "whole");
	assert_int_equal(task("task")->job_count, 1);
}

/* ---- Shapes ---- */

/* A step: a kernel "step" and one with another name for each shape. */
static void add_steps(const char *shapes, int64_t period)
{
	for (int64_t i = 0; shapes[i]; i++) {
		const char name[] = {shapes[i], '\0'};
		add_kernel(1, "step", i * period, i * period + 10, i * period + 50);
		add_kernel(1, name, i * period + 55, i * period + 60, i * period + 100);
	}
	cut_at(IMPORT_KERNEL, "step");
}

TEST("shapes in turn, one right behind the other, are steps of one job")
{
	add_steps("ABABAB", 100);
	import_all();
	assert_int_equal(t.im.task_count, 1);
	assert_int_equal(task("task")->steps, 2);
	assert_int_equal(task("task")->job_count, 3);
	assert_int_equal(task("task")->jobs[1].release_ns, 200 * US);
	assert_int_equal(task("task")->jobs[1].end_ns, 400 * US);
	assert_int_equal(task("task")->operations, 12);
}

TEST("so are turns in which a shape comes more than once")
{
	add_steps("AABAABAAB", 100);
	import_all();
	assert_int_equal(t.im.task_count, 1);
	assert_int_equal(task("task")->steps, 3);
	assert_int_equal(task("task")->job_count, 3);
}

TEST("with time between them each place in the turn is a task")
{
	add_steps("ABABAB", 1000);
	import_all();
	assert_int_equal(t.im.task_count, 2);
	assert_int_equal(task("task")->job_count, 3);
	assert_int_equal(task("task-2")->job_count, 3);
	assert_int_equal(task("task-2")->jobs[1].release_ns, 3000 * US);
	assert_int_equal(task("task-2")->period_ns, 2000 * US);
	assert_int_equal(noted(IMPORT_ASSUMED, "tasks", "in turns of 2, with time between them"), 2);
}

TEST("a step begins at once if it does within a twentieth of the last one's length")
{
	add_steps("ABABAB", 105);
	import_all();
	assert_int_equal(task("task")->steps, 2);
}

TEST("and not later")
{
	add_steps("ABABAB", 106);
	import_all();
	assert_int_equal(t.im.task_count, 2);
}

TEST("a turn may leave out three tenths of the jobs")
{
	add_steps("CDEAAAAAAA", 1000);
	import_all();
	assert_int_equal(t.im.task_count, 1);
	assert_int_equal(task("task")->job_count, 7);
	assert_int_equal(noted(IMPORT_LEFT_OUT, "operations", "outside of its jobs"), 6);
}

TEST("and no more")
{
	add_steps("CDEFAAAAAA", 1000);
	import_all();
	assert_int_equal(t.im.task_count, 5);
}

TEST("shapes in no turn are a task each, with their jobs")
{
	add_steps("AABBBACA", 1000);
	import_all();
	assert_int_equal(t.im.task_count, 3);
	assert_int_equal(task("task")->job_count, 4);
	assert_int_equal(task("task-2")->job_count, 3);
	assert_int_equal(task("task-3")->job_count, 1);
	assert_int_equal(noted(IMPORT_ASSUMED, "tasks", "differ in no regular turn"), 3);
}

TEST("equal jobs have equal kernels, by grid, block, registers and shared memory")
{
	for (int64_t i = 0; i < 10; i++) {
		struct exported o = kernel(1, "k", i * 1000, i * 1000 + 10, i * 1000 + 20);
		o.grid += i / 2 == 1;
		o.threads = i / 2 == 2 ? 128 : 256;
		o.registers = i / 2 == 3 ? 33 : 32;
		o.shared_memory = i / 2 == 4;
		export_kernel(&t.e, &o);
	}
	cut_at(IMPORT_EVERY, NULL);
	t.request.every = 1;
	import_all();
	assert_int_equal(t.im.task_count, 5);
	assert_int_equal(t.im.kernel_count, 4); /* whatever the grid */
}

TEST("more shapes than a set has room for are refused")
{
	for (int64_t i = 0; i < 65; i++) {
		struct exported o = kernel(1, "k", i * 100, i * 100 + 10, i * 100 + 20);
		o.grid += i;
		export_kernel(&t.e, &o);
	}
	cut_at(IMPORT_EVERY, NULL);
	t.request.every = 1;
	refused("jobs cut at every:1 have 65 different shapes");
}

/* ---- Threads, processes, GPUs ---- */

TEST("each thread is a task, named as it is")
{
	add_frames(1, 2);
	add_name(1, "camera");
	for (int64_t at = 0; at < 2000; at += 1000)
		add_kernel(2, "plan", at + 300, at + 310, at + 320);
	import_all();
	assert_int_equal(t.im.task_count, 2);
	assert_int_equal(task("camera")->job_count, 2);
	assert_int_equal(task("task")->job_count, 2);
	assert_int_equal(noted(IMPORT_FOUND, "threads", "that issued operations of device 0"), 2);
	assert_int_equal(noted(IMPORT_ASSUMED, "CPU", "all tasks share one core"), 1);
}

TEST("threads of one name get numbers")
{
	for (int64_t tid = 1; tid <= 3; tid++) {
		add_frames(tid, 2);
		add_name(tid, "worker");
	}
	import_all();
	assert_non_null(task("worker"));
	assert_non_null(task("worker-2"));
	assert_non_null(task("worker-3"));
}

TEST("names are made of what needs no quotes anywhere")
{
	static const struct {
		const char *given, *made;
	} names[] = {{"a: [b, #c]", "a-"}, {"\"x\",y", "-x--y"}, {"caf\xc3\xa9", "caf--"}, {" ", "task"},
		{"- - -", "-"}, {"*a&b", "-a-b"}, {"null", "null"},
		{"a-very-long-name-of-a-thread-that-goes-on", "a-very-long-name-of-a-thread-th"}};
	for (int64_t i = 0; i < (int64_t)(sizeof(names) / sizeof(*names)); i++) {
		add_kernel(i + 1, "k", i * 100, i * 100 + 10, i * 100 + 20);
		add_name(i + 1, names[i].given);
	}
	import_all();
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_string_equal(t.im.tasks[i].name, names[i].made);
}

TEST("a thread without a name has that of its process, without its folder")
{
	export_row(&t.e, "PROCESSES", "globalPid, pid, name", "%lld, %lld, 'C:\\apps\\drive.exe --fast'",
		export_process(PID), PID);
	add_frames(1, 2);
	import_all();
	assert_non_null(task("drive.exe"));
}

TEST("a thread without such jobs is left out")
{
	add_frames(1, 2);
	add_kernel(2, "plan", 300, 310, 320);
	cut_at(IMPORT_RANGE, "frame");
	import_all();
	assert_int_equal(t.im.task_count, 1);
	assert_int_equal(
		noted(IMPORT_LEFT_OUT, "operations", "of thread 2, which has no job by nvtx:frame"), 1);
}

TEST("one thread of several, one process of several")
{
	struct exported other = kernel(5, "other", 500, 510, 520);
	other.pid = PID + 1;
	add_frames(1, 2);
	add_kernel(2, "plan", 300, 310, 320);
	export_kernel(&t.e, &other);
	t.request.thread = 1;
	t.request.process = PID;
	import_all();
	assert_int_equal(t.im.task_count, 1);
	assert_int_equal(noted(IMPORT_LEFT_OUT, "operations", "by --process and --thread"), 2);
}

TEST("a process that is not there")
{
	add_frames(1, 2);
	t.request.process = PID + 1;
	refused("no operations that can be imported with these options");
}

TEST("processes that never had kernels at one time are imported together")
{
	struct exported other = kernel(5, "other", 500, 510, 520);
	other.pid = PID + 1;
	add_frames(1, 2);
	export_kernel(&t.e, &other);
	import_all();
	assert_int_equal(t.im.task_count, 2);
}

TEST("processes whose kernels overlap took turns, and are refused")
{
	struct exported other = kernel(5, "other", 90, 100, 120);
	other.pid = PID + 1;
	add_frames(1, 2);
	export_kernel(&t.e, &other);
	refused("kernels of processes 70 and 71 took turns on the GPU");
}

TEST("of two GPUs the one that was used most, or the one that is named")
{
	export_row(&t.e, "TARGET_INFO_GPU",
		"id, cuDevice, name, smCount, maxWarpsPerSm, maxBlocksPerSm, maxRegistersPerSm, "
		"asyncEngines, maxShmemPerSm, computeMajor, computeMinor",
		"4, 1, 'Other GPU', 20, 64, 32, 65536, 1, 98304, 6, 1");
	struct exported o = kernel(1, "there", 0, 10, 20);
	o.device = 1;
	o.context = 2;
	export_kernel(&t.e, &o);
	add_frames(1, 2);
	import_all();
	assert_int_equal(t.im.platform.sms, 10);
	assert_int_equal(noted(IMPORT_LEFT_OUT, "operations", "of other GPUs"), 1);
	import_finish(&t.im);
	t.request.device = 1;
	assert_true(import_make(&t.im, &t.c, &t.request, &t.err));
	assert_int_equal(t.im.platform.sms, 20);
	assert_int_equal(t.im.platform.engines, 1);
	assert_int_equal(noted(IMPORT_LEFT_OUT, "operations", "of other GPUs"), 4);
}

TEST("a GPU that is not there")
{
	add_frames(1, 2);
	t.request.device = 1;
	refused("has no device 1");
}

TEST("a window takes what was called from its begin to before its end")
{
	add_frames(1, 4);
	t.request.from_ns = 1010 * US;
	t.request.to_ns = 3010 * US;
	import_all();
	assert_int_equal(task("task")->job_count, 2);
	assert_int_equal(task("task")->jobs[0].release_ns, 1000 * US);
	assert_int_equal(noted(IMPORT_LEFT_OUT, "operations", "outside of --from and --to"), 4);
}

TEST("a capture of more than a year has a wrong clock")
{
	add_frames(1, 2);
	add_kernel(1, "late", 31622400000001, 31622400000002, 31622400000003);
	refused("says that it took 1 years; some of its times are wrong");
}

TEST("one of a year is believed")
{
	add_frames(1, 2);
	add_kernel(1, "late", 100, 31622399999999, 31622400000000);
	import_all();
}

TEST("operations without a call have no thread")
{
	struct exported o = kernel(1, "lost", 0, 10, 20);
	o.call = "";
	export_kernel(&t.e, &o);
	refused("it does not say which thread issued them");
}
