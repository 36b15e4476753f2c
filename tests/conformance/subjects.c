/* tests/conformance/subjects.c - see tests/conformance/subjects.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "policies/registry.h"
#include "tests/conformance/policies.h"

struct listing {
	struct subject *subjects;
	size_t count;
};

static struct subject *list(
        struct listing *l, const struct policy *policy, const char *option, const char *value, size_t length)
{
	if (l->count == SUBJECTS_MAX) {
		fputs("conformance: more subjects than SUBJECTS_MAX\n", stderr);
		exit(EXIT_FAILURE);
	}
	struct subject *s = &l->subjects[l->count++];
	*s = (struct subject){.policy = policy};
	snprintf(s->option, sizeof s->option, "%s", option);
	snprintf(s->value, sizeof s->value, "%.*s", (int)length, value);
	if (option[0])
		snprintf(s->label, sizeof s->label, "%.40s %s=%s", policy->name, s->option, s->value);
	else
		snprintf(s->label, sizeof s->label, "%s", policy->name);
	return s;
}

/* The defaults, and every other choice of every option, the rest at their defaults. */
static void list_choices(struct listing *l, const struct policy *policy, enum subject_gate gate)
{
	list(l, policy, "", "", 0)->gate = gate;
	for (const struct option *o = policy->options; o && o->name; o++) {
		const char *choices = o->kind == OPTION_BOOL     ? "true|false"
		                      : o->kind == OPTION_CHOICE ? o->choices
		                                                 : "";
		while (*choices) {
			size_t length = strcspn(choices, "|");
			if (strlen(o->fallback) != length || strncmp(o->fallback, choices, length) != 0)
				list(l, policy, o->name, choices, length)->gate = gate;
			choices += length + (choices[length] == '|');
		}
	}
}

size_t subjects_all(struct subject subjects[SUBJECTS_MAX])
{
	struct listing l = {.subjects = subjects};
	for (const struct policy *const *p = policy_all(); *p; p++)
		list_choices(&l, *p, GATE_UNKNOWN);
	for (const struct test_policy *t = test_policies; t->policy; t++) {
		size_t first = l.count;
		list_choices(&l, t->policy, t->gate);
		for (size_t i = first; i < l.count; i++) {
			l.subjects[i].wide = t->wide;
			l.subjects[i].virtual_sms = t->virtual_sms;
		}
	}
	return l.count;
}

/* ---- cases ---- */

static void *make(struct random_case *c, size_t count, size_t size)
{
	void *memory = arena_alloc(&c->set.arena, count, size);
	if (!memory) {
		fputs("conformance: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	return memory;
}

static int64_t *lengthened(struct random_case *c, const int64_t *values, uint32_t count, uint32_t to)
{
	int64_t *longer = make(c, to, sizeof *longer);
	for (uint32_t i = 0; i < to; i++)
		longer[i] = values[i % count];
	return longer;
}

/* As many SMs as tasks at least; profiles say times for all of them. */
static void widen(struct random_case *c)
{
	if (c->platform.sms >= c->set.task_count)
		return;
	c->platform.sms = c->set.task_count;
	for (uint32_t i = 0; i < c->set.profile_count; i++) {
		struct profile *p = &c->set.profiles[i];
		p->best_ns = lengthened(c, p->best_ns, p->count, c->platform.sms);
		p->worst_ns = lengthened(c, p->worst_ns, p->count, c->platform.sms);
		if (p->total_power_uw)
			p->total_power_uw = lengthened(c, p->total_power_uw, p->count, c->platform.sms);
		p->count = c->platform.sms;
	}
}

/* Every divisible kernel says alpha for V_SM, and every persistent block fits an SM. */
static void share_sms(struct random_case *c, uint32_t virtual_sms)
{
	if (c->platform.pool == POOL_GPU && c->platform.threads_per_sm < virtual_sms)
		c->platform.threads_per_sm = virtual_sms;
	for (uint32_t i = 0; i < c->set.task_count; i++)
		for (uint32_t j = 0; j < c->set.tasks[i].segment_count; j++) {
			struct segment *s = &c->set.tasks[i].segments[j];
			if (s->kind != SEGMENT_KERNEL || s->form != KERNEL_WORK || s->interleaves)
				continue;
			s->interleaves = 2;
			s->interleave = make(c, 2, sizeof *s->interleave);
			s->interleave[0] = (struct interleave){2, 18, 10};
			s->interleave[1] = (struct interleave){4, 31, 10};
		}
}

void subjects_case(const struct subject *subject, uint64_t seed, uint64_t index, struct random_case *c)
{
	random_case_make(seed, index, c);
	if (subject->wide)
		widen(c);
	if (subject->virtual_sms)
		share_sms(c, subject->virtual_sms);
}
