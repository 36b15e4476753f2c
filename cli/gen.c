/* cli/gen.c - `cegsim gen`: task sets of a recipe, printed and, with -o, stored in a recording without runs.
 * */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/options.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "models/kernel.h"
#include "runs/store.h"
#include "workload/origin.h"
#include "workload/recipe.h"

#define SETS_PER_COMMIT 4096
#define MS 1e-6

struct command {
	const struct recipe *recipe;
	struct params params;
	uint32_t count, first;
	uint64_t seed;
	const char *output;
	bool overwrite, tasks, quiet;
	enum table_format format;

	struct platform platform;
	struct text origin;
	struct db_writer *writer;
	int64_t platform_id;
	struct table table;
};

enum { KEY_SEED = OPTION_KEY_OWN, KEY_FROM, KEY_TASKS, KEY_FORCE };

static const struct argp_option options[] = {
	{"sets", 'n', "N", 0, "make N sets (default: 10)", 0},
	{"seed", KEY_SEED, "N", 0, "seed of the sets (default: 1)", 0},
	{"from", KEY_FROM, "INDEX", 0,
		"begin with set INDEX (default: 0); a set depends on its index "
		"alone, not on "
		"those before it",
		0},
	{"tasks", KEY_TASKS, NULL, 0, "print a line for every task instead of every set", 0},
	{"output", 'o', "FILE.db", 0,
		"store the sets, and the recipe's platform, in FILE.db, an SQLite "
		"database",
		0},
	{"force", KEY_FORCE, NULL, 0, "replace FILE.db if it exists", 0},
	{"quiet", 'q', NULL, 0, "print nothing", 0},
	OPTION_FORMAT,
	{0},
};

/* ---- arguments ---- */

static void choose_recipe(struct command *c, const char *name, struct argp_state *state)
{
	struct suggestion near = {.word = name};
	char hint[SUGGESTION_TEXT_MAX];
	c->recipe = recipe_find(name);
	for (const struct recipe *const *r = recipe_all(); *r; r++)
		suggestion_offer(&near, (*r)->name);
	if (!c->recipe)
		argp_error(state, "there is no recipe '%s'%s", name, suggestion_text(&near, hint));
	else
		params_default(&c->params, c->recipe->options);
}

/* NAME=VALUE */
static void choose_option(struct command *c, const char *arg, struct argp_state *state)
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
	struct command *c = state->input;
	switch (key) {
	case 'n':
		c->count = (uint32_t)option_integer(state, "sets", arg, 1, INT32_MAX);
		return 0;
	case 'o':
		c->output = arg;
		return 0;
	case 'q':
		c->quiet = true;
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
	case KEY_FORCE:
		c->overwrite = true;
		return 0;
	case OPTION_KEY_FORMAT:
		c->format = option_format(state, arg);
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
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- printing ---- */

static const char *const set_columns[] = {"set", "tasks", "segments", "target", "cpu", "copy", "gpu",
	"min_period_ms", "max_period_ms", "hyperperiod_ms"};
static const char *const task_columns[] = {
	"set", "task", "period_ms", "deadline_ms", "offset_ms", "segments", "cpu_ms", "copy_ms", "kernel_ms"};

static void begin_table(struct command *c)
{
	const char *const *columns = c->tasks ? task_columns : set_columns;
	size_t count = c->tasks ? sizeof(task_columns) / sizeof(*task_columns)
				: sizeof(set_columns) / sizeof(*set_columns);
	table_begin(&c->table, stdout, c->format, columns, count);
}

static void print_set(struct command *c, uint32_t index, const struct taskset *set)
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
	target == INT64_MIN ? table_null(&c->table) : table_real(&c->table, (double)target * 1e-6);
	table_real(&c->table, u.cpu);
	table_real(&c->table, u.copy);
	table_real(&c->table, u.gpu);
	table_real(&c->table, (double)least * MS);
	table_real(&c->table, (double)most * MS);
	if (taskset_hyperperiod(set, &hyperperiod))
		table_real(&c->table, (double)hyperperiod * MS);
	else
		table_null(&c->table);
}

/* Worst-case time of a segment, a kernel's alone on all SMs. */
static int64_t segment_time(const struct command *c, const struct taskset *set, const struct segment *s)
{
	uint32_t virtual_sms = platform_virtual_sms(&c->platform);
	struct kernel_shape shape;
	struct error ignored;
	if (s->kind != SEGMENT_KERNEL)
		return s->worst_ns;
	if (!kernel_shape(&c->platform, set, s, virtual_sms, NULL, &shape, &ignored))
		return 0;
	return kernel_time(&c->platform, virtual_sms, &shape, NULL);
}

static void print_tasks(struct command *c, uint32_t index, const struct taskset *set)
{
	for (uint32_t i = 0; i < set->task_count; i++) {
		const struct task *t = &set->tasks[i];
		double time[3] = {0};
		for (uint32_t j = 0; j < t->segment_count; j++)
			time[t->segments[j].kind] += (double)segment_time(c, set, &t->segments[j]);
		table_integer(&c->table, index);
		table_text(&c->table, t->name);
		table_real(&c->table, (double)t->period_ns * MS);
		table_real(&c->table, (double)t->deadline_ns * MS);
		table_real(&c->table, (double)t->offset_ns * MS);
		table_integer(&c->table, t->segment_count);
		table_real(&c->table, time[SEGMENT_CPU] * MS);
		table_real(&c->table, time[SEGMENT_COPY] * MS);
		table_real(&c->table, time[SEGMENT_KERNEL] * MS);
	}
}

/* ---- making ---- */

struct defect {
	const struct taskset *set;
	struct error *err;
	bool any;
};

/* Keeps the first. */
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

static bool make_set(const struct command *c, uint32_t index, struct taskset *set, struct error *err)
{
	struct error reason;
	struct defect defect = {.set = set, .err = &reason};
	if (c->recipe->generate(&c->params, &c->platform, c->seed, index, set, &reason) &&
		taskset_check(set, &c->platform, note_defect, &defect) == 0)
		return true;
	return error_set(err, reason.status, "recipe %s, set %u: %s", c->recipe->name, index, reason.text);
}

static bool store_set(struct command *c, uint32_t index, const struct taskset *set, struct error *err)
{
	int64_t target = recipe_target_utilisation(&c->params), id;
	const struct set_origin origin = {.recipe = text_data(&c->origin),
		.index = index,
		.target_utilisation_ppm = target == INT64_MIN ? DB_NULL : target};
	if (!store_taskset(c->writer, set, &origin, &id, err))
		return false;
	return (index - c->first + 1) % SETS_PER_COMMIT != 0 || writer_commit(c->writer, err);
}

static bool make_sets(struct command *c, struct error *err)
{
	for (uint32_t k = 0; k < c->count; k++) {
		struct taskset set;
		taskset_init(&set);
		bool ok = make_set(c, c->first + k, &set, err) &&
			  (!c->writer || store_set(c, c->first + k, &set, err));
		if (ok && !c->quiet)
			c->tasks ? print_tasks(c, c->first + k, &set) : print_set(c, c->first + k, &set);
		taskset_finish(&set);
		if (!ok)
			return false;
	}
	return true;
}

static bool begin_recording(struct command *c, struct error *err)
{
	if (!c->output)
		return true;
	c->writer = writer_open(c->output, c->overwrite, err);
	return c->writer && store_platform(c->writer, &c->platform, &c->platform_id, err);
}

static bool run(struct command *c, struct error *err)
{
	struct error ignored;
	recipe_origin(c->recipe, &c->params, c->seed, &c->origin);
	if (!text_ok(&c->origin, "the recipe", err) || !c->recipe->platform(&c->params, &c->platform, err) ||
		!begin_recording(c, err))
		return false;
	if (!c->quiet)
		begin_table(c);
	bool ok = make_sets(c, err);
	if (!c->quiet && !table_end(&c->table, ok ? err : &ignored))
		ok = false;
	if (!ok || !c->writer)
		return ok;
	struct db_writer *writer = c->writer;
	c->writer = NULL; /* which writer_finish() frees in any case */
	return writer_finish(writer, NULL, err);
}

int verb_gen(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "RECIPE [NAME=VALUE...]",
		.doc = "Make task sets.\v"
		       "`cegsim list recipes' names the recipes, their options and defaults. A set is a "
		       "function of the "
		       "recipe, its options, the seed and the set's index. The columns cpu, copy and gpu are "
		       "utilisations, with kernels alone on all SMs of the recipe's platform; target is what "
		       "was asked "
		       "for. Exit status: 0 done; 2 usage or input error; 3 a file, the disk or the memory "
		       "failed.",
	};
	struct command c = {.count = 10, .seed = 1};
	struct error err;
	if (argp_parse(&argp, argc, argv, 0, NULL, &c) != 0)
		return STATUS_IO;
	bool ok = run(&c, &err);
	writer_abandon(c.writer, false);
	text_finish(&c.origin);
	return ok ? STATUS_OK : error_report(&err);
}
