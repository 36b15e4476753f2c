/* tests/oracle/linked_sets.c - gives random cases chains, tasks that are released after others, and
 * processes. */
#include "tests/oracle/dice.h"
#include "tests/oracle/random_sets.h"

/* The tasks in a random order; no task is released after one behind it. */
static uint32_t *shuffled(struct dice *d, struct random_case *c)
{
	uint32_t count = c->set.task_count, *order = random_case_room(c, count, sizeof(*order));
	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = small(d, 0, i);
		order[i] = order[at];
		order[at] = i;
	}
	return order;
}

#define CHAINS 3

static void make_chain(struct dice *d, struct random_case *c, struct effect_chain *chain, uint32_t number)
{
	static char names[CHAINS][3] = {"c0", "c1", "c2"};
	*chain = (struct effect_chain){
		.name = names[number],
		.tasks = shuffled(d, c),
		.task_count = small(d, 1, c->set.task_count),
		.communication = once_in(d, 2) ? CHAIN_LET : CHAIN_IMPLICIT,
		.sample = once_in(d, 2) ? CHAIN_RELEASE : CHAIN_START,
		.age_ns = once_in(d, 2) ? between(d, 1, 100) : 0,
		.reaction_ns = once_in(d, 2) ? between(d, 1, 100) : 0,
	};
}

void random_case_chains(struct random_case *c, uint64_t index)
{
	struct dice d = {index * 0x9E3779B97F4A7C15u ^ 0xc4a175};
	c->set.chains = random_case_room(c, CHAINS, sizeof(*c->set.chains));
	c->set.chain_count = CHAINS;
	for (uint32_t i = 0; i < CHAINS; i++)
		make_chain(&d, c, &c->set.chains[i], i);
}

/* After one of these tasks at least. */
static void make_trigger(
	struct dice *d, struct random_case *c, struct task *t, const uint32_t before[], uint32_t count)
{
	struct release_rule *rule = random_case_room(c, 1, sizeof(*rule));
	*rule = (struct release_rule){
		.kind = RELEASE_AFTER, .after = random_case_room(c, count, sizeof(*rule->after))};
	uint32_t always = small(d, 0, count - 1);
	for (uint32_t i = 0; i < count; i++) {
		if (i == always || once_in(d, 4))
			rule->after[rule->after_count++] = before[i];
	}
	t->release = rule;
	t->offset_ns = 0;
}

void random_case_triggers(struct random_case *c, uint64_t index)
{
	struct dice d = {index * 0x9E3779B97F4A7C15u ^ 0x7219e3};
	const uint32_t *order = shuffled(&d, c);
	for (uint32_t i = 1; i < c->set.task_count; i++) {
		if (once_in(&d, 2))
			make_trigger(&d, c, &c->set.tasks[order[i]], order, i);
	}
}

void random_case_link(struct random_case *c, uint64_t index)
{
	if (index % 3 != 0)
		random_case_triggers(c, index);
	random_case_chains(c, index);
	c->set.chain_count = (uint32_t)(index / 3 % CHAINS);
}

/* Every index behind `task` is one less. Returns how many are left. */
static uint32_t without(uint32_t tasks[], uint32_t count, uint32_t task)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (tasks[i] != task)
			tasks[kept++] = tasks[i] - (tasks[i] > task);
	}
	return kept;
}

void random_case_unlink_task(struct random_case *c, uint32_t task)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		struct task *t = &c->set.tasks[i];
		if (!t->release || t->release->kind != RELEASE_AFTER)
			continue;
		t->release->after_count = without(t->release->after, t->release->after_count, task);
		if (t->release->after_count == 0)
			t->release = NULL;
	}
	for (uint32_t i = 0; i < c->set.chain_count; i++) {
		struct effect_chain *chain = &c->set.chains[i];
		chain->task_count = without(chain->tasks, chain->task_count, task);
		if (chain->task_count > 0)
			c->set.chains[kept++] = *chain;
	}
	c->set.chain_count = kept;
}

void random_case_unlink(struct random_case *c)
{
	c->set.chain_count = 0;
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		if (c->set.tasks[i].release && c->set.tasks[i].release->kind == RELEASE_AFTER)
			c->set.tasks[i].release = NULL;
	}
}

void random_case_divide(struct random_case *c, uint64_t index)
{
	static char names[][3] = {"p0", "p1", "p2"};
	struct dice d = {index * 0x9E3779B97F4A7C15u ^ 0xc0de7};
	struct context_times *times = &c->platform.contexts;
	uint32_t shared = small(&d, 0, 3), fragile = small(&d, 0, 3);
	times->timeslice_ns = between(&d, 1, once_in(&d, 2) ? 4 : 20);
	times->switch_ns = once_in(&d, 3) ? 0 : between(&d, 1, once_in(&d, 2) ? 2 : 9);
	times->reset_ns = once_in(&d, 3) ? 0 : between(&d, 1, 4);
	c->set.gpu_priorities = once_in(&d, 2);
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		struct task *t = &c->set.tasks[i];
		t->gpu_priority = between(&d, 0, 3);
		t->best_effort = once_in(&d, 4);
		if (shared > 0 && !once_in(&d, 3))
			t->process = names[roll(&d) % shared];
		for (uint32_t k = 0; k < t->segment_count; k++) {
			if (t->segments[k].kind != SEGMENT_CPU)
				t->segments[k].idempotent = fragile == 0 || !once_in(&d, 1 + fragile);
		}
	}
}
