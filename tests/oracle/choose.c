/* tests/oracle/choose.c - where sections go under sbeet-mg (docs/policies.md, "sbeet-mg"): homes, and what is
 * chosen when a unit is admitted. The GPU's schedules are predicted in predict.c. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/oracle/predict.h"

/* ---- segments on a GPU ---- */

struct segment oracle_segment_on(const struct oracle *o, uint32_t task, uint32_t segment, uint32_t gpu)
{
	struct segment s = o->named->tasks[task].segments[segment];
	const struct platform *p = oracle_device(o, gpu);
	if (s.kind == SEGMENT_CPU || s.gpu == gpu)
		return s;
	s.gpu = gpu;
	if (s.kind == SEGMENT_COPY && s.bytes >= 0) {
		int128 bits = (int128)s.bytes * 1000000000;
		s.best_ns = s.worst_ns =
			p->copy_latency_ns + (int64_t)((bits + p->copy_bandwidth - 1) / p->copy_bandwidth);
	} else if (s.kind == SEGMENT_COPY && s.copy_time_count > 0) {
		s.best_ns = s.copy_times[gpu].best_ns;
		s.worst_ns = s.copy_times[gpu].worst_ns;
	}
	return s;
}

static void *room(size_t count, size_t size)
{
	void *all = calloc(count + 1, size);
	if (!all) {
		fputs("oracle: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	return all;
}

static void put_on(struct oracle *o, uint32_t task, uint32_t gpu)
{
	struct section s = oracle_section_at(o, task, o->tasks[task].unit_first);
	for (uint32_t i = s.first; i < s.behind; i++)
		o->set->tasks[task].segments[i] = oracle_segment_on(o, task, i, gpu);
}

void oracle_go_back(struct oracle *o, uint32_t task)
{
	const struct task *named = &o->named->tasks[task];
	if (oracle_chooses(o) && named->segment_count > 0)
		memcpy(o->set->tasks[task].segments, named->segments,
			named->segment_count * sizeof(*named->segments));
}

/* ---- homes ---- */

#define ONE ((int128)1000000000000) /* utilisations are rounded up to 10^-12 */

static int128 share_of(int128 time, int128 period)
{
	return (time * ONE + period - 1) / period;
}

/* A task on a GPU, all its sections together. */
struct living {
	int128 cost;  /* e_g */
	int128 load;  /* u_g */
	int64_t best; /* on m_opt SMs each */
};

static struct living living_on(const struct oracle *o, uint32_t task, uint32_t gpu)
{
	const struct task *t = &o->named->tasks[task];
	uint32_t sms = oracle_device(o, gpu)->sms;
	struct living l = {0};
	int128 sum = 0;
	for (uint32_t i = 0; i < t->segment_count; i++) {
		struct section s = oracle_section_at(o, task, i);
		int128 cost = 0;
		if (t->segments[i].kind == SEGMENT_CPU || s.first != i || !s.kernels)
			continue;
		l.best += oracle_body(o, &s, gpu, oracle_optimal_sms(o, &s, gpu, &cost));
		l.cost += cost;
		for (uint32_t m = 1; m <= sms; m++)
			sum += oracle_body(o, &s, gpu, m);
	}
	l.load = share_of(sum, (int128)sms * t->period_ns);
	return l;
}

static int128 size_of(const struct oracle *o, uint32_t task)
{
	uint32_t gpus = platform_gpus(o->platform);
	int128 sum = 0;
	for (uint32_t gpu = 0; gpu < gpus; gpu++)
		sum += living_on(o, task, gpu).load;
	return (sum + gpus - 1) / gpus;
}

static uint32_t given_home(const struct oracle *o, uint32_t task)
{
	const struct task *t = &o->named->tasks[task];
	for (uint32_t i = 0; i < t->segment_count; i++)
		if (t->segments[i].kind == SEGMENT_KERNEL)
			return t->segments[i].gpu;
	return 0;
}

/* Least energy, of those with room; else where the sum would be least. */
static uint32_t home_by_energy(const struct oracle *o, uint32_t task, int128 *loads)
{
	uint32_t gpus = platform_gpus(o->platform), least = 0, best = gpus;
	struct living on[PLATFORM_MAX_GPUS];
	for (uint32_t g = 0; g < gpus; g++) {
		on[g] = living_on(o, task, g);
		if (loads[g] + on[g].load < loads[least] + on[least].load)
			least = g;
		if (loads[g] + on[g].load <= ONE && (best == gpus || on[g].cost < on[best].cost))
			best = g;
	}
	if (best < gpus) {
		loads[best] += on[best].load;
		return best;
	}
	loads[least] += share_of(on[least].best, o->named->tasks[task].period_ns);
	return least;
}

static uint32_t home_by_size(const struct oracle *o, uint32_t task, int128 *loads)
{
	uint32_t gpus = platform_gpus(o->platform), emptiest = 0, best = gpus;
	int128 size = size_of(o, task);
	for (uint32_t g = 0; g < gpus; g++) {
		emptiest = loads[g] < loads[emptiest] ? g : emptiest;
		if (loads[g] + size > ONE || o->policy->assign == ORACLE_WORST_FIT)
			continue;
		if (best == gpus || (o->policy->assign == ORACLE_BEST_FIT && loads[g] > loads[best]))
			best = g;
	}
	best = best < gpus ? best : emptiest;
	loads[best] += size;
	return best;
}

static bool lives_first(const struct oracle *o, uint32_t a, uint32_t b)
{
	if (o->policy->assign == ORACLE_BY_ENERGY)
		return o->named->tasks[a].period_ns < o->named->tasks[b].period_ns;
	return size_of(o, a) > size_of(o, b);
}

static void give_homes(struct oracle *o)
{
	bool has[ORACLE_TASKS] = {false};
	int128 loads[PLATFORM_MAX_GPUS] = {0};
	uint32_t count = o->set->task_count;
	assert(count <= ORACLE_TASKS);
	for (uint32_t n = 0; n < count; n++) {
		uint32_t next = count;
		for (uint32_t task = 0; task < count; task++)
			if (!has[task] && (next == count || lives_first(o, task, next)))
				next = task;
		has[next] = true;
		if (o->policy->assign == ORACLE_GIVEN)
			o->tasks[next].home = given_home(o, next);
		else if (o->policy->assign == ORACLE_BY_ENERGY)
			o->tasks[next].home = home_by_energy(o, next, loads);
		else
			o->tasks[next].home = home_by_size(o, next, loads);
	}
}

void oracle_make_choosing(struct oracle *o)
{
	if (!oracle_chooses(o))
		return;
	struct taskset *set = &o->moved;
	*set = *o->named;
	set->tasks = room(set->task_count, sizeof(*set->tasks));
	for (uint32_t task = 0; task < set->task_count; task++) {
		set->tasks[task] = o->named->tasks[task];
		set->tasks[task].segments =
			room(set->tasks[task].segment_count, sizeof(*set->tasks[task].segments));
	}
	o->set = set;
	for (uint32_t task = 0; task < set->task_count; task++)
		oracle_go_back(o, task);
	give_homes(o);
}

void oracle_end_choosing(struct oracle *o)
{
	if (!oracle_chooses(o))
		return;
	for (uint32_t task = 0; task < o->set->task_count; task++)
		free(o->set->tasks[task].segments);
	free(o->set->tasks);
	o->set = o->named;
}

/* ---- starts ---- */

static bool full(const struct oracle *o, uint32_t gpu)
{
	return oracle_units_on(o, gpu) >= o->policy->workers || oracle_sms_left(o, gpu) == 0;
}

static void start(struct oracle *o, const struct unit *j, uint32_t gpu, uint32_t sms)
{
	put_on(o, j->section.task, gpu);
	oracle_admit_on(o, j, gpu, sms);
}

static void start_chosen(struct oracle *o, const struct unit *j, struct prediction *p)
{
	oracle_record_decision(o, j, p, true);
	start(o, j, p->gpu, p->sms);
	oracle_prediction_finish(p);
}

static uint32_t home_of(const struct oracle *o, const struct unit *j)
{
	return o->tasks[j->section.task].home;
}

/* sBEET on the home alone. */
static void stay(struct oracle *o, const struct unit *j)
{
	uint32_t home = home_of(o, j);
	struct prediction p;
	if (full(o, home))
		return;
	if (oracle_units_on(o, home) == 0)
		p = oracle_weigh_idle(o, j, home);
	else if (!oracle_weigh_beside(o, j, home, &p))
		return;
	start_chosen(o, j, &p);
}

/* Does a go before b, if they take as much energy? Home does; then e_g decides, then the number. */
static bool wins_tie(const struct oracle *o, const struct unit *j, uint32_t a, uint32_t b)
{
	uint32_t task = j->section.task, home = home_of(o, j);
	if (a == home || b == home)
		return a == home;
	int128 of_a = living_on(o, task, a).cost, of_b = living_on(o, task, b).cost;
	return of_a < of_b || (of_a == of_b && a < b);
}

static void start_cheapest(struct oracle *o, const struct unit *j, struct prediction *offers, uint32_t count)
{
	int64_t latest = 0;
	uint32_t best = 0;
	int128 least = 0;
	for (uint32_t i = 0; i < count; i++)
		latest = offers[i].f > latest ? offers[i].f : latest;
	for (uint32_t i = 0; i < count; i++) {
		int64_t until = o->policy->common_window ? latest : offers[i].f;
		int128 energy = oracle_prediction_energy(o, &offers[i], until);
		if (i == 0 || energy < least ||
			(energy == least && wins_tie(o, j, offers[i].gpu, offers[best].gpu))) {
			best = i;
			least = energy;
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		if (i == best)
			continue;
		oracle_record_decision(o, j, &offers[i], false);
		oracle_prediction_finish(&offers[i]);
	}
	if (count > 0)
		start_chosen(o, j, &offers[best]);
}

/* From when m_opt SMs of the home, which is full, and a worker are free, as predicted. */
static int64_t free_at_home(const struct oracle *o, const struct unit *j, uint32_t m)
{
	uint32_t home = home_of(o, j);
	for (int64_t t = o->now;; t++) {
		uint32_t sms = oracle_sms_left(o, home), units = 0;
		for (uint32_t task = 0; task < o->set->task_count; task++) {
			const struct task_state *s = &o->tasks[task];
			if (s->unit != UNIT_ADMITTED || s->gpu != home || s->chosen.count == 0)
				continue;
			if (s->predicted_end <= t)
				sms += s->chosen.count;
			else
				units++;
		}
		if (sms >= m && units < o->policy->workers)
			return t;
	}
}

/* m_opt SMs, if that is in time, else all. */
static struct prediction offer_of_idle_home(struct oracle *o, const struct unit *j, uint32_t m_opt)
{
	uint32_t home = home_of(o, j), all = oracle_device(o, home)->sms;
	struct prediction p = oracle_generate(o, j, home, m_opt);
	if (p.feasible || m_opt == all)
		return p;
	oracle_record_decision(o, j, &p, false);
	oracle_prediction_finish(&p);
	return oracle_generate(o, j, home, all);
}

static bool offer_of_idle(struct oracle *o, const struct unit *j, uint32_t gpu, struct prediction *p)
{
	*p = oracle_weigh_idle(o, j, gpu);
	if (p->feasible)
		return true;
	oracle_record_decision(o, j, p, false);
	oracle_prediction_finish(p);
	return false;
}

static void migrate(struct oracle *o, const struct unit *j)
{
	uint32_t home = home_of(o, j), count = 0;
	struct prediction offers[PLATFORM_MAX_GPUS];
	int128 cost = 0;
	uint32_t m_opt = oracle_optimal_sms(o, &j->section, home, &cost);
	bool idle = oracle_units_on(o, home) == 0;
	if (!idle && !full(o, home)) {
		stay(o, j);
		return;
	}
	if (idle)
		offers[count++] = offer_of_idle_home(o, j, m_opt);
	else if (free_at_home(o, j, m_opt) + oracle_body(o, &j->section, home, m_opt) <= j->d)
		return;
	for (uint32_t gpu = 0; gpu < platform_gpus(o->platform); gpu++) {
		bool active = oracle_units_on(o, gpu) > 0;
		if (gpu == home || full(o, gpu) || (idle && !active))
			continue;
		if (active ? oracle_weigh_beside(o, j, gpu, &offers[count])
			   : offer_of_idle(o, j, gpu, &offers[count]))
			count++;
	}
	start_cheapest(o, j, offers, count);
}

/* Does the section rather go to a than to b, which has the lower number? Neither is full. */
static bool rather(const struct oracle *o, uint32_t a, uint32_t b)
{
	if (o->policy->choice == ORACLE_SMALLEST)
		return oracle_device(o, a)->sms <= oracle_device(o, b)->sms;
	if (o->policy->choice == ORACLE_LARGEST)
		return oracle_device(o, a)->sms > oracle_device(o, b)->sms;
	bool idle_a = oracle_units_on(o, a) == 0, idle_b = oracle_units_on(o, b) == 0;
	if (idle_a || idle_b)
		return idle_a && !idle_b;
	return oracle_sms_left(o, a) > oracle_sms_left(o, b);
}

/* Without predictions. */
static void start_anywhere(struct oracle *o, const struct unit *j)
{
	uint32_t gpus = platform_gpus(o->platform), best = gpus;
	int128 cost = 0;
	for (uint32_t gpu = 0; gpu < gpus; gpu++) {
		bool may = !full(o, gpu);
		if (o->policy->choice == ORACLE_GOES_HOME)
			may = may && gpu == home_of(o, j) &&
			      oracle_sms_left(o, gpu) >= oracle_optimal_sms(o, &j->section, gpu, &cost);
		if (may && (best == gpus || rather(o, gpu, best)))
			best = gpu;
	}
	if (best == gpus)
		return;
	uint32_t m = oracle_optimal_sms(o, &j->section, best, &cost), left = oracle_sms_left(o, best);
	start(o, j, best, left < m ? left : m);
}

/* ---- decisions ---- */

/* Sections of copies alone go home at once. */
static void start_copies_alone(struct oracle *o)
{
	for (uint32_t task = 0; task < o->set->task_count; task++) {
		if (o->tasks[task].unit != UNIT_WAITING)
			continue;
		struct unit j = oracle_waiting_unit(o, task);
		if (j.section.kernels)
			continue;
		put_on(o, task, home_of(o, &j));
		o->tasks[task].gpu = home_of(o, &j);
		oracle_admit(o, task, NULL);
	}
}

static bool all_full(const struct oracle *o)
{
	for (uint32_t gpu = 0; gpu < platform_gpus(o->platform); gpu++)
		if (!full(o, gpu))
			return false;
	return true;
}

void oracle_choose(struct oracle *o)
{
	start_copies_alone(o);
	for (int next; !all_full(o) && (next = oracle_next_waiting(o)) >= 0;) {
		struct unit j = oracle_waiting_unit(o, (uint32_t)next);
		if (o->policy->choice == ORACLE_MIGRATES)
			migrate(o, &j);
		else if (o->policy->choice == ORACLE_STAYS)
			stay(o, &j);
		else
			start_anywhere(o, &j);
	}
}
