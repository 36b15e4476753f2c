/* cli/search.c - `cegsim search`: the longest response of a task that a legal behaviour gives, looked for by climbing,
 * drawing or trying all, and held against bounds. Here: scenarios. */
#include "cli/search.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "base/units.h"
#include "cli/repeat.h"
#include "cli/subjects.h"
#include "cli/verbs.h"
#include "search/minimise.h"
#include "search/scenario_file.h"

/* Default: the budget of one climb. */
#define BUDGET_DEFAULT CLIMB_PIECE

enum {
	KEY_METHOD = OPTION_KEY_OWN, KEY_BUDGET, KEY_SEED, KEY_PATIENCE, KEY_JOBS_PER_TASK, KEY_RELEASES, KEY_EXHAUSTIVE,
	KEY_STEP, KEY_SEPARATION, KEY_LIMIT, KEY_WHOLE, KEY_FORCE,
};

static const struct argp_option options[] = {
	{ "policy", 'p', "POLICY", 0,
		"search under POLICY instead of the scenario's policies; may be given several times, as for `cegsim run'", 0 },
	{ "analysis", 'a', "ANALYSIS", 0,
		"hold responses against this analysis; may be given several times, as for `cegsim analyze' (default: all "
		"that are for the policy)", 0 },
	{ "target", 't', "TASK[.SEGMENT]", 0,
		"whose response: a task's, or that of its segment number SEGMENT (from 0); may be given several times "
		"(default: each task in turn)", 0 },
	{ "method", KEY_METHOD, "METHOD", 0, "climb (default), random or synchronous; of a recording all three", 0 },
	{ "budget", KEY_BUDGET, "N", 0, "evaluations for each target (default: 1500)", 0 },
	{ "patience", KEY_PATIENCE, "N", 0, "begin anew after N moves without a longer response (default: 150)", 0 },
	{ "seed", KEY_SEED, "N", 0, "seed of the search (default: 1)", 0 },
	{ "jobs-per-task", KEY_JOBS_PER_TASK, "N", 0,
		"release at most N jobs of a task, 2 or more (default: 8, and no more than 2 beyond the longest period)", 0 },
	{ "releases", KEY_RELEASES, "HOW", 0, "sporadic (default), or periodic: with offsets, but no extra separations", 0 },
	{ "exhaustive", KEY_EXHAUSTIVE, NULL, 0,
		"try all offsets, separations, best and worst cases, and both rules for ties", 0 },
	{ "step", KEY_STEP, "TIME", 0,
		"exhaustive: between two offsets (default: the greatest common divisor of all times)", 0 },
	{ "separation", KEY_SEPARATION, "TIME", 0, "exhaustive: extra separations up to TIME (default: 0)", 0 },
	{ "limit", KEY_LIMIT, "N", 0, "exhaustive: refuse more than N combinations (default: 100000000)", 0 },
	{ "output", 'o', "DIR|FILE.yaml", 0,
		"write what was found as scenarios, each with its release trace: in DIR for every target, or in FILE.yaml for "
		"the one nearest to or farthest beyond its bound", 0 },
	{ "whole", KEY_WHOLE, NULL, 0, "write it as it was found, not the smallest that gives the same response", 0 },
	{ "force", KEY_FORCE, NULL, 0, "replace files that exist", 0 },
	{ "jobs", 'j', "N", 0, "worker processes (default: one per processor)", 0 },
	{ "quiet", 'q', NULL, 0, "no progress", 0 },
	{ "verbose", 'v', NULL, 0, "also say how many evaluations a second were made", 0 },
	OPTION_FORMAT,
	{ 0 },
};

static int64_t option_time(struct argp_state *state, const char *name, const char *arg)
{
	struct error reason;
	int64_t value = 0;
	if (!unit_parse(UNIT_TIME, arg, NULL, &value, &reason))
		argp_error(state, "%s %s", name, reason.text);
	return value;
}

/* Options that have no letter. */
static error_t parse_long(int key, char *arg, struct argp_state *state)
{
	static const char *const methods[] = { "climb", "random", "synchronous", NULL };
	static const char *const releases[] = { "sporadic", "periodic", NULL };
	struct search_command *c = state->input;
	switch (key) {
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
	case KEY_WHOLE:
		c->keep_whole = true;
		return 0;
	case KEY_FORCE:
		c->force = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct search_command *c = state->input;
	switch (key) {
	case 'p':
		c->policy_texts[c->policy_count++] = arg;
		return 0;
	case 'a':
		c->analysis_texts[c->analysis_count++] = arg;
		return 0;
	case 't':
		c->target_texts[c->target_count++] = arg;
		return 0;
	case 'o':
		c->output = arg;
		return 0;
	case 'j':
		c->workers = (uint32_t)option_integer(state, "jobs", arg, 1, WORKERS_MAX);
		return 0;
	case 'q':
		c->quiet = true;
		return 0;
	case 'v':
		c->verbose = true;
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
		return parse_long(key, arg, state);
	}
}

void search_tick(void *self, double now, uint64_t evaluations, uint32_t pieces_done)
{
	struct search_command *c = self;
	(void)pieces_done;
	if (!c->progressing) {
		progress_init(&c->progress, "evaluations", c->quiet, now);
		c->progress.rate = true;
		c->progressing = true;
	}
	double fraction = c->evaluations ? (double)evaluations / (double)c->evaluations : 0;
	progress_update(&c->progress, now, evaluations, c->evaluations, fraction > 1 ? 1 : fraction, 0);
}

/* ---- files ---------------------------------------------------------------------------------------- */

bool search_folder(const char *path, struct error *err)
{
	if (mkdir(path, 0777) == 0 || errno == EEXIST)
		return true;
	return error_set(err, STATUS_IO, "cannot make the folder %s: %s", path, strerror(errno));
}

char *search_file_name(const char *text)
{
	char *name = strdup(text);
	for (char *c = name; name && *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '-')
			*c = '_';
	return name;
}

static void add_target(struct text *out, const struct taskset *set, const struct search_target *t)
{
	text_printf(out, "task '%s'", set->tasks[t->task].name);
	if (t->segment != WHOLE_JOB)
		text_printf(out, ", segment %" PRIu32, t->segment);
}

static void say_written(const struct search_command *c, const struct search_catch *what)
{
	char response[UNIT_TEXT_MAX];
	struct deviations d = genome_deviations(what->hunt->space, what->genome);
	struct text target = { 0 };
	add_target(&target, what->hunt->what.set, &what->target);
	fprintf(search_remarks(c), "%s: %s of %s by %u jobs of %u tasks; %u offsets, %u separations, %u lengths%s\n",
		what->path, unit_format(UNIT_TIME, what->response_ns, response), text_data(&target), d.jobs, d.tasks,
		d.offsets, d.separations, d.lengths, d.ties ? ", ties" : "");
	text_finish(&target);
}

static bool write_catch(const struct search_command *c, const struct search_catch *what, struct evaluator *e,
	struct error *err)
{
	char response[UNIT_TEXT_MAX];
	struct text remark = { 0 };
	if (!c->keep_whole && !minimise(e, &what->target, what->response_ns, NULL, what->genome, err))
		return false;
	int64_t again = evaluate(e, what->genome, &what->target, err);
	if (again < 0)
		return false;
	text_add(&remark, "Found by cegsim search: ");
	add_target(&remark, what->hunt->what.set, &what->target);
	text_printf(&remark, ", job %" PRIu32 " takes %s under %s%s%s\nDigest of the run: %016" PRIx64,
		evaluated_job(e, &what->target), unit_format(UNIT_TIME, again, response),
		what->hunt->what.policy->name, *what->claim ? "; " : "", what->claim, e->digest);
	bool ok = text_ok(&remark, "a scenario", err) &&
		scenario_file_write(e, what->genome, text_data(&remark), what->path, err);
	text_finish(&remark);
	return ok;
}

bool search_write(const struct search_command *c, const struct search_catch *what, struct error *err)
{
	struct evaluator e;
	if (!c->force && access(what->path, F_OK) == 0)
		return error_set(err, STATUS_INPUT, "%s exists already; choose another name, or overwrite it with --force",
			what->path);
	if (!evaluator_init(&e, &what->hunt->what, what->hunt->space, err))
		return false;
	bool ok = write_catch(c, what, &e, err);
	evaluator_finish(&e);
	if (ok)
		say_written(c, what);
	return ok;
}

/* ---- a scenario under one policy ---------------------------------------------------------------------- */

struct quest {
	const struct policy_use *use;
	struct arena arena;
	struct bounding bounding;
	struct genome_space space;
	struct exhaust exhaust;
	struct hunt hunt;
	struct quarry *quarries;           /* [hunt.target_count] */
	struct bounds *bounds;             /* [bound_count] */
	uint32_t bound_count;
	bool searched;
};

struct quests {
	struct search_command *c;
	struct scenario scenario;
	struct quest *quests;
	uint32_t count;
	bool interrupted;
	uint64_t evaluations;
	double seconds;
};

/* "TASK", or "TASK.SEGMENT" behind the last point. */
static bool read_target(const struct taskset *set, const char *text, struct search_target *target, struct error *err)
{
	const char *point = strrchr(text, '.');
	size_t length = point ? (size_t)(point - text) : 0;
	char *end;
	for (uint32_t i = 0; i < set->task_count; i++) {
		const char *name = set->tasks[i].name;
		*target = (struct search_target){ i, WHOLE_JOB };
		if (strcmp(name, text) == 0)
			return true;
		if (!point || strlen(name) != length || strncmp(name, text, length) != 0)
			continue;
		long segment = strtol(point + 1, &end, 10);
		if (!isdigit((unsigned char)point[1]) || *end || segment >= (long)set->tasks[i].segment_count)
			return error_set(err, STATUS_INPUT, "task '%s' has segments 0 to %u, not '%s'", name,
				set->tasks[i].segment_count - 1, point + 1);
		target->segment = (uint32_t)segment;
		return true;
	}
	struct suggestion near = { .word = text };
	char hint[SUGGESTION_TEXT_MAX];
	for (uint32_t i = 0; i < set->task_count; i++)
		suggestion_offer(&near, set->tasks[i].name);
	return error_set(err, STATUS_INPUT, "there is no task '%s'%s", text, suggestion_text(&near, hint));
}

static bool set_targets(const struct quests *q, struct quest *quest, struct error *err)
{
	const struct search_command *c = q->c;
	const struct taskset *set = &q->scenario.set;
	uint32_t count = c->target_count ? c->target_count : set->task_count;
	struct search_target *targets = arena_new(&quest->arena, struct search_target, count);
	if (!targets)
		return error_memory(err, "the targets");
	for (uint32_t i = 0; i < count; i++) {
		targets[i] = (struct search_target){ i, WHOLE_JOB };
		if (c->target_count && !read_target(set, c->target_texts[i], &targets[i], err))
			return false;
		if (c->method == METHOD_EXHAUSTIVE && count > 1 && targets[i].segment != WHOLE_JOB)
			return error_set(err, STATUS_INPUT, "an exhaustive search takes one segment at a time");
	}
	quest->hunt.targets = targets;
	quest->hunt.target_count = count;
	return true;
}

static bool bound_all(const struct quests *q, struct quest *quest, struct error *err)
{
	const struct search_command *c = q->c;
	quest->bounds = arena_new(&quest->arena, struct bounds, c->analysis_count);
	if (!quest->bounds)
		return error_memory(err, "the bounds");
	for (uint32_t i = 0; i < c->analysis_count; i++) {
		const struct analysis_use *use = &c->analyses[i];
		struct bounds *b = &quest->bounds[quest->bound_count];
		if (!c->chosen && !subject_fits(&quest->bounding, use->analysis))
			continue;
		if (!bounding_compute(&quest->bounding, use, b, err))
			return false;
		if (b->task)
			quest->bound_count++;
		else if (c->chosen)
			fprintf(stderr, "cegsim: analysis %s, policy %s: %s\n", use->analysis->name, quest->use->policy->name,
				b->reason);
	}
	return true;
}

/* A policy that refuses the set leaves nothing to search. */
static bool begin(struct quests *q, struct quest *quest, struct error *err)
{
	const struct search_command *c = q->c;
	const struct scenario *s = &q->scenario;
	const struct bounding_spec spec = { .platform = &s->platform, .set = &s->set, .setup = &s->setup,
		.policy = quest->use->policy, .params = &quest->use->params };
	if (!bounding_begin(&quest->bounding, &spec, err))
		return false;
	if (quest->bounding.refusal[0]) {
		fprintf(stderr, "cegsim: %s\n", quest->bounding.refusal);
		return true;
	}
	if (!genome_space_init(&quest->space, &quest->bounding.plan, c->jobs_per_task, c->periodic, err))
		return false;
	quest->hunt = (struct hunt){
		.what = { &s->platform, &s->set, quest->use->policy, &quest->use->params },
		.plan = &quest->bounding.plan, .space = &quest->space, .budget = c->budget, .patience = c->patience,
		.method = c->method < 0 ? METHOD_CLIMB : (enum search_method)c->method, .seed = c->seed,
		.exhaust = &quest->exhaust,
	};
	if (!set_targets(q, quest, err) || !bound_all(q, quest, err) ||
		!quarries_new(&quest->hunt, &quest->arena, &quest->quarries, err))
		return false;
	if (quest->hunt.method == METHOD_EXHAUSTIVE &&
		!exhaust_init(&quest->exhaust, &quest->space, c->step_ns, c->separation_ns, c->limit, &quest->arena, err))
		return false;
	quest->searched = true;
	return true;
}

static bool search(struct quests *q, struct quest *quest, struct error *err)
{
	struct search_command *c = q->c;
	struct workers_results r;
	c->progressing = false;
	c->evaluations = hunt_evaluations(&quest->hunt);
	bool ok = hunt_on_workers(&quest->hunt, c->workers, search_tick, c, quest->quarries, &r, err);
	if (c->progressing)
		progress_clear(&c->progress);
	if (!ok)
		return false;
	q->interrupted |= r.interrupted;
	q->evaluations += r.evaluations;
	q->seconds += r.seconds;
	return true;
}

/* ---- what came of it -------------------------------------------------------------------------------- */

/* A bound of the target on its whole response, or NO_BOUND. */
static int64_t bound_of(const struct bounds *b, const struct search_target *t)
{
	return t->segment == WHOLE_JOB && b->task[t->task].analysed ? b->task[t->task].response_ns : NO_BOUND;
}

/* Beyond its deadline a bound promises nothing: jobs of the task may then wait for one another. */
static bool promised(const struct quest *quest, const struct search_target *t, int64_t bound)
{
	return bound <= quest->hunt.what.set->tasks[t->task].deadline_ns;
}

static bool exceeded(const struct quest *quest, const struct bounds *b, uint32_t target)
{
	const struct search_target *t = &quest->hunt.targets[target];
	int64_t bound = bound_of(b, t);
	return bound != NO_BOUND && promised(quest, t, bound) &&
		quest->quarries[target].found.response_ns > bound;
}

static void print_row(const struct quest *quest, uint32_t target, const struct bounds *b, struct table *t)
{
	char label[USE_LABEL_MAX];
	const struct search_target *on = &quest->hunt.targets[target];
	const struct task *task = &quest->hunt.what.set->tasks[on->task];
	const struct found *found = &quest->quarries[target].found;
	int64_t bound = b ? bound_of(b, on) : NO_BOUND;
	bool any = found->response_ns >= 0;
	table_text(t, use_policy_label(quest->use, label));
	table_text(t, task->name);
	on->segment == WHOLE_JOB ? table_null(t) : table_integer(t, on->segment);
	table_text(t, b ? use_analysis_label(b->use, label) : NULL);
	bound == NO_BOUND ? table_null(t) : table_real(t, (double)bound * 1e-6);
	any ? table_real(t, (double)found->response_ns * 1e-6) : table_null(t);
	bound == NO_BOUND || !any ? table_null(t) : table_real(t, (double)found->response_ns / (double)bound);
	if (bound == NO_BOUND || !promised(quest, on, bound))
		table_null(t);
	else
		table_text(t, exceeded(quest, b, target) ? "yes" : "no");
	table_real(t, (double)task->deadline_ns * 1e-6);
	table_text(t, search_origin_name(found->origin));
	table_integer(t, (int64_t)found->evaluations);
}

static bool print(const struct quests *q, struct error *err)
{
	static const char *const columns[] = { "policy", "task", "segment", "analysis", "bound_ms", "observed_ms", "ratio",
		"exceeded", "deadline_ms", "from", "evaluations" };
	struct table t;
	table_begin(&t, stdout, q->c->format, columns, sizeof columns / sizeof *columns);
	for (uint32_t i = 0; i < q->count; i++) {
		const struct quest *quest = &q->quests[i];
		for (uint32_t k = 0; quest->searched && k < quest->hunt.target_count; k++)
			for (uint32_t b = 0; b < quest->bound_count || b == 0; b++)
				print_row(quest, k, quest->bound_count ? &quest->bounds[b] : NULL, &t);
	}
	return table_end(&t, err);
}

/* observed / bound by the least bound, of those that are exceeded by the greatest; without a bound observed / deadline. */
static double nearness(const struct quest *quest, uint32_t target, const struct bounds **closest)
{
	const struct search_target *t = &quest->hunt.targets[target];
	double observed = (double)quest->quarries[target].found.response_ns, most = 0;
	*closest = NULL;
	for (uint32_t b = 0; b < quest->bound_count; b++) {
		int64_t bound = bound_of(&quest->bounds[b], t);
		if (bound == NO_BOUND || bound <= 0 || observed / (double)bound <= most)
			continue;
		most = observed / (double)bound;
		*closest = &quest->bounds[b];
	}
	return *closest ? most : observed / (double)quest->hunt.what.set->tasks[t->task].deadline_ns;
}

static bool write_one(const struct quests *q, const struct quest *quest, uint32_t target, const char *path,
	struct error *err)
{
	char label[USE_LABEL_MAX], amount[UNIT_TEXT_MAX], claim[USE_LABEL_MAX + 64] = "";
	const struct bounds *closest;
	const struct search_target *t = &quest->hunt.targets[target];
	nearness(quest, target, &closest);
	if (closest)
		snprintf(claim, sizeof claim, "its bound by %s is %s", use_analysis_label(closest->use, label),
			unit_format(UNIT_TIME, bound_of(closest, t), amount));
	const struct search_catch what = { .hunt = &quest->hunt, .target = *t,
		.response_ns = quest->quarries[target].found.response_ns, .genome = &quest->quarries[target].genome,
		.claim = claim, .path = path };
	return search_write(q->c, &what, err);
}

/* DIR/POLICY-TASK.yaml; with the number of the task, for names that differ only in what a file name cannot have. */
static bool write_in_folder(const struct quests *q, const struct quest *quest, uint32_t target, struct error *err)
{
	const struct search_target *t = &quest->hunt.targets[target];
	char *policy = search_file_name(quest->use->policy->name), segment[16] = "", *path = NULL;
	char *task = search_file_name(quest->hunt.what.set->tasks[t->task].name);
	if (t->segment != WHOLE_JOB)
		snprintf(segment, sizeof segment, "-%" PRIu32, t->segment);
	bool ok = policy && task && asprintf(&path, "%s/%s-%" PRIu32 "-%s%s.yaml", q->c->output, policy, t->task, task,
		segment) >= 0;
	ok = ok ? write_one(q, quest, target, path, err) : error_memory(err, "the name of a file");
	free(policy);
	free(task);
	free(path);
	return ok;
}

static bool is_yaml(const char *path)
{
	size_t length = strlen(path);
	return length > 5 && strcmp(path + length - 5, ".yaml") == 0;
}

static bool write_all(const struct quests *q, struct error *err)
{
	const struct quest *worst = NULL;
	uint32_t worst_target = 0;
	double most = -1;
	bool one = is_yaml(q->c->output);
	if (!one && !search_folder(q->c->output, err))
		return false;
	for (uint32_t i = 0; i < q->count; i++) {
		const struct quest *quest = &q->quests[i];
		for (uint32_t k = 0; quest->searched && k < quest->hunt.target_count; k++) {
			const struct bounds *closest;
			if (quest->quarries[k].found.response_ns <= 0)
				continue;
			if (!one && !write_in_folder(q, quest, k, err))
				return false;
			if (nearness(quest, k, &closest) > most) {
				most = nearness(quest, k, &closest);
				worst = quest;
				worst_target = k;
			}
		}
	}
	return !one || !worst || write_one(q, worst, worst_target, q->c->output, err);
}

static enum status verdict(const struct quests *q)
{
	for (uint32_t i = 0; i < q->count; i++)
		for (uint32_t b = 0; b < q->quests[i].bound_count; b++)
			for (uint32_t k = 0; k < q->quests[i].hunt.target_count; k++)
				if (exceeded(&q->quests[i], &q->quests[i].bounds[b], k) &&
					!bounding_unsafe(q->quests[i].bounds[b].use))
					return STATUS_NO;
	return STATUS_OK;
}

/* ---- the command ---------------------------------------------------------------------------------------- */

static bool make_quests(struct quests *q, struct error *err)
{
	struct search_command *c = q->c;
	const struct policy_use *uses = c->policy_count ? c->policies : q->scenario.policies;
	uint32_t count = c->policy_count ? c->policy_count : q->scenario.policy_count;
	if (count == 0)
		return error_set(err, STATUS_INPUT, "%s names no policies: give some with -p", c->file);
	q->quests = calloc(count, sizeof *q->quests);
	if (!q->quests)
		return error_memory(err, "the searches");
	q->count = count;
	bool any = false;
	for (uint32_t i = 0; i < count; i++) {
		q->quests[i].use = &uses[i];
		if (!begin(q, &q->quests[i], err))
			return false;
		any |= q->quests[i].searched;
	}
	return any || error_set(err, STATUS_INPUT, "there is nothing to search: no policy takes the set");
}

static bool search_scenario(struct quests *q, struct error *err)
{
	if (!make_quests(q, err))
		return false;
	for (uint32_t i = 0; i < q->count && !q->interrupted; i++)
		if (q->quests[i].searched && !search(q, &q->quests[i], err))
			return false;
	if (!print(q, err))
		return false;
	if (q->c->verbose)
		fprintf(search_remarks(q->c), "%" PRIu64 " evaluations in %.3f s (%.0f/s)\n", q->evaluations, q->seconds,
			q->seconds > 0 ? (double)q->evaluations / q->seconds : 0.0);
	return !q->c->output || write_all(q, err);
}

static enum status read_scenario(struct quests *q)
{
	struct diagnostics d;
	enum status status = STATUS_OK;
	diagnostics_init(&d, q->c->file);
	if (!scenario_read(q->c->file, &q->scenario, &d)) {
		diagnostics_print(&d, stderr);
		status = q->scenario.status;
	}
	diagnostics_finish(&d);
	return status;
}

static enum status scenario_verb(struct search_command *c)
{
	struct quests q = { .c = c };
	struct error err;
	enum status status = read_scenario(&q);
	if (status == STATUS_OK)
		status = search_scenario(&q, &err) ? verdict(&q) : (enum status)error_report(&err);
	if (q.interrupted && status <= STATUS_NO) {
		fprintf(stderr, "cegsim: interrupted; this is the worst so far\n");
		status = STATUS_INTERRUPTED;
	}
	for (uint32_t i = 0; i < q.count; i++) {
		genome_space_finish(&q.quests[i].space);
		bounding_finish(&q.quests[i].bounding);
		arena_finish(&q.quests[i].arena);
	}
	free(q.quests);
	scenario_finish(&q.scenario);
	return status;
}

static bool settle_uses(struct search_command *c, struct error *err)
{
	c->chosen = c->analysis_count > 0;
	c->policies = calloc((size_t)c->policy_count + 1, sizeof *c->policies);
	if (!c->policies)
		return error_memory(err, "the policies");
	for (uint32_t i = 0; i < c->policy_count; i++)
		if (!use_policy(c->policy_texts[i], &c->policies[i], err))
			return false;
	return analyses_read(c->analysis_texts, c->analysis_count, &c->analyses, &c->analysis_count, err);
}

static enum status run(struct search_command *c, int argc, char **argv, const struct argp *argp)
{
	struct error err;
	c->policy_texts = calloc((size_t)argc + 1, sizeof *c->policy_texts);
	c->analysis_texts = calloc((size_t)argc + 1, sizeof *c->analysis_texts);
	c->target_texts = calloc((size_t)argc + 1, sizeof *c->target_texts);
	if (!c->policy_texts || !c->analysis_texts || !c->target_texts) {
		error_memory(&err, "the arguments");
		return (enum status)error_report(&err);
	}
	if (argp_parse(argp, argc, argv, 0, NULL, c) != 0)
		return STATUS_IO;
	if (!settle_uses(c, &err))
		return (enum status)error_report(&err);
	return is_recording(c->file) ? search_recording(c) : scenario_verb(c);
}

int verb_search(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options, .parser = parse, .args_doc = "SCENARIO\nFILE.db",
		.doc = "Look for the longest response of tasks, over release times, execution times and ties.\vResponses are held "
		       "against the bounds of all analyses for the policy. Of a recording every set that an analysis finds "
		       "schedulable is searched, and a summary printed; nothing is stored. Exit status: 0 done; 1 a bound of a "
		       "sound analysis was exceeded; 2 usage or input error; 3 a file, the disk or the memory failed; 130 "
		       "interrupted, with the worst so far.",
	};
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct search_command c = {
		.method = -1, .budget = BUDGET_DEFAULT, .seed = 1, .limit = EXHAUST_LIMIT_DEFAULT, .patience = CLIMB_PATIENCE,
		.jobs_per_task = GENOME_JOBS_DEFAULT,
		.workers = processors < 1 ? 1 : processors > (long)WORKERS_MAX ? WORKERS_MAX : (uint32_t)processors,
	};
	enum status status = run(&c, argc, argv, &argp);
	free(c.policy_texts);
	free(c.analysis_texts);
	free(c.target_texts);
	free(c.policies);
	free(c.analyses);
	return (int)status;
}
