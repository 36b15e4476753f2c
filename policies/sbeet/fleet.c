/* policies/sbeet/fleet.c - owns the GPUs of `sbeet-mg`: a scheduler for each, what a job costs on each, and
 * the energy of all of them together. See policies/sbeet/fleet.h. */
#include "policies/sbeet/fleet.h"

/* The energy of all GPUs but `self` over [now, until): their admitted units run as predicted when they were
 * admitted, and nothing else does. */
static int128 beside(void *fleet, const struct sbeet *self, int64_t now, int64_t until)
{
	struct fleet *f = fleet;
	int128 sum = 0;
	for (uint32_t g = 0; g < f->gpus; g++) {
		struct sbeet *b = &f->gpu[g];
		const struct sbeet_schedule running = {.placed = b->running, .count = b->running_count};
		if (b != self)
			sum += sbeet_energy(&b->model, &running, now, until, b->intervals);
	}
	return sum;
}

/* A scheduler for one GPU. They all see the same tasks as busy. */
static bool init_gpu(struct fleet *f, struct plan *plan, uint32_t g, struct error *err)
{
	struct sbeet *b = &f->gpu[g];
	if (!sbeet_model_build_on(plan, platform_gpu(plan->platform, g), true, &b->model, err))
		return false;
	if (plan->refused)
		return true;
	if (!sbeet_init(b, plan, &f->options.gpu, err))
		return false;
	b->timetable.home = f->home;
	b->timetable.gpu = g;
	b->busy = f->gpu[0].busy;
	b->beside = beside;
	b->fleet = f;
	return true;
}

/* What the GPU sections of a job cost on each GPU, and the order of the GPUs by that. */
static void rank_gpus(struct fleet *f, uint32_t task)
{
	int128 *cost = f->cost + (size_t)task * f->gpus;
	uint32_t *ranking = f->ranking + (size_t)task * f->gpus;
	for (uint32_t g = 0; g < f->gpus; g++) {
		const struct sbeet_model *m = &f->gpu[g].model;
		for (uint32_t i = 0; i < sbeet_sections_of(m, task); i++) {
			const struct sbeet_section *section = sbeet_section(m, task, i);
			cost[g] += sbeet_cost(m, section, section->m_opt);
		}
		uint32_t at = g;
		for (; at > 0 && cost[g] < cost[ranking[at - 1]]; at--)
			ranking[at] = ranking[at - 1];
		ranking[at] = g;
	}
}

bool fleet_init(struct fleet *f, struct plan *plan, const struct fleet_options *options, struct error *err)
{
	uint32_t tasks = plan->set->task_count, gpus = platform_gpus(plan->platform);
	*f = (struct fleet){
		.set = plan->set,
		.options = *options,
		.gpus = gpus,
		.gpu = arena_new(plan->arena, struct sbeet, gpus),
		.home = arena_new(plan->arena, uint32_t, tasks),
		.ranking = arena_new(plan->arena, uint32_t, (size_t)tasks * gpus),
		.cost = arena_new(plan->arena, int128, (size_t)tasks * gpus),
		.load = arena_new(plan->arena, int128, gpus),
		.order = arena_new(plan->arena, uint32_t, tasks),
		.key = arena_new(plan->arena, int128, tasks),
		.waiting = arena_new(plan->arena, struct fleet_unit, tasks),
		.weighed = arena_new(plan->arena, struct sbeet_candidate, gpus),
	};
	if (!f->gpu || !f->home || !f->ranking || !f->cost || !f->load || !f->order || !f->key ||
		!f->waiting || !f->weighed)
		return error_memory(err, "planning sbeet-mg");
	for (uint32_t g = 0; g < gpus && !plan->refused; g++)
		if (!init_gpu(f, plan, g, err))
			return false;
	if (plan->refused)
		return true;
	for (uint32_t i = 0; i < tasks; i++)
		rank_gpus(f, i);
	fleet_assign(f);
	return true;
}

uint32_t fleet_where(const struct fleet *f, uint32_t task)
{
	for (uint32_t g = 0; g < f->gpus; g++)
		for (uint32_t i = 0; i < f->gpu[g].running_count; i++)
			if (f->gpu[g].running[i].section->task == task)
				return g;
	return f->gpus;
}

void fleet_over(struct fleet *f, uint32_t task)
{
	sbeet_over(&f->gpu[fleet_where(f, task)], task);
}
