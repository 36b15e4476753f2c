/* cli/view.c - `cegsim view`: makes one page for a browser from a recording. */
#include "report/page/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/say.h"
#include "cli/options.h"
#include "cli/recording.h"
#include "cli/verbs.h"
#include "db/reader.h"
#include "runs/progress.h"

#define LIMIT_MAX 1000000000

enum { KEY_FROM = OPTION_KEY_OWN, KEY_TO, KEY_LIMIT, KEY_TITLE };

struct view_command {
	struct given given;
	struct view_request request;
	int64_t *runs; /* with as many elements as there are arguments */
	struct progress progress;
};

static const struct argp_option options[] = {
	OPTION_OUTPUT("FILE.html", "the page to make; -: standard output"),
	{"run", 'r', "N", 0, "only the run with this run_id; may be given several times", 0},
	{"from", KEY_FROM, "T", 0, "only what happens at this time or later, such as 20ms", 0},
	{"to", KEY_TO, "T", 0, "only what happens before this time", 0},
	{"limit", KEY_LIMIT, "ROWS", 0, "rows of a table that are kept at most (default: 2000000)", 0},
	{"title", KEY_TITLE, "TEXT", 0, "instead of the recording's name", 0},
	OPTION_FORCE("replace FILE.html if it exists"),
	OPTION_QUIET("no progress, no notes"),
	{0},
};

static void check(struct view_command *c, struct argp_state *state)
{
	struct view_request *q = &c->request;
	if (!c->given.output)
		argp_error(state, "into which file? Name it with -o");
	if (q->from_ns >= q->to_ns)
		argp_error(state, "--from must be before --to");
	q->file = c->given.file;
	q->output = c->given.output;
	q->force = c->given.force;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct view_command *c = state->input;
	struct view_request *q = &c->request;
	switch (key) {
	case 'r':
		c->runs[q->run_count++] = option_integer(state, "--run", arg, 1, INT64_MAX);
		return 0;
	case KEY_FROM:
		q->from_ns = option_time(state, "--from", arg);
		return 0;
	case KEY_TO:
		q->to_ns = option_time(state, "--to", arg);
		return 0;
	case KEY_LIMIT:
		q->limit = option_integer(state, "--limit", arg, 0, LIMIT_MAX);
		return 0;
	case KEY_TITLE:
		q->title = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (c->given.file)
			argp_error(state, "one recording at a time");
		c->given.file = arg;
		return 0;
	case ARGP_KEY_END:
		given_parse(key, arg, state, &c->given);
		check(c, state);
		return 0;
	default:
		return given_parse(key, arg, state, &c->given);
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "FILE.db",
	.doc = "Make one page of a recording, which a browser shows without a server or network: summary, "
	       "charts, an SQL box, and the schedule to walk through.\vThe page holds the rows themselves. "
	       "Where a table has more than --limit allows, those around missed deadlines and from the "
	       "beginning are kept; drawings of the whole run are always there.\n\n"
	       "Examples:\n"
	       "  cegsim view out.db -o out.html\n"
	       "  cegsim view out.db -r 2 --from 1s --to 1500ms -o second.html\n\n"
	       "Exit status: 0 done; 2 usage or input error; 3 a file, the disk or the memory failed; "
	       "130 interrupted.",
};

static bool goes_on(void *self, double fraction)
{
	struct view_command *c = self;
	progress_update(&c->progress, clock_seconds(), (uint64_t)(fraction * 100), 100, fraction, 0);
	return true;
}

/* Says what the limit left out. */
static void print_notes(const struct view_request *q, const struct view_result *r)
{
	for (int i = 0; i < EXTRACT_TABLES; i++)
		if (r->cut[i])
			say(stderr,
				"cegsim: note: %" PRId64 " of %" PRId64
				" rows of %s are in the page (--limit %" PRId64 ")\n",
				r->kept[i], r->rows[i], extract_tables[i].name, q->limit);
}

static enum status view(struct view_command *c)
{
	struct view_result result;
	struct error err;
	if (!c->given.quiet)
		recording_note(c->given.file);
	progress_init(&c->progress, "percent", c->given.quiet, clock_seconds());
	bool ok = view_make(&c->request, &result, &err);
	progress_clear(&c->progress);
	if (!ok)
		return (enum status)error_report(&err);
	if (!c->given.quiet)
		print_notes(&c->request, &result);
	return STATUS_OK;
}

int verb_view(int argc, char **argv)
{
	struct view_command c = {
		.given.noun = "recording",
		.request = {.to_ns = VIEW_TO_THE_END, .limit = VIEW_LIMIT, .goes_on = goes_on},
	};
	struct error err;
	c.runs = calloc((size_t)argc + 1, sizeof(*c.runs));
	if (!c.runs) {
		error_memory(&err, "the arguments");
		return error_report(&err);
	}
	c.request.runs = c.runs;
	c.request.self = &c;
	options_parse(&argp, argc, argv, &c);
	enum status status = view(&c);
	free(c.runs);
	return (int)status;
}
