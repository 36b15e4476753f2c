/* policies/sbeet/migrate.c - `sbeet-mg` at run time: on which GPU a unit that waits starts now, and on how
 * many SMs. The steps on one GPU are sBEET's (policies/sbeet/choose.c). See policies/sbeet/fleet.h;
 * docs/policies.md has the rules. */
#include "policies/sbeet/fleet.h"

/* A walk over the units that wait. */
struct walk {
	struct fleet *f;
	int64_t now;
	const struct fleet_actions *actions;
	const struct fleet_unit *unit; /* the one in question */
};

/* A scheduler's actions know no GPU. */
struct on_gpu {
	const struct fleet_actions *actions;
	uint32_t gpu;
};

static void admit_on(
	void *self, const struct sbeet_unit *unit, const struct sbeet_placed *placed, uint32_t *sm)
{
	const struct on_gpu *on = self;
	on->actions->admit(on->actions->self, on->gpu, unit, placed, sm);
}

static bool is_full(const struct sbeet *b)
{
	return b->running_count == b->options.workers || b->free == 0;
}

static bool is_idle(const struct sbeet *b)
{
	return b->running_count == 0;
}

static struct sbeet_unit unit_on(const struct fleet *f, const struct fleet_unit *u, uint32_t gpu)
{
	return (struct sbeet_unit){
		.section = sbeet_section(&f->gpu[gpu].model, u->task, u->index),
		.job = u->job,
		.ready = u->ready,
		.deadline = u->deadline,
	};
}

static void start(const struct walk *w, uint32_t gpu, uint32_t sms)
{
	const struct sbeet_unit unit = unit_on(w->f, w->unit, gpu);
	struct on_gpu on = {.actions = w->actions, .gpu = gpu};
	const struct sbeet_actions actions = {.self = &on, .admit = admit_on};
	sbeet_admit(&w->f->gpu[gpu], w->now, &unit, sms, &actions);
}

static void say(const struct walk *w, uint32_t gpu, const struct sbeet_candidate *c, bool chosen)
{
	const struct sbeet_unit unit = unit_on(w->f, w->unit, gpu);
	w->actions->weigh(w->actions->self, gpu, &unit, c, chosen);
}

/* ---- one GPU ---- */

/* Weighs the unit on so many SMs of an idle GPU. */
static void weigh_alone(const struct walk *w, uint32_t gpu, uint32_t sms, struct sbeet_candidate *c)
{
	struct sbeet *b = &w->f->gpu[gpu];
	const struct sbeet_unit unit = unit_on(w->f, w->unit, gpu);
	c->sms = sms;
	c->end = sbeet_end(w->now, &unit, sms);
	sbeet_timetable_reach(&b->timetable, c->end);
	sbeet_weigh(b, w->now, &unit, c->end, c);
}

/* The same beside other units; true if it may start there. What was weighed is told later, or now if it
 * may not. */
static bool weigh_beside(const struct walk *w, uint32_t gpu, struct sbeet_candidate *c)
{
	const struct sbeet_unit unit = unit_on(w->f, w->unit, gpu);
	if (!sbeet_beside(&w->f->gpu[gpu], w->now, &unit, c))
		return false;
	if (!c->feasible)
		say(w, gpu, c, false);
	return c->feasible;
}

/* sBEET on a GPU that is idle: the best of 1 .. m_opt SMs, copied to *c; all others are told. */
static void weigh_all(const struct walk *w, uint32_t gpu, struct sbeet_candidate *c)
{
	struct sbeet *b = &w->f->gpu[gpu];
	const struct sbeet_unit unit = unit_on(w->f, w->unit, gpu);
	uint32_t best = sbeet_alone(b, w->now, &unit);
	for (uint32_t i = 0; i < unit.section->m_opt; i++)
		if (i != best)
			say(w, gpu, &b->candidates[i], false);
	*c = b->candidates[best];
}

/* sBEET, and nothing else. */
static void stay(const struct walk *w, uint32_t gpu)
{
	const struct sbeet *b = &w->f->gpu[gpu];
	struct sbeet_candidate *c = &w->f->weighed[gpu];
	if (is_full(b))
		return;
	if (is_idle(b))
		weigh_all(w, gpu, c);
	else if (!weigh_beside(w, gpu, c))
		return;
	say(w, gpu, c, true);
	start(w, gpu, c->sms);
}

/* ---- one of several ---- */

/* With `energy: common` all energies are of one interval, which ends when the last candidate does. */
static void compare_alike(const struct walk *w, const bool *open)
{
	struct fleet *f = w->f;
	int64_t until = w->now;
	for (uint32_t g = 0; g < f->gpus; g++)
		if (open[g])
			until = latest(until, f->weighed[g].end);
	for (uint32_t g = 0; g < f->gpus; g++) {
		const struct sbeet_unit unit = unit_on(f, w->unit, g);
		if (open[g])
			sbeet_weigh(&f->gpu[g], w->now, &unit, until, &f->weighed[g]);
	}
}

/* Starts the unit on the GPU of least energy of those that are open, if there is one; ties go to the home,
 * then to where a job costs least. */
static void start_cheapest(const struct walk *w, const bool *open)
{
	struct fleet *f = w->f;
	uint32_t task = w->unit->task, best = f->home[task];
	if (f->options.gpu.common)
		compare_alike(w, open);
	for (uint32_t i = 0; i < f->gpus; i++) {
		uint32_t g = f->ranking[(size_t)task * f->gpus + i];
		if (open[g] && (!open[best] || f->weighed[g].compared < f->weighed[best].compared))
			best = g;
	}
	for (uint32_t i = 0; i < f->gpus; i++)
		if (open[i])
			say(w, i, &f->weighed[i], i == best);
	if (open[best])
		start(w, best, f->weighed[best].sms);
}

/* The home is idle: the unit goes there, on m_opt SMs if all deadlines are kept then, else on all; or beside
 * others on a GPU that works anyway, if that takes less energy. */
static void start_at_home_or_beside(const struct walk *w, uint32_t home)
{
	struct fleet *f = w->f;
	const struct sbeet_model *m = &f->gpu[home].model;
	struct sbeet_candidate *c = &f->weighed[home];
	bool open[PLATFORM_MAX_GPUS] = {false};
	uint32_t m_opt = sbeet_section(m, w->unit->task, w->unit->index)->m_opt;
	open[home] = true;
	weigh_alone(w, home, m_opt, c);
	if (!c->feasible && m_opt < m->sms) {
		say(w, home, c, false);
		weigh_alone(w, home, m->sms, c);
	}
	for (uint32_t g = 0; g < f->gpus; g++)
		if (g != home && !is_idle(&f->gpu[g]) && !is_full(&f->gpu[g]))
			open[g] = weigh_beside(w, g, &f->weighed[g]);
	start_cheapest(w, open);
}

/* Whether the unit meets its deadline if it waits for m_opt SMs of its home, which is full. */
static bool may_wait(const struct walk *w, uint32_t home)
{
	const struct sbeet *b = &w->f->gpu[home];
	const struct sbeet_unit unit = unit_on(w->f, w->unit, home);
	uint32_t m_opt = unit.section->m_opt;
	int64_t from = INT64_MAX;
	for (uint32_t i = 0; i < b->running_count; i++) {
		int64_t at = latest(w->now, b->running[i].end);
		uint32_t sms = b->free;
		for (uint32_t j = 0; j < b->running_count; j++)
			sms += latest(w->now, b->running[j].end) <= at ? b->running[j].sms : 0;
		if (sms >= m_opt && at < from)
			from = at;
	}
	return later(from, sbeet_body(unit.section, m_opt)) <= unit.deadline;
}

/* The home is full, and the deadline would be missed: another GPU on which it is kept. */
static void flee(const struct walk *w, uint32_t home)
{
	struct fleet *f = w->f;
	bool open[PLATFORM_MAX_GPUS] = {false};
	for (uint32_t g = 0; g < f->gpus; g++) {
		if (g == home || is_full(&f->gpu[g]))
			continue;
		if (!is_idle(&f->gpu[g])) {
			open[g] = weigh_beside(w, g, &f->weighed[g]);
			continue;
		}
		weigh_all(w, g, &f->weighed[g]);
		open[g] = f->weighed[g].feasible;
		if (!open[g])
			say(w, g, &f->weighed[g], false);
	}
	start_cheapest(w, open);
}

static void migrate(const struct walk *w, uint32_t home)
{
	const struct sbeet *b = &w->f->gpu[home];
	if (is_idle(b))
		start_at_home_or_beside(w, home);
	else if (!is_full(b))
		stay(w, home);
	else if (!may_wait(w, home))
		flee(w, home);
}

/* ---- choices without predictions ---- */

/* On at most m_opt of the free SMs. */
static void take(const struct walk *w, uint32_t gpu)
{
	uint32_t m_opt = unit_on(w->f, w->unit, gpu).section->m_opt, left = w->f->gpu[gpu].free;
	start(w, gpu, left < m_opt ? left : m_opt);
}

/* Is GPU a, which comes behind b in the platform, the better choice? */
static bool prefers(const struct fleet *f, uint32_t a, uint32_t b)
{
	const struct sbeet *x = &f->gpu[a], *y = &f->gpu[b];
	switch (f->options.choice) {
	case FLEET_LITTLE:
		return x->model.sms <= y->model.sms;
	case FLEET_BIG:
		return x->model.sms > y->model.sms;
	default:
		return is_idle(x) != is_idle(y) ? is_idle(x) : !is_idle(x) && x->free > y->free;
	}
}

static void take_preferred(const struct walk *w)
{
	const struct fleet *f = w->f;
	uint32_t best = f->gpus;
	for (uint32_t g = 0; g < f->gpus; g++)
		if (!is_full(&f->gpu[g]) && (best == f->gpus || prefers(f, g, best)))
			best = g;
	take(w, best);
}

static void take_planned(const struct walk *w, uint32_t home)
{
	const struct sbeet *b = &w->f->gpu[home];
	if (!is_full(b) && b->free >= sbeet_section(&b->model, w->unit->task, w->unit->index)->m_opt)
		take(w, home);
}

/* ---- the walk ---- */

static bool all_full(const struct fleet *f)
{
	for (uint32_t g = 0; g < f->gpus; g++)
		if (!is_full(&f->gpu[g]))
			return false;
	return true;
}

/* What waits and is expected on each GPU: the units of the tasks that live there. */
static void begin(struct fleet *f, int64_t now, uint32_t count)
{
	for (uint32_t g = 0; g < f->gpus; g++) {
		struct sbeet *b = &f->gpu[g];
		uint32_t own = 0;
		for (uint32_t i = 0; i < count; i++)
			if (f->home[f->waiting[i].task] == g) {
				b->waiting[own] = unit_on(f, &f->waiting[i], g);
				sbeet_timetable_ready(&b->timetable, &b->waiting[own++]);
			}
		sbeet_timetable_begin(&b->timetable, now, b->waiting, own);
	}
}

void fleet_choose(struct fleet *f, int64_t now, uint32_t count, const struct fleet_actions *actions)
{
	struct walk w = {.f = f, .now = now, .actions = actions};
	begin(f, now, count);
	for (uint32_t i = 0; i < count && !all_full(f); i++) {
		w.unit = &f->waiting[i];
		uint32_t home = f->home[w.unit->task];
		switch (f->options.choice) {
		case FLEET_MIGRATE:
			migrate(&w, home);
			break;
		case FLEET_STAY:
			stay(&w, home);
			break;
		case FLEET_PLAN:
			take_planned(&w, home);
			break;
		case FLEET_LITTLE:
		case FLEET_BIG:
		case FLEET_BALANCED:
			take_preferred(&w);
			break;
		}
	}
}
