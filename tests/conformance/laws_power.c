/* tests/conformance/laws_power.c - power at every instant from the blocks on the SMs, and energy as its
 * integral (docs/model.md, "Power and energy"; sBEET eq. 1-5), summed up anew. */
#include <inttypes.h>
#include <stdlib.h>

#include "tests/conformance/law.h"

struct load {
	const struct seen *s;
	uint32_t sms;
	const struct op_seen **kernel; /* [tasks] the task's kernel on the GPU */
	int64_t *blocks;               /* [tasks][sms] */
};

static int64_t half_even(int128 a, int128 b)
{
	int128 floor = a / b - (a % b != 0 && a < 0), twice = 2 * (a - floor * b);
	return (int64_t)(floor + (twice > b || (twice == b && floor % 2 != 0)));
}

static int64_t share(const struct op_seen *op)
{
	return half_even(op->fact->whole_uw, op->fact->sms);
}

/* The mean of the kernels' per-SM powers on an SM, weighted by threads, else by blocks. *users: kernels. */
static int64_t mean(const struct load *l, uint32_t sm, uint32_t *users, int64_t *threads)
{
	int128 by_threads = 0, by_blocks = 0;
	int64_t blocks = 0;
	*users = 0;
	*threads = 0;
	for (uint32_t i = 0; i < l->s->set->task_count; i++) {
		int64_t here = l->blocks[i * l->sms + sm];
		if (here == 0)
			continue;
		int64_t of_task = here * l->kernel[i]->fact->need.threads;
		(*users)++;
		*threads += of_task;
		blocks += here;
		by_threads += (int128)share(l->kernel[i]) * of_task;
		by_blocks += (int128)share(l->kernel[i]) * here;
	}
	return *users == 0 ? 0 : *threads ? half_even(by_threads, *threads) : half_even(by_blocks, blocks);
}

/* Is the task's kernel alone on all its SMs, all of them active? It then counts exactly P_d(m). */
static bool alone_on_all(const struct load *l, uint32_t task)
{
	uint32_t on = 0, users;
	int64_t threads;
	for (uint32_t sm = 0; sm < l->sms; sm++) {
		if (l->blocks[task * l->sms + sm] == 0)
			continue;
		on++;
		mean(l, sm, &users, &threads);
		if (users > 1)
			return false;
	}
	return on > 0 && on == l->kernel[task]->fact->sms;
}

static int64_t power_of(const struct load *l, uint32_t *active)
{
	const struct platform *p = l->s->platform;
	int64_t dynamic = 0, threads;
	uint32_t users;
	*active = 0;
	if (p->pool == POOL_GPU) {
		int64_t per_sm = mean(l, 0, &users, &threads);
		*active = users ? (uint32_t)((threads + p->threads_per_sm - 1) / p->threads_per_sm) : 0;
		dynamic = per_sm * *active;
	}
	for (uint32_t sm = 0; p->pool == POOL_SM && sm < l->sms; sm++) {
		dynamic += mean(l, sm, &users, &threads);
		*active += users > 0;
	}
	for (uint32_t i = 0; p->pool == POOL_SM && i < l->s->set->task_count; i++)
		if (alone_on_all(l, i))
			dynamic +=
				l->kernel[i]->fact->whole_uw - share(l->kernel[i]) * l->kernel[i]->fact->sms;
	return p->static_uw + (*active ? dynamic + p->idle_per_sm_uw * (p->sms - *active) : 0);
}

/* ---- through the trace ---- */

typedef void span_fn(const struct load *l, int64_t from, int64_t to, void *self);

static void each_span(const struct seen *s, span_fn *fn, void *self, struct verdict *v)
{
	struct load l = {.s = s, .sms = s->platform->pool == POOL_GPU ? 1 : s->platform->sms};
	l.kernel = calloc(s->set->task_count, sizeof(*l.kernel));
	l.blocks = calloc((size_t)s->set->task_count * l.sms + 1, sizeof(*l.blocks));
	int64_t since = 0;
	for (size_t i = 0; l.kernel && l.blocks && i < s->count; i++) {
		const struct trace_record *r = &s->records[i];
		bool start = r->kind == TRACE_BLOCKS_START;
		if (!start && r->kind != TRACE_BLOCKS_END)
			continue;
		if (r->time > since)
			fn(&l, since, r->time, self);
		since = r->time;
		l.kernel[r->task] = seen_op(s, r->task, r->job, r->segment);
		l.blocks[r->task * l.sms + (l.sms > 1 ? r->index : 0)] +=
			start ? r->count : -(int64_t)r->count;
	}
	if (!l.kernel || !l.blocks)
		law_broken(v, "out of memory");
	else if (s->outcome.energy_end_ns > since)
		fn(&l, since, s->outcome.energy_end_ns, self);
	free(l.kernel);
	free(l.blocks);
}

static void integrate(const struct load *l, int64_t from, int64_t to, void *self)
{
	uint32_t active;
	int128 *energy = self;
	*energy += (int128)power_of(l, &active) * (to - from);
}

void holds_energy(const struct seen *s, struct verdict *v)
{
	int128 energy = 0;
	if (s->strays)
		return; /* "precedence" tells */
	each_span(s, integrate, &energy, v);
	if (energy != s->energy)
		law_broken(v, "the energy is %" PRId64 ", the integral of power %" PRId64 " uW ns",
			(int64_t)s->energy, (int64_t)energy);
}

struct comparing {
	const struct seen *s;
	struct verdict *v;
};

static void compare(const struct load *l, int64_t from, int64_t to, void *self)
{
	struct comparing *c = self;
	uint32_t active;
	int64_t uw = power_of(l, &active);
	for (size_t i = 0; i < c->s->power_count; i++) {
		const struct power_seen *p = &c->s->powers[i];
		if (p->end <= from || p->start >= to)
			continue;
		if (p->uw != uw || p->active != active || p->idle != c->s->platform->sms - active)
			law_broken(c->v,
				"in [%" PRId64 ", %" PRId64 ") the power is %" PRId64
				" uW on %u SMs, recorded %" PRId64 " on %u",
				from, to, uw, active, p->uw, p->active);
	}
}

void holds_power_intervals(const struct seen *s, struct verdict *v)
{
	struct comparing c = {s, v};
	int64_t end = 0;
	int128 sum = 0;
	if (s->strays)
		return;
	for (size_t i = 0; i < s->power_count; i++) {
		const struct power_seen *p = &s->powers[i];
		bool alike = i > 0 && p[-1].uw == p->uw && p[-1].active == p->active;
		if (p->start != end || p->end <= p->start || alike)
			law_broken(v,
				"power interval [%" PRId64 ", %" PRId64 ") after one that ends at %" PRId64,
				p->start, p->end, end);
		end = p->end;
		sum += (int128)p->uw * (p->end - p->start);
	}
	if (end != s->outcome.energy_end_ns || sum != s->energy)
		law_broken(v, "the power intervals end at %" PRId64 ", or do not sum up to the energy", end);
	each_span(s, compare, &c, v);
}

/* ---- whose it is ---- */

/* What the first kernels on an SM, by task index up to `last`, put into the mean, which is rounded. */
static int64_t mean_up_to(const struct load *l, uint32_t sm, uint32_t last)
{
	int128 by_threads = 0, by_blocks = 0;
	int64_t threads = 0, blocks = 0;
	for (uint32_t i = 0; i < l->s->set->task_count; i++) {
		int64_t here = l->blocks[i * l->sms + sm];
		if (here == 0)
			continue;
		blocks += here;
		threads += here * l->kernel[i]->fact->need.threads;
		if (i > last)
			continue;
		by_blocks += (int128)share(l->kernel[i]) * here;
		by_threads += (int128)share(l->kernel[i]) * here * l->kernel[i]->fact->need.threads;
	}
	return threads ? half_even(by_threads, threads) : half_even(by_blocks, blocks);
}

/* The task's part of the power on one SM. */
static int64_t part_of(const struct load *l, uint32_t sm, uint32_t task)
{
	if (l->blocks[task * l->sms + sm] == 0)
		return 0;
	return mean_up_to(l, sm, task) - (task ? mean_up_to(l, sm, task - 1) : 0);
}

static void integrate_tasks(const struct load *l, int64_t from, int64_t to, void *self)
{
	const struct platform *p = l->s->platform;
	int128 *energies = self;
	uint32_t active;
	power_of(l, &active);
	for (uint32_t i = 0; i < l->s->set->task_count; i++) {
		int64_t uw = 0;
		for (uint32_t sm = 0; sm < l->sms; sm++)
			uw += part_of(l, sm, i) * (p->pool == POOL_GPU ? active : 1);
		if (p->pool == POOL_SM && alone_on_all(l, i))
			uw += l->kernel[i]->fact->whole_uw - share(l->kernel[i]) * l->kernel[i]->fact->sms;
		energies[i] += (int128)uw * (to - from);
	}
}

void holds_task_energies(const struct seen *s, struct verdict *v)
{
	const struct platform *p = s->platform;
	int128 sum = (int128)p->static_uw * s->outcome.energy_end_ns +
		     p->idle_per_sm_uw * ((int128)p->sms * s->active_ns - s->sm_active_ns);
	int128 *energies = calloc(s->set->task_count + 1, sizeof(*energies));
	if (s->strays || !energies) {
		free(energies);
		return;
	}
	each_span(s, integrate_tasks, energies, v);
	for (uint32_t i = 0; i < s->set->task_count; i++) {
		sum += s->task_energies[i];
		if (energies[i] != s->task_energies[i])
			law_broken(v, "task %u took %" PRId64 " uW ns, by its blocks %" PRId64, i,
				(int64_t)s->task_energies[i], (int64_t)energies[i]);
	}
	free(energies);
	if (sum != s->energy)
		law_broken(v,
			"static, idle and the tasks' energy come to %" PRId64
			" uW ns, the energy to %" PRId64,
			(int64_t)sum, (int64_t)s->energy);
}

struct activity {
	int64_t active_ns;
	int128 sm_active_ns;
};

static void integrate_activity(const struct load *l, int64_t from, int64_t to, void *self)
{
	struct activity *a = self;
	uint32_t active;
	power_of(l, &active);
	a->active_ns += active ? to - from : 0;
	a->sm_active_ns += (int128)active * (to - from);
}

void holds_activity(const struct seen *s, struct verdict *v)
{
	struct activity a = {0};
	if (s->strays)
		return;
	each_span(s, integrate_activity, &a, v);
	if (a.active_ns != s->active_ns || a.sm_active_ns != s->sm_active_ns)
		law_broken(v,
			"SMs are active for %" PRId64 " ns (%" PRId64 " in sum), said are %" PRId64
			" (%" PRId64 ")",
			a.active_ns, (int64_t)a.sm_active_ns, s->active_ns, (int64_t)s->sm_active_ns);
}
