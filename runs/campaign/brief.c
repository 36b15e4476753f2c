/* runs/campaign/brief.c - see runs/campaign/brief.h. */
#include "runs/campaign/brief.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "db/bound_check.h"
#include "runs/store.h"

struct brief {
	const struct campaign *campaign;
	const struct campaign_analysis *analyses; /* the maker's */
	/* [points][policies] what is asked of their runs. With a recipe the policies are the same everywhere:
	 * then this has one point. */
	int64_t *run_questions;
	int64_t *asked; /* [asked_count] the policies of questions 1, 2, ... */
	size_t asked_count, asked_capacity;
	struct brief_set set;
	bool keep;
	struct verdict_row *rows; /* of the unit */
	size_t count, capacity;
	/* [policies][tasks] the jobs of the set's runs, all replications together: bounds are compared with
	 * these. */
	struct bound_seen *seen;
	size_t seen_capacity;
	int64_t *bounds; /* [analyses][tasks] of the set; DB_NULL: none */
	size_t bounds_capacity;
	bool known;    /* what follows, and the bounds, are those of all analyses at the set's point */
	bool *accepts; /* [analyses] of the set: schedulable */
	bool *rejects; /* [analyses] unschedulable */
	bool *misses;  /* [policies] some run of the set is not schedulable */
};

struct brief *brief_create(const struct unit_maker *m, struct error *err)
{
	const struct campaign *c = m->campaign;
	size_t points = c->variants ? c->points : 1;
	struct brief *b = calloc(1, sizeof(*b));
	if (b) {
		*b = (struct brief){.campaign = c, .analyses = m->analyses};
		b->run_questions = calloc(points * c->policy_count + 1, sizeof(*b->run_questions));
		b->accepts = calloc(c->analysis_count + (size_t)1, sizeof(*b->accepts));
		b->rejects = calloc(c->analysis_count + (size_t)1, sizeof(*b->rejects));
		b->misses = calloc(c->policy_count + (size_t)1, sizeof(*b->misses));
	}
	if (b && b->run_questions && b->accepts && b->rejects && b->misses)
		return b;
	error_memory(err, "judging the sets of a campaign");
	brief_destroy(b);
	return NULL;
}

void brief_destroy(struct brief *b)
{
	if (!b)
		return;
	free(b->run_questions);
	free(b->asked);
	free(b->rows);
	free(b->seen);
	free(b->bounds);
	free(b->accepts);
	free(b->rejects);
	free(b->misses);
	free(b);
}

/* ---- what is asked ---- */

/* Runs under the policies, then the analyses, from 1 on. */
static int64_t *questions_at(const struct brief *b, uint32_t point)
{
	return b->run_questions + (b->campaign->variants ? (size_t)point * b->campaign->policy_count : 0);
}

static int64_t question_of_analysis(const struct brief *b, uint32_t analysis)
{
	return (int64_t)b->asked_count + analysis + 1;
}

/* *question: that of runs under the policy, written if it is new. */
static bool ask_runs(struct brief *b, struct db_writer *w, const struct policy_use *policy, int64_t *question,
	struct error *err)
{
	struct question_row row = {.version = DB_NULL};
	if (!store_policy(w, policy->policy, &policy->params, &row.policy_id, err))
		return false;
	size_t i = 0;
	while (i < b->asked_count && b->asked[i] != row.policy_id)
		i++;
	*question = (int64_t)i + 1;
	if (i < b->asked_count)
		return true;
	if (!list_reserve(&b->asked, &b->asked_capacity, i + 1, sizeof(*b->asked)))
		return error_memory(err, "judging the sets of a campaign");
	b->asked[b->asked_count++] = row.policy_id;
	return verdicts_question(w, *question, &row, err);
}

bool brief_point(struct brief *b, struct unit_maker *m, struct error *err)
{
	const struct campaign *c = b->campaign;
	const struct policy_use *policies = c->variants ? m->scenario.policies : c->policies;
	const struct grid_point_row row = {
		.recipe = text_data(&m->origin), .target_utilisation_ppm = m->target_utilisation_ppm};
	bool ok = verdicts_point(m->writer, m->point, &row, err);
	for (uint32_t i = 0; ok && i < c->policy_count && (c->variants || m->point == 0); i++)
		ok = ask_runs(b, m->writer, &policies[i], &questions_at(b, m->point)[i], err);
	return ok;
}

bool brief_ask_analyses(struct brief *b, struct db_writer *w, struct error *err)
{
	char params[PARAMS_JSON_MAX];
	bool ok = true;
	for (uint32_t i = 0; ok && i < b->campaign->analysis_count; i++) {
		const struct campaign_analysis *a = &b->analyses[i];
		struct question_row row = {
			.analysis = a->use.analysis->name,
			.params = analysis_use_json(&a->use, params),
			.safety = analysis_use_unsafe(&a->use) ? "unsafe" : "sound",
			.version = a->use.analysis->version,
		};
		ok = store_policy(w, a->policy.policy, &a->policy.params, &row.policy_id, err) &&
		     verdicts_question(w, question_of_analysis(b, i), &row, err);
	}
	return ok;
}

/* ---- a unit ---- */

void brief_begin_unit(struct brief *b)
{
	b->keep = false;
	b->count = 0;
}

void brief_keep(struct brief *b)
{
	b->keep = true;
}

bool brief_keeps(const struct brief *b)
{
	return b->keep;
}

static void keep_if(struct brief *b, enum campaign_keep why, bool it_is)
{
	b->keep = b->keep || (it_is && (b->campaign->keep & why));
}

bool brief_begin_set(struct brief *b, const struct brief_set *set, struct error *err)
{
	const struct campaign *c = b->campaign;
	size_t count = (size_t)c->policy_count * set->set->task_count;
	size_t bounds = (size_t)c->analysis_count * set->set->task_count;
	b->known = b->known && c->variants && b->set.point == set->point;
	b->set = *set;
	if (!list_reserve(&b->bounds, &b->bounds_capacity, bounds + 1, sizeof(*b->bounds)))
		return error_memory(err, "judging the sets of a campaign");
	if (!b->known) {
		memset(b->accepts, 0, c->analysis_count * sizeof(*b->accepts));
		memset(b->rejects, 0, c->analysis_count * sizeof(*b->rejects));
	}
	memset(b->misses, 0, c->policy_count * sizeof(*b->misses));
	if (!list_reserve(&b->seen, &b->seen_capacity, count + 1, sizeof(*b->seen)))
		return error_memory(err, "judging the sets of a campaign");
	memset(b->seen, 0, count * sizeof(*b->seen));
	return true;
}

static bool add_row(
	struct brief *b, int64_t question, int64_t replication, const char *verdict, struct error *err)
{
	if (!list_reserve(&b->rows, &b->capacity, b->count + 1, sizeof(*b->rows)))
		return error_memory(err, "judging the sets of a campaign");
	b->rows[b->count++] = (struct verdict_row){
		.unit = b->set.unit,
		.point_id = b->set.point,
		.platform_id = b->set.platform_id,
		.question_id = question,
		.replication = replication,
		.verdict = verdict,
	};
	return true;
}

/* Adds the jobs of one more run. */
static void see(struct bound_seen *seen, const struct task_statistics *t)
{
	seen->jobs += (int64_t)t->jobs;
	if (t->responses > 0 && (seen->responses == 0 || t->max_response_ns > seen->longest_ns))
		seen->longest_ns = t->max_response_ns;
	seen->responses += (int64_t)t->responses;
	if (t->worst_lower_bound_ns > seen->unfinished_ns)
		seen->unfinished_ns = t->worst_lower_bound_ns;
}

static const char *verdict_of_run(const struct run_result *result)
{
	if (result->status == RUN_REFUSED)
		return "refused";
	if (result->status == RUN_TRUNCATED)
		return "truncated";
	return result->schedulable ? "schedulable" : "unschedulable";
}

bool brief_run(struct brief *b, uint32_t policy, int64_t replication, const struct statistics *statistics,
	const struct run_result *result, struct error *err)
{
	struct bound_seen *seen = b->seen + (size_t)policy * b->set.set->task_count;
	uint64_t misses = 0;
	for (uint32_t i = 0; statistics && i < statistics->task_count; i++) {
		misses += statistics->tasks[i].misses;
		seen[i].removing = b->set.setup->on_miss != MISS_CONTINUE;
		seen[i].truncated = seen[i].truncated || result->status == RUN_TRUNCATED;
		see(&seen[i], &statistics->tasks[i]);
	}
	b->misses[policy] = b->misses[policy] || misses > 0;
	b->keep = b->keep || result->status == RUN_ERROR;
	keep_if(b, KEEP_MISS, misses > 0);
	return add_row(b, questions_at(b, b->set.point)[policy], replication, verdict_of_run(result), err);
}

/* A bound may rest on tasks that are in time. It counts all the same: rather a set too many is kept. */
static bool exceeded(const struct brief *b, const struct bound_seen *seen, const int64_t *bounds)
{
	const struct taskset *set = b->set.set;
	for (uint32_t i = 0; i < set->task_count; i++)
		if (bound_check(&seen[i], set->tasks[i].period_ns > 0 ? set->tasks[i].period_ns : DB_NULL,
			    bounds[i]) == CHECK_EXCEEDED)
			return true;
	return false;
}

/* Of a scenario, the analyses of a point belong to its replication 0: to that alone, what they say of
 * each other. */
static bool is_first(const struct brief *b)
{
	return !b->campaign->variants || b->set.unit % b->campaign->sets == 0;
}

/* Compares the analysis with those before it, and with the runs, under the same policy. */
static void compare(struct brief *b, uint32_t analysis)
{
	const struct campaign *c = b->campaign;
	const struct policy_use *policy = &b->analyses[analysis].policy;
	const int64_t *bounds = b->bounds + (size_t)analysis * b->set.set->task_count;
	bool accepts = b->accepts[analysis], rejects = b->rejects[analysis];
	for (uint32_t i = 0; is_first(b) && i < analysis; i++)
		if ((accepts && b->rejects[i]) || (rejects && b->accepts[i]))
			keep_if(b, KEEP_DISAGREE, policy_use_same(policy, &b->analyses[i].policy));
	for (uint32_t i = 0; i < c->policy_count; i++) {
		if (!policy_use_same(policy, &b->set.policies[i]))
			continue;
		keep_if(b, KEEP_DISAGREE, accepts && b->misses[i]);
		keep_if(b, KEEP_EXCEED, exceeded(b, b->seen + (size_t)i * b->set.set->task_count, bounds));
	}
}

bool brief_compare_known(struct brief *b)
{
	const struct campaign *c = b->campaign;
	if (is_first(b) || c->policy_count == 0 || b->keep)
		return !is_first(b);
	if (!(c->keep & (KEEP_EXCEED | KEEP_DISAGREE)))
		return true;
	for (uint32_t i = 0; b->known && i < c->analysis_count; i++)
		compare(b, i);
	return b->known;
}

bool brief_analysis(struct brief *b, uint32_t analysis, const struct bounds *bounds, struct error *err)
{
	b->accepts[analysis] = bounds->verdict == BOUNDS_SCHEDULABLE;
	b->rejects[analysis] = bounds->verdict == BOUNDS_UNSCHEDULABLE;
	b->keep = b->keep || (is_first(b) && bounds->verdict == BOUNDS_ERROR);
	for (uint32_t i = 0; i < b->set.set->task_count; i++)
		b->bounds[(size_t)analysis * b->set.set->task_count + i] =
			bounds->task ? bounding_bound(&bounds->task[i]) : DB_NULL;
	compare(b, analysis);
	b->known = analysis + 1 == b->campaign->analysis_count;
	if (b->keep || !is_first(b))
		return true;
	return add_row(
		b, question_of_analysis(b, analysis), DB_NULL, bounds_verdict_name(bounds->verdict), err);
}

bool brief_store(struct brief *b, struct db_writer *writer, struct error *err)
{
	return verdicts_unit(writer, b->rows, b->count, err);
}
