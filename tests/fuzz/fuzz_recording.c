/* tests/fuzz/fuzz_recording.c - libFuzzer on recordings of strangers: an input is a list of changes
 * (changes.h) of a recording that cegsim made (bases.sh), and what is done with it. Whatever the change: what
 * can be read is sound, can be run, audited, asked and shown in bounded time, or is refused with a reason.
 * How it is run: tests/fuzz/meson.build. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/audit/audit.h"
#include "db/parameters.h"
#include "report/page/view.h"
#include "runs/load.h"
#include "runs/provenance/provenance.h"
#include "tests/fuzz/changes.h"
#include "tests/fuzz/first_events.h"
#include "tests/fuzz/input_file.h"
#include "tests/fuzz/sqlite_memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static const char *const names[] = {"first", "chains", "overheads", "two-cores", "two-gpus", "two-streams",
	"uneven-blocks", "programs", "warps", "runs", "verdicts"};
#define EVENTS_MOST 2000
#define ROWS_MOST 500
#define BASES (sizeof(names) / sizeof(*names))

static struct base bases[BASES];
static char path[INPUT_PATH], page[INPUT_PATH];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	sqlite_memory_begin();
	for (size_t i = 0; i < BASES; i++) {
		char file[PATH_MAX];
		sqlite3 *db;
		snprintf(file, sizeof(file), "%s/base-%s.db", CEGSIM_FUZZ_BASES, names[i]);
		must(sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK);
		base_take(&bases[i], db);
	}
	input_path(path, ".db");
	input_path(page, ".html");
	return 0;
}

static void check_error(const struct error *err)
{
	must(err->status == STATUS_INPUT || err->status == STATUS_IO);
	must(err->text[0] && !strpbrk(err->text, "\r\x1b\x7f"));
}

/* ---- what is done with it ---- */

static void defect(void *self, uint32_t task, uint32_t segment, const char *text)
{
	(void)self, (void)task, (void)segment, (void)text;
	abort();
}

/* What is read passes the check that a scenario passes. */
static void run_some(struct loaded_run *run)
{
	struct error err = {0};
	must(run->set.warps || taskset_check(&run->set, &run->platform, defect, NULL) == 0);
	if (!run->policy || run->set.warps)
		return;
	if (!first_events(
		    &run->platform, &run->set, &run->setup, run->policy, &run->params, EVENTS_MOST, &err))
		check_error(&err);
}

static void load_all(struct db_reader *reader)
{
	for (int64_t id = 1; id <= 3; id++) {
		struct loaded_run run;
		struct error err = {0};
		if (load_run(reader, id, &run, &err)) {
			run_some(&run);
			loaded_run_finish(&run);
		} else {
			check_error(&err);
		}
		if (load_subject(reader, id, 1, 1, &run, &err)) {
			run_some(&run);
			loaded_run_finish(&run);
		} else {
			check_error(&err);
		}
	}
}

static void ask(struct db_reader *reader, uint64_t which)
{
	static const struct parameters none = {.count = 0};
	struct named_query query;
	struct error err = {0};
	struct text sql = {0};
	bool ok = true, row = true;
	if (!query_at((size_t)(which % 64), &query))
		return;
	query_compose(&query, (struct query_file){NULL, NULL}, &sql);
	struct db_cursor *c = cursor_open(reader, text_data(&sql), &err);
	ok = c && parameters_bind(&none, &query, c, &err);
	for (int i = 0; ok && row && i < ROWS_MOST; i++)
		ok = cursor_next(c, &row, &err);
	if (!ok)
		check_error(&err);
	cursor_close(c);
	text_finish(&sql);
}

static void audit(void)
{
	struct audit_report report = {0};
	struct error err = {0};
	struct db_reader *reader = reader_open(path, &err);
	if (!reader || !audit_recording(reader, AUDIT_ALL_RUNS, &report, &err) ||
		!provenance_check(reader, AUDIT_ALL_RUNS, &report, &err))
		check_error(&err);
	reader_close(reader);
	audit_report_finish(&report);
}

static bool goes_on(void *self, double fraction)
{
	(void)self;
	must(fraction >= 0 && fraction <= 1);
	return true;
}

static void show(void)
{
	struct view_request request = {.file = path,
		.output = page,
		.to_ns = VIEW_TO_THE_END,
		.limit = ROWS_MOST,
		.force = true,
		.goes_on = goes_on};
	struct view_result result;
	struct error err = {0};
	if (!view_make(&request, &result, &err))
		check_error(&err);
	unlink(page);
}

static void use(uint64_t how)
{
	struct error err = {0};
	struct db_reader *reader = reader_open(path, &err);
	if (!reader) {
		check_error(&err);
		return;
	}
	/* Audits and pages take ten times as long as the others, so few inputs have them. */
	if (how % 2 == 0 && how % 8 != 2)
		load_all(reader);
	if (how % 2 == 1 && how % 8 != 3)
		ask(reader, how / 4);
	reader_close(reader);
	if (how % 8 == 2)
		audit();
	if (how % 8 == 3)
		show();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, data + size};
	size_t length;
	sqlite_memory_next();
	uint64_t how = take(&in, 1);
	const struct base *base = &bases[take(&in, 1) % BASES];
	unsigned char *bytes = base_changed(&in, base, &length);
	input_write(path, bytes, length);
	sqlite3_free(bytes);
	use(how);
	unlink(path);
	return 0;
}
