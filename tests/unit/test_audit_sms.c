/* tests/unit/test_audit_sms.c - the laws on promises of policies beyond one primary queue: tasks' own SMs,
 * the gate, boosting, deadlines. Each law accepts a correct recording, and finds something when one row of it
 * is wrong. */
#include <string.h>

#include "tests/support/test.h"
#include "tests/unit/audit_defects.h"

/* The next interval or block of the same segment or kernel. */
static struct segment_interval_row *spin(struct audit_sample *s, uint32_t task)
{
	for (size_t i = 0; i < s->intervals; i++) {
		struct segment_interval_row *row = &s->interval[i];
		if (row->task == task && (row->code & 3) == ROW_CPU && (row->code >> 2 & 3) != ROW_RUN)
			return row;
	}
	fail_msg("it does not spin");
	return NULL;
}

/* ---- edf ---- */

static void rank_before_deadline(struct audit_sample *s)
{
	/* third preempts second at 2, as under deadline monotonic priorities. */
	struct segment_interval_row *row = interval(s, 0, 0, 0);
	shift(-MS, &row->start_ns, &row->end_ns);
	row = interval(s, 1, 0, 0);
	row->start_ns = 3 * MS;
	row->end_ns = 5 * MS;
}

static void gate_by_rank(struct audit_sample *s)
{
	move_kernel(s, 0, 1, -2 * MS);
	move_kernel(s, 1, 1, 2 * MS);
}

static void gate_by_kernel(struct audit_sample *s)
{
	move_kernel(s, 1, 1, -MS);
}

/* ---- mpcp ---- */

static void spins_only(struct audit_sample *s)
{
	spin(s, 1)->code = segment_interval_code(ROW_CPU, ROW_SPIN, ROW_SPAN_DONE);
}

static void boost_is_preempted(struct audit_sample *s)
{
	spin(s, 1)->end_ns = 2 * MS;
	spin(s, 1)->code = segment_interval_code(ROW_CPU, ROW_BOOST, ROW_SPAN_PREEMPTED);
	interval(s, 0, 0, 0)->start_ns = 2 * MS;
	interval(s, 0, 0, 0)->end_ns = 4 * MS;
}

static void boost_begins_late(struct audit_sample *s)
{
	spin(s, 1)->start_ns += 1;
}

static void boost_goes_on(struct audit_sample *s)
{
	spin(s, 1)->end_ns += MS;
	shift(MS, &interval(s, 0, 0, 0)->start_ns, &interval(s, 0, 0, 0)->end_ns);
}

static void suspends_by_option(struct audit_sample *s)
{
	s->params = "{\"wait\":\"suspend\"}";
}

static void spin_of_other_segment(struct audit_sample *s)
{
	spin(s, 1)->segment_idx = 2;
	spin(s, 1)->code = segment_interval_code(ROW_CPU, ROW_SPIN, ROW_SPAN_DONE);
}

static void spin_ready_later(struct audit_sample *s)
{
	spin(s, 1)->ready_ns -= 1;
}

/* ---- stgm ---- */

static void lower_spins_first(struct audit_sample *s)
{
	spin(s, 1)->start_ns = 0;
	interval(s, 0, 0, 0)->start_ns = 5 * MS;
	interval(s, 0, 0, 0)->end_ns = 6 * MS;
}

static void lower_runs_while_higher_spins(struct audit_sample *s)
{
	/* wide leaves the core for its section, and narrow spins instead. */
	spin(s, 0)->end_ns = 2 * MS;
	spin(s, 1)->start_ns = 2 * MS;
}

static void boosted_spin(struct audit_sample *s)
{
	spin(s, 0)->code = segment_interval_code(ROW_CPU, ROW_BOOST, ROW_SPAN_DONE);
}

static void set_is_smaller(struct audit_sample *s)
{
	s->figures[0].sms = 3;
}

static void set_is_damaged(struct audit_sample *s)
{
	s->figures[0].sm_set = "[1,0]";
}

static void set_beyond_platform(struct audit_sample *s)
{
	s->figures[1].sm_set = "[3]";
}

static void no_set(struct audit_sample *s)
{
	s->figures[1].sms = DB_NULL;
	s->figures[1].sm_set = NULL;
}

static void sets_overlap(struct audit_sample *s)
{
	s->figures[1].sm_set = "[1]";
}

static void virtual_sms_of_whole(struct audit_sample *s)
{
	s->figures[1].virtual_sms = 1;
}

static void set_under_rm(struct audit_sample *s)
{
	s->policy = "rm";
	s->params = "{\"unit\":\"section\"}";
}

static void other_grant(struct audit_sample *s)
{
	interval(s, 0, 0, 1)->granted = 1;
}

static void grant_of_none(struct audit_sample *s)
{
	interval(s, 1, 0, 0)->granted = 0;
}

static void grant_without_sms(struct audit_sample *s)
{
	interval(s, 0, 0, 2)->granted = 2;
}

static void block_off_set(struct audit_sample *s)
{
	block_of(s, 0, 1, 0)->sm = 2;
}

static void third_wave(struct audit_sample *s)
{
	/* One of the second wave's blocks waits for the other. */
	shift(MS, &block_of(s, 0, 1, 5)->start_ns, &block_of(s, 0, 1, 5)->end_ns);
	interval(s, 0, 0, 1)->end_ns += MS;
}

static void one_wave(struct audit_sample *s)
{
	s->platform.threads_per_sm = 4096;
}

static void work_is_longer(struct audit_sample *s)
{
	s->segment[3].worst_ns += MS;
	s->segment[3].best_ns += MS;
}

static void reserved_taken(struct audit_sample *s)
{
	move_kernel(s, 3, 0, -5 * MS);
}

static void held_taken(struct audit_sample *s)
{
	move_kernel(s, 1, 0, -1 * MS);
}

static void gate_out_of_order(struct audit_sample *s)
{
	move_kernel(s, 3, 0, -2 * MS);
	move_kernel(s, 1, 0, MS);
}

static void does_not_start(struct audit_sample *s)
{
	move_kernel(s, 3, 0, MS);
}

static void reserves_too_much(struct audit_sample *s)
{
	/* high waits for middle, though high's SMs are free. */
	move_kernel(s, 0, 0, 4 * MS);
}

static void reserves_from_a_higher_one(struct audit_sample *s)
{
	/* high waits for middle, which waits for low. */
	move_kernel(s, 0, 0, 2 * MS);
	move_kernel(s, 1, 0, MS);
}

static void nobody_is_asked(struct audit_sample *s)
{
	/* narrow waits until the next kernel ends. */
	move_kernel(s, 1, 0, MS);
}

static void second_section(struct audit_sample *s)
{
	move_kernel(s, 1, 1, -2 * MS);
}

static void rank_by_deadline(struct audit_sample *s)
{
	s->figures[0].rank = 1; /* fast has the shorter period, slow the shorter deadline */
	s->figures[1].rank = 0;
}

/* ---- rtgpu ---- */

static void too_many_slots(struct audit_sample *s)
{
	s->figures[0].virtual_sms = 5;
}

static void slots_sum_up(struct audit_sample *s)
{
	s->figures[0].virtual_sms = 4;
}

static void one_virtual_sm_each(struct audit_sample *s)
{
	s->run.virtual_sms_per_sm = 1;
	s->figures[0].virtual_sms = 2;
}

static void other_slots(struct audit_sample *s)
{
	interval(s, 0, 0, 0)->granted = 2;
}

static void slot_taken(struct audit_sample *s)
{
	block_of(s, 0, 0, 1)->sm = 1;
	block_of(s, 0, 0, 1)->slot = 2;
}

static void second_slot(struct audit_sample *s)
{
	shift(-MS, &block_of(s, 1, 0, 1)->start_ns, &block_of(s, 1, 0, 1)->end_ns);
	block_of(s, 1, 0, 1)->slot = 2;
}

static void slot_stays_free(struct audit_sample *s)
{
	shift(MS, &block_of(s, 1, 0, 2)->start_ns, &block_of(s, 1, 0, 2)->end_ns);
	interval(s, 1, 0, 0)->end_ns += MS;
}

static void work_on_one_more(struct audit_sample *s)
{
	s->segment[0].interleave = "{\"2\": [2, 1]}";
}

static void not_started(struct audit_sample *s)
{
	move_kernel(s, 1, 0, MS);
}

static const struct defect defects[] = {
	{"cpu-priority", sample_edf, rank_before_deadline,
		"task 'second', job 0, segment 0: at 0s it is ready (since 0s), but the core is idle"},
	{"gate", sample_edf, gate_by_rank, "while task 'second' was admitted"},
	{"gate", sample_edf, gate_by_kernel, "while task 'first' was admitted"},
	{"kernels-apart", sample_edf, gate_by_kernel,
		"while 1 kernels of others were running, with 1 at a time"},
	{"spinning", sample_boost, spins_only, "a job that waits is boosted", PROMISED},
	{"spinning", sample_boost, suspends_by_option, "a job leaves the core", PROMISED},
	{"spinning", sample_boost, spin_of_other_segment,
		"in no GPU section then that begins with this segment"},
	{"spinning", sample_boost, spin_ready_later, "ready at another instant than its section"},
	{"spinning", sample_apart, boosted_spin, "spins at its priority, and is not boosted", PROMISED},
	{"cpu-priority", sample_boost, boost_is_preempted,
		"of rank 1, boosted, but task 'high' of rank 0 has the core"},
	{"cpu-priority", sample_boost, boost_begins_late, "task 'low', job 0, segment 1: at 1ms it is ready"},
	{"cpu-priority", sample_boost, boost_goes_on, "but task 'low' of rank 1 has the core"},
	{"cpu-priority", sample_apart, lower_spins_first, "but task 'narrow' of rank 1 has the core"},
	{"cpu-priority", sample_apart, lower_runs_while_higher_spins,
		"task 'wide', job 0, segment 1: at 2ms"},
	{"ranks", sample_fallback, rank_by_deadline, "which should come first", PROMISED},
	{"gate", sample_fallback, second_section, "while task 'fast' was admitted"},
	{"sm-sets", sample_apart, set_is_smaller, "not as large as is said (3 SMs"},
	{"sm-sets", sample_apart, set_is_damaged, "no list of SMs"},
	{"sm-sets", sample_apart, set_beyond_platform, "no list of SMs of this platform"},
	{"sm-sets", sample_apart, no_set, "it has kernels, and no SMs of its own", PROMISED},
	{"sm-sets", sample_apart, sets_overlap, "SM 1 belongs to more tasks", PROMISED},
	{"sm-sets", sample_apart, virtual_sms_of_whole, "whole SMs are given", PROMISED},
	{"sm-sets", sample_sets, set_under_rm, "no task has SMs for all of the run", PROMISED},
	{"sm-sets", sample_slots, too_many_slots, "not to be had on its SMs"},
	{"sm-sets", sample_slots, slots_sum_up, "the tasks have 5 virtual SMs, and there are only 4",
		PROMISED},
	{"sm-sets", sample_slots, one_virtual_sm_each, "SM 1 belongs to more tasks", PROMISED},
	{"grants", sample_apart, other_grant, "it was given 1 SMs, but its task has 2"},
	{"grants", sample_apart, grant_of_none, "it was given 0 SMs"},
	{"grants", sample_section, grant_without_sms, "it was given 2 SMs, but its task has 0", PROMISED},
	{"grants", sample_slots, other_slots, "its task has 3, virtual ones"},
	{"own-sms", sample_apart, block_off_set, "on an SM that its task does not have"},
	{"own-sms", sample_slots, slot_taken, "a virtual SM of another task: 2 were in use on this SM, of 2",
		PROMISED},
	{"own-sms", sample_slots, second_slot, "it has only 1 virtual SMs"},
	{"lengths", sample_apart, third_wave, "ran for 3ms on its own SMs, expected 2ms: 2 times 1ms",
		PROMISED},
	{"lengths", sample_apart, one_wave, "expected 1ms: 1 times 1ms", PROMISED},
	{"lengths", sample_apart, work_is_longer, "expected 6ms"},
	{"lengths", sample_slots, work_on_one_more, "task 'wide', job 0, segment 0"},
	{"gate", sample_sets, reserved_taken, "reserved for task 'middle', which waits since 1ms"},
	{"gate", sample_sets, held_taken, "the kernel of task 'high' held SMs of its set"},
	{"gate", sample_sets, gate_out_of_order, "the kernel of task 'middle' held SMs of its set"},
	{"gate", sample_sets, does_not_start, "task 'lowest', job 0, segment 0: at 6ms it waits, since 1ms"},
	{"gate", sample_sets, reserves_too_much, "task 'high', job 0, segment 0: at 2ms it waits, since 2ms"},
	{"gate", sample_lower_first, reserves_from_a_higher_one,
		"task 'high', job 0, segment 0: at 2ms it waits, since 2ms, and its SMs are idle "
		"and wanted by no"},
	{"gate", sample_leaves, nobody_is_asked,
		"task 'narrow', job 0, segment 0: at 3ms it waits, since 2ms, and its SMs are idle"},
	{"kernels-apart", sample_sets, held_taken, "on SMs on which the kernel of task 'high' was running"},
	{"own-work", sample_sets, does_not_start, "at 6ms it has been admitted, its SMs are free", PROMISED},
	{"own-work", sample_sets, reserves_too_much, "task 'high', job 0, segment 0: at 2ms", PROMISED},
	{"own-work", sample_apart, third_wave, "at 2ms 1 of its 6 blocks wait"},
	{"own-work", sample_slots, slot_stays_free, "at 3ms 1 of its 3 blocks wait"},
	{"own-work", sample_slots, not_started, "task 'narrow', job 0, segment 0: at 1ms", PROMISED},
};

TEST("every defect is found")
{
	assert_defects_found(defects, sizeof(defects) / sizeof(defects[0]));
}

/* With the utilisation test, a set without kernels may or may not have gone over to rm. */
TEST("schedules of whom nobody knows are asked less")
{
	struct audit_sample s = sample_copies();
	struct audit_report report;
	s.policy = "stgm";
	s.params = "{\"test\":\"utilization\",\"wait\":\"busy\"}";
	sample_audit(&s, &report);
	assert_int_equal(report.findings, 0);
	assert_int_equal(report_law(&report, "cpu-priority")->runs_elsewhere, 1);
	audit_report_finish(&report);
}

static void predicts_otherwise(struct audit_sample *s)
{
	s->decision[0].predicted_uwns++;
}

/* It is not known what earlier versions of policies did before today's promises. */
TEST("earlier versions are asked less")
{
	static const struct {
		make_fn *make;
		void (*spoil)(struct audit_sample *s);
		const char *law;
		int64_t since;
	} cases[] = {{sample_sets, reserves_too_much, "gate", 2},
		{sample_chosen, predicts_otherwise, "predictions", 3}};
	for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
		bool earlier = i % 2;
		struct audit_sample s = cases[i / 2].make();
		struct audit_report report;
		cases[i / 2].spoil(&s);
		s.policy_version = cases[i / 2].since - earlier;
		sample_audit(&s, &report);
		const struct audit_result *law = report_law(&report, cases[i / 2].law);
		assert_int_equal(law->runs_elsewhere, earlier);
		assert_int_equal(law->findings > 0, !earlier);
		audit_report_finish(&report);
	}
	/* Sets that do not overlap are given out as always. */
	struct audit_sample s = sample_apart();
	struct audit_report report;
	s.policy_version = 1;
	sample_audit(&s, &report);
	assert_int_equal(report_law(&report, "gate")->runs, 1);
	audit_report_finish(&report);
}

/* If an SM has room for one block, six blocks on two SMs take three waves, and two persistent blocks on one
 * SM take two. */
TEST("persistent blocks take waves too")
{
	struct audit_sample s = sample_apart();
	struct audit_report report;
	s.platform.blocks_per_sm = 1;
	s.run.virtual_sms_per_sm = 2;
	s.segment[3].interleave = "{\"2\": [2, 1]}";
	sample_audit(&s, &report);
	const struct audit_result *lengths = report_law(&report, "lengths");
	assert_int_equal(lengths->findings, 2); /* the other finding is about wide */
	assert_non_null(strstr(lengths->first, "task 'narrow'"));
	assert_non_null(strstr(lengths->first, "expected 10ms: 2 times 5ms"));
	audit_report_finish(&report);
}

static bool mine(const struct audit_result *law)
{
	return audit_is_of_policies(law->law) && strcmp(law->law, "decisions") != 0 &&
	       strcmp(law->law, "decision-time") != 0 && strcmp(law->law, "predictions") != 0;
}

TEST("every law is tested")
{
	assert_laws_tested(mine, defects, sizeof(defects) / sizeof(defects[0]));
}
