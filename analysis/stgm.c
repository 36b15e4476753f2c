/* analysis/stgm.c - see analysis/stgm.h: the bounds for a given allocation. */
#include "analysis/stgm.h"

#include "analysis/stgm_test.h"
#include "base/text.h"
#include "base/units.h"

static void refuse(const struct stgm_state *s, uint32_t k, int64_t response, struct verdict *v)
{
	const struct task *task = s->task[k].chain->task;
	char bound[UNIT_TEXT_MAX], deadline[UNIT_TEXT_MAX];
	const int64_t times[] = {response, task->deadline_ns};
	unit_format_alike(UNIT_TIME, times, bound, deadline);
	if (response == NO_BOUND)
		verdict_refuse(
			v, s->chains.order[k], "task '%s': no bound on its response was found", task->name);
	else
		verdict_refuse(v, s->chains.order[k],
			"task '%s': the bound on its response, %s, exceeds its deadline, %s", task->name,
			bound, deadline);
}

static bool check_given(const struct stgm_state *s, const uint32_t *sms, struct verdict *v)
{
	uint64_t sum = 0;
	for (uint32_t k = 0; k < s->chains.count; k++) {
		uint32_t id = s->chains.order[k];
		bool kernels = s->task[k].chain->kernels > 0;
		sum += sms[id];
		if (kernels != (sms[id] > 0) || sms[id] > s->platform->sms)
			return verdict_refuse(v, id, "task '%s' cannot run on %u SM%s",
				s->task[k].chain->task->name, sms[id], plural(sms[id]));
	}
	if (s->options.exclusive && sum > s->platform->sms)
		return verdict_refuse(v, NO_FAILING_TASK, "%llu SMs are given of %u", (unsigned long long)sum,
			s->platform->sms);
	return true;
}

/* Higher tasks count by their releases, from an instant on at which none of them is active, whether or not
 * they are in time. So do lower tasks that never need the core, but these must not have a backlog. */
static void test_all(const struct stgm_state *s, struct stgm_bounds *bounds)
{
	verdict_accept(&bounds->verdict);
	for (uint32_t k = 0; k < s->chains.count; k++) {
		const struct stgm_task *t = &s->task[k];
		struct stgm_bound *b = &bounds->task[s->chains.order[k]];
		b->analysed = true;
		b->own = t->cpu;
		b->copy = t->copies;
		b->gpu = t->kernels;
		b->response = stgm_response(s, k, true, &b->blocking, b->interference);
		b->assumed = t->coreless && k > 0 && b->response > t->chain->task->period_ns;
		if (b->response > t->chain->task->deadline_ns && bounds->verdict.accepted)
			refuse(s, k, b->response, &bounds->verdict);
	}
}

bool stgm_analyse(const struct platform *platform, const struct taskset *set, const uint32_t *rank,
	const struct stgm_options *options, const uint32_t *sms, struct arena *arena,
	struct stgm_bounds *bounds, struct error *err)
{
	struct stgm_state *s = arena_new(arena, struct stgm_state, 1);
	*bounds = (struct stgm_bounds){.task = arena_new(arena, struct stgm_bound, set->task_count)};
	if (!s || !bounds->task)
		return error_memory(err, "preparing STGM's bounds");
	for (uint32_t i = 0; i < set->task_count; i++) {
		bounds->task[i].interference = arena_new(arena, int64_t, set->task_count);
		if (!bounds->task[i].interference)
			return error_memory(err, "preparing STGM's bounds");
	}
	if (!stgm_state_init(s, platform, set, rank, options, arena, err))
		return false;
	if (!chains_check(platform, &s->chains, &bounds->verdict) || !stgm_state_check(s, &bounds->verdict) ||
		!check_given(s, sms, &bounds->verdict))
		return true;
	for (uint32_t k = 0; k < s->chains.count; k++)
		stgm_give(s, k, sms[s->chains.order[k]]);
	stgm_place(s);
	test_all(s, bounds);
	return true;
}
