/* scenarios/workload/picks.h - which measured kernels (scenarios/workload/profiles.h) the tasks of a set are,
 * and their periods: for the recipes after sBEET and sBEET-mg. */
#ifndef CEGSIM_SCENARIOS_WORKLOAD_PICKS_H
#define CEGSIM_SCENARIOS_WORKLOAD_PICKS_H

#include "base/error.h"
#include "base/int128.h"
#include "scenarios/workload/draws.h"

/* A task before it is built: a kernel with its copies. */
struct pick {
	uint32_t kernel;
	int64_t utilisation_ppm; /* 0: the period is given */
	int64_t period_ns;
};

/* The period of a task whose sections take `sum` ns on `parts` numbers of SMs together: T = sum / (parts *
 * utilisation), rounded up, at least 1. A period rounded down would put the set a little above its total, and
 * a total of exactly 1 beyond STGM's test (sum of the mean utilisations <= 1). False: it is longer than
 * PERIOD_MAX; `name` is the kernel's. */
MUST_CHECK bool pick_period(
	struct pick *pick, const char *name, int128 sum, uint32_t parts, struct error *err);

/* What tasks are drawn from. */
struct pick_rule {
	int64_t utilisation_ppm; /* of all tasks together */
	uint32_t kernels;
	/* Sets the period of a pick; *fits: it may stay. */
	bool (*settle)(const void *self, struct pick *pick, bool *fits, struct error *err);
	const void *self;
	const char *where; /* see pick_none() */
};

/* Utilisations by UUniFast, kernels uniform. The whole set is drawn again if one task does not fit: so the
 * sets that remain keep their relative probability. */
MUST_CHECK bool pick_by_uunifast(const struct pick_rule *rule, const struct draws *draws, uint32_t count,
	struct pick *picks, struct error *err);

/* Says that no try gave tasks that fit alone on that, such as "any GPU"; returns false. */
bool pick_none(const char *where, struct error *err);

#endif
