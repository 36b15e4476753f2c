/* tests/conformance/test_waits.c - records random cases under every policy of the oracle, and compares v_wait
 * with the schedule read tick by tick (tests/oracle/waits_plain.h): each instant of each job, and who is in
 * its way.
 *
 *     test_waits [CASES [SEED]] */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "db/reader.h"
#include "policies/registry.h"
#include "tests/conformance/audited.h"
#include "tests/oracle/engine_side.h"
#include "tests/oracle/waits_plain.h"
#include "tests/support/test.h"

TEST_NUMBER(cases, TEST_CASES(300));
TEST_NUMBER(seed, 16);

#define RESOURCES 14
static const char *const resources[RESOURCES] = {"own", "job", "cpu", "copy", "gpu", "slowed", "stream",
	"gate", "policy", "launch", "switch", "release", "latency", "sync"};
static uint64_t seen[RESOURCES];

static void count(const char *resource)
{
	for (size_t i = 0; i < RESOURCES; i++)
		seen[i] += strcmp(resource, resources[i]) == 0;
}

static void hold(const struct plain_schedule *s, const struct oracle_job *job, int64_t now,
	struct db_cursor *c, const char *name)
{
	struct plain_wait w = plain_wait_at(s, job, now);
	const char *resource = cursor_text(c, 3);
	int64_t by_task = cursor_kind(c, 4) == VALUE_NULL ? -1 : cursor_integer(c, 4);
	int64_t by_seq = cursor_kind(c, 5) == VALUE_NULL ? -1 : cursor_integer(c, 5);
	bool same_segment = strcmp(w.resource, "job") == 0 || cursor_integer(c, 2) == w.segment;
	count(w.resource);
	if (strcmp(resource, w.resource) != 0 || by_task != w.by_task || by_seq != w.by_seq || !same_segment)
		fail_msg("%s: task %" PRIu32 ", job %" PRIu32 ", at %" PRId64 ": segment %" PRId64
			 ", %s by %" PRId64 " #%" PRId64 ", expected segment %" PRId64 ", %s by %" PRId64
			 " #%" PRId64,
			name, job->task, job->seq, now, cursor_integer(c, 2), resource, by_task, by_seq,
			w.segment, w.resource, w.by_task, w.by_seq);
}

/* The rows are in the order of task, job, time; so are the jobs. They leave nothing out and do not overlap.
 */
static void compare(
	struct db_reader *reader, int64_t run_id, const struct plain_schedule *s, const char *name)
{
	struct error err;
	struct db_cursor *c = cursor_open(reader,
		"SELECT t.task_idx, w.seq, w.segment_idx, w.resource, u.task_idx, w.by_seq, w.start_ns, "
		"w.end_ns "
		"FROM v_wait w JOIN task t USING (task_id) LEFT JOIN task u ON u.task_id = w.by_task_id "
		"WHERE w.run_id = ?1 ORDER BY t.task_idx, w.seq, w.start_ns",
		&err);
	bool row = false;
	assert_true(c && cursor_bind_integer(c, 1, run_id, &err) && cursor_next(c, &row, &err));
	for (size_t i = 0; i < s->result->job_count; i++) {
		const struct oracle_job *job = &s->result->jobs[i];
		for (int64_t now = job->release; now < plain_until(s, job); now++) {
			if (row && now == cursor_integer(c, 7))
				assert_true(cursor_next(c, &row, &err));
			if (!row || cursor_integer(c, 0) != job->task || cursor_integer(c, 1) != job->seq ||
				now < cursor_integer(c, 6) || now >= cursor_integer(c, 7))
				fail_msg("%s: task %" PRIu32 ", job %" PRIu32 ": no row at %" PRId64, name,
					job->task, job->seq, now);
			hold(s, job, now, c, name);
		}
		if (job->release < plain_until(s, job)) {
			assert_int_equal(cursor_integer(c, 7), plain_until(s, job));
			assert_true(cursor_next(c, &row, &err));
		}
	}
	assert_false(row);
	cursor_close(c);
}

static int by_job(const void *a, const void *b)
{
	const struct oracle_job *x = a, *y = b;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

struct made {
	struct random_case c;
	struct engine_run run;
	const struct oracle_policy *policy;
	char name[128];
};

static void add_overheads(struct random_case *c, uint64_t index)
{
	struct overheads *o = &c->platform.overheads;
	int64_t *const parts[] = {
		&o->launch_ns, &o->latency_ns, &o->gap_ns, &o->sync_ns, &o->switch_ns, &o->release_ns};
	struct random_key key = {.seed = seed, .set = (uint32_t)index, .purpose = RANDOM_TEST};
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		key.job++;
		*parts[i] = random_upto(&key, 5) - 2;
		*parts[i] = *parts[i] > 0 ? *parts[i] : 0;
	}
}

#define POLICIES_MAX 128

static bool record(struct audited *a, struct made *m, uint64_t index, struct error *err)
{
	struct params params;
	char text[512], list[RANDOM_ALLOCATION_MAX];
	size_t rows = 0;
	const struct oracle_policy *without_contexts[POLICIES_MAX];
	for (const struct oracle_policy *p = oracle_policies; p->label && rows < POLICIES_MAX; p++)
		/* The plain reading knows of one GPU. */
		if (p->contexts == ORACLE_ONE_CONTEXT && p->admits != ORACLE_CHOOSING)
			without_contexts[rows++] = p;
	m->policy = without_contexts[index % rows];
	random_case_make(seed, index, &m->c);
	random_case_suit(&m->c, index, m->policy);
	if (index / rows % 2 == 1)
		add_overheads(&m->c, index);
	if (!m->policy->grants)
		random_case_spread(&m->c, index);
	snprintf(m->name, sizeof(m->name), "%.90s, case %" PRIu64, m->policy->label, index);
	if (engine_run(&m->c, m->policy, &m->run, text, sizeof(text)) != ENGINE_RAN)
		return true;
	const char *given = m->policy->allocation ? random_case_allocation(&m->c, m->policy, list) : NULL;
	if (!engine_params(m->policy, given, &params, err))
		return false;
	struct run_spec spec = {
		.platform = &m->c.platform,
		.set = &m->c.set,
		.setup = &m->c.setup,
		.policy = policy_find(m->policy->name),
		.params = &params,
		.record = RECORD_BLOCKS,
		.replication = (int64_t)index,
	};
	return audited_run(a, &spec, m->name, err);
}

TEST("at every instant v_wait says what a plain reading of the schedule says")
{
	struct audited a;
	struct error err = {0};
	struct made *made = calloc(cases, sizeof(*made));
	bool ok = made && audited_begin(&a, &err);
	for (uint64_t i = 0; ok && i < cases; i++)
		ok = record(&a, &made[i], i, &err);
	struct db_writer *writer = a.writer;
	a.writer = NULL;
	if (!ok || !writer_finish(writer, NULL, &err))
		fail_msg("%s", err.text);
	struct db_reader *reader = reader_open(a.file, &err);
	assert_non_null(reader);
	int64_t run_id = 0;
	for (uint64_t i = 0; i < cases; i++) {
		struct made *m = &made[i];
		struct plain_schedule s = {&m->c, m->policy, &m->run.allocation, m->run.result, NULL, 0};
		if (m->run.result) {
			qsort(m->run.result->jobs, m->run.result->job_count, sizeof(struct oracle_job),
				by_job);
			plain_begin(&s);
			compare(reader, ++run_id, &s, m->name);
			plain_end(&s);
		}
		oracle_result_free(m->run.result);
		random_case_finish(&m->c);
	}
	audited_views(reader);
	assert_int_equal(run_id, a.runs);
	assert_true(run_id > (int64_t)cases / 3);
	reader_close(reader);
	audited_finish(&a);
	free(made);
}

TEST("nothing that a job may wait for was left untried")
{
	for (size_t i = 0; i < RESOURCES; i++)
		if (seen[i] == 0)
			fail_msg("no job was ever seen at '%s'", resources[i]);
}
