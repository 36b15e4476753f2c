/* cli/search_scenario.c - `cegsim search SCENARIO`: searches under each policy of a scenario, for its tasks
 * or the targets that the user named; computes bounds, and prints the table. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/say.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/input.h"
#include "cli/search.h"
#include "runs/bounds/bounding.h"

/* ---- a scenario under one policy ---- */

struct policy_search {
	const struct policy_use *use;
	struct arena arena;
	struct bounding bounding;
	struct genome_space space;
	struct exhaust exhaust;
	struct search_spec spec;
	struct witness *witnesses; /* [spec.target_count] */
	bool *late;            /* [spec.target_count][tasks] whose jobs are late in the witness's schedule */
	struct bounds *bounds; /* [bound_count] */
	uint32_t bound_count;
	bool searched;
};

struct searches {
	struct search_command *c;
	struct scenario scenario;
	struct policy_search *searches;
	uint32_t count;
	bool interrupted, erred; /* erred: an analysis of the user's gave no answer */
	uint64_t evaluations;
	double seconds;
};

/* Reads "TASK", or "TASK.SEGMENT" with the segment behind the last point. */
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

static bool set_targets(const struct searches *q, struct policy_search *p, struct error *err)
{
	const struct search_command *c = q->c;
	const struct taskset *set = &q->scenario.set;
	uint32_t count = c->targets.count ? c->targets.count : set->task_count;
	struct search_target *targets = arena_new(&p->arena, struct search_target, count);
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
	p->spec.targets = targets;
	p->spec.target_count = count;
	return true;
}

/* Why there are no bounds. */
static void say_none(struct searches *q, const struct policy_search *p, const struct bounds *b)
{
	const char *analysis = b->use->analysis->name, *policy = p->use->policy->name;
	bool error = b->verdict == BOUNDS_ERROR;
	if (error)
		say(stderr, "cegsim: error: %s under %s: %s\n", analysis, policy, b->reason);
	else if (q->c->uses.chosen)
		say(stderr, "cegsim: analysis %s, policy %s: %s\n", analysis, policy, b->reason);
	q->erred |= error;
}

static bool bound_all(struct searches *q, struct policy_search *p, struct error *err)
{
	const struct search_command *c = q->c;
	p->bounds = arena_new(&p->arena, struct bounds, c->uses.analysis_count);
	if (!p->bounds)
		return error_memory(err, "the bounds");
	for (uint32_t i = 0; i < c->uses.analysis_count; i++) {
		const struct analysis_use *use = &c->uses.analyses[i];
		struct bounds *b = &p->bounds[p->bound_count];
		if (!c->uses.chosen &&
			!analysis_for_policy(use->analysis, p->use->policy->name, &p->bounding.plan))
			continue;
		if (!bounding_compute(&p->bounding, use, b, err))
			return false;
		if (b->task)
			p->bound_count++;
		else
			say_none(q, p, b);
	}
	return true;
}

/* If the policy refuses the set, there is nothing to search. */
static bool begin(struct searches *q, struct policy_search *p, struct error *err)
{
	const struct search_command *c = q->c;
	const struct scenario *s = &q->scenario;
	const struct bounding_spec spec = {
		.platform = &s->platform,
		.set = &s->set,
		.setup = &s->setup,
		.policy = p->use->policy,
		.params = &p->use->params,
	};
	if (!bounding_begin(&p->bounding, &spec, err))
		return false;
	if (p->bounding.refusal[0]) {
		say(stderr, "cegsim: %s\n", p->bounding.refusal);
		return true;
	}
	if (!genome_space_init(&p->space, &p->bounding.plan, c->jobs_per_task, c->periodic, err))
		return false;
	p->spec = (struct search_spec){
		.what = {&s->platform, &s->set, p->use->policy, &p->use->params},
		.plan = &p->bounding.plan,
		.space = &p->space,
		.budget = c->budget,
		.patience = c->patience,
		.method = c->method < 0 ? METHOD_CLIMB : (enum search_method)c->method,
		.seed = c->seed,
		.exhaust = &p->exhaust,
	};
	if (!set_targets(q, p, err) || !bound_all(q, p, err) ||
		!witnesses_new(&p->spec, &p->arena, &p->witnesses, err))
		return false;
	p->late = arena_new(&p->arena, bool, (size_t)p->spec.target_count * s->set.task_count);
	if (!p->late)
		return error_memory(err, "a search");
	if (p->spec.method == METHOD_EXHAUSTIVE &&
		!exhaust_init(&p->exhaust, &p->space, c->step_ns, c->separation_ns, c->limit, &p->arena, err))
		return false;
	p->searched = true;
	return true;
}

/* Whether a bound rests on other tasks. */
static bool any_assumed(const struct policy_search *p)
{
	for (uint32_t b = 0; b < p->bound_count; b++)
		for (uint32_t i = 0; i < p->spec.what.set->task_count; i++)
			if (p->bounds[b].task[i].assumes > 0)
				return true;
	return false;
}

/* Looks again at the schedules that were found: which tasks are late in them? */
static bool note_late(struct policy_search *p, struct error *err)
{
	const struct taskset *set = p->spec.what.set;
	struct evaluator e;
	if (!any_assumed(p))
		return true;
	if (!evaluator_init(&e, &p->spec.what, &p->space, err))
		return false;
	bool ok = true;
	for (uint32_t k = 0; k < p->spec.target_count && ok; k++) {
		if (p->witnesses[k].found.response_ns < 0)
			continue; /* interrupted */
		ok = evaluate(&e, &p->witnesses[k].genome, &p->spec.targets[k], err) >= 0;
		for (uint32_t i = 0; i < set->task_count && ok; i++)
			p->late[k * set->task_count + i] =
				bound_seen_late(&e.seen_jobs[i], set->tasks[i].deadline_ns);
	}
	evaluator_finish(&e);
	return ok;
}

static bool search(struct searches *q, struct policy_search *p, struct error *err)
{
	struct pieces_results r;
	if (!search_on_workers(&p->spec, q->c->workers, q->c->given.quiet, p->witnesses, &r, err) ||
		!note_late(p, err))
		return false;
	q->interrupted |= r.interrupted;
	q->evaluations += r.evaluations;
	q->seconds += r.seconds;
	return true;
}

/* ---- results ---- */

/* The bound on the target's whole response, or DB_NULL. */
static int64_t bound_of(const struct bounds *b, const struct search_target *t)
{
	return t->segment == WHOLE_JOB ? bounding_bound(&b->task[t->task]) : DB_NULL;
}

/* The verdict on the bound by the schedule with the longest response. */
static enum bound_check check(const struct policy_search *p, const struct bounds *b, uint32_t target)
{
	const struct search_target *t = &p->spec.targets[target];
	const struct taskset *set = p->spec.what.set;
	struct bound_seen seen = p->witnesses[target].found.seen;
	for (uint32_t i = b->task[t->task].assumes_from; i < b->task[t->task].assumes; i++)
		seen.not_assumed = seen.not_assumed || p->late[target * set->task_count + b->failed[i]];
	return bound_check(&seen, set->tasks[t->task].period_ns, bound_of(b, t));
}

static void print_row(const struct policy_search *p, uint32_t target, const struct bounds *b, struct table *t)
{
	char label[PARAMS_LABEL_MAX];
	const struct search_target *on = &p->spec.targets[target];
	const struct task *task = &p->spec.what.set->tasks[on->task];
	const struct found *found = &p->witnesses[target].found;
	int64_t bound = b ? bound_of(b, on) : DB_NULL;
	bool any = found->response_ns >= 0;
	table_text(t, policy_use_label(p->use, label));
	table_text(t, task->name);
	on->segment == WHOLE_JOB ? table_null(t) : table_integer(t, on->segment);
	table_text(t, b ? analysis_use_label(b->use, label) : NULL);
	bound == DB_NULL ? table_null(t) : table_time(t, bound);
	any ? table_time(t, found->response_ns) : table_null(t);
	bool ratio = bound != DB_NULL && bound != 0 && any;
	ratio ? table_real(t, (double)found->response_ns / (double)bound) : table_null(t);
	table_text(t, b ? bound_check_name(check(p, b, target)) : NULL);
	table_time(t, task->deadline_ns);
	table_text(t, search_origin_name(found->origin));
	table_integer(t, (int64_t)found->evaluations);
}

static bool print(const struct searches *q, struct error *err)
{
	static const char *const columns[] = {"policy", "task", "segment", "analysis", TABLE_MS("bound"),
		TABLE_MS("observed"), "ratio", "verdict", TABLE_MS("deadline"), "from", "evaluations"};
	struct table t;
	table_begin(&t, stdout, q->c->given.format, columns, sizeof(columns) / sizeof(*columns));
	for (uint32_t i = 0; i < q->count; i++) {
		const struct policy_search *p = &q->searches[i];
		for (uint32_t k = 0; p->searched && k < p->spec.target_count; k++)
			for (uint32_t b = 0; b < p->bound_count || b == 0; b++)
				print_row(p, k, p->bound_count ? &p->bounds[b] : NULL, &t);
	}
	return table_end(&t, err);
}

/* observed / bound: with the least bound or, if bounds are exceeded, with the greatest of these. Without a
 * bound that promises something, whatever other tasks do: observed / deadline. */
static double nearness(const struct policy_search *p, uint32_t target, const struct bounds **closest)
{
	const struct search_target *t = &p->spec.targets[target];
	double observed = (double)p->witnesses[target].found.response_ns, most = 0;
	*closest = NULL;
	for (uint32_t b = 0; b < p->bound_count; b++) {
		int64_t bound = bound_of(&p->bounds[b], t);
		enum bound_check said = check(p, &p->bounds[b], target);
		bool promises = said != CHECK_UNBOUNDED && said != CHECK_BEYOND_PERIOD &&
				p->bounds[b].task[t->task].assumes == 0;
		if (!promises || (*closest && observed / (double)bound <= most))
			continue;
		most = observed / (double)bound;
		*closest = &p->bounds[b];
	}
	return *closest ? most : observed / (double)p->spec.what.set->tasks[t->task].deadline_ns;
}

static bool write_one(const struct searches *q, const struct policy_search *p, uint32_t target,
	const char *path, struct error *err)
{
	char label[PARAMS_LABEL_MAX], claim[PARAMS_LABEL_MAX + 64] = "";
	const struct bounds *closest;
	const struct search_target *t = &p->spec.targets[target];
	nearness(p, target, &closest);
	if (closest)
		snprintf(claim, sizeof(claim), "its bound by %s", analysis_use_label(closest->use, label));
	const struct search_finding what = {
		.spec = &p->spec,
		.target = *t,
		.response_ns = p->witnesses[target].found.response_ns,
		.genome = &p->witnesses[target].genome,
		.claim = claim,
		.bound_ns = closest ? bound_of(closest, t) : DB_NULL,
		.use = closest ? closest->use : NULL,
		.setup = &q->scenario.setup,
		.witness = &p->witnesses[target],
		.path = path,
	};
	struct search_writing w = search_writing(q->c);
	w.shrink = w.shrink && !q->interrupted;
	return search_write(&w, &what, err);
}

/* "" for the first search under a policy of this name; ".2" for the second one, which has other options. */
static void number_policy(const struct searches *q, const struct policy_search *p, char number[16])
{
	uint32_t before = 0;
	for (const struct policy_search *other = q->searches; other < p; other++)
		before += strcmp(other->use->policy->name, p->use->policy->name) == 0;
	number[0] = '\0';
	if (before > 0)
		snprintf(number, 16, ".%" PRIu32, before + 1);
}

/* Writes DIR/POLICY-TASK.yaml; with the number of the task, if names differ only in characters that a file
 * name cannot have. */
static bool write_in_folder(
	const struct searches *q, const struct policy_search *p, uint32_t target, struct error *err)
{
	const struct search_target *t = &p->spec.targets[target];
	char *policy = search_file_name(p->use->policy->name), number[16], segment[16] = "", *path = NULL;
	char *task = search_file_name(p->spec.what.set->tasks[t->task].name);
	if (t->segment != WHOLE_JOB)
		snprintf(segment, sizeof(segment), "-%" PRIu32, t->segment);
	number_policy(q, p, number);
	bool ok = policy && task &&
		  asprintf(&path, "%s/%s%s-%" PRIu32 "-%s%s.yaml", q->c->given.output, policy, number,
			  t->task, task, segment) >= 0;
	ok = ok ? write_one(q, p, target, path, err) : error_memory(err, "the name of a file");
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

static bool write_all(const struct searches *q, struct error *err)
{
	const struct policy_search *worst = NULL;
	uint32_t worst_target = 0;
	double most = -1;
	bool one = is_yaml(q->c->given.output);
	if (!one && !search_folder(q->c->given.output, err))
		return false;
	for (uint32_t i = 0; i < q->count; i++) {
		const struct policy_search *p = &q->searches[i];
		for (uint32_t k = 0; p->searched && k < p->spec.target_count; k++) {
			const struct bounds *closest;
			if (p->witnesses[k].found.response_ns <= 0)
				continue;
			if (!one && !write_in_folder(q, p, k, err))
				return false;
			if (nearness(p, k, &closest) > most) {
				most = nearness(p, k, &closest);
				worst = p;
				worst_target = k;
			}
		}
	}
	return !one || !worst || write_one(q, worst, worst_target, q->c->given.output, err);
}

static enum status status_of(const struct searches *q)
{
	for (uint32_t i = 0; i < q->count; i++)
		for (uint32_t b = 0; b < q->searches[i].bound_count; b++)
			for (uint32_t k = 0; k < q->searches[i].spec.target_count; k++)
				if (check(&q->searches[i], &q->searches[i].bounds[b], k) == CHECK_EXCEEDED &&
					!analysis_use_unsafe(q->searches[i].bounds[b].use))
					return STATUS_NO;
	return q->erred ? STATUS_INPUT : STATUS_OK;
}

/* ---- the command ---- */

static bool make_searches(struct searches *q, struct error *err)
{
	struct search_command *c = q->c;
	const struct policy_use *uses = c->uses.policy_count ? c->uses.policies : q->scenario.policies;
	uint32_t count = c->uses.policy_count ? c->uses.policy_count : q->scenario.policy_count;
	if (count == 0)
		return error_set(err, STATUS_INPUT, "%s names no policies: give some with -p", c->given.file);
	q->searches = calloc(count, sizeof(*q->searches));
	if (!q->searches)
		return error_memory(err, "the searches");
	q->count = count;
	bool any = false;
	for (uint32_t i = 0; i < count; i++) {
		q->searches[i].use = &uses[i];
		if (!begin(q, &q->searches[i], err))
			return false;
		if (interrupt_came)
			return error_set(err, STATUS_INTERRUPTED, "interrupted before the search");
		any |= q->searches[i].searched;
	}
	return any || error_set(err, STATUS_INPUT, "there is nothing to search: no policy takes the set");
}

static bool search_policies(struct searches *q, struct error *err)
{
	if (!make_searches(q, err))
		return false;
	for (uint32_t i = 0; i < q->count && !q->interrupted; i++)
		if (q->searches[i].searched && !search(q, &q->searches[i], err))
			return false;
	if (!print(q, err))
		return false;
	if (q->c->given.verbose)
		say(search_remarks(q->c), "%" PRIu64 " evaluations in %.3f s (%.0f/s)\n", q->evaluations,
			q->seconds, q->seconds > 0 ? (double)q->evaluations / q->seconds : 0.0);
	return !q->c->given.output || write_all(q, err);
}

enum status search_scenario(struct search_command *c)
{
	struct searches q = {.c = c};
	struct error err;
	enum status status = input_scenario(c->given.file, &q.scenario);
	interrupt_note(true); /* from here on there may be something to keep */
	if (status == STATUS_OK)
		status = search_policies(&q, &err) ? status_of(&q) : (enum status)error_report(&err);
	if (!q.interrupted && interrupt_came && status <= STATUS_INPUT) {
		say(stderr, "cegsim: interrupted; what was written is as small as it was then\n");
		status = STATUS_INTERRUPTED;
	}
	if (q.interrupted && status <= STATUS_NO) {
		say(stderr, "cegsim: interrupted; this is the worst so far\n");
		status = STATUS_INTERRUPTED;
	}
	for (uint32_t i = 0; i < q.count; i++) {
		genome_space_finish(&q.searches[i].space);
		bounding_finish(&q.searches[i].bounding);
		arena_finish(&q.searches[i].arena);
	}
	free(q.searches);
	scenario_finish(&q.scenario);
	return status;
}
