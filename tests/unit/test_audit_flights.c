/* tests/unit/test_audit_flights.c - the laws on operations in flight: each accepts a correct recording, and
 * finds each defect. */
#include <stdio.h>
#include <string.h>

#include "tests/support/test.h"
#include "tests/unit/audit_defects.h"

static void move(struct audit_sample *s, uint16_t segment, int64_t by)
{
	struct segment_interval_row *row = interval(s, 0, 0, segment);
	shift(by, &row->start_ns, &row->end_ns);
}

static void too_early_after_k(struct audit_sample *s)
{
	move(s, 4, -MS / 2);
}

static void ready_later(struct audit_sample *s)
{
	interval(s, 0, 0, 3)->ready_ns += MS;
}

static void wait_cut_short(struct audit_sample *s)
{
	move(s, 6, -MS / 2);
}

static void longer_copy(struct audit_sample *s)
{
	interval(s, 0, 0, 1)->end_ns += MS;
}

static void short_kernel(struct audit_sample *s)
{
	interval(s, 0, 0, 3)->end_ns -= MS;
}

static void never_ran(struct audit_sample *s)
{
	interval(s, 0, 0, 4)->seq = 1;
}

static void ends_later(struct audit_sample *s)
{
	job(s, 0, 0)->finish_ns += MS;
}

static void beside_the_copy(struct audit_sample *s)
{
	move(s, 2, -MS);
}

static void null_stream_too_early(struct audit_sample *s)
{
	s->segment[4].stream = -2;
	s->segment[4].awaits = NULL;
	move(s, 4, -MS / 2);
}

static void idle_engine(struct audit_sample *s)
{
	move(s, 1, MS / 2);
}

static void idle_gpu(struct audit_sample *s)
{
	move(s, 4, MS / 2);
}

/* The last kernel waits for nobody else, and could start at 5: so does k, which was there at 3. */
static void behind_a_later_one(struct audit_sample *s)
{
	s->segment[4].awaits = NULL;
	move(s, 4, -MS);
	move(s, 2, 5 * MS / 2);
}

/* Now k is of a high stream, and comes when the other one starts: at 5 it goes first. */
static void behind_a_low_one(struct audit_sample *s)
{
	behind_a_later_one(s);
	s->policy = "prio-streams";
	s->params = "{}";
	s->segment[2].stream_priority = "high";
	move(s, 1, 3 * MS / 2);
}

static void other_engine(struct audit_sample *s)
{
	interval(s, 0, 0, 1)->unit = 1;
}

/* The first kernel of the other stream is a copy, too. */
static void two_on_an_engine(struct audit_sample *s)
{
	s->segment[3].kind = "copy";
	s->segment[3].direction = "to_gpu";
	interval(s, 0, 0, 3)->code = interval(s, 0, 0, 1)->code;
}

static void short_block(struct audit_sample *s)
{
	block_of(s, 0, 3, 0)->end_ns -= MS;
}

static void lost_block(struct audit_sample *s)
{
	struct block_interval_row *row = block_of(s, 0, 4, 0);
	*row = s->block[--s->blocks];
}

static void twice_the_block(struct audit_sample *s)
{
	struct block_interval_row *row = &s->block[s->blocks++];
	*row = *block_of(s, 0, 2, 0);
	row->sm = 0;
	row->slot = 1;
}

static void no_such_sm(struct audit_sample *s)
{
	block_of(s, 0, 2, 0)->sm = 2;
}

static void other_threads(struct audit_sample *s)
{
	block_of(s, 0, 2, 0)->threads = 512;
}

static void later_block(struct audit_sample *s)
{
	shift(MS, &block_of(s, 0, 4, 0)->start_ns, &block_of(s, 0, 4, 0)->end_ns);
}

static void no_kernel_of_its_own(struct audit_sample *s)
{
	block_of(s, 0, 4, 0)->seq = 3;
}

static void longer_kernel(struct audit_sample *s)
{
	interval(s, 0, 0, 4)->start_ns -= MS / 2;
}

static void other_slot(struct audit_sample *s)
{
	block_of(s, 0, 4, 0)->slot = 1;
}

/* Behind its end the view looks for nothing of a job. */
static void ends_before_its_last(struct audit_sample *s)
{
	job(s, 0, 0)->finish_ns = 11 * MS / 2;
}

static const struct defect defects[] = {
	{"flight-waits", sample_flights, ends_before_its_last,
		"segment 4: it waits (after) from 1ms to 6ms for segment 2, which no row says"},
	{"flight-engines", sample_flights, other_engine, "on engine 1, expected engine 0 by its direction"},
	{"flight-engines", sample_flights, two_on_an_engine, "while another copy was on engine 0, until 3ms"},
	{"flight-blocks", sample_flights, short_block, "did not take the time of its kernel's blocks"},
	{"flight-blocks", sample_flights, lost_block, "none of its 1 blocks was placed"},
	{"flight-blocks", sample_flights, twice_the_block, "placed before"},
	{"flight-blocks", sample_flights, no_such_sm, "no SM of this platform"},
	{"flight-blocks", sample_flights, other_threads, "another number of threads"},
	{"flight-blocks", sample_flights, later_block, "outside its kernel's interval"},
	{"flight-blocks", sample_flights, no_kernel_of_its_own, "none of its 1 blocks was placed"},
	{"flight-blocks", sample_flights, longer_kernel, "its blocks were there from 6ms to 7ms"},
	{"slots", sample_flights, other_slot, "it is in slot 1, but slot 0 stayed free"},
	{"flights", sample_flights, too_early_after_k,
		"before segment 2, after which it comes, has ended at 6ms"},
	{"flights", sample_flights, ready_later, "said to be ready at 2ms, but its job came to it at 1ms"},
	{"flights", sample_flights, wait_cut_short, "it starts before 7ms, when it is issued and eligible"},
	{"flights", sample_flights, longer_copy, "ran for 3ms, expected 2ms"},
	{"flights", sample_flights, short_kernel, "ran for 3ms, expected at least 4ms"},
	{"flights", sample_flights, never_ran, "its segment 4 never ran"},
	{"flights", sample_flights, ends_later, "it ended at 9ms, but its last operation, or wait, at 8ms"},
	{"flight-order", sample_flights, beside_the_copy,
		"issued earlier to its hardware queue has ended, at 3ms"},
	{"flight-order", sample_flights, null_stream_too_early,
		"issued earlier to the other streams has ended, at 6ms"},
	{"flight-copies", sample_flights, idle_engine,
		"it waits while its engine is idle: it is eligible at 1ms, and could start at 1ms", PROMISED},
	{"flight-kernels", sample_flights, idle_gpu,
		"it waits while the GPU is idle: it is eligible at 6ms, and could start at 6ms", PROMISED},
	{"flight-kernels", sample_flights, behind_a_later_one,
		"it starts before one that is in front of it: that was eligible at 3ms, this one at 5ms",
		PROMISED},
	{"flight-kernels", sample_flights, behind_a_low_one,
		"it starts before one that is in front of it: that was eligible at 4.5ms, this one at 5ms",
		PROMISED},
};

TEST("every defect is found")
{
	assert_defects_found(defects, sizeof(defects) / sizeof(defects[0]));
}

static bool on_flights(const struct audit_result *law)
{
	return strncmp(law->law, "flight", 6) == 0;
}

TEST("every law is tested")
{
	assert_laws_tested(on_flights, defects, sizeof(defects) / sizeof(defects[0]));
}

TEST("a correct recording is clean")
{
	struct audit_sample s = sample_flights();
	assert_clean(&s);
}

/* ---- v_flight_wait ---- */

/* The view is replaced by its rows, of which one is changed; for the reader, too, which takes no such view
 * from a file. Segment 2 waits in its stream in [1, 3), segment 4 for segment 2 in [1, 6), the job at segment
 * 5 for segment 4 in [1, 7). */
#define KEPT "CREATE TABLE rows_of_view AS SELECT * FROM v_flight_wait; DROP VIEW v_flight_wait; "
#define SHOWN "; CREATE VIEW v_flight_wait AS SELECT * FROM rows_of_view"
static const char show[] =
	"DROP VIEW temp.v_flight_wait; CREATE TEMP VIEW v_flight_wait AS SELECT * FROM rows_of_view";

static const struct {
	const char *sql, *words;
} changes[] = {
	{"DELETE FROM rows_of_view WHERE segment_idx = 2",
		"task 'two', job 0: segment 2: it waits (stream) from 1ms to 3ms for segment 1, which no row "
		"says"},
	{"DELETE FROM rows_of_view", "segment 2: it waits (stream)"},
	{"DELETE FROM rows_of_view WHERE resource = 'wait'",
		"segment 5: it waits (wait) from 1ms to 7ms for segment 4, which no row says"},
	{"UPDATE rows_of_view SET for_idx = 3 WHERE segment_idx = 5",
		"segment 5: it is said to wait (wait) from 1ms to 7ms for segment 3, expected from 1ms to "
		"7ms for segment 4"},
	{"UPDATE rows_of_view SET for_idx = NULL WHERE segment_idx = 4",
		"segment 4: it is said to wait (after) from 1ms to 6ms, expected from 1ms to 6ms for segment "
		"2"},
	{"UPDATE rows_of_view SET start_ns = start_ns + 1000000 WHERE segment_idx = 5",
		"from 2ms to 7ms for segment 4, expected from 1ms to 7ms"},
	{"UPDATE rows_of_view SET end_ns = end_ns - 1000000 WHERE segment_idx = 4",
		"from 1ms to 5ms for segment 2, expected from 1ms to 6ms"},
	{"UPDATE rows_of_view SET resource = 'others' WHERE segment_idx = 2",
		"segment 2: it waits (stream) from 1ms to 3ms"},
	{"UPDATE rows_of_view SET resource = 'x' WHERE segment_idx = 2", "segment 2: it waits (stream)"},
	{"INSERT INTO rows_of_view SELECT * FROM rows_of_view WHERE segment_idx = 5",
		"segment 5: it is said to wait (wait) from 1ms to 7ms for segment 4, which it does not"},
	{"INSERT INTO rows_of_view SELECT run_id, task_id, task, seq, NULL, NULL, 'wait', 4, NULL, 7000000, "
	 "8000000, 0, 0 FROM rows_of_view LIMIT 1",
		"at its end: it is said to wait (wait) from 7ms to 8ms for segment 4, which it does not"},
};

TEST("a view that says something else is found")
{
	size_t missed = 0;
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct audit_sample s = sample_flights();
		char sql[600];
		snprintf(sql, sizeof(sql), KEPT "%s" SHOWN, changes[i].sql);
		s.sql = sql;
		s.view = show;
		missed += !breaks(&s, "flight-waits", changes[i].words);
	}
	assert_int_equal(missed, 0);
	struct audit_sample s = sample_flights();
	s.sql = KEPT "UPDATE rows_of_view SET for_idx = for_idx" SHOWN;
	s.view = show;
	assert_clean(&s);
}
