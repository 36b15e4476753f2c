/* policies/sbeet/choose.c - sBEET's choices: Algorithm 1, the runtime scheduler, and Algorithm 2, how many
 * SMs a unit gets. They do not depend on the gate: they serve the simulation at run time, and the offline
 * plan. See policies/sbeet/sbeet.h. */
#include "policies/sbeet/sbeet.h"

/* The longest time that a prediction looks ahead: a unit is ready, and f - now <= hd + body. */
static int64_t window(const struct sbeet_model *model, uint32_t *most_kernels)
{
	int64_t most = 0;
	*most_kernels = 0;
	for (uint32_t i = 0; i < model->sections; i++) {
		const struct sbeet_section *section = &model->section[i];
		most = latest(most, section->hd + section->longest);
		if (model->whole) /* sbeet-mg may take all SMs even where fewer are better */
			most = latest(most, sbeet_body(section, model->sms));
		*most_kernels = section->kernels > *most_kernels ? section->kernels : *most_kernels;
	}
	return most;
}

/* Memory for schedules of at most so many units, and for the intervals of their kernels. */
static bool init_predictions(struct sbeet *b, struct plan *plan, uint32_t kernels, struct error *err)
{
	uint32_t capacity = b->timetable.capacity;
	int128 units = (int128)capacity + b->options.workers + 1;
	int128 bytes = units * (sizeof(struct sbeet_placed) + (int128)kernels * sizeof(*b->intervals));
	if (bytes > SBEET_MEMORY) {
		sbeet_refuse(plan, SBEET_NOBODY,
			"a prediction of sbeet may hold %u units of up to %u kernels, "
			"which would need %lld MiB",
			(uint32_t)units, kernels, (long long)(bytes >> 20));
		return true;
	}
	b->intervals = arena_new(plan->arena, struct sbeet_interval, (size_t)(units * kernels));
	if (!b->intervals)
		return error_memory(err, "planning sbeet");
	return sbeet_schedule_init(&b->schedule, plan->arena, b->options.workers, capacity, err);
}

bool sbeet_init(struct sbeet *b, struct plan *plan, const struct sbeet_options *options, struct error *err)
{
	uint32_t tasks = plan->set->task_count, sms = b->model.sms, kernels;
	int64_t ahead = window(&b->model, &kernels);
	b->options = *options;
	if (!sbeet_timetable_init(&b->timetable, plan, &b->model, ahead, err))
		return false;
	if (plan->refused)
		return true;
	if (!init_predictions(b, plan, kernels, err))
		return false;
	b->candidates = arena_new(plan->arena, struct sbeet_candidate, sms);
	b->running = arena_new(plan->arena, struct sbeet_placed, options->workers);
	b->busy = arena_new(plan->arena, bool, tasks);
	b->holder = arena_new(plan->arena, uint32_t, sms);
	b->granted = arena_new(plan->arena, uint32_t, sms);
	b->waiting = arena_new(plan->arena, struct sbeet_unit, tasks);
	if (!b->candidates || !b->running || !b->busy || !b->holder || !b->granted || !b->waiting)
		return error_memory(err, "planning sbeet");
	for (uint32_t i = 0; i < sms; i++)
		b->holder[i] = SBEET_NOBODY;
	b->free = sms;
	b->asked = INT64_MAX;
	return true;
}

void sbeet_over(struct sbeet *b, uint32_t task)
{
	uint32_t i = 0;
	while (b->running[i].section->task != task)
		i++;
	b->running[i] = b->running[--b->running_count];
	b->busy[task] = false;
	for (uint32_t sm = 0; sm < b->model.sms; sm++)
		if (b->holder[sm] == task) {
			b->holder[sm] = SBEET_NOBODY;
			b->free++;
		}
}

void sbeet_admit(struct sbeet *b, int64_t now, const struct sbeet_unit *unit, uint32_t sms,
	const struct sbeet_actions *actions)
{
	uint32_t task = unit->section->task, found = 0;
	struct sbeet_placed *placed = &b->running[b->running_count++];
	*placed = (struct sbeet_placed){
		.section = unit->section,
		.sms = sms,
		.start = latest(now, later(unit->ready, unit->section->hd)),
		.end = sbeet_end(now, unit, sms),
	};
	for (uint32_t sm = 0; found < sms; sm++)
		if (b->holder[sm] == SBEET_NOBODY) {
			b->holder[sm] = task;
			b->granted[found++] = sm;
		}
	b->free -= sms;
	b->busy[task] = true;
	actions->admit(actions->self, unit, placed, b->granted);
}

static struct sbeet_situation situation(const struct sbeet *b, int64_t now)
{
	return (struct sbeet_situation){
		.model = &b->model,
		.now = now,
		.workers = b->options.workers,
		.running = b->running,
		.running_count = b->running_count,
		.busy = b->busy,
	};
}

/* Of the predicted schedule, and of all GPUs beside this one, over [now, until). */
static int128 energy(struct sbeet *b, int64_t now, int64_t until)
{
	int128 own = sbeet_energy(&b->model, &b->schedule, now, until, b->intervals);
	return b->beside ? own + b->beside(b->fleet, b, now, until) : own;
}

void sbeet_weigh(
	struct sbeet *b, int64_t now, const struct sbeet_unit *unit, int64_t until, struct sbeet_candidate *c)
{
	const struct sbeet_situation s = situation(b, now);
	sbeet_predict(&s, &b->timetable, unit, c->sms, &b->schedule);
	c->end = b->schedule.end;
	c->feasible = b->schedule.feasible;
	c->energy = energy(b, now, c->end);
	c->compared = b->options.common && until != c->end ? energy(b, now, until) : c->energy;
}

/* Is `a` a better choice than `b`? `b` was tried before, so it has more SMs (Algorithm 2, lines 10-14;
 * R8). */
static bool better(const struct sbeet_candidate *a, const struct sbeet_candidate *b, bool fastest)
{
	if (a->feasible != b->feasible)
		return a->feasible;
	if (!a->feasible && fastest)
		return a->end < b->end;
	return a->compared < b->compared;
}

uint32_t sbeet_alone(struct sbeet *b, int64_t now, const struct sbeet_unit *unit)
{
	uint32_t most = unit->section->m_opt, best = 0;
	int64_t until = now;
	for (uint32_t m = 1; m <= most; m++)
		until = latest(until, sbeet_end(now, unit, m));
	sbeet_timetable_reach(&b->timetable, until);
	for (uint32_t i = 0; i < most; i++) {
		b->candidates[i].sms = most - i;
		sbeet_weigh(b, now, unit, until, &b->candidates[i]);
		if (better(&b->candidates[i], &b->candidates[best], b->options.fastest))
			best = i;
	}
	return best;
}

static void choose_sms(
	struct sbeet *b, int64_t now, const struct sbeet_unit *unit, const struct sbeet_actions *actions)
{
	uint32_t best = sbeet_alone(b, now, unit);
	for (uint32_t i = 0; i < unit->section->m_opt; i++)
		actions->weigh(actions->self, unit, &b->candidates[i], i == best);
	sbeet_admit(b, now, unit, b->candidates[best].sms, actions);
}

bool sbeet_beside(struct sbeet *b, int64_t now, const struct sbeet_unit *unit, struct sbeet_candidate *c)
{
	const struct sbeet_section *section = unit->section;
	int64_t others = now;
	for (uint32_t i = 0; i < b->running_count; i++)
		others = latest(others, b->running[i].end);
	c->sms = b->free < section->m_opt ? b->free : section->m_opt;
	c->end = sbeet_end(now, unit, c->sms);
	/* Line 18: if it waited for the others and then had all SMs, it would end earlier. So it waits, and
	 * nothing is predicted. */
	if (c->end > later(others, sbeet_body(section, b->model.sms)))
		return false;
	sbeet_timetable_reach(&b->timetable, c->end);
	sbeet_weigh(b, now, unit, c->end, c);
	return true;
}

static void join(
	struct sbeet *b, int64_t now, const struct sbeet_unit *unit, const struct sbeet_actions *actions)
{
	struct sbeet_candidate *c = &b->candidates[0];
	if (!sbeet_beside(b, now, unit, c))
		return;
	actions->weigh(actions->self, unit, c, c->feasible);
	if (c->feasible)
		sbeet_admit(b, now, unit, c->sms, actions);
}

void sbeet_choose(struct sbeet *b, int64_t now, uint32_t count, const struct sbeet_actions *actions)
{
	sbeet_timetable_begin(&b->timetable, now, b->waiting, count);
	uint32_t running = b->running_count;
	for (uint32_t i = 0; i < count; i++) {
		if (b->running_count == b->options.workers || b->free == 0)
			return;
		if (b->waiting[i].ready > b->asked)
			continue;
		if (b->running_count == 0)
			choose_sms(b, now, &b->waiting[i], actions);
		else
			join(b, now, &b->waiting[i], actions);
		if (b->options.stops && b->running_count > running)
			return;
	}
}
