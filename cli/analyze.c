/* cli/analyze.c - `cegsim analyze`: bounds on the responses of a scenario's tasks, which it prints; or of all
 * sets of a recording, which it stores there. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/list.h"
#include "base/say.h"
#include "base/text.h"
#include "cli/bounds_table.h"
#include "cli/dump_sets.h"
#include "cli/input.h"
#include "cli/recording.h"
#include "cli/scenario_plans.h"
#include "cli/uses.h"
#include "cli/verbs.h"
#include "db/subjects.h"
#include "runs/load.h"
#include "runs/store.h"

/* The results of one policy and analysis over the sets of a recording. */
struct analyze_tally {
	int64_t policy_id;
	struct policy_use policy;
	const struct analysis_use *use;
	int64_t sets, of[BOUNDS_ERROR + 1];
	int64_t first_error; /* the taskset_id of its first BOUNDS_ERROR */
	char reason[160];    /* of that */
};

struct analyze_command {
	struct given given;
	struct uses uses;    /* policies: those of -p, or those that the analyses are for */
	bool strict, failed; /* failed: some set is not schedulable */
	bool dump;           /* print the questions only */
	bool erred;          /* an analysis of the user's gave no answer for some set */
	bool interrupted;    /* the answers are those until then */
	struct scenario scenario;
	/* For a scenario: */
	struct scenario_plans plans;
	uint32_t plan;              /* the number of the current one */
	struct bounding *boundings; /* [policy_count] */
	struct answer *answers;
	size_t answer_count;
	/* For a recording: */
	struct db_writer *writer;
	struct bounding_ids ids; /* ids of the current set */
	struct analyze_tally *tallies;
	size_t tally_count;
	size_t sets_done;
	struct gap *gaps;
	size_t gap_count;
};

enum { KEY_STRICT = OPTION_KEY_OWN, KEY_DUMP };

static const struct argp_option options[] = {
	{"analysis", 'a', "ANALYSIS", 0,
		"only this analysis; may be given several times. Options follow a colon: "
		"stgm:blocking=textbook (see `cegsim list analyses'). ./mine.so and 'pipe:COMMAND' are of "
		"your own",
		0},
	{"policy", 'p', "POLICY", 0,
		"bound the runs under POLICY instead of the scenario's or the recording's policies; as "
		"for `cegsim run'",
		0},
	OPTION_OUTPUT("FILE.db", "store the bounds of a scenario in FILE.db, a recording without runs"),
	OPTION_FORCE("replace FILE.db if it exists"),
	{"strict", KEY_STRICT, NULL, 0, "exit with 1 if no sound analysis finds a set schedulable", 0},
	{"dump-sets", KEY_DUMP, NULL, 0,
		"print what an analysis of your own is asked, a line of JSON for each set and policy, and "
		"nothing else",
		0},
	OPTION_QUIET("no notes"),
	OPTION_VERBOSE("also print where the analyses come from and what they assume"),
	USES_BOUNDS("store the bounds in FILE.csv in a recording, as those of an analysis of your own; "
		    "columns as for `cegsim validate'"),
	USES_TIMEOUT,
	OPTION_FORMAT,
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct analyze_command *c = state->input;
	if (key == KEY_STRICT)
		c->strict = true;
	else if (key == KEY_DUMP)
		c->dump = true;
	else if (uses_parse(key, arg, state, &c->uses) != 0)
		return given_parse(key, arg, state, &c->given);
	return 0;
}

/* ---- what has no bound ---- */

/* Plans under one policy with tasks that no sound analysis bounds. */
struct gap {
	char label[PARAMS_LABEL_MAX], reason[600]; /* of the first such plan */
	int64_t sets, tasks, without;
};

/* One plan, while it is analysed. */
struct coverage {
	bool *bounded;    /* [tasks] */
	char reason[600]; /* the first sound analysis that does not bound every task says why: */
	bool looked;      /* one that does not refuse the plan, if there is any */
};

static void cover(struct coverage *cover, const struct answer *answer)
{
	const struct bounds *b = &answer->bounds;
	uint32_t tasks = answer->bounding->spec.set->task_count, bounded = 0;
	for (uint32_t i = 0; b->task && i < tasks && !analysis_use_unsafe(b->use); i++) {
		bool found = bounding_bound_always(&b->task[i]) != DB_NULL;
		cover->bounded[i] = cover->bounded[i] || found;
		bounded += found;
	}
	bool tells = bounded < tasks && b->reason[0] && !analysis_use_unsafe(b->use);
	if (!tells || (cover->reason[0] && (cover->looked || !b->task)))
		return;
	cover->looked = b->task != NULL;
	snprintf(cover->reason, sizeof(cover->reason), "%s: %.500s", b->use->analysis->name, b->reason);
}

static bool note_gap(struct analyze_command *c, const struct policy_use *policy, uint32_t tasks,
	const struct coverage *cover, struct error *err)
{
	char label[PARAMS_LABEL_MAX];
	uint32_t without = 0;
	policy_use_label(policy, label);
	for (uint32_t i = 0; i < tasks; i++)
		without += !cover->bounded[i];
	if (without == 0)
		return true;
	size_t known = 0;
	while (known < c->gap_count && strcmp(c->gaps[known].label, label) != 0)
		known++;
	if (known == c->gap_count) {
		struct gap *gaps = list_room(c->gaps, c->gap_count, sizeof(*gaps), "the summary", err);
		if (!gaps)
			return false;
		c->gaps = gaps;
		gaps[known] = (struct gap){.sets = 0};
		snprintf(gaps[known].label, sizeof(gaps[known].label), "%s", label);
		snprintf(gaps[known].reason, sizeof(gaps[known].reason), "%s",
			cover->reason[0] ? cover->reason : "no analysis is for it");
		c->gap_count++;
	}
	struct gap *g = &c->gaps[known];
	g->sets++;
	g->tasks += tasks;
	g->without += without;
	return true;
}

/* "5 of 5 under fcfs, 1 of 5 under stgm (REASON)": the policies from the first one on that have its reason.
 */
static void print_alike(const struct analyze_command *c, size_t first, bool recording)
{
	const char *reason = c->gaps[first].reason;
	for (size_t i = first; i < c->gap_count; i++) {
		const struct gap *g = &c->gaps[i];
		if (strcmp(g->reason, reason) != 0)
			continue;
		say(stderr, "%s%" PRId64 " of %" PRId64, i > first ? ", " : "", g->without, g->tasks);
		if (recording)
			say(stderr, " in %" PRId64 " set%s", g->sets, plural((uint64_t)g->sets));
		say(stderr, " under %s", g->label);
	}
	say(stderr, " (%s%s)", recording ? "in the first, " : "", reason);
}

/* One line, whatever the number of policies. */
static void print_gaps(const struct analyze_command *c, bool recording)
{
	for (size_t i = 0; i < c->gap_count; i++) {
		bool said = false;
		for (size_t k = 0; k < i; k++)
			said = said || strcmp(c->gaps[k].reason, c->gaps[i].reason) == 0;
		if (said)
			continue;
		fputs(i ? "; " : "cegsim: note: tasks without a bound that always holds: ", stderr);
		print_alike(c, i, recording);
	}
	if (c->gap_count > 0)
		fputc('\n', stderr);
}

/* ---- one plan ---- */

/* What is done with an answer. */
typedef bool take_fn(struct analyze_command *c, struct answer *answer, struct error *err);

/* Which analyses are applied to a plan. */
enum asking {
	ASK_NAMED,   /* those of -a, even if they are not for it: the user named the policy, too */
	ASK_FITTING, /* those that can be applied to it */
	ASK_MEANT,   /* those that name the policy; if none names it, as above */
};

/* Analysis number `i`. */
static bool is_asked(
	const struct analyze_command *c, const struct bounding *b, uint32_t i, enum asking asking)
{
	const struct analysis *analysis = c->uses.analyses[i].analysis;
	bool fits = bounding_fits(b, analysis), others = false;
	if (c->uses.only)
		return scenario_plans_fit(&c->plans, c->plan, b, analysis, &c->uses.only[i]);
	if (asking != ASK_MEANT)
		return fits || (c->uses.chosen && asking == ASK_NAMED);
	for (const struct analysis *const *a = analysis_all(); *a; a++)
		others = others || bounding_meant(b->spec.policy, *a);
	return others ? bounding_meant(b->spec.policy, analysis) : fits;
}

static bool analyse(struct analyze_command *c, const struct policy_use *policy, struct bounding *b,
	enum asking asking, take_fn *take, struct error *err)
{
	bool schedulable = false, any = false;
	struct answer answer = {.policy = policy, .bounding = b};
	struct coverage coverage = {.bounded = arena_new(&b->arena, bool, b->spec.set->task_count)};
	if (!coverage.bounded)
		return error_memory(err, "the summary");
	for (uint32_t i = 0; i < c->uses.analysis_count; i++) {
		const struct analysis_use *use = &c->uses.analyses[i];
		if (!is_asked(c, b, i, asking))
			continue;
		if (interrupt_came)
			return error_set(err, STATUS_INTERRUPTED, "interrupted before the first bound");
		if (!bounding_fits(b, use->analysis))
			bounding_mismatch(b, use, &answer.bounds);
		else if (!bounding_compute(b, use, &answer.bounds, err))
			return false;
		schedulable |= answer.bounds.verdict == BOUNDS_SCHEDULABLE && !analysis_use_unsafe(use);
		any = true;
		cover(&coverage, &answer);
		if (!take(c, &answer, err))
			return false;
	}
	c->failed |= !schedulable;
	return (!any && asking != ASK_NAMED) || note_gap(c, policy, b->spec.set->task_count, &coverage, err);
}

/* After false: goes on with what is complete. */
static bool goes_on(struct analyze_command *c, bool any, struct error *err)
{
	c->interrupted = err->status == STATUS_INTERRUPTED;
	if (c->interrupted && !any)
		return error_set(err, STATUS_INTERRUPTED, "interrupted before the first bound");
	return c->interrupted;
}

/* ---- a scenario ---- */

static bool keep(struct analyze_command *c, struct answer *answer, struct error *err)
{
	(void)err;
	if (answer->bounds.verdict == BOUNDS_ERROR) {
		say(stderr, "cegsim: error: %s under %s: %s\n", answer->bounds.use->analysis->name,
			answer->policy->policy->name, answer->bounds.reason);
		c->erred = true;
	}
	c->answers[c->answer_count++] = *answer;
	return true;
}

static bool analyse_scenario(struct analyze_command *c, struct error *err)
{
	struct scenario *s = &c->scenario;
	if (!scenario_plans_init(&c->plans, s, c->uses.policies, c->uses.policy_count, c->uses.only,
		    c->uses.only ? c->uses.analysis_count : 0, err))
		return false;
	const struct policy_use *uses = c->plans.policies;
	uint32_t count = c->plans.count;
	bool named = count > 0;
	if (!named) {
		if (!uses_own_policies(&c->uses, &count, err))
			return false;
		uses = c->uses.policies;
	}
	c->boundings = calloc(count + 1, sizeof(*c->boundings));
	c->answers = calloc((size_t)count * c->uses.analysis_count + 1, sizeof(*c->answers));
	c->uses.policy_count = count;
	if (!c->boundings || !c->answers)
		return error_memory(err, "the bounds");
	for (uint32_t i = 0; i < count; i++) {
		const struct bounding_spec spec = {
			.platform = &s->platform,
			.set = &s->set,
			.setup = &s->setup,
			.policy = uses[i].policy,
			.params = &uses[i].params,
		};
		c->plan = i;
		if (!bounding_begin(&c->boundings[i], &spec, err) ||
			!analyse(c, &uses[i], &c->boundings[i], named ? ASK_NAMED : ASK_MEANT, keep, err))
			return false;
	}
	return true;
}

static bool store_scenario(struct analyze_command *c, struct db_writer *w, struct error *err)
{
	struct stored_scenario stored;
	if (!input_store(w, c->given.file, &c->scenario, NULL, &stored, err))
		return false;
	struct bounding_ids ids = {.taskset_id = stored.taskset_id, .platform_id = stored.platform_id};
	for (size_t i = 0; i < c->answer_count; i++) {
		const struct answer *a = &c->answers[i];
		if (!store_policy(w, a->policy->policy, &a->policy->params, &ids.policy_id, err) ||
			!bounding_store(a->bounding, &a->bounds, true, &ids, w, err))
			return false;
	}
	return true;
}

static bool record_scenario(struct analyze_command *c, struct error *err)
{
	struct db_writer *w = writer_open(c->given.output, c->given.force, err);
	if (w && store_scenario(c, w, err))
		return writer_finish(w, NULL, err);
	writer_abandon(w, false);
	return false;
}

static bool scenario_verb(struct analyze_command *c, struct error *err)
{
	bool ok = (analyse_scenario(c, err) || goes_on(c, c->answer_count > 0, err)) &&
		  (!c->given.output || record_scenario(c, err)) &&
		  bounds_print(c->answers, c->answer_count, c->given.format, err);
	if (ok && c->given.verbose)
		bounds_print_sources(
			c->given.format == TABLE_TEXT ? stdout : stderr, c->answers, c->answer_count);
	if (ok && c->interrupted)
		say(stderr, "cegsim: interrupted; these are the bounds until then\n");
	for (uint32_t i = 0; c->boundings && i < c->uses.policy_count; i++)
		bounding_finish(&c->boundings[i]);
	free(c->boundings);
	free(c->answers);
	return ok;
}

/* ---- a recording ---- */

static struct analyze_tally *tally_of(struct analyze_command *c, const struct answer *a, struct error *err)
{
	for (size_t i = 0; i < c->tally_count; i++)
		if (c->tallies[i].policy_id == c->ids.policy_id && c->tallies[i].use == a->bounds.use)
			return &c->tallies[i];
	struct analyze_tally *grown =
		list_room(c->tallies, c->tally_count, sizeof(*grown), "the summary", err);
	if (!grown)
		return NULL;
	c->tallies = grown;
	struct analyze_tally *t = &c->tallies[c->tally_count++];
	*t = (struct analyze_tally){
		.policy_id = c->ids.policy_id, .policy = *a->policy, .use = a->bounds.use};
	return t;
}

static bool store(struct analyze_command *c, struct answer *a, struct error *err)
{
	struct analyze_tally *t = tally_of(c, a, err);
	if (!t || !bounding_store(a->bounding, &a->bounds, true, &c->ids, c->writer, err))
		return false;
	t->sets++;
	if (a->bounds.verdict == BOUNDS_ERROR && t->of[BOUNDS_ERROR] == 0) {
		t->first_error = c->ids.taskset_id;
		snprintf(t->reason, sizeof(t->reason), "%.159s", a->bounds.reason);
	}
	t->of[a->bounds.verdict]++;
	return true;
}

/* Analyses one set under one policy; `use` NULL: the recorded policy. */
static bool analyse_subject(struct analyze_command *c, struct db_reader *reader, const struct subject *s,
	const struct policy_use *use, enum asking asking, struct error *err)
{
	struct loaded_run run;
	struct bounding b;
	if (!load_subject(reader, s->taskset_id, s->platform_id, use ? 0 : s->policy_id, &run, err))
		return false;
	const struct policy_use own = {.policy = run.policy, .params = run.params};
	use = use ? use : &own;
	c->ids = (struct bounding_ids){s->taskset_id, s->platform_id, s->policy_id};
	const struct bounding_spec spec = {
		.platform = &run.platform,
		.set = &run.set,
		.setup = &run.setup,
		.policy = use->policy,
		.params = &use->params,
		.recorded = s,
	};
	bool ok =
		bounding_begin(&b, &spec, err) &&
		(use == &own || store_policy(c->writer, use->policy, &use->params, &c->ids.policy_id, err)) &&
		analyse(c, use, &b, asking, store, err);
	bounding_finish(&b);
	loaded_run_finish(&run);
	return ok;
}

static bool analyse_subjects(
	struct analyze_command *c, struct db_reader *reader, const struct subjects *all, struct error *err)
{
	bool named = c->uses.policy_count > 0;
	bool lone = false;
	uint32_t policies = c->uses.policy_count;
	for (size_t i = 0; i < all->count; i++)
		lone = lone || !all->items[i].policy_id;
	if (lone && !named && !uses_own_policies(&c->uses, &policies, err))
		return false;
	for (size_t i = 0; i < all->count; i++) {
		const struct subject *s = &all->items[i];
		if (s->policy_id &&
			!analyse_subject(c, reader, s, NULL, c->uses.chosen ? ASK_FITTING : ASK_MEANT, err))
			return false;
		for (uint32_t k = 0; !s->policy_id && k < policies; k++)
			if (!analyse_subject(c, reader, s, &c->uses.policies[k],
				    named && c->uses.chosen ? ASK_NAMED : ASK_MEANT, err))
				return false;
		c->sets_done++;
	}
	return true;
}

static bool print_summary(const struct analyze_command *c, struct error *err)
{
	static const char *const columns[] = {"policy", "analysis", "sets", "schedulable", "ratio",
		"unschedulable", "refused", "policy_params", "analysis_params", "safety"};
	size_t shown = c->given.format == TABLE_TEXT ? 7 : sizeof(columns) / sizeof(*columns);
	char label[PARAMS_LABEL_MAX], json[PARAMS_JSON_MAX];
	struct table t;
	table_begin(&t, stdout, c->given.format, columns, shown);
	for (size_t i = 0; i < c->tally_count; i++) {
		const struct analyze_tally *y = &c->tallies[i];
		bool text = c->given.format == TABLE_TEXT;
		table_text(&t, text ? policy_use_label(&y->policy, label) : y->policy.policy->name);
		table_text(&t, text ? analysis_use_label(y->use, label) : y->use->analysis->name);
		table_integer(&t, y->sets);
		table_integer(&t, y->of[BOUNDS_SCHEDULABLE]);
		table_real(&t, (double)y->of[BOUNDS_SCHEDULABLE] / (double)y->sets);
		table_integer(&t, y->of[BOUNDS_UNSCHEDULABLE]);
		table_integer(&t, y->of[BOUNDS_REFUSED]);
		if (text)
			continue;
		table_text(&t, params_json_text(&y->policy.params, json));
		table_text(&t, analysis_use_json(y->use, json));
		table_text(&t, analysis_use_unsafe(y->use) ? "unsafe" : "sound");
	}
	return table_end(&t, err);
}

/* Analyses of users that gave no answer. */
static void print_errors(struct analyze_command *c)
{
	char label[PARAMS_LABEL_MAX], policy[PARAMS_LABEL_MAX];
	for (size_t i = 0; i < c->tally_count; i++) {
		const struct analyze_tally *y = &c->tallies[i];
		int64_t errors = y->of[BOUNDS_ERROR];
		if (errors == 0)
			continue;
		c->erred = true;
		say(stderr,
			"cegsim: error: %.200s under %.200s gave no answer for %" PRId64 " of %" PRId64
			" set%s; first, set %" PRId64 ": %s\n",
			analysis_use_label(y->use, label), policy_use_label(&y->policy, policy), errors,
			y->sets, plural((uint64_t)y->sets), y->first_error, y->reason);
	}
}

static void print_sources(const struct analyze_command *c)
{
	FILE *out = c->given.format == TABLE_TEXT ? stdout : stderr;
	struct answer *said = calloc(c->tally_count + 1, sizeof(*said));
	for (size_t i = 0; said && i < c->tally_count; i++)
		said[i].bounds.use = c->tallies[i].use;
	if (said)
		bounds_print_sources(out, said, c->tally_count);
	free(said);
}

/* If anything fails, nothing of it stays in the file; what was complete before an interruption does. */
static bool recording_verb(struct analyze_command *c, struct error *err)
{
	struct subjects all = {0};
	if (c->given.output)
		return error_set(err, STATUS_INPUT,
			"-o is for scenarios; the bounds of a recording's sets are added to it");
	struct db_reader *reader = reader_open(c->given.file, err);
	bool ok = reader && subjects_list(reader, c->uses.policy_count > 0, &all, err);
	if (ok && all.count == 0)
		ok = error_set(err, STATUS_INPUT, "%s holds no task set", c->given.file);
	c->writer = ok ? writer_amend(c->given.file, err) : NULL;
	ok = c->writer && (analyse_subjects(c, reader, &all, err) || goes_on(c, c->tally_count > 0, err));
	if (ok && c->tally_count == 0)
		ok = error_set(err, STATUS_INPUT,
			"no analysis that was asked for is for a policy of %s: name one with -p",
			c->given.file);
	size_t set_count = all.count;
	reader_close(reader);
	subjects_finish(&all);
	if (!ok) {
		writer_abandon(c->writer, true);
		return false;
	}
	if (!writer_amended(c->writer, err) || !print_summary(c, err))
		return false;
	print_errors(c);
	if (c->given.verbose)
		print_sources(c);
	if (c->interrupted)
		say(stderr, "cegsim: interrupted after %zu of %zu sets; the bounds until then are stored\n",
			c->sets_done, set_count);
	return true;
}

/* ---- the command ---- */

static bool bounds_of_files(struct analyze_command *c, bool recording, struct error *err)
{
	if (!recording && c->uses.bounds_texts.count > 0)
		return error_set(err, STATUS_INPUT,
			"--bounds is for the sets of a recording; `cegsim run' makes one of a scenario");
	return uses_bounds(&c->uses, c->given.file, err);
}

/* A scenario may say what it asks for. */
static bool uses_own(struct analyze_command *c, bool recording, struct error *err)
{
	return recording || c->dump || uses_of_scenario(&c->uses, &c->scenario, err);
}

static enum status dump(struct analyze_command *c, bool recording, struct error *err)
{
	bool ok = !c->uses.chosen && !c->given.output && !c->strict && c->given.format == TABLE_TEXT;
	if (!ok)
		error_set(err, STATUS_INPUT,
			"--dump-sets asks nobody and stores nothing: it goes with -p only");
	ok = ok && dump_sets(c->given.file, recording ? NULL : &c->scenario, &c->uses, err);
	return ok ? STATUS_OK : (enum status)error_report(err);
}

static enum status analyze(struct analyze_command *c)
{
	struct error err;
	bool recording, ok;
	if (!input_is_recording(c->given.file, &recording, &err))
		return (enum status)error_report(&err);
	enum status status = recording ? STATUS_OK : input_scenario(c->given.file, &c->scenario);
	if (status != STATUS_OK)
		return status;
	interrupt_note(true); /* from here on there may be something to keep */
	if (recording && !c->given.quiet)
		recording_note(c->given.file);
	ok = uses_analyses(&c->uses, NULL, &err) && uses_own(c, recording, &err) &&
	     uses_policies(&c->uses, &err);
	if (ok && c->dump)
		return dump(c, recording, &err);
	if (!ok || !bounds_of_files(c, recording, &err) ||
		!(recording ? recording_verb : scenario_verb)(c, &err))
		return (enum status)error_report(&err);
	if (!c->given.quiet && c->uses.bounds_texts.count == 0)
		print_gaps(c, recording);
	else if (!c->given.quiet)
		uses_note_missing(&c->uses, c->given.file);
	if (c->interrupted)
		return STATUS_INTERRUPTED;
	return c->erred ? STATUS_INPUT : c->strict && c->failed ? STATUS_NO : STATUS_OK;
}

int verb_analyze(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "SCENARIO\nFILE.db",
		.doc = "Bound the response times of a scenario's tasks under its policies; or of all sets of "
		       "a recording, under the policies of its runs, and store the bounds in it.\vWithout "
		       "-a, the analyses that the scenario names are asked, or else every one that is for a "
		       "policy's plan; an analysis may refuse a plan, and says why. Without policies each "
		       "analysis has its own. In a recording, bounds of the same analysis are replaced, all "
		       "at once. Exit status: 0 done; 1 under --strict, if no sound analysis finds a set "
		       "schedulable; 2 usage or input error, or an analysis of your own gave no answer; 3 a "
		       "file, the disk or the memory failed; 130 interrupted, and the bounds until then are "
		       "kept.",
	};
	struct analyze_command c = {.given.noun = "scenario or recording"};
	options_parse(&argp, argc, argv, &c);
	enum status status = analyze(&c);
	scenario_finish(&c.scenario);
	uses_finish(&c.uses);
	scenario_plans_finish(&c.plans);
	free(c.tallies);
	free(c.gaps);
	return (int)status;
}
