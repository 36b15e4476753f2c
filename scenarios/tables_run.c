/* scenarios/tables_run.c - owns the keys at the top of a scenario: the setup of a run, the
 * policies, the level of recording. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/plugin/plugin.h"
#include "policies/registry.h"
#include "scenarios/tables.h"

#define AT(member) offsetof(struct description, member)

/* ---- Time unit ---- */

static const char *const time_units[] = {"ns", "us", "ms", "s"};
#define TIME_UNITS (sizeof(time_units) / sizeof(time_units[0]))

static bool bind_time_unit(
	struct binder *b, const char *what, const struct node *node, void *out, uint32_t *count)
{
	(void)out;
	(void)count;
	char quote[NODE_QUOTE_MAX];
	for (size_t i = 0; node->kind == NODE_SCALAR && i < TIME_UNITS; i++) {
		if (strcmp(node->text, time_units[i]) == 0) {
			b->time_unit = time_units[i];
			return true;
		}
	}
	return binder_error(b, node, "'%s' is %s; one of: ns, us, ms, s", what, node_quote(node, quote));
}

static void time_unit_schema(struct text *out)
{
	text_add(out, "{\"enum\": [\"ns\", \"us\", \"ms\", \"s\"]}");
}

const struct binder_shape shape_time_unit = {.kind = SHAPE_CUSTOM,
	.wants = "ns | us | ms | s",
	.bind = bind_time_unit,
	.schema = time_unit_schema};

/* ---- Setup ---- */

static const struct binder_shape hyperperiod_count = {
	.kind = SHAPE_INTEGER, .min = 1, .max = INT32_MAX, .size = sizeof(int64_t)};
static const struct field horizon_fields[] = {
	{"hyperperiods", &hyperperiod_count, offsetof(struct horizon_entry, hyperperiods), .need = ONE_OF,
		.help = "The largest offset and this many hyperperiods (least common multiples of the "
			"periods)."},
	{"cycles", &shape_cycle_count, offsetof(struct horizon_entry, cycles), .need = ONE_OF,
		.help = "This many cycles of the SMs; with 'warp' only. They must take a whole number of "
			"nanoseconds."},
	{NULL}};
static const struct binder_shape horizon_map = {.kind = SHAPE_MAP, .fields = horizon_fields};
static const struct binder_shape horizon = {
	.kind = SHAPE_EITHER,
	.wants = "a duration such as 500ms, {hyperperiods: 2}, or {cycles: 200000}",
	.scalar = &shape_length,
	.map = &horizon_map,
};

static const struct binder_shape scale = {.kind = SHAPE_QUANTITY, .unit = UNIT_RATIO, .max = 1000000};
static const struct binder_choice truths[] = {{"false", 0}, {"true", 1}, {NULL}};
static const struct binder_shape truth = {.kind = SHAPE_CHOICE, .choices = truths};
static const struct binder_shape file_name = {.kind = SHAPE_TEXT, .wants = "the name of a file", .max = 4000};
static const struct field execution_fields[] = {
	{"scale", &scale, offsetof(struct execution_entry, scale_ppm), .need = SELECTOR,
		.tag = EXECUTION_SCALED,
		.help = "Every segment takes this share of its worst case, but at least its best case."},
	{"samples", &file_name, offsetof(struct execution_entry, samples), .need = SELECTOR,
		.tag = EXECUTION_SAMPLES,
		.help = "A CSV file beside this one with the columns task, segment, value: each "
			"segment of each "
			"job takes one of its values."},
	{"together", &truth, offsetof(struct execution_entry, together), .with = "samples",
		.fallback = "false",
		.help = "The segments of a job take values of one row, which was measured "
			"together: the n-th of each."},
	{NULL}};
#define WANTS_EXECUTION "worst, best, uniform, {scale: 0.8} or {samples: file.csv}"
static bool check_execution(struct binder *b, const struct node *node, void *out)
{
	struct execution_entry *e = out;
	(void)b;
	e->at = node_find(node, "samples");
	if (e->kind == EXECUTION_SAMPLES && e->together)
		e->kind = EXECUTION_TOGETHER;
	return true;
}
static const struct binder_shape execution_map = {
	.kind = SHAPE_MAP,
	.fields = execution_fields,
	.tag_offset = offsetof(struct execution_entry, kind),
	.check = check_execution,
};
static const struct binder_choice execution_choices[] = {
	{"worst", EXECUTION_WORST}, {"best", EXECUTION_BEST}, {"uniform", EXECUTION_UNIFORM}, {NULL}};
static const struct binder_shape execution_word = {
	.kind = SHAPE_CHOICE, .choices = execution_choices, .wants = WANTS_EXECUTION};
_Static_assert(offsetof(struct execution_entry, kind) == 0, "a word is read into the kind");
const struct binder_shape shape_execution = {
	.kind = SHAPE_EITHER, .wants = WANTS_EXECUTION, .scalar = &execution_word, .map = &execution_map};

static const struct binder_choice stops[] = {STOP_WORDS(WORD_CHOICE){NULL}};
const struct binder_shape shape_stop = {.kind = SHAPE_CHOICE, .choices = stops};
static const struct binder_choice misses[] = {MISS_WORDS(WORD_CHOICE){NULL}};
const struct binder_shape shape_on_miss = {.kind = SHAPE_CHOICE, .choices = misses};
static const struct binder_choice ties[] = {TIES_WORDS(WORD_CHOICE){NULL}};
const struct binder_shape shape_ties = {.kind = SHAPE_CHOICE, .choices = ties};
static const struct binder_choice levels[] = {RECORD_WORDS(WORD_CHOICE){NULL}};
const struct binder_shape shape_record = {.kind = SHAPE_CHOICE, .choices = levels};
static const struct binder_shape seed = {
	.kind = SHAPE_INTEGER, .min = 0, .max = INT64_MAX, .size = sizeof(int64_t)};

/* ---- Limits of misses, of tasks ---- */

static const struct binder_shape miss_count = {
	.kind = SHAPE_INTEGER, .min = 0, .max = MISSES_IN_MAX - 1, .size = sizeof(uint32_t)};
static const struct binder_shape miss_window = {
	.kind = SHAPE_INTEGER, .min = 1, .max = MISSES_IN_MAX, .size = sizeof(uint32_t)};
static const struct field misses_fields[] = {
	{"at_most", &miss_count, offsetof(struct misses_entry, at_most), .need = REQUIRED,
		.help = "So many jobs of any 'in' consecutive ones may miss their deadline; below 'in'."},
	{"in", &miss_window, offsetof(struct misses_entry, in), .need = REQUIRED,
		.help = "The number of consecutive jobs, wherever they begin."},
	{NULL}};

static bool check_misses(struct binder *b, const struct node *node, void *out)
{
	const struct misses_entry *e = out;
	return e->at_most < e->in || binder_error_at(b, node, "at_most",
					     "'at_most' is %" PRIu32 " of %" PRIu32
					     " jobs: that is no limit; it must be below 'in'",
					     e->at_most, e->in);
}
const struct binder_shape shape_misses = {
	.kind = SHAPE_MAP, .wants = "{at_most: 1, in: 10}", .fields = misses_fields, .check = check_misses};

/* ---- Policies ---- */

/* NULL: errors were reported. */
static const struct policy *load_policy(struct binder *b, const struct node *name)
{
	const struct description *d = b->context;
	struct error err;
	char *file = document_beside(d->file, name->text);
	const struct policy *policy = file ? plugin_load(file, &err) : NULL;
	if (!file) {
		binder_no_memory(b);
	} else if (!policy) {
		b->io_failed = b->io_failed || err.status == STATUS_IO;
		binder_error(b, name, "%s", err.text);
	}
	free(file);
	return policy;
}

/* NULL: errors were reported. */
static const struct policy *find_policy(struct binder *b, const struct node *name)
{
	char quote[NODE_QUOTE_MAX], hint[SUGGESTION_TEXT_MAX];
	const struct policy *policy = policy_find(name->text);
	struct suggestion s = {.word = name->text};
	for (const struct policy *const *p = policy_all(); !policy && *p; p++)
		suggestion_offer(&s, (*p)->name);
	if (!policy)
		binder_error(b, name, "no policy is called %s%s", node_quote(name, quote),
			s.best ? suggestion_text(&s, hint) : "; 'cegsim list policies' shows them");
	return policy;
}

static bool settle_policy(struct binder *b, const struct node *name, struct policy_use *use)
{
	char quote[NODE_QUOTE_MAX];
	if (name->kind != NODE_SCALAR || !*name->text)
		return binder_error(
			b, name, "a policy's name is wanted here, got %s", node_quote(name, quote));
	const struct description *d = b->context;
	if (d->stored && plugin_is_file(name->text)) {
		*use = (struct policy_use){0};
		return true;
	}
	const struct policy *policy =
		plugin_is_file(name->text) ? load_policy(b, name) : find_policy(b, name);
	if (policy)
		*use = policy_use_of(policy);
	return policy != NULL;
}

/* rm, or {name: rm, unit: kernel}. */
static bool bind_policy(
	struct binder *b, const char *what, const struct node *node, void *out, uint32_t *count)
{
	struct policy_use *use = out;
	(void)count;
	if (node->kind == NODE_LIST)
		return binder_error(
			b, node, "'%s' wants names or {name: rm, unit: kernel}, got a list", what);
	if (node->kind == NODE_SCALAR)
		return settle_policy(b, node, use);
	const struct node *name = node_find(node, "name");
	if (!name)
		return binder_error(b, node, "'name' is missing here");
	if (!settle_policy(b, name, use))
		return false;
	if (!use->policy)
		return true; /* a plug-in that is not loaded, so its options are not known */
	char who[NAME_BYTES_MAX];
	snprintf(who, sizeof(who), "policy '%s'", use->policy->name);
	struct error err;
	if (!options_read(b, who, node, name, &use->params))
		return false;
	return !use->policy->check || use->policy->check(&use->params, &err) ||
	       binder_error(b, node, "%s: %s", who, err.text);
}

static void policy_schema(struct text *out)
{
	text_add(out, "{\"anyOf\": [{\"enum\": [");
	for (const struct policy *const *p = policy_all(); *p; p++) {
		text_add(out, p == policy_all() ? "" : ", ");
		text_add_json(out, (*p)->name);
	}
	text_add(out, "]}");
	for (const struct policy *const *p = policy_all(); *p; p++) {
		text_add(out, ", {\"type\": \"object\", \"description\": ");
		text_add_json(out, (*p)->summary);
		text_add(out, ", \"properties\": {\"name\": {\"const\": ");
		text_add_json(out, (*p)->name);
		text_add(out, "}");
		options_schema(out, (*p)->options);
		text_add(out, "}, \"required\": [\"name\"], \"additionalProperties\": false}");
	}
	/* A plug-in; the schema does not know its options. */
	static const char plugin[] =
		"{\"type\": \"string\", \"pattern\": \"/|[.]so$\", \"description\": "
		"\"A policy from outside the tree: its shared object, looked for beside this file.\"}";
	text_printf(out,
		", %s, {\"type\": \"object\", \"properties\": {\"name\": %s}, \"required\": [\"name\"]}]}",
		plugin, plugin);
}

static const struct binder_shape policy = {.kind = SHAPE_CUSTOM,
	.wants = "a policy's name, or {name: rm, unit: kernel}",
	.bind = bind_policy,
	.schema = policy_schema};

static bool check_policies(struct binder *b, const struct node *node, void *out)
{
	const struct policy_use *uses;
	memcpy(&uses, out, sizeof(uses));
	for (uint32_t i = 1; i < node->count; i++) {
		for (uint32_t j = 0; j < i; j++) {
			if (uses[i].policy && policy_use_same(&uses[i], &uses[j]))
				return binder_error(b, node_item(node, i),
					"'%s' is listed twice with the same options", uses[i].policy->name);
		}
	}
	return true;
}

const struct binder_shape shape_policies = {
	.kind = SHAPE_LIST,
	.item = &policy,
	.size = sizeof(struct policy_use),
	.min = 1,
	.max = 1000,
	.check = check_policies,
};

/* ---- The file ---- */

static bool bind_version(
	struct binder *b, const char *what, const struct node *node, void *out, uint32_t *count)
{
	(void)count;
	char quote[NODE_QUOTE_MAX];
	*(int *)out = 1;
	if (node->kind == NODE_SCALAR && strcmp(node->text, "1") == 0)
		return true;
	return binder_error(b, node, "'%s' is %s; this program reads version 1 of scenario files", what,
		node_quote(node, quote));
}

static void version_schema(struct text *out)
{
	text_add(out, "{\"const\": 1}");
}

static const struct binder_shape version = {
	.kind = SHAPE_CUSTOM, .wants = "1", .bind = bind_version, .schema = version_schema};

/* In the order in which they are read: units before numbers, platform and profiles before tasks. */
static const struct field scenario_fields[] = {
	{"cegsim", &version, AT(version), .need = REQUIRED, .help = "Version of the file format."},
	{"name", &shape_name, AT(name), .help = "What the scenario is called.",
		.unset = "the name of the file"},
	{"time_unit", &shape_time_unit, 0, .help = "The unit of bare numbers wherever a time is wanted.",
		.unset = "every time has its unit"},
	{"platform", &shape_platform, AT(platform), .help = "The machine.",
		.unset = "one CPU core, one copy engine"},
	{"profiles", &shape_profiles, AT(profiles), AT(profile_count), .help = "Measured kernels, by name."},
	{"tasks", &shape_tasks, AT(tasks), AT(task_count), ONE_OF,
		.help = "The tasks, in order of their index."},
	{"chains", &shape_chains, AT(chains), AT(chain_count),
		.help = "Tasks that hand data on: how old it is at the end, and how long a reaction takes.",
		.unset = "none"},
	{"warp", &shape_warp, AT(warp), .need = ONE_OF,
		.help = "Instead of tasks: kernels whose warps are simulated."},
	{"programs", &shape_programs, AT(programs),
		.help = "How SMs are made, for tasks whose kernels are programs of warps.",
		.unset = "the defaults"},
	{"horizon", &horizon, AT(horizon), .need = REQUIRED,
		.help = "Jobs are released before this instant."},
	{"stop", &shape_stop, AT(stop), .fallback = "drained",
		.help = "When the clock stops: with the last completion, or at the horizon."},
	{"limit", &shape_length, AT(limit_ns), .help = "A drained run stops here at the latest.",
		.unset = "10 times the horizon"},
	{"seed", &seed, AT(seed), .fallback = "1", .help = "The seed of all random draws."},
	{"release", &shape_release, AT(release), .fallback = "periodic",
		.help = "How jobs are released, of tasks that do not say it."},
	{"execution", &shape_execution, AT(execution), .fallback = "worst",
		.help = "How long segments take between their best and their worst case."},
	{"on_miss", &shape_on_miss, AT(on_miss), .fallback = "continue",
		.help = "What happens to a job at its deadline: it runs on; it is removed if it has not "
			"started; or those of its parts that have not started are removed."},
	{"ties", &shape_ties, AT(ties), .fallback = "task-order",
		.help = "Who wins a tie on a resource that is not preempted (lower-first: for worst-case "
			"searches)."},
	{"policies", &shape_policies, AT(policies), AT(policy_count),
		.help = "Policies to run under. Names, plug-ins, or mappings with a name and options."},
	{"analyses", &shape_analyses, AT(analyses), AT(analysis_count),
		.help = "What bounds the responses under these policies, or under its own 'policy'. "
			"Names, plug-ins, programs, or mappings with a name and options. cegsim analyze "
			"asks them, cegsim run -o stores their bounds."},
	{"record", &shape_record, AT(record), .fallback = "jobs",
		.help = "How much is recorded; each level contains those before it. issues: every warp "
			"instruction, with 'warp' only."},
	{NULL}};

static const struct binder_shape *const definitions[] = {&shape_program, NULL};
const struct binder_shape shape_scenario = {
	.kind = SHAPE_MAP, .fields = scenario_fields, .definitions = definitions};
