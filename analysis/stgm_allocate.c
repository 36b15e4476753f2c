/* analysis/stgm_allocate.c - STGM's allocation of SMs and the test used in sBEET's evaluation: see
 * analysis/stgm.h. sBEET (RTSS 2021, section V) describes STGM's allocator: first the least SMs; then more,
 * one by one, "only for those showing a large reduction in task utilization". */
#include <stdio.h>

#include "analysis/ratio.h"
#include "analysis/shares.h"
#include "analysis/stgm_test.h"
#include "base/text.h"
#include "base/units.h"

struct stgm_allocate_search {
	struct stgm_state state;
	uint32_t *least;     /* [count] SMs; 0: no number of SMs is enough, or no kernels */
	struct ratio *terms; /* [count] */
	uint32_t lacking;    /* the first task with kernels for which no number is enough; count: none */
};

/* ---- The least SMs ---- */

static void find_least(struct stgm_allocate_search *s)
{
	const struct stgm_state *state = &s->state;
	s->lacking = state->chains.count;
	for (uint32_t k = 0; k < state->chains.count; k++) {
		const struct chain *c = state->task[k].chain;
		if (c->kernels == 0)
			continue;
		for (uint32_t sms = 1; sms <= state->platform->sms && s->least[k] == 0; sms++)
			if (stgm_whole(state, k, stgm_kernels(state, k, sms)) <= c->task->deadline_ns)
				s->least[k] = sms;
		if (s->least[k] == 0 && s->lacking == state->chains.count)
			s->lacking = k;
	}
}

static uint64_t sum_sms(const struct stgm_state *s)
{
	uint64_t sum = 0;
	for (uint32_t k = 0; k < s->chains.count; k++)
		sum += s->sms[k];
	return sum;
}

/* ---- Tests ---- */

/* The first task that fails; count: none. */
static uint32_t first_failing(struct stgm_allocate_search *s)
{
	struct stgm_state *state = &s->state;
	uint32_t k = 0;
	stgm_place(state);
	while (k < state->chains.count &&
		stgm_response(state, k, false, NULL, NULL) <= state->task[k].chain->task->deadline_ns)
		k++;
	return k;
}

/* sum G_i(s_i) / T_i <= 1. */
static bool utilisation_fits(struct stgm_allocate_search *s)
{
	const struct stgm_state *state = &s->state;
	for (uint32_t k = 0; k < state->chains.count; k++) {
		int64_t sections = stgm_sections(state, k, state->task[k].kernels);
		if (sections == NO_BOUND)
			return false;
		s->terms[k] = (struct ratio){sections, state->task[k].chain->task->period_ns};
	}
	return ratio_sum_compare(s->terms, state->chains.count, 1) <= 0;
}

/* sum over tasks of (1/M) sum over m of G_i(m) / T_i <= 1, sBEET's mean utilisation. */
static bool mean_utilisation_fits(struct stgm_allocate_search *s)
{
	const struct stgm_state *state = &s->state;
	uint32_t sms = state->platform->sms;
	for (uint32_t k = 0; k < state->chains.count; k++) {
		int128 sum = 0;
		for (uint32_t m = 1; m <= sms; m++) {
			int64_t sections = stgm_sections(state, k, stgm_kernels(state, k, m));
			if (sections == NO_BOUND)
				return false;
			sum += sections;
		}
		s->terms[k] =
			(struct ratio){sum, (int128)state->task[k].chain->task->period_ns * (sms ? sms : 1)};
	}
	return ratio_sum_compare(s->terms, state->chains.count, 1) <= 0;
}

/* ---- Growing ---- */

/* The task whose utilisation falls most with one SM more; count: no task's falls. Ties: the highest
 * priority. */
static uint32_t best_to_grow(const struct stgm_allocate_search *s)
{
	const struct stgm_state *state = &s->state;
	uint32_t best = state->chains.count;
	int128 best_gain = 0, best_period = 1;
	if (state->options.exclusive && sum_sms(state) >= state->platform->sms)
		return best;
	for (uint32_t k = 0; k < state->chains.count; k++) {
		const struct stgm_task *t = &state->task[k];
		if (t->chain->kernels == 0 || state->sms[k] >= state->platform->sms)
			continue;
		int128 gain = (int128)t->kernels - stgm_kernels(state, k, state->sms[k] + 1);
		if (gain * best_period <= best_gain * t->chain->task->period_ns)
			continue;
		best = k;
		best_gain = gain;
		best_period = t->chain->task->period_ns;
	}
	return best;
}

/* For the utilisation test: the part that follows the test of the mean. */
static bool accepted(struct stgm_allocate_search *s, uint32_t *failing)
{
	uint32_t count = s->state.chains.count;
	if (s->state.options.test == STGM_RESPONSE_TIME) {
		*failing = first_failing(s);
		return *failing == count;
	}
	*failing = 0;
	return s->state.options.utilisation == STGM_UTILISATION_MEAN_ONLY || utilisation_fits(s);
}

/* Adds SMs to the least ones, which fit the GPU. True: the test accepts. Else *failing is the first task that
 * failed last. */
static bool grow(struct stgm_allocate_search *s, uint32_t *failing)
{
	while (!accepted(s, failing)) {
		uint32_t k = best_to_grow(s);
		if (k == s->state.chains.count)
			return false;
		stgm_give(&s->state, k, s->state.sms[k] + 1);
	}
	return true;
}

/* ---- Results ---- */

/* Refuses: no number of SMs is enough for the task, even alone. Always false. */
static bool refuse_lacking(const struct stgm_allocate_search *s, uint32_t k, struct verdict *v)
{
	const struct stgm_state *state = &s->state;
	const struct task *task = state->task[k].chain->task;
	char alone[UNIT_TEXT_MAX], deadline[UNIT_TEXT_MAX];
	int64_t least = NO_BOUND;
	for (uint32_t sms = 1; sms <= state->platform->sms; sms++) {
		int64_t whole = stgm_whole(state, k, stgm_kernels(state, k, sms));
		least = whole < least ? whole : least;
	}
	if (least == NO_BOUND)
		unit_format(UNIT_TIME, task->deadline_ns, deadline);
	else
		unit_format_alike(UNIT_TIME, (int64_t[]){least, task->deadline_ns}, alone, deadline);
	return verdict_refuse(v, state->chains.order[k],
		"task '%s' alone does not meet its deadline, %s, on any number of SMs: it takes at least %s",
		task->name, deadline, least == NO_BOUND ? "more than can be told" : alone);
}

/* Refuses: in exclusive sets, what higher tasks need at least leaves too few SMs. Always false. */
static bool refuse_least(const struct stgm_allocate_search *s, uint32_t k, uint64_t used, struct verdict *v)
{
	const struct stgm_state *state = &s->state;
	uint32_t sms = state->platform->sms, left = sms - (uint32_t)used, least = s->least[k];
	return verdict_refuse(v, state->chains.order[k], "task '%s' needs %u SM%s, and %u of %u %s left",
		state->task[k].chain->task->name, least, least == 1 ? "" : "s", left, sms,
		left == 1 ? "is" : "are");
}

static bool give_least(struct stgm_allocate_search *s, struct verdict *v)
{
	struct stgm_state *state = &s->state;
	uint64_t sum = 0;
	for (uint32_t k = 0; k < state->chains.count; k++) {
		if (k == s->lacking)
			return refuse_lacking(s, k, v);
		sum += s->least[k];
		if (state->options.exclusive && sum > state->platform->sms)
			return refuse_least(s, k, sum - s->least[k], v);
	}
	for (uint32_t k = 0; k < state->chains.count; k++)
		stgm_give(state, k, s->least[k]);
	return true;
}

static uint32_t rank_of(const struct stgm_state *s, uint32_t task)
{
	uint32_t k = 0;
	while (k < s->chains.count && s->chains.order[k] != task)
		k++;
	return k;
}

/* Gives SMs to a set for which the least do not fit, or do not exist. */
static void give_anyway(struct stgm_allocate_search *s, uint32_t failing)
{
	struct stgm_state *state = &s->state;
	uint32_t sms = state->platform->sms;
	if (state->options.exclusive)
		shares_anyway(&state->chains, 0, rank_of(state, failing), sms, s->least);
	for (uint32_t k = 0; k < state->chains.count; k++) {
		bool lacks = s->least[k] == 0 && state->task[k].chain->kernels;
		stgm_give(state, k, lacks ? sms : s->least[k]);
	}
}

static bool check_given(const struct stgm_state *s, const uint32_t *given, struct error *err)
{
	uint64_t sum = 0;
	for (uint32_t k = 0; k < s->chains.count; k++) {
		uint32_t sms = given[s->chains.order[k]];
		const char *name = s->task[k].chain->task->name;
		if ((sms > 0) != (s->task[k].chain->kernels > 0))
			return error_set(err, STATUS_INPUT,
				"the allocation gives task '%s' %u SM%s, and it has %skernels", name, sms,
				plural(sms), sms ? "no " : "");
		sum += sms;
		if (sms > s->platform->sms || (s->options.exclusive && sum > s->platform->sms))
			return error_set(err, STATUS_INPUT, "the allocation gives out more than %u SM%s",
				s->platform->sms, plural(s->platform->sms));
	}
	return true;
}

/* Refuses with the response of the task that failed. Always false. */
static bool refuse_response(const struct stgm_allocate_search *s, uint32_t k, struct verdict *v)
{
	const struct stgm_state *state = &s->state;
	const struct task *task = state->task[k].chain->task;
	uint32_t id = state->chains.order[k], sms = state->sms[k];
	char bound[UNIT_TEXT_MAX], deadline[UNIT_TEXT_MAX], on[32] = "";
	int64_t response = stgm_response(state, k, true, NULL, NULL);
	if (response == NO_BOUND)
		unit_format(UNIT_TIME, task->deadline_ns, deadline);
	else
		unit_format_alike(UNIT_TIME, (int64_t[]){response, task->deadline_ns}, bound, deadline);
	if (sms)
		snprintf(on, sizeof(on), "with %u SM%s ", sms, sms == 1 ? "" : "s");
	if (response == NO_BOUND)
		return verdict_refuse(v, id,
			"task '%s': %sno bound on its response by its deadline, %s, was found", task->name,
			on, deadline);
	return verdict_refuse(v, id, "task '%s': %sits response is bounded by %s only; deadline %s",
		task->name, on, bound, deadline);
}

static bool refuse_mean(struct verdict *v)
{
	return verdict_refuse(v, NO_FAILING_TASK, "the tasks' mean utilisations add up to more than 1");
}

/* Applies the test to a given allocation. */
static bool decide_on_given(struct stgm_allocate_search *s, const uint32_t *given, struct verdict *v)
{
	struct stgm_state *state = &s->state;
	bool response = state->options.test == STGM_RESPONSE_TIME;
	uint32_t failing;
	for (uint32_t k = 0; k < state->chains.count; k++)
		stgm_give(state, k, given[state->chains.order[k]]);
	if (!response && !mean_utilisation_fits(s))
		return refuse_mean(v);
	if (!accepted(s, &failing))
		return response ? refuse_response(s, failing, v)
				: verdict_refuse(v, NO_FAILING_TASK,
					  "the tasks' utilisations on the given SMs add up to more than 1");
	if (response)
		return chains_check(state->platform, &state->chains, v);
	verdict_accept(v);
	return true;
}

/* Leaves an allocation even if the test refuses. */
static bool decide_by_utilisation(struct stgm_allocate_search *s, struct verdict *v)
{
	uint32_t failing;
	bool mean = mean_utilisation_fits(s), least = give_least(s, v);
	if (!least)
		give_anyway(s, v->failing_task);
	if (!mean)
		return refuse_mean(v);
	if (!least)
		return false;
	if (!grow(s, &failing))
		return verdict_refuse(v, NO_FAILING_TASK,
			"the tasks' utilisations add up to more than 1, also with "
			"more SMs to those that gain most");
	verdict_accept(v);
	return true;
}

static bool decide_by_response(struct stgm_allocate_search *s, struct verdict *v)
{
	uint32_t failing;
	if (!give_least(s, v)) {
		give_anyway(s, v->failing_task);
		return false;
	}
	return grow(s, &failing) ? chains_check(s->state.platform, &s->state.chains, v)
				 : refuse_response(s, failing, v);
}

static bool decide(struct stgm_allocate_search *s, const uint32_t *given, struct verdict *v)
{
	if (given)
		return decide_on_given(s, given, v);
	return s->state.options.test == STGM_UTILISATION ? decide_by_utilisation(s, v)
							 : decide_by_response(s, v);
}

/* Numbers the groups of tasks whose sets share SMs: the lowest number spreads until nothing changes. */
static void number_groups(const struct stgm_state *s, struct stgm_allocation *a)
{
	const struct sm_sets *sets = &s->sets;
	uint32_t *group = a->group, count = s->chains.count;
	for (uint32_t k = 0; k < count; k++)
		group[s->chains.order[k]] = s->sms[k] ? k : UINT32_MAX;
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t m = 0; m < sets->sms; m++) {
			const bool *on = &sets->on[(size_t)m * count];
			uint32_t least = UINT32_MAX;
			for (uint32_t k = 0; k < count; k++)
				if (on[k] && group[s->chains.order[k]] < least)
					least = group[s->chains.order[k]];
			for (uint32_t k = 0; k < count; k++) {
				changed |= on[k] && group[s->chains.order[k]] != least;
				if (on[k])
					group[s->chains.order[k]] = least;
			}
		}
	}
	/* Every group has the index of its first task as its number: renumbers the groups from 0, by
	 * priority. */
	for (uint32_t k = 0; k < count; k++) {
		if (group[s->chains.order[k]] != k)
			continue;
		for (uint32_t l = k; l < count; l++)
			if (group[s->chains.order[l]] == k)
				group[s->chains.order[l]] = a->groups;
		a->groups++;
	}
}

static bool fill(struct stgm_state *s, struct stgm_allocation *a, struct arena *arena, struct error *err)
{
	uint32_t count = s->chains.count;
	stgm_place(s);
	for (uint32_t k = 0; k < count; k++) {
		uint32_t id = s->chains.order[k], next = 0;
		struct grant *g = &a->grants[id];
		a->sms[id] = g->count = s->sms[k];
		g->sm = arena_new(arena, uint32_t, g->count);
		if (!g->sm)
			return error_memory(err, "granting SMs");
		for (uint32_t m = 0; m < s->sets.sms; m++)
			if (s->sets.on[(size_t)m * count + k])
				g->sm[next++] = m;
	}
	number_groups(s, a);
	return true;
}

static bool can_run(const struct stgm_state *s, struct verdict *v)
{
	if (s->options.exclusive && s->chains.with_kernels > s->platform->sms &&
		s->options.test == STGM_RESPONSE_TIME)
		return verdict_refuse(v, NO_FAILING_TASK, "%u tasks have kernels, and there %s %u SM%s",
			s->chains.with_kernels, s->platform->sms == 1 ? "is" : "are", s->platform->sms,
			plural(s->platform->sms));
	return stgm_state_check(s, v);
}

bool stgm_allocate(const struct platform *platform, const struct taskset *set, const uint32_t *rank,
	const struct stgm_request *request, struct arena *arena, struct stgm_allocation *allocation,
	struct error *err)
{
	struct stgm_allocation *a = allocation;
	struct stgm_allocate_search *s = arena_new(arena, struct stgm_allocate_search, 1);
	*a = (struct stgm_allocation){
		.virtual_sms = platform_virtual_sms(platform),
		.sms = arena_new(arena, uint32_t, set->task_count),
		.grants = arena_new(arena, struct grant, set->task_count),
		.group = arena_new(arena, uint32_t, set->task_count),
	};
	if (!s || !a->sms || !a->grants || !a->group)
		return error_memory(err, "allocating SMs");
	s->least = arena_new(arena, uint32_t, set->task_count);
	s->terms = arena_new(arena, struct ratio, set->task_count);
	if (!s->least || !s->terms)
		return error_memory(err, "allocating SMs");
	if (!stgm_state_init(&s->state, platform, set, rank, &request->options, arena, err))
		return false;
	if (!can_run(&s->state, &a->verdict)) {
		a->refused = true;
		return true;
	}
	if (request->given && !check_given(&s->state, request->given, err))
		return false;
	find_least(s);
	if (!decide(s, request->given, &a->verdict) && !request->admit_any) {
		a->refused = request->options.test == STGM_RESPONSE_TIME;
		a->fallback = !a->refused;
	}
	return a->refused || a->fallback || fill(&s->state, a, arena, err);
}
