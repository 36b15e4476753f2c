/* cli/analyze.c - `cegsim analyze`: bounds on the responses of a scenario's tasks, printed, or of all sets of
 * a recording, stored in it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diagnostics.h"
#include "base/list.h"
#include "cli/bounds_table.h"
#include "cli/options.h"
#include "cli/repeat.h"
#include "cli/subjects.h"
#include "cli/verbs.h"
#include "runs/store.h"
#include "scenarios/scenario.h"

/* Of one policy and analysis, over the sets of a recording. */
struct tally {
	int64_t policy_id;
	struct policy_use policy;
	const struct analysis_use *use;
	int64_t sets, of[BOUNDS_ERROR + 1];
};

struct command {
	const char *file, *output;
	const char **policy_texts, **analysis_texts;
	uint32_t policy_count, analysis_count;
	struct policy_use *policies;             /* of -p, or those that the analyses are for */
	struct analysis_use *analyses;           /* of -a; else all there are */
	bool chosen;                             /* analyses of -a */
	bool overwrite, strict, verbose, failed; /* failed: a set is not schedulable */
	enum table_format format;
	struct scenario scenario;
	/* Of a scenario: */
	struct bounding *boundings; /* [policy_count] */
	struct answer *answers;
	size_t answer_count;
	/* Of a recording: */
	struct db_writer *writer;
	struct bounding_ids ids; /* of the set that is looked at */
	struct tally *tallies;
	size_t tally_count;
};

enum { KEY_STRICT = OPTION_KEY_OWN, KEY_FORCE };

static const struct argp_option options[] = {
	{"analysis", 'a', "ANALYSIS", 0,
		"only this analysis; may be given several times. Options follow a colon: "
		"stgm:blocking=textbook (see `cegsim list analyses')",
		0},
	{"policy", 'p', "POLICY", 0,
		"bound the runs under POLICY instead of the scenario's or the recording's policies; as "
		"for `cegsim run'",
		0},
	{"output", 'o', "FILE.db", 0, "store the bounds of a scenario in FILE.db, a recording without runs",
		0},
	{"force", KEY_FORCE, NULL, 0, "replace FILE.db if it exists", 0},
	{"strict", KEY_STRICT, NULL, 0, "exit with 1 if no sound analysis finds a set schedulable", 0},
	{"verbose", 'v', NULL, 0, "also print where the analyses come from and what they assume", 0},
	OPTION_FORMAT,
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct command *c = state->input;
	switch (key) {
	case 'a':
		c->analysis_texts[c->analysis_count++] = arg;
		return 0;
	case 'p':
		c->policy_texts[c->policy_count++] = arg;
		return 0;
	case 'o':
		c->output = arg;
		return 0;
	case 'v':
		c->verbose = true;
		return 0;
	case KEY_STRICT:
		c->strict = true;
		return 0;
	case KEY_FORCE:
		c->overwrite = true;
		return 0;
	case OPTION_KEY_FORMAT:
		c->format = option_format(state, arg);
		return 0;
	case ARGP_KEY_ARG:
		if (c->file)
			argp_error(state, "one scenario or recording at a time; what is '%s'?", arg);
		c->file = arg;
		return 0;
	case ARGP_KEY_END:
		if (!c->file)
			argp_error(state, "which scenario or recording?");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- what is asked for ---- */

static bool settle_uses(struct command *c, struct error *err)
{
	c->chosen = c->analysis_count > 0;
	if (!analyses_read(c->analysis_texts, c->analysis_count, &c->analyses, &c->analysis_count, err))
		return false;
	c->policies = calloc((size_t)c->policy_count + c->analysis_count + 1, sizeof(*c->policies));
	if (!c->policies)
		return error_memory(err, "the policies");
	for (uint32_t i = 0; i < c->policy_count; i++)
		if (!policy_use_parse(c->policy_texts[i], &c->policies[i], err))
			return false;
	return true;
}

/* ---- one plan ---- */

/* What becomes of an answer. */
typedef bool take_fn(struct command *c, struct answer *answer, struct error *err);

/* Which analyses are asked about a plan. */
enum asking {
	ASK_NAMED,   /* those of -a, also if it is not for them: the user named the policy, too */
	ASK_FITTING, /* those it is for */
	ASK_MEANT,   /* those that name the policy; for a policy that none names, as above */
};

static bool is_asked(const struct command *c, const struct bounding *b, const struct analysis *analysis,
	enum asking asking)
{
	bool fits = bounding_fits(b, analysis), others = false;
	if (asking != ASK_MEANT)
		return fits || (c->chosen && asking == ASK_NAMED);
	for (const struct analysis *const *a = analysis_all(); *a; a++)
		others = others || bounding_meant(b->spec.policy, *a);
	return others ? bounding_meant(b->spec.policy, analysis) : fits;
}

static bool analyse(struct command *c, const struct policy_use *policy, struct bounding *b,
	enum asking asking, take_fn *take, struct error *err)
{
	bool schedulable = false;
	struct answer answer = {.policy = policy, .bounding = b};
	for (uint32_t i = 0; i < c->analysis_count; i++) {
		const struct analysis_use *use = &c->analyses[i];
		if (!is_asked(c, b, use->analysis, asking))
			continue;
		if (!bounding_fits(b, use->analysis))
			bounding_mismatch(b, use, &answer.bounds);
		else if (!bounding_compute(b, use, &answer.bounds, err))
			return false;
		schedulable |= answer.bounds.verdict == BOUNDS_SCHEDULABLE && !analysis_use_unsafe(use);
		if (!take(c, &answer, err))
			return false;
	}
	c->failed |= !schedulable;
	return true;
}

/* ---- a scenario ---- */

static bool keep(struct command *c, struct answer *answer, struct error *err)
{
	(void)err;
	c->answers[c->answer_count++] = *answer;
	return true;
}

static bool analyse_scenario(struct command *c, struct error *err)
{
	struct scenario *s = &c->scenario;
	bool named = c->policy_count > 0 || s->policy_count > 0;
	const struct policy_use *uses = c->policy_count ? c->policies : s->policies;
	uint32_t count = c->policy_count ? c->policy_count : s->policy_count;
	if (!named) {
		count = policies_for(c->analyses, c->analysis_count, c->policies);
		uses = c->policies;
	}
	c->boundings = calloc(count + 1, sizeof(*c->boundings));
	c->answers = calloc((size_t)count * c->analysis_count + 1, sizeof(*c->answers));
	c->policy_count = count;
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
		size_t before = c->answer_count;
		if (!bounding_begin(&c->boundings[i], &spec, err) ||
			!analyse(c, &uses[i], &c->boundings[i], named ? ASK_NAMED : ASK_MEANT, keep, err))
			return false;
		if (c->answer_count == before)
			fprintf(stderr, "cegsim: note: no analysis is for policy %s\n", uses[i].policy->name);
	}
	return true;
}

static bool store_scenario(struct command *c, struct db_writer *w, struct error *err)
{
	const struct scenario *s = &c->scenario;
	const char *slash = strrchr(c->file, '/');
	const struct scenario_row row = {
		.kind = "scenario",
		.name = slash ? slash + 1 : c->file,
		.text = s->text,
		.tool_version = CEGSIM_VERSION,
	};
	struct bounding_ids ids;
	int64_t scenario_id;
	if (!writer_scenario(w, &row, &scenario_id, err) ||
		!store_platform(w, &s->platform, &ids.platform_id, err) ||
		!store_taskset(w, &s->set, NULL, &ids.taskset_id, err))
		return false;
	for (size_t i = 0; i < c->answer_count; i++) {
		const struct answer *a = &c->answers[i];
		if (!store_policy(w, a->policy->policy, &a->policy->params, &ids.policy_id, err) ||
			!bounding_store(a->bounding, &a->bounds, true, &ids, w, err))
			return false;
	}
	return true;
}

static bool record_scenario(struct command *c, struct error *err)
{
	struct db_writer *w = writer_open(c->output, c->overwrite, err);
	if (w && store_scenario(c, w, err))
		return writer_finish(w, NULL, err);
	writer_abandon(w, false);
	return false;
}

static bool scenario_verb(struct command *c, struct error *err)
{
	bool ok = analyse_scenario(c, err) && (!c->output || record_scenario(c, err)) &&
		  bounds_print(c->answers, c->answer_count, c->format, err);
	if (ok && c->verbose)
		bounds_print_sources(c->format == TABLE_TEXT ? stdout : stderr, c->answers, c->answer_count);
	for (uint32_t i = 0; c->boundings && i < c->policy_count; i++)
		bounding_finish(&c->boundings[i]);
	free(c->boundings);
	free(c->answers);
	return ok;
}

static enum status read_scenario(struct command *c)
{
	struct diagnostics d;
	enum status status = STATUS_OK;
	diagnostics_init(&d, c->file);
	if (!scenario_read(c->file, &c->scenario, &d)) {
		diagnostics_print(&d, stderr);
		status = c->scenario.status;
	}
	diagnostics_finish(&d);
	return status;
}

/* ---- a recording ---- */

static struct tally *tally_of(struct command *c, const struct answer *a, struct error *err)
{
	for (size_t i = 0; i < c->tally_count; i++)
		if (c->tallies[i].policy_id == c->ids.policy_id && c->tallies[i].use == a->bounds.use)
			return &c->tallies[i];
	struct tally *grown = list_room(c->tallies, c->tally_count, sizeof(*grown), "the summary", err);
	if (!grown)
		return NULL;
	c->tallies = grown;
	struct tally *t = &c->tallies[c->tally_count++];
	*t = (struct tally){.policy_id = c->ids.policy_id, .policy = *a->policy, .use = a->bounds.use};
	return t;
}

static bool store(struct command *c, struct answer *a, struct error *err)
{
	struct tally *t = tally_of(c, a, err);
	if (!t || !bounding_store(a->bounding, &a->bounds, true, &c->ids, c->writer, err))
		return false;
	t->sets++;
	t->of[a->bounds.verdict]++;
	return true;
}

/* One set under one policy; `use` NULL: the recording's own. */
static bool analyse_subject(struct command *c, struct db_reader *reader, const struct subject *s,
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
	struct command *c, struct db_reader *reader, const struct subjects *all, struct error *err)
{
	bool named = c->policy_count > 0;
	uint32_t policies =
		named ? c->policy_count : policies_for(c->analyses, c->analysis_count, c->policies);
	for (size_t i = 0; i < all->count; i++) {
		const struct subject *s = &all->items[i];
		if (s->policy_id &&
			!analyse_subject(c, reader, s, NULL, c->chosen ? ASK_FITTING : ASK_MEANT, err))
			return false;
		for (uint32_t k = 0; !s->policy_id && k < policies; k++)
			if (!analyse_subject(c, reader, s, &c->policies[k],
				    named && c->chosen ? ASK_NAMED : ASK_MEANT, err))
				return false;
	}
	return true;
}

static bool print_summary(const struct command *c, struct error *err)
{
	static const char *const columns[] = {"policy", "analysis", "sets", "schedulable", "ratio",
		"unschedulable", "refused", "policy_params", "analysis_params", "safety"};
	size_t shown = c->format == TABLE_TEXT ? 7 : sizeof(columns) / sizeof(*columns);
	char label[PARAMS_LABEL_MAX], json[PARAMS_JSON_MAX];
	struct table t;
	table_begin(&t, stdout, c->format, columns, shown);
	for (size_t i = 0; i < c->tally_count; i++) {
		const struct tally *y = &c->tallies[i];
		bool text = c->format == TABLE_TEXT;
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
		table_text(&t, params_json_text(&y->use->params, json));
		table_text(&t, analysis_use_unsafe(y->use) ? "unsafe" : "sound");
	}
	return table_end(&t, err);
}

static void print_sources(const struct command *c)
{
	FILE *out = c->format == TABLE_TEXT ? stdout : stderr;
	struct answer *said = calloc(c->tally_count + 1, sizeof(*said));
	for (size_t i = 0; said && i < c->tally_count; i++)
		said[i].bounds.use = c->tallies[i].use;
	if (said)
		bounds_print_sources(out, said, c->tally_count);
	free(said);
}

/* Nothing of it stays in the file if anything fails. */
static bool recording_verb(struct command *c, struct error *err)
{
	struct subjects all = {0};
	if (c->output)
		return error_set(err, STATUS_INPUT,
			"-o is for scenarios; the bounds of a recording's sets are added to it");
	struct db_reader *reader = reader_open(c->file, err);
	bool ok = reader && subjects_list(reader, c->policy_count > 0, &all, err);
	if (ok && all.count == 0)
		ok = error_set(err, STATUS_INPUT, "%s holds no task set", c->file);
	c->writer = ok ? writer_amend(c->file, err) : NULL;
	ok = c->writer && analyse_subjects(c, reader, &all, err);
	if (ok && c->tally_count == 0)
		ok = error_set(err, STATUS_INPUT,
			"no analysis that was asked for is for a policy of %s: name one with -p", c->file);
	reader_close(reader);
	subjects_finish(&all);
	if (!ok) {
		writer_abandon(c->writer, true);
		return false;
	}
	if (!writer_amended(c->writer, err) || !print_summary(c, err))
		return false;
	if (c->verbose)
		print_sources(c);
	return true;
}

/* ---- the command ---- */

static enum status analyze(struct command *c)
{
	struct error err;
	bool recording = is_recording(c->file);
	enum status status = recording ? STATUS_OK : read_scenario(c);
	if (status != STATUS_OK)
		return status;
	if (!settle_uses(c, &err) || !(recording ? recording_verb : scenario_verb)(c, &err))
		return (enum status)error_report(&err);
	return c->strict && c->failed ? STATUS_NO : STATUS_OK;
}

int verb_analyze(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "SCENARIO\nFILE.db",
		.doc = "Bound the response times of a scenario's tasks under its policies; or of all sets of "
		       "a recording, under the policies of its runs, and store the bounds in it.\vWithout "
		       "-a, every analysis that is for a policy's plan is asked; an analysis may refuse a "
		       "plan, and says why. Without policies each analysis has its own. In a recording, "
		       "bounds of the same analysis are replaced, all at once. Exit status: 0 done; 1 under "
		       "--strict, if no sound analysis finds a set schedulable; 2 usage or input error; 3 a "
		       "file, the disk or the memory failed.",
	};
	struct command c = {0};
	struct error err;
	c.policy_texts = calloc((size_t)argc + 1, sizeof(*c.policy_texts));
	c.analysis_texts = calloc((size_t)argc + 1, sizeof(*c.analysis_texts));
	if (!c.policy_texts || !c.analysis_texts) {
		error_memory(&err, "the arguments");
		return error_report(&err);
	}
	argp_parse(&argp, argc, argv, 0, NULL, &c);
	enum status status = analyze(&c);
	scenario_finish(&c.scenario);
	free(c.policy_texts);
	free(c.analysis_texts);
	free(c.policies);
	free(c.analyses);
	free(c.tallies);
	return (int)status;
}
