/* tests/unit/test_audit_decisions.c - the laws on SMs that are chosen at run time: on the decisions, and on
 * what followed from them. Each law accepts a correct recording, and finds something when one row of it is
 * wrong. */
#include <string.h>

#include "tests/support/test.h"
#include "tests/unit/audit_defects.h"

static void nothing_decided(struct audit_sample *s)
{
	s->decision[3] = s->decision[--s->decisions];
}

static void decided_late(struct audit_sample *s)
{
	s->decision[2].time_ns += 1;
}

static void decided_before_ready(struct audit_sample *s)
{
	s->decision[2].time_ns -= 1;
}

static void started_before_decided(struct audit_sample *s)
{
	move_kernel(s, 2, 0, -MS);
}

static void third_worker(struct audit_sample *s)
{
	s->decision[3].time_ns = 3 * MS;
}

static void three_kernels(struct audit_sample *s)
{
	move_kernel(s, 2, 0, -2 * MS);
}

static void more_energy_chosen(struct audit_sample *s)
{
	s->decision[0].predicted_uwns = s->decision[1].predicted_uwns + 1;
}

static void infeasible_chosen(struct audit_sample *s)
{
	s->decision[0].feasible = 0;
}

static void tie_to_the_smaller(struct audit_sample *s)
{
	s->decision[0].predicted_uwns = s->decision[1].predicted_uwns;
	s->decision[0].chosen = 0;
	s->decision[1].chosen = 1;
}

static void least_of_the_infeasible(struct audit_sample *s)
{
	s->decision[0].feasible = s->decision[1].feasible = 0;
	s->decision[1].predicted_uwns = s->decision[0].predicted_uwns - 1;
}

static void fastest_of_the_infeasible(struct audit_sample *s)
{
	s->params = "{\"energy\":\"own\",\"infeasible\":\"fastest\",\"workers\":2,\"offline\":false}";
	s->decision[0].feasible = s->decision[1].feasible = 0;
	s->decision[0].kernel_end_ns = s->decision[1].kernel_end_ns + 1;
}

static void two_chosen(struct audit_sample *s)
{
	s->decision[1].chosen = 1;
}

static void infeasible_beside(struct audit_sample *s)
{
	s->decision[2].feasible = 0;
}

static void more_than_best(struct audit_sample *s)
{
	s->decision[0].sms = 3;
}

static void not_all_weighed(struct audit_sample *s)
{
	s->decision[1] = s->decision[--s->decisions];
	struct decision_row last = s->decision[1];
	s->decision[1] = s->decision[2];
	s->decision[2] = last;
}

static void more_than_free(struct audit_sample *s)
{
	s->decision[2].sms = 3;
}

static void order_of_queue(struct audit_sample *s)
{
	/* With three workers, c, ready with b, would be placed after b: c's deadline is later. */
	s->params = "{\"queue\":\"deadline\",\"energy\":\"own\",\"infeasible\":\"energy\",\"workers\":3,"
		    "\"offline\":false}";
	s->task[2].offset_ns = job(s, 2, 0)->release_ns = interval(s, 2, 0, 0)->ready_ns = 2 * MS;
	s->decision[3].time_ns = 2 * MS;
	s->decision[3].sms = 2;
	struct decision_row c = s->decision[3];
	c.feasible = c.chosen = 0;
	s->decision[3] = s->decision[2];
	s->decision[2] = c;
}

/* The same in the right order, which is wrong if the invocation ends when a unit starts. */
static void behind_a_start(struct audit_sample *s)
{
	order_of_queue(s);
	s->params = "{\"queue\":\"deadline\",\"energy\":\"own\",\"infeasible\":\"energy\",\"workers\":3,"
		    "\"after_start\":\"stop\",\"offline\":false}";
	struct decision_row c = s->decision[2];
	s->decision[2] = s->decision[3];
	s->decision[3] = c;
}

static void passed_over(struct audit_sample *s)
{
	/* c arrived with a, and goes before it. */
	s->task[2].deadline_ns = 19 * MS;
	s->task[2].offset_ns = 0;
	job(s, 2, 0)->release_ns = interval(s, 2, 0, 0)->ready_ns = 0;
	job(s, 2, 0)->abs_deadline_ns = 19 * MS;
}

static void idle_and_waiting(struct audit_sample *s)
{
	/* c is ready at 12, when everything is over, but is decided on only at 13. */
	s->run.horizon_ns = 30 * MS;
	s->run.stop_ns = job(s, 2, 0)->finish_ns = 16 * MS;
	job(s, 2, 0)->release_ns = interval(s, 2, 0, 0)->ready_ns = s->task[2].offset_ns = 12 * MS;
	move_kernel(s, 2, 0, 8 * MS);
	s->decision[3].time_ns = 13 * MS;
}

static void other_than_chosen(struct audit_sample *s)
{
	interval(s, 1, 0, 0)->granted = 1;
}

static void grant_changes(struct audit_sample *s)
{
	interval(s, 0, 0, 3)->granted = 1;
}

static void off_chosen(struct audit_sample *s)
{
	block_of(s, 0, 3, 0)->sm = 2;
	block_of(s, 0, 3, 0)->start_ns += 2 * MS;
}

static void on_anothers(struct audit_sample *s)
{
	block_of(s, 2, 0, 0)->sm = 1;
}

static void waits_for_nothing(struct audit_sample *s)
{
	move_kernel(s, 0, 3, MS);
}

static void longer_on_chosen(struct audit_sample *s)
{
	interval(s, 1, 0, 0)->end_ns += MS;
}

/* ---- decisions that take time ---- */

static void asked_before(struct audit_sample *s)
{
	s->decision[0].asked_ns -= 1;
}

static void asked_after(struct audit_sample *s)
{
	s->decision[2].asked_ns += 1;
}

/* That for c, which chose nothing. */
static struct segment_interval_row *making(struct audit_sample *s)
{
	size_t i = 0;
	while (s->interval[i].start_ns != 3 * MS || (s->interval[i].code & 3) != ROW_CPU)
		i++;
	return &s->interval[i];
}

static void made_by_nobody(struct audit_sample *s)
{
	*making(s) = s->interval[--s->intervals];
}

static void made_in_no_time(struct audit_sample *s)
{
	making(s)->end_ns -= MS / 2;
}

static void made_for_another(struct audit_sample *s)
{
	making(s)->task = 1;
}

static void made_by_a_server(struct audit_sample *s)
{
	s->params = "{\"queue\":\"deadline\",\"energy\":\"own\",\"infeasible\":\"energy\",\"workers\":2,"
		    "\"offline\":false,\"decision_base\":\"1ms\",\"decision_on\":\"server\"}";
}

static void taken_too_soon(struct audit_sample *s)
{
	s->params = "{\"queue\":\"deadline\",\"energy\":\"own\",\"infeasible\":\"energy\",\"workers\":2,"
		    "\"offline\":false,\"decision_base\":\"1ms\",\"decision_per_job\":\"1ns\"}";
}

static void taken_early(struct audit_sample *s)
{
	s->decision[3].time_ns -= 1;
}

static void no_cost(struct audit_sample *s)
{
	s->params = "{\"queue\":\"deadline\",\"energy\":\"own\",\"infeasible\":\"energy\",\"workers\":2,"
		    "\"offline\":false}";
}

static const struct defect defects[] = {
	{"decision-time", sample_chosen, asked_before, "said to have been asked for before", PROMISED},
	{"decision-time", sample_decided, asked_after, "it was asked for at another instant", PROMISED},
	{"decision-time", sample_decided, made_by_nobody, "the core does not make the decision", PROMISED},
	{"decision-time", sample_decided, made_in_no_time, "it does not last as long as the decision",
		PROMISED},
	{"decision-time", sample_decided, made_for_another, "another job was the first", PROMISED},
	{"decision-time", sample_decided, made_by_a_server, "decisions of this policy take no core",
		PROMISED},
	{"decision-time", sample_decided, taken_too_soon, "it does not last as long as the decision",
		PROMISED},
	{"decision-time", sample_decided, taken_early, "no decision was over then", PROMISED},
	{"decision-time", sample_decided, no_cost, "decisions of this policy take no core", PROMISED},
	{"grants", sample_chosen, other_than_chosen, "it was given 1 SMs, but its section has 2", PROMISED},
	{"grants", sample_offline, grant_changes, "it was given 1 SMs, but its section has 2", PROMISED},
	{"own-sms", sample_chosen, off_chosen, "on none of the 2 SMs that its section has", PROMISED},
	{"own-sms", sample_chosen, on_anothers, "on an SM that task 'a' has for itself", PROMISED},
	{"own-sms", sample_offline, off_chosen, "on none of the 2 SMs that its section has", PROMISED},
	{"own-sms", sample_offline, on_anothers, "on an SM that task 'a' has for itself", PROMISED},
	{"lengths", sample_chosen, longer_on_chosen, "ran for 4ms on its own SMs, expected 3ms", PROMISED},
	{"gate", sample_chosen, nothing_decided, "without a decision that gave its section SMs"},
	{"gate", sample_chosen, decided_late, "without a decision"},
	{"gate", sample_chosen, started_before_decided, "without a decision"},
	{"kernels-apart", sample_offline, three_kernels, "while 2 kernels of others were running, with 2"},
	{"own-work", sample_chosen, waits_for_nothing, "task 'a', job 0, segment 3: at 6ms", PROMISED},
	{"decisions", sample_chosen, decided_before_ready, "no section of this job with kernels waits"},
	{"decisions", sample_chosen, third_worker, "as many units as there are workers"},
	{"decisions", sample_chosen, more_energy_chosen, "another number of SMs goes before"},
	{"decisions", sample_chosen, infeasible_chosen, "is not feasible, and another is"},
	{"decisions", sample_chosen, tie_to_the_smaller, "another number of SMs goes before"},
	{"decisions", sample_chosen, least_of_the_infeasible, "another number of SMs goes before"},
	{"decisions", sample_chosen, fastest_of_the_infeasible, "another number of SMs goes before"},
	{"decisions", sample_chosen, two_chosen, "more than one number of SMs"},
	{"decisions", sample_chosen, infeasible_beside, "if that is feasible"},
	{"decisions", sample_chosen, more_than_best, "not m_opt"},
	{"decisions", sample_chosen, not_all_weighed, "all numbers down to 1"},
	{"decisions", sample_chosen, more_than_free, "more SMs than are free"},
	{"decisions", sample_chosen, order_of_queue,
		"one that goes before it has not been looked at: task b"},
	{"decisions", sample_chosen, behind_a_start, "another section has been admitted at this instant"},
	{"decisions", sample_chosen, passed_over, "one that goes before it has not been looked at: task c"},
	{"decisions", sample_chosen, idle_and_waiting,
		"at 12ms its section waits (since 12ms) for SMs, and all are free"},
};

TEST("every defect is found")
{
	assert_defects_found(defects, sizeof(defects) / sizeof(defects[0]));
}

TEST("tied energies at their cut are no finding")
{
	struct audit_sample s = sample_chosen();
	s.decision[0].predicted_uwns = s.decision[1].predicted_uwns = INT64_MAX;
	s.decision[0].chosen = 0;
	s.decision[1].chosen = 1;
	struct audit_report report;
	sample_audit(&s, &report);
	assert_int_equal(report_law(&report, "decisions")->findings, 0);
	audit_report_finish(&report);
}

static bool mine(const struct audit_result *law)
{
	return strcmp(law->law, "decisions") == 0 || strcmp(law->law, "decision-time") == 0;
}

TEST("every law is tested")
{
	assert_laws_tested(mine, defects, sizeof(defects) / sizeof(defects[0]));
}
