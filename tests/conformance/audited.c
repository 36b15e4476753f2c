/* tests/conformance/audited.c - see tests/conformance/audited.h. */
#include "tests/conformance/audited.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "db/reader.h"
#include "runs/store.h"
#include "tests/support/test.h"

bool audited_begin(struct audited *a, struct error *err)
{
	static const struct scenario_row scenario = {
		.kind = "scenario", .name = "cases", .text = "", .tool_version = "0"};
	char folder[] = "/tmp/cegsim-audited-XXXXXX";
	*a = (struct audited){.names = malloc(AUDITED_RUNS_MAX * sizeof(*a->names))};
	if (!a->names || !mkdtemp(folder))
		return error_set(err, STATUS_IO, "no folder for a recording");
	snprintf(a->file, sizeof(a->file), "%s/cases.db", folder);
	a->writer = writer_open(a->file, false, err);
	return a->writer && writer_scenario(a->writer, &scenario, &a->scenario_id, err);
}

static bool simulate(struct audited *a, const struct run_spec *spec, const char *name, struct error *err)
{
	struct run *run;
	struct run_result result;
	enum run_state state;
	bool exists;
	if (!run_begin(spec, a->writer, &run, &exists, err))
		return false;
	if (exists)
		return true; /* for example, on one SM two allocations are the same */
	while ((state = run_step(run, 10000, err)) == RUN_GOES_ON)
		;
	bool ok = state == RUN_OVER && run_finish(run, &result, err);
	run_destroy(run);
	if (a->runs < AUDITED_RUNS_MAX)
		snprintf(a->names[a->runs++], sizeof(a->names[0]), "%s", name);
	if (!ok)
		return false;
	bool refused = result.status == RUN_REFUSED;
	a->refused += refused;
	if (!a->error[0] && (result.status == RUN_ERROR || (refused && !result.reason[0])))
		snprintf(a->error, sizeof(a->error), "%.120s: %.300s", name,
			refused ? "refused without a reason" : result.reason);
	return true;
}

bool audited_run(struct audited *a, struct run_spec *spec, const char *name, struct error *err)
{
	spec->scenario_id = a->scenario_id;
	return store_platform(a->writer, spec->platform, &spec->platform_id, err) &&
	       store_taskset(a->writer, spec->set, NULL, &spec->taskset_id, err) &&
	       simulate(a, spec, name, err);
}

static bool end(struct audited *a, struct audit_report *report, struct error *err)
{
	struct db_writer *writer = a->writer;
	a->writer = NULL;
	return writer_finish(writer, NULL, err) && audit_file(a->file, AUDIT_ALL_RUNS, report, err);
}

void audited_finish(struct audited *a)
{
	writer_abandon(a->writer, false);
	unlink(a->file);
	char *name = strrchr(a->file, '/');
	if (name)
		*name = '\0';
	rmdir(a->file);
	free(a->names);
	*a = (struct audited){0};
}

/* The name of the run that a finding is about ("run 7, ..."). */
static const char *name_of(const struct audited *a, const char *finding)
{
	const char *at = strstr(finding, "run ");
	unsigned long run = at ? strtoul(at + 4, NULL, 10) : 0;
	return run > 0 && run <= a->runs ? a->names[run - 1] : "?";
}

static void add_checked(const struct audit_report *report, struct audit_report *sum)
{
	if (!sum->results)
		sum->results = calloc(report->count, sizeof(*sum->results));
	assert_non_null(sum->results);
	sum->count = report->count;
	for (size_t i = 0; i < report->count; i++) {
		sum->results[i].law = report->results[i].law;
		sum->results[i].checked += report->results[i].checked;
	}
}

uint64_t audited_findings(struct audited *a, bool tell, struct audit_report *checked)
{
	struct audit_report report = {0};
	struct error err;
	bool audited = end(a, &report, &err);
	for (size_t i = 0; audited && i < report.count; i++) {
		const struct audit_result *r = &report.results[i];
		if (r->findings && tell)
			print_error("%s (%s): %s\n", r->law, name_of(a, r->first), r->first);
		else if (r->findings)
			print_message("# found by %s\n", r->law);
	}
	if (audited && checked)
		add_checked(&report, checked);
	uint64_t findings = report.findings;
	char error[sizeof(a->error)];
	memcpy(error, a->error, sizeof(error));
	audit_report_finish(&report);
	audited_finish(a);
	if (!audited || (tell && error[0]))
		fail_msg("%s", audited ? error : err.text);
	return findings;
}

/* Rows of either that the other one lacks. */
#define DIFFERENCE(columns, view)                                                                            \
	"SELECT * FROM (SELECT " columns " FROM " view " EXCEPT SELECT " columns " FROM main." view ")"      \
	" UNION ALL SELECT * FROM (SELECT " columns " FROM main." view " EXCEPT SELECT " columns             \
	" FROM " view ") LIMIT 1"

static void same_rows(struct db_reader *reader, const char *view, const char *difference)
{
	struct error err;
	bool row = false;
	struct db_cursor *c = cursor_open(reader, difference, &err);
	if (!c || !cursor_next(c, &row, &err))
		fail_msg("%s", err.text);
	struct text text = {0};
	for (int i = 0; row && i < cursor_columns(c); i++)
		text_printf(&text, " %s", cursor_text(c, i) ? cursor_text(c, i) : "-");
	if (row)
		fail_msg("%s: only one has the row%s", view, text_data(&text));
	cursor_close(c);
}

void audited_views(struct db_reader *reader)
{
	same_rows(reader, "v_why",
		DIFFERENCE("run_id, task_id, seq, longest, resource, place, by_task, amount_ns, amount_ms",
			"v_why"));
	same_rows(reader, "v_wait_sum",
		DIFFERENCE("run_id, task_id, seq, longest, resource, by_task_id, by_task, by_jobs, by_seq,"
			   " amount_ns, amount_ms",
			"v_wait_sum"));
	same_rows(reader, "v_lane_busy",
		DIFFERENCE("run_id, resource, gpu, unit, busy_ns, waiting_ns", "v_lane_busy"));
	same_rows(reader, "v_sm_busy", DIFFERENCE("run_id, gpu, sm, busy_ns, thread_ns", "v_sm_busy"));
	same_rows(reader, "v_utilisation",
		DIFFERENCE(
			"run_id, policy, lane, resource, busy_ms, waiting_ms, utilisation", "v_utilisation"));
}
