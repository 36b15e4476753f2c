/* scenarios/workload/recipe.c - owns the list of recipes; see scenarios/workload/recipe.h. */
#include "scenarios/workload/recipe.h"

#include <string.h>

#include "scenarios/workload/origin.h"
#include "scenarios/workload/recipes.h"

static const struct recipe *const recipes[] = {
	&recipe_rtgpu_table1,
	&recipe_sbeet,
	&recipe_gcaps,
	&recipe_custom,
	&recipe_qaws_pairs,
	&recipe_qos_mixes,
	NULL,
};

const struct recipe *const *recipe_all(void)
{
	return recipes;
}

const struct recipe *recipe_find(const char *name)
{
	for (const struct recipe *const *r = recipes; *r; r++)
		if (strcmp((*r)->name, name) == 0)
			return *r;
	return NULL;
}

/* Options that make the utilisation follow from something else. */
static bool utilisation_follows(const struct params *params)
{
	for (uint32_t i = 0; i < params->count; i++)
		if (strcmp(params->options[i].name, "mode") == 0 &&
			(strcmp(params->text[i], "periods") == 0 || strcmp(params->text[i], "alone") == 0))
			return true;
	return false;
}

int64_t recipe_target_utilisation(const struct params *params)
{
	if (utilisation_follows(params))
		return INT64_MIN;
	for (uint32_t i = 0; i < params->count; i++) {
		int64_t low, high;
		const struct option *option = &params->options[i];
		if (strcmp(option->name, "utilisation") != 0)
			continue;
		if (option->kind == OPTION_RATIO)
			return params_quantity(params, "utilisation");
		params_range(params, "utilisation", &low, &high);
		return low == high ? low : INT64_MIN;
	}
	return INT64_MIN;
}

void recipe_origin(const struct recipe *recipe, const struct params *params, uint64_t seed, struct text *json)
{
	char values[PARAMS_MAX * (PARAM_TEXT_MAX + 64)];
	params_json(params, values, sizeof(values));
	text_add(json, "{\"recipe\":");
	text_add_json(json, recipe->name);
	text_printf(json, ",\"version\":%u,\"seed\":%llu,\"options\":%s}", recipe->version,
		(unsigned long long)seed, values);
}
