/* tests/unit/test_import_files.c - the files that an import writes: read again they say the same, and none is
 * there if one cannot be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/importing.h"
#include "tests/unit/scenario_reading.h"

static char folder[] = "/tmp/cegsim-test-import-XXXXXX";
static char file[64];

static int begin(void **state)
{
	strcpy(folder + sizeof(folder) - 7, "XXXXXX");
	return mkdtemp(folder) ? importing_begin(state) : -1;
}

static const char *in_folder(const char *name)
{
	snprintf(file, sizeof(file), "%s/%s", folder, name);
	return file;
}

static int end(void **state)
{
	static const char *const names[] = {"app.yaml", "app.csv", "app.samples.csv"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		remove(in_folder(names[i]));
	return rmdir(folder) | importing_end(state); /* nothing else was left there */
}

EACH_TEST(begin, end);

static bool written(bool periodic, bool replace)
{
	char path[64];
	snprintf(path, sizeof(path), "%s/app.yaml", folder);
	const struct import_files files = {
		.path = path, .command = "cegsim import\nx: [", .periodic = periodic, .replace = replace};
	return import_write(&t.im, &t.request, &files, &t.err);
}

static void write_all(bool periodic)
{
	import_all();
	if (!written(periodic, false))
		fail_msg("%s", t.err.text);
}

/* A file as text; the caller frees it. */
static char *content(const char *name)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = fopen(in_folder(name), "r");
	assert_non_null(f);
	if (getdelim(&text, &size, EOF, f) < 0)
		text[0] = '\0';
	fclose(f);
	return text;
}

static void expect_content(const char *name, const char *text)
{
	char *is = content(name);
	assert_string_equal(is, text);
	free(is);
}

static void add_two_jobs(void)
{
	for (int64_t at = 0; at < 2000; at += 1000) {
		add_to_gpu(1, at, at + 10, at + 20);
		add_kernel(1, "k", at + 30, at + 35, at + 90 + at / 1000);
	}
	t.request.cut = IMPORT_EVERY;
	t.request.every = 2;
}

TEST("a scenario can be read, and is what was found")
{
	add_two_jobs();
	write_all(false);
	struct reading r = reading_file(in_folder("app.yaml"), "app.yaml");
	assert_string_equal(r.said, "");
	assert_int_equal(r.s.platform.sms, 10);
	assert_int_equal(r.s.platform.registers_per_sm, 65536);
	assert_int_equal(r.s.set.task_count, 1);
	const struct task *task = &r.s.set.tasks[0];
	assert_int_equal(task->period_ns, 1000 * US);
	assert_int_equal(task->segment_count, 4);
	assert_int_equal(task->segments[3].grid, 40);
	assert_int_equal(task->segments[3].best_ns, 55 * US);
	assert_int_equal(task->segments[3].worst_ns, 56 * US);
	assert_int_equal(r.s.setup.horizon_ns, 2000 * US);
	reading_finish(&r);
}

TEST("the trace has all releases with all lengths, the samples what was measured together")
{
	add_two_jobs();
	write_all(false);
	expect_content("app.csv", "task,seq,release,segment,duration\n"
				  "task,0,0,0,10000\ntask,0,0,1,10000\ntask,0,0,2,15000\ntask,0,0,3,55000\n"
				  "task,1,1000000,0,10000\ntask,1,1000000,1,10000\ntask,1,1000000,2,15000\n"
				  "task,1,1000000,3,56000\n");
	expect_content("app.samples.csv",
		"task,segment,value\ntask,0,10000\ntask,1,10000\ntask,2,15000\ntask,3,55000\n"
		"task,0,10000\ntask,1,10000\ntask,2,15000\ntask,3,56000\n");
}

TEST("of halves, releases of the second and samples of the first")
{
	add_two_jobs();
	add_to_gpu(1, 2000, 2010, 2020);
	add_kernel(1, "k", 2030, 2035, 2090);
	t.request.first_half = true;
	write_all(false);
	expect_content("app.csv", "task,seq,release\ntask,0,0\n");
	expect_content("app.samples.csv",
		"task,segment,value\ntask,0,10000\ntask,1,10000\ntask,2,15000\ntask,3,55000\n"
		"task,0,10000\ntask,1,10000\ntask,2,15000\ntask,3,56000\n");
	struct reading r = reading_file(in_folder("app.yaml"), "app.yaml");
	assert_string_equal(r.said, "");
	assert_int_equal(r.s.set.tasks[0].segments[3].worst_ns, 56 * US);
	reading_finish(&r);
}

TEST("jobs that took what no lone instance took are no samples")
{
	struct exported beside = kernel(2, "other", 1030, 1040, 1200);
	beside.stream = 14;
	add_name(1, "one");
	add_name(2, "two");
	add_two_jobs();
	export_kernel(&t.e, &beside);
	t.request.thread = 1;
	write_all(false);
	expect_content("app.samples.csv",
		"task,segment,value\none,0,10000\none,1,10000\none,2,15000\none,3,55000\n");
}

TEST("without samples lengths are uniform")
{
	/* Of two jobs one has its copy alone, the other its kernel. */
	struct exported beside = kernel(2, "other", 1030, 1040, 1200);
	beside.stream = 14;
	add_name(1, "one");
	add_name(2, "two");
	add_to_gpu(1, 0, 10, 21);
	add_kernel(1, "k", 30, 35, 90);
	add_to_gpu(1, 1000, 1010, 1020);
	add_kernel(1, "k", 1030, 1035, 1091);
	export_kernel(&t.e, &beside);
	beside = kernel(2, NULL, 5, 15, 18);
	beside.stream = 14;
	beside.bytes = 4096;
	beside.kind = 1;
	beside.from = 1;
	beside.to = 2;
	export_copy(&t.e, &beside);
	t.request.cut = IMPORT_EVERY;
	t.request.every = 2;
	t.request.thread = 1;
	write_all(false);
	assert_int_not_equal(access(in_folder("app.samples.csv"), F_OK), 0);
	char *yaml = content("app.yaml");
	assert_non_null(strstr(yaml, "\nexecution: uniform #"));
	free(yaml);
}

TEST("periodic releases leave the trace beside, to be switched to")
{
	add_two_jobs();
	write_all(true);
	char *yaml = content("app.yaml");
	assert_non_null(strstr(yaml, "\nrelease: periodic\n# release: {trace: \"app.csv\"} # as recorded"));
	free(yaml);
	struct reading r = reading_file(in_folder("app.yaml"), "app.yaml");
	assert_string_equal(r.said, "");
	assert_int_equal(r.s.setup.release.kind, RELEASE_PERIODIC);
	reading_finish(&r);
}

TEST("no name of the capture breaks a file")
{
	static const char *const names[] = {"a: [b", "- x", "#", "\"", "y,z", "a\nb: c", "null", "1e3", "~",
		"\xff\xfe", "%s%n", "caf\xc3\xa9", "\t", "{", "tr\x7f\x01", "*k", "!!int", "\xc2\x85x: y",
		"\xe2\x80\xa8x", "\xe2\x80\xa9x", "\xef\xbb\xbf", "\xef\xbf\xbe", "\xe2\x82"};
	for (int64_t i = 0; i < (int64_t)(sizeof(names) / sizeof(*names)); i++) {
		add_name(i + 1, names[i]);
		for (int64_t job = 0; job < 2; job++) {
			int64_t at = i * 100 + job * 10000;
			add_range(i + 1, names[i], at, at + 50);
			add_kernel(i + 1, names[i], at + 5, at + 10, at + 40);
		}
	}
	import_all();
	assert_true(written(false, false));
	struct reading r = reading_file(in_folder("app.yaml"), "app.yaml");
	assert_string_equal(r.said, "");
	assert_int_equal(r.s.set.task_count, sizeof(names) / sizeof(*names));
	for (uint32_t i = 0; i < r.s.set.task_count; i++)
		assert_string_equal(r.s.set.tasks[i].name, t.im.tasks[i].name);
	reading_finish(&r);
}

/* ---- What cannot be written ---- */

TEST("files that exist stay, but for --force")
{
	add_two_jobs();
	write_all(false);
	assert_false(written(true, false));
	assert_int_equal(t.err.status, STATUS_INPUT);
	char *yaml = content("app.yaml");
	assert_null(strstr(yaml, "\nrelease: periodic"));
	free(yaml);
	assert_true(written(true, true));
	yaml = content("app.yaml");
	assert_non_null(strstr(yaml, "\nrelease: periodic"));
	free(yaml);
}

TEST("if one of the files cannot be written, none is")
{
	static const char *const names[] = {"app.yaml", "app.csv", "app.samples.csv"};
	add_two_jobs();
	import_all();
	for (size_t i = 0; i < 3; i++) {
		char blocked[64];
		strcpy(blocked, in_folder(names[i]));
		assert_int_equal(mkdir(blocked, 0700), 0);
		assert_false(written(false, true));
		assert_int_equal(rmdir(blocked), 0);
		for (size_t k = 0; k < 3; k++)
			assert_int_not_equal(access(in_folder(names[k]), F_OK), 0);
	}
	assert_true(written(false, false));
}

TEST("a scenario is called .yaml")
{
	const struct import_files files = {.path = ".yaml", .command = ""};
	add_two_jobs();
	import_all();
	assert_false(import_write(&t.im, &t.request, &files, &t.err));
	assert_int_equal(t.err.status, STATUS_INPUT);
}
