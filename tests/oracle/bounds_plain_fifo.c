/* tests/oracle/bounds_plain_fifo.c - see tests/oracle/bounds_plain_fifo.h.
 *
 *   q = the largest number that divides every b and the threads;  mu = (threads - b_max + q) on each SM
 *   X_i = (sum of C - b_i e_i) / mu + e_i;  R_i = (K + sum of C - b_i e_i) / mu + e_i
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
	return set->task[i].grid * block(set, i) * set->task[i].time;
}

/* The most work of blocks of task i and those after it, in so many threads. */
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

/* sum of C / T <= whole, times all periods. */
static bool utilisation_fits(const struct plain_fifo_set *set, int64_t whole)
{
	int128 all = 1, sum = 0;
	for (int i = 0; i < set->count; i++)
		all *= set->task[i].period;
	for (int i = 0; i < set->count; i++)
		sum += all / set->task[i].period * work(set, i);
	return sum <= whole * all;
}

struct plain_fifo plain_fifo(const struct plain_fifo_set *set)
{
	struct plain_fifo p = { 0 };
	int64_t pools = set->pooled ? 1 : set->sms, threads = set->pooled ? set->sms * set->threads : set->threads;
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
		int64_t last = block(set, i) * set->task[i].time;
		/* The least t with mu t >= what there is to do. */
		while (p.mu * p.x[i] < sum - last)
			p.x[i]++;
		p.r[i] = p.x[i];
		while (p.mu * p.r[i] < p.carried + sum - last)
			p.r[i]++;
		p.x[i] += set->task[i].time;
		p.r[i] += set->task[i].time;
	}
	return p;
}
