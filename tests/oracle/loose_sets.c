/* tests/oracle/loose_sets.c - gives random cases what few have: release jitter, deadlines above periods,
 * samples of execution times, limits of misses, overheads, cores. */
#include "tests/oracle/dice.h"
#include "tests/oracle/random_sets.h"

/* Jitter is at most the period, and below the deadline. */
static void make_jitter(struct dice *d, struct random_case *c, struct task *t)
{
	struct release_rule *rule = random_case_room(c, 1, sizeof(*rule));
	int64_t most = t->deadline_ns <= t->period_ns ? t->deadline_ns - 1 : t->period_ns;
	*rule = (struct release_rule){
		.kind = RELEASE_JITTER, .jitter_ns = once_in(d, 3) ? most : between(d, 0, most)};
	t->release = rule;
}

static bool takes_samples(const struct segment *s)
{
	if (s->kind == SEGMENT_KERNEL)
		return s->form == KERNEL_GRID && !(s->times && s->times->own_draws);
	return s->kind == SEGMENT_CPU || s->bytes < 0;
}

/* As many for each segment of the task, so that they may be drawn together. */
static void make_samples(struct dice *d, struct random_case *c, struct task *t)
{
	uint32_t count = small(d, 1, 5);
	for (uint32_t k = 0; k < t->segment_count; k++) {
		struct segment *s = &t->segments[k];
		if (!takes_samples(s) || once_in(d, 5))
			continue;
		s->samples = random_case_room(c, count, sizeof(*s->samples));
		s->sample_count = count;
		for (uint32_t i = 0; i < count; i++)
			s->samples[i] = between(d, s->best_ns, s->worst_ns);
	}
}

void random_case_sample(struct random_case *c, uint64_t index)
{
	struct dice d = {index * 0x9E3779B97F4A7C15u ^ 0x5a3b1e};
	if (!once_in(&d, 3))
		return;
	c->setup.execution = once_in(&d, 2) ? EXECUTION_SAMPLES : EXECUTION_TOGETHER;
	for (uint32_t i = 0; i < c->set.task_count; i++)
		make_samples(&d, c, &c->set.tasks[i]);
}

void random_case_burden(struct random_case *c, uint64_t index)
{
	struct dice d = {index * 0x9E3779B97F4A7C15u ^ 0xb0ade};
	if (once_in(&d, 3))
		return;
	struct overheads *o = &c->platform.overheads;
	int64_t *const each[] = {
		&o->launch_ns, &o->latency_ns, &o->gap_ns, &o->sync_ns, &o->switch_ns, &o->release_ns};
	bool all = once_in(&d, 4);
	for (size_t i = 0; i < sizeof(each) / sizeof(each[0]); i++)
		*each[i] = all || once_in(&d, 3) ? between(&d, 1, once_in(&d, 3) ? 6 : 2) : 0;
}

void random_case_delay(struct random_case *c, uint64_t index)
{
	struct dice d = {index * 0x9E3779B97F4A7C15u ^ 0xde1a9};
	if (c->platform.pool == POOL_SM && once_in(&d, 2))
		c->platform.preemption_delay_ns = between(&d, 1, once_in(&d, 3) ? 30 : 6);
}

void random_case_spread(struct random_case *c, uint64_t index)
{
	struct dice d = {index * 0x9E3779B97F4A7C15u ^ 0xc03e5};
	if (once_in(&d, 3))
		return;
	c->platform.cores = small(&d, 2, 4);
	c->platform.scheduling = once_in(&d, 2) ? CORES_GLOBAL : CORES_PARTITIONED;
	c->set.cores = c->platform.scheduling == CORES_PARTITIONED;
	uint32_t used = once_in(&d, 4) ? 1 : c->platform.cores; /* all on one of several: as on one */
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		struct task *t = &c->set.tasks[i];
		t->core = (int32_t)small(&d, c->platform.cores - used, c->platform.cores - 1);
		if (!task_computes(t) && once_in(&d, 2))
			t->core = CORE_NOT_SAID;
	}
}

void random_case_limit(struct random_case *c, uint64_t index)
{
	struct dice d = {index * 0x9E3779B97F4A7C15u ^ 0x1131f};
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		struct task *t = &c->set.tasks[i];
		if (once_in(&d, 2))
			t->misses_in = small(&d, 1, 6);
		if (t->misses_in)
			t->misses_at_most = small(&d, 0, t->misses_in - 1);
	}
}

void random_case_loosen(struct random_case *c, uint64_t index)
{
	struct dice d = {index * 0x9E3779B97F4A7C15u ^ 0x100e5e};
	if (once_in(&d, 2))
		return;
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		struct task *t = &c->set.tasks[i];
		if (once_in(&d, 3))
			t->deadline_ns = t->period_ns + between(&d, 1, 3 * t->period_ns);
		if (!t->release && once_in(&d, 2))
			make_jitter(&d, c, t);
	}
}
