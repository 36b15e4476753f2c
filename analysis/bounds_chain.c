/* analysis/bounds_chain.c - bounds of the ages and reactions of chains (docs/model.md, "Chains and
 * triggers"), from response times that other analyses bound: for each task the least of the bounds of all
 * sound analyses that hold for the plan.
 *
 * All follow data forward. An event comes just behind a read of the first task; its next job is released at
 * most a period after the release of that job. Whatever a job has written by its release + R, the first job
 * of the next task reads that begins later: one that is released at most a period behind that instant. So a
 * hop takes T + R of the tasks, and with `let`, where a job writes at its deadline, T + D (davare, for Davare
 * et al., DAC 2007). Where a task has a higher priority on the core than the next one, and both begin there,
 * no job of the next one begins between a release of the first and its end; then the hop need not count R
 * (duerr, for Duerr et al., CASES 2019). If releases are periodic, the instants of the next releases are
 * known: `periodic` follows each job of a hyperperiod (Kloda et al., ETFA 2018, as Guenzel et al. state it,
 * RTNS 2023). Nothing else of this is about cores: on several, a hop between tasks of different ones counts
 * R.
 *
 * What is ours: a first job of a later task that comes late, by its offset, counts like a gap; so the bounds
 * also hold for the first outputs of a run. An age is no greater: it ends no later than data of the first
 * task's next job would have replaced it, had there been one. */
#include "analysis/analyses.h"
#include "base/checked.h"
#include "base/units.h"
#include "models/releases.h"

enum method { DAVARE, DUERR, PERIODIC };

static const struct option options[] = {
	{
		.name = "method",
		.kind = OPTION_CHOICE,
		.choices = "davare|duerr|periodic",
		.fallback = "davare",
		.help = "sums of periods and responses; without responses behind tasks of higher priority; "
			"or following each job of a hyperperiod, where releases are periodic",
	},
	{0},
};

#define FOLLOWED_MAX 1000000 /* jobs of the first task */
#define TOO_LONG (INT64_MAX / 4)

struct task_times {
	int64_t period, offset; /* period: the greatest gap between two releases */
	int64_t latest;         /* from a release to the write, at most */
};

/* ---- responses ---- */

/* The least bound of each task by the other analyses; a bound that rests on other tasks does not count. */
static bool bound_tasks(
	const struct plan *plan, struct arena *arena, struct analysis_result *result, struct error *err)
{
	for (const struct analysis *const *a = analysis_all(); *a; a++) {
		struct analysis_result other;
		struct params params;
		params_default(&params, (*a)->options);
		if ((*a)->over_others || !analysis_for_policy(*a, plan->policy, plan) ||
			((*a)->unsafe && (*a)->unsafe(&params)))
			continue;
		if (!analysis_bound(*a, plan, &params, arena, &other, err))
			return false;
		for (uint32_t i = 0; !other.refused && i < plan->set->task_count; i++) {
			const struct task_bound *t = &other.task[i];
			if (t->analysed && t->assumes == 0 &&
				(!result->task[i].analysed || t->response_ns < result->task[i].response_ns))
				result->task[i] = *t;
		}
	}
	return true;
}

/* ---- what the methods need ---- */

/* The greatest gap between two releases; 0: there is none, or it is not the task's own. */
static int64_t greatest_gap(const struct plan *plan, const struct task *t)
{
	int64_t gap;
	const struct release_rule *rule = release_rule_of(plan->setup, t);
	if (rule->kind == RELEASE_PERIODIC)
		return t->period_ns;
	if (rule->kind != RELEASE_SPORADIC || !t->release)
		return 0;
	int128 delay = (int128)rule->max_delay_ppm * t->period_ns / 1000000;
	return delay < TOO_LONG && checked_add(t->period_ns, (int64_t)delay, &gap) ? gap : 0;
}

static bool takes_chain(const struct plan *plan, const struct effect_chain *c, enum method method,
	struct analysis_result *result)
{
	for (uint32_t k = 0; k < c->task_count; k++) {
		const struct task *t = &plan->set->tasks[c->tasks[k]];
		if (greatest_gap(plan, t) == 0) {
			analysis_refuse(result, c->tasks[k],
				"the gaps between releases of task '%.60s' have no bound of their own: it "
				"holds for periodic tasks, and such with a rule of their own of sporadic "
				"releases",
				t->name);
			return false;
		}
		if (method == PERIODIC && release_rule_of(plan->setup, t)->kind != RELEASE_PERIODIC) {
			analysis_refuse(result, c->tasks[k],
				"task '%.60s' is not periodic: method periodic follows periods", t->name);
			return false;
		}
	}
	return true;
}

/* Whether one core serves both tasks, and no other. */
static bool same_core(const struct plan *plan, uint32_t a, uint32_t b)
{
	const struct platform *p = plan->platform;
	return !platform_global(p) && taskset_core(plan->set, p, a) == taskset_core(plan->set, p, b);
}

/* Whether every job of task `a` that is released before, or with, one of `b` has ended when that begins: a
 * has the higher priority on b's core and stays there, and b's jobs begin there, with something to do. */
static bool ends_before(const struct plan *plan, uint32_t a, uint32_t b)
{
	const struct task *first = &plan->set->tasks[a];
	const struct segment *begin = &plan->set->tasks[b].segments[0];
	for (uint32_t i = 0; i < first->segment_count; i++)
		if (first->segments[i].kind != SEGMENT_CPU)
			return false;
	return same_core(plan, a, b) && plan->cpu_order == order_by_priority &&
	       plan->rank[a] < plan->rank[b] && plan->wait != WAIT_BOOST && begin->kind == SEGMENT_CPU &&
	       begin->best_ns > 0;
}

/* False: some task of the chain has no bound within its deadline. */
static bool find_times(const struct plan *plan, const struct effect_chain *c,
	const struct analysis_result *result, struct task_times times[CHAIN_TASKS_MAX])
{
	for (uint32_t k = 0; k < c->task_count; k++) {
		const struct task *t = &plan->set->tasks[c->tasks[k]];
		const struct task_bound *b = &result->task[c->tasks[k]];
		if (!b->analysed || b->response_ns > t->deadline_ns)
			return false;
		times[k] = (struct task_times){
			.period = greatest_gap(plan, t),
			.offset = t->offset_ns,
			.latest = c->communication == CHAIN_LET ? t->deadline_ns : b->response_ns,
		};
		if (times[k].period > TOO_LONG || times[k].latest > TOO_LONG || t->offset_ns > TOO_LONG)
			return false;
	}
	return true;
}

/* ---- the methods ---- */

/* Relative to the release of the job behind whose read the event came, which is at the first task's offset or
 * later: by when the job that reads the event, or data of it, is released. */
static int64_t by_gaps(const struct plan *plan, const struct effect_chain *c,
	const struct task_times times[CHAIN_TASKS_MAX], enum method method)
{
	int128 released = times[0].period;
	for (uint32_t k = 0; k + 1 < c->task_count; k++) {
		bool free = method == DUERR && c->communication == CHAIN_IMPLICIT &&
			    ends_before(plan, c->tasks[k], c->tasks[k + 1]);
		int128 late = times[k + 1].offset - times[0].offset;
		released += free ? 0 : times[k].latest;
		released += times[k + 1].period;
		released = released < late ? late : released;
	}
	released += times[c->task_count - 1].latest;
	return released > TOO_LONG ? NO_BOUND : (int64_t)released;
}

/* The first release of a periodic task at `instant` or later. */
static int64_t release_from(const struct task_times *t, int64_t instant)
{
	int64_t periods = instant <= t->offset ? 0 : (instant - t->offset + t->period - 1) / t->period;
	return t->offset + periods * t->period;
}

/* How long after the release of the first task's job before it, the data of this job is written. */
static int64_t follow(const struct plan *plan, const struct effect_chain *c,
	const struct task_times times[CHAIN_TASKS_MAX], int64_t job)
{
	int64_t from = times[0].offset + (job - 1) * times[0].period, release = from + times[0].period;
	for (uint32_t k = 0; k + 1 < c->task_count; k++) {
		bool free =
			c->communication == CHAIN_IMPLICIT && ends_before(plan, c->tasks[k], c->tasks[k + 1]);
		release = release_from(&times[k + 1], release + (free ? 0 : times[k].latest));
	}
	return release + times[c->task_count - 1].latest - from;
}

/* From job 1 on until the offsets are behind, and a hyperperiod of the chain. *too_many: it has too many
 * jobs. */
static int64_t by_jobs(const struct plan *plan, const struct effect_chain *c,
	const struct task_times times[CHAIN_TASKS_MAX], bool *too_many)
{
	int64_t span = 1, last = 0, greatest = 0, until;
	for (uint32_t k = 0; k < c->task_count; k++) {
		*too_many |= !checked_mul(
			span, times[k].period / greatest_common_divisor(span, times[k].period), &span);
		last = times[k].offset > last ? times[k].offset : last;
		if (*too_many)
			return NO_BOUND;
	}
	*too_many |= !checked_add(span, last, &until) || until > TOO_LONG ||
		     until / times[0].period > FOLLOWED_MAX;
	for (int64_t job = 1; !*too_many && job <= until / times[0].period + 1; job++) {
		int64_t length = follow(plan, c, times, job);
		greatest = length > greatest ? length : greatest;
	}
	return *too_many || greatest > TOO_LONG ? NO_BOUND : greatest;
}

/* ---- all chains ---- */

static bool bound_chain(
	const struct plan *plan, uint32_t index, enum method method, struct analysis_result *result)
{
	const struct effect_chain *c = &plan->set->chains[index];
	struct task_times times[CHAIN_TASKS_MAX] = {{0}};
	bool too_many = false;
	if (!takes_chain(plan, c, method, result))
		return false;
	if (!find_times(plan, c, result, times))
		return true;
	result->chain_ns[index] =
		method == PERIODIC ? by_jobs(plan, c, times, &too_many) : by_gaps(plan, c, times, method);
	if (!too_many)
		return true;
	analysis_refuse(result, c->tasks[0],
		"the hyperperiod of chain '%.60s' has more than %d jobs of '%.60s'", c->name, FOLLOWED_MAX,
		plan->set->tasks[c->tasks[0]].name);
	return false;
}

/* What the tasks' bounds leave to be said: a chain without a bound, or with one above a limit. */
static void judge_chains(const struct plan *plan, struct analysis_result *result)
{
	char bound[UNIT_TEXT_MAX], limit[UNIT_TEXT_MAX];
	for (uint32_t i = 0; result->verdict.accepted && i < plan->set->chain_count; i++) {
		const struct effect_chain *c = &plan->set->chains[i];
		int64_t least = c->age_ns && (!c->reaction_ns || c->age_ns < c->reaction_ns) ? c->age_ns
											     : c->reaction_ns;
		const int64_t times[] = {result->chain_ns[i], least};
		if (result->chain_ns[i] == NO_BOUND) {
			verdict_refuse(
				&result->verdict, c->tasks[0], "chain '%.60s': no bound was found", c->name);
		} else if (least > 0 && result->chain_ns[i] > least) {
			unit_format_alike(UNIT_TIME, times, bound, limit);
			verdict_refuse(&result->verdict, c->tasks[0],
				"chain '%.60s': the bound on its age and reaction, %s, exceeds its limit, %s",
				c->name, bound, limit);
		}
	}
}

static bool bound(const struct plan *plan, const struct params *params, struct arena *arena,
	struct analysis_result *result, struct error *err)
{
	enum method method = (enum method)params_choice(params, "method");
	uint32_t chains = plan->set->chain_count;
	if (!analysis_begin(result, plan->set->task_count, arena, err))
		return false;
	if (chains == 0)
		return analysis_refuse(result, NO_FAILING_TASK, "the set has no chains");
	result->chain_ns = arena_new(arena, int64_t, chains);
	if (!result->chain_ns)
		return error_memory(err, "bounds of chains");
	if (!bound_tasks(plan, arena, result, err))
		return false;
	for (uint32_t i = 0; i < chains; i++)
		result->chain_ns[i] = NO_BOUND;
	for (uint32_t i = 0; i < chains && !result->refused; i++)
		if (!bound_chain(plan, i, method, result))
			return true;
	analysis_judge(result, plan);
	judge_chains(plan, result);
	return true;
}

const struct analysis analysis_chain = {
	.name = "chain",
	.summary = "ages and reactions of chains, from the least bounds of their tasks' responses",
	.source = "davare: Davare et al., DAC 2007; duerr: Duerr et al., CASES 2019; periodic: Kloda et al., "
		  "ETFA 2018, as in Guenzel et al., RTNS 2023; offsets: ours",
	.assumptions = "Periodic tasks, or (but for periodic) sporadic ones by a rule of their own, whose "
		       "responses another analysis bounds within their deadlines.",
	.version = 1,
	.policies = ANALYSIS_ANY_POLICY,
	.options = options,
	.cores = ANALYSIS_ANY_CORES,
	.over_others = true,
	.bound = bound,
};
