/* tests/unit/test_scenario_files.c - scenario files on the disk: the shipped ones are read, and those of
 * tests/cli/bad are refused with the exact messages; sizes, pipes, and files that cannot be read. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/test.h"
#include "tests/unit/scenario_reading.h"

/* The root of the sources: as the environment says, or else where this file was compiled. */
static const char *sources(void)
{
	static char root[PATH_MAX];
	const char *given = getenv("CEGSIM_SOURCE_ROOT");
	snprintf(root, sizeof(root), "%s", given ? given : __FILE__);
	char *tail = given ? NULL : strstr(root, "tests/unit/test_scenario_files.c");
	if (tail)
		*tail = '\0';
	if (tail == root)
		snprintf(root, sizeof(root), ".");
	return root;
}

static int is_yaml(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);
	return length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0;
}

/* Calls `check` for each .yaml of a folder; returns their number. */
static int each_file(const char *folder, void (*check)(const char *path, const char *name))
{
	char path[2 * PATH_MAX];
	struct dirent **names;
	snprintf(path, sizeof(path), "%s/%s", sources(), folder);
	int count = scandir(path, &names, is_yaml, alphasort);
	assert_true(count > 0);
	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/%s/%s", sources(), folder, names[i]->d_name);
		check(path, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	return count;
}

static void read_shipped(const char *path, const char *name)
{
	struct reading r = reading_file(path, name);
	if (!r.ok)
		print_error("%s", r.said);
	assert_true(r.ok);
	assert_true(r.s.policy_count > 0);
	assert_memory_equal(r.s.name, name, strlen(name) - 5);
	assert_int_equal(r.s.text[0], '#'); /* begins with a comment that names its source */
	reading_finish(&r);
}

TEST("shipped files are read")
{
	assert_true(each_file("scenarios/papers", read_shipped) >= 15);
	assert_true(each_file("scenarios/examples", read_shipped) >= 3);
}

#define MISTAKE "zzz: 1, "
#define TEXT_BYTES 65536
#define PLACES_MAX 4000

/* Where a mapping in braces begins that is not empty, and in no comment; returns the number of places. */
static size_t find_mappings(const char *text, size_t *places)
{
	size_t count = 0;
	bool comment = false;
	for (size_t i = 0; text[i]; i++) {
		comment = text[i] != '\n' && (comment || text[i] == '#');
		if (!comment && text[i] == '{' && text[i + 1] != '}' && count < PLACES_MAX)
			places[count++] = i + 1;
	}
	return count;
}

/* How many errors the file has with a key that there is not at these places; what it may name is beside it.
 */
static size_t errors_with(const char *path, const char *text, const size_t *places, size_t count)
{
	static char changed[2 * TEXT_BYTES];
	size_t length = 0, from = 0;
	struct scenario s;
	struct diagnostics d;
	for (size_t i = 0; i <= count; i++) {
		size_t to = i < count ? places[i] : strlen(text);
		int added = snprintf(changed + length, sizeof(changed) - length, "%.*s%s", (int)(to - from),
			text + from, i < count ? MISTAKE : "");
		length += (size_t)added;
		from = to;
	}
	assert_true(length < sizeof(changed));
	diagnostics_init(&d, path);
	bool ok = scenario_read_text(path, changed, length, &s, &d);
	size_t errors = d.count + d.dropped;
	assert_true(ok == (errors == 0));
	scenario_finish(&s);
	diagnostics_finish(&d);
	return errors;
}

static unsigned with_a_mistake, accepted;

static void err_once(const char *path, const char *name)
{
	static size_t places[PLACES_MAX];
	static char text[TEXT_BYTES];
	(void)name;
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	size_t count = find_mappings(text, places);
	for (size_t i = 0; i < count; i++) {
		size_t errors = errors_with(path, text, &places[i], 1);
		if (errors > 1)
			fail_msg("%s: a mistake at byte %zu is %zu errors", path, places[i], errors);
		accepted += errors == 0; /* any name may be a key there */
	}
	with_a_mistake += (unsigned)count;
	(void)errors_with(path, text, places, count < 20 ? count : 20);
}

/* Bug: in a file with chains a mistake in one task was said of the chains, too, and one in each was a crash.
 */
TEST("a mistake is one error, wherever it is")
{
	each_file("scenarios/papers", err_once);
	each_file("scenarios/examples", err_once);
	assert_true(with_a_mistake >= 500 && accepted < with_a_mistake / 20);
}

static void refuse_bad(const char *path, const char *name)
{
	char expected[2 * PATH_MAX], text[8192];
	struct reading r = reading_file(path, name);
	/* The folder of a trace is part of the place in the message. */
	size_t folder = strlen(path) - strlen(name);
	for (char *at; (at = memmem(r.said, strlen(r.said), path, folder)) != NULL;)
		memmove(at, at + folder, strlen(at + folder) + 1);
	snprintf(expected, sizeof(expected), "%.*s.expected", (int)strlen(path) - 5, path);
	FILE *f = fopen(expected, "r");
	assert_non_null(f);
	size_t length = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[length] = '\0';
	assert_string_equal(r.said, text);
	assert_int_equal(r.s.status, STATUS_INPUT);
	reading_finish(&r);
}

TEST("bad files are refused")
{
	assert_true(each_file("tests/cli/bad", refuse_bad) >= 40);
}

TEST("files that cannot be read")
{
	struct reading r = reading_file("/nonexistent/x.yaml", "x.yaml");
	assert_string_equal(r.said, "x.yaml: error: cannot be opened: No such file or directory\n");
	assert_int_equal(r.s.status, STATUS_INPUT);
	reading_finish(&r);
	r = reading_file("/tmp", "tmp");
	assert_string_equal(r.said, "tmp: error: is a folder, not a file\n");
	reading_finish(&r);
	r = reading_file("/proc/self/mem", "mem");
	assert_string_equal(r.said, "mem: error: cannot be read: Input/output error\n");
	assert_int_equal(r.s.status, STATUS_IO);
	reading_finish(&r);
}

TEST("files may have 64 MiB")
{
	char path[64];
	snprintf(path, sizeof(path), "/tmp/cegsim-test-%d-big.yaml", (int)getpid());
	fclose(fopen(path, "w"));
	for (int more = 0; more <= 1; more++) {
		/* A file with a hole. Its NUL bytes are refused as junk, unless its size is refused first. */
		assert_int_equal(truncate(path, ((off_t)64 << 20) + more), 0);
		struct reading r = reading_file(path, "big");
		assert_string_equal(
			r.said, more ? "big: error: is larger than 64 MiB, the most this program reads\n"
				     : "big:1:1: error: this is not a text file: it holds the byte 0x00\n");
		assert_int_equal(r.s.status, STATUS_INPUT);
		reading_finish(&r);
	}
	unlink(path);
}

/* A pipe has no size that could be checked first. */
TEST("pipes are read to their end")
{
	static const char text[] = "cegsim: 1\nhorizon: 40ms\n"
				   "tasks: [{name: t1, period: 10ms, segments: [{cpu: 1ms}]}]\n";
	char path[40];
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	if (child == 0) {
		for (size_t i = 0; i < strlen(text); i += 7) {
			size_t rest = strlen(text) - i;
			if (write(ends[1], text + i, rest < 7 ? rest : 7) < 0)
				_exit(1);
		}
		_exit(0);
	}
	close(ends[1]);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	struct reading r = reading_file(path, "pipe");
	assert_string_equal(r.said, "");
	assert_string_equal(r.s.text, text);
	reading_finish(&r);
	close(ends[0]);
	waitpid(child, NULL, 0);
}
