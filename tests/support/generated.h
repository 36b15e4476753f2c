/* tests/support/generated.h - what tests of generated task sets share: options from text, and a digest of a
 * set. */
#ifndef CEGSIM_TESTS_SUPPORT_GENERATED_H
#define CEGSIM_TESTS_SUPPORT_GENERATED_H

#include <stdio.h>
#include <string.h>

#include "scenarios/workload/recipe.h"
#include "tests/support/test.h"

/* "tasks=3 gpu=1ms..5ms" */
static inline struct params generated_params(const struct recipe *recipe, const char *options)
{
	struct params params;
	struct error err;
	char text[1024];
	params_default(&params, recipe->options);
	snprintf(text, sizeof(text), "%s", options);
	char *rest = text;
	for (char *item; (item = strsep(&rest, " ")) != NULL;) {
		if (*item == '\0')
			continue;
		char *equals = strchr(item, '=');
		assert_non_null(equals);
		*equals = '\0';
		if (!params_set(&params, item, equals + 1, &err))
			fail_msg("%s %s", recipe->name, err.text);
	}
	return params;
}

static inline uint64_t mix(uint64_t hash, int64_t value)
{
	for (int i = 0; i < 8; i++)
		hash = (hash ^ ((uint64_t)value >> 8 * i & 0xff)) * UINT64_C(0x100000001b3);
	return hash;
}

/* FNV-1a over everything in a set except names, streams and other constants. */
static inline uint64_t generated_digest(const struct taskset *set)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (uint32_t i = 0; i < set->task_count; i++) {
		const struct task *t = &set->tasks[i];
		hash = mix(mix(mix(hash, t->period_ns), t->deadline_ns), t->offset_ns);
		for (uint32_t j = 0; j < t->segment_count; j++) {
			const struct segment *s = &t->segments[j];
			hash = mix(mix(mix(hash, s->kind), s->best_ns), s->worst_ns);
			hash = mix(mix(mix(hash, s->direction), s->form), s->overhead_ns);
			hash = mix(mix(mix(hash, s->grid), s->block), s->profile);
			for (uint32_t k = 0; k < s->interleaves; k++)
				hash = mix(
					mix(hash, s->interleave[k].virtual_sms), s->interleave[k].numerator);
		}
	}
	for (uint32_t i = 0; i < set->profile_count; i++)
		for (uint32_t m = 0; m < set->profiles[i].count; m++)
			hash = mix(
				mix(hash, set->profiles[i].worst_ns[m]), set->profiles[i].total_power_uw[m]);
	return hash;
}

static inline void generated_defect(void *self, uint32_t task, uint32_t segment, const char *text)
{
	print_error("task %u segment %d: %s\n", task, (int)segment, text);
	++*(size_t *)self;
}

/* Makes a set on the recipe's own platform, or fails the test. The caller finishes it. */
static inline void generate(const struct recipe *recipe, const struct params *params, uint64_t seed,
	uint32_t index, struct platform *platform, struct taskset *set)
{
	struct error err;
	taskset_init(set);
	if (!recipe->platform(params, &set->arena, platform, &err) ||
		!recipe->generate(params, platform, seed, index, set, &err))
		fail_msg("%s, set %u: %s", recipe->name, index, err.text);
}

#endif
