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

/* Of tasks that are light: together they are less than the window and one job of each. */
#define SMALL (INT64_C(1) << 60)
static int64_t small_work_above(
	const struct fixed_priority_task *task, int64_t *noted, uint32_t k, int64_t window)
{
	int64_t work = 0;
	for (uint32_t h = 0; h < k; h++) {
		int64_t mine = jobs_of(&task[h], window) * task[h].cost;
		work += mine;
		if (noted)
			noted[h] = mine;
	}
	return work;
}

/* Notes what it adds up, if there is room: the last window is mostly that of the bound. */
static int128 work_above(struct fixed_priority_set *set, uint32_t k, int64_t window)
{
	const struct fixed_priority_task *task = set->task;
	int64_t *noted = set->work;
	int128 work = 0;
	set->window = window;
	if (set->light && window < SMALL)
		return small_work_above(task, noted, k, window);
	for (uint32_t h = 0; h < k; h++) {
		int128 mine = (int128)jobs_of(&task[h], window) * task[h].cost;
		work += mine;
		if (noted)
			noted[h] = (int64_t)mine;
	}
	return work;
}

static int64_t longest_below(const struct fixed_priority_set *set, uint32_t k)
{
	int64_t most = 0;
	for (uint32_t l = k + 1; l < set->count; l++)
		most = set->task[l].cost > most ? set->task[l].cost : most;
	return most;
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
	for (uint32_t h = 0; h < set->count; h++) {
		load += (double)set->task[h].cost / (double)set->task[h].period;
		costs += (double)set->task[h].cost;
	}
	set->light = load < CLEARLY_LESS && costs < (double)SMALL;
	set->first = set->first_of = 0;
	set->window = -1;
}

/* Whether the busy period never ends: there is more work than time, or as much as time and some before it. */
static bool overloaded(const struct fixed_priority_set *set, uint32_t k, int64_t blocking)
{
	return !set->light && compare_load(set, k) >= (blocking > 0 ? 0 : 1);
}

/* The least x >= *x with constant + higher tasks' work in x + ahead <= x. False: x is too large. */
static bool settle(struct fixed_priority_search *s, int128 constant, int64_t ahead, int64_t *x)
{
	int128 next = constant > *x ? constant : *x;
	while (next < FARTHEST && s->steps++ < FIXED_PRIORITY_PATIENCE) {
		*x = (int64_t)next;
		next = constant + work_above(s->set, s->k, *x + ahead);
		if (next <= *x)
			return true;
	}
	return false;
}

/* Jobs of task k in the non-preemptive level-k busy period. False: it is too long. */
static bool jobs_in_busy_period(struct fixed_priority_search *s, int64_t blocking, int64_t *jobs)
{
	const struct fixed_priority_task *t = &s->set->task[s->k];
	int128 next = blocking + t->cost;
	while (next < FARTHEST && s->steps++ < FIXED_PRIORITY_PATIENCE) {
		int64_t x = (int64_t)next;
		*jobs = jobs_of(t, x);
		next = blocking + (int128)*jobs * t->cost + work_above(s->set, s->k, x);
		if (next <= x)
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
	int64_t end = (s->set->first_of < s->k ? s->set->first : 0) + t->cost;
	for (int64_t q = 0;; q++) {
		int128 release = (int128)q * t->period;
		if (!settle(s, ((int128)q + 1) * t->cost, 0, &end))
			return false;
		if (q == 0) {
			s->set->first = end;
			s->set->first_of = s->k;
		}
		take(b, end - release, q, end);
		if (end <= release + t->period)
			return true;
	}
}

static bool non_preemptive(struct fixed_priority_search *s, struct fixed_priority_bound *b)
{
	const struct fixed_priority_task *t = &s->set->task[s->k];
	int64_t jobs, start = 0;
	if (!jobs_in_busy_period(s, b->blocking, &jobs))
		return false;
	for (int64_t q = 0; q < jobs; q++) {
		if (!settle(s, b->blocking + (int128)q * t->cost, 1, &start))
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
	b.blocking = set->preemptive ? 0 : longest_below(set, k);
	if (overloaded(set, k, b.blocking) || !(set->preemptive ? preemptive : non_preemptive)(&s, &b))
		b.response = NO_BOUND;
	return b;
}

int64_t fixed_priority_interference(const struct fixed_priority_set *set, uint32_t h, int64_t start)
{
	int64_t window = start + (set->preemptive ? 0 : 1);
	return set->work && set->window == window ? set->work[h]
						  : jobs_of(&set->task[h], window) * set->task[h].cost;
}
