/* tests/fuzz/fuzz_options.c - libFuzzer on texts that users type as options: policies, analyses and recipes
 * with theirs, quantities, lists of seeds. Whatever the text, it is read, or refused with a reason; and what
 * is printed of what was read is read again as the same. The first byte says which. How it is run:
 * tests/fuzz/meson.build. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/units.h"
#include "policies/use/use.h"
#include "runs/bounds/bounds_csv.h"
#include "runs/seeds.h"
#include "scenarios/workload/recipe.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SETS 2

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void check_error(const struct error *err)
{
	must(err->status == STATUS_INPUT && err->text[0] && !strpbrk(err->text, "\r\x1b\x7f"));
}

/* A label that was cut is too long to be read again. */
static bool is_whole(const char *label)
{
	return strlen(label) + 1 < PARAMS_LABEL_MAX;
}

/* ---- uses ---- */

static void read_policy(const char *text)
{
	struct policy_use use, again;
	struct error err = {0};
	char label[PARAMS_LABEL_MAX], json[PARAMS_JSON_MAX];
	if (!policy_use_parse(text, &use, &err)) {
		check_error(&err);
		return;
	}
	policy_json(use.policy, &use.params, json);
	must(json[0] == '{' && json[strlen(json) - 1] == '}');
	if (is_whole(policy_use_label(&use, label)))
		must(policy_use_parse(label, &again, &err) && policy_use_same(&use, &again));
}

static void read_analysis(const char *text)
{
	struct analysis_use use, again;
	struct error err = {0};
	char label[PARAMS_LABEL_MAX], json[PARAMS_JSON_MAX];
	if (!analysis_use_parse(text, &use, &err)) {
		check_error(&err);
		return;
	}
	analysis_use_json(&use, json);
	must(json[0] == '{' && json[strlen(json) - 1] == '}');
	if (is_whole(analysis_use_typed(&use, label)))
		must(analysis_use_parse(label, &again, &err) && analysis_use_same(&use, &again));
}

/* ---- recipes ---- */

static void check_set(const struct taskset *set)
{
	must(set->task_count > 0);
	for (uint32_t i = 0; i < set->task_count; i++) {
		const struct task *t = &set->tasks[i];
		must(t->name && t->period_ns >= 0 && t->deadline_ns >= 0 && t->segment_count > 0);
		for (uint32_t j = 0; j < t->segment_count; j++)
			must(0 <= t->segments[j].best_ns &&
				t->segments[j].best_ns <= t->segments[j].worst_ns);
	}
}

/* Sets of a few tasks. */
static bool is_quick(const struct params *params)
{
	static const char *const counts[] = {"tasks", "subtasks", "segments", "gpus", "sms"};
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		uint32_t index = params_find(params, counts[i]);
		if (index != UINT32_MAX && params->value[index].high > 40)
			return false;
	}
	return true;
}

static void make_sets(const struct recipe *recipe, const struct params *params)
{
	struct arena arena = {0};
	struct platform platform;
	struct error err = {0};
	bool ok = recipe->platform && is_quick(params);
	if (ok && !recipe->platform(params, &arena, &platform, &err)) {
		check_error(&err);
		ok = false;
	}
	for (uint32_t i = 0; ok && i < SETS; i++) {
		struct taskset set;
		taskset_init(&set);
		if (recipe->generate(params, &platform, 1, i, &set, &err))
			check_set(&set);
		else
			check_error(&err);
		taskset_finish(&set);
	}
	arena_finish(&arena);
}

/* "custom:tasks=4,cores=2" */
static void read_recipe(char *text)
{
	struct params params;
	struct error err = {0};
	char *colon = strchrnul(text, ':');
	char *options = *colon ? colon + 1 : colon;
	*colon = '\0';
	const struct recipe *recipe = recipe_find(text);
	if (!recipe)
		return;
	params_default(&params, recipe->options);
	if (params_parse(&params, "the recipe", options, &err))
		make_sets(recipe, &params);
	else
		check_error(&err);
}

/* ---- single values ---- */

static void read_quantity(const char *text, enum unit_kind kind)
{
	int64_t value, again;
	struct error err = {0};
	char shown[UNIT_TEXT_MAX];
	if (!unit_parse(kind, text, NULL, &value, &err)) {
		check_error(&err);
		return;
	}
	must(value >= 0);
	must(unit_parse(kind, unit_format(kind, value, shown), NULL, &again, &err) && again == value);
}

static void read_number(const char *text)
{
	int64_t value, numerator, denominator;
	struct error err = {0};
	if (whole_parse(text, &value) == WHOLE_NOT)
		must(strcmp(text, "0") != 0);
	if (ratio_parse(text, &numerator, &denominator, &err))
		must(numerator > 0 && denominator > 0);
	else
		check_error(&err);
}

static void read_seeds(const char *text)
{
	struct seeds s;
	struct error err = {0};
	if (!seeds_parse(text, "seed", &s, &err)) {
		check_error(&err);
		must(s.count == 0);
		return;
	}
	must(s.count > 0 && s.count <= SEEDS_MAX && s.range_count <= SEED_RANGES_MAX);
	must(seeds_at(&s, 0) == (uint64_t)s.ranges[0].first);
	must(seeds_at(&s, s.count - 1) == (uint64_t)s.ranges[s.range_count - 1].last);
	seeds_finish(&s);
}

/* Files of the machine are not opened, no plug-in is loaded, and nothing is started. */
static bool names_a_file(const char *text)
{
	return strchr(text, '/') || strstr(text, ".so") || strstr(text, "pipe");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + !size);
	must(text);
	memcpy(text, size ? data + 1 : (const uint8_t *)"", size ? size - 1 : 0);
	text[size ? size - 1 : 0] = '\0';
	char which = size ? (char)data[0] : 'p';
	if (names_a_file(text))
		which = ' ';
	if (which == 'p')
		read_policy(text);
	if (which == 'a')
		read_analysis(text);
	if (which == 'r')
		read_recipe(text);
	if (which >= '0' && which <= '0' + (char)UNIT_FREQUENCY)
		read_quantity(text, (enum unit_kind)(which - '0'));
	if (which == 'n')
		read_number(text);
	if (which == 's')
		read_seeds(text);
	if (which == 'b')
		must(bounds_csv_of(text).path != NULL);
	free(text);
	return 0;
}
