/* tests/oracle/loose_sets.c - gives random cases what few have: release jitter, deadlines above periods,
 * samples of execution times, limits of misses, overheads, chains, releases after others. */
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

/* ---- chains and triggers ---- */

#define CHAINS 3

static void make_chain(struct dice *d, struct random_case *c, struct effect_chain *chain)
{
	static char name[] = "chain";
	uint32_t tasks = c->set.task_count, length = small(d, 1, tasks);
	*chain = (struct effect_chain){
		.name = name,
		.tasks = random_case_room(c, tasks, sizeof(*chain->tasks)),
		.task_count = length,
		.communication = once_in(d, 2) ? CHAIN_LET : CHAIN_IMPLICIT,
		.sample = once_in(d, 2) ? CHAIN_RELEASE : CHAIN_START,
		.age_ns = once_in(d, 2) ? between(d, 1, 100) : 0,
		.reaction_ns = once_in(d, 2) ? between(d, 1, 100) : 0,
	};
	for (uint32_t i = 0; i < tasks; i++)
		chain->tasks[i] = i;
	for (uint32_t i = 0; i < length; i++) {
		uint32_t k = small(d, i, tasks - 1), swap = chain->tasks[i];
		chain->tasks[i] = chain->tasks[k];
		chain->tasks[k] = swap;
	}
}

void random_case_chains(struct random_case *c, uint64_t index)
{
	struct dice d = {index * 0x9E3779B97F4A7C15u ^ 0xc4a175};
	c->set.chains = random_case_room(c, CHAINS, sizeof(*c->set.chains));
	c->set.chain_count = CHAINS;
	for (int i = 0; i < CHAINS; i++)
		make_chain(&d, c, &c->set.chains[i]);
}

void random_case_triggers(struct random_case *c, uint64_t index)
{
	struct dice d = {index * 0x9E3779B97F4A7C15u ^ 0x7219e3};
	uint32_t tasks = c->set.task_count;
	bool up = once_in(&d, 2);
	for (uint32_t i = 1; i < tasks; i++) {
		uint32_t at = up ? i : tasks - 1 - i;
		if (!once_in(&d, 2))
			continue;
		struct release_rule *rule = random_case_room(c, 1, sizeof(*rule));
		*rule = (struct release_rule){
			.kind = RELEASE_AFTER, .after = random_case_room(c, tasks, sizeof(uint32_t))};
		for (uint32_t k = 0; k < i; k++)
			if (rule->after_count == 0 || once_in(&d, 4))
				rule->after[rule->after_count++] = up ? i - 1 - k : tasks - i + k;
		c->set.tasks[at].release = rule;
		c->set.tasks[at].offset_ns = 0;
	}
}
