/* db/audit/identity.c - the laws on digests (docs/recording.md, "Digests"): computes the digest of each
 * thing, run and analysis again from the rows. Tables are read once, side by side, in the order of the things
 * that own their rows. */
#include "db/audit/identity.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "db/audit/digest.h"

struct identity_checking {
	struct audit *a;
	int64_t run_id; /* AUDIT_ALL_RUNS: all runs */
};

/* Compares a recorded digest with the computed one. */
static void compare(struct identity_checking *k, const char *law, const char *what, int64_t id,
	const char *name, const char *recorded, uint64_t made)
{
	char text[HASH_TEXT];
	hash_print(made, text);
	identity_held(k->a, law, 1);
	if (!recorded || strcmp(recorded, text) != 0)
		identity_wrong(k->a, law, "%s %" PRId64 "%s%s%s: its rows make %s, and its digest is %s",
			what, id, name ? " '" : "", name ? name : "", name ? "'" : "", text,
			recorded ? recorded : "not there");
}

/* ---- Rows of one table, in the order of their owners ---- */

struct feed {
	struct db_cursor *rows, *counts; /* rows: owner, then columns; counts: owner, then number of rows */
	struct hashed columns;
	bool more, more_counts;
};

static void feed_close(struct feed *f)
{
	cursor_close(f->rows);
	cursor_close(f->counts);
	*f = (struct feed){0};
}

static struct db_cursor *feed_query(struct identity_checking *k, const char *owner, const char *what,
	const char *from, const char *behind)
{
	char sql[2 * HASHED_SQL + 1400];
	snprintf(sql, sizeof(sql), "SELECT %s, %s FROM %s %s", owner, what, from, behind);
	return query_open(k->a->reader, sql, k->run_id, k->a->err);
}

/* `from`: tables and condition. `columns` must be set already. */
static bool feed_open(
	struct identity_checking *k, struct feed *f, const char *owner, const char *from, const char *order)
{
	char grouped[100], ordered[200];
	if (f->columns.count == 0)
		return true;
	snprintf(grouped, sizeof(grouped), "GROUP BY %s ORDER BY %s", owner, owner);
	snprintf(ordered, sizeof(ordered), "ORDER BY %s%s%s", owner, order[0] ? ", " : "", order);
	f->rows = feed_query(k, owner, f->columns.sql, from, ordered);
	f->counts = f->rows ? feed_query(k, owner, "count(*)", from, grouped) : NULL;
	return f->counts && cursor_next(f->rows, &f->more, k->a->err) &&
	       cursor_next(f->counts, &f->more_counts, k->a->err);
}

/* Goes to the owner's rows. Rows of smaller owners belong to nothing and are skipped. */
static bool feed_find(struct identity_checking *k, struct feed *f, int64_t owner)
{
	while (f->more && cursor_integer(f->rows, 0) < owner)
		if (!cursor_next(f->rows, &f->more, k->a->err))
			return false;
	while (f->more_counts && cursor_integer(f->counts, 0) < owner)
		if (!cursor_next(f->counts, &f->more_counts, k->a->err))
			return false;
	return true;
}

static bool feed_has(const struct feed *f, int64_t owner)
{
	return f->more && cursor_integer(f->rows, 0) == owner;
}

static int64_t feed_count(const struct feed *f, int64_t owner)
{
	return f->more_counts && cursor_integer(f->counts, 0) == owner ? cursor_integer(f->counts, 1) : 0;
}

/* Adds the owner's rows; before them their number, if that is wanted. */
static bool feed_hash(
	struct identity_checking *k, struct feed *f, int64_t owner, bool counted, struct hash *h)
{
	if (!feed_find(k, f, owner))
		return false;
	if (counted)
		hash_number(h, feed_count(f, owner));
	while (feed_has(f, owner)) {
		hash_row(h, &f->columns, f->rows, 1);
		if (!cursor_next(f->rows, &f->more, k->a->err))
			return false;
	}
	return true;
}

/* Sums the digests of (table, row) over the owner's rows. */
static bool feed_sum(
	struct identity_checking *k, struct feed *f, int64_t owner, const char *table, uint64_t *sum)
{
	if (f->columns.count == 0)
		return true;
	if (!feed_find(k, f, owner))
		return false;
	while (feed_has(f, owner)) {
		struct hash h = hash_begin();
		hash_text(&h, table);
		hash_row(&h, &f->columns, f->rows, 1);
		*sum += hash_end(&h);
		if (!cursor_next(f->rows, &f->more, k->a->err))
			return false;
	}
	return true;
}

/* ---- Things with one row ---- */

static bool check_things(struct identity_checking *k, const char *table, const char *law)
{
	struct hashed columns;
	char from[200];
	bool have = true;
	if (!hashed_columns(k->a->reader, table, NULL, NULL, NULL, &columns, k->a->err))
		return false;
	snprintf(from, sizeof(from),
		"%s t WHERE ?1 < 0 OR t.%s_id = (SELECT %s_id FROM run WHERE run_id = ?1)", table, table,
		table);
	char what[HASHED_SQL + 100], owner[40];
	snprintf(what, sizeof(what), "t.name, t.digest, %s", columns.sql);
	snprintf(owner, sizeof(owner), "t.%s_id", table);
	struct db_cursor *c = feed_query(k, owner, what, from, "");
	bool ok = c != NULL;
	while (ok && (ok = cursor_next(c, &have, k->a->err)) && have) {
		struct hash h = hash_begin();
		hash_row(&h, &columns, c, 3);
		compare(k, law, table, cursor_integer(c, 0), cursor_text(c, 1), cursor_text(c, 2),
			hash_end(&h));
	}
	cursor_close(c);
	return ok;
}

/* ---- Release traces ---- */

#define TRACES_OF_RUN                                                                                        \
	"(SELECT trace_id FROM run WHERE run_id = ?1 UNION SELECT trace_id FROM task WHERE taskset_id ="     \
	" (SELECT taskset_id FROM run WHERE run_id = ?1))"

static bool hash_traces(struct identity_checking *k, struct feed *releases, struct feed *durations)
{
	bool have = true;
	struct db_cursor *c = query_open(k->a->reader,
		"SELECT trace_id, digest FROM release_trace WHERE ?1 < 0 OR trace_id IN " TRACES_OF_RUN
		" ORDER BY trace_id",
		k->run_id, k->a->err);
	bool ok = c != NULL;
	while (ok && (ok = cursor_next(c, &have, k->a->err)) && have) {
		int64_t id = cursor_integer(c, 0);
		struct hash h = hash_begin();
		ok = feed_hash(k, releases, id, true, &h) && feed_hash(k, durations, id, false, &h);
		if (ok)
			compare(k, "trace-digest", "release_trace", id, NULL, cursor_text(c, 1),
				hash_end(&h));
	}
	cursor_close(c);
	return ok;
}

static bool check_traces(struct identity_checking *k)
{
	struct feed releases = {0}, durations = {0};
	struct db_reader *r = k->a->reader;
	static const char where[] = "%s t WHERE ?1 < 0 OR t.trace_id IN " TRACES_OF_RUN;
	char from[2][300];
	snprintf(from[0], sizeof(from[0]), where, "trace_release");
	snprintf(from[1], sizeof(from[1]), where, "trace_duration");
	/* Of a release only the instant is part of the digest. */
	bool ok = hashed_columns(r, "trace_release", "release_ns", "release_ns", NULL, &releases.columns,
			  k->a->err) &&
		  hashed_columns(r, "trace_duration", NULL, NULL, NULL, &durations.columns, k->a->err) &&
		  feed_open(k, &releases, "t.trace_id", from[0], "t.seq") &&
		  feed_open(k, &durations, "t.trace_id", from[1], "t.seq, t.segment_idx") &&
		  hash_traces(k, &releases, &durations);
	feed_close(&releases);
	feed_close(&durations);
	return ok;
}

/* ---- Task sets ---- */

enum part_of_set {
	OF_TASK,
	OF_SEGMENT,
	OF_PROFILE,
	OF_BLOCK,
	OF_SAMPLE,
	OF_AFTER,
	OF_CHAIN,
	OF_CHAIN_TASK,
	OF_MACHINE,
	OF_UNIT,
	OF_KERNEL,
	OF_STEP,
	OF_TRACE,
	PARTS_OF_SET
};

#define WHERE_SET " WHERE ?1 < 0 OR o.taskset_id = (SELECT taskset_id FROM run WHERE run_id = ?1)"
static const struct {
	const char *table, *from, *order;
} parts_of_set[PARTS_OF_SET] = {
	[OF_TASK] = {"task", "task o JOIN task t USING (task_id)" WHERE_SET, "o.task_idx"},
	[OF_SEGMENT] = {"segment", "task o JOIN segment t USING (task_id)" WHERE_SET,
		"o.task_idx, t.segment_idx"},
	[OF_PROFILE] = {"profile", "taskset o JOIN profile t USING (taskset_id)" WHERE_SET,
		"t.profile_idx, t.sms"},
	[OF_BLOCK] = {"segment_block", "task o JOIN segment_block t USING (task_id)" WHERE_SET,
		"o.task_idx, t.segment_idx, t.block"},
	[OF_SAMPLE] = {"segment_sample", "task o JOIN segment_sample t USING (task_id)" WHERE_SET,
		"o.task_idx, t.segment_idx, t.sample"},
	[OF_AFTER] = {"task_after", "task o JOIN task_after t USING (task_id)" WHERE_SET,
		"o.task_idx, t.place"},
	[OF_CHAIN] = {"chain", "taskset o JOIN chain t USING (taskset_id)" WHERE_SET, "t.chain_idx"},
	[OF_CHAIN_TASK] = {"chain_task", "taskset o JOIN chain_task t USING (taskset_id)" WHERE_SET,
		"t.chain_idx, t.stage"},
	[OF_MACHINE] = {"warp_machine", "taskset o JOIN warp_machine t USING (taskset_id)" WHERE_SET, ""},
	[OF_UNIT] = {"warp_unit", "taskset o JOIN warp_unit t USING (taskset_id)" WHERE_SET,
		"instr(',int,fp,fp64,sfu,tensor,memory,', ',' || t.unit || ',')"},
	[OF_KERNEL] = {"warp_kernel", "task o JOIN warp_kernel t USING (task_id)" WHERE_SET, "o.task_idx"},
	[OF_STEP] = {"warp_step", "task o JOIN warp_step t USING (task_id)" WHERE_SET,
		"o.task_idx, t.step_idx"},
	[OF_TRACE] = {NULL,
		"task o LEFT JOIN release_trace t USING (trace_id) WHERE o.trace_id IS NOT NULL AND (?1 < 0"
		" OR o.taskset_id = (SELECT taskset_id FROM run WHERE run_id = ?1))",
		"o.task_idx"},
};

static bool open_parts(struct identity_checking *k, struct feed feeds[PARTS_OF_SET])
{
	feeds[OF_TRACE].columns = (struct hashed){.sql = "t.digest", .is_text = {true}, .count = 1};
	for (int i = 0; i < PARTS_OF_SET; i++) {
		struct feed *f = &feeds[i];
		const char *owner = strncmp(parts_of_set[i].from, "task o ", 7) == 0 ? "o" : NULL;
		if (parts_of_set[i].table && !hashed_columns(k->a->reader, parts_of_set[i].table, NULL, NULL,
						     owner, &f->columns, k->a->err))
			return false;
		if (f->columns.count == 0)
			continue; /* the recording's version has no such table */
		if (!feed_open(k, f, "o.taskset_id", parts_of_set[i].from, parts_of_set[i].order))
			return false;
	}
	return true;
}

static bool hash_set(
	struct identity_checking *k, struct feed feeds[PARTS_OF_SET], int64_t set, struct hash *h)
{
	for (int i = 0; i < PARTS_OF_SET; i++) {
		if (!feed_find(k, &feeds[i], set))
			return false;
		if (i >= OF_BLOCK && i <= OF_CHAIN_TASK && !feed_has(&feeds[i], set))
			continue;
		if (i == OF_MACHINE && !feed_has(&feeds[i], set))
			i = OF_TRACE; /* blocks are whole */
		if (!feed_hash(k, &feeds[i], set, i != OF_MACHINE && i != OF_TRACE, h))
			return false;
	}
	return true;
}

static bool check_sets(struct identity_checking *k)
{
	struct feed feeds[PARTS_OF_SET] = {0};
	struct hashed columns;
	struct db_cursor *c = NULL;
	char what[HASHED_SQL + 100];
	bool have = true;
	bool ok = hashed_columns(k->a->reader, "taskset", NULL, NULL, NULL, &columns, k->a->err) &&
		  open_parts(k, feeds);
	if (ok) {
		snprintf(what, sizeof(what), "o.name, o.digest, %s", columns.sql);
		c = feed_query(k, "o.taskset_id", what,
			"taskset o JOIN taskset t USING (taskset_id)" WHERE_SET, "ORDER BY o.taskset_id");
		ok = c != NULL;
	}
	while (ok && (ok = cursor_next(c, &have, k->a->err)) && have) {
		struct hash h = hash_begin();
		hash_row(&h, &columns, c, 3);
		ok = hash_set(k, feeds, cursor_integer(c, 0), &h);
		if (ok)
			compare(k, "set-digest", "taskset", cursor_integer(c, 0), cursor_text(c, 1),
				cursor_text(c, 2), hash_end(&h));
	}
	cursor_close(c);
	for (int i = 0; i < PARTS_OF_SET; i++)
		feed_close(&feeds[i]);
	return ok;
}

/* ---- Runs ---- */

static bool check_setups(struct identity_checking *k)
{
	struct hashed columns;
	char what[HASHED_SQL + 300];
	bool have = true;
	if (!hashed_columns(k->a->reader, "run", "seed", "ties", NULL, &columns, k->a->err))
		return false;
	snprintf(what, sizeof(what),
		"t.setup_digest, t.trace_id, (SELECT digest FROM release_trace x WHERE x.trace_id ="
		" t.trace_id), %s",
		columns.sql);
	struct db_cursor *c = feed_query(k, "t.run_id", what, "run t WHERE ?1 < 0 OR t.run_id = ?1", "");
	bool ok = c != NULL;
	while (ok && (ok = cursor_next(c, &have, k->a->err)) && have) {
		struct hash h = hash_begin();
		hash_row(&h, &columns, c, 4);
		if (cursor_kind(c, 2) != VALUE_NULL)
			hash_text(&h, cursor_text(c, 3));
		compare(k, "setup-digest", "run", cursor_integer(c, 0), NULL, cursor_text(c, 1),
			hash_end(&h));
	}
	cursor_close(c);
	return ok;
}

#define SUMMED_MAX 6
/* What belongs to the identity of a run, or of an analysis. */
struct identified {
	const char *law, *table, *id;
	const char *things; /* SQL of the digests that come first */
	int thing_count;
	const char *number; /* SQL of an integer; NULL: none */
	const char *from, *condition;
	const char *range[2][2]; /* columns, from and to; the second may be NULL */
	const char *summed[SUMMED_MAX];
};

#define DIGEST_OF(table, id) "(SELECT x.digest FROM " table " x WHERE x." id " = t." id ")"
static const struct identified of_runs = {"run-identity", "run", "run_id",
	DIGEST_OF("scenario", "scenario_id") ", " DIGEST_OF("taskset", "taskset_id") ", " DIGEST_OF(
		"platform", "platform_id") ", " DIGEST_OF("policy", "policy_id") ", t.setup_digest",
	5, "t.replication", "run t WHERE ?1 < 0 OR t.run_id = ?1", "t.run_id = ?1",
	{{"status", "events_digest"}, {NULL, NULL}},
	{"run_task", "run_task_hist", "run_warp_kernel", "run_sub_core", "chain_run", "run_gpu"}};
static const struct identified of_analyses = {"analysis-identity", "analysis_run", "analysis_run_id",
	DIGEST_OF("taskset", "taskset_id") ", " DIGEST_OF("platform", "platform_id") ", " DIGEST_OF(
		"policy", "policy_id"),
	3, NULL, "analysis_run t WHERE ?1 < 0", "0",
	{{"analysis", "version"}, {"allocation", "failing_task_id"}}, {"bound", "bound_part", "chain_bound"}};

static bool open_summed(
	struct identity_checking *k, const struct identified *of, struct feed feeds[SUMMED_MAX])
{
	char owner[40], from[160];
	snprintf(owner, sizeof(owner), "t.%s", of->id);
	for (int i = 0; i < SUMMED_MAX && of->summed[i]; i++) {
		snprintf(from, sizeof(from), "%s t WHERE ?1 < 0 OR %s", of->summed[i], of->condition);
		if (!hashed_columns(
			    k->a->reader, of->summed[i], NULL, NULL, NULL, &feeds[i].columns, k->a->err))
			return false;
		if (feeds[i].columns.count == 0)
			continue; /* the recording's version has no such table */
		if (!feed_open(k, &feeds[i], owner, from, ""))
			return false;
	}
	return true;
}

/* The cursor: id, identity_digest, things, number, the columns of the ranges. */
static bool identify(struct identity_checking *k, const struct identified *of, const struct hashed range[2],
	struct feed feeds[SUMMED_MAX], const struct db_cursor *c)
{
	struct hash h = hash_begin();
	uint64_t sum = 0;
	int at = 2;
	for (int i = 0; i < of->thing_count; i++)
		hash_text(&h, cursor_text(c, at++));
	if (of->number)
		hash_number(&h, cursor_integer(c, at++));
	hash_row(&h, &range[0], c, at);
	hash_row(&h, &range[1], c, at + range[0].count);
	for (int i = 0; i < SUMMED_MAX && of->summed[i]; i++)
		if (feeds[i].columns.count > 0 &&
			!feed_sum(k, &feeds[i], cursor_integer(c, 0), of->summed[i], &sum))
			return false;
	hash_number(&h, (int64_t)sum);
	compare(k, of->law, of->table, cursor_integer(c, 0), NULL, cursor_text(c, 1), hash_end(&h));
	return true;
}

static bool check_identities(struct identity_checking *k, const struct identified *of)
{
	struct feed feeds[SUMMED_MAX] = {0};
	struct hashed range[2] = {0};
	struct db_cursor *c = NULL;
	char what[2 * HASHED_SQL + 800], owner[40], order[60];
	bool have = true, ok = open_summed(k, of, feeds);
	for (int i = 0; ok && i < 2 && of->range[i][0]; i++)
		ok = hashed_columns(k->a->reader, of->table, of->range[i][0], of->range[i][1], NULL,
			&range[i], k->a->err);
	if (ok) {
		snprintf(owner, sizeof(owner), "t.%s", of->id);
		snprintf(order, sizeof(order), "ORDER BY t.%s", of->id);
		snprintf(what, sizeof(what), "t.identity_digest, %s%s%s, %s%s%s", of->things,
			of->number ? ", " : "", of->number ? of->number : "", range[0].sql,
			range[1].count ? ", " : "", range[1].sql);
		c = feed_query(k, owner, what, of->from, order);
		ok = c != NULL;
	}
	while (ok && (ok = cursor_next(c, &have, k->a->err)) && have)
		ok = identify(k, of, range, feeds, c);
	cursor_close(c);
	for (int i = 0; i < SUMMED_MAX; i++)
		feed_close(&feeds[i]);
	return ok;
}

bool identity_begin(struct audit *a)
{
	return reader_has(a->reader, "run", "identity_digest", &a->identified, a->err);
}

bool identity_check(struct audit *a, int64_t run_id)
{
	struct identity_checking k = {a, run_id};
	return check_things(&k, "scenario", "scenario-digest") &&
	       check_things(&k, "platform", "platform-digest") &&
	       check_things(&k, "policy", "policy-digest") && check_traces(&k) && check_sets(&k) &&
	       check_setups(&k) &&
	       (!a->identified || (check_identities(&k, &of_runs) && check_identities(&k, &of_analyses)));
}
