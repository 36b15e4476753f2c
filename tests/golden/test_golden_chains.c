/* tests/golden/test_golden_chains.c - ages and reactions of chains, and triggered releases (docs/model.md,
 * "Chains and triggers"), by hand, to the nanosecond. */
#include <string.h>

#include "base/checked.h"
#include "runs/chains.h"
#include "tests/support/harness.h"
#include "tests/support/test.h"

/* a: C 1 of 10; b: C 2 of 20, below it: a finishes at 1, 11, ..., b at 3, 23, ... */
static void two_tasks(struct maker *k, int64_t a_deadline, int64_t b_deadline)
{
	maker_init(k, 400);
	maker_task(k, "a", 10, a_deadline, 0);
	maker_cpu(k, 1, 1);
	maker_task(k, "b", 20, b_deadline, 0);
	maker_cpu(k, 2, 2);
}

static struct chain_result result_of(struct maker *k, const struct effect_chain *chain)
{
	struct effect_chain copy = *chain;
	struct arena arena = {0};
	struct chains *chains;
	k->set.chains = &copy;
	k->set.chain_count = 1;
	struct observed o = observe(k, "fifo-cke", NULL);
	assert_true(chains_create(&k->set, &arena, &chains));
	assert_true(chains_observe(chains, o.records, o.count));
	assert_true(chains_end(chains));
	struct chain_result result = chains_results(chains)[0];
	arena_finish(&arena);
	observed_finish(&o);
	k->set.chains = NULL;
	k->set.chain_count = 0;
	return result;
}

static void assert_most(struct maker *k, uint32_t first, uint32_t last,
	enum chain_communication communication, enum chain_sample sample, int64_t expected)
{
	uint32_t tasks[] = {first, last};
	struct effect_chain chain = {
		.tasks = tasks, .task_count = 2, .communication = communication, .sample = sample};
	struct chain_result r = result_of(k, &chain);
	assert_int_equal(r.age.max_ns, expected);
	assert_int_equal(r.reaction.max_ns, expected);
}

TEST("a chain of two tasks, and back")
{
	struct maker k;
	two_tasks(&k, 10, 20);
	assert_most(&k, 0, 1, CHAIN_IMPLICIT, CHAIN_START, 23);
	assert_most(&k, 1, 0, CHAIN_IMPLICIT, CHAIN_START, 30);
	assert_most(&k, 1, 0, CHAIN_IMPLICIT, CHAIN_RELEASE, 31);
	maker_finish(&k);
	two_tasks(&k, 7, 8);
	assert_most(&k, 0, 1, CHAIN_LET, CHAIN_START, 38);
	assert_most(&k, 1, 0, CHAIN_LET, CHAIN_START, 37);
	maker_finish(&k);
}

/* b's outputs at 3, 23, ... are of a's reads at 0, 20, ...: each is 23 old when it is overwritten, and reacts
 * to two reads, 23 and 13 behind the ones before. */
TEST("numbers, means and worst jobs")
{
	struct maker k;
	uint32_t tasks[] = {0, 1};
	struct effect_chain chain = {.tasks = tasks, .task_count = 2};
	two_tasks(&k, 10, 20);
	k.setup.horizon_ns = 80;
	struct chain_result r = result_of(&k, &chain);
	assert_int_equal(r.age.count, 3);
	assert_int_equal(r.age.min_ns, 23);
	assert_int_equal(chain_mean_ns(&r.age), 23);
	assert_int_equal(r.age.first_job, 0);
	assert_int_equal(r.age.last_job, 0);
	assert_int_equal(r.reaction.count, 6);
	assert_int_equal(r.reaction.min_ns, 13);
	assert_int_equal(chain_mean_ns(&r.reaction), 18);
	assert_int_equal(r.reaction.first_job, 0);
	assert_int_equal(r.reaction.last_job, 1);
	chain.age_ns = 23;
	assert_false(chain_limit_broken(&chain, &r));
	chain.age_ns = 22;
	assert_true(chain_limit_broken(&chain, &r));
	chain.age_ns = 0;
	chain.reaction_ns = 22;
	assert_true(chain_limit_broken(&chain, &r));
	maker_finish(&k);
}

/* One task: what it writes was read by the same job. The last output has no age. */
TEST("a chain of one task")
{
	struct maker k;
	uint32_t tasks[] = {1};
	struct effect_chain chain = {.tasks = tasks, .task_count = 1};
	two_tasks(&k, 10, 20);
	k.setup.horizon_ns = 60;
	struct chain_result r = result_of(&k, &chain);
	assert_int_equal(r.age.count, 2);
	assert_int_equal(r.age.max_ns, 22); /* read at 1, overwritten at 23 */
	assert_int_equal(r.reaction.count, 2);
	assert_int_equal(r.reaction.max_ns, 22);
	maker_finish(&k);
}

static void releases_after(struct maker *k, uint32_t task, uint32_t *after, uint32_t count)
{
	struct release_rule *rule = arena_new(&k->set.arena, struct release_rule, 1);
	assert_non_null(rule);
	*rule = (struct release_rule){.kind = RELEASE_AFTER, .after = after, .after_count = count};
	k->set.tasks[task].release = rule;
}

static void assert_releases(const struct observed *o, uint32_t task, const int64_t *at, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct trace_record *r = observed_find(o, TRACE_JOB_RELEASE, task, i);
		assert_non_null(r);
		assert_int_equal(r->job, i);
		assert_int_equal(r->time, at[i]);
	}
	assert_null(observed_find(o, TRACE_JOB_RELEASE, task, count));
}

/* c, above b, is released by each second job of a and each of b: job k when both k-th have finished. b's
 * second job is at 20; c's first begins when b ends. */
TEST("a task is released when the jobs before it have finished")
{
	struct maker k;
	uint32_t one[] = {0}, both[] = {0, 1};
	two_tasks(&k, 10, 20);
	k.setup.horizon_ns = 40;
	maker_task(&k, "c", 20, 15, 0);
	maker_cpu(&k, 3, 3);
	releases_after(&k, 2, both, 2);
	maker_task(&k, "d", 10, 5, 0);
	maker_cpu(&k, 1, 1);
	releases_after(&k, 3, one, 1);
	struct observed o = observe(&k, "fifo-cke", NULL);
	/* d, the highest, behind a: 1-2, 11-12, 21-22, 31-32; b 2-4, 22-24; c 4-7 and 24-27 */
	assert_releases(&o, 3, (const int64_t[]){1, 11, 21, 31}, 4);
	assert_releases(&o, 2, (const int64_t[]){4, 24}, 2);
	assert_int_equal(observed_find(&o, TRACE_JOB_RELEASE, 2, 1)->start, 24 + 15);
	assert_int_equal(observed_finish_time(&o, 2, 0), 7);
	assert_int_equal(observed_finish_time(&o, 2, 1), 27);
	observed_finish(&o);
	maker_finish(&k);
}

/* Its jobs wait behind each other, longer than a ring of releases is; the deadlines are those of the
 * releases. */
TEST("triggered jobs that wait keep their releases")
{
	struct maker k;
	uint32_t one[] = {0};
	maker_init(&k, 1000);
	maker_task(&k, "a", 10, 10, 0);
	maker_cpu(&k, 1, 1);
	maker_task(&k, "slow", 10, 40, 0);
	maker_cpu(&k, 100, 100);
	releases_after(&k, 1, one, 1);
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_int_equal(o.outcome.jobs, 200);
	for (uint32_t i = 0; i < 100; i++) {
		const struct trace_record *end = observed_find(&o, TRACE_JOB_END, 1, i);
		assert_int_equal(end->job, i);
		assert_int_equal(end->start, 10 * i + 1);
		assert_int_equal(end->value, 10 * i + 41);
	}
	observed_finish(&o);
	maker_finish(&k);
}

/* Job 1 of a is aborted: nothing is released, and a's job 2 releases job 1. At the horizon nothing is. */
TEST("removed jobs release nothing, and neither do those that end behind the horizon")
{
	struct maker k;
	uint32_t one[] = {0};
	maker_init(&k, 40);
	k.setup.on_miss = MISS_ABORT;
	maker_task(&k, "a", 10, 10, 0);
	maker_cpu(&k, 2, 2);
	maker_task(&k, "above", 40, 9, 10);
	maker_cpu(&k, 9, 9);
	maker_task(&k, "b", 10, 10, 0);
	maker_cpu(&k, 1, 1);
	releases_after(&k, 2, one, 1);
	struct observed o = observe(&k, "fifo-cke", NULL);
	/* a: 0-2, aborted at 20, 20-22, 30-32 */
	assert_int_equal(observed_find(&o, TRACE_JOB_END, 0, 1)->how, JOB_ABORTED);
	assert_releases(&o, 2, (const int64_t[]){2, 22, 32}, 3);
	observed_finish(&o);
	k.setup.horizon_ns = 32;
	o = observe(&k, "fifo-cke", NULL);
	assert_releases(&o, 2, (const int64_t[]){2, 22}, 2);
	observed_finish(&o);
	maker_finish(&k);
}

/* Jobs of length zero end in phase 3 and release others at that instant, whatever the order of the tasks. */
TEST("a circle of instants: jobs of length zero release each other at once")
{
	struct maker k;
	uint32_t first[] = {2}, second[] = {0};
	maker_init(&k, 20);
	maker_task(&k, "second", 10, 10, 0);
	maker_cpu(&k, 0, 0);
	maker_task(&k, "third", 10, 10, 0);
	maker_cpu(&k, 1, 1);
	maker_task(&k, "first", 10, 10, 3);
	maker_cpu(&k, 0, 0);
	releases_after(&k, 0, first, 1);
	releases_after(&k, 1, second, 1);
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_releases(&o, 0, (const int64_t[]){3, 13}, 2);
	assert_releases(&o, 1, (const int64_t[]){3, 13}, 2);
	observed_finish(&o);
	uint32_t tasks[] = {2, 0, 1};
	struct effect_chain chain = {.tasks = tasks, .task_count = 3};
	struct chain_result r = result_of(&k, &chain); /* outputs at 4 and 14, of reads at 3 and 13 */
	assert_int_equal(r.age.count, 1);
	assert_int_equal(r.age.max_ns, 11);
	assert_int_equal(r.reaction.max_ns, 11);
	maker_finish(&k);
}

TEST("circles of triggers are found")
{
	struct maker k;
	uint32_t a[] = {0}, b[] = {1, 3}, c[] = {2}, task;
	two_tasks(&k, 10, 20);
	maker_task(&k, "c", 10, 10, 0);
	maker_task(&k, "d", 10, 10, 0);
	maker_task(&k, "e", 10, 10, 0);
	releases_after(&k, 1, a, 1);
	releases_after(&k, 2, b, 2);
	assert_true(taskset_trigger_circle(&k.set, &task));
	assert_int_equal(task, UINT32_MAX);
	releases_after(&k, 3, c, 1);
	releases_after(&k, 4, c, 1);
	assert_true(taskset_trigger_circle(&k.set, &task));
	assert_true(task == 2 || task == 3);
	maker_finish(&k);
}
