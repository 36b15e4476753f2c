/* tests/oracle/bounds_plain_gpus.c - see tests/oracle/bounds_plain_gpus.h. */
#include "tests/oracle/bounds_plain_gpus.h"

#include <string.h>

#define MOST 20000 /* up to which fixed points are looked for */
#define ALONE (-1)
#define ENGINES 100

int plain_gpus_of(const struct plain_gpus_task *t)
{
	for (int j = 0; j < t->count; j++)
		if (t->segment[j].kind == PLAIN_WORKS)
			return t->segment[j].gpu;
	return -1;
}

int plain_gpus_step(const struct plain_gpus_set *set, int gpu)
{
	int tasks = 0;
	for (int i = 0; i < set->count; i++)
		tasks += plain_gpus_of(&set->task[i]) == gpu;
	return tasks <= set->sms[gpu] ? set->virtual_sms : 1;
}

/* Which queue a segment waits in: that of a core, or of an engine of a GPU. */
static int queue_of(const struct plain_gpus_set *set, const struct plain_gpus_task *t, int j)
{
	const struct plain_gpus_segment *s = &t->segment[j];
	if (s->kind == PLAIN_ON_CORE)
		return t->core;
	if (s->kind == PLAIN_WORKS || set->engines[s->gpu] == 0)
		return ALONE;
	return ENGINES + 10 * s->gpu + (set->engines[s->gpu] == 2 && s->back ? 1 : 0);
}

static int64_t up(int64_t a, int64_t b)
{
	return (a + b - 1) / b;
}

/* Where single virtual SMs are given, the worst of the kernels on the same GPU counts for all of them. */
static void ratio_of(
	const struct plain_gpus_set *set, const struct plain_gpus_segment *s, int64_t *p, int64_t *q)
{
	*p = *q = 1;
	if (set->virtual_sms == 1)
		return;
	*p = s->numerator;
	*q = s->denominator;
	if (plain_gpus_step(set, s->gpu) == set->virtual_sms)
		return;
	for (int i = 0; i < set->count; i++)
		for (int j = 0; j < set->task[i].count; j++) {
			const struct plain_gpus_segment *o = &set->task[i].segment[j];
			if (o->kind == PLAIN_WORKS && o->blocks == 0 && o->gpu == s->gpu &&
				o->numerator * *q > *p * o->denominator) {
				*p = o->numerator;
				*q = o->denominator;
			}
		}
}

static void length_of(
	const struct plain_gpus_set *set, const struct plain_gpus_segment *s, int v, int64_t *lo, int64_t *hi)
{
	int64_t p, q;
	*lo = s->lo;
	*hi = s->hi;
	if (s->kind != PLAIN_WORKS)
		return;
	if (s->blocks > 0) {
		*lo *= up(s->blocks, v);
		*hi *= up(s->blocks, v);
		return;
	}
	ratio_of(set, s, &p, &q);
	*lo = s->lo / v;
	*hi = up(s->hi * p - s->overhead * q + s->overhead * q * v, q * v);
	if (*hi < up(s->lo, v))
		*hi = up(s->lo, v);
	*lo += set->pin[s->gpu];
	*hi += set->pin[s->gpu];
}

/* The most that a task with v virtual SMs does in a queue in any window of length t, if its jobs end so long
 * after their releases. */
static int64_t most_in(const struct plain_gpus_set *set, const struct plain_gpus_task *task, int v,
	int64_t end, int queue, int64_t t)
{
	int64_t length[PLAIN_GPUS_SEGMENTS], gap[PLAIN_GPUS_SEGMENTS + 1] = {0}, all = 0, most = 0;
	int n = 0;
	for (int j = 0; j < task->count; j++) {
		int64_t lo, hi;
		length_of(set, &task->segment[j], v, &lo, &hi);
		if (queue_of(set, task, j) == queue)
			length[n++] = hi; /* gap[n] is what comes behind it, gap[0] before all */
		else
			gap[n] += lo;
	}
	for (int j = 0; j < n; j++)
		all += length[j] + (j + 1 < n ? gap[j + 1] : 0);
	for (int h = 0; h < n; h++) {
		int64_t at = 0, work = 0;
		for (int j = h; at < t; j++) {
			int r = j % n;
			work += length[r] < t - at ? length[r] : t - at;
			at += length[r];
			if (r + 1 < n)
				at += gap[r + 1];
			else if (j == r)
				at += task->period - end + gap[n] + gap[0];
			else
				at += task->period - all;
		}
		most = work > most ? work : most;
	}
	return most;
}

struct known {
	const struct plain_gpus_set *set;
	const int *v;
	int64_t end[PLAIN_GPUS_TASKS];
};

/* The least x with constant + what tasks above k do in the queue within x + ahead <= x. */
static int64_t least(const struct known *known, int k, int queue, int64_t constant, int64_t ahead)
{
	for (int64_t x = constant; x <= MOST;) {
		int64_t next = constant;
		for (int i = 0; i < k; i++)
			next += most_in(known->set, &known->set->task[i], known->v[i], known->end[i], queue,
				x + ahead);
		if (next <= x)
			return x;
		x = next;
	}
	return PLAIN_GPUS_NONE;
}

static int64_t longest_below(const struct plain_gpus_set *set, int k, int queue)
{
	int64_t longest = 0;
	for (int i = k + 1; i < set->count; i++)
		for (int j = 0; j < set->task[i].count; j++)
			if (queue_of(set, &set->task[i], j) == queue && set->task[i].segment[j].hi > longest)
				longest = set->task[i].segment[j].hi;
	return longest;
}

static int64_t add(int64_t a, int64_t b)
{
	return a == PLAIN_GPUS_NONE || b == PLAIN_GPUS_NONE ? PLAIN_GPUS_NONE : a + b;
}

static int64_t one_bound(const struct known *known, const struct plain_gpus_way *how, int k)
{
	const struct plain_gpus_task *t = &known->set->task[k];
	int64_t others = 0, by_segments = 0, core = 0; /* copies and kernels; CPU segments, twice */
	for (int j = 0; j < t->count; j++) {
		int64_t lo, hi, below;
		int queue = queue_of(known->set, t, j);
		length_of(known->set, &t->segment[j], known->v[k], &lo, &hi);
		if (t->segment[j].kind == PLAIN_ON_CORE) {
			core += hi;
			by_segments = add(by_segments, least(known, k, queue, hi, 0));
			continue;
		}
		below = longest_below(known->set, k, queue);
		if (queue == ALONE)
			others = add(others, hi);
		else if (how->start_time)
			others = add(others, add(least(known, k, queue, below, 1), hi));
		else
			others = add(others, least(known, k, queue, below + hi, 0));
	}
	int64_t r1 = add(others, by_segments);
	int64_t r2 = others == PLAIN_GPUS_NONE ? others : least(known, k, t->core, others + core, 0);
	return r1 < r2 ? r1 : r2;
}

int plain_gpus_bounds(
	const struct plain_gpus_set *set, const struct plain_gpus_way *how, const int *v, int64_t *response)
{
	struct known known = {.set = set, .v = v};
	for (int k = 0; k < set->count; k++) {
		response[k] = one_bound(&known, how, k);
		if (response[k] > set->task[k].deadline)
			return k;
		known.end[k] = how->response_gaps ? response[k] : set->task[k].deadline;
	}
	return set->count;
}

static bool try_from(
	const struct plain_gpus_set *set, const struct plain_gpus_way *how, int k, int *left, int *v)
{
	int64_t response[PLAIN_GPUS_TASKS];
	if (k == set->count)
		return plain_gpus_bounds(set, how, v, response) == set->count;
	int gpu = plain_gpus_of(&set->task[k]);
	v[k] = 0;
	if (gpu < 0)
		return try_from(set, how, k + 1, left, v);
	int step = plain_gpus_step(set, gpu);
	for (int give = step; give <= left[gpu]; give += step) {
		v[k] = give;
		left[gpu] -= give;
		bool found = try_from(set, how, k + 1, left, v);
		left[gpu] += give;
		if (found)
			return true;
	}
	return false;
}

bool plain_gpus_possible(const struct plain_gpus_set *set, const struct plain_gpus_way *how)
{
	int left[PLAIN_GPUS], v[PLAIN_GPUS_TASKS];
	for (int g = 0; g < set->gpus; g++)
		left[g] = set->sms[g] * set->virtual_sms;
	return try_from(set, how, 0, left, v);
}
