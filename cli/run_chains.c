/* cli/run_chains.c - what `cegsim run` prints of chains: a row for each chain of each run, or with --seeds
 * for each over all seeds; and which limits were exceeded. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/say.h"
#include "base/units.h"
#include "cli/run_parts.h"
#include "cli/table/table.h"

bool run_keep_chains(struct planned *run, const struct taskset *set, const struct run *done)
{
	const struct chain_result *results = run_chains(done);
	run->chains = results ? calloc(set->chain_count, sizeof(*run->chains)) : NULL;
	if (run->chains)
		memcpy(run->chains, results, set->chain_count * sizeof(*run->chains));
	return run->chains || !results;
}

bool run_chain_broken(const struct taskset *set, const struct planned *run)
{
	bool broken = false;
	for (uint32_t i = 0; run->chains && i < set->chain_count; i++)
		broken |= chain_limit_broken(&set->chains[i], &run->chains[i]);
	return broken;
}

static bool any_chains(const struct run_command *c)
{
	for (uint32_t i = 0; i < c->run_count; i++)
		if (run_was_simulated(&c->runs[i]) && c->runs[i].chains)
			return true;
	return false;
}

/* ---- rows ---- */

static void add_time(struct table *t, bool known, int64_t ns)
{
	known ? table_time(t, ns) : table_null(t);
}

/* To the nanosecond, as in recordings. */
static void add_figure(struct table *t, const struct chain_figure *f, int64_t limit)
{
	bool any = f->count > 0;
	add_time(t, any, any ? chain_mean_ns(f) : 0);
	add_time(t, any, f->max_ns);
	add_time(t, limit > 0, limit);
}

static void add_row(const struct run_command *c, struct table *t, const struct planned *run, uint32_t chain,
	const struct chain_result *result)
{
	const struct scenario *s = &c->scenarios[run->scenario];
	const struct effect_chain *e = &s->set.chains[chain];
	char label[PARAMS_LABEL_MAX];
	table_text(t, s->name);
	table_text(t, policy_use_label(&run->use, label));
	table_text(t, e->name);
	add_figure(t, &result->age, e->age_ns);
	add_figure(t, &result->reaction, e->reaction_ns);
}

#define OF_AGE TABLE_MS("mean_age"), TABLE_MS("max_age"), TABLE_MS("age_limit")
#define OF_REACTION TABLE_MS("mean_reaction"), TABLE_MS("max_reaction"), TABLE_MS("reaction_limit")

bool run_print_chains(const struct run_command *c, struct error *err)
{
	static const char *const columns[] = {"scenario", "policy", "chain", OF_AGE, OF_REACTION};
	struct table t;
	if (!any_chains(c))
		return true;
	putchar('\n');
	table_begin(&t, stdout, c->given.format, columns, sizeof(columns) / sizeof(*columns));
	for (uint32_t i = 0; i < c->run_count; i++) {
		const struct planned *run = &c->runs[i];
		const struct taskset *set = &c->scenarios[run->scenario].set;
		for (uint32_t k = 0; run_was_simulated(run) && run->chains && k < set->chain_count; k++)
			add_row(c, &t, run, k, &run->chains[k]);
	}
	return table_end(&t, err);
}

/* ---- over all seeds ---- */

/* Returns whether the greatest value is now this one. */
static bool add_up(struct chain_figure *sum, const struct chain_figure *f)
{
	if (sum->count == 0)
		*sum = (struct chain_figure){.max_ns = -1};
	sum->count += f->count;
	sum->sum_ns += f->sum_ns;
	if (f->max_ns <= sum->max_ns)
		return false;
	sum->max_ns = f->max_ns;
	return true;
}

static bool same_group(const struct planned *a, const struct planned *b)
{
	return a->scenario == b->scenario && policy_use_same(&a->use, &b->use);
}

/* The runs of a scenario under a policy, from `first` on; returns where they end. */
static uint32_t print_group(const struct run_command *c, struct table *t, uint32_t first)
{
	const struct taskset *set = &c->scenarios[c->runs[first].scenario].set;
	uint32_t end = first;
	while (end < c->run_count && same_group(&c->runs[first], &c->runs[end]))
		end++;
	for (uint32_t k = 0; k < set->chain_count; k++) {
		struct chain_result sum = {0};
		uint64_t of_age = 0, of_reaction = 0;
		for (uint32_t i = first; i < end; i++) {
			const struct planned *run = &c->runs[i];
			if (!run_was_simulated(run) || !run->chains)
				continue;
			if (add_up(&sum.age, &run->chains[k].age))
				of_age = run->setup.seed;
			if (add_up(&sum.reaction, &run->chains[k].reaction))
				of_reaction = run->setup.seed;
		}
		add_row(c, t, &c->runs[first], k, &sum);
		sum.age.count ? table_integer(t, (int64_t)of_age) : table_null(t);
		sum.reaction.count ? table_integer(t, (int64_t)of_reaction) : table_null(t);
	}
	return end;
}

bool run_print_chains_of_seeds(const struct run_command *c, struct error *err)
{
	static const char *const columns[] = {
		"scenario", "policy", "chain", OF_AGE, OF_REACTION, "seed_of_age", "seed_of_reaction"};
	struct table t;
	if (!any_chains(c))
		return true;
	putchar('\n');
	table_begin(&t, stdout, c->given.format, columns, sizeof(columns) / sizeof(*columns));
	for (uint32_t i = 0; i < c->run_count;)
		i = print_group(c, &t, i);
	return table_end(&t, err);
}

/* ---- limits ---- */

static void print_broken(const char *who, const struct taskset *set, const struct effect_chain *chain,
	const char *what, int64_t limit, const struct chain_figure *f)
{
	char most[UNIT_TEXT_MAX], limit_text[UNIT_TEXT_MAX];
	const int64_t times[] = {f->max_ns, limit};
	if (limit == 0 || f->max_ns <= limit)
		return;
	unit_format_alike(UNIT_TIME, times, most, limit_text);
	say(stdout,
		"%s: chain '%s': %s of %s, from job %" PRIu32 " of '%s' to job %" PRIu32
		" of '%s'; its limit is %s\n",
		who, chain->name, what, most, f->first_job, set->tasks[chain->tasks[0]].name, f->last_job,
		set->tasks[chain->tasks[chain->task_count - 1]].name, limit_text);
}

void run_print_chain_limits(const char *who, const struct taskset *set, const struct planned *run)
{
	for (uint32_t i = 0; run->chains && i < set->chain_count; i++) {
		const struct effect_chain *c = &set->chains[i];
		print_broken(who, set, c, "an age", c->age_ns, &run->chains[i].age);
		print_broken(who, set, c, "a reaction", c->reaction_ns, &run->chains[i].reaction);
	}
}
