/* tests/oracle/loose_sets.c - gives tasks of random cases release jitter, and deadlines above their periods.
 */
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
