/* tests/fault/test_strange_recordings.c - whatever a recording says, every verb that reads one ends in time
 * with an answer or a message. Recordings of all kinds are made by the program, changed by strange_rows.c,
 * strange_bytes.c and strange_schemas.c, and read by it.
 *
 * The program is $CEGSIM. Numbers: how many changes of rows, of bytes; how many schemas to skip between two;
 * the first case; how many changes of parts of a sweep. A finding names its case; `PROGRAM "" 1 0 0 CASE 0`
 * repeats it and leaves the file. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fault/strange.h"
#include "tests/support/test.h"

/* A question is a process, of a twelfth of a second of the processor: these numbers take a minute. The steps
 * and the number of recordings have no common divisor. */
TEST_NUMBER(row_cases, TEST_CASES(48));
TEST_NUMBER(byte_cases, TEST_CASES(48));
TEST_NUMBER(schema_steps, 14 * SPARSE);
TEST_NUMBER(first_case, 0);
TEST_NUMBER(part_cases, TEST_CASES(24));

/* Small runs of each kind of thing that a recording can hold, with as much of it as there is. */
static const struct {
	const char *name, *scenario, *level;
} recordings[] = {
	{"tasks", "scenarios/examples/quickstart.yaml", "blocks"},
	{"gpus", "scenarios/examples/two-gpus.yaml", "blocks"},
	{"contexts", "scenarios/papers/gcaps-example2.yaml", "blocks"},
	{"flights", "scenarios/examples/two-streams.yaml", "blocks"},
	{"chains", "scenarios/examples/chains.yaml", "blocks"},
	{"programs", "scenarios/examples/programs.yaml", "blocks"},
	{"warps", "scenarios/papers/qaws-fig2-case1.yaml", "issues"},
	{"traces", "scenarios/papers/head-vs-release.yaml", "blocks"},
	{"jitter", "scenarios/papers/suspension-jitter.yaml", "segments"},
	{"uneven", "scenarios/examples/uneven-blocks.yaml", "blocks"},
	{"profiles", "scenarios/papers/sbeet-example1.yaml", "blocks"},
	{"work", "scenarios/papers/rtgpu-fig3.yaml", "blocks"},
	{"masks", "scenarios/papers/rtas23-split.yaml", "blocks"},
	{"cores", "scenarios/examples/two-cores.yaml", "blocks"},
	{"replay", "scenarios/examples/drive.sqlite", NULL}, /* no scenario: with what was measured */
	{"campaign", NULL, ""},
	{"verdicts", NULL, "record: verdicts\n"},
};
#define RECORDINGS (sizeof(recordings) / sizeof(recordings[0]))

static const char campaign[] = "cegsim-campaign: 1\nname: small\nseed: 2026\nsets: 2\n%s"
			       "generate: {recipe: rtgpu-table1, subtasks: 3, utilisation: [40%%, 120%%]}\n"
			       "analyses: [rtgpu, stgm]\npolicies: [{name: rtgpu, admit: any}, fifo-cke]\n"
			       "run: {horizon: {periods: 3}, stop: horizon}\n";

#define STRANGE "strange.db"
/* The first is always asked, and of the others two by turns. NULL in place of the name of a query: also by
 * turns. */
static const char *const verbs[][8] = {
	{"run", STRANGE, "-q"}, {"validate", STRANGE}, {"audit", STRANGE, "-v"},
	{"view", STRANGE, "-o", "o.html", "--force", "-q"}, {"trace", STRANGE, "-o", "o.pftrace", "--force"},
	{"plot", STRANGE, "gantt", "-o", "o.svg", "--force"}, {"query", STRANGE, "@"},
	{"search", STRANGE, "-q", "-j1", "--budget=5"}, {"plot", STRANGE, "=", "-o", "o.svg", "--force"},
	{"merge", STRANGE, "--digest"}, {"query", STRANGE, "@"}, {"merge", STRANGE, "--acceptance"},
	{"merge", STRANGE, "-o", "o.db", "--force"},
	{"sweep", STRANGE, "--units=0", "-o", "o.db", "--force", "-q"}, {"query", STRANGE, "--describe"},
	{"analyze", STRANGE}, /* it may change the file */
};
#define VERBS (sizeof(verbs) / sizeof(verbs[0]))
static const char *const queries[] = {"@overview", "@response", "@chains", "@percentiles", "@misses",
	"@first-miss", "@acceptance", "@bounds", "@interference", "@tightness", "@grid", "@curves",
	"@verdicts", "@compare-tasks", "@same-schedule", "@where-time-went", "@why", "@waits",
	"@flight-waits", "@utilisation", "@utilisation-sms", "@blocking", "@energy", "@power", "@predicted",
	"@occupancy", "@histogram", "@schedule", "@warps", "@stalls", "@epochs", "@issues", "@issue-strip"};
static const char *const figures[] = {"acceptance", "miss-ratio", "misses", "energy", "tightness", "bounds",
	"response-cdf", "response-box", "utilisation", "power", "occupancy", "prediction-error",
	"issue-strip", "stalls", "epochs", "warps"};

static char folder[256], program[512];
static unsigned findings, changed, asked;
static long most_kib;

static void path_of(char path[600], const char *name, const char *ending)
{
	snprintf(path, 600, "%s/%s%s", folder, name, ending);
}

static void write_campaign(const char *name, const char *level)
{
	char path[600];
	path_of(path, name, ".yaml");
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, campaign, level);
	assert_int_equal(fclose(f), 0);
}

static void make(size_t i)
{
	char output[64], source[600];
	struct strange_end end;
	snprintf(output, sizeof(output), "%s.db", recordings[i].name);
	if (recordings[i].scenario) {
		snprintf(source, sizeof(source), "%s/%s", getenv("CEGSIM_SOURCE_ROOT"),
			recordings[i].scenario);
		const char *run[] = {
			"run", source, "-q", "-o", output, "--record", recordings[i].level, NULL};
		const char *replay[] = {"replay", source, "-q", "-o", output, NULL};
		strange_run(program, folder, recordings[i].level ? run : replay, &end);
	} else {
		write_campaign(recordings[i].name, recordings[i].level);
		snprintf(source, sizeof(source), "%s.yaml", recordings[i].name);
		const char *sweep[] = {"sweep", source, "-q", "-j1", "-o", output, NULL};
		strange_run(program, folder, sweep, &end);
	}
	if (end.status != 0 || end.what[0])
		fail_msg("%s: status %d, %s", output, end.status, end.said);
}

/* A part of a sweep that could not be put together, as its name was taken by a folder: with all its sets, and
 * with half of them, so that the sweep that goes on computes the others. */
static const char *const parts[] = {"whole.part", "half.part"};

static void make_part(const char *name, const char *units)
{
	const char *const sweep[] = {"sweep", "campaign.yaml", "-q", "-j1", "-o", "parts.db", units, NULL};
	struct strange_end end;
	char taken[600], part[600], kept[600];
	path_of(taken, "parts.db", ".part");
	path_of(part, "parts.db", ".parts/0.part");
	path_of(kept, name, "");
	assert_true(mkdir(taken, 0700) == 0 || errno == EEXIST);
	strange_run(program, folder, sweep, &end);
	assert_int_equal(end.status, 3);
	assert_int_equal(rename(part, kept), 0);
}

static int begin(void **state)
{
	const char *of = getenv("CEGSIM"), *where = getenv("TMPDIR");
	assert_non_null(of);
	assert_non_null(realpath(of, program));
	snprintf(folder, sizeof(folder), "%s/cegsim-strange-XXXXXX", where ? where : "/tmp");
	assert_non_null(mkdtemp(folder));
	for (size_t i = 0; i < RECORDINGS; i++)
		make(i);
	make_part(parts[0], NULL);
	make_part(parts[1], "--limit-units=2");
	return 0;
}

static int end(void **state)
{
	char command[300];
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return first_case == 0 ? system(command) : 0;
}

ALL_TESTS(begin, end);

static void copy(const char *from, const char *to)
{
	static char bytes[1 << 16];
	FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
	assert_non_null(in);
	assert_non_null(out);
	for (size_t n; (n = fread(bytes, 1, sizeof(bytes), in)) > 0;)
		assert_int_equal(fwrite(bytes, 1, n, out), n);
	assert_int_equal(fclose(in) | fclose(out), 0);
}

/* A fresh copy of the recording for the case, and its path. */
static void prepare(uint64_t number, char path[600])
{
	static const char *const beside[] = {STRANGE "-journal", STRANGE "-wal", STRANGE "-shm"};
	char from[600];
	for (size_t i = 0; i < 3; i++) {
		path_of(from, beside[i], "");
		unlink(from);
	}
	path_of(from, recordings[number % RECORDINGS].name, ".db");
	path_of(path, STRANGE, "");
	copy(from, path);
}

static void ask(const char *family, uint64_t number, const char *what, const char *const *verb, uint64_t turn)
{
	const char *arguments[9] = {NULL};
	struct strange_end end;
	for (int i = 0; verb[i]; i++)
		arguments[i] = verb[i];
	if (strcmp(arguments[2] ? arguments[2] : "", "@") == 0)
		arguments[2] = queries[turn % (sizeof(queries) / sizeof(queries[0]))];
	else if (strcmp(arguments[2] ? arguments[2] : "", "=") == 0)
		arguments[2] = figures[turn % (sizeof(figures) / sizeof(figures[0]))];
	strange_run(program, folder, arguments, &end);
	asked++;
	most_kib = end.kib > most_kib ? end.kib : most_kib;
	if (!end.what[0])
		return;
	findings++;
	print_error("%s %" PRIu64 ", recording %s: %s: `%s %s` %s (status %d, %ld KiB): %s\n", family, number,
		strcmp(family, "part") == 0 ? "of a sweep" : recordings[number % RECORDINGS].name, what,
		arguments[0], arguments[2] ? arguments[2] : "", end.what, end.status, end.kib, end.said);
}

/* Asks some of the verbs, or all. */
static void ask_verbs(const char *family, uint64_t number, const char *what, bool all)
{
	changed++;
	if (all) {
		for (size_t i = 0; i < VERBS; i++)
			ask(family, number, what, verbs[i], number / RECORDINGS + i);
		return;
	}
	/* By turns for each recording: the number of the case would give each recording the same ones. */
	uint64_t turn = number / RECORDINGS + number % RECORDINGS;
	ask(family, number, what, verbs[0], turn);
	ask(family, number, what, verbs[1 + turn % (VERBS - 1)], turn);
	ask(family, number, what, verbs[1 + (turn + 7) % (VERBS - 1)], turn);
}

static void report(const char *family)
{
	print_message("# %s: %u changes, %u questions, %u findings, at most %ld KiB\n", family, changed,
		asked, findings, most_kib);
	unsigned found = findings;
	findings = changed = asked = 0;
	assert_int_equal(found, 0);
}

TEST("no change of a row makes a reader crash or hang")
{
	for (uint64_t i = first_case; i < first_case + row_cases; i++) {
		struct strange_draws draws = {.family = 1, .number = (uint32_t)i};
		char path[600], text[STRANGE_TEXT];
		prepare(i, path);
		if (strange_row(path, &draws, text))
			ask_verbs("row", i, text, first_case > 0 && row_cases == 1);
	}
	report("rows");
}

TEST("no damage of pages makes a reader crash or hang")
{
	for (uint64_t i = first_case; i < first_case + byte_cases; i++) {
		struct strange_draws draws = {.family = 2, .number = (uint32_t)i};
		char path[600], text[STRANGE_TEXT];
		prepare(i, path);
		if (strange_bytes(path, &draws, text))
			ask_verbs("bytes", i, text, first_case > 0 && byte_cases == 1);
	}
	report("bytes");
}

TEST("no schema makes a reader crash or hang")
{
	for (uint64_t i = 0; schema_steps > 0 && i < strange_schemas() * RECORDINGS; i += schema_steps) {
		char path[600], text[STRANGE_TEXT];
		prepare(i, path);
		if (strange_schema(path, (unsigned)(i / RECORDINGS), text))
			ask_verbs("schema", i, text, false);
	}
	report("schemas");
}

/* A fresh copy of the part, where the sweep of strange.db looks for it. */
static void prepare_part(const char *name, char path[600])
{
	static const char *const left[] = {".parts/0.part-journal", ".parts/0.part-wal", ".parts/0.part-shm",
		".part", ".part-journal", ".part-wal", ".part-shm", ""};
	char kept[600];
	for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++) {
		path_of(path, STRANGE, left[i]);
		unlink(path);
	}
	path_of(path, STRANGE, ".parts");
	assert_true(mkdir(path, 0700) == 0 || errno == EEXIST);
	path_of(path, STRANGE, ".parts/0.part");
	path_of(kept, name, "");
	copy(kept, path);
}

static bool change_part(uint64_t i, const char *path, struct strange_draws *draws, char text[STRANGE_TEXT])
{
	if (i % 4 == 0)
		return strange_schema(path, (unsigned)(i * 5 / 4 % strange_schemas()), text);
	return i % 4 == 1 ? strange_bytes(path, draws, text) : strange_row(path, draws, text);
}

TEST("no part of a sweep makes one that goes on crash or hang")
{
	static const char *const sweep[] = {
		"sweep", "campaign.yaml", "--resume", "-q", "-j1", "-o", STRANGE, NULL};
	char path[600], text[STRANGE_TEXT];
	struct strange_end as_it_was;
	for (int i = 0; i < 2; i++) {
		prepare_part(parts[i], path);
		strange_run(program, folder, sweep, &as_it_was);
		assert_int_equal(as_it_was.status, 0);
	}
	for (uint64_t i = first_case; i < first_case + part_cases; i++) {
		struct strange_draws draws = {.family = 3, .number = (uint32_t)i};
		prepare_part(parts[i / 4 % 2], path);
		if (change_part(i, path, &draws, text)) {
			changed++;
			ask("part", i, text, sweep, 0);
		}
	}
	report("parts");
}
