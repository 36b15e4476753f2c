/* cli/audit.c - `cegsim audit`: checks a recording against the rules of docs/model.md, and prints which are
 * broken. */
#include "db/audit/audit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "cli/options.h"
#include "cli/recording.h"
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

/* How the laws came out; a law counts once. */
struct tally {
	size_t broken, hold, elsewhere; /* the last: laws that apply to no run */
	size_t unchecked, partly;       /* too little was recorded of all runs, or of some */
};

static struct tally tally_laws(const struct audit_report *report)
{
	struct tally t = {0};
	for (size_t i = 0; i < report->count; i++) {
		const struct audit_result *r = &report->results[i];
		t.broken += r->findings > 0;
		t.hold += r->findings == 0 && r->runs > 0;
		t.unchecked += r->findings == 0 && r->runs == 0 && r->runs_below_level > 0;
		t.elsewhere += r->findings == 0 && r->runs == 0 && r->runs_below_level == 0;
		t.partly += r->runs > 0 && r->runs_below_level > 0;
	}
	return t;
}

/* 166261 becomes 166,261. */
static const char *grouped(uint64_t value, char text[32])
{
	char digits[24];
	int count = snprintf(digits, sizeof(digits), "%" PRIu64, value);
	char *out = text;
	for (int i = 0; i < count; i++) {
		if (i > 0 && (count - i) % 3 == 0)
			*out++ = ',';
		*out++ = digits[i];
	}
	*out = '\0';
	return text;
}

/* A run that ended with an error has no schedule, so that laws hold says nothing about it. */
static void print_failed(const struct audit_report *report)
{
	if (report->failed == 0)
		return;
	if (report->failed < report->runs)
		say(stdout,
			"%" PRIu64 " of %" PRIu64
			" runs ended with an error: they have no schedule to check\n",
			report->failed, report->runs);
	else if (report->runs == 1)
		puts("no schedule was checked: the run ended with an error");
	else
		say(stdout, "no schedule was checked: all %" PRIu64 " runs ended with an error\n",
			report->runs);
}

/* Of the laws that were checked on no run, how many need which level: that they hold is not known. */
static void print_unchecked(const struct audit_report *report)
{
	static const char *const levels[] = {"jobs", "segments", "blocks", "issues"};
	const char *separator = "";
	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++) {
		size_t count = 0;
		for (size_t k = 0; k < report->count; k++) {
			const struct audit_result *r = &report->results[k];
			count += r->findings == 0 && r->runs == 0 && r->runs_below_level > 0 &&
				 strcmp(r->level, levels[i]) == 0;
		}
		if (count == 0)
			continue;
		say(stdout, "%s%zu need%s --record %s", separator, count, count == 1 ? "s" : "", levels[i]);
		separator = ", ";
	}
}

/* The last line. It also says what was not checked: that all laws hold may only mean that little was
 * recorded. */
static void print_verdict(const struct audit_report *report)
{
	struct tally t = tally_laws(report);
	char rows[32], findings[32];
	say(stdout, "%" PRIu64 " run%s: ", report->runs, report->runs == 1 ? "" : "s");
	if (report->runs == 0 && t.broken == 0 && t.hold == 0) {
		puts("there is no run to check");
		return;
	}
	if (t.broken)
		say(stdout, "%zu law%s broken, %s finding%s; ", t.broken, t.broken == 1 ? " is" : "s are",
			grouped(report->findings, findings), report->findings == 1 ? "" : "s");
	say(stdout, "%zu law%s, %s row%s", t.hold, t.hold == 1 ? " holds" : "s hold",
		grouped(report->rows, rows), report->rows == 1 ? "" : "s");
	if (t.elsewhere)
		say(stdout, "; %zu do%s not apply", t.elsewhere, t.elsewhere == 1 ? "es" : "");
	if (t.unchecked) {
		say(stdout, "; %zu %s not checked, as too little was recorded: ", t.unchecked,
			t.unchecked == 1 ? "was" : "were");
		print_unchecked(report);
	}
	if (t.partly)
		say(stdout, "; %zu %s checked on some runs only", t.partly, t.partly == 1 ? "was" : "were");
	putchar('\n');
}

static bool print(const struct audit_report *report, const struct given *given, struct error *err)
{
	if (given->format != TABLE_TEXT)
		return print_flat(report, given->format, err);
	if (given->verbose && !print_laws(report, err))
		return false;
	if (given->verbose)
		putchar('\n');
	for (size_t i = 0; i < report->count; i++) {
		const struct audit_result *r = &report->results[i];
		if (r->findings)
			say(stdout, "%s: %s\n  first of %" PRIu64 ": %s\n\n", r->law, r->summary, r->findings,
				r->first);
	}
	if (!given->quiet) {
		print_failed(report);
		print_verdict(report);
	}
	return true;
}

int verb_audit(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"run", KEY_RUN, "N", 0, "audit only the run with this run_id", 0},
		OPTION_QUIET("print only what is broken, no notes"),
		OPTION_VERBOSE("list all laws: how many rows each was held against, how many break it"),
		OPTION_FORMAT,
		{0},
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "FILE.db",
		.doc = "Hold recorded schedules against the rules, from the recording alone.\vPrints, for "
		       "each broken law, the first offending row, and then how many laws hold. With -v, "
		       "also a table of all laws. How much can be checked depends on how much was recorded "
		       "(summary, jobs, segments or blocks).\n\nExit status: 0 nothing found; 1 a law is "
		       "broken; 2 usage error, or the file is no recording; 3 it cannot be read.",
	};
	struct audit_command request = {.given.noun = "recording", .run = AUDIT_ALL_RUNS};
	struct audit_report report = {0};
	struct error err;
	options_parse(&argp, argc, argv, &request);
	struct db_reader *reader = reader_open(request.given.file, &err);
	if (reader && !request.given.quiet)
		recording_note_of(reader, request.given.file);
	bool ok = reader && audit_recording(reader, request.run, &report, &err) &&
		  provenance_check(reader, request.run, &report, &err) &&
		  print(&report, &request.given, &err);
	reader_close(reader);
	int status = !ok ? error_report(&err) : report.findings ? STATUS_NO : STATUS_OK;
	audit_report_finish(&report);
	return status;
}
