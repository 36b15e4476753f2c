/* scenarios/workload/periods.c - see scenarios/workload/periods.h. */
#include "scenarios/workload/periods.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/units.h"

#define DIVISORS_MAX 6720 /* the most divisors of a number up to 10^12 */

/* The data of a method, for all tasks of a set. */
struct period_choice {
	const struct period_rule *rule;
	const struct draws *draws;
	int64_t low, high; /* least and greatest multiple of the granularity,
 in granularities */
	int64_t *values;   /* to choose from: ns */
	size_t count;
	uint32_t tries;
};

typedef bool period_fn(const struct period_choice *c, uint32_t task, int64_t *period_ns, struct error *err);

static bool nothing_between(const struct period_choice *c, const char *what, struct error *err)
{
	char low[UNIT_TEXT_MAX], high[UNIT_TEXT_MAX];
	unit_format_alike(UNIT_TIME, (int64_t[]){c->rule->min_ns, c->rule->max_ns}, low, high);
	return error_set(err, STATUS_INPUT, "there is no period from %s to %s that is %s", low, high, what);
}

static bool uniform(const struct period_choice *c, uint32_t task, int64_t *period_ns, struct error *err)
{
	if (c->low > c->high)
		return nothing_between(c, "a multiple of the granularity", err);
	*period_ns = draw_between(c->draws, DRAW_PERIOD, task, 0, c->low, c->high) * c->rule->granularity_ns;
	return true;
}

static bool log_uniform(const struct period_choice *c, uint32_t task, int64_t *period_ns, struct error *err)
{
	double step = (double)c->rule->granularity_ns;
	double low = log((double)c->rule->min_ns), high = log((double)c->rule->max_ns + step);
	if (c->low > c->high)
		return nothing_between(c, "a multiple of the granularity", err);
	double period = exp(low + draw_unit(c->draws, DRAW_PERIOD, task, 0) * (high - low));
	int64_t steps = (int64_t)floor(period / step);
	steps = steps < c->low ? c->low : steps > c->high ? c->high : steps;
	*period_ns = steps * c->rule->granularity_ns;
	return true;
}

static bool one_of(const struct period_choice *c, uint32_t task, int64_t *period_ns, struct error *err)
{
	(void)err;
	*period_ns = c->values[draw_between(c->draws, DRAW_PERIOD, task, 0, 0, (int64_t)c->count - 1)];
	return true;
}

static bool matrix(const struct period_choice *c, uint32_t task, int64_t *period_ns, struct error *err)
{
	enum { ROWS = 4, COLUMNS = 5 };
	static const int64_t factors[ROWS][COLUMNS] = {
		{1, 2, 4, 8, 16}, {1, 1, 3, 3, 9}, {1, 1, 5, 5, 25}, {1, 1, 1, 7, 7}};
	struct draws d = *c->draws;
	for (uint32_t k = 0; k < c->tries; k++, d.attempt++) {
		int64_t steps = 1;
		for (uint32_t row = 0; row < ROWS; row++)
			steps *= factors[row][draw_between(&d, DRAW_PERIOD, task, row, 0, COLUMNS - 1)];
		if (steps < c->low || steps > c->high)
			continue;
		*period_ns = steps * c->rule->granularity_ns;
		return true;
	}
	return nothing_between(c, "likely to come from the matrix", err);
}

/* Finds all divisors of the hyperperiod (in granularities) that are in the range, in any order: for each
 * prime in turn, multiplies those found so far by its powers. */
static bool find_divisors(struct period_choice *c, struct error *err)
{
	const struct period_rule *rule = c->rule;
	int64_t rest = rule->hyperperiod_ns / rule->granularity_ns;
	if (rule->hyperperiod_ns <= 0 || rule->hyperperiod_ns % rule->granularity_ns)
		return error_set(
			err, STATUS_INPUT, "the hyperperiod is not a multiple of the periods' granularity");
	if (rest > PERIOD_QUOTIENT_MAX)
		return error_set(err, STATUS_INPUT, "the hyperperiod is more than 10^12 granularities");
	c->values = malloc(DIVISORS_MAX * sizeof(*c->values));
	if (!c->values)
		return error_memory(err, "the divisors of the hyperperiod");
	c->values[0] = 1;
	c->count = 1;
	for (int64_t prime = 2; rest > 1; prime++) {
		if (prime * prime > rest)
			prime = rest;
		size_t before = c->count;
		int64_t power = 1;
		while (rest % prime == 0) {
			rest /= prime;
			power *= prime;
			for (size_t i = 0; i < before; i++)
				c->values[c->count++] = c->values[i] * power;
		}
	}
	size_t kept = 0;
	for (size_t i = 0; i < c->count; i++)
		if (c->values[i] >= c->low && c->values[i] <= c->high)
			c->values[kept++] = c->values[i] * rule->granularity_ns;
	c->count = kept;
	return kept > 0 ||
	       nothing_between(c, "a divisor of the hyperperiod and a multiple of the granularity", err);
}

bool periods_draw(const struct period_rule *rule, const struct draws *d, uint32_t n, uint32_t tries,
	int64_t *period_ns, struct error *err)
{
	static period_fn *const methods[] = {
		[PERIODS_UNIFORM] = uniform,
		[PERIODS_LOG_UNIFORM] = log_uniform,
		[PERIODS_LIST] = one_of,
		[PERIODS_DIVISORS] = one_of,
		[PERIODS_MATRIX] = matrix,
	};
	struct period_choice c = {.rule = rule, .draws = d, .tries = tries};
	bool ok = true;
	if (rule->method == PERIODS_LIST) {
		if (rule->list_count == 0)
			return error_set(err, STATUS_INPUT, "the list of periods is empty");
		c.count = rule->list_count;
		c.values = malloc(c.count * sizeof(*c.values));
		if (!c.values)
			return error_memory(err, "the list of periods");
		for (size_t i = 0; i < c.count; i++)
			c.values[i] = rule->list[i];
	} else {
		assert(rule->granularity_ns > 0 && rule->min_ns > 0 && rule->min_ns <= rule->max_ns);
		c.low = (rule->min_ns - 1) / rule->granularity_ns + 1;
		c.high = rule->max_ns / rule->granularity_ns;
		ok = rule->method != PERIODS_DIVISORS || find_divisors(&c, err);
	}
	for (uint32_t i = 0; ok && i < n; i++)
		ok = methods[rule->method](&c, i, &period_ns[i], err);
	free(c.values);
	return ok;
}
