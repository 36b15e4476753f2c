/* tests/unit/test_audit_identity.c - the laws on what a recording says it belongs to. Each finds a changed
 * row, a changed digest, or rows that belong to nothing. (tests/cli/tampers.py makes many more changes, to
 * recordings made by the program.) */
#include <string.h>

#include "tests/support/test.h"
#include "tests/unit/audit_defects.h"

struct change {
	const char *law;
	make_fn *make;
	const char *sql;
	const char *words; /* words that the finding must contain */
};

static const struct change changes[] = {
	{"scenario-digest", sample_fifo, "UPDATE scenario SET text = 'cegsim: 2'",
		"scenario 1 'sample.yaml'"},
	{"platform-digest", sample_fifo, "UPDATE platform SET cores = 2", "platform 1 'two-sms'"},
	{"platform-digest", sample_fifo, "UPDATE platform SET digest = '0000000000000000'",
		"its digest is 0000"},
	{"policy-digest", sample_section, "UPDATE policy SET version = 2", "policy 1 'rm'"},
	{"trace-digest", sample_work, "UPDATE trace_release SET release_ns = release_ns + 1 WHERE seq = 1",
		"release_trace 1"},
	{"set-digest", sample_fifo, "UPDATE task SET offset_ns = 1 WHERE task_idx = 1", "taskset 1 'sample'"},
	{"set-digest", sample_fifo, "UPDATE segment SET stream = 3 WHERE kind = 'kernel'", "taskset 1"},
	{"set-digest", sample_section, "UPDATE profile SET worst_ns = worst_ns + 1 WHERE sms = 2",
		"taskset 1"},
	{"set-digest", sample_work, "UPDATE task SET trace_id = 1", "taskset 1"},
	{"setup-digest", sample_section, "UPDATE run SET seed = 2", "run 1"},
	{"setup-digest", sample_section, "UPDATE run SET ties = 'lower-first'", "run 1"},
	{"run-identity", sample_section, "UPDATE run_task SET sms = 1 WHERE rank = 0", "run 1"},
	{"run-identity", sample_section, "UPDATE run_task_hist SET bucket = bucket + 1", "run 1"},
	{"run-identity", sample_section, "UPDATE run SET replication = 1", "run 1"},
	{"run-identity", sample_section, "UPDATE run SET reason = 'why not'", "run 1"},
	{"run-identity", sample_section, "UPDATE policy SET digest = '0000000000000000'", "run 1"},
	{"run-identity", sample_section, "UPDATE run SET identity_digest = NULL", "its digest is not there"},
	{"run-digest", sample_section, "UPDATE job SET abs_deadline_ns = abs_deadline_ns + 1 WHERE seq = 0",
		"its jobs and events_digest make"},
	{"run-digest", sample_section, "UPDATE run SET events_digest = '0000000000000001'",
		"and its digest is"},
	{"analysis-identity", sample_section,
		"INSERT INTO analysis_run VALUES (1, 'rta', '{}', 'sound', 1, 1, 1, 1, NULL, 'schedulable',"
		" NULL, NULL, '0123456789abcdef', 1)",
		"analysis_run 1"},
	{"strays", sample_section, "UPDATE job SET run_id = 2",
		"job: there are rows of run 2, which there is not"},
	{"strays", sample_section, "UPDATE power_interval SET run_id = NULL",
		"power_interval: there are rows of run 0"},
	{"strays", sample_section, "UPDATE run SET record = 'jobs'",
		"which says that it was recorded as jobs"},
	{"strays", sample_section, "UPDATE run SET status = 'refused'", "whose status is refused"},
	{"strays", sample_section, "INSERT INTO epoch (run_id, epoch) VALUES (1, 0)",
		"which is none of warps"},
	{"strays", sample_section,
		"INSERT INTO job (run_id, task_id, seq, release_ns, abs_deadline_ns, first_start_ns,"
		" finish_ns, outcome) SELECT run_id, 9, seq, release_ns, abs_deadline_ns, first_start_ns,"
		" finish_ns, outcome FROM job LIMIT 1",
		"1 rows are of tasks that are not of the run's set"},
	{"strays", sample_section, "INSERT INTO segment (task_id, segment_idx, kind) VALUES (9, 0, 'cpu')",
		"are of no task"},
	{"strays", sample_section, "INSERT INTO segment_block VALUES (9, 0, 0, 1000000, NULL, NULL)",
		"are of no kernel with blocks"},
	{"strays", sample_section,
		"INSERT INTO warp_machine VALUES (9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
		"NULL, NULL, NULL)",
		"are of no set"},
	{"strays", sample_section, "INSERT INTO warp_unit VALUES (1, 'int', 1, 1, 1)",
		"are of no set of warps"},
	{"strays", sample_section,
		"INSERT INTO warp_kernel (task_id, blocks, block_threads, registers, shared_memory, stream,"
		" stream_priority, launch_cycle, repeat) VALUES (1, 1, 32, 16, 0, 0, 'low', 0, 0)",
		"warp_kernel: 1 rows, the first with the id 1, are of no task of a set of warps"},
	{"strays", sample_section,
		"INSERT INTO warp_step (task_id, step_idx, kind, count) VALUES (9, 0, 'compute', 1)",
		"warp_step: 1 rows, the first with the id 9, are of no task of a set of warps"},
	{"strays", sample_section, "INSERT INTO measured VALUES (1, 9, 0, 0, 1, 2, NULL)",
		"measured: 1 rows, the first with the id 1, are of segments that are not of the run's set"},
	{"strays", sample_section, "INSERT INTO measured VALUES (1, 1, 0, 99, 1, 2, NULL)",
		"measured: 1 rows, the first with the id 1, are of segments that are not of the run's set"},
	{"strays", sample_section, "INSERT INTO measured VALUES (2, 1, 0, 0, 1, 2, NULL)",
		"measured: there are rows of run 2, which there is not"},
	{"strays", sample_section,
		"INSERT INTO measured VALUES (1, 1, 0, 0, 1, 2, 'stream'), (1, 1, 0, 0, 3, 4, NULL)",
		"measured: 1 rows, the first with the id 1, are of a segment of a job that has another one"},
	{"strays", sample_section, "INSERT INTO decision (run_id, time_ns, task_id) VALUES (1, 0, 1)",
		"there are 1 rows, and policy 'rm' decides nothing"},
};

TEST("each change is found")
{
	size_t missed = 0;
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct audit_sample s = changes[i].make();
		s.sql = changes[i].sql;
		missed += !breaks(&s, changes[i].law, changes[i].words);
	}
	assert_int_equal(missed, 0);
}

TEST("every law finds a change")
{
	struct audit_sample s = sample_fifo();
	struct audit_report laws;
	sample_audit(&s, &laws);
	for (size_t i = 0; i < laws.count; i++) {
		bool found = !audit_is_of_identity(laws.results[i].law);
		for (size_t k = 0; k < sizeof(changes) / sizeof(changes[0]) && !found; k++)
			found = strcmp(changes[k].law, laws.results[i].law) == 0;
		if (!found)
			fail_msg("no change is for law '%s'", laws.results[i].law);
	}
	audit_report_finish(&laws);
}

/* Changes of what no digest covers, and changes that leave the content the same. */
TEST("nothing is found elsewhere")
{
	static const char *const harmless[] = {"UPDATE run SET wall_us = 99",
		"UPDATE meta SET value = 'x' WHERE key = 'y' OR 1", "UPDATE task SET offset_ns = offset_ns"};
	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++) {
		struct audit_sample s = sample_section();
		s.sql = harmless[i];
		assert_clean(&s);
	}
}
