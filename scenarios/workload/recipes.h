/* scenarios/workload/recipes.h - declares the recipes; scenarios/workload/recipe.c lists them. */
#ifndef CEGSIM_SCENARIOS_WORKLOAD_RECIPES_H
#define CEGSIM_SCENARIOS_WORKLOAD_RECIPES_H

#include "scenarios/workload/recipe.h"

extern const struct recipe recipe_rtgpu_table1, recipe_sbeet, recipe_sbeet_mg, recipe_gcaps, recipe_custom,
	recipe_qaws_pairs, recipe_qos_mixes;

#endif
