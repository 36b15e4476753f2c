/* scenarios/workload/recipe.h - task-set generators.
 *
 * A recipe makes task sets: a pure function of (parameters, seed, index). Any set can be made
 * again alone, on any machine, in any order. */
#ifndef CEGSIM_SCENARIOS_WORKLOAD_RECIPE_H
#define CEGSIM_SCENARIOS_WORKLOAD_RECIPE_H

#include "models/params.h"
#include "models/platform.h"
#include "models/taskset.h"

struct recipe {
	const char *name;    /* as users type it */
	const char *summary; /* one line, with its source */
	unsigned version;    /* grows when the sets change */
	const struct option *options;
	bool warps; /* its sets are kernels of warps (taskset.warps) */
	/* The platform for which the recipe is made, if the user names none (NULL: it has none). It depends
	 * on the parameters, such as the number of SMs. The arena owns what it points to. */
	bool (*platform)(const struct params *params, struct arena *arena, struct platform *platform,
		struct error *err);
	/* Fills in an initialised, empty set. The platform is the one it will run on (recipes that work from
	 * measured times need its number of SMs). False: the parameters contradict each other, or no set was
	 * found within the limit of tries; err says which. */
	bool (*generate)(const struct params *params, const struct platform *platform, uint64_t seed,
		uint32_t index, struct taskset *set, struct error *err);
};

/* All recipes, NULL-terminated; and one by its name, NULL: no such recipe. */
const struct recipe *const *recipe_all(void);
const struct recipe *recipe_find(const char *name);

/* The utilisation that the parameters ask for, ppm; INT64_MIN: none. For tables and plots over
 * utilisation. */
int64_t recipe_target_utilisation(const struct params *params);

#endif
