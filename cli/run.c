/* cli/run.c - `cegsim run`: runs scenarios under policies, one after the other; prints a summary on standard
 * output and, with -o, writes a recording. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/output.h"
#include "base/say.h"
#include "base/text.h"
#include "cli/recording.h"
#include "cli/repeat.h"
#include "cli/run_parts.h"
#include "cli/run_rows.h"
#include "cli/same_runs.h"
#include "cli/verbs.h"
#include "db/words.h"
#include "policies/plugin/crash.h"
#include "runs/alone.h"
#include "runs/campaign/drive.h"

enum { KEY_RECORD = OPTION_KEY_OWN, KEY_SEED, KEY_SEEDS, KEY_STRICT, KEY_RUN };

static const struct argp_option options[] = {
	{"policy", 'p', "POLICY", 0,
		"run under POLICY instead of the scenario's own policies; may be given several times, or as "
		"rm,fcfs. "
		"Options follow a colon: fifo-cke:order=release or 'rtgpu:allocation=[2,1],admit=any' (see "
		"`cegsim list policies'). ./mine.so is a policy of your own; with FILE.db, the one that its "
		"runs were made under",
		0},
	OPTION_OUTPUT("FILE.db", "record into FILE.db, an SQLite database"),
	{"record", KEY_RECORD, "LEVEL", 0,
		"how finely: summary, jobs, segments, blocks or, of warps, issues (default: the "
		"scenario's, else jobs)",
		0},
	OPTION_WRITER,
	OPTION_FORCE("replace FILE.db if it exists"),
	{"seed", KEY_SEED, "N", 0, "use N instead of the scenario's seed", 0},
	{"seeds", KEY_SEEDS, "LIST", 0,
		"run with each of these seeds, such as 1..100 or 1,5,9; prints a table over all of them", 0},
	{"strict", KEY_STRICT, NULL, 0,
		"exit with 1 if a deadline was missed, a set refused, or a run truncated", 0},
	{"run", KEY_RUN, "N", 0, "with FILE.db: repeat only the run with this run_id", 0},
	OPTION_QUIET("no progress"),
	OPTION_FORMAT,
	{0},
};

static void parse_seeds(struct argp_state *state, const char *arg, struct run_command *c)
{
	struct error err;
	seeds_finish(&c->seeds);
	if (!seeds_parse(arg, "seed", &c->seeds, &err)) {
		argp_error(state, "%s", err.text);
		exit(STATUS_INPUT);
	}
	c->seeds_text = arg;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct run_command *c = state->input;
	switch (key) {
	case KEY_RECORD:
		c->record = words_level[option_choice(state, "record", arg, words_level)];
		return 0;
	case KEY_SEED:
		c->seed = (uint64_t)option_integer(state, "seed", arg, 0, INT64_MAX);
		c->seeded = true;
		return 0;
	case KEY_SEEDS:
		parse_seeds(state, arg, c);
		return 0;
	case KEY_RUN:
		c->run = option_integer(state, "run", arg, 1, INT64_MAX);
		return 0;
	case KEY_STRICT:
		c->strict = true;
		return 0;
	case ARGP_KEY_ARG:
		words_add(&c->files, arg);
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "which scenario?");
		return 0;
	case ARGP_KEY_END:
		if (c->seeded && c->seeds.count)
			argp_error(state, "--seed and --seeds do not go together");
		return 0;
	default:
		return uses_parse(key, arg, state, &c->uses) == 0 ? 0
								  : given_parse(key, arg, state, &c->given);
	}
}

/* ---- input ---- */

/* Reads all files and prints all their errors. */
static enum status read_scenarios(struct run_command *c)
{
	enum status status = STATUS_OK;
	for (uint32_t i = 0; i < c->files.count; i++) {
		enum status read = input_scenario(c->files.at[i], &c->scenarios[i]);
		status = read > status ? read : status;
		if (c->seeded)
			c->scenarios[i].setup.seed = c->seed;
	}
	return status;
}

/* With --seeds: of every seed one. */
static void plan_run(struct run_command *c, uint32_t scenario, const struct policy_use *use)
{
	uint32_t seeds = c->seeds.count ? c->seeds.count : 1;
	for (uint32_t i = 0; i < seeds; i++) {
		struct planned *run = &c->runs[c->run_count++];
		*run = (struct planned){.scenario = scenario,
			.replication = i,
			.use = *use,
			.setup = c->scenarios[scenario].setup};
		if (c->seeds.count)
			run->setup.seed = seeds_at(&c->seeds, i);
	}
}

static bool plan_runs(struct run_command *c, struct error *err)
{
	size_t most = 0;
	if (!uses_policies(&c->uses, err))
		return false;
	for (uint32_t i = 0; i < c->files.count; i++)
		most += c->uses.policy_count ? c->uses.policy_count : c->scenarios[i].policy_count;
	most *= c->seeds.count ? c->seeds.count : 1;
	if (most > UINT32_MAX)
		return error_set(err, STATUS_INPUT, "there are more than %" PRIu32 " runs", UINT32_MAX);
	c->runs = calloc(most + 1, sizeof(*c->runs));
	if (!c->runs)
		return error_memory(err, "the runs");
	for (uint32_t i = 0; i < c->files.count; i++) {
		const struct scenario *s = &c->scenarios[i];
		const struct policy_use *uses = c->uses.policy_count ? c->uses.policies : s->policies;
		uint32_t count = c->uses.policy_count ? c->uses.policy_count : s->policy_count;
		if (count == 0)
			return error_set(
				err, STATUS_INPUT, "%s names no policies: give some with -p", c->files.at[i]);
		for (uint32_t j = 0; j < count; j++) {
			if (!scenario_takes(s, &uses[j], err))
				return false;
			plan_run(c, i, &uses[j]);
		}
	}
	return true;
}

/* ---- running ---- */

static enum record_level record_level(const struct run_command *c, const struct scenario *s)
{
	for (int level = RECORD_SUMMARY; c->record && level <= RECORD_ISSUES; level++)
		if (strcmp(record_level_name((enum record_level)level), c->record) == 0)
			return (enum record_level)level;
	return s->record;
}

static bool is_overridden(const struct run_command *c)
{
	return c->seeded || c->seeds.count || c->uses.policy_count;
}

/* What --seed, --seeds and -p put in place of the files' values, in the form stored in a recording; nothing:
 * an empty text. */
static void overrides(const struct run_command *c, struct text *out)
{
	char json[PARAMS_JSON_MAX];
	const char *open = "{";
	if (c->seeded) {
		text_printf(out, "%s\"seed\":%" PRId64, open, (int64_t)c->seed);
		open = ",";
	}
	if (c->seeds.count) {
		text_printf(out, "%s\"seeds\":\"%s\"", open, c->seeds_text);
		open = ",";
	}
	for (uint32_t i = 0; i < c->uses.policy_count; i++) {
		const struct policy_use *use = &c->uses.policies[i];
		text_printf(out, "%s%s{\"name\":\"%s\",\"params\":%s}", i ? "," : open,
			i ? "" : "\"policies\":[", use->policy->name,
			policy_json(use->policy, &use->params, json));
	}
	if (is_overridden(c))
		text_add(out, c->uses.policy_count ? "]}" : "}");
}

static bool store_scenario(struct run_command *c, uint32_t i, struct error *err)
{
	struct text given = {0};
	overrides(c, &given);
	bool ok = text_ok(&given, "a scenario", err) &&
		  input_store(c->writer, c->files.at[i], &c->scenarios[i],
			  is_overridden(c) ? text_data(&given) : NULL, &c->stored[i], err);
	text_finish(&given);
	return ok;
}

static bool prepare(void *self, uint32_t index, struct run_spec *spec, struct error *err)
{
	struct run_command *c = self;
	const struct planned *run = &c->runs[index];
	const struct scenario *s = &c->scenarios[run->scenario];
	const struct stored_scenario *stored = &c->stored[run->scenario];
	if (c->writer && stored->scenario_id == 0 && !store_scenario(c, run->scenario, err))
		return false;
	*spec = (struct run_spec){
		.platform = &s->platform,
		.set = &s->set,
		.setup = &run->setup,
		.replication = run->replication,
		.policy = run->use.policy,
		.params = &run->use.params,
		.record = record_level(c, s),
		.alone = c->alone,
		.scenario_id = stored->scenario_id,
		.taskset_id = stored->taskset_id,
		.platform_id = stored->platform_id,
	};
	return true;
}

static void ended(void *self, uint32_t index, const struct run_result *result, const struct run *done)
{
	struct run_command *c = self;
	struct planned *run = &c->runs[index];
	const struct statistics *statistics = run_statistics(done);
	const struct warp_simulation *warps = run_warps(done);
	run->ended = true;
	run->result = *result;
	run->tasks = calloc(statistics->task_count + 1, sizeof(*run->tasks));
	if (run->tasks && statistics->task_count)
		memcpy(run->tasks, statistics->tasks, statistics->task_count * sizeof(*run->tasks));
	c->lost |= !run->tasks || !run_keep_chains(run, &c->scenarios[run->scenario].set, done);
	run->kernels = warps ? calloc(statistics->task_count + 1, sizeof(*run->kernels)) : NULL;
	for (uint32_t i = 0; run->kernels && i < statistics->task_count; i++)
		run->kernels[i] = *warp_simulation_kernel(warps, i);
	c->lost |= warps && !run->kernels;
}

static void existed(void *self, uint32_t index)
{
	struct run_command *c = self;
	c->runs[index].existed = true;
	say(stderr, "cegsim: %s under %s is in the recording already: not run again\n",
		c->scenarios[c->runs[index].scenario].name, c->runs[index].use.policy->name);
}

/* ---- results ---- */

/* A run that was refused, or ended with an error, has no figures: 0 misses would be one. */
static void print_outcome(struct table *t, const struct run_result *result)
{
	const struct simulation_outcome *o = &result->outcome;
	char digest[17];
	if (result->status != RUN_OK && result->status != RUN_TRUNCATED) {
		for (int figure = 0; figure < 6; figure++)
			table_null(t);
		return;
	}
	snprintf(digest, sizeof(digest), "%016" PRIx64, o->digest);
	table_integer(t, (int64_t)o->jobs);
	table_integer(t, (int64_t)o->misses);
	if (result->powered)
		table_energy(t, result->energy_uwns);
	else
		table_null(t);
	table_time(t, o->end_ns);
	table_integer(t, (int64_t)o->events);
	table_text(t, digest);
}

static bool print_runs(const struct run_command *c, struct error *err)
{
	static const char *const columns[] = {"scenario", "policy", "status", "jobs", "misses",
		TABLE_JOULES("energy"), TABLE_MS("end"), "events", "digest", "reason", "seed"};
	struct table t;
	table_begin(&t, stdout, c->given.format, columns,
		sizeof(columns) / sizeof(*columns) - (c->seeds.count == 0));
	for (uint32_t i = 0; i < c->run_count; i++) {
		const struct planned *run = &c->runs[i];
		char label[PARAMS_LABEL_MAX];
		if (!run->ended)
			continue;
		table_text(&t, c->scenarios[run->scenario].name);
		table_text(&t, policy_use_label(&run->use, label));
		table_text(&t, run_status_name(run->result.status));
		print_outcome(&t, &run->result);
		table_text(&t, run->result.reason[0] ? run->result.reason : NULL);
		if (c->seeds.count)
			table_integer(&t, (int64_t)run->setup.seed);
	}
	return table_end(&t, err);
}

static const char *label_of(const void *self, uint32_t index, char *text)
{
	return policy_use_label(&((const struct run_command *)self)->runs[index].use, text);
}

static bool print_same(const struct run_command *c, struct error *err)
{
	struct run_digest *runs = calloc(c->run_count + 1, sizeof(*runs));
	if (!runs)
		return error_memory(err, "the table");
	for (uint32_t i = 0; i < c->run_count; i++) {
		const struct planned *run = &c->runs[i];
		runs[i].known = run->ended && run->result.status == RUN_OK;
		runs[i].scenario = run->scenario;
		runs[i].digest = run->result.outcome.digest;
	}
	same_runs_print(runs, c->run_count, label_of, c);
	free(runs);
	return true;
}

static bool any_simulated(const struct run_command *c, bool warps)
{
	for (uint32_t i = 0; i < c->run_count; i++)
		if (run_was_simulated(&c->runs[i]) &&
			(c->scenarios[c->runs[i].scenario].set.warps != NULL) == warps)
			return true;
	return false;
}

static bool print_kernels(const struct run_command *c, struct error *err)
{
	static const char *const columns[] = {"scenario", "policy", "kernel", "launches", "misses",
		TABLE_US("mean"), TABLE_US("max"), TABLE_US("deadline"), "warp_instructions", "ipc", "alone",
		"goal", "reached", "swaps"};
	struct table t;
	putchar('\n');
	table_begin(&t, stdout, c->given.format, columns, sizeof(columns) / sizeof(*columns));
	for (uint32_t i = 0; i < c->run_count; i++) {
		const struct planned *run = &c->runs[i];
		const struct scenario *s = &c->scenarios[run->scenario];
		char label[PARAMS_LABEL_MAX];
		for (uint32_t j = 0; run_was_simulated(run) && run->kernels && j < s->set.task_count; j++) {
			table_text(&t, s->name);
			table_text(&t, policy_use_label(&run->use, label));
			row_of_kernel(&t, &s->set.tasks[j], &run->tasks[j], &run->kernels[j]);
		}
	}
	return table_end(&t, err);
}

static bool print_tasks(const struct run_command *c, struct error *err)
{
	static const char *const columns[] = {"scenario", "policy", "task", "jobs", "misses", TABLE_MS("min"),
		TABLE_MS("mean"), TABLE_MS("max"), TABLE_MS("deadline")};
	struct table t;
	putchar('\n');
	table_begin(&t, stdout, c->given.format, columns, sizeof(columns) / sizeof(*columns));
	for (uint32_t i = 0; i < c->run_count; i++) {
		const struct planned *run = &c->runs[i];
		const struct scenario *s = &c->scenarios[run->scenario];
		char label[PARAMS_LABEL_MAX];
		if (!run_was_simulated(run) || s->set.warps)
			continue;
		for (uint32_t j = 0; j < s->set.task_count; j++) {
			const struct task_statistics *task = &run->tasks[j];
			table_text(&t, s->name);
			table_text(&t, policy_use_label(&run->use, label));
			row_of_task(&t, &s->set.tasks[j], task);
		}
	}
	return table_end(&t, err);
}

/* Reports why runs could not be made, or did not come to their end; returns the worst status. A truncated run
 * is no error. */
static enum status report_errors(const struct run_command *c)
{
	enum status worst = STATUS_OK;
	for (uint32_t i = 0; i < c->run_count; i++) {
		const struct planned *run = &c->runs[i];
		bool truncated = run->result.status == RUN_TRUNCATED;
		char label[PARAMS_LABEL_MAX];
		if (!run->ended || (run->result.status != RUN_ERROR && !truncated))
			continue;
		say(stderr, "cegsim: %s: %s under %s: %s%s\n", truncated ? "warning" : "error",
			c->scenarios[run->scenario].name, policy_use_label(&run->use, label),
			truncated ? "truncated: " : "", run->result.reason);
		if (!truncated && run->result.failure > worst)
			worst = run->result.failure;
	}
	return worst;
}

/* Under the tables. */
static void print_limits(const struct run_command *c)
{
	for (uint32_t i = 0; i < c->run_count; i++) {
		const struct planned *run = &c->runs[i];
		const struct scenario *s = &c->scenarios[run->scenario];
		char label[PARAMS_LABEL_MAX], who[PARAMS_LABEL_MAX + 160], seed[32] = "";
		if (!run_was_simulated(run))
			continue;
		if (c->seeds.count)
			snprintf(seed, sizeof(seed), ", seed %" PRIu64, run->setup.seed);
		snprintf(who, sizeof(who), "%.100s, %s%s", s->name, policy_use_label(&run->use, label), seed);
		miss_limits_print(who, &s->set, run->tasks);
		run_print_chain_limits(who, &s->set, run);
	}
}

/* For --strict: misses that a task's limit allows do not count; ages and reactions above a limit do. */
static bool is_bad(const struct run_command *c, const struct planned *run)
{
	const struct taskset *set = &c->scenarios[run->scenario].set;
	bool bad = run->result.status != RUN_OK || !run->tasks || run_chain_broken(set, run);
	for (uint32_t i = 0; !bad && i < set->task_count; i++)
		bad = miss_limit_broken(&set->tasks[i], &run->tasks[i]);
	return bad;
}

static bool print_all_runs(const struct run_command *c, bool text, struct error *err)
{
	return print_runs(c, err) && (!text || print_same(c, err)) &&
	       (!text || !any_simulated(c, false) || print_tasks(c, err)) &&
	       (!text || run_print_chains(c, err)) &&
	       (!text || !any_simulated(c, true) || print_kernels(c, err));
}

static enum status print_results(const struct run_command *c)
{
	struct error err;
	bool text = c->given.format == TABLE_TEXT, summary = text && c->seeds.count > 0;
	bool ok = !c->lost || error_memory(&err, "keeping what the runs gave");
	ok = ok && (summary ? run_print_seeds(c, &err) : print_all_runs(c, text, &err));
	if (!ok)
		return (enum status)error_report(&err);
	if (text)
		print_limits(c);
	enum status failure = report_errors(c);
	if (failure != STATUS_OK || !c->strict)
		return failure;
	for (uint32_t i = 0; i < c->run_count; i++)
		if (c->runs[i].ended && is_bad(c, &c->runs[i]))
			return STATUS_NO;
	return STATUS_OK;
}

/* ---- the command ---- */

/* The policies are those of the recording; -p loads plug-ins for them. */
static enum status repeat(struct run_command *c)
{
	struct error err;
	if (c->seeds.count) {
		error_set(&err, STATUS_INPUT, "--seeds is for scenarios; %s is a recording", c->files.at[0]);
		return (enum status)error_report(&err);
	}
	if (!uses_plugins(&c->uses, "runs of a recording are repeated", &err))
		return (enum status)error_report(&err);
	recording_note(c->files.at[0]);
	return repeat_recording(c->files.at[0], c->run, c->given.format, c->given.quiet);
}

/* Makes the runs, and finishes the recording with those that have ended. */
static enum status drive(struct run_command *c)
{
	static const struct drive_calls calls = {
		.prepare = prepare, .ended = ended, .existed = existed, .may_leave = plugin_crash_has};
	struct error err;
	char interrupted[128];
	uint32_t finished;
	bool ok = drive_runs(c->run_count, c->writer, &calls, c, c->given.quiet, &finished, &err);
	if (!ok) {
		writer_abandon(c->writer, false);
		return (enum status)error_report(&err);
	}
	bool cut = finished < c->run_count;
	snprintf(interrupted, sizeof(interrupted), "interrupted after %u of %u runs", finished, c->run_count);
	if (cut)
		say(stderr, "cegsim: %s%s\n", interrupted, c->writer ? "; what has finished is kept" : "");
	bool erred = false;
	if (c->writer && !cut && !run_store_analyses(c, &erred, &err)) {
		cut = err.status == STATUS_INTERRUPTED;
		if (!cut) {
			writer_abandon(c->writer, false);
			return (enum status)error_report(&err);
		}
		snprintf(interrupted, sizeof(interrupted), "interrupted while bounds were computed");
		say(stderr, "cegsim: %s; the runs are kept\n", interrupted);
	}
	if (c->writer && !writer_finish(c->writer, cut ? interrupted : NULL, &err))
		return (enum status)error_report(&err);
	if (c->writer && drive_finished() && !cut) {
		say(stderr, "cegsim: interrupted, but %s is whole\n", c->given.output);
		return STATUS_INTERRUPTED;
	}
	enum status status = print_results(c);
	if (erred && status <= STATUS_NO)
		status = STATUS_INPUT;
	return cut ? STATUS_INTERRUPTED : status;
}

/* No scenario is replaced by its recording. */
static bool check_output(const struct run_command *c, struct error *err)
{
	for (uint32_t i = 0; c->given.output && i < c->files.count; i++)
		if (!output_is_another(c->given.output, c->files.at[i], err))
			return false;
	return true;
}

static enum status run(struct run_command *c)
{
	struct error err;
	if (!check_output(c, &err))
		return (enum status)error_report(&err);
	if (c->run) {
		error_set(&err, STATUS_INPUT, "--run names a run of a recording; %s is none", c->files.at[0]);
		return (enum status)error_report(&err);
	}
	enum status status = read_scenarios(c);
	if (status != STATUS_OK)
		return status;
	if (!plan_runs(c, &err))
		return (enum status)error_report(&err);
	run_print_sets(c, c->given.format == TABLE_TEXT ? stdout : stderr);
	if (c->given.output) {
		c->writer = writer_open_as(c->given.writer, c->given.output, c->given.force, &err);
		if (!c->writer)
			return (enum status)error_report(&err);
	}
	return drive(c);
}

static bool allocate(struct run_command *c)
{
	c->scenarios = calloc(c->files.count, sizeof(*c->scenarios));
	c->stored = calloc(c->files.count, sizeof(*c->stored));
	c->alone = warp_alone_cache_create();
	return c->alone && c->scenarios && c->stored;
}

static void release(struct run_command *c)
{
	for (uint32_t i = 0; c->scenarios && i < c->files.count; i++)
		scenario_finish(&c->scenarios[i]);
	for (uint32_t i = 0; i < c->run_count; i++) {
		free(c->runs[i].tasks);
		free(c->runs[i].chains);
		free(c->runs[i].kernels);
	}
	seeds_finish(&c->seeds);
	warp_alone_cache_destroy(c->alone);
	free(c->scenarios);
	free(c->stored);
	words_finish(&c->files);
	uses_finish(&c->uses);
	free(c->runs);
}

int verb_run(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "SCENARIO...\nFILE.db",
		.doc = "Simulate scenarios under policies; or repeat the runs of a recording and see that "
		       "they come out the same.\vPrints the planned utilisations (worst-case times over "
		       "periods; U_sum: over the kernels with a grid, the sum of threads x block time / "
		       "period), then a line for every run and every task. Exit status: 0 done; 1 a miss "
		       "(beyond the task's limit, if it has one), a chain's age or reaction above its "
		       "limit, a refused set or a truncated "
		       "run under --strict; 2 usage or input error, or a run "
		       "that a policy erred in (the others are made), or an analysis of yours that gave "
		       "no answer; 3 a file, the disk or the memory "
		       "failed, or a plug-in crashed; 130 interrupted, what had finished is kept.",
	};
	struct run_command c = {0};
	struct error err;
	options_parse(&argp, argc, argv, &c);
	if (!allocate(&c)) {
		error_memory(&err, "the arguments");
		return error_report(&err);
	}
	bool recording = false;
	enum status status = c.files.count == 1 && !input_is_recording(c.files.at[0], &recording, &err)
				     ? (enum status)error_report(&err)
			     : recording ? repeat(&c)
					 : run(&c);
	release(&c);
	return (int)status;
}
