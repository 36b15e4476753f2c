/* tests/unit/test_replay_log.c - reading recordings and the CSV of copies: what is accepted, and every
 * error at its place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "captures/place.h"
#include "runs/replay/copies.h"
#include "runs/replay/log.h"
#include "tests/support/recordings.h"
#include "tests/support/test.h"

/* ---- Places ---- */

static void expect_place(const struct log_place *p, unsigned line, unsigned column, char first)
{
	assert_int_equal(p->line, line);
	assert_int_equal(p->column, column);
	assert_int_equal(*p->at, first);
}

TEST("place")
{
	static const char text[] =
		"\n {\"\\\"a\": [1, {\"b\": 2}],\n\t\"\xc3\xa9\": \"\xc3\xa9]\", \"c\" :\n[ 7 ,8,[],{}, 9 ]}";
	struct log_place root = place_of(text, sizeof(text) - 1), p = root;
	expect_place(&root, 2, 2, '{');
	assert_false(place_member(&p, "d"));
	expect_place(&p, 2, 2, '{');
	assert_true(place_member(&p, "\xc3\xa9"));
	expect_place(&p, 3, 7, '"');
	p = root;
	assert_true(place_member(&p, "c"));
	expect_place(&p, 4, 1, '[');
	struct log_place array = p;
	assert_true(place_element(&p, 4));
	expect_place(&p, 4, 15, '9');
	assert_false(place_next(&p));
	p = array;
	assert_false(place_element(&p, 5));
	assert_true(place_element(&p, 0));
	assert_true(place_next(&p) && place_next(&p));
	expect_place(&p, 4, 8, '[');
	assert_false(place_element(&p, 0));
	assert_false(place_member(&p, "b"));
}

/* The search ends at text that is not JSON. */
TEST("place of junk")
{
	static const char *const texts[] = {"", "[", "{", "{\"a", "{\"a\"", "{\"a\":", "[1", "[1,", "\"\\",
		"]", ":", "[[[", "{\"a\":\"\\"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct log_place p = place_of(texts[i], strlen(texts[i]));
		place_member(&p, "a");
		place_element(&p, 1);
		place_next(&p);
		assert_true(p.at <= p.end);
	}
	struct log_place nul = place_of("[\0,\0]", 5);
	place_element(&nul, 2);
	assert_true(nul.at <= nul.end);
}

/* ---- Logs ---- */

struct fixture {
	struct arena arena;
	struct log log;
	struct diagnostics diagnostics;
	struct error err;
	bool ok;
};

static struct fixture parse(const char *text, size_t length)
{
	struct fixture f = {0};
	/* Copies exactly `length` bytes, so that a sanitizer sees reads beyond them. */
	char *copy = malloc(length + 1);
	assert_non_null(copy);
	memcpy(copy, text, length);
	copy = realloc(copy, length ? length : 1);
	diagnostics_init(&f.diagnostics, "folder/x.json");
	f.ok = log_parse(&f.log, &f.arena, "folder/x.json", copy, length, &f.diagnostics, &f.err);
	free(copy);
	return f;
}

static void finish(struct fixture *f)
{
	diagnostics_finish(&f->diagnostics);
	arena_finish(&f->arena);
}

#define KERNEL(more)                                                                                         \
	"{\"kernel_name\": \"K\", \"block_count\": 2, \"thread_count\": 32, "                                \
	"\"cuda_launch_times\": [0.1, 0.2, 0]" more "}"
#define BLOCKS ", \"block_times\": [0.3, 0.5, 0.31, 0.5]"
#define LOG(header, times) "{" header "\"times\": [" times "]}"

TEST("log")
{
	static const char text[] =
		"{\"scenario_name\": \"S\", \"benchmark_name\": \"Timer Spin\", \"label\": \"L\",\n"
		"\"max_resident_threads\": 4096, \"PID\": 7, \"TID\": 8, \"data_size\": 0, \"times\": [{},\n"
		"{\"cpu_times\": [0.1, 0.2]},\n"
		" {\"kernel_name\": \"K1\", \"block_count\": 3, \"thread_count\": 768, \"shared_memory\": "
		"40960,"
		" \"cuda_launch_times\": [1.000000001, 1.000000002, 0.0],"
		" \"block_times\": [1, 9, 1.25, 1.750000001, 1.5, 2.0], \"block_smids\": [0, 2, 65535], "
		"\"cpu_core\": 1},\n"
		"{\"block_count\": 2, \"thread_count\": 1, \"cuda_launch_times\": [2, 3],"
		" \"block_times\": [-1, 0, 3, 4.000000003]}]}\n";
	struct fixture f = parse(text, sizeof(text) - 1);
	assert_true(f.ok);
	assert_string_equal(f.log.scenario, "S");
	assert_string_equal(f.log.label, "L");
	assert_int_equal(f.log.pid, 7);
	assert_true(f.log.thread);
	assert_false(f.log.null_stream);
	assert_int_equal(f.log.max_resident_threads, 4096);
	assert_int_equal(f.log.kernel_count, 2);
	const struct log_kernel *k = &f.log.kernels[0];
	assert_string_equal(k->name, "K1");
	assert_int_equal(k->line, 4);
	assert_int_equal(k->column, 2);
	assert_int_equal(k->blocks, 3);
	assert_int_equal(k->threads, 768);
	assert_int_equal(k->shared_memory, 40960);
	assert_int_equal(k->call_ns, 1000000001);
	assert_int_equal(k->launch_ns, 1000000002);
	assert_int_equal(k->start_ns[1], 1250000000);
	assert_int_equal(k->end_ns[1], 1750000001);
	assert_int_equal(k->sm[1], 2);
	assert_int_equal(k->sm[2], 65535);
	/* Lengths 0.5, 0.500000001 and 8 s: the long one does not move the median. */
	assert_int_equal(k->block_ns, 500000001);
	assert_int_equal(k->shortest_ns, 500000000);
	assert_int_equal(k->longest_ns, 8000000000);
	k++;
	assert_string_equal(k->name, "kernel");
	assert_int_equal(k->shared_memory, 0);
	assert_int_equal(k->start_ns[0], -1000000000);
	assert_int_equal(k->sm[0], LOG_NO_SM);
	assert_int_equal(k->block_ns, 1000000001); /* of 1 s and 1.000000003 s, rounded down */
	assert_true(log_is_named(&f.log, "x.json") && log_is_named(&f.log, "folder/x.json"));
	assert_false(log_is_named(&f.log, "older/x.json") || log_is_named(&f.log, "json"));
	finish(&f);
}

TEST("little is enough")
{
	static const char text[] = LOG("", "{}, {\"cpu_times\": []}");
	struct fixture f = parse(text, sizeof(text) - 1);
	assert_true(f.ok);
	assert_int_equal(f.log.kernel_count, 0);
	assert_int_equal(f.log.pid, -1);
	assert_false(f.log.thread);
	assert_int_equal(f.log.max_resident_threads, 0);
	assert_string_equal(f.log.scenario, "");
	finish(&f);
}

TEST("null stream")
{
	static const struct {
		const char *text;
		bool null_stream;
	} cases[] = {
		{LOG("\"benchmark_name\": \"Timer Spin (default stream)\",", ""), true},
		{LOG("\"label\": \"Kernel 2 (NULL stream)\",", ""), true},
		{LOG("\"label\": \"Kernel 2 (null Stream)\",", ""), true},
		{LOG("\"label\": \"waits for the NULL stream\",", ""), false},
		{LOG("\"label\": \"K\", \"benchmark_name\": \"Timer Spin\",", ""), false},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f = parse(cases[i].text, strlen(cases[i].text));
		assert_true(f.ok);
		assert_int_equal(f.log.null_stream, cases[i].null_stream);
		finish(&f);
	}
}

TEST("stream priority")
{
	static const struct {
		const char *text;
		bool high, says;
	} cases[] = {
		{LOG("\"label\": \"K2 (high priority)\",", ""), true, true},
		{LOG("\"label\": \"K2 (High Priority)\",", ""), true, true},
		{LOG("\"benchmark_name\": \"Timer Spin (high priority)\",", ""), true, true},
		{LOG("\"label\": \"K1 (low priority)\",", ""), false, true},
		{LOG("\"label\": \"of high priority\",", ""), false, false},
		{LOG("\"label\": \"K\",", ""), false, false},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f = parse(cases[i].text, strlen(cases[i].text));
		assert_true(f.ok);
		assert_int_equal(f.log.high_priority, cases[i].high);
		assert_int_equal(f.log.says_priority, cases[i].says);
		finish(&f);
	}
	static const char both[] = LOG("\"label\": \"K1 (low priority), K2 (high priority)\",", "");
	struct fixture f = parse(both, strlen(both));
	assert_false(f.ok);
	assert_non_null(strstr(f.diagnostics.items[0].text, "a stream has one"));
	finish(&f);
}

struct bad {
	const char *text;
	unsigned line, column;
	const char *says; /* the beginning of the diagnostic */
};

static const struct bad bads[] = {
	{"", 1, 1, "this is neither a profile (of Nsight Systems, as SQLite, or of PyTorch) nor a log"},
	{"junk", 1, 4, "this is neither a profile (of Nsight Systems, as SQLite, or of PyTorch) nor a log"},
	{"{\"times\": [{},\n", 2, 1, "this is not JSON: ']' expected near end of file"},
	{"{\"times\": []} x", 1, 15, "this is not JSON: end of file expected near 'x'"},
	{"{\"times\": [],\n\"times\": []}", 2, 7, "this is not JSON: duplicate object key near '\"times\"'"},
	{"{\"times\": [\"\xff\"]}", 1, 12, "this is not JSON: unable to decode byte 0xff"},
	{" []", 1, 2, "a log is an object with 'times', got an array"},
	{"{\"name\": 1}", 1, 1, "this is neither a log, which has 'times', nor a profile"},
	{"{\"name\": 1, \"benchmarks\": []}", 1, 1,
		"this is a configuration of the recording tool, not a log"},
	{"{\"times\": 3}", 1, 11, "'times' wants an array, got a number"},
	{LOG("", "{},\n 3.5"), 2, 2, "'times' wants objects, got a number with a point"},
	{LOG("\"PID\": \"x\", ", ""), 1, 9, "'PID' wants a whole number, got a string"},
	{LOG("\"PID\": -1, ", ""), 1, 9, "'PID' is -1; it must be from 0 to 2147483647"},
	{LOG("\"label\": true, ", ""), 1, 11, "'label' wants a string, got true"},
	{LOG("\"max_resident_threads\": 0, ", ""), 1, 26, "'max_resident_threads' is 0; it must be from 1"},
	{LOG("", "{}, {\"kernel_name\": null}"), 1, 32, "'kernel_name' wants a string, got null"},
	{LOG("", KERNEL("")), 1, 12, "this kernel has no 'block_times'"},
	{LOG("", "\n" KERNEL(", \"block_times\": [0.3, 0.5]")), 2, 111,
		"'block_times' wants 4 values, got 2"},
	{LOG("", "\n" KERNEL(", \"block_times\": [0.3, 0.5, null, 1]")), 2, 122,
		"'block_times' wants times in seconds, got null"},
	{LOG("", "\n" KERNEL(", \"block_times\": [0.3, 0.5, 0.7, 0.6]")), 2, 127,
		"block 1 ends before it starts"},
	{LOG("", "\n" KERNEL(", \"block_times\": [3e9, 4e9, 0, 0]")), 2, 112,
		"'block_times' holds 3e+09; times in seconds are at most 2e+09"},
	{LOG("", "\n" KERNEL(BLOCKS ", \"block_smids\": [1]")), 2, 149,
		"'block_smids' wants 2 values, got 1"},
	{LOG("", "\n" KERNEL(BLOCKS ", \"block_smids\": [1, -2]")), 2, 153,
		"an SM is -2; it must be from 0 to 65535"},
	{LOG("", "\n" KERNEL(BLOCKS ", \"block_smids\": [1, {}]")), 2, 153,
		"an SM wants a whole number, got an object"},
	{LOG("", "\n" KERNEL(BLOCKS ", \"shared_memory\": -1")), 2, 151,
		"'shared_memory' is -1; it must be from 0"},
	{LOG("", "{\"block_count\": 0, \"thread_count\": 1, \"cuda_launch_times\": [0, 0]}"), 1, 28,
		"'block_count' is 0; it must be from 1"},
	{LOG("", "{\"thread_count\": 1, \"cuda_launch_times\": [0, 0]}"), 1, 12,
		"this kernel has no 'block_count'"},
	{LOG("", "{\"block_count\": 1, \"thread_count\": 1, \"cuda_launch_times\": [2], \"block_times\": [0, "
		 "1]}"),
		1, 71, "'cuda_launch_times' wants at least 2 values, got 1"},
	{LOG("", "{\"block_count\": 1, \"thread_count\": 1, \"cuda_launch_times\": [2, 1], \"block_times\": "
		 "[0, 1]}"),
		1, 71, "the launch returned before it was called"},
	{LOG("", "{\"block_count\": 1, \"thread_count\": 1, \"cuda_launch_times\": 2, \"block_times\": [0, "
		 "1]}"),
		1, 71, "'cuda_launch_times' wants an array, got a number"},
};

TEST("errors")
{
	for (size_t i = 0; i < sizeof(bads) / sizeof(bads[0]); i++) {
		const struct bad *b = &bads[i];
		struct fixture f = parse(b->text, strlen(b->text));
		assert_false(f.ok);
		assert_int_equal(f.err.status, STATUS_INPUT);
		assert_true(f.diagnostics.count > 0);
		const struct diagnostic *d = &f.diagnostics.items[0];
		if (d->line != b->line || d->column != b->column ||
			strncmp(d->text, b->says, strlen(b->says)) != 0)
			fail_msg("case %zu: got %u:%u: %s\nwanted %u:%u: %s", i, d->line, d->column, d->text,
				b->line, b->column, b->says);
		finish(&f);
	}
}

/* All errors of a log are reported at once, up to a limit. */
TEST("many errors")
{
	static const char text[] = LOG("\"PID\": -1, \"label\": 5, ", "1, {}, 2");
	struct fixture f = parse(text, sizeof(text) - 1);
	assert_int_equal(f.diagnostics.count, 4);
	finish(&f);

	char many[10000] = "{\"times\": [0";
	for (int i = 0; i < 1000; i++)
		strcat(many, ",0");
	strcat(many, "]}");
	f = parse(many, strlen(many));
	assert_false(f.ok);
	assert_int_equal(f.diagnostics.count, 20);
	finish(&f);
}

TEST("nesting")
{
	char deep[5000];
	memset(deep, '[', sizeof(deep));
	struct fixture f = parse(deep, sizeof(deep));
	assert_false(f.ok);
	assert_int_equal(f.diagnostics.count, 1);
	finish(&f);
}

TEST("files")
{
	struct fixture f = {0};
	char path[RECORDINGS_PATH];
	diagnostics_init(&f.diagnostics, "x");
	assert_false(log_read(&f.log, &f.arena, "/nonexistent/log.json", &f.diagnostics, &f.err));
	assert_int_equal(f.err.status, STATUS_INPUT);
	assert_int_equal(f.diagnostics.count, 1);
	assert_false(log_read(&f.log, &f.arena, "/", &f.diagnostics, &f.err));
	assert_int_equal(f.diagnostics.count, 2);
	recordings_own_path(path, "copies.json");
	assert_true(log_read(&f.log, &f.arena, path, &f.diagnostics, &f.err));
	assert_int_equal(f.log.kernel_count, 2);
	finish(&f);
}

/* ---- Copies ---- */

struct copies_fixture {
	struct arena arena;
	struct log logs[3];
	struct recorded_copies copies;
	struct diagnostics diagnostics;
	struct error err;
	bool ok;
};

static struct log_kernel kernels[] = {
	{.name = (char[]){"A"}}, {.name = (char[]){"B"}}, {.name = (char[]){"A"}}};

static struct copies_fixture parse_copies(const char *text)
{
	static char one[] = "f/one.json", two[] = "f/two.json", other[] = "g/two.json";
	static const struct copy_bandwidth rates = {.to_gpu = 1000000000, .to_cpu = 0};
	struct copies_fixture f = {
		.logs = {{.file = one, .kernels = kernels, .kernel_count = 3},
			{.file = two, .kernels = kernels, .kernel_count = 2},
			{.file = other, .kernels = kernels, .kernel_count = 1}},
	};
	char *copy = strdup(text);
	assert_non_null(copy);
	diagnostics_init(&f.diagnostics, "copies.csv");
	f.ok = copies_parse(&f.copies, &f.arena, copy, &rates, f.logs, 3, &f.diagnostics, &f.err);
	free(copy);
	return f;
}

static void finish_copies(struct copies_fixture *f)
{
	diagnostics_finish(&f->diagnostics);
	arena_finish(&f->arena);
}

static void expect_copy(const struct recorded_copy *c, uint32_t log, uint32_t kernel,
	enum copy_direction direction, int64_t length)
{
	assert_int_equal(c->log, log);
	assert_int_equal(c->kernel, kernel);
	assert_int_equal(c->direction, direction);
	assert_int_equal(c->length_ns, length);
}

TEST("copies")
{
	struct copies_fixture f =
		parse_copies("log,kernel,direction,amount\r\n\n# a comment\n"
			     "g/two.json , A, to_cpu, 3ms\r\n  "
			     "one.json,A,to_gpu,1kB\none.json,#1,to_cpu,0.5us\none.json,A,to_gpu,7ns");
	assert_true(f.ok);
	assert_int_equal(f.copies.count, 6);
	expect_copy(&f.copies.copies[0], 0, 0, COPY_TO_GPU, 1000);
	expect_copy(&f.copies.copies[1], 0, 0, COPY_TO_GPU, 7);
	expect_copy(&f.copies.copies[2], 0, 1, COPY_TO_CPU, 500);
	expect_copy(&f.copies.copies[3], 0, 2, COPY_TO_GPU, 1000);
	expect_copy(&f.copies.copies[4], 0, 2, COPY_TO_GPU, 7);
	expect_copy(&f.copies.copies[5], 2, 0, COPY_TO_CPU, 3000000);
	finish_copies(&f);
	f = parse_copies("");
	assert_true(f.ok);
	assert_int_equal(f.copies.count, 0);
	finish_copies(&f);
}

TEST("bad copies")
{
	static const struct bad cases[] = {
		{"one.json,A,to_gpu", 1, 1, "wants log, kernel, direction, amount; got 3 cells"},
		{"one.json,A,to_gpu,1ms,", 1, 1, "wants log, kernel, direction, amount; got 5 cells"},
		{"\none.jso,A,to_gpu,1ms", 2, 1, "no log is called 'one.jso'; did you mean 'one.json'?"},
		{"two.json,A,to_gpu,1ms", 1, 1, "two logs are called 'two.json'"},
		{"one.json, C,to_gpu,1ms", 1, 11, "'f/one.json' has no kernel 'C'"},
		{"one.json,#3,to_gpu,1ms", 1, 10, "'f/one.json' has no kernel '#3'"},
		{"one.json,#,to_gpu,1ms", 1, 10, "'f/one.json' has no kernel '#'"},
		{"one.json,A,to-gpu,1ms", 1, 12, "'direction' is to_gpu or to_cpu, not 'to-gpu'"},
		{"one.json,A,to_gpu,-1ms", 1, 19,
			"'amount' wants bytes such as 256MiB or a time such as 21.3ms"},
		{"one.json,A,to_gpu,", 1, 19, "'amount' wants bytes"},
		{"one.json,A,to_cpu,1MiB", 1, 19, "an amount of bytes needs --bandwidth"},
		{"one.json,A,to_gpu,1ms\nlog,kernel,direction,amount", 2, 1, "no log is called 'log'"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct bad *b = &cases[i];
		struct copies_fixture f = parse_copies(b->text);
		assert_false(f.ok);
		assert_int_equal(f.err.status, STATUS_INPUT);
		assert_true(f.diagnostics.count > 0);
		const struct diagnostic *d = &f.diagnostics.items[0];
		if (d->line != b->line || d->column != b->column ||
			strncmp(d->text, b->says, strlen(b->says)) != 0)
			fail_msg("case %zu: got %u:%u: %s", i, d->line, d->column, d->text);
		finish_copies(&f);
	}
}
