/* cli/validate.c - `cegsim validate`: compares the responses of a recording with bounds, and tells how near
 * they come. */
#include <inttypes.h>
#include <stdio.h>

#include "base/interrupt.h"
#include "base/say.h"
#include "base/text.h"
#include "cli/recording.h"
#include "cli/uses.h"
#include "cli/validate_chains.h"
#include "cli/validate_shrink.h"
#include "cli/verbs.h"
#include "db/rows.h"
#include "runs/bounds/validation.h"

struct validate_command {
	struct given given;
	struct uses uses; /* -p: plug-ins */
	bool shrink;
};

enum { KEY_SHRINK = OPTION_KEY_OWN };

/* Where --shrink writes, unless -o says it. */
#define SHRUNK "counterexample.yaml"

static const struct argp_option options[] = {
	{"analysis", 'a', "ANALYSIS", 0,
		"hold the responses against this analysis; may be given several times, options as "
		"for `cegsim analyze'. Default: the bounds that are stored, else all analyses for "
		"the run's policy",
		0},
	{"policy", 'p', "PLUGIN", 0,
		"the plug-in (./mine.so) that runs were made under; may be given several times", 0},
	{"shrink", KEY_SHRINK, NULL, 0,
		"write the set and the jobs that exceed a bound most as a scenario, as small as it can be "
		"made with the bound exceeded: tasks and segments dropped, numbers rounded",
		0},
	OPTION_OUTPUT("FILE.yaml", "where --shrink writes (default: " SHRUNK ")"),
	OPTION_FORCE("replace it if it exists"),
	USES_BOUNDS("hold them against the bounds in FILE.csv: columns set, task, bound_ns and, if you want, "
		    "policy, platform, analysis; safety=unsafe:FILE.csv: they are not meant to hold"),
	USES_TIMEOUT,
	OPTION_QUIET("no notes"),
	OPTION_FORMAT,
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct validate_command *c = state->input;
	if (key == KEY_SHRINK) {
		c->shrink = true;
		return 0;
	}
	return uses_parse(key, arg, state, &c->uses) == 0 ? 0 : given_parse(key, arg, state, &c->given);
}

/* ---- tables ---- */

static double ms(int64_t ns)
{
	return (double)ns * 1e-6;
}

/* The words in the order of enum bound_check. */
#define COUNTS                                                                                               \
	"sets", "refused", "runs", "outside", "removing", "unbounded", "beyond_period", "not_assumed",       \
		"exceeded", "truncated", "unanswered", "holds", "worst", "mean"

static void add_counts(struct table *t, const struct tightness *y)
{
	table_integer(t, y->sets);
	table_integer(t, y->refused);
	table_integer(t, y->runs);
	for (int check = 0; check < BOUND_CHECKS; check++)
		table_integer(t, y->counted[check]);
	y->ratios ? table_real(t, y->worst) : table_null(t);
	y->ratios ? table_real(t, y->sum / (double)y->ratios) : table_null(t);
}

static bool print_text(struct tightness *const *all, size_t count, struct error *err)
{
	static const char *const columns[] = {"policy", "analysis", COUNTS};
	static const char *const shares[] = {"policy", "analysis", "<=10%", "<=20%", "<=30%", "<=40%",
		"<=50%", "<=60%", "<=70%", "<=80%", "<=90%", "<=100%"};
	struct table t;
	table_begin(&t, stdout, TABLE_TEXT, columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < count; i++) {
		table_text(&t, all[i]->policy_label);
		table_text(&t, all[i]->label);
		add_counts(&t, all[i]);
	}
	if (!table_end(&t, err))
		return false;
	say(stdout, "\nBounds that hold, tasks in runs by observed / bound:\n\n");
	table_begin(&t, stdout, TABLE_TEXT, shares, sizeof(shares) / sizeof(*shares));
	for (size_t i = 0; i < count; i++) {
		table_text(&t, all[i]->policy_label);
		table_text(&t, all[i]->label);
		for (int k = 0; k < TIGHTNESS_TENTHS; k++)
			table_integer(&t, all[i]->tenths[k]);
	}
	return table_end(&t, err);
}

/* For each analysis the response that comes nearest to its bound, or exceeds it most. */
static bool print_closest(struct tightness *const *all, size_t count, struct error *err)
{
	static const char *const columns[] = {
		"policy", "analysis", "set", "run", "task", TABLE_MS("observed"), TABLE_MS("bound"), "ratio"};
	struct table t;
	bool any = false;
	for (size_t i = 0; i < count; i++)
		any |= all[i]->closest.run_id != 0;
	if (!any)
		return true;
	say(stdout, "\nClosest to its bound:\n\n");
	table_begin(&t, stdout, TABLE_TEXT, columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < count; i++) {
		const struct violation *c = &all[i]->closest;
		if (c->run_id == 0)
			continue;
		table_text(&t, all[i]->policy_label);
		table_text(&t, all[i]->label);
		table_integer(&t, c->taskset_id);
		table_integer(&t, c->run_id);
		table_text(&t, c->task);
		table_time(&t, c->observed_ns);
		table_time(&t, c->bound_ns);
		table_real(&t, (double)c->observed_ns / (double)c->bound_ns);
	}
	return table_end(&t, err);
}

static void print_exceeded(struct tightness *const *all, size_t count, const char *file)
{
	for (size_t i = 0; i < count; i++) {
		const struct tightness *y = all[i];
		const struct violation *v = &y->first;
		int64_t exceeded = y->counted[CHECK_EXCEEDED];
		if (exceeded == 0)
			continue;
		say(stdout, "\n%s under %s: exceeded ", y->label, y->policy_label);
		exceeded == 1 ? say(stdout, "once") : say(stdout, "%" PRId64 " times", exceeded);
		say(stdout, "%s\n  first: run %" PRId64 ", task '%s'",
			y->unsafe ? "; its bounds are known to be unsafe" : "", v->run_id, v->task);
		if (v->seq != DB_NULL)
			say(stdout, ", job %" PRId64, v->seq);
		say(stdout,
			": observed %s%.10g ms, bound %.10g ms\n  once more: cegsim run %s --run %" PRId64
			"\n",
			v->unfinished ? "more than " : "", ms(v->observed_ns), ms(v->bound_ns), file,
			v->run_id);
	}
}

static bool print_flat(
	struct tightness *const *all, size_t count, enum table_format format, struct error *err)
{
	static const char *const columns[] = {"policy", "params", "analysis", "analysis_params", "safety",
		COUNTS, "to_10", "to_20", "to_30", "to_40", "to_50", "to_60", "to_70", "to_80", "to_90",
		"to_100", "run_id", "task", "seq", TABLE_MS("observed"), TABLE_MS("bound"), "closest_set",
		"closest_run", "closest_task", TABLE_MS("closest_observed"), TABLE_MS("closest_bound")};
	struct table t;
	table_begin(&t, stdout, format, columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < count; i++) {
		const struct tightness *y = all[i];
		const char *texts[] = {
			y->policy, y->policy_params, y->analysis, y->params, y->unsafe ? "unsafe" : "sound"};
		for (size_t k = 0; k < sizeof(texts) / sizeof(*texts); k++)
			table_text(&t, texts[k]);
		add_counts(&t, y);
		for (int k = 0; k < TIGHTNESS_TENTHS; k++)
			table_integer(&t, y->tenths[k]);
		bool any = y->counted[CHECK_EXCEEDED] > 0;
		any ? table_integer(&t, y->first.run_id) : table_null(&t);
		table_text(&t, any ? y->first.task : NULL);
		any && y->first.seq != DB_NULL ? table_integer(&t, y->first.seq) : table_null(&t);
		any ? table_time(&t, y->first.observed_ns) : table_null(&t);
		any ? table_time(&t, y->first.bound_ns) : table_null(&t);
		any = y->closest.run_id != 0;
		any ? table_integer(&t, y->closest.taskset_id) : table_null(&t);
		any ? table_integer(&t, y->closest.run_id) : table_null(&t);
		table_text(&t, any ? y->closest.task : NULL);
		any ? table_time(&t, y->closest.observed_ns) : table_null(&t);
		any ? table_time(&t, y->closest.bound_ns) : table_null(&t);
	}
	return table_end(&t, err);
}

static bool print(struct tightness *const *all, size_t count, const char *file, enum table_format format,
	struct error *err)
{
	if (format != TABLE_TEXT)
		return print_flat(all, count, format, err);
	if (!print_text(all, count, err) || !print_closest(all, count, err))
		return false;
	print_exceeded(all, count, file);
	return true;
}

/* What has no bound at all, and why, once for each policy. */
static void print_uncovered(const struct validation *v)
{
	for (size_t i = 0; i < v->uncovered_count; i++)
		say(stderr, "cegsim: note: no analysis has a bound for %" PRId64 " set%s under %s: %s\n",
			v->uncovered[i].sets, plural((uint64_t)v->uncovered[i].sets), v->uncovered[i].policy,
			v->uncovered[i].reason);
}

/* Analyses of users that gave no answer; whether there are any. */
static bool print_errors(struct tightness *const *all, size_t count)
{
	bool any = false;
	for (size_t i = 0; i < count; i++) {
		const struct tightness *y = all[i];
		if (y->erred > 0)
			say(stderr,
				"cegsim: error: %s under %s gave no answer for %" PRId64 " of %" PRId64
				" set%s; first, set %" PRId64 ": %s\n",
				y->label, y->policy_label, y->erred, y->sets, plural((uint64_t)y->sets),
				y->first_erred, y->reason);
		any |= y->erred > 0;
	}
	return any;
}

/* ---- the command ---- */

/* STATUS_OK: it was written, or there is nothing to write. */
static enum status shrink(const struct validate_command *c, const struct validation *v)
{
	struct error err;
	const struct shrink_request request = {
		.file = c->given.file,
		.output = c->given.output ? c->given.output : SHRUNK,
		.overwrite = c->given.force,
		.remarks = c->given.format == TABLE_TEXT ? stdout : stderr,
	};
	if (!validate_shrink(&request, v, &err))
		return (enum status)error_report(&err);
	if (interrupt_came) {
		say(stderr, "cegsim: interrupted; %s is as small as it was then\n", request.output);
		return STATUS_INTERRUPTED;
	}
	return STATUS_OK;
}

static enum status validate(struct validate_command *c)
{
	struct validation v = {.file = c->given.file};
	struct error err;
	if ((c->given.output || c->given.force) && !c->shrink) {
		error_set(&err, STATUS_INPUT, "-o and --force are for what --shrink writes");
		return (enum status)error_report(&err);
	}
	if (!c->given.quiet)
		recording_note(c->given.file);
	bool ok = uses_plugins(&c->uses, "runs are held against bounds", &err) &&
		  uses_analyses(&c->uses, c->given.file, &err) &&
		  uses_bounds(&c->uses, c->given.file, &err) &&
		  (!c->shrink || uses_can_shrink(&c->uses, c->given.file, &err));
	v.analyses = c->uses.analyses;
	v.analysis_count = c->uses.analysis_count;
	v.chosen = c->uses.chosen;
	v.stop = &interrupt_stops;
	interrupt_note(true);
	ok = ok && validation_make(&v, &err) &&
	     print(v.tallies, v.tally_count, v.file, c->given.format, &err);
	if (ok && !c->given.quiet) {
		/* What a user's table lacks is told with it. */
		if (c->uses.bounds_texts.count == 0)
			print_uncovered(&v);
		uses_note_missing(&c->uses, v.file);
	}
	bool chains_exceeded = false;
	ok = ok && validate_chains(c->given.file, c->given.format == TABLE_TEXT, &chains_exceeded, &err);
	enum status status = !ok ? (enum status)error_report(&err) : chains_exceeded ? STATUS_NO : STATUS_OK;
	if (ok && print_errors(v.tallies, v.tally_count))
		status = STATUS_INPUT;
	for (size_t i = 0; ok && i < v.tally_count; i++)
		if (v.tallies[i]->counted[CHECK_EXCEEDED] > 0 && !v.tallies[i]->unsafe)
			status = STATUS_NO;
	if (ok && v.interrupted) {
		say(stderr, "cegsim: interrupted after %zu of %zu sets; this is what they say\n", v.done,
			v.sets);
		status = STATUS_INTERRUPTED;
	}
	if (ok && c->shrink && !v.interrupted) {
		enum status shrunk = shrink(c, &v);
		status = shrunk == STATUS_OK ? status : shrunk;
	}
	validation_finish(&v);
	return status;
}

int verb_validate(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "FILE.db",
		.doc = "Hold the largest response of every task in every run of a recording against bounds, "
		       "and show how near it comes.\vA bound holds, or is exceeded, or the run cannot tell; "
		       "what it cannot tell is counted apart and never makes a bound look safe: its traces "
		       "leave what the tasks declare (outside), it removes jobs at their deadline "
		       "(removing), there is no bound (unbounded) or one beyond the period, which promises "
		       "nothing, the run was cut short (truncated), or jobs have no response (unanswered). "
		       "The view v_bound_check says the same. Bounds of chains that are stored are held "
		       "against ages and reactions, as in v_chain_check. Exit status: 0 no bound of a sound "
		       "analysis is exceeded; 1 one is; 2 usage or input error, or an analysis of your own "
		       "gave no answer; 3 a file, the disk or the memory failed; 130 interrupted, with the "
		       "sets until then.",
	};
	struct validate_command c = {.given.noun = "recording"};
	options_parse(&argp, argc, argv, &c);
	enum status status = validate(&c);
	uses_finish(&c.uses);
	return (int)status;
}
