/* tests/oracle/bounds_plain_fifo.c - see tests/oracle/bounds_plain_fifo.h.
 *
 *   q = the largest number that divides every b and the threads;  mu = (threads - b_max + q) on each SM
 *   X_i = (sum of C - b_i t) / mu + t;  R_i = (K + sum of C - b_i t) / mu + t
 *   t = the time of a block of i for which X_i, or R_i, is greatest
 *   K = the most that blocks which fit together can still have to do */
#include "tests/oracle/bounds_plain_fifo.h"

#include "base/int128.h"

static int64_t block(const struct plain_fifo_set *set, int i)
{
	int64_t b = set->task[i].block;
	while (!set->pooled && b % 32 != 0)
		b++;
	return b;
}

static int64_t work(const struct plain_fifo_set *set, int i)
{
	int64_t sum = 0;
	for (int64_t k = 0; k < set->task[i].grid; k++)
		sum += block(set, i) * set->task[i].of_block[k];
	return sum;
}

/* The most work that blocks of task i and of later tasks can have on so many threads. */
static int64_t most_in(const struct plain_fifo_set *set, int i, int64_t threads)
{
	int64_t most = 0;
	if (i == set->count - 1)
		return threads / block(set, i) * block(set, i) * set->task[i].time;
	for (int64_t n = 0; n * block(set, i) <= threads; n++) {
		int64_t b = block(set, i), rest = most_in(set, i + 1, threads - n * b);
		if (n * b * set->task[i].time + rest > most)
			most = n * b * set->task[i].time + rest;
	}
	return most;
}

/* Is sum of C / T <= whole? Both sides are multiplied by all periods. */
static bool utilisation_fits(const struct plain_fifo_set *set, int64_t whole)
{
	int128 all = 1, sum = 0;
	for (int i = 0; i < set->count; i++)
		all *= set->task[i].period;
	for (int i = 0; i < set->count; i++)
		sum += all / set->task[i].period * work(set, i);
	return sum <= whole * all;
}

/* The least t >= 0 in which a rate of mu does the work. */
static int64_t least_time(int64_t mu, int64_t work)
{
	int64_t t = 0;
	while (mu * t < work)
		t++;
	return t;
}

static int64_t greater(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

struct plain_fifo plain_fifo(const struct plain_fifo_set *set)
{
	struct plain_fifo p = {0};
	int64_t pools = set->pooled ? 1 : set->sms,
		threads = set->pooled ? set->sms * set->threads : set->threads;
	int64_t largest = 0, sum = 0, q = 0;
	for (int i = 0; i < set->count; i++) {
		sum += work(set, i);
		if (block(set, i) > largest)
			largest = block(set, i);
	}
	for (int64_t d = 1; d <= threads; d++) {
		bool divides = threads % d == 0;
		for (int i = 0; i < set->count; i++)
			divides = divides && block(set, i) % d == 0;
		if (divides)
			q = d;
	}
	p.mu = pools * (threads - largest + q);
	p.fits = utilisation_fits(set, p.mu);
	p.literal = utilisation_fits(set, pools * (threads - largest + 1));
	p.carried = pools * most_in(set, 0, threads);
	for (int i = 0; i < set->count; i++) {
		for (int64_t k = 0; k < set->task[i].grid; k++) {
			int64_t t = set->task[i].of_block[k], left = sum - block(set, i) * t;
			p.x[i] = greater(p.x[i], least_time(p.mu, left) + t);
			p.r[i] = greater(p.r[i], least_time(p.mu, p.carried + left) + t);
		}
	}
	return p;
}
