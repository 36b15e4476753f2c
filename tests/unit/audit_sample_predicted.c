/* tests/unit/audit_sample_predicted.c - hand-made recordings with decisions of sbeet; each number in them is
 * calculated by hand. Times are milliseconds, energies W*ms: dynamic power 0.5 W on each SM, static 1 W, 0.2
 * W for an idle SM. Kernels are `work` of w on one SM and w / m (rounded up to 1 ns) on m: m_opt is all
 * SMs. */
#include "tests/unit/audit_making.h"

#define W_MS INT64_C(1000000000000) /* in uW*ns */
#define STATIC_UW 1000000

static struct audit_sample begin(int64_t sms, int64_t horizon)
{
	struct audit_sample s = sample_begin("sbeet",
		"{\"queue\":\"deadline\",\"energy\":\"own\",\"infeasible\":\"energy\",\"workers\":2,"
		"\"offline\":false}",
		horizon);
	s.platform.sms = sms;
	return s;
}

static void add_work(struct audit_sample *s, int64_t work)
{
	struct segment_row *row = add_segment(s, "kernel", work);
	row->form = "work";
	row->overhead_ns = 0;
	row->dynamic_uw = 500000;
}

/* A kernel of job `seq` on SMs [sm, sm + sms), with its blocks. */
static void add_kernel(struct audit_sample *s, uint32_t task, uint32_t seq, uint16_t segment, uint32_t sm,
	uint32_t sms, int64_t ready, int64_t start, int64_t end)
{
	add_interval(s, task, seq, segment, ROW_GPU, ready, start, end)->granted = sms;
	for (uint32_t b = 0; b < sms; b++)
		add_block(s, task, seq, segment, b, sm + b, 0, 2048, start, end);
}

/* sBEET, Example 2 (its Table II). At 0 J1 must leave SMs for J2 and J3, which arrive at 1 and 2. If J1 takes
 * 8 or 7 SMs, J2 can only run after it, too late; with 6, 5 or 4 all are in time; with fewer J1 itself is
 * late. At 1, J2 takes the 2 SMs that are left, [2,6); J3 would run after J1, in [9,10). At 6, J3 takes J2's
 * place. */
struct audit_sample sample_example2(void)
{
	static const struct {
		uint32_t sms;
		int64_t end_ns, uwns; /* lengths of thirds and sevenths are rounded up */
		bool feasible;
	} weighed[] = {
		{8, 7000000, 31000000000000, false},
		{7, 7857143, 34985715000000, false},
		{6, 9000000, 40400000000000, true},
		{5, 10600000, 45160000600000, true},
		{4, 13000000, 51400000000000, true},
		{3, 17000000, 61800000000000, false},
		{2, 25000000, 82600002400000, false},
		{1, 49000000, 145000003600000, false},
	};
	static const int64_t work[] = {48, 8, 8}, deadline[] = {14, 7, 10}, end[] = {9, 6, 10},
			     rank[] = {2, 0, 1};
	struct audit_sample s = begin(8, 14);
	for (uint32_t i = 0; i < 3; i++) {
		add_task(&s, i ? i > 1 ? "tau3" : "tau2" : "tau1", 100, deadline[i], i);
		s.figures[i].rank = rank[i];
		add_copy(&s, "to_gpu", 1);
		add_work(&s, work[i]);
		add_copy(&s, "to_cpu", 1);
		add_job(&s, i, 0, i, i, end[i] + 1);
		add_interval(&s, i, 0, 0, ROW_COPY, i, i, i + 1);
		add_interval(&s, i, 0, 2, ROW_COPY, end[i], end[i], end[i] + 1);
	}
	add_kernel(&s, 0, 0, 1, 0, 6, 1, 1, 9);
	add_kernel(&s, 1, 0, 1, 6, 2, 2, 2, 6);
	add_kernel(&s, 2, 0, 1, 6, 2, 3, 6, 10);
	for (size_t i = 0; i < sizeof(weighed) / sizeof(weighed[0]); i++)
		add_decision(&s, 0, 0, weighed[i].sms, weighed[i].end_ns, weighed[i].uwns,
			weighed[i].feasible, weighed[i].sms == 6);
	add_decision(&s, 1, 1, 2, 6 * MS, 244 * W_MS / 10, true, true);  /* 5 + 15 + 4 + 0.4 */
	add_decision(&s, 6, 2, 2, 10 * MS, 182 * W_MS / 10, true, true); /* 4 + 9 + 4 + 1.2 */
	add_power(&s, 1, STATIC_UW, 0);
	add_power(&s, 2, 4400000, 6);
	add_power(&s, 9, 5000000, 8);
	add_power(&s, 10, 3200000, 2);
	add_power(&s, 14, STATIC_UW, 0);
	return sample_end(&s, 11);
}

/* a and b are ready at 0, c is expected at 1.
 *
 * a on four SMs, [0,3): b would end at 5, on three SMs beside a at 8, both too late (4). On two, [0,6): b
 * runs beside a in [0,4), c in [4,12): all in time. On one, a itself is late, at 12; b would end at 8/3 and c
 * at 8.000001.
 *
 * b, at once: on the two SMs that are left, [0,4), c after a. c, ready at 1, waits for a worker. At 4, c
 * would end at 12 on two SMs; on four, after a's end, by 10: it waits, without a row (line 18). At 6 all SMs
 * are free. */
struct audit_sample sample_weighed(void)
{
	struct audit_sample s = begin(4, 20);
	add_task(&s, "a", 40, 9, 0);
	add_work(&s, 12);
	add_task(&s, "b", 40, 4, 0);
	add_work(&s, 8);
	add_task(&s, "c", 40, 19, 1);
	add_work(&s, 16);
	/* By deadline, b would be first. */
	s.params = "{\"queue\":\"priority\",\"energy\":\"own\",\"infeasible\":\"energy\",\"workers\":2,"
		   "\"offline\":false}";
	s.set.explicit_priorities = 1;
	for (uint32_t i = 0; i < 3; i++)
		s.figures[i].rank = s.task[i].priority = i;

	add_job(&s, 0, 0, 0, 0, 6);
	add_kernel(&s, 0, 0, 0, 0, 2, 0, 0, 6);
	add_job(&s, 1, 0, 0, 0, 4);
	add_kernel(&s, 1, 0, 0, 2, 2, 0, 0, 4);
	add_job(&s, 2, 0, 1, 6, 10);
	add_kernel(&s, 2, 0, 0, 0, 4, 1, 6, 10);
	add_decision(&s, 0, 0, 4, 3 * MS, 9 * W_MS, false, false);
	add_decision(&s, 0, 0, 3, 4 * MS, 12 * W_MS, false, false);
	add_decision(&s, 0, 0, 2, 6 * MS, 18 * W_MS, true, true);
	add_decision(&s, 0, 0, 1, 12 * MS, 32400000900000, false, false);
	add_decision(&s, 0, 1, 2, 4 * MS, 12 * W_MS, true, true);
	add_decision(&s, 6, 2, 4, 10 * MS, 12 * W_MS, true, true);
	add_decision(&s, 6, 2, 3, 11333334, 14400001800000, true, false);
	add_decision(&s, 6, 2, 2, 14 * MS, 192 * W_MS / 10, true, false);
	add_decision(&s, 6, 2, 1, 22 * MS, 336 * W_MS / 10, false, false);
	add_power(&s, 4, 3000000, 4);
	add_power(&s, 6, 2400000, 2);
	add_power(&s, 10, 3000000, 4);
	add_power(&s, 20, STATIC_UW, 0);
	return sample_end(&s, 10);
}

/* Both tasks have period 10 and are released at 0 and at 12. b's section follows 1 on the core. For the job
 * released at 0 it is expected at 1, for the next job at 11. At 12 (nothing was released at 10) it is
 * expected at 13 and 23, not at 21.
 *
 * a on four SMs, [0,3): b after it, [3,4). On three, until 4: b beside it on one from 1 on. On two, until 6:
 * b in [1,3). On one, until 12, too late: b in [1, 7/3) and again from 11 on. Then b, alone, at 3: [3,4). */
struct audit_sample sample_expected(void)
{
	struct audit_sample s = begin(4, 20);
	s.run.release_kind = "trace";
	s.trace_ns[0] = 0;
	s.trace_ns[1] = 12 * MS;
	s.traced = 2;
	add_task(&s, "a", 10, 10, 0);
	add_work(&s, 12);
	add_task(&s, "b", 10, 10, 0);
	add_segment(&s, "cpu", 1);
	add_work(&s, 4);
	for (uint32_t seq = 0; seq < 2; seq++) {
		int64_t at = 12 * seq;
		add_job(&s, 0, seq, at, at, at + 3);
		add_kernel(&s, 0, seq, 0, 0, 4, at, at, at + 3);
		add_job(&s, 1, seq, at, at, at + 4);
		add_interval(&s, 1, seq, 0, ROW_CPU, at, at, at + 1);
		add_kernel(&s, 1, seq, 1, 0, 4, at + 1, at + 3, at + 4);
		add_decision(&s, at, 0, 4, (at + 3) * MS, 9 * W_MS, true, true)->seq = seq;
		add_decision(&s, at, 0, 3, (at + 4) * MS, 117 * W_MS / 10, true, false)->seq = seq;
		add_decision(&s, at, 0, 2, (at + 6) * MS, 156 * W_MS / 10, true, false)->seq = seq;
		add_decision(&s, at, 0, 1, (at + 12) * MS, 27300000600000, false, false)->seq = seq;
		at += 3;
		add_decision(&s, at, 1, 4, (at + 1) * MS, 3 * W_MS, true, true)->seq = seq;
		add_decision(&s, at, 1, 3, at * MS + 1333334, 3600001800000, true, false)->seq = seq;
		add_decision(&s, at, 1, 2, (at + 2) * MS, 48 * W_MS / 10, true, false)->seq = seq;
		add_decision(&s, at, 1, 1, (at + 4) * MS, 84 * W_MS / 10, true, false)->seq = seq;
	}
	add_power(&s, 4, 3000000, 4);
	add_power(&s, 12, STATIC_UW, 0);
	add_power(&s, 16, 3000000, 4);
	add_power(&s, 20, STATIC_UW, 0);
	return sample_end(&s, 16);
}

/* a's kernel takes 10 on two SMs or more. b and c cannot be in time beside it, on any number of SMs. They are
 * considered, and wait until they are dropped, c at 4, b at 7. When c leaves the gate, b is considered
 * again. */
struct audit_sample sample_given_up(void)
{
	struct audit_sample s = begin(4, 12);
	s.run.on_miss = "drop";
	for (int64_t m = 1; m <= 4; m++)
		s.profile[s.set.profile_count++] =
			(struct profile_row){0, "a", m, (m > 1 ? 10 : 20) * MS, (m > 1 ? 10 : 20) * MS, N};
	add_task(&s, "a", 40, 20, 0);
	add_profiled(&s, 0)->dynamic_uw = 500000;
	add_task(&s, "b", 40, 6, 1);
	add_work(&s, 16);
	add_task(&s, "c", 40, 2, 2);
	add_work(&s, 4);
	s.figures[0].rank = 2;
	s.figures[1].rank = 1;
	s.figures[2].rank = 0;
	add_job(&s, 0, 0, 0, 0, 10);
	add_kernel(&s, 0, 0, 0, 0, 2, 0, 0, 10);
	add_job(&s, 1, 0, 1, -1, 7)->outcome = job_outcome(ROW_JOB_DROPPED, true);
	add_job(&s, 2, 0, 2, -1, 4)->outcome = job_outcome(ROW_JOB_DROPPED, true);
	add_decision(&s, 0, 0, 2, 10 * MS, 294 * W_MS / 10, false, true); /* 10 + 10 + 8 + 1 + 0.4 */
	add_decision(&s, 0, 0, 1, 20 * MS, 48000001200000, false, false);
	add_decision(&s, 1, 1, 2, 9 * MS, 24 * W_MS, false, false);
	add_decision(&s, 2, 2, 2, 4 * MS, 6 * W_MS, false, false);
	add_decision(&s, 2, 1, 2, 10 * MS, 24 * W_MS, false, false);
	add_decision(&s, 4, 1, 2, 12 * MS, 228 * W_MS / 10, false, false); /* 8 + 6 + 8 + 0.8 */
	add_power(&s, 10, 2400000, 2);
	add_power(&s, 12, STATIC_UW, 0);
	return sample_end(&s, 10);
}
