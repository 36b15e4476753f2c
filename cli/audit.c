/* cli/audit.c - `cegsim audit`: checks a recording against the rules of docs/model.md, and prints which are
 * broken. */
#include "db/audit/audit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "cli/table/table.h"
#include "cli/verbs.h"
#include "runs/provenance/provenance.h"

enum { KEY_RUN = OPTION_KEY_OWN };

struct audit_command {
	struct given given;
	int64_t run;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct audit_command *request = state->input;
	switch (key) {
	case KEY_RUN:
		request->run = option_integer(state, "--run", arg, 0, INT64_MAX);
		return 0;
	case ARGP_KEY_ARG:
		if (request->given.file)
			argp_error(state, "one recording at a time, please: '%s' is the second", arg);
		request->given.file = arg;
		return 0;
	default:
		return given_parse(key, arg, state, &request->given);
	}
}

/* Why a law says less than one might think; NULL: it was checked on every run. */
static const char *note(const struct audit_result *r, char *text, size_t size)
{
	if (r->runs_below_level == 0 && r->runs_elsewhere == 0)
		return NULL;
	if (r->runs == 0 && r->runs_below_level == 0)
		return "does not apply here";
	if (r->runs_below_level)
		snprintf(text, size, "%s record: %s for %" PRIu64 " run%s",
			r->runs ? "partly; needs" : "not checked; needs", r->level, r->runs_below_level,
			r->runs_below_level == 1 ? "" : "s");
	else
		snprintf(text, size, "does not apply to %" PRIu64 " run%s", r->runs_elsewhere,
			r->runs_elsewhere == 1 ? "" : "s");
	return text;
}

/* For programs: one table with everything. */
static bool print_flat(const struct audit_report *report, enum table_format format, struct error *err)
{
	static const char *const columns[] = {"law", "level", "summary", "runs", "runs_below_level",
		"runs_elsewhere", "checked", "findings", "first"};
	struct table t;
	table_begin(&t, stdout, format, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < report->count; i++) {
		const struct audit_result *r = &report->results[i];
		table_text(&t, r->law);
		table_text(&t, r->level);
		table_text(&t, r->summary);
		table_integer(&t, (int64_t)r->runs);
		table_integer(&t, (int64_t)r->runs_below_level);
		table_integer(&t, (int64_t)r->runs_elsewhere);
		table_integer(&t, (int64_t)r->checked);
		table_integer(&t, (int64_t)r->findings);
		table_text(&t, r->first);
	}
	return table_end(&t, err);
}

static bool print_laws(const struct audit_report *report, struct error *err)
{
	static const char *const columns[] = {"law", "checked", "findings", "note"};
	struct table t;
	table_begin(&t, stdout, TABLE_TEXT, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < report->count; i++) {
		const struct audit_result *r = &report->results[i];
		char text[80];
		table_text(&t, r->law);
		table_integer(&t, (int64_t)r->checked);
		table_integer(&t, (int64_t)r->findings);
		table_text(&t, note(r, text, sizeof(text)));
	}
	return table_end(&t, err);
}

/* Says what was not checked: "nothing found" may only mean that little was recorded. */
static void print_unchecked(const struct audit_report *report)
{
	size_t none = 0, some = 0;
	for (size_t i = 0; i < report->count; i++) {
		const struct audit_result *r = &report->results[i];
		none += r->runs_below_level > 0 && r->runs == 0;
		some += r->runs_below_level > 0 && r->runs > 0;
	}
	if (none)
		printf("; %zu law%s not checked, for want of what was not recorded", none,
			none == 1 ? " was" : "s were");
	if (some)
		printf("; %zu law%s not checked on all runs", some, some == 1 ? " was" : "s were");
}

static bool print(const struct audit_report *report, enum table_format format, struct error *err)
{
	if (format != TABLE_TEXT)
		return print_flat(report, format, err);
	if (!print_laws(report, err))
		return false;
	for (size_t i = 0; i < report->count; i++) {
		const struct audit_result *r = &report->results[i];
		if (r->findings)
			printf("\n%s: %s\n  first of %" PRIu64 ": %s\n", r->law, r->summary, r->findings,
				r->first);
	}
	printf("\n%" PRIu64 " run%s, %" PRIu64 " rows: ", report->runs, report->runs == 1 ? "" : "s",
		report->rows);
	if (report->findings)
		printf("%" PRIu64 " finding%s", report->findings, report->findings == 1 ? "" : "s");
	else
		printf("%s", report->runs ? "nothing found" : "there is no run to check");
	print_unchecked(report);
	putchar('\n');
	return true;
}

int verb_audit(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"run", KEY_RUN, "N", 0, "audit only the run with this run_id", 0},
		OPTION_FORMAT,
		{0},
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "FILE.db",
		.doc = "Hold recorded schedules against the rules, from the recording alone.\v"
		       "Prints, for each law, how many rows were held against it and how many break it, and "
		       "for each broken law "
		       "the first offending row. How much can be checked depends on how much was recorded "
		       "(summary, jobs, segments "
		       "or blocks).\n\nExit status: 0 nothing found; 1 a law is broken; 2 usage error, or "
		       "the file is no recording; "
		       "3 it cannot be read.",
	};
	struct audit_command request = {.given.noun = "recording", .run = AUDIT_ALL_RUNS};
	struct audit_report report = {0};
	struct error err;
	if (options_parse(&argp, argc, argv, &request) != 0)
		return STATUS_IO;
	bool ok = audit_file(request.given.file, request.run, &report, &err) &&
		  provenance_check(request.given.file, request.run, &report, &err) &&
		  print(&report, request.given.format, &err);
	int status = !ok ? error_report(&err) : report.findings ? STATUS_NO : STATUS_OK;
	audit_report_finish(&report);
	return status;
}
