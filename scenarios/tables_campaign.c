/* scenarios/tables_campaign.c - owns the keys of campaign files. Keys that scenarios have, too, are read by
 * the same shapes (scenarios/tables.h). */
#include "scenarios/tables_campaign.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define AT(member) offsetof(struct campaign_entry, member)

/* ---- The generator ---- */

#define OWN_SCENARIO "scenario" /* the recipe that is none: scenarios/variants.h */

static const struct recipe *find_recipe(struct binder *b, const struct node *map)
{
	char quote[NODE_QUOTE_MAX], hint[SUGGESTION_TEXT_MAX];
	const struct node *name = node_find(map, "recipe");
	if (!name) {
		binder_error(b, map, "'recipe' is missing here");
		return NULL;
	}
	const struct recipe *recipe = name->kind == NODE_SCALAR ? recipe_find(name->text) : NULL;
	if (recipe)
		return recipe;
	struct suggestion s = {.word = name->kind == NODE_SCALAR ? name->text : ""};
	for (const struct recipe *const *r = recipe_all(); *r; r++)
		suggestion_offer(&s, (*r)->name);
	suggestion_offer(&s, OWN_SCENARIO);
	binder_error(b, name, "no recipe is called %s%s", node_quote(name, quote),
		s.best ? suggestion_text(&s, hint) : "; 'cegsim list recipes' shows them");
	return NULL;
}

/* A list of values makes the option an axis of the grid. For an option that is a list itself, a list of lists
 * does. */
static bool is_axis(const struct option *option, const struct node *value)
{
	if (value->kind != NODE_LIST)
		return false;
	return option->kind != OPTION_LIST || (value->first && value->first->kind == NODE_LIST);
}

static bool read_axis(
	struct binder *b, const struct node *key, const char *who, struct generate_entry *g, uint32_t option)
{
	char text[PARAM_TEXT_MAX];
	const struct param_value *value = &g->params.value[option];
	const struct node *list = key->next;
	struct campaign_axis *axis = &g->axes[g->axis_count];
	bool ok = true;
	if (list->count == 0)
		return binder_error(b, list, "'%s' is an empty list", key->text);
	*axis = (struct campaign_axis){.option = option};
	axis->value = arena_alloc(b->arena, list->count, sizeof(*axis->value));
	if (!axis->value)
		return binder_no_memory(b);
	for (const struct node *item = list->first; item; item = item->next) {
		if (!option_read(b, who, key, item, &g->params)) {
			ok = false;
			continue;
		}
		for (uint32_t i = 0; i < axis->count; i++)
			if (param_same(&axis->value[i], value))
				ok = binder_error(b, item, "'%s' has the value %s twice", key->text,
					params_text(&g->params, option, text));
		axis->value[axis->count++] = *value;
	}
	g->params.value[option] = axis->value[0];
	g->axis_count++;
	return ok;
}

static bool read_option(struct binder *b, const struct node *map, const struct node *key, const char *who,
	struct generate_entry *g)
{
	if (key_is_repeated(map, key))
		return binder_error(b, key, "'%s' is given twice", key->text);
	uint32_t index = params_find(&g->params, key->text);
	if (index != UINT32_MAX && is_axis(&g->params.options[index], key->next))
		return read_axis(b, key, who, g, index);
	return option_read(b, who, key, key->next, &g->params);
}

/* {recipe: scenario, file: av.yaml (or scenario: {...}), set: {path: values, ...}}; scenarios/variants.c
 * reads the values. */
static bool bind_scenario(struct binder *b, const struct node *node, struct generate_entry *g)
{
	static const char *const keys[] = {"recipe", "file", "scenario", "set"};
	bool ok = true;
	g->scenario = node;
	for (const struct node *key = node->first; key; key = key->next->next) {
		char hint[SUGGESTION_TEXT_MAX], quote[NODE_QUOTE_MAX];
		struct suggestion s = {.word = key->text};
		bool known = false;
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
			suggestion_offer(&s, keys[i]);
			known = known || strcmp(key->text, keys[i]) == 0;
		}
		if (!known)
			ok = binder_error(b, key, "recipe 'scenario' has no option %s%s",
				node_quote(key, quote),
				s.best ? suggestion_text(&s, hint)
				       : "; values of the scenario go inside of 'set'");
		else if (key_is_repeated(node, key))
			ok = binder_error(b, key, "'%s' is given twice", key->text);
	}
	return ok;
}

static bool bind_generate(
	struct binder *b, const char *what, const struct node *node, void *out, uint32_t *count)
{
	struct generate_entry *g = out;
	(void)count;
	char quote[NODE_QUOTE_MAX], who[NAME_BYTES_MAX];
	if (node->kind != NODE_MAP)
		return binder_error(b, node, "'%s' wants {recipe: NAME, option: value, ...}, got %s", what,
			node_quote(node, quote));
	const struct node *name = node_find(node, "recipe");
	if (name && name->kind == NODE_SCALAR && strcmp(name->text, OWN_SCENARIO) == 0)
		return bind_scenario(b, node, g);
	g->recipe = find_recipe(b, node);
	if (!g->recipe)
		return false;
	snprintf(who, sizeof(who), "recipe '%s'", g->recipe->name);
	params_default(&g->params, g->recipe->options);
	g->axes = arena_new(b->arena, struct campaign_axis, node->count);
	if (!g->axes)
		return binder_no_memory(b);
	bool ok = true;
	for (const struct node *key = node->first; key; key = key->next->next)
		if (strcmp(key->text, "recipe") != 0)
			ok = read_option(b, node, key, who, g) && ok;
	return ok;
}

/* For each option: its value, or a list of values. */
static void axes_schema(struct text *out, const struct option *options)
{
	for (const struct option *o = options; o && o->name; o++) {
		struct text value = {0};
		const struct option one[] = {*o, {0}};
		options_schema(&value, one);
		const char *schema = strchr(text_data(&value), ':');
		text_add(out, ", ");
		text_add_json(out, o->name);
		if (schema)
			text_printf(out,
				": {\"anyOf\": [%s, {\"type\": \"array\", \"minItems\": 1, \"items\": %s}]}",
				schema + 1, schema + 1);
		out->failed = out->failed || value.failed;
		text_finish(&value);
	}
}

static void scenario_as_recipe_schema(struct text *out)
{
	text_add(out,
		", {\"type\": \"object\", \"description\": \"A scenario of your own, and values in place of "
		"its own.\", \"properties\": {\"recipe\": {\"const\": \"" OWN_SCENARIO
		"\"}, \"file\": {\"type\": "
		"\"string\", \"minLength\": 1, \"description\": \"The scenario, looked for beside this "
		"file.\"}, \"scenario\": {\"type\": \"object\", \"description\": \"In place of "
		"'file': the scenario itself, without policies, record and seed.\"}, "
		"\"set\": {\"type\": \"object\", \"description\": \"Values by their path in the "
		"scenario, such as "
		"platform.copy.bandwidth; a list of values spans the grid.\"}}, \"required\": "
		"[\"recipe\"], \"oneOf\": [{\"required\": [\"file\"]}, {\"required\": [\"scenario\"]}], "
		"\"additionalProperties\": false}");
}

static void generate_schema(struct text *out)
{
	text_add(out, "{\"anyOf\": [");
	for (const struct recipe *const *r = recipe_all(); *r; r++) {
		text_add(out, r == recipe_all() ? "" : ", ");
		text_add(out, "{\"type\": \"object\", \"description\": ");
		text_add_json(out, (*r)->summary);
		text_add(out, ", \"properties\": {\"recipe\": {\"const\": ");
		text_add_json(out, (*r)->name);
		text_add(out, "}");
		axes_schema(out, (*r)->options);
		text_add(out, "}, \"required\": [\"recipe\"], \"additionalProperties\": false}");
	}
	scenario_as_recipe_schema(out);
	text_add(out, "]}");
}

static const struct binder_shape generate = {.kind = SHAPE_CUSTOM,
	.wants = "{recipe: NAME, option: value, ...}",
	.bind = bind_generate,
	.schema = generate_schema};

/* ---- Runs ---- */

static const struct binder_shape count = {
	.kind = SHAPE_INTEGER, .min = 1, .max = INT32_MAX, .size = sizeof(int64_t)};
static const struct field horizon_fields[] = {
	{"periods", &count, offsetof(struct campaign_horizon_entry, periods), .need = SELECTOR,
		.tag = CAMPAIGN_PERIODS,
		.help = "The largest offset and this many times the largest period of the set."},
	{"hyperperiods", &count, offsetof(struct campaign_horizon_entry, hyperperiods), .need = SELECTOR,
		.tag = CAMPAIGN_HYPERPERIODS,
		.help = "The largest offset and this many hyperperiods (least common multiples of the "
			"periods)."},
	{NULL}};
static const struct binder_shape horizon_map = {
	.kind = SHAPE_MAP,
	.fields = horizon_fields,
	.tag_offset = offsetof(struct campaign_horizon_entry, kind),
};

static bool bind_length(
	struct binder *b, const char *what, const struct node *node, void *out, uint32_t *length)
{
	struct campaign_horizon_entry *h = out;
	*h = (struct campaign_horizon_entry){.kind = CAMPAIGN_DURATION};
	return binder_read(b, what, node, &shape_length, &h->ns, length);
}
static void length_schema(struct text *out)
{
	schema_value(out, &shape_length);
}
static const struct binder_shape horizon_length = {
	.kind = SHAPE_CUSTOM, .bind = bind_length, .schema = length_schema};
static const struct binder_shape horizon = {
	.kind = SHAPE_EITHER,
	.wants = "a duration such as 500ms, {periods: 10} or {hyperperiods: 2}",
	.scalar = &horizon_length,
	.map = &horizon_map,
};

static const struct binder_shape job_count = {
	.kind = SHAPE_INTEGER, .min = 1, .max = INT64_MAX, .size = sizeof(int64_t)};

#define RUN(member) offsetof(struct campaign_run_entry, member)
static const struct field run_fields[] = {{"horizon", &horizon, RUN(horizon), .need = REQUIRED,
						  .help = "Jobs are released before this instant."},
	{"stop", &shape_stop, RUN(stop), .fallback = "drained",
		.help = "When the clock stops: with the last completion, or at the horizon."},
	{"limit", &shape_length, RUN(limit_ns), .help = "A drained run stops here at the latest.",
		.unset = "10 times the horizon"},
	{"jobs", &job_count, RUN(jobs),
		.help = "At most so many jobs a run: before more are released it is stopped, and truncated.",
		.unset = "no limit"},
	{"release", &shape_release, RUN(release), .fallback = "periodic",
		.help = "How jobs are released, of tasks that do not say it: periodic or sporadic."},
	{"execution", &shape_execution, RUN(execution), .fallback = "worst",
		.help = "How long segments take between their best and their worst case."},
	{"on_miss", &shape_on_miss, RUN(on_miss), .fallback = "continue",
		.help = "What happens to a job at its deadline: it runs on; it is removed if it has not "
			"started; or those of its parts that have not started are removed."},
	{"ties", &shape_ties, RUN(ties), .fallback = "task-order",
		.help = "Who wins a tie on a resource that is not preempted."},
	{NULL}};

static bool check_run(struct binder *b, const struct node *node, void *out)
{
	const struct campaign_run_entry *run = out;
	bool ok = true;
	if (run->release.kind == RELEASE_TRACE)
		ok = binder_error_at(
			b, node, "release", "a campaign's sets are generated: they have no trace file");
	if (run->execution.samples)
		ok = binder_error_at(b, node, "execution",
			"a campaign's sets are generated: there are no samples of them");
	if (run->release.kind == RELEASE_JITTER)
		ok = binder_error_at(b, node, "release",
			"a campaign's sets are generated: a jitter for all could be longer than "
			"their periods");
	if (run->limit_ns && run->horizon.kind == CAMPAIGN_DURATION && run->limit_ns < run->horizon.ns)
		ok = binder_error_at(b, node, "limit", "'limit' is shorter than the horizon");
	return ok;
}
static const struct binder_shape run = {.kind = SHAPE_MAP, .fields = run_fields, .check = check_run};

/* ---- Detail ---- */

static const struct binder_choice conditions[] = {{"first-miss", DETAIL_ON_MISS}, {NULL}};
static const struct binder_shape condition = {.kind = SHAPE_CHOICE, .choices = conditions};
static const struct binder_shape set_index = {
	.kind = SHAPE_INTEGER, .min = 0, .max = INT32_MAX, .size = sizeof(uint32_t)};
static const struct binder_shape set_list = {
	.kind = SHAPE_LIST, .item = &set_index, .size = sizeof(uint32_t), .min = 1, .max = 1000000};

#define DETAIL(member) offsetof(struct detail_entry, member)
static const struct field detail_fields[] = {
	{"record", &shape_record, DETAIL(record), .need = REQUIRED, .help = "How much of these runs."},
	{"when", &condition, DETAIL(when),
		.help = "first-miss: of every run in which a job misses its deadline."},
	{"sets", &set_list, DETAIL(sets), DETAIL(set_count),
		.help = "Of all runs of these sets of each point of the grid, counted from 0."},
	{NULL}};

static bool check_detail(struct binder *b, const struct node *node, void *out)
{
	const struct detail_entry *d = out;
	(void)out;
	return d->when || d->set_count > 0 || binder_error(b, node, "'when' or 'sets' is missing here");
}
static const struct binder_shape detail = {.kind = SHAPE_MAP, .fields = detail_fields, .check = check_detail};

/* ---- Verdicts alone ---- */

static const struct binder_choice records[] = {
	{"verdicts", RECORD_VERDICTS}, RECORD_WORDS(WORD_CHOICE){NULL}};
static const struct binder_shape record = {.kind = SHAPE_CHOICE, .choices = records};
static const struct binder_choice kept[] = {
	{"miss", KEEP_MISS}, {"exceed", KEEP_EXCEED}, {"disagree", KEEP_DISAGREE}, {NULL}};
static const struct binder_shape keep_word = {.kind = SHAPE_CHOICE, .choices = kept, .size = sizeof(int)};
static const struct binder_shape keep = {
	.kind = SHAPE_LIST, .item = &keep_word, .size = sizeof(int), .max = 3};

/* ---- The file ---- */

static bool bind_version(
	struct binder *b, const char *what, const struct node *node, void *out, uint32_t *length)
{
	(void)length;
	char quote[NODE_QUOTE_MAX];
	*(int *)out = 1;
	if (node->kind == NODE_SCALAR && strcmp(node->text, "1") == 0)
		return true;
	return binder_error(b, node, "'%s' is %s; this program reads version 1 of campaign files", what,
		node_quote(node, quote));
}
static void version_schema(struct text *out)
{
	text_add(out, "{\"const\": 1}");
}
static const struct binder_shape version = {
	.kind = SHAPE_CUSTOM, .wants = "1", .bind = bind_version, .schema = version_schema};

static bool bind_truth(
	struct binder *b, const char *what, const struct node *node, void *out, uint32_t *length)
{
	(void)length;
	char quote[NODE_QUOTE_MAX];
	bool yes = node->kind == NODE_SCALAR && strcmp(node->text, "true") == 0;
	*(int *)out = yes;
	if (yes || (node->kind == NODE_SCALAR && strcmp(node->text, "false") == 0))
		return true;
	return binder_error(b, node, "'%s' is true or false, got %s", what, node_quote(node, quote));
}
static void truth_schema(struct text *out)
{
	text_add(out, "{\"type\": \"boolean\"}");
}
static const struct binder_shape truth = {
	.kind = SHAPE_CUSTOM, .wants = "true | false", .bind = bind_truth, .schema = truth_schema};

static const struct binder_shape seed = {
	.kind = SHAPE_INTEGER, .min = 0, .max = INT64_MAX, .size = sizeof(int64_t)};
static const struct binder_shape sets = {
	.kind = SHAPE_INTEGER, .min = 1, .max = INT32_MAX, .size = sizeof(uint32_t)};
static const struct binder_shape replications = {
	.kind = SHAPE_INTEGER, .min = 1, .max = CAMPAIGN_RUNS_MAX, .size = sizeof(uint32_t)};
static const struct binder_shape platforms = {
	.kind = SHAPE_LIST, .item = &shape_platform, .size = sizeof(struct platform), .min = 1, .max = 1000};

static const struct field campaign_fields[] = {
	{"cegsim-campaign", &version, AT(version), .need = REQUIRED, .help = "Version of the file format."},
	{"name", &shape_name, AT(name), .help = "What the campaign is called.",
		.unset = "the name of the file"},
	{"time_unit", &shape_time_unit, 0, .help = "The unit of bare numbers wherever a time is wanted.",
		.unset = "every time has its unit"},
	{"seed", &seed, AT(seed), .fallback = "1",
		.help = "The seed of all random draws: of task sets and of runs."},
	{"sets", &sets, AT(sets), .help = "Task sets of each point of the grid.",
		.unset = "required with a recipe"},
	{"replications", &replications, AT(replications), .fallback = "1",
		.help = "Runs of each set with other draws (execution: uniform, sporadic releases)."},
	{"generate", &generate, AT(generate), .need = REQUIRED,
		.help = "The recipe and its options, or a scenario and values for it; what has a list of "
			"values spans the grid."},
	{"platforms", &platforms, AT(platforms), AT(platform_count), .help = "The machines.",
		.unset = "the one the recipe is made for"},
	{"policies", &shape_policies, AT(policies), AT(policy_count),
		.help = "Policies to run under: names, or mappings with a name and options.",
		.unset = "the scenario's"},
	{"analyses", &shape_analyses, AT(analyses), AT(analysis_count),
		.help = "Analyses to ask about every set: names, or mappings with a name, "
			"options and a policy."},
	{"bounds", &truth, AT(bounds), .fallback = "false",
		.help = "Record the analyses' bounds, not their verdicts alone; from record: jobs on "
			"they always are."},
	{"run", &run, AT(run), .help = "How long and how each set runs.",
		.unset = "required with a recipe and policies"},
	{"record", &record, AT(record), .fallback = "summary",
		.help = "How much is recorded of every run; verdicts: of most sets answers alone."},
	{"keep", &keep, AT(keep), AT(keep_count),
		.help = "With record: verdicts: the sets that are recorded with their runs and analyses.",
		.unset = "[miss, exceed, disagree]"},
	{"detail", &detail, AT(detail), .help = "More, of some runs."}, {NULL}};

/* What the scenario says, and 'set' changes, is not said a second time. */
bool campaign_keys_check(struct binder *b, const struct node *node)
{
	static const struct {
		const char *key, *instead;
	} refused[] = {
		{"sets", "there is one set, the scenario's; 'replications' runs it with other draws"},
		{"platforms", "the machine is the scenario's; 'set' has others, such as platform.preset"},
		{"run", "the scenario says it; 'set' has other values, such as horizon or execution"},
		{"time_unit", "the times in 'set' are in that of the scenario"},
	};
	bool ok = true;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		if (node_has(node, refused[i].key))
			ok = binder_error_at(b, node, refused[i].key,
				"'%s' does not go with recipe 'scenario': %s", refused[i].key,
				refused[i].instead);
	return ok;
}

static bool check_campaign(struct binder *b, const struct node *node, void *out)
{
	const struct campaign_entry *c = out;
	bool ok = true;
	if (c->generate.scenario)
		return true;
	if (!node_has(node, "sets"))
		ok = binder_error(b, node, "'sets' is missing here");
	if (c->policy_count == 0 && c->analysis_count == 0)
		ok = binder_error(b, node, "'policies' or 'analyses' is missing here");
	if (c->policy_count > 0 && !node_has(node, "run"))
		ok = binder_error(b, node, "'run' is missing here");
	for (uint32_t i = 0; i < c->analysis_count && c->policy_count == 0; i++)
		if (campaign_analysis_any(&c->analyses[i]))
			ok = binder_error(b, node_item(node_find(node, "analyses"), i),
				"'%s' is for any policy: give it one here, or the campaign 'policies'",
				c->analyses[i].use.analysis->name);
	return ok;
}

const struct binder_shape shape_campaign = {
	.kind = SHAPE_MAP, .fields = campaign_fields, .check = check_campaign};
