/* tests/oracle/bounds_plain_chains.c - see tests/oracle/bounds_plain_chains.h. Weights are over the product
 * of all limits; the analysis has them over their least common multiple. */
#include "tests/oracle/bounds_plain_chains.h"

#include <string.h>

#include "base/int128.h"

#define ENDLESS 1000000000

struct known {
	const struct plain_chains *set;
	int128 whole; /* of a pool: the product of the limits that count */
	int128 rate;
	bool counts[PLAIN_CHAINS_LIMITS];
	int kernel_tasks;
	int64_t claim[PLAIN_CHAINS_TASKS]; /* PLAIN_CHAINS_NONE: it claims nothing */
};

/* ---- The GPU ---- */

static const struct plain_part *each_kernel(const struct plain_chains *set, int number)
{
	for (int i = 0; i < set->count; i++)
		for (int p = 0; p < set->task[i].count; p++)
			if (set->task[i].part[p].on == PLAIN_GPU && number-- == 0)
				return &set->task[i].part[p];
	return NULL;
}

/* Whether limit b is reached whenever limit a is. */
static bool stands_in(const struct plain_chains *set, int a, int b)
{
	const struct plain_part *k;
	for (int n = 0; (k = each_kernel(set, n)) != NULL; n++)
		if (k->need[a] * set->limit[b] > k->need[b] * set->limit[a])
			return false;
	return true;
}

static void find_limits(struct known *k)
{
	const struct plain_chains *set = k->set;
	const struct plain_part *kernel;
	k->whole = 1;
	for (int a = 0; a < PLAIN_CHAINS_LIMITS; a++) {
		bool any = false;
		for (int n = 0; (kernel = each_kernel(set, n)) != NULL; n++)
			any = any || kernel->need[a] > 0;
		k->counts[a] = any && set->limit[a] > 0;
	}
	/* Of limits that stand in for each other the first stays. */
	for (int a = PLAIN_CHAINS_LIMITS - 1; a >= 0; a--)
		for (int b = 0; b < PLAIN_CHAINS_LIMITS; b++)
			if (a != b && k->counts[a] && k->counts[b] && stands_in(set, a, b))
				k->counts[a] = false;
	for (int a = 0; a < PLAIN_CHAINS_LIMITS; a++)
		k->whole *= k->counts[a] ? set->limit[a] : 1;
}

/* The least of limit a that blocks have in use where one that needs the most does not fit: the first number
 * that all needs divide... that is, that their common divisors divide. */
static int64_t in_use(const struct plain_chains *set, int a)
{
	const struct plain_part *kernel;
	int64_t most = 0, divisor = set->limit[a];
	for (int n = 0; (kernel = each_kernel(set, n)) != NULL; n++)
		most = kernel->need[a] > most ? kernel->need[a] : most;
	for (bool all = false; !all; divisor -= !all) {
		all = true;
		for (int n = 0; (kernel = each_kernel(set, n)) != NULL; n++)
			all = all && kernel->need[a] % divisor == 0;
	}
	for (int64_t used = 0;; used += divisor)
		if (used + most > set->limit[a])
			return used;
}

static int128 weight(const struct known *k, const struct plain_part *kernel)
{
	int128 most = 0;
	for (int a = 0; a < PLAIN_CHAINS_LIMITS; a++) {
		int128 share = k->counts[a] ? k->whole / k->set->limit[a] * kernel->need[a] : 0;
		most = share > most ? share : most;
	}
	return most;
}

static void find_rate(struct known *k)
{
	k->rate = 0;
	for (int a = 0; a < PLAIN_CHAINS_LIMITS; a++) {
		if (!k->counts[a])
			continue;
		int128 rate = k->set->pools * (k->whole / k->set->limit[a]) * in_use(k->set, a);
		k->rate = k->rate == 0 || rate < k->rate ? rate : k->rate;
	}
	k->rate = k->rate == 0 ? 1 : k->rate;
	k->kernel_tasks = 0;
	for (int i = 0; i < k->set->count; i++) {
		bool any = false;
		for (int p = 0; p < k->set->task[i].count; p++)
			any = any || k->set->task[i].part[p].on == PLAIN_GPU;
		k->kernel_tasks += any;
	}
}

/* Blocks one after the other, each where a place is free first. */
static int64_t span(const struct known *k, const struct plain_part *kernel, const int64_t *times)
{
	int64_t places = PLAIN_CHAINS_BLOCKS, free_at[PLAIN_CHAINS_BLOCKS] = {0}, last = 0;
	for (int a = 0; a < PLAIN_CHAINS_LIMITS; a++)
		if (k->set->limit[a] && kernel->need[a] &&
			k->set->pools * (k->set->limit[a] / kernel->need[a]) < places)
			places = k->set->pools * (k->set->limit[a] / kernel->need[a]);
	for (int64_t b = 0; b < kernel->grid; b++) {
		int first = 0;
		for (int p = 1; p < places; p++)
			first = free_at[p] < free_at[first] ? p : first;
		free_at[first] += times[b];
		last = free_at[first] > last ? free_at[first] : last;
	}
	return last;
}

static int64_t best(const struct known *k, const struct plain_part *p)
{
	return p->on == PLAIN_GPU ? span(k, p, p->best_of) : p->best;
}

/* The block to whose end a kernel is bounded: the longest, or, where blocks weigh more than the rate, the
 * shortest. */
static int64_t last_block(const struct known *k, const struct plain_part *p)
{
	int64_t l = p->worst_of[0];
	for (int b = 1; b < p->grid; b++)
		if (weight(k, p) <= k->rate ? p->worst_of[b] > l : p->worst_of[b] < l)
			l = p->worst_of[b];
	return l;
}

static int64_t worst(const struct known *k, const struct plain_part *p)
{
	if (p->on != PLAIN_GPU)
		return p->worst;
	return k->kernel_tasks == 1 ? span(k, p, p->worst_of) : last_block(k, p);
}

static int128 work(const struct known *k, const struct plain_part *p)
{
	int128 sum = 0;
	if (p->on != PLAIN_GPU)
		return p->worst;
	for (int b = 0; b < p->grid; b++)
		sum += weight(k, p) * p->worst_of[b];
	return sum;
}

static int128 rest(const struct known *k, const struct plain_part *p)
{
	if (p->on != PLAIN_GPU || k->kernel_tasks == 1)
		return 0;
	return work(k, p) - weight(k, p) * last_block(k, p);
}

/* ---- Times before and behind ---- */

static int64_t best_between(const struct known *k, int i, int from, int to)
{
	int64_t sum = 0;
	for (int p = from; p < to; p++)
		sum += best(k, &k->set->task[i].part[p]);
	return sum;
}

static int64_t before(const struct known *k, int i, int part)
{
	return best_between(k, i, 0, part);
}

static int64_t behind(const struct known *k, int i, int part)
{
	return best_between(k, i, part + 1, k->set->task[i].count);
}

static int uses(const struct known *k, int i, enum plain_part_on on)
{
	int n = 0;
	for (int p = 0; p < k->set->task[i].count; p++)
		n += k->set->task[i].part[p].on == on;
	return n;
}

/* In a response of x: the longest time between the first request and the last end on a resource. */
static int64_t window_of(const struct known *k, int i, enum plain_part_on on, int64_t x)
{
	int first = -1, last = -1;
	for (int p = 0; p < k->set->task[i].count; p++)
		if (k->set->task[i].part[p].on == on) {
			first = first < 0 ? p : first;
			last = p;
		}
	int64_t window = x - before(k, i, first) - behind(k, i, last);
	return window > 0 ? window : 0;
}

/* ---- Waiting for copies and kernels ---- */

static int64_t launches(const struct known *k, int task, int part, int64_t window)
{
	if (k->claim[task] == PLAIN_CHAINS_NONE || k->set->how == PLAIN_REQUESTS)
		return ENDLESS;
	int64_t n = 0, open = window + k->claim[task] - before(k, task, part) - behind(k, task, part);
	while (n * k->set->task[task].period < open)
		n++;
	return n;
}

static bool has(const struct plain_chain *t, enum plain_part_on on, bool high)
{
	for (int p = 0; p < t->count; p++)
		if (t->part[p].on == on && t->part[p].high == high)
			return true;
	return false;
}

static bool one_each(const struct known *k, int i, int other, enum plain_part_on on)
{
	bool streams = on == PLAIN_GPU || k->set->copies_by_stream;
	if (k->set->how == PLAIN_WINDOWS || (on == PLAIN_GPU && !k->set->kernels_first_come))
		return false;
	return !streams || !has(&k->set->task[i], on, false) || !has(&k->set->task[other], on, true);
}

/* Takes the largest launch that is left, again and again. */
static int128 ahead(const struct known *k, int i, int other, enum plain_part_on on, int64_t x)
{
	const struct plain_chain *t = &k->set->task[other];
	int64_t left = one_each(k, i, other, on) ? uses(k, i, on) : ENDLESS, window = window_of(k, i, on, x);
	bool taken[PLAIN_CHAINS_PARTS] = {false};
	int128 sum = 0;
	for (;;) {
		int next = -1;
		for (int p = 0; p < t->count; p++)
			if (!taken[p] && t->part[p].on == on &&
				(next < 0 || work(k, &t->part[p]) > work(k, &t->part[next])))
				next = p;
		if (next < 0 || left == 0)
			return sum;
		int64_t n = launches(k, other, next, window);
		n = n < left ? n : left;
		if (n == ENDLESS && work(k, &t->part[next]) > 0)
			return -1;
		sum += n * work(k, &t->part[next]);
		left -= left == ENDLESS ? 0 : n;
		taken[next] = true;
	}
}

/* -1: without end. */
static int64_t wait(const struct known *k, int i, enum plain_part_on on, int64_t x)
{
	int128 sum = 0;
	if (uses(k, i, on) == 0)
		return 0;
	for (int p = 0; p < k->set->task[i].count; p++)
		sum += k->set->task[i].part[p].on == on ? rest(k, &k->set->task[i].part[p]) : 0;
	for (int other = 0; other < k->set->count; other++) {
		int128 more = other == i ? 0 : ahead(k, i, other, on, x);
		if (more < 0)
			return -1;
		sum += more;
	}
	return (int64_t)(sum / (on == PLAIN_GPU ? k->rate : 1));
}

/* ---- The core ---- */

/* What task h executes in a window that begins with its CPU segment number `first`. */
static int64_t executes(const struct known *k, int h, int first, int64_t window)
{
	const struct plain_chain *t = &k->set->task[h];
	int64_t lengths[PLAIN_CHAINS_PARTS], gaps[PLAIN_CHAINS_PARTS], done = 0, at = 0, later;
	int n = 0, last = -1, begin = -1;
	for (int p = 0; p < t->count; p++) {
		if (t->part[p].on != PLAIN_CPU)
			continue;
		if (n > 0)
			gaps[n - 1] = best_between(k, h, last + 1, p);
		begin = begin < 0 ? p : begin;
		last = p;
		lengths[n++] = t->part[p].worst;
	}
	later = t->period;
	for (int j = 0; j < n; j++)
		later -= lengths[j] + (j < n - 1 ? gaps[j] : 0);
	for (int j = first;; j++) {
		int64_t gap = later;
		if (j % n < n - 1)
			gap = gaps[j % n];
		else if (j == n - 1)
			gap = t->period - k->claim[h] + behind(k, h, last) + before(k, h, begin);
		int64_t length = lengths[j % n];
		if (at + length + gap > window)
			return done + (length < window - at ? length : window - at);
		done += length;
		at += length + gap;
	}
}

static int64_t above(const struct known *k, int i, int64_t window)
{
	int64_t sum = 0;
	for (int h = 0; h < i; h++) {
		int64_t most = 0;
		if (k->set->task[h].core != k->set->task[i].core)
			continue;
		for (int first = 0; first < uses(k, h, PLAIN_CPU); first++) {
			int64_t e = executes(k, h, first, window);
			most = e > most ? e : most;
		}
		sum += most;
	}
	return sum;
}

/* -1: without end. */
static int64_t preempted(const struct known *k, int i, int64_t x)
{
	const struct plain_chain *t = &k->set->task[i];
	int64_t alone = 0, whole;
	if (uses(k, i, PLAIN_CPU) == 0)
		return 0;
	for (int h = 0; h < i; h++)
		if (k->set->task[h].core == t->core && k->claim[h] == PLAIN_CHAINS_NONE &&
			uses(k, h, PLAIN_CPU) > 0)
			return -1;
	whole = above(k, i, window_of(k, i, PLAIN_CPU, x));
	for (int p = 0; p < t->count; p++) {
		if (t->part[p].on != PLAIN_CPU)
			continue;
		int64_t r = t->part[p].worst;
		while (r <= t->period && t->part[p].worst + above(k, i, r) > r)
			r = t->part[p].worst + above(k, i, r);
		if (r > t->period)
			return whole;
		alone += r - t->part[p].worst;
	}
	return alone < whole ? alone : whole;
}

/* ---- Claims ---- */

static int64_t own(const struct known *k, int i)
{
	int64_t sum = 0;
	for (int p = 0; p < k->set->task[i].count; p++)
		sum += worst(k, &k->set->task[i].part[p]);
	return sum;
}

/* -1: without end. */
static int64_t response(const struct known *k, int i, int64_t x)
{
	int64_t sum = preempted(k, i, x);
	for (int on = PLAIN_ENGINE_0; on <= PLAIN_GPU && sum >= 0; on++) {
		int64_t w = wait(k, i, (enum plain_part_on)on, x);
		sum = w < 0 ? -1 : sum + w;
	}
	return sum < 0 ? -1 : own(k, i) + sum;
}

/* All claims of the tasks that are not fixed, step by step and all at once. */
static void find_claims(struct known *k, const bool *fixed)
{
	for (int i = 0; i < k->set->count; i++)
		if (!fixed[i])
			k->claim[i] = own(k, i);
	for (bool more = true; more;) {
		int64_t next[PLAIN_CHAINS_TASKS];
		more = false;
		for (int i = 0; i < k->set->count; i++) {
			next[i] = k->claim[i];
			if (fixed[i] || next[i] == PLAIN_CHAINS_NONE)
				continue;
			int64_t x = response(k, i, next[i]);
			next[i] = x < 0 || x > k->set->task[i].period ? PLAIN_CHAINS_NONE : x;
			more = more || next[i] != k->claim[i];
		}
		memcpy(k->claim, next, sizeof(next));
	}
}

void plain_chains(const struct plain_chains *set, struct plain_chain_bound *bound)
{
	struct known k = {.set = set};
	bool fixed[PLAIN_CHAINS_TASKS] = {false}, failed[PLAIN_CHAINS_TASKS] = {false};
	find_limits(&k);
	find_rate(&k);
	for (int i = 0; i < set->count; i++)
		bound[i].response = PLAIN_CHAINS_NONE;
	for (;;) {
		int first = 0;
		find_claims(&k, fixed);
		for (int i = 0; i < set->count; i++) {
			if (fixed[i] || k.claim[i] == PLAIN_CHAINS_NONE)
				continue;
			fixed[i] = true;
			bound[i].response = k.claim[i];
			memcpy(bound[i].rests_on, failed, sizeof(failed));
		}
		while (first < set->count && fixed[first])
			first++;
		if (first == set->count || own(&k, first) > set->task[first].deadline)
			return;
		fixed[first] = failed[first] = true;
		k.claim[first] = set->task[first].deadline;
	}
}
