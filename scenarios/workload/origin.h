/* scenarios/workload/origin.h - where a generated set comes from, as a recording keeps it. */
#ifndef CEGSIM_SCENARIOS_WORKLOAD_ORIGIN_H
#define CEGSIM_SCENARIOS_WORKLOAD_ORIGIN_H

#include "base/text.h"
#include "scenarios/workload/recipe.h"

/* Appends {"recipe":"custom","version":1,"seed":7,"options":{...}}: with the index of the set, and the
 * platform, all it takes to make the set again. */
void recipe_origin(
	const struct recipe *recipe, const struct params *params, uint64_t seed, struct text *json);

#endif
