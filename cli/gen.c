/* cli/gen.c - `cegsim gen`: task sets of a recipe, printed and, with -o, stored in a recording without
 * runs. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/text.h"
#include "cli/options.h"
#include "cli/table/table.h"
#include "cli/verbs.h"
#include "models/kernel.h"
#include "models/warps/warp_set.h"
#include "runs/store.h"
#include "runs/store_warps.h"
#include "scenarios/workload/origin.h"
#include "scenarios/workload/recipe.h"

struct gen_command {
	const struct recipe *recipe;
	struct params params;
	uint32_t count, first;
	uint64_t seed;
	struct given given;
	bool tasks;

	struct arena arena; /* of the platform */
	struct platform platform;
	struct text origin;
	struct db_writer *writer;
	int64_t platform_id;
	struct table table;
};

enum { KEY_SEED = OPTION_KEY_OWN, KEY_FROM, KEY_TASKS };

static const struct argp_option options[] = {
	{"sets", 'n', "N", 0, "make N sets (default: 10)", 0},
	{"seed", KEY_SEED, "N", 0, "seed of the sets (default: 1)", 0},
	{"from", KEY_FROM, "INDEX", 0,
		"begin with set INDEX (default: 0); a set depends on its index alone, not on those before it",
		0},
	{"tasks", KEY_TASKS, NULL, 0, "print a line for every task instead of every set", 0},
	OPTION_OUTPUT("FILE.db", "store the sets, and the recipe's platform, in FILE.db, an SQLite database"),
	OPTION_FORCE("replace FILE.db if it exists"),
	OPTION_QUIET("print nothing"),
	OPTION_FORMAT,
	{0},
};

/* ---- arguments ---- */

/* Whether `word` is one of "a|b|c". */
static bool is_choice(const char *choices, const char *word)
{
	size_t length = strlen(word);
	for (const char *at = choices; at && length > 0; at = strchr(at, '|')) {
		at += *at == '|';
		if (strncmp(at, word, length) == 0 && (at[length] == '|' || at[length] == '\0'))
			return true;
	}
	return false;
}

/* Says which recipe has an option with this value: uunifast is no recipe, but a way to draw utilisations. */
static bool hint_value(const char *word, char *hint, size_t size)
{
	for (const struct recipe *const *r = recipe_all(); *r; r++)
		for (const struct option *o = (*r)->options; o && o->name; o++)
			if (o->kind == OPTION_CHOICE && is_choice(o->choices, word)) {
				snprintf(hint, size, "; it is a value of an option: `cegsim gen %s %s=%s'",
					(*r)->name, o->name, word);
				return true;
			}
	return false;
}

static void choose_recipe(struct gen_command *c, const char *name, struct argp_state *state)
{
	struct suggestion near = {.word = name};
	char hint[2 * SUGGESTION_TEXT_MAX];
	c->recipe = recipe_find(name);
	if (c->recipe) {
		params_default(&c->params, c->recipe->options);
		return;
	}
	for (const struct recipe *const *r = recipe_all(); *r; r++)
		suggestion_offer(&near, (*r)->name);
	if (near.best)
		suggestion_text(&near, hint);
	else if (!hint_value(name, hint, sizeof(hint)))
		snprintf(hint, sizeof(hint), "; `cegsim list recipes' names them");
	argp_error(state, "there is no recipe '%s'%s", name, hint);
}

/* NAME=VALUE */
static void choose_option(struct gen_command *c, const char *arg, struct argp_state *state)
{
	struct error reason;
	char name[64];
	const char *equals = strchr(arg, '=');
	size_t length = equals ? (size_t)(equals - arg) : 0;
	if (!equals || length >= sizeof(name)) {
		argp_error(state, "an option of a recipe is NAME=VALUE, not '%s'", arg);
		return;
	}
	memcpy(name, arg, length);
	name[length] = '\0';
	if (!params_set(&c->params, name, equals + 1, &reason))
		argp_error(state, "recipe %s: %s", c->recipe->name, reason.text);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct gen_command *c = state->input;
	switch (key) {
	case 'n':
		c->count = (uint32_t)option_integer(state, "sets", arg, 1, INT32_MAX);
		return 0;
	case KEY_SEED:
		c->seed = (uint64_t)option_integer(state, "seed", arg, 0, INT64_MAX);
		return 0;
	case KEY_FROM:
		c->first = (uint32_t)option_integer(state, "from", arg, 0, INT32_MAX);
		return 0;
	case KEY_TASKS:
		c->tasks = true;
		return 0;
	case ARGP_KEY_ARG:
		if (c->recipe)
			choose_option(c, arg, state);
		else
			choose_recipe(c, arg, state);
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "which recipe?");
		return 0;
	default:
		return given_parse(key, arg, state, &c->given);
	}
}

/* ---- printing ---- */

static const char *const set_columns[] = {"set", "tasks", "segments", "target", "cpu", "copy", "gpu",
	TABLE_MS("min_period"), TABLE_MS("max_period"), TABLE_MS("hyperperiod")};
static const char *const task_columns[] = {"set", "task", TABLE_MS("period"), TABLE_MS("deadline"),
	TABLE_MS("offset"), "segments", TABLE_MS("cpu"), TABLE_MS("copy"), TABLE_MS("kernel")};

static const char *const warp_set_columns[] = {"set", "name", "kernels", "blocks", "warp_instructions"};
static const char *const warp_task_columns[] = {"set", "kernel", "blocks", "threads", "registers",
	"shared_memory", "warp_instructions", "thread_instructions", "launch", "goal"};
/* Columns for programs: the goal in whole numbers, as in recordings. */
static const char *const warp_task_flat_columns[] = {"set", "kernel", "blocks", "threads", "registers",
	"shared_memory", "warp_instructions", "thread_instructions", "launch", "goal_kind", "goal_ipc_ppm",
	"goal_share_ppm", "goal_time_ns"};

#define COLUMNS(list)                                                                                        \
	{                                                                                                    \
		(list), sizeof(list) / sizeof(*(list))                                                       \
	}

static void begin_table(struct gen_command *c)
{
	static const struct {
		const char *const *name;
		size_t count;
	} columns[3][2] = {{COLUMNS(set_columns), COLUMNS(task_columns)},
		{COLUMNS(warp_set_columns), COLUMNS(warp_task_columns)},
		{COLUMNS(warp_set_columns), COLUMNS(warp_task_flat_columns)}};
	size_t kind = !c->recipe->warps ? 0 : c->given.format == TABLE_TEXT ? 1 : 2;
	table_begin(&c->table, stdout, c->given.format, columns[kind][c->tasks].name,
		columns[kind][c->tasks].count);
}

static void print_set(struct gen_command *c, uint32_t index, const struct taskset *set)
{
	struct utilisation u = taskset_utilisation(set, &c->platform);
	int64_t target = recipe_target_utilisation(&c->params), least = INT64_MAX, most = 0, hyperperiod,
		segments = 0;
	for (uint32_t i = 0; i < set->task_count; i++) {
		const struct task *t = &set->tasks[i];
		least = t->period_ns < least ? t->period_ns : least;
		most = t->period_ns > most ? t->period_ns : most;
		segments += t->segment_count;
	}
	table_integer(&c->table, index);
	table_integer(&c->table, set->task_count);
	table_integer(&c->table, segments);
	target == INT64_MIN ? table_null(&c->table) : table_real(&c->table, (double)target / 1e6);
	table_real(&c->table, u.cpu);
	table_real(&c->table, u.copy);
	table_real(&c->table, u.gpu);
	table_time(&c->table, least);
	table_time(&c->table, most);
	if (taskset_hyperperiod(set, &hyperperiod))
		table_time(&c->table, hyperperiod);
	else
		table_null(&c->table);
}

/* Worst-case time of a segment, a kernel's alone on all SMs of its GPU. */
static int64_t segment_time(const struct gen_command *c, const struct taskset *set, const struct segment *s)
{
	const struct platform *platform = platform_gpu(&c->platform, s->gpu);
	uint32_t virtual_sms = platform_virtual_sms(platform);
	struct kernel_shape shape;
	struct error ignored;
	if (s->kind != SEGMENT_KERNEL)
		return s->worst_ns;
	if (!kernel_shape(platform, set, s, virtual_sms, NULL, &shape, &ignored))
		return 0;
	return kernel_time(platform, virtual_sms, &shape, NULL);
}

static void print_tasks(struct gen_command *c, uint32_t index, const struct taskset *set)
{
	for (uint32_t i = 0; i < set->task_count; i++) {
		const struct task *t = &set->tasks[i];
		int64_t time[SEGMENT_WAIT + 1] = {0};
		for (uint32_t j = 0; j < t->segment_count; j++) {
			int64_t *sum = &time[t->segments[j].kind];
			if (!checked_add(*sum, segment_time(c, set, &t->segments[j]), sum))
				*sum = INT64_MAX;
		}
		table_integer(&c->table, index);
		table_text(&c->table, t->name);
		table_time(&c->table, t->period_ns);
		table_time(&c->table, t->deadline_ns);
		table_time(&c->table, t->offset_ns);
		table_integer(&c->table, t->segment_count);
		table_time(&c->table, time[SEGMENT_CPU]);
		table_time(&c->table, time[SEGMENT_COPY]);
		table_time(&c->table, time[SEGMENT_KERNEL]);
	}
}

/* Size of a launch; the table cannot hold more than 2^62. */
static void kernel_size(const struct warp_kernel *k, int64_t *warp_instructions, int64_t *thread_instructions)
{
	if (!warp_kernel_size(k, warp_instructions, thread_instructions))
		*warp_instructions = *thread_instructions = INT64_MAX;
}

static void print_warp_set(struct gen_command *c, uint32_t index, const struct taskset *set)
{
	int64_t blocks = 0, sum = 0, instructions, ignored;
	for (uint32_t i = 0; i < set->warps->kernel_count; i++) {
		const struct warp_kernel *k = &set->warps->kernels[i];
		kernel_size(k, &instructions, &ignored);
		sum = instructions > INT64_MAX - sum ? INT64_MAX : sum + instructions;
		blocks += k->blocks;
	}
	table_integer(&c->table, index);
	table_text(&c->table, set->name);
	table_integer(&c->table, set->warps->kernel_count);
	table_integer(&c->table, blocks);
	table_integer(&c->table, sum);
}

static void print_goal(struct table *table, const struct warp_goal *goal)
{
	static const char *const units[] = {
		[GOAL_IPC] = "IPC", [GOAL_SHARE] = "% of the IPC alone", [GOAL_TIME] = "ms for a launch"};
	const double amount[] = {
		[GOAL_IPC] = (double)goal->ipc / 1e6,
		[GOAL_SHARE] = (double)goal->share_ppm / 1e4,
		[GOAL_TIME] = (double)goal->kernel_ns / 1e6,
	};
	char text[64];
	if (goal->kind == GOAL_NONE) {
		table_null(table);
		return;
	}
	snprintf(text, sizeof(text), "%.6g %s", amount[goal->kind], units[goal->kind]);
	table_text(table, text);
}

static void print_goal_flat(struct table *table, const struct warp_goal *goal)
{
	table_text(table, goal->kind == GOAL_NONE ? NULL : warp_goal_kind_name(goal->kind));
	goal->kind == GOAL_IPC ? table_integer(table, goal->ipc) : table_null(table);
	goal->kind == GOAL_SHARE ? table_integer(table, goal->share_ppm) : table_null(table);
	goal->kind == GOAL_TIME ? table_integer(table, goal->kernel_ns) : table_null(table);
}

static void print_warp_tasks(struct gen_command *c, uint32_t index, const struct taskset *set)
{
	for (uint32_t i = 0; i < set->task_count; i++) {
		const struct warp_kernel *k = &set->warps->kernels[i];
		int64_t warp_instructions, thread_instructions;
		kernel_size(k, &warp_instructions, &thread_instructions);
		table_integer(&c->table, index);
		table_text(&c->table, set->tasks[i].name);
		table_integer(&c->table, k->blocks);
		table_integer(&c->table, k->block_threads);
		table_integer(&c->table, k->registers);
		table_integer(&c->table, k->shared_memory);
		table_integer(&c->table, warp_instructions);
		table_integer(&c->table, thread_instructions);
		table_integer(&c->table, k->launch);
		(c->given.format == TABLE_TEXT ? print_goal : print_goal_flat)(&c->table, &k->goal);
	}
}

static void print(struct gen_command *c, uint32_t index, const struct taskset *set)
{
	static void (*const printers[2][2])(struct gen_command * c, uint32_t index,
		const struct taskset *set) = {{print_set, print_tasks}, {print_warp_set, print_warp_tasks}};
	printers[c->recipe->warps][c->tasks](c, index, set);
}

/* ---- making ---- */

struct defect {
	const struct taskset *set;
	struct error *err;
	bool any;
};

/* Keeps the first defect. */
static void note_defect(void *self, uint32_t task, uint32_t segment, const char *text)
{
	struct defect *d = self;
	if (d->any)
		return;
	d->any = true;
	if (segment == UINT32_MAX)
		error_set(d->err, STATUS_INPUT, "task %s: %s", d->set->tasks[task].name, text);
	else
		error_set(d->err, STATUS_INPUT, "task %s, segment %u: %s", d->set->tasks[task].name, segment,
			text);
}

static void note_warp_defect(void *self, uint32_t kernel, const char *text)
{
	struct defect *d = self;
	if (!d->any && kernel == UINT32_MAX)
		error_set(d->err, STATUS_INPUT, "%s", text);
	else if (!d->any)
		error_set(d->err, STATUS_INPUT, "kernel %s: %s", d->set->tasks[kernel].name, text);
	d->any = true;
}

static bool make_set(const struct gen_command *c, uint32_t index, struct taskset *set, struct error *err)
{
	struct error reason;
	struct defect defect = {.set = set, .err = &reason};
	if (c->recipe->generate(&c->params, &c->platform, c->seed, index, set, &reason) &&
		(set->warps ? warp_set_check(set->warps, &c->platform, note_warp_defect, &defect)
			    : taskset_check(set, &c->platform, note_defect, &defect)) == 0)
		return true;
	return error_set(err, reason.status, "recipe %s, set %u: %s", c->recipe->name, index, reason.text);
}

static bool store_set(struct gen_command *c, uint32_t index, const struct taskset *set, struct error *err)
{
	int64_t target = recipe_target_utilisation(&c->params), id;
	const struct set_origin origin = {
		.recipe = text_data(&c->origin),
		.index = index,
		.target_utilisation_ppm = target == INT64_MIN ? DB_NULL : target,
	};
	return store_taskset(c->writer, set, &origin, &id, err);
}

static bool make_sets(struct gen_command *c, struct error *err)
{
	for (uint32_t k = 0; k < c->count; k++) {
		struct taskset set;
		taskset_init(&set);
		bool ok = make_set(c, c->first + k, &set, err) &&
			  (!c->writer || store_set(c, c->first + k, &set, err));
		if (ok && !c->given.quiet)
			print(c, c->first + k, &set);
		taskset_finish(&set);
		if (!ok)
			return false;
	}
	return true;
}

static bool begin_recording(struct gen_command *c, struct error *err)
{
	if (!c->given.output)
		return true;
	c->writer = writer_open(c->given.output, c->given.force, err);
	return c->writer && store_platform(c->writer, &c->platform, &c->platform_id, err);
}

static bool run(struct gen_command *c, struct error *err)
{
	struct error ignored;
	recipe_origin(c->recipe, &c->params, c->seed, &c->origin);
	if (!text_ok(&c->origin, "the recipe", err) ||
		!c->recipe->platform(&c->params, &c->arena, &c->platform, err) || !begin_recording(c, err))
		return false;
	if (!c->given.quiet)
		begin_table(c);
	bool ok = make_sets(c, err);
	if (!c->given.quiet && !table_end(&c->table, ok ? err : &ignored))
		ok = false;
	if (!ok || !c->writer)
		return ok;
	struct db_writer *writer = c->writer;
	c->writer = NULL; /* writer_finish() has freed it in any case */
	return writer_finish(writer, NULL, err);
}

int verb_gen(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "RECIPE [NAME=VALUE...]",
		.doc = "Make task sets.\v`cegsim list recipes' names the recipes, their options and "
		       "defaults. A set is a function of the recipe, its options, the seed and the set's "
		       "index. The columns cpu, copy and gpu are planned utilisations, with kernels alone "
		       "on all SMs of the recipe's platform; target is what was asked for. Exit status: 0 "
		       "done; 2 usage or input error; 3 a file, the disk or the memory failed.",
	};
	struct gen_command c = {.count = 10, .seed = 1};
	struct error err;
	options_parse(&argp, argc, argv, &c);
	bool ok = run(&c, &err);
	writer_abandon(c.writer, false);
	text_finish(&c.origin);
	arena_finish(&c.arena);
	return ok ? STATUS_OK : error_report(&err);
}
