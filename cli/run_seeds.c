/* cli/run_seeds.c - the tables of `cegsim run --seeds` that people read: what came out over all seeds, by
 * policy and by task. The runs of one scenario under one policy stand one behind the other, in the order of
 * the seeds. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/say.h"
#include "cli/run_parts.h"

/* The runs first .. end - 1 are of one scenario and policy. */
struct seed_group {
	const struct run_command *c;
	uint32_t first, end;
};

static bool next_group(struct seed_group *g)
{
	g->first = g->end;
	g->end = g->first + g->c->seeds.count;
	return g->end <= g->c->run_count;
}

static void begin_row(struct table *t, const struct seed_group *g)
{
	const struct planned *run = &g->c->runs[g->first];
	char label[PARAMS_LABEL_MAX];
	table_text(t, g->c->scenarios[run->scenario].name);
	table_text(t, policy_use_label(&run->use, label));
}

static bool print_policies(const struct run_command *c, struct error *err)
{
	static const char *const columns[] = {
		"scenario", "policy", "seeds", "without_miss", "refused", "errors", "jobs", "misses"};
	struct seed_group g = {.c = c};
	struct table t;
	table_begin(&t, stdout, c->given.format, columns, sizeof(columns) / sizeof(*columns));
	while (next_group(&g)) {
		int64_t ended = 0, good = 0, refused = 0, errors = 0;
		uint64_t jobs = 0, misses = 0;
		for (uint32_t i = g.first; i < g.end; i++) {
			const struct planned *run = &c->runs[i];
			ended += run->ended;
			good += run->ended && run->result.schedulable;
			refused += run->ended && run->result.status == RUN_REFUSED;
			errors += run->ended && run->result.status == RUN_ERROR;
			jobs += run_was_simulated(run) ? run->result.outcome.jobs : 0;
			misses += run_was_simulated(run) ? run->result.outcome.misses : 0;
		}
		if (ended == 0)
			continue;
		begin_row(&t, &g);
		table_integer(&t, ended);
		table_integer(&t, good);
		table_integer(&t, refused);
		table_integer(&t, errors);
		table_integer(&t, (int64_t)jobs);
		table_integer(&t, (int64_t)misses);
	}
	return table_end(&t, err);
}

/* Of one task over the runs of a group. */
struct task_over_seeds {
	uint64_t jobs, misses, responses;
	int128 sum_ns;
	int64_t max_ns, seeds; /* seeds: in which it missed */
	uint64_t worst_seed;
};

static struct task_over_seeds sum_up(const struct seed_group *g, uint32_t task)
{
	struct task_over_seeds sum = {.max_ns = -1};
	for (uint32_t i = g->first; i < g->end; i++) {
		const struct planned *run = &g->c->runs[i];
		if (!run_was_simulated(run))
			continue;
		const struct task_statistics *s = &run->tasks[task];
		sum.jobs += s->jobs;
		sum.misses += s->misses;
		sum.seeds += s->misses > 0;
		sum.responses += s->responses;
		sum.sum_ns += s->responses ? s->response_sum_ns : 0;
		if (s->responses && s->max_response_ns > sum.max_ns) {
			sum.max_ns = s->max_response_ns;
			sum.worst_seed = run->setup.seed;
		}
	}
	return sum;
}

static void print_task(struct table *t, const struct task *task, const struct task_over_seeds *sum)
{
	table_text(t, task->name);
	table_integer(t, (int64_t)sum->jobs);
	table_integer(t, (int64_t)sum->misses);
	table_integer(t, sum->seeds);
	if (sum->responses) {
		table_time(t, div_half_even(sum->sum_ns, (int128)sum->responses));
		table_time(t, sum->max_ns);
		table_integer(t, (int64_t)sum->worst_seed);
	} else {
		for (int i = 0; i < 3; i++)
			table_null(t);
	}
	if (task->deadline_ns > 0)
		table_time(t, task->deadline_ns);
	else
		table_null(t);
}

static bool print_tasks(const struct run_command *c, struct error *err)
{
	static const char *const columns[] = {"scenario", "policy", "task", "jobs", "misses", "missing_seeds",
		TABLE_MS("mean"), TABLE_MS("max"), "seed_of_max", TABLE_MS("deadline")};
	struct seed_group g = {.c = c};
	struct table t;
	table_begin(&t, stdout, c->given.format, columns, sizeof(columns) / sizeof(*columns));
	while (next_group(&g)) {
		const struct scenario *s = &c->scenarios[c->runs[g.first].scenario];
		for (uint32_t k = 0; k < s->set.task_count; k++) {
			struct task_over_seeds sum = sum_up(&g, k);
			if (sum.jobs == 0)
				continue;
			begin_row(&t, &g);
			print_task(&t, &s->set.tasks[k], &sum);
		}
	}
	return table_end(&t, err);
}

/* Whether all runs of the group have one schedule: then nothing is drawn, or nothing that matters. */
static bool all_equal(const struct seed_group *g)
{
	for (uint32_t i = g->first; i < g->end; i++)
		if (!run_was_simulated(&g->c->runs[i]) ||
			g->c->runs[i].result.outcome.digest != g->c->runs[g->first].result.outcome.digest)
			return false;
	return g->end - g->first > 1;
}

static void say_equal(const struct run_command *c)
{
	struct seed_group g = {.c = c};
	char label[PARAMS_LABEL_MAX];
	while (next_group(&g))
		if (all_equal(&g))
			say(stderr,
				"cegsim: %s under %s: the schedules of all %" PRIu32
				" seeds are equal; 'execution: uniform' and sporadic releases draw\n",
				c->scenarios[c->runs[g.first].scenario].name,
				policy_use_label(&c->runs[g.first].use, label), g.end - g.first);
}

/* With how many seeds both policies ran the scenario to its end, and made the same schedule. */
static void count_same(const struct seed_group *a, const struct seed_group *b, uint32_t *both, uint32_t *same)
{
	*both = *same = 0;
	for (uint32_t i = 0; i < a->end - a->first; i++) {
		const struct planned *x = &a->c->runs[a->first + i], *y = &b->c->runs[b->first + i];
		if (!x->ended || !y->ended || x->result.status != RUN_OK || y->result.status != RUN_OK)
			continue;
		++*both;
		*same += x->result.outcome.digest == y->result.outcome.digest;
	}
}

static void say_same(const struct run_command *c)
{
	struct seed_group a = {.c = c};
	char one[PARAMS_LABEL_MAX], other[PARAMS_LABEL_MAX];
	uint32_t both, same;
	bool any = false;
	while (next_group(&a)) {
		struct seed_group b = a;
		while (next_group(&b) && c->runs[b.first].scenario == c->runs[a.first].scenario) {
			count_same(&a, &b, &both, &same);
			if (same == 0)
				continue;
			fputs(any ? "" : "\n", stdout);
			say(stdout,
				"%s: %s and %s: the same schedule with %" PRIu32 " of %" PRIu32 " seed%s\n",
				c->scenarios[c->runs[a.first].scenario].name,
				policy_use_label(&c->runs[a.first].use, one),
				policy_use_label(&c->runs[b.first].use, other), same, both,
				both == 1 ? "" : "s");
			any = true;
		}
	}
}

bool run_print_seeds(const struct run_command *c, struct error *err)
{
	if (!print_policies(c, err))
		return false;
	putchar('\n');
	if (!print_tasks(c, err) || !run_print_chains_of_seeds(c, err))
		return false;
	say_same(c);
	say_equal(c);
	return true;
}
