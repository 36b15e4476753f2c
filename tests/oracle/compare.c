/* tests/oracle/compare.c - compares what the engine and the oracle made of a case. */
#include "tests/oracle/compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/oracle/engine_side.h"

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
		ORDER(x->block, y->block)};
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		if (orders[i])
			return orders[i];
	}
	return 0;
}

static int by_interval(const void *a, const void *b)
{
	const struct oracle_interval *x = a, *y = b;
	int orders[] = {ORDER(x->task, y->task), ORDER(x->seq, y->seq), ORDER(x->activity, y->activity),
		ORDER(x->segment, y->segment), ORDER(x->start, y->start)};
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

/* Sorts the intervals and joins those that touch; spinning counts for the job, not the segment. */
static void join_intervals(struct oracle_result *r)
{
	for (size_t i = 0; i < r->interval_count; i++) {
		if (r->intervals[i].activity == ORACLE_SPIN)
			r->intervals[i].segment = 0;
	}
	sort(r->intervals, r->interval_count, sizeof(*r->intervals), by_interval);
	size_t kept = 0;
	for (size_t i = 0; i < r->interval_count; i++) {
		struct oracle_interval *now = &r->intervals[i], *last = kept ? &r->intervals[kept - 1] : NULL;
		if (last && last->task == now->task && last->seq == now->seq &&
			last->segment == now->segment && last->activity == now->activity &&
			last->end == now->start && now->activity != ORACLE_COPY)
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
		"block %" PRIu32 " of segment %" PRIu32 " of job %" PRIu32 " of task %" PRIu32 ": SM %" PRId32
		", [%" PRId64 ", %" PRId64 ")",
		b->block, b->segment, b->seq, b->task, b->sm, b->start, b->end);
}

static void describe_interval(const void *entry, char *text, size_t size)
{
	static const char *const activities[] = {"runs", "spins", "is copied"};
	const struct oracle_interval *i = entry;
	snprintf(text, size,
		"segment %" PRIu32 " of job %" PRIu32 " of task %" PRIu32 " %s [%" PRId64 ", %" PRId64
		"), ready %" PRId64 ", engine %" PRId32,
		i->segment, i->seq, i->task, activities[i->activity], i->start, i->end, i->ready, i->engine);
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
	return by_block(a, b) == 0 && x->sm == y->sm && x->start == y->start && x->end == y->end;
}

static bool same_interval(const void *a, const void *b)
{
	const struct oracle_interval *x = a, *y = b;
	return by_interval(a, b) == 0 && x->engine == y->engine && x->end == y->end &&
		(x->ready == y->ready || x->activity == ORACLE_SPIN);
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

/* Compares two sorted lists entry by entry; on a difference describes the first. */
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
	snprintf(text, size, "%s (%zu of the engine's, %zu of the oracle's), first difference at %zu:\n"
		"  engine: %s\n  oracle: %s", engine->what, engine->count, oracle->count, i, got, expected);
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
	struct list lists[2][3];
	for (int side = 0; side < 2; side++) {
		struct oracle_result *r = both[side];
		sort(r->jobs, r->job_count, sizeof(*r->jobs), by_job);
		sort(r->blocks, r->block_count, sizeof(*r->blocks), by_block);
		join_intervals(r);
		lists[side][0] = (struct list){"intervals", r->intervals, r->interval_count,
			sizeof(*r->intervals), same_interval, describe_interval};
		lists[side][1] = (struct list){
			"blocks", r->blocks, r->block_count, sizeof(*r->blocks), same_block, describe_block};
		lists[side][2] = (struct list){
			"jobs", r->jobs, r->job_count, sizeof(*r->jobs), same_job, describe_job};
	}
	for (int i = 0; i < 3; i++) {
		if (!lists_agree(&lists[0][i], &lists[1][i], text, size))
			return false;
	}
	return summaries_agree(engine, oracle, text, size);
}

bool case_agrees(const struct random_case *c, const struct oracle_policy *policy, char *text, size_t size)
{
	struct oracle_result *oracle = oracle_run(&c->set, &c->platform, &c->setup, policy);
	struct oracle_result *engine = engine_run(&c->set, &c->platform, &c->setup, policy, text, size);
	bool agree = engine && results_agree(engine, oracle, text, size);
	oracle_result_free(engine);
	oracle_result_free(oracle);
	return agree;
}
