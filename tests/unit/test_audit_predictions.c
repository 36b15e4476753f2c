/* tests/unit/test_audit_predictions.c - the law on what sbeet predicts. It computes the numbers that were
 * calculated by hand (audit_sample_predicted.c), and finds something when one number, row or order of rows is
 * wrong. */
#include <string.h>

#include "tests/support/test.h"
#include "tests/unit/audit_defects.h"

#define PARAMS(queue, energy, rest)                                                                          \
	"{\"queue\":\"" queue "\",\"energy\":\"" energy                                                      \
	"\",\"infeasible\":\"energy\",\"workers\":2,\"offline\":false" rest "}"

static void remove_row(struct audit_sample *s, size_t at)
{
	memmove(&s->decision[at], &s->decision[at + 1], (--s->decisions - at) * sizeof(s->decision[0]));
}

static void insert_row(struct audit_sample *s, size_t at, struct decision_row row)
{
	memmove(&s->decision[at + 1], &s->decision[at], (s->decisions++ - at) * sizeof(s->decision[0]));
	s->decision[at] = row;
}

/* ---- Numbers ---- */

static void end_of_others(struct audit_sample *s)
{
	s->decision[3].kernel_end_ns++;
}

static void energy_of_others(struct audit_sample *s)
{
	s->decision[7].predicted_uwns--;
}

static void feasible_of_others(struct audit_sample *s)
{
	s->decision[3].feasible = 0;
}

static void infeasible_of_others(struct audit_sample *s)
{
	s->decision[5].feasible = 1;
}

static void end_beside(struct audit_sample *s)
{
	s->decision[8].kernel_end_ns -= MS;
}

static void energy_beside(struct audit_sample *s)
{
	s->decision[9].predicted_uwns++;
}

static void refused_beside(struct audit_sample *s)
{
	s->decision[8].feasible = s->decision[8].chosen = 0;
}

static void another_chosen(struct audit_sample *s)
{
	s->decision[2].chosen = 0;
	s->decision[3].chosen = 1;
}

static void other_segment(struct audit_sample *s)
{
	s->decision[8].segment_idx = 0;
}

static void fewer_sms_weighed(struct audit_sample *s)
{
	s->decision[8].sms = 1;
}

/* ---- Rows ---- */

static void least_left_out(struct audit_sample *s)
{
	remove_row(s, 3);
}

static void one_left_out(struct audit_sample *s)
{
	remove_row(s, 4);
}

static void one_twice(struct audit_sample *s)
{
	insert_row(s, 4, s->decision[4]);
}

static void again_at_once(struct audit_sample *s)
{
	insert_row(s, 5, s->decision[0]);
}

static void waits_without_a_row(struct audit_sample *s)
{
	struct decision_row row = s->decision[5];
	row.time_ns = 4 * MS;
	row.sms = 2;
	row.kernel_end_ns = 12 * MS;
	row.chosen = 0;
	insert_row(s, 5, row);
}

static void no_worker_left(struct audit_sample *s)
{
	struct decision_row row = s->decision[5];
	row.time_ns = 1 * MS;
	row.chosen = 0;
	insert_row(s, 5, row);
}

static void at_no_instant(struct audit_sample *s)
{
	struct decision_row row = s->decision[5];
	row.time_ns = 5 * MS;
	row.chosen = 0;
	insert_row(s, 5, row);
}

static void behind_the_end(struct audit_sample *s)
{
	struct decision_row row = s->decision[8];
	row.time_ns = 10 * MS;
	s->decision[s->decisions++] = row;
}

static void of_nobody(struct audit_sample *s)
{
	struct decision_row row = s->decision[4];
	row.seq = 7;
	row.chosen = 0;
	insert_row(s, 5, row);
}

static void wrong_order(struct audit_sample *s)
{
	struct decision_row first = s->decision[3];
	s->decision[3] = s->decision[4];
	s->decision[4] = first;
}

static void other_queue(struct audit_sample *s)
{
	s->params = PARAMS("deadline", "own", "");
}

static void stops_after_a_start(struct audit_sample *s)
{
	s->params = PARAMS("priority", "own", ",\"after_start\":\"stop\"");
}

static void other_interval(struct audit_sample *s)
{
	s->params = PARAMS("priority", "common", "");
	s->decision[5].chosen = 0;
	s->decision[7].chosen = 1;
}

static void not_looked_at_again(struct audit_sample *s)
{
	remove_row(s, 5);
}

/* ---- What is expected ---- */

static void as_if_on_time(struct audit_sample *s)
{
	/* b is expected at 13 and, by its offset, at 21: 3.999999 more of three SMs, less their idle
	 * power. */
	s->decision[11].predicted_uwns = 29100001200000;
}

static void as_if_alone(struct audit_sample *s)
{
	s->decision[0].predicted_uwns = s->decision[8].predicted_uwns = 9000000000001;
}

static const struct defect defects[] = {
	{"predictions", sample_example2, end_of_others,
		"at 0ms, on 5 SMs: its kernels are predicted to end at 10.600001ms, expected 10.6ms"},
	{"predictions", sample_example2, energy_of_others,
		"on 1 SMs: the predicted energy is 145000003599999 uW*ns, expected 145000003600000"},
	{"predictions", sample_example2, feasible_of_others,
		"on 5 SMs: that is feasible, and is said not to be"},
	{"predictions", sample_example2, infeasible_of_others,
		"on 3 SMs: that is not feasible, and is said to be"},
	{"predictions", sample_example2, end_beside,
		"on 2 SMs: its kernels are predicted to end at 5ms, expected 6ms"},
	{"predictions", sample_example2, energy_beside, "is 18200000000001 uW*ns, expected 18200000000000"},
	{"predictions", sample_example2, refused_beside,
		"at 1ms, on 2 SMs: that is feasible, and is said not"},
	{"predictions", sample_example2, another_chosen, "on 6 SMs: that is not chosen, and must be"},
	{"predictions", sample_example2, other_segment,
		"it is on segment 0, but the first kernel to come is 1"},
	{"predictions", sample_example2, fewer_sms_weighed, "at 1ms 1 SMs are weighed, expected 2"},
	{"predictions", sample_weighed, least_left_out, "at 0s 3 numbers of SMs are weighed, expected 4"},
	{"predictions", sample_weighed, one_left_out,
		"task 'b', job 0: at 0s 0 numbers of SMs are weighed, expected 1, from 2 down"},
	{"predictions", sample_weighed, one_twice,
		"task 'b', job 0: at 0s 2 numbers of SMs are weighed, expected 1"},
	{"predictions", sample_weighed, again_at_once, "on job 0 and 4 SMs: nothing of it is to be weighed"},
	{"predictions", sample_weighed, waits_without_a_row,
		"at 4ms: beside others it ends at 12ms, but on all SMs when they have ended by 10ms"},
	{"predictions", sample_weighed, no_worker_left,
		"at 1ms, on job 0 and 4 SMs: nothing of it is to be weighed"},
	{"predictions", sample_weighed, at_no_instant,
		"at 5ms, on job 0 and 4 SMs: nothing is to be decided"},
	{"predictions", sample_weighed, behind_the_end,
		"at 10ms, on job 0 and 1 SMs: nothing is to be decided"},
	{"predictions", sample_weighed, of_nobody,
		"at 0s, on job 7 and 2 SMs: nothing of it is to be weighed"},
	{"predictions", sample_given_up, wrong_order,
		"at 2ms it was looked at behind task 'b', which comes after it"},
	{"predictions", sample_weighed, other_queue,
		"it was looked at behind task 'a', which comes after it"},
	{"predictions", sample_weighed, stops_after_a_start,
		"task 'b', job 0, segment 0: at 0s, on job 0 and 2 SMs: nothing of it is to be weighed"},
	{"predictions", sample_weighed, other_interval, "at 6ms, on 4 SMs: that is not chosen, and must be"},
	{"predictions", sample_given_up, not_looked_at_again,
		"task 'b', job 0: at 4ms 0 numbers of SMs are weighed, expected 1, from 2 down"},
	{"predictions", sample_expected, as_if_on_time,
		"at 12ms, on 1 SMs: the predicted energy is 29100001200000 uW*ns, expected 27300000600000"},
	{"predictions", sample_expected, as_if_alone,
		"at 0s, on 4 SMs: the predicted energy is 9000000000001"},
};

TEST("every defect is found")
{
	assert_defects_found(defects, sizeof(defects) / sizeof(defects[0]));
}

static uint64_t findings(const struct audit_sample *s, uint64_t *checked)
{
	struct audit_report report;
	sample_audit(s, &report);
	uint64_t found = report_law(&report, "predictions")->findings;
	*checked = report_law(&report, "predictions")->checked;
	audit_report_finish(&report);
	return found;
}

TEST("every number of every row counts")
{
	static make_fn *const all[] = {
		sample_chosen, sample_example2, sample_weighed, sample_expected, sample_given_up};
	for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) {
		size_t rows = all[k]().decisions, step = SPARSE == 1 ? 1 : 5; /* 5: meets all six changes */
		for (size_t i = 0; i < 6 * rows; i += step) {
			struct audit_sample s = all[k]();
			struct decision_row *row = &s.decision[i / 6];
			uint64_t checked;
			row->kernel_end_ns += i % 6 == 0;
			row->predicted_uwns += i % 6 == 1;
			row->feasible ^= i % 6 == 2;
			row->chosen ^= i % 6 == 3;
			row->segment_idx = (uint16_t)(row->segment_idx + (i % 6 == 4));
			row->sms += i % 6 == 5;
			if (findings(&s, &checked) == 0)
				fail_msg("sample %zu, row %zu: change %zu is not found", k, i / 6, i % 6);
		}
	}
}

/* One wrong row is found once: later decisions are checked with the choice that it made. */
TEST("one wrong number is one finding")
{
	struct audit_sample s = sample_example2();
	uint64_t checked;
	s.decision[0].predicted_uwns++;
	assert_int_equal(findings(&s, &checked), 1);
	assert_int_equal(checked, s.decisions);
}

TEST("schedules made beforehand are not asked")
{
	struct audit_sample s = sample_offline();
	uint64_t checked;
	assert_int_equal(findings(&s, &checked), 0);
	assert_int_equal(checked, 0);
}

/* If nothing else waits when a unit starts, this option makes no difference. */
TEST("stopping after a start changes nothing else")
{
	struct audit_sample s = sample_example2();
	uint64_t checked;
	s.params = PARAMS("deadline", "own", ",\"after_start\":\"stop\"");
	assert_int_equal(findings(&s, &checked), 0);
	s.params = PARAMS("deadline", "own", ",\"after_start\":\"continue\"");
	assert_int_equal(findings(&s, &checked), 0);
}

static bool mine(const struct audit_result *law)
{
	return strcmp(law->law, "predictions") == 0;
}

TEST("every law is tested")
{
	assert_laws_tested(mine, defects, sizeof(defects) / sizeof(defects[0]));
}
