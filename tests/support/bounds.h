/* tests/support/bounds.h - the bounds of an analysis on a set made in code (tests/support/harness.h), for the
 * plan of a policy. */
#ifndef CEGSIM_TESTS_SUPPORT_BOUNDS_H
#define CEGSIM_TESTS_SUPPORT_BOUNDS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "policies/registry.h"
#include "tests/support/harness.h"

struct bounds {
	struct arena arena;
	struct analysis_result result;
};

/* "name=value name=value", or NULL: all defaults. */
static inline void bounds_params(struct params *params, const struct option *options, const char *text)
{
	char copy[256];
	struct error err;
	params_default(params, options);
	snprintf(copy, sizeof copy, "%s", text ? text : "");
	for (char *rest = copy, *item; (item = strsep(&rest, " ")) != NULL;) {
		char *value = strchr(item, '=');
		if (!*item)
			continue;
		assert_non_null(value);
		*value++ = '\0';
		if (!params_set(params, item, value, &err))
			fail_msg("%s", err.text);
	}
}

static inline void bounds_fail(void *self, uint32_t task, uint32_t segment, const char *text)
{
	(void)self;
	fail_msg("task %u segment %u: %s", task, segment, text);
}

static inline void bounds_of_plan(
        struct bounds *b, const struct plan *plan, const char *analysis, const char *options)
{
	struct params params;
	struct error err;
	const struct analysis *a = analysis_find(analysis);
	assert_non_null(a);
	bounds_params(&params, a->options, options);
	if (!a->bound(plan, &params, &b->arena, &b->result, &err))
		fail_msg("%s", err.text);
}

/* The parts of every bound add up to it. */
static inline void bounds_check_parts(const struct bounds *b, uint32_t tasks)
{
	for (uint32_t i = 0; i < tasks; i++) {
		const struct task_bound *t = &b->result.task[i];
		int64_t sum = 0;
		for (uint32_t p = 0; p < t->part_count; p++) {
			assert_true(t->parts[p].amount_ns > 0);
			sum += t->parts[p].amount_ns;
		}
		if (t->response_ns != NO_BOUND)
			assert_int_equal(sum, t->response_ns);
		else
			assert_int_equal(t->part_count, 0);
	}
}

/* b is zeroed, or has been made before. */
static inline void bounds_make(struct bounds *b, struct maker *k, const char *policy,
        const char *policy_options, const char *analysis, const char *options)
{
	const struct policy *found = policy_find(policy);
	struct simulation *s;
	struct params params;
	struct error err;
	arena_finish(&b->arena);
	assert_non_null(found);
	bounds_params(&params, found->options, policy_options);
	taskset_check(&k->set, &k->platform, bounds_fail, NULL);
	if (!simulation_create(&k->platform, &k->set, &k->setup, found, &params, &s, &err))
		fail_msg("%s", err.text);
	assert_false(simulation_plan(s)->refused);
	bounds_of_plan(b, simulation_plan(s), analysis, options);
	simulation_destroy(s);
	if (!b->result.refused)
		bounds_check_parts(b, k->set.task_count);
}

/* The amount of a part of a task's bound, 0 if it has none. */
static inline int64_t bounds_part(
        const struct bounds *b, uint32_t task, enum bound_part_kind kind, uint32_t by)
{
	const struct task_bound *t = &b->result.task[task];
	for (uint32_t p = 0; p < t->part_count; p++)
		if (t->parts[p].kind == kind && t->parts[p].by == by)
			return t->parts[p].amount_ns;
	return 0;
}

static inline void bounds_expect(const struct bounds *b, const int64_t *responses, uint32_t tasks)
{
	assert_false(b->result.refused);
	for (uint32_t i = 0; i < tasks; i++) {
		assert_true(b->result.task[i].analysed);
		assert_int_equal(b->result.task[i].response_ns, responses[i]);
	}
}

#define BOUNDS_EXPECT(b, ...)                                                                                \
	bounds_expect((b), (const int64_t[]){__VA_ARGS__},                                                   \
	        sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static inline void bounds_expect_refused(const struct bounds *b, const char *reason)
{
	assert_true(b->result.refused);
	assert_false(b->result.verdict.accepted);
	assert_string_equal(b->result.verdict.reason, reason);
}

#endif
