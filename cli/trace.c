/* cli/trace.c - `cegsim trace`: writes a run of a recording as a file for the Perfetto UI. */
#include "report/trace/trace.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/output.h"
#include "base/say.h"
#include "cli/options.h"
#include "cli/recording.h"
#include "cli/verbs.h"

enum { KEY_FROM = OPTION_KEY_OWN, KEY_TO };

struct trace_command {
	struct given given;
	struct trace_request request;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct trace_command *c = state->input;
	switch (key) {
	case 'r':
		c->request.run = option_integer(state, "--run", arg, 0, INT64_MAX);
		return 0;
	case KEY_FROM:
		c->request.from_ns = option_time(state, "--from", arg);
		return 0;
	case KEY_TO:
		c->request.to_ns = option_time(state, "--to", arg);
		return 0;
	case ARGP_KEY_ARG:
		if (c->given.file)
			argp_error(state, "one recording at a time, please: '%s' is the second", arg);
		c->given.file = arg;
		return 0;
	case ARGP_KEY_END:
		given_parse(key, arg, state, &c->given);
		if (!c->given.output)
			argp_error(state, "which file shall be written? (-o FILE.pftrace)");
		if (c->request.from_ns >= c->request.to_ns)
			argp_error(state, "--from must be before --to");
		return 0;
	default:
		return given_parse(key, arg, state, &c->given);
	}
}

static bool write_trace(const struct trace_command *c, struct trace_summary *summary, struct error *err)
{
	if (!output_is_another(c->given.output, c->given.file, err))
		return false;
	struct db_reader *reader = recording_open(c->given.file, err);
	if (!reader)
		return false;
	bool ok = trace_write(reader, c->given.file, c->given.output, &c->request, summary, err);
	reader_close(reader);
	return ok;
}

int verb_trace(int argc, char **argv)
{
	static const struct argp_option options[] = {
		OPTION_OUTPUT("FILE.pftrace", "the trace to write"),
		{"run", 'r', "N", 0,
			"the run with this run_id (default: the first with intervals, else with jobs)", 0},
		{"from", KEY_FROM, "T", 0, "leave out what ends before this instant, such as 12ms", 0},
		{"to", KEY_TO, "T", 0, "leave out what begins at this instant or later", 0},
		OPTION_FORCE("replace FILE.pftrace if it exists"),
		{0},
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "FILE.db",
		.doc = "Write a run of a recording as a trace for the Perfetto UI (ui.perfetto.dev).\v"
		       "Blocks on the slots of SMs, segments on the CPU, the copy engines and the GPU, jobs "
		       "with releases, deadlines and misses, queues, flows from segment to segment of a job, "
		       "power and occupancy. How much there is to see depends on how much was recorded "
		       "(jobs, segments or blocks).\n\nExit status: 0 done; 2 usage error, or the file is no "
		       "recording, or its runs were recorded with too little, or have not run; 3 a file, the "
		       "disk or the memory failed; 130 interrupted.",
	};
	struct trace_command c = {
		.given.noun = "recording",
		.request = {.run = TRACE_FIRST_RUN, .to_ns = INT64_MAX},
	};
	struct trace_summary summary;
	struct error err;
	options_parse(&argp, argc, argv, &c);
	c.request.replace = c.given.force;
	if (!write_trace(&c, &summary, &err))
		return error_report(&err);
	say(stdout,
		"%s: run %" PRId64 " (%s, record: %s): %" PRIu64 " slices on %" PRIu64 " tracks, %.1f MB\n",
		c.given.output, summary.run, summary.policy, summary.level, summary.slices, summary.tracks,
		(double)summary.bytes / 1e6);
	return STATUS_OK;
}
