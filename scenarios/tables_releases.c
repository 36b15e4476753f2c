/* scenarios/tables_releases.c - owns the keys of `release`, of the file and of tasks, and of `chains`. */
#include <stdio.h>
#include <string.h>

#include "scenarios/tables.h"

#define RELEASE(member) offsetof(struct release_entry, member)

static const struct binder_shape max_delay = {
	.kind = SHAPE_QUANTITY, .unit = UNIT_RATIO, .max = DELAY_MAX_PPM};
static const struct field sporadic_fields[] = {
	{"max_delay", &max_delay, RELEASE(max_delay_ppm), .need = REQUIRED,
		.help = "The gap between two releases is the period and up to this share of it more."},
	{NULL}};
static const struct binder_shape sporadic = {
	.kind = SHAPE_MAP, .wants = "{max_delay: 20%}", .fields = sporadic_fields};
static const struct binder_shape file_name = {.kind = SHAPE_TEXT, .wants = "the name of a file", .max = 4000};

/* ---- Names of tasks ---- */

/* A name or a list of names, which are looked up when all tasks are known (scenarios/settle_chains.c). */
static bool bind_names(
	struct binder *b, const char *what, const struct node *node, void *out, uint32_t *count)
{
	char quote[NODE_QUOTE_MAX];
	(void)count;
	const struct node *first = node->kind == NODE_LIST ? node->first : node;
	if (!first)
		return binder_error(b, node, "'%s' is empty", what);
	for (const struct node *name = first; name; name = node->kind == NODE_LIST ? name->next : NULL)
		if (name->kind != NODE_SCALAR || !*name->text)
			return binder_error(b, name, "'%s' wants the names of tasks, got %s", what,
				node_quote(name, quote));
	memcpy(out, &node, sizeof(node));
	return true;
}

static bool bind_name_list(
	struct binder *b, const char *what, const struct node *node, void *out, uint32_t *count)
{
	char quote[NODE_QUOTE_MAX];
	return node->kind == NODE_LIST ? bind_names(b, what, node, out, count)
				       : binder_error(b, node, "'%s' wants a list of tasks, got %s", what,
						 node_quote(node, quote));
}

static void names_schema(struct text *out)
{
	text_add(out, "{\"anyOf\": [{\"type\": \"string\", \"minLength\": 1}, {\"type\": \"array\", "
		      "\"items\": {\"type\": \"string\", \"minLength\": 1}, \"minItems\": 1}]}");
}

static void name_list_schema(struct text *out)
{
	text_printf(out,
		"{\"type\": \"array\", \"items\": {\"type\": \"string\", \"minLength\": 1}, "
		"\"minItems\": 1, \"maxItems\": %d}",
		CHAIN_TASKS_MAX);
}

static const struct binder_shape task_names = {.kind = SHAPE_CUSTOM,
	.wants = "a task's name, or a list of names",
	.bind = bind_names,
	.schema = names_schema};
static const struct binder_shape task_name_list = {.kind = SHAPE_CUSTOM,
	.wants = "a list of tasks' names",
	.bind = bind_name_list,
	.schema = name_list_schema};

/* ---- Releases ---- */

/* clang-format off */
#define RELEASE_FIELDS \
	{"sporadic", &sporadic, 0, .need = SELECTOR, .tag = RELEASE_SPORADIC, .help = "Random gaps."}, \
	{"jitter", &shape_duration, RELEASE(jitter_ns), .need = SELECTOR, .tag = RELEASE_JITTER, \
		.help = "Each job comes up to so much later than a period's begin, from which its deadline " \
			"counts; at most the period, and below the deadline."}, \
	{"trace", &file_name, RELEASE(trace), .need = SELECTOR, .tag = RELEASE_TRACE, \
		.help = "A CSV file beside this one with the columns task, seq, release[, segment, " \
			"duration]."}
/* clang-format on */

static const struct field release_fields[] = {RELEASE_FIELDS, {NULL}};
static const struct field task_release_fields[] = {RELEASE_FIELDS,
	{"after", &task_names, RELEASE(after), .need = SELECTOR, .tag = RELEASE_AFTER,
		.help = "Other tasks, one or a list: job k is released when the k-th jobs of all of them "
			"have finished. Of tasks only."},
	{NULL}};

static bool check_release(struct binder *b, const struct node *node, void *out)
{
	(void)b;
	((struct release_entry *)out)->at = node_find(node, "trace");
	return true;
}

static const struct binder_choice release_choices[] = {{"periodic", RELEASE_PERIODIC}, {NULL}};
#define WANTS_RELEASE "periodic, {sporadic: {max_delay: 20%}}, {jitter: 2ms} or {trace: file.csv}"
static const struct binder_shape release_word = {
	.kind = SHAPE_CHOICE, .choices = release_choices, .wants = WANTS_RELEASE};
static const struct binder_shape release_map = {
	.kind = SHAPE_MAP, .fields = release_fields, .tag_offset = RELEASE(kind), .check = check_release};
_Static_assert(RELEASE(kind) == 0, "a word is read into the kind");
const struct binder_shape shape_release = {
	.kind = SHAPE_EITHER, .wants = WANTS_RELEASE, .scalar = &release_word, .map = &release_map};

#define WANTS_TASK_RELEASE                                                                                   \
	"periodic, {sporadic: {max_delay: 20%}}, {jitter: 2ms}, {trace: file.csv} or {after: task}"
static const struct binder_shape task_release_word = {
	.kind = SHAPE_CHOICE, .choices = release_choices, .wants = WANTS_TASK_RELEASE};
static const struct binder_shape task_release_map = {.kind = SHAPE_MAP,
	.fields = task_release_fields,
	.tag_offset = RELEASE(kind),
	.check = check_release};
const struct binder_shape shape_task_release = {
	.kind = SHAPE_EITHER,
	.wants = WANTS_TASK_RELEASE,
	.scalar = &task_release_word,
	.map = &task_release_map,
};

/* ---- Chains ---- */

#define CHAIN(member) offsetof(struct chain_entry, member)

static const struct binder_choice communications[] = {COMMUNICATION_WORDS(WORD_CHOICE){NULL}};
static const struct binder_shape communication = {.kind = SHAPE_CHOICE, .choices = communications};
static const struct binder_choice samples[] = {SAMPLE_WORDS(WORD_CHOICE){NULL}};
static const struct binder_shape sample = {.kind = SHAPE_CHOICE, .choices = samples};

static const struct field chain_fields[] = {{"name", &shape_name, CHAIN(name), .need = REQUIRED,
						    .help = "What the chain is called; unique in the file."},
	{"tasks", &task_name_list, CHAIN(tasks), .need = REQUIRED,
		.help = "Its tasks, from the one that reads the sensor to the one that acts; none twice."},
	{"communication", &communication, CHAIN(communication), .fallback = "implicit",
		.help = "When jobs read and write: at their first start and their finish, or (let) at their "
			"release and their absolute deadline."},
	{"sample", &sample, CHAIN(sample), .fallback = "start",
		.help = "The instant from which the age of what the first task reads counts: that of the "
			"read, or the job's release. With 'let' they are the same."},
	{"reaction", &shape_length, CHAIN(reaction_ns),
		.help = "The longest reaction allowed; 'run' says which chains are above.",
		.unset = "no limit"},
	{"age", &shape_length, CHAIN(age_ns), .help = "The greatest data age allowed.", .unset = "no limit"},
	{NULL}};

static bool check_chain(struct binder *b, const struct node *node, void *out)
{
	(void)b;
	((struct chain_entry *)out)->at = node;
	return true;
}

static const struct binder_shape chain = {
	.kind = SHAPE_MAP,
	.wants = "a chain such as {name: perceive, tasks: [camera, detect]}",
	.fields = chain_fields,
	.check = check_chain,
};
const struct binder_shape shape_chains = {
	.kind = SHAPE_LIST, .item = &chain, .size = sizeof(struct chain_entry), .min = 1, .max = CHAINS_MAX};
