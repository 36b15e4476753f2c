/* tests/property/test_waits.c [CASES] - v_wait where several operations of a job run at a time, and where
 * processes have the GPU in turns: the rows of a job lie end to end from its release to its end, and what
 * they call its own is exactly when something of it runs, as read tick by tick from the intervals. (Who is in
 * whose way, with one operation and one GPU: tests/conformance/test_waits.c.) What operations in flight and
 * their jobs wait for (v_flight_wait) is as the intervals say. What the program computes itself has the
 * rows of the views in the file. And the audit finds nothing. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "db/reader.h"
#include "policies/registry.h"
#include "tests/conformance/audited.h"
#include "tests/oracle/dice.h"
#include "tests/oracle/engine_side.h"
#include "tests/oracle/flights_sets.h"
#include "tests/oracle/oracle_internal.h"
#include "tests/support/harness.h"
#include "tests/support/test.h"

TEST_NUMBER(cases, TEST_CASES(200));

/* A job, or an interval in which something of it runs. */
struct span {
	int64_t run, task, seq, from, to;
};

struct spans {
	struct span *span;
	size_t count;
};

static struct spans read_spans(struct db_reader *reader, const char *sql)
{
	struct error err;
	struct spans s = {0};
	bool row = true;
	struct db_cursor *c = cursor_open(reader, sql, &err);
	if (!c)
		fail_msg("%s", err.text);
	while (cursor_next(c, &row, &err) && row) {
		s.span = oracle_grow(s.span, s.count, sizeof(*s.span));
		s.span[s.count++] = (struct span){cursor_integer(c, 0), cursor_integer(c, 1),
			cursor_integer(c, 2), cursor_integer(c, 3), cursor_integer(c, 4)};
	}
	cursor_close(c);
	return s;
}

/* In the order of runs and tasks. */
static int64_t compare_span(const struct span *a, const struct span *b)
{
	return a->run != b->run ? a->run - b->run : a->task - b->task;
}

/* The first that is of this run and task, or of later ones. */
static size_t find(const struct spans *s, const struct span *of)
{
	size_t low = 0, high = s->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare_span(&s->span[middle], of) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Whether something of the job runs then, or, of `jobs`, whether an earlier one has not ended. */
static bool covers(const struct spans *s, const struct span *job, int64_t now, bool earlier)
{
	for (size_t i = find(s, job); i < s->count && compare_span(&s->span[i], job) == 0; i++) {
		const struct span *x = &s->span[i];
		if (earlier ? x->seq < job->seq && x->to > now
			    : x->seq == job->seq && x->from <= now && now < x->to)
			return true;
	}
	return false;
}

struct seen {
	uint64_t jobs, own, others; /* ticks */
};

static void check_tick(const struct spans *jobs, const struct spans *running, const struct span *job,
	int64_t now, const char *resource, struct seen *seen)
{
	bool own = strcmp(resource, "own") == 0 || strcmp(resource, "slowed") == 0 ||
		   strcmp(resource, "launch") == 0;
	bool behind = strcmp(resource, "job") == 0, held = covers(jobs, job, now, true);
	seen->own += own;
	seen->others += !own && !behind;
	if (behind != held || (!held && own != covers(running, job, now, false)))
		fail_msg("run %" PRId64 ", task %" PRId64 ", job %" PRId64 " at %" PRId64 ": it is at '%s'",
			job->run, job->task, job->seq, now, resource);
}

static void check_file(struct db_reader *reader, struct seen *seen)
{
	struct error err;
	bool row = false;
	struct spans jobs = read_spans(reader,
		"SELECT run_id, task_id, seq, release_ns, coalesce(finish_ns, stop_ns) FROM job JOIN run"
		" USING (run_id) ORDER BY 1, 2, 3");
	struct spans running =
		read_spans(reader, "SELECT run_id, task_id, seq, start_ns, end_ns FROM segment_interval"
				   " WHERE code & 204 IN (0, 12) ORDER BY 1, 2, 3, 4");
	struct db_cursor *c = cursor_open(reader,
		"SELECT run_id, task_id, seq, start_ns, end_ns, resource FROM v_wait ORDER BY 1, 2, 3, 4",
		&err);
	assert_true(c && cursor_next(c, &row, &err));
	for (size_t i = 0; i < jobs.count; i++, seen->jobs++) {
		const struct span *job = &jobs.span[i];
		for (int64_t at = job->from; at < job->to;) {
			if (!row || cursor_integer(c, 0) != job->run || cursor_integer(c, 1) != job->task ||
				cursor_integer(c, 2) != job->seq || cursor_integer(c, 3) != at ||
				cursor_integer(c, 4) <= at || cursor_integer(c, 4) > job->to)
				fail_msg("run %" PRId64 ", task %" PRId64 ", job %" PRId64
					 ": no row begins at %" PRId64,
					job->run, job->task, job->seq, at);
			for (; at < cursor_integer(c, 4); at++)
				check_tick(&jobs, &running, job, at, cursor_text(c, 5), seen);
			assert_true(cursor_next(c, &row, &err));
		}
	}
	assert_false(row);
	cursor_close(c);
	free(jobs.span);
	free(running.span);
}

/* Each process has queues of its own. */
static void check_streams(struct db_reader *reader)
{
	struct error err;
	bool row;
	struct db_cursor *c = cursor_open(reader,
		"SELECT count(*) FROM v_wait w JOIN task a ON a.task_id = w.task_id JOIN task b ON"
		" b.task_id = w.by_task_id WHERE w.resource = 'stream' AND a.process IS NOT b.process"
		" AND EXISTS (SELECT 1 FROM context_interval x WHERE x.run_id = w.run_id)",
		&err);
	assert_true(c && cursor_next(c, &row, &err) && row);
	assert_int_equal(cursor_integer(c, 0), 0);
	cursor_close(c);
}

static int64_t number(struct db_reader *reader, const char *sql)
{
	struct error err;
	bool row = false;
	struct db_cursor *c = cursor_open(reader, sql, &err);
	if (!c || !cursor_next(c, &row, &err) || !row)
		fail_msg("%s", c ? sql : err.text);
	int64_t value = cursor_integer(c, 0);
	cursor_close(c);
	return value;
}

/* Operations (ready, start, end) and how the view divides the time from ready to start. */
#define OPERATIONS                                                                                           \
	"WITH op AS MATERIALIZED (SELECT i.run_id, i.task_id, i.seq, i.segment_idx,"                         \
	" min(i.ready_ns) AS ready_ns, min(i.start_ns) AS start_ns, max(i.end_ns) AS end_ns,"                \
	" g.name, g.awaits, g.stream FROM segment_interval i"                                                \
	" JOIN segment g USING (task_id, segment_idx) WHERE i.code & 15 IN (1, 2)"                           \
	" AND EXISTS (SELECT 1 FROM segment a WHERE a.task_id = i.task_id AND a.async)"                      \
	" GROUP BY 1, 2, 3, 4)"
#define FAULTS OPERATIONS "SELECT count(*) FROM v_flight_wait w "
#define OF_JOB " USING (run_id, task_id, seq) "
#define OF_OPERATION "JOIN op o USING (run_id, task_id, seq, segment_idx) "
#define NAMED                                                                                                \
	"(p.segment_idx < o.segment_idx AND EXISTS (SELECT 1 FROM json_each(o.awaits) n WHERE n.value = "    \
	"p.name))"
#define OTHER " FROM op p WHERE p.run_id = o.run_id AND p.task_id = o.task_id AND p.seq = o.seq"

/* v_flight_wait against the intervals: each statement counts what is wrong. */
static const char *const flight_faults[] = {
	/* an operation's rows lie end to end from its issue to its start */
	OPERATIONS
	", w AS (SELECT run_id, task_id, seq, segment_idx, sum(amount_ns) AS ns, min(start_ns) AS a,"
	" max(end_ns) AS z FROM v_flight_wait WHERE resource <> 'wait' GROUP BY 1, 2, 3, 4)"
	" SELECT count(*) FROM op o LEFT JOIN w USING (run_id, task_id, seq, segment_idx)"
	" WHERE o.start_ns > o.ready_ns AND (w.ns IS NOT o.start_ns - o.ready_ns"
	" OR w.a <> o.ready_ns OR w.z <> o.start_ns)",
	/* after: until the last of those that it names has ended; who is told ended then, or later than an
	   aborted job waited */
	FAULTS OF_OPERATION "WHERE w.resource = 'after' AND w.end_ns IS NOT"
			    " (SELECT max(p.end_ns)" OTHER " AND " NAMED ")",
	FAULTS "LEFT JOIN op p ON p.run_id = w.run_id AND p.task_id = w.task_id AND p.seq = w.seq"
	       " AND p.segment_idx = w.for_idx JOIN job j ON j.run_id = w.run_id AND j.task_id = w.task_id"
	       " AND j.seq = w.seq WHERE w.resource <> 'others' AND p.end_ns IS NOT w.end_ns"
	       " AND NOT (w.resource = 'wait' AND j.outcome & 3 = 2 AND w.end_ns = j.abs_deadline_ns"
	       " AND p.end_ns > w.end_ns)",
	/* stream: for one in front of it; then nothing of the job is in its way */
	FAULTS OF_OPERATION "WHERE w.resource = 'others' AND EXISTS (SELECT 1" OTHER
			    " AND p.end_ns > w.start_ns"
			    " AND (" NAMED " OR (p.segment_idx < o.segment_idx AND p.stream = o.stream)))",
	/* wait: what follows is ready when it is over, or, with `sync`, later; the job ends then, or later */
	FAULTS "JOIN segment_interval i" OF_JOB "WHERE i.segment_idx = w.segment_idx + 1 AND i.part = 0"
	       " AND i.code & 12 = 0 AND w.resource = 'wait' AND i.ready_ns < w.end_ns",
	FAULTS "JOIN job j" OF_JOB "WHERE w.resource = 'wait' AND w.segment_idx IS NULL"
	       " AND w.end_ns > j.finish_ns",
	/* it waits when it has come there */
	FAULTS "JOIN op o" OF_JOB "WHERE w.resource = 'wait'"
	       " AND coalesce(o.segment_idx < w.segment_idx, 1) AND o.ready_ns > w.start_ns",
};

static void check_flights(struct db_reader *reader)
{
	for (size_t i = 0; i < sizeof(flight_faults) / sizeof(*flight_faults); i++)
		if (number(reader, flight_faults[i]) != 0)
			fail_msg("%" PRId64 " rows: %s", number(reader, flight_faults[i]), flight_faults[i]);
	static const char *const kinds[] = {"after", "stream", "others", "wait"};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		char sql[96];
		snprintf(sql, sizeof(sql), "SELECT count(*) FROM v_flight_wait WHERE resource = '%s'",
			kinds[i]);
		assert_true(number(reader, sql) > 0);
	}
}

/* Reads the recording, then lets it be audited. */
static struct seen check(struct audited *a, bool flights)
{
	struct error err;
	struct seen seen = {0};
	struct audit_report report = {0};
	struct db_writer *writer = a->writer;
	a->writer = NULL;
	assert_true(a->runs > 0);
	if (*a->error || !writer_finish(writer, NULL, &err))
		fail_msg("%s", *a->error ? a->error : err.text);
	struct db_reader *reader = reader_open(a->file, &err);
	assert_non_null(reader);
	check_file(reader, &seen);
	if (flights)
		check_flights(reader);
	check_streams(reader);
	audited_views(reader);
	reader_close(reader);
	assert_true(audit_file(a->file, AUDIT_ALL_RUNS, &report, &err));
	for (size_t i = 0; i < report.count; i++)
		if (report.results[i].findings)
			fail_msg("%s: %s", report.results[i].law, report.results[i].first);
	audit_report_finish(&report);
	audited_finish(a);
	return seen;
}

static void begin(struct audited *a)
{
	struct error err;
	if (!audited_begin(a, &err))
		fail_msg("%s", err.text);
}

static void run(struct audited *a, const struct platform *platform, const struct taskset *set,
	const struct run_setup *setup, const char *policy, const struct params *params, uint64_t number)
{
	struct error err;
	struct run_spec spec = {
		.platform = platform,
		.set = set,
		.setup = setup,
		.policy = policy_find(policy),
		.params = params,
		.record = RECORD_BLOCKS,
		.replication = (int64_t)number,
	};
	if (!audited_run(a, &spec, policy, &err))
		fail_msg("%s", err.text);
}

/* What the second simulator of flights does not know: overheads, and a second core. */
static void make_more(struct maker *k, uint64_t number)
{
	static char name[] = "flown";
	struct dice d = {number ^ 0x3a175};
	struct overheads *o = &k->platform.overheads;
	int64_t *const parts[] = {
		&o->launch_ns, &o->latency_ns, &o->gap_ns, &o->sync_ns, &o->switch_ns, &o->release_ns};
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts) && number % 3 == 0; i++)
		*parts[i] = once_in(&d, 2) ? between(&d, 1, 2) : 0;
	k->set.name = name;
	k->set.cores = once_in(&d, 3);
	k->platform.cores = k->set.cores ? 2 : 1;
	for (uint32_t i = 0; i < k->set.task_count && k->set.cores; i++)
		k->set.tasks[i].core = (int32_t)between(&d, 0, 1);
}

TEST("with operations in flight a job waits exactly while nothing of it runs")
{
	struct audited a;
	begin(&a);
	for (uint64_t i = 0; i < cases; i++) {
		struct maker k;
		struct params params;
		const char *policy = i % 2 ? "prio-streams" : "fifo-cke";
		flights_make(&k, i);
		make_more(&k, i);
		params_default(&params, policy_find(policy)->options);
		run(&a, &k.platform, &k.set, &k.setup, policy, &params, i);
		maker_finish(&k);
	}
	struct seen seen = check(&a, true);
	print_message("# %" PRIu64 " jobs, %" PRIu64 " ns of their own, %" PRIu64 " of others\n", seen.jobs,
		seen.own, seen.others);
	assert_true(seen.jobs > cases && seen.own > cases && seen.others > cases);
}

/* The policy with its options number n, from 0. */
static const struct oracle_policy *in_turns(uint64_t n)
{
	for (const struct oracle_policy *p = oracle_policies; p->label; p++)
		if (strcmp(p->name, "tsg-rr") == 0 && n-- == 0)
			return p;
	fail_msg("there are not as many");
	return NULL;
}

TEST("with processes in turns, too")
{
	struct audited a;
	begin(&a);
	for (uint64_t i = 0; i < cases; i++) {
		const struct oracle_policy *p = in_turns(i % 3);
		struct random_case c;
		struct error err;
		struct params params;
		random_case_make(23, i, &c);
		random_case_suit(&c, i, p);
		random_case_spread(&c, i);
		random_case_burden(&c, i);
		random_case_divide(&c, i);
		assert_true(engine_params(p, NULL, &params, &err));
		run(&a, &c.platform, &c.set, &c.setup, p->name, &params, i);
		random_case_finish(&c);
	}
	struct seen seen = check(&a, false);
	print_message("# %" PRIu64 " jobs, %" PRIu64 " ns of their own, %" PRIu64 " of others\n", seen.jobs,
		seen.own, seen.others);
	assert_true(seen.jobs > cases && seen.own > cases && seen.others > cases);
}
