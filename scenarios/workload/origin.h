/* scenarios/workload/origin.h - the origin of a generated set, in the form in which a recording stores it. */
#ifndef CEGSIM_SCENARIOS_WORKLOAD_ORIGIN_H
#define CEGSIM_SCENARIOS_WORKLOAD_ORIGIN_H

#include "base/text.h"
#include "scenarios/workload/recipe.h"

/* Appends {"recipe":"custom","version":1,"seed":7,"options":{...}}: with the index of the set and the
 * platform, this is enough to make the set again. */
void recipe_origin(
	const struct recipe *recipe, const struct params *params, uint64_t seed, struct text *json);

#endif
