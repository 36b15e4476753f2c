/* tests/oracle/fleet_plain.c - what sbeet-mg decides, step by step as docs/policies.md says it. */
#include "tests/oracle/fleet_plain.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void plain_say(char *said, size_t room, int task, int gpu, int sms, int64_t end, int128 energy, bool feasible,
	bool chosen)
{
	size_t at = strlen(said);
	if (sms < 0)
		snprintf(said + at, room - at, "\n%d starts on %d with %d", task, gpu, -sms);
	else
		snprintf(said + at, room - at, "\n%d on %d with %d: ends %" PRId64 ", %lld%s%s", task, gpu,
			sms, end, (long long)energy, feasible ? "" : ", late", chosen ? ", chosen" : "");
}

/* ---- sections ---- */

static int64_t whole(const struct plain_task *t, int gpu, int m)
{
	return t->to_gpu + t->kernel[gpu][m] + t->to_cpu;
}

static void find_best(struct plain_fleet *f, struct plain_task *t, int g)
{
	t->m_opt[g] = 0;
	for (int m = 1; m <= f->gpu[g].sms; m++) {
		int128 cost =
			(int128)t->kernel[g][m] * (t->power[g][m] + f->gpu[g].idle * (f->gpu[g].sms - m));
		if (t->m_opt[g] == 0 || cost <= t->cost[g]) {
			t->m_opt[g] = m;
			t->cost[g] = cost;
		}
	}
}

/* ---- homes ---- */

#define ONE ((int128)1000000000000)

static int128 load(const struct plain_fleet *f, const struct plain_task *t, int g)
{
	int128 sum = 0, parts = (int128)f->gpu[g].sms * t->period;
	for (int m = 1; m <= f->gpu[g].sms; m++)
		sum += whole(t, g, m);
	return (sum * ONE + parts - 1) / parts;
}

static int128 size_of(const struct plain_fleet *f, const struct plain_task *t)
{
	int128 sum = 0;
	for (int g = 0; g < f->gpus; g++)
		sum += load(f, t, g);
	return (sum + f->gpus - 1) / f->gpus;
}

/* The GPU that has room for the task, and of these the one that `key` says: the least. -1: none. */
static int bin_for(const struct plain_fleet *f, const int128 *loads, const int128 *mine, const int128 *key)
{
	int best = -1;
	for (int g = 0; g < f->gpus; g++)
		if (loads[g] + mine[g] <= ONE && (best < 0 || key[g] < key[best]))
			best = g;
	return best;
}

static int least(const struct plain_fleet *f, const int128 *key)
{
	int best = 0;
	for (int g = 1; g < f->gpus; g++)
		if (key[g] < key[best])
			best = g;
	return best;
}

static void give_home(struct plain_fleet *f, struct plain_task *t, int128 *loads)
{
	int128 mine[PLAIN_GPUS], key[PLAIN_GPUS], with[PLAIN_GPUS];
	if (f->assign == PLAIN_GIVEN) {
		t->home = t->named;
		return;
	}
	for (int g = 0; g < f->gpus; g++) {
		mine[g] = f->assign == PLAIN_ENERGY ? load(f, t, g) : size_of(f, t);
		with[g] = loads[g] + mine[g];
		key[g] = f->assign == PLAIN_ENERGY  ? t->cost[g]
			 : f->assign == PLAIN_FIRST ? 0
			 : f->assign == PLAIN_BEST  ? -loads[g]
						    : loads[g];
	}
	t->home = f->assign == PLAIN_WORST ? least(f, key) : bin_for(f, loads, mine, key);
	if (t->home >= 0) {
		loads[t->home] += mine[t->home];
	} else if (f->assign != PLAIN_ENERGY) {
		t->home = least(f, loads);
		loads[t->home] += mine[t->home];
	} else {
		t->home = least(f, with);
		loads[t->home] += (whole(t, t->home, t->m_opt[t->home]) * ONE + t->period - 1) / t->period;
	}
}

void plain_homes(struct plain_fleet *f)
{
	bool placed[PLAIN_TASKS] = {false};
	int128 loads[PLAIN_GPUS] = {0};
	for (int i = 0; i < f->tasks; i++)
		for (int g = 0; g < f->gpus; g++)
			find_best(f, &f->task[i], g);
	for (int n = 0; n < f->tasks; n++) {
		int next = -1;
		for (int i = 0; i < f->tasks; i++) {
			const struct plain_task *t = &f->task[i], *o = next < 0 ? NULL : &f->task[next];
			if (!placed[i] && (!o || (f->assign == PLAIN_ENERGY ? t->period < o->period
									    : size_of(f, t) > size_of(f, o))))
				next = i;
		}
		placed[next] = true;
		give_home(f, &f->task[next], loads);
	}
}

/* ---- predictions ---- */

#define PLACES 4096

struct place {
	int task, sms;
	int64_t from, end; /* the whole section */
};

struct wish {
	int task;
	int64_t ready, due;
};

struct outlook {
	int gpu, places, wishes;
	struct place place[PLACES];
	struct wish wish[PLACES];
	int64_t end;
	bool feasible;
};

static int by_time(const void *a, const void *b)
{
	const struct wish *x = a, *y = b;
	if (x->ready != y->ready)
		return x->ready < y->ready ? -1 : 1;
	if (x->due != y->due)
		return x->due < y->due ? -1 : 1;
	return x->task - y->task;
}

static int by_due(const void *a, const void *b)
{
	const struct wish *x = a, *y = b;
	return x->due != y->due ? (x->due < y->due ? -1 : 1) : by_time(a, b);
}

static void add_wishes(const struct plain_fleet *f, struct outlook *o, int task, int64_t now)
{
	o->wishes = 0;
	for (int i = 0; i < f->tasks; i++) {
		const struct plain_task *t = &f->task[i];
		if (i == task || t->home != o->gpu || t->runs)
			continue;
		if (t->waits)
			o->wish[o->wishes++] = (struct wish){i, t->ready, t->due};
		for (int k = t->seen + 1; t->offset + k * t->period + t->before < o->end; k++) {
			int64_t release = t->offset + k * t->period;
			if (release + t->before > now)
				o->wish[o->wishes++] = (struct wish){
					i, release + t->before, release + t->deadline - t->after};
		}
	}
	qsort(o->wish, (size_t)o->wishes, sizeof(o->wish[0]), by_time);
}

/* SMs, or units, that are taken at t. */
static int taken(const struct outlook *o, int64_t t, bool units)
{
	int sum = 0;
	for (int i = 0; i < o->places; i++)
		if (o->place[i].end > t)
			sum += units ? 1 : o->place[i].sms;
	return sum;
}

static void add_place(
	const struct plain_fleet *f, struct outlook *o, const struct wish *w, int sms, int64_t from)
{
	int64_t end = from + whole(&f->task[w->task], o->gpu, sms);
	o->place[o->places++] = (struct place){w->task, sms, from, end};
	o->feasible = o->feasible && end <= w->due;
}

static void look(const struct plain_fleet *f, struct outlook *o, int task, int gpu, int sms, int64_t now)
{
	struct wish late[PLACES];
	int lates = 0;
	int64_t t = now, e = now;
	const struct plain_gpu *g = &f->gpu[gpu];
	o->gpu = gpu;
	o->places = 0;
	o->feasible = true;
	o->end = now + whole(&f->task[task], gpu, sms);
	add_place(f, o, &(struct wish){task, 0, f->task[task].due}, sms, now);
	for (int i = 0; i < f->tasks; i++) {
		const struct plain_task *r = &f->task[i];
		if (r->runs && r->gpu == gpu)
			o->place[o->places++] = (struct place){i, r->sms, r->start, r->end};
	}
	add_wishes(f, o, task, now);
	for (int i = 0; i < o->wishes; i++) {
		const struct wish *w = &o->wish[i];
		const struct plain_task *k = &f->task[w->task];
		while (taken(o, t, true) >= f->workers) {
			int64_t next = INT64_MAX;
			for (int j = 0; j < o->places; j++)
				if (o->place[j].end > t && o->place[j].end < next)
					next = o->place[j].end;
			t = next;
		}
		int left = g->sms - taken(o, t, false), m = left < k->m_opt[gpu] ? left : k->m_opt[gpu];
		int64_t from = t > w->ready ? t : w->ready;
		if (t >= o->end || m <= 0 || from >= o->end)
			late[lates++] = *w;
		else
			add_place(f, o, w, m, from);
	}
	for (int i = 0; i < o->places; i++)
		e = o->place[i].end > e ? o->place[i].end : e;
	qsort(late, (size_t)lates, sizeof(late[0]), by_due);
	for (int i = 0; i < lates; i++) {
		add_place(f, o, &late[i], g->sms, e > late[i].ready ? e : late[i].ready);
		e = o->place[o->places - 1].end;
	}
}

static int by_instant(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* Power of the GPU at t, if these sections have these places. */
static int64_t power_at(
	const struct plain_fleet *f, int gpu, const struct place *place, int places, int64_t t)
{
	int64_t power = 0;
	int busy = 0;
	for (int i = 0; i < places; i++) {
		const struct plain_task *k = &f->task[place[i].task];
		int64_t from = place[i].from + k->to_gpu;
		if (t < from || t >= from + k->kernel[gpu][place[i].sms])
			continue;
		busy += place[i].sms;
		power += k->power[gpu][place[i].sms];
	}
	return f->gpu[gpu].still + (busy ? power + f->gpu[gpu].idle * (f->gpu[gpu].sms - busy) : 0);
}

static int128 integral(const struct plain_fleet *f, int gpu, const struct place *place, int places,
	int64_t from, int64_t until)
{
	int64_t instant[2 * PLACES + 2];
	int count = 0;
	int128 sum = 0;
	instant[count++] = from;
	instant[count++] = until;
	for (int i = 0; i < places; i++) {
		const struct plain_task *k = &f->task[place[i].task];
		int64_t start = place[i].from + k->to_gpu, end = start + k->kernel[gpu][place[i].sms];
		if (start > from && start < until)
			instant[count++] = start;
		if (end > from && end < until)
			instant[count++] = end;
	}
	qsort(instant, (size_t)count, sizeof(instant[0]), by_instant);
	for (int i = 0; i + 1 < count; i++)
		sum += (int128)power_at(f, gpu, place, places, instant[i]) * (instant[i + 1] - instant[i]);
	return sum;
}

/* Of all GPUs. */
static int128 energy(const struct plain_fleet *f, const struct outlook *o, int64_t now, int64_t until)
{
	int128 sum = integral(f, o->gpu, o->place, o->places, now, until);
	for (int g = 0; g < f->gpus; g++) {
		struct place place[PLAIN_TASKS];
		int places = 0;
		for (int i = 0; i < f->tasks; i++) {
			const struct plain_task *r = &f->task[i];
			if (r->runs && r->gpu == g)
				place[places++] = (struct place){i, r->sms, r->start, r->end};
		}
		if (g != o->gpu)
			sum += integral(f, g, place, places, now, until);
	}
	return sum;
}

/* ---- decisions ---- */

struct offer {
	int gpu, sms;
	int64_t end;
	int128 energy, compared; /* up to the end; over the interval that is compared */
	bool feasible;
};

static struct offer offer(const struct plain_fleet *f, int task, int gpu, int sms, int64_t now, int64_t until)
{
	static struct outlook o;
	look(f, &o, task, gpu, sms, now);
	int128 own = energy(f, &o, now, o.end);
	return (struct offer){gpu, sms, o.end, own, f->common ? energy(f, &o, now, until) : own, o.feasible};
}

static int left_on(const struct plain_fleet *f, int gpu)
{
	int left = f->gpu[gpu].sms;
	for (int i = 0; i < f->tasks; i++)
		left -= f->task[i].runs && f->task[i].gpu == gpu ? f->task[i].sms : 0;
	return left;
}

static int units_on(const struct plain_fleet *f, int gpu)
{
	int units = 0;
	for (int i = 0; i < f->tasks; i++)
		units += f->task[i].runs && f->task[i].gpu == gpu;
	return units;
}

static bool full(const struct plain_fleet *f, int gpu)
{
	return units_on(f, gpu) == f->workers || left_on(f, gpu) == 0;
}

static void tell(struct plain_fleet *f, int task, const struct offer *o, bool chosen)
{
	plain_say(f->said, f->room, task, o->gpu, o->sms, o->end, o->energy, o->feasible, chosen);
}

static void begin(struct plain_fleet *f, int task, int gpu, int sms, int64_t now)
{
	struct plain_task *t = &f->task[task];
	t->runs = true;
	t->waits = false;
	t->gpu = gpu;
	t->sms = sms;
	t->start = now;
	t->end = now + whole(t, gpu, sms);
	plain_say(f->said, f->room, task, gpu, -sms, 0, 0, false, false);
}

/* sBEET on an idle GPU: the best of all numbers of SMs; the others are told. */
static struct offer alone(struct plain_fleet *f, int task, int gpu, int64_t now)
{
	struct offer all[PLAIN_SMS + 1];
	int m_opt = f->task[task].m_opt[gpu], best = m_opt;
	int64_t until = 0;
	bool feasible = false;
	for (int m = m_opt; m >= 1; m--) {
		int64_t end = now + whole(&f->task[task], gpu, m);
		until = end > until ? end : until;
	}
	for (int m = m_opt; m >= 1; m--) {
		all[m] = offer(f, task, gpu, m, now, until);
		feasible = feasible || all[m].feasible;
	}
	while (feasible && !all[best].feasible)
		best--;
	for (int m = best - 1; m >= 1; m--) {
		bool less = !feasible && f->fastest ? all[m].end < all[best].end
						    : all[m].compared < all[best].compared;
		if (less && (all[m].feasible || !feasible))
			best = m;
	}
	for (int m = m_opt; m >= 1; m--)
		if (m != best)
			tell(f, task, &all[m], false);
	return all[best];
}

/* sBEET beside others: false if it waits. */
static bool beside(struct plain_fleet *f, int task, int gpu, int64_t now, struct offer *o)
{
	const struct plain_task *t = &f->task[task];
	int left = left_on(f, gpu), m = left < t->m_opt[gpu] ? left : t->m_opt[gpu];
	int64_t last = now, end = now + whole(t, gpu, m);
	for (int i = 0; i < f->tasks; i++)
		if (f->task[i].runs && f->task[i].gpu == gpu && f->task[i].end > last)
			last = f->task[i].end;
	if (end > last + whole(t, gpu, f->gpu[gpu].sms))
		return false;
	*o = offer(f, task, gpu, m, now, end);
	if (!o->feasible)
		tell(f, task, o, false);
	return o->feasible;
}

static void stay(struct plain_fleet *f, int task, int64_t now)
{
	int home = f->task[task].home;
	struct offer o;
	if (full(f, home))
		return;
	if (units_on(f, home) == 0)
		o = alone(f, task, home, now);
	else if (!beside(f, task, home, now, &o))
		return;
	tell(f, task, &o, true);
	begin(f, task, home, o.sms, now);
}

/* Of the offers (by GPU; sms 0: none) the least energy; ties: home, then cost, then number. */
static void take_least(struct plain_fleet *f, int task, struct offer *of, int64_t now)
{
	const struct plain_task *t = &f->task[task];
	int best = -1;
	int64_t until = 0;
	for (int g = 0; g < f->gpus; g++)
		if (of[g].sms && of[g].end > until)
			until = of[g].end;
	for (int g = 0; g < f->gpus; g++) {
		if (!of[g].sms)
			continue;
		of[g] = offer(f, task, g, of[g].sms, now, until);
		bool sooner = best >= 0 && best != t->home && (g == t->home || t->cost[g] < t->cost[best]);
		if (best < 0 || of[g].compared < of[best].compared ||
			(of[g].compared == of[best].compared && sooner))
			best = g;
	}
	for (int g = 0; g < f->gpus; g++)
		if (of[g].sms)
			tell(f, task, &of[g], g == best);
	if (best >= 0)
		begin(f, task, best, of[best].sms, now);
}

/* When m_opt SMs and a worker of its home are free, as predicted. */
static int64_t turn_at_home(const struct plain_fleet *f, int task, int64_t now)
{
	const struct plain_task *t = &f->task[task];
	int64_t turn = INT64_MAX;
	for (int i = 0; i < f->tasks; i++) {
		const struct plain_task *r = &f->task[i];
		int64_t at = r->end > now ? r->end : now;
		int sms = left_on(f, t->home);
		if (!r->runs || r->gpu != t->home)
			continue;
		for (int j = 0; j < f->tasks; j++)
			if (f->task[j].runs && f->task[j].gpu == t->home && f->task[j].end <= at)
				sms += f->task[j].sms;
		if (sms >= t->m_opt[t->home] && at < turn)
			turn = at;
	}
	return turn;
}

static void migrate(struct plain_fleet *f, int task, int64_t now)
{
	const struct plain_task *t = &f->task[task];
	struct offer of[PLAIN_GPUS] = {{0}};
	int home = t->home;
	bool idle = units_on(f, home) == 0;
	if (!idle && !full(f, home)) {
		stay(f, task, now);
		return;
	}
	if (idle) {
		of[home] = offer(f, task, home, t->m_opt[home], now, now);
		if (!of[home].feasible && t->m_opt[home] < f->gpu[home].sms) {
			tell(f, task, &of[home], false);
			of[home] = offer(f, task, home, f->gpu[home].sms, now, now);
		}
	} else if (turn_at_home(f, task, now) + whole(t, home, t->m_opt[home]) <= t->due) {
		return;
	}
	for (int g = 0; g < f->gpus; g++) {
		if (g == home || full(f, g))
			continue;
		if (units_on(f, g) > 0) {
			if (!beside(f, task, g, now, &of[g]))
				of[g].sms = 0;
		} else if (!idle) {
			of[g] = alone(f, task, g, now);
			if (!of[g].feasible) {
				tell(f, task, &of[g], false);
				of[g].sms = 0;
			}
		}
	}
	take_least(f, task, of, now);
}

/* Without predictions: the first GPU of these with room. */
static void blindly(struct plain_fleet *f, int task, int64_t now)
{
	const struct plain_task *t = &f->task[task];
	int best = -1;
	for (int g = 0; g < f->gpus; g++) {
		int new = f->gpu[g].sms, old = best < 0 ? 0 : f->gpu[best].sms;
		if (f->choice == PLAIN_BALANCED) {
			new = units_on(f, g) == 0 ? 1000 : left_on(f, g);
			old = best < 0 ? 0 : units_on(f, best) == 0 ? 1000 : left_on(f, best);
		}
		if (f->choice == PLAIN_PLAN ? g == t->home && left_on(f, g) >= t->m_opt[g] : true)
			if (!full(f, g) && (best < 0 || (f->choice == PLAIN_LITTLE ? new <= old : new > old)))
				best = g;
	}
	if (best < 0)
		return;
	int left = left_on(f, best);
	begin(f, task, best, left < t->m_opt[best] ? left : t->m_opt[best], now);
}

void plain_decide(struct plain_fleet *f, int64_t now, const int *queue, int count)
{
	for (int i = 0; i < count; i++) {
		bool room = false;
		for (int g = 0; g < f->gpus; g++)
			room = room || !full(f, g);
		if (!room)
			return;
		if (f->choice == PLAIN_MIGRATE)
			migrate(f, queue[i], now);
		else if (f->choice == PLAIN_STAY)
			stay(f, queue[i], now);
		else
			blindly(f, queue[i], now);
	}
}
