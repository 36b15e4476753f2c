/* tests/unit/test_running.c - the CSV file of threads on CPUs: rows, and every error at its place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "captures/build.h"
#include "captures/running.h"
#include "tests/support/test.h"

static struct capture c;
static struct diagnostics d;
static struct error err;

/* Threads 11 and 12, and one kernel from 1000 to 5000 ns of a clock that begins at 100000. */
static int begin(void **state)
{
	c = (struct capture){.start_ns = 100000};
	err = (struct error){0};
	diagnostics_init(&d, "x.csv");
	uint32_t process = build_process(&c, 1, &err);
	for (int64_t tid = 11; tid <= 12; tid++)
		if (build_thread(&c, process, tid, &err) == CAPTURE_NONE)
			return -1;
	struct capture_operation *o = build_operation(&c, &err);
	if (!o)
		return -1;
	o->start_ns = 1000;
	o->end_ns = 5000;
	return 0;
}

static int finish(void **state)
{
	capture_finish(&c);
	diagnostics_finish(&d);
	return 0;
}

EACH_TEST(begin, finish);

static bool parse(const char *text)
{
	char *copy = strdup(text);
	assert_non_null(copy);
	bool ok = running_parse(&c, copy, &d, &err);
	free(copy);
	return ok;
}

TEST("rows")
{
	assert_non_null(build_running(&c, &err)); /* of the capture itself: it is replaced */
	assert_true(parse("# sched.csv\nstart_ns,end_ns,cpu,tid,state\n"
			  "104000, 104500, 3, 12, S\n"
			  "100500,101500,0,11,R+\n\n"
			  "101500,102500,0,99,R\n" /* of another program */
			  "102500,102500,0,11,D|K\n"
			  "90000,90500,1,11,\"R\"\r\n"
			  "91000,200000,1,0,R\n"
			  "0,104000,3,0,S"));
	assert_int_equal(c.running_count, 4);
	static const struct capture_running want[] = {{0, 1, -10000, -9500, true}, {0, 0, 500, 1500, true},
		{0, 0, 2500, 2500, false}, {1, 3, 4000, 4500, false}};
	for (int i = 0; i < 4; i++) {
		assert_int_equal(c.running[i].thread, want[i].thread);
		assert_int_equal(c.running[i].cpu, want[i].cpu);
		assert_int_equal(c.running[i].start_ns, want[i].start_ns);
		assert_int_equal(c.running[i].end_ns, want[i].end_ns);
		assert_int_equal(c.running[i].preempted, want[i].preempted);
	}
}

static const struct bad {
	const char *text;
	unsigned line, column;
	const char *says;
} bads[] = {
	{"100500,101500,0,11", 1, 1, "wants start_ns, end_ns, cpu, tid, state; got 4 cells"},
	{"100500,101500,0,11,R,1", 1, 1, "wants start_ns, end_ns, cpu, tid, state; got 6 cells"},
	{"\n100500,101500,0,11,\"R", 2, 20, "a cell with a quote"},
	{"1.5,101500,0,11,R", 1, 1, "'start_ns' wants a whole number from -2305843009213693952 to"},
	{"100500,9e18,0,11,R", 1, 8, "'end_ns' wants a whole number"},
	{"100500,100499,0,11,R", 1, 8, "'end_ns' is before 'start_ns'"},
	{"100500,101500,-1,11,R", 1, 15, "'cpu' wants a whole number from 0 to 2147483647, got '-1'"},
	{"100500,101500,0,main,R", 1, 17, "'tid' wants a whole number from 0"},
	{"100500,101500,0,11,running", 1, 20, "'state' wants the state in which the thread left its CPU"},
	{"100500,101500,0,11,", 1, 20, "'state' wants"},
	{"100500,101500,0,11,R\n101000,102000,1,11,S", 2, 1, "thread 11 runs twice at a time: line 1 is not"},
	{"100500,101500,0,11,R\n101499,102000,0,77,S", 2, 1,
		"CPU 0 has two threads at a time: line 1 is not"},
	{"100500,101500,0,77,R", 0, 0, "no row is of a thread of the capture, such as 11"},
	{"", 0, 0, "no row is of a thread of the capture"},
	{"105001,105002,0,11,R", 0, 0, "no thread of the capture runs within it, from 100000 to 105000 ns"},
	{"99000,99999,0,11,R", 0, 0, "no thread of the capture runs within it"},
};

TEST("every error has its place")
{
	for (size_t i = 0; i < sizeof(bads) / sizeof(*bads); i++) {
		assert_false(parse(bads[i].text));
		assert_int_equal(err.status, STATUS_INPUT);
		if (d.count != 1 || d.items[0].line != bads[i].line || d.items[0].column != bads[i].column ||
			!strstr(d.items[0].text, bads[i].says))
			fail_msg("%s: %zu: %u:%u: %s", bads[i].text, d.count, d.count ? d.items[0].line : 0,
				d.count ? d.items[0].column : 0, d.count ? d.items[0].text : "");
		assert_int_equal(c.running_count, 0);
		finish(state);
		begin(state);
	}
}

TEST("all errors at once, up to twenty")
{
	assert_false(parse("a,b,c,d,e\n100500,101500,0,11,?\n"));
	assert_int_equal(d.count, 6);
	finish(state);
	begin(state);
	char text[100 * 3 + 1] = "";
	for (int i = 0; i < 100; i++)
		strcat(text, "x,\n");
	assert_false(parse(text));
	assert_int_equal(d.count, 20);
}

TEST("files")
{
	char path[] = "/tmp/cegsim-test-running-XXXXXX";
	int file = mkstemp(path);
	assert_int_equal(write(file, "100500,101500,0,11,R\n", 21), 21);
	assert_true(running_read(&c, path, &d, &err));
	assert_int_equal(c.running_count, 1);
	assert_int_equal(write(file, "", 1), 1);
	close(file);
	assert_false(running_read(&c, path, &d, &err));
	assert_non_null(strstr(err.text, "this is not a text file: it holds a NUL character"));
	unlink(path);
	assert_false(running_read(&c, path, &d, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_non_null(strstr(err.text, "cannot open the file: No such file"));
	assert_false(running_read(&c, "/tmp", &d, &err));
	assert_non_null(strstr(err.text, "this is not a file"));
	assert_int_equal(mkfifo(path, 0600), 0); /* nobody writes into it */
	assert_false(running_read(&c, path, &d, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	unlink(path);
}
