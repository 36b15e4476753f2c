/* cli/list.c - `cegsim list`: lists what a user can name in a scenario or on the command line, with enough
 * text to choose. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/error.h"
#include "base/say.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/list_parts.h"
#include "cli/options.h"
#include "cli/table/table.h"
#include "cli/verbs.h"
#include "models/warps/library.h"
#include "policies/plugin/plugin.h"
#include "policies/registry.h"
#include "scenarios/interleaves.h"
#include "scenarios/presets.h"
#include "scenarios/workload/recipe.h"

#define COLUMNS(names) (names), sizeof(names) / sizeof((names)[0])

struct list_command {
	size_t subject; /* index into subjects; SUBJECT_NONE: not given yet */
	const char *name;
	bool papers;
	struct given given;
};

enum { KEY_PAPERS = OPTION_KEY_OWN };

#define SUBJECT_NONE SIZE_MAX

/* How the bounds of each kind of option are written. */
static const struct {
	const char *many; /* put in front for options with several values */
	bool has_unit;
	enum unit_kind unit;
} bounds[] = {
	[OPTION_INTEGER] = {"", false, 0},
	[OPTION_LIST] = {"list of ", false, 0},
	[OPTION_RATIO] = {"", true, UNIT_RATIO},
	[OPTION_RATIO_RANGE] = {"LOW..HIGH of ", true, UNIT_RATIO},
	[OPTION_DURATION] = {"", true, UNIT_TIME},
	[OPTION_DURATION_RANGE] = {"LOW..HIGH of ", true, UNIT_TIME},
};

static void add_bounds(struct text *t, const struct option *option)
{
	char min[UNIT_TEXT_MAX], max[UNIT_TEXT_MAX];
	if (!bounds[option->kind].has_unit) {
		text_printf(
			t, "%s%" PRId64 " to %" PRId64, bounds[option->kind].many, option->min, option->max);
		return;
	}
	text_printf(t, "%s%s to %s", bounds[option->kind].many,
		unit_format(bounds[option->kind].unit, option->min, min),
		unit_format(bounds[option->kind].unit, option->max, max));
}

/* The values that an option accepts, in the form in which a user writes them. */
static void add_values(struct text *t, const struct option *option)
{
	if (option->kind == OPTION_BOOL) {
		text_add(t, "true | false");
	} else if (option->kind == OPTION_CHOICE) {
		for (const char *choice = option->choices; *choice; choice++)
			text_printf(t, *choice == '|' ? " %c " : "%c", *choice);
	} else {
		add_bounds(t, option);
	}
}

static void add_option(struct table *t, const struct option *option)
{
	struct text values = {0};
	add_values(&values, option);
	table_text(t, option->name);
	table_text(t, *option->fallback ? option->fallback : NULL);
	table_built(t, &values);
	table_text(t, option->help);
	text_finish(&values);
}

/* Anything with a name, a summary and options: policies, recipes and analyses. */
struct described {
	const char *name, *summary;
	unsigned version;
	const struct option *options;
	const char *policies, *source, *assumptions; /* only for analyses */
};

/* The i-th one; false: there are no more. */
typedef bool described_fn(size_t i, struct described *d);

/* Of a plug-in that is asked for by its file; then there are no others. */
static const struct policy *own_policies[2];
static const struct analysis *own_analyses[2];

static bool policy_at(size_t i, struct described *d)
{
	const struct policy *policy = (own_policies[0] ? own_policies : policy_all())[i];
	if (policy)
		*d = (struct described){policy->name, policy->summary, policy->version, policy->options};
	return policy != NULL;
}

static bool recipe_at(size_t i, struct described *d)
{
	const struct recipe *recipe = recipe_all()[i];
	if (recipe)
		*d = (struct described){recipe->name, recipe->summary, recipe->version, recipe->options};
	return recipe != NULL;
}

static bool analysis_at(size_t i, struct described *d)
{
	const struct analysis *a = (own_analyses[0] ? own_analyses : analysis_all())[i];
	if (a)
		*d = (struct described){
			a->name, a->summary, a->version, a->options, a->policies, a->source, a->assumptions};
	return a != NULL;
}

/* For programs: one row per option, with its owner; an owner without options has one row, too. */
static bool list_described_flat(
	const char *noun, described_fn *at, const struct list_request *q, struct error *err)
{
	const char *const columns[] = {noun, "version", "summary", "option", "default", "values", "help"};
	const char *const of_analyses[] = {noun, "version", "summary", "policies", "source", "assumptions",
		"option", "default", "values", "help"};
	struct described d;
	struct table t;
	if (at == analysis_at)
		table_begin(&t, stdout, q->format, COLUMNS(of_analyses));
	else
		table_begin(&t, stdout, q->format, COLUMNS(columns));
	for (size_t i = 0; at(i, &d); i++) {
		const struct option *option = d.options;
		if (!list_wants(q, d.name))
			continue;
		do {
			table_text(&t, d.name);
			table_integer(&t, d.version);
			table_text(&t, d.summary);
			if (d.policies) {
				table_text(&t, d.policies);
				table_text(&t, d.source);
				table_text(&t, d.assumptions);
			}
			if (option && option->name)
				add_option(&t, option);
			else
				for (int empty = 0; empty < 4; empty++)
					table_null(&t);
		} while (option && option->name && (++option)->name);
	}
	return table_end(&t, err);
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool has_option(const struct described *d, const struct option *wanted)
{
	for (const struct option *o = d->options; o && o->name; o++)
		if (same_text(o->name, wanted->name) && o->kind == wanted->kind &&
			same_text(o->fallback, wanted->fallback) && same_text(o->choices, wanted->choices) &&
			o->min == wanted->min && o->max == wanted->max && same_text(o->help, wanted->help))
			return true;
	return false;
}

/* Lists the owners of this option, from the i-th on; "": an owner before that has it, so it is listed
 * already. */
static void add_owners(struct text *t, described_fn *at, size_t i, const struct option *option)
{
	struct described d;
	for (size_t k = 0; k < i && at(k, &d); k++)
		if (has_option(&d, option))
			return;
	for (; at(i, &d); i++)
		if (has_option(&d, option))
			text_printf(t, "%s%s", t->length ? "`, `" : "", d.name); /* each is code of its own */
}

/* On a Markdown page an option of several owners has one row. */
static bool list_options(const char *noun, described_fn *at, const struct list_request *q, struct error *err)
{
	const char *const columns[] = {noun, TABLE_CODE("option"), TABLE_CODE("default"), "values", "help"};
	struct described d;
	struct text owners = {0};
	struct table t;
	table_begin(&t, stdout, q->format, COLUMNS(columns));
	for (size_t i = 0; at(i, &d); i++) {
		const struct option *option = list_wants(q, d.name) ? d.options : NULL;
		for (; option && option->name; option++) {
			text_clear(&owners);
			if (q->format == TABLE_MARKDOWN && !q->name)
				add_owners(&owners, at, i, option);
			else
				text_add(&owners, d.name);
			if (owners.length == 0 && !owners.failed)
				continue;
			table_built(&t, &owners);
			add_option(&t, option);
		}
	}
	text_finish(&owners);
	return table_end(&t, err);
}

/* "a|b" in a column of code. */
static void table_words(struct table *t, const char *words)
{
	struct text list = {0};
	for (const char *p = words; *p; p++)
		text_printf(&list, *p == '|' ? "`, `" : "%c", *p);
	table_built(t, &list);
	text_finish(&list);
}

/* What options are given as, and where they are written. */
struct described_words {
	const char *noun;  /* of the column */
	const char *plain; /* "policy", in messages */
	const char *many;  /* "policies", the subject */
	const char *how;
};

static bool check_name(const struct described_words *w, described_fn *at, const char *name, struct error *err)
{
	struct suggestion near = {.word = name};
	char hint[SUGGESTION_TEXT_MAX];
	struct described d;
	for (size_t i = 0; at(i, &d); i++) {
		if (strcmp(d.name, name) == 0)
			return true;
		suggestion_offer(&near, d.name);
	}
	return error_set(
		err, STATUS_INPUT, "there is no %s '%s'%s", w->plain, name, suggestion_text(&near, hint));
}

static bool list_summaries(
	const struct described_words *w, described_fn *at, const struct list_request *q, struct error *err)
{
	const char *const columns[] = {w->noun, "summary", TABLE_CODE("for plans of")};
	bool of_plans = q->format == TABLE_MARKDOWN && at == analysis_at;
	struct described d;
	struct table t;
	table_begin(&t, stdout, q->format, columns, of_plans ? 3 : 2);
	for (size_t i = 0; at(i, &d); i++) {
		if (!list_wants(q, d.name))
			continue;
		table_text(&t, d.name);
		table_text(&t, d.summary);
		if (of_plans)
			table_words(&t, d.policies);
	}
	return table_end(&t, err);
}

static bool any_option(described_fn *at, const struct list_request *q)
{
	struct described d;
	for (size_t i = 0; at(i, &d); i++)
		if (list_wants(q, d.name) && d.options && d.options->name)
			return true;
	return false;
}

static bool list_described(
	const struct described_words *w, described_fn *at, const struct list_request *q, struct error *err)
{
	bool all = q->name || q->verbose || q->format == TABLE_MARKDOWN;
	if (q->name && !check_name(w, at, q->name, err))
		return false;
	if (list_for_programs(q->format))
		return list_described_flat(w->noun, at, q, err);
	if (!list_summaries(w, at, q, err))
		return false;
	if (!all) {
		say(stdout, "\nOptions of one: cegsim list %s NAME; of all: cegsim list %s -v\n", w->many,
			w->many);
		return true;
	}
	if (!any_option(at, q)) {
		puts("\nIt has no options.");
		return true;
	}
	say(stdout, "\nOptions, given as %s:\n\n", w->how);
	return list_options(w->noun, at, q, err);
}

static bool list_policies(const struct list_request *q, struct error *err)
{
	static const struct described_words words = {TABLE_CODE("policy"), "policy", "policies",
		"{name: POLICY, OPTION: VALUE} in a scenario or as -p POLICY:OPTION=VALUE"};
	struct list_request own = *q;
	if (q->name && plugin_is_file(q->name)) {
		own_policies[0] = plugin_load(q->name, err);
		if (!own_policies[0])
			return false;
		own.name = own_policies[0]->name;
	}
	return list_described(&words, policy_at, &own, err);
}

/* Where an analysis comes from, and what it assumes. */
static void print_sources(const struct list_request *q)
{
	struct described d;
	for (size_t i = 0; analysis_at(i, &d); i++) {
		if (!list_wants(q, d.name))
			continue;
		say(stdout, "\n%s: for plans of ", d.name);
		for (const char *p = d.policies; *p; p++)
			say(stdout, *p == '|' ? ", " : "%c", *p);
		say(stdout, "\n  source: %s\n  assumes: %s\n", d.source, d.assumptions);
	}
}

static bool list_analyses(const struct list_request *q, struct error *err)
{
	static const struct described_words words = {TABLE_CODE("analysis"), "analysis", "analyses",
		"-a ANALYSIS:OPTION=VALUE, or as {name: ANALYSIS, OPTION: VALUE} in a campaign"};
	struct list_request own = *q;
	if (q->name && plugin_is_file(q->name)) {
		own_analyses[0] = plugin_load_analysis(q->name, err);
		if (!own_analyses[0])
			return false;
		own.name = own_analyses[0]->name;
	}
	if (!list_described(&words, analysis_at, &own, err))
		return false;
	if (q->format == TABLE_TEXT && (q->name || q->verbose))
		print_sources(&own);
	return true;
}

static bool list_interleaves(const struct list_request *q, struct error *err)
{
	static const char *const columns[] = {TABLE_CODE("interleave"), "alpha", "source"};
	size_t count;
	const struct named_interleave *all = interleave_all(&count);
	struct table t;
	table_begin(&t, stdout, q->format, COLUMNS(columns));
	for (size_t i = 0; i < count; i++) {
		table_text(&t, all[i].name);
		table_text(&t, all[i].alpha);
		table_text(&t, all[i].source);
	}
	return table_end(&t, err);
}

static bool list_kernels(const struct list_request *q, struct error *err)
{
	static const char *const columns[] = {TABLE_CODE("kernel"), "bound", "blocks", "block_threads",
		"warp_instructions", "summary", "registers", "shared_memory_b", "thread_instructions"};
	/* Tables for people end before lines get too long */
	size_t shown = !list_for_programs(q->format) ? 6 : sizeof(columns) / sizeof(columns[0]);
	struct table t;
	table_begin(&t, stdout, q->format, columns, shown);
	for (uint32_t i = 0; i < warp_library_count(); i++) {
		const struct warp_library_kernel *entry = warp_library_at(i);
		const struct warp_kernel *k = &entry->kernel;
		int64_t warp_instructions, thread_instructions;
		bool known = warp_kernel_size(k, &warp_instructions, &thread_instructions);
		table_text(&t, entry->name);
		table_text(&t, entry->bound);
		table_integer(&t, k->blocks);
		table_integer(&t, k->block_threads);
		known ? table_integer(&t, warp_instructions) : table_null(&t);
		table_text(&t, entry->summary);
		if (!list_for_programs(q->format))
			continue;
		table_integer(&t, k->registers);
		table_integer(&t, k->shared_memory);
		known ? table_integer(&t, thread_instructions) : table_null(&t);
	}
	return table_end(&t, err);
}

static bool list_recipes(const struct list_request *q, struct error *err)
{
	static const struct described_words words = {TABLE_CODE("recipe"), "recipe", "recipes",
		"OPTION=VALUE behind the recipe's name in `cegsim gen'"};
	return list_described(&words, recipe_at, q, err);
}

/* A limit of 0 was not given and does not apply. */
static void table_limit(struct table *t, int64_t limit)
{
	if (limit > 0)
		table_integer(t, limit);
	else
		table_null(t);
}

static bool list_presets(const struct list_request *q, struct error *err)
{
	static const char *const columns[] = {TABLE_CODE("preset"), "compute", "sms", "threads_per_sm",
		"blocks_per_sm", "copy_engines", "static_mw", "idle_per_sm_mw", "warps_per_sm",
		"registers_per_sm", "shared_memory_per_sm_b", "threads_per_block", "registers_per_block",
		"shared_memory_per_block_b", "warp_schedulers", "source", "power_source", "cache_per_sm_b",
		"l2_b", "cache_source"};
	/* Tables for people end before lines get too long */
	size_t shown = !list_for_programs(q->format) ? 8 : sizeof(columns) / sizeof(columns[0]);
	size_t count;
	const struct preset *presets = preset_all(&count);
	struct table t;
	table_begin(&t, stdout, q->format, columns, shown);
	for (size_t i = 0; i < count; i++) {
		const struct preset *preset = &presets[i];
		const struct platform *p = &preset->platform;
		table_text(&t, preset->name);
		table_text(&t, preset->compute);
		table_integer(&t, p->sms);
		table_limit(&t, p->threads_per_sm);
		table_limit(&t, p->blocks_per_sm);
		table_limit(&t, p->engines);
		table_limit(&t, p->static_uw / 1000);
		table_limit(&t, p->idle_per_sm_uw / 1000);
		if (!list_for_programs(q->format))
			continue;
		table_limit(&t, p->warps_per_sm);
		table_limit(&t, p->registers_per_sm);
		table_limit(&t, p->shared_memory_per_sm);
		table_limit(&t, p->threads_per_block);
		table_limit(&t, preset->registers_per_block);
		table_limit(&t, preset->shared_memory_per_block);
		table_limit(&t, preset->warp_schedulers);
		table_text(&t, preset->source);
		table_text(&t, preset->power_source);
		table_limit(&t, preset->cache_per_sm);
		table_limit(&t, preset->l2_bytes);
		table_text(&t, preset->cache_source);
	}
	return table_end(&t, err);
}

static const struct list_subject {
	const char *name;
	bool (*list)(const struct list_request *q, struct error *err);
	bool takes_name; /* one of them can be asked for */
} subjects[] = {
	{"analyses", list_analyses, true},
	{"columns", list_columns, true},
	{"figures", list_figures, true},
	{"interleaves", list_interleaves, false},
	{"kernels", list_kernels, false},
	{"laws", list_laws, false},
	{"policies", list_policies, true},
	{"presets", list_presets, false},
	{"queries", list_queries, true},
	{"recipes", list_recipes, true},
	{"tables", list_tables, false},
};

#define SUBJECT_COUNT (sizeof(subjects) / sizeof(subjects[0]))

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct list_command *request = state->input;
	const char *names[SUBJECT_COUNT + 1] = {NULL};
	for (size_t i = 0; i < SUBJECT_COUNT; i++)
		names[i] = subjects[i].name;
	switch (key) {
	case OPTION_KEY_FORMAT:
		request->given.format = option_page_format(state, arg);
		return 0;
	case ARGP_KEY_ARG:
		if (request->subject == SUBJECT_NONE)
			request->subject = option_choice(state, "list", arg, names);
		else if (!subjects[request->subject].takes_name)
			argp_error(state, "list %s has all of them, and takes no name; what is '%s'?",
				subjects[request->subject].name, arg);
		else if (!request->name)
			request->name = arg;
		else
			argp_error(state, "one thing at a time; '%s' is too much", arg);
		return 0;
	case KEY_PAPERS:
		request->papers = true;
		return 0;
	case ARGP_KEY_END:
		if (request->papers && subjects[request->subject].list != list_figures &&
			subjects[request->subject].list != list_queries)
			argp_error(state, "--papers is for figures and queries");
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "list what?");
		return 0;
	default:
		return given_parse(key, arg, state, &request->given);
	}
}

int verb_list(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"format", OPTION_KEY_FORMAT, "FORMAT", 0,
			"print as table, csv, json or markdown (default: table)", 0},
		{"papers", KEY_PAPERS, NULL, 0, "of figures and queries: only those of papers", 0},
		OPTION_VERBOSE("print everything: options, parameters, columns, what is of papers"),
		{0},
	};
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "analyses|columns|figures|interleaves|kernels|laws|policies|presets|"
			    "queries|recipes|tables\n"
			    "analyses|columns|figures|policies|queries|recipes NAME",
		.doc = "List what can be named: schedulability analyses and scheduling policies with their "
		       "options, GPUs that a scenario can take its platform from, measured interleave "
		       "ratios, synthetic kernels for scenarios of warps, queries that `cegsim query' and "
		       "figures that `cegsim plot' knows, and recipes by which `cegsim gen' makes task "
		       "sets. Also what recordings hold, table by table and column by column, and the laws "
		       "of `cegsim audit'.\vTables are short; with a NAME there is everything about that "
		       "one (of columns: about the table of that name; a policy or an analysis may be a "
		       "plug-in, ./mine.so), and with -v about all. csv and json "
		       "have more columns than the table, such as the sources of presets and the SQL of "
		       "queries and figures. markdown is for pages.",
	};
	struct list_command request = {.subject = SUBJECT_NONE};
	options_parse(&argp, argc, argv, &request);
	struct error err;
	const struct list_request asked = {
		request.given.format, request.name, request.given.verbose, request.papers};
	if (!subjects[request.subject].list(&asked, &err))
		return error_report(&err);
	return STATUS_OK;
}
