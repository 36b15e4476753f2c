/* scenarios/workload/recipe.c - owns the list of recipes; see scenarios/workload/recipe.h. */
#include "scenarios/workload/recipe.h"

#include <string.h>

#include "scenarios/workload/origin.h"
#include "scenarios/workload/recipes.h"

static const struct recipe *const recipes[] = {
	&recipe_rtgpu_table1,
	&recipe_sbeet,
	&recipe_sbeet_mg,
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

/* Whether the options make the utilisation follow from other values. */
static bool utilisation_follows(const struct params *params)
{
	char mode[PARAM_TEXT_MAX];
	uint32_t i = params_find(params, "mode");
	return i != UINT32_MAX &&
	       (strcmp(params_text(params, i, mode), "periods") == 0 || strcmp(mode, "alone") == 0);
}

int64_t recipe_target_utilisation(const struct params *params)
{
	int64_t low, high;
	if (utilisation_follows(params) || params_find(params, "utilisation") == UINT32_MAX)
		return INT64_MIN;
	params_range(params, "utilisation", &low, &high);
	return low == high ? low : INT64_MIN;
}

void recipe_origin(const struct recipe *recipe, const struct params *params, uint64_t seed, struct text *json)
{
	char values[PARAMS_JSON_MAX];
	text_add(json, "{\"recipe\":");
	text_add_json(json, recipe->name);
	text_printf(json, ",\"version\":%u,\"seed\":%llu,\"options\":%s}", recipe->version,
		(unsigned long long)seed, params_json_text(params, values));
}
