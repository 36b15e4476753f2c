/* cli/search_scenario.c - `cegsim search SCENARIO`: each policy of a scenario, its tasks or what the user
 * named, their bounds, and the table. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "cli/input.h"
#include "cli/search.h"
#include "runs/bounds/bounding.h"

/* ---- a scenario under one policy ---- */

struct quest {
	const struct policy_use *use;
	struct arena arena;
	struct bounding bounding;
	struct genome_space space;
	struct exhaust exhaust;
	struct hunt hunt;
	struct quarry *quarries; /* [hunt.target_count] */
	struct bounds *bounds;   /* [bound_count] */
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
static bool read_target(
	const struct taskset *set, const char *text, struct search_target *target, struct error *err)
{
	const char *point = strrchr(text, '.');
	size_t length = point ? (size_t)(point - text) : 0;
	char *end;
	for (uint32_t i = 0; i < set->task_count; i++) {
		const char *name = set->tasks[i].name;
		*target = (struct search_target){i, WHOLE_JOB};
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
	struct suggestion near = {.word = text};
	char hint[SUGGESTION_TEXT_MAX];
	for (uint32_t i = 0; i < set->task_count; i++)
		suggestion_offer(&near, set->tasks[i].name);
	return error_set(err, STATUS_INPUT, "there is no task '%s'%s", text, suggestion_text(&near, hint));
}

static bool set_targets(const struct quests *q, struct quest *quest, struct error *err)
{
	const struct search_command *c = q->c;
	const struct taskset *set = &q->scenario.set;
	uint32_t count = c->targets.count ? c->targets.count : set->task_count;
	struct search_target *targets = arena_new(&quest->arena, struct search_target, count);
	if (!targets)
		return error_memory(err, "the targets");
	for (uint32_t i = 0; i < count; i++) {
		targets[i] = (struct search_target){i, WHOLE_JOB};
		if (c->targets.count && !read_target(set, c->targets.at[i], &targets[i], err))
			return false;
		if (c->method == METHOD_EXHAUSTIVE && count > 1 && targets[i].segment != WHOLE_JOB)
			return error_set(
				err, STATUS_INPUT, "an exhaustive search takes one segment at a time");
	}
	quest->hunt.targets = targets;
	quest->hunt.target_count = count;
	return true;
}

static bool bound_all(const struct quests *q, struct quest *quest, struct error *err)
{
	const struct search_command *c = q->c;
	quest->bounds = arena_new(&quest->arena, struct bounds, c->uses.analysis_count);
	if (!quest->bounds)
		return error_memory(err, "the bounds");
	for (uint32_t i = 0; i < c->uses.analysis_count; i++) {
		const struct analysis_use *use = &c->uses.analyses[i];
		struct bounds *b = &quest->bounds[quest->bound_count];
		if (!c->uses.chosen &&
			!analysis_for_policy(use->analysis, quest->use->policy->name, &quest->bounding.plan))
			continue;
		if (!bounding_compute(&quest->bounding, use, b, err))
			return false;
		if (b->task)
			quest->bound_count++;
		else if (c->uses.chosen)
			fprintf(stderr, "cegsim: analysis %s, policy %s: %s\n", use->analysis->name,
				quest->use->policy->name, b->reason);
	}
	return true;
}

/* A policy that refuses the set leaves nothing to search. */
static bool begin(struct quests *q, struct quest *quest, struct error *err)
{
	const struct search_command *c = q->c;
	const struct scenario *s = &q->scenario;
	const struct bounding_spec spec = {
		.platform = &s->platform,
		.set = &s->set,
		.setup = &s->setup,
		.policy = quest->use->policy,
		.params = &quest->use->params,
	};
	if (!bounding_begin(&quest->bounding, &spec, err))
		return false;
	if (quest->bounding.refusal[0]) {
		fprintf(stderr, "cegsim: %s\n", quest->bounding.refusal);
		return true;
	}
	if (!genome_space_init(&quest->space, &quest->bounding.plan, c->jobs_per_task, c->periodic, err))
		return false;
	quest->hunt = (struct hunt){
		.what = {&s->platform, &s->set, quest->use->policy, &quest->use->params},
		.plan = &quest->bounding.plan,
		.space = &quest->space,
		.budget = c->budget,
		.patience = c->patience,
		.method = c->method < 0 ? METHOD_CLIMB : (enum search_method)c->method,
		.seed = c->seed,
		.exhaust = &quest->exhaust,
	};
	if (!set_targets(q, quest, err) || !bound_all(q, quest, err) ||
		!quarries_new(&quest->hunt, &quest->arena, &quest->quarries, err))
		return false;
	if (quest->hunt.method == METHOD_EXHAUSTIVE &&
		!exhaust_init(&quest->exhaust, &quest->space, c->step_ns, c->separation_ns, c->limit,
			&quest->arena, err))
		return false;
	quest->searched = true;
	return true;
}

static bool search(struct quests *q, struct quest *quest, struct error *err)
{
	struct pieces_results r;
	if (!hunt_on_workers(&quest->hunt, q->c->workers, q->c->given.quiet, quest->quarries, &r, err))
		return false;
	q->interrupted |= r.interrupted;
	q->evaluations += r.evaluations;
	q->seconds += r.seconds;
	return true;
}

/* ---- what came of it ---- */

/* A bound of the target on its whole response, or DB_NULL. */
static int64_t bound_of(const struct bounds *b, const struct search_target *t)
{
	return t->segment == WHOLE_JOB ? bounding_bound(&b->task[t->task]) : DB_NULL;
}

/* What the schedule of the longest response says of the bound. */
static enum bound_check check(const struct quest *quest, const struct bounds *b, uint32_t target)
{
	const struct search_target *t = &quest->hunt.targets[target];
	return bound_check(&quest->quarries[target].found.seen,
		quest->hunt.what.set->tasks[t->task].period_ns, bound_of(b, t));
}

static void print_row(const struct quest *quest, uint32_t target, const struct bounds *b, struct table *t)
{
	char label[PARAMS_LABEL_MAX];
	const struct search_target *on = &quest->hunt.targets[target];
	const struct task *task = &quest->hunt.what.set->tasks[on->task];
	const struct found *found = &quest->quarries[target].found;
	int64_t bound = b ? bound_of(b, on) : DB_NULL;
	bool any = found->response_ns >= 0;
	table_text(t, policy_use_label(quest->use, label));
	table_text(t, task->name);
	on->segment == WHOLE_JOB ? table_null(t) : table_integer(t, on->segment);
	table_text(t, b ? analysis_use_label(b->use, label) : NULL);
	bound == DB_NULL ? table_null(t) : table_time(t, bound);
	any ? table_time(t, found->response_ns) : table_null(t);
	bool ratio = bound != DB_NULL && bound != 0 && any;
	ratio ? table_real(t, (double)found->response_ns / (double)bound) : table_null(t);
	table_text(t, b ? bound_check_name(check(quest, b, target)) : NULL);
	table_time(t, task->deadline_ns);
	table_text(t, search_origin_name(found->origin));
	table_integer(t, (int64_t)found->evaluations);
}

static bool print(const struct quests *q, struct error *err)
{
	static const char *const columns[] = {"policy", "task", "segment", "analysis", TABLE_MS("bound"),
		TABLE_MS("observed"), "ratio", "verdict", TABLE_MS("deadline"), "from", "evaluations"};
	struct table t;
	table_begin(&t, stdout, q->c->given.format, columns, sizeof(columns) / sizeof(*columns));
	for (uint32_t i = 0; i < q->count; i++) {
		const struct quest *quest = &q->quests[i];
		for (uint32_t k = 0; quest->searched && k < quest->hunt.target_count; k++)
			for (uint32_t b = 0; b < quest->bound_count || b == 0; b++)
				print_row(quest, k, quest->bound_count ? &quest->bounds[b] : NULL, &t);
	}
	return table_end(&t, err);
}

/* observed / bound by the least bound, of those that are exceeded by the greatest; without a bound that
 * promises something observed / deadline. */
static double nearness(const struct quest *quest, uint32_t target, const struct bounds **closest)
{
	const struct search_target *t = &quest->hunt.targets[target];
	double observed = (double)quest->quarries[target].found.response_ns, most = 0;
	*closest = NULL;
	for (uint32_t b = 0; b < quest->bound_count; b++) {
		int64_t bound = bound_of(&quest->bounds[b], t);
		enum bound_check said = check(quest, &quest->bounds[b], target);
		bool promises = said != CHECK_UNBOUNDED && said != CHECK_BEYOND_PERIOD;
		if (!promises || (*closest && observed / (double)bound <= most))
			continue;
		most = observed / (double)bound;
		*closest = &quest->bounds[b];
	}
	return *closest ? most : observed / (double)quest->hunt.what.set->tasks[t->task].deadline_ns;
}

static bool write_one(const struct quests *q, const struct quest *quest, uint32_t target, const char *path,
	struct error *err)
{
	char label[PARAMS_LABEL_MAX], amount[UNIT_TEXT_MAX], claim[PARAMS_LABEL_MAX + 64] = "";
	const struct bounds *closest;
	const struct search_target *t = &quest->hunt.targets[target];
	nearness(quest, target, &closest);
	if (closest)
		snprintf(claim, sizeof(claim), "its bound by %s is %s",
			analysis_use_label(closest->use, label),
			unit_format(UNIT_TIME, bound_of(closest, t), amount));
	const struct search_catch what = {
		.hunt = &quest->hunt,
		.target = *t,
		.response_ns = quest->quarries[target].found.response_ns,
		.genome = &quest->quarries[target].genome,
		.claim = claim,
		.bound_ns = closest ? bound_of(closest, t) : DB_NULL,
		.path = path,
	};
	return search_write(q->c, &what, err);
}

/* "" for the first quest under a policy of this name; the second one, with other options, is ".2". */
static void number_quest(const struct quests *q, const struct quest *quest, char number[16])
{
	uint32_t before = 0;
	for (const struct quest *other = q->quests; other < quest; other++)
		before += strcmp(other->use->policy->name, quest->use->policy->name) == 0;
	number[0] = '\0';
	if (before > 0)
		snprintf(number, 16, ".%" PRIu32, before + 1);
}

/* DIR/POLICY-TASK.yaml; with the number of the task, for names that differ only in what a file
 * name cannot have. */
static bool write_in_folder(
	const struct quests *q, const struct quest *quest, uint32_t target, struct error *err)
{
	const struct search_target *t = &quest->hunt.targets[target];
	char *policy = search_file_name(quest->use->policy->name), number[16], segment[16] = "", *path = NULL;
	char *task = search_file_name(quest->hunt.what.set->tasks[t->task].name);
	if (t->segment != WHOLE_JOB)
		snprintf(segment, sizeof(segment), "-%" PRIu32, t->segment);
	number_quest(q, quest, number);
	bool ok = policy && task &&
		  asprintf(&path, "%s/%s%s-%" PRIu32 "-%s%s.yaml", q->c->given.output, policy, number,
			  t->task, task, segment) >= 0;
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
	bool one = is_yaml(q->c->given.output);
	if (!one && !search_folder(q->c->given.output, err))
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
	return !one || !worst || write_one(q, worst, worst_target, q->c->given.output, err);
}

static enum status status_of(const struct quests *q)
{
	for (uint32_t i = 0; i < q->count; i++)
		for (uint32_t b = 0; b < q->quests[i].bound_count; b++)
			for (uint32_t k = 0; k < q->quests[i].hunt.target_count; k++)
				if (check(&q->quests[i], &q->quests[i].bounds[b], k) == CHECK_EXCEEDED &&
					!analysis_use_unsafe(q->quests[i].bounds[b].use))
					return STATUS_NO;
	return STATUS_OK;
}

/* ---- the command ---- */

static bool make_quests(struct quests *q, struct error *err)
{
	struct search_command *c = q->c;
	const struct policy_use *uses = c->uses.policy_count ? c->uses.policies : q->scenario.policies;
	uint32_t count = c->uses.policy_count ? c->uses.policy_count : q->scenario.policy_count;
	if (count == 0)
		return error_set(err, STATUS_INPUT, "%s names no policies: give some with -p", c->given.file);
	q->quests = calloc(count, sizeof(*q->quests));
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

static bool search_quests(struct quests *q, struct error *err)
{
	if (!make_quests(q, err))
		return false;
	for (uint32_t i = 0; i < q->count && !q->interrupted; i++)
		if (q->quests[i].searched && !search(q, &q->quests[i], err))
			return false;
	if (!print(q, err))
		return false;
	if (q->c->given.verbose)
		fprintf(search_remarks(q->c), "%" PRIu64 " evaluations in %.3f s (%.0f/s)\n", q->evaluations,
			q->seconds, q->seconds > 0 ? (double)q->evaluations / q->seconds : 0.0);
	return !q->c->given.output || write_all(q, err);
}

enum status search_scenario(struct search_command *c)
{
	struct quests q = {.c = c};
	struct error err;
	enum status status = input_scenario(c->given.file, &q.scenario);
	if (status == STATUS_OK)
		status = search_quests(&q, &err) ? status_of(&q) : (enum status)error_report(&err);
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
