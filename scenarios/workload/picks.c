/* scenarios/workload/picks.c - see scenarios/workload/picks.h. */
#include "scenarios/workload/picks.h"

#include "scenarios/workload/build.h"

bool pick_period(struct pick *pick, const char *name, int128 sum, uint32_t parts, struct error *err)
{
	int128 share = (int128)parts * pick->utilisation_ppm, period = (sum * PPM + share - 1) / share;
	if (period > PERIOD_MAX)
		return error_set(err, STATUS_INPUT, "%s with utilisation %.6g has a period beyond 63 years",
			name, (double)pick->utilisation_ppm * 1e-6);
	pick->period_ns = period > 0 ? (int64_t)period : 1;
	return true;
}

bool pick_none(const char *where, struct error *err)
{
	return error_set(err, STATUS_INPUT,
		"no tasks that meet their deadlines alone on %s in %u tries (see the option 'fit')", where,
		GENERATOR_TRIES);
}

bool pick_by_uunifast(const struct pick_rule *rule, const struct draws *draws, uint32_t count,
	struct pick *picks, struct error *err)
{
	int64_t ppm[TASKS_MAX];
	struct simplex s = {.n = count, .sum = rule->utilisation_ppm - count};
	struct draws d = *draws;
	if (s.sum < 0)
		return error_set(err, STATUS_INPUT, "the utilisation is below 1 ppm for each task");
	for (; d.attempt < GENERATOR_TRIES; d.attempt++) {
		bool fits = true;
		if (!simplex_uunifast(&d, &s, 1, ppm, err))
			return false;
		for (uint32_t i = 0; fits && i < count; i++) {
			picks[i].kernel = (uint32_t)draw_between(
				&d, DRAW_BENCHMARK, i, 0, 0, (int64_t)rule->kernels - 1);
			picks[i].utilisation_ppm = ppm[i] + 1; /* without any it would have no period */
			if (!rule->settle(rule->self, &picks[i], &fits, err))
				return false;
		}
		if (fits)
			return true;
	}
	return pick_none(rule->where, err);
}
