/* cli/search.c - `cegsim search`: finds the longest response of a task that a legal behaviour gives, by
 * climbing, drawing or trying all, and compares it with bounds. This file has the arguments. */
#include "cli/search.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/input.h"
#include "cli/recording.h"
#include "cli/verbs.h"
#include "runs/search/hunt.h"

/* Default: the budget of one climb. */
#define BUDGET_DEFAULT CLIMB_PIECE

enum {
	KEY_METHOD = OPTION_KEY_OWN,
	KEY_BUDGET,
	KEY_SEED,
	KEY_PATIENCE,
	KEY_JOBS_PER_TASK,
	KEY_RELEASES,
	KEY_EXHAUSTIVE,
	KEY_STEP,
	KEY_SEPARATION,
	KEY_LIMIT,
	KEY_WHOLE,
	KEY_SHRINK,
};

static const struct argp_option options[] = {
	{"policy", 'p', "POLICY", 0,
		"search under POLICY instead of the scenario's policies; may be given several times, as "
		"for `cegsim run'",
		0},
	{"analysis", 'a', "ANALYSIS", 0,
		"hold responses against this analysis; may be given several times, as for `cegsim analyze' "
		"(default: all that are for the policy)",
		0},
	{"target", 't', "TASK[.SEGMENT]", 0,
		"whose response: a task's, or that of its segment number SEGMENT (from 0); may be given "
		"several times (default: each task in turn)",
		0},
	{"method", KEY_METHOD, "METHOD", 0,
		"climb (default), random or synchronous; of a recording all three; or hunt: of a recording, "
		"look also at sets near those recorded, with other periods, deadlines and lengths",
		0},
	{"budget", KEY_BUDGET, "N", 0,
		"evaluations for each target (default: 1500), or for each hunt (default: 30000)", 0},
	{"patience", KEY_PATIENCE, "N", 0,
		"begin anew after N moves without a longer response (default: 150)", 0},
	{"seed", KEY_SEED, "N", 0, "seed of the search (default: 1)", 0},
	{"jobs-per-task", KEY_JOBS_PER_TASK, "N", 0,
		"release at most N jobs of a task, 2 or more (default: 8, and no more than 2 beyond "
		"the longest period)",
		0},
	{"releases", KEY_RELEASES, "HOW", 0,
		"sporadic (default), or periodic: with offsets, but no extra separations", 0},
	{"exhaustive", KEY_EXHAUSTIVE, NULL, 0,
		"try all offsets, separations, best and worst cases, and both rules for ties", 0},
	{"step", KEY_STEP, "TIME", 0,
		"exhaustive: between two offsets (default: the greatest common divisor of all times)", 0},
	{"separation", KEY_SEPARATION, "TIME", 0, "exhaustive: extra separations up to TIME (default: 0)", 0},
	{"limit", KEY_LIMIT, "N", 0, "exhaustive: refuse more than N combinations (default: 100000000)", 0},
	OPTION_OUTPUT("DIR|FILE.yaml",
		"write what was found as scenarios, each with its release trace: in DIR for every "
		"target, or in FILE.yaml for the one nearest to or farthest beyond its bound"),
	{"whole", KEY_WHOLE, NULL, 0,
		"write it as it was found, not the smallest that gives the same response", 0},
	{"shrink", KEY_SHRINK, NULL, 0,
		"with -o: also drop tasks and segments, and round numbers, as long as the bound stays "
		"exceeded (or, where none is, as near)",
		0},
	OPTION_FORCE("replace files that exist"),
	{"jobs", 'j', "N", 0, "worker processes (default: one per processor)", 0},
	OPTION_QUIET("no progress"),
	OPTION_VERBOSE("also say how many evaluations a second were made"),
	USES_TIMEOUT,
	OPTION_FORMAT,
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	static const char *const methods[] = {"climb", "random", "synchronous", "hunt", NULL};
	static const char *const releases[] = {"sporadic", "periodic", NULL};
	struct search_command *c = state->input;
	switch (key) {
	case 't':
		words_add(&c->targets, arg);
		return 0;
	case 'j':
		c->workers = (uint32_t)option_integer(state, "jobs", arg, 1, WORKERS_MAX);
		return 0;
	case KEY_METHOD:
		c->method = (int)option_choice(state, "method", arg, methods);
		return 0;
	case KEY_BUDGET:
		c->budget = (uint64_t)option_integer(state, "budget", arg, 1, INT64_C(1) << 40);
		return 0;
	case KEY_PATIENCE:
		c->patience = (uint32_t)option_integer(state, "patience", arg, 1, INT32_MAX);
		return 0;
	case KEY_SEED:
		c->seed = (uint64_t)option_integer(state, "seed", arg, 0, INT64_MAX);
		return 0;
	case KEY_JOBS_PER_TASK:
		c->jobs_per_task = (uint32_t)option_integer(state, "jobs-per-task", arg, 2, GENOME_JOBS_MAX);
		return 0;
	case KEY_RELEASES:
		c->periodic = option_choice(state, "releases", arg, releases) == 1;
		return 0;
	case KEY_EXHAUSTIVE:
		c->method = METHOD_EXHAUSTIVE;
		return 0;
	case KEY_STEP:
		c->step_ns = option_time(state, "step", arg);
		return 0;
	case KEY_SEPARATION:
		c->separation_ns = option_time(state, "separation", arg);
		return 0;
	case KEY_LIMIT:
		c->limit = (uint64_t)option_integer(state, "limit", arg, 1, INT64_MAX);
		return 0;
	case KEY_SHRINK:
		c->shrink = true;
		return 0;
	case KEY_WHOLE:
		c->keep_whole = true;
		return 0;
	default:
		return uses_parse(key, arg, state, &c->uses) == 0 ? 0
								  : given_parse(key, arg, state, &c->given);
	}
}

/* ---- the command ---- */

static enum status run(struct search_command *c)
{
	struct error err;
	if (c->shrink && (!c->given.output || c->keep_whole)) {
		error_set(&err, STATUS_INPUT, "--shrink is for what -o writes, and not with --whole");
		return (enum status)error_report(&err);
	}
	bool recording;
	if (!input_is_recording(c->given.file, &recording, &err))
		return (enum status)error_report(&err);
	if (recording)
		recording_note(c->given.file);
	if (c->budget == 0)
		c->budget = c->method == METHOD_HUNT ? HUNT_BUDGET : BUDGET_DEFAULT;
	if (c->method == METHOD_HUNT && !recording) {
		error_set(&err, STATUS_INPUT,
			"a hunt begins with the sets of a recording; of a scenario, "
			"--method climb looks for the worst behaviour of the set");
		return (enum status)error_report(&err);
	}
	if (!uses_policies(&c->uses, &err) ||
		!uses_analyses(&c->uses, recording ? c->given.file : NULL, &err) ||
		(c->shrink && !uses_can_shrink(&c->uses, c->given.file, &err)))
		return (enum status)error_report(&err);
	return recording ? search_recording(c) : search_scenario(c);
}

int verb_search(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "SCENARIO\nFILE.db",
		.doc = "Look for the longest response of tasks, over release times, execution times and "
		       "ties.\vResponses are held against the bounds of all analyses for the policy. Of a "
		       "recording every set that an analysis finds schedulable is searched, and a summary "
		       "printed; nothing is stored. Exit status: 0 done; 1 a bound of a sound analysis was "
		       "exceeded; 2 usage or input error, or an analysis of your own gave no answer; 3 a "
		       "file, the disk or the memory failed; 130 interrupted, with the worst so far.",
	};
	struct search_command c = {
		.given.noun = "scenario or recording",
		.method = -1,
		.seed = 1,
		.limit = EXHAUST_LIMIT_DEFAULT,
		.patience = CLIMB_PATIENCE,
		.jobs_per_task = GENOME_JOBS_DEFAULT,
		.workers = option_processors(WORKERS_MAX),
	};
	options_parse(&argp, argc, argv, &c);
	enum status status = run(&c);
	words_finish(&c.targets);
	uses_finish(&c.uses);
	return (int)status;
}
