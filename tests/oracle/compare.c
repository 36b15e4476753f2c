/* tests/oracle/compare.c - compares the results of engine and oracle on a case. */
#include "tests/oracle/compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/oracle/engine_side.h"

#define LISTS 6
#define ORDER(a, b) ((a) < (b) ? -1 : (a) > (b) ? 1 : 0)

static int by_job(const void *a, const void *b)
{
	const struct oracle_job *x = a, *y = b;
	int order = ORDER(x->task, y->task);
	return order ? order : ORDER(x->seq, y->seq);
}

static int by_block(const void *a, const void *b)
{
	const struct oracle_block *x = a, *y = b;
	int orders[] = {ORDER(x->task, y->task), ORDER(x->seq, y->seq), ORDER(x->segment, y->segment),
		ORDER(x->block, y->block), ORDER(x->start, y->start)};
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		if (orders[i])
			return orders[i];
	}
	return 0;
}

/* A switch may last beyond the segment with which it began. */
static uint32_t place_of(const struct oracle_interval *i)
{
	return i->activity == ORACLE_SWITCH ? 0 : i->segment;
}

static int by_interval(const void *a, const void *b)
{
	const struct oracle_interval *x = a, *y = b;
	int orders[] = {ORDER(x->task, y->task), ORDER(x->seq, y->seq), ORDER(x->activity, y->activity),
		ORDER(place_of(x), place_of(y)), ORDER(x->start, y->start)};
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		if (orders[i])
			return orders[i];
	}
	return 0;
}

static int by_decision(const void *a, const void *b)
{
	const struct oracle_decision *x = a, *y = b;
	int orders[] = {ORDER(x->time, y->time), ORDER(x->task, y->task), ORDER(x->seq, y->seq),
		ORDER(x->segment, y->segment), ORDER(x->gpu, y->gpu), ORDER(x->sms, y->sms)};
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		if (orders[i])
			return orders[i];
	}
	return 0;
}

static void sort(void *array, size_t count, size_t size, int (*order)(const void *, const void *))
{
	if (count > 1)
		qsort(array, count, size, order);
}

static bool spins(const struct oracle_interval *i)
{
	return i->activity == ORACLE_SPIN || i->activity == ORACLE_BOOST;
}

/* Sorts the intervals and joins those that touch. Spinning belongs to the job, not to the segment. */
static void join_intervals(struct oracle_result *r)
{
	for (size_t i = 0; i < r->interval_count; i++) {
		if (spins(&r->intervals[i]))
			r->intervals[i].segment = 0;
	}
	sort(r->intervals, r->interval_count, sizeof(*r->intervals), by_interval);
	size_t kept = 0;
	for (size_t i = 0; i < r->interval_count; i++) {
		struct oracle_interval *now = &r->intervals[i], *last = kept ? &r->intervals[kept - 1] : NULL;
		if (last && last->task == now->task && last->seq == now->seq &&
			place_of(last) == place_of(now) && last->activity == now->activity &&
			last->core == now->core && last->end == now->start && now->activity != ORACLE_COPY)
			last->end = now->end;
		else
			r->intervals[kept++] = *now;
	}
	r->interval_count = kept;
}

static void describe_job(const void *entry, char *text, size_t size)
{
	static const char *const states[] = {"finished", "dropped", "aborted", "unfinished"};
	const struct oracle_job *j = entry;
	snprintf(text, size,
		"job %" PRIu32 " of task %" PRIu32 ": release %" PRId64 ", deadline %" PRId64
		", first start %" PRId64 ", finish %" PRId64 ", %s%s",
		j->seq, j->task, j->release, j->deadline, j->first_start, j->finish, states[j->state],
		j->missed ? ", missed" : "");
}

static void describe_block(const void *entry, char *text, size_t size)
{
	const struct oracle_block *b = entry;
	snprintf(text, size,
		"block %" PRIu32 " of segment %" PRIu32 " of job %" PRIu32 " of task %" PRIu32
		": GPU %" PRIu32 ", SM %" PRId32 ", [%" PRId64 ", %" PRId64 ")",
		b->block, b->segment, b->seq, b->task, b->gpu, b->sm, b->start, b->end);
}

static void describe_interval(const void *entry, char *text, size_t size)
{
	static const char *const activities[] = {"runs", "spins", "spins, boosted,", "is copied",
		"is launched", "is switched to", "calls", "is released", "is decided about"};
	const struct oracle_interval *i = entry;
	snprintf(text, size,
		"segment %" PRIu32 " of job %" PRIu32 " of task %" PRIu32 " %s [%" PRId64 ", %" PRId64
		"), ready %" PRId64 ", GPU %" PRIu32 ", engine %" PRId32 ", core %" PRId32,
		i->segment, i->seq, i->task, activities[i->activity], i->start, i->end, i->ready, i->gpu,
		i->engine, i->core);
}

static void describe_decision(const void *entry, char *text, size_t size)
{
	const struct oracle_decision *d = entry;
	snprintf(text, size,
		"at %" PRId64 ", asked for at %" PRId64 ", %" PRIu32 " SMs of GPU %" PRIu32
		" for segment %" PRIu32 " of job %" PRIu32 " of task %" PRIu32 ": kernels end %" PRId64
		", energy %" PRId64 ", %s%s",
		d->time, d->asked, d->sms, d->gpu, d->segment, d->seq, d->task, d->kernel_end, d->energy,
		d->feasible ? "feasible" : "infeasible", d->chosen ? ", chosen" : "");
}

static bool same_job(const void *a, const void *b)
{
	const struct oracle_job *x = a, *y = b;
	return by_job(a, b) == 0 && x->release == y->release && x->deadline == y->deadline &&
	       x->first_start == y->first_start && x->finish == y->finish && x->state == y->state &&
	       x->missed == y->missed;
}

static bool same_block(const void *a, const void *b)
{
	const struct oracle_block *x = a, *y = b;
	return by_block(a, b) == 0 && x->gpu == y->gpu && x->sm == y->sm && x->start == y->start &&
	       x->end == y->end;
}

static bool same_interval(const void *a, const void *b)
{
	const struct oracle_interval *x = a, *y = b;
	return by_interval(a, b) == 0 && x->segment == y->segment && x->gpu == y->gpu &&
	       x->engine == y->engine && x->core == y->core && x->end == y->end &&
	       (x->ready == y->ready || spins(x));
}

static bool same_decision(const void *a, const void *b)
{
	const struct oracle_decision *x = a, *y = b;
	return by_decision(a, b) == 0 && x->asked == y->asked && x->kernel_end == y->kernel_end &&
	       x->energy == y->energy && x->feasible == y->feasible && x->chosen == y->chosen;
}

static void describe_turn(const void *entry, char *text, size_t size)
{
	const struct oracle_turn *t = entry;
	snprintf(text, size, "the process of task %" PRIu32 " %s [%" PRId64 ", %" PRId64 ")", t->task,
		t->switches ? "gets the GPU" : "has the GPU", t->start, t->end);
}

static bool same_turn(const void *a, const void *b)
{
	const struct oracle_turn *x = a, *y = b;
	return x->task == y->task && x->switches == y->switches && x->start == y->start && x->end == y->end;
}

static void describe_chain(const void *entry, char *text, size_t size)
{
	const struct oracle_chain *c = entry;
	size_t used = 0;
	for (int i = 0; i < 2; i++) {
		const struct oracle_figure *f = i ? &c->reaction : &c->age;
		used += (size_t)snprintf(text + used, size - used,
			"%s: %" PRIu64 ", %" PRId64 " .. %" PRId64 " (jobs %" PRIu32 ", %" PRIu32
			"), sum %" PRId64 "; ",
			i ? "reactions" : "ages", f->count, f->least, f->greatest, f->first_job, f->last_job,
			(int64_t)f->sum);
	}
}

static bool same_figure(const struct oracle_figure *x, const struct oracle_figure *y)
{
	return x->count == y->count &&
	       (x->count == 0 || (x->least == y->least && x->greatest == y->greatest && x->sum == y->sum &&
					 x->first_job == y->first_job && x->last_job == y->last_job));
}

static bool same_chain(const void *a, const void *b)
{
	const struct oracle_chain *x = a, *y = b;
	return same_figure(&x->age, &y->age) && same_figure(&x->reaction, &y->reaction);
}

struct list {
	const char *what;
	const void *entries;
	size_t count, size;
	bool (*same)(const void *, const void *);
	void (*describe)(const void *, char *, size_t);
};

static const void *entry_of(const struct list *list, size_t i)
{
	return (const char *)list->entries + i * list->size;
}

/* Compares two sorted lists entry by entry; describes the first difference. */
static bool lists_agree(const struct list *engine, const struct list *oracle, char *text, size_t size)
{
	size_t shorter = engine->count < oracle->count ? engine->count : oracle->count, i = 0;
	while (i < shorter && engine->same(entry_of(engine, i), entry_of(oracle, i)))
		i++;
	if (i == engine->count && i == oracle->count)
		return true;
	char got[256] = "nothing", expected[256] = "nothing";
	if (i < engine->count)
		engine->describe(entry_of(engine, i), got, sizeof(got));
	if (i < oracle->count)
		oracle->describe(entry_of(oracle, i), expected, sizeof(expected));
	snprintf(text, size,
		"%s (%zu of the engine's, %zu of the oracle's), first difference at %zu:\n"
		"  engine: %s\n  oracle: %s",
		engine->what, engine->count, oracle->count, i, got, expected);
	return false;
}

static bool summaries_agree(
	const struct oracle_result *engine, const struct oracle_result *oracle, char *text, size_t size)
{
	if (engine->end == oracle->end && engine->misses == oracle->misses &&
		engine->truncated == oracle->truncated && engine->energy == oracle->energy)
		return true;
	snprintf(text, size,
		"S, misses, truncated, energy:\n  engine: %" PRId64 ", %zu, %d, %" PRId64
		"\n  oracle: %" PRId64 ", %zu, %d, %" PRId64,
		engine->end, engine->misses, engine->truncated, (int64_t)engine->energy, oracle->end,
		oracle->misses, oracle->truncated, (int64_t)oracle->energy);
	return false;
}

bool results_agree(struct oracle_result *engine, struct oracle_result *oracle, char *text, size_t size)
{
	struct oracle_result *both[] = {engine, oracle};
	struct list lists[2][LISTS];
	for (int side = 0; side < 2; side++) {
		struct oracle_result *r = both[side];
		sort(r->jobs, r->job_count, sizeof(*r->jobs), by_job);
		sort(r->blocks, r->block_count, sizeof(*r->blocks), by_block);
		join_intervals(r);
		sort(r->decisions, r->decision_count, sizeof(*r->decisions), by_decision);
		/* Decisions come first: everything else follows from them. */
		lists[side][0] = (struct list){"decisions", r->decisions, r->decision_count,
			sizeof(*r->decisions), same_decision, describe_decision};
		lists[side][1] = (struct list){"intervals", r->intervals, r->interval_count,
			sizeof(*r->intervals), same_interval, describe_interval};
		lists[side][2] = (struct list){
			"blocks", r->blocks, r->block_count, sizeof(*r->blocks), same_block, describe_block};
		lists[side][3] = (struct list){
			"jobs", r->jobs, r->job_count, sizeof(*r->jobs), same_job, describe_job};
		lists[side][5] = (struct list){
			"turns", r->turns, r->turn_count, sizeof(*r->turns), same_turn, describe_turn};
		lists[side][4] = (struct list){
			"chains", r->chains, r->chain_count, sizeof(*r->chains), same_chain, describe_chain};
	}
	for (int i = 0; i < LISTS; i++) {
		if (!lists_agree(&lists[0][i], &lists[1][i], text, size))
			return false;
	}
	return summaries_agree(engine, oracle, text, size);
}

/* The row that is in force: some policies go over to another policy. */
static const struct oracle_policy *ruling(
	const struct oracle_policy *policy, const struct oracle_allocation *a)
{
	return policy->without && !a->any ? oracle_policy_find(policy->without) : policy;
}

enum verdict case_verdict(
	const struct random_case *c, const struct oracle_policy *policy, char *text, size_t size)
{
	struct engine_run engine;
	enum engine_answer answer = engine_run(c, policy, &engine, text, size);
	if (answer != ENGINE_RAN)
		return answer == ENGINE_REFUSED ? CASE_REFUSED : CASE_DIFFERS;
	struct oracle_result *oracle = oracle_run(
		&c->set, &c->platform, &c->setup, ruling(policy, &engine.allocation), &engine.allocation);
	bool agree = results_agree(engine.result, oracle, text, size);
	oracle_result_free(engine.result);
	oracle_result_free(oracle);
	return agree ? CASE_AGREES : CASE_DIFFERS;
}

enum verdict case_verdict_apart(
	const struct random_case *c, const struct oracle_policy *policy, char *text, size_t size)
{
	int ends[2], status = 0;
	snprintf(text, size, "a side crashed");
	pid_t child = pipe(ends) == 0 ? fork() : -1;
	if (child < 0) {
		perror("compare");
		exit(EXIT_FAILURE);
	}
	if (child == 0) {
		enum verdict verdict = case_verdict(c, policy, text, size);
		/* The text is shorter than what a pipe holds. */
		_exit(write(ends[1], text, size) == (ssize_t)size ? (int)verdict : (int)CASE_DIFFERS);
	}
	close(ends[1]);
	waitpid(child, &status, 0);
	bool whole = WIFEXITED(status) && WEXITSTATUS(status) <= CASE_REFUSED;
	if (whole && read(ends[0], text, size) != (ssize_t)size)
		whole = false;
	close(ends[0]);
	return whole ? (enum verdict)WEXITSTATUS(status) : CASE_DIFFERS;
}
