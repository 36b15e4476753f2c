/* tests/unit/test_periods.c - periods: ranges, granularity, and distributions compared with their closed
 * forms. */
#include <string.h>

#include "scenarios/workload/periods.h"
#include "tests/support/distributions.h"
#include "tests/support/test.h"

#define MS INT64_C(1000000)
#define SAMPLE 20000u
#define TRIES 1000u

static struct error failure;
static double values[SAMPLE];

/* A sample of the periods of task `task`, in ms. */
static void sample(const struct period_rule *rule, uint32_t task)
{
	for (uint32_t k = 0; k < SAMPLE; k++) {
		struct draws d = {.seed = 21, .set = k};
		int64_t period[4];
		assert_true(periods_draw(rule, &d, 4, TRIES, period, &failure));
		if (rule->method != PERIODS_LIST) {
			assert_in_range(period[task], rule->min_ns, rule->max_ns);
			assert_int_equal(period[task] % rule->granularity_ns, 0);
		}
		values[k] = (double)period[task] / (double)MS;
	}
}

static double uniform_cdf(double x, const void *self)
{
	const struct period_rule *rule = self;
	return (x * (double)MS - (double)rule->min_ns) / (double)(rule->max_ns - rule->min_ns);
}

static double log_uniform_cdf(double x, const void *self)
{
	const struct period_rule *rule = self;
	return log(x * (double)MS / (double)rule->min_ns) /
	       log((double)(rule->max_ns + rule->granularity_ns) / (double)rule->min_ns);
}

TEST("uniform and log uniform have their distribution")
{
	struct period_rule rule = {.min_ns = 10 * MS, .max_ns = 1000 * MS, .granularity_ns = 1};
	for (uint32_t task = 0; task < 4; task++) {
		rule.method = PERIODS_UNIFORM;
		sample(&rule, task);
		assert_true(kolmogorov(values, SAMPLE, uniform_cdf, &rule) < KS_LIMIT);
		assert_true(kolmogorov(values, SAMPLE, log_uniform_cdf, &rule) > 10);
		rule.method = PERIODS_LOG_UNIFORM;
		sample(&rule, task);
		assert_true(kolmogorov(values, SAMPLE, log_uniform_cdf, &rule) < KS_LIMIT);
		assert_true(kolmogorov(values, SAMPLE, uniform_cdf, &rule) > 10);
	}
}

/* How far the frequency of a value is from its probability, in standard errors. */
static double frequency_error(double value, double probability)
{
	double hits = 0;
	for (size_t k = 0; k < SAMPLE; k++)
		hits += values[k] == value;
	return fabs(hits - SAMPLE * probability) / sqrt(SAMPLE * probability * (1 - probability));
}

/* With a coarse granularity, a period represents all values that are rounded down to it. */
TEST("granularity rounds down")
{
	struct period_rule rule = {
		.method = PERIODS_LOG_UNIFORM,
		.min_ns = 10 * MS,
		.max_ns = 80 * MS,
		.granularity_ns = 10 * MS,
	};
	sample(&rule, 0);
	for (int i = 1; i <= 8; i++)
		assert_true(frequency_error(10 * i, log((i + 1.0) / i) / log(9)) < 4);
	rule.method = PERIODS_UNIFORM;
	sample(&rule, 0);
	for (int i = 1; i <= 8; i++)
		assert_true(frequency_error(10 * i, 1.0 / 8) < 4);
	/* The ends are no multiples: 10 and 20 remain. */
	rule = (struct period_rule){
		.method = PERIODS_LOG_UNIFORM,
		.min_ns = 7 * MS,
		.max_ns = 29 * MS,
		.granularity_ns = 10 * MS,
	};
	sample(&rule, 0);
	for (size_t k = 0; k < SAMPLE; k++)
		assert_true(values[k] == 10 || values[k] == 20);
}

TEST("lists are drawn evenly")
{
	const int64_t list[] = {5 * MS, 10 * MS, 100 * MS};
	const struct period_rule rule = {.method = PERIODS_LIST, .list = list, .list_count = 3};
	sample(&rule, 3);
	for (size_t i = 0; i < 3; i++)
		assert_true(frequency_error((double)list[i] / (double)MS, 1.0 / 3) < 4);
}

TEST("divisors are all there")
{
	static const double divisors[] = {6, 10, 12, 15, 20, 30, 60};
	const struct period_rule rule = {
		.method = PERIODS_DIVISORS,
		.min_ns = 6 * MS,
		.max_ns = 60 * MS,
		.granularity_ns = MS,
		.hyperperiod_ns = 60 * MS,
	};
	sample(&rule, 1);
	for (size_t i = 0; i < 7; i++)
		assert_true(frequency_error(divisors[i], 1.0 / 7) < 4);
}

TEST("divisors of large numbers")
{
	/* 963,761,198,400 has 6720 divisors, the most up to 10^12; 999,999,999,989 is prime. */
	struct period_rule rule = {
		.method = PERIODS_DIVISORS,
		.min_ns = 1,
		.max_ns = INT64_C(1000000000000),
		.granularity_ns = 1,
		.hyperperiod_ns = INT64_C(963761198400),
	};
	int64_t period[64];
	assert_true(periods_draw(&rule, &(struct draws){.seed = 1}, 64, 1, period, &failure));
	for (size_t i = 0; i < 64; i++)
		assert_int_equal(rule.hyperperiod_ns % period[i], 0);
	rule.hyperperiod_ns = INT64_C(999999999989);
	assert_true(periods_draw(&rule, &(struct draws){.seed = 1}, 64, 1, period, &failure));
	for (size_t i = 0; i < 64; i++)
		assert_true(period[i] == 1 || period[i] == rule.hyperperiod_ns);
}

TEST("the matrix bounds the hyperperiod")
{
	const struct period_rule rule = {
		.method = PERIODS_MATRIX, .min_ns = 10 * MS, .max_ns = 1000 * MS, .granularity_ns = MS};
	sample(&rule, 2);
	for (size_t k = 0; k < SAMPLE; k++)
		assert_int_equal(25200 % (int)values[k], 0);
}

TEST("what is not there is said")
{
	static const struct {
		struct period_rule rule;
		const char *text;
	} cases[] = {
		{{PERIODS_UNIFORM, 11 * MS, 19 * MS, 10 * MS, 0, NULL, 0},
			"there is no period from 11ms to 19ms that is a multiple of the granularity"},
		{{PERIODS_LOG_UNIFORM, 11 * MS, 19 * MS, 10 * MS, 0, NULL, 0}, "multiple of the granularity"},
		{{PERIODS_LIST, 0, 0, 0, 0, NULL, 0}, "empty"},
		{{PERIODS_DIVISORS, 31 * MS, 59 * MS, MS, 60 * MS, NULL, 0}, "a divisor of the hyperperiod"},
		{{PERIODS_DIVISORS, 31 * MS, 59 * MS, MS, 60 * MS + 1, NULL, 0}, "not a multiple"},
		{{PERIODS_DIVISORS, 31 * MS, 59 * MS, 1, INT64_C(2000000000000), NULL, 0}, "more than 10^12"},
		{{PERIODS_MATRIX, 11 * MS, 11 * MS, MS, 0, NULL, 0}, "likely to come from the matrix"},
	};
	int64_t period;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_false(periods_draw(
			&cases[i].rule, &(struct draws){.seed = 1}, 1, TRIES, &period, &failure));
		assert_int_equal(failure.status, STATUS_INPUT);
		assert_non_null(strstr(failure.text, cases[i].text));
	}
}

TEST("a period depends on nothing but set and task")
{
	const struct period_rule rule = {
		.method = PERIODS_LOG_UNIFORM, .min_ns = 10 * MS, .max_ns = 1000 * MS, .granularity_ns = 1};
	int64_t many[8], few[3];
	assert_true(periods_draw(&rule, &(struct draws){.seed = 1, .set = 7}, 8, 1, many, &failure));
	assert_true(periods_draw(&rule, &(struct draws){.seed = 1, .set = 7}, 3, 1, few, &failure));
	assert_memory_equal(many, few, sizeof(few));
	assert_true(periods_draw(&rule, &(struct draws){.seed = 1, .set = 8}, 3, 1, few, &failure));
	assert_memory_not_equal(many, few, sizeof(few));
}
