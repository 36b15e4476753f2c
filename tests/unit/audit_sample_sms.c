/* tests/unit/audit_sample_sms.c - hand-made recordings of the policies that give tasks SMs of their own, that
 * boost, or that order by deadline. Times are milliseconds. */
#include "tests/unit/audit_making.h"

#define STATIC_UW 1000000
#define IDLE_UW 200000
#define TENTH INT64_C(100000000000) /* of a mJ, in uW*ns */

/* first's kernel [0,5), then second's [5,7), ready at 3, then third's [7,9), ready at 4: their deadlines are
 * 12 and 13, though third has the higher rank. third waits for the core from 2 to 3 for the same reason. */
struct audit_sample sample_edf(void)
{
	struct audit_sample s = sample_begin("edf", "{\"unit\":\"section\"}", 20);
	add_task(&s, "third", 40, 11, 2);
	add_segment(&s, "cpu", 1);
	add_grid(&s, 2, 1024, 2, 500000);
	add_task(&s, "second", 40, 12, 0);
	add_segment(&s, "cpu", 3);
	add_grid(&s, 2, 1024, 2, 500000);
	add_segment(&s, "cpu", 1);
	add_task(&s, "first", 40, 30, 0);
	add_grid(&s, 2, 1024, 5, 500000);

	add_job(&s, 0, 0, 2, 3, 9);
	add_interval(&s, 0, 0, 0, ROW_CPU, 2, 3, 4);
	add_interval(&s, 0, 0, 1, ROW_GPU, 4, 7, 9);
	add_job(&s, 1, 0, 0, 0, 8);
	add_interval(&s, 1, 0, 0, ROW_CPU, 0, 0, 3);
	add_interval(&s, 1, 0, 1, ROW_GPU, 3, 5, 7);
	add_interval(&s, 1, 0, 2, ROW_CPU, 7, 7, 8);
	add_job(&s, 2, 0, 0, 0, 5);
	add_interval(&s, 2, 0, 0, ROW_GPU, 0, 0, 5);
	for (uint32_t sm = 0; sm < 2; sm++) {
		add_block(&s, 0, 0, 1, sm, sm, 0, 1024, 7, 9);
		add_block(&s, 1, 0, 1, sm, sm, 0, 1024, 5, 7);
		add_block(&s, 2, 0, 0, sm, sm, 0, 1024, 0, 5);
	}
	add_power(&s, 9, 2000000, 2);
	add_power(&s, 20, STATIC_UW, 0);
	return sample_end(&s, 9);
}

static void add_spin(struct audit_sample *s, uint32_t task, uint16_t segment, enum row_kind kind,
	int64_t ready, int64_t start, int64_t end)
{
	add_interval(s, task, 0, segment, ROW_CPU, ready, start, end)->code =
		segment_interval_code(ROW_CPU, kind, ROW_SPAN_DONE);
}

/* low is boosted during its kernel [1,4): high is ready at 2, but gets the core at 4, [4,6). */
struct audit_sample sample_boost(void)
{
	struct audit_sample s = sample_begin("mpcp", "{\"wait\":\"busy\"}", 10);
	add_task(&s, "high", 20, 10, 2);
	add_segment(&s, "cpu", 2);
	add_task(&s, "low", 20, 20, 0);
	add_segment(&s, "cpu", 1);
	add_grid(&s, 2, 1024, 3, 500000);
	add_segment(&s, "cpu", 1);
	add_job(&s, 0, 0, 2, 4, 6);
	add_interval(&s, 0, 0, 0, ROW_CPU, 2, 4, 6);
	add_job(&s, 1, 0, 0, 0, 7);
	add_interval(&s, 1, 0, 0, ROW_CPU, 0, 0, 1);
	add_interval(&s, 1, 0, 1, ROW_GPU, 1, 1, 4);
	add_spin(&s, 1, 1, ROW_BOOST, 1, 1, 4);
	add_interval(&s, 1, 0, 2, ROW_CPU, 4, 6, 7);
	for (uint32_t sm = 0; sm < 2; sm++)
		add_block(&s, 1, 0, 1, sm, sm, 0, 1024, 1, 4);
	add_power(&s, 1, STATIC_UW, 0);
	add_power(&s, 4, 2000000, 2);
	add_power(&s, 10, STATIC_UW, 0);
	return sample_end(&s, 7);
}

/* wide has SMs 0 and 1, on which its 6 blocks take two waves of 1 ms; narrow has SM 2. Both spin. narrow gets
 * the core only when wide has left it, at 4, and spins until its kernel ends. */
struct audit_sample sample_apart(void)
{
	struct audit_sample s =
		sample_begin("stgm", "{\"exclusive\":true,\"test\":\"response\",\"wait\":\"busy\"}", 10);
	s.platform.sms = 3;
	add_task(&s, "wide", 20, 10, 0);
	give_sms(&s, 2, N, "[0,1]");
	add_segment(&s, "cpu", 1);
	add_grid(&s, 6, 1024, 1, 500000);
	add_segment(&s, "cpu", 1);
	add_task(&s, "narrow", 20, 20, 0);
	give_sms(&s, 1, N, "[2]");
	struct segment_row *work = add_segment(&s, "kernel", 5);
	work->form = "work";
	work->overhead_ns = 0;
	work->dynamic_uw = 300000;
	add_segment(&s, "cpu", 1);

	add_job(&s, 0, 0, 0, 0, 4);
	add_interval(&s, 0, 0, 0, ROW_CPU, 0, 0, 1);
	add_interval(&s, 0, 0, 1, ROW_GPU, 1, 1, 3)->granted = 2;
	add_spin(&s, 0, 1, ROW_SPIN, 1, 1, 3);
	add_interval(&s, 0, 0, 2, ROW_CPU, 3, 3, 4);
	add_job(&s, 1, 0, 0, 0, 6);
	add_interval(&s, 1, 0, 0, ROW_GPU, 0, 0, 5)->granted = 1;
	add_spin(&s, 1, 0, ROW_SPIN, 0, 4, 5);
	add_interval(&s, 1, 0, 1, ROW_CPU, 5, 5, 6);
	for (uint32_t b = 0; b < 4; b++)
		add_block(&s, 0, 0, 1, b, b % 2, b / 2, 1024, 1, 2);
	for (uint32_t b = 4; b < 6; b++)
		add_block(&s, 0, 0, 1, b, b % 2, 0, 1024, 2, 3);
	add_block(&s, 1, 0, 0, 0, 2, 0, 2048, 0, 5);
	add_power(&s, 1, STATIC_UW + 300000 + 2 * IDLE_UW, 1);
	add_power(&s, 3, STATIC_UW + 2 * 500000 + 300000, 3);
	add_power(&s, 5, STATIC_UW + 300000 + 2 * IDLE_UW, 1);
	add_power(&s, 10, STATIC_UW, 0);
	return sample_end(&s, 6);
}

static struct audit_sample begin_sets(uint32_t sms)
{
	struct audit_sample s =
		sample_begin("stgm", "{\"exclusive\":false,\"test\":\"response\",\"wait\":\"suspend\"}", 10);
	s.platform.sms = sms;
	return s;
}

/* Adds a task of one kernel, with two blocks on each of `sms` SMs from `first` on; start < 0: it never
 * starts. */
static void add_sharing(struct audit_sample *s, const char *name, uint32_t first, uint32_t sms,
	int64_t release, int64_t length, int64_t start)
{
	static const char *const sets[3][2] = {{"[0]", "[0,1]"}, {"[1]", "[1,2]"}, {"[2]", NULL}};
	uint32_t task = (uint32_t)s->set.task_count;
	int64_t end = start + length;
	add_task(s, name, 40, 10 + task, release);
	give_sms(s, sms, N, sets[first][sms - 1]);
	add_grid(s, 2 * (int64_t)sms, 1024, length, 0);
	if (start < 0)
		return;
	add_job(s, task, 0, release, start, end);
	add_interval(s, task, 0, 0, ROW_GPU, release, start, end)->granted = sms;
	for (uint32_t b = 0; b < 2 * sms; b++)
		add_block(s, task, 0, 0, b, first + b % sms, b / sms, 1024, start, end);
}

/* low has SM 2 [0,4). middle, ready at 1, needs SMs 1 and 2, and reserves SM 1 against lowest, ready at 1,
 * too. high, ready at 2, still gets SMs 0 and 1, for [2,4). Then middle [4,6), then lowest [6,7). */
struct audit_sample sample_sets(void)
{
	struct audit_sample s = begin_sets(3);
	add_sharing(&s, "high", 0, 2, 2, 2, 2);
	add_sharing(&s, "middle", 1, 2, 1, 2, 4);
	add_sharing(&s, "low", 2, 1, 0, 4, 0);
	add_sharing(&s, "lowest", 1, 1, 1, 1, 6);
	add_power(&s, 2, STATIC_UW + 2 * IDLE_UW, 1);
	add_power(&s, 4, STATIC_UW, 3);
	add_power(&s, 6, STATIC_UW + IDLE_UW, 2);
	add_power(&s, 7, STATIC_UW + 2 * IDLE_UW, 1);
	add_power(&s, 10, STATIC_UW, 0);
	return sample_end(&s, 7);
}

/* low has SM 1 [0,4). middle, ready at 1, needs both and waits until 4. high, ready at 2, is looked at after
 * it, and gets SM 0, for [2,3). */
struct audit_sample sample_lower_first(void)
{
	struct audit_sample s = begin_sets(2);
	s.run.ties = "lower-first";
	add_sharing(&s, "high", 0, 1, 2, 1, 2);
	add_sharing(&s, "middle", 0, 2, 1, 2, 4);
	add_sharing(&s, "low", 1, 1, 0, 4, 0);
	add_power(&s, 2, STATIC_UW + IDLE_UW, 1);
	add_power(&s, 3, STATIC_UW, 2);
	add_power(&s, 4, STATIC_UW + IDLE_UW, 1);
	add_power(&s, 6, STATIC_UW, 2);
	add_power(&s, 10, STATIC_UW, 0);
	return sample_end(&s, 6);
}

/* low has SM 1 [0,4). wide, ready at 1, needs both SMs, and is aborted at 3. Then narrow runs [3,4): it was
 * ready at 2, and wide had reserved SM 0 against it. */
struct audit_sample sample_leaves(void)
{
	struct audit_sample s = begin_sets(2);
	s.run.on_miss = "abort";
	add_sharing(&s, "wide", 0, 2, 1, 2, -1);
	s.task[0].deadline_ns = 2 * MS;
	add_job(&s, 0, 0, 1, -1, 3)->outcome = job_outcome(ROW_JOB_ABORTED, true);
	add_sharing(&s, "narrow", 0, 1, 2, 1, 3);
	add_sharing(&s, "low", 1, 1, 0, 4, 0);
	add_power(&s, 3, STATIC_UW + IDLE_UW, 1);
	add_power(&s, 4, STATIC_UW, 2);
	add_power(&s, 10, STATIC_UW, 0);
	return sample_end(&s, 4);
}

struct audit_sample sample_fallback(void)
{
	struct audit_sample s = sample_section();
	s.policy = "stgm";
	s.params = "{\"exclusive\":true,\"test\":\"utilization\",\"wait\":\"busy\"}";
	return s;
}

/* The policy sets two virtual SMs per SM. wide has both of SM 0 and one of SM 1: work 10, alpha 9/5, takes 18
 * / 3. narrow has the other one: its three blocks take [1,4). */
struct audit_sample sample_slots(void)
{
	struct audit_sample s = sample_begin("rtgpu", "{\"search\":\"greedy\"}", 10);
	s.run.virtual_sms_per_sm = 2;
	add_task(&s, "wide", 20, 10, 0);
	give_sms(&s, 2, 3, "[0,1]");
	struct segment_row *work = add_segment(&s, "kernel", 10);
	work->form = "work";
	work->overhead_ns = 0;
	work->interleave = "{\"2\": [9, 5]}";
	work->dynamic_uw = 400000;
	add_task(&s, "narrow", 20, 20, 1);
	give_sms(&s, 1, 1, "[1]");
	add_grid(&s, 3, 1024, 1, 400000);
	add_job(&s, 0, 0, 0, 0, 6);
	add_interval(&s, 0, 0, 0, ROW_GPU, 0, 0, 6)->granted = 3;
	add_job(&s, 1, 0, 1, 1, 4);
	add_interval(&s, 1, 0, 0, ROW_GPU, 1, 1, 4)->granted = 1;
	add_block(&s, 0, 0, 0, 0, 0, 0, 1024, 0, 6);
	add_block(&s, 0, 0, 0, 1, 0, 1, 1024, 0, 6);
	add_block(&s, 0, 0, 0, 2, 1, 0, 1024, 0, 6);
	for (uint32_t b = 0; b < 3; b++)
		add_block(&s, 1, 0, 0, b, 1, 1, 1024, 1 + b, 2 + b);
	add_power(&s, 6, STATIC_UW + 800000, 2);
	add_power(&s, 10, STATIC_UW, 0);
	return sample_end(&s, 6);
}

static void add_profile(struct audit_sample *s, int64_t index, const int64_t *time)
{
	for (int64_t m = 1; m <= 4; m++)
		s->profile[s->set.profile_count++] = (struct profile_row){
			index, index ? "b" : "a", m, time[m - 1] * MS, time[m - 1] * MS, N};
}

/* Four SMs. a's kernels are best on two (8.8, 5.6, 6.8, 8 mJ), those of b and c on three (6.6, 4.2, 3.4, 4).
 * The powers of what runs are those of the kernels: 0.5 W an SM. */
static struct audit_sample begin_chosen(const char *params)
{
	struct audit_sample s = sample_begin("sbeet", params, 20);
	static const int64_t times[][4] = {{8, 4, 4, 4}, {6, 3, 2, 2}};
	s.platform.sms = 4;
	add_profile(&s, 0, times[0]);
	add_profile(&s, 1, times[1]);
	add_task(&s, "a", 40, 20, 0);
	add_copy(&s, "to_gpu", 1);
	add_profiled(&s, 0)->dynamic_uw = 500000;
	add_copy(&s, "both", 1);
	add_profiled(&s, 0)->dynamic_uw = 500000;
	add_copy(&s, "to_cpu", 1);
	add_task(&s, "b", 40, 30, 2);
	add_profiled(&s, 1)->dynamic_uw = 500000;
	add_task(&s, "c", 40, 40, 3);
	add_profiled(&s, 1)->dynamic_uw = 500000;
	return s;
}

/* a's job; those of b and c, on SMs 2 and 3, from when they start. */
static void run_chosen(struct audit_sample *s, int64_t b, int64_t c)
{
	add_job(s, 0, 0, 0, 0, 11);
	add_interval(s, 0, 0, 0, ROW_COPY, 0, 0, 1);
	add_interval(s, 0, 0, 1, ROW_GPU, 1, 1, 5)->granted = 2;
	add_interval(s, 0, 0, 2, ROW_COPY, 5, 5, 6);
	add_interval(s, 0, 0, 3, ROW_GPU, 6, 6, 10)->granted = 2;
	add_interval(s, 0, 0, 4, ROW_COPY, 10, 10, 11);
	add_job(s, 1, 0, 2, b, b + 3);
	add_interval(s, 1, 0, 0, ROW_GPU, 2, b, b + 3)->granted = 2;
	add_job(s, 2, 0, 3, c, c + 3);
	add_interval(s, 2, 0, 0, ROW_GPU, 3, c, c + 3)->granted = 2;
	for (uint32_t i = 0; i < 2; i++) {
		add_block(s, 0, 0, 1, i, i, 0, 2048, 1, 5);
		add_block(s, 0, 0, 3, i, i, 0, 2048, 6, 10);
		add_block(s, 1, 0, 0, i, i + 2, 0, 2048, b, b + 3);
		add_block(s, 2, 0, 0, i, i + 2, 0, 2048, c, c + 3);
	}
}

/* At 0 a is given SMs 0 and 1, for its kernels [1,5) and [6,10); its copy [0,1) is not asked. b, ready at 2,
 * is given the two that are left, [2,5). c, ready at 3, waits for a worker: at 5 it is given SMs 2 and 3.
 *
 * At 0, a on two SMs would run to 10: b, expected at 2, beside it in [2,5), c in [5,8), both in time. That is
 * 10 of static power, 8 + 3 + 3 for the kernels, 1.6 for idle SMs, none in [0,1): 25.6 mJ. On one SM a would
 * run to 18, b beside it on three in [2,4), c in [4,6): 18 + 8 + 3 + 3 + 7.2, and none of that last in
 * [9,10), when a copies. At 2, b would run to 5 and c, expected at 3, behind a, to 12: 3 + 3 + 3 mJ. At 5, c
 * to 8: 3 + 3 + 2 + 0.4. */
struct audit_sample sample_chosen(void)
{
	struct audit_sample s =
		begin_chosen("{\"queue\":\"deadline\",\"energy\":\"own\",\"infeasible\":\"energy\","
			     "\"workers\":2,\"offline\":false}");
	run_chosen(&s, 2, 5);
	add_decision(&s, 0, 0, 2, 10 * MS, 256 * TENTH, true, true);
	add_decision(&s, 0, 0, 1, 18 * MS, 392 * TENTH, true, false);
	add_decision(&s, 2, 1, 2, 5 * MS, 90 * TENTH, true, true);
	add_decision(&s, 5, 2, 2, 8 * MS, 84 * TENTH, true, true);
	add_power(&s, 1, STATIC_UW, 0);
	add_power(&s, 2, STATIC_UW + 2 * 500000 + 2 * IDLE_UW, 2);
	add_power(&s, 5, STATIC_UW + 4 * 500000, 4);
	add_power(&s, 6, STATIC_UW + 2 * 500000 + 2 * IDLE_UW, 2);
	add_power(&s, 8, STATIC_UW + 4 * 500000, 4);
	add_power(&s, 10, STATIC_UW + 2 * 500000 + 2 * IDLE_UW, 2);
	add_power(&s, 20, STATIC_UW, 0);
	return sample_end(&s, 11);
}

/* The same with decisions that take 1 ms of the core. That for a is made in [0,1), beside its copy; energies
 * over [1, f) lack 1 mJ. That for b, ready at 2, in [2,3): on [3,6), for 3 of static power, 2 + 3, and 0.4
 * for SMs idle in [5,6), when a copies. c came at 3, so for it another one is made in [3,4), and finds two
 * workers busy. At 5 a kernel has ended: one more, in [5,6), behind which b has ended, too; c on [6,9): 3 + 3
 * + 3. */
struct audit_sample sample_decided(void)
{
	struct audit_sample s =
		begin_chosen("{\"queue\":\"deadline\",\"energy\":\"own\",\"infeasible\":\"energy\","
			     "\"workers\":2,\"offline\":false,\"decision_base\":\"1ms\","
			     "\"decision_per_job\":\"0\",\"decision_on\":\"core\"}");
	static const struct {
		uint32_t task;
		int64_t start;
	} made[] = {{0, 0}, {1, 2}, {2, 3}, {2, 5}};
	run_chosen(&s, 3, 6);
	for (uint32_t i = 0; i < 4; i++) {
		struct segment_interval_row *row = add_interval(
			&s, made[i].task, 0, 0, ROW_CPU, made[i].start, made[i].start, made[i].start + 1);
		row->code = segment_interval_code(ROW_CPU, ROW_DECISION, ROW_SPAN_DONE);
		row->part = i == 3;
	}
	add_decision(&s, 1, 0, 2, 10 * MS, 246 * TENTH, true, true)->asked_ns = 0;
	add_decision(&s, 1, 0, 1, 18 * MS, 382 * TENTH, true, false)->asked_ns = 0;
	add_decision(&s, 3, 1, 2, 6 * MS, 84 * TENTH, true, true)->asked_ns = 2 * MS;
	add_decision(&s, 6, 2, 2, 9 * MS, 90 * TENTH, true, true)->asked_ns = 5 * MS;
	add_power(&s, 1, STATIC_UW, 0);
	add_power(&s, 3, STATIC_UW + 2 * 500000 + 2 * IDLE_UW, 2);
	add_power(&s, 5, STATIC_UW + 4 * 500000, 4);
	add_power(&s, 6, STATIC_UW + 2 * 500000 + 2 * IDLE_UW, 2);
	add_power(&s, 9, STATIC_UW + 4 * 500000, 4);
	add_power(&s, 10, STATIC_UW + 2 * 500000 + 2 * IDLE_UW, 2);
	add_power(&s, 20, STATIC_UW, 0);
	return sample_end(&s, 11);
}

struct audit_sample sample_offline(void)
{
	struct audit_sample s = sample_chosen();
	s.params = "{\"queue\":\"deadline\",\"energy\":\"own\",\"infeasible\":\"energy\",\"workers\":2,"
		   "\"offline\":true}";
	s.decisions = 0;
	return s;
}

/* Also made beforehand. Between late's copies is a kernel of length zero, which passes at 1. The second copy
 * is ready then. It comes after the kernel, so it runs only when the section is admitted; the admission is
 * not recorded. The section was admitted at once: the copy waited behind other's [1,3) in the engine's queue,
 * before next's copy arrived there at 2. */
struct audit_sample sample_unseen(void)
{
	struct audit_sample s = sample_begin("sbeet",
		"{\"queue\":\"deadline\",\"energy\":\"own\",\"infeasible\":\"energy\",\"workers\":2,"
		"\"offline\":true}",
		20);
	add_task(&s, "late", 20, 10, 0);
	add_copy(&s, "to_gpu", 1);
	add_grid(&s, 1, 1024, 0, 500000);
	add_copy(&s, "to_gpu", 1);
	add_grid(&s, 1, 1024, 1, 500000);
	add_task(&s, "other", 20, 15, 0);
	add_copy(&s, "to_gpu", 2);
	add_task(&s, "next", 20, 18, 2);
	add_copy(&s, "to_gpu", 1);

	add_job(&s, 0, 0, 0, 0, 5);
	add_interval(&s, 0, 0, 0, ROW_COPY, 0, 0, 1);
	add_interval(&s, 0, 0, 2, ROW_COPY, 1, 3, 4);
	add_interval(&s, 0, 0, 3, ROW_GPU, 4, 4, 5)->granted = 1;
	add_block(&s, 0, 0, 3, 0, 0, 0, 1024, 4, 5);
	add_job(&s, 1, 0, 0, 1, 3);
	add_interval(&s, 1, 0, 0, ROW_COPY, 0, 1, 3);
	add_job(&s, 2, 0, 2, 4, 5);
	add_interval(&s, 2, 0, 0, ROW_COPY, 2, 4, 5);
	add_power(&s, 4, STATIC_UW, 0);
	add_power(&s, 5, STATIC_UW + 500000 + IDLE_UW, 1);
	add_power(&s, 20, STATIC_UW, 0);
	return sample_end(&s, 5);
}
