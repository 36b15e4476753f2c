/* cli/sweep.c - `cegsim sweep`: runs a campaign on all processors, into one recording. */
#include "runs/campaign/sweep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/say.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/acceptance.h"
#include "cli/input.h"
#include "cli/options.h"
#include "cli/sweep_units.h"
#include "cli/verbs.h"
#include "db/words.h"
#include "policies/pipe/pipe.h"
#include "runs/campaign/pool.h"
#include "runs/campaign/share.h"
#include "runs/campaign/unit.h"
#include "scenarios/variants.h"

#define TIMEOUT_SECONDS 600.0

struct sweep_command {
	struct given given;
	struct campaign campaign;
	struct sweep_spec spec;
	struct sweep_units units;
	bool leveled; /* --record was given */
};

enum { KEY_RESUME = OPTION_KEY_OWN, KEY_SHARD, KEY_TIMEOUT, KEY_LIMIT, KEY_UNITS, KEY_RECORD, KEY_TRUST };

static const struct argp_option options[] = {
	OPTION_OUTPUT("FILE.db", "the recording to make; needed"),
	{"jobs", 'j', "N", 0, "worker processes (default: one per processor)", 0},
	{"resume", KEY_RESUME, NULL, 0,
		"go on where a sweep of the same campaign into the same file was interrupted", 0},
	{"shard", KEY_SHARD, "I/N", 0,
		"make one of N shares of the campaign, I from 0 to N-1; `cegsim merge' puts them together",
		0},
	{"timeout", KEY_TIMEOUT, "DURATION", 0,
		"a run, or an answer of an analysis of your own, that takes longer is stopped "
		"(default: 600s)",
		0},
	{"limit-units", KEY_LIMIT, "K", 0, "only the first K task sets, to try a campaign out", 0},
	{"units", KEY_UNITS, "LIST", 0,
		"only the task sets with these numbers, such as 4711 or 3,17 or 0..9, with all that happens "
		"in them; also of the campaign that a recording was made of (@verdicts has the numbers)",
		0},
	{"record", KEY_RECORD, "LEVEL", 0,
		"with --units, how finely: summary, jobs, segments, blocks or, of warps, issues (default: "
		"blocks)",
		0},
	{"trust", KEY_TRUST, NULL, 0,
		"with --units of a recording: load the plug-ins and run the commands that its campaign names",
		0},
	OPTION_FORCE("replace FILE.db, and what an interrupted sweep into it has left"),
	OPTION_QUIET("no progress"),
	OPTION_FORMAT,
	{0},
};

static void parse_shard(struct argp_state *state, const char *arg, struct sweep_spec *spec)
{
	unsigned index, count;
	int length = 0;
	if (sscanf(arg, "%9u/%9u%n", &index, &count, &length) != 2 || arg[length] != '\0' || count < 1 ||
		count > SHARES_MAX || index >= count || strchr("0123456789", arg[0]) == NULL) {
		argp_error(state, "shard wants I/N with I from 0 to N-1, such as 0/8, got '%s'", arg);
		exit(STATUS_INPUT);
	}
	spec->shard = index;
	spec->shards = count;
}

static void parse_timeout(struct argp_state *state, const char *arg, struct sweep_spec *spec)
{
	struct error err;
	int64_t ns;
	if (!unit_parse(UNIT_TIME, arg, "s", &ns, &err) || ns <= 0) {
		argp_error(state, "timeout wants a duration such as 30s, got '%s'", arg);
		exit(STATUS_INPUT);
	}
	spec->timeout_s = (double)ns * 1e-9;
	pipe_patience(spec->timeout_s);
}

static void parse_units(struct argp_state *state, const char *arg, struct sweep_units *units)
{
	struct error err;
	seeds_finish(&units->numbers);
	if (!seeds_parse(arg, "set", &units->numbers, &err)) {
		argp_error(state, "--units: %s", err.text);
		exit(STATUS_INPUT);
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct sweep_command *c = state->input;
	switch (key) {
	case 'j':
		c->spec.workers = (uint32_t)option_integer(state, "jobs", arg, 1, WORKERS_MAX);
		return 0;
	case KEY_RESUME:
		c->spec.resume = true;
		return 0;
	case KEY_SHARD:
		parse_shard(state, arg, &c->spec);
		return 0;
	case KEY_TIMEOUT:
		parse_timeout(state, arg, &c->spec);
		return 0;
	case KEY_LIMIT:
		c->spec.limit = (uint32_t)option_integer(state, "limit-units", arg, 1, INT32_MAX);
		return 0;
	case KEY_UNITS:
		parse_units(state, arg, &c->units);
		return 0;
	case KEY_RECORD:
		c->units.record = (enum record_level)option_choice(state, "record", arg, words_level);
		c->leveled = true;
		return 0;
	case KEY_TRUST:
		c->units.trust = true;
		return 0;
	case ARGP_KEY_END:
		given_parse(key, arg, state, &c->given);
		if (!c->given.output)
			argp_error(state, "into which recording? Name it with -o");
		if (c->spec.resume && c->given.force)
			argp_error(state, "--resume and --force do not go together");
		if (c->units.numbers.count && (c->spec.shards > 1 || c->spec.limit))
			argp_error(state, "--units goes without --shard and --limit-units");
		if (c->leveled && !c->units.numbers.count)
			argp_error(state, "--record goes with --units; of all sets, the campaign says it");
		if (c->units.trust && !c->units.numbers.count)
			argp_error(state, "--trust goes with --units, of a recording");
		return 0;
	default:
		return given_parse(key, arg, state, &c->given);
	}
}

static void print_size(const struct sweep_command *c)
{
	const struct campaign *k = &c->campaign;
	FILE *out = c->given.format == TABLE_TEXT ? stdout : stderr;
	uint64_t sets = unit_count(k);
	say(out, "%s: %" PRIu32 " grid point%s x %" PRIu32 " %s%s (%s)", k->name, k->points,
		plural(k->points), k->sets, k->variants ? "replication" : "set", plural(k->sets),
		k->variants ? k->variants->name : k->recipe->name);
	if (k->policy_count > 0)
		say(out, ", each under %" PRIu32 " polic%s", k->policy_count,
			k->policy_count == 1 ? "y" : "ies");
	if (k->platform_count > 1)
		say(out, " on %" PRIu32 " platforms", k->platform_count);
	if (k->replications > 1)
		say(out, ", %" PRIu32 " times", k->replications);
	if (k->policy_count > 0)
		say(out, ": %" PRIu64 " run%s", sets * unit_jobs(k), plural(sets * unit_jobs(k)));
	if (k->analysis_count > 0)
		say(out, "; %" PRIu32 " analys%s", k->analysis_count, k->analysis_count == 1 ? "is" : "es");
	if (c->spec.shards > 1) {
		struct share share = share_of((uint32_t)sets, c->spec.shard, c->spec.shards);
		say(out, "; share %" PRIu32 "/%" PRIu32 ": %" PRIu32 " set%s", c->spec.shard, c->spec.shards,
			share.members, plural(share.members));
	}
	if (c->spec.units)
		say(out, "; %" PRIu32 " set%s of %" PRIu64, c->spec.unit_count, plural(c->spec.unit_count),
			sets);
	say(out, "; %" PRIu32 " worker%s\n", c->spec.workers, plural(c->spec.workers));
	fflush(out);
}

static void print_end(const struct sweep_command *c, const struct sweep_result *r)
{
	uint32_t made = r->done - r->done_before;
	if (r->end == SWEEP_WAS_COMPLETE) {
		say(stderr, "cegsim: %s is complete already: nothing to do\n", c->spec.output);
		return;
	}
	if (r->end == SWEEP_INTERRUPTED) {
		say(stderr,
			"cegsim: interrupted after %" PRIu32 " of %" PRIu32
			" sets; what has finished is kept in %s.parts: go on with --resume\n",
			r->done, r->units, c->spec.output);
		return;
	}
	if (!c->spec.quiet)
		say(stderr,
			"cegsim: %" PRIu32
			" set%s in %.1f s (%.4g sets/s, %.1f M events/s), merged in %.1f s\n",
			made, plural(made), r->seconds, r->seconds > 0 ? made / r->seconds : 0,
			r->seconds > 0 ? (double)r->events / r->seconds * 1e-6 : 0, r->merge_seconds);
}

/* A whole campaign is run from its file; sets of it also from its recording. */
static enum status read_campaign(struct sweep_command *c)
{
	struct error err;
	const char *file = c->given.file;
	bool recording;
	if (!input_is_recording(file, &recording, &err))
		return (enum status)error_report(&err);
	if (!recording)
		return input_campaign(file, &c->campaign);
	if (c->units.numbers.count)
		return sweep_units_campaign(&c->units, file, &c->campaign);
	error_set(&err, STATUS_INPUT,
		"%s is a recording: which sets of its campaign? --units names them; a whole campaign is run "
		"from its file",
		file);
	return (enum status)error_report(&err);
}

static enum status sweep(struct sweep_command *c)
{
	struct sweep_result result;
	struct error err;
	if (!output_is_another(c->given.output, c->given.file, &err))
		return (enum status)error_report(&err);
	enum status status = read_campaign(c);
	if (status != STATUS_OK)
		return status;
	if (c->units.numbers.count && !sweep_units_settle(&c->units, &c->campaign, &c->spec, &err))
		return (enum status)error_report(&err);
	c->spec.campaign = &c->campaign;
	c->spec.campaign_file = c->units.campaign_file ? c->units.campaign_file : c->given.file;
	c->spec.output = c->given.output;
	c->spec.overwrite = c->given.force;
	c->spec.quiet = c->given.quiet;
	print_size(c);
	if (!campaign_sweep(&c->spec, &result, &err)) {
		status = (enum status)error_report(&err);
		if (result.done > 0)
			say(stderr,
				"cegsim: %" PRIu32 " of %" PRIu32
				" sets are kept in %s.parts: go on with --resume\n",
				result.done, result.units, c->spec.output);
		return status;
	}
	print_end(c, &result);
	if (result.end == SWEEP_INTERRUPTED)
		return STATUS_INTERRUPTED;
	return (c->spec.units ? acceptance_print_runs : acceptance_print)(
		       c->spec.output, c->given.format, &err)
		       ? STATUS_OK
		       : (enum status)error_report(&err);
}

int verb_sweep(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "CAMPAIGN.yaml\nFILE.db --units=LIST",
		.doc = "Generate task sets over a grid of parameters, run all of them under the campaign's "
		       "policies on several processors, and record everything in FILE.db.\vThe recording is "
		       "the same for any number of workers, and whether or not the sweep was interrupted. "
		       "SIGINT or SIGTERM ends it within a second, and gives up sets that take longer; "
		       "--resume goes on, also after a crash or kill. Exit status: 0 done; 2 usage or "
		       "input error; 3 a file, the disk or the memory failed; 130 interrupted.",
	};
	struct sweep_command c = {
		.given.noun = "campaign",
		.units.record = RECORD_BLOCKS,
		.spec = {.shards = 1,
			.timeout_s = TIMEOUT_SECONDS,
			.workers = option_processors(WORKERS_MAX)},
	};
	options_parse(&argp, argc, argv, &c);
	enum status status = sweep(&c);
	campaign_finish(&c.campaign);
	sweep_units_finish(&c.units);
	return (int)status;
}
