/* analysis/fixed_priority.c - see analysis/fixed_priority.h.
 *
 * Preemptive: Lehoczky (RTSS 1990), of which Joseph and Pandya's R = C + sum of ceil(R / T_h) C_h is the
 * first job. Non-preemptive: Davis, Burns, Bril, Lukkien, "Controller Area Network (CAN) schedulability
 * analysis: Refuted, revisited and revised" (Real-Time Systems, 2007): the first job is not always the worst,
 * since work that it delays can meet the next job; so all jobs of the level-k busy period are looked at. A
 * job that is released at the very instant of a start goes first: ceil((w + 1) / T), in whole nanoseconds. */
#include "analysis/fixed_priority.h"

#include "analysis/verdict.h"
#include "base/checked.h"

static inline int64_t jobs_of(const struct fixed_priority_task *t, int64_t window)
{
	return ceil_div(window, t->period);
}

/* Of tasks that are light: together they are less than the window and one job of each. A product by 1 / T, a
 * little less, in place of a division, which takes several times as long. The window is below 2^48, so the
 * product is less than window / T by at most 2^-49 of it, which is less than 1 / 2T: its whole part is that
 * of window / T, or, of a multiple of T, one less. */
#define SMALL (INT64_C(1) << 48)
#define LITTLE_LESS (1 - 0x1p-50)
static inline int64_t small_work(struct fixed_priority_task *task, uint32_t count, int64_t window)
{
	int64_t work = 0;
	for (struct fixed_priority_task *t = task; t < task + count; t++) {
		int64_t jobs = (int64_t)((double)window * t->rate), rest = window - jobs * t->period;
		t->work = (jobs + (rest > 0)) * t->cost;
		work += t->work;
	}
	return work;
}

/* Of the first `count` tasks. Notes what it adds up: the last window is mostly that of the bound. */
static int128 work_in(struct fixed_priority_set *set, uint32_t count, int64_t window)
{
	struct fixed_priority_task *task = set->task;
	int128 work = 0;
	set->window = window;
	if (set->light && window < SMALL)
		return small_work(task, count, window);
	for (uint32_t h = 0; h < count; h++) {
		int128 mine = (int128)jobs_of(&task[h], window) * task[h].cost;
		work += mine;
		task[h].work = (int64_t)mine;
	}
	return work;
}

/* A busy period that is longer than this is taken as endless. Costs are below it, so sums do not overflow. */
#define FARTHEST (NO_BOUND / 2)

struct fixed_priority_search {
	struct fixed_priority_set *set;
	uint32_t k;
	uint32_t steps;
};

/* Loads of tasks 0 .. k, compared with the time there is; each is at most that. */
static int compare_load(const struct fixed_priority_set *set, uint32_t k)
{
	for (uint32_t h = 0; h <= k; h++) {
		if (set->task[h].cost > set->task[h].period)
			return 1;
		set->loads[h] = (struct ratio){set->task[h].cost, set->task[h].period};
	}
	return ratio_sum_compare(set->loads, k + 1, 1);
}

/* Sums of doubles are wrong by far less than the margin. */
#define CLEARLY_LESS 0.999999
void fixed_priority_begin(struct fixed_priority_set *set)
{
	double load = 0, costs = 0;
	int64_t longest = 0;
	for (uint32_t h = set->count; h-- > 0;) {
		struct fixed_priority_task *t = &set->task[h];
		t->rate = LITTLE_LESS / (double)t->period;
		t->longest_below = longest;
		load += (double)t->cost * t->rate;
		costs += (double)t->cost;
		longest = t->cost > longest ? t->cost : longest;
	}
	set->light = load < CLEARLY_LESS && costs < (double)SMALL;
	set->known = (struct fixed_priority_known){0};
	set->window = -1;
}

/* Whether the busy period never ends: there is more work than time, or as much as time and some before it. */
static bool overloaded(const struct fixed_priority_set *set, uint32_t k, int64_t blocking)
{
	return !set->light && compare_load(set, k) >= (blocking > 0 ? 0 : 1);
}

/* As settle(), of tasks that are light, as far as windows are small: then *x is the last one. */
static bool settle_light(
	struct fixed_priority_search *s, uint32_t count, int64_t constant, int64_t ahead, int64_t *x)
{
	struct fixed_priority_task *task = s->set->task;
	int64_t next = constant > *x ? constant : *x, window = -1;
	bool settled = false;
	while (!settled && next + ahead < SMALL && s->steps++ < FIXED_PRIORITY_PATIENCE) {
		*x = next;
		window = next + ahead;
		next = constant + small_work(task, count, window);
		settled = next <= *x;
	}
	s->set->window = window;
	return settled;
}

/* The least x with constant + work of tasks 0 .. count - 1 in x + ahead <= x; it is no less than *x. False: x
 * is too large. */
static inline bool settle(
	struct fixed_priority_search *s, uint32_t count, int128 constant, int64_t ahead, int64_t *x)
{
	if (s->set->light && constant < SMALL && settle_light(s, count, (int64_t)constant, ahead, x))
		return true;
	int128 next = constant > *x ? constant : *x;
	while (next < FARTHEST && s->steps++ < FIXED_PRIORITY_PATIENCE) {
		*x = (int64_t)next;
		next = constant + work_in(s->set, count, *x + ahead);
		if (next <= *x)
			return true;
	}
	return false;
}

static void take(struct fixed_priority_bound *b, int128 response, int64_t job, int64_t start)
{
	if (response > b->response)
		*b = (struct fixed_priority_bound){(int64_t)response, job, start, b->blocking};
}

static bool preemptive(struct fixed_priority_search *s, struct fixed_priority_bound *b)
{
	const struct fixed_priority_task *t = &s->set->task[s->k];
	/* The first job ends no sooner than that of a higher task and C together (Sjoedin and Hansson, RTSS
	 * 1998). */
	int64_t end = (s->set->known.of < s->k ? s->set->known.first : 0) + t->cost;
	if (!settle(s, s->k, t->cost, 0, &end))
		return false;
	s->set->known.of = s->k;
	s->set->known.first = b->response = b->start = end;
	int128 release = 0;
	for (int64_t q = 1; end > release + t->period; q++) {
		release += t->period;
		end += t->cost; /* at least */
		if (!settle(s, s->k, ((int128)q + 1) * t->cost, 0, &end))
			return false;
		take(b, end - release, q, end);
	}
	return true;
}

/* What blocks a higher task is at most what blocks this one, or a task in between, or this one: all of which
 * are work in this one's busy period, which so is no shorter. And this one starts no sooner if it is blocked
 * for at least as long as the higher one less that one's job, which is in front of it now. A busy period does
 * not end before its first job. */
static bool non_preemptive(struct fixed_priority_search *s, struct fixed_priority_bound *b)
{
	const struct fixed_priority_task *t = &s->set->task[s->k];
	const struct fixed_priority_known above =
		s->set->known.of < s->k ? s->set->known : (struct fixed_priority_known){0};
	bool sooner = above.blocking > b->blocking + s->set->task[above.of].cost;
	int64_t start = sooner ? 0 : above.first, busy;
	if (!settle(s, s->k, b->blocking, 1, &start))
		return false;
	busy = start + t->cost > above.busy ? start + t->cost : above.busy;
	b->start = start;
	b->response = start + t->cost;
	if (!settle(s, s->k + 1, b->blocking, 0, &busy))
		return false;
	s->set->known = (struct fixed_priority_known){s->k, start, busy, b->blocking};
	for (int64_t q = 1; busy > q * t->period; q++) {
		start += t->cost; /* at least */
		if (!settle(s, s->k, b->blocking + (int128)q * t->cost, 1, &start))
			return false;
		take(b, (int128)start + t->cost - (int128)q * t->period, q, start);
	}
	return true;
}

struct fixed_priority_bound fixed_priority_response(struct fixed_priority_set *set, uint32_t k)
{
	struct fixed_priority_search s = {.set = set, .k = k};
	struct fixed_priority_bound b = {.response = 0};
	/* A task without work takes no time. */
	if (set->task[k].cost == 0)
		return b;
	b.blocking = set->preemptive ? 0 : set->task[k].longest_below;
	if (overloaded(set, k, b.blocking) || !(set->preemptive ? preemptive : non_preemptive)(&s, &b))
		b.response = NO_BOUND;
	return b;
}

void fixed_priority_interference(
	struct fixed_priority_set *set, uint32_t k, int64_t start, int64_t *interference)
{
	int64_t window = start + (set->preemptive ? 0 : 1);
	if (set->window != window)
		(void)work_in(set, k, window);
	for (uint32_t h = 0; h < k; h++)
		interference[h] = set->task[h].work;
}
